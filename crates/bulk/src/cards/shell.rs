//! CQUAD4, CQUADR, CTRIA3, CTRIAR, CQUAD8, CTRIA6, CSHEAR.

use pliant_mesh::element::{MaterialDirection, ShearPanel, Shell, ShellShape};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{ElementId, NodeIndex, PropertyIndex};

use super::{CardType, element};
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    element("CQUAD4", |r, b| shell(r, b, ShellShape::Quad4, &QUAD4)),
    element("CQUADR", |r, b| shell(r, b, ShellShape::QuadR, &QUAD4)),
    element("CTRIA3", |r, b| shell(r, b, ShellShape::Tria3, &TRIA3)),
    element("CTRIAR", |r, b| shell(r, b, ShellShape::TriaR, &TRIA3)),
    element("CQUAD8", |r, b| shell(r, b, ShellShape::Quad8, &QUAD8)),
    element("CTRIA6", |r, b| shell(r, b, ShellShape::Tria6, &TRIA6)),
    element("CSHEAR", cshear),
];

/// Slots of a shell card behind its grids.
struct Layout {
    theta: usize,
    offset: usize,
    flag: usize,
    thickness: usize,
}

/// ```text
/// | CQUAD4 | EID | PID   | G1 | G2 | G3 | G4 | THETA/MCID | ZOFFS |      CQUADR the same
/// |        |     | TFLAG | T1 | T2 | T3 | T4 |
/// ```
const QUAD4: Layout = Layout { theta: 6, offset: 7, flag: 9, thickness: 10 };

/// ```text
/// | CTRIA3 | EID | PID   | G1 | G2 | G3 | THETA/MCID | ZOFFS |  |      CTRIAR the same
/// |        |     | TFLAG | T1 | T2 | T3 |
/// ```
const TRIA3: Layout = Layout { theta: 5, offset: 6, flag: 9, thickness: 10 };

/// ```text
/// | CQUAD8 | EID   | PID | G1 | G2 | G3 | G4 | G5         | G6    |
/// |        | G7    | G8  | T1 | T2 | T3 | T4 | THETA/MCID | ZOFFS |
/// |        | TFLAG |
/// ```
const QUAD8: Layout = Layout { theta: 14, offset: 15, flag: 16, thickness: 10 };

/// ```text
/// | CTRIA6 | EID        | PID   | G1 | G2 | G3 | G4    | G5 | G6 |
/// |        | THETA/MCID | ZOFFS | T1 | T2 | T3 | TFLAG |
/// ```
const TRIA6: Layout = Layout { theta: 8, offset: 9, flag: 13, thickness: 10 };

const GRID_NAMES: [&str; 8] = ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8"];
const THICKNESS_NAMES: [&str; 4] = ["T1", "T2", "T3", "T4"];

/// All shells: PID blank is EID; an integer for THETA is MCID; mid-side grids may be left out; TFLAG = 1
/// makes Ti fractions of the property's thickness.
fn shell(r: &mut Reader<'_>, b: &mut Builder, shape: ShellShape, layout: &Layout) -> Option<()> {
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[Family::Shell]);
    let mut nodes = [NodeIndex::NONE; 8];
    let mut good = true;
    for k in 0..shape.node_count() {
        let slot = 2 + k;
        let left_out = k >= shape.corner_count() && (r.is_blank(slot) || r.fields().get(slot).text == b"0");
        if !left_out {
            match b.grid(r, slot, GRID_NAMES[k]) {
                Some(node) => nodes[k] = node,
                None => good = false,
            }
        }
    }
    let direction = direction(r, b, layout.theta);
    let offset = r.optional_real(layout.offset, "ZOFFS");
    let thickness = corner_thickness(r, b, shape, layout, property);
    if !good {
        return None;
    }
    let first_node = b.mesh.shell_nodes.len() as u32;
    let shell = Shell {
        id: ElementId(id?),
        shape,
        property: property?,
        first_node,
        material_direction: direction?,
        offset: offset?,
        corner_thickness: thickness?,
        source: r.span().into(),
    };
    b.mesh.shells.push(shell);
    b.mesh.shell_nodes.extend_from_slice(&nodes[..shape.node_count()]);
    Some(())
}

/// THETA (real, degrees) or MCID (integer).
fn direction(r: &mut Reader<'_>, b: &Builder, slot: usize) -> Option<MaterialDirection> {
    if r.is_blank(slot) {
        return Some(MaterialDirection::Angle(0.0));
    }
    if r.is_integer(slot) {
        return b.frame(r, slot, "MCID").map(MaterialDirection::Frame);
    }
    r.real(slot, "THETA").map(MaterialDirection::Angle)
}

fn corner_thickness(
    r: &mut Reader<'_>,
    b: &Builder,
    shape: ShellShape,
    layout: &Layout,
    property: Option<PropertyIndex>,
) -> Option<[Option<f64>; 4]> {
    let mut thickness = [None; 4];
    // Most shells have no continuation at all.
    if r.len() <= layout.thickness.min(layout.flag) {
        return Some(thickness);
    }
    let mut good = true;
    for k in 0..shape.corner_count() {
        match r.optional_real(layout.thickness + k, THICKNESS_NAMES[k]) {
            Some(Some(t)) if t < 0.0 => {
                r.error(
                    layout.thickness + k,
                    THICKNESS_NAMES[k],
                    format!("a thickness must not be negative, found {t}"),
                );
                good = false;
            }
            Some(t) => thickness[k] = t,
            None => good = false,
        }
    }
    let flag = r.integer_or(layout.flag, "TFLAG", 0)?;
    match flag {
        0 => {}
        1 => {
            let own = property.and_then(|p| match &b.mesh.properties[p.index()].kind {
                PropertyKind::Shell(shell) => shell.thickness,
                _ => None,
            });
            match own {
                Some(own) => thickness = thickness.map(|t| t.map(|t| t * own)),
                None if thickness.iter().any(Option::is_some) && property.is_some() => {
                    r.error(layout.flag, "TFLAG", "1 needs a PSHELL with a thickness to be a fraction of");
                    good = false;
                }
                None => {}
            }
        }
        _ => {
            r.error(layout.flag, "TFLAG", format!("expected 0 or 1, found {flag}"));
            good = false;
        }
    }
    good.then_some(thickness)
}

/// ```text
/// | CSHEAR | EID | PID | G1 | G2 | G3 | G4 |
/// ```
fn cshear(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[Family::Shear]);
    let nodes = [0, 1, 2, 3].map(|k| b.grid(r, 2 + k, GRID_NAMES[k]));
    let [g1, g2, g3, g4] = nodes;
    b.mesh.shear_panels.push(ShearPanel {
        id: ElementId(id?),
        property: property?,
        nodes: [g1?, g2?, g3?, g4?],
        source: r.span().into(),
    });
    Some(())
}
