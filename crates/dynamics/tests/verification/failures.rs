//! A run that cannot go on says where and when; one that leaves its range says so.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, NewtonSettings, Observer, Scheme, Settings, Simulation, SimulationError,
    Start, StepControl, Warning, simulate,
};
use pliant_mechanism::{Attachment, Constant, Drive, Expression, LoadFrame, LoadSpec, Model, ModelBuilder};
use pliant_spatial::Transform;

use crate::support::{Beam, ROD, named, revolute, rigid};

fn single(link: pliant_link::ReducedLink, gravity: f64) -> ModelBuilder {
    let joint = revolute("pivot", "", &link.name, Vector3::z());
    ModelBuilder {
        gravity: Vector3::y() * gravity,
        links: vec![named(link)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
}

#[test]
fn a_joint_without_inertia_is_named() {
    let link = rigid("ghost", 0.0, Vector3::zeros(), Matrix3::zeros(), Transform::identity());
    let model = single(link, 0.0).build().unwrap();
    let error = Simulation::new(&model, &Settings::default()).unwrap_err();
    let SimulationError::Singular { subject, .. } = &error else { panic!("{error}") };
    assert_eq!(subject, "joint `pivot`, angle");
}

/// A rod with a load along one of its axes.
fn loaded(force: &str) -> Model {
    let mut builder = single(ROD.link("rod"), 0.0);
    let mut components: [Option<Arc<dyn pliant_mechanism::TimeFunction>>; 6] = Default::default();
    components[1] = Some(Arc::new(Expression::parse(force).unwrap()));
    let at = Attachment::interface("rod", "tip");
    builder.loads.push(LoadSpec { name: "bad".into(), at, frame: LoadFrame::Triad, components });
    builder.build().unwrap()
}

#[test]
fn nan_in_a_load_never_gets_into_a_frame() {
    // At one instant, which nobody looks at before the step that ends there.
    let model = loaded("0*ln(abs(t - 0.011))");
    let mut last = 0.0;
    let result = simulate(&model, AnalysisKind::Nonlinear, &Settings::default(), &mut |frame: &Frame<'_>| {
        assert!(frame.state.a.iter().all(|a| a.is_finite()));
        last = frame.state.t;
    });
    let error = result.unwrap_err();
    let SimulationError::NotFinite { t, .. } = &error else { panic!("{error}") };
    assert!((*t - 0.011).abs() < 1e-12 && last < 0.0105, "{error}");
    assert!(error.to_string().contains("rod") || error.to_string().contains("pivot"), "{error}");
}

#[test]
fn a_load_that_is_undefined_in_the_run_is_named_before_it() {
    let model = loaded("ln(0.7 - t)");
    let mut frames = 0;
    let mut count = |_: &Frame<'_>| frames += 1;
    let error = simulate(&model, AnalysisKind::Nonlinear, &Settings::default(), &mut count).unwrap_err();
    let SimulationError::Undefined { t, subject, .. } = &error else { panic!("{error}") };
    assert!(*t > 0.7 && *t < 0.71 && subject == "load `bad`", "{error}");
    assert_eq!(frames, 0);
}

#[test]
fn an_iteration_that_may_not_iterate_says_where_and_when() {
    let model = single(ROD.link("rod"), -9.81).build().unwrap();
    let newton = NewtonSettings { max_iterations: 0, max_cuts: 3, ..NewtonSettings::default() };
    let mut simulation = Simulation::new(&model, &Settings { newton, ..Settings::default() }).unwrap();
    let error = simulation.advance(1e-3).unwrap_err();
    let SimulationError::NotConverged { t, step, subject, .. } = &error else { panic!("{error}") };
    assert_eq!((*t, *step), (1.25e-4, 1.25e-4), "halved three times");
    assert!(subject.contains("rod") || subject.contains("pivot"), "{subject}");
}

#[derive(Default)]
struct Listener {
    warnings: Vec<Warning>,
    frames: usize,
    stop_after: Option<usize>,
    fail: bool,
}

impl Observer for Listener {
    fn frame(&mut self, _: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        self.frames += 1;
        if self.fail && self.frames == 3 {
            return Err(std::io::Error::other("disk full").into());
        }
        Ok(if Some(self.frames) == self.stop_after { Flow::Stop } else { Flow::Continue })
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

#[test]
fn a_deformation_beyond_the_small_range_is_reported_once_with_link_time_and_size() {
    let soft = Beam { E: 7e7, modes: 2, elements: 6, ..ROD };
    let mut builder = single(soft.link("noodle"), -9.81);
    builder.joints[0].coordinates[0].drive =
        Drive::Prescribed(Arc::new(pliant_mechanism::motion::Hold { value: 0.0 }));
    let model = builder.build().unwrap();
    let mut listener = Listener::default();
    let ended = simulate(&model, AnalysisKind::Nonlinear, &Settings::default(), &mut listener);
    // It hangs by more than its length in the end, which no small deformation is.
    assert!(matches!(ended, Err(SimulationError::Collapsed { t, .. }) if t < 0.5), "{ended:?}");
    assert_eq!(listener.warnings.len(), 1);
    let warning = &listener.warnings[0];
    assert!(warning.t > 0.0 && warning.t < 0.5 && warning.subject == "noodle", "{warning:?}");
    assert!(warning.message.contains("`tip` deflects by up to"), "{}", warning.message);
}

#[test]
fn observers_can_stop_a_run_and_fail_it() {
    let model: Model = single(ROD.link("rod"), 0.0).build().unwrap();
    let mut listener = Listener { stop_after: Some(5), ..Listener::default() };
    let statistics = simulate(&model, AnalysisKind::Nonlinear, &Settings::default(), &mut listener).unwrap();
    assert_eq!((listener.frames, statistics.steps), (5, 4));
    let mut listener = Listener { fail: true, ..Listener::default() };
    let error = simulate(&model, AnalysisKind::Nonlinear, &Settings::default(), &mut listener).unwrap_err();
    assert!(
        matches!(&error, SimulationError::Output { error, .. } if error.to_string() == "disk full"),
        "{error}"
    );
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let model = single(ROD.link("rod"), 0.0).build().unwrap();
    let refused = |settings: Settings| {
        let result = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut Listener::default());
        matches!(result, Err(SimulationError::Setting { .. }))
    };
    let good = Settings::default();
    assert!(refused(Settings { t_end: -1.0, ..good }));
    assert!(refused(Settings { output_interval: 0.0, ..good }));
    assert!(refused(Settings { step: StepControl::Fixed { step: f64::NAN }, ..good }));
    assert!(refused(Settings { scheme: Scheme::GeneralizedAlpha { rho_inf: 1.5 }, ..good }));
}

#[test]
fn without_an_equilibrium_the_start_is_refused() {
    // A push that buckles the rod many times over: no small-deformation equilibrium exists.
    let mut builder = single(Beam { modes: 2, elements: 6, ..ROD }.link("rod"), 0.0);
    builder.joints[0].coordinates[0].drive =
        Drive::Prescribed(Arc::new(pliant_mechanism::motion::Hold { value: 0.0 }));
    let mut components: [Option<Arc<dyn pliant_mechanism::TimeFunction>>; 6] = Default::default();
    components[0] = Some(Arc::new(Constant(-1e9)));
    components[1] = Some(Arc::new(Constant(1e8)));
    let at = Attachment::interface("rod", "tip");
    builder.loads.push(LoadSpec { name: "crush".into(), at, frame: LoadFrame::Triad, components });
    let model = builder.build().unwrap();
    let settings = Settings { start: Start::StaticEquilibrium, ..Settings::default() };
    let error = Simulation::new(&model, &settings).unwrap_err();
    let refused =
        matches!(error, SimulationError::NoEquilibrium { .. } | SimulationError::UnstableEquilibrium { .. });
    assert!(refused, "{error}");
}

#[test]
fn error_control_takes_few_steps_where_little_happens() {
    let model = single(rigid("bob", 1.0, Vector3::x(), Matrix3::zeros(), Transform::identity()), -9.81)
        .build()
        .unwrap();
    let run = |step: StepControl| {
        let mut last = 0.0;
        let settings = Settings { t_end: 2.0, step, output_interval: 0.25, ..Settings::default() };
        let mut frames = 0;
        let statistics = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
            last = frame.state.q[0];
            assert!((frame.state.t - 0.25 * f64::from(frames)).abs() < 1e-9);
            frames += 1;
        })
        .unwrap();
        assert_eq!(frames, 9);
        (last, statistics)
    };
    let (exact, _) = run(StepControl::Fixed { step: 1e-4 });
    let controlled =
        |tolerance: f64| run(StepControl::ErrorControlled { tolerance, min_step: 1e-7, max_step: 0.05 });
    let ((loose, few), (tight, many)) = (controlled(1e-3), controlled(1e-5));
    println!(
        "controlled: {:.1e} in {} steps, {:.1e} in {}",
        loose - exact,
        few.steps,
        tight - exact,
        many.steps
    );
    assert!((tight - exact).abs() < 1e-3 && (tight - exact).abs() < 0.2 * (loose - exact).abs());
    assert!(few.steps < many.steps && many.steps < 4000);
    let result = simulate(
        &model,
        AnalysisKind::Nonlinear,
        &Settings {
            step: StepControl::ErrorControlled { tolerance: 1e-9, min_step: 0.01, max_step: 0.05 },
            ..Settings::default()
        },
        &mut Listener::default(),
    );
    assert!(matches!(result, Err(SimulationError::StepTooSmall { t, step, .. }) if step < 0.01 && t >= 0.0));
}
