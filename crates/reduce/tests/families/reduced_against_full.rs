//! Frequencies and static answers of the reduced link against the full mesh, which `fem` solves by itself.

use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::CscMatrix;
use pliant_fem::assembly::transformed;
use pliant_fem::element::MassKind;
use pliant_fem::{AssemblyOptions, ConstraintOptions, ModesOptions, assemble, constrain, modes};
use pliant_link::ReducedLink;
use pliant_mesh::{Component, Components, Normalisation};
use pliant_reduce::Reduction;

use crate::deck::{Frames, all};

/// Free-free elastic frequencies of a reduced link (Hz): K and M with the rigid motions of its frame, through
/// M⁻½.
fn reduced_frequencies(link: &ReducedLink) -> Vec<f64> {
    let (n, inv) = (link.coordinate_count(), &link.invariants);
    let (mut K, mut M) = (DMatrix::zeros(6 + n, 6 + n), DMatrix::zeros(6 + n, 6 + n));
    M.view_mut((0, 0), (6, 6)).copy_from(&inv.M0);
    M.view_mut((0, 6), (6, n)).copy_from(&inv.C0);
    M.view_mut((6, 0), (n, 6)).copy_from(&inv.C0.transpose());
    M.view_mut((6, 6), (n, n)).copy_from(&inv.M_EE);
    K.view_mut((6, 6), (n, n)).copy_from(&link.K);
    let inverse = M.cholesky().unwrap().l().try_inverse().unwrap();
    let A = &inverse * K * inverse.transpose();
    let mut squares: Vec<f64> =
        ((&A + A.transpose()) * 0.5).symmetric_eigenvalues().iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    squares[6..].iter().map(|square| square.max(0.0).sqrt() / std::f64::consts::TAU).collect()
}

/// Free-free frequencies of the full mesh below `limit` (Hz), rigid ones left out.
fn full_frequencies(reduction: &Reduction, limit: f64) -> Vec<f64> {
    let options = ModesOptions {
        constraints: ConstraintOptions::default(),
        assembly: AssemblyOptions { mass: MassKind::Consistent, nsm: None },
        count: None,
        above_hz: None,
        below_hz: Some(limit),
        normalisation: Normalisation::Mass,
        reduction: pliant_fem::solve::Reduction::None,
    };
    let found = modes(&reduction.mesh, &options).unwrap().output;
    found.frequencies_hz[found.rigid_body_modes..].to_vec()
}

fn dense(lower: &CscMatrix<f64>) -> DMatrix<f64> {
    let mut A = DMatrix::zeros(lower.nrows(), lower.ncols());
    for (i, j, value) in lower.triplet_iter() {
        A[(i, j)] = *value;
        A[(j, i)] = *value;
    }
    A
}

/// Displacements of the tip under six unit loads, by columns: full mesh by a dense factorisation.
fn full_flexibility(reduction: &Reduction) -> DMatrix<f64> {
    let mesh = &reduction.mesh;
    let system = assemble(mesh, AssemblyOptions { mass: MassKind::Consistent, nsm: None }).unwrap();
    let (inboard, tip) = (reduction.interfaces[0].node, reduction.interfaces[1].node);
    let options =
        ConstraintOptions { clamped: vec![(inboard, Components::ALL)], ..ConstraintOptions::default() };
    let constraints = constrain(mesh, &system.dofs, &system.K, &options).unwrap().output;
    let K = dense(&transformed(&system.K, &constraints.T)).cholesky().unwrap();
    let rows: Vec<usize> = (0..6).map(|k| system.dofs.row(tip, Component::from_row(k)).unwrap()).collect();
    let held = vec![0.0; constraints.fixed.len()];
    let mut flexibility = DMatrix::zeros(6, 6);
    for k in 0..6 {
        let mut load = vec![0.0; system.dofs.count()];
        load[rows[k]] = 1.0;
        let u = K.solve(&DVector::from_vec(constraints.reduce(&load)));
        let u = constraints.expand(u.as_slice(), &held);
        for i in 0..6 {
            flexibility[(i, k)] = u[rows[i]];
        }
    }
    flexibility
}

/// The same of the reduced link: V K⁻¹ Vᵀ.
fn reduced_flexibility(link: &ReducedLink) -> DMatrix<f64> {
    let V = DMatrix::from_fn(6, link.coordinate_count(), |i, j| link.interfaces[0].V[(i, j)]);
    &V * link.K.clone().cholesky().unwrap().solve(&V.transpose())
}

#[test]
fn frequencies_and_static_answers_are_those_of_the_full_mesh() {
    println!(
        "{:>18} {:>6} {:>5} {:>8} {:>10} {:>10}",
        "family", "dof", "kept", "compared", "frequency", "static"
    );
    let mut wrong = Vec::new();
    for family in all() {
        let reduction =
            family.reduce(Frames::Basic, &format!("modes = {{ below_hz = {} }}", family.cut_off_hz));
        let full = full_frequencies(&reduction, 0.5 * family.cut_off_hz);
        let reduced = reduced_frequencies(&reduction.link);
        let error = full.iter().zip(&reduced).map(|(f, r)| (r / f - 1.0).abs()).fold(0.0, f64::max);
        let (F, exact) = (reduced_flexibility(&reduction.link), full_flexibility(&reduction));
        // Each entry against the diagonal it couples: forces and moments have their own sizes.
        let scaled =
            |i: usize, k: usize| (F[(i, k)] - exact[(i, k)]).abs() / (exact[(i, i)] * exact[(k, k)]).sqrt();
        let statics = (0..36).map(|n| scaled(n / 6, n % 6)).fold(0.0, f64::max);
        let (health, kept) = (&reduction.health, reduction.link.coordinate_count());
        println!(
            "{:>18} {:>6} {kept:>5} {:>8} {error:>10.1e} {statics:>10.1e}",
            family.name,
            health.mesh_dofs,
            full.len()
        );
        // The issue asks for 0.1 % up to half the cut-off and 1e-8.
        if full.len() < 3 || error > 1e-3 || statics > 1e-8 || !health.failed().is_empty() {
            wrong.push(format!("{}: {full:?} {reduced:?} {:?}", family.name, health.failed()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An accuracy target is met by the full mesh's own frequencies, however many lie in range.
#[test]
fn an_accuracy_target_does_what_it_says() {
    for (name, accuracy, limit) in [("rods", 1e-4, 2000.0), ("hexa8", 1e-3, 5000.0), ("bars", 1e-2, 500.0)] {
        let family = all().into_iter().find(|family| family.name == name).unwrap();
        let modes = format!("modes = {{ accuracy = {accuracy}, accurate_to_hz = {limit} }}");
        let reduction = family.reduce(Frames::Basic, &modes);
        let full = full_frequencies(&reduction, limit);
        let reduced = reduced_frequencies(&reduction.link);
        let error = full.iter().zip(&reduced).map(|(f, r)| (r / f - 1.0).abs()).fold(0.0, f64::max);
        println!(
            "{name}: {} frequencies up to {limit} Hz, {} modes, error {error:.1e}",
            full.len(),
            reduction.health.modes_hz.len()
        );
        assert!(full.len() >= 2 && error <= accuracy, "{name}: {error:e}");
        // Not all modes there are: the target chooses.
        assert!(reduction.health.coordinates < reduction.health.mesh_dofs, "{name}");
    }
}
