//! Inputs and paths that a user who means harm, or has bad luck, may choose.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Bench, MACHINE, text};

#[test]
fn two_outputs_do_not_share_a_file() {
    let bench = Bench::new();
    bench.refused(&["export", "r.vtkhdf", "--csv", "x", "--mat", "x"], "two outputs have this name");
    bench.refused(&["export", "r.vtkhdf", "--csv", "x", "--vtkhdf", "./x"], "two outputs have this name");
    assert!(!bench.path("x").exists());
}

/// Without memory a command ends with a message, not with an abort.
#[test]
fn a_lack_of_memory_is_an_error_message() {
    let bench = Bench::new();
    let machine = MACHINE.replace("elements = 4", "elements = 60000").replace("length = 1.0", "length = 1e3");
    fs::write(bench.path("large.toml"), machine).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -d 40000; exec \"$@\"", "sh"]).arg(assert_cmd::cargo::cargo_bin("pliant"));
    command.args(["--threads", "1", "reduce", "large.toml", "--no-cache"]).current_dir(bench.path(""));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}: {}", output.status, text(&output));
    assert!(text(&output).contains("memory") || text(&output).contains("GB"), "{}", text(&output));
}

#[test]
fn two_links_are_not_exported_as_one_file() {
    let bench = Bench::new();
    let link = |name: &str| {
        MACHINE[MACHINE.find("[links").unwrap()..MACHINE.find("[joints").unwrap()].replace("rod]", name)
    };
    fs::write(bench.path("two.toml"), link("\"a b\"]") + &link("a_b]") + &link("\"a.b\"]")).unwrap();
    let output = bench.output(&["reduce", "two.toml", "--export", "mesh", "--into", "meshes"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("links `a b` and `a_b` would both be exported as a_b.bdf"),
        "{}",
        text(&output)
    );
    assert!(bench.path("meshes/a_b.bdf").exists() && bench.path("meshes/a.b.bdf").exists());
}

/// Decks, names of files and of links: no control character of them reaches the terminal.
#[test]
fn no_input_gives_orders_to_the_terminal() {
    let bench = Bench::new();
    let deck = "esc\u{1b}[2J.bdf";
    fs::write(bench.path(deck), "BEGIN BULK\nGRID,1,,0.,0.,x\u{1b}]0;hi\u{7}\nENDDATA\n").unwrap();
    let machine = MACHINE.replace("rod]", "\"r\\u001b[8mod\"]").replace("\"rod\"", "\"r\\u001b[8mod\"");
    let machine = machine.replace("\"rod.tip\"", "\"r\\u001b[8mod.tip\"");
    fs::write(bench.path("esc.toml"), machine).unwrap();
    let study = [MACHINE, "[study]\ngrid = { title = [\"\\u001b[2J\", \"b\"] }\n"].concat();
    fs::write(bench.path("study.toml"), study).unwrap();
    let commands: [&[&str]; 11] = [
        &["check", deck],
        &["modes", deck],
        &["reduce", "esc.toml"],
        &["run", "esc.toml", "--out", "e.vtkhdf"],
        &["run", "study.toml", "--dry-run"],
        &["run", "study.toml", "--out", "s"],
        &["status", "s"],
        &["merge", "s"],
        &["cache", "list"],
        &["run", "esc.toml", "--threads", "\u{1b}[2J\u{7}"],
        &["run", "esc.toml", "--\u{1b}[2J"],
    ];
    for arguments in commands {
        let output = bench.output(arguments);
        assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {}", output.status);
        let said = [output.stdout, output.stderr].concat();
        assert!(!said.is_empty(), "{arguments:?} says nothing");
        assert!(!said.contains(&0x1b) && !said.contains(&7), "{arguments:?}: {}", said.escape_ascii());
    }
}

/// A cache in which somebody has put other things than entries.
#[test]
fn a_cache_of_fifos_links_and_giants_costs_a_warning() {
    let bench = Bench::new();
    let entries = || fs::read_dir(bench.path("cache")).unwrap().map(|entry| entry.unwrap().path());
    let entry = entries().find(|path| path.extension().is_some_and(|ending| ending == "h5")).unwrap();
    let lock = entry.with_extension("lock");
    let complete = fs::read(&entry).unwrap();
    let elsewhere = bench.path("elsewhere");
    let start = Instant::now();
    let fifo = |path: &std::path::Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let attacks: [&dyn Fn(); 6] = [
        &|| fifo(&entry),
        &|| fifo(&lock),
        // A lock that is a link to a file that is not there yet would make that file.
        &|| symlink(&elsewhere, &lock).unwrap(),
        // Zeros without end, and an entry with zeros behind it.
        &|| fs::File::create(&entry).unwrap().set_len(1 << 40).unwrap(),
        &|| {
            fs::write(&entry, &complete).unwrap();
            fs::File::options().write(true).open(&entry).unwrap().set_len(1 << 40).unwrap();
        },
        &|| symlink(bench.path("arm.toml"), &entry).unwrap(),
    ];
    for attack in attacks {
        for path in [&entry, &lock] {
            let _ = fs::remove_file(path);
        }
        attack();
        bench.good(&["reduce", "arm.toml"]);
        bench.good(&["cache", "list"]);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(!elsewhere.exists(), "a lock was made behind a link");
    assert_eq!(fs::read_to_string(bench.path("arm.toml")).unwrap(), MACHINE);
}

/// Names of files need not be UTF-8, and may hold line ends.
#[test]
fn strange_names_are_written_or_refused() {
    let bench = Bench::new();
    let strange = OsStr::from_bytes(b"str\xff\nange");
    fs::create_dir(bench.path("").join(strange)).unwrap();
    let inside = |name: &str| bench.path("").join(strange).join(name);
    fs::write(inside("arm.toml"), MACHINE).unwrap();
    let study = [MACHINE, "[study]\ngrid = { \"gravity.2\" = [0.0, -9.81] }\n"].concat();
    fs::write(inside("study.toml"), study).unwrap();
    fs::copy(bench.path("r.vtkhdf"), inside("r.vtkhdf")).unwrap();
    let commands: [(&[&str], &str, i32); 9] = [
        (&["run", "--out", "a.vtkhdf"], "arm.toml", 0),
        (&["reduce"], "arm.toml", 0),
        (&["show"], "r.vtkhdf", 1),
        (&["export", "--csv", "a.csv"], "r.vtkhdf", 1),
        (&["report", "--out", "a.html"], "r.vtkhdf", 1),
        (&["run", "--out", "study"], "study.toml", 1),
        (&["cache", "list"], "", 0),
        (&["cache", "size"], "", 0),
        (&["new"], "fresh", 0),
    ];
    for json in [false, true] {
        for (arguments, file, code) in &commands {
            let _ = fs::remove_dir_all(inside("fresh"));
            let mut command = bench.command(arguments);
            command.args(Some(inside(file)).filter(|_| !file.is_empty()));
            command.args(Some("--json").filter(|_| json)).env("PLIANT_CACHE", inside("cache"));
            let output = command.output().unwrap();
            let said = text(&output);
            assert!(!said.contains("panicked"), "{arguments:?}: {said}");
            assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {said}");
        }
    }
}
