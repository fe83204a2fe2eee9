//! Promises 1 and 7 of docs/guarantees.md: whichever write, sync, rename or open of a command fails, the
//! command gives the result that it gives without the fault, or exit code 1 and nothing wrong: neither now
//! nor in the next run.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;

use std::path::PathBuf;

use bench::{Bench, Fault};

/// What a check of a command's files says: the numbers they hold, or nothing when there are none.
type Facts = Option<String>;

/// Runs a command with a fault at each of its calls, each time in a fresh copy of a folder.
fn at_every_call(
    prepared: &Bench,
    command: &[&str],
    facts: impl Fn(&Bench) -> Facts + Sync,
    after: impl Fn(&Bench) -> Facts + Sync,
) {
    let undisturbed = prepared.copy();
    let count = undisturbed.count(command);
    let (expected, expected_after) = (facts(&undisturbed), after(&undisturbed));
    assert!(count > 0 && expected.is_some(), "{command:?} writes nothing");
    // EIO and a full disk at every position, on both cores: each run has a folder of its own.
    let failed = std::sync::atomic::AtomicUsize::new(0);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        loop {
            let position = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let (n, stays) = (1 + position / 2, position % 2 == 1);
            if n > count {
                return;
            }
            let bench = prepared.copy();
            let output = bench.fail(command, Fault { at: n, stays });
            let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            let call = format!("{command:?}, call {n} of {count}, stays: {stays}");
            match output.status.code() {
                Some(0) => assert_eq!(facts(&bench), expected, "{call}: exit 0 and other results\n{text}"),
                Some(1) => {
                    failed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    assert!(text.contains("error"), "{call}: exit 1 without a message\n{text}");
                    // What is there must be right: an earlier step may have succeeded.
                    if let Some(found) = facts(&bench) {
                        assert_eq!(Some(found), expected, "{call}: exit 1 and a wrong file\n{text}");
                    }
                }
                _ => panic!("{call}: {}\n{text}", output.status),
            }
            assert_eq!(after(&bench), expected_after, "{call}: the next run differs\n{text}");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner();
    println!("{command:?}: {count} calls, {failed} of {} runs with a fault failed", 2 * count);
}

/// The numbers of a results file, as text.
fn numbers(path: &'static str) -> impl Fn(&Bench) -> Facts + Sync {
    move |bench: &Bench| {
        if !bench.path(path).exists() {
            return None;
        }
        Some(bench.csv(path))
    }
}

#[test]
fn reduce_seals_no_wrong_link() {
    let bench = Bench::new();
    let run = |bench: &Bench| {
        bench.good(&["run", "arm.toml", "--out", "after.vtkhdf"]);
        Some(bench.csv("after.vtkhdf"))
    };
    // The cache is checked by what a run makes of it.
    at_every_call(&bench, &["reduce", "arm.toml"], |_| Some(String::new()), run);
}

#[test]
fn a_run_leaves_right_results_or_none() {
    let bench = Bench::new();
    bench.good(&["reduce", "arm.toml"]);
    let again = |bench: &Bench| {
        bench.good(&["run", "arm.toml"]);
        Some(bench.csv("results/arm.vtkhdf"))
    };
    at_every_call(&bench, &["run", "arm.toml"], numbers("results/arm.vtkhdf"), again);
}

#[test]
fn a_study_loses_nothing() {
    let bench = Bench::new();
    bench.good(&["reduce", "arm.toml"]);
    let again = |bench: &Bench| {
        bench.good(&["run", "study.toml"]);
        bench.text("results/study/results.csv")
    };
    // Rows of cases that failed because of the fault are there with their reason; those are run again.
    let table =
        |bench: &Bench| bench.text("results/study/results.csv").filter(|text| !text.contains("failed"));
    let retried = |bench: &Bench| {
        bench.good_or_bad(&["run", "study.toml"]);
        bench.good(&["resume", "results/study", "--retry-failed"]);
        again(bench)
    };
    at_every_call(&bench, &["run", "study.toml"], table, retried);
}

#[test]
fn merge_exports_and_reports_are_right_or_absent() {
    let bench = Bench::new();
    bench.good(&["run", "arm.toml"]);
    bench.good(&["run", "study.toml"]);
    let remove =
        |names: &[&str]| names.iter().for_each(|name| std::fs::remove_file(bench.path(name)).unwrap());
    remove(&["results/study/results.csv", "results/study/study.h5"]);
    let bytes = |path: &'static str| move |bench: &Bench| bench.hash(path);
    let nothing = |_: &Bench| None;
    let merged = |bench: &Bench| {
        bench.path("results/study/study.h5").exists().then(|| bench.column("results/study/study.h5"))
    };
    at_every_call(&bench, &["merge", "results/study"], merged, nothing);
    let results = "results/arm.vtkhdf";
    at_every_call(&bench, &["export", results, "--csv", "a.csv"], bytes("a.csv"), nothing);
    at_every_call(&bench, &["export", results, "--mat", "a.mat"], bytes("a.mat"), nothing);
    at_every_call(&bench, &["export", results, "--bulk", "b"], bytes("b/frame-0002.bdf"), nothing);
    at_every_call(&bench, &["report", results], bytes("results/arm.html"), nothing);
    // libhdf5 stores times of change in what it copies: the shapes are compared by their numbers.
    let shapes = |bench: &Bench| bench.path("a.vtkhdf").exists().then(|| bench.points("a.vtkhdf"));
    at_every_call(&bench, &["export", results, "--vtkhdf", "a.vtkhdf"], shapes, nothing);
    let modes = |bench: &Bench| bench.path("m.vtkhdf").exists().then(|| bench.points("m.vtkhdf"));
    let arguments = ["modes", "upper.bdf", "--clamp", "1", "--count", "2", "--out", "m.vtkhdf"];
    at_every_call(&bench, &arguments, modes, nothing);
    let deck: PathBuf = bench.path("upper.bdf");
    assert_eq!(std::fs::read_to_string(deck).unwrap(), bench::BULK, "the deck is as it was");
}

#[test]
fn responses_statics_and_converted_meshes_are_right_or_absent() {
    let bench = Bench::new();
    bench.good(&["reduce", "response.toml"]);
    let bytes = |path: &'static str| move |bench: &Bench| bench.hash(path);
    let nothing = |_: &Bench| None;
    let response = "results/response.response.h5";
    let numbers = |bench: &Bench| bench.response(response);
    let again = |bench: &Bench| {
        bench.good(&["response", "response.toml"]);
        bench.response(response)
    };
    at_every_call(&bench, &["response", "response.toml"], numbers, again);
    at_every_call(&bench, &["response", "response.toml", "--mat", "a.mat"], bytes("a.mat"), nothing);
    at_every_call(&bench, &["response", "response.toml", "--deck", "pose.bdf"], bytes("pose.bdf"), nothing);
    bench.good(&["response", "response.toml"]);
    at_every_call(&bench, &["report", response], bytes("results/response.response.html"), nothing);
    let shapes = |bench: &Bench| bench.path("s.vtkhdf").exists().then(|| bench.points("s.vtkhdf"));
    at_every_call(&bench, &["static", "cantilever.bdf", "--out", "s.vtkhdf"], shapes, nothing);
    at_every_call(&bench, &["convert", "cantilever.bdf", "c.vtu"], bytes("c.vtu"), nothing);
    bench.good(&["run", "arm.toml", "--out", "a.vtkhdf"]);
    bench.good(&["run", "arm.toml", "--out", "b.vtkhdf"]);
    at_every_call(&bench, &["compare", "a.vtkhdf", "b.vtkhdf", "--out", "c.html"], bytes("c.html"), nothing);
}
