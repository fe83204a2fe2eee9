//! Coordinate systems: chains of CORD1 and CORD2 cards down to the basic frame, with cycles reported.

use std::collections::HashMap;

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_mesh::{CoordId, CoordIndex, CoordinateKind, CoordinateSystem};

use super::Builder;
use crate::cards::Class;

/// How a card gives the origin, a point on the z axis and a point in the x–z plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CoordinateGiven {
    /// CORD1x: three grids.
    Grids([u32; 3]),
    /// CORD2x: three points in another system.
    Points { reference: u32, points: [[f64; 3]; 3] },
}

/// A CORD1x or CORD2x card.
#[derive(Clone, Debug)]
pub(super) struct CoordinateCard {
    id: u32,
    kind: CoordinateKind,
    given: CoordinateGiven,
    card: &'static str,
    span: Span,
    part: usize,
}

/// State of a system while chains are followed.
#[derive(Clone, Debug)]
enum Progress {
    Waiting,
    Open,
    Done(CoordinateSystem),
    Failed,
}

impl Builder {
    /// Takes a coordinate system in.
    pub(crate) fn add_coordinate(
        &mut self,
        id: u32,
        kind: CoordinateKind,
        given: CoordinateGiven,
        card: &'static str,
        span: Span,
    ) {
        self.coordinate_ids.insert(id);
        self.coordinate_cards.push(CoordinateCard { id, kind, given, card, span, part: self.part });
    }

    /// True when a card gives this system, good or bad; 0 is always there.
    pub(crate) fn is_coordinate(&self, id: u32) -> bool {
        id == 0 || self.coordinate_ids.contains(&id) || self.broken.contains(&(Class::Coordinate, id))
    }

    /// Resolves all systems to the basic frame and sorts them by number.
    pub(super) fn resolve_coordinates(&mut self, diagnostics: &mut Diagnostics) {
        let mut cards = std::mem::take(&mut self.coordinate_cards);
        cards.sort_by_key(|card| card.id);
        cards.dedup_by(|next, kept| {
            if next.id != kept.id {
                return false;
            }
            let same = next.kind == kept.kind && next.given == kept.given;
            if !(same && next.part != kept.part) {
                let problem = if same {
                    Diagnostic::note("given twice, with the same content")
                } else {
                    Diagnostic::error("this number is already taken, with other content")
                };
                let card = format!("{} {}", next.card, next.id);
                diagnostics.push(problem.at(next.span).card(card).related(kept.span, "first given here"));
            }
            true
        });
        let mut chains = Chains {
            builder: self,
            rows: cards.iter().enumerate().map(|(row, card)| (card.id, row)).collect(),
            progress: vec![Progress::Waiting; cards.len()],
            cards: &cards,
            diagnostics,
        };
        for row in 0..cards.len() {
            chains.resolve(row);
        }
        let progress = chains.progress;
        for (card, progress) in cards.iter().zip(progress) {
            if let Progress::Done(system) = progress {
                self.coordinates.insert(card.id, CoordIndex::from(self.mesh.coordinates.len()));
                self.mesh.coordinates.push(system);
            } else {
                self.mark_broken(Class::Coordinate, card.id);
            }
        }
    }
}

struct Chains<'a> {
    builder: &'a Builder,
    cards: &'a [CoordinateCard],
    rows: HashMap<u32, usize>,
    progress: Vec<Progress>,
    diagnostics: &'a mut Diagnostics,
}

impl Chains<'_> {
    /// Resolves a system and all it hangs on, with a stack of our own: a chain may be as long as the deck.
    fn resolve(&mut self, row: usize) {
        let mut stack = vec![row];
        while let Some(&row) = stack.last() {
            if matches!(self.progress[row], Progress::Done(_) | Progress::Failed) {
                stack.pop();
                continue;
            }
            self.progress[row] = Progress::Open;
            match self.needs(row) {
                Err(()) => self.progress[row] = Progress::Failed,
                Ok(Some(needed)) if matches!(self.progress[needed], Progress::Open) => {
                    let circle = stack.iter().position(|r| *r == needed).unwrap_or(0);
                    self.report_cycle(&stack[circle..]);
                    for open in stack.drain(circle..) {
                        self.progress[open] = Progress::Failed;
                    }
                }
                Ok(Some(needed)) => stack.push(needed),
                Ok(None) => {
                    self.progress[row] = self.frame(row).map_or(Progress::Failed, Progress::Done);
                }
            }
        }
    }

    /// A system that must be resolved before this one; `Err` when something it needs is missing or failed.
    fn needs(&mut self, row: usize) -> Result<Option<usize>, ()> {
        let card = &self.cards[row];
        let needed: Vec<(u32, u32, &str)> = match card.given {
            CoordinateGiven::Points { reference, .. } => vec![(reference, 3, "RID")],
            CoordinateGiven::Grids(grids) => {
                let mut needed = Vec::new();
                for (k, grid) in grids.into_iter().enumerate() {
                    let name = ["G1", "G2", "G3"][k];
                    match self.builder.given_position(grid) {
                        Some((frame, _)) => needed.push((frame, 3 + k as u32, name)),
                        None => {
                            if !self.builder.broken.contains(&(Class::Point, grid)) {
                                self.report(row, 3 + k as u32, name, format!("GRID {grid} does not exist"));
                            }
                            return Err(());
                        }
                    }
                }
                needed
            }
        };
        for (id, field, name) in needed {
            if id == 0 {
                continue;
            }
            match self.rows.get(&id) {
                None => {
                    if !self.builder.broken.contains(&(Class::Coordinate, id)) {
                        self.report(row, field, name, format!("coordinate system {id} does not exist"));
                    }
                    return Err(());
                }
                Some(&needed) => match self.progress[needed] {
                    Progress::Done(_) => {}
                    Progress::Failed => return Err(()),
                    Progress::Waiting | Progress::Open => return Ok(Some(needed)),
                },
            }
        }
        Ok(None)
    }

    fn system(&self, id: u32) -> CoordinateSystem {
        match self.rows.get(&id).map(|row| &self.progress[*row]) {
            Some(Progress::Done(system)) => system.clone(),
            _ => CoordinateSystem::basic(),
        }
    }

    /// Axes from origin A, a point B on the z axis and a point C in the x–z plane with x > 0:
    /// z = (B−A)/|B−A|, y = z×(C−A)/|…|, x = y×z.
    fn frame(&mut self, row: usize) -> Option<CoordinateSystem> {
        let card = &self.cards[row];
        let points: [Vector3<f64>; 3] = match card.given {
            CoordinateGiven::Points { reference, points } => {
                let reference = self.system(reference);
                points.map(|p| reference.point_to_basic(p.into()))
            }
            CoordinateGiven::Grids(grids) => grids.map(|grid| {
                let (frame, x) = self.builder.given_position(grid).unwrap_or_default();
                self.system(frame).point_to_basic(x)
            }),
        };
        let [a, b, c] = points;
        let z = b - a;
        let across = z.cross(&(c - a));
        let scale = z.norm() * (c - a).norm();
        if scale == 0.0 || across.norm() <= 1e-10 * scale {
            let what = if z.norm() == 0.0 {
                "origin A and the point B on the z axis coincide"
            } else {
                "the point C lies on the z axis, so that the x–z plane is not defined"
            };
            self.report(row, 4, "A, B, C", what.to_owned());
            return None;
        }
        let z = z.normalize();
        let y = across.normalize();
        Some(CoordinateSystem {
            id: CoordId(card.id),
            kind: card.kind,
            origin: a,
            axes: Matrix3::from_columns(&[y.cross(&z), y, z]),
            source: card.span.into(),
        })
    }

    fn report(&mut self, row: usize, field: u32, name: &str, message: String) {
        let card = &self.cards[row];
        let label = format!("{} {}", card.card, card.id);
        self.diagnostics.push(Diagnostic::error(message).at(card.span).card(label).field(field, name));
    }

    fn report_cycle(&mut self, circle: &[usize]) {
        let ids: Vec<String> =
            circle.iter().chain(circle.first()).map(|r| self.cards[*r].id.to_string()).collect();
        let card = &self.cards[circle[0]];
        let mut problem = Diagnostic::error(format!(
            "coordinate systems refer to each other in a circle: {}",
            ids.join(" → ")
        ))
        .at(card.span)
        .card(format!("{} {}", card.card, card.id));
        for row in &circle[1..] {
            problem = problem.related(self.cards[*row].span, "in the circle");
        }
        self.diagnostics.push(problem);
    }
}
