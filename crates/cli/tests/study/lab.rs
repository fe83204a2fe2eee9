//! A folder with a small machine and a study of it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A steel rod of 40 mm diameter and 1 m that turns by 1 rad in 1 s / speed, with a payload.
const MACHINE: &str = concat!(
    r#"
title = "rod"
gravity = [0, 0, 0]
[links.rod]
LINK
"#,
    include_str!("../inputs/hub.toml"),
    r#"[payload]
at   = "rod.tip"
mass = 0.5
[analysis]
end  = 0.3
step = 2e-3
[output]
tip = "rod.tip"
settle = { tolerance = 1e-3 }
[study]
STUDY
parameters = { PARAMETERS }
set = { SET }
constraints = { light = "torque < 50" }
"#
);

const BEAM: &str = "beam = { length = 1.0, elements = 8, section = { rod = 0.04 }, material = \"steel\" }\nmodes = { count = 3 }";
const DECK: &str = "deck = \"rod.bdf\"\ninboard = 1\ninterfaces = { tip = 3 }\nmodes = { count = 2 }";

const BULK: &str = include_str!("../inputs/rod.bdf");

/// A folder for one test.
pub(crate) struct Lab {
    folder: TempDir,
    /// For the program.
    pub(crate) environment: Vec<(String, String)>,
}

/// What a run of the program said.
pub(crate) struct Printed {
    pub(crate) code: Option<i32>,
    /// All it printed.
    pub(crate) text: String,
    stdout: Vec<u8>,
}

impl Printed {
    pub(crate) fn new(output: Output) -> Self {
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        Self {
            code: output.status.code(),
            text: String::from_utf8_lossy(&text).into_owned(),
            stdout: output.stdout,
        }
    }

    pub(crate) fn good(&self) -> bool {
        self.code == Some(0)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

impl Lab {
    /// With the given lines in `[study]`.
    pub(crate) fn new(study: &str) -> Self {
        let lab = Self { folder: tempfile::tempdir().unwrap(), environment: Vec::new() };
        lab.write(study, BEAM);
        lab
    }

    fn write(&self, study: &str, link: &str) {
        // A study that does not use the speed does not name it.
        let speed = study.contains("speed") || study.contains("cases.csv");
        let usual = "metrics = { torque = \"max(abs(joints.hub.torque))\", mass = \"mass\", peak = \"max(abs(tip.error))\" }";
        let (metrics, light) =
            if study.contains("metrics") { ("", "mass > 0") } else { (usual, "torque < 50") };
        let text = MACHINE
            .replace("LINK", link)
            .replace("STUDY", &format!("{study}\n{metrics}"))
            .replace("PARAMETERS", if speed || study.contains("spede") { "speed = []" } else { "" })
            .replace("SET", if speed { "\"joints.hub.drive.motion.time\" = \"1 / speed\"" } else { "" })
            .replace("torque < 50", light);
        fs::write(self.path("p.toml"), text).unwrap();
    }

    /// Another study in the same folder.
    pub(crate) fn with_study(&self, study: &str) -> &Self {
        self.write(study, BEAM);
        self
    }

    /// The link as a deck.
    pub(crate) fn with_deck(self) -> Self {
        let text = fs::read_to_string(self.path("p.toml")).unwrap();
        fs::write(self.path("p.toml"), text.replace(BEAM, DECK)).unwrap();
        fs::write(self.path("rod.bdf"), BULK).unwrap();
        self
    }

    /// Runs that take ten times as long.
    pub(crate) fn slow(self) -> Self {
        let text = fs::read_to_string(self.path("p.toml")).unwrap();
        fs::write(self.path("p.toml"), text.replace("end  = 0.3", "end  = 3.0")).unwrap();
        self
    }

    /// Whether two files have the same bytes.
    pub(crate) fn same_file(&self, a: &str, b: &str) -> bool {
        fs::read(self.path(a)).unwrap() == fs::read(self.path(b)).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The study's folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.path("study")
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder().join(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("pliant"));
        command.current_dir(self.folder.path()).env("PLIANT_CACHE", self.path("cache")).args(arguments);
        command.envs(self.environment.iter().cloned());
        command
    }

    pub(crate) fn pliant(&self, arguments: &[&str]) -> Printed {
        Printed::new(self.command(arguments).output().unwrap())
    }

    /// `pliant run` of the study, for machines.
    pub(crate) fn run(&self, options: &[&str]) -> Printed {
        let arguments = [&["run", "p.toml", "--out", "study", "--json"], options].concat();
        self.pliant(&arguments)
    }

    pub(crate) fn without_cache(&self, arguments: &[&str]) -> Printed {
        let mut command = self.command(arguments);
        command.env_remove("PLIANT_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
        Printed::new(command.output().unwrap())
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Waits until there are so many segments.
    pub(crate) fn wait_for_segments(&self, count: usize) {
        let start = Instant::now();
        let there = || fs::read_dir(self.folder().join("segments")).map_or(0, |entries| entries.count());
        while there() < count {
            assert!(start.elapsed() < Duration::from_secs(60), "no segment came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until a task has said something.
    pub(crate) fn wait_for_log(&self, text: &str) {
        let start = Instant::now();
        let logs = || fs::read_dir(self.folder().join("logs")).unwrap().map(|entry| entry.unwrap().path());
        while !logs().any(|path| fs::read_to_string(path).unwrap().contains(text)) {
            assert!(start.elapsed() < Duration::from_secs(60), "no task said {text:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Runs the program with a small file system of its own mounted on a folder; `None` where that is not
    /// allowed.
    pub(crate) fn on_tmpfs(&self, folder: &str, options: &str, arguments: &[&str]) -> Option<Printed> {
        let script = format!(
            "mount -t tmpfs -o {options} tmpfs {} || exit 99; exec \"$@\"",
            self.path(folder).display()
        );
        let program = assert_cmd::cargo::cargo_bin!("pliant");
        let output = Command::new("unshare")
            .args(["--mount", "sh", "-c", &script, "sh"])
            .arg(Path::new(program))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PLIANT_CACHE", self.path("cache"))
            .output()
            .ok()?;
        let reported = Printed::new(output);
        let refused = reported.code == Some(99) || reported.text.contains("unshare:");
        (!refused).then_some(reported)
    }

    /// The rows of `results.csv` by their columns.
    pub(crate) fn table(&self) -> Vec<HashMap<String, String>> {
        let text = fs::read_to_string(self.folder().join("results.csv")).unwrap();
        let mut lines = text.lines();
        let names: Vec<_> = lines.next().unwrap().split(',').map(str::to_owned).collect();
        lines.map(|line| names.iter().cloned().zip(line.split(',').map(str::to_owned)).collect()).collect()
    }
}

/// Sends a signal to a process that we started.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(status.unwrap().success());
}
