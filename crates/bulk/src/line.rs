//! Lines: what kind a line is, how its fields lie, which continuation it belongs to.

use memchr::{memchr, memchr3};

/// A line without its line end: the bytes `start..end` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Line {
    /// Its text.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..self.end as usize]
    }
}

/// The line at `position` and the position behind it; `None` at the end of the file.
#[inline]
pub(crate) fn next_line(bytes: &[u8], position: usize) -> Option<(Line, usize)> {
    if position >= bytes.len() {
        return None;
    }
    let rest = &bytes[position..];
    let (length, next) = match memchr(b'\n', rest) {
        Some(length) => (length, position + length + 1),
        None => (rest.len(), bytes.len()),
    };
    let length = if length > 0 && rest[length - 1] == b'\r' { length - 1 } else { length };
    Some((Line { start: position as u32, end: (position + length) as u32 }, next))
}

/// What a line of bulk data is, from its first field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Comment,
    /// Begins a card.
    Card,
    Continuation,
    /// Begins with `=`.
    Replication,
    /// Begins with `/`.
    Deletion,
    /// Begins with something no line begins with.
    Unreadable,
}

/// What kind of line it is.
#[inline]
pub(crate) fn kind(line: &[u8]) -> Kind {
    match line.first() {
        None => Kind::Blank,
        Some(b'$') => Kind::Comment,
        Some(b'+' | b'*' | b',') => Kind::Continuation,
        Some(b'=') => Kind::Replication,
        Some(b'/') => Kind::Deletion,
        Some(b) if b.is_ascii_alphabetic() => Kind::Card,
        Some(b' ' | b'\t') => indented_kind(line),
        Some(_) => Kind::Unreadable,
    }
}

/// A line that begins with a blank: field 1 is blank (a continuation), or a card stands indented.
fn indented_kind(line: &[u8]) -> Kind {
    let Some(indent) = line.iter().position(|b| !b.is_ascii_whitespace()) else { return Kind::Blank };
    let text = &line[indent..];
    if text[0] == b'$' {
        return Kind::Comment;
    }
    let in_first_field = indent < 8 && !line[..indent].contains(&b'\t');
    // Free field has no columns: `          GRID,1` is a card.
    let free_card = || text[0].is_ascii_alphabetic() && layout(line).1 == Layout::Free;
    if in_first_field || free_card() { kind(text) } else { Kind::Continuation }
}

/// How the fields of a line are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Columns, no tab among them.
    Columns,
    /// Columns, with tabs that lead to the next multiple of eight.
    Tabs,
    /// Commas.
    Free,
}

/// The line without an inline `$` comment, and its layout. A comma makes a line free field when it stands
/// before column 73; behind that it is text in field 10.
#[inline]
pub(crate) fn layout(line: &[u8]) -> (&[u8], Layout) {
    if memchr3(b'$', b',', b'\t', line).is_none() {
        return (line, Layout::Columns);
    }
    let line = match memchr(b'$', line) {
        Some(comment) => &line[..comment],
        None => line,
    };
    if memchr(b',', line).is_some_and(|at| at < 72) {
        (line, Layout::Free)
    } else if memchr(b'\t', line).is_some() {
        (line, Layout::Tabs)
    } else {
        (line, Layout::Columns)
    }
}

/// The byte range of the columns `first..first + width` of a line with tabs.
pub(crate) fn columns_with_tabs(line: &[u8], first: usize, width: usize) -> (usize, usize) {
    let mut column = 0;
    let mut range: Option<(usize, usize)> = None;
    for (i, byte) in line.iter().enumerate() {
        if column >= first + width {
            break;
        }
        if column >= first {
            range = Some((range.map_or(i, |r| r.0), i + 1));
        }
        column = if *byte == b'\t' { (column / 8 + 1) * 8 } else { column + 1 };
    }
    range.unwrap_or((line.len(), line.len()))
}

/// Field 1 as it stands.
pub(crate) fn first_field(line: &[u8]) -> &[u8] {
    let (line, layout) = layout(line);
    let end = match layout {
        Layout::Columns => line.len().min(8),
        Layout::Tabs => memchr(b'\t', line).map_or(8, |tab| tab.min(8)),
        Layout::Free => memchr(b',', line).unwrap_or(line.len()),
    };
    line[..end].trim_ascii()
}

/// True when field 1 has the `*` of large fields.
#[inline]
pub(crate) fn is_large(first_field: &[u8]) -> bool {
    first_field.contains(&b'*')
}

/// The id by which a continuation line is asked for: field 1 without `+` or `*`; empty when it has none.
pub(crate) fn own_id(line: &[u8]) -> &[u8] {
    without_mark(first_field(line))
}

/// The id of the continuation this line asks for: field 10 without `+` or `*`; empty when it has none.
pub(crate) fn wanted_id(line: &[u8]) -> &[u8] {
    without_mark(field_ten(line))
}

/// The ids that field 10 may ask for. Nastran compares columns 74 to 80 of a line with columns 2 to 8 of its
/// continuation, so the first character is not part of the name, whatever it is: `CORD1` asks for `+ORD1`.
/// Many decks write the complete name in both, which is taken as well. In free fields a number counts only
/// where a continuation has it.
pub(crate) fn wanted_ids(line: &[u8]) -> [&[u8]; 2] {
    let field = tenth(line, |_| true);
    let behind_first = match field {
        [b'+' | b'*', ..] | [] => b"",
        [_, rest @ ..] => rest.trim_ascii(),
    };
    [without_mark(field), behind_first]
}

/// True when field 10 of `line` asks for the continuation with the id `own`, which is not blank.
pub(crate) fn asks_for(line: &[u8], own: &[u8]) -> bool {
    wanted_ids(line).iter().any(|id| id.eq_ignore_ascii_case(own))
}

/// True when field 10 is the mark of a continuation with an id, not just text.
pub(crate) fn marks_continuation(line: &[u8]) -> bool {
    let field = field_ten(line);
    matches!(field, [b'+' | b'*', ..]) && !without_mark(field).is_empty()
}

fn without_mark(field: &[u8]) -> &[u8] {
    match field {
        [b'+' | b'*', id @ ..] => id.trim_ascii(),
        id => id,
    }
}

/// Field 10 as it stands: columns 73 to 80, or the last of exactly ten free fields (six when large).
pub(crate) fn field_ten(line: &[u8]) -> &[u8] {
    tenth(line, is_continuation_mark)
}

/// Field 10; of a free line only when `is_mark` takes it.
fn tenth(line: &[u8], is_mark: impl Fn(&[u8]) -> bool) -> &[u8] {
    let entire_line = line;
    let (line, layout) = layout(line);
    match layout {
        Layout::Columns if line.len() <= 72 => b"",
        Layout::Columns => line[72..line.len().min(80)].trim_ascii(),
        Layout::Tabs => {
            let (start, end) = columns_with_tabs(line, 72, 8);
            line[start..end].trim_ascii()
        }
        Layout::Free => {
            let last = if is_large(first_field(entire_line)) { 5 } else { 9 };
            let mut fields = line.split(|b| *b == b',');
            match (fields.nth(last), fields.next()) {
                (Some(field), None) if is_mark(field.trim_ascii()) => field.trim_ascii(),
                _ => b"",
            }
        }
    }
}

/// True for what the tenth free field holds when it is a continuation mark rather than a ninth datum:
/// nothing, `+`, `*`, or one of these with something behind it that is not a number.
pub(crate) fn is_continuation_mark(field: &[u8]) -> bool {
    match field {
        [] => true,
        [b'*', ..] => true,
        [b'+', rest @ ..] => crate::parse_integer(rest).is_none() && crate::parse_real(rest).is_none(),
        _ => false,
    }
}

/// The values in one item of a free line with their offsets in it. Blanks separate values as commas do (`1.
/// 0. 0.`, `1 THRU 9`); an item in which not every word is a value on its own is left as it stands: `2.0
/// E+7`, `12 4 A`.
pub(crate) fn blank_separated(item: &[u8]) -> Vec<(usize, &[u8])> {
    const WORDS: [&[u8]; 5] = [b"THRU", b"BY", b"EXCEPT", b"=", b"=="];
    let is_value = |word: &[u8]| {
        crate::parse_integer(word).is_some()
            || crate::parse_real(word).is_some()
            || WORDS.iter().any(|w| word.eq_ignore_ascii_case(w))
    };
    let mut words = Vec::new();
    let mut start = 0;
    for word in item.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            words.push((start, word));
        }
        start += word.len() + 1;
    }
    if words.iter().all(|(_, word)| is_value(word)) { words } else { vec![(0, item)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_separate_values_of_free_fields() {
        let of = |item: &str| -> Vec<String> {
            let words = blank_separated(item.as_bytes());
            words.iter().map(|(_, w)| String::from_utf8_lossy(w).into_owned()).collect()
        };
        assert_eq!(of("1. 0. 0."), ["1.", "0.", "0."]);
        assert_eq!(of("1 thru 9"), ["1", "thru", "9"]);
        assert_eq!(of("2.0 E+7"), ["2.0 E+7"]);
        assert_eq!(of("TUBE A"), ["TUBE A"]);
        assert_eq!(blank_separated(b"1.  2."), [(0, b"1.".as_slice()), (4, b"2.")]);
    }

    #[test]
    fn kinds() {
        for (line, expected) in [
            ("", Kind::Blank),
            ("  \t ", Kind::Blank),
            ("$ x", Kind::Comment),
            ("   $ x", Kind::Comment),
            ("GRID    1", Kind::Card),
            ("  grid  1", Kind::Card),
            ("            GRID,1", Kind::Card),
            ("        1.0", Kind::Continuation),
            ("\t1.0", Kind::Continuation),
            ("        THRU", Kind::Continuation),
            ("+A", Kind::Continuation),
            ("  +A", Kind::Continuation),
            ("*", Kind::Continuation),
            (",1", Kind::Continuation),
            ("=,*1", Kind::Replication),
            ("/,1,2", Kind::Deletion),
            ("1.0", Kind::Unreadable),
        ] {
            assert_eq!(kind(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn continuation_ids() {
        let fixed = format!("{:<72}{}", "CHEXA   1       1", "+E1");
        assert_eq!(wanted_id(fixed.as_bytes()), b"E1");
        assert_eq!(own_id(b"+E1     7"), b"E1");
        assert_eq!(own_id(b"*E1     7"), b"E1");
        assert_eq!(own_id(b"+       7"), b"");
        assert_eq!(wanted_id(b"CHEXA,1,1,1,2,3,4,5,6,+E1"), b"E1");
        assert_eq!(wanted_id(b"GRID*,1,0,1.,2.,*E1"), b"E1");
        assert_eq!(wanted_id(b"SPC1,1,2,3,4,5,6,7,8,+9"), b"", "the ninth datum");
        assert_eq!(wanted_id(b"GRID\t1\t\t\t\t\t\t\t\t+E1"), b"E1");
        assert!(asks_for(b"SPC1,1,2,3,4,5,6,7,8,+1000001", b"1000001"));
        assert!(asks_for(format!("{:<72}KFREQ", "FREQ1   1").as_bytes(), b"FREQ"));
        assert!(asks_for(format!("{:<72}KFREQ", "FREQ1   1").as_bytes(), b"kfreq"));
        assert!(!asks_for(format!("{:<72}+FREQ", "FREQ1   1").as_bytes(), b"REQ"));
    }
}
