//! NBLOCK, EBLOCK and CMBLOCK: rows of fixed width below a line that gives the widths.

use pliant_diag::{Diagnostic, Span};

use super::{Model, RawElement, Result};
use crate::draft::Node;
use crate::input::{Line, Lines, id, integer, real, text};

/// Integers and reals of a row, with their widths: `(3i9,6e21.13e3)`.
struct Widths {
    integers: usize,
    integer: usize,
    reals: usize,
    real: usize,
}

fn widths(line: Option<Line<'_>>, at: Span) -> Result<Widths> {
    let refuse = |at: Span, found: &str| {
        Err(Box::new(
            Diagnostic::error(format!(
                "expected the widths of the columns, such as (3i9,6e21.13e3), found `{found}`"
            ))
            .at(at),
        ))
    };
    let Some(line) = line else { return refuse(at, "the end of the file") };
    let words = text(line.text).to_ascii_lowercase();
    let mut found = Widths { integers: 0, integer: 0, reals: 0, real: 0 };
    for part in words.trim_matches(['(', ')']).split(',') {
        let Some(letter) = part.find(|c: char| c.is_ascii_alphabetic()) else {
            return refuse(line.span(), &words);
        };
        let count = if letter == 0 { Some(1) } else { part[..letter].parse::<usize>().ok() };
        let width: String = part[letter + 1..].chars().take_while(char::is_ascii_digit).collect();
        let (Some(count @ 1..=100), Ok(width @ 1..=100)) = (count, width.parse::<usize>()) else {
            return refuse(line.span(), &words);
        };
        match &part[letter..=letter] {
            "i" => (found.integers, found.integer) = (count, width),
            "e" | "f" | "g" => (found.reals, found.real) = (count, width),
            _ => return refuse(line.span(), &words),
        }
    }
    Ok(found)
}

/// True for the line behind the last row: `-1`, `N,R5.3,LOC, -1,`, or any other command.
fn is_end(line: &Line<'_>) -> bool {
    let words = line.text.trim_ascii();
    words.starts_with(b"-1")
        || words.first().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'*'))
}

impl Model {
    pub(super) fn nblock(&mut self, at: Span, lines: &mut Lines<'_>) -> Result<()> {
        let widths = widths(lines.next(), at)?;
        while let Some(line) = lines.peek() {
            if is_end(&line) {
                break;
            }
            lines.next();
            if line.text.trim_ascii().is_empty() {
                continue;
            }
            let first_real = widths.integers * widths.integer;
            let number = id(line.column(0, widths.integer));
            let mut values = [0.0; 6];
            let mut good = number.is_some();
            for (k, value) in values.iter_mut().take(widths.reals).enumerate() {
                let column = line.column(first_real + k * widths.real, widths.real);
                // Zeros at the end of a row are left out.
                if !column.is_empty() {
                    match real(column) {
                        Some(number) => *value = number,
                        None => good = false,
                    }
                }
            }
            match number {
                Some(number) if good => {
                    let [x, y, z, angles @ ..] = values;
                    if angles != [0.0; 3] {
                        self.rotated.insert(number, line.span());
                    }
                    self.draft.nodes.push(Node { id: number, position: [x, y, z], at: line.span() });
                }
                _ => self.draft.error(line.span(), "expected the number of a node and its coordinates"),
            }
        }
        Ok(())
    }

    pub(super) fn eblock(&mut self, at: Span, solid: bool, lines: &mut Lines<'_>) -> Result<()> {
        let widths = widths(lines.next(), at)?;
        if !solid {
            let problem = Diagnostic::error("EBLOCK without SOLID is not read").at(at).card("EBLOCK");
            let problem = problem.hint("it says no material: write the file with CDWRITE");
            while lines.peek().is_some_and(|line| !is_end(&line)) {
                lines.next();
            }
            return Err(Box::new(problem));
        }
        while let Some(line) = lines.peek() {
            if is_end(&line) {
                break;
            }
            lines.next();
            if line.text.trim_ascii().is_empty() {
                continue;
            }
            let column = |line: &Line<'_>, k: usize| integer(line.column(k * widths.integer, widths.integer));
            let head: Vec<Option<i64>> = (0..11).map(|k| column(&line, k)).collect();
            let number = |k: usize| head[k].and_then(|value| u32::try_from(value).ok());
            let (Some(material), Some(kind), Some(real), Some(section), Some(count), Some(id)) =
                (number(0), number(1), number(2), number(3), number(8), number(10))
            else {
                self.draft.error(line.span(), "expected 11 numbers of an element, then its nodes");
                continue;
            };
            let mut nodes = Vec::new();
            let mut good = count <= 40;
            let mut row = line;
            let mut k = 11;
            while good && nodes.len() < count as usize {
                if k >= widths.integers {
                    match lines.next() {
                        Some(more) => (row, k) = (more, 0),
                        None => good = false,
                    }
                    continue;
                }
                match column(&row, k).and_then(|node| u32::try_from(node).ok()) {
                    Some(node) => nodes.push(node),
                    None => good = false,
                }
                k += 1;
            }
            if good && id > 0 {
                self.elements.push(RawElement { id, material, kind, real, section, nodes, at: line.span() });
            } else {
                self.draft.error(line.span(), format!("expected the {count} nodes of element {id}"));
            }
        }
        Ok(())
    }

    /// Numbers; a negative one ends a range that began before it.
    pub(super) fn cmblock(&mut self, at: Span, words: &[String], lines: &mut Lines<'_>) -> Result<()> {
        let widths = widths(lines.next(), at)?;
        let (name, kind) = (words.get(1).cloned().unwrap_or_default(), words.get(2).map(String::as_str));
        let wanted = words.get(3).and_then(|word| word.split('!').next()?.trim().parse::<usize>().ok());
        let Some(wanted) = wanted else {
            return Err(Box::new(Diagnostic::error("expected a name, NODE or ELEM and a count").at(at)));
        };
        let mut entries: Vec<i64> = Vec::new();
        while entries.len() < wanted {
            let Some(line) = lines.next() else { break };
            let before = entries.len();
            entries.extend(
                (0..widths.integers).map_while(|k| integer(line.column(k * widths.integer, widths.integer))),
            );
            if entries.len() == before {
                self.draft.error(line.span(), format!("expected {wanted} numbers of component {name}"));
                break;
            }
        }
        entries.truncate(wanted);
        let is_nodes = kind == Some("NODE");
        let known: Vec<u32> = if is_nodes {
            self.draft.nodes.iter().map(|node| node.id).collect()
        } else {
            self.elements.iter().map(|element| element.id).collect()
        };
        let mut members: Vec<u32> = Vec::new();
        for (k, entry) in entries.iter().enumerate() {
            if *entry > 0 {
                members.extend(u32::try_from(*entry));
            } else if let Some(first) = k.checked_sub(1).map(|before| entries[before]) {
                // Only what exists: a range may name far more.
                let last = entry.saturating_neg();
                members.extend(known.iter().filter(|id| (first..=last).contains(&i64::from(**id))));
            }
        }
        if is_nodes {
            self.draft.add_to_set(&name, at, members);
        } else {
            self.element_components.push((name, at, members));
        }
        Ok(())
    }

    /// Reals below RLBLOCK: number, count, values.
    pub(super) fn rlblock(&mut self, at: Span, lines: &mut Lines<'_>) -> Result<()> {
        let first = widths(lines.next(), at)?;
        let next = widths(lines.next(), at)?;
        while let Some(line) = lines.peek() {
            if is_end(&line) {
                break;
            }
            lines.next();
            let head = first.integers * first.integer;
            let number = id(line.column(0, first.integer));
            let count =
                integer(line.column(first.integer, first.integer)).filter(|count| (0..=1000).contains(count));
            let (Some(number), Some(count)) = (number, count) else { break };
            let mut values: Vec<f64> = Vec::new();
            let take = |values: &mut Vec<f64>, line: &Line<'_>, start: usize, widths: &Widths| {
                for k in 0..widths.reals {
                    let column = line.column(start + k * widths.real, widths.real);
                    if values.len() < count as usize {
                        values.push(real(column).unwrap_or(0.0));
                    }
                }
            };
            take(&mut values, &line, head, &first);
            while values.len() < count as usize {
                let Some(more) = lines.next() else { break };
                take(&mut values, &more, 0, &next);
            }
            self.reals.insert(number, values);
        }
        Ok(())
    }
}
