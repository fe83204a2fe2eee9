//! Booms whose grip sits on a flexible arm that swings fast.

use crate::support::run;
use pliant_mechanism::BodyIndex;

const BAR: &str = "section = { bar = [0.015, 0.015] }, material = 'aluminium' }";

/// An arm of 0.8 m that turns by 300° in 0.4 s with 26 rad/s at most, its load, and the rest of the file.
fn arm(load: &str, end: f64, step: f64) -> String {
    format!(
        "gravity = [0, 0, -9.81]\n[links.arm]\nbeam = {{ length = 0.8, elements = 20, section = {{ bar = [0.02, 0.02] }}, material = 'aluminium' }}\n\
         modes = {{ count = 8 }}\n{load}[joints.hub]\nparent = 'ground'\nchild = 'arm'\ntype = 'revolute'\naxis = 'z'\n\
         drive = {{ motion = {{ profile = 'cycloidal', to_deg = 300, time = 0.4 }} }}\n\
         [analysis]\nend = {end}\nstep = {step}\nstart = 'equilibrium'\n[output]\nevery = 4e-3\n"
    )
}

/// A boom of 1 m in a grip on the arm.
fn boom(joint: &str) -> String {
    format!(
        "[links.boom]\nbeam = {{ length = 1, elements = 40, {BAR}\nmodes = {{ count = 16 }}\nrail = {{ from = 0.1, to = 0.9 }}\n\
         [joints.slide]\nparent = 'arm.tip'\nchild = 'boom'\ntype = 'sliding'\naxis = 'x'\n{joint}\n"
    )
}

/// The same held with `outside` of it beyond the grip, as two beams that are fixed to the arm.
fn two_beams(outside: f64) -> String {
    let beam = |name: &str, length: f64, more: &str| {
        let elements = (40.0 * length).round();
        format!(
            "[links.{name}]\nbeam = {{ length = {length}, elements = {elements}, {BAR}\nmodes = {{ count = 8 }}\n\
             [joints.{name}]\nparent = 'arm.tip'\nchild = '{name}'\ntype = 'fixed'\n{more}"
        )
    };
    beam("outside", outside, "") + &beam("inside", 1.0 - outside, "axes = [[-1, 0, 0], [0, -1, 0]]\n")
}

/// Tips of the first link on the arm, and how far they are from where they would be if all were rigid.
fn tips(text: &str) -> (Vec<[f64; 3]>, f64) {
    let (mut found, mut largest) = (Vec::new(), 0.0f64);
    run(text, |frame| {
        found.push(frame.work.X_WT(BodyIndex(1).interface(0)).p.into());
        largest = largest.max(frame.error(BodyIndex(1).interface(0)).0.norm());
    })
    .unwrap();
    (found, largest)
}

fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_held_boom_on_a_swinging_arm_is_two_beams_on_it() {
    for displacement in [0.5, 0.7] {
        let held = boom(&format!("drive = {{ motion = {{ profile = 'hold', value = {displacement} }} }}"));
        let fixed = two_beams(0.1 + displacement);
        let (held, _) = tips(&arm(&held, 0.5, 5e-4));
        let (fixed, size) = tips(&arm(&fixed, 0.5, 5e-4));
        let first_order = fixed_in_first_order(0.1 + displacement);
        let (error, effect) = (apart(&held, &fixed) / size, apart(&first_order, &fixed) / size);
        println!("{displacement} m out: {error:.1e} of {size:.4} m, second order {effect:.1e}");
        // The drive holds the inner end, the fixed joint the grip: what is inside is pulled by what is
        // outside in one of them alone, the less of it there is the less it matters. Second order is a
        // hundred times as much.
        assert!(error < 3e-4 && effect > 50.0 * error, "{error:.1e}, {effect:.1e}");
    }
}

fn fixed_in_first_order(outside: f64) -> Vec<[f64; 3]> {
    tips(&(arm(&two_beams(outside), 0.5, 5e-4).replace("start = 'eq", "second_order = false\nstart = 'eq"))).0
}

#[test]
fn energy_is_balanced_while_a_boom_slides_on_a_swinging_arm() {
    // Out as reported; and let go, flung out against a pull that grows.
    let prescribed = "drive = { motion = { profile = 'cycloidal', from = 0.15, to = 0.6, time = 0.4 } }";
    let free =
        "start = { value = 0.2, hold = true }\ndrive = { torque = '-800*max(t-0.06,0)' }\nrollers = 0.1";
    for (joint, end) in [(prescribed, 0.4), (free, 0.16)] {
        let imbalance = |step: f64| {
            let (mut balance, mut size) = (0.0f64, 0.0f64);
            run(&arm(&boom(joint), end, step), |frame| {
                balance = balance.max(frame.energy.balance.abs());
                size = size.max(frame.energy.kinetic).max(frame.energy.drive_work.abs());
            })
            .unwrap();
            balance / size
        };
        let (coarse, fine) = (imbalance(1e-3), imbalance(5e-4));
        let order = (coarse / fine).log2();
        println!("{joint}: {coarse:.1e}, {fine:.1e}, order {order:.2}");
        assert!(fine < 1e-5 && (1.8..2.2).contains(&order), "{coarse:.1e}, {fine:.1e}, order {order:.2}");
    }
}
