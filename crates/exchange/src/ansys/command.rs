//! One command after another.

use pliant_diag::{Diagnostic, Span};

use super::constraint::Equation;
use super::property::Section;
use super::{Model, Result};
use crate::input::{Line, Lines, real, text};

fn number<T: std::str::FromStr>(words: &[String], k: usize) -> Option<T> {
    words.get(k)?.parse().ok()
}

fn value(words: &[String], k: usize) -> Option<f64> {
    real(words.get(k)?.as_bytes())
}

impl Model {
    pub(super) fn line(&mut self, line: &Line<'_>, lines: &mut Lines<'_>) {
        let words = text(line.text);
        let words = words.split('!').next().unwrap_or_default();
        let words: Vec<String> = words.split(',').map(|word| word.trim().to_uppercase()).collect();
        if words[0].is_empty() {
            return;
        }
        if let Err(problem) = self.command(&words, line.span(), lines) {
            self.draft.report(*problem);
        }
    }

    fn command(&mut self, words: &[String], at: Span, lines: &mut Lines<'_>) -> Result<()> {
        let bad = |message: &str| Err(Box::new(Diagnostic::error(message).at(at).card(words[0].clone())));
        match words[0].as_str() {
            "NBLOCK" => self.nblock(at, lines)?,
            "EBLOCK" => self.eblock(at, words.get(2).is_some_and(|word| word == "SOLID"), lines)?,
            "CMBLOCK" => self.cmblock(at, words, lines)?,
            "RLBLOCK" => self.rlblock(at, lines)?,
            "ET" => {
                let digits =
                    |word: &String| word.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok();
                match (number(words, 1), words.get(2).and_then(digits)) {
                    (Some(row), Some(element)) => {
                        self.types.insert(row, (element, at));
                    }
                    _ => return bad("expected the number of a type and an element"),
                }
            }
            "KEYOP" | "KEYOPT" => {
                if let (Some(row), Some(option), Some(value)) =
                    (number(words, 1), number(words, 2), number(words, 3))
                {
                    self.key_options.insert((row, option), value);
                }
            }
            "MP" | "UIMP" => {
                let (label, row, place) = if words[0] == "MP" { (1, 2, 3) } else { (2, 1, 5) };
                match (number(words, row), value(words, place)) {
                    (Some(row), Some(value)) => {
                        self.material(at, row, &words[label].clone(), value, words.len() > place + 1)
                    }
                    _ => return bad("expected a label, the number of a material and a value"),
                }
            }
            "MPDATA" => {
                // With a release number the number of values comes first.
                let skip = if words.get(1).is_some_and(|word| word.starts_with('R')) { 2 } else { 0 };
                let label = words.get(1 + skip).cloned().unwrap_or_default();
                match (number(words, 2 + skip), value(words, 4 + skip)) {
                    (Some(row), Some(value)) => {
                        let more = words.get(5 + skip).is_some_and(|word| !word.is_empty());
                        self.material(at, row, &label, value, more);
                    }
                    _ => return bad("expected a label, the number of a material and a value"),
                }
            }
            "R" => {
                let Some(row) = number(words, 1) else { return bad("expected the number of real constants") };
                let values = (2..words.len()).map(|k| value(words, k).unwrap_or(0.0)).collect();
                self.reals.insert(row, values);
                self.open_real = Some(row);
            }
            "RMORE" => {
                if let Some(values) = self.open_real.and_then(|row| self.reals.get_mut(&row)) {
                    values.resize(values.len().next_multiple_of(6), 0.0);
                    values.extend((1..words.len()).map(|k| value(words, k).unwrap_or(0.0)));
                }
            }
            "SECTYPE" => {
                let Some(row) = number(words, 1) else { return bad("expected the number of a section") };
                let of = |k: usize| words.get(k).cloned().unwrap_or_default();
                self.sections.insert(row, Section { kind: of(2), shape: of(3), at, ..Section::default() });
                self.open_section = Some(row);
            }
            "SECDATA" => {
                let values = (1..words.len()).map(|k| value(words, k).unwrap_or(0.0)).collect::<Vec<_>>();
                if let Some(section) = self.open_section.and_then(|row| self.sections.get_mut(&row)) {
                    section.rows.push(values);
                }
            }
            "SECBLOCK" => {
                let count: usize = number(words, 1).unwrap_or(0);
                for _ in 0..count {
                    let Some(line) = lines.next() else { break };
                    let values = text(line.text)
                        .split(',')
                        .filter_map(|word| real(word.as_bytes()))
                        .collect::<Vec<_>>();
                    if let Some(section) = self.open_section.and_then(|row| self.sections.get_mut(&row)) {
                        section.rows.push(values);
                    }
                }
            }
            "SECOFFSET" => {
                if let Some(section) = self.open_section.and_then(|row| self.sections.get_mut(&row)) {
                    section.offset = words.get(1).cloned().unwrap_or_default();
                }
            }
            "CE" => self.ce(words, at)?,
            "CP" => return bad("coupled sets are not translated: write them as constraint equations (CE)"),
            "D" | "F" => {
                let (Some(node), Some(label)) = (number(words, 1), words.get(2)) else {
                    return bad("expected a node, a component and a value");
                };
                let entry = (at, node, label.clone(), value(words, 3).unwrap_or(0.0));
                if words[0] == "D" { self.supports.push(entry) } else { self.forces.push(entry) }
            }
            "N" | "-1" => {}
            // EN,R5.5,ATTR,-1 ends a block of elements.
            "EN" if words.get(1).is_some_and(|word| word.starts_with('R')) => {}
            "E" | "EN" | "EMORE" => return bad("elements outside of EBLOCK are not read"),
            "LOCAL" | "CSYS" | "DOF" | "NUMOFF" | "MPTEMP" | "TYPE" | "MAT" | "REAL" | "SECNUM" | "ESYS" => {}
            "TB" => {
                self.unused.insert(format!("TB,{}", words.get(1).map_or("", String::as_str)));
            }
            "TBDATA" | "TBTEMP" => {}
            name if name.starts_with(['/', '*', '(', '!']) || name.contains('=') => {}
            name if name.bytes().all(|b| b.is_ascii_alphanumeric()) && self.unused.len() < 50 => {
                self.unused.insert(name.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn material(&mut self, at: Span, row: u32, label: &str, value: f64, more: bool) {
        if more {
            let message =
                format!("{label} of material {row} depends on temperature: its first value is used");
            self.draft.report(Diagnostic::warning(message).at(at));
        }
        let material = self.materials.entry(row).or_insert_with(|| (at, Default::default()));
        material.1.insert(label.to_owned(), value);
    }

    /// CE,R5.0,DEFI, terms, number, constant; CE,R5.0,NODE, node, component, factor, …
    fn ce(&mut self, words: &[String], at: Span) -> Result<()> {
        let refuse = |message: &str| Err(Box::new(Diagnostic::error(message).at(at).card("CE")));
        let first = match (words.get(1).map(String::as_str), words.get(2).map(String::as_str)) {
            (Some(release), Some("DEFI")) if release.starts_with('R') => {
                if value(words, 5).is_some_and(|constant| constant != 0.0) {
                    return refuse("a constraint equation with a constant is not translated");
                }
                self.equations.push(Equation { at, terms: Vec::new() });
                return Ok(());
            }
            (Some(release), Some("NODE")) if release.starts_with('R') => 3,
            // CE, number, constant, node, component, factor, …
            (Some(_), Some(constant)) => {
                if real(constant.as_bytes()).is_some_and(|constant| constant != 0.0) {
                    return refuse("a constraint equation with a constant is not translated");
                }
                self.equations.push(Equation { at, terms: Vec::new() });
                3
            }
            _ => return refuse("expected a constraint equation"),
        };
        let Some(equation) = self.equations.last_mut() else {
            return refuse("there is no equation above it");
        };
        for term in words[first.min(words.len())..].chunks(3) {
            match (number(term, 0), term.get(1), value(term, 2)) {
                (Some(node), Some(label), Some(factor)) => equation.terms.push((node, label.clone(), factor)),
                _ if term.iter().all(String::is_empty) => {}
                _ => return refuse("expected a node, a component and a factor"),
            }
        }
        Ok(())
    }
}
