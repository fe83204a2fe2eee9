//! The health of a reduction: what an engineer looks at before trusting it.

use std::time::Duration;

use nalgebra::{DMatrix, Matrix3, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_diag::Warned;
use pliant_fem::assembly::symmetric_product;
use pliant_fem::dof::rigid_row;
use pliant_fem::mass_properties;
use pliant_link::{Invariants, ReducedLink};
use pliant_mesh::LinkMesh;
use pliant_sparse::{generalised_eigen_semidefinite, symmetric_eigen};

use crate::ReduceError;
use crate::basis::FixedInterface;
use crate::shapes::{LinkFrame, NodalShapes};
use crate::substructure::Substructure;

/// Frequencies compared between the reduced and the full link where nobody asks for more.
const COMPARED: usize = 12;

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
    /// Largest strain energy of a rigid motion over the sum of its absolute terms: rounding (below 1e-12) when nothing holds
    /// the link to the ground.
    pub grounding: f64,
    /// Free-free elastic frequencies (Hz): reduced, and on the full mesh.
    pub frequencies_hz: Vec<(f64, f64)>,
    /// Effective mass of the kept modes over the mass they could carry, along x, y, z of the link; empty without modes.
    pub effective_mass: Vec<f64>,
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
}

/// Names of all checks.
pub const CHECKS: [&str; 4] = ["mass", "inertia", "grounding", "frequencies"];

impl Health {
    /// The checks that fail.
    pub fn failed(&self) -> Vec<FailedCheck> {
        let mut failed = Vec::new();
        let mut check = |name, bad: bool, message: String| {
            if bad {
                failed.push(FailedCheck { name, message });
            }
        };
        check("mass", self.mass_error > 1e-6, format!("mass of the link is off by {:.1e}", self.mass_error));
        check(
            "inertia",
            self.inertia_error > 1e-6,
            format!("inertia of the link is off by {:.1e}", self.inertia_error),
        );
        // Rounding in K of a slender mesh reaches 1e-11 of the absolute terms; one soft spring to ground shows above.
        let grounded = self.grounding > 1e-9;
        check("grounding", grounded, format!("rigid motion strains the link: {:.1e}", self.grounding));
        if let Some((reduced, full)) = self.frequencies_hz.first() {
            // A hinge or a loose part inside moves at rounding's frequency.
            let highest = self.frequencies_hz.iter().fold(0.0_f64, |highest, (_, full)| highest.max(*full));
            let loose = *full < 1e-5 * highest;
            let error = (reduced - full).abs() / full;
            let message = if loose {
                "it moves in itself without strain: a mechanism or a loose part".to_owned()
            } else {
                format!("first free-free frequency {reduced:.4} Hz, {full:.4} Hz on the full mesh")
            };
            check("frequencies", loose || error > 0.01, message);
        }
        failed
    }
}

/// Mass and inertia of the invariants against those of the elements: relative errors, and what the elements had to say about
/// their mass.
pub fn mass_errors(mesh: &LinkMesh, frame: &LinkFrame, invariants: &Invariants) -> Warned<(f64, f64)> {
    let Warned { output: elements, diagnostics } = mass_properties(mesh);
    let mass = elements.mass * frame.units.mass;
    if mass <= 0.0 {
        return Warned { output: (0.0, 0.0), diagnostics };
    }
    let centre = invariants.first_moment() / invariants.mass();
    let about_origin: Matrix3<f64> = invariants.M0.fixed_view::<3, 3>(3, 3).into_owned();
    let inertia = about_origin - shifted_inertia(invariants.mass(), centre);
    let expected = frame.axes.tr_mul(&elements.inertia) * frame.axes * frame.units.inertia();
    let scale = expected.amax();
    let inertia_error = if scale > 0.0 { (inertia - expected).amax() / scale } else { 0.0 };
    Warned { output: ((invariants.mass() - mass).abs() / mass, inertia_error), diagnostics }
}

/// m (c·c 1 − c cᵀ).
fn shifted_inertia(mass: f64, c: Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass
}

/// Rigid motions of all components about the link frame's origin, deck units.
fn rigid_motions(mesh: &LinkMesh, frame: &LinkFrame, part: &Substructure) -> Vec<Vec<f64>> {
    let mut motions = vec![vec![0.0; part.system.dofs.count()]; 6];
    for row in 0..part.system.dofs.count() {
        let (node, component) = part.system.dofs.place(row);
        for (motion, value) in motions.iter_mut().zip(rigid_row(mesh, node, component, frame.origin)) {
            motion[row] = value;
        }
    }
    motions
}

/// Largest xᵀKx of the six rigid motions over Σ|x_i K_ij x_j|.
pub fn grounding(mesh: &LinkMesh, frame: &LinkFrame, part: &Substructure) -> f64 {
    let relative = |x: &Vec<f64>| {
        let (mut energy, mut absolute) = (0.0, 0.0);
        for (i, j, value) in part.system.K.triplet_iter() {
            let term = value * x[i] * x[j] * if i == j { 1.0 } else { 2.0 };
            energy += term;
            absolute += f64::abs(term);
        }
        if absolute > 0.0 { f64::abs(energy) / absolute } else { 0.0 }
    };
    rigid_motions(mesh, frame, part).iter().map(relative).fold(0.0, f64::max)
}

/// Free-free elastic eigenvalues ω² and shapes [twist; q] of a reduced link.
fn free_free_modes(link: &ReducedLink) -> Result<(Vec<f64>, DMatrix<f64>), ReduceError> {
    let n = link.coordinate_count();
    let inv = &link.invariants;
    let mut M = faer::Mat::zeros(6 + n, 6 + n);
    let mut K = faer::Mat::zeros(6 + n, 6 + n);
    for i in 0..6 {
        for j in 0..6 {
            M[(i, j)] = inv.M0[(i, j)];
        }
        for j in 0..n {
            M[(i, 6 + j)] = inv.C0[(i, j)];
            M[(6 + j, i)] = inv.C0[(i, j)];
        }
    }
    for i in 0..n {
        for j in 0..n {
            M[(6 + i, 6 + j)] = inv.M_EE[(i, j)];
            K[(6 + i, 6 + j)] = link.K[(i, j)];
        }
    }
    let modes = generalised_eigen_semidefinite(K.as_ref(), M.as_ref())?;
    // The six rigid motions come first.
    let elastic = modes.lambda.len().saturating_sub(6);
    let Y = DMatrix::from_fn(6 + n, elastic, |i, j| modes.Phi[(i, 6 + j)]);
    Ok((modes.lambda[modes.lambda.len() - elastic..].to_vec(), Y))
}

/// Free-free elastic frequencies of the reduced link, twelve or as many as lie up to `compared_hz`, and on the full mesh by one block inverse iteration from the
/// reduced shapes with a Rayleigh–Ritz step over [W, K⁺MW, R].
///
/// K⁺ is the inverse of the clamped mesh between inertia-relief projections; the factor of K_ii serves it, so no other
/// factorisation is needed. The Ritz values bound the full mesh's from above with an error of the fourth power of the
/// angle that is left.
///
/// # Errors
/// A failed dense eigenproblem.
pub fn frequencies(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    fixed: &FixedInterface,
    shapes: &NodalShapes,
    link: &ReducedLink,
    compared_hz: f64,
) -> Result<Vec<(f64, f64)>, ReduceError> {
    let (lambda, Y) = free_free_modes(link)?;
    // One above the limit, so that its reader sees that none is missing below.
    let limit = (std::f64::consts::TAU * compared_hz).powi(2);
    let in_range = lambda.partition_point(|lambda| *lambda <= limit) + 1;
    let count = lambda.len().min(in_range.max(COMPARED));
    if count == 0 {
        return Ok(Vec::new());
    }
    let rigid = rigid_motions(mesh, frame, part);
    // Shapes in deck components: W = R·twist + V q.
    let mut space: Vec<Vec<f64>> = (0..count).map(|m| deck_shape(mesh, frame, part, shapes, &Y, m)).collect();
    let mut loads = faer::Mat::zeros(part.free_count(), count);
    let M_R: Vec<Vec<f64>> = rigid.iter().map(|r| symmetric_product(&part.system.M, r)).collect();
    let G = DMatrix::from_fn(6, 6, |i, j| dot(&rigid[i], &M_R[j]));
    let Some(G_inverse) = G.try_inverse() else { return Ok(Vec::new()) };
    for (m, shape) in space.iter().enumerate() {
        let mut force = symmetric_product(&part.system.M, shape);
        // Self-equilibrated: what is left of rigid acceleration is taken out.
        let resultant = nalgebra::DVector::from_fn(6, |i, _| dot(&rigid[i], &force));
        let acceleration = &G_inverse * resultant;
        for (a, m_r) in acceleration.iter().zip(&M_R) {
            for (f, value) in force.iter_mut().zip(m_r) {
                *f -= a * value;
            }
        }
        for (i, value) in part.constraints.reduce(&force).into_iter().enumerate() {
            loads[(i, m)] = value;
        }
    }
    let response = fixed.solve(&loads)?;
    let held = vec![0.0; part.constraints.fixed.len()];
    for m in 0..count {
        let free: Vec<f64> = (0..part.free_count()).map(|i| response[(i, m)]).collect();
        space.push(part.constraints.expand(&free, &held));
    }
    // Rigid motions first, so that they are exactly in the space and come out as its six zeros.
    let space = mass_orthonormal(&part.system.M, rigid.into_iter().chain(space));
    let K_space: Vec<Vec<f64>> = space.iter().map(|x| symmetric_product(&part.system.K, x)).collect();
    let K_ritz = faer::Mat::from_fn(space.len(), space.len(), |i, j| {
        0.5 * (dot(&space[i], &K_space[j]) + dot(&space[j], &K_space[i]))
    });
    let ritz = symmetric_eigen(K_ritz.as_ref())?;
    let full = ritz.lambda.iter().skip(6).map(|lambda| lambda / frame.units.time.powi(2));
    let hertz = |lambda: f64| lambda.max(0.0).sqrt() / std::f64::consts::TAU;
    Ok(lambda.iter().zip(full).take(count).map(|(reduced, full)| (hertz(*reduced), hertz(full))).collect())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A basis of the vectors' span with XᵀMX = 1. What a vector adds to those before it may be this small a part of it
/// before it is left out: below lies rounding.
fn mass_orthonormal(M: &CscMatrix<f64>, vectors: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    const NEGLIGIBLE: f64 = 1e-7;
    let (mut basis, mut M_basis): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for mut x in vectors {
        let full = dot(&x, &symmetric_product(M, &x)).max(0.0).sqrt();
        // Twice is enough (Parlett): the second pass takes out what rounding left.
        for _ in 0..2 {
            for (b, M_b) in basis.iter().zip(&M_basis) {
                let along = dot(M_b, &x);
                x.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
            }
        }
        let rest = dot(&x, &symmetric_product(M, &x)).max(0.0).sqrt();
        if rest > NEGLIGIBLE * full {
            x.iter_mut().for_each(|x| *x /= rest);
            M_basis.push(symmetric_product(M, &x));
            basis.push(x);
        }
    }
    basis
}

/// Shape m of the free-free modes in deck components.
fn deck_shape(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    shapes: &NodalShapes,
    Y: &DMatrix<f64>,
    m: usize,
) -> Vec<f64> {
    let mut shape = vec![0.0; part.system.dofs.count()];
    let (t, w) =
        (Vector3::new(Y[(0, m)], Y[(1, m)], Y[(2, m)]), Vector3::new(Y[(3, m)], Y[(4, m)], Y[(5, m)]));
    for (k, (node, position)) in shapes.nodes.iter().zip(&shapes.positions).enumerate() {
        let (mut translation, mut rotation) = (t + w.cross(position), w);
        for (j, column) in shapes.columns.iter().enumerate() {
            let value = &column[6 * k..6 * k + 6];
            translation += Vector3::from_column_slice(&value[..3]) * Y[(6 + j, m)];
            rotation += Vector3::from_column_slice(&value[3..]) * Y[(6 + j, m)];
        }
        let rows = part.system.dofs.rows_of(*node);
        frame.write_deck(mesh, *node, translation, rotation, &mut shape[rows]);
    }
    shape
}
