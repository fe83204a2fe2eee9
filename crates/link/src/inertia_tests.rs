//! The invariants against the full mesh, and the forces against finite differences of the kinetic energy.

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_spatial::{Twist, cross_wrench};

use super::*;
use crate::{InertiaLoadStiffness, NodalMass};

/// A small deterministic generator: uniform in (−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self, n: usize, scale: f64) -> Vec<f64> {
        (0..n).map(|_| self.next() * scale).collect()
    }
}

/// A mesh whose mass couples everything with everything: nothing may be lost.
struct Mesh {
    positions: Vec<Vector3<f64>>,
    V: DMatrix<f64>,
    M: DMatrix<f64>,
}

impl Mesh {
    fn random(nodes: usize, n: usize) -> Self {
        let mut random = Random(7);
        let positions = (0..nodes).map(|_| Vector3::from_fn(|_, _| random.next())).collect();
        let V = DMatrix::from_fn(6 * nodes, n, |_, _| random.next());
        let G = DMatrix::from_fn(6 * nodes, 6 * nodes, |_, _| random.next());
        Self { positions, V, M: &G * G.transpose() }
    }

    fn invariants(&self) -> Invariants {
        let columns: Vec<&[f64]> =
            (0..self.V.ncols()).map(|j| &self.V.as_slice()[j * self.V.nrows()..][..self.V.nrows()]).collect();
        Invariants::from_nodes(&NodalMass {
            positions: &self.positions,
            basis: &columns,
            product: &|X| &self.M * X,
        })
    }

    /// `½ wᵀMw` with the nodal velocities written out from the definition.
    fn energy(&self, q: &[f64], v: &[f64], V: &Twist) -> f64 {
        let u = &self.V * DVector::from_column_slice(q);
        let mut w = &self.V * DVector::from_column_slice(v);
        let (linear, spin) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
        for (n, x) in self.positions.iter().enumerate() {
            let place = x + u.fixed_rows::<3>(6 * n);
            let mut velocity = w.fixed_rows_mut::<3>(6 * n);
            velocity += linear + spin.cross(&place);
            let mut rotation = w.fixed_rows_mut::<3>(6 * n + 3);
            rotation += spin;
        }
        0.5 * w.dot(&(&self.M * &w))
    }
}

#[test]
fn kinetic_energy_equals_that_of_the_full_mesh() {
    let mesh = Mesh::random(5, 4);
    let invariants = mesh.invariants();
    let mut terms = InertiaTerms::new(&invariants);
    let mut random = Random(3);
    for _ in 0..20 {
        let (q, v) = (random.vector(4, 0.5), random.vector(4, 2.0));
        let V = Twist::from_fn(|_, _| random.next());
        terms.evaluate(&invariants, &q, &v, &V);
        let (ours, full) = (terms.kinetic_energy(&invariants, &v, &V), mesh.energy(&q, &v, &V));
        // Sums of a few hundred products: 1e-12 relative leaves four digits of room.
        assert!((ours - full).abs() < 1e-12 * full, "{ours} against {full}");
    }
}

/// Symmetric matrices for the twelve inertia loads.
fn random_loads(n: usize) -> InertiaLoadStiffness {
    let mut random = Random(23);
    let mut matrix = |_| {
        let G = DMatrix::from_fn(n, n, |_, _| random.next());
        &G + G.transpose()
    };
    InertiaLoadStiffness {
        translation: std::array::from_fn(&mut matrix),
        rotation: std::array::from_fn(&mut matrix),
        spin: std::array::from_fn(&mut matrix),
    }
}

/// What u₂ adds to the kinetic energy, written out: `∫ρ (v + ω×x)·(u̇₂ + ω×u₂)` with the integrals given by G.
fn second_order_energy(loads: &InertiaLoadStiffness, q: &[f64], v: &[f64], V: &Twist) -> f64 {
    let (q, v) = (DVector::from_column_slice(q), DVector::from_column_slice(v));
    let (linear, w) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
    let value = |G: &DMatrix<f64>| -0.5 * q.dot(&(G * &q));
    let rate = |G: &DMatrix<f64>| -v.dot(&(G * &q));
    let moment = Vector3::from_fn(|c, _| value(&loads.translation[c]));
    let moment_rate = Vector3::from_fn(|c, _| rate(&loads.translation[c]));
    let spin_rate = Vector3::from_fn(|c, _| rate(&loads.rotation[c]));
    let products = [w.x * w.x, w.y * w.y, w.z * w.z, w.x * w.y, w.x * w.z, w.y * w.z];
    let centrifugal: f64 = products.iter().zip(&loads.spin).map(|(p, G)| p * value(G)).sum();
    linear.dot(&(moment_rate + w.cross(&moment))) + w.dot(&spin_rate) + centrifugal
}

#[test]
fn forces_are_the_lagrangian_derivatives_of_the_energy() {
    lagrangian_derivatives(None);
}

#[test]
fn second_order_forces_are_the_lagrangian_derivatives_of_the_energy() {
    lagrangian_derivatives(Some(random_loads(3)));
}

fn lagrangian_derivatives(loads: Option<InertiaLoadStiffness>) {
    // Along q(t), V(t) with constant rates: d/dt(∂T/∂V) + V×*∂T/∂V and d/dt(∂T/∂q̇) − ∂T/∂q by central
    // differences of the *full mesh* energy must equal M·accelerations + h.
    let mesh = Mesh::random(4, 3);
    let mut invariants = mesh.invariants();
    if let Some(loads) = &loads {
        invariants.add_second_order(loads);
    }
    let full_energy = |q: &[f64], v: &[f64], V: &Twist| {
        mesh.energy(q, v, V) + loads.as_ref().map_or(0.0, |l| second_order_energy(l, q, v, V))
    };
    let mut terms = InertiaTerms::new(&invariants);
    let mut random = Random(11);
    let (q, v, a) = (random.vector(3, 0.4), random.vector(3, 1.0), random.vector(3, 1.0));
    let V = Twist::from_fn(|_, _| random.next());
    let V_rate = Twist::from_fn(|_, _| random.next());

    // T is quadratic in velocities, so a central difference of unit step in them is exact; in q the step 1e-4
    // leaves 1e-8 of the third derivative, which is zero because T is quadratic in q too.
    let shift = |x: &[f64], j: usize, d: f64| {
        let mut x = x.to_vec();
        x[j] += d;
        x
    };
    let momentum = |q: &[f64], v: &[f64], V: &Twist| {
        let unit = |i: usize| Twist::from_fn(|r, _| if r == i { 1.0 } else { 0.0 });
        Twist::from_fn(|i, _| (full_energy(q, v, &(V + unit(i))) - full_energy(q, v, &(V - unit(i)))) / 2.0)
    };
    let elastic_momentum = |q: &[f64], v: &[f64], V: &Twist, j: usize| {
        (full_energy(q, &shift(v, j, 1.0), V) - full_energy(q, &shift(v, j, -1.0), V)) / 2.0
    };
    let at = |t: f64| {
        let q: Vec<f64> = (0..3).map(|j| q[j] + v[j] * t + 0.5 * a[j] * t * t).collect();
        let v: Vec<f64> = (0..3).map(|j| v[j] + a[j] * t).collect();
        (q, v, V + V_rate * t)
    };
    let h = 1e-4;
    let (before, after) = (at(-h), at(h));
    let P_rate =
        (momentum(&after.0, &after.1, &after.2) - momentum(&before.0, &before.1, &before.2)) / (2.0 * h);
    let expected_R = P_rate + cross_wrench(&V, &momentum(&q, &v, &V));

    terms.evaluate(&invariants, &q, &v, &V);
    let elastic = DVector::from_column_slice(&a);
    let ours_R = terms.M_RR * V_rate + &terms.M_RE * &elastic + terms.h_R;
    // Truncation of the time difference is h² ≈ 1e-8 times derivatives of the order of the forces.
    assert!((ours_R - expected_R).norm() < 1e-6 * expected_R.norm());

    let rows = terms.M_RE.transpose() * V_rate + &invariants.M_EE * &elastic;
    for j in 0..3 {
        let rate = (elastic_momentum(&after.0, &after.1, &after.2, j)
            - elastic_momentum(&before.0, &before.1, &before.2, j))
            / (2.0 * h);
        let slope =
            (full_energy(&shift(&q, j, h), &v, &V) - full_energy(&shift(&q, j, -h), &v, &V)) / (2.0 * h);
        let expected = rate - slope;
        assert!((rows[j] + terms.h_E[j] - expected).abs() < 1e-6 * expected_R.norm());
    }
}

#[test]
fn point_masses_give_textbook_moments() {
    // Two masses on a massless bar along x; the one basis column moves the outer mass along y.
    let positions = [Vector3::new(0.5, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0)];
    let mass = [2.0, 3.0];
    let mut column = vec![0.0; 12];
    column[7] = 1.0;
    let invariants = Invariants::from_nodes(&NodalMass {
        positions: &positions,
        basis: &[&column],
        product: &|X| {
            DMatrix::from_fn(12, X.ncols(), |i, j| if i % 6 < 3 { mass[i / 6] * X[(i, j)] } else { 0.0 })
        },
    });
    assert_eq!(invariants.mass(), 5.0);
    assert_eq!(invariants.first_moment(), Vector3::new(4.0, 0.0, 0.0));
    assert_eq!(invariants.M_EE[(0, 0)], 3.0);
    let mut terms = InertiaTerms::new(&invariants);
    // Spinning about z at ω with the outer mass displaced by q: centrifugal force ω² m q on it.
    let V = Twist::new(0.0, 0.0, 0.0, 0.0, 0.0, 2.0);
    terms.evaluate(&invariants, &[0.1], &[0.0], &V);
    assert!((terms.h_E[0] + 4.0 * 3.0 * 0.1).abs() < 1e-15);
    // I_zz = 2·0.25 + 3·(1 + 0.01).
    assert!((terms.M_RR[(5, 5)] - 3.53).abs() < 1e-15);
    // Coriolis on the frame when the outer mass moves outward: 2 m ω q q̇ about z.
    terms.evaluate(&invariants, &[0.1], &[0.7], &V);
    assert!((terms.h_R[5] - 2.0 * 3.0 * 2.0 * 0.1 * 0.7).abs() < 1e-14);
}
