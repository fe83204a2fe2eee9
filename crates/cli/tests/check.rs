//! `pliant check` as a user runs it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const CUBE: &str = "SOL 103
CEND
TITLE = A cube of steel
BEGIN BULK
MAT1    1       2.1+11          .3      7850.
PSOLID  1       1
GRID    1               0.      0.      0.
GRID    2               1.      0.      0.
GRID    3               1.      1.      0.
GRID    4               0.      1.      0.
GRID    5               0.      0.      1.
GRID    6               1.      0.      1.
GRID    7               1.      1.      1.
GRID    8               0.      1.      1.
CHEXA   1       1       1       2       3       4       5       6       +
+       7       8
ENDDATA
";

fn pliant() -> Command {
    Command::cargo_bin("pliant").expect("the binary is built")
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a temporary file can be written");
    path
}

/// Exit code and the JSON it printed.
fn check_json(arguments: &[&str], decks: &[&Path]) -> (i32, Value) {
    let output = pliant().arg("check").args(decks).args(arguments).arg("--json").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code().expect("it was not killed"), value)
}

#[test]
fn a_cube_weighs_what_it_must() {
    let folder = TempDir::new().unwrap();
    let deck = write(&folder, "cube.bdf", CUBE);
    let (code, facts) = check_json(&[], &[&deck]);
    assert_eq!(code, 0, "{facts:#}");
    let number = |value: &Value| value.as_f64().unwrap();
    // m = ρV, J = m(a² + a²)/12 about the centre; the relative rounding of eight integration points.
    assert!((number(&facts["mass"]) / 7850.0 - 1.0).abs() < 1e-12);
    for i in 0..3 {
        assert!((number(&facts["centre_of_mass"][i]) - 0.5).abs() < 1e-12);
        for j in 0..3 {
            let expected = if i == j { 7850.0 / 6.0 } else { 0.0 };
            assert!((number(&facts["inertia"][i][j]) - expected).abs() < 1e-8, "{}", facts["inertia"]);
        }
    }
    assert_eq!(facts["cards"]["GRID"], serde_json::json!({"count": 8, "status": "used"}));
    assert_eq!(facts["diagnostics"], serde_json::json!([]));
    assert_eq!(facts["solution"], 103);
    assert_eq!(facts["quality"][0]["jacobian"]["value"], 1.0);
}

#[test]
fn a_link_of_four_node_tetrahedra_is_warned_about() {
    let folder = TempDir::new().unwrap();
    // The cube as five tetrahedra.
    let hexahedron =
        "CHEXA   1       1       1       2       3       4       5       6       +\n+       7       8\n";
    let tetrahedra = "CTETRA,1,1,1,2,4,5\nCTETRA,2,1,2,3,4,7\nCTETRA,3,1,5,7,6,2\nCTETRA,4,1,5,8,7,4\nCTETRA,5,1,2,7,4,5\n";
    assert!(CUBE.contains(hexahedron));
    let deck = write(&folder, "tetrahedra.bdf", &CUBE.replace(hexahedron, tetrahedra));
    let (code, facts) = check_json(&[], &[&deck]);
    assert_eq!(code, 0, "{facts:#}");
    assert!((facts["mass"].as_f64().unwrap() / 7850.0 - 1.0).abs() < 1e-12);
    let message = facts["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("100 % of the solid volume") && message.contains("too stiff"), "{message}");
}

#[test]
fn units_turn_the_mass_into_kilograms() {
    let folder = TempDir::new().unwrap();
    let deck = write(&folder, "cube.bdf", &CUBE.replace("7850.", "7.85-9"));
    let (code, facts) = check_json(&["--units", "mm-t-s"], &[&deck]);
    assert_eq!(code, 0);
    // 1 mm³ of 7.85e-9 t/mm³ is 7.85e-6 kg.
    assert!((facts["mass_kg"].as_f64().unwrap() / 7.85e-6 - 1.0).abs() < 1e-12);
    assert!((facts["mass"].as_f64().unwrap() / 7.85e-9 - 1.0).abs() < 1e-12);
}

#[test]
fn a_bad_deck_does_not_stop_the_batch() {
    let folder = TempDir::new().unwrap();
    let good = write(&folder, "good.bdf", CUBE);
    let bad = write(&folder, "bad.bdf", &CUBE.replace("       6       +", "       6.      +"));
    let missing = folder.path().join("missing.bdf");
    let (code, facts) = check_json(&[], &[&missing, &bad, &good]);
    assert_eq!(code, 1);
    let messages = |i: usize| facts[i]["diagnostics"].as_array().unwrap().len();
    assert_eq!(messages(0), 1, "that it cannot be read, and nothing else: {facts:#}");
    assert!(messages(1) > 0);
    assert_eq!(messages(2), 0);
    assert_eq!(facts[0]["mass"], Value::Null);
    assert!(facts[2]["mass"].is_number());
    let problems = facts[1]["diagnostics"].as_array().unwrap();
    let problem = problems.iter().find(|d| d["severity"] == "error").unwrap();
    assert_eq!(problem["card"], "CHEXA 1");
    assert_eq!((problem["line"].as_u64(), problem["column"].as_u64()), (Some(15), Some(65)));
    assert_eq!((problem["field"].as_u64(), problem["field_name"].as_str()), (Some(9), Some("G6")));
    assert_eq!(problem["message"], "expected an integer, found `6.`");
    assert_eq!(problem["hint"], "GRID ids have no decimal point; write `6`");
}

#[test]
fn a_problem_is_shown_with_its_line() {
    let folder = TempDir::new().unwrap();
    let bad = write(&folder, "bad.bdf", &CUBE.replace("       6       +", "       6.      +"));
    let output = pliant().arg("check").arg(&bad).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("error: CHEXA 1, field 9 (G6): expected an integer, found `6.`"), "{text}");
    assert!(text.contains("bad.bdf:15:65"), "{text}");
    assert!(
        text.contains("15 | CHEXA   1       1       1       2       3       4       5       6.      +\n")
    );
    assert!(!text.contains('\x1b'), "no colours off a terminal");
    assert!(text.lines().all(|line| line.contains("-->") || line.chars().count() <= 100), "{text}");
}

#[test]
fn wrong_arguments_do_not_start() {
    pliant().args(["check", "x.bdf", "--units", "furlong"]).assert().code(2);
    pliant().args(["check"]).assert().code(2);
    pliant().args(["weld"]).assert().code(2);
    pliant().args(["check", "x.bdf", "--threads", "0"]).assert().code(2);
    pliant().args(["check", "x.bdf", "--material", "wood"]).assert().code(2);
    pliant().args(["static", "x.bdf", "--thickness", "2"]).assert().code(2);
}

#[test]
fn a_thousand_errors_are_all_reported_in_file_order() {
    let folder = TempDir::new().unwrap();
    let mut deck =
        CUBE.lines().take_while(|line| *line != "ENDDATA").fold(String::new(), |mut deck, line| {
            deck.push_str(line);
            deck.push('\n');
            deck
        });
    let first_line = deck.lines().count() + 1;
    for i in 0..1000 {
        let id = 100 + i;
        match i % 5 {
            0 => writeln!(deck, "GRID,{id},,1.,x,3."),
            1 => writeln!(deck, "GRID,{id}.,,1.,2.,3."),
            2 => writeln!(deck, "CROD,{id},{},1,2", 800_000 + i),
            3 => writeln!(deck, "CONM2,{id},{},,1.", 900_000 + i),
            _ => writeln!(deck, "MAT1,{id},2.1+11,,.3,7850"),
        }
        .expect("writing to memory cannot fail");
    }
    deck.push_str("ENDDATA\n");
    let deck = write(&folder, "bad.bdf", &deck);
    let (code, facts) = check_json(&[], &[&deck]);
    assert_eq!(code, 1);
    let problems = facts["diagnostics"].as_array().unwrap();
    let errors: Vec<_> = problems.iter().filter(|d| d["severity"] == "error").collect();
    let lines: Vec<usize> = errors.iter().map(|d| d["line"].as_u64().unwrap() as usize).collect();
    assert!(lines.is_sorted(), "in file order");
    let mut reported = lines.clone();
    reported.dedup();
    assert_eq!(reported, (first_line..first_line + 1000).collect::<Vec<_>>());
}

/// The same for people: each kind once, with its number and the first locations.
#[test]
fn problems_of_a_kind_are_folded_into_one() {
    let folder = TempDir::new().unwrap();
    let mut deck = CUBE.replace("ENDDATA\n", "");
    for id in 0..1000 {
        writeln!(deck, "CROD,{},{},1,2", 100 + id, 800_000 + id).expect("writing to memory cannot fail");
    }
    let deck = write(&folder, "many.bdf", &(deck + "PROD,5,1,.1\nENDDATA\n"));
    let output = pliant().arg("check").arg(&deck).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text.matches("error: CROD").count(), 1, "{text}");
    assert!(text.contains("and 999 more of this kind: CROD 101 at "), "{text}");
    assert!(text.contains("many.bdf:18:"), "the second of them: {text}");
    assert!(text.contains("1,000 errors"), "{text}");
    assert!(text.lines().count() < 30, "{text}");
    let (_, facts) = check_json(&[], &[&deck]);
    assert_eq!(facts["diagnostics"].as_array().unwrap().len(), 1000, "machines get them all");
}

/// A box of two tetrahedra with what Gmsh writes beside them: CBAR of curves, CTRIA3 of surfaces, PID the
/// number of the curve or surface. Bars have no orientation, or their middle grid as G0 when the mesh is of
/// second order.
const RAW: &str = "$ Created by Gmsh
GRID    1       0       0.00E+000.00E+000.00E+00
GRID    2       0       40.000000.00E+000.00E+00
GRID    3       0       0.00E+0040.000000.00E+00
GRID    4       0       0.00E+000.00E+0040.00000
GRID    5       0       40.0000040.0000040.00000
CBAR    1       1       1       2       0.      0.      0.
CBAR    2       2       2       3       1
CTRIA3  3       1       1       2       3
CTRIA3  4       2       3       1       4
CTRIA3  5       7       2       3       5
CTETRA  6       1       1       2       3       4
CTETRA  7       1       2       5       3       4
ENDDATA
";

#[test]
fn outlines_of_a_mesh_generator_are_left_out() {
    let folder = TempDir::new().unwrap();
    // Without any property, and with a PSOLID whose number is also that of a curve and a surface.
    let solid = "PSOLID  1       1\nMAT1    1       2.1+5           .3      7.85-9\nENDDATA\n";
    let bare = write(&folder, "bare.bdf", RAW);
    let shared = write(&folder, "shared.bdf", &RAW.replace("ENDDATA\n", solid));
    let volume = 40.0_f64.powi(3) * (1.0 / 6.0 + 1.0 / 3.0);
    for (deck, options) in [(&bare, &["--material", "steel"][..]), (&shared, &[][..])] {
        let (code, facts) = check_json(&[options, &["--units", "mm-t-s"]].concat(), &[deck]);
        assert_eq!(code, 0, "{facts:#}");
        let mass = facts["mass"].as_f64().unwrap();
        assert!((mass / (volume * 7.85e-9) - 1.0).abs() < 1e-12, "the solids alone: {mass}");
        let notes: Vec<&str> = facts["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|d| d["message"].as_str().filter(|m| m.contains("only draw")))
            .collect();
        assert_eq!(notes.len(), 1, "{facts:#}");
        assert!(
            notes[0].starts_with("2 CBAR, 3 CTRIA3 that only draw edges and faces of solids"),
            "{notes:?}"
        );
        assert_eq!(facts["elements"], serde_json::json!({"CTETRA(4)": 2}));
    }
    // A shell that lies on no face is structure, and its property is missing.
    let loose = write(&folder, "loose.bdf", &RAW.replace("2       3       5\n", "1       2       5\n"));
    let (code, facts) = check_json(&["--material", "steel"], &[&loose]);
    assert_eq!(code, 1);
    let errors: Vec<_> =
        facts["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error").collect();
    assert!(errors.len() == 1 && errors[0]["card"] == "CTRIA3 5", "{errors:?}");
    // With a thickness it is a shell, and only it.
    let (code, facts) = check_json(&["--material", "steel", "--thickness", "2"], &[&loose]);
    assert_eq!((code, &facts["elements"]), (0, &serde_json::json!({"CTETRA(4)": 2, "CTRIA3(3)": 1})));
}

/// E = 2.1e5 with ρ = 7.85e-9 is steel in millimetres and tonnes.
#[test]
fn units_that_cannot_be_are_warned_about() {
    let folder = TempDir::new().unwrap();
    let deck = write(&folder, "mm.bdf", &CUBE.replace("2.1+11", "2.1+5 ").replace("7850.", "7.85-9"));
    let (code, facts) = check_json(&[], &[&deck]);
    assert_eq!(code, 0);
    let warning = &facts["diagnostics"][0];
    assert_eq!(warning["severity"], "warning");
    assert!(warning["hint"].as_str().unwrap().contains("units = \"mm-t-s\""), "{warning:#}");
    let (_, facts) = check_json(&["--units", "mm-t-s"], &[&deck]);
    assert_eq!(facts["diagnostics"], serde_json::json!([]));
}

#[test]
fn our_own_decks_have_no_problems() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../inputs/six-axis"));
    let mut decks: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    decks.retain(|path| path.extension().is_some_and(|e| e == "bdf"));
    assert!(decks.len() >= 5);
    let decks: Vec<&Path> = decks.iter().map(PathBuf::as_path).collect();
    let (code, facts) = check_json(&["--units", "mm-t-s"], &decks);
    assert_eq!(code, 0);
    for deck in facts.as_array().unwrap() {
        assert_eq!(deck["diagnostics"], serde_json::json!([]), "{}", deck["deck"]);
    }
}
