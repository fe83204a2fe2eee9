//! Arrays of numbers inside the page: base64 of their little-endian bytes, each in a script element of its own that no browser
//! runs.

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
        base64(bytes, &mut self.markup);
        self.markup.push_str("</script>\n");
        Reference { array, kind }
    }

    /// The script elements.
    pub(crate) fn into_markup(self) -> String {
        self.markup
    }
}

/// RFC 4648, section 4.
fn base64(bytes: impl Iterator<Item = u8>, out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut put = |bits: u32, digits: usize| {
        for k in 0..4 {
            let digit = (bits >> (18 - 6 * k)) & 63;
            out.push(if k < digits { char::from(DIGITS[digit as usize]) } else { '=' });
        }
    };
    let (mut bits, mut held) = (0_u32, 0);
    for byte in bytes {
        bits = bits << 8 | u32::from(byte);
        held += 1;
        if held == 3 {
            put(bits, 4);
            (bits, held) = (0, 0);
        }
    }
    match held {
        1 => put(bits << 16, 2),
        2 => put(bits << 8, 3),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_the_vectors_of_the_rfc() {
        // RFC 4648, section 10.
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, expected) in vectors {
            let mut out = String::new();
            base64(plain.bytes(), &mut out);
            assert_eq!(out, expected);
        }
    }
}
