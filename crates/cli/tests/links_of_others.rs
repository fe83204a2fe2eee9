//! Links that others have made: a Gmsh export, the links of FEDEM's suspension and scissor lift. Nothing of
//! that data is in the repository; without it the tests say so and pass.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A folder of the shared data; `None` with a visible word when it is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    if full.exists() {
        return Some(full);
    }
    println!("SKIPPED: {} is not there", full.display());
    None
}

/// What `pliant reduce --json` says of the links of a pipeline file, which must all be usable.
fn links(pipeline: &str) -> Value {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("pipeline.toml");
    fs::write(&path, pipeline).unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("pliant"));
    let output = command.arg("reduce").arg(&path).args(["--json", "--no-cache"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    report["links"].clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn a_gmsh_export_is_a_link_of_a_few_lines() {
    let Some(folder) = shared("gmsh") else { return };
    let link = |name: &str, file: &str| {
        format!(
            "[links.{name}]\n\
             deck       = '{}'\n\
             units      = 'mm-t-s'\n\
             material   = 'steel'\n\
             inboard    = {{ cylinder = {{ axis = 'z', radius = 30 }} }}\n\
             interfaces = {{ elbow = {{ cylinder = {{ axis = 'z', through = [400, 0, 0], radius = 20 }} }} }}\n\
             basis      = 'cantilever'\n\
             modes      = {{ count = 7 }}\n",
            folder.join(file).display()
        )
    };
    let links = links(
        &[
            link("small", "arm-tet10-small-field.bdf"),
            link("free", "arm-tet10-free-field.bdf"),
            link("linear", "arm-tet4-large-field.bdf"),
        ]
        .concat(),
    );
    // The folder's README: clamped at the large hole, an independent solution that MYSTRAN agrees with.
    let given = [191.9633, 314.4854, 1304.246, 1342.377, 1992.724, 2619.701, 3413.539];
    let [small, free, linear] = ["small", "free", "linear"].map(|name| numbers(&links[name]["modes_hz"]));
    for (found, given) in small.iter().zip(given) {
        // Asked for; 2e-6 comes from how curved tetrahedra are integrated.
        assert!((found / given - 1.0).abs() < 1e-5, "{found} {given}");
    }
    assert_eq!(small, free, "the two files are the same mesh");
    assert_eq!(links["small"]["mass"], links["free"]["mass"]);
    assert!((links["small"]["mass"].as_f64().unwrap() / 9.70659 - 1.0).abs() < 1e-6);
    for (linear, quadratic) in linear.iter().zip(&small) {
        // Stiffer, but the same machine part.
        assert!((1.0..1.15).contains(&(linear / quadratic)), "{linear} {quadratic}");
    }
}

#[test]
fn the_links_of_a_suspension_and_a_lift_are_healthy() {
    let Some(folder) = shared("fedem") else { return };
    let link = |name: &str, file: &str, interfaces: &str| {
        let deck = folder.join(file);
        format!("[links.{name}]\ndeck = '{}'\n{interfaces}\nmodes = {{ count = 12 }}\n", deck.display())
    };
    // The lower arm and the larger links of the lift take half a minute here; by hand they are as healthy.
    let links = links(
        &[
            link("knuckle", "suspension/knuckle.nas", "inboard = 1\ninterfaces = { a = 2, b = 3, c = 4 }"),
            link("uca", "suspension/uca.nas", "inboard = 2158\ninterfaces = { a = 2159, b = 2160 }"),
            link(
                "sl-a",
                "scissor-lift/parts/sl-a.bdf",
                "inboard = { box = { from = [-1, -2, -1], to = [0.07, 0, 1] } }\n\
             interfaces = { far = { box = { from = [1.265, -2, -1], to = [2, 0, 1] } } }",
            ),
            link(
                "sl-m",
                "scissor-lift/parts/sl-m.bdf",
                "inboard = { plane = { normal = 'z', through = [0, 0, -0.34] } }\n\
             interfaces = { far = { plane = { normal = 'z', through = [0, 0, 0.34] } } }",
            ),
        ]
        .concat(),
    );
    for (name, link) in links.as_object().unwrap() {
        assert_eq!(numbers(&link["modes_hz"]).len(), 12, "{name}");
        assert_eq!(link["failed_checks"].as_array().unwrap().len(), 0, "{name}");
        for key in ["mass_error", "inertia_error", "grounding"] {
            assert!(link[key].as_f64().unwrap() < 1e-9, "{name}: {key}");
        }
    }
}

/// Constraint modes answer a load on an interface; what rounding leaves of it behind an averaging spider is
/// no coordinate of the link.
#[test]
fn a_residual_vector_that_is_rounding_is_left_out() {
    let Some(deck) = shared("gmsh/arm-tet10-free-field.bdf") else { return };
    let link = format!(
        "[links.arm]\ndeck = '{}'\nunits = 'mm-t-s'\nmaterial = 'steel'\nmodes = {{ count = 12 }}\nresidual = ['elbow.z']\n\
         inboard = {{ cylinder = {{ axis = 'z', radius = 30 }} }}\n\
         interfaces = {{ elbow = {{ cylinder = {{ axis = 'z', radius = 20, through = [400, 0, 0] }}, spider = 'average' }} }}\n",
        deck.display()
    );
    let arm = &links(&link)["arm"];
    assert_eq!(arm["coordinates"].as_u64(), Some(18), "{arm}");
    assert!(arm["failed_checks"].as_array().unwrap().is_empty(), "{arm}");
}

#[test]
fn three_hundred_modes_and_ten_interfaces() {
    let Some(deck) = shared("fedem/scissor-lift/parts/sl-a.bdf") else { return };
    // Second order would take one load case for each of the sixty interface components.
    let link = |modes: usize| {
        format!(
            "[links.many]\ndeck = '{}'\ninboard = 66829\nsecond_order = false\nmodes = {{ count = {modes} }}\n\
             interfaces = {{ a = 66414, b = 66559, c = 68379, d = 67444, e = 66656, f = 68141, g = 68165, \
             h = 67931, i = 67910, j = 67885 }}\n",
            deck.display()
        )
    };
    let [few, many] = [12, 300].map(|modes| links(&link(modes))["many"].clone());
    let [few_hz, many_hz] = [&few, &many].map(|link| numbers(&link["modes_hz"]));
    assert_eq!(many_hz.len(), 300);
    assert_eq!(many["interface_dofs"].as_u64(), Some(60));
    assert!(many_hz.is_sorted() && many["failed_checks"].as_array().unwrap().is_empty(), "{many}");
    for (few, many) in few_hz.iter().zip(&many_hz) {
        // Shapes are settled to 1e-7 at worst, frequencies to half its square; the rest is rounding.
        assert!((few - many).abs() < 1e-8 * many, "{few} Hz, {many} Hz");
    }
}
