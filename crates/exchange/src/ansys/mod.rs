//! Ansys `.cdb`, as CDWRITE writes it (Ansys Mechanical APDL Command Reference: NBLOCK, EBLOCK, ET, MP,
//! MPDATA, R, SECTYPE, SECDATA, SECBLOCK, CMBLOCK, CE, CP, D, F; Element Reference for the order of nodes).

mod block;
mod command;
mod constraint;
mod element;
mod property;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pliant_diag::{Diagnostic, FileId, Span};

use crate::Translation;
use crate::draft::Draft;
use crate::input::Lines;
use crate::sheet::Field;

pub(crate) fn translate(path: &Path, bytes: Vec<u8>, file: FileId) -> Translation {
    let mut model = Model::default();
    let mut lines = Lines::new(&bytes, file);
    while let Some(line) = lines.next() {
        model.line(&line, &mut lines);
    }
    model.finish(Span::new(file, 0, 0));
    model.draft.finish(vec![(path.to_owned(), bytes)])
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// An element as EBLOCK gives it.
struct RawElement {
    id: u32,
    material: u32,
    kind: u32,
    real: u32,
    section: u32,
    nodes: Vec<u32>,
    at: Span,
}

/// A card that is written behind the case control.
struct Card {
    at: Span,
    name: &'static str,
    fields: Vec<Field>,
}

#[derive(Default)]
struct Model {
    draft: Draft,
    /// Number of the element and key options by number of the type.
    types: BTreeMap<u32, (u32, Span)>,
    key_options: BTreeMap<(u32, u32), i64>,
    elements: Vec<RawElement>,
    /// Values by material and label.
    materials: BTreeMap<u32, (Span, BTreeMap<String, f64>)>,
    reals: BTreeMap<u32, Vec<f64>>,
    sections: BTreeMap<u32, property::Section>,
    /// The section whose data follow.
    open_section: Option<u32>,
    open_real: Option<u32>,
    /// Element components: name, location, numbers.
    element_components: Vec<(String, Span, Vec<u32>)>,
    equations: Vec<constraint::Equation>,
    supports: Vec<(Span, u32, String, f64)>,
    forces: Vec<(Span, u32, String, f64)>,
    /// Whether a node has axes of its own.
    rotated: BTreeMap<u32, Span>,
    cards: Vec<Card>,
    /// Of nodes, where beams need them.
    positions: std::collections::HashMap<u32, [f64; 3]>,
    /// Commands without effect on the link.
    unused: BTreeSet<String>,
}

impl Model {
    fn card(&mut self, at: Span, name: &'static str, fields: Vec<Field>) {
        self.cards.push(Card { at, name, fields });
    }

    /// Everything is read.
    fn finish(&mut self, start: Span) {
        if self.draft.nodes.is_empty() && !self.draft.diagnostics.has_errors() {
            self.draft.report(
                Diagnostic::error("there is no node: no NBLOCK was found")
                    .at(start)
                    .hint("CDWRITE,DB writes a file with all nodes and elements"),
            );
        }
        self.write_elements();
        self.write_constraints();
        let has = |name: &str| self.cards.iter().any(|card| card.name == name);
        let selects = [
            (has("SPC") || has("SPC1"), "SPC = 1"),
            (has("MPC"), "MPC = 1"),
            (has("FORCE") || has("MOMENT"), "LOAD = 1"),
        ];
        let sheet = &mut self.draft.sheet;
        if selects.iter().any(|(given, _)| *given) {
            sheet.line(start, "SOL 101");
            sheet.line(start, "CEND");
            for (_, line) in selects.iter().filter(|(given, _)| *given) {
                sheet.line(start, line);
            }
            sheet.line(start, "BEGIN BULK");
        }
        for card in std::mem::take(&mut self.cards) {
            sheet.card(card.at, card.name, &card.fields);
        }
        if !self.unused.is_empty() {
            let names: Vec<&str> = self.unused.iter().map(String::as_str).collect();
            let message = format!("commands without effect on the link: {}", names.join(", "));
            self.draft.report(Diagnostic::note(message).at(start));
        }
    }
}
