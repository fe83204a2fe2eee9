//! Segments: closed files with the rows of finished cases.
//!
//! A segment is text. Its first line is a header (format, study, columns), then comes a line for each case,
//! and the last line has the number of rows and the SHA-256 of all lines before it. It is written as `.part`,
//! synced and renamed, and never touched again; what has no right last line does not count.

use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use pliant_store::write_file;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::hash;
use crate::manifest::STUDY_FORMAT;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Well.
    Done,
    /// With a reason.
    Failed,
}

/// What a case came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the case, from 0.
    pub case: usize,
    /// Hash of what it was made of.
    pub input: String,
    /// How it ended.
    pub status: Status,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// Metrics, then constraints as 1 and 0; none where the case has none.
    pub values: Vec<Option<f64>>,
}

impl Row {
    /// True when both say the same, to the last bit, whatever the time they took.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let bits = |row: &Self| row.values.iter().map(|v| v.map(f64::to_bits)).collect::<Vec<_>>();
        self.status == other.status && bits(self) == bits(other)
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    pliant_segment: u32,
    study: String,
    columns: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Footer {
    rows: usize,
    sha256: String,
}

/// Why a segment does not count.
#[derive(Debug, Error)]
pub enum SegmentError {
    /// The last line is missing or incomplete.
    #[error("it is truncated")]
    CutOff,
    /// Bytes were changed.
    #[error("its lines do not match its hash")]
    Hash,
    /// The first line is not a header.
    #[error("it has no header")]
    NoHeader,
    /// Another format, study or other columns.
    #[error("it belongs to another study")]
    OtherStudy,
    /// Bytes that are not text.
    #[error("it is not UTF-8 text: {0}")]
    Text(#[from] std::str::Utf8Error),
    /// A line that is not a row.
    #[error("a line is not a row: {0}")]
    Row(serde_json::Error),
    /// Another number of rows than its last line has.
    #[error("expected {expected} rows, found {found}")]
    Count {
        /// Rows by the last line.
        expected: usize,
        /// Rows found.
        found: usize,
    },
}

/// Who writes: job, task and restart of a scheduler, machine and process. Part of the names of segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(String);

impl Identity {
    /// From the variables that Slurm sets, or `local`.
    pub fn of_process() -> Self {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let job = var("SLURM_ARRAY_JOB_ID").or_else(|| var("SLURM_JOB_ID")).unwrap_or("local".to_owned());
        let task = var("SLURM_ARRAY_TASK_ID").unwrap_or("0".to_owned());
        let restart = var("SLURM_RESTART_COUNT").unwrap_or("0".to_owned());
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host: String =
            host.trim().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        // A process number comes again; the standard library's hash seed is random in each process.
        let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
        Self(format!("{job}-{task}-{restart}-{host}-{}-{random:016x}", std::process::id()))
    }
}

/// Writes the segments of one process.
pub(crate) struct Writer {
    folder: PathBuf,
    identity: Identity,
    study: String,
    columns: Vec<String>,
    count: usize,
}

impl Writer {
    pub(crate) fn new(folder: &Path, identity: Identity, study: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        Self { folder: folder.to_owned(), identity, study: study.to_owned(), columns, count: 0 }
    }

    /// Closes a segment with these rows.
    pub(crate) fn commit(&mut self, rows: &[Row]) -> Result<(), (PathBuf, io::Error)> {
        let path = self.folder.join(format!("{}-{:05}.jsonl", self.identity.0, self.count));
        let header =
            Header { pliant_segment: STUDY_FORMAT, study: self.study.clone(), columns: self.columns.clone() };
        let line = |text: serde_json::Result<String>| text.expect("invariant: rows are plain data") + "\n";
        let mut text = line(serde_json::to_string(&header));
        for row in rows {
            text.push_str(&line(serde_json::to_string(row)));
        }
        let footer = Footer { rows: rows.len(), sha256: hash(text.as_bytes()) };
        text.push_str(&line(serde_json::to_string(&footer)));
        write_file(&path, text.as_bytes()).map_err(|error| (path, error))?;
        self.count += 1;
        Ok(())
    }
}

/// The rows of a segment.
///
/// # Errors
/// Why it does not count.
pub fn read(bytes: &[u8], study: &str, columns: &[&str]) -> Result<Vec<Row>, SegmentError> {
    let text = std::str::from_utf8(bytes)?;
    let end = text.trim_end_matches('\n');
    let (body, last) = end.rsplit_once('\n').ok_or(SegmentError::CutOff)?;
    let body = &text[..body.len() + 1];
    let footer: Footer = serde_json::from_str(last).map_err(|_| SegmentError::CutOff)?;
    if hash(body.as_bytes()) != footer.sha256 {
        return Err(SegmentError::Hash);
    }
    let mut lines = body.lines();
    let header: Header =
        lines.next().and_then(|line| serde_json::from_str(line).ok()).ok_or(SegmentError::NoHeader)?;
    if header.pliant_segment != STUDY_FORMAT || header.study != study || header.columns != columns {
        return Err(SegmentError::OtherStudy);
    }
    let rows: Vec<Row> =
        lines.map(serde_json::from_str).collect::<Result<_, _>>().map_err(SegmentError::Row)?;
    let (expected, found) = (footer.rows, rows.len());
    if found == expected { Ok(rows) } else { Err(SegmentError::Count { expected, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: usize, value: f64) -> Row {
        let values = vec![Some(value), None];
        Row { case, input: "0".repeat(16), status: Status::Done, reason: None, seconds: 0.1, values }
    }

    #[test]
    fn rows_come_back_to_the_last_bit_and_a_cut_or_changed_file_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(folder.path(), Identity::of_process(), "study", &["a", "b"]);
        let rows = vec![row(3, 0.1 + 0.2), row(4, -f64::MIN_POSITIVE), row(5, 1e300 / 3.0)];
        writer.commit(&rows).unwrap();
        writer.commit(&rows[..1]).unwrap();
        let mut paths: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        assert_eq!(paths.len(), 2, "and no .part");
        let complete = fs::read(&paths[0]).unwrap();
        let read_back = read(&complete, "study", &["a", "b"]).unwrap();
        assert!(read_back.iter().zip(&rows).all(|(a, b)| a.agrees(b) && a.case == b.case));
        assert!(read(&complete, "other", &["a", "b"]).is_err());
        assert!(read(&complete, "study", &["a"]).is_err());
        for length in (0..complete.len() - 1).step_by(7) {
            assert!(read(&complete[..length], "study", &["a", "b"]).is_err(), "cut at {length}");
        }
        let mut changed = complete.clone();
        let at = changed.iter().position(|b| *b == b'3').unwrap();
        changed[at] = b'4';
        assert!(read(&changed, "study", &["a", "b"]).is_err());
    }
}
