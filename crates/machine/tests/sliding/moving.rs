//! Booms that slide fast: an axially moving cantilever, and the energy of slides.

use pliant_dynamics::AnalysisKind;
use pliant_mechanism::BodyIndex;

use crate::support::{LENGTH, TO, boom, run, run_as, slender_boom, sliding};

/// Tip of a cantilever of length ℓ = ℓ₀ + U t that is pushed by sin²(πt/0.02) N for 0.02 s, at t = 0.05, 0.10
/// … s (m).
///
/// The equation of B. Tabarrok, C. M. Leech and Y. I. Kim, *On the dynamics of an axially moving beam*, J.
/// Franklin Institute 297 (1974) 201–220, at constant speed:
///
/// ```text
/// ρA (w_tt + 2U w_xt + U² w_xx) + EI w_xxxx = 0,   w = w_x = 0 at x = 0,   w_xx = w_xxx = 0 at x = ℓ(t)
/// ```
///
/// solved apart from this program with w = Σ ξ²P_k(2ξ−1) q_k(t), ξ = x/ℓ, eight Legendre polynomials, EI =
/// 100 N·m², ρA = 1 kg/m, and Gauss's two-stage rule at 20 µs; six polynomials and 40 µs give the same to
/// 3e-4 of the largest value (1e-6 on the way out).
const OUT: &[f64] = &[-1.754_763e-4, 1.532_641e-4, 9.760_42e-5, -2.319_071e-4, 2.479_347e-4, -1.906_09e-4];
const IN: &[f64] = &[8.550_932e-4, -7.479_893e-4, 1.583_597e-4, 4.305_655e-4, -6.448_301e-4];

/// The same by Exudyn 1.13.6: an ANCF beam through a sliding joint that holds its slope, extrapolated from
/// 320 and 640 elements (`tests/peers/exudyn_sliding.py`). The limit is good to some 1e-3 of the largest
/// value.
const EXUDYN_OUT: &[f64] =
    &[-1.755_072e-4, 1.531_623e-4, 9.752_156e-5, -2.317_997e-4, 2.480_544e-4, -1.906_346e-4];
const EXUDYN_IN: &[f64] = &[8.550_813e-4, -7.482_128e-4, 1.584_825e-4, 4.302_431e-4, -6.459_693e-4];

fn moving(length: f64, speed: f64, step: f64) -> String {
    let from = length - (LENGTH - TO);
    // Coasting: nothing acts along the axis but what is of second order in the deflection.
    let joint = format!("start = {{ value = {from}, rate = {speed} }}");
    format!(
        "{}{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 'sin(pi*min(t, 0.02)/0.02)^2', 0]\n\
         [analysis]\nend = 0.3\nstep = {step}\n[output]\nevery = 0.05\n",
        slender_boom(28),
        sliding(&joint)
    )
}

fn tips(text: &str, kind: AnalysisKind) -> Vec<f64> {
    let mut found = Vec::new();
    run_as(text, kind, |frame| found.push(frame.work.X_WT(BodyIndex(0).interface(0)).p.y)).unwrap();
    found.split_off(1)
}

#[test]
fn an_axially_moving_cantilever_is_that_of_tabarrok_and_of_exudyn() {
    // Leaving out the terms with U changes these answers by 10 to 70 %.
    let (nonlinear, linear) = (AnalysisKind::Nonlinear, AnalysisKind::Linear);
    // On the way in the frequency rises ninefold, to 63 Hz, and what a step of the rule is late adds up; so
    // it does in `linear`, whose step is twice as long.
    let (out, back) = ([OUT, EXUDYN_OUT], [IN, EXUDYN_IN]);
    let cases = [
        (0.3, 2.0, 1e-4, out, nonlinear, 1.5e-3),
        (0.3, 2.0, 2e-4, out, linear, 4e-3),
        (0.9, -2.0, 5e-5, back, nonlinear, 2.5e-3),
    ];
    for (length, speed, step, references, kind, limit) in cases {
        let found = tips(&moving(length, speed, step), kind);
        for reference in references {
            let largest = reference.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            for (found, reference) in found.iter().zip(reference) {
                let error = (found - reference).abs() / largest;
                println!("{speed} m/s, {kind:?}: {error:.2e}");
                assert!(error < limit, "{speed} m/s, {kind:?}: {found:.6e} for {reference:.6e} m");
            }
        }
    }
}

/// Largest error of the energy balance over the largest of the work and the kinetic energy.
fn imbalance(text: &str, step: f64) -> f64 {
    let (mut balance, mut size) = (0.0f64, 0.0f64);
    let text = format!("{text}[analysis]\nend = 0.5\nstep = {step}\nstart = 'equilibrium'\n");
    run(&text, |frame| {
        balance = balance.max(frame.energy.balance.abs());
        size = size.max(frame.energy.kinetic).max(frame.energy.drive_work.abs());
    })
    .unwrap();
    balance / size
}

#[test]
fn energy_is_balanced_while_it_slides() {
    // Out and back while the weight swings; pulled out by its own weight, down a slope; pushed by a force.
    let prescribed =
        "drive = { motion = { profile = 'harmonic', mean = 0.5, amplitude = 0.3, freq_hz = 2 } }";
    let free = "start = { value = 0.1, hold = true }";
    let forced = "start = { value = 0.2, hold = true }\ndrive = { torque = '20*cos(12*t)' }\nrollers = 0.1";
    for (gravity, joint) in
        [([0.0, -9.81, 0.0], prescribed), ([5.0, -5.0, 1.0], free), ([0.0, -9.81, 3.0], forced)]
    {
        let text = format!("gravity = {gravity:?}\n{}{}", boom(12), sliding(joint));
        let (coarse, fine) = (imbalance(&text, 5e-4), imbalance(&text, 2.5e-4));
        let order = (coarse / fine).log2();
        // Newmark's rule; what is left of the first grip's jolt makes the order a little uneven.
        assert!(
            fine < 1e-5 && (1.5..2.5).contains(&order),
            "{joint}: {coarse:.2e}, {fine:.2e}, order {order:.2}"
        );
    }
}
