//! Text OP4.

use super::op4::{Header, Op4Error, Op4Matrix};

/// Reads every matrix.
pub(super) fn read(text: &str) -> Result<Vec<Op4Matrix>, Op4Error> {
    let mut lines = text.lines();
    let mut matrices = Vec::new();
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() {
            matrices.push(matrix(line, &mut lines)?);
        }
    }
    Ok(matrices)
}

/// Numbers of a line in columns of 8 characters.
fn integers<const N: usize>(line: &str) -> Option<[i64; N]> {
    let mut numbers = [0; N];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = line.get(8 * index..(8 * index + 8).min(line.len()))?.trim().parse().ok()?;
    }
    Some(numbers)
}

/// Columns, rows, form, type in 4I8, the name in A8, and a Fortran format such as `1P,3E23.16`, of which the
/// width counts.
fn matrix<'a>(line: &str, lines: &mut impl Iterator<Item = &'a str>) -> Result<Op4Matrix, Op4Error> {
    let not_op4 = || Op4Error::NotOp4(format!("`{}` is not a matrix header", line.trim_end()));
    let numbers = integers::<4>(line).ok_or_else(not_op4)?;
    let name = line.get(32..line.len().min(40)).ok_or_else(not_op4)?;
    let header = Header::new(numbers, name)?;
    let width = line.get(40..).and_then(field_width).unwrap_or(23);
    let mut values = Vec::new();
    let truncated = || Op4Error::Truncated(header.name.clone());
    loop {
        let line = lines.next().ok_or_else(truncated)?;
        let [column, first_row, words] = integers::<3>(line)
            .ok_or_else(|| header.malformed(0, format!("`{line}` is not a column header")))?;
        if column > header.columns as i64 {
            lines.next();
            return Ok(header.matrix(values));
        }
        if first_row > 0 {
            let numbers = reals(words, width, column, &header, lines)?;
            header.put(&mut values, column, first_row, numbers)?;
            continue;
        }
        // A sparse column: `words` counts the 32-bit words of strings and their heads as a binary file would
        // have them.
        let mut left = words;
        while left > 0 {
            let line = lines.next().ok_or_else(truncated)?;
            let bad = || header.malformed(column, format!("`{line}` is not a string header"));
            let (length, row, head) = if header.big {
                let [length, row] = integers::<2>(line).ok_or_else(bad)?;
                (length - 1, row, 2)
            } else {
                let [packed] = integers::<1>(line).ok_or_else(bad)?;
                (packed / 65_536 - 1, packed % 65_536, 1)
            };
            let numbers = reals(length / i64::from(header.kind), width, column, &header, lines)?;
            header.put(&mut values, column, row, numbers)?;
            if length <= 0 {
                return Err(bad());
            }
            left -= length + head;
        }
    }
}

/// `1P,3E23.16` → 23.
fn field_width(format: &str) -> Option<usize> {
    let after = &format[format.find(['E', 'e', 'D', 'd'])? + 1..];
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|width| *width > 0)
}

/// `count` numbers in fields of `width` characters, over as many lines as it takes.
fn reals<'a>(
    count: i64,
    width: usize,
    column: i64,
    header: &Header,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<Vec<f64>, Op4Error> {
    let count = usize::try_from(count).map_err(|_| header.malformed(column, "a negative count"))?;
    if count > header.rows {
        return Err(header.malformed(column, format!("{count} numbers in a column of {}", header.rows)));
    }
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let line = lines.next().ok_or_else(|| Op4Error::Truncated(header.name.clone()))?;
        let before = numbers.len();
        for field in line.as_bytes().chunks(width).filter(|field| !field.trim_ascii().is_empty()) {
            let text = String::from_utf8_lossy(field.trim_ascii()).replace(['D', 'd'], "E");
            let number = text.parse::<f64>().ok().filter(|x| x.is_finite() && field.len() == width);
            let bad = || header.malformed(column, format!("`{text}` is not a number"));
            numbers.push(number.ok_or_else(bad)?);
        }
        if numbers.len() == before || numbers.len() > count {
            return Err(header.malformed(column, "the numbers do not fill the column as its header says"));
        }
    }
    Ok(numbers)
}
