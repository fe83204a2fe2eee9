//! Kinetic energy from the invariants against ½wᵀMw of the full mesh, and the same link from other coordinate
//! systems.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3, Vector6};
use nalgebra_sparse::CscMatrix;
use pliant_fem::assembly::symmetric_product;
use pliant_fem::dof::displacement_triad;
use pliant_fem::element::MassKind;
use pliant_fem::{AssemblyOptions, System, assemble};
use pliant_link::{InertiaTerms, ReducedLink};
use pliant_reduce::Reduction;

use crate::deck::{Frames, all};

/// A small deterministic generator: uniform in (−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Nodal velocities written out, w = [v + ω×(x + u) + u̇; ω + φ̇], in each grid's displacement frame. The
/// link frame has the axes of the basic frame.
fn velocities(
    reduction: &Reduction,
    system: &System,
    q: &[f64],
    rates: &[f64],
    twist: &Vector6<f64>,
) -> Vec<f64> {
    let (mesh, shapes) = (&reduction.mesh, &reduction.shapes);
    let (v, omega) = (twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned());
    let origin = mesh.node(reduction.interfaces[0].node).position;
    let mut w = vec![0.0; system.dofs.count()];
    for (index, node) in shapes.nodes.iter().enumerate() {
        let sum = |factors: &[f64], first: usize| {
            Vector3::from_fn(|k, _| {
                let terms = shapes.columns.iter().zip(factors);
                terms.map(|(column, factor)| column[6 * index + first + k] * factor).sum::<f64>()
            })
        };
        let x = mesh.node(*node).position - origin;
        let translation = v + omega.cross(&(x + sum(q, 0))) + sum(rates, 0);
        let rotation = omega + sum(rates, 3);
        let triad = displacement_triad(mesh, *node).unwrap_or_else(Matrix3::identity);
        let rows = system.dofs.rows_of(*node);
        w[rows.start..rows.start + 3].copy_from_slice(triad.tr_mul(&translation).as_slice());
        w[rows.start + 3..rows.end].copy_from_slice(triad.tr_mul(&rotation).as_slice());
    }
    w
}

fn full_system(reduction: &Reduction) -> System {
    assemble(&reduction.mesh, AssemblyOptions { mass: MassKind::Consistent, nsm: None }).unwrap()
}

/// wᵀAw.
fn quadratic(A: &CscMatrix<f64>, w: &[f64]) -> f64 {
    w.iter().zip(symmetric_product(A, w)).map(|(a, b)| a * b).sum::<f64>()
}

#[test]
fn kinetic_energy_is_that_of_the_full_mesh() {
    println!("{:>18} {:>10} {:>10}", "family", "basic", "turned");
    let mut wrong = Vec::new();
    for family in all() {
        let worst = [Frames::Basic, Frames::Turned].map(|frames| {
            // The mesh moves by displacements of first order; so must the link.
            let reduction = family.reduce(frames, "modes = { count = 6 }\nsecond_order = false");
            let (inv, system) = (&reduction.link.invariants, full_system(&reduction));
            let mut terms = InertiaTerms::new(inv);
            let mut random = Random(19);
            // Coordinates as large as the link: nothing hides behind small deformation.
            let size: Vec<f64> = reduction
                .shapes
                .columns
                .iter()
                .map(|column| 1.0 / column.iter().fold(0.0_f64, |m, x| m.max(x.abs())))
                .collect();
            let mut vector =
                |scale: f64| size.iter().map(|s| s * scale * random.next()).collect::<Vec<f64>>();
            let mut worst = 0.0_f64;
            for k in 0..4 {
                let (q, rates) = (vector(0.3), vector(2.0));
                let twist = Vector6::from_iterator(vector(1.0).iter().zip(&size).map(|(x, s)| x / s).take(6));
                assert!(twist.norm() > 0.1, "draw {k}");
                terms.evaluate(inv, &q, &rates, &twist);
                let ours = terms.kinetic_energy(inv, &rates, &twist);
                let w = velocities(&reduction, &system, &q, &rates, &twist);
                worst = worst.max((ours / (0.5 * quadratic(&system.M, &w)) - 1.0).abs());
            }
            worst
        });
        println!("{:>18} {:>10.1e} {:>10.1e}", family.name, worst[0], worst[1]);
        if worst.iter().any(|error| *error > 1e-10) {
            wrong.push(family.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_deck_s_coordinate_systems_do_not_change_the_link() {
    for family in all() {
        let [a, b] =
            [Frames::Basic, Frames::Turned].map(|frames| family.reduce(frames, "modes = { count = 6 }").link);
        let close = |what: &str, x: DMatrix<f64>, y: DMatrix<f64>| {
            // Positions have eleven decimals; a slender K loses three more digits.
            assert!(
                (&x - &y).amax() < 1e-7 * x.amax(),
                "{}, {what}: {:e}",
                family.name,
                (&x - &y).amax() / x.amax()
            );
        };
        let block = |A: &DMatrix<f64>| A.view((0, 0), (6, 6)).into_owned();
        close("K_bb", block(&a.K), block(&b.K));
        close("M_bb", block(&a.invariants.M_EE), block(&b.invariants.M_EE));
        let square = |M: &nalgebra::Matrix6<f64>| DMatrix::from_fn(6, 6, |i, j| M[(i, j)]);
        close("M0", square(&a.invariants.M0), square(&b.invariants.M0));
        let columns = |link: &ReducedLink| DMatrix::from_fn(6, 6, |i, j| link.invariants.C0[(i, j)]);
        close("C0", columns(&a), columns(&b));
        let modes = |K: &DMatrix<f64>| DMatrix::from_fn(6, 1, |i, _| K[(6 + i, 6 + i)].sqrt());
        close("modes", modes(&a.K), modes(&b.K));
    }
}

/// CBUSH, CDAMP and CVISC dissipate in the link what they do in the mesh.
#[test]
fn the_deck_s_dampers_are_projected() {
    let family = all().into_iter().find(|family| family.name == "bushing, RBE2").unwrap();
    for frames in [Frames::Basic, Frames::Turned] {
        let reduction = family.reduce(frames, "modes = { count = 6 }");
        let (system, link) = (full_system(&reduction), &reduction.link);
        let n = link.coordinate_count();
        let mut random = Random(5);
        let rates = DVector::from_fn(n, |_, _| random.next());
        let w = velocities(&reduction, &system, &vec![0.0; n], rates.as_slice(), &Vector6::zeros());
        let (ours, full) = (rates.dot(&(&link.D * &rates)), quadratic(&system.D, &w));
        assert!(full > 0.0 && (ours / full - 1.0).abs() < 1e-10, "{ours} {full}");
    }
}
