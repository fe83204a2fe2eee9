//! Studies as a user runs them: expansion, failures as rows, kills, resumes, and messages.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "study/cluster.rs"]
mod cluster;
#[path = "study/lab.rs"]
mod lab;
#[path = "study/slurm.rs"]
mod slurm;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use lab::Lab;

#[test]
fn a_grid_gives_every_combination_and_its_metrics_follow_the_mechanics() {
    let lab = Lab::new("grid = { \"payload.mass\" = [0.5, 1, 2], speed = [1, 2] }");
    let reported = lab.run(&[]).json();
    assert_eq!((reported["study"]["cases"].as_u64(), reported["study"]["done"].as_u64()), (Some(6), Some(6)));
    let table = lab.table();
    assert_eq!(table.len(), 6);
    // A rod of mass m and length 1 with a point mass M on its end takes a torque (m/3 + M) α about its hub,
    // and the cycloid's largest acceleration is 2π θ / T²; with T = 1 s / speed and θ = 1 rad. The rod, ωₙ² =
    // 3EI/L³(M + 33m/140), rings with it: a start of α sin ωt peaks at no more than α/(1 − ω/ωₙ).
    for row in &table {
        let (payload, speed): (f64, f64) =
            (row["payload.mass"].parse().unwrap(), row["speed"].parse().unwrap());
        let rod: f64 = 7850.0 * std::f64::consts::PI * 0.02 * 0.02;
        let expected = (rod / 3.0 + payload) * 2.0 * std::f64::consts::PI * speed * speed;
        let torque: f64 = row["torque"].parse().unwrap();
        let stiffness = 3.0 * 2.1e11 * std::f64::consts::PI * 0.02f64.powi(4) / 4.0;
        let own = (stiffness / (payload + 33.0 / 140.0 * rod)).sqrt();
        let overshoot = 1.0 / (1.0 - 2.0 * std::f64::consts::PI * speed / own);
        let ratio = torque / expected;
        assert!(
            ratio > 0.98 && ratio < 1.01 * overshoot,
            "{row:?}: expected {expected}, at most {overshoot} times"
        );
        let mass: f64 = row["mass"].parse().unwrap();
        assert!((mass - rod - payload).abs() < 1e-9 * mass, "{row:?}");
        // The constraint is torque < 50.
        assert_eq!(row["light"] == "1.0", torque < 50.0, "{row:?}");
    }
    let effects = reported["findings"]["effects"].as_array().unwrap();
    let effect = effects.iter().find(|e| e["parameter"] == "speed" && e["metric"] == "torque").unwrap();
    assert!(effect["rank_correlation"].as_f64().unwrap() > 0.5, "{effect}");
    // The same study again has nothing to do and says the same.
    let before = fs::read(lab.folder().join("results.csv")).unwrap();
    let again = lab.run(&[]).json();
    assert_eq!(again["study"]["ran"], 0);
    assert_eq!(fs::read(lab.folder().join("results.csv")).unwrap(), before);
}

#[test]
fn the_metrics_do_not_depend_on_threads() {
    let study = "sample = { method = \"sobol\", count = 16, over = { \"payload.mass\" = { uniform = [0, 3] }, speed = { normal = [1.5, 0.1] } } }";
    let (one, two) = (Lab::new(study), Lab::new(study));
    assert!(one.run(&["--threads", "1"]).good());
    assert!(two.run(&["--threads", "3", "--no-cache"]).good());
    assert_eq!(one.bytes("results.csv"), two.bytes("results.csv"));
}

#[test]
fn failures_are_rows_and_the_study_goes_on() {
    // A negative mass is refused, a motion without time too; a limit of no time at all fails every other.
    let lab = Lab::new("zip = { \"payload.mass\" = [1, -1, 1, 1], speed = [1, 1, 0, 1] }");
    let reported = lab.run(&[]);
    assert_eq!(reported.code, Some(1));
    let json = reported.json();
    assert_eq!((json["study"]["done"].as_u64(), json["study"]["failed"].as_u64()), (Some(2), Some(2)));
    let reasons: Vec<_> =
        json["failures"].as_array().unwrap().iter().map(|f| f["reason"].to_string()).collect();
    assert!(reasons[0].contains("`mass` must not be negative"), "{reasons:?}");
    assert!(reasons[1].contains("1 / speed"), "{reasons:?}");
    let limited = Lab::new("grid = { speed = [1, 2] }\ntime_limit = 1e-9");
    let json = limited.run(&[]).json();
    assert_eq!(json["study"]["failed"], 2);
    assert!(json["failures"][0]["reason"].as_str().unwrap().contains("time limit"), "{json}");
    // They are not run again unless asked for.
    assert_eq!(limited.pliant(&["resume", "study", "--json"]).json()["study"]["ran"], 0);
    assert_eq!(limited.pliant(&["resume", "study", "--json", "--retry-failed"]).json()["study"]["ran"], 2);
}

#[test]
fn mistakes_are_reported_at_their_lines() {
    let known = [
        ("grid = { \"payload.mas\" = [1, 2] }", "did you mean `mass`?"),
        ("grid = { \"paylod.mass\" = [1, 2] }", "did you mean `payload`?"),
        ("grid = { spede = [1, 2] }", "did you mean `speed`?"),
        ("grid = { speed = [] }", "the list of values must not be empty"),
        ("grid = { speed = [1] }\nmetrics = { a = \"max(tip.eror)\" }", "did you mean `tip.error`?"),
        ("grid = { speed = [1] }\nmetrics = { a = \"tip.error\" }", "found a signal over time"),
        (
            "grid = { speed = [1] }\nmetrics = { a = \"mode_99_start_frequency\" }",
            "modes are numbered from 1 to 6, found 99",
        ),
        (
            "grid = { speed = [1] }\nmetrics = { a = \"`tip_x`\" }",
            "metric `a`: column 1: `tip_x` is not known",
        ),
        ("grid = { speed = [1] }\nfilter = \"sped > 1\"", "did you mean `speed`?"),
        ("grid = { speed = [1] }\nfilter = \"speed > 1\"", "no case meets the filter"),
        ("zip = { speed = [1], \"payload.mass\" = [1, 2] }", "must have the same length"),
        (
            "sample = { method = \"sobl\", count = 2, over = { speed = { uniform = [1, 2] } } }",
            "did you mean `sobol`?",
        ),
        (
            "sample = { method = \"sobol\", count = 2, over = { speed = { uniform = [2, 1] } } }",
            "must be below",
        ),
        ("list = \"nothing.csv\"", "cannot read"),
    ];
    for (study, expected) in known {
        let lab = Lab::new(study);
        let reported = lab.run(&[]);
        assert_eq!(reported.code, Some(1), "{study}");
        let json = reported.json();
        let problem = &json["diagnostics"][0];
        let text = problem.to_string();
        assert!(text.contains(expected), "{study}: {text}");
        assert!(problem["line"].as_u64().is_some_and(|line| line > 1), "{study}: {text}");
        assert!(!lab.folder().join("study.json").exists(), "nothing is written");
    }
}

#[test]
fn the_first_mode_of_the_machine_is_that_of_its_cantilever() {
    let study = "grid = { \"payload.mass\" = [0, 20] }\nmetrics = { f = \"natural_frequency_1\", g = \"first_mode_hz\", mass = \"mass\" }";
    let lab = Lab::new(study);
    assert!(lab.run(&[]).good());
    let found: Vec<f64> = lab.table().iter().map(|row| row["f"].parse().unwrap()).collect();
    assert!(lab.table().iter().all(|row| row["f"] == row["g"]), "the former name means the same");
    let steel = pliant_pipeline::link::MATERIALS.iter().find(|(name, _)| *name == "steel").unwrap().1;
    let (d, pi) = (0.04_f64, std::f64::consts::PI);
    let (stiffness, line) = (steel.e * pi * d.powi(4) / 64.0, steel.rho * pi * d * d / 4.0);
    // Clamped and free, Euler and Bernoulli: ω = 1.875104² √(EI/ρA)/L². Shear and rotary inertia of a rod 25
    // diameters long take less than 0.3 % off.
    let bare = 1.875_104_f64.powi(2) / (2.0 * pi) * (stiffness / line).sqrt();
    assert!((found[0] / bare - 1.0).abs() < 4e-3, "{found:?}, expected {bare}");
    // With a heavy tip: Rayleigh's ω² = 3EI/(M + 33/140 m) for L = 1, some 0.1 % too high.
    let heavy = (3.0 * stiffness / (20.0 + 33.0 / 140.0 * line)).sqrt() / (2.0 * pi);
    assert!((found[1] / heavy - 1.0).abs() < 4e-3, "{found:?}, expected {heavy}");
}

#[test]
fn cases_that_are_kept_have_a_results_file_each() {
    let lab = Lab::new("grid = { speed = [1, 2] }\nkeep = \"all\"");
    let reported = lab.run(&[]);
    assert!(reported.good(), "{}", reported.text);
    for (case, row) in lab.table().iter().enumerate() {
        let path = format!("study/results/case-{case:06}.vtkhdf");
        let shown = lab.pliant(&["show", &path, "--json"]).text;
        // The file tells the same torque as the table, whatever else it has.
        assert!(shown.contains(&row["torque"]), "{path}: {} in {shown}", row["torque"]);
    }
    let left = fs::read_dir(lab.path("study/results")).unwrap().count();
    assert_eq!(left, 2, "and nothing half-done");
}

/// A case of a study is a run: the same numbers to the last bit, and a complete results file.
#[test]
fn a_case_of_a_study_equals_a_single_run() {
    let lab = Lab::new("grid = { \"payload.mass\" = [0.25, 2] }\nkeep = \"all\"");
    let report = lab.run(&[]);
    assert!(report.good(), "{}", report.text);
    let text = fs::read_to_string(lab.path("p.toml")).unwrap();
    let machine = text.split("[study]").next().unwrap();
    for (case, mass) in ["0.25", "2"].into_iter().enumerate() {
        fs::write(lab.path("single.toml"), machine.replace("mass = 0.5", &format!("mass = {mass}"))).unwrap();
        let report = lab.pliant(&["run", "single.toml", "--out", "single.vtkhdf"]);
        assert!(report.good(), "{}", report.text);
        let kept = format!("study/results/case-{case:06}.vtkhdf");
        for (file, csv) in [("single.vtkhdf", "single.csv"), (kept.as_str(), "case.csv")] {
            let report = lab.pliant(&["export", file, "--csv", csv]);
            assert!(report.good(), "{}", report.text);
        }
        assert!(lab.same_file("single.csv", "case.csv"), "case {case}: other histories");
        let metrics =
            |file: &str| lab.pliant(&["show", file, "--json"]).json()["analyses"][0]["metrics"].clone();
        let (single, case) = (metrics("single.vtkhdf"), metrics(&kept));
        let timed = "solver_seconds";
        for (name, metric) in single.as_object().unwrap().iter().filter(|(name, _)| *name != timed) {
            assert_eq!(metric, &case[name], "{name}");
        }
        assert!(case["torque"]["value"].is_number(), "the study's own metrics are there too: {case}");
        let [single, case] = ["single.vtkhdf", kept.as_str()].map(|file| {
            let file = pliant_store::results::ResultsFile::open(&lab.path(file)).unwrap();
            let inputs = file.inputs().unwrap();
            assert!(inputs.pipeline.contains("cycloidal") && !inputs.files.is_empty());
            (inputs.links, inputs.joints, file.attribute("analysis"))
        });
        assert_eq!(single, case);
    }
}

#[test]
fn lists_filters_and_products_combine() {
    let lab = Lab::new(
        "list = \"cases.csv\"\ngrid = { \"gravity.1\" = [0, -9.81] }\nfilter = [\"speed < 3\", \"speed * payload.mass <= 2\"]",
    );
    fs::write(lab.path("cases.csv"), "speed, payload.mass\n1, 1\n2, 1.5\n1, 2\n4, 0.1\n").unwrap();
    let json = lab.run(&["--dry-run"]).json();
    assert_eq!(json["cases"], 4);
    assert_eq!(json["reductions"], 1);
    assert!(!lab.folder().exists(), "a dry run writes nothing");
    assert!(lab.run(&[]).good());
    let seen: Vec<_> = lab
        .table()
        .iter()
        .map(|r| (r["speed"].clone(), r["payload.mass"].clone(), r["gravity.1"].clone()))
        .collect();
    let row = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    assert_eq!(
        seen,
        [row("1", "1", "0"), row("1", "2", "0"), row("1", "1", "-9.81"), row("1", "2", "-9.81")]
    );
}

#[test]
fn ctrl_c_stops_cleanly_and_resume_finishes() {
    let study = "grid = { speed = { from = 1, to = 2, count = 60 } }\ncommit = 0.02";
    let complete = Lab::new(study);
    assert!(complete.run(&[]).good());
    let lab = Lab::new(study);
    let mut child = lab.spawn(&["run", "p.toml", "--out", "study", "--threads", "2"]);
    lab.wait_for_segments(1);
    lab::signal(&child, "INT");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "it ended by itself: {status:?}");
    let status = lab.pliant(&["status", "study", "--json"]).json();
    assert!(status["done"].as_u64().unwrap() > 0 && status["missing"].as_u64().unwrap() > 0, "{status}");
    let reported = lab.pliant(&["resume", "study"]);
    assert!(reported.good(), "{}", reported.text);
    assert_eq!(lab.bytes("results.csv"), complete.bytes("results.csv"));
}

/// 20 random kills, as CI affords; `PLIANT_KILLS=300` for more.
#[test]
fn kills_at_random_times_lose_and_double_nothing() {
    let kills: u64 = std::env::var("PLIANT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let study =
        "grid = { speed = { from = 1, to = 2, count = 40 }, \"payload.mass\" = [0, 1, 2] }\ncommit = 0.02";
    let complete = Lab::new(study);
    assert!(complete.run(&[]).good());
    let mut rounds = 0;
    let (mut killed, mut random) = (0, 12_345_u64);
    while killed < kills {
        let lab = Lab::new(study);
        loop {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut child = lab.spawn(&["run", "p.toml", "--out", "study", "--quiet"]);
            std::thread::sleep(Duration::from_millis((random >> 33) % 150));
            // SIGKILL.
            child.kill().unwrap();
            let status = child.wait().unwrap();
            if status.signal() != Some(9) {
                break;
            }
            killed += 1;
            if killed >= kills {
                break;
            }
        }
        let reported = lab.run(&[]).json();
        assert_eq!(
            (reported["study"]["done"].as_u64(), reported["study"]["missing"].as_u64()),
            (Some(120), Some(0)),
            "{reported}"
        );
        assert_eq!(reported["study"]["damaged"], 0, "{reported}");
        assert_eq!(reported["study"]["differing"].as_array().map(Vec::len), Some(0), "{reported}");
        assert_eq!(lab.bytes("results.csv"), complete.bytes("results.csv"));
        rounds += 1;
    }
    println!("{killed} kills in {rounds} studies");
}

#[test]
fn what_cannot_go_on_says_why() {
    let lab = Lab::new("grid = { speed = [1, 2] }");
    assert!(lab.run(&[]).good());
    let other = lab.with_study("grid = { speed = [1, 3] }");
    let reported = other.run(&[]);
    assert_eq!(reported.code, Some(1));
    assert!(reported.text.contains("holds another study"), "{}", reported.text);
    // A folder with something else in it.
    fs::create_dir(lab.path("full")).unwrap();
    fs::write(lab.path("full/thesis.doc"), "x").unwrap();
    let reported = lab.pliant(&["run", "p.toml", "--out", "full"]);
    assert!(reported.text.contains("holds other files and no study"), "{}", reported.text);
    // No study at all.
    let reported = lab.pliant(&["resume", "nowhere"]);
    assert!(reported.text.contains("is not the folder of a study"), "{}", reported.text);
    // A manifest that someone has edited.
    let cases = lab.path("study/cases.csv");
    let text = fs::read_to_string(&cases).unwrap();
    fs::write(&cases, text.replace(",2", ",5")).unwrap();
    let reported = lab.pliant(&["resume", "study"]);
    assert!(reported.text.contains("has been changed or damaged"), "{}", reported.text);
    fs::write(&cases, text).unwrap();
    // A damaged segment does not count: its cases run again.
    let segment = fs::read_dir(lab.path("study/segments")).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&segment).unwrap();
    fs::write(&segment, &bytes[..bytes.len() / 2]).unwrap();
    let reported = lab.pliant(&["resume", "study", "--json"]).json();
    assert_eq!(
        (reported["study"]["damaged"].as_u64(), reported["study"]["ran"].as_u64()),
        (Some(1), Some(2)),
        "{reported}"
    );
}

#[test]
fn a_changed_input_is_not_mixed_in() {
    let lab = Lab::new("grid = { \"links.rod.override.PBAR.1.A\" = [3e-4, 4e-4] }").with_deck();
    assert!(lab.run(&[]).good(), "{}", lab.run(&[]).text);
    let deck = lab.path("rod.bdf");
    let text = fs::read_to_string(&deck).unwrap();
    fs::write(&deck, text.replace("7850.", "7851.")).unwrap();
    let reported = lab.pliant(&["resume", "study"]);
    assert_eq!(reported.code, Some(1));
    assert!(
        reported.text.contains("changed since the study began") && reported.text.contains("rod.bdf"),
        "{}",
        reported.text
    );
    // What was done can still be seen.
    assert!(lab.pliant(&["status", "study"]).good());
    fs::write(&deck, text).unwrap();
    assert!(lab.pliant(&["resume", "study"]).good());
    // The two areas gave two links of different mass: 0.785 kg more for 1e-4 m² of steel and 1 m.
    let mass: Vec<f64> = lab.table().iter().map(|row| row["mass"].parse().unwrap()).collect();
    assert!((mass[1] - mass[0] - 0.785).abs() < 1e-9, "{mass:?}");
}

#[test]
fn a_full_disk_and_a_read_only_folder_are_reported() {
    let study = "grid = { speed = { from = 1, to = 2, count = 12 } }\ncommit = 0.0";
    let lab = Lab::new(study);
    fs::create_dir(lab.path("small")).unwrap();
    let Some(reported) = lab.on_tmpfs("small", "size=16k", &["run", "p.toml", "--out", "small/s"]) else {
        println!("SKIPPED: no file system of its own can be mounted here");
        return;
    };
    assert_eq!(reported.code, Some(1), "{}", reported.text);
    assert!(
        reported.text.contains("No space left on device") && reported.text.contains("free some space"),
        "{}",
        reported.text
    );
    let reported = lab.on_tmpfs("small", "ro,size=16k", &["run", "p.toml", "--out", "small/s"]).unwrap();
    assert_eq!(reported.code, Some(1), "{}", reported.text);
    assert!(
        reported.text.contains("Read-only") && reported.text.contains("must be writable"),
        "{}",
        reported.text
    );
    // Without a cache the study runs, and says what that costs.
    let reported = lab.without_cache(&["run", "p.toml", "--out", "study"]);
    assert!(reported.good() && reported.text.contains("reduces its links again"), "{}", reported.text);
}
