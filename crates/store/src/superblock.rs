//! The first bytes of an HDF5 file: a run that was killed leaves marks there that keep readers out, and they
//! must be taken off.
//!
//! Layout and checksum are those of superblock version 3 in the HDF5 File Format Specification, version 3,
//! section II.A.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Signature, version, two sizes, flags, four addresses of 8 bytes; then the checksum.
const LENGTH: usize = 8 + 4 + 32;
const SIGNATURE: [u8; 8] = [0x89, b'H', b'D', b'F', 0x0d, 0x0a, 0x1a, 0x0a];
const FLAGS: usize = 11;
/// Where the stored end of the file is.
const END: std::ops::Range<usize> = 28..36;

/// Most bytes that are put at the end of a file that is shorter than it states. What a run writes between two
/// flushes is missing at most: a queue of rows and some chunks of each dataset, far less.
const MISSING: u64 = 1 << 30;

/// The first bytes of an HDF5 file behind `start` other bytes; `None` when they are not as we write them.
fn read(file: &mut File, start: u64) -> io::Result<Option<[u8; LENGTH + 4]>> {
    let mut block = [0; LENGTH + 4];
    file.seek(SeekFrom::Start(start))?;
    if let Err(error) = file.read_exact(&mut block) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let (head, sum) = block.split_at(LENGTH);
    let ours = head[..8] == SIGNATURE && head[8] == 3 && head[9] == 8 && head[10] == 8;
    Ok((ours && lookup3(head).to_le_bytes() == *sum).then_some(block))
}

/// The length that a first block states.
fn end_of(block: &[u8; LENGTH + 4]) -> u64 {
    let mut end = [0; 8];
    end.copy_from_slice(&block[END]);
    u64::from_le_bytes(end)
}

/// The length that an HDF5 file behind a user block of `start` bytes states, the block included; `None` when
/// it does not begin as ours do.
pub(crate) fn stated_length(file: &mut File, start: u64) -> io::Result<Option<u64>> {
    Ok(read(file, start)?.map(|block| start.saturating_add(end_of(&block))))
}

/// Takes the marks of an open writer off, and makes a file as long as it says it is: on a full disk the end
/// may be stored before what comes before it. What is missing reads as numbers that were never written (NaN,
/// −1). False when the file does not begin as ours do, or states a length that no run leaves.
pub(crate) fn clear_marks(file: &mut File) -> io::Result<bool> {
    let Some(mut block) = read(file, 0)? else { return Ok(false) };
    let (end, length) = (end_of(&block), file.seek(SeekFrom::End(0))?);
    if length < end {
        if end - length > MISSING {
            return Ok(false);
        }
        io::copy(&mut io::repeat(0xff).take(end - length), file)?;
    }
    if block[FLAGS] != 0 {
        block[FLAGS] = 0;
        let sum = lookup3(&block[..LENGTH]).to_le_bytes();
        block[LENGTH..].copy_from_slice(&sum);
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&block)?;
    }
    Ok(true)
}

/// Puts the checksum of an image right. H5Fget_file_image clears the marks of an open file in its copy and
/// leaves the checksum as it was (1.10.8, H5F__get_file_image).
pub(crate) fn correct_checksum(image: &mut [u8]) {
    if let Some(block) = image.get_mut(..LENGTH + 4) {
        let sum = lookup3(&block[..LENGTH]).to_le_bytes();
        block[LENGTH..].copy_from_slice(&sum);
    }
}

/// Bob Jenkins' `lookup3`, `hashlittle` with initial value 0 (burtleburtle.net/bob/c/lookup3.c, public
/// domain): the checksum of HDF5's metadata.
fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let mut state = [start; 3];
    let mut chunks = bytes.chunks(12).peekable();
    while let Some(chunk) = chunks.next() {
        let mut padded = [0; 12];
        padded[..chunk.len()].copy_from_slice(chunk);
        for (word, four) in state.iter_mut().zip(padded.chunks_exact(4)) {
            *word = word.wrapping_add(u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        }
        if chunks.peek().is_some() { mix(&mut state) } else { last(&mut state) }
    }
    state[2]
}

fn mix([a, b, c]: &mut [u32; 3]) {
    for turn in [4, 6, 8, 16, 19, 4] {
        // The six lines of `mix` are one line with the letters moving on.
        *a = a.wrapping_sub(*c) ^ c.rotate_left(turn);
        *c = c.wrapping_add(*b);
        (*a, *b, *c) = (*b, *c, *a);
    }
}

fn last([a, b, c]: &mut [u32; 3]) {
    for turn in [14, 11, 25, 16, 4, 14, 24] {
        *c = (*c ^ *b).wrapping_sub(b.rotate_left(turn));
        (*a, *b, *c) = (*b, *c, *a);
    }
    // Seven moves leave the letters one position on.
    (*a, *b, *c) = (*c, *a, *b);
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{END, LENGTH, clear_marks, lookup3};

    /// A file with this first block that states a length.
    fn file_that_states(length: u64) -> std::fs::File {
        let mut block = [0; LENGTH + 4];
        block[..12].copy_from_slice(&[0x89, b'H', b'D', b'F', 0x0d, 0x0a, 0x1a, 0x0a, 3, 8, 8, 0]);
        block[END].copy_from_slice(&length.to_le_bytes());
        let sum = lookup3(&block[..LENGTH]).to_le_bytes();
        block[LENGTH..].copy_from_slice(&sum);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&block).unwrap();
        file
    }

    #[test]
    fn a_length_that_no_run_leaves_fills_no_disk() {
        let mut short = file_that_states(1000);
        assert!(clear_marks(&mut short).unwrap());
        assert_eq!(short.metadata().unwrap().len(), 1000);
        let mut absurd = file_that_states(1 << 40);
        assert!(!clear_marks(&mut absurd).unwrap());
        assert_eq!(absurd.metadata().unwrap().len(), LENGTH as u64 + 4);
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        // The driver of lookup3.c prints these for initial value 0.
        assert_eq!(lookup3(b"Four score and seven years ago"), 0x1777_0551);
    }
}
