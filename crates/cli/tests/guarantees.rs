//! Promises 2, 3, 4 and 7 of docs/guarantees.md, at the command line.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "guarantees/attacks.rs"]
mod attacks;
#[path = "guarantees/damage.rs"]
mod damage;
#[cfg(target_os = "linux")]
#[path = "guarantees/limits.rs"]
mod limits;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

const MACHINE: &str = concat!(
    r#"
title = "rod \u001b]0;owned\u0007"
gravity = [0, 0, -9.81]
[links.rod]
beam = { length = 1.0, elements = 4, section = { rod = 0.04 }, material = "steel" }
modes = { count = 2 }
"#,
    include_str!("inputs/hub.toml"),
    r#"[analysis]
end  = 0.02
step = 2e-3
[output]
tip = "rod.tip"
frames = 2
"#
);

/// A folder with a machine and its results.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let bench = Self { folder: TempDir::new().unwrap() };
        fs::write(bench.path("arm.toml"), MACHINE).unwrap();
        bench.good(&["run", "arm.toml", "--out", "r.vtkhdf"]);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("pliant"));
        command.args(arguments).current_dir(self.folder.path()).env("PLIANT_CACHE", self.path("cache"));
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn good(&self, arguments: &[&str]) {
        let output = self.output(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", text(&output));
    }

    /// Runs a command that must be refused with these words and change no file.
    fn refused(&self, arguments: &[&str], words: &str) {
        let before = self.files();
        let output = self.output(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?} {}", text(&output));
        assert!(text(&output).contains(words), "{arguments:?}: no {words:?} in {}", text(&output));
        assert_eq!(self.files(), before, "{arguments:?} changed files");
    }

    /// Names and contents of all files but those of the cache.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .filter(|path| path.is_file())
            .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    }
}

pub(crate) fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn no_output_option_replaces_an_input_or_a_file_of_others() {
    let bench = Bench::new();
    let reads = "it is a file that this command reads";
    fs::hard_link(bench.path("r.vtkhdf"), bench.path("hard.csv")).unwrap();
    symlink("r.vtkhdf", bench.path("soft.csv")).unwrap();
    for target in ["r.vtkhdf", "hard.csv", "soft.csv"] {
        for option in ["--csv", "--mat", "--vtkhdf"] {
            bench.refused(&["export", "r.vtkhdf", option, target], reads);
        }
        bench.refused(&["report", "r.vtkhdf", "--out", target], reads);
    }
    bench.refused(&["run", "arm.toml", "--out", "arm.toml"], reads);
    fs::write(bench.path("notes.txt"), "mine").unwrap();
    let foreign = "was not written by Pliant";
    bench.refused(&["export", "r.vtkhdf", "--csv", "notes.txt"], foreign);
    bench.refused(&["report", "r.vtkhdf", "-o", "notes.txt"], foreign);
    bench.refused(&["run", "arm.toml", "--out", "notes.txt"], foreign);
    // What the program wrote it may write again.
    for _ in 0..2 {
        bench.good(&[
            "export", "r.vtkhdf", "--csv", "a.csv", "--mat", "a.mat", "--vtkhdf", "a.vtkhdf", "--bulk", "b",
        ]);
        bench.good(&["report", "r.vtkhdf"]);
        bench.good(&["run", "arm.toml", "--out", "r.vtkhdf"]);
    }
    // Results are not lost to an option that names the wrong file; --force is for files of ours alone.
    bench.good(&["run", "arm.toml", "--out", "other.vtkhdf"]);
    bench.refused(&["export", "r.vtkhdf", "--csv", "other.vtkhdf"], "the results of a run; --force");
    bench.refused(&["export", "r.vtkhdf", "--vtkhdf", "other.vtkhdf"], "the results of a run; --force");
    bench.refused(&["report", "r.vtkhdf", "--out", "a.csv"], "as CSV; --force");
    bench.refused(&["export", "r.vtkhdf", "--csv", "notes.txt", "--force"], foreign);
    bench.refused(&["export", "r.vtkhdf", "--csv", "r.vtkhdf", "--force"], reads);
    bench.good(&["export", "r.vtkhdf", "--csv", "other.vtkhdf", "--force"]);
    // A study does not move in where somebody lives, not even beside a pipeline.toml.
    fs::create_dir(bench.path("home")).unwrap();
    fs::write(bench.path("home/pipeline.toml"), "mine").unwrap();
    let study = [MACHINE, "[study]\ngrid = { \"gravity.2\" = [0.0, -9.81] }\n"].concat();
    fs::write(bench.path("study.toml"), study).unwrap();
    bench.refused(&["run", "study.toml", "--out", "home"], "holds other files");
    assert_eq!(fs::read(bench.path("home/pipeline.toml")).unwrap(), b"mine");
}

#[test]
fn an_export_into_the_folder_of_the_decks_leaves_them_alone() {
    let bench = Bench::new();
    bench.good(&["new", "fresh"]);
    let deck = fs::read(bench.path("fresh/upper.bdf")).unwrap();
    let output = bench.output(&["reduce", "fresh/machine.toml", "--export", "mesh", "--into", "fresh"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("it is a file that this command reads"), "{}", text(&output));
    assert_eq!(fs::read(bench.path("fresh/upper.bdf")).unwrap(), deck);
    // What was exported before may be exported again.
    for _ in 0..2 {
        let output =
            bench.output(&["reduce", "fresh/machine.toml", "--export", "mesh", "--into", "elsewhere"]);
        assert!(!text(&output).contains("not written by Pliant"), "{}", text(&output));
        assert!(bench.path("elsewhere/upper.bdf").exists());
    }
    fs::copy(bench.path("fresh/upper.bdf"), bench.path("upper.bdf")).unwrap();
    bench.refused(&["modes", "upper.bdf", "--units", "mm-t-s", "--out", "upper.bdf"], "reads");
}

#[test]
fn a_title_gives_no_orders_to_the_terminal() {
    let bench = Bench::new();
    for arguments in [&["show", "r.vtkhdf"][..], &["run", "arm.toml", "--out", "r.vtkhdf"]] {
        let output = bench.output(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(!output.stdout.contains(&0x1b) && !output.stdout.contains(&7), "{}", text(&output));
    }
    let html = bench.output(&["report", "r.vtkhdf", "--out", "r.html"]);
    assert_eq!(html.status.code(), Some(0), "{}", text(&html));
}

#[test]
fn a_fifo_is_no_deck_and_no_pipeline() {
    let bench = Bench::new();
    assert!(Command::new("mkfifo").arg(bench.path("fifo.bdf")).status().unwrap().success());
    for command in ["check", "modes", "run", "show"] {
        let start = Instant::now();
        let output = bench.output(&[command, "fifo.bdf"]);
        assert_eq!(output.status.code(), Some(1), "{command}: {}", text(&output));
        assert!(text(&output).contains("not a regular file"), "{command}: {}", text(&output));
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_hangup_ends_a_run_as_a_termination_does() {
    let bench = Bench::new();
    fs::write(bench.path("long.toml"), MACHINE.replace("end  = 0.02", "end  = 1000.0")).unwrap();
    let mut child =
        bench.command(&["run", "long.toml", "--out", "l.vtkhdf"]).stdout(Stdio::piped()).spawn().unwrap();
    let part = bench.path("l.vtkhdf.part");
    let start = Instant::now();
    while !part.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Something must have been computed.
    std::thread::sleep(Duration::from_millis(500));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    bench.good(&["show", "l.vtkhdf"]);
}

#[test]
fn an_earlier_part_is_kept_aside() {
    let bench = Bench::new();
    fs::write(bench.path("r.vtkhdf.part"), "of a run that was killed").unwrap();
    bench.good(&["run", "arm.toml", "--out", "r.vtkhdf"]);
    assert_eq!(fs::read(bench.path("r.1.vtkhdf.part")).unwrap(), b"of a run that was killed");
    assert!(!bench.path("r.vtkhdf.part").exists());
}

#[test]
fn full_outputs_do_not_panic() {
    let bench = Bench::new();
    for arguments in [&["show", "r.vtkhdf"][..], &["show", "none"], &["run", "arm.toml", "--out", "r.vtkhdf"]]
    {
        let full = || fs::File::options().write(true).open("/dev/full").unwrap();
        let status = bench.command(arguments).stdout(full()).stderr(full()).status().unwrap();
        assert!(matches!(status.code(), Some(0..=2)), "{arguments:?}: {status}");
    }
}

#[test]
fn names_that_collide_and_small_links_and_tables_that_are_no_files() {
    let bench = Bench::new();
    let write = |name: &str, text: String| fs::write(bench.path(name), text).unwrap();
    // `/` divides groups of HDF5 and becomes `_`.
    let second = "[links.a_b]\nrigid = { mass = 1.0 }\n[joints.two]\nparent = \"a/b.tip\"\nchild = \"a_b\"\ntype = \"fixed\"\n";
    let two = [&MACHINE.replace("links.rod", "links.\"a/b\"").replace("\"rod", "\"a/b"), second].concat();
    write("two.toml", two);
    bench.refused(&["run", "two.toml", "--out", "x.vtkhdf"], "would have the same name in the results");
    // Links of few elements: their residual vectors depend on each other.
    for elements in 1..=4 {
        for below in [100, 500, 1000] {
            let modes = format!("modes = {{ below_hz = {below} }}");
            let few = format!("elements = {elements}");
            write("few.toml", MACHINE.replace("modes = { count = 2 }", &modes).replace("elements = 4", &few));
            bench.good(&["--threads", "1", "reduce", "few.toml"]);
        }
    }
    // A table that is a FIFO would be waited for, a device read without end.
    assert!(Command::new("mkfifo").arg(bench.path("fifo.csv")).status().unwrap().success());
    symlink("/dev/zero", bench.path("zero.csv")).unwrap();
    for path in ["fifo.csv", "zero.csv"] {
        let load = format!("[loads.push]\nat = \"rod.tip\"\nforce = [\"{path}\", 0, 0]\n");
        write("load.toml", [MACHINE, &load].concat());
        bench.refused(&["run", "load.toml", "--out", "x.vtkhdf"], "not a regular file");
        write("list.toml", [MACHINE, &format!("[study]\nlist = \"{path}\"\n")].concat());
        bench.refused(&["run", "list.toml", "--out", "s"], "not a regular file");
    }
}

/// docs/guarantees.md names a test for each promise: each heading has one, and all that are named exist.
#[test]
fn every_promise_names_tests_that_exist() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let mut sources = String::new();
    let mut folders = vec![root.join("crates"), root.join("tests")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                sources.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let promises: Vec<&str> = page.split("\n## ").filter(|text| text.starts_with(char::is_numeric)).collect();
    assert_eq!(promises.len(), 8);
    for promise in promises {
        let title = promise.lines().next().unwrap();
        let tests = promise.split("\nTest").nth(1).unwrap_or_else(|| panic!("{title}: no test is named"));
        // Names of tests are long; others (`--force`, `reduce`) are no names of tests.
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        let is_test = |name: &&&str| name.matches('_').count() > 2 && !name.contains('/');
        let files = names.iter().filter(|name| name.contains('/') && !name.ends_with('/'));
        let (tests, files): (Vec<_>, Vec<_>) = (names.iter().filter(is_test).collect(), files.collect());
        assert!(!tests.is_empty() || !files.is_empty(), "{title}: no test is named");
        for test in tests {
            assert!(sources.contains(&format!("fn {test}(")), "{title}: there is no test {test}");
        }
        for file in files.iter().filter(|file| !file.contains(['<', ' '])) {
            assert!(root.join(file).exists(), "{title}: there is no {file}");
        }
    }
}
