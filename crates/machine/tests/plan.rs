//! From a pipeline file to a model: known answers, and problems at their lines.

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostics, SourceMap};
use pliant_dynamics::{AnalysisKind, Frame, simulate};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_mechanism::BodyIndex;
use pliant_pipeline::PipelineFile;
use pliant_spatial::Transform;

fn read(folder: &Path, text: &str) -> PipelineFile {
    let path = folder.join("machine.toml");
    std::fs::write(&path, text).expect("the temporary folder can be written");
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    read.output
}

fn reported(diagnostics: &Diagnostics, sources: &SourceMap) -> Vec<(u32, String)> {
    let line = |d: &pliant_diag::Diagnostic| d.span.map_or(0, |span| sources.line_column(span).line);
    let hint = |d: &pliant_diag::Diagnostic| d.hints.first().map(|h| format!(" ({h})")).unwrap_or_default();
    diagnostics.iter().map(|d| (line(d), format!("{}{}", d.message, hint(d)))).collect()
}

/// Two point masses on massless rods along x: 2 kg at 1 m, and the payload of 3 kg 0.5 m further.
fn rods() -> Vec<(String, Arc<ReducedLink>)> {
    let rod = |name: &str, mass: f64, length: f64| {
        let end = Vector3::x() * length;
        let tip = [("tip".to_owned(), Transform::translation(end))];
        (name.to_owned(), Arc::new(ReducedLink::rigid(name, mass, end, Matrix3::zeros(), tip)))
    };
    vec![rod("upper", 2.0, 1.0), rod("fore", 0.0, 0.5)]
}

const RODS: &str = "gravity = [0, 0, -10]
[links.upper]
rigid = { mass = 2, centre = [1, 0, 0], interfaces = { tip = [1, 0, 0] } }
[links.fore]
rigid = { mass = 0, interfaces = { tip = [0.5, 0, 0] } }
";

#[test]
fn holding_torques_are_those_of_statics() {
    let folder = tempfile::tempdir().unwrap();
    // The elbow's table of motion: at rest at 90 degrees, so that the forearm hangs straight down.
    std::fs::write(folder.path().join("elbow.csv"), "t, deg\n0, 90\n0.5, 90\n1, 90\n").unwrap();
    let file = read(
        folder.path(),
        &format!(
            "{RODS}
            [joints.shoulder]
            parent = 'ground'
            child = 'upper'
            type = 'revolute'
            axis = 'y'
            drive = {{ motion = {{ profile = 'hold', value_deg = 60 }} }}
            [joints.elbow]
            parent = 'upper.tip'
            child = 'fore'
            type = 'revolute'
            axis = 'y'
            drive = {{ motion = {{ profile = 'table', file = 'elbow.csv', degrees = true }} }}
            [payload]
            at = 'fore.tip'
            mass = 3
            [loads.push]
            at = 'fore.tip'
            force = [0, 0, '30 + 0*t']
            [analysis]
            kind = 'rigid'
            end = 0.1
            step = 0.05
            [output]
            tip = 'fore.tip'
            "
        ),
    );
    let planned = Plan::new(&file);
    assert!(planned.diagnostics.is_empty(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let (kind, settings) = (plan.kind, plan.settings);
    assert_eq!(kind, AnalysisKind::Rigid);
    assert_eq!(plan.tip, Some(("fore".to_owned(), "tip".to_owned())));
    let model = plan.model(rods(), &file.document).unwrap();
    let mut frames = 0;
    simulate(&model, kind, &settings, &mut |frame: &Frame<'_>| {
        frames += 1;
        // The load carries the payload, so only 2 kg at x = cos 60° remain: M_y of gravity is +m g x, the
        // drive holds −10 N·m.
        assert!(
            (frame.drive_force(BodyIndex(0).coordinate(0)) + 2.0 * 10.0 * 0.5).abs() < 1e-9,
            "{}",
            frame.drive_force(BodyIndex(0).coordinate(0))
        );
        assert!(frame.drive_force(BodyIndex(1).coordinate(0)).abs() < 1e-9);
        // About y, 60° + 90°: the forearm points to (cos 150°, 0, −sin 150°).
        let (actual, _) = frame.poses(BodyIndex(1).interface(0));
        let (s60, s150, c150) = (3f64.sqrt() / 2.0, 0.5, -3f64.sqrt() / 2.0);
        assert!((actual.p - Vector3::new(0.5 + 0.5 * c150, 0.0, -s60 - 0.5 * s150)).norm() < 1e-12);
    })
    .unwrap();
    assert_eq!(frames, 3);
}

#[test]
fn names_that_do_not_exist_are_reported_before_anything_is_reduced() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{RODS}[joints.a]\nparent = 'ground'\nchild = 'uper'\ntype = 'revolute'\n\
         [joints.b]\nparent = 'upper.tpi'\nchild = 'fore'\ntype = 'prismatic'\n\
         drive = {{ motion = {{ profile = 'quintic', to_deg = 3, time = 1 }} }}\n\
         [payload]\nat = 'fore'\nmass = 1\n[loads.l]\nat = 'fore.tip'\nforce = ['1 +', 0, 'sinn(t)']\n\
         [analysis]\nend = 1\nstep = 0.1\n"
    );
    let file = read(folder.path(), &text);
    let planned = Plan::new(&file);
    assert!(planned.output.is_none());
    let reported = reported(&planned.diagnostics, &file.sources);
    let expected = [
        (8, "there is no link `uper` (did you mean `upper`?)"),
        (11, "link `upper` has no outboard interface `tpi` (did you mean `upper.tip`?)"),
        (14, "degrees cannot be used for a coordinate that is a length"),
        (16, "`fore` names a link, not an interface"),
        (20, "expression \"1 +\": "),
        (20, "expression \"sinn(t)\": column 1: `sinn` is not known (did you mean `sin`?)"),
    ];
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((line, text), (expected_line, part)) in reported.iter().zip(expected) {
        assert!(
            *line == expected_line && text.contains(part),
            "{line} {text}\nexpected {expected_line} {part}"
        );
    }
}

#[test]
fn problems_of_the_machine_stand_at_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{RODS}[joints.a]\nparent = 'ground'\nchild = 'upper'\ntype = 'spherical'\n\
         [joints.a.coordinates]\nrotation_x = {{ drive = {{ motion = {{ profile = 'hold' }} }} }}\n\
         [joints.b]\nparent = 'fore.tip'\nchild = 'fore'\ntype = 'fixed'\n\
         [analysis]\nend = 1\nstep = 0.1\n"
    );
    let file = read(folder.path(), &text);
    // Before any link is there.
    let planned = Plan::new(&file);
    assert!(planned.output.is_none());
    let lines: Vec<_> = reported(&planned.diagnostics, &file.sources);
    let expected = [
        (4, "`links.fore`: no joint carries it"),
        (11, "a motion cannot be prescribed on a spherical joint"),
        (12, "`joints.b`: joins link `fore` to itself"),
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for ((line, text), (expected_line, part)) in lines.iter().zip(expected) {
        assert!(
            *line == expected_line && text.contains(part),
            "{line} {text}\nexpected {expected_line} {part}"
        );
    }
}

#[test]
fn loops_and_links_out_of_reach_are_reported_before_anything_is_reduced() {
    let folder = tempfile::tempdir().unwrap();
    // Neither link hangs on the ground: each carries the other.
    let text = format!(
        "{RODS}[joints.a]\nparent = 'fore.tip'\nchild = 'upper'\ntype = 'revolute'\n\
         [joints.b]\nparent = 'upper.tip'\nchild = 'fore'\ntype = 'revolute'\n\
         [analysis]\nkind = ['rigid', 'nonlinear']\nend = 1\nstep = 0.1\n"
    );
    let file = read(folder.path(), &text);
    let planned = Plan::new(&file);
    assert!(planned.output.is_none());
    let reported = reported(&planned.diagnostics, &file.sources);
    assert!(reported.iter().any(|(line, text)| *line > 1 && text.contains("upper")), "{reported:#?}");
}

#[test]
fn a_comparison_with_a_path_needs_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{RODS}[joints.shoulder]\nparent = 'ground'\nchild = 'upper'\ntype = 'revolute'\n[joints.elbow]\nparent = 'upper.tip'\n\
         child = 'fore'\ntype = 'revolute'\n[analysis]\nend = 1\nstep = 1e-3\nnominal = 'path'\n[output]\ntip = 'fore.tip'\n"
    );
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, &text).unwrap();
    let read = pliant_pipeline::read(&path);
    let planned = Plan::new(&read.output);
    assert!(planned.output.is_none());
    let found = reported(&planned.diagnostics, &read.output.sources);
    let line = text.lines().position(|line| line.starts_with("nominal")).unwrap() as u32 + 1;
    assert!(found.len() == 1 && found[0].0 == line && found[0].1.contains("add [path]"), "{found:?}");
}
