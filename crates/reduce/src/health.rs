//! The health of a reduction: what an engineer looks at before trusting it.

use std::time::Duration;

use nalgebra::{Matrix3, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Warned};
use pliant_fem::element::MassKind;
use pliant_fem::mass_properties;
use pliant_link::Invariants;
use pliant_mesh::LinkMesh;

use crate::completeness::Completeness;
use crate::rigid::{RigidMass, rigid_rows};
use crate::shapes::LinkFrame;
use crate::substructure::Substructure;

/// What a reduction looks like from outside.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Free components of the mesh with the link clamped.
    pub mesh_dofs: usize,
    /// Elastic coordinates kept.
    pub coordinates: usize,
    /// Mass (kg).
    pub mass: f64,
    /// Relative difference between the mass of the invariants and that of the elements.
    pub mass_error: f64,
    /// The same for the inertia about the centre of mass, relative to its largest entry.
    pub inertia_error: f64,
    /// Largest strain energy of a rigid motion over the sum of its absolute terms: rounding (below 1e-12)
    /// when nothing holds the link to the ground.
    pub grounding: f64,
    /// Free-free elastic frequencies (Hz): reduced, and on the full mesh.
    pub frequencies_hz: Vec<(f64, f64)>,
    /// Effective mass of the kept modes over the mass they could carry, along x, y, z of the link; empty
    /// without modes.
    pub effective_mass: Vec<f64>,
    /// Whether the modes kept are known to be all up to the last of them.
    pub completeness: Completeness,
    /// Modes kept with their frequencies under the conditions of the basis (Hz).
    pub modes_hz: Vec<f64>,
    /// Time from mesh to reduced link.
    pub elapsed: Duration,
}

/// A check that a healthy link passes.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedCheck {
    /// Name by which a pipeline file may accept it.
    pub name: &'static str,
    /// What was found.
    pub message: String,
    /// What makes it pass, where the pipeline file can.
    pub remedy: Option<String>,
}

/// Largest relative error of the first free-free frequency of a healthy link.
pub(crate) const FIRST_ERROR: f64 = 0.01;

/// Names of all checks.
pub const CHECKS: [&str; 4] = ["mass", "inertia", "grounding", "frequencies"];

impl Health {
    /// The checks that fail.
    pub fn failed(&self) -> Vec<FailedCheck> {
        let mut failed = Vec::new();
        let mut check = |name, bad: bool, message: String| {
            if bad {
                failed.push(FailedCheck { name, message, remedy: None });
            }
        };
        check(
            "mass",
            self.mass_error > 1e-6,
            format!(
                "the mass of the link differs from that of its elements by {:.1e} of it, expected 1e-6",
                self.mass_error
            ),
        );
        check(
            "inertia",
            self.inertia_error > 1e-6,
            format!(
                "the inertia of the link differs from that of its elements by {:.1e} of it, expected 1e-6",
                self.inertia_error
            ),
        );
        // Rounding in K of a slender mesh reaches 1e-11 of the absolute terms; one soft spring to ground
        // shows above.
        let grounded = self.grounding > 1e-9;
        check(
            "grounding",
            grounded,
            format!(
                "rigid motion strains the link: strain energy {:.1e} of the sum of its terms, expected 1e-9",
                self.grounding
            ),
        );
        if let Some((reduced, full)) = self.frequencies_hz.first() {
            // A hinge or a loose part inside moves at rounding's frequency.
            let highest = self.frequencies_hz.iter().fold(0.0_f64, |highest, (_, full)| highest.max(*full));
            let loose = *full < 1e-5 * highest;
            let error = (reduced - full).abs() / full;
            let message = if loose {
                "it has a motion without strain: a mechanism or an unconnected part".to_owned()
            } else {
                format!(
                    "the first free-free frequency is {reduced:.4} Hz, on the full mesh {full:.4} Hz: {:.1} % off, expected 1 %",
                    100.0 * error
                )
            };
            check("frequencies", loose || error > FIRST_ERROR, message);
            if let (false, Some(check)) =
                (loose, failed.last_mut().filter(|check| check.name == "frequencies"))
            {
                // A cut-off keeps what its half needs.
                check.remedy = Some(format!(
                    "keep more modes: modes = {{ below_hz = {:.0} }}, or modes = {{ accuracy = 0.01, accurate_to_hz = {full:.0} }}",
                    2.0 * full
                ));
            }
        }
        failed
    }
}

/// What is compared with the invariants of a link.
pub(crate) struct MassCheck<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    /// The mass that the link was reduced with.
    pub(crate) kind: MassKind,
}

impl MassCheck<'_> {
    /// Mass and inertia of the invariants against those of the elements: relative errors, and what the
    /// elements had to say about their mass.
    ///
    /// Lumped and coupled mass keep the mass of an element, not its inertia: the invariants must then have
    /// the inertia of that matrix, RᵀMR. How far it is from the inertia of the bodies is a matter of the
    /// mesh, and reported.
    pub(crate) fn errors(&self, invariants: &Invariants) -> Warned<(f64, f64)> {
        let Self { mesh, frame, kind, .. } = self;
        let Warned { output: elements, mut diagnostics } = mass_properties(mesh);
        let mass = elements.mass * frame.units.mass;
        if mass <= 0.0 {
            return Warned { output: (0.0, 0.0), diagnostics };
        }
        let centre = invariants.first_moment() / invariants.mass();
        let about_origin: Matrix3<f64> = invariants.M0.fixed_view::<3, 3>(3, 3).into_owned();
        let inertia = about_origin - shifted_inertia(invariants.mass(), centre);
        let error = |elements: Matrix3<f64>| {
            let expected = frame.axes.tr_mul(&elements) * frame.axes * frame.units.inertia();
            let scale = expected.amax();
            if scale > 0.0 { (inertia - expected).amax() / scale } else { 0.0 }
        };
        let of_bodies = error(elements.inertia);
        let inertia_error = match kind {
            MassKind::Consistent => of_bodies,
            MassKind::Coupled | MassKind::Lumped => {
                diagnostics.extend(inertia_of_another_mass(*kind, of_bodies));
                error(self.assembled_inertia())
            }
        };
        Warned { output: ((invariants.mass() - mass).abs() / mass, inertia_error), diagnostics }
    }

    /// Inertia about the centre of mass of the matrix M, deck units and basic axes.
    fn assembled_inertia(&self) -> Matrix3<f64> {
        let M = RigidMass::new(self.mesh, self.part, self.frame.origin).own;
        let mass = (M[(0, 0)] + M[(1, 1)] + M[(2, 2)]) / 3.0;
        // The coupling block of translations and rotations is −m[c]×.
        let coupling = Matrix3::from_fn(|i, j| 0.5 * (M[(i, 3 + j)] - M[(j, 3 + i)]) / -mass);
        let centre = Vector3::new(coupling[(2, 1)], coupling[(0, 2)], coupling[(1, 0)]);
        Matrix3::from_fn(|i, j| M[(3 + i, 3 + j)]) - shifted_inertia(mass, centre)
    }
}

/// An inertia this far from that of the bodies changes the motion of a link.
const CHANGED_INERTIA: f64 = 0.01;

/// What a mass matrix that is not consistent does to the inertia of the link.
fn inertia_of_another_mass(kind: MassKind, difference: f64) -> Option<Diagnostic> {
    let name = match kind {
        MassKind::Consistent => return None,
        MassKind::Coupled => "coupled",
        MassKind::Lumped => "lumped",
    };
    // What rounding gives is no difference.
    (difference > 1e-6).then(|| {
        let message = format!(
            "`mass = \"{name}\"` changes the inertia of the link by {:.2} % of its largest entry",
            100.0 * difference
        );
        let problem = if difference > CHANGED_INERTIA {
            Diagnostic::warning(message)
        } else {
            Diagnostic::note(message)
        };
        problem.hint("`mass = \"consistent\"` has the inertia of the bodies")
    })
}

/// m (c·c 1 − c cᵀ).
fn shifted_inertia(mass: f64, c: Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass
}

/// Largest xᵀKx of the six rigid motions over Σ|x_i K_ij x_j|.
pub fn grounding(mesh: &LinkMesh, frame: &LinkFrame, part: &Substructure, K: &CscMatrix<f64>) -> f64 {
    let x = rigid_rows(mesh, part, frame.origin);
    let (mut energy, mut absolute) = ([0.0_f64; 6], [0.0_f64; 6]);
    for (j, column) in K.col_iter().enumerate() {
        for (i, value) in column.row_indices().iter().zip(column.values()) {
            let value = if *i == j { *value } else { 2.0 * value };
            for c in 0..6 {
                let term = value * x[*i][c] * x[j][c];
                energy[c] += term;
                absolute[c] += term.abs();
            }
        }
    }
    let relative = |c: usize| if absolute[c] > 0.0 { energy[c].abs() / absolute[c] } else { 0.0 };
    (0..6).map(relative).fold(0.0, f64::max)
}
