//! A Slurm of our own, for tests.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/slurm-lab");

/// A cluster of two nodes, ended when it is dropped.
pub(crate) struct Cluster {
    folder: TempDir,
}

impl Cluster {
    /// `None` where Slurm is not installed or cannot start.
    pub(crate) fn up() -> Option<Self> {
        let cluster = Self { folder: tempfile::Builder::new().prefix("sl").tempdir_in("/tmp").unwrap() };
        let status =
            Command::new(SCRIPT).arg("up").arg(cluster.folder.path()).arg("MaxArraySize=11").status();
        if status.is_ok_and(|status| status.success()) {
            return Some(cluster);
        }
        println!("SKIPPED: there is no Slurm here (apt-get install --no-install-recommends slurm-wlm munge)");
        None
    }

    pub(crate) fn conf(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.conf()).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{program} {arguments:?}: {err}");
        out.into_owned()
    }

    /// Tasks that run now, as `job_task`.
    pub(crate) fn running(&self) -> Vec<String> {
        let listed = self.ask("squeue", &["-h", "-r", "-t", "RUNNING", "-o", "%i"]);
        listed.lines().map(str::to_owned).collect()
    }

    /// Waits until nothing runs or waits, looking at what runs on the way.
    pub(crate) fn wait(&self, mut look: impl FnMut(&[String])) {
        let start = Instant::now();
        while !self.ask("squeue", &["-h", "-o", "%i"]).trim().is_empty() {
            assert!(start.elapsed() < Duration::from_secs(150), "{}", self.ask("squeue", &[]));
            look(&self.running());
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    pub(crate) fn pid(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("pid.{name}"))).unwrap().trim().to_owned()
    }

    pub(crate) fn script(&self, arguments: &[&str]) {
        let (verb, rest) = arguments.split_first().unwrap();
        let status = Command::new(SCRIPT).arg(verb).arg(self.folder.path()).args(rest).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A test that fails must not leave daemons behind; one that cannot end them has said so.
        let _ = Command::new(SCRIPT).arg("down").arg(self.folder.path()).status();
    }
}
