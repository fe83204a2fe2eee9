//! The seal of a finished file: its length and a hash of its bytes, in 128 bytes behind its end.
//!
//! Readers of HDF5 do not look behind the end that the superblock states. The seal is verified before libhdf5
//! opens the file: a damaged file may crash that library, and a damaged number would be read as if it were
//! right. It detects damage and does not prove who wrote the file, so the hash is XXH3 with 128 bits, which
//! takes a tenth of the time of SHA-256; seals with SHA-256 are those of earlier versions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use twox_hash::XxHash3_128;

/// Bytes of a seal.
const LENGTH: u64 = 128;
const MARK: &str = "\npliant seal ";
/// Bytes that are read and hashed together; they stay in the second-level cache.
const BLOCK: usize = 1 << 18;

/// How bytes are hashed, by the version of the seal.
#[derive(Clone, Copy)]
enum Method {
    /// Version 1.
    Sha256,
    /// Version 2.
    Xxh3,
}

impl Method {
    const ALL: [Self; 2] = [Self::Sha256, Self::Xxh3];

    /// What a seal of this method begins with.
    fn mark(self) -> &'static str {
        match self {
            Self::Sha256 => "\npliant seal 1\n",
            Self::Xxh3 => "\npliant seal 2\n",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Xxh3 => "xxh3-128",
        }
    }

    /// Hash of the first bytes of a file, in hexadecimal digits.
    fn hash(self, file: &mut File, length: u64) -> io::Result<String> {
        match self {
            Self::Sha256 => {
                let mut hash = Sha256::new();
                blocks(file, length, |block| hash.update(block))?;
                Ok(hex::encode(hash.finalize()))
            }
            Self::Xxh3 => {
                let mut hash = XxHash3_128::new();
                blocks(file, length, |block| hash.write(block))?;
                Ok(format!("{:032x}", hash.finish_128()))
            }
        }
    }

    fn text(self, length: u64, hash: &str) -> Vec<u8> {
        let mut text = format!("{}length {length}\n{} {hash}", self.mark(), self.name()).into_bytes();
        text.resize(LENGTH as usize - 1, b' ');
        text.push(b'\n');
        text
    }
}

/// Hands over the first bytes of a file.
fn blocks(file: &mut File, length: u64, mut next: impl FnMut(&[u8])) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let (mut buffer, mut left) = (vec![0; BLOCK.min(length as usize)], length);
    while left > 0 {
        let wanted = left.min(BLOCK as u64) as usize;
        file.read_exact(&mut buffer[..wanted])?;
        next(&buffer[..wanted]);
        left -= wanted as u64;
    }
    Ok(())
}

/// What the end of a file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seal {
    /// The bytes are those that were sealed.
    Holds,
    /// There is none: the file is of an earlier version, or of another program.
    Absent,
    /// The bytes are not those that were sealed.
    Broken,
}

/// The seal of these bytes, to be appended to them.
pub(crate) fn of(bytes: &[u8]) -> Vec<u8> {
    Method::Xxh3.text(bytes.len() as u64, &format!("{:032x}", XxHash3_128::oneshot(bytes)))
}

/// Reads all of a file and appends its seal. The caller syncs it.
pub(crate) fn append(file: &mut File) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let hash = Method::Xxh3.hash(file, length)?;
    file.seek(SeekFrom::Start(length))?;
    file.write_all(&Method::Xxh3.text(length, &hash))
}

/// Whether a seal stands at the end of a file, holding or not; false for what is no file.
pub fn has_seal(path: &Path) -> bool {
    path.is_file() && File::open(path).and_then(|mut file| is_marked(&mut file)).unwrap_or(false)
}

/// Whether a seal stands at the end of a file, holding or not.
pub(crate) fn is_marked(file: &mut File) -> io::Result<bool> {
    let Some(start) = file.seek(SeekFrom::End(0))?.checked_sub(LENGTH) else { return Ok(false) };
    file.seek(SeekFrom::Start(start))?;
    let mut found = [0; MARK.len()];
    file.read_exact(&mut found)?;
    Ok(found == MARK.as_bytes())
}

/// Compares a file with its seal.
pub(crate) fn verify(path: &Path) -> io::Result<Seal> {
    let mut file = File::open(path)?;
    let Some(length) = file.seek(SeekFrom::End(0))?.checked_sub(LENGTH) else { return Ok(Seal::Absent) };
    let mut found = vec![0; LENGTH as usize];
    file.seek(SeekFrom::Start(length))?;
    file.read_exact(&mut found)?;
    let Some(method) = Method::ALL.into_iter().find(|method| found.starts_with(method.mark().as_bytes()))
    else {
        // A part of a seal is that of a file that was cut off or changed.
        let has = |part: &str| found.windows(part.len()).any(|window| window == part.as_bytes());
        let part = has(MARK.trim()) || Method::ALL.iter().any(|method| has(&format!("\n{} ", method.name())));
        return Ok(if part { Seal::Broken } else { Seal::Absent });
    };
    let hash = method.hash(&mut file, length)?;
    Ok(if found == method.text(length, &hash) { Seal::Holds } else { Seal::Broken })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_or_missing_byte_breaks_the_seal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let bytes = b"not much".to_vec();
        let sealed = [bytes.clone(), of(&bytes)].concat();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(verify(&path).unwrap(), Seal::Absent);
        append(&mut File::options().read(true).write(true).open(&path).unwrap()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), sealed);
        assert_eq!(verify(&path).unwrap(), Seal::Holds);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert_eq!(verify(&path).unwrap(), Seal::Broken, "byte {at}");
        }
        // Cut off within the seal; of 120 bytes and more in front of it there is room for a part.
        let long = [vec![b'x'; 200], of(&[b'x'; 200])].concat();
        for length in 200 + MARK.len()..long.len() {
            std::fs::write(&path, &long[..length]).unwrap();
            assert_eq!(verify(&path).unwrap(), Seal::Broken, "{length} bytes");
        }
    }

    #[test]
    fn seals_of_earlier_versions_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        // SHA-256 of "abc", FIPS 180-2; XXH3 of no bytes, from the specification of xxHash.
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        std::fs::write(&path, [b"abc".to_vec(), Method::Sha256.text(3, sha256)].concat()).unwrap();
        assert_eq!(verify(&path).unwrap(), Seal::Holds);
        std::fs::write(&path, [b"abd".to_vec(), Method::Sha256.text(3, sha256)].concat()).unwrap();
        assert_eq!(verify(&path).unwrap(), Seal::Broken);
        let xxh3 = "99aa06d3014798d86001c324468d497f";
        std::fs::write(&path, Method::Xxh3.text(0, xxh3)).unwrap();
        assert_eq!(verify(&path).unwrap(), Seal::Holds);
        // A version that is not known.
        std::fs::write(&path, [b"abc".to_vec(), Method::Sha256.text(3, sha256)].concat()).unwrap();
        let mut later = std::fs::read(&path).unwrap();
        later[3 + MARK.len()] = b'9';
        std::fs::write(&path, later).unwrap();
        assert_eq!(verify(&path).unwrap(), Seal::Broken);
    }
}
