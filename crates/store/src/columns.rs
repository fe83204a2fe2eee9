//! A file of columns: one dataset for each, all of the same length, with what they mean.

use std::io;
use std::path::{Path, PathBuf};

use hdf5::types::VarLenUnicode;
use hdf5::{File, Group};

use crate::dataset::{put_text, write_texts};
use crate::image::write_sealed;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnData {
    /// NaN where there is none.
    Numbers(Vec<f64>),
    /// Integers.
    Integers(Vec<i64>),
    /// Text.
    Words(Vec<String>),
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Group, such as `metrics`.
    pub group: String,
    /// Name; a slash becomes an underscore, and a number follows where two names become one.
    pub name: String,
    /// Units, empty when it has none or they are not known.
    pub units: String,
    /// What it is.
    pub description: String,
    /// Values.
    pub data: ColumnData,
}

/// A file of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnFile {
    /// Attributes of the file.
    pub attributes: Vec<(String, String)>,
    /// Columns.
    pub columns: Vec<Column>,
    /// Links into other HDF5 files: group, name and path relative to this file.
    pub links: Vec<(String, String, PathBuf)>,
}

impl ColumnFile {
    /// Writes it: complete or not at all.
    ///
    /// # Errors
    /// What the system or libhdf5 refuses, in the system's words where there are any.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_sealed(path, |file| self.fill(file))
    }

    fn fill(&self, file: &File) -> hdf5::Result<()> {
        for (name, text) in &self.attributes {
            put_text(file, name, text)?;
        }
        for column in &self.columns {
            let group = group(file, &column.group)?;
            let name = free_name(&group, &column.name.replace('/', "_"));
            let dataset = match &column.data {
                ColumnData::Numbers(values) => {
                    let dataset = group.new_dataset::<f64>().shape(values.len()).create(name.as_str())?;
                    dataset.write_raw(values)?;
                    dataset
                }
                ColumnData::Integers(values) => {
                    let dataset = group.new_dataset::<i64>().shape(values.len()).create(name.as_str())?;
                    dataset.write_raw(values)?;
                    dataset
                }
                ColumnData::Words(values) => {
                    let words: Vec<VarLenUnicode> = values
                        .iter()
                        .map(|word| word.replace('\0', " ").parse().unwrap_or_default())
                        .collect();
                    let dataset =
                        group.new_dataset::<VarLenUnicode>().shape(words.len()).create(name.as_str())?;
                    write_texts(&dataset, &words)?;
                    dataset
                }
            };
            put_text(&dataset, "units", &column.units)?;
            put_text(&dataset, "description", &column.description)?;
        }
        for (group_path, name, target) in &self.links {
            group(file, group_path)?.link_external(
                &target.to_string_lossy(),
                "/",
                &name.replace('/', "_"),
            )?;
        }
        Ok(())
    }
}

/// The name, or the first of `name_2`, `name_3`, … that is free: `a/b` and `a_b` are two columns.
fn free_name(group: &Group, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !group.link_exists(name)).unwrap_or_default()
}

fn group(file: &File, name: &str) -> hdf5::Result<Group> {
    if file.link_exists(name) { file.group(name) } else { file.create_group(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_can_be_read_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h5");
        let column = |name: &str, data| Column {
            group: "metrics".to_owned(),
            name: name.to_owned(),
            units: "m".to_owned(),
            description: "é".to_owned(),
            data,
        };
        let file = ColumnFile {
            attributes: vec![("title".to_owned(), "t".to_owned())],
            columns: vec![
                column("a/b", ColumnData::Numbers(vec![0.1, f64::NAN])),
                column("c", ColumnData::Words(vec!["x".to_owned(), String::new()])),
                column("d", ColumnData::Integers(vec![1, -2])),
                column("a_b", ColumnData::Numbers(vec![3.0, 4.0])),
            ],
            links: vec![("series".to_owned(), "0".to_owned(), PathBuf::from("r/0.h5"))],
        };
        file.write(&path).unwrap();
        file.write(&path).unwrap();
        let read = File::open(&path).unwrap();
        let values: Vec<f64> = read.dataset("metrics/a_b").unwrap().read_raw().unwrap();
        assert!(values[0] == 0.1 && values[1].is_nan());
        let other: Vec<f64> = read.dataset("metrics/a_b_2").unwrap().read_raw().unwrap();
        assert_eq!(other, [3.0, 4.0]);
        let words: Vec<VarLenUnicode> = read.dataset("metrics/c").unwrap().read_raw().unwrap();
        assert_eq!(words[0].as_str(), "x");
        assert_eq!(crate::dataset::text(&read.dataset("metrics/d").unwrap(), "units").unwrap(), "m");
        assert!(file.write(&folder.path().join("no/such/folder.h5")).is_err());
    }
}
