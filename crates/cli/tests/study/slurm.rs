//! Studies on a Slurm of our own: whatever happens to its jobs, a resume leaves every case once, with the
//! bits of a local run.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::cluster::Cluster;
use crate::lab::Lab;

/// 90 cases of a few hundredths of a second each.
const GRID: &str =
    "grid = { speed = { from = 1, to = 2, count = 30 }, \"payload.mass\" = [0, 1, 2] }\ncommit = 0.05";

fn kill(pid: &str) {
    assert!(Command::new("kill").args(["-9", pid]).status().unwrap().success());
}

/// The workers of a study, by their command lines.
fn workers(folder: &Path) -> Vec<String> {
    let wanted = format!("{}\0", folder.display());
    let of = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().to_string_lossy().into_owned();
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        (line.contains("\0worker\0") && line.contains(&wanted)).then_some(pid)
    };
    std::fs::read_dir("/proc").unwrap().filter_map(|entry| of(entry.ok()?)).collect()
}

/// Submits a study, lets something happen to it once it has begun, and waits until Slurm has nothing more to
/// do.
fn disturbed(cluster: &Cluster, slurm: &str, disturb: impl FnOnce(&Lab)) -> Lab {
    let mut lab = Lab::new(&format!("{GRID}\nslurm = {{ {slurm} }}")).slow();
    lab.environment.push(("SLURM_CONF".to_owned(), cluster.conf().display().to_string()));
    let reported = lab.pliant(&["run", "p.toml", "--out", "study", "--on", "slurm"]);
    assert!(reported.good(), "{}", reported.text);
    lab.wait_for_segments(1);
    disturb(&lab);
    cluster.wait(|_| {});
    lab
}

/// Resumes what is left, and compares with a local run.
fn settle(name: &str, lab: &Lab, reference: &[u8]) {
    let before = lab.pliant(&["status", "study", "--json"]).json();
    let reported = lab.pliant(&["resume", "study", "--json"]).json();
    let study = &reported["study"];
    println!(
        "{name}: {} of {} done by Slurm, {} by the resume, {} duplicates",
        before["done"], study["cases"], study["ran"], study["duplicates"]
    );
    assert_eq!(
        (study["done"].as_u64(), study["missing"].as_u64()),
        (study["cases"].as_u64(), Some(0)),
        "{reported}"
    );
    assert_eq!(study["damaged"], 0, "{reported}");
    assert_eq!(study["differing"].as_array().map(Vec::len), Some(0), "{reported}");
    assert!(lab.bytes("results.csv") == reference, "{name}: the metrics differ from a local run's");
}

#[test]
fn whatever_happens_to_the_jobs_every_case_is_there_once() {
    let Some(cluster) = Cluster::up() else { return };
    let local = Lab::new(GRID).slow();
    assert!(local.run(&[]).good());
    let reference = local.bytes("results.csv");

    // Arrays cut at MaxArraySize = 11, at most two tasks of each at once, merged by a job of its own.
    let lab = disturbed(&cluster, "chunk = 7, limit = 2", |lab| {
        let jobs = lab.pliant(&["status", "study", "--json"]).json()["jobs"].as_array().unwrap().len();
        assert_eq!(jobs, 3, "13 tasks are two arrays, and a merge");
        cluster.wait(|running| {
            let of = |job: &str| running.iter().filter(|task| task.starts_with(&format!("{job}_"))).count();
            assert!(running.iter().all(|task| of(task.split('_').next().unwrap()) <= 2), "{running:?}");
        });
    });
    assert!(lab.bytes("results.csv") == reference, "merged by its job, not by us");
    settle("array and limit", &lab, &reference);

    let lab = disturbed(&cluster, "chunk = 45", |_| {
        cluster.ask("scontrol", &["requeue", &cluster.running()[0]]);
    });
    settle("requeue", &lab, &reference);

    let lab = disturbed(&cluster, "chunk = 45", |lab| kill(&workers(&lab.folder())[0]));
    settle("kill -9 of a task", &lab, &reference);

    let lab = disturbed(&cluster, "chunk = 45", |_| {
        kill(&cluster.pid("n1"));
        std::thread::sleep(Duration::from_secs(7));
        cluster.script(&["node", "n1"]);
    });
    settle("kill -9 of a slurmd", &lab, &reference);

    let lab = disturbed(&cluster, "chunk = 23", |_| {
        cluster.ask(
            "sbatch",
            &["-p", "urgent", "-N", "2", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1"],
        );
    });
    settle("preemption", &lab, &reference);

    // The signal that Slurm sends before the time limit. Slurm itself looks at the clock every 30 s only, too
    // long for a test.
    let lab = disturbed(&cluster, "chunk = 90, time = 5", |lab| {
        cluster.ask("scancel", &["--batch", "--signal=USR1", &cluster.running()[0]]);
        lab.wait_for_log("requeued: cases are left");
    });
    settle("signal of the time limit", &lab, &reference);

    // A cancelled study stays cancelled, and goes on when asked.
    let lab = disturbed(&cluster, "chunk = 45", |lab| {
        assert!(lab.pliant(&["cancel", "study"]).good());
    });
    let left = lab.pliant(&["status", "study", "--json"]).json();
    assert!(left["missing"].as_u64().unwrap() > 0, "{left}");
    settle("cancel", &lab, &reference);
}
