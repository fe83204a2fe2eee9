//! CTETRA, CPYRAM, CPENTA, CHEXA, PSOLID.

use pliant_mesh::element::{Solid, SolidShape};
use pliant_mesh::property::{PropertyKind, SolidIntegration, SolidProperty};
use pliant_mesh::{CoordIndex, ElementId, MaterialLaw, NodeIndex};

use super::{CardType, element, property};
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    element("CTETRA", |r, b| solid(r, b, SolidShape::Tetra4, SolidShape::Tetra10)),
    element("CPYRAM", |r, b| solid(r, b, SolidShape::Pyramid5, SolidShape::Pyramid13)),
    element("CPENTA", |r, b| solid(r, b, SolidShape::Penta6, SolidShape::Penta15)),
    element("CHEXA", |r, b| solid(r, b, SolidShape::Hexa8, SolidShape::Hexa20)),
    property("PSOLID", psolid),
];

const GRID_NAMES: [&str; 20] = [
    "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14", "G15", "G16",
    "G17", "G18", "G19", "G20",
];

/// ```text
/// | CTETRA | EID | PID | G1 | G2 | G3 | G4 | G5 | G6 |      4 or 10 grids; CPYRAM 5 or 13, CPENTA 6 or 15,
/// |        | G7  | G8  | G9 | G10 |                         CHEXA 8 or 20, in the same way
/// ```
/// PID blank is EID. With any mid-side grid the element is quadratic, and the others may be left out (blank
/// or 0).
fn solid(r: &mut Reader<'_>, b: &mut Builder, linear: SolidShape, quadratic: SolidShape) -> Option<()> {
    let corners = linear.corner_count();
    let given = r.len().saturating_sub(2);
    let is_quadratic = given > corners
        && (2 + corners..r.len()).any(|slot| !matches!(r.fields().get(slot).text, b"" | b"0"));
    let shape = if is_quadratic { quadratic } else { linear };
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[Family::Solid]);
    let first_node = b.mesh.solid_nodes.len();
    let mut good = true;
    for (k, name) in GRID_NAMES.iter().enumerate().take(shape.node_count()) {
        let slot = 2 + k;
        let left_out = k >= corners && matches!(r.fields().get(slot).text, b"" | b"0");
        let node = if left_out { Some(NodeIndex::NONE) } else { b.grid(r, slot, name) };
        good &= node.is_some();
        b.mesh.solid_nodes.push(node.unwrap_or(NodeIndex::NONE));
    }
    if given > shape.node_count() && is_quadratic {
        let slot = 2 + shape.node_count();
        r.error(slot, "", format!("a {} has at most {} grids", r.name(), shape.node_count()));
        good = false;
    }
    match (good, id, property) {
        (true, Some(id), Some(property)) => {
            b.mesh.solids.push(Solid {
                id: ElementId(id),
                shape,
                property,
                first_node: first_node as u32,
                source: r.span().into(),
            });
            Some(())
        }
        _ => {
            b.mesh.solid_nodes.truncate(first_node);
            None
        }
    }
}

/// ```text
/// | PSOLID | PID | MID | CORDM | IN | STRESS | ISOP | FCTN |
/// ```
/// CORDM: blank or 0 basic frame, −1 element frame. IN = BUBBLE, 0 or blank: the default element; 2 or 3
/// points: full integration with ISOP = FULL or 1, else reduced shear.
fn psolid(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let fits =
        |law: &MaterialLaw| matches!(law, MaterialLaw::Isotropic { .. } | MaterialLaw::Anisotropic3d { .. });
    let material = b.material_of(r, 1, "MID", "MAT1 or MAT9", fits);
    let material_frame = match r.integer_or(2, "CORDM", 0) {
        Some(-1) => Some(None),
        Some(0) => Some(Some(CoordIndex::BASIC)),
        Some(frame) => b.frame_with_id(r, 2, "CORDM", frame).map(Some),
        None => None,
    };
    let card_fields =
        [3, 4, 5, 6].map(|slot| String::from_utf8_lossy(r.fields().get(slot).text).to_ascii_uppercase());
    let [points, _, scheme, function] = &card_fields;
    let integration = match (points.as_str(), scheme.as_str()) {
        ("" | "0" | "BUBBLE", _) => Some(SolidIntegration::Default),
        ("1" | "2" | "3" | "TWO" | "THREE", "1" | "FULL") => Some(SolidIntegration::Full),
        ("1" | "2" | "3" | "TWO" | "THREE", _) => Some(SolidIntegration::Reduced),
        _ => {
            r.error(3, "IN", format!("`{points}` is not an integration scheme; use BUBBLE, TWO or THREE"));
            None
        }
    };
    if !matches!(function.as_str(), "" | "SMECH") {
        r.error(6, "FCTN", format!("`{function}` elements are not structural; only SMECH is supported"));
        return None;
    }
    let solid = SolidProperty { material_frame: material_frame?, integration: integration?, card_fields };
    b.add_property(r, id?, PropertyKind::Solid(material?, solid));
    Some(())
}
