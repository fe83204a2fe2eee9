//! STEP files: what is found in them, and links that are made of them. The tests need the program gmsh, from
//! PATH or from target/venv.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../inputs/step/arm.step");

/// PATH with gmsh on it, or `None` with a visible note.
fn path_with_gmsh() -> Option<OsString> {
    let venv = Path::new(env!("CARGO_BIN_EXE_pliant")).ancestors().nth(2).unwrap().join("venv/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    // The program of the wheel is a script that looks for its own Python on PATH.
    let with_venv = env::join_paths([venv].into_iter().chain(env::split_paths(&path))).unwrap();
    let starts = |path: &OsString| {
        let mut command = Command::new("gmsh");
        command.arg("-version").env("PATH", path).stdin(Stdio::null());
        command.output().is_ok_and(|output| output.status.success())
    };
    if let Some(found) = [path, with_venv].into_iter().find(starts) {
        return Some(found);
    }
    println!("SKIPPED: no gmsh on PATH; scripts/python-tools installs it into target/venv");
    None
}

struct Bench {
    folder: tempfile::TempDir,
    path: OsString,
}

impl Bench {
    fn new() -> Option<Self> {
        let path = path_with_gmsh()?;
        let folder = tempfile::tempdir().unwrap();
        fs::copy(ARM, folder.path().join("arm.step")).unwrap();
        Some(Self { folder, path })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A STEP file of these volumes of gmsh's script language.
    fn part(&self, name: &str, volumes: &str) {
        let script = format!("SetFactory(\"OpenCASCADE\");\n{volumes}\nSave \"{name}.step\";\n");
        fs::write(self.at("part.geo"), script).unwrap();
        let mut command = Command::new("gmsh");
        command.args(["part.geo", "-"]).current_dir(self.folder.path()).env("PATH", &self.path);
        assert!(command.stdin(Stdio::null()).output().unwrap().status.success());
        assert!(self.at(&format!("{name}.step")).exists());
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(arguments).current_dir(self.folder.path()).env("PATH", &self.path);
        command.env("PLIANT_CACHE", self.at("cache")).output().unwrap()
    }

    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn close(found: &Value, expected: &[f64], tolerance: f64) {
    let found: Vec<f64> = found.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(near && found.len() == expected.len(), "{found:?} {expected:?}");
}

/// A box of 300×40×30 mm with a cavity of 220×30×20 and bores of 10 and 8 mm radius, as its script says.
#[test]
fn holes_planes_and_mass_of_an_arm_are_those_of_its_script() {
    let Some(bench) = Bench::new() else { return };
    let part = bench.json(&["inspect", "arm.step", "--material", "steel", "--json"]);
    let volume = 360_000.0 - 132_000.0 - std::f64::consts::PI * (100.0 + 64.0) * 30.0;
    assert!((part["volume"].as_f64().unwrap() / volume - 1.0).abs() < 1e-9);
    assert!((part["mass_kg"].as_f64().unwrap() / (volume * 7850e-9) - 1.0).abs() < 1e-9);
    let holes = part["holes"].as_array().unwrap();
    assert_eq!(holes.len(), 2);
    for (hole, (name, radius, x)) in holes.iter().zip([("H1", 10.0, 15.0), ("H2", 8.0, 285.0)]) {
        assert_eq!(hole["name"], name);
        // Nodes lie on the surface to the last digits of the file.
        close(&hole["axis"], &[0.0, 0.0, 1.0], 1e-9);
        close(&hole["centre"], &[x, 0.0, 0.0], 1e-6);
        assert!((hole["radius"].as_f64().unwrap() - radius).abs() < 1e-6);
        assert!((hole["depth"].as_f64().unwrap() - 30.0).abs() < 1e-6);
    }
    // Six outside, six of the cavity.
    let planes = part["planes"].as_array().unwrap();
    assert_eq!((planes.len(), part["shafts"].as_array().unwrap().len()), (12, 0));
    close(&planes[0]["normal"], &[-1.0, 0.0, 0.0], 1e-9);
    close(&planes[0]["centre"], &[0.0, 0.0, 0.0], 1e-6);
    // In metres it is the same part.
    let si = bench.json(&["inspect", "arm.step", "--units", "si", "--json"]);
    assert!((si["volume"].as_f64().unwrap() / (volume * 1e-9) - 1.0).abs() < 1e-9);
}

const MACHINE: &str = "\
[links.arm]
deck       = 'arm.step'
units      = 'mm-t-s'
material   = 'steel'
mesh       = { size = 14, refine = { holes = 5 } }
inboard    = { hole = 'H1' }
interfaces = { tip = { hole = 'H2' } }
[joints]
hinge = { parent = 'ground', child = 'arm', type = 'revolute', drive = { motion = { profile = 'cycloidal', from_deg = 0, to_deg = 60, time = 0.2 } } }
[analysis]
end  = 0.01
step = 1e-3
";

/// Twelve lines from the STEP file to the motion; the same file gives the same key, whatever its name.
#[test]
fn an_arm_from_its_step_file_moves_and_is_kept_in_the_cache() {
    let Some(bench) = Bench::new() else { return };
    assert!(MACHINE.lines().count() <= 12);
    fs::write(bench.at("m.toml"), MACHINE).unwrap();
    let run = bench.run(&["run", "m.toml"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let link = |file: &str| bench.json(&["reduce", file, "--json"])["links"]["arm"].clone();
    let kept = link("m.toml");
    assert_eq!(kept["from_cache"], true, "{kept:#}");
    let exact = (360_000.0 - 132_000.0 - std::f64::consts::PI * 164.0 * 30.0) * 7850e-9;
    assert!((kept["mass"].as_f64().unwrap() / exact - 1.0).abs() < 1e-3);
    fs::copy(bench.at("arm.step"), bench.at("other name.stp")).unwrap();
    fs::write(bench.at("other.toml"), MACHINE.replace("arm.step", "other name.stp")).unwrap();
    assert_eq!(link("other.toml")["from_cache"], true);
    // Another mesh is another link.
    fs::write(bench.at("finer.toml"), MACHINE.replace("size = 14", "size = 13")).unwrap();
    assert_eq!(link("finer.toml")["from_cache"], false);
}

#[test]
fn what_cannot_be_a_link_is_refused_by_name() {
    let Some(bench) = Bench::new() else { return };
    let reduced = |from: &str, to: &str| {
        let changed = MACHINE.replace(from, to);
        assert_ne!(changed, MACHINE);
        fs::write(bench.at("m.toml"), changed).unwrap();
        bench.text(&["reduce", "m.toml", "--no-cache"])
    };
    let unknown = reduced("hole = 'H2'", "hole = 'H3'");
    assert!(unknown.contains("the part has no hole `H3`") && unknown.contains("H1, H2"), "{unknown}");
    assert!(unknown.contains("m.toml:7:"), "{unknown}");
    assert!(reduced("holes = 5", "bores = 5").contains("the part has no feature `bores`"));
    assert!(
        reduced("mesh       = { size = 14, refine = { holes = 5 } }\n", "")
            .contains("a STEP file needs `mesh`")
    );
    assert!(
        reduced("units      = 'mm-t-s'", "units = { length = 0.3, mass = 1, time = 1 }")
            .contains("m, mm or inch")
    );

    bench.part("touch", "Box(1) = {0, 0, 0, 10, 10, 10}; Box(2) = {10, 0, 0, 20, 10, 10};");
    assert!(
        bench.text(&["inspect", "touch.step"]).contains("2 solids are bonded at their common faces: V1 + V2")
    );
    bench.part("apart", "Box(1) = {0, 0, 0, 10, 10, 10}; Box(2) = {12, 0, 0, 20, 10, 10};");
    assert!(bench.text(&["inspect", "apart.step"]).contains("do not touch: V1 and V2"));
    bench.part("overlap", "Box(1) = {0, 0, 0, 10, 10, 10}; Box(2) = {8, 0, 0, 20, 10, 10};");
    assert!(bench.text(&["inspect", "overlap.step"]).contains("overlap: 2 solids make 3 pieces"));
    bench.part("plate", "Box(1) = {0, 0, 0, 100, 60, 3};");
    let plate = bench.text(&["mesh", "plate.step", "--size", "6", "--material", "steel"]);
    assert!(plate.contains("1 element lies through a thickness of about 3.000"), "{plate}");
    let fine =
        bench.text(&["mesh", "plate.step", "--size", "1.4", "--material", "steel", "--out", "fine.bdf"]);
    assert!(!fine.contains("is thin"), "{fine}");
    assert!(bench.text(&["check", "plate.step"]).contains("`pliant mesh` meshes it"));
    fs::write(bench.at("broken.step"), &fs::read(ARM).unwrap()[..9000]).unwrap();
    assert_eq!(bench.run(&["inspect", "broken.step"]).status.code(), Some(1));
}

#[test]
fn without_gmsh_the_message_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    let output = command.args(["inspect", ARM]).env("PATH", folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("not on PATH") && text.contains("apt install gmsh"), "{text}");
}

/// Ten free frequencies of a box, consistent mass: λ converges as h^2p, p the order of the elements. gmsh
/// does not halve edges when the size is halved, so that h is that of the number of grids.
#[test]
fn the_first_ten_frequencies_converge_at_the_order_of_the_elements() {
    let Some(bench) = Bench::new() else { return };
    bench.part("box", "Box(1) = {0, -15, -10, 100, 30, 20};");
    let frequencies = |size: f64, order: u32| -> (f64, Vec<f64>) {
        let (size, order) = (size.to_string(), order.to_string());
        let mesh = ["mesh", "box.step", "--size", &size, "--order", &order, "--material", "steel"];
        let mesh = bench.json(&[&mesh[..], &["--out", "box.bdf", "--json"]].concat());
        let modes = ["modes", "box.bdf", "--units", "mm-t-s", "--free", "--mass", "consistent"];
        let modes = bench.json(&[&modes[..], &["--count", "16", "--json"]].concat());
        let modes = modes["frequencies_hz"].as_array().unwrap()[6..].iter();
        (mesh["grids"].as_f64().unwrap().cbrt().recip(), modes.map(|f| f.as_f64().unwrap()).collect())
    };
    let (_, exact) = frequencies(3.0, 2);
    for order in [1, 2] {
        let [(h1, coarse), (h2, fine)] = [10.0, 5.0].map(|size| frequencies(size, order));
        let error = |found: &[f64], k: usize| found[k] / exact[k] - 1.0;
        // Consistent mass makes every frequency too high.
        assert!((0..10).all(|k| error(&fine, k) > 0.0 && error(&coarse, k) > 0.0));
        let orders: Vec<f64> =
            (0..10).map(|k| (error(&coarse, k) / error(&fine, k)).ln() / (h1 / h2).ln()).collect();
        println!("order {order}: {orders:.2?}");
        // Unstructured meshes are not similar to each other: the mean, and half an order below.
        assert!(orders.iter().sum::<f64>() / 10.0 > 2.0 * f64::from(order) - 0.5, "{orders:?}");
    }
}
