//! Columns of numbers from CSV files.

use std::path::Path;

use pliant_diag::Diagnostic;
use thiserror::Error;

/// What is wrong with a table of numbers. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ColumnError {
    /// A line is too short.
    #[error("line {line}: there is no column {column}, the line has {found}")]
    Missing {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
        /// Columns that the line has.
        found: usize,
    },
    /// A cell is not a finite number.
    #[error("line {line}, column {column}: expected a number, found `{cell}`")]
    NotANumber {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
        /// What the cell holds.
        cell: String,
    },
}

/// The first column (times) and column `column`, counted from 1, of a file of at most
/// [`pliant_diag::LARGEST_TABLE`] bytes.
///
/// # Errors
/// A diagnostic with file and line of the table, without a location in the pipeline file.
pub(crate) fn columns(path: &Path, column: usize) -> Result<(Vec<f64>, Vec<f64>), Box<Diagnostic>> {
    let shown = path.display();
    let text = pliant_diag::read_text(path, pliant_diag::LARGEST_TABLE)
        .map_err(|error| Diagnostic::boxed(format!("cannot read {shown}: {error}")))?;
    columns_of(&text, column).map_err(|error| Diagnostic::boxed(format!("{shown}, {error}")))
}

/// The first column (times) and column `column`, counted from 1, of the text of a table. Commas, semicolons
/// or white space separate; a first line that is no numbers is a header; `#` begins a comment.
///
/// # Errors
/// A line that lacks a column or a cell that is not a number.
pub fn columns_of(text: &str, column: usize) -> Result<(Vec<f64>, Vec<f64>), ColumnError> {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut header_allowed = true;
    // Table programs put a byte order mark in front of UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let fields: Vec<&str> = if line.contains([',', ';']) {
            line.split([',', ';']).map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let header = std::mem::replace(&mut header_allowed, false) && fields[0].parse::<f64>().is_err();
        if header {
            continue;
        }
        let number = number + 1;
        let read = |k: usize| match fields.get(k - 1) {
            None => Err(ColumnError::Missing { line: number, column: k, found: fields.len() }),
            Some(field) => match field.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => Err(ColumnError::NotANumber { line: number, column: k, cell: (*field).to_owned() }),
            },
        };
        times.push(read(1)?);
        values.push(read(column)?);
    }
    Ok((times, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_comments_and_mistakes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "t, a, b\n# comment\n0, 1, 2\n1; 3 ;4 # more\n").unwrap();
        assert_eq!(columns(&path, 3).unwrap(), (vec![0.0, 1.0], vec![2.0, 4.0]));
        assert!(
            columns(&path, 4).unwrap_err().message.ends_with("line 3: there is no column 4, the line has 3")
        );
        // With a byte order mark the first row would pass as a header.
        assert_eq!(columns_of("\u{feff}0,1\n1,2\n", 2).unwrap(), (vec![0.0, 1.0], vec![1.0, 2.0]));
        std::fs::write(&path, "0 1\n1 x\n").unwrap();
        assert!(
            columns(&path, 2)
                .unwrap_err()
                .message
                .ends_with("line 2, column 2: expected a number, found `x`")
        );
        assert!(columns(&folder.path().join("b.csv"), 2).unwrap_err().message.starts_with("cannot read"));
    }
}
