//! Continuations: which line goes on which card.
//!
//! A continuation line belongs to the line before it when it has no id, or the id that line asks for in field
//! 10 ([`line::asks_for`]). Any other goes to the card that asks for its id, wherever in the deck that is.
//! One that no card asks for goes on the card before it, with a warning, if that asked for nothing; else it
//! is an error.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, FileId};

use crate::card::{Card, Lines};
use crate::line::{self, Kind, Line};
use crate::scan::{Open, Scanner, SourceLine, span_of};

/// Continuation lines that follow each other, the first of which is not asked for by the line before it.
pub(crate) struct Group {
    lines: Vec<SourceLine>,
    /// The card before it, when that asks for nothing.
    follows: Option<u32>,
}

impl Scanner<'_> {
    /// A continuation line.
    #[inline]
    pub(crate) fn continuation(&mut self, bytes: &[u8], file: FileId, line: Line) {
        let own = match line.text(bytes) {
            // By far the most common, and nothing to look for.
            [b'+' | b'*' | b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', ..] => b"",
            text => line::own_id(text),
        };
        let last = match self.open {
            Open::Card { last, .. } | Open::Group { last } => last,
            Open::Refused => return,
            Open::Nothing if own.is_empty() => {
                self.diagnostics.push(
                    Diagnostic::error("this continuation has no card before it").at(span_of(file, line)),
                );
                self.open = Open::Refused;
                return;
            }
            Open::Nothing => return self.begin_group(None, file, line),
        };
        if own.is_empty() || line::asks_for(self.text(last), own) {
            self.attach(file, line);
        } else {
            let asks_for_nothing = line::wanted_id(self.text(last)).is_empty();
            let card = matches!(self.open, Open::Card { .. }) && asks_for_nothing;
            self.close();
            self.begin_group(card.then(|| (self.cards.len() - 1) as u32), file, line);
        }
    }

    fn begin_group(&mut self, follows: Option<u32>, file: FileId, line: Line) {
        self.groups.push(Group { lines: vec![(file, line)], follows });
        self.open = Open::Group { last: (file, line) };
    }

    /// Puts a line on whatever is open.
    #[inline]
    fn attach(&mut self, file: FileId, line: Line) {
        match self.open {
            Open::Card { last, adjacent } => {
                let adjacent = adjacent && last.0 == file;
                let index = self.cards.len() - 1;
                match &mut self.cards[index].lines {
                    Lines::Run { end } if adjacent => *end = line.end,
                    _ => self.append(index, &[(file, line)]),
                }
                self.open = Open::Card { last: (file, line), adjacent };
            }
            Open::Group { .. } => {
                if let Some(group) = self.groups.last_mut() {
                    group.lines.push((file, line));
                }
                self.open = Open::Group { last: (file, line) };
            }
            Open::Nothing | Open::Refused => {}
        }
    }

    /// Puts lines on a card that need not stand behind its last one.
    fn append(&mut self, card: usize, lines: &[SourceLine]) {
        let index = match self.cards[card].lines {
            Lines::Scattered(index) => index,
            Lines::Run { .. } | Lines::Generated(_) => {
                let own = self.lines_of(&self.cards[card]);
                self.scattered.push(own);
                let index = (self.scattered.len() - 1) as u32;
                self.cards[card].lines = Lines::Scattered(index);
                index
            }
        };
        self.scattered[index as usize].extend_from_slice(lines);
    }

    fn lines_of(&self, card: &Card) -> Vec<SourceLine> {
        match card.lines {
            Lines::Run { end } => {
                let bytes = &self.files[usize::from(card.file.0)].bytes[..end as usize];
                let mut lines = Vec::new();
                let mut position = card.start as usize;
                while let Some((line, next)) = line::next_line(bytes, position) {
                    position = next;
                    if !matches!(line::kind(line.text(bytes)), Kind::Blank | Kind::Comment) {
                        lines.push((card.file, line));
                    }
                }
                lines
            }
            Lines::Scattered(index) => self.scattered[index as usize].clone(),
            Lines::Generated(_) => Vec::new(),
        }
    }

    /// At the end of the deck: brings the groups to the cards that ask for them.
    pub(crate) fn resolve_continuations(&mut self) {
        self.close();
        self.open = Open::Nothing;
        if self.groups.is_empty() && self.asking.is_empty() {
            return;
        }
        let groups = std::mem::take(&mut self.groups);
        let mut by_id: HashMap<Vec<u8>, Wanted> = HashMap::new();
        for (index, group) in groups.iter().enumerate() {
            let id = line::own_id(self.text(group.lines[0])).to_ascii_uppercase();
            if let Some(first) = by_id.get(&id) {
                let (file, line) = group.lines[0];
                let first = groups[first.group].lines[0];
                self.diagnostics.push(
                    Diagnostic::error(format!("continuation `{}` occurs twice", show(&id)))
                        .at(span_of(file, line))
                        .related(span_of(first.0, first.1), "the first"),
                );
            } else {
                by_id.insert(id, Wanted { group: index, taken_by: None });
            }
        }
        let asking = if by_id.is_empty() {
            std::mem::take(&mut self.asking)
        } else {
            (0..self.cards.len() as u32).collect()
        };
        for card in asking {
            self.give(card, &groups, &mut by_id);
        }
        self.leftovers(&groups, &by_id);
    }

    /// Gives a card the continuation it asks for, then the one that asks for, and so on.
    fn give(&mut self, card: u32, groups: &[Group], by_id: &mut HashMap<Vec<u8>, Wanted>) {
        let Some(mut last) = self.last_line_of(card) else { return };
        loop {
            let ids = line::wanted_ids(self.text(last)).map(<[u8]>::to_ascii_uppercase);
            let marked = line::marks_continuation(self.text(last));
            // Text that is no name may stand in field 10, so a name counts where there is a continuation with
            // it.
            let there = ids.iter().find(|id| by_id.contains_key(id.as_slice()));
            let id = there.unwrap_or(&ids[0]).clone();
            if id.is_empty() {
                return;
            }
            match by_id.get_mut(&id) {
                Some(wanted) if wanted.taken_by.is_none() => {
                    wanted.taken_by = Some(card);
                    let lines = &groups[wanted.group].lines;
                    self.append(card as usize, lines);
                    last = lines[lines.len() - 1];
                }
                Some(Wanted { taken_by: Some(other), .. }) if marked => {
                    let other = &self.cards[*other as usize];
                    let message = format!("continuation `{}` is referenced by two cards", show(&id));
                    self.diagnostics.push(
                        Diagnostic::error(message)
                            .at(span_of(last.0, last.1))
                            .card(self.cards[card as usize].name())
                            .related(other.span(), "the other"),
                    );
                    return;
                }
                _ => {
                    if marked {
                        let message = format!("refers to continuation `{}`, which does not exist", show(&id));
                        self.diagnostics.push(
                            Diagnostic::warning(message)
                                .at(span_of(last.0, last.1))
                                .card(self.cards[card as usize].name()),
                        );
                    }
                    return;
                }
            }
        }
    }

    fn last_line_of(&self, card: u32) -> Option<SourceLine> {
        self.lines_of(&self.cards[card as usize]).last().copied()
    }

    /// Groups that no card asked for.
    fn leftovers(&mut self, groups: &[Group], by_id: &HashMap<Vec<u8>, Wanted>) {
        for (index, group) in groups.iter().enumerate() {
            let (file, line) = group.lines[0];
            let id = line::own_id(self.text((file, line))).to_ascii_uppercase();
            match by_id.get(&id) {
                Some(wanted) if wanted.group == index && wanted.taken_by.is_none() => {}
                _ => continue,
            }
            match group.follows {
                Some(card) => {
                    self.append(card as usize, &group.lines);
                    let card = &self.cards[card as usize];
                    let message = format!(
                        "no card refers to continuation `{}`; it is read as part of the {} before it",
                        show(&id),
                        card.name()
                    );
                    self.diagnostics.push(
                        Diagnostic::warning(message)
                            .at(span_of(file, line))
                            .hint(format!("put `+{}` in field 10 of the line before", show(&id))),
                    );
                }
                None => self.diagnostics.push(
                    Diagnostic::error(format!("no card refers to continuation `{}`", show(&id)))
                        .at(span_of(file, line)),
                ),
            }
        }
    }
}

/// A group somebody may ask for.
struct Wanted {
    group: usize,
    taken_by: Option<u32>,
}

fn show(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}
