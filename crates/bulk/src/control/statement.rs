//! Control statements: lines joined and split into name, describers and value.

use nom::bytes::complete::{is_not, take_while, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use pliant_diag::{SourceMap, Span};

use crate::scan::{SourceLine, span_of};

/// `NAME(describers) = value`, all in upper case but for the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) name: String,
    pub(super) describers: String,
    pub(super) value: String,
    pub(super) span: Span,
}

impl Statement {
    /// True when the name is `full` or an abbreviation of it with four letters or more.
    pub(super) fn is(&self, full: &str) -> bool {
        self.name == full || (self.name.len() >= 4 && full.starts_with(&self.name))
    }
}

/// The statements of some lines; a line that ends with a comma goes on in the next.
pub(super) fn statements(sources: &SourceMap, lines: &[SourceLine]) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut joined: Option<(String, Span)> = None;
    for (file, line) in lines {
        let bytes = line.text(sources.file(*file).bytes());
        let text = String::from_utf8_lossy(bytes);
        let (mut joined_text, span) = joined.take().unwrap_or((String::new(), span_of(*file, *line)));
        // Titles are free text: they may hold a `$` or end with a comma.
        let is_title = joined_text.is_empty() && is_title(&text);
        let text = if is_title { text.trim() } else { text.split('$').next().unwrap_or_default().trim() };
        joined_text.push_str(text);
        if text.ends_with(',') && !is_title {
            joined = Some((joined_text, span));
        } else {
            statements.extend(parse(&joined_text, span));
        }
    }
    if let Some((joined_text, span)) = joined {
        statements.extend(parse(&joined_text, span));
    }
    statements
}

fn is_title(text: &str) -> bool {
    let name: String = text.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let name = name.to_ascii_uppercase();
    name.len() >= 4 && ["TITLE", "SUBTITLE", "LABEL"].iter().any(|full| full.starts_with(&name))
}

fn parse(text: &str, span: Span) -> Option<Statement> {
    let (value, (name, describers)) = head(text).ok()?;
    Some(Statement {
        name: name.to_ascii_uppercase(),
        describers: describers.unwrap_or_default().to_ascii_uppercase(),
        value: value.trim().to_owned(),
        span,
    })
}

/// Name, describers in brackets, and what separates them from the value.
fn head(text: &str) -> IResult<&str, (&str, Option<&str>)> {
    let (text, name) =
        preceded(multispace0, take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_')).parse(text)?;
    let (text, describers) = opt(delimited((multispace0, char('(')), is_not(")"), char(')'))).parse(text)?;
    let (text, _) = take_while(|c: char| matches!(c, ' ' | '\t' | '=' | ','))(text)?;
    Ok((text, (name, describers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let of = |text| {
            let s = parse(text, Span::default()).unwrap();
            (s.name, s.describers, s.value)
        };
        let expect = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(of("SPC = 1"), expect("SPC", "", "1"));
        assert_eq!(of("  subcase 12"), expect("SUBCASE", "", "12"));
        assert_eq!(of("TEMP(LOAD)=5"), expect("TEMP", "LOAD", "5"));
        assert_eq!(of("DISPLACEMENT(PLOT,REAL) = ALL"), expect("DISPLACEMENT", "PLOT,REAL", "ALL"));
        assert_eq!(of("SOL,103"), expect("SOL", "", "103"));
        assert_eq!(of("TITLE= a = b"), expect("TITLE", "", "a = b"));
        assert_eq!(parse("=", Span::default()), None);
    }
}
