//! CELAS1–4, CMASS1–4, CDAMP1–4, CVISC, PLOTEL, PELAS, PMASS, PDAMP, PVISC.

use pliant_mesh::element::{
    PlotElement, ScalarConnection, ScalarDamper, ScalarMass, ScalarSpring, ScalarValue, ViscousRod,
};
use pliant_mesh::property::{DamperProperty, MassProperty, PropertyKind, SpringProperty, ViscousProperty};
use pliant_mesh::{Component, ElementId, NodeKind};

use super::{CardType, element, property};
use crate::field::Fields;
use crate::number::parse_integer;
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    element("CELAS1", |r, b| spring(r, b, Value::Property, Ends::Components)),
    element("CELAS2", |r, b| spring(r, b, Value::Own, Ends::Components)),
    element("CELAS3", |r, b| spring(r, b, Value::Property, Ends::ScalarPoints)),
    element("CELAS4", |r, b| spring(r, b, Value::Own, Ends::ScalarPoints)),
    element("CMASS1", |r, b| mass(r, b, Value::Property, Ends::Components)),
    element("CMASS2", |r, b| mass(r, b, Value::Own, Ends::Components)),
    element("CMASS3", |r, b| mass(r, b, Value::Property, Ends::ScalarPoints)),
    element("CMASS4", |r, b| mass(r, b, Value::Own, Ends::ScalarPoints)),
    element("CDAMP1", |r, b| damper(r, b, Value::Property, Ends::Components)),
    element("CDAMP2", |r, b| damper(r, b, Value::Own, Ends::Components)),
    element("CDAMP3", |r, b| damper(r, b, Value::Property, Ends::ScalarPoints)),
    element("CDAMP4", |r, b| damper(r, b, Value::Own, Ends::ScalarPoints)),
    element("CVISC", cvisc),
    element("PLOTEL", plotel),
    property("PELAS", pelas),
    property("PMASS", pmass),
    property("PDAMP", pdamp),
    property("PVISC", pvisc),
];

/// True for elements between scalar points: a point that they name need not be given by an SPOINT.
pub(crate) fn defines_scalar_points(name: &str) -> bool {
    matches!(name, "CELAS3" | "CELAS4" | "CMASS3" | "CMASS4" | "CDAMP3" | "CDAMP4")
}

/// Takes the scalar points in that such an element names. What is wrong with the card is reported when it is
/// read.
pub(crate) fn implicit_points(fields: &Fields<'_>, b: &mut Builder) {
    for slot in [2, 3] {
        let field = fields.get(slot);
        if let Some(id) = parse_integer(field.text).and_then(|id| u32::try_from(id).ok()).filter(|id| *id > 0)
        {
            b.add_implicit_point(id, field.span);
        }
    }
}

/// Where the value of a scalar element stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Property,
    Own,
}

/// How the ends of a scalar element are given.
#[derive(Clone, Copy)]
enum Ends {
    /// G1 C1 G2 C2.
    Components,
    /// S1 S2.
    ScalarPoints,
}

/// ```text
/// | CELAS1 | EID | PID | G1 | C1 | G2 | C2 |            CMASS1, CDAMP1 the same
/// | CELAS2 | EID | K   | G1 | C1 | G2 | C2 | GE | S |   CMASS2, CDAMP2 without GE and S
/// | CELAS3 | EID | PID | S1 | S2 |                      CMASS3, CDAMP3 the same
/// | CELAS4 | EID | K   | S1 | S2 |                      CMASS4, CDAMP4 the same
/// ```
/// A blank or 0 grid is the ground. PID blank is EID.
fn scalar(
    r: &mut Reader<'_>,
    b: &mut Builder,
    value: Value,
    ends: Ends,
    family: Family,
    name: &str,
) -> Option<(u32, ScalarValue, [ScalarConnection; 2])> {
    let id = r.id(0, "EID");
    let value = match value {
        Value::Property => b.property(r, 1, id, &[family]).map(ScalarValue::Property),
        Value::Own => r.real(1, name).map(ScalarValue::Own),
    };
    let ends = match ends {
        Ends::Components => [end(r, b, 2, Some(3), "G1", "C1"), end(r, b, 4, Some(5), "G2", "C2")],
        Ends::ScalarPoints => [end(r, b, 2, None, "S1", ""), end(r, b, 3, None, "S2", "")],
    };
    let [first, second] = ends;
    let ends = [first?, second?];
    if ends == [ScalarConnection::Ground; 2] {
        r.error(2, "G1", "both ends are the ground");
        return None;
    }
    Some((id?, value?, ends))
}

fn end(
    r: &mut Reader<'_>,
    b: &Builder,
    grid: usize,
    component: Option<usize>,
    grid_name: &str,
    component_name: &str,
) -> Option<ScalarConnection> {
    if matches!(r.fields().get(grid).text, b"" | b"0") {
        return Some(ScalarConnection::Ground);
    }
    let node = b.node(r, grid, grid_name)?;
    let component = match component {
        Some(slot) => b.component_of(r, slot, component_name, node)?,
        None if b.mesh.nodes[node.index()].kind == NodeKind::Grid => {
            let id = b.mesh.nodes[node.index()].id;
            r.error(grid, grid_name, format!("{id} is a GRID, a scalar point is needed"));
            return None;
        }
        None => Component::from_row(0),
    };
    Some(ScalarConnection::Dof(node, component))
}

fn spring(r: &mut Reader<'_>, b: &mut Builder, value: Value, ends: Ends) -> Option<()> {
    let common = scalar(r, b, value, ends, Family::Spring, "K");
    let own = value == Value::Own && matches!(ends, Ends::Components);
    let damping = if own { r.real_or(6, "GE", 0.0) } else { Some(0.0) };
    let stress = if own { r.real_or(7, "S", 0.0) } else { Some(0.0) };
    let (id, stiffness, ends) = common?;
    b.mesh.springs.push(ScalarSpring {
        id: ElementId(id),
        stiffness,
        structural_damping: damping?,
        stress_coefficient: stress?,
        ends,
        source: r.span().into(),
    });
    Some(())
}

fn mass(r: &mut Reader<'_>, b: &mut Builder, value: Value, ends: Ends) -> Option<()> {
    let (id, mass, ends) = scalar(r, b, value, ends, Family::Mass, "M")?;
    b.mesh.scalar_masses.push(ScalarMass { id: ElementId(id), mass, ends, source: r.span().into() });
    Some(())
}

fn damper(r: &mut Reader<'_>, b: &mut Builder, value: Value, ends: Ends) -> Option<()> {
    let (id, damping, ends) = scalar(r, b, value, ends, Family::Damper, "B")?;
    b.mesh.dampers.push(ScalarDamper { id: ElementId(id), damping, ends, source: r.span().into() });
    Some(())
}

/// ```text
/// | CVISC | EID | PID | G1 | G2 |
/// ```
fn cvisc(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[Family::Viscous]);
    let [g1, g2] = [b.grid(r, 2, "G1"), b.grid(r, 3, "G2")];
    b.mesh.viscous_rods.push(ViscousRod {
        id: ElementId(id?),
        property: property?,
        nodes: [g1?, g2?],
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | PLOTEL | EID1 | G1 | G2 |  | EID2 | G1 | G2 |
/// ```
fn plotel(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    for first in [0, 4] {
        if first == 4 && r.is_blank(4) {
            continue;
        }
        let id = r.id(first, "EID");
        let [g1, g2] = [b.grid(r, first + 1, "G1"), b.grid(r, first + 2, "G2")];
        let plot = PlotElement { id: ElementId(id?), nodes: [g1?, g2?], source: r.span().into() };
        b.mesh.plot_elements.push(plot);
    }
    Some(())
}

/// ```text
/// | PELAS | PID1 | K1 | GE1 | S1 | PID2 | K2 | GE2 | S2 |
/// ```
fn pelas(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    several(r, b, 4, 2, |r, first| {
        let stiffness = r.real(first, "K");
        let damping = r.real_or(first + 1, "GE", 0.0);
        let stress = r.real_or(first + 2, "S", 0.0);
        let (stiffness, structural_damping) = (stiffness?, damping?);
        Some(PropertyKind::Spring(SpringProperty {
            stiffness,
            structural_damping,
            stress_coefficient: stress?,
        }))
    })
}

/// ```text
/// | PMASS | PID1 | M1 | PID2 | M2 | PID3 | M3 | PID4 | M4 |
/// ```
fn pmass(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    several(r, b, 2, 4, |r, first| Some(PropertyKind::Mass(MassProperty { mass: r.real(first, "M")? })))
}

/// ```text
/// | PDAMP | PID1 | B1 | PID2 | B2 | PID3 | B3 | PID4 | B4 |
/// ```
fn pdamp(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    several(r, b, 2, 4, |r, first| {
        Some(PropertyKind::Damper(DamperProperty { damping: r.real(first, "B")? }))
    })
}

/// ```text
/// | PVISC | PID1 | CE1 | CR1 |  | PID2 | CE2 | CR2 |
/// ```
fn pvisc(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    several(r, b, 4, 2, |r, first| {
        let axial = r.real_or(first, "CE", 0.0);
        let torsional = r.real_or(first + 1, "CR", 0.0);
        Some(PropertyKind::Viscous(ViscousProperty { axial: axial?, torsional: torsional? }))
    })
}

/// Up to `count` properties on one card, `width` slots each, the id first.
fn several(
    r: &mut Reader<'_>,
    b: &mut Builder,
    width: usize,
    count: usize,
    read: impl Fn(&mut Reader<'_>, usize) -> Option<PropertyKind>,
) -> Option<()> {
    let mut good = true;
    for first in (0..count).map(|k| k * width) {
        if first > 0 && r.is_blank(first) {
            continue;
        }
        let id = r.id(first, "PID");
        match (id, read(r, first + 1)) {
            (Some(id), Some(kind)) => b.add_property(r, id, kind),
            _ => good = false,
        }
    }
    good.then_some(())
}
