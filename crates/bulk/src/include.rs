//! INCLUDE: the statement, and where its file is.
//!
//! A relative path counts from the folder of the file that holds the INCLUDE, and if nothing is there, from
//! the folder of the deck. Backslashes are slashes. A quoted path may run over several lines; one without
//! quotes goes on when its line ends with a slash.

use std::io;
use std::path::{Component, Path, PathBuf};

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag_no_case, take_while};
use nom::character::complete::{char, one_of};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use pliant_diag::{Diagnostic, FileId};

use crate::begin::begins_with_word;
use crate::line::{self, Line};
use crate::scan::{Scanner, Section, span_of};

/// A path of more lines than this is a forgotten quote.
const MOST_LINES: usize = 12;
/// INCLUDEs within INCLUDEs.
const MOST_DEPTH: usize = 64;
/// All INCLUDEs of a deck together; a folder that links to itself has no end otherwise.
const MOST_INCLUDES: u32 = 10_000;
/// How often one file may be INCLUDEd: files that INCLUDE each other twice would otherwise grow without
/// bound.
const MOST_USES: u32 = 64;

/// An INCLUDE statement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The path as written, with slashes, on one line.
    pub(crate) path: String,
    /// Offset behind the statement's last line.
    pub(crate) end: usize,
}

/// True for a line that begins with INCLUDE.
pub(crate) fn is_include(text: &[u8]) -> bool {
    begins_with_word(text, b"INCLUDE")
}

/// Reads the statement that begins at `line`. `Err` says what is wrong with it.
pub(crate) fn parse(bytes: &[u8], line: Line) -> Result<Statement, Box<Diagnostic>> {
    let mut end = line.start as usize;
    let mut text = Vec::new();
    for _ in 0..MOST_LINES {
        let Some((line, next)) = line::next_line(bytes, end) else { break };
        end = next;
        text.extend_from_slice(line.text(bytes).trim_ascii());
        match statement(&text) {
            Ok((_, path)) => {
                let path = String::from_utf8_lossy(path).trim().replace('\\', "/");
                if path.ends_with('/') {
                    continue;
                }
                return if path.is_empty() {
                    Err(Diagnostic::boxed("expected a file name"))
                } else {
                    Ok(Statement { path, end })
                };
            }
            Err(_) if has_open_quote(&text) => {}
            Err(_) => return Err(Diagnostic::boxed("expected a file name")),
        }
    }
    Err(Diagnostic::boxed(match has_open_quote(&text) {
        true => "the quote is not closed",
        false => "the path ends with a slash",
    }))
}

fn statement(text: &[u8]) -> IResult<&[u8], &[u8]> {
    let separators = take_while(|b: u8| matches!(b, b' ' | b'\t' | b'=' | b','));
    preceded((tag_no_case("INCLUDE"), separators), path).parse(text)
}

fn path(text: &[u8]) -> IResult<&[u8], &[u8]> {
    alt((
        delimited(char('\''), is_not("'"), char('\'')),
        delimited(char('"'), is_not("\""), char('"')),
        preceded(nom::combinator::not(one_of("'\"")), is_not("$")),
    ))
    .parse(text)
}

fn has_open_quote(text: &[u8]) -> bool {
    text.iter()
        .find(|b| matches!(b, b'\'' | b'"'))
        .is_some_and(|q| text.iter().filter(|b| *b == q).count() == 1)
}

impl Scanner<'_> {
    /// Goes into the file an INCLUDE names.
    pub(crate) fn include(
        &mut self,
        file: FileId,
        line: Line,
        statement: Result<Statement, Box<Diagnostic>>,
    ) {
        let problem = match statement {
            Ok(statement) => match self.enter_include(file, &statement.path) {
                Ok(()) => return,
                Err(problem) => *problem,
            },
            Err(problem) => *problem,
        };
        self.diagnostics.push(problem.at(span_of(file, line)).card("INCLUDE"));
    }

    fn enter_include(&mut self, from: FileId, written: &str) -> Result<(), Box<Diagnostic>> {
        self.includes += 1;
        if self.includes > MOST_INCLUDES {
            let message = format!("the deck has more than {MOST_INCLUDES} INCLUDEs");
            return Err(Box::new(Diagnostic::error(message)));
        }
        let folder = |index: usize| self.files[index].path.parent().unwrap_or(Path::new("")).to_owned();
        let mut candidates = vec![normal(&folder(usize::from(from.0)).join(written))];
        let beside_deck = normal(&folder(0).join(written));
        if beside_deck != candidates[0] {
            candidates.push(beside_deck);
        }
        for candidate in &candidates {
            let known = self.by_path.get(candidate).copied();
            let open = self.stack.iter().any(|frame| Some(usize::from(frame.file.0)) == known);
            if open {
                let message = format!("`{written}` includes itself");
                return Err(Box::new(Diagnostic::error(message)));
            }
            if self.stack.len() > MOST_DEPTH {
                let message = format!("INCLUDEs are nested more than {MOST_DEPTH} deep");
                return Err(Box::new(Diagnostic::error(message)));
            }
            if let Some(index) = known {
                if self.files[index].uses >= MOST_USES {
                    let message = format!("`{written}` is INCLUDEd more than {MOST_USES} times");
                    return Err(Box::new(Diagnostic::error(message)));
                }
                self.enter_again(index);
                return Ok(());
            }
            match (self.load)(candidate) {
                Ok(bytes) => return self.enter(candidate.clone(), bytes),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let message = format!("cannot read {}: {error}", candidate.display());
                    return Err(Box::new(Diagnostic::error(message)));
                }
            }
        }
        Err(Box::new(self.not_found(written, &candidates)))
    }

    /// Executive control INCLUDEs program text (DMAP), never a part of the mesh: there, a missing file is a
    /// warning.
    fn not_found(&self, written: &str, candidates: &[PathBuf]) -> Diagnostic {
        let message = format!("the file `{written}` does not exist");
        let problem = match self.section {
            Section::Executive => Diagnostic::warning(message),
            _ => Diagnostic::error(message),
        };
        let candidates: Vec<_> = candidates.iter().map(|p| p.display().to_string()).collect();
        problem.hint(format!("looked for {}", candidates.join(" and ")))
    }
}

/// The path without `.` and, where it can be reported from the text alone, `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Refuses what cannot be a deck; turns line ends of old Macintosh files into the usual ones.
pub(crate) fn as_text(path: &Path, mut bytes: Vec<u8>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let refuse = |what: &str| Err(Box::new(Diagnostic::error(format!("{} {what}", path.display()))));
    if u32::try_from(bytes.len()).is_err() {
        return refuse("is larger than 4 GiB");
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return refuse("is UTF-16; save it as plain text (ASCII or UTF-8)");
    }
    if bytes[..bytes.len().min(4096)].contains(&0) {
        return refuse("is not a text file");
    }
    if memchr::memchr(b'\n', &bytes).is_none() {
        bytes.iter_mut().filter(|b| **b == b'\r').for_each(|b| *b = b'\n');
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(text: &str) -> Result<String, String> {
        let (line, _) = line::next_line(text.as_bytes(), 0).unwrap();
        parse(text.as_bytes(), line).map(|s| s.path).map_err(|problem| problem.message)
    }

    #[test]
    fn every_way_to_write_it() {
        for text in [
            "INCLUDE 'a/b.bdf'",
            "include \"a/b.bdf\" $ mesh",
            "INCLUDE a/b.bdf",
            "  Include a\\b.bdf  $ mesh",
            "INCLUDE 'a/\n      b.bdf'",
            "INCLUDE 'a/b\r\n.bdf'\r\nGRID,1",
            "INCLUDE a/\n  b.bdf",
            "INCLUDE='a/b.bdf'",
            "INCLUDE'a/b.bdf'",
        ] {
            assert_eq!(path_of(text), Ok("a/b.bdf".to_owned()), "{text}");
        }
        assert_eq!(path_of("INCLUDE"), Err("expected a file name".to_owned()));
        assert_eq!(path_of("INCLUDE ''"), Err("expected a file name".to_owned()));
        assert_eq!(path_of("INCLUDE 'a\nGRID,1"), Err("the quote is not closed".to_owned()));
        assert!(!is_include(b"INCLUDED"));
    }

    #[test]
    fn paths_lose_their_detours() {
        assert_eq!(normal(Path::new("a/./b/../c.bdf")), Path::new("a/c.bdf"));
        assert_eq!(normal(Path::new("../c.bdf")), Path::new("../c.bdf"));
    }
}
