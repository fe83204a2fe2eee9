//! `pliant report` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).env("PLIANT_CACHE", folder.join("cache")).current_dir(folder);
    command.output().unwrap()
}

/// What the page describes to its scripts.
fn description(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"description\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_run_becomes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pipelines = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines/spatial-3r.toml");
    let ran = pliant(folder.path(), &["run", pipelines, "--out", "arm.vtkhdf", "--json"]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
    let facts: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let reported = pliant(folder.path(), &["report", "arm.vtkhdf", "--json"]);
    assert_eq!(reported.status.code(), Some(0), "{}", String::from_utf8_lossy(&reported.stdout));
    let html = std::fs::read_to_string(folder.path().join("arm.html")).unwrap();
    if let Some(kept) = std::env::var_os("PLIANT_KEEP_REPORTS") {
        std::fs::write(Path::new(&kept).join("arm.html"), &html).unwrap();
    }
    let reported: Value = serde_json::from_slice(&reported.stdout).unwrap();
    assert_eq!(reported["bytes"].as_u64().unwrap(), html.len() as u64);

    let page = description(&html);
    let titles: Vec<&str> =
        page["plots"].as_array().unwrap().iter().map(|p| p["title"].as_str().unwrap()).collect();
    let expected =
        ["Tip error", "Settling after the motion", "Spectrum of the residual vibration", "Joint angles"];
    assert!(expected.iter().all(|title| titles.contains(title)), "{titles:?}");
    assert_eq!(titles.iter().filter(|title| title.starts_with("Torque: ")).count(), 3, "{titles:?}");

    let machine = &page["machine"];
    let names: Vec<&str> =
        machine["parts"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hip", "upper", "fore"]);
    // The tip is where the arm is off most. Its displacement goes another way to the page (poses of the links
    // and shapes) than the tip error (integrator): they differ by what is missed between frames, about a
    // hundredth of a period.
    let (drawn, peak) = (
        machine["displacement"]["max"].as_f64().unwrap(),
        facts["run"]["tip"]["peak_error"].as_f64().unwrap(),
    );
    assert!(drawn <= 1.001 * peak && drawn > 0.98 * peak, "{drawn} {peak}");
    // Reactions are what the joints give: the largest arrow of the frames is not above the largest of all
    // outputs.
    let arrows = machine["arrows"].as_array().unwrap();
    assert_eq!(arrows.iter().filter(|arrow| arrow["kind"] == "reaction").count(), 3);
    let file = pliant_store::results::ResultsFile::open(&folder.path().join("arm.vtkhdf")).unwrap();
    let size = |row: &[f64]| row[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
    let joints = file.joints("").into_iter().map(|joint| {
        let load = file.series(&format!("/joints/{joint}/load")).unwrap();
        load.values.chunks_exact(6).map(size).fold(0.0, f64::max)
    });
    let largest = joints.fold(0.0, f64::max);
    let drawn_force = machine["arrow_scale"]["force"].as_f64().unwrap();
    assert!(drawn_force <= 1.000_001 * largest && drawn_force > 0.9 * largest, "{drawn_force} {largest}");
    assert!(titles.contains(&"Forces in joints") && html.contains("largest moment"));
    // A hip that is rigid on a rigid base does not leave its nominal position: no shape is needed for it.
    assert_eq!(machine["parts"][0]["rank"], 0);
    for health in ["healthy", "mass error", "SHA-256"] {
        assert!(html.contains(health), "{health}");
    }
}

#[test]
fn recovered_stress_and_strain_and_all_analyses_are_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines/spatial-3r.toml"));
    let text = text.unwrap().replace("end   = 2.0", "end = 0.2\nkind = ['nonlinear', 'quasi-static']");
    std::fs::write(
        folder.path().join("arm.toml"),
        text + "\nframes = 5\nstress = { history = [1] }\nstrain = { history = [1] }\n",
    )
    .unwrap();
    let ran = pliant(folder.path(), &["run", "-q", "arm.toml", "--out", "arm.vtkhdf"]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
    assert_eq!(pliant(folder.path(), &["report", "arm.vtkhdf"]).status.code(), Some(0));
    let html = std::fs::read_to_string(folder.path().join("arm.html")).unwrap();
    let page = description(&html);
    let file = pliant_store::results::ResultsFile::open(&folder.path().join("arm.vtkhdf")).unwrap();
    let fields = page["machine"]["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 4, "{fields:?}");
    let max = |name: &str| fields.iter().find(|f| f["name"] == name).unwrap()["max"].as_f64().unwrap();
    for (dataset, name) in
        [("stress/von_mises_max", "von Mises stress"), ("strain/principal_max", "principal strain")]
    {
        let largest = ["upper", "fore"]
            .iter()
            .flat_map(|link| file.series(&format!("/links/{link}/{dataset}")).unwrap().values);
        let largest = largest.fold(0.0, f64::max);
        // In single precision; no frame is above the largest of the run.
        let envelope = max(&format!("{name}, largest of the run"));
        assert!((envelope / largest - 1.0).abs() < 1e-6, "{envelope} {largest}");
        assert!(max(name) <= 1.000_001 * envelope && max(name) > 0.5 * envelope);
    }
    let titles: Vec<&str> =
        page["plots"].as_array().unwrap().iter().map(|p| p["title"].as_str().unwrap()).collect();
    let expected = [
        "Chosen elements: von Mises stress",
        "Chosen elements: principal strain",
        "upper, element 1: axial stress",
        "upper, element 1: curvature",
        "Size of the tip error",
    ];
    assert!(expected.iter().all(|title| titles.contains(title)), "{titles:?}");
    assert!(["Analyses compared", "Largest stress", "Largest strain"].iter().all(|text| html.contains(text)));
}

#[test]
fn what_is_no_results_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "nothing").unwrap();
    for (file, reason) in [("notes.txt", "HDF5"), ("absent.vtkhdf", "No such file")] {
        let output = pliant(folder.path(), &["report", file]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(reason), "{text}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is written");
    }
}

/// A steel rod that turns in a second, of masses one of which is no mass.
const STUDY: &str = concat!(
    r#"
title = "rod & payload"
gravity = [0, 0, 0]
[links.rod]
beam  = { length = 1.0, elements = 8, section = { rod = 0.04 }, material = "steel" }
modes = { count = 3 }
"#,
    include_str!("inputs/hub.toml"),
    r#"[payload]
at   = "rod.tip"
mass = 0.5
[analysis]
end  = 0.3
step = 2e-3
[output]
tip = "rod.tip"
[study]
grid        = { "payload.mass" = [0.5, 1, 2, -1], "joints.hub.drive.motion.time" = [1, 0.5] }
metrics     = { torque = "max(abs(joints.hub.torque))", peak = "max(abs(tip.error))" }
constraints = { light = "torque < 20" }
"#
);

#[test]
fn a_study_becomes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.toml"), STUDY).unwrap();
    let ran = pliant(folder.path(), &["run", "p.toml", "--out", "study", "--json"]);
    // Cases failed.
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    let reported = pliant(folder.path(), &["report", "study"]);
    assert_eq!(reported.status.code(), Some(0), "{}", String::from_utf8_lossy(&reported.stderr));
    let html = std::fs::read_to_string(folder.path().join("study/report.html")).unwrap();
    if let Some(kept) = std::env::var_os("PLIANT_KEEP_REPORTS") {
        std::fs::write(Path::new(&kept).join("rod-study.html"), &html).unwrap();
    }
    let page = description(&html);
    assert_eq!(page["kind"], "study");
    let of = |role: &str| -> Vec<&str> {
        let columns = page["columns"].as_array().unwrap().iter();
        columns.filter(|c| c["role"] == role).map(|c| c["name"].as_str().unwrap()).collect()
    };
    assert_eq!(of("parameter"), ["payload.mass", "joints.hub.drive.motion.time"]);
    assert_eq!(of("metric"), ["torque", "peak"]);
    assert_eq!(of("constraint"), ["light"]);
    // Two cases have a payload of −1 kg.
    let reasons = page["reasons"].as_array().unwrap();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons.iter().all(|reason| reason[1].as_str().unwrap().contains("mass")), "{reasons:?}");
    // Torque goes with the inverse square of the time and linearly with the mass: a factor 4 against 2 to 3.
    let id = |name: &str| {
        page["columns"].as_array().unwrap().iter().find(|c| c["name"] == name).unwrap()["id"].clone()
    };
    let first = page["effects"].as_array().unwrap().iter().find(|e| e["metric"] == id("torque")).unwrap();
    assert_eq!(first["parameter"], id("joints.hub.drive.motion.time"), "{}", page["effects"]);
    assert!(html.contains("rod &amp; payload"));
}

#[test]
fn a_folder_without_a_study_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = pliant(folder.path(), &["report", "."]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}
