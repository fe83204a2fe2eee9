//! Andrews' squeezing mechanism: seven bodies, three loops. Data and solution: Hairer and Wanner, *Solving
//! Ordinary Differential Equations II* (VII.7), and the Test Set for IVP Solvers (release 2.4), computed
//! there with PSIDE to 1e-14.

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation};
use pliant_link::ReducedLink;
use pliant_mechanism::{
    Constant, Drive, End, ForceSpec, JointSpec, Model, ModelBuilder, Placement, Redundancy, SpringDamper,
    SpringLaw,
};
use pliant_spatial::Transform;
use std::sync::Arc;

use crate::support::{named, revolute};

const A: [f64; 2] = [-0.06934, -0.00227];
const B: [f64; 2] = [-0.03635, 0.03273];
const C: [f64; 2] = [0.014, 0.072];

/// Positions at t = 0: β, Θ, γ, Φ, δ, Ω, ε.
const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_56,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];

/// Positions at t = 0.03 s.
const END: [f64; 7] = [
    15.810_771_196_299_04,
    -15.756_371_059_842_98,
    0.040_822_240_130_731_01,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    1.048_080_741_042_263,
];

/// A planar body: mass, centre, inertia about the centre, interfaces.
fn body(name: &str, m: f64, I: f64, centre: [f64; 2], ends: &[(&str, [f64; 2])]) -> ReducedLink {
    let at = |p: [f64; 2]| Vector3::new(p[0], p[1], 0.0);
    let ends = ends.iter().map(|(name, p)| ((*name).to_owned(), Transform::translation(at(*p))));
    // Out of the plane the inertia does not matter; I in all directions keeps it regular.
    ReducedLink::rigid(name, m, at(centre), Matrix3::identity() * I, ends)
}

fn ground(name: &str, child: &str, at: [f64; 2]) -> JointSpec {
    let mut joint = revolute(name, "", child, Vector3::z());
    let X_TP = Transform::translation(Vector3::new(at[0], at[1], 0.0));
    joint.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    joint
}

fn closing(name: &str, child: &str) -> JointSpec {
    let mut joint = revolute(name, "K2", child, Vector3::z());
    joint.child_interface = Some("tip".into());
    joint
}

fn squeezer() -> Model {
    let links = [
        body("K1", 0.04325, 2.194e-6, [0.92e-3, 0.0], &[("tip", [7e-3, 0.0])]),
        body("K2", 0.00365, 4.410e-7, [-11.5e-3, 0.0], &[("tip", [-28e-3, 0.0])]),
        body(
            "K3",
            0.02373,
            5.255e-6,
            [10.43e-3, -18.74e-3],
            &[("tip", [0.0, -35e-3]), ("D", [20e-3, -18e-3])],
        ),
        body("K4", 0.00706, 5.667e-7, [0.0, -(20e-3 - 14.21e-3)], &[("tip", [0.0, -20e-3])]),
        body("K5", 0.07050, 1.169e-5, [23.08e-3, 9.16e-3], &[("tip", [40e-3, 0.0])]),
        body("K6", 0.00706, 5.667e-7, [20e-3 - 14.21e-3, 0.0], &[("tip", [20e-3, 0.0])]),
        body("K7", 0.05498, 1.912e-5, [-4.49e-3, -12.28e-3], &[("tip", [0.0, -40e-3])]),
    ];
    let mut joints = vec![
        ground("O", "K1", [0.0, 0.0]),
        revolute("elbow", "K1", "K2", Vector3::z()),
        ground("B", "K3", B),
        revolute("E", "K5", "K4", Vector3::z()),
        ground("A5", "K5", A),
        revolute("H", "K7", "K6", Vector3::z()),
        ground("A7", "K7", A),
    ];
    for (joint, start) in joints.iter_mut().zip(START) {
        joint.coordinates[0].initial = start;
    }
    joints[0].coordinates[0].drive = Drive::Torque(Arc::new(Constant(0.033)));
    joints.extend([closing("F3", "K3"), closing("F4", "K4"), closing("F6", "K6")]);
    let spring = SpringDamper {
        spring: SpringLaw::Linear(4530.0),
        damper: SpringLaw::Linear(0.0),
        free_length: 0.07785,
    };
    ModelBuilder {
        links: links.into_iter().map(named).collect(),
        joints,
        forces: vec![ForceSpec {
            name: "spring".into(),
            parent: End::Ground(Transform::translation(Vector3::new(C[0], C[1], 0.0))),
            child: End::Interface { link: "K3".into(), interface: "D".into(), X: Transform::identity() },
            kind: Box::new(spring),
        }],
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Angles in the order of the source.
fn angles(model: &Model, q: &[f64]) -> Vec<f64> {
    let bodies = ["K1", "K2", "K3", "K4", "K5", "K6", "K7"];
    bodies.iter().map(|name| q[model.bodies()[model.body(name).unwrap()].hinge_positions().start]).collect()
}

fn end(steps: usize) -> (Vec<f64>, f64, f64) {
    let model = squeezer();
    let settings = Settings { t_end: 0.03, ..Settings::default() };
    let mut simulation = Simulation::new(&model, &settings).unwrap();
    for (angle, start) in angles(&model, &simulation.state().q).iter().zip(START) {
        // The start was given to 1e-17 and closes the loops: assembly has nothing to do.
        assert!((angle - start).abs() < 1e-10, "{angle} {start}");
    }
    let mut open = 0.0f64;
    for n in 1..=steps {
        let target = 0.03 * n as f64 / steps as f64;
        simulation.advance(target - simulation.state().t).unwrap();
        open = open.max(simulation.work().constraint_error().0);
    }
    let balance = simulation.energy().balance;
    (angles(&model, &simulation.state().q), open, balance)
}

#[test]
fn published_positions_are_met() {
    let ((coarse, _, _), (fine, open, balance)) = (end(12_000), end(30_000));
    println!("open {open:.2e} m, balance {balance:.2e} J");
    for (i, ((coarse, fine), published)) in coarse.iter().zip(&fine).zip(END).enumerate() {
        let error = fine - published;
        let order = ((coarse - published) / error).ln() / 2.5f64.ln();
        println!("{i}: {fine:.9}, error {error:.2e}, order {order:.3}");
        assert!(error.abs() < 1e-6, "{i}: {error}");
        assert!((order - 2.0).abs() < 0.1);
    }
    assert!(open < 1e-10);
    // The drive puts 0.5 J in; the works are summed by the trapezoidal rule.
    assert!(balance.abs() < 1e-5);
}
