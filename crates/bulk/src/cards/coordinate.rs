//! CORD1R, CORD1C, CORD1S, CORD2R, CORD2C, CORD2S.

use pliant_mesh::CoordinateKind;

use super::{CardType, Class, Stage, card};
use crate::resolve::{Builder, CoordinateGiven};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    card("CORD1R", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_grids(r, b, "CORD1R", CoordinateKind::Rectangular)
    }),
    card("CORD1C", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_grids(r, b, "CORD1C", CoordinateKind::Cylindrical)
    }),
    card("CORD1S", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_grids(r, b, "CORD1S", CoordinateKind::Spherical)
    }),
    card("CORD2R", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_points(r, b, "CORD2R", CoordinateKind::Rectangular)
    }),
    card("CORD2C", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_points(r, b, "CORD2C", CoordinateKind::Cylindrical)
    }),
    card("CORD2S", Stage::Coordinates, Class::Coordinate, |r, b| {
        by_points(r, b, "CORD2S", CoordinateKind::Spherical)
    }),
];

/// ```text
/// | CORD1R | CIDA | G1A | G2A | G3A | CIDB | G1B | G2B | G3B |
/// ```
/// Origin, a grid on the z axis, a grid in the x–z plane; one card may define two systems.
fn by_grids(r: &mut Reader<'_>, b: &mut Builder, card: &'static str, kind: CoordinateKind) -> Option<()> {
    for first in [0, 4] {
        if first == 4 && r.is_blank(4) {
            continue;
        }
        let id = r.id(first, "CID");
        let grids = [r.id(first + 1, "G1"), r.id(first + 2, "G2"), r.id(first + 3, "G3")];
        let [g1, g2, g3] = grids;
        b.add_coordinate(id?, kind, CoordinateGiven::Grids([g1?, g2?, g3?]), card, r.span());
    }
    Some(())
}

/// ```text
/// | CORD2R | CID | RID | A1 | A2 | A3 | B1 | B2 | B3 |
/// |        | C1  | C2  | C3 |
/// ```
/// Origin A, a point B on the z axis, a point C in the x–z plane, all in system RID.
fn by_points(r: &mut Reader<'_>, b: &mut Builder, card: &'static str, kind: CoordinateKind) -> Option<()> {
    const NAMES: [&str; 9] = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
    let id = r.id(0, "CID");
    let reference = r.integer_or(1, "RID", 0);
    let mut x = [None; 9];
    for (k, name) in NAMES.iter().enumerate() {
        x[k] = r.real_or(2 + k, name, 0.0);
    }
    let id = id?;
    let Ok(reference) = u32::try_from(reference?) else {
        r.error(1, "RID", "expected the number of a coordinate system");
        return None;
    };
    let [a1, a2, a3, b1, b2, b3, c1, c2, c3] = x;
    let points = [[a1?, a2?, a3?], [b1?, b2?, b3?], [c1?, c2?, c3?]];
    b.add_coordinate(id, kind, CoordinateGiven::Points { reference, points }, card, r.span());
    Some(())
}
