//! What every motion must satisfy.

use super::*;
use crate::{Interpolation, Outside, Table};

fn motions() -> Vec<(&'static str, Box<dyn Motion>)> {
    let (from, to, start, duration) = (0.2, 1.3, 0.1, 0.8);
    let times: Vec<f64> = (0..=20).map(|i| 0.05 * f64::from(i)).collect();
    let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
    let table = |interpolation| {
        let table = Table::new(times.clone(), values.clone(), interpolation, Outside::Hold).unwrap();
        Box::new(TableMotion { table })
    };
    vec![
        ("hold", Box::new(Hold { value: 0.4 })),
        ("cycloidal", Box::new(Cycloidal { from, to, start, duration })),
        ("quintic", Box::new(Quintic { from, to, start, duration })),
        ("harmonic", Box::new(Harmonic { mean: 0.1, amplitude: 0.7, freq_hz: 1.3, phase: 0.4 })),
        ("spin up", Box::new(SpinUp { from, rate: 2.0, start, duration })),
        (
            "trapezoidal velocity",
            Box::new(TrapezoidalVelocity::new(from, to, start, 0.2, 0.3, 0.25, 0.1).unwrap()),
        ),
        (
            "trapezoidal acceleration",
            Box::new(TrapezoidalAcceleration::new(from, to, start, 0.3, 0.1, 0.2).unwrap()),
        ),
        (
            "sum",
            Box::new(Sum {
                parts: vec![
                    Box::new(Quintic { from, to, start, duration }),
                    Box::new(Harmonic { mean: 0.0, amplitude: 0.1, freq_hz: 3.0, phase: 0.0 }),
                ],
            }),
        ),
        (
            "sequence",
            Box::new(
                Sequence::new(vec![
                    Box::new(Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.4 }),
                    Box::new(Quintic { from: 1.0, to: 0.2, start: 0.1, duration: 0.4 }),
                ])
                .unwrap(),
            ),
        ),
        ("table", table(Interpolation::Cubic)),
        ("table, monotone", table(Interpolation::Monotone)),
    ]
}

#[test]
fn derivatives_are_exact() {
    let h = 1e-5;
    for (name, motion) in motions() {
        let kinks = motion.kinks();
        for i in 0..240 {
            let t = -0.1 + 0.005_123 * f64::from(i);
            if kinks.iter().any(|k| (k - t).abs() < 2.0 * h) {
                continue;
            }
            let (a, b, x) = (motion.at(t - h), motion.at(t + h), motion.at(t));
            // Central difference: h²/6 times a third derivative of at most 1e3, plus rounding 1e-16/h.
            assert!(((b.value - a.value) / (2.0 * h) - x.rate).abs() < 1e-6, "{name} rate at {t}");
            assert!(
                ((b.rate - a.rate) / (2.0 * h) - x.acceleration).abs() < 1e-5,
                "{name} acceleration at {t}"
            );
        }
    }
}

#[test]
fn value_and_rate_never_jump() {
    for (name, motion) in motions() {
        if name.starts_with("table") {
            continue; // a table may end at speed; `end_slopes` reports it
        }
        for i in 0..1200 {
            let t = -0.1 + 0.001 * f64::from(i);
            let (a, b) = (motion.at(t), motion.at(t + 1e-9));
            assert!((a.value - b.value).abs() < 1e-7 && (a.rate - b.rate).abs() < 1e-6, "{name} at {t}");
        }
    }
}

#[test]
fn rests_at_the_last_value_after_its_end() {
    for (name, motion) in motions() {
        if motion.end().is_finite() {
            let end = motion.at(motion.end() + 1e-6);
            let later = motion.at(motion.end() + 5.0);
            assert_eq!(
                (end, later.rate, later.acceleration),
                (MotionSample::rest(end.value), 0.0, 0.0),
                "{name}"
            );
        }
    }
}

#[test]
fn known_peaks() {
    // Cycloidal: peak rate 2Δ/T at the middle, peak acceleration 2πΔ/T² at a quarter.
    let cycloidal = Cycloidal { from: 0.0, to: 3.0, start: 0.0, duration: 2.0 };
    assert!((cycloidal.at(1.0).rate - 3.0).abs() < 1e-14);
    assert!((cycloidal.at(0.5).acceleration - 1.5 * std::f64::consts::PI).abs() < 1e-14);
    // Quintic: peak rate 15/8 Δ/T.
    let quintic = Quintic { from: 0.0, to: 1.0, start: 0.0, duration: 1.0 };
    assert!((quintic.at(0.5).rate - 1.875).abs() < 1e-15);
    // The rod of the rest-to-rest study: 40.4211 rad/s² for 0.1 s and back, 0.404211 rad in all.
    let slew = TrapezoidalVelocity::new(0.0, 0.404_211, 0.0, 0.1, 0.0, 0.1, 0.0).unwrap();
    assert!((slew.at(0.05).acceleration - 40.4211).abs() < 1e-10);
    assert!((slew.at(0.1).rate - 4.042_11).abs() < 1e-12);
    // Kane: rate (6/15)(t − (15/2π) sin(2πt/15)).
    let kane = SpinUp { from: 0.0, rate: 6.0, start: 0.0, duration: 15.0 };
    let t: f64 = 4.0;
    let printed = 0.4 * (t - 15.0 / std::f64::consts::TAU * (std::f64::consts::TAU * t / 15.0).sin());
    assert!((kane.at(t).rate - printed).abs() < 1e-14);
}

#[test]
fn a_sequence_that_jumps_is_refused() {
    let part = |from, to| Box::new(Cycloidal { from, to, start: 0.0, duration: 1.0 }) as Box<dyn Motion>;
    let error = Sequence::new(vec![part(0.0, 1.0), part(1.2, 2.0)]).unwrap_err();
    assert!(matches!(error, SequenceError::Jump { part: 1, what: "value", .. }), "{error}");
    let endless =
        Box::new(Harmonic { mean: 0.0, amplitude: 1.0, freq_hz: 1.0, phase: 0.0 }) as Box<dyn Motion>;
    assert_eq!(Sequence::new(vec![endless, part(0.0, 1.0)]).unwrap_err(), SequenceError::Endless { part: 1 });
}
