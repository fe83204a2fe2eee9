//! PLOAD, PLOAD1, PLOAD2, PLOAD4.

use pliant_diag::Severity;
use pliant_mesh::element::{ElementRef, SolidShape};
use pliant_mesh::{BarLoad, BarLoadScale, BarLoadType, LoadKind, NodeIndex, PressureFace};

use super::load::{add, three};
use super::{CardType, rest};
use crate::list::{IdList, IdRange};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] =
    &[rest("PLOAD", pload), rest("PLOAD1", pload1), rest("PLOAD2", pload2), rest("PLOAD4", pload4)];

/// ```text
/// | PLOAD | SID | P | G1 | G2 | G3 | G4 |
/// ```
fn pload(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let pressure = r.real(1, "P");
    let [g1, g2, g3] = [b.grid(r, 2, "G1"), b.grid(r, 3, "G2"), b.grid(r, 4, "G3")];
    let g4 = b.optional_grid(r, 5, "G4");
    let nodes = [g1?, g2?, g3?, g4?.unwrap_or(NodeIndex::NONE)];
    add(r, b, set?, LoadKind::PressureOnGrids { pressure: pressure?, nodes })
}

/// ```text
/// | PLOAD1 | SID | EID | TYPE | SCALE | X1 | P1 | X2 | P2 |
/// ```
/// TYPE: FX, FY, FZ, MX, MY, MZ in basic axes, with E behind them in element axes. X2 blank or equal to X1: a
/// concentrated load P1. P2 blank on a distributed load is zero, which is what MSC Nastran computes.
fn pload1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let id = r.id(1, "EID");
    let kind = r.word(2, "TYPE");
    let scale = r.word(3, "SCALE");
    let x1 = r.real(4, "X1");
    let p1 = r.real(5, "P1");
    let x2 = r.optional_real(6, "X2");
    let p2 = r.optional_real(7, "P2");
    let element = b.element_with_id(r, 1, "EID", id?)?;
    if !matches!(element, ElementRef::Bar(_)) {
        r.error(1, "EID", "PLOAD1 acts on CBAR and CBEAM only");
        return None;
    }
    let load_type = bar_load_type(&kind?).or_else(|| {
        r.error(2, "TYPE", "expected FX, FY, FZ, MX, MY, MZ, or one of them with E");
        None
    })?;
    let scale = match scale?.as_str() {
        "LE" => BarLoadScale::Length,
        "FR" => BarLoadScale::Fraction,
        "LEPR" => BarLoadScale::LengthProjected,
        "FRPR" => BarLoadScale::FractionProjected,
        _ => {
            r.error(3, "SCALE", "expected LE, FR, LEPR or FRPR");
            return None;
        }
    };
    let (x1, p1) = (x1?, p1?);
    let x2 = x2?.unwrap_or(x1);
    let p2 = p2?.unwrap_or(if x2 > x1 { 0.0 } else { p1 });
    if x1 < 0.0 || x2 < x1 {
        r.error(6, "X2", format!("the load runs from {x1} to {x2}; 0 ≤ X1 ≤ X2 is needed"));
        return None;
    }
    add(r, b, set?, LoadKind::Bar(BarLoad { element, load_type, scale, x1, p1, x2, p2 }))
}

fn bar_load_type(word: &str) -> Option<BarLoadType> {
    let (moment, axis, element_axes) = match word.as_bytes() {
        [kind @ (b'F' | b'M'), axis @ b'X'..=b'Z'] => (*kind == b'M', axis - b'X', false),
        [kind @ (b'F' | b'M'), axis @ b'X'..=b'Z', b'E'] => (*kind == b'M', axis - b'X', true),
        _ => return None,
    };
    Some(BarLoadType { moment, axis: usize::from(axis), element_axes })
}

/// ```text
/// | PLOAD2 | SID | P | EID1 | EID2 | … |      | PLOAD2 | SID | P | EID1 | THRU | EID2 |
/// ```
fn pload2(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let pressure = r.real(1, "P");
    let list = r.id_list(2, "EID");
    let elements = b.elements_of(r, 2, "EID", &list?)?;
    let (set, pressure) = (set?, pressure?);
    for element in elements {
        if !matches!(element, ElementRef::Shell(_) | ElementRef::ShearPanel(_)) {
            r.error(2, "EID", "PLOAD2 acts on shells only");
            return None;
        }
        let pressures = [pressure; 4];
        let kind = LoadKind::Pressure { element, pressures, face: PressureFace::Shell, direction: None };
        add(r, b, set, kind)?;
    }
    Some(())
}

/// ```text
/// | PLOAD4 | SID | EID | P1 | P2 | P3 | P4   | G1   | G3/G4 |
/// | PLOAD4 | SID | EID | P1 | P2 | P3 | P4   | THRU | EID2  |
/// |        | CID | N1  | N2 | N3 | SORL | LDIR |
/// ```
/// P2 to P4 blank: P1. G1 and G3 are diagonal corners of a quadrilateral face of a solid; a triangular face
/// is named by G1 alone, for CTETRA with the corner G4 that is not on it.
fn pload4(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let id = r.id(1, "EID");
    let p1 = r.real_or(2, "P1", 0.0);
    let [p2, p3, p4] = [(3, "P2"), (4, "P3"), (5, "P4")].map(|(slot, name)| r.optional_real(slot, name));
    let p1 = p1?;
    let pressures = [p1, p2?.unwrap_or(p1), p3?.unwrap_or(p1), p4?.unwrap_or(p1)];
    let frame = b.frame(r, 8, "CID");
    let n = three(r, 9, ["N1", "N2", "N3"]);
    line_load_words(r)?;
    let (set, id, frame, n) = (set?, id?, frame?, n?);
    let elements = if r.is_word(6, "THRU") {
        let last = r.id(7, "EID2")?;
        if last < id {
            r.error(7, "EID2", format!("{id} THRU {last} runs backwards"));
            return None;
        }
        let list = IdList { ranges: vec![IdRange { first: id, last, step: 1 }], ..IdList::default() };
        b.elements_of(r, 1, "EID", &list)?
    } else {
        vec![b.element_with_id(r, 1, "EID", id)?]
    };
    let direction = if n.norm() == 0.0 { None } else { Some(n) };
    for element in elements {
        let face = face(r, b, element)?;
        let centre = element_centre(b, element);
        let direction = direction.map(|n| b.turned_from_frame(frame, centre, n).normalize());
        add(r, b, set, LoadKind::Pressure { element, pressures, face, direction })?;
    }
    Some(())
}

/// SORL and LDIR: only surface loads along N or the normal are supported.
fn line_load_words(r: &mut Reader<'_>) -> Option<()> {
    for (slot, name, plain) in [(12, "SORL", "SURF"), (13, "LDIR", "NORM")] {
        let word = r.optional_word(slot, name)?;
        if let Some(word) = word.filter(|word| word != plain) {
            let problem = r
                .problem(Severity::Error, slot, name, format!("`{word}` is not supported"))
                .hint("line loads on edges must be given as forces");
            r.report(problem);
            return None;
        }
    }
    Some(())
}

fn face(r: &mut Reader<'_>, b: &Builder, element: ElementRef) -> Option<PressureFace> {
    let row = match element {
        ElementRef::Shell(_) | ElementRef::ShearPanel(_) => return Some(PressureFace::Shell),
        ElementRef::Solid(row) => row as usize,
        _ => {
            r.error(1, "EID", "PLOAD4 acts on shells and solids only");
            return None;
        }
    };
    let solid = &b.mesh.solids[row];
    let corners = &b.mesh.nodes_of_solid(solid)[..solid.shape.corner_count()];
    if r.is_word(6, "THRU") {
        r.error(6, "G1", "THRU is for shells; a solid needs the corners G1 and G3 or G4 of its face");
        return None;
    }
    let g1 = b.grid(r, 6, "G1");
    let second = b.optional_grid(r, 7, "G3/G4");
    let (g1, second) = (g1?, second?);
    for (slot, name, node) in [(6, "G1", Some(g1)), (7, "G3/G4", second)] {
        if let Some(node) = node.filter(|node| !corners.contains(node)) {
            let id = b.mesh.nodes[node.index()].id;
            r.error(slot, name, format!("GRID {id} is not a corner of {} {}", solid.shape.card(), solid.id));
            return None;
        }
    }
    match (solid.shape, second) {
        (SolidShape::Tetra4 | SolidShape::Tetra10, Some(_)) => Some(PressureFace::Corner(g1, second)),
        (SolidShape::Tetra4 | SolidShape::Tetra10, None) => {
            r.error(7, "G4", "a CTETRA face needs the corner G4 that is not on it");
            None
        }
        (SolidShape::Hexa8 | SolidShape::Hexa20, None) => {
            r.error(7, "G3", "a CHEXA face needs two diagonal corners G1 and G3");
            None
        }
        (_, Some(g3)) => Some(PressureFace::Diagonal(g1, g3)),
        (_, None) => Some(PressureFace::Corner(g1, None)),
    }
}

fn element_centre(b: &Builder, element: ElementRef) -> nalgebra::Vector3<f64> {
    let nodes: &[NodeIndex] = match element {
        ElementRef::Shell(row) => b.mesh.nodes_of_shell(&b.mesh.shells[row as usize]),
        ElementRef::Solid(row) => b.mesh.nodes_of_solid(&b.mesh.solids[row as usize]),
        _ => &[],
    };
    let corners: Vec<_> = nodes.iter().filter(|n| n.is_some()).map(|n| b.position(*n)).collect();
    corners.iter().sum::<nalgebra::Vector3<f64>>() / corners.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, deck_from_cards, read_cards_from};

    /// MSC Nastran's answers to a PLOAD1 with X2 and without P2 are those of a load that falls to zero.
    #[test]
    fn a_blank_p2_is_zero_on_a_distributed_load() {
        let deck = "GRID,1\nGRID,2,,1.\nMAT1,1,7.e10,,.3\nPBAR,1,1,1.,1.,1.,1.\nCBAR,3,1,1,2,0.,1.,0.\n\
            PLOAD1,1,3,FY,FR,.5,10.,1.\nPLOAD1,2,3,FY,FR,.5,10.\nPLOAD1,3,3,FY,FR,.5,10.,1.,4.\n";
        let read = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!());
        let mesh = deck_from_cards(read, &Options::default()).output.mesh;
        let found: Vec<_> = mesh
            .loads
            .iter()
            .filter_map(|load| match &load.kind {
                LoadKind::Bar(bar) => Some([bar.x1, bar.p1, bar.x2, bar.p2]),
                _ => None,
            })
            .collect();
        assert_eq!(found, [[0.5, 10.0, 1.0, 0.0], [0.5, 10.0, 0.5, 10.0], [0.5, 10.0, 1.0, 4.0]]);
    }
}
