//! Promise 3: the limits of a reader of files without a seal stop damage and not us. Every command reads
//! every kind of file that Pliant writes with half of what src/guarded.rs allows.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use hdf5::Group;

use super::{Bench, MACHINE, text};

/// Of src/guarded.rs.
const MEMORY: u64 = 12 << 20;
const TIMES: u64 = 4;

/// Bytes of all datasets, once inflated.
fn content(group: &Group) -> u64 {
    let bytes = |dataset: &hdf5::Dataset| (dataset.size() * dataset.dtype().unwrap().size()) as u64;
    let below = group.groups().unwrap();
    group.datasets().unwrap().iter().map(bytes).sum::<u64>() + below.iter().map(content).sum::<u64>()
}

/// Runs a command with `ulimit -d`, which a reader never raises.
fn limited(bench: &Bench, kilobytes: u64, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -d {kilobytes}; exec \"$@\""), "sh"]).arg(cargo_bin("pliant"));
    command.args(arguments).current_dir(bench.path("")).env("PLIANT_CACHE", bench.path("cache"));
    command.output().unwrap()
}

#[test]
fn half_the_memory_is_enough_for_all_that_pliant_writes() {
    let bench = Bench::new();
    // Numbers that hardly take room in the file: a machine at rest, compressed. Many shapes. Many outputs.
    let rest = MACHINE
        .replace("-9.81]", "0]")
        .replace("{ profile = \"cycloidal\", to = 1.0, time = 1.0 }", "{ profile = \"hold\", value = 0.0 }")
        .replace("end  = 0.02", "end  = 8.0");
    let kinds = [
        ("rest", rest + "compress = true\n"),
        ("shapes", MACHINE.replace("elements = 4", "elements = 2000").replace("frames = 2", "frames = 200")),
        ("long", MACHINE.replace("end  = 0.02", "end  = 4.0")),
    ];
    for (name, machine) in kinds {
        fs::write(bench.path(name).with_extension("toml"), machine).unwrap();
        bench.good(&["-q", "run", &format!("{name}.toml"), "--out", &format!("{name}.vtkhdf")]);
    }
    bench.good(&["-q", "new", "fresh"]);
    bench.good(&[
        "-q",
        "modes",
        "fresh/upper.bdf",
        "--units",
        "mm-t-s",
        "--free",
        "--count",
        "30",
        "--out",
        "modes.vtkhdf",
    ]);
    for name in ["r", "rest", "shapes", "long", "modes"] {
        let sealed = fs::read(bench.path(name).with_extension("vtkhdf")).unwrap();
        fs::write(bench.path("bare.vtkhdf"), &sealed[..sealed.len() - 128]).unwrap();
        let bytes = content(&hdf5::File::open(bench.path("bare.vtkhdf")).unwrap());
        let half = (MEMORY + TIMES * bytes.max(sealed.len() as u64)) / 2 / 1024;
        println!("{name}: {} bytes in the file, {bytes} of content, {half} kB are half", sealed.len());
        let commands: [&[&str]; 6] = [
            &["show", "bare.vtkhdf"],
            &["export", "bare.vtkhdf", "--csv", "a.csv"],
            &["export", "bare.vtkhdf", "--mat", "a.mat"],
            &["export", "bare.vtkhdf", "--vtkhdf", "a.vtkhdf", "--bulk", "b"],
            &["report", "bare.vtkhdf", "--out", "a.html"],
            &["recover", "bare.vtkhdf", "--out", "again.vtkhdf"],
        ];
        for arguments in commands {
            let output = limited(&bench, half, arguments);
            let said = text(&output);
            // Shapes of modes are no results of a run, and that is what is said of them.
            let right = if name == "modes" { Some(1) } else { Some(0) };
            assert_eq!(output.status.code(), right, "{name}, {arguments:?}, {half} kB: {said}");
            assert!(!said.contains("its reader ended") && !said.contains("takes too long"), "{said}");
        }
        let _ = fs::remove_dir_all(bench.path("b"));
    }
}

/// With more threads than memory for their stacks a file without a seal was refused.
#[test]
fn threads_do_not_count_as_damage() {
    let bench = Bench::new();
    let sealed = fs::read(bench.path("r.vtkhdf")).unwrap();
    fs::write(bench.path("bare.vtkhdf"), &sealed[..sealed.len() - 128]).unwrap();
    bench.good(&["--threads", "64", "report", "bare.vtkhdf", "--out", "a.html"]);
}

/// A part that leads out of its file is refused, as results are.
#[test]
fn recovery_stays_inside_its_file() {
    let bench = Bench::new();
    let sealed = fs::read(bench.path("r.vtkhdf")).unwrap();
    let put = |change: &dyn Fn(&hdf5::File)| {
        fs::write(bench.path("x.vtkhdf.part"), &sealed[..sealed.len() - 128]).unwrap();
        let options = hdf5::File::with_options().with_fapl(|fapl| fapl.libver_v110()).clone();
        let file = options.open_rw(bench.path("x.vtkhdf.part")).unwrap();
        change(&file);
        file.close().unwrap();
    };
    put(&|_| {});
    bench.good(&["recover", "x.vtkhdf.part"]);
    fs::remove_file(bench.path("x.vtkhdf")).unwrap();
    put(&|file| file.link_external("/etc/passwd", "/", "tip/x").unwrap());
    bench.refused(&["recover", "x.vtkhdf.part"], "a link to something else");
    put(&|file| {
        let builder = file.new_dataset::<u8>().external("/etc/passwd", 0, 100);
        builder.shape(100).create("tip/x").unwrap();
    });
    bench.refused(&["recover", "x.vtkhdf.part"], "another file");
    assert!(!Path::new(&bench.path("x.vtkhdf")).exists());
}
