//! Diagnostics for people: the line, and a mark under what is meant.
//!
//! ```text
//! error: CTETRA 1207, field 5 (G2): expected an integer, found `1207.`
//!    --> inputs/arm.bdf:311:33
//!     |
//! 311 | CTETRA  1207    3       1204    1207.   1210    1215
//!     |                                 ^^^^^
//!     = hint: GRID ids have no decimal point; write `1207`
//! ```

use std::io::{self, Write};

use pliant_diag::{Diagnostic, Diagnostics, Severity, SourceMap, Span};

use crate::fold::{Folded, folded};
use crate::number::count;
use crate::terminal::Style;

/// Most columns of a source line that are shown.
const WIDTH: usize = 100;

/// Locations that are listed of problems that are not shown in full.
const LISTED: usize = 4;

/// Prints diagnostics, each with an empty line behind it; quietly: without notes. Where there are many of a
/// kind, the first is shown with the number of the others and the locations of a few; `--json` has them all.
pub(crate) fn diagnostics(
    out: &mut impl Write,
    style: Style,
    sources: &SourceMap,
    diagnostics: &Diagnostics,
    quiet: bool,
) -> io::Result<()> {
    for Folded { shown, others } in
        folded(diagnostics.iter().filter(|d| !(quiet && d.severity == Severity::Note)))
    {
        diagnostic(out, style, sources, shown)?;
        if !others.is_empty() {
            let margin = shown.span.map_or(2, |span| sources.line_column(span).line.to_string().len());
            let locations = others.iter().take(LISTED).filter_map(|other| {
                let at = other.span.map(|span| location(sources, span));
                match (&other.card, at) {
                    (Some(card), Some(at)) => Some(format!("{card} at {at}")),
                    (card, at) => card.clone().or(at),
                }
            });
            let mut locations: Vec<String> = locations.collect();
            if others.len() > LISTED {
                locations.push("…".to_owned());
            }
            let list =
                if locations.is_empty() { String::new() } else { format!(": {}", locations.join(", ")) };
            let edge = format!("{:margin$} {}", "", style.blue("="));
            writeln!(out, "{edge} {} {} more of this kind{list}", style.bold("and"), count(others.len()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Prints one diagnostic.
pub(crate) fn diagnostic(
    out: &mut impl Write,
    style: Style,
    sources: &SourceMap,
    diagnostic: &Diagnostic,
) -> io::Result<()> {
    let severity = match diagnostic.severity {
        Severity::Error => style.red("error"),
        Severity::Warning => style.yellow("warning"),
        Severity::Note => style.green("note"),
    };
    writeln!(out, "{severity}{} {}", style.bold(":"), style.bold(&diagnostic.headline()))?;
    let mut margin = 2;
    if let Some(span) = diagnostic.span {
        margin = sources.line_column(span).line.to_string().len();
        snippet(out, style, sources, span, margin, diagnostic.severity)?;
    }
    let edge = format!("{:margin$} {}", "", style.blue("="));
    for hint in &diagnostic.hints {
        writeln!(out, "{edge} {} {hint}", style.bold("hint:"))?;
    }
    for (span, what) in &diagnostic.related {
        writeln!(out, "{edge} {} {what}: {}", style.bold("see"), location(sources, *span))?;
    }
    Ok(())
}

/// `deck.bdf:311:33`.
pub(crate) fn location(sources: &SourceMap, span: Span) -> String {
    let span = sources.shown(span);
    let at = sources.line_column(span);
    format!("{}:{}:{}", sources.file(span.file).path().display(), at.line, at.column)
}

fn snippet(
    out: &mut impl Write,
    style: Style,
    sources: &SourceMap,
    span: Span,
    margin: usize,
    severity: Severity,
) -> io::Result<()> {
    let at = sources.line_column(span);
    let bar = style.blue("|");
    writeln!(out, "{:margin$}{} {}", "", style.blue("-->"), location(sources, span))?;
    let shown = Shown::new(sources, span);
    let carets = "^".repeat(shown.length);
    let carets = match severity {
        Severity::Error => style.red(&carets),
        Severity::Warning => style.yellow(&carets),
        Severity::Note => style.green(&carets),
    };
    writeln!(out, "{:margin$} {bar}", "")?;
    writeln!(out, "{} {bar} {}", style.blue(&format!("{:>margin$}", at.line)), shown.text)?;
    writeln!(out, "{:margin$} {bar} {:indent$}{carets}", "", "", indent = shown.indent)
}

/// A source line as it is shown: tabs expanded, a long one cut around what is meant.
struct Shown {
    text: String,
    indent: usize,
    length: usize,
}

impl Shown {
    fn new(sources: &SourceMap, span: Span) -> Self {
        let span = sources.shown(span);
        let at = sources.line_column(span);
        let bytes = sources.file(span.file).bytes();
        let start = (span.start - (at.column - 1)) as usize;
        let line = bytes[start..].split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
        let first = (at.column as usize - 1).min(line.len());
        let end = (first + usize::from(span.length)).min(line.len());
        let mut columns = Columns::default();
        columns.push(&line[..first]);
        let indent = columns.chars.len();
        columns.push(&line[first..end]);
        let length = (columns.chars.len() - indent).max(1);
        columns.push(&line[end..]);
        Self::cut(columns.chars, indent, length)
    }

    fn cut(chars: Vec<char>, indent: usize, length: usize) -> Self {
        if chars.len() <= WIDTH {
            return Self { text: chars.into_iter().collect(), indent, length };
        }
        // Keep two thirds of the window before the mark, but do not begin later than needed.
        let from = indent.saturating_sub(WIDTH * 2 / 3).min(chars.len() - WIDTH);
        let to = from + WIDTH;
        let mut text = String::new();
        text.push_str(if from > 0 { "…" } else { "" });
        text.extend(&chars[from..to]);
        text.push_str(if to < chars.len() { "…" } else { "" });
        let indent = indent - from + usize::from(from > 0);
        Self { text, indent, length: length.min(WIDTH + 1 - indent.min(WIDTH)) }
    }
}

/// Characters on the screen, one column each.
#[derive(Default)]
struct Columns {
    chars: Vec<char>,
}

impl Columns {
    fn push(&mut self, bytes: &[u8]) {
        for c in String::from_utf8_lossy(bytes).chars() {
            match c {
                '\t' => {
                    let stop = (self.chars.len() / 8 + 1) * 8;
                    self.chars.resize(stop, ' ');
                }
                // Control characters would upset the terminal.
                c if c.is_control() => self.chars.push('·'),
                c => self.chars.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(line: &str, first: usize, end: usize) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("arm.bdf", format!("$\n{line}\n").into_bytes()).unwrap();
        let problem = Diagnostic::error("expected an integer, found `1207.`")
            .at(Span::new(file, 2 + first, 2 + end))
            .card("CTETRA 1207")
            .field(5, "G2")
            .hint("GRID ids have no decimal point; write `1207`");
        let mut out = Vec::new();
        diagnostic(&mut out, Style::PLAIN, &sources, &problem).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn as_the_house_style_shows_it() {
        let line = "CTETRA  1207    3       1204    1207.   1210    1215";
        assert_eq!(
            render(line, 32, 37),
            "error: CTETRA 1207, field 5 (G2): expected an integer, found `1207.`
 --> arm.bdf:2:33
  |
2 | CTETRA  1207    3       1204    1207.   1210    1215
  |                                 ^^^^^
  = hint: GRID ids have no decimal point; write `1207`
"
        );
    }

    #[test]
    fn tabs_and_long_lines_keep_the_mark_in_place() {
        let tabs = render("CTETRA\t1207\t3\t1204\t1207.", 19, 24);
        let lines: Vec<_> = tabs.lines().collect();
        assert_eq!(lines[3].find("1207."), lines[4].find("^^^^^"));
        let long = format!("SPC1,1{},1207.{}", ",1".repeat(300), ",1".repeat(300));
        let at = long.find("1207.").unwrap();
        let long = render(&long, at, at + 5);
        let lines: Vec<_> = long.lines().collect();
        let columns = |line: &str, what: &str| line.split(what).next().map(|before| before.chars().count());
        assert_eq!(columns(lines[3], "1207."), columns(lines[4], "^^^^^"));
        assert!(lines[3].chars().count() < WIDTH + 10);
    }
}
