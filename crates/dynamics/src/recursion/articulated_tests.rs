//! The recursion against dense matrices made column by column from the residual.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, Matrix3, Matrix6xX, Vector3};
use pliant_link::{
    AffineField, Chord, Coordinate, Interface, Invariants, NodalMass, ReducedLink, SecondOrderMass,
};
use pliant_mechanism::joint::{Free, Prismatic, Revolute, Universal};
use pliant_mechanism::motion::Hold;
use pliant_mechanism::{
    Attachment, Bearing, CoordinateSpec, Drive, Joint, JointSpec, Model, ModelBuilder, PayloadSpec, Placement,
};
use pliant_spatial::{Transform, rotation_exp};

use super::*;
use crate::State;
use crate::kinematics::residual::residual;

/// Uniform in (−1, 1), deterministic.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// How a random link moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kinematics {
    First,
    Second,
    Chord,
}

impl Kinematics {
    pub(crate) const ALL: [Self; 3] = [Self::First, Self::Second, Self::Chord];
}

/// A link of three nodes with a mass that couples everything, two interfaces and dense rows of V.
pub(crate) fn random_link(name: &str, random: &mut Random, n: usize, kinematics: Kinematics) -> ReducedLink {
    let second_order = kinematics == Kinematics::Second && n > 0;
    let positions: Vec<_> = (0..3).map(|_| Vector3::from_fn(|_, _| random.next())).collect();
    let V = DMatrix::from_fn(18, n, |_, _| 0.3 * random.next());
    let G = DMatrix::from_fn(18, 18, |_, _| random.next());
    let M = &G * G.transpose() + DMatrix::identity(18, 18);
    let columns: Vec<&[f64]> = V.as_slice().chunks_exact(18).collect();
    let product = |X: &DMatrix<f64>| &M * X;
    let mesh = NodalMass { positions: &positions, basis: &columns, product: &product, isotropic: false };
    let mut invariants = Invariants::from_nodes(&mesh);
    let mut symmetric = |size: f64| {
        let A = DMatrix::from_fn(n, n, |_, _| size * random.next());
        &A * A.transpose()
    };
    let (K, D) = (symmetric(10.0), symmetric(1.0));
    let G = second_order.then(|| Box::new(std::array::from_fn(|_| symmetric(0.5))));
    if second_order {
        let fields = AffineField::of_mass(&mesh);
        let G: Vec<_> = (0..3 * fields.len()).map(|_| symmetric(0.5)).collect();
        invariants.second_order = Some(Box::new(SecondOrderMass::new(&mesh, &fields, &G)));
    }
    let interface = |k: usize, name: &str| Interface {
        name: name.into(),
        X_LT: Transform::new(rotation_exp(&(positions[k] * 2.0)), positions[k]),
        V: Matrix6xX::from_fn(n, |i, j| V[(6 * k + i, j)]),
        G: G.clone(),
    };
    let mut interfaces = vec![interface(1, "a"), interface(2, "b")];
    if kinematics == Kinematics::Chord && n > 0 {
        let chord = Chord::new(&interfaces).unwrap();
        interfaces.iter_mut().for_each(|interface| chord.carry_interface(interface));
        invariants = chord.invariants(&mesh);
    }
    ReducedLink {
        name: name.into(),
        interfaces,
        coordinates: vec![Coordinate::Mode { freq_hz: 1.0 }; n],
        K,
        D,
        invariants,
        size: 1.0,
        rail: None,
    }
}

fn random_tree(kinematics: Kinematics) -> Model {
    let mut random = Random(5);
    let links = [("base", 2), ("arm", 4), ("hand", 3), ("tail", 0)]
        .map(|(name, n)| (name.to_owned(), Arc::new(random_link(name, &mut random, n, kinematics))));
    let joint = |name: &str, parent: Attachment, child: &str, joint: Box<dyn Joint>| JointSpec {
        name: name.into(),
        parent,
        child: child.into(),
        child_interface: None,
        closes_loop: false,
        coordinates: (0..joint.velocity_count())
            .map(|k| CoordinateSpec {
                initial: 0.3,
                initial_rate: 0.5 - 0.2 * k as f64,
                ..Default::default()
            })
            .collect(),
        joint,
        placement: Placement::Triad,
        bearing: Bearing::default(),
        grip: None,
    };
    let mut joints = vec![
        joint("flight", Attachment::Ground, "base", Box::new(Free)),
        joint(
            "shoulder",
            Attachment::interface("base", "a"),
            "arm",
            Box::new(Universal::new(Vector3::x(), Vector3::y()).unwrap()),
        ),
        joint(
            "wrist",
            Attachment::interface("arm", "b"),
            "hand",
            Box::new(Revolute::new(Vector3::z()).unwrap()),
        ),
        joint(
            "slide",
            Attachment::interface("arm", "a"),
            "tail",
            Box::new(Prismatic::new(Vector3::z()).unwrap()),
        ),
    ];
    joints[1].coordinates[1].drive = Drive::Prescribed(Arc::new(Hold { value: 0.2 }));
    joints[2].coordinates[0].friction.viscous = 0.4;
    joints[2].coordinates[0].rotor = pliant_mechanism::Rotor { inertia: 0.01, ratio: 5.0 };
    joints[2].bearing.components[0] = Some((50.0, 3.0));
    joints[2].bearing.components[4] = Some((20.0, 1.0));
    joints[3].coordinates[0].spring.stiffness = 7.0;
    let payload = PayloadSpec {
        name: "box".into(),
        at: Attachment::interface("hand", "b"),
        mass: 1.5,
        centre: Vector3::new(0.1, 0.2, -0.1),
        inertia: Matrix3::identity() * 0.2,
    };
    ModelBuilder {
        gravity: Vector3::z() * -9.0,
        links: links.into(),
        joints,
        payloads: vec![payload],
        ..Default::default()
    }
    .build()
    .unwrap()
}

/// A deformed, moving state.
fn random_state(model: &Model) -> State {
    let mut random = Random(17);
    let mut state = State::initial(model, 0.0);
    for body in model.bodies() {
        for q in body.elastic_positions() {
            state.q[q] = 0.2 * random.next();
        }
        for v in body.elastic_velocities() {
            state.v[v] = random.next();
        }
    }
    state
}

#[test]
fn the_solve_is_that_of_the_dense_newton_matrix() {
    for kinematics in Kinematics::ALL {
        let model = random_tree(kinematics);
        let state = random_state(&model);
        let n = model.velocity_count();
        let mut work = Workspace::new(&model);
        let unknowns = work.unknowns.clone();
        assert_eq!(unknowns.len(), n - 1);

        // Columns of M are differences of the residual, which is linear in the accelerations.
        let mut r_of = |a: &[f64]| {
            residual(&model, 0.0, &state.q, &state.v, a, &mut work);
            work.r.clone()
        };
        let zero = r_of(&vec![0.0; n]);
        let mut A = DMatrix::zeros(n, n);
        for j in 0..n {
            let mut a = vec![0.0; n];
            a[j] = 1.0;
            for (i, r) in r_of(&a).into_iter().enumerate() {
                A[(i, j)] = r - zero[i];
            }
        }
        assert!((&A - A.transpose()).amax() < 1e-11 * A.amax(), "the mass matrix is symmetric");

        let c = Coefficients { m: 1.0, d: 0.03, k: 0.002 };
        for body in model.bodies() {
            let at = body.elastic_velocities().start;
            let m = body.link.coordinate_count();
            let mut block = A.view_mut((at, at), (m, m));
            block += &body.link.D * c.d + &body.link.K * c.k;
        }
        let wrist = model.bodies().iter().find(|b| b.joint_name == "wrist").unwrap().hinge_velocities().start;
        let slide = model.bodies().iter().find(|b| b.joint_name == "slide").unwrap().hinge_velocities().start;
        A[(wrist, wrist)] += c.d * 0.4;
        A[(wrist + 1, wrist + 1)] += c.d * 3.0 + c.k * 50.0;
        A[(wrist + 2, wrist + 2)] += c.d * 1.0 + c.k * 20.0;
        A[(slide, slide)] += c.k * 7.0;

        let dense = A.select_rows(&unknowns).select_columns(&unknowns);
        residual(&model, 0.0, &state.q, &state.v, &vec![0.1; n], &mut work);
        let rhs = DVector::from_iterator(unknowns.len(), unknowns.iter().map(|&j| -work.r[j]));
        let expected = dense.clone().lu().solve(&rhs).unwrap();
        factor(&model, &state.v, c, &mut work).unwrap();
        solve(&model, &mut work);
        let ours = DVector::from_iterator(unknowns.len(), unknowns.iter().map(|&j| work.delta[j]));
        // Backward stable: the residual of the dense system is rounding, whatever its condition.
        let defect = (&dense * &ours - &rhs).amax() / (dense.amax() * ours.amax());
        assert!(defect < 1e-13, "{defect}");
        assert!((ours - &expected).amax() < 1e-8 * expected.amax());
    }
}

#[test]
fn second_order_interfaces_keep_the_energy() {
    // Energy is kept only if displacement, velocity, acceleration and virtual work of d = Vq − ½qᵀGq agree,
    // or of the turning chord. The tree here is random, so a missing term would show at once.
    for kinematics in [Kinematics::Second, Kinematics::Chord] {
        keeps_the_energy(kinematics);
    }
}

fn keeps_the_energy(kinematics: Kinematics) {
    let model = random_tree(kinematics);
    let run = |h: f64| {
        let newton =
            crate::NewtonSettings { force_tolerance: 1e-12, energy_tolerance: 1e-20, ..Default::default() };
        let settings = crate::Settings { newton, ..Default::default() };
        let mut simulation = crate::Simulation::new(&model, &settings).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..(0.1 / h).round() as usize {
            simulation.advance(h).unwrap();
            worst = worst.max(simulation.energy().balance.abs());
        }
        (worst, simulation.energy().kinetic)
    };
    let ((coarse, _), (fine, kinetic)) = (run(1e-3), run(5e-4));
    println!("{kinematics:?}: {coarse:.2e}, {fine:.2e} of {kinetic:.2} J");
    assert!(fine < 1e-3 * kinetic && (coarse / fine).log2() > 1.8);
}
