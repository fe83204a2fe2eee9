//! Arrays of numbers inside the page: base64 of their little-endian bytes, each in a script element of its
//! own that no browser runs.

use base64::Engine;
use std::fmt::Write;

use serde::Serialize;

/// Points from the description to an array.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Reference {
    array: usize,
    kind: &'static str,
}

/// The arrays of a page.
#[derive(Default)]
pub(crate) struct Arrays {
    markup: String,
    count: usize,
}

impl Arrays {
    pub(crate) fn f64(&mut self, values: &[f64]) -> Reference {
        self.put("f64", values.iter().flat_map(|x| x.to_le_bytes()))
    }

    /// Single precision: seven digits, enough to draw and to read off.
    pub(crate) fn single(&mut self, values: &[f64]) -> Reference {
        self.put("f32", values.iter().flat_map(|x| (*x as f32).to_le_bytes()))
    }

    pub(crate) fn f32(&mut self, values: &[f32]) -> Reference {
        self.put("f32", values.iter().flat_map(|x| x.to_le_bytes()))
    }

    pub(crate) fn u16(&mut self, values: &[u16]) -> Reference {
        self.put("u16", values.iter().flat_map(|x| x.to_le_bytes()))
    }

    pub(crate) fn u32(&mut self, values: &[u32]) -> Reference {
        self.put("u32", values.iter().flat_map(|x| x.to_le_bytes()))
    }

    fn put(&mut self, kind: &'static str, bytes: impl Iterator<Item = u8>) -> Reference {
        let array = self.count;
        self.count += 1;
        let open = write!(self.markup, "<script type=\"text/plain\" id=\"array-{array}\">");
        open.expect("invariant: writing to a string cannot fail");
        let bytes: Vec<u8> = bytes.collect();
        base64::prelude::BASE64_STANDARD.encode_string(bytes, &mut self.markup);
        self.markup.push_str("</script>\n");
        Reference { array, kind }
    }

    /// The script elements.
    pub(crate) fn into_markup(self) -> String {
        self.markup
    }
}
