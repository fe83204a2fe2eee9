//! PCOMP, PCOMPG, PCOMP1, PCOMP2.

use pliant_diag::Severity;
use pliant_mesh::property::{LaminateKind, LaminateProperty, Ply, PropertyKind};
use pliant_mesh::{MaterialIndex, MaterialLaw};

use super::{CardType, property};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    property("PCOMP", |r, b| pcomp(r, b, false)),
    property("PCOMPG", |r, b| pcomp(r, b, true)),
    property("PCOMP1", |r, b| pcomp12(r, b, false)),
    property("PCOMP2", |r, b| pcomp12(r, b, true)),
];

/// ```text
/// | PCOMP  | PID    | Z0   | NSM | SB     | FT   | TREF | GE     | LAM   |
/// |        | MID1   | T1   | THETA1 | SOUT1 | MID2 | T2  | THETA2 | SOUT2 |   two plies a line
/// | PCOMPG | PID    | Z0   | NSM | SB     | FT   | TREF | GE     | LAM   |
/// |        | GPLYID1 | MID1 | T1 | THETA1 | SOUT1 |                         one ply a line
/// ```
/// Blank MID and T are those of the ply before. Z0 blank: −½ of the thickness.
fn pcomp(r: &mut Reader<'_>, b: &mut Builder, global_plies: bool) -> Option<()> {
    let id = r.id(0, "PID");
    let head = head(r);
    let mut plies: Vec<Ply> = Vec::new();
    let mut good = true;
    let (step, width) = if global_plies { (8, 5) } else { (4, 4) };
    let mut first = 8;
    while first < r.len() {
        if (first..first + width).any(|slot| !r.is_blank(slot)) {
            match ply(r, b, first, global_plies, plies.last()) {
                Some(ply) => plies.push(ply),
                None => good = false,
            }
        }
        first += step;
    }
    if !good {
        return None;
    }
    add(r, b, id?, head?, plies, global_plies)
}

/// What stands on the first line.
struct Head {
    bottom: Option<f64>,
    nsm: f64,
    shear_allowable: Option<f64>,
    failure_theory: String,
    reference_temperature: f64,
    structural_damping: f64,
    kind: LaminateKind,
}

fn head(r: &mut Reader<'_>) -> Option<Head> {
    let bottom = r.optional_real(1, "Z0");
    let nsm = r.real_or(2, "NSM", 0.0);
    let shear_allowable = r.optional_real(3, "SB");
    let failure_theory = r.optional_word(4, "FT");
    let reference_temperature = r.real_or(5, "TREF", 0.0);
    let structural_damping = r.real_or(6, "GE", 0.0);
    let kind = laminate_kind(r, 7);
    Some(Head {
        bottom: bottom?,
        nsm: nsm?,
        shear_allowable: shear_allowable?,
        failure_theory: failure_theory?.unwrap_or_default(),
        reference_temperature: reference_temperature?,
        structural_damping: structural_damping?,
        kind: kind?,
    })
}

fn laminate_kind(r: &mut Reader<'_>, slot: usize) -> Option<LaminateKind> {
    Some(match r.optional_word(slot, "LAM")?.as_deref() {
        None => LaminateKind::General,
        Some("SYM") => LaminateKind::Symmetric,
        Some("MEM") => LaminateKind::Membrane,
        Some("BEND") => LaminateKind::Bending,
        Some("SMEAR") => LaminateKind::Smeared,
        Some("SMCORE") => LaminateKind::SmearedCore,
        Some(other) => {
            let message = format!("`{other}` is not a kind of laminate");
            let problem = r.problem(Severity::Error, slot, "LAM", message);
            r.report(problem.hint("use SYM, MEM, BEND, SMEAR, SMCORE or leave it blank"));
            return None;
        }
    })
}

/// One ply: [GPLYID] MID T THETA SOUT.
fn ply(r: &mut Reader<'_>, b: &Builder, first: usize, global: bool, before: Option<&Ply>) -> Option<Ply> {
    let at = if global { first + 1 } else { first };
    let id = if global { r.id(first, "GPLYID").map(Some) } else { Some(None) };
    let material = match before {
        Some(before) if r.is_blank(at) => Some(before.material),
        _ => ply_material(r, b, at, "MID"),
    };
    let thickness = match before {
        Some(before) if r.is_blank(at + 1) => Some(before.thickness),
        _ => r.real(at + 1, "T"),
    };
    let angle = r.real_or(at + 2, "THETA", 0.0);
    let output = r.optional_word(at + 3, "SOUT");
    let thickness = thickness?;
    if thickness <= 0.0 {
        r.error(at + 1, "T", format!("a ply needs a positive thickness, found {thickness}"));
        return None;
    }
    Some(Ply {
        id: id?,
        material: material?,
        thickness,
        angle: angle?,
        stress_output: output?.as_deref() == Some("YES"),
    })
}

fn ply_material(r: &mut Reader<'_>, b: &Builder, slot: usize, name: &str) -> Option<MaterialIndex> {
    let fits = |law: &MaterialLaw| !matches!(law, MaterialLaw::Anisotropic3d { .. });
    b.material_of(r, slot, name, "MAT1, MAT2 or MAT8", fits)
}

/// ```text
/// | PCOMP1 | PID | Z0 | NSM | SB | FT | MID | T | LAM |
/// |        | THETA1 | THETA2 | …                          all plies of one material and thickness
/// | PCOMP2 | PID | Z0 | NSM | SB | FT | MID |   | LAM |
/// |        | T1 | THETA1 | T2 | THETA2 | …               all plies of one material
/// ```
fn pcomp12(r: &mut Reader<'_>, b: &mut Builder, own_thickness: bool) -> Option<()> {
    let id = r.id(0, "PID");
    let bottom = r.optional_real(1, "Z0");
    let nsm = r.real_or(2, "NSM", 0.0);
    let shear_allowable = r.optional_real(3, "SB");
    let failure_theory = r.optional_word(4, "FT");
    let material = ply_material(r, b, 5, "MID");
    let thickness = if own_thickness { Some(0.0) } else { r.real(6, "T") };
    let kind = laminate_kind(r, 7);
    let (material, thickness) = (material?, thickness?);
    let mut plies = Vec::new();
    let step = if own_thickness { 2 } else { 1 };
    for slot in (8..r.len()).step_by(step) {
        if r.is_blank(slot) {
            continue;
        }
        let (thickness, angle) = if own_thickness {
            (r.real(slot, "T")?, r.real_or(slot + 1, "THETA", 0.0)?)
        } else {
            (thickness, r.real(slot, "THETA")?)
        };
        if thickness <= 0.0 {
            r.error(slot, "T", format!("a ply needs a positive thickness, found {thickness}"));
            return None;
        }
        plies.push(Ply { id: None, material, thickness, angle, stress_output: false });
    }
    let head = Head {
        bottom: bottom?,
        nsm: nsm?,
        shear_allowable: shear_allowable?,
        failure_theory: failure_theory?.unwrap_or_default(),
        reference_temperature: 0.0,
        structural_damping: 0.0,
        kind: kind?,
    };
    add(r, b, id?, head, plies, false)
}

fn add(
    r: &mut Reader<'_>,
    b: &mut Builder,
    id: u32,
    head: Head,
    plies: Vec<Ply>,
    global_plies: bool,
) -> Option<()> {
    if plies.is_empty() {
        r.report(r.card_problem(Severity::Error, "a laminate needs at least one ply"));
        return None;
    }
    let laminate = LaminateProperty {
        global_plies,
        bottom: head.bottom,
        nsm: head.nsm,
        shear_allowable: head.shear_allowable,
        failure_theory: head.failure_theory,
        reference_temperature: head.reference_temperature,
        structural_damping: head.structural_damping,
        kind: head.kind,
        plies,
    };
    b.add_property(r, id, PropertyKind::Laminate(Box::new(laminate)));
    Some(())
}
