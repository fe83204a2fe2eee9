//! Every file of `pipelines/` runs, and those with a known answer have it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn pliant(verb: &str, pipeline: &Path, cache: &Path) -> Value {
    pliant_with(verb, &[], pipeline, cache)
}

fn pliant_with(verb: &str, options: &[&str], pipeline: &Path, cache: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    // Results go into the folder of the cache, which is thrown away.
    command
        .args([verb, "--json"])
        .args(options)
        .arg(pipeline)
        .env("PLIANT_CACHE", cache)
        .current_dir(cache.parent().unwrap());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}: {text}", pipeline.display());
    serde_json::from_str(&text).unwrap()
}

/// A folder with the decks of the repository and an empty `pipelines`, so that relative paths hold.
fn copy_of_the_repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let inputs = std::fs::canonicalize(Path::new(ROOT).join("inputs")).unwrap();
    std::os::unix::fs::symlink(inputs, folder.path().join("inputs")).unwrap();
    std::fs::create_dir(folder.path().join("pipelines")).unwrap();
    folder
}

fn full(name: &str) -> Value {
    let folder = copy_of_the_repository();
    let path = folder.path().join("pipelines").join(name);
    std::fs::copy(Path::new(ROOT).join("pipelines").join(name), &path).unwrap();
    pliant("run", &path, &folder.path().join("cache"))["run"].take()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

#[test]
fn every_pipeline_runs_in_every_analysis() {
    let folder = copy_of_the_repository();
    let mut files: Vec<PathBuf> = std::fs::read_dir(Path::new(ROOT).join("pipelines"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 14, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(text.starts_with("# "), "{name} begins with what it is");
        assert!(text.lines().take(2).any(|line| line.contains(&name)), "{name} says how it is run");
        let copy = folder.path().join("pipelines").join(&name);
        // The first fiftieth of each motion shows that the file is in order; others look at the answers.
        let study = text.contains("[study");
        let shorten = |line: &str| match line.strip_prefix("end ").and_then(|rest| rest.split('=').nth(1)) {
            Some(end) => {
                format!("end = {}", end.split('#').next().unwrap().trim().parse::<f64>().unwrap() / 50.0)
            }
            None if line == "[analysis]" && !study => {
                format!("{line}\nkind = ['nonlinear', 'linear', 'quasi-static', 'rigid']")
            }
            None if line.starts_with("kind ") => String::new(),
            None => line.to_owned(),
        };
        std::fs::write(&copy, text.lines().map(shorten).collect::<Vec<_>>().join("\n")).unwrap();
        let cache = folder.path().join("cache");
        if study {
            let reported = pliant_with("run", &["--dry-run"], &copy, &cache);
            assert!(reported["cases"].as_u64().unwrap() >= 8, "{name}: {reported:#}");
            assert_eq!(reported["timed_case_is_complete"], true, "{name}: {reported:#}");
        } else if text.contains("[analysis]") {
            let report = pliant("run", &copy, &cache);
            assert!(report["run"]["solver"]["steps"].as_u64().unwrap() > 5, "{name}: {report:#}");
            let peak = |k: usize| number(&report["analyses"][k]["tip"]["peak_error"]);
            if !report["run"]["tip"].is_null() {
                // What the linear analysis leaves out is of second order in deflections that are small so
                // early.
                let (nonlinear, linear) = (peak(0), peak(1));
                assert!((linear / nonlinear - 1.0).abs() < 0.01, "{name}: {linear} {nonlinear}");
            }
        } else {
            pliant("reduce", &copy, &cache);
        }
    }
}

#[test]
fn the_spinning_rod_is_stretched_by_its_own_centrifugal_force() {
    let run = full("spinning-rod.toml");
    let (e, rho, area, rate): (f64, f64, f64, f64) = (2e11, 7860.0, 2.688_025e-4, 20.0);
    // Tip held by k = EA/L against the force ρAω²L²/3 of a rod of 1 m: u = ρω²/3E, and ½ku² is the strain
    // energy of a link whose axial coordinate is that of its tip.
    let strain = (rho * rate * rate).powi(2) * area / (18.0 * e);
    // The bending that still rings is below 1e-3 of it.
    assert!((number(&run["energy"]["strain"]) / strain - 1.0).abs() < 2e-3, "{run:#} {strain}");
    let kinetic = 0.5 * rho * area / 3.0 * rate * rate;
    // Rotary inertia adds 3(d/4L)² = 6e-5, and the tip still rings with 1e-4 of its speed.
    assert!((number(&run["energy"]["kinetic"]) / kinetic - 1.0).abs() < 3e-4, "{run:#}");
    // Largest acceleration 2ω/T: in balance the tip lags by 11ρAα/120EI; the slow rise leaves little ringing.
    let lag = 11.0 * rho * area * 40.0 / (120.0 * e * 5.749_85e-9);
    assert!((number(&run["tip"]["peak_error"]) / lag - 1.0).abs() < 0.03, "{run:#} {lag}");
}

#[test]
fn the_pendulum_keeps_its_energy() {
    let run = full("flexible-pendulum.toml");
    let e = &run["energy"];
    // It falls from a potential of zero; the largest kinetic energy is about 6 J.
    assert!(number(&e["worst_balance"]) < 1e-5, "{e:#}");
    let sum = number(&e["kinetic"]) + number(&e["strain"]) + number(&e["gravity"]);
    assert!(sum.abs() < 1e-5, "{e:#}");
}

#[test]
fn the_satellite_ends_with_the_energy_that_rings_in_its_panels() {
    let run = full("satellite.toml");
    // Thrusts of equal size and length leave no spin: what the loads have put in is in the panels, shared by
    // motion and strain.
    let e = &run["energy"];
    assert!((number(&e["load_work"]) - number(&e["kinetic"]) - number(&e["strain"])).abs() < 1e-5, "{e:#}");
    // The panel in balance with the slew: ρAα(11L⁵/120 + rL⁴/8)/EI with α = 4 N m over the inertia, doubled
    // by the sudden start.
    let inertia = 60.0 + 2.0 * 9.0 * (3.6f64.powi(3) - 0.6f64.powi(3)) / 9.0;
    let lag = 3.0 * 4.0 / inertia * (11.0 * 243.0 / 120.0 + 0.6 * 81.0 / 8.0) / (7e8 * 8e-6 / 12.0);
    let peak = number(&run["tip"]["peak_error"]);
    // The hub gives way to the panels, and higher modes add: within a tenth.
    assert!((peak / (2.0 * lag) - 1.0).abs() < 0.1, "{peak} {lag}");
}

#[test]
fn the_six_axis_arm_takes_the_torques_of_a_hand_calculation() {
    let run = full("six-axis.toml");
    // At rest at the end all axes hold the weight; on the way the waist turns (kg, m from its axis, arm
    // stretched as at the start):
    let at = [(40.0, 2.17), (12.1, 1.87), (7.0, 1.77), (9.0, 1.66), (31.1, 0.97), (86.9, 0.36)];
    let inertia: f64 = at.iter().map(|(m, r): &(f64, f64)| m * r * r).sum::<f64>() + 120.0 * 120.0 * 2.5e-3;
    let acceleration = 90f64.to_radians() / (0.7 * 0.35);
    let torque = inertia * acceleration;
    let waist = &run["drives"]["waist"];
    // Point masses, the start pose and a stiff arm: the flexible one swings over.
    let ratio = number(&waist["peak"]) / torque;
    assert!((0.95..1.35).contains(&ratio), "{ratio} {run:#}");
    assert!(number(&run["tip"]["settling_time"]) < 1.5, "{run:#}");
    let sag = number(&run["tip"]["rms_error"]);
    assert!((1e-3..4e-3).contains(&sag), "{sag}");
}

#[test]
fn the_stiff_tubular_arm_stays_close_to_balance_and_the_compliant_one_errs_by_its_servos() {
    let analyses = |name: &str| {
        let folder = copy_of_the_repository();
        let path = folder.path().join("pipelines").join(name);
        std::fs::copy(Path::new(ROOT).join("pipelines").join(name), &path).unwrap();
        pliant("run", &path, &folder.path().join("cache"))["analyses"].take()
    };
    let stiff = analyses("tubular-arm.toml");
    let peak = |report: &Value| number(&report["tip"]["peak_error"]);
    println!("tubular arm: {:.4} mm, in balance {:.4} mm", 1e3 * peak(&stiff[0]), 1e3 * peak(&stiff[1]));
    // Naganathan: nonlinear and quasi-static agree closely for such an arm.
    assert!((peak(&stiff[0]) / peak(&stiff[1]) - 1.0).abs() < 0.02, "{stiff:#}");
    for joint in ["shoulder", "elbow"] {
        let drive = &stiff[0]["drives"][joint];
        assert!((number(&drive["peak"]) / number(&drive["rigid_peak"]) - 1.0).abs() < 0.02, "{drive:#}");
    }
    let compliant = analyses("planar-2r-servo.toml");
    let tip = [0, 1, 2].map(|k| peak(&compliant[k]));
    println!("servo arm: {tip:?} m");
    // Servos of half the structural frequency err by more than the links bend: their tip error is visibly
    // larger than the 6 mm of planar-2r.
    assert!(tip[0] > 5.0 * 6e-3 && tip[2] > 0.5 * tip[0], "{tip:?}");
}

/// A pipeline of the repository with some of its text replaced.
fn changed(name: &str, from: &str, to: &str) -> (Option<i32>, Value) {
    let folder = copy_of_the_repository();
    let path = folder.path().join("pipelines").join(name);
    let text = std::fs::read_to_string(Path::new(ROOT).join("pipelines").join(name)).unwrap();
    assert!(text.contains(from), "{name} has no {from}");
    std::fs::write(&path, text.replace(from, to)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    let output =
        command.args(["run", "--json"]).arg(&path).env("PLIANT_CACHE", folder.path()).output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_loaders_cylinder_carries_the_moment_of_a_hand_calculation() {
    // Before the motion begins it holds the boom still.
    let (code, report) = changed("front-loader.toml", "end   = 3.5", "end   = 0.4");
    assert_eq!(code, Some(0), "{report:#}");
    // Masses (kg) and how far they are out from the heel (m): boom, nose, bucket, load.
    let boom = 30f64.to_radians().cos() * 1.4;
    let nose = 30f64.to_radians().cos() * 2.5;
    let parts = [
        (7850.0 * 0.004_864 * 1.4, 0.5 * boom),
        (7850.0 * 0.004_544 * 1.1, 0.5 * (boom + nose)),
        (180.0, nose + 0.35),
        (300.0, nose + 0.4),
    ];
    let moment: f64 = parts.iter().map(|(mass, out)| 9.81 * mass * out).sum();
    // From (0.35, 0.35) to the weld at (1.4 cos 30°, 1.6 − 0.7), about the heel at (0, 1.6).
    let (x, y) = (boom - 0.35, 0.9 - 0.35);
    let arm = (boom * y + 0.7 * x) / x.hypot(y);
    let push = number(&report["run"]["forces"]["lift"]["peak"]);
    // The boom sags by a millimetre of its two metres.
    assert!((push * arm / moment - 1.0).abs() < 2e-3, "{push} {moment} {arm}");
}

#[test]
fn without_second_order_kanes_beam_diverges_and_the_run_says_so() {
    for name in ["kane.toml", "kane-shells.toml"] {
        let (code, report) = changed(name, "\n[analysis]\n", "\n[analysis]\nsecond_order = false\n");
        assert_eq!(code, Some(1), "{name}: {report:#}");
        assert!(report["run"].is_null(), "{name}: a run without meaning has no results");
        let reported = report["diagnostics"].to_string();
        assert!(reported.contains("the run has diverged"), "{name}: {reported}");
        assert!(reported.contains("second_order = false"), "{name}: {reported}");
    }
}

#[test]
fn the_blade_is_lifted_by_its_rotation() {
    let second = full("blade.toml");
    let (code, report) = changed("blade.toml", "\n[analysis]\n", "\n[analysis]\nsecond_order = false\n");
    assert_eq!(code, Some(0), "{report:#}");
    let rms = |run: &Value| number(&run["tip"]["rms_error"]);
    println!("tip error rms {:.4} m, first order {:.4} m", rms(&second), rms(&report["run"]));
    // It droops by some 8 cm at rest. Nothing lifts a blade of first order; the other one is almost straight
    // for half of the time.
    assert!(rms(&report["run"]) > 0.05, "{report:#}");
    assert!(rms(&second) < 0.75 * rms(&report["run"]), "{second:#}");
}

#[test]
fn a_sliding_boom_sags_like_the_cantilever_of_its_length() {
    let run = full("rp-arm-sliding.toml");
    // At the end 1.2 m of 1.5 m stand out: qL⁴/8EI and shear of the boom, and the post gives way to what its
    // two parts do not balance.
    let (q, bending) = (2700.0 * 315e-6 * 9.81, 7e10 * 1e-8);
    let shear = 0.8864 * 315e-6 * 7e10 / 2.66;
    let post = 7e10 * std::f64::consts::PI / 64.0 * (0.08f64.powi(4) - 0.072f64.powi(4));
    let tilt = 0.5 * q * (1.2f64.powi(2) - 0.3f64.powi(2)) * 0.5 / post;
    let sag = q * 1.2f64.powi(4) / (8.0 * bending) + q * 1.2f64.powi(2) / (2.0 * shear) + 1.2 * tilt;
    // It comes to rest as it gets there: little swings over.
    assert!((number(&run["tip"]["peak_error"]) / sag - 1.0).abs() < 0.01, "{run:#} {sag}");
    assert!(number(&run["energy"]["worst_balance"]) < 1e-6, "{run:#}");
}

#[test]
fn the_telescope_is_pushed_by_its_weight_and_its_acceleration() {
    let run = full("telescope-crane.toml");
    let box_mass = |w: f64, h: f64, t: f64| 2.0 * t * (w + h - 2.0 * t) * 8.0 * 7850.0;
    let (second, third) = (box_mass(0.26, 0.36, 0.007), box_mass(0.22, 0.32, 0.006) + 500.0);
    // Weight along the boom at 45 degrees, and the largest accelerations 2πs/T² of the two cycloids.
    let acceleration = |way: f64| std::f64::consts::TAU * way / 144.0;
    let weight = (second + third) * 9.81 * std::f64::consts::FRAC_1_SQRT_2;
    let push = weight + (second + third) * acceleration(5.0) + third * acceleration(4.5);
    // The servo lags, and slewing at 8 degrees a second takes some of the weight.
    assert!((number(&run["drives"]["out"]["peak"]) / push - 1.0).abs() < 0.03, "{run:#} {push}");
    let (balance, work) = (number(&run["energy"]["worst_balance"]), number(&run["energy"]["drive_work"]));
    assert!(balance < 1e-6 * work, "{run:#}");
}
