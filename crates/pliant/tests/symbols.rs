//! What a report draws besides links stands where the machine has it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use pliant::links::MachineLink;
use pliant::run::{Ending, Partial, ResultsTarget, RunOptions, run};
use pliant_report::{Machine, SymbolEnd};
use pliant_store::results::{Keep, ResultsFile};

/// The machine of a pipeline with some lines changed, as the report draws it.
fn drawn(name: &str, changes: &[(&str, &str)]) -> Machine {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pipelines").join(name);
    let mut text = std::fs::read_to_string(file).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let case = pliant::load(&path).unwrap_or_else(|failure| panic!("{:#?}", failure.diagnostics)).output;
    let complete = |request: &_| {
        let made = pliant::link::reduce(request, None).unwrap_or_else(|failure| panic!("{failure:?}"));
        Arc::new(MachineLink::complete(request, &case, &made).unwrap_or_else(|f| panic!("{f:?}")))
    };
    let links: Vec<_> = case.links().requests.iter().map(complete).collect();
    let results = folder.path().join("machine.vtkhdf");
    let target = ResultsTarget {
        path: results.clone(),
        keep: Keep { frames: 20, ..Keep::default() },
        partial: Partial::Remove,
    };
    let options = RunOptions { results: Some(target), modes: false, ..RunOptions::of(&case) };
    let result = run(&case, &links, &options, &mut ());
    assert_eq!(result.ending, Ending::Complete, "{:#?}", result.diagnostics);
    pliant::report::run(&ResultsFile::open(&results).unwrap(), None).unwrap().machine.unwrap()
}

/// Where an end is at a frame, displaced as computed.
fn at(machine: &Machine, end: &SymbolEnd, frame: usize) -> [f64; 3] {
    let Some(part) = end.part else { return end.point.map(f64::from) };
    let pose = machine.parts[part].poses[frame].map(f64::from);
    let p = [0, 1, 2].map(|c| f64::from(end.point[c]) + f64::from(end.point_moved[frame][c]));
    [0, 1, 2].map(|r| (0..3).map(|c| pose[4 * r + c] * p[c]).sum::<f64>() + pose[4 * r + 3])
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn rods_of_a_delta_robot_keep_their_length() {
    let machine = drawn("delta-robot.toml", &[("end   = 0.8", "end   = 0.2")]);
    assert_eq!(machine.up, [0.0, 0.0, 1.0]);
    let rods: Vec<_> = machine.symbols.iter().filter(|symbol| symbol.kind == "rod").collect();
    assert_eq!(rods.len(), 6);
    let mut moved: f64 = 0.0;
    for frame in 0..machine.times.len() {
        for rod in &rods {
            let ends = [0, 1].map(|k| at(&machine, &rod.ends[k], frame));
            // Poses, shapes and rotations are in single precision, the rotation of an arm's end is of first
            // order: 0.045 m times half of a squared milliradian.
            let length = distance(ends[0], ends[1]);
            assert!((length - 0.75).abs() < 2e-6, "{} at frame {frame}: {length}", rod.name);
            moved = moved.max(distance(ends[1], at(&machine, &rod.ends[1], 0)));
        }
    }
    assert!(moved > 0.02, "the platform moves: {moved}");
    let kinds: Vec<&str> = machine.symbols.iter().map(|symbol| symbol.kind.as_str()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "revolute").count(), 3);
    let payload = machine.symbols.iter().find(|symbol| symbol.kind == "payload").unwrap();
    // 1.2 kg of steel.
    assert!((payload.radius - (1.2 / (7850.0 * 4.0 / 3.0 * std::f64::consts::PI)).cbrt()).abs() < 1e-12);
}

#[test]
fn cylinders_of_a_loader_have_the_length_of_their_oil() {
    let machine = drawn("front-loader.toml", &[("end   = 3.5", "end   = 1.0")]);
    assert_eq!(machine.up, [0.0, 1.0, 0.0], "against gravity");
    let lift = machine.symbols.iter().find(|symbol| symbol.name == "lift").unwrap();
    assert_eq!((lift.kind.as_str(), lift.ends[0].part), ("cylinder", None));
    let length =
        |frame: usize| distance(at(&machine, &lift.ends[0], frame), at(&machine, &lift.ends[1], frame));
    // The command is 1.0229 m until 0.5 s; what the weight presses the oil by is below a millimetre at 4e7
    // N/m.
    let before = machine.times.iter().rposition(|t| *t <= 0.5).unwrap();
    assert!((length(before) - 1.0229).abs() < 1e-3, "{}", length(before));
    // A cycloid of 0.35 m in 2 s has made 0.35 (s − sin 2πs/2π) of it.
    let last = machine.times.len() - 1;
    let s = (machine.times[last] - 0.5) / 2.0;
    let expected = 1.0229 + 0.35 * (s - (std::f64::consts::TAU * s).sin() / std::f64::consts::TAU);
    assert!((length(last) - expected).abs() < 1e-3, "{} for {expected}", length(last));
}
