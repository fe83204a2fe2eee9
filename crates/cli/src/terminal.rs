//! What is said on standard output, with colours on a terminal that wants them.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::Common;

/// Emits an answer on standard output, to machines or to people.
pub(crate) fn emit(
    common: &Common,
    to_machines: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
    to_people: impl FnOnce(&mut Out<'_>, Style) -> io::Result<()>,
) -> io::Result<()> {
    let (mut out, style) = output();
    if common.json { to_machines(&mut out) } else { to_people(&mut out, style) }?;
    out.flush()
}

/// A value as JSON, with a line end.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Standard output.
pub(crate) type Out<'a> = BufWriter<Clean<StdoutLock<'a>>>;

/// Standard output and the style it takes.
pub(crate) fn output() -> (Out<'static>, Style) {
    let stdout = io::stdout().lock();
    let style = Style::of(&stdout);
    (BufWriter::new(Clean { stream: stdout }), style)
}

/// A line on standard error. When nobody can read it, the exit code still says how the command ended.
pub(crate) fn complain(line: impl Display) {
    let _ = writeln!(Clean { stream: io::stderr().lock() }, "{line}");
}

/// Passes text on without the control characters that a terminal obeys: a title or a message of a file may
/// hold any. Line ends, tabs and the colours of [`Style`] stay; others become `·`.
pub(crate) struct Clean<W> {
    stream: W,
}

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut clean = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if let Some(colour) = colour(rest) {
                clean.extend_from_slice(colour);
                rest = &rest[colour.len()..];
                continue;
            }
            // The control characters from U+0080 to U+009F are two bytes.
            if byte == 0xc2 && after.first().is_some_and(|next| (0x80..0xa0).contains(next)) {
                clean.extend_from_slice("·".as_bytes());
                rest = &after[1..];
                continue;
            }
            match byte {
                b'\n' | b'\t' => clean.push(byte),
                0..0x20 | 0x7f => clean.extend_from_slice("·".as_bytes()),
                _ => clean.push(byte),
            }
            rest = after;
        }
        self.stream.write_all(&clean)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The codes of [`Style`]; others could hide text (8, or black on black).
const COLOURS: [&str; 7] = ["0", "1", "2", "1;31", "1;32", "1;33", "1;34"];

/// The colour of [`Style`] that the text begins with: ESC, `[`, its code, `m`.
fn colour(text: &[u8]) -> Option<&[u8]> {
    let digits = text.strip_prefix(b"\x1b[")?;
    let count = digits.iter().take_while(|c| c.is_ascii_digit() || **c == b';').count();
    let ours = COLOURS.iter().any(|code| code.as_bytes() == &digits[..count]);
    (ours && digits.get(count) == Some(&b'm')).then(|| &text[..count + 3])
}

/// Text without control characters, for lines that others draw (progress bars).
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).collect()
}

/// Writes text in colour, or plain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    /// No colours.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self { colour: false };

    /// For a stream: colours when it is a terminal and `NO_COLOR` is not set (<https://no-color.org>).
    pub(crate) fn of(stream: &impl IsTerminal) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { colour: stream.is_terminal() && !refused && !dumb }
    }

    fn paint(self, code: &str, text: &str) -> String {
        debug_assert!(COLOURS.contains(&code), "a colour that does not pass");
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn blue(self, text: &str) -> String {
        self.paint("1;34", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.paint("1;32", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_colours_and_no_other_orders() {
        let mut out = Clean { stream: Vec::new() };
        write!(out, "a\x1b[1;31mred\x1b[0m\n\x1b]0;title\x07\x1b[2J\x1b[8m\u{9b}2J é\t\r").unwrap();
        let text = String::from_utf8(out.stream).unwrap();
        assert_eq!(text, "a\x1b[1;31mred\x1b[0m\n·]0;title··[2J·[8m·2J é\t·");
    }
}
