//! Loops, constraints, couplings and force elements of a pipeline file: known answers, and problems at their
//! lines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_diag::Diagnostic;
use pliant_dynamics::{Frame, simulate};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_mechanism::BodyIndex;
use pliant_pipeline::PipelineFile;
use pliant_spatial::Transform;

fn read(folder: &Path, text: &str) -> PipelineFile {
    let path = folder.join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    read.output
}

/// The rods of the files: 1 kg in the middle, interface `tip` at the end.
fn rod(name: &str, length: f64) -> (String, Arc<ReducedLink>) {
    let end = Vector3::x() * length;
    let tip = [("tip".to_owned(), Transform::translation(end))];
    (name.to_owned(), Arc::new(ReducedLink::rigid(name, 1.0, end * 0.5, Matrix3::identity() * 0.01, tip)))
}

const PARALLELOGRAM: &str = "gravity = [0, -10, 0]
[links.left]
rigid = { mass = 1, centre = [0.5, 0, 0], inertia = [0.01, 0.01, 0.01], interfaces = { tip = [1, 0, 0] } }
[links.right]
rigid = { mass = 1, centre = [0.5, 0, 0], inertia = [0.01, 0.01, 0.01], interfaces = { tip = [1, 0, 0] } }
[links.bar]
rigid = { mass = 1, centre = [1, 0, 0], inertia = [0.01, 0.01, 0.01], interfaces = { tip = [2, 0, 0] } }
[joints.left]
parent = 'ground'
child = 'left'
type = 'revolute'
drive = { motion = { profile = 'hold', value_deg = 30 } }
[joints.right]
parent = 'ground'
child = 'right'
type = 'revolute'
origin = [2, 0, 0]
start = { value_deg = 40 }
[joints.bar]
parent = 'left.tip'
child = 'bar'
type = 'revolute'
start = { value_deg = -20 }
[joints.pin]
parent = 'bar.tip'
child = 'right.tip'
type = 'revolute'
";

#[test]
fn a_parallelogram_is_assembled_and_held_in_every_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{PARALLELOGRAM}[analysis]\nkind = ['nonlinear', 'linear', 'quasi-static', 'rigid']\n\
         end = 0.01\nstep = 0.001\nredundant = 'least-norm'\n"
    );
    let file = read(folder.path(), &text);
    let planned = Plan::new(&file);
    assert!(planned.diagnostics.is_empty(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let (kinds, settings) = (plan.kinds.clone(), plan.settings);
    assert_eq!(kinds.len(), 4);
    let links = vec![rod("left", 1.0), rod("right", 1.0), rod("bar", 2.0)];
    let model = plan.model(links, &file.document).unwrap();
    assert_eq!(model.closures().joints[0].name, "pin");
    for kind in kinds {
        simulate(&model, kind, &settings, &mut |frame: &Frame<'_>| {
            let q = &frame.state.q;
            assert!(
                (q[1] - 30f64.to_radians()).abs() < 1e-12 && (q[2] + 30f64.to_radians()).abs() < 1e-12,
                "{kind:?}: {q:?}"
            );
            // Both cranks and the bar rise by cos 30° per radian: τ = g cos θ (½ + ½ + 1) for masses of 1 kg.
            let torque = frame.drive_force(BodyIndex(0).coordinate(0));
            assert!((torque - 20.0 * 30f64.to_radians().cos()).abs() < 1e-8, "{kind:?}: {torque}");
        })
        .unwrap();
    }
}

#[test]
fn redundant_joints_are_named_when_reactions_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = read(folder.path(), &format!("{PARALLELOGRAM}[analysis]\nend = 0.01\nstep = 0.001\n"));
    let plan = Plan::new(&file).output.unwrap();
    let (kind, settings) = (plan.kind, plan.settings);
    let model =
        plan.model(vec![rod("left", 1.0), rod("right", 1.0), rod("bar", 2.0)], &file.document).unwrap();
    let error = simulate(&model, kind, &settings, &mut |_: &Frame<'_>| {}).unwrap_err().to_string();
    assert!(
        error.starts_with("3 constraints are redundant: loop joint `pin`, translation along z"),
        "{error}"
    );
    assert!(error.contains("redundant = \"least-norm\""), "{error}");
}

#[test]
fn mistakes_are_told_at_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{PARALLELOGRAM}[joints.other]\nparent = 'left.tip'\nchild = 'right.tpi'\ntype = 'revolute'\n\
         [constraints.c]\nfrom = 'grund'\nto = 'bar'\ndistance = 1\n\
         [couplings.g]\nterms = {{ left = 1, rihgt = 2 }}\n\
         [forces.f]\nfrom = 'ground'\nto = 'bar.tip'\nspring = {{ table = 'none.csv', free_length = 1 }}\n\
         [analysis]\nend = 1\nstep = 0.1\n"
    );
    let file = read(folder.path(), &text);
    let planned = Plan::new(&file);
    assert!(planned.output.is_none());
    let line = |d: &Diagnostic| d.span.map_or(0, |span| file.sources.line_column(span).line);
    let reported: Vec<_> =
        planned.diagnostics.iter().map(|d| (line(d), d.message.clone(), d.hints.clone())).collect();
    let first = PARALLELOGRAM.lines().count() as u32;
    let expected = [
        (first + 3, "link `right` has no outboard interface `tpi`", "did you mean `right.tip`?"),
        (first + 6, "there is no link `grund`", "did you mean `ground`?"),
        (first + 10, "`rihgt` is no coordinate of a joint", "did you mean `right`?"),
        (first + 14, "none.csv", ""),
    ];
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((line, message, hints), (at, part, hint)) in reported.iter().zip(expected) {
        assert!(*line == at && message.contains(part), "{line} {message}\nexpected {at} {part}");
        assert!(hint.is_empty() || hints.iter().any(|h| h == hint), "{hints:?}\nexpected {hint}");
    }
}
