//! One deck of our own for each reproduction of wrong answers in ../shared/defects/decks, through the built
//! program. Where a mechanism has tests of its own below the program, the table names them.
//!
//! | reproduction | test here | below |
//! |---|---|---|
//! | `tria-strip.bdf`, `tria-strip-unselected-spc.bdf` | [`tria_strip`] | `fem/tests/unselected_sets.rs` |
//! | `quad-strip.bdf`, `quad-strip-unselected-spc.bdf` | [`quad_strip`] | the same |
//! | `tube12_tension.bdf` | [`tube_tension`] | `fem/tests/shells/tubes.rs` |
//! | `tube16_pressure.bdf` | [`tube_pressure`] | the same |
//! | `chan.bdf` | [`chan`] | the same, `open_profiles_and_laminates_in_tension` |
//! | `bars-on-trias.bdf` | [`bars_on_trias`] | `fem/tests/shells/msc.rs` (NX's frequencies) |
//! | `dmig-selected.bdf` | [`dmig_selected`] | `fem/tests/decks/direct.rs` |
//! | `dmig-shifted-header.bdf` | [`dmig_shifted_header`] | `bulk/tests/mutations.rs` |
//! | `subcom.bdf` | [`subcom`] | `fem/tests/decks/selected.rs` |
//! | `matt.bdf` | [`matt`] | the same |
//! | `repl.bdf` | [`repl`] | `bulk/src/replicate.rs` |
//! | `cont.bdf` | [`cont`] | `bulk/src/line.rs` |
//! | `spoint.bdf` | [`spoint`] | `fem/tests/decks/forms.rs` |
//! | `blank.bdf` | [`blank`] | `bulk/src/line.rs` |
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

use assert_cmd::Command;
use serde_json::Value;

/// Exit code, JSON and what was printed on stderr.
fn run(command: &str, deck: &str) -> (i32, Value, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("deck.bdf");
    std::fs::write(&path, deck).expect("the folder is ours");
    let mut pliant = Command::cargo_bin("pliant").expect("the binary is built");
    let output = pliant.args([command, "--json"]).arg(&path).output().expect("it runs");
    let json = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let code = output.status.code().expect("no signal");
    (code, json, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn good(command: &str, deck: &str) -> Value {
    let (code, json, errors) = run(command, deck);
    assert_eq!(code, 0, "{json} {errors}");
    json
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn frequencies(deck: &str) -> Vec<f64> {
    good("modes", deck)["frequencies_hz"].as_array().expect("an array").iter().map(number).collect()
}

/// Component `k` of a grid in the first subcase.
fn displacement(json: &Value, grid: usize, k: usize) -> f64 {
    number(&json["subcases"]["1"][grid.to_string()][k])
}

/// A cantilevered strip of 8 cells of 50 × 40 mm, 3 mm thick, with `extra` cards.
fn strip(triangles: bool, extra: &str) -> String {
    let mut deck = "SOL 103\nCEND\nMETHOD = 3\nSPC = 1\nBEGIN BULK\nEIGRL,3,,,6\n".to_owned();
    for i in 0..=8 {
        for j in 0..2 {
            writeln!(deck, "GRID,{},,{:?},{:?},0.", 1 + 2 * i + j, 0.05 * i as f64, 0.04 * j as f64).unwrap();
        }
    }
    for i in 0..8 {
        let [a, b, c, d] = [1 + 2 * i, 3 + 2 * i, 4 + 2 * i, 2 + 2 * i];
        if triangles {
            writeln!(deck, "CTRIA3,{},1,{a},{b},{c}\nCTRIA3,{},1,{a},{c},{d}", 2 * i + 1, 2 * i + 2).unwrap();
        } else {
            writeln!(deck, "CQUAD4,{},1,{a},{b},{c},{d}", i + 1).unwrap();
        }
    }
    deck + "PSHELL,1,1,.003,1,,1\nMAT1,1,7.+10,,.33,2700.\nSPC1,1,123456,1,2\n" + extra + "ENDDATA\n"
}

fn unselected_spc_changes_nothing(triangles: bool) {
    let plain = frequencies(&strip(triangles, ""));
    assert!(plain.len() == 6 && plain[0] > 1.0, "{plain:?}");
    assert_eq!(plain, frequencies(&strip(triangles, "SPC1,99,6,3,THRU,18\nSPC,98,7,12,.1\n")));
}

#[test]
fn tria_strip() {
    unselected_spc_changes_nothing(true);
}

#[test]
fn quad_strip() {
    unselected_spc_changes_nothing(false);
}

const RADIUS: f64 = 0.06;
const ROWS: usize = 3;

fn tube_grid(facets: usize, i: usize, k: usize) -> usize {
    1 + k * facets + i % facets
}

/// A polygonal tube of 2 mm, rows 30 mm long, its first row held along the axis, with `loads`.
fn tube(facets: usize, triangles: bool, loads: &str) -> String {
    let mut deck = "SOL 101\nCEND\nSPC = 1\nLOAD = 1\nBEGIN BULK\n".to_owned();
    for k in 0..=ROWS {
        for i in 0..facets {
            let (s, c) = (TAU * i as f64 / facets as f64).sin_cos();
            let (x, y, z) = (RADIUS * c, RADIUS * s, 0.03 * k as f64);
            writeln!(deck, "GRID,{},,{x:?},{y:?},{z:?}", tube_grid(facets, i, k)).unwrap();
        }
    }
    let mut element = 0;
    for k in 0..ROWS {
        for i in 0..facets {
            let g = |i, k| tube_grid(facets, i, k);
            let [a, b, c, d] = [g(i, k), g(i + 1, k), g(i + 1, k + 1), g(i, k + 1)];
            if triangles {
                writeln!(deck, "CTRIA3,{},1,{a},{b},{c}\nCTRIA3,{},1,{a},{c},{d}", element + 1, element + 2)
                    .unwrap();
                element += 2;
            } else {
                element += 1;
                writeln!(deck, "CQUAD4,{element},1,{a},{b},{c},{d}").unwrap();
            }
        }
    }
    for i in 0..facets {
        writeln!(deck, "SPC1,1,3,{}", tube_grid(facets, i, 0)).unwrap();
    }
    let (one, other, third) = (1, 1 + facets / 2, 1 + facets / 4);
    writeln!(deck, "SPC1,1,2,{one},{other}\nSPC1,1,1,{third}").unwrap();
    deck + "PSHELL,1,1,.002,1,,1\nMAT1,1,7.+10,,.3,2700.\n" + loads + "ENDDATA\n"
}

/// Force F on the end of a polygon of n sides 2R sin(π/n): u = FL/E(n·2R sin(π/n)·t).
#[test]
fn tube_tension() {
    for triangles in [false, true] {
        for facets in [8, 20] {
            let loads: String = (0..facets)
                .map(|i| {
                    format!("FORCE,1,{},0,{:?},0.,0.,1.\n", tube_grid(facets, i, ROWS), 9e3 / facets as f64)
                })
                .collect();
            let found = good("static", &tube(facets, triangles, &loads));
            let side = 2.0 * RADIUS * (PI / facets as f64).sin();
            let exact = 9e3 * 0.09 / (7e10 * facets as f64 * side * 0.002);
            for i in 0..facets {
                let ratio = displacement(&found, tube_grid(facets, i, ROWS), 2) / exact;
                // Issue 19 asks for 1 %; constant strain is exact but for K6ROT.
                assert!((ratio - 1.0).abs() < 1e-6, "{triangles} {facets}: {ratio}");
            }
        }
    }
}

/// Forces outward on every grid as a pressure p gives them, ps cos(π/n) per length: hoop force ps cos(π/n)/2
/// sin(π/n), the same stretch on all sides, u = R × strain.
#[test]
fn tube_pressure() {
    for triangles in [false, true] {
        for facets in [8, 20] {
            let half = PI / facets as f64;
            let side = 2.0 * RADIUS * half.sin();
            let mut loads = String::new();
            for k in 0..=ROWS {
                let length = if k == 0 || k == ROWS { 0.015 } else { 0.03 };
                for i in 0..facets {
                    let (s, c) = (2.0 * half * i as f64).sin_cos();
                    let force = 1e6 * side * half.cos() * length;
                    let grid = tube_grid(facets, i, k);
                    writeln!(loads, "FORCE,1,{grid},0,{force:?},{c:?},{s:?},0.").unwrap();
                }
            }
            let found = good("static", &tube(facets, triangles, &loads));
            let exact = RADIUS * 1e6 * side * half.cos() / (2.0 * half.sin()) / (7e10 * 0.002);
            for k in 0..=ROWS {
                for i in 0..facets {
                    let (s, c) = (2.0 * half * i as f64).sin_cos();
                    let grid = tube_grid(facets, i, k);
                    let radial = displacement(&found, grid, 0) * c + displacement(&found, grid, 1) * s;
                    // Issue 19 asks for 1 %; the uneven shares of triangles' corners bend the sides a little.
                    assert!((radial / exact - 1.0).abs() < 1e-3, "{triangles} {facets}: {}", radial / exact);
                }
            }
        }
    }
}

/// A channel whose flanges are one cell wide, pulled by the force of each side's section: u = σL/E.
#[test]
fn chan() {
    let section: [(f64, f64); 5] = [(0.03, -0.05), (0.0, -0.05), (0.0, 0.0), (0.0, 0.05), (0.03, 0.05)];
    let (rows, sigma) = (4, 1e8);
    let mut deck = "SOL 101\nCEND\nSPC = 1\nLOAD = 1\nBEGIN BULK\n".to_owned();
    let grid = |i: usize, k: usize| 1 + 5 * k + i;
    for k in 0..=rows {
        for (i, (x, y)) in section.iter().enumerate() {
            writeln!(deck, "GRID,{},,{x:?},{y:?},{:?}", grid(i, k), 0.05 * k as f64).unwrap();
        }
    }
    let mut forces = BTreeMap::new();
    for i in 0..4 {
        let ((a, b), (c, d)) = (section[i], section[i + 1]);
        for end in [i, i + 1] {
            *forces.entry(end).or_insert(0.0) += 0.5 * sigma * 0.004 * (c - a).hypot(d - b);
        }
        for k in 0..rows {
            writeln!(
                deck,
                "CQUAD4,{},1,{},{},{},{}",
                1 + 4 * k + i,
                grid(i, k),
                grid(i + 1, k),
                grid(i + 1, k + 1),
                grid(i, k + 1)
            )
            .unwrap();
        }
    }
    for (i, force) in forces {
        writeln!(deck, "FORCE,1,{},0,{force:?},0.,0.,1.\nSPC1,1,3,{}", grid(i, rows), grid(i, 0)).unwrap();
    }
    deck += "SPC1,1,12,2\nSPC1,1,1,4\nPSHELL,1,1,.004,1,,1\nMAT1,1,7.+10,,.3,2700.\nENDDATA\n";
    let found = good("static", &deck);
    for i in 0..5 {
        let ratio = displacement(&found, grid(i, rows), 2) / (sigma * 0.2 / 7e10);
        assert!((ratio - 1.0).abs() < 1e-6, "{i}: {ratio}");
    }
}

/// What holds a rotation about the normal of CTRIA3 is K6ROT alone: k = Σ 10⁻⁶·K6ROT·G·t·2A over the four
/// triangles around a grid, here against the inertia of a CONM2.
#[test]
fn bars_on_trias() {
    let deck = "SOL 103\nCEND\nMETHOD = 3\nSPC = 1\nBEGIN BULK\nEIGRL,3,,,1\nGRID,1,,0.,0.,0.\nGRID,2,,.2,0.,0.\n\
                GRID,3,,.2,.2,0.\nGRID,4,,0.,.2,0.\nGRID,5,,.08,.12,0.\nCTRIA3,1,1,1,2,5\nCTRIA3,2,1,2,3,5\n\
                CTRIA3,3,1,3,4,5\nCTRIA3,4,1,4,1,5\nPSHELL,1,1,.002,1,,1\nMAT1,1,2.+11,,.25\n\
                SPC1,1,123456,1,2,3,4\nSPC1,1,12345,5\nCONM2,9,5,,0.\n,1.-5,,1.-5,,,1.-5\nENDDATA\n";
    for (parameter, k6rot) in [("", 100.0), ("PARAM,K6ROT,1.\n", 1.0)] {
        let found = frequencies(&deck.replace("EIGRL", &format!("{parameter}EIGRL")));
        let stiffness = 1e-6 * k6rot * (2e11 / 2.5) * 0.002 * 2.0 * 0.04;
        let exact = (stiffness / 1e-5_f64).sqrt() / TAU;
        assert!((found[0] / exact - 1.0).abs() < 1e-9, "{found:?} {exact}");
    }
}

/// A rod with a spring and a mass of DMIG at its end: ω² = (EA/L + k)/(ρAL/2 + m).
#[test]
fn dmig_selected() {
    let deck = |commands: &str| {
        format!(
            "SOL 103\nCEND\nMETHOD = 3\nSPC = 1\n{commands}BEGIN BULK\nEIGRL,3,,,1\nGRID,1,,0.,0.,0.\n\
             GRID,2,,2.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.+11,,.3,7850.\nSPC1,1,123456,1\n\
             SPC1,1,23456,2\nDMIG,KA,0,6,1,0\nDMIG,KA,2,1,,2,1,3.+6\nDMIG,MA,0,6,1,0\nDMIG,MA,2,1,,2,1,5.\n\
             ENDDATA\n"
        )
    };
    let exact = |k: f64, m: f64| ((1e7 + k) / (0.785 + m)).sqrt() / TAU;
    for (commands, k, m) in [("", 0.0, 0.0), ("K2GG = KA\n", 3e6, 0.0), ("K2GG = KA\nM2GG = MA\n", 3e6, 5.0)]
    {
        let found = frequencies(&deck(commands));
        assert!((found[0] / exact(k, m) - 1.0).abs() < 1e-9, "{commands}: {found:?}");
    }
}

#[test]
fn dmig_shifted_header() {
    let deck = "SOL 101\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\nDMIG,KA,,0,6,1,0,,2.5\nENDDATA\n";
    let (code, json, errors) = run("check", deck);
    assert_eq!(code, 1, "{errors}");
    let found = &json["diagnostics"][0];
    assert!(found["severity"] == "error" && found["card"] == "DMIG KA" && found["field"].is_u64(), "{json}");
    assert!(!errors.contains("panicked"), "{errors}");
}

/// Loads of 3, 5 and their combination 2·3 − 5; the LOAD under SUBCOM reaches nobody.
#[test]
fn subcom() {
    let deck = "SOL 101\nCEND\nSPC = 1\nSUBCASE 1\n LOAD = 11\nSUBCASE 2\n LOAD = 12\nSUBCOM 9\n SUBSEQ = 2., -1.\n\
                LOAD = 13\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\n\
                MAT1,1,2.+11,,.3,7850.\nSPC1,1,123456,1\nSPC1,1,23456,2\nFORCE,11,2,0,3.,1.,0.,0.\n\
                FORCE,12,2,0,5.,1.,0.,0.\nFORCE,13,2,0,70.,1.,0.,0.\nENDDATA\n";
    let json = good("static", deck);
    for (subcase, force) in [("1", 3.0), ("2", 5.0), ("9", 1.0)] {
        let found = number(&json["subcases"][subcase]["2"][0]);
        assert!((found / (force / 1e7) - 1.0).abs() < 1e-9, "{subcase}: {found}");
    }
    assert!(json["diagnostics"].to_string().contains("has no effect in a combination"), "{json}");
}

#[test]
fn matt() {
    let deck = "SOL 101\nCEND\nSPC = 1\nTEMPERATURE(MATERIAL) = 4\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\n\
                CROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.+11,,.3,7850.\nMATT1,1,6\nTABLEM1,6\n,0.,2.+11,100.,1.9+11,ENDT\n\
                TEMPD,4,80.\nSPC1,1,123456,1\nSPC1,1,23456,2\nENDDATA\n";
    let (code, json, errors) = run("static", deck);
    assert_eq!(code, 1, "{json}");
    assert!(format!("{errors}{json}").contains("MATT1"), "{errors} {json}");
}

/// Mass of a deck in its own units.
fn mass(deck: &str) -> f64 {
    number(&good("check", deck)["mass"])
}

/// `==` repeats the fields that follow: both bars weigh the same.
#[test]
fn repl() {
    let deck = "SOL 101\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,4.,0.,0.\n\
                CBAR,1,1,1,2,0.,1.,0.\nCBAR,2,2,2,3,0.,1.,0.\nMAT1,4,2.+11,,.3,7850.\nMAT1,5,==\n\
                PBAR,1,4,1.-3,1.-7,1.-7,2.-7\nPBAR,2,5,==\nENDDATA\n";
    assert!((mass(deck) / (2.0 * 7850.0 * 1e-3 * 2.0) - 1.0).abs() < 1e-12);
}

/// Continuation names that begin with a letter, or are numbers: a rod from r = 1 to r = 3.
#[test]
fn cont() {
    for (name, mark) in [("KCYL", "+CYL"), ("1000001", "+1000001")] {
        let end = if name.starts_with('K') { name.to_owned() } else { format!("+{name}") };
        let deck = format!(
            "SOL 101\nCEND\nBEGIN BULK\n{:<8}{:<8}{:<8}{:<8}{:<8}{:<8}{:<8}{:<8}{:<8}{end:<8}\n{mark:<8}1.      0.      0.\n\
             GRID    1       7       1.      90.     0.\nGRID    2       7       3.      90.     0.\n\
             CROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,2.+11,,.3,7850.\nENDDATA\n",
            "CORD2C", "7", "", "0.", "0.", "0.", "0.", "0.", "1."
        );
        let json = good("check", &deck);
        assert!((number(&json["mass"]) / (7850.0 * 1e-4 * 2.0) - 1.0).abs() < 1e-12, "{name}");
        let y = number(&json["centre_of_mass"][1]);
        assert!((y - 2.0).abs() < 1e-12, "{name}: {y}");
    }
}

/// Masses 3 and 1 on springs of 100 between them and 200 to the ground: points that no SPOINT declares.
#[test]
fn spoint() {
    let deck = "SOL 103\nCEND\nMETHOD = 3\nBEGIN BULK\nEIGRL,3,,,2\nCELAS4,1,200.,4,0\nCELAS4,2,100.,4,6\n\
                CMASS4,3,3.,4,0\nCMASS4,4,1.,6,0\nENDDATA\n";
    let found = frequencies(deck);
    // 3λ² − (300 + 300)λ + 20000 = 0.
    let roots = [-1.0, 1.0].map(|sign| (600.0 + sign * (360_000.0_f64 - 240_000.0).sqrt()) / 6.0);
    for (found, root) in found.iter().zip(roots) {
        assert!((found / (root.sqrt() / TAU) - 1.0).abs() < 1e-9, "{found} {root}");
    }
    assert_eq!(found.len(), 2);
}

/// Values of free fields that blanks separate.
#[test]
fn blank() {
    let deck = "SOL 101\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,3. 0. 4.\nCROD,1,1,1,2\nPROD,1,1,1.-4\n\
                MAT1,1,2.+11,,.3,7850.\nENDDATA\n";
    assert!((mass(deck) / (7850.0 * 1e-4 * 5.0) - 1.0).abs() < 1e-12);
}
