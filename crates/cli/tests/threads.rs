//! Promise 5 of docs/guarantees.md: the same bits for 1, 2 and 4 threads, here and in a job of Slurm, for
//! every file of `pipelines/` and for links with no inner freedoms. Everything in results and cache entries
//! is compared but what is stated here. Studies on Slurm are in study/slurm.rs.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "study/slurm.rs uses all of it")]
#[path = "study/cluster.rs"]
mod cluster;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use hdf5::{Container, Group};
use tempfile::TempDir;

use cluster::Cluster;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// What differs from run to run: the date, and times that things took.
const STATED: [&str; 3] = ["created", "elapsed", "solver_seconds"];

/// Links that are alike share an entry of the cache, which keeps the name of the one that was first; a run
/// puts its own in.
const NAME_FOR_PEOPLE: &str = "/link@name";

/// All that an HDF5 file holds, by its path, as text that shows every bit.
type Content = BTreeMap<String, String>;

fn content(path: &Path) -> Content {
    let file = hdf5::File::open(path).unwrap();
    let mut found = Content::new();
    collect(&file, &mut found);
    found.remove(NAME_FOR_PEOPLE);
    found.retain(|path, _| !STATED.iter().any(|name| path.rsplit(['/', '@']).next() == Some(name)));
    found
}

fn collect(group: &Group, found: &mut Content) {
    attributes(group, &group.name(), found);
    for dataset in group.datasets().unwrap() {
        attributes(&dataset, &dataset.name(), found);
        let bits = bits(&dataset, &dataset);
        found.insert(dataset.name(), format!("{:?} {bits}", dataset.shape()));
    }
    for below in group.groups().unwrap() {
        collect(&below, found);
    }
}

fn attributes(of: &hdf5::Location, path: &str, found: &mut Content) {
    for name in of.attr_names().unwrap() {
        let attribute = of.attr(&name).unwrap();
        found.insert(format!("{path}@{name}"), bits(&attribute, &attribute));
    }
}

/// Numbers as the hash of their bits, texts as they are; references to other objects by their count alone.
fn bits(container: &Container, of: &Container) -> String {
    let kind = of.dtype().unwrap();
    let hash = |bytes: Vec<u64>| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        format!("{} numbers {:016x}", bytes.len(), hasher.finish())
    };
    if let Ok(values) = container.read_raw::<f64>() {
        return hash(values.iter().map(|x| x.to_bits()).collect());
    }
    if let Ok(values) = container.read_raw::<i64>() {
        return hash(values.iter().map(|x| *x as u64).collect());
    }
    if let Ok(values) = container.read_raw::<hdf5::types::VarLenUnicode>() {
        return format!("{values:?}");
    }
    if let Ok(values) = container.read_raw::<hdf5::types::FixedAscii<512>>() {
        return format!("{values:?}");
    }
    if let Ok(values) = container.read_raw::<hdf5::types::FixedUnicode<512>>() {
        return format!("{values:?}");
    }
    format!("{} items of {:?}", container.size(), kind.to_descriptor())
}

/// The command that computes results and cache entries of a pipeline in a folder, from an empty cache.
fn command(work: &Path, pipeline: &Path, threads: &str) -> Command {
    fs::create_dir_all(work).unwrap();
    let verb = if fs::read_to_string(pipeline).unwrap().contains("[analysis]") { "run" } else { "reduce" };
    let mut command = Command::new(cargo_bin("pliant"));
    command.args(["--quiet", "--threads", threads, verb]).arg(pipeline).current_dir(work);
    if verb == "run" {
        command.arg("--out").arg(work.join("results.vtkhdf"));
    }
    command.env("PLIANT_CACHE", work.join("cache"));
    command
}

/// Results and cache entries of a pipeline, computed with some threads.
fn run(folder: &TempDir, pipeline: &Path, threads: &str) -> Vec<(String, Content)> {
    let work = folder.path().join(format!("with-{threads}"));
    let output = command(&work, pipeline, threads).output().unwrap();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert_eq!(output.status.code(), Some(0), "{}: {}", pipeline.display(), String::from_utf8_lossy(&text));
    contents(&work, pipeline)
}

/// Results and cache entries in a folder, which is removed.
fn contents(work: &Path, pipeline: &Path) -> Vec<(String, Content)> {
    let (cache, results) = (work.join("cache"), work.join("results.vtkhdf"));
    let mut files: Vec<PathBuf> = fs::read_dir(&cache).map_or(Vec::new(), |entries| {
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "h5")).collect()
    });
    files.sort();
    files.extend(Some(results).filter(|path| path.exists()));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let found: Vec<_> = files.iter().map(|path| (name(path), content(path))).collect();
    assert!(!found.is_empty(), "{}: nothing to compare", pipeline.display());
    fs::remove_dir_all(work).unwrap();
    found
}

fn compare(folder: &TempDir, pipeline: &Path) -> usize {
    let one = run(folder, pipeline, "1");
    for threads in ["2", "4"] {
        same(&one, &run(folder, pipeline, threads), &format!("{}, {threads} threads", pipeline.display()));
    }
    items(&one)
}

fn items(all: &[(String, Content)]) -> usize {
    all.iter().map(|(_, content)| content.len()).sum()
}

/// Fails unless two computations have left the same files with the same bits.
fn same(one: &[(String, Content)], other: &[(String, Content)], case: &str) {
    let names = |all: &[(String, Content)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(one), names(other), "{case}");
    for ((name, a), (_, b)) in one.iter().zip(other) {
        let differs: Vec<_> = a.iter().filter(|(path, value)| b.get(*path) != Some(value)).collect();
        assert!(differs.is_empty() && a.len() == b.len(), "{case}, {name}: {differs:?}");
    }
}

/// A copy of a pipeline file that ends after a hundredth of its motion; a study becomes the run of its
/// machine.
fn shortened(file: &Path, folder: &TempDir) -> PathBuf {
    let text = fs::read_to_string(file).unwrap();
    let machine = text.split("\n[study").next().unwrap();
    let shorten = |line: &str| match line.strip_prefix("end ").and_then(|rest| rest.split('=').nth(1)) {
        Some(end) => {
            format!("end = {}", end.split('#').next().unwrap().trim().parse::<f64>().unwrap() / 100.0)
        }
        None => line.to_owned(),
    };
    let path = folder.path().join("pipelines").join(file.file_name().unwrap());
    fs::write(&path, machine.lines().map(shorten).collect::<Vec<_>>().join("\n")).unwrap();
    path
}

/// All files of `pipelines/`, shortened, in a folder with their inputs.
fn all_shortened(folder: &TempDir) -> Vec<PathBuf> {
    fs::create_dir(folder.path().join("pipelines")).unwrap();
    let inputs = fs::canonicalize(Path::new(ROOT).join("inputs")).unwrap();
    std::os::unix::fs::symlink(inputs, folder.path().join("inputs")).unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(Path::new(ROOT).join("pipelines"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 14);
    files.iter().map(|file| shortened(file, folder)).collect()
}

#[test]
fn every_pipeline_gives_the_same_bits_with_1_2_and_4_threads() {
    let folder = TempDir::new().unwrap();
    for file in all_shortened(&folder) {
        let start = std::time::Instant::now();
        let items = compare(&folder, &file);
        println!("{}: {items} items, {:.1} s", file.display(), start.elapsed().as_secs_f64());
    }
}

/// Each pipeline as a job of its own, which is how a single run goes to a cluster: `--on slurm` is for
/// studies and says so.
#[test]
fn every_pipeline_gives_the_same_bits_in_a_job_of_slurm() {
    let Some(cluster) = Cluster::up() else { return };
    let folder = TempDir::new().unwrap();
    let files = all_shortened(&folder);
    let work_of = |file: &Path| folder.path().join("jobs").join(file.file_stem().unwrap());
    for file in &files {
        let work = work_of(file);
        // Jobs get the environment of sbatch; what the command adds to it is given by name.
        let command = command(&work, file, "4");
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<_> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
        let cache = format!("PLIANT_CACHE='{}'", work.join("cache").display());
        let (log, there) =
            (format!("--output={}/log", work.display()), format!("--chdir={}", work.display()));
        let line = format!("{cache} {} && touch done", words.join(" "));
        cluster.ask("sbatch", &["--cpus-per-task=2", &log, &there, "--wrap", &line]);
    }
    // In the meantime here.
    let mut here = Vec::new();
    for file in &files {
        here.push(run(&folder, file, "1"));
    }
    cluster.wait(|_| {});
    for (file, here) in files.iter().zip(&here) {
        let work = work_of(file);
        let log = fs::read_to_string(work.join("log")).unwrap_or_default();
        assert!(work.join("done").exists(), "{}: {log}", file.display());
        same(here, &contents(&work, file), &format!("{} on Slurm", file.display()));
        println!("{}: {} items", file.display(), items(here));
    }
    // A file without a study is no array of jobs.
    let machine = files.iter().find(|file| fs::read_to_string(file).unwrap().contains("[analysis]")).unwrap();
    let output =
        Command::new(cargo_bin("pliant")).args(["run", "--on", "slurm"]).arg(machine).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("--on is for files with a [study]") && text.contains("sbatch --wrap"), "{text}");
}

#[test]
fn links_without_inner_freedoms_give_the_same_bits() {
    let machine = |link: &str| {
        format!(
            "gravity = [0, 0, -9.81]\n[links.rod]\n{link}\n[joints.hub]\nparent = \"ground\"\nchild = \"rod\"\ntype = \"revolute\"\n\
             axis = \"z\"\ndrive = {{ motion = {{ profile = \"cycloidal\", to = 1.0, time = 1.0 }} }}\n[analysis]\nend = 0.02\n\
             step = 1e-3\n[output]\ntip = \"rod.tip\"\nframes = 2\n"
        )
    };
    let beam = |elements: usize, modes: &str| {
        format!(
            "beam = {{ length = 1.0, elements = {elements}, section = {{ rod = 0.04 }}, material = \"steel\" }}\nmodes = {{ {modes} }}"
        )
    };
    let links = [
        beam(1, "count = 0"),
        beam(1, "below_hz = 2000"),
        beam(2, "count = 2"),
        beam(3, "below_hz = 500"),
        format!("{}\nbasis = \"guyan\"", beam(1, "count = 0")),
    ];
    for link in links {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("rod.toml");
        fs::write(&path, machine(&link)).unwrap();
        compare(&folder, &path);
    }
}
