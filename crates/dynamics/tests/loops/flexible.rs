//! The flexible four-bar of the peers' folder: a slender coupler at speed.

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation};
use pliant_mechanism::joint::Fixed;
use pliant_mechanism::motion::SpinUp;
use pliant_mechanism::{Model, ModelBuilder, Redundancy};
use pliant_spatial::Transform;

use crate::four_bar::{LENGTHS, joints, rod};
use crate::support::{Beam, TUBE, driven, named, reference, revolute, rigid};

/// The coupler's section, 25.4 × 1.6 mm aluminium, cut into pieces.
pub(crate) fn piece(pieces: usize, modes: usize, second_order: bool) -> Beam {
    let (width, height) = (25.4e-3, 1.6e-3);
    let I = width * height * height * height / 12.0;
    Beam {
        length: LENGTHS[2] / pieces as f64,
        A: width * height,
        I,
        J: 2.0 * I,
        E: 7.1e10,
        nu: 0.33,
        rho: 2770.0,
        shear: 5.0 / 6.0,
        elements: 20 / pieces,
        modes,
        second_order,
        ..TUBE
    }
}

/// The machine with its coupler in `pieces` links fixed to each other.
pub(crate) fn machine(pieces: usize, modes: usize, second_order: bool, rpm: f64) -> Model {
    let [g, a, _, c] = LENGTHS;
    let mass = 25.4e-3 * 1.6e-3 * 2770.0 * c;
    let crank =
        rigid("crank", 0.0, Vector3::zeros(), Matrix3::zeros(), Transform::translation(Vector3::x() * a));
    let beam = piece(pieces, modes, second_order);
    let name = |i: usize| if i + 1 == pieces { "coupler".to_owned() } else { format!("piece{i}") };
    let mut links = vec![named(crank), named(rod("rocker", c, mass))];
    links.extend((0..pieces).map(|i| named(beam.link(&name(i)))));
    let mut parts = joints(g);
    let spin = SpinUp { from: 0.0, rate: rpm * std::f64::consts::TAU / 60.0, start: 0.0, duration: 0.5 };
    parts[0] = driven(revolute("crank", "", "crank", Vector3::z()), spin);
    // Approximate angles at the start; the assembly finds the rest.
    parts[1].child = name(0);
    parts[1].coordinates[0].initial = 1.2;
    parts[2].coordinates[0].initial = 2.0;
    for i in 1..pieces {
        let mut joint = revolute(&format!("weld{i}"), &name(i - 1), &name(i), Vector3::z());
        joint.joint = Box::new(Fixed);
        joint.coordinates.clear();
        parts.push(joint);
    }
    ModelBuilder { links, joints: parts, redundancy: Redundancy::LeastNorm, ..ModelBuilder::default() }
        .build()
        .unwrap()
}

/// Deflection of the coupler's middle from the chord between its pins, positive to the left of crank→rocker,
/// and crank torque.
fn deflection(model: &Model, simulation: &Simulation<'_>, pieces: usize) -> f64 {
    let work = simulation.work();
    let end = |link: &str| work.X_WT(model.body(link).unwrap().interface(0)).p;
    let (from, to) = (end("crank"), end("coupler"));
    let middle = end(&format!("piece{}", pieces / 2 - 1));
    let chord = (to - from).normalize();
    let left = Vector3::z().cross(&chord);
    left.dot(&(middle - from))
}

fn compare(pieces: usize, modes: usize, second_order: bool) -> Option<(f64, f64)> {
    let rows = reference("exudyn/fourbar-170rpm-nonlinear.csv")?;
    let model = machine(pieces, modes, second_order, 170.0);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let (mut peak, mut square, mut size) = (0.0f64, 0.0, 0.0);
    for row in &rows[1..] {
        let steps = 5;
        for _ in 0..steps {
            simulation.advance((row[0] - simulation.state().t).min(1e-4)).unwrap();
        }
        let ours = deflection(&model, &simulation, pieces);
        peak = peak.min(ours);
        square += (ours - row[2]) * (ours - row[2]);
        size += row[2] * row[2];
    }
    let theirs = rows.iter().map(|row| row[2]).fold(0.0, f64::min);
    let s = simulation.statistics();
    println!(
        "{pieces} pieces, {modes} modes, second order {second_order}: peak {:.4} mm ({:+.2} %), rms {:.2} %, {:.2} iterations",
        1e3 * peak,
        100.0 * (peak / theirs - 1.0),
        100.0 * (square / size).sqrt(),
        s.iterations as f64 / s.steps as f64
    );
    Some((peak / theirs - 1.0, (square / size).sqrt()))
}

#[test]
fn the_flexible_four_bar_agrees_with_the_nonlinear_reference() {
    // Pieces with frames of their own take the shortening of the entire up; the more of them, the better.
    for (pieces, limit) in [(4, (0.02, 0.02)), (6, (0.01, 0.02))] {
        let Some((peak, rms)) = compare(pieces, 2, false) else { return };
        assert!(peak.abs() < limit.0 && rms < limit.1, "{pieces} pieces: {peak} {rms}");
    }
}
