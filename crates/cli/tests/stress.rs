//! Stress of a run: envelopes against elements one by one, peaks against theory, margins, studies.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pliant_reduce::recovery::{Quantity, RowKind};
use pliant_store::results::ResultsFile;
use serde_json::Value;

/// Length, width and height of a bar of TET10 along x, and its cells along each.
const BAR: [f64; 3] = [0.8, 0.05, 0.08];
const CELLS: [usize; 3] = [16, 2, 2];

/// Each cell of six tetrahedra around its diagonal, with grids in the middle of all edges; both ends rigid.
/// Without Poisson's ratio, so that rigid ends do not disturb the stress of a beam.
fn tet10() -> String {
    let grid = |i: usize, j: usize, k: usize| 100 + i + (2 * CELLS[0] + 1) * (j + (2 * CELLS[1] + 1) * k);
    let mut deck = String::from("BEGIN BULK\nMAT1,1,2.1+11,,0.,7850.,,,,+M\n+M,3.+8,2.5+8\nPSOLID,2,1\n");
    writeln!(deck, "GRID,1,,0.,0.,0.\nGRID,2,,{:?},0.,0.", BAR[0]).unwrap();
    let (mut root, mut tip) = (Vec::new(), Vec::new());
    for k in 0..=2 * CELLS[2] {
        for j in 0..=2 * CELLS[1] {
            for i in 0..=2 * CELLS[0] {
                let at = |n: usize, axis: usize| BAR[axis] * n as f64 / (2 * CELLS[axis]) as f64;
                let (x, y, z) = (at(i, 0), at(j, 1) - 0.5 * BAR[1], at(k, 2) - 0.5 * BAR[2]);
                writeln!(deck, "GRID,{},,{x:.9},{y:.9},{z:.9}", grid(i, j, k)).unwrap();
                if i == 0 {
                    root.push(grid(i, j, k));
                } else if i == 2 * CELLS[0] {
                    tip.push(grid(i, j, k));
                }
            }
        }
    }
    let mut element = 0;
    // The paths from corner to corner of a cell along the three axes, in all orders.
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    for (cell, order) in
        (0..CELLS[0] * CELLS[1] * CELLS[2]).flat_map(|cell| orders.map(|order| (cell, order)))
    {
        let origin = [cell % CELLS[0], cell / CELLS[0] % CELLS[1], cell / CELLS[0] / CELLS[1]];
        let mut corners = vec![origin.map(|n| 2 * n)];
        for axis in order {
            let mut next = *corners.last().unwrap();
            next[axis] += 2;
            corners.push(next);
        }
        // Orders that are odd turn the tetrahedron inside out.
        if [[0, 2, 1], [2, 1, 0], [1, 0, 2]].contains(&order) {
            corners.swap(1, 2);
        }
        let middle = |a: usize, b: usize| {
            let m: Vec<usize> = (0..3).map(|c| (corners[a][c] + corners[b][c]) / 2).collect();
            grid(m[0], m[1], m[2])
        };
        let c: Vec<usize> = corners.iter().map(|c| grid(c[0], c[1], c[2])).collect();
        let m = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)].map(|(a, b)| middle(a, b));
        element += 1;
        writeln!(
            deck,
            "CTETRA,{element},2,{},{},{},{},{},{},+\n+,{},{},{},{}",
            c[0], c[1], c[2], c[3], m[0], m[1], m[2], m[3], m[4], m[5]
        )
        .unwrap();
    }
    for (id, centre, grids) in [(9001, 1, root), (9002, 2, tip)] {
        let mut card = format!("RBE2,{id},{centre},123456");
        for (n, grid) in grids.iter().enumerate() {
            if n >= 5 && (n - 5) % 8 == 0 {
                card += ",+\n+";
            }
            write!(card, ",{grid}").unwrap();
        }
        writeln!(deck, "{card}").unwrap();
    }
    deck + "ENDDATA\n"
}

const MACHINE: &str = "
gravity = [0, 0, -9.81]

[links.arm]
deck = 'arm.bdf'
inboard = 1
interfaces = { tip = 2 }
modes = { count = 6 }
damping = { rayleigh = { beta = 1e-5 } }

[joints.hub]
parent = 'ground'
child = 'arm'
JOINT

[payload]
at = 'arm.tip'
mass = 20.0
";

const TURNING: &str =
    "type = 'revolute'\naxis = 'z'\ndrive = { motion = { profile = 'cycloidal', to_deg = 40, time = 0.2 } }";

/// A folder with the deck of the bar.
fn lab() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.bdf"), tet10()).unwrap();
    folder
}

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).env("PLIANT_CACHE", folder.join("cache")).current_dir(folder);
    command.output().unwrap()
}

fn both(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Writes a pipeline file, runs it, and gives its facts.
fn run(folder: &Path, text: &str, options: &[&str]) -> Value {
    fs::write(folder.join("arm.toml"), text).unwrap();
    let all = [&["run", "arm.toml", "--json", "--out", "arm.vtkhdf"], options].concat();
    let output = pliant(folder, &all);
    assert!(output.status.success(), "{}", both(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The envelopes of all elements of `link` are the largest of the components at every output, element by
/// element, to 1e-10 of the largest; any number of threads has the same bits.
fn is_that_of_elements_one_by_one(
    folder: &Path,
    text: &str,
    link: &str,
    elements: std::ops::RangeInclusive<u32>,
) {
    let history: Vec<String> = elements.map(|element| element.to_string()).collect();
    let history = format!("{{ history = [{}] }}", history.join(", "));
    let mut first: Option<Vec<Vec<f64>>> = None;
    for threads in ["1", "2", "4"] {
        let what = if threads == "1" { history.as_str() } else { "{}" };
        let text = format!("{text}stress = {what}\nstrain = {what}\n");
        run(folder, &text, &["--threads", threads]);
        let file = ResultsFile::open(&folder.join("arm.vtkhdf")).unwrap();
        let values = |name: &str| file.series(&format!("/links/{link}/{name}")).unwrap().values;
        let names = [("stress", "von_mises_max"), ("strain", "principal_max")];
        let all: Vec<Vec<f64>> = names
            .iter()
            .flat_map(|(group, name)| [format!("{group}/{name}"), format!("{group}/{name}_time")])
            .map(|name| values(&name))
            .collect();
        if let Some(first) = &first {
            assert_eq!(&all, first, "{threads} threads");
            continue;
        }
        let time = file.series("/time").unwrap().values;
        for (k, (group, name)) in names.iter().enumerate() {
            let quantity = Quantity::ALL[k];
            let (largest, times) = (&all[2 * k], &all[2 * k + 1]);
            let scale = largest.iter().copied().fold(0.0, f64::max);
            let numbers = values(&format!("{group}/element"));
            assert_eq!(numbers.len(), largest.len());
            for ((id, largest), at) in numbers.iter().zip(largest).zip(times) {
                let series = file.series(&format!("/links/{link}/elements/{id}/{group}")).unwrap();
                let kind = RowKind::of_labels(&series.labels, quantity).unwrap();
                let rows = series.values.chunks_exact(series.width());
                let each: Vec<f64> = rows.map(|rows| kind.intensity(quantity, rows)).collect();
                let expected = each.iter().copied().fold(0.0, f64::max);
                assert!((largest - expected).abs() < 1e-10 * scale, "{name} of {id}: {largest} {expected}");
                let row = time.iter().position(|t| t == at).unwrap();
                assert!((each[row] - expected).abs() < 1e-10 * scale, "{name} of {id} at {at}");
            }
        }
        first = Some(all);
    }
}

#[test]
fn envelopes_of_tetrahedra_are_those_of_elements_one_by_one() {
    let folder = lab();
    let machine = MACHINE.replace("JOINT", TURNING);
    let text =
        format!("{machine}\n[analysis]\nend = 0.35\nstep = 5e-4\n\n[output]\nevery = 5e-4\nframes = 9\n");
    is_that_of_elements_one_by_one(folder.path(), &text, "arm", 1..=384);
}

#[test]
fn envelopes_of_shells_are_those_of_elements_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = fs::read_to_string(format!("{root}/pipelines/kane-shells.toml")).unwrap();
    let text = text.replace("../inputs", &format!("{root}/inputs"));
    let text = text.replace("end  = 20.0", "end = 4.0") + "every = 5e-3\nframes = 5\n";
    let deck = fs::read_to_string(format!("{root}/inputs/kane/strip.bdf")).unwrap();
    let shells = deck.lines().filter(|line| line.starts_with("CQUAD4")).count() as u32;
    let first = deck.lines().find(|line| line.starts_with("CQUAD4")).unwrap();
    let first: u32 = first.get(8..16).unwrap_or_default().trim().parse().unwrap_or(1);
    is_that_of_elements_one_by_one(folder.path(), &text, "beam", first..=first + shells - 1);
}

/// A cantilever with a weight P = mg at its end and its own weight: σ = M c/I with M = P L + ρAgL²/2 at the
/// clamped end. TET10 with a linear field of stress fitted to them lie within 3 % on a mesh of 16 × 2 × 2
/// cells.
#[test]
fn a_cantilever_has_the_stress_and_the_margin_of_the_book() {
    let folder = lab();
    let machine = MACHINE.replace("JOINT", "type = 'fixed'");
    let text = format!(
        "{machine}\n[analysis]\nend = 0.01\nstep = 5e-4\nstart = 'equilibrium'\n\n[output]\nstress = {{}}\n\
         gauges = {{ top = {{ link = 'arm', at = [0.375, 0.0, 0.04], direction = [1, 0, 0] }} }}\n"
    );
    let report = run(folder.path(), &text, &[]);
    let run_facts = &report["run"];
    let [length, b, h] = BAR;
    let (area, inertia) = (b * h, b * h.powi(3) / 12.0);
    let moment = |x: f64| 9.81 * (20.0 * (length - x) + 7850.0 * area * (length - x).powi(2) / 2.0);
    let expected = moment(0.0) * 0.5 * h / inertia;
    let peak = &run_facts["stress"]["arm"]["stress"];
    assert!((number(&peak["value"]) / expected - 1.0).abs() < 0.03, "{peak} {expected}");
    assert!(peak["component"].as_str().unwrap().ends_with(".xx"), "{peak}");
    assert!((number(&peak["component_value"]).abs() / expected - 1.0).abs() < 0.03, "{peak} {expected}");
    // The smaller of ST and SC of the deck's material.
    let margin = &run_facts["stress"]["arm"]["margin"];
    assert_eq!(margin["allowable"], 2.5e8);
    assert!((number(&margin["margin"]) - (2.5e8 / number(&peak["value"]) - 1.0)).abs() < 1e-12, "{margin}");
    // Away from the ends, in the middle of a cell, whose strain a gauge has: E ε = M c/I.
    let strain = number(&run_facts["gauges"]["top"]["peak"]);
    let expected = moment(0.375) * 0.5 * h / inertia / 2.1e11;
    assert!((strain / expected - 1.0).abs() < 0.03, "{strain} {expected}");
    // The clamp carries the weight and its moment about the clamp.
    let load = &run_facts["joint_loads"]["hub"];
    let weight = 9.81 * (20.0 + 7850.0 * area * length);
    assert!((number(&load["force"]["peak"]) / weight - 1.0).abs() < 1e-6, "{load} {weight}");
    assert!((number(&load["moment"]["peak"]) / moment(0.0) - 1.0).abs() < 1e-3, "{load}");
    // The same numbers under their names, in the terminal and in `show`.
    let metrics = &run_facts["metrics"];
    assert_eq!(metrics["stress_peak_arm"], peak["value"]);
    assert_eq!(metrics["stress_peak"], peak["value"]);
    assert_eq!(number(&metrics["stress_element_arm"]), number(&peak["element"]));
    assert_eq!(metrics["stress_margin"], margin["margin"]);
    assert_eq!(metrics["gauge_peak_top"], run_facts["gauges"]["top"]["peak"]);
    assert_eq!(metrics["joint_moment_hub"], load["moment"]["peak"]);
    let shown = both(&pliant(folder.path(), &["run", "arm.toml", "--out", "arm.vtkhdf"]));
    let element = peak["element"].to_string();
    assert!(shown.contains(&format!("in element {element} (")) && shown.contains("margin arm"), "{shown}");
    let shown = both(&pliant(folder.path(), &["show", "arm.vtkhdf"]));
    assert!(shown.contains("stress_margin_arm") && shown.contains("joint_force_hub"), "{shown}");
    // What the file allows comes before what the deck allows, that of a material before that of its link.
    for (table, allowed) in [
        ("{ all = 1e8 }", 1e8),
        ("{ all = 1e8, links = { arm = 9e7 } }", 9e7),
        ("{ links = { arm = 9e7 }, materials = { 'arm.1' = 8e7 } }", 8e7),
        ("{ materials = { 'arm.7' = 8e7 } }", 2.5e8),
    ] {
        let report = run(folder.path(), &format!("{text}allowable = {table}\n"), &[]);
        assert_eq!(report["run"]["stress"]["arm"]["margin"]["allowable"], allowed, "{table}");
    }
    for (table, expected) in [
        ("{ links = { amr = 9e7 } }", "there is no link `amr`"),
        (
            "{ materials = { arm = 9e7 } }",
            "a material must be a link and the number of its card, found `arm`",
        ),
        ("{ all = -1.0 }", "`all` must be positive, found -1"),
    ] {
        fs::write(folder.path().join("bad.toml"), format!("{text}allowable = {table}\n")).unwrap();
        let output = pliant(folder.path(), &["run", "bad.toml", "--out", "bad.vtkhdf"]);
        let shown = both(&output);
        assert!(!output.status.success() && shown.contains(expected), "{table}: {shown}");
    }
}

#[test]
fn studies_ask_for_stress_and_loads() {
    let folder = lab();
    let machine = MACHINE.replace("JOINT", "type = 'fixed'");
    let study = |output: &str, metrics: &str| {
        format!(
            "{machine}\n[analysis]\nend = 0.002\nstep = 5e-4\nstart = 'equilibrium'\n\n[output]\n{output}\n\
             [study]\nparameters = {{ mass = 'payload.mass' }}\ngrid = {{ mass = [10.0, 20.0, 80.0] }}\n\
             metrics = {{ {metrics} }}\nconstraints = {{ holds = 'stress_margin > 30' }}\n"
        )
    };
    let metrics = "peak = 'stress_peak_arm', margin = 'stress_margin', force = 'joint_force_hub'";
    fs::write(folder.path().join("study.toml"), study("stress = {}", metrics)).unwrap();
    let output = pliant(folder.path(), &["run", "study.toml", "--out", "study"]);
    assert!(output.status.success(), "{}", both(&output));
    let table = fs::read_to_string(folder.path().join("study/results.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let value = |row: usize, name: &str| rows[row][column(name)].parse::<f64>().unwrap();
    let own = 7850.0 * BAR[0] * BAR[1] * BAR[2];
    for (row, mass) in [(1, 10.0), (2, 20.0), (3, 80.0)] {
        assert!((value(row, "force") / (9.81 * (mass + own)) - 1.0).abs() < 1e-6, "{table}");
        assert!((value(row, "margin") - (2.5e8 / value(row, "peak") - 1.0)).abs() < 1e-9, "{table}");
    }
    assert!(value(1, "peak") < value(2, "peak") && value(2, "peak") < value(3, "peak"), "{table}");
    let holds: Vec<&str> = (1..=3).map(|row| rows[row][column("holds")]).collect();
    assert_eq!(holds, ["1.0", "1.0", "0.0"], "{table}");
    for (output, metrics, expected) in [
        ("", "peak = 'stress_peak_arm'", "`stress_peak_arm` needs `stress`"),
        ("stress = {}", "peak = 'stress_peak_amr'", "there is no link `amr`"),
        ("stress = {}", "peak = 'strain_peak'", "`strain_peak` needs `strain`"),
        ("stress = {}", "peak = 'gauge_peak_top'", "there is no gauge `top`"),
        ("stress = {}", "peak = 'joint_force_hip'", "there is no joint `hip`"),
    ] {
        fs::write(folder.path().join("bad.toml"), study(output, metrics)).unwrap();
        let output = pliant(folder.path(), &["run", "bad.toml", "--out", "bad"]);
        let shown = both(&output);
        assert!(!output.status.success() && shown.contains(expected), "{metrics}: {shown}");
    }
}

/// Peaks of cylinders, of a spring and of joints with a compliant bearing are those of the histories in the
/// file, and constraints of studies.
#[test]
fn peaks_of_forces_are_those_of_their_histories() {
    let folder = tempfile::tempdir().unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let loader = fs::read_to_string(format!("{root}/pipelines/front-loader.toml")).unwrap();
    let spring = "[forces.support]\nfrom = 'ground'\nfrom_at = [1.0, 0.2, 0]\nto = 'nose.tip'\n\
                  spring = { stiffness = 2e4, free_length = 1.5 }\n\n[payload]";
    let bearing =
        "bearing = { x = { stiffness = 2e7 }, y = { stiffness = 2e7 } }\nstart  = { value_deg = 30 }";
    let loader = loader
        .replace("[payload]", spring)
        .replace("start  = { value_deg = 30 }", bearing)
        .replace("end   = 3.5", "end = 0.8");
    fs::write(folder.path().join("loader.toml"), &loader).unwrap();
    let output = pliant(folder.path(), &["run", "loader.toml", "--out", "loader.vtkhdf"]);
    assert!(output.status.success(), "{}", both(&output));
    let file = ResultsFile::open(&folder.path().join("loader.vtkhdf")).unwrap();
    let metric = |name: &str| file.series(&format!("/metrics/{name}")).unwrap().values[0];
    for force in ["lift", "tilt", "support"] {
        let push = file.series(&format!("/forces/{force}/push")).unwrap().values;
        let peak = push.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
        assert!(peak > 100.0);
        assert_eq!(metric(&format!("force_peak_{force}")), peak, "{force}");
    }
    for joint in ["heel", "weld", "bucket"] {
        let load = file.series(&format!("/joints/{joint}/load")).unwrap().values;
        for (name, first) in [("force", 0), ("moment", 3)] {
            let size = |six: &[f64]| six[first..first + 3].iter().map(|x| x * x).sum::<f64>().sqrt();
            let peak = load.chunks_exact(6).map(size).fold(0.0, f64::max);
            let stored = metric(&format!("joint_{name}_{joint}"));
            assert!((stored - peak).abs() <= 1e-14 * peak, "{joint} {name}: {stored} {peak}");
        }
    }
    let lift = metric("force_peak_lift");
    let study = format!(
        "{loader}\n[study]\nparameters = {{ mass = 'payload.mass' }}\ngrid = {{ mass = [300.0, 450.0] }}\n\
         metrics = {{ lift = 'force_peak_lift', spring = 'force_peak_support' }}\n\
         constraints = {{ holds = 'force_peak_lift < {}' }}\n",
        1.05 * lift
    );
    fs::write(folder.path().join("study.toml"), study).unwrap();
    let output = pliant(folder.path(), &["run", "study.toml", "--out", "study"]);
    assert!(output.status.success(), "{}", both(&output));
    let table = fs::read_to_string(folder.path().join("study/results.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    assert_eq!(rows[1][column("lift")].parse::<f64>().unwrap(), lift, "a case is a run, to the last bit");
    assert_eq!(rows[1][column("spring")].parse::<f64>().unwrap(), metric("force_peak_support"));
    assert_eq!([1, 2].map(|row| rows[row][column("holds")]), ["1.0", "0.0"], "{table}");
}
