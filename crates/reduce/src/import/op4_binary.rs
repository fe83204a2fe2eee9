//! Binary OP4: Fortran unformatted records.

use super::op4::{Entries, Header, Op4Error, Op4Matrix};

/// Byte order and word size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    big_endian: bool,
    /// 4 or 8 bytes in an integer of a record.
    word: usize,
}

/// The layout, reported from the first record's length: 24 bytes of header, or 48 with 64-bit words. `None`
/// for anything else, which then is text.
pub(super) fn layout(bytes: &[u8]) -> Option<Layout> {
    let mark: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
    let word = |length: u32| match length {
        24 => Some(4),
        48 => Some(8),
        _ => None,
    };
    let little = word(u32::from_le_bytes(mark)).map(|word| Layout { big_endian: false, word });
    little.or_else(|| word(u32::from_be_bytes(mark)).map(|word| Layout { big_endian: true, word }))
}

/// Reads every matrix.
pub(super) fn read(bytes: &[u8], layout: Layout) -> Result<Vec<Op4Matrix>, Op4Error> {
    let mut records = Records { bytes, layout };
    let mut matrices = Vec::new();
    while let Some(record) = records.next("header")? {
        matrices.push(matrix(record, &mut records, layout)?);
    }
    Ok(matrices)
}

struct Records<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl<'a> Records<'a> {
    /// The content of the next record; `None` at the end of the file.
    fn next(&mut self, name: &str) -> Result<Option<&'a [u8]>, Op4Error> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let truncated = || Op4Error::Truncated(name.to_owned());
        let mark = |bytes: &[u8]| -> Option<usize> {
            let mark: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
            let length =
                if self.layout.big_endian { u32::from_be_bytes(mark) } else { u32::from_le_bytes(mark) };
            Some(length as usize)
        };
        let length = mark(self.bytes).ok_or_else(truncated)?;
        let content = self.bytes.get(4..4 + length).ok_or_else(truncated)?;
        let rest = &self.bytes[4 + length..];
        if mark(rest).ok_or_else(truncated)? != length {
            return Err(Op4Error::NotOp4(format!("a record of matrix `{name}` is damaged")));
        }
        self.bytes = &rest[4..];
        Ok(Some(content))
    }
}

impl Layout {
    fn integer(self, bytes: &[u8], index: usize) -> Option<i64> {
        let at = bytes.get(index * self.word..(index + 1) * self.word)?;
        Some(match (self.word, self.big_endian) {
            (4, false) => i64::from(i32::from_le_bytes(at.try_into().ok()?)),
            (4, true) => i64::from(i32::from_be_bytes(at.try_into().ok()?)),
            (_, false) => i64::from_le_bytes(at.try_into().ok()?),
            (_, true) => i64::from_be_bytes(at.try_into().ok()?),
        })
    }

    /// Numbers of a column: single precision only with type 1 and 32-bit words.
    fn reals(self, bytes: &[u8], header: &Header) -> Vec<f64> {
        if self.real_size(header) == 4 {
            let single = |c: &[u8]| {
                let b: [u8; 4] = c.try_into().expect("invariant: chunks of 4");
                f64::from(if self.big_endian { f32::from_be_bytes(b) } else { f32::from_le_bytes(b) })
            };
            return bytes.chunks_exact(4).map(single).collect();
        }
        let double = |c: &[u8]| {
            let b: [u8; 8] = c.try_into().expect("invariant: chunks of 8");
            if self.big_endian { f64::from_be_bytes(b) } else { f64::from_le_bytes(b) }
        };
        bytes.chunks_exact(8).map(double).collect()
    }

    fn real_size(self, header: &Header) -> usize {
        if header.kind == 1 && self.word == 4 { 4 } else { 8 }
    }
}

fn matrix(record: &[u8], records: &mut Records<'_>, layout: Layout) -> Result<Op4Matrix, Op4Error> {
    let not_a_header = || Op4Error::NotOp4("a matrix header is damaged".to_owned());
    let mut numbers = [0; 4];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = layout.integer(record, index).ok_or_else(not_a_header)?;
    }
    let name = record.get(4 * layout.word..).ok_or_else(not_a_header)?;
    let header = Header::new(numbers, &String::from_utf8_lossy(name))?;
    let mut values = Vec::new();
    loop {
        let record = records.next(&header.name)?.ok_or_else(|| Op4Error::Truncated(header.name.clone()))?;
        let short = |column| header.malformed(column, "the record is too short");
        let column = layout.integer(record, 0).ok_or_else(|| short(0))?;
        let first_row = layout.integer(record, 1).ok_or_else(|| short(column))?;
        if column > header.columns as i64 {
            return Ok(header.matrix(values));
        }
        let data = record.get(3 * layout.word..).ok_or_else(|| short(column))?;
        if first_row > 0 {
            header.put(&mut values, column, first_row, layout.reals(data, &header))?;
        } else {
            strings(data, column, &header, layout, &mut values)?;
        }
    }
}

/// Strings of a sparse column: a length and a row, then the numbers. The row sits in the low half of one
/// word, or in a word of its own. The length counts 32-bit words of numbers, plus one.
fn strings(
    mut data: &[u8],
    column: i64,
    header: &Header,
    layout: Layout,
    values: &mut Vec<Entries>,
) -> Result<(), Op4Error> {
    let short = || header.malformed(column, "a string of the column is too short");
    while !data.is_empty() {
        let first = layout.integer(data, 0).ok_or_else(short)?;
        let (words, row, head) = if header.big {
            (first.saturating_sub(1), layout.integer(data, 1).ok_or_else(short)?, 2)
        } else {
            (first / 65_536 - 1, first % 65_536, 1)
        };
        let bytes =
            usize::try_from(words).map_err(|_| short())?.checked_mul(layout.word).ok_or_else(short)?;
        let start = head * layout.word;
        let numbers = start.checked_add(bytes).and_then(|end| data.get(start..end)).ok_or_else(short)?;
        header.put(values, column, row, layout.reals(numbers, header))?;
        data = &data[start + bytes..];
    }
    Ok(())
}
