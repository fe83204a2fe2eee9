//! Damping of cut links and of the assembled machine: the ratios asked for, found again by linearisation and
//! by ring-down.

use std::fmt::Write as _;
use std::path::Path;

use pliant_dynamics::{AnalysisKind, Frame, StepControl, simulate};

use crate::support::{machine, modes, problems};

/// Frequency and ratio from the decay of a component of the tip: the logarithmic decrement of its maxima in
/// the second half of the run, when higher modes are gone.
fn ring_down(folder: &Path, text: &str, component: usize) -> (f64, f64, u64) {
    let (model, tip, settings) = machine(folder, text);
    let mut signal: Vec<(f64, f64)> = Vec::new();
    let mut take = |frame: &Frame<'_>| {
        signal.push((frame.state.t, frame.work.X_WT(tip).p[component]));
    };
    let statistics = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
    let half = &signal[signal.len() / 2..];
    let mut maxima: Vec<(f64, f64)> = Vec::new();
    let mut minima: Vec<(f64, f64)> = Vec::new();
    for three in half.windows(3) {
        let [(_, a), (t, b), (_, c)] = [three[0], three[1], three[2]];
        // The vertex of the parabola through three samples.
        let bend = a - 2.0 * b + c;
        let vertex = (t + 0.5 * (a - c) / bend * (three[2].0 - t), b - (a - c) * (a - c) / (8.0 * bend));
        if b > a && b >= c {
            maxima.push(vertex);
        } else if b < a && b <= c {
            minima.push(vertex);
        }
    }
    // Half the distance from a maximum to the minimum after it has no mean in it.
    let swings: Vec<(f64, f64)> = maxima
        .iter()
        .filter_map(|(t, top)| {
            let (_, bottom) = minima.iter().find(|(after, _)| after > t)?;
            Some((*t, 0.5 * (top - bottom)))
        })
        .collect();
    assert!(swings.len() > 5, "{swings:?}");
    let ((t0, first), (t1, last)) = (swings[0], swings[swings.len() - 1]);
    let cycles = (swings.len() - 1) as f64;
    let decrement = (first / last).ln() / cycles;
    let ratio = decrement / (std::f64::consts::TAU.powi(2) + decrement * decrement).sqrt();
    (cycles / (t1 - t0), ratio, statistics.iterations / statistics.steps.max(1))
}

/// A bar of steel, clamped; `more` of the link, `rest` of the machine.
fn cantilever(more: &str, rest: &str) -> String {
    format!(
        "[links.b]
beam = {{ length = 1.0, section = {{ bar = [0.02, 0.01] }}, material = 'steel', elements = 12 }}
modes = {{ count = 8 }}
accept = ['frequencies']
{more}
[joints.a]
parent = 'ground'
child = 'b'
type = 'fixed'
[loads.l]
at = 'b.tip'
force = [0, '1*(t<1e-9)', 0]
[analysis]
start = 'equilibrium'
end = 3
step = 5e-4
[output]
tip = 'b.tip'
{rest}"
    )
}

/// The same bar as a deck.
fn bar_deck() -> String {
    let mut deck = "BEGIN BULK\n".to_owned();
    for k in 0..=12 {
        writeln!(deck, "GRID,{},,{:?},0.,0.", k + 1, f64::from(k) / 12.0).unwrap();
    }
    for k in 1..=12 {
        writeln!(deck, "CBAR,{k},1,{k},{},0.,1.,0.", k + 1).unwrap();
    }
    // A = 2e-4 m2; plane 1 bends along y, over the 10 mm of the bar as `bar = [0.02, 0.01]` has it or the 20
    // mm: both are the same in each variant.
    deck + "PBAR,1,1,2.-4,6.666667-9,1.666667-9,4.6-9\nMAT1,1,2.1+11,,.3,7850.\nENDDATA\n"
}

fn deck_cantilever(more: &str) -> String {
    let beam = cantilever(more, "");
    let (head, tail) = beam.split_once("beam = ").unwrap();
    let (_, tail) = tail.split_once('\n').unwrap();
    format!("{head}deck = 'b.bdf'\ninboard = 1\ninterfaces = {{ tip = 13 }}\n{tail}")
}

/// A link's ratio is that of the undivided link, whatever it is cut into: defects `segments-damping`, where
/// four segments had 0.00097 for 0.02.
#[test]
fn segments_and_cuts_do_not_change_the_ratio() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.bdf"), bar_deck()).unwrap();
    for (damping, zetas) in [
        ("damping = { ratio = 0.02 }", [0.02; 4]),
        ("damping = { ratio = [0.01, 0.02, 0.03, 0.04] }", [0.01, 0.02, 0.03, 0.04]),
    ] {
        let variants = [
            cantilever(damping, ""),
            cantilever(&format!("{damping}\nsegments = 4"), ""),
            deck_cantilever(damping),
            deck_cantilever(&format!("{damping}\ncuts = [4, 7, 10]")),
        ];
        for text in &variants {
            let found = modes(folder.path(), text);
            for (mode, zeta) in found.iter().zip(zetas) {
                // Linearised: what is left is that of differences.
                assert!((mode.ratio / zeta - 1.0).abs() < 1e-3, "{mode:?} for {zeta}");
            }
        }
    }
    // Rayleigh damping, D = αM + βK, too.
    let rayleigh = "damping = { rayleigh = { alpha = 0.5, beta = 1e-4 } }";
    let uncut = modes(folder.path(), &cantilever(rayleigh, ""));
    let cut = modes(folder.path(), &cantilever(&format!("{rayleigh}\nsegments = 3"), ""));
    for (uncut, cut) in uncut.iter().zip(&cut).take(6) {
        assert!((cut.ratio / uncut.ratio - 1.0).abs() < 5e-3, "{cut:?} {uncut:?}");
        let omega = std::f64::consts::TAU * uncut.frequency_hz;
        assert!((uncut.ratio / (0.25 / omega + 5e-5 * omega) - 1.0).abs() < 1e-3, "{uncut:?}");
    }
    // And in a run.
    let (hz, zeta, _) =
        ring_down(folder.path(), &cantilever("damping = { ratio = 0.02 }\nsegments = 4", ""), 1);
    println!("four segments: {hz} Hz, ratio {zeta}");
    assert!((zeta / 0.02 - 1.0).abs() < 0.02, "{zeta}");
}

/// What a link's own ratio becomes under a payload: ζω/ω_link, as the theory page says, and as defects
/// `damping-ratio` measured (0.0037).
#[test]
fn a_payload_dilutes_the_ratio_of_a_link_and_not_that_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let tube = |damping: &str, rest: &str| {
        format!(
            "[links.a]
beam = {{ length = 1.0, section = {{ tube = {{ od = 0.05, t = 0.003 }} }}, material = 'steel', elements = 12 }}
modes = {{ count = 10 }}
{damping}
[joints.j]
parent = 'ground'
child = 'a'
type = 'fixed'
[payload]
at = 'a.tip'
mass = 5
[loads.l]
at = 'a.tip'
force = [0, '100*(t<1e-9)', 0]
[analysis]
start = 'equilibrium'
end = 3
step = 1e-3
[output]
tip = 'a.tip'
{rest}"
        )
    };
    let own = modes(folder.path(), &tube("damping = { ratio = 0.01 }", ""));
    // Alone it has 48.1 Hz; with the payload 18.3 Hz.
    assert!((own[0].frequency_hz - 18.3).abs() < 0.1, "{:?}", own[0]);
    assert!((own[0].ratio - 0.0037).abs() < 1e-4 && own[0].ratio < 0.01 * 18.4 / 48.0, "{:?}", own[0]);
    let text = tube("", "[damping]\nratio = 0.01\n");
    for mode in modes(folder.path(), &text).iter().take(8) {
        assert!((mode.ratio / 0.01 - 1.0).abs() < 1e-3, "{mode:?}");
    }
    let (hz, zeta, _) = ring_down(folder.path(), &text, 1);
    println!("with a payload: {hz} Hz, ratio {zeta}");
    assert!((zeta / 0.01 - 1.0).abs() < 0.02, "{zeta}");
}

/// A two-link arm with a payload, its joints held by prescribed motions, bent at the elbow.
fn arm(damping: &str) -> String {
    format!(
        "[links.upper]
beam = {{ length = 1.0, section = {{ tube = {{ od = 0.06, t = 0.003 }} }}, material = 'steel', elements = 8 }}
modes = {{ count = 6 }}
[links.fore]
beam = {{ length = 0.8, section = {{ tube = {{ od = 0.04, t = 0.002 }} }}, material = 'aluminium', elements = 8 }}
modes = {{ count = 6 }}
[joints.shoulder]
parent = 'ground'
child = 'upper'
type = 'revolute'
axis = 'z'
drive = {{ motion = {{ profile = 'hold', value_deg = 20 }} }}
[joints.elbow]
parent = 'upper.tip'
child = 'fore'
type = 'revolute'
axis = 'z'
drive = {{ motion = {{ profile = 'hold', value_deg = 50 }} }}
[payload]
at = 'fore.tip'
mass = 3
[loads.l]
at = 'fore.tip'
force = [0, 0, '-50*(t<1e-9)']
[damping]
{damping}
[analysis]
start = 'equilibrium'
end = 6
step = 2e-3
[output]
tip = 'fore.tip'
"
    )
}

/// The ratio that a mode, by its index and frequency, is to have.
type Wanted<'a> = &'a dyn Fn(usize, f64) -> f64;

#[test]
fn the_modes_of_a_tree_have_the_ratios_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, Wanted<'_>); 5] = [
        ("ratio = 0.02", &|_, _| 0.02),
        ("ratio = [0.01, 0.02, 0.03]", &|k, _| [0.01, 0.02, 0.03][k.min(2)]),
        ("ratio = [[1, 0.01], [101, 0.05]]", &|_, hz| 0.01 + 0.04 * ((hz - 1.0) / 100.0).clamp(0.0, 1.0)),
        ("rayleigh = [[5, 0.01], [100, 0.02]]", &|_, hz| {
            // ζ = a/f + bf through the two points.
            let b = (0.02 * 100.0 - 0.01 * 5.0) / (100.0 * 100.0 - 5.0 * 5.0);
            (0.01 - b * 5.0) * 5.0 / hz + b * hz
        }),
        ("loss = { factor = 0.03, at_hz = [2, 2000] }", &|_, _| 0.015),
    ];
    for (damping, expected) in cases {
        let found = modes(folder.path(), &arm(damping));
        for (k, mode) in found.iter().enumerate().take(8) {
            let zeta = expected(k, mode.frequency_hz);
            assert!((mode.ratio / zeta - 1.0).abs() < 5e-3, "{damping}: mode {k} {mode:?} for {zeta}");
        }
    }
    let (hz, zeta, iterations) = ring_down(folder.path(), &arm("ratio = 0.05"), 2);
    println!("two-link arm: {hz} Hz, ratio {zeta}, {iterations} iterations a step");
    assert!((zeta / 0.05 - 1.0).abs() < 0.02, "{zeta}");
}

/// Name, text, its step, component of the tip, and the ratio by the frequency that rings.
type Ringing<'a> = (&'a str, &'a str, &'a str, usize, &'a dyn Fn(f64) -> f64);

/// Damping in proportion to stiffness through time, where D between links is larger than what else a step has
/// of stiff modes: the ratios are those of the formulas at the frequency that rings, at long and at short
/// steps.
#[test]
fn stiffness_proportional_damping_rings_down_at_any_step() {
    let folder = tempfile::tempdir().unwrap();
    // ζ = βω/2 of a link, cut into four.
    let link = cantilever("damping = { rayleigh = { beta = 4e-4 } }\nsegments = 4", "")
        .replace("end = 3", "end = 1.5");
    // ζ = a/f + bf through the two points; ζ = η/2·f/f₀.
    let through = |hz: f64| {
        let b = (0.03 * 40.0 - 0.03 * 3.0) / (40.0 * 40.0 - 3.0 * 3.0);
        (0.03 - b * 3.0) * 3.0 / hz + b * hz
    };
    let cut = |text: &str| text.replace("elements = 8 }", "elements = 8 }\nsegments = 3");
    let tree = arm("rayleigh = [[3, 0.03], [40, 0.03]]").replace("end = 6", "end = 3");
    let loss = arm("loss = { factor = 0.04, at_hz = [5.5] }").replace("end = 6", "end = 3");
    let cases: [Ringing<'_>; 4] = [
        ("link", &link, "step = 5e-4", 1, &|hz| 4e-4 * std::f64::consts::PI * hz),
        ("tree", &tree, "step = 2e-3", 2, &through),
        ("cut tree", &cut(&tree), "step = 2e-3", 2, &through),
        ("cut tree with loss", &cut(&loss), "step = 2e-3", 2, &|hz| 0.02 * hz / 5.5),
    ];
    for (name, text, step, component, expected) in cases {
        assert!(text.contains(step), "{name}");
        for shorter in [1.0, 5.0] {
            let h: f64 = step["step = ".len()..].parse().unwrap();
            let text = text.replace(step, &format!("step = {:e}", h / shorter));
            let (hz, zeta, iterations) = ring_down(folder.path(), &text, component);
            println!(
                "{name}, h/{shorter}: {hz} Hz, ratio {zeta} for {}, {iterations} iterations",
                expected(hz)
            );
            assert!(
                (zeta / expected(hz) - 1.0).abs() < 0.02,
                "{name}, h/{shorter}: {zeta} for {}",
                expected(hz)
            );
            assert!(iterations <= 3, "{name}, h/{shorter}: {iterations} iterations a step");
        }
    }
}

/// Damping far beyond critical at steps far below its times: a released cantilever creeps back with the slow
/// root of s² + βω²s + ω² = 0, −1/β(1 + 1/(βω)² + …) in all modes, whether one body or four.
#[test]
fn damping_far_beyond_critical_creeps_at_any_step() {
    let folder = tempfile::tempdir().unwrap();
    for (segments, step) in [("", "1e-4"), ("\nsegments = 4", "1e-4"), ("\nsegments = 4", "2e-5")] {
        let text = cantilever(&format!("damping = {{ rayleigh = {{ beta = 1.0 }} }}{segments}"), "")
            .replace("end = 3", "end = 0.1")
            .replace("step = 5e-4", &format!("step = {step}"));
        let (model, tip, settings) = machine(folder.path(), &text);
        let mut creep = Vec::new();
        let mut take = |frame: &Frame<'_>| creep.push((frame.state.t, frame.work.X_WT(tip).p.y));
        let statistics = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
        let ((t0, from), (t1, to)) = (creep[creep.len() / 2], creep[creep.len() - 1]);
        let rate = (from / to).ln() / (t1 - t0);
        let iterations = statistics.iterations / statistics.steps;
        println!("segments {segments:?}, step {step}: {rate} 1/s, {iterations} iterations a step");
        assert!((rate - 1.0).abs() < 2e-3, "{segments}, {step}: {rate} 1/s");
        assert!(iterations <= 3 && statistics.cuts == 0, "{segments}, {step}: {statistics:?}");
    }
}

/// One stated frequency: D = ηK/ω₀, so that ζ = η/2·ω/ω₀, exact where it is stated; links of different loss
/// share by their strain energy.
#[test]
fn a_loss_factor_is_viscous_at_its_frequency() {
    let folder = tempfile::tempdir().unwrap();
    let one = modes(folder.path(), &arm("loss = { factor = 0.04, at_hz = [10] }"));
    for mode in one.iter().take(6) {
        let zeta = 0.02 * mode.frequency_hz / 10.0;
        assert!((mode.ratio / zeta - 1.0).abs() < 5e-3, "{mode:?} {zeta}");
    }
    let of = |text: &str| modes(folder.path(), &arm(text))[0].ratio;
    let upper = of("loss = { links = { upper = 0.02 }, at_hz = [2, 2000] }");
    let fore = of("loss = { links = { fore = 0.02 }, at_hz = [2, 2000] }");
    let by_material = of("loss = { materials = { aluminium = 0.02 }, at_hz = [2, 2000] }");
    // Shares of the strain energy add up to one.
    assert!((upper + fore - 0.01).abs() < 1e-4 && upper > 0.001 && fore > 0.001, "{upper} {fore}");
    assert!((by_material / fore - 1.0).abs() < 1e-12);
}

/// A four-bar of flexible links with a mass on the coupler, held at its crank.
#[test]
fn the_modes_of_a_loop_have_the_ratios_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let link = |name: &str, length: f64| {
        format!(
            "[links.{name}]
beam = {{ length = {length}, section = {{ rod = 0.012 }}, material = 'aluminium', elements = 6 }}
modes = {{ count = 4 }}
"
        )
    };
    let text = link("crank", 0.2)
        + &link("coupler", 0.6)
        + &link("rocker", 0.5)
        + "[payload]
at = 'coupler.tip'
mass = 0.5
[joints.crank]
parent = 'ground'
child = 'crank'
type = 'revolute'
drive = { motion = { profile = 'hold', value = 0.9 } }
[joints.elbow]
parent = 'crank.tip'
child = 'coupler'
type = 'revolute'
start = { value = -0.4 }
[joints.rocker]
parent = 'ground'
child = 'rocker'
type = 'revolute'
origin = [0.6, 0, 0]
start = { value = 1.9 }
[joints.pin]
parent = 'coupler.tip'
child = 'rocker.tip'
type = 'spherical'
[loads.l]
at = 'coupler.tip'
force = [0, 0, '2*(t<1e-9)']
[damping]
ratio = 0.03
[analysis]
start = 'equilibrium'
end = 4
step = 2e-3
[output]
tip = 'coupler.tip'
";
    for mode in modes(folder.path(), &text).iter().take(6) {
        assert!((mode.ratio / 0.03 - 1.0).abs() < 5e-3, "{mode:?}");
    }
    let (hz, zeta, iterations) = ring_down(folder.path(), &text, 2);
    println!("four-bar: {hz} Hz, ratio {zeta}, {iterations} iterations a step");
    assert!((zeta / 0.03 - 1.0).abs() < 0.02, "{zeta}");
}

/// Damping of deformation does not resist a rigid motion: a free arm turns on, and its momentum stays.
#[test]
fn rigid_motion_is_not_damped() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[links.a]
beam = { length = 1.0, section = { rod = 0.02 }, material = 'steel', elements = 8 }
modes = { count = 4 }
[joints.j]
parent = 'ground'
child = 'a'
type = 'revolute'
start = { rate = 2.0 }
[damping]
ratio = 0.1
[analysis]
end = 2
step = 2e-3
[output]
tip = 'a.tip'
";
    let (model, _, mut settings) = machine(folder.path(), text);
    settings.step = StepControl::Fixed { step: 2e-3 };
    let mut ends = Vec::new();
    let mut take = |frame: &Frame<'_>| ends.push((frame.work.momentum()[5], frame.energy.balance));
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut take).unwrap();
    let ((first, _), (last, balance)) = (ends[0], ends[ends.len() - 1]);
    assert!((last / first - 1.0).abs() < 1e-9, "{first} {last}");
    // Of 1.6 J; what is left is the trapezoidal rule on what the start from rest dissipates.
    assert!(balance.abs() < 2e-5, "{balance}");
}

#[test]
fn what_cannot_be_is_refused_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let reported = |text: &str| problems(folder.path(), text);
    for (damping, message) in [
        ("ratio = 0.02\nrayleigh = [[1, 0.1], [2, 0.1]]", "is needed, found `ratio` and `rayleigh`"),
        ("time = 0", "is needed, found none of them"),
        ("ratio = 0.02\ntime = -1", "`time` must not be negative, found -1"),
        ("rayleigh = [[5, 0.01], [100, 0.9]]", "for the ratios 0.01 and 0.9"),
        ("rayleigh = [[5, 0.01], [100, 0.9]]", "a second ratio from 0.0005 to 0.2000 fits the first"),
        ("rayleigh = [[50, 0.01], [5, 0.01]]", "must be positive and ascend, found 50 Hz and 5 Hz"),
        ("rayleigh = [[5, 0.01], [50, 2]]", "must lie from 0 to below 1, found 2"),
        ("ratio = [[5, 0.01], [2, 0.02]]", "must ascend, found 2 Hz after 5 Hz"),
        ("loss = { factor = 3, at_hz = [3] }", "`factor` must lie from 0 to below 1, found 3"),
        ("loss = { factor = 0.1, at_hz = [-3] }", "must be positive, found -3 Hz"),
        ("ratio = 1.5", "must lie from 0 to below 1, found 1.5"),
        ("loss = { links = { nobody = 0.1 }, at_hz = [3] }", "there is no link `nobody`"),
        ("loss = { materials = { cheese = 0.1 }, at_hz = [3] }", "not a material of the library"),
        ("loss = { factor = 0.1, at_hz = [] }", "`at_hz` needs one frequency or more, found none"),
    ] {
        let found = reported(&arm(damping));
        assert!(found.contains(message), "{damping}: {found}");
    }
    let both = arm("ratio = 0.02").replacen(
        "modes = { count = 6 }",
        "modes = { count = 6 }\ndamping = { ratio = 0.1 }",
        1,
    );
    assert!(reported(&both).contains("exclude each other"), "{}", reported(&both));
}
