//! The seal of a finished file: its length and the SHA-256 of its bytes, in 128 bytes behind its end.
//!
//! Readers of HDF5 do not look behind the end that the superblock states. The seal is verified before libhdf5
//! opens the file: a damaged file may crash that library, and a damaged number would be read as if it were
//! right.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Bytes of a seal.
const LENGTH: u64 = 128;
const MARK: &str = "\npliant seal 1\n";

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

fn text(length: u64, hash: &[u8]) -> Vec<u8> {
    let hash = hex::encode(hash);
    let mut text = format!("{MARK}length {length}\nsha256 {hash}").into_bytes();
    text.resize(LENGTH as usize - 1, b' ');
    text.push(b'\n');
    text
}

/// The seal of these bytes, to be appended to them.
pub(crate) fn of(bytes: &[u8]) -> Vec<u8> {
    text(bytes.len() as u64, &Sha256::digest(bytes))
}

/// Reads all of a file and appends its seal. The caller syncs it.
pub(crate) fn append(file: &mut File) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let hash = hash(file, length)?;
    file.seek(SeekFrom::Start(length))?;
    file.write_all(&text(length, &hash))
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
    if !found.starts_with(MARK.as_bytes()) {
        // A part of a seal is that of a file that was cut off or changed.
        let has = |part: &str| found.windows(part.len()).any(|window| window == part.as_bytes());
        let part = has(MARK.trim()) || has("\nsha256 ");
        return Ok(if part { Seal::Broken } else { Seal::Absent });
    }
    let hash = hash(&mut file, length)?;
    Ok(if found == text(length, &hash) { Seal::Holds } else { Seal::Broken })
}

/// Hash of the first bytes of a file.
fn hash(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let (mut hash, mut buffer, mut left) = (Sha256::new(), vec![0; 1 << 20], length);
    while left > 0 {
        let wanted = left.min(buffer.len() as u64) as usize;
        file.read_exact(&mut buffer[..wanted])?;
        hash.update(&buffer[..wanted]);
        left -= wanted as u64;
    }
    Ok(hash.finalize().to_vec())
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
}
