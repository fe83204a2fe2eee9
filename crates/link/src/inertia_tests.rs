//! The invariants against the full mesh, and the forces against finite differences of the kinetic energy.

use nalgebra::{DMatrix, DVector, Matrix6xX, Vector3};
use pliant_spatial::{Transform, Twist, cross_wrench, left_jacobian, rotation_exp, wrench};

use super::*;
use crate::{AffineField, Chord, Interface, LinkSlopes, NodalMass, SecondOrderMass};

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

    /// The same, with `directions` in which it extends.
    fn extended(nodes: usize, n: usize, directions: usize) -> Self {
        let mut mesh = Self::random(nodes, n);
        for x in &mut mesh.positions {
            for c in directions..3 {
                x[c] *= 1e-3;
            }
        }
        mesh
    }

    /// What `use_it` makes of the mass.
    fn with_mass<T>(&self, use_it: impl FnOnce(&NodalMass<'_>) -> T) -> T {
        let columns: Vec<&[f64]> =
            (0..self.V.ncols()).map(|j| &self.V.as_slice()[j * self.V.nrows()..][..self.V.nrows()]).collect();
        use_it(&NodalMass {
            positions: &self.positions,
            basis: &columns,
            product: &|X| &self.M * X,
            isotropic: false,
        })
    }

    fn invariants(&self) -> Invariants {
        self.with_mass(Invariants::from_nodes)
    }

    /// `½ wᵀMw` with the nodal velocities written out from the definition.
    fn energy(&self, q: &[f64], v: &[f64], V: &Twist) -> f64 {
        let w = self.velocity(q, v, V);
        0.5 * w.dot(&(&self.M * &w))
    }

    fn velocity(&self, q: &[f64], v: &[f64], V: &Twist) -> DVector<f64> {
        let u = &self.V * DVector::from_column_slice(q);
        let mut w = &self.V * DVector::from_column_slice(v);
        let (linear, spin) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
        for (n, x) in self.positions.iter().enumerate() {
            let position = x + u.fixed_rows::<3>(6 * n);
            let mut velocity = w.fixed_rows_mut::<3>(6 * n);
            velocity += linear + spin.cross(&position);
            let mut rotation = w.fixed_rows_mut::<3>(6 * n + 3);
            rotation += spin;
        }
        w
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

/// Affine fields of a mesh with arbitrary matrices of second order, large enough to matter.
struct Bent {
    fields: Vec<AffineField>,
    G: Vec<DMatrix<f64>>,
    /// Diagonal of S.
    sizes: Vec<f64>,
}

impl Bent {
    fn random(mesh: &Mesh, n: usize) -> Self {
        let mut random = Random(23);
        let fields = mesh.with_mass(AffineField::of_mass);
        let mut matrix = || {
            let G = DMatrix::from_fn(n, n, |_, _| 10.0 * random.next());
            &G + G.transpose()
        };
        let G: Vec<_> = (0..3 * fields.len()).map(|_| matrix()).collect();
        let sizes = mesh.with_mass(|mass| SecondOrderMass::new(mass, &fields, &G)).S.as_slice().to_vec();
        Self { fields, G, sizes }
    }

    fn invariants(&self, mesh: &Mesh) -> Invariants {
        let mass = mesh.with_mass(|mass| SecondOrderMass::new(mass, &self.fields, &self.G));
        Invariants { second_order: Some(Box::new(mass)), ..mesh.invariants() }
    }

    /// Kinetic energy with u₂ = Zs written out at the nodes: `½ wᵀMw` of the velocities with `ṡ + ω×s`, in
    /// which `ZᵀMZ` is taken for S.
    fn energy(&self, mesh: &Mesh, q: &[f64], v: &[f64], V: &Twist) -> f64 {
        let (q_, v_) = (DVector::from_column_slice(q), DVector::from_column_slice(v));
        let w = V.fixed_rows::<3>(3).into_owned();
        let s = |a: usize| -0.5 * q_.dot(&(&self.G[a] * &q_)) / self.sizes[a];
        let rate = |a: usize| -v_.dot(&(&self.G[a] * &q_)) / self.sizes[a];
        let mut velocity = mesh.velocity(q, v, V);
        let (mut own, mut sum) = (DVector::zeros(velocity.len()), 0.0);
        for (k, field) in self.fields.iter().enumerate() {
            let triple = |f: &dyn Fn(usize) -> f64| Vector3::from_fn(|c, _| f(3 * k + c));
            let sigma = triple(&rate) + w.cross(&triple(&s));
            sum += (0..3).map(|c| self.sizes[3 * k + c] * sigma[c] * sigma[c]).sum::<f64>();
            let rotation: Vector3<f64> = (0..3).map(|c| field.rotation(c) * sigma[c]).sum();
            for (n, x) in mesh.positions.iter().enumerate() {
                let mut node = own.fixed_rows_mut::<3>(6 * n);
                node += sigma * field.at(x);
                let mut turn = own.fixed_rows_mut::<3>(6 * n + 3);
                turn += rotation;
            }
        }
        velocity += &own;
        0.5 * velocity.dot(&(&mesh.M * &velocity)) - 0.5 * own.dot(&(&mesh.M * &own)) + 0.5 * sum
    }
}

/// The chord to the last node, and the invariants of a link that is linear in its frame.
fn chord_of(mesh: &Mesh) -> (Chord, Invariants) {
    let last = mesh.positions.len() - 1;
    let interface = Interface {
        name: "tip".into(),
        X_LT: Transform::translation(mesh.positions[last]),
        V: Matrix6xX::from_fn(mesh.V.ncols(), |i, j| mesh.V[(6 * last + i, j)]),
        G: None,
    };
    let chord = Chord::new(&[interface]).unwrap();
    (chord.clone(), mesh.with_mass(|mass| chord.invariants(mass)))
}

/// `½ wᵀMw` with w, in the axes of the chord, the velocities of points at `R(x + Vq − φ×x)` in L.
fn energy_of_chord(mesh: &Mesh, chord: &Chord, q: &[f64], v: &[f64], V: &Twist) -> f64 {
    let (q, v) = (DVector::from_column_slice(q), DVector::from_column_slice(v));
    let (turn, rate) = (&chord.turns * &q, &chord.turns * &v);
    let R = rotation_exp(&turn);
    let turning = R.tr_mul(&(left_jacobian(&turn) * rate));
    let (linear, spin) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
    let (u, u_rate) = (&mesh.V * &q, &mesh.V * &v);
    let mut w = DVector::zeros(u.len());
    for (n, x) in mesh.positions.iter().enumerate() {
        let at = |u: &DVector<f64>, turn: &Vector3<f64>| u.fixed_rows::<3>(6 * n) - turn.cross(x);
        let (position, moving) = (x + at(&u, &turn), at(&u_rate, &rate));
        let velocity = linear + spin.cross(&(R * position)) + R * (moving + turning.cross(&position));
        w.fixed_rows_mut::<3>(6 * n).copy_from(&R.tr_mul(&velocity));
        let rotation = R.tr_mul(&spin) + turning + u_rate.fixed_rows::<3>(6 * n + 3) - rate;
        w.fixed_rows_mut::<3>(6 * n + 3).copy_from(&rotation);
    }
    0.5 * w.dot(&(&mesh.M * &w))
}

#[test]
fn forces_are_the_lagrangian_derivatives_of_the_energy() {
    let mesh = Mesh::random(4, 3);
    lagrangian_derivatives(&mesh.invariants(), |q, v, V| mesh.energy(q, v, V));
}

#[test]
fn second_order_forces_are_the_lagrangian_derivatives_of_the_energy() {
    for directions in [1, 2, 3] {
        let mesh = Mesh::extended(4, 3, directions);
        let bent = Bent::random(&mesh, 3);
        assert_eq!(bent.fields.len(), 1 + directions);
        lagrangian_derivatives(&bent.invariants(&mesh), |q, v, V| bent.energy(&mesh, q, v, V));
    }
}

#[test]
fn forces_of_a_turning_chord_are_the_lagrangian_derivatives_of_the_energy() {
    let mesh = Mesh::random(4, 3);
    let (chord, invariants) = chord_of(&mesh);
    lagrangian_derivatives(&invariants, |q, v, V| energy_of_chord(&mesh, &chord, q, v, V));
}

fn lagrangian_derivatives(invariants: &Invariants, full_energy: impl Fn(&[f64], &[f64], &Twist) -> f64) {
    // Along q(t), V(t) with constant rates: d/dt(∂T/∂V) + V×*∂T/∂V and d/dt(∂T/∂q̇) − ∂T/∂q by central
    // differences of the *full mesh* energy must equal M·accelerations + h.
    let mut terms = InertiaTerms::new(invariants);
    let mut random = Random(11);
    let (q, v, a) = (random.vector(3, 0.4), random.vector(3, 1.0), random.vector(3, 1.0));
    let V = Twist::from_fn(|_, _| random.next());
    let V_rate = Twist::from_fn(|_, _| random.next());

    // T is quadratic in velocities, so a central difference of unit step in them is exact; in q the step 1e-4
    // leaves 1e-8 of the third derivative.
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

    terms.forces(invariants, &LinkMotion { q: &q, v: &v, a: &a, V, A: V_rate, g: Vector3::zeros() });
    let ours_R = terms.accelerating + terms.h_R;
    // Truncation of the time difference is h² ≈ 1e-8 times derivatives of the order of the forces.
    assert!((ours_R - expected_R).norm() < 1e-6 * expected_R.norm());

    let (energy, full) = (terms.kinetic_energy(invariants, &v, &V), full_energy(&q, &v, &V));
    assert!((energy - full).abs() < 1e-12 * full, "{energy} for {full}");
    for j in 0..3 {
        let rate = (elastic_momentum(&after.0, &after.1, &after.2, j)
            - elastic_momentum(&before.0, &before.1, &before.2, j))
            / (2.0 * h);
        let slope =
            (full_energy(&shift(&q, j, h), &v, &V) - full_energy(&shift(&q, j, -h), &v, &V)) / (2.0 * h);
        let expected = rate - slope;
        assert!((terms.h_E[j] - expected).abs() < 1e-6 * expected_R.norm());
    }
}

/// The complete mass matrix at rest, frame first.
fn mass_matrix(invariants: &Invariants, terms: &mut InertiaTerms, q: &[f64]) -> DMatrix<f64> {
    let n = invariants.coordinates();
    let zero = vec![0.0; n];
    terms.evaluate(invariants, q, &zero, &Twist::zeros());
    let mut M = DMatrix::zeros(6 + n, 6 + n);
    M.view_mut((0, 0), (6, 6)).copy_from(&terms.M_RR);
    M.view_mut((0, 6), (6, n)).copy_from(&terms.M_RE);
    M.view_mut((6, 0), (n, 6)).copy_from(&terms.M_RE.transpose());
    let mut elastic = invariants.constant_elastic_mass();
    terms.add_elastic_mass(1.0, elastic.as_mut_slice());
    elastic.fill_upper_triangle_with_lower_triangle();
    M.view_mut((6, 6), (n, n)).copy_from(&elastic);
    for k in 0..6 + n {
        // The same from the forces of a unit acceleration.
        let mut a = zero.clone();
        let mut A = Twist::zeros();
        if k < 6 {
            A[k] = 1.0
        } else {
            a[k - 6] = 1.0
        }
        let V = Twist::zeros();
        terms.forces(invariants, &LinkMotion { q, v: &zero, a: &a, V, A, g: Vector3::zeros() });
        let wrench = terms.accelerating + terms.h_R;
        let forces = DVector::from_iterator(6 + n, wrench.iter().chain(&terms.h_E).copied());
        let difference = (forces - M.column(k)).amax() / M.amax();
        assert!(difference < 1e-12, "column {k} of {n} coordinates: {difference:.1e}");
    }
    M
}

#[test]
fn the_mass_stays_positive_however_far_the_link_bends() {
    // Nine coordinates fill a block of rows and one more.
    for (nodes, n, directions) in [(5, 4, 3), (5, 4, 1), (5, 9, 2)] {
        let mesh = Mesh::extended(nodes, n, directions);
        positive_mass(&Bent::random(&mesh, n).invariants(&mesh));
    }
    positive_mass(&chord_of(&Mesh::random(5, 4)).1);
}

fn positive_mass(invariants: &Invariants) {
    let mut terms = InertiaTerms::new(invariants);
    let mut random = Random(5);
    for bend in [0.0, 0.01, 0.1, 1.0, 10.0] {
        for _ in 0..10 {
            let q = random.vector(invariants.coordinates(), bend);
            let values = mass_matrix(invariants, &mut terms, &q).symmetric_eigenvalues();
            // A square: nothing below zero but rounding.
            assert!(values.min() > -1e-12 * values.max(), "bent by {bend}: {values}");
        }
    }
}

/// Wrench and elastic forces of inertia and weight of a state in which the link is bent and moves.
fn resisting(inv: &Invariants, terms: &mut InertiaTerms, motion: &LinkMotion<'_>) -> DVector<f64> {
    terms.forces(inv, motion);
    let weight = wrench(motion.g * inv.mass(), terms.first_moment.cross(&motion.g));
    let F = terms.accelerating + terms.h_R - weight;
    let upper = inv.C0.rows(0, 3);
    let f = terms.h_E.iter().zip(upper.column_iter()).map(|(f, S)| f - S.dot(&motion.g));
    DVector::from_iterator(6 + terms.h_E.len(), F.iter().copied().chain(f))
}

#[test]
fn slopes_are_the_derivatives_of_the_forces_of_an_undeformed_link() {
    let mesh = Mesh::random(4, 3);
    for inv in [mesh.invariants(), Bent::random(&mesh, 3).invariants(&mesh)] {
        let (mut terms, mut slopes) = (InertiaTerms::new(&inv), LinkSlopes::new(&inv));
        let mut random = Random(31);
        let [V, A] = [(); 2].map(|()| Twist::from_fn(|_, _| random.next()));
        let g = Vector3::from_fn(|_, _| 9.0 * random.next());
        slopes.evaluate(&inv, &V, &A, &g);
        for k in 0..12 {
            let mut at = |h: f64| {
                let (mut q, mut v, mut moved) = ([0.0; 3], [0.0; 3], V);
                match k {
                    0..3 => q[k] = h,
                    3..6 => v[k - 3] = h,
                    _ => moved[k - 6] += h,
                }
                resisting(&inv, &mut terms, &LinkMotion { q: &q, v: &v, a: &[0.0; 3], V: moved, A, g })
            };
            let h = 1e-4;
            let expected = (at(h) - at(-h)) / (2.0 * h);
            let elastic = |matrix: &[f64], k: usize| matrix[3 * k..3 * k + 3].to_vec();
            let (F, f) = match k {
                0..3 => (slopes.wrench_by_q[k], elastic(&slopes.by_q, k)),
                3..6 => (slopes.wrench_by_rate[k - 3], elastic(&slopes.by_rate, k - 3)),
                _ => {
                    let f = slopes.by_twist.iter().map(|row| row[k - 6]).collect();
                    (slopes.wrench_by_twist.column(k - 6).into_owned(), f)
                }
            };
            let found = DVector::from_iterator(9, F.iter().copied().chain(f));
            // A difference leaves h² = 1e-8 of the third derivative and rounding 1e-16/h.
            let error = (&found - &expected).amax();
            assert!(error < 1e-6 * expected.amax(), "slope {k}: {found}{expected}");
        }
    }
}

/// m ⊗ 1₃ goes another way than a mass that couples everything, to the same numbers.
#[test]
fn an_isotropic_mass_has_the_blocks_that_any_mass_has() {
    let mut mesh = Mesh::random(300, 3);
    let mut random = Random(11);
    let factor = DMatrix::from_fn(300, 300, |_, _| random.next());
    let m = &factor * factor.transpose();
    let translations = |i: usize, j: usize| i % 6 == j % 6 && i % 6 < 3;
    mesh.M = DMatrix::from_fn(1800, 1800, |i, j| if translations(i, j) { m[(i / 6, j / 6)] } else { 0.0 });
    mesh.with_mass(|general| {
        let isotropic = NodalMass { isotropic: true, ..*general };
        let blocks = |mass: &NodalMass<'_>| {
            let fields = AffineField::of_mass(mass);
            let G = vec![DMatrix::identity(3, 3); 3 * fields.len()];
            let second = SecondOrderMass::new(mass, &fields, &G);
            let Invariants { C0, A, B, C, M_EE, .. } = Invariants::from_nodes(mass);
            [C0, A, B, C, M_EE, second.H, second.N, second.E, second.S]
        };
        for (one, other) in blocks(general).iter().zip(blocks(&isotropic)) {
            // Sums of 90,000 terms each, in another order.
            assert!((one - &other).amax() < 1e-12 * one.amax(), "{one}{other}");
        }
    });
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
        isotropic: true,
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
