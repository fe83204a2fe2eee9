//! What is done: the segments, read.

use std::fs;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::error::StudyError;
use crate::manifest::Study;
use crate::segment::{Row, Status, read};

/// The truth about a study.
#[derive(Debug)]
pub struct Scan {
    /// The row of each case, when there is one.
    pub rows: Vec<Option<Row>>,
    /// Segments that count.
    pub segments: usize,
    /// Segments that do not, and why.
    pub damaged: Vec<(PathBuf, String)>,
    /// Rows of cases that had one already and say the same.
    pub duplicates: usize,
    /// Rows that say something else than another row of the same case.
    pub differing: Vec<(usize, PathBuf)>,
    /// Rows whose case was made of something else.
    pub foreign: usize,
}

impl Scan {
    /// Reads all segments of a study.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn of(study: &Study) -> Result<Self, StudyError> {
        let folder = study.folder.join("segments");
        let entries = fs::read_dir(&folder).map_err(|error| StudyError::io("read", &folder, &error))?;
        let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut paths = paths.map_err(|error| StudyError::io("read", &folder, &error))?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
        // The names decide which of two rows is kept, whatever order the system lists them in.
        paths.sort();
        let columns = study.columns();
        // A segment that is damaged does not count; one that cannot be read now is an error, for its rows are
        // there.
        let one = |path: PathBuf| {
            let bytes = pliant_diag::read_input(&path, pliant_diag::LARGEST_INPUT)
                .map_err(|error| StudyError::io("read", &path, &error))?;
            Ok((read(&bytes, &study.manifest.hash, &columns), path))
        };
        let read: Vec<_> = paths.into_par_iter().map(one).collect::<Result<_, StudyError>>()?;
        let mut scan = Self {
            rows: (0..study.cases.len()).map(|_| None).collect(),
            segments: 0,
            damaged: Vec::new(),
            duplicates: 0,
            differing: Vec::new(),
            foreign: 0,
        };
        for (rows, path) in read {
            match rows {
                Ok(rows) => {
                    scan.segments += 1;
                    rows.into_iter().for_each(|row| scan.take(row, study, &path));
                }
                Err(error) => scan.damaged.push((path, error.to_string())),
            }
        }
        Ok(scan)
    }

    fn take(&mut self, row: Row, study: &Study, path: &std::path::Path) {
        if row.case >= self.rows.len() || study.case_hash(row.case) != row.input {
            self.foreign += 1;
            return;
        }
        let kept = &mut self.rows[row.case];
        match kept {
            None => *kept = Some(row),
            Some(first) if first.agrees(&row) => self.duplicates += 1,
            Some(first) => {
                // A case that was tried again after a failure is no contradiction.
                if first.status == row.status {
                    self.differing.push((row.case, path.to_owned()));
                } else {
                    self.duplicates += 1;
                }
                if first.status == Status::Failed && row.status == Status::Done {
                    *kept = Some(row);
                }
            }
        }
    }

    /// Cases without a row.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|case| self.rows[*case].is_none()).collect()
    }

    /// Cases that failed.
    pub fn failed(&self) -> Vec<usize> {
        let failed = |row: &Option<Row>| row.as_ref().is_some_and(|row| row.status == Status::Failed);
        (0..self.rows.len()).filter(|case| failed(&self.rows[*case])).collect()
    }

    /// Number of cases with a row.
    pub fn done(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// Seconds of all cases together.
    pub fn seconds(&self) -> f64 {
        self.rows.iter().flatten().map(|row| row.seconds).sum()
    }
}
