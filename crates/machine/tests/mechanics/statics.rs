//! Equilibrium at the start, steady rotation, static analysis and load continuation.

use pliant_dynamics::{AnalysisKind, Frame, Simulation, SimulationError, simulate, vibration_modes};

use crate::support::{column, first_root, machine};

/// A steel column, clamped below.
const COLUMN: &str = "beam = { length = 2.0, section = { bar = [0.02, 0.02] }, material = { e = 200e9, nu = 0.3, rho = 7850 }, elements = 16 }
modes = { count = 4 }";

/// The column, pressed along its axis and pushed at its tip by a little.
fn pressed(analysis: &str, press: &str) -> String {
    column(COLUMN, &format!("['{press}', 0.5, 0]"), analysis)
}

const EI: f64 = 200e9 * 0.02 * 0.02 * 0.02 * 0.02 / 12.0;
const LENGTH: f64 = 2.0;
/// Euler: π²EI/4L².
const CRITICAL: f64 = std::f64::consts::PI * std::f64::consts::PI * EI / (4.0 * LENGTH * LENGTH);

/// Timoshenko and Gere, Theory of Elastic Stability, chapter 1: a cantilever under P along its axis and Q
/// across its tip bends by Q/P (tan(kL)/k − L), k² = P/EI.
fn beam_column(P: f64, Q: f64) -> f64 {
    let k = (P / EI).sqrt();
    Q / P * ((k * LENGTH).tan() / k - LENGTH)
}

/// Load continuation to 0.9 of the buckling load: deflections grow tenfold, as beam-column theory has it.
#[test]
fn a_column_bends_as_its_load_nears_buckling() {
    let folder = tempfile::tempdir().unwrap();
    let text = pressed("kind = 'static'\nend = 0.9\nstep = 0.1", &format!("-{CRITICAL:?}*t"));
    let (model, tip, settings) = machine(folder.path(), &text);
    let mut found = Vec::new();
    let mut take = |frame: &Frame<'_>| found.push((frame.state.t, frame.work.X_WT(tip).p.y));
    simulate(&model, AnalysisKind::Static, &settings, &mut take).unwrap();
    assert_eq!(found.len(), 10);
    for (share, deflection) in &found[1..] {
        let exact = beam_column(share * CRITICAL, 0.5);
        println!("{share:.1} of the buckling load: {deflection:.6} m, {exact:.6} m");
        // Shear of a column 100 times as long as thick: 1e-4 of EI/GAL²; tip deflections of 1 % of the
        // length.
        assert!((deflection / exact - 1.0).abs() < 0.01, "{share}: {deflection} for {exact}");
    }
    let first = |press: f64| {
        let text = pressed("start = 'equilibrium'\nend = 1\nstep = 1e-3", &format!("-{press:?}"));
        let (model, _, settings) = machine(folder.path(), &text);
        vibration_modes(&model, &settings).unwrap()[0].frequency_hz
    };
    for share in [0.0, 0.5, 0.9] {
        let (found, exact) = (first(share * CRITICAL), pressed_frequency(share * CRITICAL));
        println!("frequency at {share} of the buckling load: {found:.4} Hz, exact {exact:.4}");
        assert!((found / exact - 1.0).abs() < 5e-3, "{share}: {found} for {exact}");
    }
}

/// First frequency (Hz) of the column under P, from EI w″″ + P w″ = ρAω²w with w = w′ = 0 below and w″ = 0,
/// EI w‴ + P w′ = 0 above: with a², b² = √(k⁴/4 + ρAω²/EI) ± k²/2 the determinant of the two conditions above
/// in cos ax − cosh bx and sin ax − (a/b) sinh bx vanishes.
fn pressed_frequency(P: f64) -> f64 {
    let (half, rho_a) = (0.5 * P / EI, 7850.0 * 0.02 * 0.02);
    let determinant = |omega: f64| {
        let root = (half * half + rho_a * omega * omega / EI).sqrt();
        let (a, b) = ((root + half).sqrt(), (root - half).sqrt());
        let ((s, c), (sh, ch)) = ((a * LENGTH).sin_cos(), ((b * LENGTH).sinh(), (b * LENGTH).cosh()));
        let bending = [-a * a * c - b * b * ch, -a * a * s - a * b * sh];
        let shear = [a * b * b * s - b * a * a * sh, -a * b * b * c - a * a * a * ch];
        bending[0] * shear[1] - bending[1] * shear[0]
    };
    first_root(determinant, 1e-3, 1.0) / std::f64::consts::TAU
}

#[test]
fn an_equilibrium_has_no_more_iterations_than_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let press = format!("-{:?}", 0.9 * CRITICAL);
    let analysis = "start = 'equilibrium'\nend = 1\nstep = 1e-3\nnewton = { max_iterations = 1 }";
    let (model, _, settings) = machine(folder.path(), &pressed(analysis, &press));
    let error = Simulation::new(&model, &settings).unwrap_err();
    assert!(matches!(error, SimulationError::NoEquilibrium { iterations: 1, .. }), "{error}");
}

fn pendulum(start: &str, analysis: &str) -> String {
    format!(
        "gravity = [0, -10, 0]
[links.p]
rigid = {{ mass = 2, centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1], interfaces = {{ tip = [1, 0, 0] }} }}
[joints.j]
parent = 'ground'
child = 'p'
type = 'revolute'
start = {{ value_deg = -80{start} }}
[loads.l]
at = 'p.tip'
force = ['4*t', 0, 0]
[analysis]
{analysis}
[output]
tip = 'p.tip'
"
    )
}

#[test]
fn a_free_joint_is_refused_or_held_at_the_start_and_found_by_statics() {
    let folder = tempfile::tempdir().unwrap();
    let analysis = "start = 'equilibrium'\nend = 1\nstep = 0.1";
    let (model, _, settings) = machine(folder.path(), &pendulum("", analysis));
    let error = Simulation::new(&model, &settings).unwrap_err();
    assert!(error.to_string().contains("hold = true"), "{error}");
    let (model, _, settings) = machine(folder.path(), &pendulum(", hold = true", analysis));
    let held = Simulation::new(&model, &settings).unwrap();
    assert!((held.state().q[0] + 80f64.to_radians()).abs() < 1e-15);
    // tan of the angle from the vertical: force over half the weight, which acts in the middle.
    let (model, _, settings) = machine(folder.path(), &pendulum("", "kind = 'static'\nend = 5\nstep = 0.5"));
    let mut found = Vec::new();
    let mut take = |frame: &Frame<'_>| found.push((frame.state.t, frame.state.q[0]));
    simulate(&model, AnalysisKind::Static, &settings, &mut take).unwrap();
    for (t, angle) in found {
        let exact = (4.0 * t / 10.0).atan() - std::f64::consts::FRAC_PI_2;
        assert!((angle - exact).abs() < 1e-9, "{t}: {angle} {exact}");
    }
}

/// A rod that spins about its end starts stretched by ρω²L³/3E and stays so; undeformed it would ring to
/// twice that.
#[test]
fn a_steady_start_does_not_ring() {
    let folder = tempfile::tempdir().unwrap();
    let text = |start: &str| {
        format!(
            "[links.r]
beam = {{ length = 1.0, section = {{ rod = 0.02 }}, material = {{ e = 70e9, nu = 0.3, rho = 2700 }}, elements = 12 }}
modes = {{ count = 8 }}
[joints.j]
parent = 'ground'
child = 'r'
type = 'revolute'
start = {{ rate = 100 }}
[analysis]
start = '{start}'
end = 0.02
step = 1e-5
[output]
tip = 'r.tip'
"
        )
    };
    let stretches = |start: &str| {
        let (model, tip, settings) = machine(folder.path(), &text(start));
        let mut all = Vec::new();
        let mut take = |frame: &Frame<'_>| all.push(frame.work.X_WT(tip).p.norm() - 1.0);
        simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
        (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max))
    };
    let exact = 2700.0 * 100.0 * 100.0 / (3.0 * 70e9);
    let (least, most) = stretches("steady");
    println!("steady stretch {least:.6e} to {most:.6e}, exact {exact:.6e}");
    // The fourth digit is the stiffening of the stretch by itself, ω²ρL²/E = 4e-4.
    assert!(
        (least / exact - 1.0).abs() < 2e-3 && (most / exact - 1.0).abs() < 2e-3,
        "{least} {most} {exact}"
    );
    let (_, ringing) = stretches("undeformed");
    assert!(ringing > 1.8 * exact, "{ringing}");
}

/// The example of docs/statics.md: the file runs, and the rotor keeps its spin.
#[test]
fn the_example_of_a_free_rotor_runs() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statics.md")).unwrap();
    let example = page.split("```toml\n").find(|block| block.contains("[joints.float]")).unwrap();
    let text = example.split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (model, _, settings) = machine(folder.path(), text);
    let mut rates = Vec::new();
    let at = model.joint_coordinate("float", 3).unwrap();
    let at = model.state_entry(at).velocity;
    let mut take = |frame: &Frame<'_>| rates.push(frame.state.v[at]);
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
    assert!(rates.len() > 100 && rates.iter().all(|rate| (rate - 100.0).abs() < 1e-6), "{rates:?}");
    // Without the holds it is refused, with what to write.
    let (model, _, settings) =
        machine(folder.path(), &text.replace("y          = { start = { hold = true } }\n", ""));
    let error = Simulation::new(&model, &settings).unwrap_err();
    assert!(error.to_string().contains("hold = true"), "{error}");
}

/// A shaft whose two bending stiffnesses differ, with a mass on its end, spun between its two frequencies: it
/// whirls out with the rate s of (s² + ω₁² − Ω²)(s² + ω₂² − Ω²) + 4Ω²s² = 0 (in the rotating frame; Den
/// Hartog, Mechanical Vibrations, chapter 6; Genta, Dynamics of Rotating Systems).
#[test]
fn an_unsymmetric_shaft_grows_at_its_rate() {
    let folder = tempfile::tempdir().unwrap();
    let (e, length, mass) = (200e9, 0.5, 5.0);
    let (b, h) = (0.020, 0.024);
    let frequency = |i: f64| (3.0 * e * i / (length * length * length * mass)).sqrt();
    let (low, high) = (frequency(h * b * b * b / 12.0), frequency(b * h * h * h / 12.0));
    let spin = 0.5 * (low + high);
    // s⁴ + (ω₁² + ω₂² + 2Ω²) s² + (ω₁² − Ω²)(ω₂² − Ω²) = 0: one root s² is positive where the last term is
    // negative.
    let (sum, product) = (
        low * low + high * high + 2.0 * spin * spin,
        (low * low - spin * spin) * (high * high - spin * spin),
    );
    let rate = (0.5 * (-sum + (sum * sum - 4.0 * product).sqrt())).sqrt();
    let text = format!(
        "[links.s]
beam = {{ length = {length}, section = {{ bar = [{b}, {h}] }}, material = {{ e = {e:?}, nu = 0.3, rho = 1.0 }}, elements = 10 }}
modes = {{ count = 4 }}
[joints.j]
parent = 'ground'
child = 's'
type = 'revolute'
axis = 'x'
drive = {{ motion = {{ profile = 'spin-up', rate = {spin:?}, start = -0.1, time = 0.1 }} }}
[payload]
at = 's.tip'
mass = {mass}
inertia = [1e-6, 1e-6, 1e-6]
[loads.l]
at = 's.tip'
frame = 'triad'
force = [0, '0.01*(t<0.01)', '0.01*(t<0.01)']
[analysis]
end = {:?}
step = 1e-4
[output]
tip = 's.tip'
",
        8.0 / rate
    );
    let (model, tip, settings) = machine(folder.path(), &text);
    let mut radius = Vec::new();
    let mut take = |frame: &Frame<'_>| {
        let p = frame.work.X_WT(tip).p;
        radius.push((frame.state.t, p.y.hypot(p.z)));
    };
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
    let late = |share: f64| radius[(share * (radius.len() - 1) as f64) as usize];
    let ((t0, first), (t1, last)) = (late(0.75), late(1.0));
    let found = (last / first).ln() / (t1 - t0);
    println!(
        "between {low:.2} and {high:.2} rad/s at {spin:.2}: grows at {found:.4} 1/s, exact {rate:.4}; to {last:.2e} m"
    );
    // Shear of a shaft 20 times as long as thick takes 0.2 % from the frequencies; what decays is e⁻⁶ of what
    // grows, squared.
    assert!((found / rate - 1.0).abs() < 0.02, "{found} for {rate}");
}

/// A narrow cantilever strip under a load across its tip, in its stiff plane, tips over sideways at 4.013
/// √(EI GJ)/L² (Timoshenko and Gere, Theory of Elastic Stability, section 6.3): there the square of its first
/// frequency, which falls with the square of the load, is zero.
#[test]
fn a_strip_buckles_sideways_at_its_load() {
    let folder = tempfile::tempdir().unwrap();
    let (e, nu, thick, high, length) = (70e9, 0.3, 0.002, 0.08, 1.0);
    // Roark's torsion constant of a rectangle.
    let ratio: f64 = thick / high;
    let torsion = high * thick * thick * thick * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio.powi(4) / 12.0));
    let bending: f64 = e * high * thick * thick * thick / 12.0;
    let critical = 4.013 * (bending * e / (2.0 * (1.0 + nu)) * torsion).sqrt() / (length * length);
    let square = |load: f64| {
        let text = format!(
            "[links.s]
beam = {{ length = {length:?}, section = {{ bar = [{thick:?}, {high:?}] }}, material = {{ e = {e:?}, nu = {nu}, rho = 2700 }}, elements = 24 }}
modes = {{ count = 4 }}
segments = 6
[joints.j]
parent = 'ground'
child = 's'
type = 'fixed'
[loads.l]
at = 's.tip'
force = [0, {:?}, 0]
[analysis]
start = 'equilibrium'
end = 1
step = 1e-3
[output]
tip = 's.tip'
",
            -load
        );
        let (model, _, settings) = machine(folder.path(), &text);
        vibration_modes(&model, &settings).unwrap()[0].frequency_hz.powi(2)
    };
    let (near, nearer) = (0.9 * critical, 0.97 * critical);
    let (a, b) = (square(near), square(nearer));
    let found = (near * near + (nearer * nearer - near * near) * a / (a - b)).sqrt();
    println!(
        "strip: buckles at {found:.3} N, exact {critical:.3} N; squares {a:.4}, {b:.4} of {:.4}",
        square(0.0)
    );
    // Bending in the stiff plane before, EI over that of the stiff plane: 6e-4.
    assert!((found / critical - 1.0).abs() < 0.01, "{found} for {critical}");
}

/// A pendulum on its head stands in balance, with an elastic link as with a rigid one, and nothing says to
/// which side it falls.
#[test]
fn a_pendulum_on_its_head_is_refused_with_an_elastic_link_too() {
    let folder = tempfile::tempdir().unwrap();
    let links = [
        "rigid = { mass = 2, centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1], interfaces = { tip = [1, 0, 0] } }",
        "beam = { length = 1.0, elements = 10, section = { rod = 0.02 }, material = 'steel' }\nmodes = { count = 8 }",
    ];
    for link in links {
        let text = format!(
            "gravity = [-9.81, 0, 0]
[links.p]
{link}
[joints.j]
parent = 'ground'
child = 'p'
type = 'revolute'
[analysis]
kind = 'static'
end = 1
step = 0.1
[output]
tip = 'p.tip'
"
        );
        let (model, _, settings) = machine(folder.path(), &text);
        let error = simulate(&model, AnalysisKind::Static, &settings, &mut |_: &Frame<'_>| {}).unwrap_err();
        assert!(matches!(error, SimulationError::UnstableEquilibrium { .. }), "{link}: {error}");
    }
}

#[test]
fn what_is_not_finite_is_named_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = pendulum("", "end = 1\nstep = 0.1").replace("'4*t'", "'500*(t > 0.1)*exp(-(t - 0.1)/1e-4)'");
    let (model, _, settings) = machine(folder.path(), &text);
    let error = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |_: &Frame<'_>| {}).unwrap_err();
    assert_eq!(error.to_string(), "load `l`: its force is not finite at t = 0 s");
}
