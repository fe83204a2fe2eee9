//! Unstable equilibria, growing modes, and machines that find their equilibrium from afar.

use std::path::Path;

use nalgebra::Vector3;
use pliant_dynamics::{
    AnalysisKind, Frame, Simulation, SimulationError, natural_frequencies, simulate, vibration_modes,
};

use crate::support::{column, first_root, machine};

/// A perfectly straight steel column, clamped below, under a load along its axis and nothing else.
const COLUMN: &str = "beam = { length = 1.0, section = { bar = [0.05, 0.01] }, material = { e = 210e9, nu = 0.3, rho = 7850 }, elements = 12 }
modes = { count = 8 }";

const EI: f64 = 210e9 * 0.05 * 0.01 * 0.01 * 0.01 / 12.0;
/// Euler: π²EI/4L².
const CRITICAL: f64 = std::f64::consts::PI * std::f64::consts::PI * EI / 4.0;

/// The residual of a perfect column is zero, whatever the load: only its stiffness says that it buckles.
#[test]
fn a_perfect_column_is_refused_beyond_its_buckling_load() {
    let folder = tempfile::tempdir().unwrap();
    let start = |share: f64| {
        let text = column(
            COLUMN,
            &format!("[{:?}, 0, 0]", -share * CRITICAL),
            "start = 'equilibrium'\nend = 1\nstep = 1e-3",
        );
        let (model, _, settings) = machine(folder.path(), &text);
        Simulation::new(&model, &settings).map(|_| ())
    };
    start(0.99).unwrap();
    let error = start(1.01).unwrap_err();
    assert!(matches!(error, SimulationError::UnstableEquilibrium { .. }), "{error}");
    let text =
        column(COLUMN, &format!("['{:?}*t', 0, 0]", -CRITICAL), "kind = 'static'\nend = 1.2\nstep = 0.1");
    let (model, _, settings) = machine(folder.path(), &text);
    let mut last = 0.0;
    let mut take = |frame: &Frame<'_>| last = frame.state.t;
    let error = simulate(&model, AnalysisKind::Static, &settings, &mut take).unwrap_err();
    let SimulationError::UnstableEquilibrium { t } = error else { panic!("{error}") };
    println!("stable to {last} of Euler's load, unstable at {t}");
    // Four links of second order and shear: parts of 1e-3.
    assert!((last - 0.9).abs() < 1e-12 || (last - 1.0).abs() < 1e-12);
    assert!((t - 1.0).abs() < 5e-3, "{t}");
}

/// Rate σ (1/s) at which a column under P > P_cr falls: EI w⁗ + P w″ + ρAσ²w = 0 has the solutions cos ax,
/// sin ax, cos bx and sin bx with a², b² = k²/2 ± √(k⁴/4 − ρAσ²/EI), k² = P/EI; w = w′ = 0 below, w″ = 0 and
/// EI w‴ + P w′ = 0 above. The roots are real up to σ² = k⁴EI/4ρA, for P up to 1.1 P_cr.
fn falling_rate(P: f64) -> f64 {
    let (half, rho_a) = (0.5 * P / EI, 7850.0 * 0.05 * 0.01);
    let determinant = |sigma: f64| {
        let root = (half * half - rho_a * sigma * sigma / EI).sqrt();
        let (a, b) = ((half + root).sqrt(), (half - root).sqrt());
        let ((s, c), (sb, cb)) = (a.sin_cos(), b.sin_cos());
        // Of cos ax − cos bx and sin ax − (a/b) sin bx.
        let bending = [-a * a * c + b * b * cb, -a * a * s + a * b * sb];
        let shear = |third: f64, first: f64| third + (a * a + b * b) * first;
        let above = [
            shear(a * a * a * s - b * b * b * sb, -a * s + b * sb),
            shear(-a * a * a * c + a * b * b * cb, a * c - a * cb),
        ];
        bending[0] * above[1] - bending[1] * above[0]
    };
    first_root(determinant, 1e-2, 0.5)
}

#[test]
fn a_growing_mode_is_listed_with_its_rate() {
    let folder = tempfile::tempdir().unwrap();
    let press = 2250.0;
    let (model, _, settings) =
        machine(folder.path(), &column(COLUMN, &format!("[-{press:?}, 0, 0]"), "end = 1\nstep = 1e-3"));
    let modes = vibration_modes(&model, &settings).unwrap();
    let (found, exact) = (std::f64::consts::TAU * modes[0].frequency_hz, falling_rate(press));
    println!("grows by {found:.4} 1/s, exact {exact:.4}; ratio {}", modes[0].ratio);
    assert!((modes[0].ratio + 1.0).abs() < 1e-9, "{modes:?}");
    // 4 % beyond the buckling load: σ² is a small difference, 24 times as sensitive as P_cr, which four
    // links and shear give to 2e-4.
    assert!((found / exact - 1.0).abs() < 0.01, "{found} for {exact}");
    assert!(modes[1..].iter().all(|mode| mode.ratio.abs() < 1e-9), "{modes:?}");
}

/// Positions of the tip `c.tip` of a machine under gravity in a static analysis.
fn at_rest(folder: &Path, links_and_joints: &str) -> Vec<Vector3<f64>> {
    let text = format!(
        "gravity = [0, 0, -9.81]
{links_and_joints}[analysis]
kind = 'static'
end = 0.1
step = 0.1
[output]
tip = 'c.tip'
"
    );
    let (model, tip, settings) = machine(folder, &text);
    let mut found = Vec::new();
    let mut take = |frame: &Frame<'_>| found.push(frame.work.X_WT(tip).p);
    let statistics = simulate(&model, AnalysisKind::Static, &settings, &mut take).unwrap();
    println!("{:?}, {} iterations at most", found[0], statistics.worst_iterations);
    found
}

/// A flexible rod on a hinge, gravity down, from any angle: it hangs straight down, longer by ρgL²/2E.
#[test]
fn a_pendulum_hangs_down_wherever_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    for degrees in [0.0, 1.0, 60.0, -60.0, -89.0, 200.0] {
        let text = format!(
            "[links.c]
beam = {{ length = 1.0, section = {{ rod = 0.02 }}, material = {{ e = 210e9, nu = 0.3, rho = 7850 }} }}
modes = {{ count = 8 }}
[joints.a]
parent = 'ground'
child = 'c'
type = 'revolute'
axis = 'y'
start = {{ value_deg = {degrees:?} }}
"
        );
        println!("from {degrees}°:");
        let found = at_rest(folder.path(), &text);
        let stretch = 7850.0 * 9.81 / (2.0 * 210e9);
        assert!(found.iter().all(|p| p.x.abs() < 1e-9 && p.y.abs() < 1e-12), "{degrees}: {found:?}");
        // The stretch has static modes of the tip and 8 fixed-interface modes.
        assert!(found.iter().all(|p| (-p.z - 1.0 - stretch).abs() < 0.02 * stretch), "{degrees}: {found:?}");
    }
}

/// Three rods in a row on hinges about two axes, and a ball joint.
#[test]
fn a_chain_hangs_down_from_a_horizontal_start() {
    let folder = tempfile::tempdir().unwrap();
    let rod = "rigid = { mass = 2, centre = [0.5, 0, 0], inertia = [0.01, 0.2, 0.2], interfaces = { tip = [1, 0, 0] } }";
    let text = format!(
        "[links.a]
{rod}
[links.b]
{rod}
[links.c]
{rod}
[joints.a]
parent = 'ground'
child = 'a'
type = 'revolute'
axis = 'y'
[joints.b]
parent = 'a.tip'
child = 'b'
type = 'revolute'
axis = 'y'
start = {{ value_deg = -70 }}
[joints.c]
parent = 'b.tip'
child = 'c'
type = 'universal'
axis = 'y'
second_axis = 'z'
[joints.c.coordinates]
angle_1 = {{ start = {{ value_deg = 100 }} }}
angle_2 = {{ start = {{ value_deg = 30 }} }}
"
    );
    let found = at_rest(folder.path(), &text);
    assert!(
        found.iter().all(|p| p.x.abs() < 1e-9 && p.y.abs() < 1e-9 && (p.z + 3.0).abs() < 1e-9),
        "{found:?}"
    );
}

/// A body that nothing holds has no vibration, under gravity too.
#[test]
fn a_free_body_has_no_modes() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[links.m]
rigid = { mass = 3, centre = [0.1, 0.2, 0], inertia = [1, 2, 3], interfaces = { p = [0, 0, 0] } }
[joints.j]
parent = 'ground'
child = 'm'
type = 'free'
[analysis]
end = 1
step = 1e-2
[output]
tip = 'm.p'
";
    let (model, _, settings) = machine(folder.path(), text);
    assert_eq!(vibration_modes(&model, &settings).unwrap(), []);
    assert!(natural_frequencies(&model, &settings).unwrap().iter().all(|hz| *hz == 0.0));
}
