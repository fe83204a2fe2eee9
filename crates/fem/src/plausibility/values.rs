//! Values on cards: inertia of point masses, scalar elements and bushings, 12I/T³ of plates.

use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, PointMassKind, ScalarValue};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{InertiaProblem, LinkMesh, PropertyIndex, inertia_problem};

use super::element_warning;

/// CONM1 and CONM2 that no body has: a negative mass, principal moments that are negative or break the
/// triangle inequality.
pub(super) fn impossible_point_masses(mesh: &LinkMesh) -> impl Iterator<Item = Diagnostic> {
    (0..mesh.point_masses.len() as u32).filter_map(|row| {
        let problem = match &mesh.point_masses[row as usize].kind {
            PointMassKind::Body { mass, .. } if *mass < 0.0 => Some(format!("the mass is negative: {mass}")),
            PointMassKind::Body { inertia, .. } => inertia_problem(inertia).map(|problem| problem.to_string()),
            PointMassKind::Matrix(M) => {
                let lowest = M.symmetric_eigenvalues().min();
                // Cards hold four or five digits.
                (lowest < -1e-3 * M.amax())
                    .then(|| format!("the 6 × 6 mass is not positive: its lowest eigenvalue is {lowest:.4e}"))
            }
        };
        let inertia = |kind: &PointMassKind| match kind {
            PointMassKind::Body { inertia, .. } => inertia_problem(inertia),
            PointMassKind::Matrix(_) => None,
        };
        let warning = element_warning(mesh, ElementRef::PointMass(row), problem?);
        Some(match inertia(&mesh.point_masses[row as usize].kind) {
            Some(InertiaProblem::Negative(_)) => {
                warning.hint("I21, I31 and I32 are ∫xy dm, ∫xz dm, ∫yz dm: the tensor has them with the opposite sign")
            }
            Some(InertiaProblem::Triangle(_)) => {
                warning.hint("the moments are about the centre of mass: give all three, not only that of the axis that matters")
            }
            None => warning,
        })
    })
}

/// Springs, bushings, scalar masses and dampers with a negative value. A property is reported once.
pub(super) fn negative_scalars(mesh: &LinkMesh) -> impl Iterator<Item = Diagnostic> {
    let mut reported: Vec<PropertyIndex> = Vec::new();
    let mut found = Vec::new();
    for which in mesh.elements() {
        let (property, own, what) = match which {
            ElementRef::Spring(row) => with_own(mesh.springs[row as usize].stiffness, "stiffness"),
            ElementRef::ScalarMass(row) => with_own(mesh.scalar_masses[row as usize].mass, "mass"),
            ElementRef::Damper(row) => with_own(mesh.dampers[row as usize].damping, "damping"),
            ElementRef::Bush(row) => (Some(mesh.bushes[row as usize].property), None, "stiffness"),
            _ => continue,
        };
        if property.is_some_and(|property| reported.contains(&property)) {
            continue;
        }
        reported.extend(property);
        let lowest = own.or_else(|| property.map(|property| lowest(&mesh.properties[property.index()].kind)));
        if let Some(value) = lowest.filter(|value| *value < 0.0) {
            let message = format!("negative {what}: {value}");
            found.push(match property.map(|property| &mesh.properties[property.index()]) {
                Some(property) => {
                    let card = mesh.element_facts(which).card.replacen('C', "P", 1);
                    let card = card.trim_end_matches(|c: char| c.is_ascii_digit());
                    Diagnostic::warning(message).card(format!("{card} {}", property.id)).at(property.source.0)
                }
                None => element_warning(mesh, which, message),
            });
        }
    }
    found.into_iter()
}

fn with_own(value: ScalarValue, what: &'static str) -> (Option<PropertyIndex>, Option<f64>, &'static str) {
    match value {
        ScalarValue::Property(property) => (Some(property), None, what),
        ScalarValue::Own(value) => (None, Some(value), what),
    }
}

/// The lowest of the values of a scalar property.
fn lowest(kind: &PropertyKind) -> f64 {
    match kind {
        PropertyKind::Spring(spring) => spring.stiffness,
        PropertyKind::Bush(bush) => bush.stiffness.iter().copied().fold(bush.mass, f64::min),
        PropertyKind::Mass(mass) => mass.mass,
        PropertyKind::Damper(damper) => damper.damping,
        _ => 0.0,
    }
}

/// 12I/T³ outside of this is no homogeneous plate.
const PLATE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// PSHELL with 12I/T³ far from 1. A sandwich has more, up to 0.75 (h/t)² for faces of thickness t whose
/// middle planes are h apart, and a core of its own for transverse shear (MID3), which is how it is
/// recognised.
pub(super) fn odd_plates(mesh: &LinkMesh) -> impl Iterator<Item = Diagnostic> {
    let mut used: Vec<PropertyIndex> = mesh.shells.iter().map(|shell| shell.property).collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().filter_map(|property| {
        let property = &mesh.properties[property.index()];
        let PropertyKind::Shell(plate) = &property.kind else { return None };
        let ratio = plate.bending_ratio;
        let is_sandwich = ratio > 1.0 && plate.shear.is_some() && plate.shear != plate.bending;
        if PLATE.contains(&ratio) || is_sandwich || plate.bending.is_none() {
            return None;
        }
        let message =
            format!("12I/T³ is {ratio:.4}; a homogeneous plate has 1, so this one bends {}", stiffer(ratio));
        Some(
            Diagnostic::warning(message)
                .card(format!("PSHELL {}", property.id))
                .field(6, "12I/T**3")
                .at(property.source.0)
                .hint("the field is a ratio, not the moment of inertia; leave it blank for 1"),
        )
    })
}

fn stiffer(ratio: f64) -> String {
    if ratio <= 0.0 {
        "without any stiffness".to_owned()
    } else if ratio > 1.0 {
        format!("{ratio:.3} times as stiffly")
    } else {
        format!("{:.3} times as easily", 1.0 / ratio)
    }
}
