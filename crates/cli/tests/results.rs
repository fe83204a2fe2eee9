//! The results file of `pliant run`: what is in it, and that no way of ending a run spoils it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "results/bench.rs"]
mod bench;
#[path = "results/kill.rs"]
mod kill;

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use pliant_store::results::{ResultsFile, part_of};
use serde_json::Value;

use bench::{Bench, numbers, series};

#[test]
fn a_run_leaves_a_file_that_says_what_the_report_says() {
    let bench = Bench::new();
    let pipeline = bench.arm("1.2", "every = 1e-3\nframes = 7");
    let output = bench.output(&["run", "--json", "arm.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["results"], "results/arm.vtkhdf");
    assert!(!part_of(&bench.path("results/arm.vtkhdf")).exists());

    let file = ResultsFile::open(&bench.path("results/arm.vtkhdf")).unwrap();
    assert_eq!(file.attribute("title"), "Spatial 3R arm, 10 kg payload");
    assert_eq!(file.attribute("state"), "complete");
    assert_eq!(file.analyses(), [("nonlinear".to_owned(), String::new())]);
    let inputs = file.inputs().unwrap();
    assert_eq!(inputs.pipeline, fs::read_to_string(pipeline).unwrap());
    assert_eq!(inputs.files[0].path, "arm.toml");

    let time = numbers(&file, "/time");
    assert_eq!(time.len(), 1201);
    assert!(time.iter().enumerate().all(|(i, t)| (t - 1e-3 * i as f64).abs() < 1e-12));
    for path in file.along_time("").unwrap() {
        let found = series(&file, &path);
        assert_eq!(found.shape[0], time.len(), "{path}");
        assert_eq!(found.axes[0], "time", "{path}");
        assert_eq!(found.axes.len(), found.shape.len(), "{path}");
        assert!(found.values.iter().all(|x| x.is_finite()), "{path}");
        assert!(!found.units.is_empty() && !found.description.is_empty(), "{path}");
    }
    let error = series(&file, "/tip/error");
    assert_eq!((error.labels.join(""), error.units.as_str()), ("xyz".to_owned(), "m"));
    let (nominal, actual) = (numbers(&file, "/tip/nominal"), numbers(&file, "/tip/actual"));
    let worst = actual.iter().zip(&nominal).zip(&error.values).map(|((a, n), e)| (a - n - e).abs());
    assert!(worst.fold(0.0, f64::max) < 1e-15);
    let peak =
        error.values.chunks(3).map(|e| (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt()).fold(0.0, f64::max);
    assert_eq!(peak, report["run"]["tip"]["peak_error"].as_f64().unwrap());
    let metrics = file.metrics("").unwrap();
    let metric = |name: &str| metrics.iter().find(|m| m.path.ends_with(name)).unwrap();
    assert_eq!((metric("tip_peak_error").values[0], metric("tip_peak_error").units.as_str()), (peak, "m"));
    let torque = numbers(&file, "/joints/elbow/torque").iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    assert_eq!(torque, metric("drive_peak_elbow").values[0]);
    // The load of a joint in its own axes: its moment about the axis (-y here) is the torque of the drive.
    let load = series(&file, "/joints/elbow/load");
    let torque = numbers(&file, "/joints/elbow/torque");
    // Friction and rotor are absent; what is left is rounding of sums of size 500.
    assert!(load.column(4).zip(&torque).all(|(m, t)| (m + t).abs() < 1e-9));
    assert_eq!(series(&file, "/links/fore/coordinates").labels[0], "tip.1");
}

#[test]
fn output_chooses_what_is_kept() {
    let bench = Bench::new();
    bench.arm("0.1", "keep = [\"tip\", \"links\", \"rates\"]\ncompress = true\nframes = 0");
    let output = bench.output(&["run", "arm.toml", "--out", "new/one.vtkhdf"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("new/one.vtkhdf"));
    let file = ResultsFile::open(&bench.path("new/one.vtkhdf")).unwrap();
    let kept = file.along_time("").unwrap();
    assert!(kept.contains(&"/links/fore/rates".to_owned()), "{kept:?}");
    assert!(kept.iter().all(|path| path.starts_with("/tip") || path.starts_with("/links")), "{kept:?}");
    assert!(!file.has("/VTKHDF"));
}

#[test]
fn an_interrupted_run_keeps_what_it_has_and_says_so() {
    let bench = Bench::new();
    bench.arm("60.0", "");
    for signal in ["-INT", "-TERM"] {
        let child = bench.start(&["run", "arm.toml", "--out", "a.vtkhdf"]);
        while !part_of(&bench.path("a.vtkhdf")).exists() {
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(500));
        let output = bench.output(&["recover", "a.vtkhdf.part"]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("a run is still writing it"), "{output:?}");
        let output = bench.output(&["run", "arm.toml", "--out", "a.vtkhdf"]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("a run is still writing it"), "{output:?}");
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("interrupted at t =") && said.contains("a.vtkhdf"), "{said}");
        let file = ResultsFile::open(&bench.path("a.vtkhdf")).unwrap();
        assert_eq!(file.attribute("state"), "interrupted");
        let (time, metrics) = (numbers(&file, "/time"), file.metrics("").unwrap());
        assert!(!time.is_empty() && *time.last().unwrap() < 60.0);
        let steps = metrics.iter().find(|m| m.path.ends_with("solver_steps")).unwrap();
        assert_eq!(steps.values[0] as usize + 1, time.len());
        fs::remove_file(bench.path("a.vtkhdf")).unwrap();
    }
}

#[test]
fn a_full_disk_is_reported_and_complete_files_are_kept() {
    let bench = Bench::new();
    bench.arm("30.0", "");
    // A file may not grow beyond 12 MB here; the run would write 120.
    let script = format!(
        "trap '' XFSZ; ulimit -f 24000; exec {} run arm.toml --out a.vtkhdf",
        env!("CARGO_BIN_EXE_pliant")
    );
    let mut command = Command::new("bash");
    command.args(["-c", &script]).env("PLIANT_CACHE", bench.path("cache")).current_dir(bench.folder.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the results cannot be written") && said.contains("File too large"), "{said}");
    assert!(said.contains("pliant recover a.vtkhdf.part"), "{said}");
    assert!(!bench.path("a.vtkhdf").exists());
    assert_eq!(bench.output(&["recover", "a.vtkhdf.part"]).status.code(), Some(0));
    let file = ResultsFile::open(&bench.path("a.vtkhdf")).unwrap();
    assert!(numbers(&file, "/time").len() > 1000);
}

#[test]
fn what_is_no_part_is_refused() {
    let bench = Bench::new();
    fs::write(bench.path("x.part"), "no HDF5 at all, but long enough to look at its beginning").unwrap();
    let output = bench.output(&["recover", "x.part"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not the results of a run"));
    assert!(bench.path("x.part").exists());
    // Nobody is sent to `recover` for what it refuses.
    let output = bench.output(&["show", "x.part"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("recover"), "{output:?}");
    let output = bench.output(&["recover", "missing.part"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("No such file"), "{output:?}");
}

#[test]
fn show_and_export_print_what_the_file_holds() {
    let bench = Bench::new();
    bench.arm("0.1", "frames = 3");
    assert_eq!(bench.output(&["run", "-q", "arm.toml", "--out", "a.vtkhdf"]).status.code(), Some(0));
    let file = ResultsFile::open(&bench.path("a.vtkhdf")).unwrap();
    let error = series(&file, "/tip/error");

    let output = bench.output(&["show", "--json", "a.vtkhdf"]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    let run = &reported["analyses"][0];
    assert_eq!((&run["outputs"], &run["t_end"]), (&Value::from(401), &Value::from(0.1)));
    let peak = series(&file, "/metrics/tip_peak_error").values[0];
    assert_eq!(run["metrics"]["tip_peak_error"]["value"].as_f64(), Some(peak));
    assert!(run["metrics"]["tip_settling_time"]["value"].is_null(), "the motion has not ended");
    let output = bench.output(&["show", "a.vtkhdf"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("elbow torque") && said.contains('█') && said.contains("401 outputs"), "{said}");

    let all = [
        "export",
        "a.vtkhdf",
        "--csv",
        "tip.csv",
        "--only",
        "tip/error",
        "--vtkhdf",
        "shapes.vtkhdf",
        "--bulk",
        "decks",
    ];
    let output = bench.output(&all);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table = fs::read_to_string(bench.path("tip.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3 * 401);
    let last = rows.last().unwrap();
    assert_eq!(last[..5], ["nonlinear", "tip/error", "z", "m", "0.1"]);
    assert_eq!(last[5].parse::<f64>().unwrap(), *error.values.last().unwrap());

    let deck = fs::read_to_string(bench.path("decks/frame-0003.bdf")).unwrap();
    assert!(deck.starts_with("$ Deformed shape at t = 0.1 s"), "{deck}");
    let output = bench.output(&["check", "--json", "decks/frame-0003.bdf"]);
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (mesh, grids) = (file.shapes().unwrap().unwrap(), &checked["cards"]["GRID"]["count"]);
    assert_eq!((grids.as_u64(), checked["cards"]["PLOTEL"]["count"].as_u64()), (Some(44), Some(41)));
    assert_eq!(mesh.links, ["hip", "upper", "fore"]);
    let frame = file.shape_frame(&mesh, 2).unwrap();
    let actual = numbers(&file, "/tip/actual");
    for (x, tip) in frame.points[3 * 43..].iter().zip(&actual[actual.len() - 3..]) {
        // Single precision of numbers below 4.
        assert!((f64::from(*x) - tip).abs() < 5e-7, "{x} {tip}");
    }
    let shapes = fs::read(bench.path("shapes.vtkhdf")).unwrap();
    assert!(shapes.starts_with(b"\x89HDF") && !shapes.windows(14).any(|bytes| bytes == b"DIMENSION_LIST"));

    let output = bench.output(&["export", "a.vtkhdf", "--csv", "x.csv", "--only", "tipp"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no series begins with tipp"));
}

#[test]
fn stress_and_strain_are_recovered_where_asked() {
    let bench = Bench::new();
    bench.arm(
        "0.05",
        "frames = 3\nstress = { links = ['upper'], history = [1] }\nstrain = { elements = [2, 3] }",
    );
    let output = bench.output(&["run", "arm.toml", "--out", "a.vtkhdf"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let file = ResultsFile::open(&bench.path("a.vtkhdf")).unwrap();
    let history = series(&file, "/links/upper/elements/1/stress");
    assert_eq!(history.shape[1], 20);
    let column = |name: &str| history.labels.iter().position(|label| label == name).unwrap();
    // The largest over the run is that of its history, where the points of a section given by its values lie
    // on its axis.
    let largest = history.values.chunks(20).map(|row| row[12..].iter().fold(0.0, |a: f64, s| a.max(s.abs())));
    let largest = largest.fold(0.0, f64::max);
    let elements = numbers(&file, "/links/upper/stress/element");
    let at = elements.iter().position(|id| *id == 1.0).unwrap();
    // Squares that are summed in another order and their root: some thirty roundings.
    let stored = numbers(&file, "/links/upper/stress/von_mises_max")[at];
    assert!(elements.len() == 20 && (stored / largest - 1.0).abs() < 1e-13, "{stored} for {largest}");
    assert!(!file.has("/links/fore/stress"));
    // The arm starts at rest, stretched out: the moment at its root is that of the shoulder about y. The root
    // of a beam on few modes has a little less than all of it.
    let load = series(&file, "/joints/shoulder/load");
    let root = history.values[column("A.M2")].abs();
    let joint = load.values[4].abs();
    assert!((root / joint - 1.0).abs() < 0.02, "{root} {joint}");
    let mesh = file.shapes().unwrap().unwrap();
    let frame = file.shape_frame(&mesh, 2).unwrap();
    assert_eq!(frame.von_mises.len(), mesh.cell_types.len());
    let upper = mesh.links.iter().position(|name| name == "upper").unwrap() as u32 + 1;
    for (stress, link) in frame.von_mises.iter().zip(&mesh.cell_links) {
        assert_eq!(*stress > 0.0, *link == upper);
    }
    // Strain was asked of two elements of every link: it is there for them and for no others.
    for link in ["upper", "fore"] {
        assert_eq!(numbers(&file, &format!("/links/{link}/strain/element")), [2.0, 3.0]);
        assert!(numbers(&file, &format!("/links/{link}/strain/principal_max")).iter().all(|e| *e > 0.0));
    }
    assert!(!file.has("/links/upper/elements/1/strain"));
    for (strain, element) in frame.principal_strain.iter().zip(&mesh.elements) {
        assert_eq!(*strain > 0.0, [2, 3].contains(element));
    }
    bench.arm("0.05", "strain = { links = ['uper'] }");
    let output = bench.output(&["run", "arm.toml", "--out", "a.vtkhdf"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("there is no link `uper`"));
}

#[test]
fn a_load_that_is_no_number_ends_the_run_and_never_reaches_the_file() {
    let bench = Bench::new();
    let text = "gravity = [0, -9.81, 0]\n[links.rod]\n\
                beam = { length = 1.0, section = { rod = 0.02 }, material = 'aluminium' }\n\
                [joints.pivot]\nparent = 'ground'\nchild = 'rod'\ntype = 'revolute'\n\
                [loads.bad]\nat = 'rod.tip'\nforce = [0, 'sqrt((t - 0.011)^2 - 1e-14)', 0]\n\
                [analysis]\nend = 0.02\nstep = 1e-3\n[output]\nevery = 1e-3\ntip = 'rod.tip'\n";
    fs::write(bench.path("rod.toml"), text).unwrap();
    let output = bench.output(&["run", "--json", "rod.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reported = report["diagnostics"].to_string();
    assert!(reported.contains("t = 0.011 s: joint `pivot`, angle is no longer finite"), "{reported}");

    let file = ResultsFile::open(&bench.path("results/rod.vtkhdf")).unwrap();
    // Ten steps of 1 ms and the start; the eleventh ends where the root is no number, and there alone.
    assert_eq!(numbers(&file, "/time").len(), 11);
    for path in file.along_time("").unwrap() {
        assert!(series(&file, &path).values.iter().all(|x| x.is_finite()), "{path}");
    }
    for metric in file.metrics("").unwrap() {
        assert!(metric.values.iter().all(|x| x.is_finite()), "{}", metric.path);
    }
    // What is no number in a part of the run is named before it.
    fs::write(bench.path("later.toml"), text.replace("sqrt((t - 0.011)^2 - 1e-14)", "ln(0.0105 - t)"))
        .unwrap();
    let output = bench.output(&["run", "later.toml"]);
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("load `bad`: its force is not finite at t = 0.0105"), "{said}");
}

/// A bar that is bent by a tenth of its length: it is drawn where it is, tip and middle, and keeps its
/// length.
#[test]
fn points_of_a_bent_bar_are_of_second_order() {
    let bench = Bench::new();
    for basis in ["craig-bampton", "cantilever"] {
        let text = format!(
            "[links.a]
beam = {{ length = 1.0, section = {{ bar = [0.01, 0.01] }}, material = {{ e = 70e9, nu = 0.3, rho = 2700 }}, elements = 20 }}
modes = {{ count = 8 }}
basis = '{basis}'
accept = ['frequencies']
[joints.j]
parent = 'ground'
child = 'a'
type = 'fixed'
[loads.l]
at = 'a.tip'
force = [0, 0, -17.5]
[analysis]
start = 'equilibrium'
end = 0.01
step = 1e-3
[output]
tip = 'a.tip'
"
        );
        fs::write(bench.path("bent.toml"), text).unwrap();
        let name = format!("{basis}.vtkhdf");
        let output = bench.output(&["run", "bent.toml", "--out", &name]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        let file = ResultsFile::open(&bench.path(&name)).unwrap();
        let (tip, points) = (numbers(&file, "/tip/actual"), numbers(&file, "/VTKHDF/Points"));
        let points: Vec<&[f64]> = points.chunks_exact(3).take(21).collect();
        // Single precision.
        for c in 0..3 {
            assert!((points[20][c] - tip[c]).abs() < 2e-7, "{basis}: {:?} {tip:?}", points[20]);
        }
        let lengths: Vec<f64> = points
            .windows(2)
            .map(|ends| (0..3).map(|c| (ends[1][c] - ends[0][c]).powi(2)).sum::<f64>().sqrt())
            .collect();
        // Each bar is 0.05 m long. Of fourth order in the slope, 0.15 at the tip, 0.15⁴/8 is left; linear in
        // between the bars were 0.6 % too short at one end and too long at the other.
        let worst = lengths.iter().fold(0.0f64, |worst, length| worst.max((length / 0.05 - 1.0).abs()));
        assert!(worst < 2e-4, "{basis}: {worst}");
        // −½∫w′² to the middle of a cantilever with a force on its end: 0.1242 δ²/L.
        let middle = points[10][0] - 0.5;
        assert!((middle / (-0.1242 * tip[2] * tip[2]) - 1.0).abs() < 0.01, "{basis}: {middle}");
    }
}
