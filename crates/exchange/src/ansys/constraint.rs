//! CE, D and F: constraint equations, supports and forces; MPC184 rigid beams.

use std::collections::{BTreeMap, BTreeSet};

use pliant_diag::{Diagnostic, Span};

use super::Model;
use crate::sheet::{Field, fields};

/// Σ factor · component = 0.
pub(super) struct Equation {
    pub(super) at: Span,
    pub(super) terms: Vec<(u32, String, f64)>,
}

/// 1 to 6 of UX to ROTZ, or of FX to MZ.
fn component(label: &str) -> Option<u32> {
    let labels = ["UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ", "FX", "FY", "FZ", "MX", "MY", "MZ"];
    labels.iter().position(|known| *known == label).map(|k| k as u32 % 6 + 1)
}

impl Model {
    /// A node whose axes are turned, when a constraint or a force counts in them.
    fn turned(&mut self, node: u32, at: Span) -> bool {
        let Some(first) = self.rotated.get(&node).copied() else { return false };
        let message =
            format!("node {node} has axes of its own, in which this counts: that is not translated");
        self.draft.report(Diagnostic::error(message).at(at).related(first, "the node"));
        true
    }

    pub(super) fn write_constraints(&mut self) {
        for Equation { at, terms } in std::mem::take(&mut self.equations) {
            let mut row = vec![Field::Integer(1)];
            let mut good = !terms.is_empty();
            for (k, (node, label, factor)) in terms.iter().enumerate() {
                good &= !self.turned(*node, at);
                let Some(component) = component(label) else {
                    self.draft.error(at, format!("component {label} is not known"));
                    good = false;
                    break;
                };
                if k > 0 && k % 2 == 0 {
                    row.extend([Field::Blank, Field::Blank]);
                }
                row.extend(fields![*node, component, *factor]);
            }
            if good {
                self.card(at, "MPC", row);
            }
        }
        for (at, node, label, value) in std::mem::take(&mut self.supports) {
            let components = match label.as_str() {
                "ALL" => "123456".to_owned(),
                _ => component(&label).map(|c| c.to_string()).unwrap_or_default(),
            };
            if components.is_empty() {
                self.draft.error(at, format!("component {label} is not known"));
            } else if value != 0.0 {
                self.draft.error(at, "a prescribed displacement is not translated");
            } else if !self.turned(node, at) {
                self.card(at, "SPC1", fields![1, components.as_str(), node].to_vec());
            }
        }
        for (at, node, label, value) in std::mem::take(&mut self.forces) {
            let Some(component) = component(&label) else {
                self.draft.error(at, format!("component {label} is not known"));
                continue;
            };
            if !self.turned(node, at) {
                let mut direction = [0.0; 3];
                direction[(component as usize - 1) % 3] = 1.0;
                let [x, y, z] = direction;
                let card = if component > 3 { "MOMENT" } else { "FORCE" };
                self.card(at, card, fields![1, node, 0, value, x, y, z].to_vec());
            }
        }
    }

    /// Rigid beams that meet are one rigid body: an RBE2 whose independent grid is the node with the most of
    /// them.
    pub(super) fn rigid_beams(&mut self, beams: &[(u32, [u32; 2], Span)]) {
        let mut neighbours: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (_, [a, b], _) in beams {
            neighbours.entry(*a).or_default().insert(*b);
            neighbours.entry(*b).or_default().insert(*a);
        }
        let mut done: BTreeSet<u32> = BTreeSet::new();
        for (id, [start, _], at) in beams {
            if done.contains(start) {
                continue;
            }
            let mut body = vec![*start];
            done.insert(*start);
            let mut next = 0;
            while let Some(node) = body.get(next).copied() {
                next += 1;
                for other in neighbours.get(&node).into_iter().flatten() {
                    if done.insert(*other) {
                        body.push(*other);
                    }
                }
            }
            let degree = |node: &u32| neighbours.get(node).map_or(0, BTreeSet::len);
            let centre = body.iter().copied().max_by_key(|node| (degree(node), std::cmp::Reverse(*node)));
            let centre = centre.unwrap_or(*start);
            body.sort_unstable();
            let mut row = fields![*id, centre, "123456"].to_vec();
            row.extend(body.into_iter().filter(|node| *node != centre).map(Field::Integer));
            self.card(*at, "RBE2", row);
        }
    }
}
