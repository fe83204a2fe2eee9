//! The 3R arm of ../shared/exudyn from its decks.

use nalgebra::Vector3;

use crate::support::{rows, run, shared};

/// How far an arm is from the reference.
struct Difference {
    /// Largest difference of the tip error at any time, over the largest tip error.
    history: f64,
    /// The same as a root mean square over the run.
    rms: f64,
    /// Relative difference of the sag at the start.
    sag: f64,
    /// Largest relative difference of the peaks of the components of the tip error and of the torques.
    peaks: f64,
}

fn differences(deck: &str, inboard: u32, tip: u32, modes: u32) -> Option<Difference> {
    let folder = shared("exudyn")?;
    let rows = rows(&folder.join("arm3r-craig-bampton.csv"));
    let link = |name: &str| {
        format!(
            "[links.{name}]\ndeck = '{}'\ninboard = {inboard}\ninterfaces = {{ tip = {tip} }}\nmodes = {{ count = {modes} }}\naccept = ['frequencies']\n",
            folder.join(deck).display()
        )
    };
    let joint = |name: &str, parent: &str, child: &str, axis: &str, degrees: f64| {
        format!(
            "[joints.{name}]\nparent = '{parent}'\nchild = '{child}'\ntype = 'revolute'\naxis = '{axis}'\n\
             drive = {{ motion = {{ profile = 'cycloidal', to_deg = {degrees}, time = 1 }} }}\n"
        )
    };
    let text = format!(
        "gravity = [0, 0, -9.81]\n{}{}[links.hip]\n\
         rigid = {{ mass = 1, inertia = [0.02, 0.02, 0.02], interfaces = {{ shoulder = [0, 0, 0.5] }} }}\n{}{}{}\
         [payload]\nat = 'fore.tip'\nmass = 10\n\
         [analysis]\nend = 2\nstep = 5e-4\nstart = 'equilibrium'\n[output]\nevery = 1e-3\n",
        link("upper"),
        link("fore"),
        joint("hip", "ground", "hip", "z", 60.0),
        joint("shoulder", "hip.shoulder", "upper", "-y", 45.0),
        joint("elbow", "upper.tip", "fore", "-y", -60.0)
    );
    let temporary = tempfile::tempdir().unwrap();
    let (mut n, mut apart, mut largest, mut square, mut sag) = (0, 0.0f64, 0.0f64, 0.0f64, 0.0f64);
    // Of ex, ey, ez and the three torques.
    let (mut found, mut expected) = ([0.0f64; 6], [0.0f64; 6]);
    run(temporary.path(), &text, |frame| {
        let row = &rows[n];
        n += 1;
        let body = |name: &str| frame.model.body(name).unwrap();
        let (e, reference) = (frame.error(body("fore").interface(0)).0, Vector3::new(row[1], row[2], row[3]));
        if n == 1 {
            sag = e.norm() / reference.norm() - 1.0;
        }
        apart = apart.max((e - reference).norm());
        square += (e - reference).norm_squared();
        largest = largest.max(reference.norm());
        let [a, b, c] = ["hip", "upper", "fore"].map(|name| frame.drive_force(body(name).coordinate(0)));
        let pairs = [(e.x, row[1]), (e.y, row[2]), (e.z, row[3]), (a, row[7]), (b, row[8]), (c, row[9])];
        for (k, (ours, theirs)) in pairs.into_iter().enumerate() {
            found[k] = found[k].max(ours.abs());
            expected[k] = expected[k].max(theirs.abs());
        }
    });
    assert_eq!(n, rows.len());
    let peaks: Vec<f64> = found.iter().zip(expected).map(|(a, b)| a / b - 1.0).collect();
    let rms = (square / n as f64).sqrt() / largest;
    println!(
        "{deck}: history {:.2} um of {:.4} mm, rms {:.3} %; sag {:+.3} %; peaks {peaks:.5?}",
        apart * 1e6,
        largest * 1e3,
        100.0 * rms,
        100.0 * sag
    );
    let peaks = peaks.iter().map(|p| p.abs()).fold(0.0, f64::max);
    Some(Difference { history: apart / largest, rms, sag, peaks })
}

#[test]
fn the_arm_of_twenty_bars_moves_as_exudyns() {
    let Some(found) = differences("link_beam20.bdf", 1, 21, 8) else { return };
    // A step of 5e-4 costs about 3 um of 3.4 mm (11 um at 1e-3, second order).
    assert!(found.history < 2e-3 && found.peaks < 2e-3, "{} {}", found.history, found.peaks);
}

#[test]
fn the_arm_of_solid_tubes_is_within_0_4_percent_of_exudyns_beams() {
    let Some(found) = differences("link_tube_hex8.bdf", 9697, 9698, 8) else { return };
    // Peaks and the mean over the run. The deck is 0.3 % stiffer than the beam the reference was made with,
    // as the reference says, and its sag shows it.
    assert!(found.peaks < 4e-3 && found.rms < 4e-3, "{} {}", found.peaks, found.rms);
    assert!((found.sag + 0.0027).abs() < 3e-4, "{}", found.sag);
    // Stiffer by 0.3 % is faster by 0.15 %: after some twenty undamped swings single samples are 0.63 % away.
    // With 0.15 % taken from E the largest difference of all samples is 0.17 %.
    assert!(found.history < 7e-3, "{}", found.history);
}
