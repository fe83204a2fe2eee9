//! OUTPUT4 files: what text and binary have in common.
//!
//! An OP4 file is a sequence of matrices, each a header (columns, rows, form, type, name) and its non-zero
//! columns, closed by a column numbered one past the last. A column is dense from a first row, or, when that
//! row is given as 0, a list of strings of consecutive rows. The layout is described in the MSC Nastran DMAP
//! Programmer's Guide (OUTPUT4) and repeated in the documentation of pyNastran and pyYeti.

use nalgebra::DMatrix;
use thiserror::Error;

use super::{op4_binary, op4_text};

/// One matrix of an OP4 file.
#[derive(Clone, Debug, PartialEq)]
pub struct Op4Matrix {
    /// Name in upper case.
    pub name: String,
    /// Nastran's form: 1 square, 2 rectangular, 6 symmetric, ….
    pub form: i32,
    /// Rows and columns.
    pub shape: (usize, usize),
    entries: Vec<Entries>,
}

impl Op4Matrix {
    /// The numbers. A damaged or sparse matrix may be far larger than its file: look at its shape first.
    pub fn values(&self) -> DMatrix<f64> {
        let mut values = DMatrix::zeros(self.shape.0, self.shape.1);
        for entries in &self.entries {
            let mut target = values.column_mut(entries.column);
            target.rows_mut(entries.first_row, entries.numbers.len()).copy_from_slice(&entries.numbers);
        }
        values
    }
}

/// Why an OP4 file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Op4Error {
    /// The file ends inside a matrix.
    #[error("the file ends in the middle of matrix `{0}`")]
    Truncated(String),
    /// Neither text nor binary OP4.
    #[error("this is not an OP4 file: {0}")]
    NotOp4(String),
    /// Complex matrices have no meaning for a link.
    #[error("matrix `{0}` is complex; a link needs real matrices")]
    Complex(String),
    /// A row or column outside the matrix, or a count that does not fit.
    #[error("matrix `{name}`, column {column}: {what}")]
    Malformed {
        /// Matrix.
        name: String,
        /// Column, from 1.
        column: i64,
        /// What is wrong.
        what: String,
    },
}

/// Header of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) form: i32,
    /// 1 single, 2 double; complex types are refused.
    pub(super) kind: i32,
    /// Strings carry their row in a word of its own (more than 65,535 rows).
    pub(super) big: bool,
    pub(super) name: String,
}

/// No supplier's reduced model comes near this; a header that asks for more is damaged.
const LARGEST: usize = 1 << 26;

impl Header {
    pub(super) fn new(numbers: [i64; 4], name: &str) -> Result<Self, Op4Error> {
        let [columns, rows, form, kind] = numbers;
        let name = name.trim().to_ascii_uppercase();
        let size = |n: i64| usize::try_from(n.unsigned_abs()).ok().filter(|n| *n <= LARGEST);
        let (Some(columns), Some(row_count)) = (size(columns), size(rows)) else {
            return Err(Op4Error::NotOp4(format!("a matrix of {rows} rows and {columns} columns")));
        };
        if columns.saturating_mul(row_count) > LARGEST {
            return Err(Op4Error::NotOp4(format!(
                "matrix `{name}` of {rows}×{columns} is too large for a reduced link"
            )));
        }
        match kind {
            1 | 2 => {}
            3 | 4 => return Err(Op4Error::Complex(name)),
            _ => return Err(Op4Error::NotOp4(format!("matrix type {kind}"))),
        }
        // Forms 1 and 6 are square and symmetric.
        if matches!(form, 1 | 6) && columns != row_count {
            return Err(Op4Error::NotOp4(format!(
                "matrix `{name}` of {rows}×{columns} is not square as its form {form} says"
            )));
        }
        Ok(Self {
            columns,
            rows: row_count,
            form: form as i32,
            kind: kind as i32,
            big: rows < 0 || row_count > 65_535,
            name,
        })
    }

    pub(super) fn malformed(&self, column: i64, what: impl Into<String>) -> Op4Error {
        Op4Error::Malformed { name: self.name.clone(), column, what: what.into() }
    }

    /// Notes consecutive rows of a column; both count from 1.
    pub(super) fn put(
        &self,
        strings: &mut Vec<Entries>,
        column: i64,
        first_row: i64,
        numbers: Vec<f64>,
    ) -> Result<(), Op4Error> {
        let end = first_row.saturating_add(numbers.len() as i64) - 1;
        if first_row < 1 || end > self.rows as i64 || column < 1 || column > self.columns as i64 {
            return Err(self.malformed(column, format!("rows {first_row} to {end} lie outside the matrix")));
        }
        strings.push(Entries { column: column as usize - 1, first_row: first_row as usize - 1, numbers });
        Ok(())
    }

    /// The matrix, when all of it was read.
    pub(super) fn matrix(self, entries: Vec<Entries>) -> Op4Matrix {
        Op4Matrix { name: self.name, form: self.form, shape: (self.rows, self.columns), entries }
    }
}

/// Consecutive numbers of a column; column and row count from 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entries {
    column: usize,
    first_row: usize,
    numbers: Vec<f64>,
}

/// Reads every matrix of an OP4 file, text or binary, either byte order, 32- or 64-bit words.
///
/// # Errors
/// [`Op4Error`] says what is wrong and in which matrix.
pub fn read_op4(bytes: &[u8]) -> Result<Vec<Op4Matrix>, Op4Error> {
    if let Some(layout) = op4_binary::layout(bytes) {
        return op4_binary::read(bytes, layout);
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| Op4Error::NotOp4("neither text nor binary".to_owned()))?;
    op4_text::read(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "       3       3       6       2KXX     1P,3E23.16\n",
        "       1       1       2\n",
        " 1.0000000000000000E+00-2.5000000000000000E-01\n",
        "       2       0       5\n",
        "  196610\n", // (1 + 2 words) · 65536 + row 2
        " 4.0000000000000000D+00\n",
        "  196611\n",
        " 5.0000000000000000E+00\n",
        "       4       1       1\n",
        " 1.0000000000000000E+00\n",
    );

    fn expected() -> DMatrix<f64> {
        DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, -0.25, 4.0, 0.0, 0.0, 5.0, 0.0])
    }

    /// The same matrix as Fortran unformatted records.
    fn binary(big_endian: bool) -> Vec<u8> {
        let word = |i: i32| if big_endian { i.to_be_bytes() } else { i.to_le_bytes() };
        let real = |x: f64| if big_endian { x.to_be_bytes() } else { x.to_le_bytes() };
        let mut file = Vec::new();
        let mut record = |content: Vec<u8>| {
            file.extend(word(content.len() as i32));
            file.extend(&content);
            file.extend(word(content.len() as i32));
        };
        let words = |words: &[i32]| words.iter().flat_map(|w| word(*w)).collect::<Vec<u8>>();
        record([words(&[3, 3, 6, 2]), b"KXX     ".to_vec()].concat());
        record([words(&[1, 1, 4]), real(1.0).to_vec(), real(-0.25).to_vec()].concat());
        let strings =
            [words(&[3 * 65536 + 2]), real(4.0).to_vec(), words(&[3 * 65536 + 3]), real(5.0).to_vec()];
        record([words(&[2, 0, 6]), strings.concat()].concat());
        record([words(&[4, 1, 2]), real(1.0).to_vec()].concat());
        file
    }

    #[test]
    fn text_and_both_byte_orders_give_the_same_matrix() {
        for bytes in [TEXT.as_bytes().to_vec(), binary(false), binary(true)] {
            let matrices = read_op4(&bytes).unwrap();
            assert_eq!(matrices.len(), 1);
            assert_eq!((matrices[0].name.as_str(), matrices[0].form), ("KXX", 6));
            assert_eq!(matrices[0].values(), expected());
        }
    }

    #[test]
    fn damaged_files_are_errors_at_every_length() {
        for complete in [TEXT.as_bytes().to_vec(), binary(false)] {
            for length in 1..complete.len() - 1 {
                // Cutting the last line of the closing column may leave a complete matrix; never a wrong one.
                if let Ok(matrices) = read_op4(&complete[..length]) {
                    assert!(matrices.iter().all(|m| m.values() == expected()), "cut at {length}");
                }
            }
        }
        assert!(matches!(read_op4(b"GRID,1\n"), Err(Op4Error::NotOp4(_))));
        // The most negative number of 64 bits has no absolute value (found by fuzzing).
        let mut wide = 48u32.to_le_bytes().to_vec();
        wide.extend([i64::MIN, i64::MIN, 6, 2, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
        wide.extend(48u32.to_le_bytes());
        assert!(matches!(read_op4(&wide), Err(Op4Error::NotOp4(_))));
        let complex = TEXT.replacen("       2KXX", "       4KXX", 1);
        assert_eq!(read_op4(complex.as_bytes()), Err(Op4Error::Complex("KXX".to_owned())));
    }
}
