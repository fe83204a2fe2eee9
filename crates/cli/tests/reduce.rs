//! `pliant reduce` and `pliant cache` as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a pipeline file and a cache of its own.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(pipeline: &str) -> Self {
        let bench = Self { folder: TempDir::new().unwrap() };
        fs::write(bench.pipeline(), pipeline).unwrap();
        bench
    }

    fn pipeline(&self) -> PathBuf {
        self.folder.path().join("pipeline.toml")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn pliant(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("pliant"));
        command.env("PLIANT_CACHE", self.cache());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.pliant().args(arguments).output().unwrap()
    }

    fn reduce(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.pliant().arg("reduce").arg(self.pipeline()).args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    fn reduce_json(&self, arguments: &[&str]) -> (i32, Value) {
        let (code, text) = self.reduce(&[&["--json"], arguments].concat());
        (code, serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}")))
    }

    fn files(&self, ending: &str) -> Vec<PathBuf> {
        let Ok(listing) = fs::read_dir(self.cache()) else { return Vec::new() };
        let paths = listing.map(|file| file.unwrap().path());
        paths.filter(|path| path.to_str().unwrap().ends_with(ending)).collect()
    }
}

const BEAM: &str = "[links.boom]\nbeam = { length = 2, section = { rod = 0.05 }, material = 'steel', elements = 8 }\n\
                    modes = { count = 4 }\n";

/// Two CBARs, the middle grid held by a spring to the ground when `spring` says so.
fn bar_deck(spring: &str) -> String {
    format!(
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nCBAR,2,1,2,3,0.,1.,0.\n\
         MAT1,1,2.1+11,,.3,7850.\nPBAR,1,1,4.-4,2.-8,3.-8,4.-8\n{spring}"
    )
}

#[test]
fn the_links_of_the_six_axis_arm_are_healthy_and_come_from_the_cache_the_second_time() {
    let bench = Bench::new("");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pipelines/six-axis-links.toml");
    let run = || {
        let output = bench.pliant().arg("reduce").arg(&file).arg("--json").output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{report:#}");
        assert!(output.stderr.is_empty(), "no progress off a terminal");
        report
    };
    let (first, second) = (run(), run());
    assert_eq!(first["links"].as_object().unwrap().len(), 5);
    for (name, link) in first["links"].as_object().unwrap() {
        assert_eq!(link["usable"], true, "{name}");
        assert_eq!((&link["from_cache"], &link["interface_dofs"]), (&Value::from(false), &Value::from(6)));
        // Six interface coordinates and the modes that were asked for.
        let modes = link["modes_hz"].as_array().unwrap().len();
        assert_eq!(link["coordinates"].as_u64().unwrap() as usize, 6 + modes);
        assert!(link["mass_error"].as_f64().unwrap() < 1e-9, "{name}: {link:#}");
        assert!(link["grounding"].as_f64().unwrap() < 1e-9, "{name}: {link:#}");
        let again = &second["links"][name];
        assert_eq!(again["from_cache"], true);
        for key in [
            "modes_hz",
            "completeness",
            "mass",
            "mass_error",
            "grounding",
            "frequencies_hz",
            "effective_mass",
        ] {
            assert_eq!(link[key], again[key], "{name}: {key}");
        }
        // As many modes counted as kept, or a reason.
        let completeness = &link["completeness"];
        if completeness["counted_modes"].is_u64() {
            assert_eq!(completeness["proven"], true, "{name}: {link:#}");
            assert!(completeness["counted_modes"].as_u64().unwrap() as usize >= modes, "{name}: {link:#}");
        } else {
            assert!(!completeness["message"].as_str().unwrap().is_empty(), "{name}: {link:#}");
        }
    }
}

#[test]
fn facts_for_people_fit_a_hundred_columns() {
    let bench = Bench::new(&format!("{BEAM}[links.tool]\nrigid = {{ mass = 2, inertia = [1, 1, 1] }}\n"));
    let (code, text) = bench.reduce(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(!text.contains('\x1b'), "no colours off a terminal");
    // 9 grids of 6, the first one clamped; 6 interface coordinates and 4 modes.
    let row = text.lines().find(|line| line.contains("boom")).unwrap();
    assert!(row.starts_with("✓ boom") && row.contains(" 48 ") && row.contains(" 6+4 "), "{text}");
    assert!(text.contains("2 links, "), "{text}");
    assert!(text.contains("no mode is missing") && text.contains("boom             proven"), "{text}");
    let (_, again) = bench.reduce(&[]);
    assert!(again.lines().find(|line| line.contains("boom")).unwrap().ends_with("cached"), "{again}");
    assert_eq!(bench.reduce(&["--quiet"]), (0, String::new()));
    let (_, fresh) = bench.reduce_json(&["--no-cache"]);
    assert_eq!(fresh["links"]["boom"]["from_cache"], false);
}

#[test]
fn every_problem_has_its_file_and_line() {
    let bench = Bench::new("[links.a]\ndeck = 'a.bdf'\ninboard = 1\nbassis = 'guyan'\n");
    let (code, text) = bench.reduce(&[]);
    assert_eq!(code, 1);
    assert!(text.contains("unknown key `bassis`") && text.contains("pipeline.toml:4:1"), "{text}");
    // Two bad links and a good one: all are reported, each problem in its own file.
    let table = "inboard = 1\ninterfaces = { tip = 3 }\n";
    let pipeline = format!(
        "[links.a]\ndeck = 'a.bdf'\n{table}[links.b]\ndeck = 'b.bdf'\n{}accept = ['inerta']\n{BEAM}",
        table.replace('3', "33")
    );
    fs::write(bench.pipeline(), pipeline).unwrap();
    fs::write(bench.folder.path().join("a.bdf"), bar_deck("CELAS2,9,x,2,2\n")).unwrap();
    fs::write(bench.folder.path().join("b.bdf"), bar_deck("")).unwrap();
    let (code, report) = bench.reduce_json(&[]);
    assert_eq!(code, 1);
    let problem = |link: &str| {
        let all = report["links"][link]["diagnostics"].as_array().unwrap();
        let error = all.iter().find(|d| d["severity"] == "error").unwrap().clone();
        let file = PathBuf::from(error["file"].as_str().unwrap());
        (file.file_name().unwrap().to_str().unwrap().to_owned(), error["line"].as_u64().unwrap(), error)
    };
    let (file, line, error) = problem("a");
    assert_eq!((file.as_str(), line), ("a.bdf", 8), "{error:#}");
    let (file, line, error) = problem("b");
    assert_eq!((file.as_str(), line), ("pipeline.toml", 8), "{error:#}");
    // What is wrong with a request itself is a problem of the file.
    let of_file = &report["diagnostics"][0];
    assert_eq!((of_file["line"].as_u64(), &of_file["hint"]), (Some(9), &"did you mean `inertia`?".into()));
    assert_eq!(report["links"]["boom"]["usable"], true);
    assert_eq!(report["links"]["a"]["modes_hz"], Value::Null);
}

#[test]
fn a_link_that_is_held_is_refused_unless_the_file_accepts_it() {
    let table = "[links.a]\ndeck = 'a.bdf'\ninboard = 1\ninterfaces = { tip = 3 }\nmodes = { count = 2 }\n";
    let bench = Bench::new(table);
    fs::write(bench.folder.path().join("a.bdf"), bar_deck("CELAS2,9,.01,2,2\n")).unwrap();
    for _ in 0..2 {
        let (code, text) = bench.reduce(&[]);
        assert_eq!(code, 1, "from the cache too\n{text}");
        assert!(text.contains("fails its health check `grounding`"), "{text}");
        assert!(text.contains("pipeline.toml:1:"), "{text}");
    }
    fs::write(bench.pipeline(), format!("{table}accept = ['grounding']\n")).unwrap();
    let (code, report) = bench.reduce_json(&[]);
    assert_eq!(code, 0, "{report:#}");
    let link = &report["links"]["a"];
    assert_eq!(link["from_cache"], true, "accepting it does not change the link");
    assert_eq!(
        (&link["failed_checks"][0]["name"], &link["failed_checks"][0]["accepted"]),
        (&"grounding".into(), &true.into())
    );
}

#[test]
fn two_processes_started_at_once_agree() {
    let mut pipeline = BEAM.replace("boom", "a");
    pipeline.push_str(&BEAM.replace("boom", "b").replace("elements = 8", "elements = 120"));
    pipeline.push_str(&BEAM.replace("boom", "c").replace("elements = 8", "elements = 60"));
    let bench = Bench::new(&pipeline);
    for _ in 0..3 {
        let start = || {
            let mut command = bench.pliant();
            command.arg("reduce").arg(bench.pipeline()).args(["--json", "--threads", "2"]);
            command.stdout(Stdio::piped()).spawn().unwrap()
        };
        let both = [start(), start()];
        let reports = both.map(|process| {
            let output = process.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0));
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        });
        for name in ["a", "b", "c"] {
            let [one, two] = [0, 1].map(|i| &reports[i]["links"][name]);
            for key in ["modes_hz", "mass", "grounding", "frequencies_hz"] {
                assert_eq!(one[key], two[key], "{name}: {key}");
            }
            assert_eq!(
                (&one["diagnostics"], &two["diagnostics"]),
                (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
            );
            // Locks work on this file system: each link is reduced once.
            assert!(one["from_cache"] != two["from_cache"], "{name} was reduced twice, or by nobody");
        }
        assert_eq!(bench.files(".h5").len(), 3);
        assert!(bench.files(".part").is_empty());
        fs::remove_dir_all(bench.cache()).unwrap();
    }
}

#[test]
fn a_kill_while_an_entry_is_written_leaves_no_broken_entry() {
    let pipeline = BEAM.replace("elements = 8", "elements = 200").replace("count = 4", "count = 20");
    let bench = Bench::new(&pipeline);
    let mut killed = 0;
    for _ in 0..6 {
        let mut process =
            bench.pliant().arg("reduce").arg(bench.pipeline()).stdout(Stdio::null()).spawn().unwrap();
        // As soon as the attempt shows: between creation, writing, sealing and renaming.
        while process.try_wait().unwrap().is_none() {
            if bench.files(".part").len() > killed {
                process.kill().unwrap();
                process.wait().unwrap();
                break;
            }
            thread::sleep(Duration::from_micros(200));
        }
        killed = bench.files(".part").len();
        for entry in bench.files(".h5") {
            // Whoever won the race to the rename has left a complete entry: it is used without a complaint.
            let (code, report) = bench.reduce_json(&[]);
            assert_eq!((code, &report["links"]["boom"]["from_cache"]), (0, &Value::from(true)), "{report:#}");
            assert_eq!(report["links"]["boom"]["diagnostics"], Value::from(Vec::<Value>::new()));
            fs::remove_file(entry).unwrap();
        }
    }
    assert!(killed > 0, "not one of the kills came while an entry was written");
    let (code, report) = bench.reduce_json(&[]);
    assert_eq!((code, &report["links"]["boom"]["from_cache"]), (0, &Value::from(false)));
    assert_eq!(bench.files(".h5").len(), 1);
}

#[test]
fn the_cache_is_listed_measured_and_pruned() {
    let bench = Bench::new(BEAM);
    let text = |arguments: &[&str]| {
        let output = bench.run(arguments);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["cache", "size"]).starts_with("0 links, 0 B in "));
    bench.reduce(&[]);
    assert!(text(&["cache"]).contains("boom"));
    assert!(text(&["cache", "list"]).lines().all(|line| line.len() <= 100 || line.contains(" in /")));
    let size: Value = serde_json::from_str(&text(&["cache", "size", "--json"])).unwrap();
    let on_disk = fs::metadata(&bench.files(".h5")[0]).unwrap().len();
    assert_eq!((&size["links"], &size["bytes"]), (&1.into(), &on_disk.into()));
    assert!(text(&["cache", "prune", "--older-than", "1"]).starts_with("removed 0 links"));
    assert!(text(&["cache", "prune", "--all"]).starts_with("removed 1 link"));
    assert!(bench.files("").is_empty());
    assert_eq!(bench.run(&["cache", "prune", "--older-than", "-1"]).status.code(), Some(2));
}

#[test]
fn an_unusable_cache_costs_a_warning_only() {
    let bench = Bench::new(BEAM);
    fs::write(bench.cache(), "a file where the folder should be").unwrap();
    let (code, text) = bench.reduce(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("warning: link `boom`: it cannot be kept in"), "{text}");
}

#[test]
fn a_disk_that_fills_up_costs_a_warning_only() {
    let pipeline = BEAM.replace("elements = 8", "elements = 400");
    let bench = Bench::new(&pipeline);
    // Files may not grow beyond 64 blocks, whether the shell's blocks are 512 or 1,024 bytes; the entry needs
    // 200 kB.
    let script = format!(
        "trap '' XFSZ; ulimit -f 64; exec '{}' reduce '{}'",
        assert_cmd::cargo::cargo_bin("pliant").display(),
        bench.pipeline().display()
    );
    let output =
        Command::new("sh").args(["-c", &script]).env("PLIANT_CACHE", bench.cache()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("it cannot be kept in") && text.contains("File too large"), "{text}");
    assert!(bench.files(".h5").is_empty() && bench.files(".part").is_empty());
}

#[test]
fn an_exported_link_is_a_deck_of_the_same_mass() {
    let bench = Bench::new(BEAM);
    let folder = bench.folder.path().join("decks");
    let (code, report) = bench.reduce_json(&["--export", "mesh", "--into", folder.to_str().unwrap()]);
    assert_eq!(code, 0, "{report:#}");
    let output = bench.run(&["check", folder.join("boom.bdf").to_str().unwrap(), "--json"]);
    let deck: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (a, b) = (deck["mass"].as_f64().unwrap(), report["links"]["boom"]["mass"].as_f64().unwrap());
    // Bulk data keeps nine digits at least.
    assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
}

/// A grid of solids has no rotations: it cannot carry a link frame by itself.
#[test]
fn a_link_frame_on_a_grid_of_solids_is_refused() {
    let deck = concat!(env!("CARGO_MANIFEST_DIR"), "/../../inputs/bare-mesh/lever.bdf");
    let bench = Bench::new(&format!(
        "[links.lever]\ndeck = '{deck}'\nunits = 'mm-t-s'\nmaterial = 'steel'\ninboard = 1\n\
         interfaces = {{ pin = {{ cylinder = {{ axis = 'z', through = [100, 0, 0], radius = 8 }} }} }}\n"
    ));
    let (code, text) = bench.reduce(&["--no-cache"]);
    assert_eq!(code, 1);
    assert!(text.contains("interface GRID 1: components 456 without stiffness"), "{text}");
    assert!(text.contains("lever.bdf:2:1"), "{text}");
}

/// What cutting does to a deck is reported: the frequencies of a bar of solids in three segments are those of
/// the uncut link, but for faces that cannot widen nor warp.
#[test]
fn segments_are_compared_with_the_uncut_deck() {
    use std::fmt::Write as _;
    let mut deck = "BEGIN BULK\n".to_owned();
    for i in 0..=24 {
        for (j, [y, z]) in [[-0.5, -0.4], [0.5, -0.4], [0.5, 0.4], [-0.5, 0.4]].iter().enumerate() {
            let x = 0.05 * f64::from(i);
            writeln!(deck, "GRID,{},,{x:?},{:?},{:?}", 1 + 4 * i + j as i32, 0.05 * y, 0.05 * z).unwrap();
        }
    }
    for i in 0..24 {
        let g: Vec<String> = (1..=8).map(|k| (4 * i + k).to_string()).collect();
        writeln!(deck, "CHEXA,{},1,{}\n,{}", i + 1, g[..6].join(","), g[6..].join(",")).unwrap();
    }
    deck += "PSOLID,1,1\nMAT1,1,2.+11,,.3,7850.\nENDDATA\n";
    let plane = |x: f64| format!("{{ plane = {{ normal = 'x', through = [{x:?}, 0, 0] }} }}");
    let bench = Bench::new(&format!(
        "[links.bar]\ndeck = 'bar.bdf'\ninboard = {}\ninterfaces = {{ tip = {} }}\ncuts = [{}, {}]\nmodes = {{ count = 8 }}\n",
        plane(0.0),
        plane(1.2),
        plane(0.4),
        plane(0.8)
    ));
    fs::write(bench.folder.path().join("bar.bdf"), deck).unwrap();
    let output = bench.run(&["reduce", bench.pipeline().to_str().unwrap(), "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let numbers = |key: &str| -> Vec<f64> {
        report["segments"]["bar"][key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let (joined, full) = (numbers("reduced"), numbers("full"));
    println!("joined {joined:?}\nwhole {full:?}");
    // The lowest are bending in both planes: they stiffen least.
    for (joined, full) in joined.iter().zip(&full).take(4) {
        assert!(joined / full > 1.0 - 1e-4 && joined / full < 1.01, "{joined} {full}");
    }
    // A free beam: (4.73004)² √(EI/ρA) / 2πL² (any handbook); it is 30 deep, whose shear and rotary inertia
    // take 1 % off.
    let beam = 4.730_04_f64.powi(2) * (2e11_f64 * 0.04 * 0.04 / 12.0 / 7850.0).sqrt()
        / (std::f64::consts::TAU * 1.44);
    assert!(joined[0] / beam > 0.98 && joined[0] / beam < 1.01, "{} {beam}", joined[0]);
}

/// A round bar gripped at eleven stations, all bays alike: each bends alike both ways, so the lowest
/// frequency is there twenty times, more often than a search has vectors in a block.
#[test]
fn alike_bays_have_all_their_modes() {
    let (bays, cells) = (10, 4);
    let mut deck = String::from("MAT1,1,2.1+11,,.3,7850.\nPBAR,1,1,4.-4,2.-8,2.-8,4.-8\n");
    for k in 0..=bays * cells {
        deck += &format!("GRID,{},,{:.2},0.,0.\n", k + 1, 0.25 * f64::from(k));
    }
    for k in 1..=bays * cells {
        deck += &format!("CBAR,{k},1,{k},{},0.,1.,0.\n", k + 1);
    }
    let grips: Vec<_> = (1..=bays).map(|k| format!("g{k} = {}", cells * k + 1)).collect();
    let first = |count: u32| {
        let bench = Bench::new(&format!(
            "[links.rail]\ndeck = 'rail.bdf'\ninboard = 1\ninterfaces = {{ {} }}\nmodes = {{ count = {count} }}\n",
            grips.join(", ")
        ));
        fs::write(bench.folder.path().join("rail.bdf"), &deck).unwrap();
        let (code, report) = bench.reduce_json(&[]);
        assert_eq!(code, 0, "{report:#}");
        let hz = report["links"]["rail"]["modes_hz"].as_array().unwrap().clone();
        hz.iter().map(|f| f.as_f64().unwrap()).collect::<Vec<_>>()
    };
    // Clamped at both ends: (4.73004)² √(EI/ρA) / 2πL², of which four elements a bay are 0.1 % off.
    let clamped =
        4.730_041_f64.powi(2) * (2.1e11_f64 * 2e-8 / (7850.0 * 4e-4)).sqrt() / std::f64::consts::TAU;
    for count in [8, 20, 24] {
        let hz = first(count);
        for (k, f) in hz.iter().enumerate() {
            let expected = if k < 20 { 1.0 } else { (7.853_205_f64 / 4.730_041).powi(2) };
            assert!((f / clamped / expected - 1.0).abs() < 0.02, "{count} modes, {k}: {hz:?}");
        }
    }
}

/// The command is killed at the line, so the line came before the end of the reduction.
#[test]
fn the_need_of_a_reduction_is_printed_before_it_begins() {
    use std::io::{BufRead, BufReader};
    let bench = Bench::new(
        "[links.long]\nbeam = { length = 1e3, elements = 60000, section = { rod = 0.04 }, material = \"steel\" }\n\
         modes = { count = 2 }\n",
    );
    let mut command = bench.pliant();
    command.arg("reduce").arg(bench.pipeline()).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // Six freedoms a grid, one end held, the tip an interface.
    assert!(line.starts_with("long: 359,994 degrees of freedom; the factorisation needs "), "{line:?}");
    assert!(line.trim_end().ends_with("available memory"), "{line:?}");
    // The lock at most; no entry.
    assert!(fs::read_dir(bench.cache()).map_or(0, Iterator::count) < 2);
}
