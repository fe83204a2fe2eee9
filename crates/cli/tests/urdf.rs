//! A machine as a robot description and back.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const MACHINE: &str = "\
title = 'two & more'
[links.upper.rigid]
mass = 4
centre = [0.5, 0.02, 0]
inertia = [0.02, 0.3, 0.31]
products = [0.001, 0.002, -0.003]
interfaces = { elbow = [1, 0, 0.1], eye = [0.3, 0, 0] }
[links.fore]
beam = { length = 0.8, section = { rod = 0.03 }, material = 'steel' }
[links.nut.rigid]
mass = 0.5
inertia = [1e-3, 1e-3, 1e-3]
interfaces = { end = [0, 0, 0] }
[joints.shoulder]
parent = 'ground'
child = 'upper'
type = 'revolute'
axis = [0, 1, 1]
origin = [0, 0, 0.4]
friction = { viscous = 0.3, coulomb = 2 }
drive = { motion = { profile = 'hold', value_deg = 10 } }
[joints.elbow]
parent = 'upper.elbow'
child = 'fore'
type = 'revolute'
axis = 'y'
axes = [[0, 1, 0], [0, 0, 1]]
[joints.screw]
parent = 'fore.tip'
child = 'nut'
type = 'prismatic'
axis = 'x'
[payload]
at = 'fore.tip'
mass = 2
centre = [0, 0.1, 0]
inertia = [0.01, 0.02, 0.02]
[analysis]
end = 1
step = 1e-2
";

fn pliant(folder: &Path, arguments: &[&str]) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    let output = command
        .args(arguments)
        .current_dir(folder)
        .env("PLIANT_CACHE", folder.join("cache"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    (output, text)
}

/// Words and numbers of a file, numbers as such.
fn words(file: &Path) -> Vec<Result<f64, String>> {
    let text = fs::read_to_string(file).unwrap();
    let words =
        text.split(|c: char| c.is_whitespace() || "\"<>=/".contains(c)).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|_| word.to_owned())).collect()
}

/// The first file has the frames of the machine, the second those of the first: inertia, origins and axes are
/// the same numbers.
#[test]
fn a_machine_goes_to_urdf_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("m.toml"), MACHINE).unwrap();
    let (output, text) = pliant(folder.path(), &["export", "m.toml", "--urdf", "a.urdf"]);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("joint `shoulder`: its drive is left out") && text.contains("`screw`: URDF wants"),
        "{text}"
    );
    let first = fs::read_to_string(at("a.urdf")).unwrap();
    assert!(first.contains("<robot name=\"two &amp; more\">"), "{first}");
    assert!(first.contains("<dynamics damping=\"0.3\" friction=\"2.0\"/>"), "{first}");
    // The beam with its payload: 0.8 m of a rod of 30 mm, and 2 kg.
    let mass = 7850.0 * 0.8 * std::f64::consts::PI * 0.015f64.powi(2) + 2.0;
    let masses: Vec<f64> = first
        .split("<mass value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    assert!((masses[0] - 4.0).abs() < 1e-12 && (masses[1] - mass).abs() < 1e-9, "{masses:?}");
    let (output, text) = pliant(folder.path(), &["import", "a.urdf", "--out", "back"]);
    assert!(output.status.success(), "{text}");
    // A fixed name of the robot: `import` takes its title as it is.
    let (output, text) = pliant(folder.path(), &["export", "back/machine.toml", "--urdf", "b.urdf"]);
    assert!(output.status.success(), "{text}");
    let (a, b) = (words(&at("a.urdf")), words(&at("b.urdf")));
    let numbers =
        |words: &[Result<f64, String>]| words.iter().filter_map(|w| w.clone().ok()).collect::<Vec<f64>>();
    let (mut a, mut b) = (numbers(&a), numbers(&b));
    assert_eq!(a.len(), b.len());
    // Links and frames may stand in another order.
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?}\n{b:?}");
}

#[test]
fn what_urdf_cannot_say_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |from: &str, to: &str| {
        let text = MACHINE.replacen(from, to, 1);
        assert_ne!(text, MACHINE);
        fs::write(folder.path().join("m.toml"), text).unwrap();
        let (output, text) = pliant(folder.path(), &["export", "m.toml", "--urdf", "a.urdf"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(!folder.path().join("a.urdf").exists());
        text
    };
    let several = refused("type = 'prismatic'\naxis = 'x'", "type = 'spherical'");
    assert!(several.contains("joint `screw` is spherical"), "{several}");
    let coupled = "[couplings.c]\nterms = { shoulder = 1, elbow = 2, screw = 3 }\n[analysis]";
    assert!(refused("[analysis]", coupled).contains("coupling `c` has 3 terms"));
    let sum = "[constraints.rod]\nfrom = 'ground'\nto = 'nut.end'\ndistance = 1.5\n[analysis]";
    assert!(refused("[analysis]", sum).contains("URDF has no constraints between links: `rod`"));
}
