//! Promise 3: a damaged results file is refused, or read, and never crashes the command.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Bench, text};

/// Damaged files of each kind; `scripts/soak` sets more.
fn rounds() -> usize {
    std::env::var("PLIANT_DAMAGED").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

/// A generator that gives the same numbers everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

/// Changes some bytes, most of them in the first quarter, where the metadata is; or cuts the file off.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if random.below(8) == 0 {
        bytes.truncate(random.below(bytes.len()));
        return bytes;
    }
    for _ in 0..=random.below(8) {
        let end = if random.below(4) > 0 { bytes.len() / 4 } else { bytes.len() };
        let at = random.below(end);
        let length = 1 + random.below(8);
        for byte in bytes.iter_mut().skip(at).take(length) {
            *byte = [0, 0xff, random.below(256) as u8][random.below(3)];
        }
    }
    bytes
}

fn answered(bench: &Bench, arguments: &[&str]) -> Option<i32> {
    let start = Instant::now();
    let output = bench.output(arguments);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{arguments:?}: {}\n{}",
        output.status,
        text(&output)
    );
    // A hang; readers are limited in processor time, and a busy machine takes many times as long.
    assert!(start.elapsed() < Duration::from_secs(300), "{arguments:?} took {:?}", start.elapsed());
    if output.status.code() == Some(1) {
        assert!(text(&output).contains("error"), "{arguments:?}: no message");
    }
    output.status.code()
}

#[test]
fn a_damaged_results_file_never_crashes_its_reader() {
    let bench = Bench::new();
    let sealed = fs::read(bench.path("r.vtkhdf")).unwrap();
    // Without its seal it is as a file of an earlier version: libhdf5 reads it.
    let bare = &sealed[..sealed.len() - 128];
    let mut random = Random(7);
    let (mut refused, mut recovered) = (0, 0);
    for round in 0..rounds() {
        let bytes = damaged(&sealed, &mut random);
        let (changed, cut) = (bytes != sealed, bytes.len() < sealed.len());
        fs::write(bench.path("d.vtkhdf"), bytes).unwrap();
        let sealed_readers: [&[&str]; 2] =
            [&["show", "d.vtkhdf"], &["recover", "d.vtkhdf", "--out", "d2.vtkhdf"]];
        let code = answered(&bench, sealed_readers[round % 2]);
        // A cut takes the seal away. What is left is shorter than it says, and refused but by `recover`,
        // which may find all of its numbers before the cut.
        if changed && cut && round % 2 == 1 && code == Some(0) {
            only_numbers_of_the_run(&bench);
            recovered += 1;
        } else {
            assert!(!changed || code == Some(1), "round {round}: damage was not seen");
        }
        let _ = fs::remove_file(bench.path("d2.vtkhdf"));
        fs::write(bench.path("d.vtkhdf"), damaged(bare, &mut random)).unwrap();
        let commands: [&[&str]; 4] = [
            &["show", "d.vtkhdf"],
            &["export", "d.vtkhdf", "--csv", "d.csv", "--mat", "d.mat"],
            &["report", "d.vtkhdf", "--out", "d.html"],
            &["recover", "d.vtkhdf", "--out", "d2.vtkhdf"],
        ];
        refused += usize::from(answered(&bench, commands[round % commands.len()]) == Some(1));
    }
    let files = rounds();
    println!(
        "{files} damaged files with a seal ({recovered} cut off behind all numbers), {refused} of as many without were refused"
    );
}

/// The recovered file `d2.vtkhdf` has no number that the run has not.
fn only_numbers_of_the_run(bench: &Bench) {
    let rows = |file: &str| {
        let table = format!("{file}.csv");
        assert_eq!(answered(bench, &["export", file, "--csv", &table, "--force"]), Some(0), "{file}");
        fs::read_to_string(bench.path(&table)).unwrap()
    };
    let run = rows("r.vtkhdf");
    let run: std::collections::HashSet<&str> = run.lines().collect();
    let found = rows("d2.vtkhdf");
    assert!(found.lines().count() > 1);
    found.lines().for_each(|row| assert!(run.contains(row), "{row}"));
}

#[test]
fn the_known_crashers_end_with_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/defects/files");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("SKIPPED: no ../shared here");
        return;
    };
    let bench = Bench::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let Some(name) = path.to_str().filter(|name| name.ends_with(".vtkhdf")) else { continue };
        for arguments in [
            &["show", name][..],
            &["export", name, "--csv", "a.csv", "--vtkhdf", "a.vtkhdf", "--bulk", "b"],
            &["report", name, "--out", "a.html"],
        ] {
            answered(&bench, arguments);
            // A variable that was left in a shell does not take the guard away.
            let output = bench.command(arguments).env("PLIANT_READER", "1").output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", output.status);
        }
    }
    // Nothing of what the readers had begun to write is left.
    let left = fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_damaged_cache_entry_is_computed_again() {
    let bench = Bench::new();
    let entries: Vec<_> =
        fs::read_dir(bench.path("cache")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let entry = entries.iter().find(|path| path.extension().is_some_and(|ending| ending == "h5")).unwrap();
    let complete = fs::read(entry).unwrap();
    let mut random = Random(11);
    for _ in 0..rounds() / 4 {
        fs::write(entry, damaged(&complete, &mut random)).unwrap();
        assert_eq!(answered(&bench, &["reduce", "arm.toml"]), Some(0));
    }
    // The entry was written again, and holds.
    assert_eq!(fs::read(entry).unwrap().len(), complete.len());
}
