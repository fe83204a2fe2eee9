//! Joints, drives, loads, analysis and output of a pipeline file: what is read, and what is said about
//! mistakes.

use pliant_diag::{Diagnostics, FileId};
use pliant_pipeline::joint::{DriveSpec, JointWord};
use pliant_pipeline::motion::MotionSpec;
use pliant_pipeline::schema::{Context, FromValue, json_schema, reference_page};
use pliant_pipeline::{Document, PipelineTable};

fn read(text: &str) -> (Option<PipelineTable>, Vec<(usize, String)>) {
    let mut diagnostics = Diagnostics::new();
    let document = Document::parse(text, FileId(0), &mut diagnostics);
    let table = PipelineTable::from_value(&document.root, &mut Context::new(&mut diagnostics));
    diagnostics.sort_by_location();
    let reported = diagnostics.iter().map(|d| {
        let hint = d.hints.first().map(|hint| format!(" ({hint})")).unwrap_or_default();
        let line = d.span.map_or(0, |span| text[..span.start as usize].matches('\n').count() + 1);
        (line, format!("{}{hint}", d.message))
    });
    (table, reported.collect())
}

#[test]
fn the_machine_of_the_design_is_read() {
    let (table, problems) = read(
        r#"
        [joints.shoulder]
        parent = "ground"
        child  = "upper"
        type   = "revolute"
        axis   = [0, 0, 1]
        drive  = { motion = { profile = "cycloidal", from_deg = 0, to_deg = 60, time = 2.5 } }
        bearing = { z = { stiffness = 1e8 } }
        [joints.elbow]
        parent = "upper.elbow"
        child  = "forearm"
        type   = "cylindrical"
        coordinates = { angle = { drive = { torque = "3*sin(t)" } }, displacement = { stiffness = { k = 1e5 } } }
        [payload]
        at = "forearm.tip"
        mass = 1.0
        [analysis]
        end  = 4.0
        step = 1e-3
        [output]
        tip    = "forearm.tip"
        settle = { tolerance = 0.25e-3 }
    "#,
    );
    assert_eq!(problems, []);
    let table = table.unwrap();
    let shoulder = table.joints.get("shoulder").unwrap();
    let Some(DriveSpec::Driven(drive)) = &shoulder.drive else { panic!() };
    assert!(matches!(&drive.motion, Some(MotionSpec::Cycloidal(t)) if t.to_deg == Some(60.0)));
    let elbow = table.joints.get("elbow").unwrap();
    assert_eq!(elbow.type_, JointWord::Cylindrical);
    assert_eq!(elbow.coordinate("displacement").unwrap().stiffness.unwrap().k, 1e5);
    assert_eq!(shoulder.coordinate("angle").unwrap().drive, shoulder.drive);
}

#[test]
fn mistakes_are_reported_at_their_lines() {
    let (_, problems) = read(concat!(
        "[joints.a]\nparent = 'ground'\nchild = 'l'\ntype = 'revolut'\n",
        "[joints.b]\nparent = 'ground'\nchild = 'l'\ntype = 'free'\ncoordinates = { rotation_w = {} }\n",
        "[joints.c]\nparent = 'ground'\nchild = 'l'\ntype = 'revolute'\n",
        "drive = { motion = { profile = 'cycloidal', to_deg = 9, time = 1, ramp = 2 } }\n",
        "[joints.d]\nparent = 'ground'\nchild = 'l'\ntype = 'revolute'\n",
        "drive = { motion = { profile = 'quintic', time = 1 } }\n",
        "[analysis]\nend = 1\nstep = -1\nintegrator = 'newmrk'\n",
        "[output]\nsettle = { tolerance = 1 }\n",
    ));
    let expected = [
        (4, "`joints.a.type`: `revolut` is not one of the choices (did you mean `revolute`?)"),
        (9, "`joints.b`: a free joint has no coordinate `rotation_w` (did you mean `rotation_x`?)"),
        (14, "unknown key `ramp`"),
        (19, "`to` (rad, m) or `to_deg` is missing"),
        (22, "the step must be positive"),
        (23, "`newmrk` is not one of the choices (did you mean `newmark`?)"),
        (25, "`settle` needs a `tip`"),
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for ((line, text), (expected_line, part)) in problems.iter().zip(expected) {
        assert!(
            *line == expected_line && text.contains(part),
            "{line} {text}\nexpected {expected_line} {part}"
        );
    }
}

#[test]
fn reference_page_and_schema_know_the_machine() {
    let page = reference_page::<PipelineTable>("The pipeline file", "");
    for part in [
        "| `second_axis` |",
        "| `convention` |",
        "| `f0_hz` |",
        "## SpinUpTable",
        "| `rho_inf` |",
        "| `every` |",
    ] {
        assert_eq!(page.matches(part).count(), 1, "{part} in\n{page}");
    }
    let schema = json_schema::<PipelineTable>("urn:test", "Pliant pipeline");
    let joint = &schema["$defs"]["JointTable"];
    assert_eq!(joint["required"], serde_json::json!(["parent", "child", "type"]));
}

#[test]
fn a_payload_has_the_inertia_of_a_body() {
    let payload = |values: &str| {
        let text = format!("[payload]\nat = \"arm.tip\"\nmass = 2.0\n{values}\n");
        read(&text).1.into_iter().filter(|(_, message)| message.contains("inertia")).collect::<Vec<_>>()
    };
    assert_eq!(payload("inertia = [0.1, 0.2, 0.3]"), [], "a plate: Izz = Ixx + Iyy");
    let problems = payload("inertia = [0.1, 0.1, 0.3]");
    assert!(
        problems.len() == 1 && problems[0].1.contains("exceeds the sum of the other two"),
        "{problems:?}"
    );
    let problems = payload("inertia = [0.1, 0.1, 0.1]\nproducts = [0.2, 0, 0]");
    assert!(problems.len() == 1 && problems[0].1.contains("a principal moment is negative"), "{problems:?}");
}

/// Promise 6 of docs/guarantees.md: what is too large is an error at its line, and nothing is allocated for
/// it.
#[test]
fn limits_are_reported_before_anything_is_allocated() {
    let beam = "[links.a]\nbeam = { LENGTH, section = { rod = 0.01 }, material = 'steel', ELEMENTS }\nsegments = SEGMENTS\n";
    let machine = |length: &str, elements: &str, segments: &str, rest: &str| {
        let beam = beam.replace("LENGTH", length).replace("ELEMENTS", elements).replace("SEGMENTS", segments);
        beam + rest
    };
    let plain = |rest: &str| machine("length = 1", "elements = 2", "1", rest);
    let study = |rest: &str| plain(&format!("[study]\n{rest}\n"));
    let cases = [
        (machine("length = 1", "elements = 2", "1000000000", ""), "at most 1000, found 1000000000"),
        (machine("length = 1", "elements = 1000000000", "1", ""), "`elements` must be at most 100000"),
        (machine("length = 1e-9", "elements = 2", "1", ""), "must lie between 0.000001 and 1000000 m"),
        (machine("length = 1e300", "elements = 2", "1", ""), "at most 1e30 in magnitude"),
        (plain("[analysis]\nend = 1\nstep = 1e-300\n"), "at most 1e9 steps"),
        (plain("[analysis]\nend = 1\nstep = { min = 1e-300, max = 0.1 }\n"), "too small to change the time"),
        (plain("[output]\nframes = 4000000000\n"), "`frames` must be at most 100000"),
        (
            plain("[path]\nmoves = [{ to = [1e20, 0, 0], time = 1 }]\n"),
            "must be at most 1e9 m, found 100000000000000000000",
        ),
        (study("grid = { x = { from = 1, to = 2, count = 1000000000 } }"), "`count` must be at most 1000000"),
        (study("grid = { x = [1] }\ncommit = 1e20"), "at most 1e8 s"),
        (study("grid = { x = [1] }\ntime_limit = 1e300"), "at most 1e30 in magnitude"),
        (study("grid = { x = [1] }\ntime_limit = 1e20"), "at most 1e8 s"),
        (study("grid = { x = [1] }\nslurm = { time = 1e20 }"), "minutes"),
        // A second line of an option would be a command of the script.
        (
            study("grid = { x = [1] }\nslurm = { options = ['--a', \"--b\\ntouch x\"] }"),
            "expected an option of sbatch",
        ),
        (
            study("grid = { x = [1] }\nmetrics = { case = '1' }"),
            "is the name of a column that every study has",
        ),
        (
            study("grid = { x = [1] }\nparameters = { status = [] }"),
            "is the name of a column that every study has",
        ),
    ];
    for (text, expected) in cases {
        let file = pliant_pipeline::from_text(std::path::Path::new("a.toml"), text.clone());
        let reported: Vec<_> = file.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert!(
            reported.iter().any(|message| message.contains(expected)),
            "{expected}\n{reported:#?}\n{text}"
        );
    }
}
