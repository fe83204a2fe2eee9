//! CROD, CTUBE, CONROD, PROD, PTUBE.

use pliant_mesh::ElementId;
use pliant_mesh::element::{Rod, RodSection};
use pliant_mesh::property::{PropertyKind, RodProperty, TubeProperty};

use super::{CardType, element, property};
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    element("CROD", |r, b| rod(r, b, Family::Rod)),
    element("CTUBE", |r, b| rod(r, b, Family::Tube)),
    element("CONROD", conrod),
    property("PROD", prod),
    property("PTUBE", ptube),
];

/// ```text
/// | CROD | EID | PID | G1 | G2 |      CTUBE the same
/// ```
fn rod(r: &mut Reader<'_>, b: &mut Builder, family: Family) -> Option<()> {
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[family]);
    let nodes = [b.grid(r, 2, "G1"), b.grid(r, 3, "G2")];
    let [g1, g2] = nodes;
    b.mesh.rods.push(Rod {
        id: ElementId(id?),
        nodes: [g1?, g2?],
        section: RodSection::Property(property?),
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | CONROD | EID | G1 | G2 | MID | A | J | C | NSM |
/// ```
fn conrod(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let nodes = [b.grid(r, 1, "G1"), b.grid(r, 2, "G2")];
    let material = b.isotropic(r, 3, "MID");
    let section = rod_numbers(r, 4);
    let [g1, g2] = nodes;
    b.mesh.rods.push(Rod {
        id: ElementId(id?),
        nodes: [g1?, g2?],
        section: RodSection::Own(material?, section?),
        source: r.span().into(),
    });
    Some(())
}

/// A, J, C and NSM from a slot on.
fn rod_numbers(r: &mut Reader<'_>, first: usize) -> Option<RodProperty> {
    let area = r.real_or(first, "A", 0.0);
    let torsion_constant = r.real_or(first + 1, "J", 0.0);
    let stress_coefficient = r.real_or(first + 2, "C", 0.0);
    let nsm = r.real_or(first + 3, "NSM", 0.0);
    Some(RodProperty {
        area: area?,
        torsion_constant: torsion_constant?,
        stress_coefficient: stress_coefficient?,
        nsm: nsm?,
    })
}

/// ```text
/// | PROD | PID | MID | A | J | C | NSM |
/// ```
fn prod(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let section = rod_numbers(r, 2);
    b.add_property(r, id?, PropertyKind::Rod(material?, section?));
    Some(())
}

/// ```text
/// | PTUBE | PID | MID | OD | T | NSM | OD2 |
/// ```
/// T blank or 0: a solid circle. OD2 blank: as OD.
fn ptube(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let outer = r.real(2, "OD");
    let thickness = r.real_or(3, "T", 0.0);
    let nsm = r.real_or(4, "NSM", 0.0);
    let outer_b = r.optional_real(5, "OD2");
    let (outer, thickness) = (outer?, thickness?);
    let outer_b = outer_b?.unwrap_or(outer);
    if thickness < 0.0 || outer <= 0.0 || outer_b <= 0.0 || 2.0 * thickness > outer.min(outer_b) {
        r.error(
            3,
            "T",
            format!("a wall of {thickness} does not fit into a diameter of {}", outer.min(outer_b)),
        );
        return None;
    }
    let tube = TubeProperty { outer_diameter: [outer, outer_b], thickness, nsm: nsm? };
    b.add_property(r, id?, PropertyKind::Tube(material?, tube));
    Some(())
}
