//! The seal of an entry: the hash of every byte of its HDF5 file, in the user block before it.
//!
//! HDF5 leaves the user block alone and every reader of HDF5 skips it. Checking the entire file there, rather
//! than the numbers inside, also keeps a damaged file away from libhdf5, which may crash on one.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{CacheError, Key};
use crate::superblock;

/// Size of the user block: the smallest that HDF5 allows.
const BLOCK: u64 = 512;

/// Most bytes of a link's name that the seal keeps.
const NAME: usize = 200;

/// The seal up to its hash.
fn seal_head(link: &str, key: &Key) -> Vec<u8> {
    format!("pliant reduced link\nlink {link}\nkey {key}\nsha256 ").into_bytes()
}

fn seal_text(link: &str, key: &Key, hash: &[u8]) -> Vec<u8> {
    let mut text = seal_head(link, key);
    text.extend_from_slice(hex::encode(hash).as_bytes());
    text.push(b'\n');
    text.resize(BLOCK as usize, 0);
    text
}

/// The seal of an entry with these bytes. The link's name is kept for people.
pub(super) fn of(bytes: &[u8], link: &str, key: &Key) -> Vec<u8> {
    let printable: String = link.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name = &printable[..printable.floor_char_boundary(NAME)];
    seal_text(name, key, &Sha256::digest(bytes))
}

/// Fails unless the file is exactly what was sealed for this key.
pub(super) fn verify(path: &Path, key: &Key) -> Result<(), CacheError> {
    let damaged = |why: &str| CacheError::Damaged(why.to_owned());
    // Opening a FIFO would wait for somebody to write.
    if !fs::metadata(path)?.is_file() {
        return Err(damaged("it is not a regular file"));
    }
    let mut file = File::open(path)?;
    let block = read_block(&mut file).map_err(|_| damaged("it is truncated"))?;
    // What is no entry of this key, or has another length, need not be read: it may be of any size.
    let link = link_in(&block).unwrap_or_default();
    if !block.starts_with(&seal_head(&link, key)) {
        return Err(damaged("its bytes do not match its seal"));
    }
    if superblock::stated_length(&mut file, BLOCK)? != Some(file.metadata()?.len()) {
        return Err(damaged("its length differs from that in its seal"));
    }
    let hash = hash_after_block(&mut file)?;
    if block == seal_text(&link, key, &hash) {
        Ok(())
    } else {
        Err(damaged("its bytes do not match its seal"))
    }
}

/// The name of the link that an entry was made for.
pub(super) fn link_name(path: &Path) -> Option<String> {
    link_in(&read_block(&mut File::open(path).ok()?).ok()?)
}

fn read_block(file: &mut File) -> io::Result<Vec<u8>> {
    let mut block = vec![0; BLOCK as usize];
    file.read_exact(&mut block)?;
    Ok(block)
}

fn link_in(block: &[u8]) -> Option<String> {
    let lines = std::str::from_utf8(block).ok()?;
    lines.lines().find_map(|line| line.strip_prefix("link ")).map(str::to_owned)
}

fn hash_after_block(file: &mut File) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(BLOCK))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hash.finalize().to_vec()),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
