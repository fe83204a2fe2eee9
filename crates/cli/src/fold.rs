//! Problems of one kind, shown once.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Severity};

/// Up to this many problems of a kind are shown in full.
const IN_FULL: usize = 3;

/// A problem, and those of its kind that are not shown in full.
pub(crate) struct Folded<'a> {
    pub(crate) shown: &'a Diagnostic,
    pub(crate) others: Vec<&'a Diagnostic>,
}

/// Keeps the order. Where there are more than three of a kind, the first stands for all.
///
/// Two are of a kind when severity, name of the card, field and the words of the message are the same;
/// numbers and what stands in backquotes may differ.
pub(crate) fn folded<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>) -> Vec<Folded<'a>> {
    let all: Vec<&Diagnostic> = diagnostics.collect();
    let mut counts: HashMap<Kind<'a>, usize> = HashMap::new();
    let kinds: Vec<Kind<'a>> = all.iter().map(|diagnostic| Kind::of(diagnostic)).collect();
    for kind in &kinds {
        *counts.entry(kind.clone()).or_default() += 1;
    }
    let mut rows: HashMap<&Kind<'a>, usize> = HashMap::new();
    let mut folded: Vec<Folded<'a>> = Vec::new();
    for (diagnostic, kind) in all.into_iter().zip(&kinds) {
        if counts[kind] > IN_FULL
            && let Some(row) = rows.get(kind)
        {
            folded[*row].others.push(diagnostic);
            continue;
        }
        rows.insert(kind, folded.len());
        folded.push(Folded { shown: diagnostic, others: Vec::new() });
    }
    folded
}

/// What problems of a kind have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind<'a> {
    severity: Severity,
    card: Option<&'a str>,
    field: Option<u32>,
    words: String,
}

impl<'a> Kind<'a> {
    fn of(diagnostic: &'a Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity,
            card: diagnostic.card.as_deref().map(|card| card.split(' ').next().unwrap_or_default()),
            field: diagnostic.field.as_ref().map(|field| field.number),
            words: words(&diagnostic.message),
        }
    }
}

/// A message with `#` for every number and everything in backquotes.
fn words(message: &str) -> String {
    let mut words = String::with_capacity(message.len());
    let mut chars = message.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '`' {
            chars.by_ref().find(|c| *c == '`');
            words.push('#');
        } else if c.is_ascii_digit() {
            // 1,204 and 1.5e-3 are one number each.
            while chars.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ',' | '-' | '+')).is_some()
            {
            }
            words.push('#');
        } else {
            words.push(c);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_quotes_do_not_make_a_kind() {
        let a = words("property 12 is `x`, found 1.5e-3 at GRID 7");
        assert_eq!(a, words("property 9 is `why`, found -2.0 at GRID 11").replace('-', ""));
        assert_ne!(a, words("property 12 is `x`, found 1.5e-3 at EID 7"));
    }

    #[test]
    fn the_first_of_many_stands_for_all_and_few_are_shown() {
        let mut all: Vec<Diagnostic> = Vec::new();
        for id in 0..5 {
            all.push(Diagnostic::error(format!("grid {id} does not exist")).card(format!("CROD {id}")));
            all.push(Diagnostic::warning(format!("grid {id} does not exist")));
        }
        all.truncate(7);
        // Errors 0 to 3 and warnings 0 to 2.
        let shown: Vec<_> =
            folded(all.iter()).iter().map(|f| (f.shown.message.clone(), f.others.len())).collect();
        let expected = [("grid 0", 3), ("grid 0", 0), ("grid 1", 0), ("grid 2", 0)];
        assert_eq!(shown.len(), expected.len(), "{shown:?}");
        for ((message, others), (start, count)) in shown.iter().zip(expected) {
            assert!(message.starts_with(start) && *others == count, "{shown:?}");
        }
    }
}
