//! `list`: a case in each line of a CSV file.

use super::{Block, Reader};
use crate::cells::{self, BadCell, ListError};

impl Reader<'_> {
    pub(super) fn list(&mut self) -> Result<Option<Block>, ()> {
        let Some(list) = &self.table.list else { return Ok(None) };
        let path = self.file.resolve(&list.value);
        let read = pliant_diag::read_text(&path, pliant_diag::LARGEST_TABLE)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))
            .and_then(|text| list_of(&text).map_err(|error| format!("{}: {error}", path.display())));
        match read {
            Ok((names, rows)) => {
                let parameters = names.into_iter().map(|name| (name, list.span())).collect();
                Ok(Some(Block { parameters, rows }))
            }
            Err(message) => {
                self.error(list.span(), message);
                Err(())
            }
        }
    }
}

/// The values of each case.
pub type Rows = Vec<Vec<pliant_pipeline::Value>>;

/// Names and values of a list of cases in the text of a CSV file.
///
/// # Errors
/// What is wrong, with the line.
pub fn list_of(text: &str) -> Result<(Vec<String>, Rows), ListError> {
    let mut lines = cells::lines(text)?.into_iter();
    let Some((_, header)) = lines.next() else { return Err(ListError::Empty) };
    let names: Vec<_> = header.iter().map(|name| name.trim().to_owned()).collect();
    let mut rows = Vec::new();
    for (line, row) in lines {
        if row.len() != names.len() {
            return Err(ListError::Width { line, expected: names.len(), found: row.len() });
        }
        let read = |(cell, name): (&String, &String)| match cells::value(cell) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(ListError::EmptyCell { line, name: name.clone() }),
            Err(BadCell) => {
                Err(ListError::BadCell { line, name: name.clone(), cell: cells::shortened(cell) })
            }
        };
        rows.push(row.iter().zip(&names).map(read).collect::<Result<_, _>>()?);
    }
    if rows.is_empty() {
        return Err(ListError::NoCases);
    }
    Ok((names, rows))
}
