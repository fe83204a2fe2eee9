//! A MAT-file for MATLAB, Octave and scipy: every series as a matrix whose rows are times, under a name that
//! is a variable of MATLAB.
//!
//! Level 5 of the format, uncompressed (The MathWorks, MAT-File Format, version 5): a header of 128 bytes,
//! then one element of type miMATRIX for each variable, holding its class, dimensions, name and numbers
//! column by column, each padded to 8 bytes.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use pliant_store::NewFile;
use pliant_store::results::{ResultsError, ResultsFile, Series};

/// Types of data elements.
const MI_INT8: u32 = 1;
const MI_UINT16: u32 = 4;
const MI_INT32: u32 = 5;
const MI_UINT32: u32 = 6;
const MI_DOUBLE: u32 = 9;
const MI_MATRIX: u32 = 14;
/// Classes of arrays.
const CHAR: u32 = 4;
const DOUBLE: u32 = 6;
/// Longest name of a variable.
const NAME: usize = 63;

/// Writes all series over time and the metrics of all analyses, and `contents`: name, units and meaning of
/// each. Returns the number of variables.
///
/// # Errors
/// Results that cannot be read, a file that cannot be written.
pub fn mat(
    file: &ResultsFile,
    path: &Path,
    io_error: impl Fn(io::Error) -> ResultsError,
) -> Result<usize, ResultsError> {
    let mut out = BufWriter::new(NewFile::create(path).map_err(&io_error)?);
    begin(&mut out).map_err(&io_error)?;
    let mut names = Names::default();
    let mut contents = Vec::new();
    for (_, prefix) in file.analyses() {
        let time = std::iter::once(file.series(&format!("{prefix}/time")));
        let along = file.along_time(&prefix)?;
        let series = along.iter().map(|path| file.series(path));
        for series in time.chain(series).chain(file.metrics(&prefix)?.into_iter().map(Ok)) {
            let series = series?;
            let name = names.of(&series.path);
            matrix(&mut out, &name, &series).map_err(&io_error)?;
            let labels = if series.labels.is_empty() {
                String::new()
            } else {
                format!(" [{}]", series.labels.join(", "))
            };
            contents.push(format!("{name} ({}): {}{labels}", series.units, series.description));
        }
    }
    lines(&mut out, &names.of("contents"), &contents).map_err(&io_error)?;
    let complete = out.into_inner().map_err(io::IntoInnerError::into_error);
    complete.and_then(NewFile::finish).map_err(&io_error)?;
    Ok(contents.len() + 1)
}

/// The header of a file.
pub(crate) fn begin(out: &mut impl Write) -> io::Result<()> {
    let mut text = format!("{:116}", "MATLAB 5.0 MAT-file, written by pliant").into_bytes();
    text.extend([0; 8]);
    text.extend([0x00, 0x01, b'I', b'M']);
    out.write_all(&text)
}

/// Names of variables that were given away.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// A name for a path: letters, digits and underscores, beginning with a letter, at most 63 of them,
    /// different from all others.
    fn of(&mut self, path: &str) -> String {
        let mut name: String = path
            .trim_start_matches('/')
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'x');
        }
        name.truncate(NAME);
        let mut number = 1;
        while !self.0.insert(name.clone()) {
            number += 1;
            let end = format!("_{number}");
            name.truncate(NAME - end.len());
            name.push_str(&end);
        }
        name
    }
}

/// A matrix of real numbers, a row for each time; a metric is one number.
fn matrix(out: &mut impl Write, name: &str, series: &Series) -> io::Result<()> {
    let width = series.width();
    let rows = series.values.len() / width.max(1);
    let by_columns = (0..width).flat_map(|k| (0..rows).map(move |row| series.values[row * width + k]));
    numbers(out, name, [rows, width], by_columns)
}

/// A matrix of real numbers, given column by column.
pub(crate) fn numbers(
    out: &mut impl Write,
    name: &str,
    [rows, columns]: [usize; 2],
    values: impl Iterator<Item = f64>,
) -> io::Result<()> {
    let head = head(DOUBLE, [rows, columns], name)?;
    let bytes = 8 * rows * columns;
    tag(out, MI_MATRIX, head.len() + 8 + bytes)?;
    out.write_all(&head)?;
    tag(out, MI_DOUBLE, bytes)?;
    values.into_iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))
}

/// A matrix of letters, a row for each line.
pub(crate) fn lines(out: &mut impl Write, name: &str, lines: &[String]) -> io::Result<()> {
    let letters: Vec<Vec<u16>> = lines.iter().map(|line| line.encode_utf16().collect()).collect();
    let width = letters.iter().map(Vec::len).max().unwrap_or(0);
    let head = head(CHAR, [letters.len(), width], name)?;
    let bytes = 2 * letters.len() * width;
    let padding = vec![0; bytes.next_multiple_of(8) - bytes];
    tag(out, MI_MATRIX, head.len() + 8 + bytes + padding.len())?;
    out.write_all(&head)?;
    tag(out, MI_UINT16, bytes)?;
    for k in 0..width {
        for line in &letters {
            out.write_all(&line.get(k).copied().unwrap_or(u16::from(b' ')).to_le_bytes())?;
        }
    }
    out.write_all(&padding)
}

/// Rows, columns and numbers (column by column) of a matrix in a file that this module wrote.
pub(crate) fn matrix_of(file: &[u8], wanted: &str) -> Option<(usize, usize, Vec<f64>)> {
    let word = |at: usize| {
        let bytes: [u8; 4] = file.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    };
    let mut at = 128;
    while let Some(size) = word(at + 4) {
        // Tag, flags (16), dimensions (16), then the name behind its tag.
        let (rows, columns, length) = (word(at + 32)?, word(at + 36)?, word(at + 44)?);
        let name = file.get(at + 48..at + 48 + length)?;
        let data = at + 48 + length.next_multiple_of(8);
        if name == wanted.as_bytes() && word(data)? == MI_DOUBLE as usize {
            let bytes = file.get(data + 8..data + 8 + word(data + 4)?)?;
            let value = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("invariant: chunks of 8"));
            return Some((rows, columns, bytes.chunks_exact(8).map(value).collect()));
        }
        at += 8 + size;
    }
    None
}

/// Class, dimensions and name of an array.
fn head(class: u32, dimensions: [usize; 2], name: &str) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    tag(&mut head, MI_UINT32, 8)?;
    head.extend(class.to_le_bytes());
    head.extend([0; 4]);
    tag(&mut head, MI_INT32, 8)?;
    for length in dimensions {
        head.extend(i32::try_from(length).map_err(too_long)?.to_le_bytes());
    }
    tag(&mut head, MI_INT8, name.len())?;
    head.extend(name.as_bytes());
    head.resize(head.len().next_multiple_of(8), 0);
    Ok(head)
}

fn tag(out: &mut impl Write, kind: u32, bytes: usize) -> io::Result<()> {
    let bytes = u32::try_from(bytes).map_err(too_long)?;
    out.write_all(&kind.to_le_bytes())?;
    out.write_all(&bytes.to_le_bytes())
}

fn too_long<E>(_: E) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "a variable of a MAT-file holds 4 GB at most; read the HDF5 file itself",
    )
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_variables_of_matlab() {
        let mut names = Names::default();
        assert_eq!(names.of("/joints/a-b/torque"), "joints_a_b_torque");
        assert_eq!(names.of("/joints/a b/torque"), "joints_a_b_torque_2");
        assert_eq!(names.of("/1"), "x1");
        let long = "/links/".to_owned() + &"q".repeat(80);
        assert_eq!((names.of(&long).len(), names.of(&long).len()), (63, 63));
    }
}
