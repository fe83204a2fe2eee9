//! Force elements against closed forms.

use std::sync::Arc;

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_dynamics::{Settings, Simulation, Start};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Free, Prismatic};
use pliant_mechanism::motion::Harmonic;
use pliant_mechanism::{
    Actuator, Bushing, Constant, ConstraintSpec, Distance, Drive, End, ForceElement, ForceSpec,
    Interpolation, LengthCommand, Model, ModelBuilder, Motion, Outside, SpringDamper, SpringLaw, Table,
};
use pliant_spatial::Transform;

use crate::support::{named, revolute};

/// A block of 2 kg on a slide along x, held by a force element from the ground at x = −1.
fn block(kind: Box<dyn ForceElement>, start: f64, gravity: f64) -> Model {
    let element = ForceSpec { name: "element".into(), parent: left_end(), child: block_frame(), kind };
    let forces = vec![element];
    let gravity = Vector3::x() * gravity;
    slide(start, Drive::Free, ModelBuilder { gravity, forces, ..ModelBuilder::default() })
}

/// The ground at x = −1.
fn left_end() -> End {
    End::Ground(Transform::translation(-Vector3::x()))
}

fn block_frame() -> End {
    End::Frame { link: "block".into(), X: Transform::identity() }
}

/// A block of 2 kg on a slide along x, with all else as it is in `rest`.
pub(crate) fn slide(start: f64, drive: Drive, rest: ModelBuilder) -> Model {
    let mass = ReducedLink::rigid("block", 2.0, Vector3::zeros(), Matrix3::identity() * 1e-3, []);
    let mut slide = revolute("slide", "", "block", Vector3::z());
    slide.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    slide.coordinates[0].initial = start;
    slide.coordinates[0].drive = drive;
    ModelBuilder { links: vec![named(mass)], joints: vec![slide], ..rest }.build().unwrap()
}

fn linear(x: &[f64], y: &[f64]) -> Table {
    Table::new(x.to_vec(), y.to_vec(), Interpolation::Linear, Outside::Hold).unwrap()
}

fn run(model: &Model, end: f64, steps: usize) -> Simulation<'_> {
    let mut simulation = Simulation::new(model, &Settings::default()).unwrap();
    for _ in 0..steps {
        simulation.advance(end / steps as f64).unwrap();
    }
    simulation
}

#[test]
fn a_spring_and_damper_ring_down_as_the_formula_says() {
    let (k, d, m, x0) = (800.0f64, 4.0f64, 2.0f64, 0.05f64);
    let slopes: [SpringLaw; 2] =
        [SpringLaw::Linear(k), SpringLaw::Table(linear(&[-0.1, 0.0, 0.1, 0.2], &[-80.0, 0.0, 80.0, 160.0]))];
    for spring in slopes {
        let element = SpringDamper { spring, damper: SpringLaw::Linear(d), free_length: 1.0 };
        let model = block(Box::new(element), x0, 0.0);
        let mut simulation = run(&model, 1.0, 20_000);
        let decay = d / (2.0 * m);
        let omega = (k / m - decay * decay).sqrt();
        let expected = x0 * (-decay).exp() * (omega.cos() + decay / omega * omega.sin());
        // ω³h²t/12 ≈ 2e-6 of the amplitude.
        assert!((simulation.state().q[0] - expected).abs() < 2e-7, "{} {expected}", simulation.state().q[0]);
        let balance = simulation.energy().balance;
        assert!(balance.abs() < 1e-6, "{balance}");
    }
}

#[test]
fn stiff_elements_cost_no_iterations() {
    let oil = Actuator::Oil {
        length: LengthCommand::Motion(Arc::new(Harmonic {
            mean: 1.2,
            amplitude: 0.1,
            freq_hz: 1.0,
            phase: std::f64::consts::FRAC_PI_2,
        })),
        stiffness: 1e9,
        damping: 1e4,
    };
    // It starts where the command does, at rest.
    let model = block(Box::new(oil), 0.3, -9.81);
    let simulation = run(&model, 0.5, 500);
    let s = simulation.statistics();
    assert!(s.iterations <= 2 * s.steps && s.cuts == 0, "{s:?}");
    // The block follows the command but for its weight and inertia over the stiffness.
    assert!((simulation.state().q[0] - 0.1).abs() < 1e-6, "{}", simulation.state().q[0]);
}

#[test]
fn cylinders_push_with_what_they_are_given() {
    let model = block(Box::new(Actuator::Force(Arc::new(Constant(30.0)))), 0.0, -9.81);
    let mut simulation = run(&model, 1.0, 100);
    // a = F/m − g: constant, so the scheme is exact.
    let expected = 0.5 * (15.0 - 9.81);
    assert!((simulation.state().q[0] - expected).abs() < 1e-10);
    assert!((simulation.energy().drive_work - 30.0 * expected).abs() < 1e-9);
}

#[test]
fn a_cylinder_of_given_length_takes_its_load_along() {
    let length = Harmonic { mean: 1.2, amplitude: 0.1, freq_hz: 1.5, phase: 0.4 };
    let kind = Box::new(Distance { length: LengthCommand::Motion(Arc::new(length)) });
    let constraints =
        vec![ConstraintSpec { name: "cylinder".into(), parent: left_end(), child: block_frame(), kind }];
    let gravity = Vector3::x() * -9.81;
    let model = slide(0.2, Drive::Free, ModelBuilder { gravity, constraints, ..ModelBuilder::default() });
    let mut simulation = run(&model, 1.0, 2000);
    let command = length.at(1.0);
    // Positions and accelerations are those of the command at every step; the push is m(ẍ + g).
    assert!((simulation.state().q[0] - (command.value - 1.0)).abs() < 1e-12);
    let push = simulation.work().multipliers()[0];
    assert!((push - 2.0 * (command.acceleration + 9.81)).abs() < 1e-8, "{push}");
    // Its work is what the block has more of; the trapezoidal rule sums it with (ωh)² = 2e-5 of the power.
    let energy = simulation.energy();
    assert!(energy.drive_work.abs() > 0.5 && energy.balance.abs() < 1e-4, "{energy:?}");
}

#[test]
fn a_body_on_a_bushing_sags_and_turns_as_its_stiffness_says() {
    let mut K = Matrix6::from_diagonal(&nalgebra::Vector6::new(1e5, 2e5, 3e5, 900.0, 800.0, 700.0));
    (K[(1, 5)], K[(5, 1)]) = (4e3, 4e3);
    let bushing = Bushing { stiffness: K, damping: Matrix6::zeros() };
    let mass = ReducedLink::rigid("body", 3.0, Vector3::x() * 0.1, Matrix3::identity() * 0.02, []);
    let mut fly = revolute("fly", "", "body", Vector3::z());
    fly.joint = Box::new(Free);
    fly.coordinates = vec![Default::default(); 6];
    let model = ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(mass)],
        joints: vec![fly],
        forces: vec![ForceSpec {
            name: "bush".into(),
            parent: End::Ground(Transform::identity()),
            child: End::Frame { link: "body".into(), X: Transform::identity() },
            kind: Box::new(bushing),
        }],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings { start: Start::StaticEquilibrium, ..Settings::default() };
    let simulation = Simulation::new(&model, &settings).unwrap();
    // K d = [0, −mg, 0, 0, 0, −mg·0.1 cos φ]: the arm shortens with the cosine.
    let weight = 3.0 * 9.81;
    let (mut y, mut phi) = (0.0, 0.0f64);
    for _ in 0..50 {
        let arm = 0.1 * phi.cos();
        let det = 2e5 * 700.0 - 4e3 * 4e3;
        y = (-weight * 700.0 + weight * arm * 4e3) / det;
        phi = (2e5 * -weight * arm + 4e3 * weight) / det;
    }
    let q = &simulation.state().q;
    let turned = 2.0 * q[6].atan2(q[3]);
    assert!((q[1] - y).abs() < 1e-12 && (turned - phi).abs() < 1e-10, "{q:?}; {y} {phi}");
}
