//! Tidy CSV: one observation in a row, so that any table program can filter and pivot it.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use pliant_store::NewFile;
use pliant_store::results::{ResultsError, ResultsFile, Series};

/// Writes all series whose path begins with one of `only`; all when there is none. Returns the number of
/// rows.
///
/// # Errors
/// Results that cannot be read, a file that cannot be written.
pub fn csv(
    file: &ResultsFile,
    path: &Path,
    only: &[String],
    io_error: impl Fn(io::Error) -> ResultsError,
) -> Result<usize, ResultsError> {
    let mut out = BufWriter::new(NewFile::create(path).map_err(&io_error)?);
    writeln!(out, "analysis,quantity,component,units,time,value").map_err(&io_error)?;
    let mut rows = 0;
    for (kind, prefix) in file.analyses() {
        let time = file.series(&format!("{prefix}/time"))?.values;
        for path in file.along_time(&prefix)? {
            let name = path[prefix.len()..].trim_start_matches('/');
            let wanted = |start: &String| below(name, start.trim_matches('/'));
            if !only.is_empty() && !only.iter().any(wanted) {
                continue;
            }
            rows += series(&mut out, &kind, name, &time, &file.series(&path)?).map_err(&io_error)?;
        }
    }
    if rows == 0 {
        let known =
            file.along_time("")?.iter().map(|path| path[1..].to_owned()).collect::<Vec<_>>().join(", ");
        let message = format!("no series begins with {}; the file has {known}", only.join(" or "));
        return Err(ResultsError::Unknown { path: file.path().to_owned(), message });
    }
    let complete = out.into_inner().map_err(io::IntoInnerError::into_error);
    complete.and_then(NewFile::finish).map_err(&io_error)?;
    Ok(rows)
}

/// Whether a path is at or below another.
pub(super) fn below(path: &str, start: &str) -> bool {
    path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn series(out: &mut impl Write, kind: &str, name: &str, time: &[f64], series: &Series) -> io::Result<usize> {
    let width = series.width();
    for (t, row) in time.iter().zip(series.values.chunks_exact(width)) {
        for (k, value) in row.iter().enumerate() {
            let component = series.labels.get(k).map_or("", String::as_str);
            // Rust writes the shortest digits that give the same number back.
            writeln!(
                out,
                "{},{},{},{},{t},{value}",
                quoted(kind),
                quoted(name),
                quoted(component),
                quoted(&series.units)
            )?;
        }
    }
    Ok(time.len() * width)
}

/// As RFC 4180 has it. One that begins as a formula does in table programs gets an apostrophe in front.
fn quoted(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = &if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
