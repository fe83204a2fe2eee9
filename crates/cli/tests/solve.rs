//! `pliant modes` and `pliant static` as a user runs them.

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A cantilever of four bars, 1 m long, 0.01 m × 0.01 m steel, with a force of 10 N at its tip.
const DECK: &str = "\
SOL 101
CEND
SPC = 1
LOAD = 2
METHOD = 3
BEGIN BULK
EIGRL,3,,,4
GRID,1,,0.0,0.0,0.0
GRID,2,,0.25,0.0,0.0
GRID,3,,0.5,0.0,0.0
GRID,4,,0.75,0.0,0.0
GRID,5,,1.0,0.0,0.0
CBAR,1,1,1,2,0.0,1.0,0.0
CBAR,2,1,2,3,0.0,1.0,0.0
CBAR,3,1,3,4,0.0,1.0,0.0
CBAR,4,1,4,5,0.0,1.0,0.0
PBAR,1,1,1.0-4,8.333333-10,8.333333-10,1.4-9
MAT1,1,2.1+11,,0.3,7850.0
SPC1,1,123456,1
FORCE,2,5,0,10.0,0.0,1.0,0.0
ENDDATA
";

fn write(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("arm.bdf");
    std::fs::write(&path, text).expect("the folder is ours");
    path
}

/// Exit code, stdout and the JSON of a run.
fn run(arguments: &[&str], deck: &str) -> (i32, String, Value) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(&folder, deck);
    let output = Command::cargo_bin("pliant")
        .expect("the binary is built")
        .args(arguments)
        .arg(&path)
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    (output.status.code().expect("no signal"), text, json)
}

/// F L³/3EI = 10/(3·2.1e11·8.333333e-10) = 0.01904762; Hermite bars are exact at their nodes.
#[test]
fn static_gives_the_deflection_of_the_book() {
    let (code, _, json) = run(&["static", "--json"], DECK);
    assert_eq!(code, 0, "{json}");
    let tip = json["subcases"]["1"]["5"][1].as_f64().expect("a number");
    assert!((tip / 0.019_047_62 - 1.0).abs() < 1e-7, "{tip}");
    let held = json["spc_forces"]["1"]["1"][1].as_f64().expect("a number");
    assert!((held + 10.0).abs() < 1e-9, "{held}");
    let (code, text, _) = run(&["static"], DECK);
    assert_eq!(code, 0);
    assert!(text.contains("subcase 1") && text.contains("1.90476e-2"), "{text}");
}

/// σ = M c/I at the fibre 5 mm from the axis: 10 N · 1 m · 5e-3/8.333333e-10 = 60 MPa at the clamped end. A
/// deck in millimetres and tonnes has its stress in N/mm².
#[test]
fn static_gives_the_stress_of_the_book() {
    let points = "PBAR,1,1,1.0-4,8.333333-10,8.333333-10,1.4-9,,,+P\n+P,.005,.0,-.005,.0";
    let deck = DECK.replace("PBAR,1,1,1.0-4,8.333333-10,8.333333-10,1.4-9", points);
    let (code, text, json) = run(&["static", "--json"], &deck);
    assert_eq!(code, 0, "{text}");
    let stress = &json["stress"]["1"];
    let peak = stress["peak"]["von_mises"].as_f64().expect("a number");
    assert!((peak / 6e7 - 1.0).abs() < 1e-6, "{stress}");
    assert_eq!(stress["peak"]["element"], 1);
    assert_eq!(stress["peak"]["property"], 1);
    for (element, moment) in [("1", 10.0), ("2", 7.5), ("3", 5.0), ("4", 2.5)] {
        let found = stress["von_mises"][element].as_f64().expect("a number");
        assert!((found / (6e6 * moment) - 1.0).abs() < 1e-6, "{element}: {found}");
    }
    let (code, text, _) = run(&["static"], &deck);
    assert!(code == 0 && text.contains("in element 1, where A."), "{text}");
    let mm = "PBAR,1,1,1.0+2,8.333333+2,8.333333+2,1.4+3,,,+P\n+P,5.,.0,-5.,.0";
    let mm = DECK
        .replace("PBAR,1,1,1.0-4,8.333333-10,8.333333-10,1.4-9", mm)
        .replace("2.1+11", "2.1+5")
        .replace("7850.0", "7.85-9")
        .replace("0.25,0.0,0.0", "250.,0.0,0.0")
        .replace("0.5,0.0,0.0", "500.,0.0,0.0")
        .replace("0.75,0.0,0.0", "750.,0.0,0.0")
        .replace("GRID,5,,1.0,", "GRID,5,,1000.,");
    let (code, text, json) = run(&["static", "--json", "--units", "mm-t-s"], &mm);
    assert_eq!(code, 0, "{text}");
    let peak = json["stress"]["1"]["peak"]["von_mises"].as_f64().expect("a number");
    assert!((peak / 60.0 - 1.0).abs() < 1e-6, "{peak}");
}

/// A bar without stress points bends without stress: 0 is what Nastran prints too, and it is said.
#[test]
fn bars_without_stress_points_are_named() {
    let (code, text, json) = run(&["static", "--json"], DECK);
    assert_eq!(code, 0, "{text}");
    let problems = json["diagnostics"].to_string();
    assert!(
        problems.contains("4 bars have no stress points") && problems.contains("the first is 1"),
        "{problems}"
    );
}

/// A uniform load along a bar and temperatures have stress that the displacements of grids do not give.
#[test]
fn static_gives_no_stress_of_loads_within_elements() {
    for (select, card) in [
        ("LOAD = 2", "PLOAD1,2,1,FY,FR,0.,1.,1.,1.\nFORCE,"),
        ("LOAD = 2\nTEMP(LOAD) = 4", "TEMPD,4,20.\nFORCE,"),
    ] {
        let deck = DECK.replace("LOAD = 2", select).replace("FORCE,", card);
        let (code, _, json) = run(&["static", "--json"], &deck);
        assert_eq!(code, 0, "{json}");
        assert_eq!(json["stress"], serde_json::json!({}), "{select}");
        assert!(json["diagnostics"].to_string().contains("stress is not recovered"), "{json}");
    }
}

/// The first pair of a square cantilever: (1.875104)²/2π·√(EI/ρA) = 8.353 Hz; four lumped elements are within
/// 3 %.
#[test]
fn modes_gives_the_frequency_of_the_book() {
    let (code, _, json) = run(&["modes", "--json"], DECK);
    assert_eq!(code, 0, "{json}");
    let hz = json["frequencies_hz"].as_array().expect("an array");
    assert_eq!(hz.len(), 4);
    let first = hz[0].as_f64().expect("a number");
    assert!((first / 8.353 - 1.0).abs() < 0.03, "{first}");
    assert_eq!(json["rigid_body_modes"], 0);
    let mass = json["mass"].as_f64().expect("a number");
    assert!((mass - 0.785).abs() < 1e-12, "{mass}");
    let (code, text, _) = run(&["modes", "--count", "2"], DECK);
    assert_eq!(code, 0);
    assert!(text.contains("none is missing") && text.contains("residual"), "{text}");
}

/// Clamped at both ends: (4.730041/1.875104)² times the cantilever's frequency.
#[test]
fn modes_clamp_replaces_the_supports() {
    let (_, _, cantilever) = run(&["modes", "--json"], DECK);
    let (code, _, json) = run(&["modes", "--json", "--clamp", "1,5"], DECK);
    assert_eq!(code, 0, "{json}");
    let first = |json: &Value| json["frequencies_hz"][0].as_f64().expect("a number");
    let ratio = first(&json) / first(&cantilever);
    assert!((ratio / (4.730_041_f64 / 1.875_104).powi(2) - 1.0).abs() < 0.04, "{ratio}");
    let (code, _, json) = run(&["modes", "--json", "--clamp", "99"], DECK);
    assert_eq!(code, 1);
    assert!(json["diagnostics"].to_string().contains("no GRID 99"), "{json}");
}

#[test]
fn bad_structures_get_their_named_error() {
    let loose = DECK.replace("SPC = 1\n", "");
    let (code, text, json) = run(&["static", "--json"], &loose);
    assert_eq!(code, 1);
    assert!(text.contains("missing SPC") && json["subcases"].is_null(), "{text}");
    let light = DECK.replace(",7850.0", "");
    let (code, text, _) = run(&["modes"], &light);
    assert_eq!(code, 1);
    assert!(text.contains("zero density (RHO) of material 1"), "{text}");
    let hinge = DECK.replace("CBAR,3,1,3,4,0.0,1.0,0.0", "CBAR,3,1,3,4,0.0,1.0,0.0,,\n+,6");
    let (code, text, _) = run(&["static"], &hinge);
    assert_eq!(code, 1);
    assert!(text.contains("mechanism") && text.contains("grid 4, component 6"), "{text}");
    let cut = DECK.replace("CBAR,3,1,3,4,0.0,1.0,0.0\n", "");
    for command in ["static", "modes"] {
        let (code, text, _) = run(&[command], &cut);
        assert_eq!(code, 1);
        assert!(text.contains("disconnected part") && text.contains("4, 5"), "{command}: {text}");
    }
}

/// A solid whose corners go round the other way is turned over with a note and answers as the one in order; a
/// crossed one is an error.
#[test]
fn a_left_handed_solid_is_turned_and_a_crossed_one_is_an_error() {
    let deck = |corners: &str| {
        format!(
            "SOL 101\nCEND\nSPC = 1\nLOAD = 2\nBEGIN BULK\n\
            GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n\
            GRID,5,,0.,0.,1.\nGRID,6,,1.,0.,1.\nGRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\n\
            CHEXA,7,1,{corners},3,4\nPSOLID,1,1\nMAT1,1,2.1+11,,0.3,7850.\n\
            SPC1,1,123,1,2,3,4\nFORCE,2,5,0,10.,0.,1.,0.\nENDDATA\n"
        )
    };
    let right = deck("1,2,3,4,5,6,\n+").replace("+,3,4", "+,7,8");
    let left = deck("5,6,7,8,1,2,\n+");
    let [(_, _, ordered), (code, text, turned)] =
        [&right, &left].map(|deck| run(&["static", "--json"], deck));
    assert_eq!(code, 0, "{text}");
    let along = |json: &serde_json::Value| json["subcases"]["1"]["5"][1].as_f64().expect("a number");
    assert!((along(&turned) / along(&ordered) - 1.0).abs() < 1e-12, "{turned} {ordered}");
    for command in ["static", "modes", "check"] {
        let (code, text, _) = run(&[command], &deck("5,6,8,7,1,2,\n+"));
        assert_eq!(code, 1);
        assert!(text.contains("CHEXA 7: the element folds over itself"), "{command}: {text}");
        assert!(text.contains("arm.bdf:14"), "{command}: {text}");
    }
}

/// The same cantilever pushed along its axis: π²EI/4L² = 431.8 N buckles it, in both planes.
#[test]
fn buckling_gives_the_load_of_the_book() {
    let deck = DECK.replace("FORCE,2,5,0,10.0,0.0,1.0,0.0", "FORCE,2,5,0,10.0,-1.0,0.0,0.0");
    let (code, _, json) = run(&["buckling", "--json", "--count", "2"], &deck);
    assert_eq!(code, 0, "{json}");
    let exact = std::f64::consts::PI.powi(2) * 2.1e11 * 8.333_333e-10 / 40.0;
    for k in 0..2 {
        let factor = json["subcases"]["1"]["load_factors"][k].as_f64().expect("a number");
        assert!((factor / exact - 1.0).abs() < 1e-3, "{factor} {exact}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shapes = folder.path().join("shapes.vtkhdf");
    let (code, text, _) = run(&["buckling", "--out", shapes.to_str().expect("UTF-8")], &deck);
    assert_eq!(code, 0);
    assert!(text.contains("load factor"), "{text}");
    assert!(shapes.metadata().is_ok_and(|file| file.len() > 1000), "the shapes are written");
    // Without a load nothing buckles, and the deck is reported so.
    let (code, text, _) = run(&["buckling"], &DECK.replace("LOAD = 2\n", ""));
    assert_eq!(code, 1);
    assert!(text.contains("no loads that deform"), "{text}");
}

/// The forces on a grid by what acts, in a JSON answer.
fn forces(json: &Value, grid: &str, origin: &str) -> [f64; 6] {
    let all = json["grids"][grid]["forces"].as_array().unwrap_or_else(|| panic!("no grid {grid}: {json}"));
    let found = all.iter().find(|force| force["origin"] == origin);
    let found = found.unwrap_or_else(|| panic!("nothing from {origin}: {all:?}"));
    std::array::from_fn(|k| found["force"][k].as_f64().expect("a number"))
}

fn close(found: [f64; 6], expected: [f64; 6]) {
    let near = found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-9);
    assert!(near, "{found:?} for {expected:?}");
}

/// 10 N at the tip: shear of 10 N all along and a moment of 10 N · (1 m − x), so 5 N m at grid 3. What an
/// element does to a grid is the opposite of what the grid does to it.
#[test]
fn forces_on_grids_are_those_of_the_free_body() {
    let (code, _, json) = run(&["static", "--json", "--all"], DECK);
    assert_eq!(code, 0, "{json}");
    let all = &json["grid_forces"]["1"];
    close(forces(all, "5", "applied"), [0.0, 10.0, 0.0, 0.0, 0.0, 0.0]);
    close(forces(all, "5", "CBAR 4"), [0.0, -10.0, 0.0, 0.0, 0.0, 0.0]);
    close(forces(all, "3", "CBAR 2"), [0.0, -10.0, 0.0, 0.0, 0.0, -5.0]);
    close(forces(all, "3", "CBAR 3"), [0.0, 10.0, 0.0, 0.0, 0.0, 5.0]);
    close(forces(all, "1", "SPC"), [0.0, -10.0, 0.0, 0.0, 0.0, -10.0]);
    close(forces(all, "1", "CBAR 1"), [0.0, 10.0, 0.0, 0.0, 0.0, 10.0]);
    for grid in all["grids"].as_object().expect("grids").values() {
        let sum = grid["sum"].as_array().expect("six");
        assert!(sum.iter().all(|x| x.as_f64().is_some_and(|x| x.abs() < 1e-9)), "{grid}");
    }
    assert!(all["force_error"].as_f64().is_some_and(|error| error < 1e-12), "{all}");
    // Without --all those with loads and supports.
    let (_, _, json) = run(&["static", "--json"], DECK);
    let grids: Vec<&String> = json["grid_forces"]["1"]["grids"].as_object().expect("grids").keys().collect();
    assert_eq!(grids, ["1", "5"]);
    let (_, text, _) = run(&["static"], DECK);
    assert!(text.contains("forces on grids with loads and supports") && text.contains("CBAR 4"), "{text}");
}

/// 10 N along x on an arm of 0.1 m along y: a rigid element hands on the force and −1 N m about z. The grid
/// is in a frame that is turned by 90° about z: x there is y, y there is −x.
#[test]
fn rigid_elements_hand_forces_on() {
    let arm =
        "CORD2R,9,,0.,0.,0.,0.,0.,1.,+C\n+C,0.,1.,0.\nGRID,6,,1.0,0.1,0.0,9\nRBE2,9,5,123456,6\nGRID,5,";
    let deck =
        DECK.replace("GRID,5,", arm).replace("FORCE,2,5,0,10.0,0.0,1.0,0.0", "FORCE,2,6,0,10.0,1.0,0.0,0.0");
    let (code, text, json) = run(&["static", "--json"], &deck);
    assert_eq!(code, 0, "{text}");
    let all = &json["grid_forces"]["1"];
    close(forces(all, "6", "applied"), [0.0, -10.0, 0.0, 0.0, 0.0, 0.0]);
    close(forces(all, "6", "MPC"), [0.0, 10.0, 0.0, 0.0, 0.0, 0.0]);
    close(forces(all, "5", "MPC"), [10.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
    close(forces(all, "5", "CBAR 4"), [-10.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    close(forces(all, "1", "SPC"), [-10.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

/// The loads that buckle a column have a stress of their own: 10 N on 1 cm² is 0.1 MPa.
#[test]
fn buckling_gives_the_stress_of_the_loads() {
    let deck = DECK.replace("FORCE,2,5,0,10.0,0.0,1.0,0.0", "FORCE,2,5,0,10.0,-1.0,0.0,0.0");
    let (code, _, json) = run(&["buckling", "--json"], &deck);
    assert_eq!(code, 0, "{json}");
    let loads = &json["preload"]["1"];
    let peak = loads["stress"]["peak"]["von_mises"].as_f64().expect("a number");
    assert!((peak / 1e5 - 1.0).abs() < 1e-9, "{loads}");
    close(forces(&loads["grid_forces"], "1", "SPC"), [10.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let (_, text, _) = run(&["buckling"], &deck);
    assert!(text.contains("loads of subcase 1") && text.contains("largest 100000"), "{text}");
}

/// A file of shapes as `show` and `report` open it.
#[test]
fn files_of_shapes_have_a_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let column = DECK.replace("FORCE,2,5,0,10.0,0.0,1.0,0.0", "FORCE,2,5,0,10.0,-1.0,0.0,0.0");
    for (command, deck, expected) in [
        ("modes", DECK, &["Mode shapes", "Lowest frequency", "Hz"][..]),
        ("buckling", &column, &["Smallest load factor", "0.1 MPa", "Under the loads of mode 1"]),
        ("static", DECK, &["Deformed shapes", "19.05", "Forces on grids", "CBAR 4", "load case 1"]),
    ] {
        let file = at(&format!("{command}.vtkhdf"));
        let (code, text, _) = run(&[command, "--out", &file], deck);
        assert_eq!(code, 0, "{text}");
        let page = at(&format!("{command}.html"));
        let pliant = |arguments: &[&str]| {
            let mut command = Command::cargo_bin("pliant").expect("the binary is built");
            let output = command.args(arguments).output().expect("it runs");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        pliant(&["report", &file, "--out", &page]);
        let html = std::fs::read_to_string(&page).expect("a page");
        for part in expected {
            assert!(html.contains(part), "{command}: {part}");
        }
        assert!(pliant(&["show", &file]).contains(if command == "modes" { "frequency" } else { "MPa" }));
    }
}
