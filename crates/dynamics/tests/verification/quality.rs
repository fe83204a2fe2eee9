//! What a run says about its own worth: settling, energy, steps that do not resolve what drives the machine.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, Observer, Scheme, Settings, SettleAbout, StepControl, TipMetrics,
    TipMetricsCollector, Warning, simulate,
};
use pliant_mechanism::joint::Prismatic;
use pliant_mechanism::motion::{Cycloidal, Harmonic};
use pliant_mechanism::{
    BodyIndex, Drive, Expression, Model, ModelBuilder, Motion, Sampling, Servo, Stiffness,
};
use pliant_spatial::Transform;

use crate::support::{named, revolute, rigid};

/// 2 kg on a slide along x with a drive, and a spring of `hertz` with 5 % damping where that is not zero.
fn slider(drive: Drive, hertz: f64, initial: f64) -> Model {
    let mut joint = revolute("slide", "", "block", Vector3::z());
    joint.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    let omega = std::f64::consts::TAU * hertz;
    let c = &mut joint.coordinates[0];
    (c.drive, c.initial) = (drive, initial);
    c.spring = Stiffness { stiffness: 2.0 * omega * omega, neutral: 0.0 };
    c.friction.viscous = 2.0 * 0.05 * omega * 2.0;
    let block = rigid("block", 2.0, Vector3::zeros(), Matrix3::identity(), Transform::identity());
    ModelBuilder { links: vec![named(block)], joints: vec![joint], ..ModelBuilder::default() }
        .build()
        .unwrap()
}

struct Both {
    tip: TipMetricsCollector,
    warnings: Vec<Warning>,
}

impl Observer for Both {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        self.tip.frame(frame)
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

fn run(model: &Model, end: f64, step: f64, scheme: Scheme, tolerance: f64) -> (TipMetrics, Vec<Warning>) {
    let tip = TipMetricsCollector::new(BodyIndex(0).interface(0), tolerance, SettleAbout::FinalMean);
    let mut both = Both { tip, warnings: Vec::new() };
    let settings = Settings {
        scheme,
        t_end: end,
        step: StepControl::Fixed { step },
        output_interval: step,
        ..Settings::default()
    };
    simulate(model, AnalysisKind::Nonlinear, &settings, &mut both).unwrap();
    (both.tip.tip(model).unwrap(), both.warnings)
}

fn torque(text: &str) -> Drive {
    Drive::Torque(Arc::new(Expression::parse(text).unwrap()))
}

/// 5 Hz with 5 % damping from 10 mm: the envelope is within 1 mm after 1.47 s, two periods are 0.4 s.
#[test]
fn settled_needs_two_periods_within_the_band_before_the_end() {
    let (long, _) = vibrating(3.0);
    let time = long.settling_time.unwrap();
    assert!((1.2..1.48).contains(&time), "{time}");
    assert!((long.residual_hz.unwrap() - 5.0).abs() < 0.1, "{:?}", long.residual_hz);
    // It ends 1.5 ms after it has come into the band for the last time, or one period after: not settled.
    for after in [1.5e-3, 0.2] {
        assert_eq!(vibrating(time + after).0.settling_time, None, "{after} s after");
    }
    assert!(vibrating(time + 0.6).0.settling_time.is_some());
}

/// The block on a bearing across its slide, let go 10 mm from its rest.
fn vibrating(end: f64) -> (TipMetrics, Vec<Warning>) {
    let omega = std::f64::consts::TAU * 5.0;
    let (k, d) = (2.0 * omega * omega, 2.0 * 0.05 * omega * 2.0);
    let mut joint = revolute("slide", "", "block", Vector3::z());
    joint.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    joint.coordinates[0].drive =
        Drive::Prescribed(Arc::new(Cycloidal { from: 0.0, to: 0.0, start: 0.0, duration: 1e-3 }));
    joint.bearing.components[2] = Some((k, d));
    let block = rigid("block", 2.0, Vector3::zeros(), Matrix3::identity(), Transform::identity());
    let model = ModelBuilder {
        gravity: Vector3::z() * (-0.01 * omega * omega),
        links: vec![named(block)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    run(&model, end, 5e-4, Scheme::Newmark, 1e-3)
}

fn about<'w>(warnings: &'w [Warning], word: &str) -> Option<&'w Warning> {
    warnings.iter().find(|w| w.message.contains(word))
}

#[test]
fn a_frequency_that_the_step_does_not_resolve_is_named_with_a_step_that_does() {
    // 1,000 Hz in steps of 1 ms is zero at the end of each.
    let shaker: Arc<dyn Motion> =
        Arc::new(Harmonic { mean: 0.0, amplitude: 5e-4, freq_hz: 1000.0, phase: 0.0 });
    let drives = [
        (Drive::Prescribed(shaker), "acceleration of its motion"),
        (torque("39000*sin(2*pi*1000*t)"), "its torque"),
    ];
    for (drive, what) in drives {
        let (_, warnings) = run(&slider(drive.clone(), 0.0, 0.0), 0.1, 1e-3, Scheme::Newmark, f64::INFINITY);
        let found = about(&warnings, what).unwrap_or_else(|| panic!("{what}: {warnings:?}"));
        assert!(found.subject.contains("slide") && found.message.contains("`step` of at most"), "{found:?}");
        // Ten steps and more in a period: nothing to say.
        let (_, warnings) = run(&slider(drive, 0.0, 0.0), 0.01, 5e-5, Scheme::Newmark, f64::INFINITY);
        assert!(about(&warnings, what).is_none(), "{warnings:?}");
    }
    // A cycloidal move in eight steps.
    let fast = |duration| {
        let motion = Cycloidal { from: 0.0, to: 1.0, start: 0.013, duration };
        run(&slider(Drive::Prescribed(Arc::new(motion)), 0.0, 0.0), 0.5, 1e-3, Scheme::Newmark, f64::INFINITY)
            .1
    };
    assert!(about(&fast(0.008), "acceleration").is_some());
    assert!(about(&fast(0.1), "acceleration").is_none());
    // A ramp and hold has corners, which are stepped to: nothing to say at any step.
    let (_, warnings) =
        run(&slider(torque("min(t, 0.0123)"), 0.0, 0.0), 1.0, 0.1, Scheme::Newmark, f64::INFINITY);
    assert!(about(&warnings, "resolve").is_none(), "{warnings:?}");
}

#[test]
fn samples_and_first_modes_that_the_step_does_not_resolve_are_named() {
    let follow: Arc<dyn Motion> = Arc::new(Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.5 });
    let sampled = |time: f64| {
        let servo = Servo {
            sampling: Some(Sampling { time, delay: 0.0, rate_limit: f64::INFINITY }),
            ..Servo::new(Arc::clone(&follow), 400.0, 40.0)
        };
        run(&slider(Drive::Servo(servo), 0.0, 0.0), 0.1, 1e-3, Scheme::Newmark, f64::INFINITY).1
    };
    assert!(about(&sampled(1e-3), "samples every").is_some());
    assert!(about(&sampled(2e-3), "samples every").is_none());
    // 100 Hz: at 1 ms ten steps in a period, (2π/10)²/12 = 3.3 % too long; at 0.4 ms 0.5 %.
    let modes =
        |step: f64| run(&slider(Drive::Free, 100.0, 1e-3), 0.05, step, Scheme::Newmark, f64::INFINITY).1;
    let warnings = modes(1e-3);
    let first = about(&warnings, "first mode").unwrap();
    assert!(first.message.contains("100.0") && first.message.contains("3.3 %"), "{}", first.message);
    assert!(about(&modes(4e-4), "first mode").is_none());
}

#[test]
fn energy_that_is_lost_is_reported_with_what_to_change() {
    let free = || {
        let mut joint = revolute("slide", "", "block", Vector3::z());
        joint.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
        joint.coordinates[0].initial = 0.01;
        joint.coordinates[0].spring = Stiffness { stiffness: 2.0 * 100.0, neutral: 0.0 };
        let block = rigid("block", 2.0, Vector3::zeros(), Matrix3::identity(), Transform::identity());
        ModelBuilder { links: vec![named(block)], joints: vec![joint], ..ModelBuilder::default() }
            .build()
            .unwrap()
    };
    // An undamped oscillator of 10 rad/s: Newmark's rule keeps its energy at any step, numerical damping does
    // not.
    let (_, kept) = run(&free(), 10.0, 0.05, Scheme::Newmark, f64::INFINITY);
    assert!(kept.iter().all(|w| w.subject != "energy balance"), "{kept:?}");
    let (_, lost) = run(&free(), 10.0, 0.05, Scheme::Hht { alpha: 0.3 }, f64::INFINITY);
    let warning = lost.iter().find(|w| w.subject == "energy balance").unwrap();
    assert!(warning.message.contains("are lost") && warning.message.contains("alpha"), "{}", warning.message);
}
