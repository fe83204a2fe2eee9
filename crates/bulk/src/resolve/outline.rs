//! Bars and shells that only draw the edges and faces of solids.
//!
//! A mesh generator that is not asked otherwise writes the mesh of every curve and surface beside that of the
//! volume: Gmsh without physical groups writes CBAR, CTRIA3 and CQUAD4 whose PID is the number of the curve
//! or surface. No property stands behind it, or only by chance that of a volume with the same number. They
//! are no structure and are left out, with one note.

use std::collections::{BTreeMap, HashSet};

use pliant_diag::{Diagnostic, Span};
use pliant_mesh::element::SolidShape;

use crate::card::Card;
use crate::field::FieldBuffer;
use crate::number::parse_integer;
use crate::read::CardFile;

/// Slot of the first grid on the card of an element.
const FIRST_GRID: usize = 2;

/// Corners of a card that may be an outline; `None` for cards that mesh generators do not use for it.
fn corner_count(card: &str) -> Option<usize> {
    match card {
        "CBAR" => Some(2),
        "CTRIA3" | "CTRIA6" => Some(3),
        "CQUAD4" | "CQUAD8" => Some(4),
        _ => None,
    }
}

/// The shape whose corners the card of a solid begins with.
fn solid_shape(card: &str) -> Option<SolidShape> {
    match card {
        "CTETRA" => Some(SolidShape::Tetra4),
        "CPYRAM" => Some(SolidShape::Pyramid5),
        "CPENTA" => Some(SolidShape::Penta6),
        "CHEXA" => Some(SolidShape::Hexa8),
        _ => None,
    }
}

/// True for a card that may be an outline.
pub(super) fn may_be(card: &str) -> bool {
    corner_count(card).is_some()
}

/// True for the card of a solid.
pub(super) fn is_solid(card: &str) -> bool {
    solid_shape(card).is_some()
}

/// Grids of an edge or face in ascending order, zeros first.
type Corners = [u32; 4];

/// For each of some cards, whether it lies on an edge or face of a solid card of the file.
pub(super) fn on_solids(file: &CardFile, cards: &[&Card]) -> Vec<bool> {
    let mut buffer = FieldBuffer::new();
    let mut grids = |card: &Card, count: usize, into: &mut Vec<u32>| {
        let fields = file.fields(card, &mut buffer);
        into.clear();
        into.extend((0..count).filter_map(|k| {
            let id = parse_integer(fields.get(FIRST_GRID + k).text)?;
            u32::try_from(id).ok().filter(|id| *id > 0)
        }));
        into.len() == count
    };
    let mut own = Vec::new();
    let wanted: Vec<Option<Corners>> = cards
        .iter()
        .map(|card| {
            let count = corner_count(card.name())?;
            grids(card, count, &mut own).then(|| sorted(own.iter().copied()))
        })
        .collect();
    let marked: HashSet<u32> = wanted.iter().flatten().flatten().copied().filter(|id| *id > 0).collect();
    let mut of_solids: HashSet<Corners> = HashSet::new();
    for card in &file.cards {
        let Some(shape) = solid_shape(card.name()) else { continue };
        if !grids(card, shape.corner_count(), &mut own)
            || own.iter().filter(|id| marked.contains(id)).count() < 2
        {
            continue;
        }
        let edges = shape.edges().iter().map(|edge| &edge[..]);
        for part in edges.chain(shape.faces().iter().copied()) {
            if part.iter().all(|corner| marked.contains(&own[*corner])) {
                of_solids.insert(sorted(part.iter().map(|corner| own[*corner])));
            }
        }
    }
    wanted.iter().map(|corners| corners.is_some_and(|corners| of_solids.contains(&corners))).collect()
}

fn sorted(ids: impl Iterator<Item = u32>) -> Corners {
    let mut corners = [0; 4];
    for (corner, id) in corners.iter_mut().zip(ids) {
        *corner = id;
    }
    corners.sort_unstable();
    corners
}

/// The note about cards that were left out, and how many of each name there are.
pub(super) fn note(left_out: &[&Card]) -> Option<(Diagnostic, BTreeMap<String, usize>)> {
    let first: Span = left_out.first()?.span();
    let mut counts = BTreeMap::new();
    for card in left_out {
        *counts.entry(card.name().to_owned()).or_insert(0) += 1;
    }
    let list: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let note = Diagnostic::note(format!(
        "{} that only draw edges and faces of solids, without a property of their own, are left out",
        list.join(", ")
    ))
    .at(first)
    .hint("a mesh generator wrote them beside the solids; where they are structure, give them a PBAR or PSHELL with a number of its own");
    Some((note, counts))
}
