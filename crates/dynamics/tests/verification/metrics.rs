//! Settling, residual error, peaks and means against an oscillation that is known.

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, Observer, Settings, SettleAbout, StepControl, TipMetrics, TipMetricsCollector,
    simulate,
};
use pliant_mechanism::joint::Prismatic;
use pliant_mechanism::motion::Hold;
use pliant_mechanism::{BodyIndex, ModelBuilder};
use pliant_spatial::Transform;

use crate::support::{driven, named, revolute, rigid};

/// The tip, and the largest force of the slide's drive, flexible or rigid.
struct Both {
    tip: TipMetricsCollector,
    force: f64,
}

impl Observer for Both {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        let forces = [
            frame.drive_force(BodyIndex(0).coordinate(0)),
            frame.nominal_drive_force(BodyIndex(0).coordinate(0)),
        ];
        self.force = forces.iter().fold(self.force, |largest, force| largest.max(force.abs()));
        self.tip.frame(frame)
    }
}

/// Metrics of the tip and the largest force of a block on a damped bearing, falling from z = 0 about its sag:
/// z = −s(1 − e^{−ζωt}(cos ω_d t + …)).
fn collect(about: SettleAbout, tolerance: f64) -> (TipMetrics, f64) {
    let (m, k, d) = (2.0, 800.0, 8.0);
    let mut joint = revolute("slide", "", "block", Vector3::x());
    joint.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    joint = driven(joint, Hold { value: 0.5 });
    joint.bearing.components[2] = Some((k, d));
    let block = rigid("block", m, Vector3::zeros(), Matrix3::identity(), Transform::identity());
    let model = ModelBuilder {
        gravity: Vector3::z() * -10.0,
        links: vec![named(block)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings {
        t_end: 10.0,
        step: StepControl::Fixed { step: 1e-3 },
        output_interval: 1e-3,
        ..Settings::default()
    };
    let tip = TipMetricsCollector::new(BodyIndex(0).interface(0), tolerance, about);
    let mut both = Both { tip, force: 0.0 };
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut both).unwrap();
    (both.tip.tip(&model).unwrap(), both.force)
}

#[test]
fn a_damped_block_settles_when_its_envelope_says() {
    // ω = 20, ζ = 0.1, sag s = mg/k = 25 mm; first overshoot s(1 + e^{−πζ/√(1−ζ²)}).
    let (sag, zeta, omega) = (0.025, 0.1f64, 20.0);
    let root = (1.0 - zeta * zeta).sqrt();
    let (metrics, _) = collect(SettleAbout::FinalMean, 1e-3);
    let first = sag * (1.0 + (-std::f64::consts::PI * zeta / root).exp());
    // Sampled every millisecond: the top of a peak is missed by at most s(ωΔt)²/8.
    assert!((metrics.peak - first).abs() < 2e-6, "{} against {first}", metrics.peak);
    assert!((metrics.peak_time - std::f64::consts::PI / (omega * root)).abs() < 1.1e-3);
    // About the mean of ten seconds (sag, less what the transient leaves in it): the envelope s
    // e^{−ζωt}/√(1−ζ²) reaches 1 mm at 1.61 s; the last crossing is within half a period before it.
    let envelope = (sag / root / 1e-3f64).ln() / (zeta * omega);
    let settling = metrics.settling_time.unwrap();
    assert!(settling <= envelope + 0.02 && settling > envelope - 0.17, "{settling} against {envelope}");
    assert!((metrics.residual - sag).abs() < 0.02 * sag, "it starts a sag away from its rest");
    // About the nominal tip the sag itself is an error that never settles.
    let (about_nominal, force) = collect(SettleAbout::Nominal, 1e-3);
    assert_eq!(about_nominal.settling_time, None);
    // The transient, s e^{−ζωt} cos, adds a mean square of s²/(4ζω·10 s) = 1.25 % of the sag's.
    assert!((about_nominal.rms / sag - 1.0).abs() < 0.02);
    assert!(force < 1e-9, "gravity is across the slide");
}
