//! PSHELL, PSHEAR.

use pliant_mesh::MaterialLaw;
use pliant_mesh::property::{PropertyKind, ShearProperty, ShellProperty};

use super::{CardType, property};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[property("PSHELL", pshell), property("PSHEAR", pshear)];

/// TS/T of a PSHELL when blank, as the quick reference guide writes it.
pub(crate) const SHEAR_RATIO: f64 = 0.833333;

/// ```text
/// | PSHELL | PID | MID1 | T    | MID2 | 12I/T**3 | MID3 | TS/T | NSM |
/// |        | Z1  | Z2   | MID4 |
/// ```
/// MID1 blank: no membrane. MID2 blank: membrane only; −1: plane strain. MID3 blank: rigid in transverse
/// shear.
fn pshell(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let membrane = material(r, b, 1, "MID1");
    let thickness = r.optional_real(2, "T");
    let plane_strain = r.fields().get(3).text == b"-1";
    let bending = if plane_strain { Some(None) } else { material(r, b, 3, "MID2") };
    let bending_ratio = r.real_or(4, "12I/T**3", 1.0);
    let shear = material(r, b, 5, "MID3");
    let shear_ratio = r.real_or(6, "TS/T", SHEAR_RATIO);
    let nsm = r.real_or(7, "NSM", 0.0);
    let fibres = [r.optional_real(8, "Z1"), r.optional_real(9, "Z2")];
    let coupling = material(r, b, 10, "MID4");
    let (membrane, bending, shear) = (membrane?, bending?, shear?);
    let thickness = thickness?;
    if membrane.is_none() && bending.is_none() {
        r.error(1, "MID1", "neither MID1 nor MID2 is given: the shell has no stiffness");
        return None;
    }
    if shear.is_some() && bending.is_none() {
        r.error(5, "MID3", "transverse shear (MID3) needs bending (MID2)");
        return None;
    }
    if let Some(thickness) = thickness.filter(|t| *t <= 0.0) {
        r.error(2, "T", format!("the thickness must be positive, found {thickness}"));
        return None;
    }
    let [z1, z2] = fibres;
    let shell = ShellProperty {
        membrane,
        thickness,
        bending,
        plane_strain,
        bending_ratio: bending_ratio?,
        shear,
        shear_ratio: shear_ratio?,
        nsm: nsm?,
        fibre_distances: [z1?, z2?],
        coupling: coupling?,
    };
    b.add_property(r, id?, PropertyKind::Shell(Box::new(shell)));
    Some(())
}

/// A material for a shell where there is one: MAT1, MAT2 or MAT8.
fn material(
    r: &mut Reader<'_>,
    b: &Builder,
    slot: usize,
    name: &str,
) -> Option<Option<pliant_mesh::MaterialIndex>> {
    if r.is_blank(slot) || r.fields().get(slot).text == b"0" {
        return Some(None);
    }
    let fits = |law: &MaterialLaw| !matches!(law, MaterialLaw::Anisotropic3d { .. });
    b.material_of(r, slot, name, "MAT1, MAT2 or MAT8", fits).map(Some)
}

/// ```text
/// | PSHEAR | PID | MID | T | NSM | F1 | F2 |
/// ```
fn pshear(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let thickness = r.real(2, "T");
    let nsm = r.real_or(3, "NSM", 0.0);
    let f1 = r.real_or(4, "F1", 0.0);
    let f2 = r.real_or(5, "F2", 0.0);
    let shear = ShearProperty { thickness: thickness?, nsm: nsm?, f1: f1?, f2: f2? };
    if shear.thickness <= 0.0 {
        r.error(2, "T", format!("the thickness must be positive, found {}", shear.thickness));
        return None;
    }
    b.add_property(r, id?, PropertyKind::Shear(material?, shear));
    Some(())
}
