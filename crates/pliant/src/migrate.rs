//! A pipeline file in the present format: its text with as little changed as possible.

use std::path::Path;

use pliant_diag::{Span, Warned};
use pliant_pipeline::{Document, PIPELINE_FORMAT, PipelineFile, ValueKind, from_text};

use crate::metrics::renamed;

/// A file and what the present format changes in it.
#[derive(Debug)]
pub struct Migration {
    /// The file as it was read.
    pub file: PipelineFile,
    /// The text in the present format; none when the file could not be read.
    pub text: Option<String>,
    /// What was changed, in words.
    pub changes: Vec<String>,
}

/// Brings the text of a pipeline file to the present format. Comments and layout stay. A file with errors has
/// them reported, and no text.
pub fn migrate(path: &Path, text: &str) -> Warned<Migration> {
    let Warned { output: file, diagnostics } = from_text(path, text.to_owned());
    if file.table.is_none() || diagnostics.has_errors() {
        return Warned { output: Migration { file, text: None, changes: Vec::new() }, diagnostics };
    }
    let mut edits = former_names(&file.document, text);
    if file.document.root.get(&["format"]).is_none() {
        edits.push(format_line(text));
    }
    edits.sort_by_key(|edit| edit.start);
    let mut migrated = String::with_capacity(text.len() + 16);
    let mut copied = 0;
    for edit in &edits {
        migrated.push_str(&text[copied..edit.start]);
        migrated.push_str(&edit.put);
        copied = edit.end;
    }
    migrated.push_str(&text[copied..]);
    let changes = edits.into_iter().map(|edit| edit.change).collect();
    Warned { output: Migration { file, text: Some(migrated), changes }, diagnostics }
}

/// Bytes of the text to be replaced.
struct Edit {
    start: usize,
    end: usize,
    put: String,
    change: String,
}

/// `format = 1` below the comment that a file begins with.
fn format_line(text: &str) -> Edit {
    let mut start = 0;
    let mut in_comment = true;
    for line in text.split_inclusive('\n') {
        let line_is_comment = line.starts_with('#');
        if line.trim().is_empty() {
            in_comment = false;
        } else if !(line_is_comment && in_comment) {
            break;
        }
        start += line.len();
    }
    // A comment in the last line may have no line end.
    let before = if start > 0 && !text[..start].ends_with('\n') { "\n" } else { "" };
    let next = &text[start..];
    // In line with the key that follows.
    let is_key = next.starts_with(|c: char| c.is_ascii_alphanumeric());
    let column = next.lines().next().and_then(|line| line.find('=')).filter(|_| is_key);
    let blanks = " ".repeat(column.map_or(1, |column| column.saturating_sub("format".len()).max(1)));
    let after = if is_key || next.is_empty() { "" } else { "\n" };
    let put = format!("{before}format{blanks}= {PIPELINE_FORMAT}\n{after}");
    Edit { start, end: start, put, change: format!("`format = {PIPELINE_FORMAT}` added") }
}

/// Former names of metrics in the expressions of a study. A name that the study gives to something else
/// stays.
fn former_names(document: &Document, text: &str) -> Vec<Edit> {
    let table = |keys: &[&str]| match document.root.get(keys).map(|value| &value.kind) {
        Some(ValueKind::Table(entries)) => entries.as_slice(),
        _ => &[],
    };
    let metrics = table(&["study", "metrics"]);
    let mut own: Vec<_> = table(&["study", "parameters"]).iter().map(|(key, _)| key.name.as_str()).collect();
    let mut edits = Vec::new();
    for (key, value) in metrics.iter().chain(table(&["study", "constraints"])) {
        let (ValueKind::String(_), Some(span)) = (&value.kind, value.span) else { continue };
        for (start, end) in words(text, span) {
            let former = &text[start..end];
            let Some(present) = renamed(former).filter(|_| !own.contains(&former)) else { continue };
            let change = format!("`{former}` renamed to `{present}`");
            edits.push(Edit { start, end, put: present.to_owned(), change });
        }
        // An expression knows the metrics before it, and not itself.
        own.push(&key.name);
    }
    edits
}

/// Where the names in an expression begin and end.
fn words(text: &str, span: Span) -> Vec<(usize, usize)> {
    let begin = span.start as usize;
    let end = begin + usize::from(span.length);
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text[begin..end].char_indices().map(|(at, c)| (begin + at, c)).chain([(end, ' ')]) {
        match (start, in_name(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrated(text: &str) -> (Option<String>, Vec<String>) {
        let migration = migrate(Path::new("a.toml"), text).output;
        (migration.text, migration.changes)
    }

    #[test]
    fn the_format_stands_below_the_first_comment_and_in_line() {
        let text = "# An arm\n#\n# of one link\ntitle   = \"a\" # name\n";
        let (found, changes) = migrated(text);
        assert_eq!(
            found.as_deref(),
            Some("# An arm\n#\n# of one link\nformat  = 1\ntitle   = \"a\" # name\n")
        );
        assert_eq!(changes, ["`format = 1` added"]);
        let text = "# An arm\n\n# the tip\n[output]\nframes = 3\n";
        let expected = "# An arm\n\nformat = 1\n\n# the tip\n[output]\nframes = 3\n";
        assert_eq!(migrated(text).0.as_deref(), Some(expected));
        assert_eq!(migrated("").0.as_deref(), Some("format = 1\n"));
        assert_eq!(migrated("# a").0.as_deref(), Some("# a\nformat = 1\n"));
        // Once is enough.
        assert_eq!(migrated(expected), (Some(expected.to_owned()), Vec::new()));
    }

    #[test]
    fn former_names_are_replaced_where_they_mean_a_metric() {
        let text = "format = 1\n[study]\ngrid = { \"payload.mass\" = [1] }\n\
                    metrics = { settling = 'settling', late = 'settling > 1', worst = '1e3*residual_error' }\n\
                    constraints = { soon = 'settling < 2 && peak_error < 1 && tip.peak_error < 1' }\n";
        let (found, changes) = migrated(text);
        let found = found.unwrap();
        // `settling` is the study's own behind its definition.
        assert!(found.contains("settling = 'tip_settling_time'"), "{found}");
        assert!(found.contains("late = 'settling > 1'") && found.contains("soon = 'settling < 2"), "{found}");
        assert!(found.contains("1e3*tip_residual_error'"), "{found}");
        assert!(found.contains("&& tip_peak_error < 1 && tip.peak_error < 1'"), "{found}");
        assert_eq!(changes.len(), 3, "{changes:?}");
    }

    #[test]
    fn a_file_with_errors_has_no_text() {
        let read = migrate(Path::new("a.toml"), "titel = 1\n");
        assert!(read.output.text.is_none() && read.diagnostics.has_errors());
    }
}
