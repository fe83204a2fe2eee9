//! A folder with a small machine, and the program run in it with a fault.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use assert_cmd::cargo::cargo_bin;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

pub(crate) const BULK: &str = include_str!("../inputs/rod.bdf");

const MACHINE: &str = r#"
title = "rod"
gravity = [0, 0, -9.81]
[links.rod]
deck = "upper.bdf"
inboard = 1
interfaces = { tip = 3 }
modes = { count = 2 }
[joints.hub]
parent = "ground"
child  = "rod"
type   = "revolute"
axis   = "-y"
drive  = { motion = { profile = "cycloidal", to = 1.0, time = 1.0 } }
[analysis]
end  = 0.006
step = 2e-3
[output]
tip = "rod.tip"
frames = 2
"#;

const STUDY: &str = "\n[study]\nkeep = \"all\"\ngrid = { \"gravity.2\" = [-9.81, 0.0] }\nmetrics = { worst = \"max(abs(tip.error))\" }\n";

/// Responses of the arm, with matrices for other programs.
const RESPONSE: &str = "
[response]
state_space = true
inputs = [\"rod.tip.force_z\"]
outputs = [\"tip.acceleration_z\"]
frequencies = { from = 1, to = 100, count = 5 }
shapes = 1
";

const CANTILEVER: &str = include_str!("../../../../inputs/verification/cantilever.bdf");

/// The call that fails.
pub(crate) struct Fault {
    pub(crate) at: usize,
    /// And all later ones that write.
    pub(crate) stays: bool,
}

/// A folder for one command.
pub(crate) struct Bench {
    folder: TempDir,
}

/// The shim, built once. Without a C compiler there is no such test, and no program either: the build needs
/// one.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shim-{}.so", std::process::id()));
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&library)
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(built.unwrap().success(), "cc cannot build the shim");
        library
    })
}

impl Bench {
    pub(crate) fn new() -> Self {
        let bench = Self { folder: TempDir::new().unwrap() };
        fs::write(bench.path("upper.bdf"), BULK).unwrap();
        fs::write(bench.path("arm.toml"), MACHINE).unwrap();
        fs::write(bench.path("study.toml"), [MACHINE, STUDY].concat()).unwrap();
        fs::write(bench.path("response.toml"), [MACHINE, RESPONSE].concat()).unwrap();
        fs::write(bench.path("cantilever.bdf"), CANTILEVER).unwrap();
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same files in another folder.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self { folder: TempDir::new().unwrap() };
        copy_folder(self.folder.path(), copy.folder.path());
        copy
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("pliant"));
        command.args(["--threads", "1"]).args(arguments).current_dir(self.folder.path());
        command.env("PLIANT_CACHE", self.path("cache")).env("RUST_BACKTRACE", "0");
        command
    }

    /// Runs a command that must end well.
    pub(crate) fn good(&self, arguments: &[&str]) {
        let output = self.good_or_bad(arguments);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{text}");
    }

    pub(crate) fn good_or_bad(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Calls that a command makes of what may fail.
    pub(crate) fn count(&self, arguments: &[&str]) -> usize {
        let counts = TempDir::new().unwrap();
        let file = counts.path().join("calls");
        let output =
            self.command(arguments).env("LD_PRELOAD", shim()).env("FAULT_COUNT", &file).output().unwrap();
        assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
        let counts = fs::read_to_string(file).unwrap();
        counts.lines().map(|line| line.parse::<usize>().unwrap()).max().unwrap()
    }

    /// Runs a command with a fault.
    pub(crate) fn fail(&self, arguments: &[&str], fault: Fault) -> Output {
        let mut command = self.command(arguments);
        command.env("LD_PRELOAD", shim()).env("FAULT_AT", fault.at.to_string());
        if fault.stays {
            command.env("FAULT_STAYS", "1");
        }
        command.output().unwrap()
    }

    /// All numbers of a results file; one that cannot be read is wrong.
    pub(crate) fn csv(&self, results: &str) -> String {
        // In this process: a reader in a child would double the number of processes.
        let mut command = self.command(&["export", results, "--csv", "numbers.csv"]);
        let output = command.env("PLIANT_READER", std::process::id().to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let text = fs::read_to_string(self.path("numbers.csv")).unwrap();
        fs::remove_file(self.path("numbers.csv")).unwrap();
        text
    }

    /// The deformed points of a file, read by libhdf5 alone.
    pub(crate) fn points(&self, file: &str) -> String {
        let file = hdf5::File::open(self.path(file)).unwrap();
        let points = file.dataset("VTKHDF/Points").unwrap().read_raw::<f32>().unwrap();
        let moved = file.dataset("VTKHDF/PointData/displacement").unwrap().read_raw::<f32>().unwrap();
        format!("{points:?} {moved:?}")
    }

    /// The numbers of a response, read by libhdf5 alone.
    pub(crate) fn response(&self, file: &str) -> Option<String> {
        let path = self.path(file);
        if !path.exists() {
            return None;
        }
        let file = hdf5::File::open(path).unwrap();
        let numbers = |name: &str| file.dataset(name).unwrap().read_raw::<f64>().unwrap();
        Some(format!(
            "{:?} {:?} {:?}",
            numbers("response/real"),
            numbers("state_space/pose_1/A"),
            numbers("undamped/frequency")
        ))
    }

    /// The metric of a merged study.
    pub(crate) fn column(&self, file: &str) -> String {
        let file = hdf5::File::open(self.path(file)).unwrap();
        format!("{:?}", file.dataset("metrics/worst").unwrap().read_raw::<f64>().unwrap())
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    /// Hash of a file, if it is there.
    pub(crate) fn hash(&self, name: &str) -> Option<String> {
        let bytes = fs::read(self.path(name)).ok()?;
        Some(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target)
        } else {
            let _ = fs::copy(&path, &target).unwrap();
        }
    }
}
