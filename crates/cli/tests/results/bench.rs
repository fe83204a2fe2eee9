//! The spatial arm in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use pliant_store::results::{ResultsFile, Series};

/// A folder in which `pliant` is run.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The spatial arm with another end and more lines in `[output]`, which is the last table.
    pub(crate) fn arm(&self, end: &str, output: &str) -> PathBuf {
        let text =
            fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines/spatial-3r.toml"))
                .unwrap();
        assert!(text.contains("end   = 2.0"));
        let text = text.replace("end   = 2.0", &format!("end = {end}"));
        let path = self.path("arm.toml");
        fs::write(&path, format!("{text}\n{output}\n")).unwrap();
        path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(arguments).env("PLIANT_CACHE", self.path("cache")).current_dir(self.folder.path());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

pub(crate) fn series(file: &ResultsFile, path: &str) -> Series {
    file.series(path).unwrap()
}

pub(crate) fn numbers(file: &ResultsFile, path: &str) -> Vec<f64> {
    series(file, path).values
}
