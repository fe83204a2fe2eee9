//! What is said on standard output, with colours on a terminal that wants them.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use crate::Common;

/// Says an answer on standard output, to machines or to people.
pub(crate) fn say(
    common: &Common,
    to_machines: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
    to_people: impl FnOnce(&mut BufWriter<StdoutLock<'_>>, Style) -> io::Result<()>,
) -> io::Result<()> {
    let stdout = io::stdout().lock();
    let style = Style::of(&stdout);
    let mut out = BufWriter::new(stdout);
    if common.json { to_machines(&mut out) } else { to_people(&mut out, style) }?;
    out.flush()
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
