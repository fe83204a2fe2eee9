//! BEGIN and ENDDATA.

use nom::bytes::complete::{tag_no_case, take_while1};
use nom::character::complete::{one_of, u32 as number};
use nom::combinator::opt;
use nom::multi::many1;
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// What a BEGIN statement begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begin {
    /// `BULK`, `SUPER`, `AUXMODEL`, …
    pub(crate) kind: String,
    /// The number behind it; 0 where there is none.
    pub(crate) id: u32,
}

/// True for a line that begins with BEGIN as a word.
pub(crate) fn is_begin(text: &[u8]) -> bool {
    begins_with_word(text, b"BEGIN")
}

/// True for ENDDATA, whatever stands behind it (some programs write a checksum).
pub(crate) fn is_end(text: &[u8]) -> bool {
    let starts = |word: &[u8]| text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    starts(b"ENDDATA") || starts(b"END DATA")
}

/// True when the line begins with `word`, in any case, and the word ends there.
pub(crate) fn begins_with_word(text: &[u8], word: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !text.get(word.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `BEGIN BULK`, `BEGIN SUPER=1`, `BEGIN BULK SUPER = 1`, `BEGIN SUPER  1` as NX Nastran punches it, …: the
/// last word counts.
pub(crate) fn parse(text: &[u8]) -> Option<Begin> {
    let separators = |text| many1(one_of(" \t,")).map(|_| ()).parse(text);
    let (_, (_, words)) =
        (tag_no_case("BEGIN"), opt(many1(preceded(separators, word)))).parse(text.trim_ascii_start()).ok()?;
    match words {
        // A bare BEGIN is taken as BEGIN BULK.
        None => Some(Begin { kind: "BULK".to_owned(), id: 0 }),
        Some(words) => words.into_iter().last(),
    }
}

fn word(text: &[u8]) -> IResult<&[u8], Begin> {
    let (text, kind) = take_while1(|b: u8| b.is_ascii_alphabetic())(text)?;
    let (text, id) = opt(preceded(many1(one_of(" \t,=")), number)).parse(text)?;
    let kind = String::from_utf8_lossy(kind).to_ascii_uppercase();
    Ok((text, Begin { kind, id: id.unwrap_or(0) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants() {
        for (text, kind, id) in [
            ("BEGIN BULK", "BULK", 0),
            ("begin bulk  $ here", "BULK", 0),
            ("BEGIN,BULK", "BULK", 0),
            ("BEGIN", "BULK", 0),
            ("BEGIN SUPER=1", "SUPER", 1),
            ("  Begin Bulk Super = 12", "SUPER", 12),
            ("BEGIN AUXMODEL=3", "AUXMODEL", 3),
            ("BEGIN SUPER      102", "SUPER", 102),
            ("BEGIN,SUPER,7", "SUPER", 7),
            ("BEGIN SUPER", "SUPER", 0),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(Begin { kind: kind.to_owned(), id }), "{text}");
        }
        assert!(is_begin(b" begin bulk") && !is_begin(b"BEGINNER"));
        assert!(is_end(b"ENDDATA 1f3a") && is_end(b"enddata6b1f") && !is_end(b"ENDT"));
    }
}
