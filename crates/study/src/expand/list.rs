//! `list`: a case in each line of a CSV file.

use super::{Block, Reader};
use crate::cells;

impl Reader<'_> {
    pub(super) fn list(&mut self) -> Result<Option<Block>, ()> {
        let Some(list) = &self.table.list else { return Ok(None) };
        let path = self.file.resolve(&list.value);
        let read = pliant_diag::read_text(&path, pliant_diag::LARGEST_TABLE)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))
            .and_then(|text| list_of(&text).map_err(|message| format!("{}: {message}", path.display())));
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
pub fn list_of(text: &str) -> Result<(Vec<String>, Rows), String> {
    let mut lines = cells::lines(text)?.into_iter();
    let Some((_, header)) = lines.next() else { return Err("it is empty".to_owned()) };
    let names: Vec<_> = header.iter().map(|name| name.trim().to_owned()).collect();
    let mut rows = Vec::new();
    for (line, row) in lines {
        if row.len() != names.len() {
            return Err(format!("line {line}: {} cells under {} names", row.len(), names.len()));
        }
        let read = |(cell, name): (&String, &String)| match cells::value(cell) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(format!("line {line}: `{name}` is empty")),
            Err(message) => Err(format!("line {line}, `{name}`: {message}")),
        };
        rows.push(row.iter().zip(&names).map(read).collect::<Result<_, _>>()?);
    }
    if rows.is_empty() {
        return Err("there is no line below the first".to_owned());
    }
    Ok((names, rows))
}
