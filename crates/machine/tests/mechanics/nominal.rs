//! The nominal motion serves the run and does not rule it.

use pliant_dynamics::{
    AnalysisKind, Flow, Frame, NominalKind, Observer, TipMetricsCollector, Warning, simulate,
};
use pliant_mechanism::InterfaceRef;

use crate::support::machine;

struct Log {
    tip: Vec<(f64, [f64; 3], [f64; 3])>,
    known: Vec<NominalKind>,
    warnings: Vec<String>,
    at: InterfaceRef,
    metrics: TipMetricsCollector,
    /// Largest error of the tip (m).
    peak: f64,
}

impl Observer for Log {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        let (actual, nominal) = frame.poses(self.at);
        self.tip.push((frame.state.t, actual.p.into(), nominal.p.into()));
        self.known.push(frame.nominal.known());
        self.metrics.frame(frame)
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.message.clone());
    }
}

fn run(text: &str) -> Log {
    let folder = tempfile::tempdir().unwrap();
    let (model, tip, settings) = machine(folder.path(), text);
    let metrics = TipMetricsCollector::new(tip, 1e-3, pliant_dynamics::SettleAbout::Nominal);
    let mut log =
        Log { tip: Vec::new(), known: Vec::new(), warnings: Vec::new(), at: tip, metrics, peak: 0.0 };
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut log).unwrap();
    log.peak = log.metrics.tip(&model).unwrap().peak;
    log
}

/// A ram bends a clamped beam by 20 mm, which rigid links cannot do.
fn ram(nominal: &str) -> String {
    format!(
        "[links.beam]
beam = {{ length = 1.0, section = {{ bar = [0.05, 0.01] }}, material = 'steel' }}
modes = {{ count = 10 }}
[links.ram]
rigid = {{ mass = 1, inertia = [0.01, 0.01, 0.01], interfaces = {{ eye = [0, 0, 0] }} }}
[joints.clamp]
parent = 'ground'
child = 'beam'
type = 'fixed'
[joints.ram]
parent = 'ground'
child = 'ram'
type = 'prismatic'
axis = 'y'
origin = [1, 0, 0]
drive = {{ motion = {{ profile = 'cycloidal', to = 0.02, time = 0.5 }} }}
[constraints.push]
from = 'ram.eye'
to = 'beam.tip'
plane = 'y'
[analysis]
end = 0.6
step = 1e-3
nominal = '{nominal}'
[output]
tip = 'beam.tip'
"
    )
}

#[test]
fn a_run_goes_on_where_the_rigid_machine_cannot_move() {
    for nominal in ["rigid", "none"] {
        let log = run(&ram(nominal));
        let (t, tip, _) = log.tip.last().unwrap();
        assert!((t - 0.6).abs() < 1e-12 && (tip[1] - 0.02).abs() < 1e-9, "{nominal}: {t} {tip:?}");
        assert_eq!(log.known.last(), Some(&NominalKind::None));
        assert!(!log.metrics.is_known());
        let reported = log.warnings.iter().any(|message| message.contains("no tip error"));
        assert_eq!(reported, nominal == "rigid", "{:?}", log.warnings);
    }
}

/// A boom on a cylinder with oil: in the nominal machine the cylinder has its commanded length, as rigid one
/// would.
#[test]
fn cylinders_with_oil_stand_on_their_commands_in_the_nominal_machine() {
    let text = |oil: &str| {
        format!(
            "gravity = [0, 0, -9.81]
[links.boom]
beam = {{ length = 2.6, section = {{ box = {{ width = 0.35, height = 0.5, t = 0.012 }} }}, material = 'steel', elements = 8 }}
modes = {{ count = 6 }}
damping = {{ ratio = 0.02 }}
[joints.foot]
parent = 'ground'
child = 'boom'
type = 'revolute'
axis = '-y'
start = {{ value_deg = 40 }}
[forces.cylinder]
from = 'ground'
from_at = [0.6, 0, -0.4]
to = 'boom.tip'
length = {{ profile = 'cycloidal', from = 2.5, to = 2.7, time = 0.5 }}
{oil}
[payload]
at = 'boom.tip'
mass = 1200
[analysis]
end = 0.8
step = 2e-3
start = 'equilibrium'
[output]
tip = 'boom.tip'
"
        )
    };
    let soft = run(&text("oil = { stiffness = 6e7, damping = 2e5 }"));
    let stiff = run(&text(""));
    let eye = [0.6, 0.0, -0.4];
    let length = |p: &[f64; 3]| (0..3).map(|c| (p[c] - eye[c]).powi(2)).sum::<f64>().sqrt();
    for ((t, actual, nominal), (_, _, rigid)) in soft.tip.iter().zip(&stiff.tip) {
        let s = (t / 0.5).min(1.0);
        let command = 2.5 + 0.2 * (s - (std::f64::consts::TAU * s).sin() / std::f64::consts::TAU);
        assert!((length(nominal) - command).abs() < 1e-9, "{t}: {} {command}", length(nominal));
        assert!((0..3).all(|c| (nominal[c] - rigid[c]).abs() < 1e-9), "{t}: {nominal:?} {rigid:?}");
        // 1.2 t behind 60 kN/mm, accelerated: some millimetres.
        assert!((length(actual) - command).abs() < 5e-3, "{t}: {}", length(actual));
    }
    assert!(soft.known.iter().all(|known| *known == NominalKind::Rigid));
}

/// The commanded path of the tip as what it is compared with: no rigid machine is needed.
#[test]
fn the_path_can_be_nominal() {
    let text = |nominal: &str| {
        format!(
            "[links.upper]
beam = {{ length = 1.0, section = {{ tube = {{ od = 0.06, t = 0.003 }} }}, material = 'steel' }}
modes = {{ count = 4 }}
[links.fore]
beam = {{ length = 0.8, section = {{ tube = {{ od = 0.05, t = 0.003 }} }}, material = 'steel' }}
modes = {{ count = 4 }}
[joints.shoulder]
parent = 'ground'
child = 'upper'
type = 'revolute'
drive = {{ motion = {{ profile = 'path', near_deg = 20 }} }}
[joints.elbow]
parent = 'upper.tip'
child = 'fore'
type = 'revolute'
drive = {{ motion = {{ profile = 'path', near_deg = 60 }} }}
[path]
from = [1.0, 1.0, 0]
orientation = 'free'
moves = [{{ to = [0.7, 1.2, 0], time = 0.4 }}]
[analysis]
end = 0.6
step = 1e-3
nominal = '{nominal}'
[output]
tip = 'fore.tip'
"
        )
    };
    let (path, rigid) = (run(&text("path")), run(&text("rigid")));
    assert!(path.known.iter().all(|known| *known == NominalKind::Path));
    for ((t, _, along), (_, _, twin)) in path.tip.iter().zip(&rigid.tip) {
        assert!((0..3).all(|c| (along[c] - twin[c]).abs() < 1e-7), "{t}: {along:?} {twin:?}");
    }
    assert!(path.metrics.is_known());
    let (a, b) = (path.peak, rigid.peak);
    assert!((a / b - 1.0).abs() < 1e-3 && a > 1e-6, "{a} {b}");
}

/// Rigid links on springs of their joints are their own nominal machine: in equilibrium, or in steady motion
/// at r = k r₀/(k − mω²), the tip has no error.
#[test]
fn a_machine_held_by_springs_of_its_joints_has_a_reference_at_rest() {
    let hung = "gravity = [0, 0, -9.81]
[links.m]
rigid = { mass = 2, inertia = [1, 1, 1], interfaces = { p = [0, 0, 0] } }
[joints.j]
parent = 'ground'
child = 'm'
type = 'prismatic'
axis = 'z'
stiffness = { k = 100 }
[analysis]
end = 1
step = 1e-3
start = 'equilibrium'
[output]
tip = 'm.p'
";
    let rotor = "[links.hub]
rigid = { mass = 1, inertia = [1, 1, 1], interfaces = { rail = [0.5, 0, 0] } }
[links.m]
rigid = { mass = 1, inertia = [0.01, 0.01, 0.01], interfaces = { p = [0, 0, 0] } }
[joints.turn]
parent = 'ground'
child = 'hub'
type = 'revolute'
axis = 'z'
start = { rate = 10 }
[joints.slide]
parent = 'hub.rail'
child = 'm'
type = 'prismatic'
axis = 'x'
stiffness = { k = 400 }
[analysis]
end = 1
step = 1e-3
start = 'steady'
[output]
tip = 'm.p'
";
    // Where they stand: mg/k below, and 0.5 · 400/(400 − 100) from the axis.
    for (text, reach) in [(hung, 2.0 * 9.81 / 100.0), (rotor, 0.5 * 400.0 / 300.0)] {
        let log = run(text);
        assert!(log.peak < 1e-9, "{} m", log.peak);
        for (t, actual, nominal) in &log.tip {
            let size = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((size(actual) - reach).abs() < 1e-6, "{t}: {actual:?}");
            assert!((size(nominal) - reach).abs() < 1e-6, "{t}: {nominal:?}");
        }
    }
}
