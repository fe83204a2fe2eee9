//! What an entry is named by.

use std::fmt;

use sha2::{Digest, Sha256};

use super::SCHEMA_VERSION;

/// SHA-256 of all that a reduced link depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Key {
    /// The key of a content: parts in their order, and the layout of entries. Parts are distinguished by
    /// their lengths.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        add(&SCHEMA_VERSION.to_le_bytes());
        parts.into_iter().for_each(add);
        Self(hash.finalize().into())
    }

    /// The key a file name begins with, if it does.
    pub(super) fn of_file_name(name: &str) -> Option<Self> {
        let mut key = [0; 32];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(name.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        Some(Self(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_their_order_make_the_key() {
        let key = |parts: &[&str]| Key::of(parts.iter().map(|part| part.as_bytes()));
        let all: Vec<Key> =
            [&["ab", "c"][..], &["a", "bc"], &["c", "ab"], &["abc"], &["ab", "c", ""], &[]].map(key).to_vec();
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{i}");
        }
        assert_eq!(key(&["ab", "c"]), all[0]);
    }

    #[test]
    fn a_file_name_gives_its_key_back() {
        let key = Key::of([&b"content"[..]]);
        assert_eq!(Key::of_file_name(&format!("{key}.h5")), Some(key));
        assert_eq!(Key::of_file_name("notes.txt"), None);
    }
}
