//! `pliant run` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn pliant(pipeline: &Path, cache: &Path, options: &[&str]) -> Output {
    // Results go there, too: it is thrown away.
    std::fs::create_dir_all(cache).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.arg("run").arg(pipeline).args(options).env("PLIANT_CACHE", cache).current_dir(cache);
    command.output().unwrap()
}

fn run(pipeline: &str) -> Value {
    let cache = tempfile::tempdir().unwrap();
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines")).join(pipeline);
    let output = pliant(&path, cache.path(), &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Largest magnitude of each column of a reference.
fn peaks(name: &str) -> Option<Vec<f64>> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/exudyn")).join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: {} is not there", path.display());
        return None;
    };
    let mut peaks: Vec<f64> = Vec::new();
    for line in text.lines() {
        let row: Result<Vec<f64>, _> = line.split(',').map(|field| field.trim().parse::<f64>()).collect();
        let Ok(row) = row else { continue };
        peaks.resize(row.len(), 0.0);
        peaks.iter_mut().zip(row).for_each(|(peak, x)| *peak = peak.max(x.abs()));
    }
    Some(peaks)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_spatial_arm_has_the_peaks_of_exudyn() {
    let report = run("spatial-3r.toml");
    let run = &report["run"];
    assert!(number(&run["energy"]["worst_balance"]) < 1e-2, "{run:#}");
    let Some(peaks) = peaks("arm3r-craig-bampton.csv") else { return };
    for k in 0..3 {
        let peak = number(&run["tip"]["peak_components"][k]);
        // The 5 um for every sample.
        assert!((peak - peaks[1 + k]).abs() < 5e-6, "{k}: {peak} {}", peaks[1 + k]);
    }
    for (k, name) in ["hip", "shoulder", "elbow"].iter().enumerate() {
        let peak = number(&run["drives"][*name]["peak"]);
        assert!((peak - peaks[7 + k]).abs() < 0.5, "{name}: {peak} {}", peaks[7 + k]);
    }
}

#[test]
fn the_planar_arm_has_the_peaks_of_exudyn() {
    let report = run("planar-2r.toml");
    let run = &report["run"];
    let Some(peaks) = peaks("arm2r-craig-bampton.csv") else { return };
    // Along and across are small beside each other at the peak, so that the size lies between the larger and
    // their root.
    let (peak, across) = (number(&run["tip"]["peak_error"]), peaks[1].max(peaks[2]));
    assert!(peak > across - 3e-6 && peak < peaks[1].hypot(peaks[2]) + 3e-6, "{peak} {peaks:?}");
    for (k, name) in ["first", "second"].iter().enumerate() {
        let torque = number(&run["drives"][*name]["peak"]);
        // The README of the reference gives torques to 1 mN m.
        assert!((torque - peaks[3 + k]).abs() < 5e-3, "{name}: {torque} {}", peaks[3 + k]);
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_line_and_nothing_is_reduced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    let text = "[links.arm]\ndeck = 'missing.bdf'\ninboard = 1\ninterfaces = { tip = 2 }\n\
                [joints.hip]\nparent = 'arm.tpi'\nchild = 'arm'\ntype = 'revolute'\n\
                [analysis]\nend = 1\nstep = 0.01\n";
    std::fs::write(&path, text).unwrap();
    let cache = folder.path().join("cache");
    let output = pliant(&path, &cache, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["run"].is_null());
    let reported = report["diagnostics"].as_array().unwrap();
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(
        (reported[0]["line"].as_u64(), reported[0]["hint"].as_str()),
        (Some(6), Some("did you mean `arm.tip`?"))
    );
    let output = pliant(&path, &cache, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("no outboard interface `tpi`"));
}

/// A swinging rod whose analysis is as given.
fn rod(analysis: &str) -> String {
    format!(
        "gravity = [0, 0, -9.81]\n[links.rod]\n\
         beam = {{ length = 1.0, elements = 8, section = {{ rod = 0.02 }}, material = 'steel' }}\nmodes = {{ count = 4 }}\n\
         [joints.hub]\nparent = 'ground'\nchild = 'rod'\ntype = 'revolute'\naxis = '-y'\n\
         drive = {{ motion = {{ profile = 'cycloidal', to_deg = 40, time = 0.5 }} }}\n\
         [analysis]\nend = 0.8\n{analysis}\n[output]\ntip = 'rod.tip'\nsettle = {{ tolerance = 1e-3 }}\n"
    )
}

#[test]
fn kinds_of_analysis_run_side_by_side_and_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join("rod.toml"), folder.path().join("cache"));
    let kinds = "kind = ['nonlinear', 'quasi-static', 'rigid']\nstep = 1e-3\nstart = 'equilibrium'";
    std::fs::write(&path, rod(kinds)).unwrap();
    let results = folder.path().join("rod.h5");
    let out = ["--out", results.to_str().unwrap()];
    let output = pliant(&path, &cache, &["--json", out[0], out[1]]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    let analyses = report["analyses"].as_array().unwrap();
    let kinds: Vec<_> = analyses.iter().map(|a| a["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["nonlinear", "quasi-static", "rigid"]);
    assert_eq!(analyses[0]["tip"], report["run"]["tip"]);
    let tip = |k: usize| number(&analyses[k]["tip"]["peak_error"]);
    assert_eq!(tip(2), 0.0);
    // A slow swing of a stiff rod: it vibrates little about where it would be in balance.
    assert!((tip(0) / tip(1) - 1.0).abs() < 0.2, "{} {}", tip(0), tip(1));
    let drive = |k: usize, key: &str| number(&analyses[k]["drives"]["hub"][key]);
    assert_eq!(drive(2, "peak"), drive(2, "rigid_peak"));
    assert_eq!(drive(0, "rigid_peak"), drive(2, "peak"));
    // m g L/2 of the rod when it is horizontal, and more while it is accelerated; the mean lies below the
    // peak.
    let weight = 7850.0 * std::f64::consts::PI * 1e-4 * 9.81 * 0.5;
    assert!(
        drive(0, "peak") > weight && drive(0, "rms") < drive(0, "peak") && drive(0, "rms") > 0.5 * weight
    );
    let text = pliant(&path, &cache, &out);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for part in ["comparison of the analyses", "tip peak error mm", "hub N m", "quasi-static", "(rigid "] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Equilibria store energy and do no work: zeros that nobody computed are not printed. A mode that grows is.
#[test]
fn energies_of_equilibria_and_growing_modes_are_printed_as_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join("rod.toml"), folder.path().join("cache"));
    let text = |joint: &str, analysis: &str| {
        let drive = "drive = { motion = { profile = 'cycloidal', to_deg = 40, time = 0.5 } }";
        std::fs::write(&path, rod(analysis).replace(drive, joint)).unwrap();
        String::from_utf8_lossy(&pliant(&path, &cache, &[]).stdout).into_owned()
    };
    let found = text("", "kind = 'static'\nstep = 0.1");
    let energy = found.lines().find(|line| line.contains("gravity") && line.contains("strain")).unwrap();
    assert!(energy.contains("no work and no balance") && !energy.contains("loads"), "{found}");
    // On its head: ω² = −3g/2L.
    let found = text("start = { value_deg = 90 }", "step = 1e-3");
    let rate = found.split("grows by ").nth(1).unwrap().split(' ').next().unwrap();
    let exact = (1.5 * 9.81f64).sqrt();
    assert!((rate.parse::<f64>().unwrap() / exact - 1.0).abs() < 1e-3, "{rate} for {exact}: {found}");
}

#[test]
fn a_step_below_the_smallest_says_where_and_when() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rod.toml");
    std::fs::write(&path, rod("step = { tolerance = 1e-12, min = 1e-3, max = 1e-2 }")).unwrap();
    let out = folder.path().join("rod.h5");
    let output = pliant(&path, &folder.path().join("cache"), &["--json", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["run"].is_null());
    let reported = report["diagnostics"].as_array().unwrap();
    let reported: Vec<_> = reported.iter().map(|d| d["message"].as_str().unwrap()).collect();
    let wanted = |text: &&&str| {
        text.starts_with("t = ")
            && text.contains("below the smallest of 0.001 s")
            && text.contains("link `rod`")
    };
    assert!(reported.iter().any(|text| wanted(&text)), "{reported:#?}");
}

#[test]
fn a_link_that_bends_too_far_is_reported_with_link_time_and_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rod.toml");
    // A wire of 2 mm sags by far more than a tenth of its length.
    std::fs::write(&path, rod("step = 1e-3").replace("rod = 0.02", "rod = 0.002")).unwrap();
    let out = folder.path().join("rod.h5");
    let output = pliant(&path, &folder.path().join("cache"), &["--json", "--out", out.to_str().unwrap()]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reported = report["diagnostics"].as_array().unwrap();
    let warned =
        reported.iter().filter(|d| d["severity"] == "warning").map(|d| d["message"].as_str().unwrap());
    let reported: Vec<_> = warned.collect();
    let wanted =
        |text: &&&str| text.starts_with("t = ") && text.contains("rod: interface `tip` deflects by up to");
    assert_eq!(reported.iter().filter(wanted).count(), 1, "{reported:#?}");
}

#[test]
fn the_rod_swings_as_its_cantilever_modes_say() {
    // Euler's cantilever on a hub with acceleration α(t): mode i deflects the tip by −α·(−1)^i·4/b_i² times
    // its response, because ∫xφ dx = 2/b², ∫φ² dx = 1 and φ(1) = ±2. The hub's acceleration is a step of +a
    // at 0, −2a at 0.1 s and +a at 0.2 s.
    let (d, a): (f64, f64) = (0.0185, 40.4211);
    let wave = (2e11 * d * d / 16.0 / 7860.0).sqrt();
    let tip = |t: f64| -> f64 {
        let mode = |(i, b): (usize, f64)| {
            let omega = b * b * wave;
            let step = |t: f64| if t > 0.0 { (1.0 - (omega * t).cos()) / (omega * omega) } else { 0.0 };
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            -a * sign * 4.0 / (b * b) * (step(t) - 2.0 * step(t - 0.1) + step(t - 0.2))
        };
        [1.875_104_07, 4.694_091_13, 7.854_757_44].into_iter().enumerate().map(mode).sum()
    };
    let expected = (0..=5000).map(|k| tip(1e-4 * f64::from(k)).abs()).fold(0.0, f64::max);
    let report = run("rest-to-rest-rod.toml");
    let peak = number(&report["run"]["tip"]["peak_error"]);
    // Shear, rotary inertia and the centrifugal pull, each below 1 % here, are not in the sum.
    assert!((peak / expected - 1.0).abs() < 0.01, "{peak} {expected}");
}

/// The first modes with the damping they have are reported at both ends of a run, here that of the machine's
/// `[damping]`; where the rigid machine cannot move, there is no tip error and a warning says why.
#[test]
fn modes_are_reported_with_their_damping_and_a_lost_nominal_motion_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ram.toml");
    let text = "[links.beam]
beam = { length = 1.0, section = { bar = [0.05, 0.01] }, material = 'steel' }
modes = { count = 6 }
[links.ram]
rigid = { mass = 1, inertia = [0.01, 0.01, 0.01], interfaces = { eye = [0, 0, 0] } }
[joints.clamp]
parent = 'ground'
child = 'beam'
type = 'fixed'
[joints.ram]
parent = 'ground'
child = 'ram'
type = 'prismatic'
axis = 'y'
origin = [1, 0, 0]
drive = { motion = { profile = 'cycloidal', to = 0.02, time = 0.05 } }
[constraints.push]
from = 'ram.eye'
to = 'beam.tip'
plane = 'y'
[damping]
ratio = 0.02
[analysis]
end = 0.06
step = 1e-3
[output]
tip = 'beam.tip'
";
    std::fs::write(&path, text).unwrap();
    let out = folder.path().join("ram.h5");
    let options = ["--json", "--out", out.to_str().unwrap()];
    let output = pliant(&path, &folder.path().join("cache"), &options);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for end in ["start", "end"] {
        let modes = report["run"]["modes"][end].as_array().unwrap();
        assert!(modes.len() >= 4, "{modes:?}");
        for mode in &modes[..4] {
            assert!((number(&mode["ratio"]) / 0.02 - 1.0).abs() < 0.02, "{end}: {mode}");
        }
    }
    assert!(report["run"]["tip"].is_null());
    let reported = report["diagnostics"].as_array().unwrap();
    assert!(
        reported.iter().any(|d| d["message"].as_str().unwrap().contains("no tip error")),
        "{reported:#?}"
    );
    let text = pliant(&path, &folder.path().join("cache"), &options[1..]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("modes at the start: ") && text.contains("modes at the end: "), "{text}");
}
