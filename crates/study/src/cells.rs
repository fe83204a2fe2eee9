//! Values as cells of a CSV file: numbers and words as TOML writes them, so that nothing is lost on the way
//! back.

use pliant_diag::{Diagnostics, FileId};
use pliant_pipeline::{Document, Value, ValueKind};
use thiserror::Error;

/// What is wrong with a list of cases. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListError {
    /// No line at all.
    #[error("the file is empty")]
    Empty,
    /// A header and nothing below it.
    #[error("the file has names but no case below them")]
    NoCases,
    /// A quote without its end.
    #[error("line {line}: a cell has an opening quote without a closing one")]
    OpenQuote {
        /// Line.
        line: usize,
    },
    /// Another number of cells than names.
    #[error("line {line}: expected {expected} cells as in the first line, found {found}")]
    Width {
        /// Line.
        line: usize,
        /// Names in the first line.
        expected: usize,
        /// Cells of this line.
        found: usize,
    },
    /// An empty cell.
    #[error("line {line}: `{name}` is empty")]
    EmptyCell {
        /// Line.
        line: usize,
        /// Name of the column.
        name: String,
    },
    /// A cell that begins as a TOML value does and is none.
    #[error("line {line}, `{name}`: expected a value, found `{cell}`")]
    BadCell {
        /// Line.
        line: usize,
        /// Name of the column.
        name: String,
        /// What the cell holds.
        cell: String,
    },
}

/// A cell that begins as a TOML value does and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadCell;

/// The value of a cell: a number, true or false, a TOML string, list or table, or else the bare word. `None`
/// when empty.
pub(crate) fn value(cell: &str) -> Result<Option<Value>, BadCell> {
    let cell = cell.trim();
    let kind = if cell.is_empty() {
        return Ok(None);
    } else if let Ok(i) = cell.parse::<i64>() {
        ValueKind::Integer(i)
    } else if let Some(x) = cell.parse::<f64>().ok().filter(|x| x.is_finite()) {
        ValueKind::Float(x)
    } else if let Ok(b) = cell.parse::<bool>() {
        ValueKind::Boolean(b)
    } else if cell.starts_with(['"', '\'', '[', '{']) {
        let mut problems = Diagnostics::new();
        let document = Document::parse(&format!("v = {cell}"), FileId(0), &mut problems);
        match document.root.get(&["v"]) {
            Some(value) if problems.is_empty() => value.kind.clone(),
            _ => return Err(BadCell),
        }
    } else {
        ValueKind::String(cell.to_owned())
    };
    Ok(Some(Value { kind, span: None }))
}

/// The beginning of a text that may be of any length, for messages.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A cell as it stands in the file: quoted where a comma, quote or line end would mislead.
pub(crate) fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// A cell of words for people. One that begins as a formula does in table programs gets an apostrophe in
/// front.
pub(crate) fn shown(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { quoted(&format!("'{cell}")) } else { quoted(cell) }
}

/// The cells of all lines, with the number of each line from 1. Empty lines and those that begin with `#` are
/// left out, and so is the byte order mark that table programs put in front of UTF-8.
pub(crate) fn lines(text: &str) -> Result<Vec<(usize, Vec<String>)>, ListError> {
    let mut rows = Vec::new();
    let mut characters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut first) = (1, 1);
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            '\n' => {
                line += 1;
                if quoted {
                    cell.push(c);
                    continue;
                }
                row.push(std::mem::take(&mut cell));
                rows.push((first, std::mem::take(&mut row)));
                first = line;
            }
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    if quoted {
        return Err(ListError::OpenQuote { line: first });
    }
    row.push(cell);
    rows.push((first, row));
    rows.retain(|(_, cells)| {
        let empty = cells.iter().all(|cell| cell.trim().is_empty()) && cells.len() == 1;
        !empty && !cells[0].trim_start().starts_with('#')
    });
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_kind() -> impl Strategy<Value = ValueKind> {
        let plain = prop_oneof![
            any::<i64>().prop_map(ValueKind::Integer),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(ValueKind::Float),
            any::<bool>().prop_map(ValueKind::Boolean),
            "[ -~\n\t\"',é]{0,12}".prop_map(ValueKind::String),
        ];
        plain.prop_recursive(2, 8, 3, |inner| {
            let item = inner.prop_map(|kind| Value { kind, span: None });
            prop::collection::vec(item, 0..3).prop_map(ValueKind::Array)
        })
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_name_and_long_texts_are_cut() {
        assert_eq!(lines("\u{feff}a,b\n1,2\n").unwrap()[0].1, ["a", "b"]);
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened(&"é".repeat(1000)).chars().count(), 81);
    }

    fn bare(value: Value) -> ValueKind {
        match value.kind {
            ValueKind::Array(items) => {
                let bare = |item| Value { kind: bare(item), span: None };
                ValueKind::Array(items.into_iter().map(bare).collect())
            }
            kind => kind,
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(kinds in prop::collection::vec(any_kind(), 1..4)) {
            let line: Vec<_> = kinds.iter().map(|kind| quoted(&kind.to_string())).collect();
            let rows = lines(&format!("a\n{}\n", line.join(","))).unwrap();
            let read: Vec<_> = rows[1].1.iter().map(|cell| bare(value(cell).unwrap().unwrap())).collect();
            prop_assert_eq!(read, kinds);
        }
    }

    #[test]
    fn cells_of_people() {
        let kind = |cell: &str| value(cell).unwrap().map(|v| v.kind);
        assert_eq!(kind(" steel "), Some(ValueKind::String("steel".to_owned())));
        assert_eq!(kind("1.5"), Some(ValueKind::Float(1.5)));
        assert_eq!(kind(""), None);
        assert!(value("[1,").is_err());
        let rows = lines("# a\na, b\n\n1,\"x, y\"\r\n2,z").unwrap();
        assert_eq!(rows[1], (4, vec!["1".to_owned(), "x, y".to_owned()]));
        assert_eq!(rows[2].0, 5);
        assert!(lines("\"a").is_err());
        assert_eq!(shown("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(shown("singular, at t = 2"), "\"singular, at t = 2\"");
    }
}
