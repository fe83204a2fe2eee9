//! Promise 5 of docs/guarantees.md: the same bits for 1, 2 and 4 threads, for every file of `pipelines/` and
//! for links with no inner freedoms. Everything in results and cache entries is compared but what is stated
//! here.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use hdf5::{Container, Group};
use tempfile::TempDir;

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

/// Results and cache entries of a pipeline, computed with some threads and an empty cache.
fn run(folder: &TempDir, pipeline: &Path, threads: &str) -> Vec<(String, Content)> {
    let work = folder.path().join(format!("with-{threads}"));
    fs::create_dir_all(&work).unwrap();
    let (cache, results) = (work.join("cache"), work.join("results.vtkhdf"));
    let verb = if fs::read_to_string(pipeline).unwrap().contains("[analysis]") { "run" } else { "reduce" };
    let mut command = Command::new(cargo_bin("pliant"));
    command.args(["--quiet", "--threads", threads, verb]).arg(pipeline).env("PLIANT_CACHE", &cache);
    if verb == "run" {
        command.arg("--out").arg(&results);
    }
    let output = command.current_dir(&work).output().unwrap();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert_eq!(output.status.code(), Some(0), "{}: {}", pipeline.display(), String::from_utf8_lossy(&text));
    let mut files: Vec<PathBuf> = fs::read_dir(&cache).map_or(Vec::new(), |entries| {
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "h5")).collect()
    });
    files.sort();
    files.extend(Some(results).filter(|path| path.exists()));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let found: Vec<_> = files.iter().map(|path| (name(path), content(path))).collect();
    assert!(!found.is_empty(), "{}: nothing to compare", pipeline.display());
    fs::remove_dir_all(&work).unwrap();
    found
}

fn compare(folder: &TempDir, pipeline: &Path) -> usize {
    let one = run(folder, pipeline, "1");
    for threads in ["2", "4"] {
        let other = run(folder, pipeline, threads);
        let names = |all: &[(String, Content)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&one), names(&other), "{}", pipeline.display());
        for ((name, a), (_, b)) in one.iter().zip(&other) {
            let differs: Vec<_> = a.iter().filter(|(path, value)| b.get(*path) != Some(value)).collect();
            let place = format!("{}, {threads} threads, {name}", pipeline.display());
            assert!(differs.is_empty() && a.len() == b.len(), "{place}: {differs:?}");
        }
    }
    one.iter().map(|(_, content)| content.len()).sum()
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

#[test]
fn every_pipeline_gives_the_same_bits_with_1_2_and_4_threads() {
    let folder = TempDir::new().unwrap();
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
    for file in files {
        let start = std::time::Instant::now();
        let items = compare(&folder, &shortened(&file, &folder));
        println!("{}: {items} items, {:.1} s", file.display(), start.elapsed().as_secs_f64());
    }
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
