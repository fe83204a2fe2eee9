//! Runs killed with SIGKILL at random moments: no final file is ever unreadable, and all but the last second
//! of work comes back.

use std::fs;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use pliant_store::results::{ResultsFile, part_of};
use serde_json::Value;

use crate::bench::{Bench, numbers, series};

/// Every row that a file has is the row of the entire run: nothing is lost in the middle, made up or damaged.
fn same_rows(found: &ResultsFile, complete: &ResultsFile) -> usize {
    let rows = numbers(found, "/time").len();
    for path in found.along_time("").unwrap().iter().map(String::as_str).chain(["/time"]) {
        let (found, complete) = (series(found, path), series(complete, path));
        assert_eq!(found.shape[0], rows, "{path}");
        assert_eq!(found.values[..], complete.values[..found.values.len()], "{path}");
    }
    rows
}

/// Kills, as many as `PLIANT_KILLS` says: a few with all the other tests, 200 by `PLIANT_KILLS=200`.
fn kills() -> u32 {
    std::env::var("PLIANT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// Processor time that a child has used (s), in the kernel's hundredths; `None` once it has ended.
fn used(child: &Child) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // After the name in parentheses: state is the first, utime and stime the twelfth and thirteenth.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?;
    (fields[0] != "Z").then_some(ticks / 100.0)
}

/// What the entire run takes: processor time until it begins to write, and in all.
fn reference(bench: &Bench) -> (f64, f64) {
    let mut child = bench.start(&["run", "-q", "arm.toml", "--out", "complete.vtkhdf"]);
    let (mut begin, mut all) = (0.0, 0.0);
    while let Some(now) = used(&child) {
        all = now;
        if !part_of(&bench.path("complete.vtkhdf")).exists() {
            begin = now;
        }
        sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success());
    (begin, all)
}

#[test]
fn a_killed_run_leaves_a_complete_file_or_a_part_that_is_recovered() {
    let bench = Bench::new();
    bench.arm("6.0", "");
    // Once for the cache, then to measure.
    assert_eq!(bench.output(&["run", "-q", "arm.toml", "--out", "complete.vtkhdf"]).status.code(), Some(0));
    fs::remove_file(bench.path("complete.vtkhdf")).unwrap();
    let (begin, all) = reference(&bench);
    let complete = ResultsFile::open(&bench.path("complete.vtkhdf")).unwrap();
    let outputs = numbers(&complete, "/time").len();
    let (path, part) = (bench.path("a.vtkhdf"), part_of(&bench.path("a.vtkhdf")));
    let (mut recovered, mut finished, mut early, mut worst) = (0, 0, 0, 0.0_f64);
    for kill in 0..kills() {
        let mut child = bench.start(&["run", "-q", "arm.toml", "--out", "a.vtkhdf"]);
        // By the golden section, spread evenly over the run and a little beyond.
        let moment = (f64::from(kill) * 0.618_034 + 0.5).fract() * 1.05 * all;
        let mut spent = 0.0;
        while let Some(now) = used(&child).filter(|_| spent < moment) {
            spent = now;
            sleep(Duration::from_micros(500));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if path.exists() {
            let file = ResultsFile::open(&path).unwrap();
            assert_eq!(same_rows(&file, &complete), outputs);
            finished += 1;
        } else {
            let output = bench.output(&["recover", "--json", "a.vtkhdf.part"]);
            let rows = if output.status.code() == Some(0) {
                let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
                let file = ResultsFile::open(&path).unwrap();
                let rows = same_rows(&file, &complete);
                assert_eq!(reported["outputs"], rows);
                assert_eq!(file.attribute("state"), "recovered");
                // A run that had come to its end was killed before its file had its name.
                let half = rows < outputs;
                assert!(!half || file.metrics("").unwrap().is_empty(), "no metrics of half a run");
                assert!(!part.exists());
                recovered += 1;
                rows
            } else {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(said.contains("interrupted before") || said.contains("No such file"), "{said}");
                early += 1;
                0
            };
            let work = begin + (all - begin) * rows as f64 / outputs as f64;
            worst = worst.max(spent - work);
        }
        let _ = fs::remove_file(&path);
        let _ = fs::remove_file(&part);
    }
    println!(
        "{recovered} recovered, {finished} had finished, {early} killed before the first flush; at most {worst:.2} s of work lost"
    );
    assert!(recovered > 0);
    // A second, and what the speed of a run varies by beside others.
    assert!(worst < 1.0 + 0.15 * all, "{worst} s of {all} s lost");
}
