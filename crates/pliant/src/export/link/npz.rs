//! Archives of arrays for NumPy: a ZIP file whose entries are stored without compression, each an NPY file of
//! version 1.0 (NEP 1; PKWARE's APPNOTE). No crate of the tree writes either.

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Array {
    /// Numbers row by row, with the lengths of the dimensions.
    Numbers(Vec<usize>, Vec<f64>),
    /// Integers with the lengths of the dimensions; one integer has none.
    Integers(Vec<usize>, Vec<i64>),
    /// One text.
    Text(String),
    /// Texts in one dimension.
    Texts(Vec<String>),
}

/// Bytes to which the data of an NPY file are aligned.
const ALIGNMENT: usize = 64;
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

impl Array {
    fn npy(&self) -> Vec<u8> {
        let utf32 = |text: &str, width: usize, out: &mut Vec<u8>| {
            let letters: Vec<u32> = text.chars().map(u32::from).collect();
            (0..width).for_each(|k| out.extend(letters.get(k).copied().unwrap_or(0).to_le_bytes()));
        };
        let mut data = Vec::new();
        let (kind, shape) = match self {
            Self::Numbers(shape, values) => {
                values.iter().for_each(|x| data.extend(x.to_le_bytes()));
                ("<f8".to_owned(), shape.clone())
            }
            Self::Integers(shape, values) => {
                values.iter().for_each(|x| data.extend(x.to_le_bytes()));
                ("<i8".to_owned(), shape.clone())
            }
            Self::Text(text) => {
                let width = text.chars().count().max(1);
                utf32(text, width, &mut data);
                (format!("<U{width}"), Vec::new())
            }
            Self::Texts(texts) => {
                let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
                texts.iter().for_each(|text| utf32(text, width, &mut data));
                (format!("<U{width}"), vec![texts.len()])
            }
        };
        let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
        let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        let used = MAGIC.len() + 2 + head.len() + 1;
        head.extend(std::iter::repeat_n(' ', used.next_multiple_of(ALIGNMENT) - used));
        head.push('\n');
        let length = u16::try_from(head.len()).expect("invariant: the head of an array is short");
        [MAGIC, &length.to_le_bytes(), head.as_bytes(), &data].concat()
    }
}

/// The archive of arrays by name.
pub(super) fn archive(arrays: &[(&str, Array)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, array) in arrays {
        let (name, data) = (format!("{name}.npy"), array.npy());
        let offset = file.len() as u32;
        // Version 2.0, no flags, stored, 1980-01-01: the same numbers give the same file.
        let mut common = Vec::new();
        for half in [20u16, 0, 0, 0, 0x21] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc32(&data), data.len() as u32, data.len() as u32] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(&data);
        directory.extend(b"PK\x01\x02");
        directory.extend(20u16.to_le_bytes());
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start, size) = (arrays.len() as u16, file.len() as u32, directory.len() as u32);
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend(size.to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend(0u16.to_le_bytes());
    file
}

/// The numbers of an array of an archive that [`archive`] wrote.
pub(super) fn numbers(file: &[u8], wanted: &str) -> Result<Vec<f64>, String> {
    let wanted = format!("{wanted}.npy");
    let half = |at: usize| file.get(at..at + 2).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]])));
    let word = |at: usize| file.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let short = || format!("{wanted}: the archive ends too early");
    let mut at = 0;
    while file.get(at..at + 4) == Some(b"PK\x03\x04") {
        let (sum, size) = (word(at + 14).ok_or_else(short)?, word(at + 22).ok_or_else(short)? as usize);
        let name_length = half(at + 26).ok_or_else(short)?;
        let first = at + 30 + name_length;
        let (name, data) = (file.get(at + 30..first).ok_or_else(short)?, file.get(first..first + size));
        let data = data.ok_or_else(short)?;
        if crc32(data) != sum {
            return Err(format!("{}: its checksum is wrong", String::from_utf8_lossy(name)));
        }
        if name == wanted.as_bytes() {
            let head = data.get(8..10).map(|b| 10 + usize::from(u16::from_le_bytes([b[0], b[1]])));
            let values = data.get(head.ok_or_else(short)?..).ok_or_else(short)?;
            let value = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("invariant: chunks of 8"));
            return Ok(values.chunks_exact(8).map(value).collect());
        }
        at = first + size;
    }
    Err(format!("the archive has no {wanted}"))
}

/// CRC-32 of ZIP files, bit by bit: links have kilobytes.
fn crc32(data: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    };
    !data.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_found() {
        // The check value of the algorithm in the catalogue of CRCs.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let arrays = [
            ("a", Array::Numbers(vec![2, 2], vec![1.0, -2.5, 1e-300, 4.0])),
            ("words", Array::Texts(vec!["tip".to_owned(), "µ".to_owned()])),
            ("b", Array::Numbers(vec![], vec![7.0])),
        ];
        let file = archive(&arrays);
        assert_eq!(numbers(&file, "a").unwrap(), [1.0, -2.5, 1e-300, 4.0]);
        assert_eq!(numbers(&file, "b").unwrap(), [7.0]);
        assert!(numbers(&file, "c").is_err());
        let mut damaged = file.clone();
        damaged[100] ^= 1;
        assert!(numbers(&damaged, "b").unwrap_err().contains("checksum"));
    }
}
