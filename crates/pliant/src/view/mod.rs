//! A pipeline file as a picture, before anything is computed: meshes and beams of the links where the joints
//! have them, with the problems of the file where they are. What cannot be read is left out, and said.

mod attempt;
mod key;
mod links;
mod machine;
mod marks;
mod parts;
mod poses;
mod profiles;

use std::path::{Path, PathBuf};

use pliant_diag::{Diagnostic, Severity, SourceMap, Warned};
use pliant_pipeline::{PipelineFile, Value, ValueKind};
use pliant_report::{About, Problem, View};

use crate::case::Case;
use attempt::Attempt;
use links::ViewedLink;

/// A page, and the files that it was made from.
#[derive(Debug)]
pub struct Viewed {
    /// What is shown.
    pub page: View,
    /// The pipeline file and every file that it names, read or not: when one of them changes, the picture
    /// does.
    pub files: Vec<PathBuf>,
    /// True when a run of the file would be refused.
    pub has_errors: bool,
}

/// Draws what a pipeline file describes.
pub fn view(path: &Path) -> Viewed {
    let read = pliant_pipeline::read(path);
    let (file, known) = match Case::new(read) {
        Ok(Warned { output, diagnostics }) => (output.into_file(), diagnostics),
        Err(failure) => (failure.file, failure.diagnostics),
    };
    let attempt = Attempt::of(&file, &known);
    let drawn = machine::machine(&file, &attempt);
    let mut found: Vec<Found<'_>> = Vec::new();
    let of_file = known.iter().chain(&attempt.problems).chain(&drawn.problems);
    found.extend(of_file.map(|problem| Found { problem, link: None, sources: &file.sources }));
    for link in &attempt.links {
        found.extend(link.deck.iter().map(|problem| Found {
            problem,
            link: Some(link),
            sources: &link.sources,
        }));
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.problem.severity));
    let mut machine = drawn.machine;
    let mut problems = Vec::new();
    for found in &found {
        let subject = found.subject(&file);
        let mark = marks::mark(found, &subject, problems.len() + 1, &file, &attempt, &machine);
        problems.push(found.shown(&subject, mark.is_some()));
        machine.marks.extend(mark);
    }
    let has_errors = found.iter().any(|found| found.problem.severity == Severity::Error);
    let mut files: Vec<PathBuf> = attempt.links.iter().flat_map(ViewedLink::files).collect();
    named_files(&file.document.root, &file, &mut files);
    files.push(path.to_owned());
    files.sort();
    files.dedup();
    let page = View {
        about: about(&file),
        machine: (!machine.parts.is_empty()).then_some(machine),
        problems,
        links: parts::links(&attempt),
        joints: parts::joints(&file, &attempt),
        others: parts::others(&attempt),
        live: false,
    };
    Viewed { page, files, has_errors }
}

/// A problem with the sources that it has its location in.
pub(crate) struct Found<'a> {
    problem: &'a Diagnostic,
    /// The link whose deck it is in.
    link: Option<&'a ViewedLink>,
    sources: &'a SourceMap,
}

impl Found<'_> {
    /// The keys of the file that it belongs to, such as `joints`, `elbow`.
    fn subject(&self, file: &PipelineFile) -> Vec<String> {
        match self.link {
            Some(link) => vec!["links".to_owned(), link.request.name.clone()],
            None => self.problem.span.and_then(|span| key::at(&file.document.root, span)).unwrap_or_default(),
        }
    }

    fn shown(&self, subject: &[String], is_marked: bool) -> Problem {
        let at = self.problem.span.map(|span| (self.sources.shown(span), self.sources.line_column(span)));
        let excerpt = at.map(|(span, at)| {
            let line = self.sources.file(span.file).line_text(at.line);
            // Columns count bytes.
            let chars = |bytes: usize| line.char_indices().take_while(|(index, _)| *index < bytes).count();
            let first = chars(at.column as usize - 1);
            let end = chars(at.column as usize - 1 + usize::from(span.length));
            (line.clone(), first, end.saturating_sub(first).max(1))
        });
        let location = at.map(|(span, at)| {
            format!("{}:{}:{}", self.sources.file(span.file).path().display(), at.line, at.column)
        });
        let name = |word: &str| subject.get(1).map_or(word.to_owned(), |name| format!("{word} {name}"));
        Problem {
            severity: match self.problem.severity {
                Severity::Error => pliant_report::Severity::Error,
                Severity::Warning => pliant_report::Severity::Warning,
                Severity::Note => pliant_report::Severity::Note,
            },
            message: self.problem.headline(),
            location: location.unwrap_or_default(),
            excerpt,
            hints: self.problem.hints.clone(),
            subject: match subject.first().map(String::as_str) {
                Some(section) if key::NAMED.contains(&section) => name(section.trim_end_matches('s')),
                Some(section) => section.to_owned(),
                None => String::new(),
            },
            is_marked,
        }
    }
}

fn about(file: &PipelineFile) -> About {
    let title = file.document.root.get(&["title"]).and_then(|value| match &value.kind {
        ValueKind::String(title) if !title.is_empty() => Some(title.clone()),
        _ => None,
    });
    let stem = || file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    About {
        title: title.or_else(stem).unwrap_or_else(|| "Machine".to_owned()),
        source: file.path.display().to_string(),
        program: format!("pliant {}", env!("CARGO_PKG_VERSION")),
        created: String::new(),
        remarks: vec!["as it is described: nothing has been computed".to_owned()],
    }
}

/// Files that a text of the document names: decks, tables, matrices.
fn named_files(value: &Value, file: &PipelineFile, found: &mut Vec<PathBuf>) {
    match &value.kind {
        ValueKind::String(text) => {
            let path = file.resolve(Path::new(text));
            found.extend(path.is_file().then_some(path));
        }
        ValueKind::Array(items) => items.iter().for_each(|item| named_files(item, file, found)),
        ValueKind::Table(entries) => entries.iter().for_each(|(_, value)| named_files(value, file, found)),
        _ => {}
    }
}
