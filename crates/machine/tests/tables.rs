//! Tables of pipeline files: what they give, what is refused, and what is warned of.

use std::path::Path;

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{
    AnalysisKind, Energy, Flow, Frame, Observer, ObserverError, SimulationError, Warning, simulate,
};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_mechanism::{BodyIndex, Model};
use pliant_spatial::Transform;

/// One kilogram on a slide along x, driven or held by `more`.
fn text(more: &str) -> String {
    format!(
        "[links.m]\nrigid = {{ mass = 1, inertia = [1, 1, 1], interfaces = {{ p = [1, 0, 0] }} }}\n\
         [joints.j]\nparent = 'ground'\nchild = 'm'\ntype = 'prismatic'\naxis = 'x'\n{more}\n\
         [analysis]\nend = 2\nstep = 1e-3\n"
    )
}

/// The model of a file beside `table.csv`, with all messages.
fn read(folder: &Path, more: &str, rows: &str) -> (Option<(Model, pliant_dynamics::Settings)>, Vec<String>) {
    std::fs::write(folder.join("table.csv"), rows).expect("the table is written");
    let path = folder.join("machine.toml");
    std::fs::write(&path, text(more)).expect("the pipeline file is written");
    from_file(&path)
}

fn from_file(path: &Path) -> (Option<(Model, pliant_dynamics::Settings)>, Vec<String>) {
    let file = pliant_pipeline::read(path);
    let mut all: Vec<String> =
        file.diagnostics.iter().map(|d| format!("{} {:?}", d.message, d.hints)).collect();
    let planned = Plan::new(&file.output);
    all.extend(planned.diagnostics.iter().map(|d| format!("{} {:?}", d.message, d.hints)));
    let Some(plan) = planned.output else { return (None, all) };
    let settings = plan.settings;
    let tip = [("p".to_owned(), Transform::translation(Vector3::x()))];
    let body = ReducedLink::rigid("m", 1.0, Vector3::zeros(), Matrix3::identity(), tip);
    let model = plan
        .model(vec![("m".to_owned(), Arc::new(body))], &file.output.document)
        .expect("the machine is sound");
    (Some((model, settings)), all)
}

/// Rate, energies and largest drive force.
fn run(model: &Model, settings: &pliant_dynamics::Settings) -> Result<(f64, Energy, f64), SimulationError> {
    let mut last = (0.0, Energy::default(), 0.0f64);
    simulate(model, AnalysisKind::Nonlinear, settings, &mut |frame: &Frame<'_>| {
        last = (
            frame.state.v[0],
            *frame.energy,
            last.2.max(frame.drive_force(BodyIndex(0).coordinate(0)).abs()),
        );
    })?;
    Ok(last)
}

const RAMP: &str = "t,F\n0,0\n0.1,10\n1,10\n";

#[test]
fn a_ramp_that_holds_gives_its_impulse_and_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let (made, messages) = read(folder.path(), "drive = { torque = 'table.csv' }", RAMP);
    assert!(messages.is_empty(), "{messages:?}");
    let (model, settings) = made.unwrap();
    let (v, energy, peak) = run(&model, &settings).unwrap();
    assert!((v - 19.5).abs() < 1e-9 && (energy.drive_work - 190.125).abs() < 1e-7, "{v} {energy:?}");
    assert!((peak - 10.0).abs() < 1e-12, "{peak} N");
}

#[test]
fn the_reproduction_of_the_ramp_that_overshot_behaves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/defects/machines/table-ramp-and-hold.toml");
    if !path.exists() {
        println!("SKIPPED: no ../shared here");
        return;
    }
    let (model, settings) = from_file(&path).0.unwrap();
    let (v, energy, peak) = run(&model, &settings).unwrap();
    assert!(
        (v - 19.5).abs() < 1e-9 && (energy.kinetic - 190.125).abs() < 1e-7 && peak <= 10.0 + 1e-12,
        "{v} {peak}"
    );
}

#[test]
fn every_word_for_rows_and_outside_has_its_impulse() {
    let folder = tempfile::tempdir().unwrap();
    // Impulse in 2 s: of the interpolation up to 1 s, and of what comes after. A monotone piece has
    // h (y₀ + y₁)/2 + h² (m₀ − m₁)/12; the slopes of pchip are 110 (three-point formula), 0 and 0 N/s.
    let cases = [
        ("interpolation = 'linear', outside = 'zero'", 9.5),
        ("interpolation = 'step', outside = 'hold'", 19.0),
        ("interpolation = 'step', outside = 'zero'", 9.0),
        ("interpolation = 'monotone', outside = 'zero'", 9.5 + 0.01 * 110.0 / 12.0),
    ];
    for (words, impulse) in cases {
        let drive = format!("drive = {{ torque = {{ file = 'table.csv', {words} }} }}");
        let (made, messages) = read(folder.path(), &drive, RAMP);
        assert!(messages.is_empty(), "{messages:?}");
        let (model, settings) = made.unwrap();
        let (v, energy, peak) = run(&model, &settings).unwrap();
        assert!(peak <= 10.0 + 1e-12, "{words}: {peak}");
        assert!(
            (energy.kinetic - 0.5 * impulse * impulse).abs() < 2e-9 * energy.kinetic,
            "{words}: {energy:?}"
        );
        assert!((v - impulse).abs() < 1e-9 * impulse, "{words}: {v} for {impulse}");
    }
}

#[test]
fn a_spline_that_leaves_its_rows_is_warned_of_and_a_short_table_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cubic = "drive = { torque = { file = 'table.csv', interpolation = 'cubic' } }";
    let (made, messages) = read(folder.path(), cubic, RAMP);
    assert!(made.is_some() && messages.len() == 1, "{messages:?}");
    assert!(messages[0].contains("leaves the range") && messages[0].contains("3.0250e1"), "{messages:?}");
    let error = "drive = { torque = { file = 'table.csv', outside = 'error' } }";
    let (made, messages) = read(folder.path(), error, RAMP);
    assert!(made.is_none() && messages[0].contains("rows from 0 to 1 s"), "{messages:?}");
    let motion = "drive = { motion = { profile = 'table', file = 'table.csv' } }";
    let (_, messages) = read(folder.path(), motion, "0,0\n0.1,1\n1,1\n2,1\n");
    assert!(messages.iter().any(|m| m.contains("leaves the range")), "{messages:?}");
    let linear = "drive = { motion = { profile = 'table', file = 'table.csv', interpolation = 'linear' } }";
    let (made, messages) = read(folder.path(), linear, "0,0\n0.1,1\n1,1\n2,1\n");
    assert!(made.is_none() && messages[0].contains("infinite force"), "{messages:?}");
    let follow = "drive = { servo = { follow = { profile = 'table', file = 'table.csv', interpolation = 'linear' }, position_gain = 10, rate_gain = 1 } }";
    let (made, messages) = read(folder.path(), follow, "0,0\n0.1,1\n1,1\n2,1\n");
    assert!(made.is_some() && messages.is_empty(), "{messages:?}");
}

/// What a run warns of.
#[derive(Default)]
struct Warnings(Vec<Warning>);

impl Observer for Warnings {
    fn frame(&mut self, _: &Frame<'_>) -> Result<Flow, ObserverError> {
        Ok(Flow::Continue)
    }

    fn warning(&mut self, warning: &Warning) {
        self.0.push(warning.clone());
    }
}

/// The messages of a file's run of 1 s, and of its plan.
fn warned(more: &str, rows: &str, step: &str) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("table.csv"), rows).expect("the table is written");
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text(more).replace("end = 2\nstep = 1e-3", &format!("end = 1\nstep = {step}")))
        .expect("the pipeline file is written");
    let (made, planned) = from_file(&path);
    let (model, settings) = made.expect("a sound machine");
    let mut warnings = Warnings::default();
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut warnings).expect("the run ends");
    (warnings.0.iter().map(|w| format!("{}: {}", w.subject, w.message)).collect(), planned)
}

/// Error control takes 1 ms where it must and 0.2 s where it may: what counts are the steps that it takes.
#[test]
fn steps_of_error_control_are_judged_as_they_were_taken() {
    let step = "{ tolerance = 1e-4, min = 1e-9, max = 0.2 }";
    let (warnings, _) = warned("drive = { torque = 'min(sin(31*t), 0.5)' }", "", step);
    assert_eq!(warnings, [""; 0]);
    // A pulse of 0.2 ms between two outputs, which force the steps to 1 ms, is found and divided.
    let (warnings, _) = warned("drive = { torque = 'exp(-((t - 0.5005)/0.0001)^2)' }", "", step);
    assert_eq!(warnings, [""; 0]);
    // Two periods from output to output, for a second: more than any division.
    let (warnings, _) = warned("drive = { torque = 'sin(2*pi*2000*t)' }", "", step);
    assert!(warnings.len() == 1 && warnings[0].contains("`max` of at most"), "{warnings:?}");
    // A cubic table has no corners, and stops inside its pulse are none.
    let cubic = "drive = { torque = { file = 'table.csv', interpolation = 'cubic' } }";
    let (warnings, _) = warned(cubic, RAMP, "{ tolerance = 1e-4, min = 1e-9, max = 0.05 }");
    assert_eq!(warnings, [""; 0]);
}

/// A spline that does not end at rest stops its joint at once: a smaller step is no remedy.
#[test]
fn energy_that_a_jump_of_the_rate_takes_names_the_motion() {
    let rows = "0,0\n0.1,0\n0.2,0.1\n0.8,0.1\n";
    let motion =
        |more: &str| format!("drive = {{ motion = {{ profile = 'table', file = 'table.csv'{more} }} }}");
    let (warnings, planned) = warned(&motion(""), rows, "1e-4");
    assert!(planned.iter().any(|m| m.contains("an infinite force") && m.contains("monotone")), "{planned:?}");
    assert!(planned.iter().all(|m| !m.contains("jump in the data")), "{planned:?}");
    let energy = warnings.iter().find(|w| w.starts_with("energy balance")).unwrap();
    assert!(
        energy.contains("motion of joint `j` jumps at t = 0.8") && !energy.contains("smaller step"),
        "{energy}"
    );
    let (warnings, planned) = warned(&motion(", interpolation = 'monotone'"), rows, "1e-4");
    assert!(planned.is_empty() && warnings.is_empty(), "{planned:?} {warnings:?}");
}

/// A spring with a gap of 10 mm on both sides: free inside, 1 kN/m outside; the block flies through the gap
/// and is thrown back.
#[test]
fn a_gap_spring_pushes_nothing_in_its_gap_and_gives_its_energy_back() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "-0.11,-100\n-0.01,0\n0.01,0\n0.11,100\n";
    let more = |outside: &str, rate: f64| {
        format!(
            "start = {{ value = 0, rate = {rate} }}\n[forces.gap]\nfrom = 'ground'\nfrom_at = [-1, 0, 0]\nto = 'm'\n\
             spring = {{ table = {{ file = 'table.csv', outside = '{outside}' }}, free_length = 1 }}"
        )
    };
    let (made, messages) = read(folder.path(), &more("hold", 0.5), rows);
    assert!(messages.is_empty(), "{messages:?}");
    let (model, settings) = made.unwrap();
    let (mut inside, mut most, mut worst) = (0.0f64, 0.0f64, 0.0f64);
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        let (x, force) = (frame.state.q[0], frame.work.multipliers()[0]);
        if x.abs() < 0.01 {
            inside = inside.max(force.abs());
        }
        most = most.max(x.abs());
        worst = worst.max(frame.energy.balance.abs());
    })
    .unwrap();
    assert_eq!(inside, 0.0, "force in the gap");
    // ½ m v² = ½ k d²: 15.8 mm into the spring; Newmark's rule with a corner in a step keeps energy to a part
    // of 1e-3.
    assert!((most - 0.01 - 0.5 / 1000f64.sqrt()).abs() < 1e-4, "{most}");
    assert!(worst < 1e-3 * 0.125, "{worst} J");
    // Faster, it leaves the rows: an error where that is asked for.
    let (made, _) = read(folder.path(), &more("error", 5.0), rows);
    let (model, settings) = made.unwrap();
    let error = run(&model, &settings).unwrap_err();
    assert!(matches!(error, SimulationError::LeftTable { .. }), "{error}");
}
