//! Forces over time as tables and expressions: impulse and work against closed forms, at any step.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{AnalysisKind, Energy, Frame, Scheme, Settings, StepControl, simulate};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::Prismatic;
use pliant_mechanism::motion::TrapezoidalVelocity;
use pliant_mechanism::{
    Actuator, Attachment, BodyIndex, Drive, End, Expression, ForceSpec, Interpolation, LoadFrame, LoadSpec,
    Model, ModelBuilder, Outside, Stiffness, Table, TimeFunction,
};
use pliant_spatial::Transform;

use crate::support::{named, revolute};

/// Where a force acts.
#[derive(Clone, Copy, Debug)]
enum Through {
    Drive,
    Load,
    Push,
}

/// One kilogram on a slide along x, under a force over time.
fn mass(force: Arc<dyn TimeFunction>, through: Through) -> Model {
    let tip = [("tip".to_owned(), Transform::identity())];
    let body = ReducedLink::rigid("m", 1.0, Vector3::zeros(), Matrix3::identity(), tip.to_vec());
    let mut slide = revolute("slide", "", "m", Vector3::z());
    slide.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    let mut builder = ModelBuilder::default();
    match through {
        Through::Drive => slide.coordinates[0].drive = Drive::Torque(force),
        Through::Load => builder.loads.push(LoadSpec {
            name: "load".into(),
            at: Attachment::Interface { link: "m".into(), interface: "tip".into() },
            frame: LoadFrame::World,
            components: [Some(force), None, None, None, None, None],
        }),
        Through::Push => builder.forces.push(ForceSpec {
            name: "push".into(),
            parent: End::Ground(Transform::translation(-Vector3::x() * 100.0)),
            child: End::Frame { link: "m".into(), X: Transform::identity() },
            kind: Box::new(Actuator::Force(force)),
        }),
    }
    ModelBuilder { links: vec![named(body)], joints: vec![slide], ..builder }.build().unwrap()
}

fn settings(step: f64, end: f64, adaptive: bool, scheme: Scheme) -> Settings {
    let control = if adaptive {
        StepControl::ErrorControlled { tolerance: 1e-4, min_step: 1e-9, max_step: step }
    } else {
        StepControl::Fixed { step }
    };
    Settings { scheme, t_end: end, step: control, output_interval: step, ..Settings::default() }
}

/// Position, rate and energies at the end.
fn run(model: &Model, settings: &Settings) -> (f64, f64, Energy) {
    let mut last = (0.0, 0.0, Energy::default());
    simulate(model, AnalysisKind::Nonlinear, settings, &mut |frame: &Frame<'_>| {
        last = (frame.state.q[0], frame.state.v[0], *frame.energy);
    })
    .unwrap();
    last
}

fn table(rows: &[(f64, f64)], interpolation: Interpolation, outside: Outside) -> Arc<dyn TimeFunction> {
    let (x, y) = rows.iter().copied().unzip();
    Arc::new(Table::new(x, y, interpolation, outside).unwrap())
}

fn expression(text: &str) -> Arc<dyn TimeFunction> {
    Arc::new(Expression::parse(text).unwrap())
}

#[test]
fn ramp_and_hold_gives_its_impulse_and_work() {
    let rows = [(0.0, 0.0), (0.1, 10.0), (1.0, 10.0)];
    let force = table(&rows, Interpolation::Linear, Outside::Hold);
    for through in [Through::Drive, Through::Load, Through::Push] {
        let model = mass(Arc::clone(&force), through);
        for (step, adaptive) in [(1e-3, false), (7e-3, false), (0.3, false), (1e-2, true)] {
            let (_, v, energy) = run(&model, &settings(step, 2.0, adaptive, Scheme::Newmark));
            // 10 N·s less half of the ramp's second: 19.5 N·s on 1 kg, and all work is kinetic energy.
            let work = energy.drive_work + energy.load_work;
            assert!((v - 19.5).abs() < 1e-9 * 19.5, "{through:?}, step {step}: {v} m/s");
            assert!((work - 190.125).abs() < 1e-9 * 190.125, "{through:?}, step {step}: {work} J");
            assert!(energy.balance.abs() < 1e-9 * 190.125, "{through:?}, step {step}: {}", energy.balance);
        }
    }
}

#[test]
fn a_short_pulse_is_not_lost_at_any_step() {
    let (begin, length) = (0.0137, 2e-3);
    let end = begin + length;
    let forces = [
        (
            "double rows",
            table(
                &[(0.0, 0.0), (begin, 0.0), (begin, 1e3), (end, 1e3), (end, 0.0)],
                Interpolation::Linear,
                Outside::Hold,
            ),
        ),
        ("steps", table(&[(0.0, 0.0), (begin, 1e3), (end, 0.0)], Interpolation::Step, Outside::Hold)),
        ("zero outside", table(&[(begin, 1e3), (end, 1e3)], Interpolation::Linear, Outside::Zero)),
        ("expression", expression(&format!("1000*(t > {begin} and t <= {end})"))),
        ("steps of an expression", expression(&format!("1000*(step(t - {begin}) - step(t - {end}))"))),
    ];
    // Free flight after the pulse: v = F T/m, x = v (t − middle of the pulse).
    let (v, run_end) = (1e3 * length, 0.2);
    let x = v * (run_end - begin - 0.5 * length);
    for (name, force) in forces {
        let model = mass(force, Through::Drive);
        for scheme in [Scheme::Newmark, Scheme::Hht { alpha: 0.1 }, Scheme::GeneralizedAlpha { rho_inf: 0.6 }]
        {
            for (step, adaptive) in
                [(1e-4, false), (3e-4, false), (1e-3, false), (7e-3, false), (0.05, false), (0.05, true)]
            {
                let (q, rate, energy) = run(&model, &settings(step, run_end, adaptive, scheme));
                let case = format!("{name}, {scheme:?}, step {step}, adaptive {adaptive}");
                assert!((rate - v).abs() < 1e-6 * v, "{case}: {rate} m/s");
                assert!((q - x).abs() < 1e-6 * x, "{case}: {q} m for {x}");
                assert!((energy.drive_work - 2.0).abs() < 2e-6, "{case}: {} J", energy.drive_work);
            }
        }
    }
}

/// Smooth pulses of 2 ms, from much shorter than a step to a pulse of 20 steps. Impulses: a half sine 2/π F
/// T, sin² F T/2, the parabola of a cubic table 2/3 F T, a skewed t(1 − t)² F T/12 · 27/4.
#[test]
fn a_smooth_pulse_gives_its_impulse_at_any_step() {
    let (begin, length, force) = (0.0137, 2e-3, 1e3);
    let inside = format!("(t > {begin} and t < {begin} + {length})");
    let share = format!("((t - {begin})/{length})");
    let parabola: Vec<(f64, f64)> = (0..=40)
        .map(|i| f64::from(i) / 40.0)
        .map(|s| (begin + length * s, 4.0 * force * s * (1.0 - s)))
        .collect();
    let pulses = [
        ("half sine", expression(&format!("{force}*sin(pi*{share})*{inside}")), 2.0 / std::f64::consts::PI),
        ("sine squared", expression(&format!("{force}*sin(pi*{share})^2*{inside}")), 0.5),
        ("skewed", expression(&format!("{force}*6.75*{share}*(1 - {share})^2*{inside}")), 6.75 / 12.0),
        ("parabola", table(&parabola, Interpolation::Monotone, Outside::Zero), f64::NAN),
        ("cubic table", table(&parabola, Interpolation::Cubic, Outside::Zero), f64::NAN),
    ];
    let (x, y): (Vec<f64>, Vec<f64>) = parabola.iter().copied().unzip();
    let area = |interpolation| {
        let table = Table::new(x.clone(), y.clone(), interpolation, Outside::Zero).unwrap();
        table.integral(0.0, 1.0) / (force * length)
    };
    for (name, pulse, share) in pulses {
        let share = match name {
            "parabola" => area(Interpolation::Monotone),
            "cubic table" => area(Interpolation::Cubic),
            _ => share,
        };
        let (v, end) = (force * length * share, 0.2);
        for through in [Through::Drive, Through::Load, Through::Push] {
            let model = mass(Arc::clone(&pulse), through);
            for (step, adaptive) in [(1e-4, false), (7e-4, false), (3e-3, false), (0.05, false), (0.05, true)]
            {
                let settings = settings(step, end, adaptive, Scheme::Newmark);
                let (_, rate, energy) = run(&model, &settings);
                let case = format!("{name}, {through:?}, step {step}, adaptive {adaptive}");
                assert!((rate - v).abs() < 1e-9 * v, "{case}: {rate} m/s for {v}");
                // All work is kinetic energy: twice the relative error.
                let work = energy.drive_work + energy.load_work;
                assert!((work - 0.5 * v * v).abs() < 2e-9 * 0.5 * v * v, "{case}: {work} J");
                assert_eq!(
                    (rate, energy),
                    {
                        let again = run(&model, &settings);
                        (again.1, again.2)
                    },
                    "{case}"
                );
            }
        }
    }
}

/// Tables of a complete run, as measurements come: a sum of sines in rows that fit no step. Closed forms are
/// those of the pieces ([`Table::integral`]); the force stays where its rows are.
#[test]
fn long_curved_tables_give_their_impulse() {
    let rows: Vec<(f64, f64)> = (0..=120)
        .map(|i| 0.003 + 0.0161 * f64::from(i))
        .map(|t| (t, 8.0 * (3.0 * t).sin() + 2.0 * (17.0 * t + 1.0).sin() + 3.0))
        .collect();
    for interpolation in [Interpolation::Monotone, Interpolation::Cubic] {
        let (x, y) = rows.iter().copied().unzip();
        let exact = Table::new(x, y, interpolation, Outside::Hold).unwrap();
        let largest = 13.0;
        let model = mass(table(&rows, interpolation, Outside::Hold), Through::Drive);
        // The last two end within the table.
        let cases = [
            (1e-3, false, 2.0),
            (7e-3, false, 2.0),
            (0.02, true, 2.0),
            (7e-3, false, 1.234),
            (0.02, true, 1.5),
        ];
        for (step, adaptive, end) in cases {
            let v = exact.integral(0.0, end);
            let settings = settings(step, end, adaptive, Scheme::Newmark);
            let (mut rate, mut work, mut departure) = (0.0, 0.0, 0.0f64);
            simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
                (rate, work) = (frame.state.v[0], frame.energy.drive_work);
                let force = frame.drive_force(BodyIndex(0).coordinate(0));
                departure = departure.max((force - exact.at(frame.state.t).value).abs());
            })
            .unwrap();
            let case = format!("{interpolation:?}, step {step}, adaptive {adaptive}");
            assert!((rate - v).abs() < 1e-9 * v, "{case}: {rate} m/s for {v}");
            assert!((work - 0.5 * v * v).abs() < 2e-9 * 0.5 * v * v, "{case}: {work} J");
            // Between stops of steps under error control the force is a chord.
            assert!(departure < 2e-3 * largest, "{case}: {departure} N");
        }
    }
}

/// A table of more rough rows than stops may be: one or two steps between rows leave no corner inside a
/// piece. The closed form is that of the pieces; a jump in the middle keeps its place.
#[test]
fn rough_curved_tables_give_their_impulse_at_fixed_steps() {
    let rows: Vec<(f64, f64)> = (0..5000)
        .map(|i| f64::from(i) * 2.0 / 4999.0)
        .map(|t| (t, 5.0 + (1e5 * t * t).sin() + if t > 1.0 { 4.0 } else { 0.0 }))
        .collect();
    for interpolation in [Interpolation::Monotone, Interpolation::Cubic] {
        let (x, y) = rows.iter().copied().unzip();
        let exact = Table::new(x, y, interpolation, Outside::Zero).unwrap();
        for (end, step) in [(2.0, 1e-3), (2.1, 3e-3), (1.3, 7e-4), (2.0, 0.05)] {
            let v = exact.integral(0.0, end);
            let model = mass(table(&rows, interpolation, Outside::Zero), Through::Drive);
            let (_, rate, energy) = run(&model, &settings(step, end, false, Scheme::Newmark));
            let case = format!("{interpolation:?}, step {step} to {end} s");
            assert!((rate - v).abs() < 1e-9 * v, "{case}: {rate} m/s for {v}");
            let work = energy.drive_work + energy.load_work;
            assert!((work - 0.5 * v * v).abs() < 2e-9 * 0.5 * v * v, "{case}: {work} J");
        }
    }
}

/// Pulses that decay, ring, are steeper than any polynomial or much shorter than a step, with and without
/// events of their own; impulses by hand.
#[test]
fn pulses_of_any_form_give_their_impulse_at_any_step() {
    use std::f64::consts::{PI, TAU};
    // ∫ 500 e^(−s/τ) sin ω(s + ½) ds from 0 to 0.2, the antiderivative being
    // 500 e^(−s/τ) (−(1/τ) sin ω(s + ½) − ω cos ω(s + ½))/(1/τ² + ω²).
    let (tau, omega) = (0.01f64, 300.0f64);
    let ringing = |s: f64| {
        let phase = omega * (s + 0.5);
        500.0 * (-s / tau).exp() * (-phase.sin() / tau - omega * phase.cos())
            / (1.0 / (tau * tau) + omega * omega)
    };
    let pulses = [
        ("(t>0.5)*(t<0.7)*500*exp(-(t-0.5)/0.01)*sin(300*t)", ringing(0.2) - ringing(0.0)),
        ("(t>0.1)*(t<0.3)*100*exp(-(t-0.1)/0.01)", 1.0 - (-20f64).exp()),
        ("(t>0.1)*100*exp(-(t-0.1)/0.01)", 1.0 - (-90f64).exp()),
        ("1000*exp(-((t-0.40031)/1e-6)^2/2)", 1e-3 * TAU.sqrt()),
        ("1000*exp(-((t-0.4003)/1e-4)^2/2)", 0.1 * TAU.sqrt()),
        ("1000*exp(-((t-0.4003)/1e-3)^2/2)", TAU.sqrt()),
        ("1000/cosh((t-0.5)/1e-4)^2", 0.2),
        ("max(0, 5*sin(2*pi*10*t))", 5.0 / PI),
        ("max(0, 5*sin(2*pi*200*t))", 5.0 / PI),
        ("500*sqrt(max(0, 1-((t-0.5)/2e-4)^2))", 500.0 * 2e-4 * PI / 2.0),
        ("100*sin(2*pi*50*t)^2*(t>0.1)*(t<0.3)", 10.0),
    ];
    for (text, v) in pulses {
        let model = mass(expression(text), Through::Load);
        for (step, adaptive) in [(1e-3, false), (0.0173, false), (0.05, false), (0.1, false), (0.05, true)] {
            let (_, rate, energy) = run(&model, &settings(step, 1.0, adaptive, Scheme::Newmark));
            let case = format!("{text}, step {step}, adaptive {adaptive}");
            assert!((rate - v).abs() < 1e-6 * v.abs(), "{case}: {rate} m/s for {v}");
            assert!(
                (energy.load_work - 0.5 * v * v).abs() < 2e-6 * 0.5 * v * v,
                "{case}: {}",
                energy.load_work
            );
        }
    }
}

/// The table of a critic that error control missed by 2e-8, and another by 1e-4.
#[test]
fn uneven_curved_tables_give_their_impulse_under_error_control() {
    let even = vec![(0.0, 0.0), (0.1, 10.0), (0.3, 10.0), (0.5, -5.0), (1.0, 0.0)];
    let uneven = vec![
        (0.0, -4.0),
        (0.000173, -12.0),
        (0.000182, 2.0),
        (0.000183, -4.0),
        (0.084123, -11.0),
        (0.084643, 6.0),
        (0.084644, -6.0),
        (0.084655, 7.0),
    ];
    for (rows, end) in [(even, 1.2), (uneven, 1.0)] {
        for interpolation in [Interpolation::Monotone, Interpolation::Cubic] {
            for outside in [Outside::Hold, Outside::Zero] {
                let (x, y) = rows.iter().copied().unzip();
                let exact = Table::new(x, y, interpolation, outside).unwrap();
                let magnitude: f64 = (0..20_000)
                    .map(|k| exact.at((f64::from(k) + 0.5) * end / 20_000.0).value.abs() * end / 20_000.0)
                    .sum();
                let v = exact.integral(0.0, end);
                let model = mass(table(&rows, interpolation, outside), Through::Drive);
                for (step, adaptive) in [(1e-3, false), (0.1, true), (0.01, true)] {
                    let (_, rate, _) = run(&model, &settings(step, end, adaptive, Scheme::Newmark));
                    let case = format!("{interpolation:?}, {outside:?}, step {step}, adaptive {adaptive}");
                    assert!((rate - v).abs() < 1e-9 * magnitude, "{case}: {rate} m/s for {v}");
                }
            }
        }
    }
}

/// A force that switches on and stays, and one that switches 1,000 times, are no pulses that deserve more
/// steps than asked for.
#[test]
fn forces_that_last_take_no_steps_of_their_own() {
    for (text, most) in [("step(t - 0.05)*sin(2*pi*20*t)", 202), ("max(0, sin(2*pi*500*t))", 602)] {
        let model = mass(expression(text), Through::Drive);
        let settings = settings(1e-3, 0.2, false, Scheme::Newmark);
        let statistics =
            simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |_: &Frame<'_>| {}).unwrap();
        assert!(statistics.steps <= most, "{text}: {} steps", statistics.steps);
    }
}

#[test]
fn pulses_at_the_start_and_at_the_end_count_on_their_inner_side() {
    // From t = 0 on, though 0 itself does not belong to it; and up to the end, where it has just ended.
    for text in ["10*(t > 0)", "10*(t < 0.1)", "10*step(t)", "10*(t <= 0.1)"] {
        let model = mass(expression(text), Through::Drive);
        for adaptive in [false, true] {
            let (_, v, _) = run(&model, &settings(0.02, 0.1, adaptive, Scheme::Newmark));
            assert!((v - 1.0).abs() < 1e-9, "{text}: {v}");
        }
    }
}

#[test]
fn runs_with_events_repeat_bit_for_bit() {
    let model = mass(expression("100*sign(sin(2*pi*37*t)) + 3*max(0, t - 0.0333)"), Through::Load);
    for adaptive in [false, true] {
        let settings = settings(1e-3, 0.3, adaptive, Scheme::Newmark);
        let (first, second) = (run(&model, &settings), run(&model, &settings));
        assert_eq!(first, second);
        assert!(first.1.is_finite() && first.1 != 0.0);
    }
}

/// A mass on a spring whose base follows constant accelerations: with ω the base moves by jumps of the
/// acceleration at times that are no multiples of a step, and the response is that of three steps of the
/// acceleration, `Δa/ω² (1 − cos ω(t − t_k))`.
#[test]
fn a_driven_oscillator_keeps_second_order_across_jumps_of_the_acceleration() {
    let (omega, accelerate, cruise) = (20.0f64, 0.1 * 2f64.sqrt(), 0.1 * 3f64.sqrt());
    let motion =
        TrapezoidalVelocity::new(0.0, 1.0, 0.05 * 5f64.sqrt(), accelerate, cruise, accelerate, 0.0).unwrap();
    let body = |name: &str, mass: f64| {
        let tip = [("tip".to_owned(), Transform::identity())];
        ReducedLink::rigid(name, mass, Vector3::zeros(), Matrix3::identity(), tip.to_vec())
    };
    let slide = |name: &str, parent: &str, child: &str| {
        let mut slide = revolute(name, parent, child, Vector3::z());
        slide.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
        slide
    };
    let (mut base, mut spring) = (slide("base", "", "cart"), slide("spring", "cart", "mass"));
    base.coordinates[0].drive = Drive::Prescribed(Arc::new(motion));
    spring.coordinates[0].spring = Stiffness { stiffness: omega * omega, neutral: 0.0 };
    let model = ModelBuilder {
        links: vec![named(body("cart", 1.0)), named(body("mass", 1.0))],
        joints: vec![base, spring],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let start = 0.05 * 5f64.sqrt();
    let a = 1.0 / (accelerate + cruise) / accelerate;
    let jumps = [
        (start, a),
        (start + accelerate, -a),
        (start + accelerate + cruise, -a),
        (start + 2.0 * accelerate + cruise, a),
    ];
    let t_end = 0.8;
    let exact: f64 =
        jumps.iter().map(|(t, da)| -da / (omega * omega) * (1.0 - (omega * (t_end - t)).cos())).sum();
    let error = |step: f64| {
        let mut last = 0.0;
        simulate(
            &model,
            AnalysisKind::Nonlinear,
            &settings(step, t_end, false, Scheme::Newmark),
            &mut |frame: &Frame<'_>| {
                last = frame.state.q[1];
            },
        )
        .unwrap();
        (last - exact).abs()
    };
    let (coarse, fine) = (error(4e-3), error(1e-3));
    let order = (coarse / fine).log2() / 2.0;
    assert!(order > 1.8, "observed order {order:.2}: {coarse:.3e}, {fine:.3e}");
    // Newmark's period error ω³h²t/24 on the amplitude 2a/ω² ≈ 0.11: 1.5e-5 at 1 ms.
    assert!(fine < 3e-5, "{fine:.3e} m of {exact:.3e}");
}

/// Hooke's law x = F/k at every output; at a jump what is behind it counts, as in a run that moves.
#[test]
fn a_static_analysis_stands_behind_the_jumps_of_its_loads() {
    let force = table(&[(0.0, 5.0), (0.25, 10.0), (0.5, -20.0)], Interpolation::Step, Outside::Hold);
    let tip = [("tip".to_owned(), Transform::identity())];
    let body = ReducedLink::rigid("m", 1.0, Vector3::zeros(), Matrix3::identity(), tip.to_vec());
    let mut slide = revolute("slide", "", "m", Vector3::z());
    slide.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    slide.coordinates[0].drive = Drive::Torque(force);
    slide.coordinates[0].spring = Stiffness { stiffness: 100.0, neutral: 0.0 };
    let model = ModelBuilder { links: vec![named(body)], joints: vec![slide], ..ModelBuilder::default() }
        .build()
        .unwrap();
    for step in [0.125, 0.1] {
        let mut found = Vec::new();
        simulate(
            &model,
            AnalysisKind::Static,
            &settings(step, 1.0, false, Scheme::Newmark),
            &mut |frame: &Frame<'_>| {
                found.push((frame.state.t, frame.state.q[0], frame.energy.strain));
            },
        )
        .unwrap();
        assert_eq!(found.len(), (1.0 / step) as usize + 1);
        for (k, (t, x, energy)) in found.into_iter().enumerate() {
            let at = step * k as f64;
            let exact = if at < 0.25 - 1e-9 {
                0.05
            } else if at < 0.5 - 1e-9 {
                0.1
            } else {
                -0.2
            };
            assert!((t - at).abs() < 1e-12, "{t} for {at}");
            assert!((x - exact).abs() < 1e-12, "step {step}, {t} s: {x} m for {exact}");
            assert!((energy - 50.0 * exact * exact).abs() < 1e-11, "step {step}, {t} s: {energy} J");
        }
    }
}
