//! Where nothing or hardly anything slides, the boom is a beam of its length outside the grip.

use pliant_dynamics::natural_frequencies;
use pliant_mechanism::BodyIndex;

use crate::support::{EI, LENGTH, TO, boom, machine, run, sliding};

/// β of cosh β cos β = −1.
const CANTILEVER: [f64; 3] = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613];

fn held(displacement: f64) -> String {
    let drive = format!("drive = {{ motion = {{ profile = 'hold', value = {displacement} }} }}");
    format!("{}{}[analysis]\nend = 1\nstep = 1e-3\n", boom(36), sliding(&drive))
}

#[test]
fn frequencies_at_frozen_lengths_are_those_of_cantilevers() {
    // Between stations (25 mm apart) as well as on them; the part inside is alive too.
    for displacement in [0.11, 0.3, 0.4375, 0.6, 0.71, 0.89] {
        let (model, settings) = machine(&held(displacement));
        let found = natural_frequencies(&model, &settings).unwrap();
        let outside = LENGTH - TO + displacement;
        let of = |length: f64| {
            CANTILEVER.map(|beta| beta * beta / (length * length) * EI.sqrt() / std::f64::consts::TAU)
        };
        let mut expected: Vec<f64> = of(outside).into_iter().chain(of(LENGTH - outside)).collect();
        expected.sort_by(f64::total_cmp);
        for (k, expected) in expected.iter().take(3).enumerate() {
            // Each comes twice, for the section is round. About 14 modes are kept in each plane: the mass of
            // what they leave out is worth 0.1 % of the third frequency and less of the others.
            for found in [found[2 * k], found[2 * k + 1]] {
                let error = found / expected - 1.0;
                assert!(
                    error.abs() < 1e-3,
                    "{displacement} m out, {k}: {found} Hz, {expected} Hz, {error:.1e}"
                );
            }
        }
    }
}

/// Largest relative error of the tip's deflection under 1 N on a slow way out, `expected` reported the length
/// outside.
fn slow(grip: &str, (from, to): (f64, f64), expected: impl Fn(f64) -> f64) -> f64 {
    let drive = format!(
        "{grip}drive = {{ motion = {{ profile = 'cycloidal', from = {from}, to = {to}, time = 20 }} }}"
    );
    let text = format!(
        "{}second_order = false\n{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 1, 0]\n\
         [analysis]\nend = 20\nstep = 1e-2\nstart = 'equilibrium'\n[output]\nevery = 0.1\n",
        boom(36),
        sliding(&drive)
    );
    let mut worst = 0.0f64;
    run(&text, |frame| {
        let tip = frame.work.X_WT(BodyIndex(0).interface(0)).p;
        let expected = expected(LENGTH - TO + frame.state.q[0]);
        worst = worst.max((tip.y / expected - 1.0).abs());
    })
    .unwrap();
    worst
}

#[test]
fn a_slow_boom_is_the_cantilever_of_its_length() {
    // Static shapes are exact on stations; splines between them cost some 5e-4 where the boom is shortest
    // (0.07 m outside, four stations), and inertia less.
    let worst = slow("", (0.02, 0.88), |length| length.powi(3) / (3.0 * EI));
    assert!(worst < 1e-3, "{worst:.1e}");
}

#[test]
fn a_slow_boom_on_two_rollers_is_the_beam_with_an_overhang() {
    // P a² (a + d) / 3EI beyond the outer roller of a span d (any handbook).
    let d = 0.2;
    let expected = |length: f64| {
        let a = length - 0.5 * d;
        a * a * (a + d) / (3.0 * EI)
    };
    let worst = slow("rollers = 0.2\n", (0.12, 0.78), expected);
    assert!(worst < 1e-3, "{worst:.1e}");
}

/// Its chord would start at the link frame, which nothing holds.
#[test]
fn a_boom_is_not_linear_in_the_frame_of_its_chord() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, held(0.3).replace("rail =", "second_order = 'chord'\nrail =")).unwrap();
    let reported = format!("{:?}", pliant_pipeline::read(&path).diagnostics);
    assert!(reported.contains("chord of a link with a rail"), "{reported}");
}
