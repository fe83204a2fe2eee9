//! Intact inputs: the decks and pipeline files of the repository, and small texts.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Longer files cost executions and show nothing new.
const LONGEST: usize = 12_000;

fn files(folder: &Path, ending: &[&str], found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the repository has its seeds");
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| ending.iter().any(|wanted| e == *wanted)) {
            found.push(path);
        }
    }
}

pub(crate) fn texts(folder: &str, ending: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    files(&Path::new(ROOT).join(folder), ending, &mut paths);
    paths.sort();
    let texts = paths.iter().map(|path| fs::read(path).expect("a seed can be read"));
    let texts: Vec<_> = texts.filter(|text| text.len() <= LONGEST).collect();
    assert!(!texts.is_empty(), "{folder} has no seeds");
    texts
}

pub(crate) fn decks() -> Vec<Vec<u8>> {
    texts("tests/decks", &["bdf", "inc"])
}

pub(crate) fn pipelines() -> Vec<Vec<u8>> {
    texts("pipelines", &["toml"])
}

/// A machine of one rigid link, so that its study reads no deck.
pub(crate) const STUDY: &str = r#"title = "rod"
gravity = [0, 0, -9.81]
[links.rod]
rigid = { mass = 2.0, centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1], interfaces = { tip = [1, 0, 0] } }
[joints.hub]
parent = "ground"
child  = "rod"
type   = "revolute"
axis   = "z"
drive  = { motion = { profile = "cycloidal", to = 1.0, time = 1.0 } }
[payload]
at = "rod.tip"
mass = 1.0
[analysis]
end  = 0.02
step = 2e-3
[output]
tip = "rod.tip"
[study]
grid = { "payload.mass" = [0, 1, 2], "gravity.2" = { from = -9.81, to = 0, count = 3 } }
metrics = { worst = "max(abs(tip.error))", both = "worst + mass" }
constraints = { light = "mass < 3" }
filter = "payload.mass < 2"
"#;

pub(crate) fn studies() -> Vec<Vec<u8>> {
    let grid = "grid = { \"payload.mass\" = [0, 1, 2], \"gravity.2\" = { from = -9.81, to = 0, count = 3 } }";
    let others = [
        "sample = { method = \"sobol\", count = 8, over = { \"payload.mass\" = { uniform = [0, 3] } } }",
        "sample = { method = \"latin-hypercube\", count = 8, over = { \"payload.mass\" = { normal = [2, 0.1] } } }",
        "zip = { \"payload.mass\" = [0, 1, 2], \"gravity.2\" = [1, 2, 3] }",
    ];
    let mut all = vec![STUDY.as_bytes().to_vec()];
    all.extend(others.map(|other| STUDY.replace(grid, other).into_bytes()));
    all
}

pub(crate) fn expressions() -> Vec<Vec<u8>> {
    let all = [
        "20*sin(2*pi*3*t) + 5",
        "max(abs(tip.error)) < 2e-3 and mass < 40",
        "-(1 - 2^-3)**2 / (a.b + c_d)",
        "not (x >= 3 or y == 4) and after(0.5, min(tip.error)) > 1e-9",
        "if(t < 1, 3, exp(-t)) + sqrt(abs(cos(t)))",
    ];
    all.map(|text| text.as_bytes().to_vec()).to_vec()
}

pub(crate) fn tables() -> Vec<Vec<u8>> {
    let all = [
        "t, a, b\n# comment\n0, 1, 2\n1; 3 ;4 # more\n2, 1e-3, -7.5\n",
        "0 1\n1\t2\n\n3 4\n",
        "0;1\r\n2;3\r\n",
    ];
    all.map(|text| text.as_bytes().to_vec()).to_vec()
}

pub(crate) fn lists() -> Vec<Vec<u8>> {
    let all = [
        "# cases\npayload.mass, links.rod.material\n1,\"x, y\"\r\n2,z\n3.5e-3,\"a \"\"quoted\"\" word\"\n",
        "a,b\n[1, 2],true\n{ a = 1 },-7\n'it',1e300\n",
    ];
    all.map(|text| text.as_bytes().to_vec()).to_vec()
}
