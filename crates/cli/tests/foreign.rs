//! Meshes of other preprocessors on the command line and in a pipeline file.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn mesh(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/decks/exchange").join(name)
}

/// Exit code, standard output and standard error.
fn pliant(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("pliant").unwrap();
    command.env("PLIANT_CACHE", folder.join("cache")).current_dir(folder).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_mesh_goes_round_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = mesh("hexa2-4b.msh");
    let material = ["--material", "steel"];
    let mut from = first.to_str().unwrap().to_owned();
    for to in ["a.inp", "a.cdb", "a.bdf", "a.unv", "a.msh", "a.vtu"] {
        let (code, out, err) = pliant(at, &[&["convert", &from, to][..], &material].concat());
        assert_eq!(code, 0, "{from} to {to}: {out}{err}");
        from = to.to_owned();
    }
    // Frequencies of the first and of what came through bulk data, whose numbers have sixteen columns.
    let frequencies = |name: &str| {
        let (code, out, err) =
            pliant(at, &["modes", name, "--free", "--count", "9", "--material", "steel", "--json"]);
        assert_eq!(code, 0, "{name}: {out}{err}");
        let facts: serde_json::Value = serde_json::from_str(&out).unwrap();
        let list = facts["frequencies_hz"].as_array().unwrap().clone();
        list.iter().map(|f| f.as_f64().unwrap()).collect::<Vec<_>>()
    };
    let (a, b) = (frequencies(first.to_str().unwrap()), frequencies("a.msh"));
    for (a, b) in a.iter().zip(&b).skip(6) {
        // Coordinates of 16 columns have 12 digits or more.
        assert!((a / b - 1.0).abs() < 1e-8, "{a} and {b}");
    }
    // A file of others is not replaced, nor one that is read.
    fs::write(at.join("theirs.inp"), "*HEADING\nnot ours\n").unwrap();
    let (code, out, _) = pliant(at, &["convert", "a.msh", "theirs.inp", "--material", "steel"]);
    assert!(code == 1 && out.contains("was not written by Pliant"), "{out}");
    let (code, _, err) = pliant(at, &["convert", "a.msh", "a.step"]);
    assert!(code == 1 && err.contains("names no format"), "{err}");
}

#[test]
fn a_link_of_a_gmsh_mesh_has_interfaces_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let link = |rest: &str| {
        format!(
            "[links.arm]\ndeck = {:?}\ninboard = {{ set = \"Root Face\" }}\n\
             interfaces = {{ tip = {{ plane = {{ normal = \"x\", through = [0.1, 0.01, 0.01] }}, tolerance = 0.003 }} }}\n\
             modes = {{ count = 40 }}\n{rest}\n[joints.base]\nparent = \"ground\"\nchild = \"arm\"\ntype = \"fixed\"\n\
             [analysis]\nend = 0.01\nstep = 1e-3\n[output]\ntip = \"arm.tip\"\n",
            mesh("hexa2-4.msh")
        )
    };
    let reduce = |name: &str, rest: &str| {
        fs::write(folder.path().join(name), link(rest)).unwrap();
        pliant(folder.path(), &["reduce", name, "--json"])
    };
    let frequency = |out: &str| {
        let facts: serde_json::Value = serde_json::from_str(out).unwrap();
        facts["links"]["arm"]["modes_hz"][0].as_f64().unwrap()
    };
    let (code, steel, err) = reduce("steel.toml", "groups = { body = { material = \"steel\" } }");
    assert_eq!(code, 0, "{steel}{err}");
    let (code, other, err) = reduce(
        "aluminium.toml",
        "material = \"steel\"\ngroups = { 7 = { material = { e = 52.5e9, nu = 0.3, rho = 7850 } } }",
    );
    assert_eq!(code, 0, "{other}{err}");
    // A quarter of the stiffness: half the frequency, as far as the eigensolver goes.
    let ratio = frequency(&steel) / frequency(&other);
    assert!((ratio - 2.0).abs() < 1e-6, "{ratio}");
    let (code, out, err) = reduce("wrong.toml", "groups = { bodi = { material = \"steel\" } }");
    assert!(code == 1 && format!("{out}{err}").contains("its groups are body"), "{out}{err}");
}

#[test]
fn a_problem_is_shown_at_its_line_of_the_foreign_file() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 77\n";
    fs::write(folder.path().join("a.inp"), text).unwrap();
    let (code, out, _) = pliant(folder.path(), &["check", "a.inp", "--material", "steel"]);
    assert_eq!(code, 1);
    assert!(out.contains("a.inp:6:1") && out.contains("1, 1, 2, 3, 77") && out.contains("GRID 77"), "{out}");
}
