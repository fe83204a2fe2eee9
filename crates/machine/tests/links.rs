//! From `[links]` to requests: segments, what is left to the reduction, and where problems are reported.

use std::path::Path;

use pliant_diag::Warned;
use pliant_machine::{Links, Plan, links};
use pliant_pipeline::PipelineFile;
use pliant_reduce::request::{
    BeamPath, Damping, DampingRatio, Grids, LinkSource, Matrices, Modes, SecondOrderKind, Section,
};

fn read(text: &str) -> PipelineFile {
    let read = pliant_pipeline::from_text(Path::new("folder/machine.toml"), text.to_owned());
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    read.output
}

fn links_of(text: &str) -> Links {
    let Warned { output, diagnostics } = links(&read(text));
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    output
}

const REST: &str = "[joints.hub]\nparent = 'ground'\nchild = 'arm'\ntype = 'revolute'\naxis = 'z'\n\
                    [analysis]\nend = 1.0\nstep = 1e-3\n";

#[test]
fn a_beam_in_segments_is_a_chain_of_beams() {
    let text = format!(
        "{REST}second_order = false\n[output]\ntip = 'arm.tip'\n[payload]\nat = 'arm.tip'\nmass = 1.0\n\
         [links.arm]\nbeam = {{ length = 3.0, section = {{ rod = 0.02 }}, material = 'steel', elements = 12, tip_offset = [0, 0, 0.1] }}\n\
         segments = 3\ndamping = {{ ratio = 0.01 }}\n"
    );
    let file = read(&text);
    let links = links(&file).output;
    assert_eq!(links.names().collect::<Vec<_>>(), ["arm", "arm#2", "arm#3"]);
    for (k, link) in links.requests.iter().enumerate() {
        let LinkSource::Beam(beam) = &link.source else { panic!("{link:?}") };
        assert_eq!((&beam.path, beam.elements), (&BeamPath::Straight(1.0), 4));
        assert_eq!(beam.tip_offset[2], if k == 2 { 0.1 } else { 0.0 });
        assert_eq!(beam.section.value, Section::Rod { diameter: 0.02 });
        assert_eq!(link.second_order, SecondOrderKind::Off, "the analysis says so for all links");
        assert_eq!(link.damping, None, "damping is that of the undivided link");
        assert!(link.origin.0.is_some() && beam.origin.0.is_some(), "segments are where their link is");
    }
    let chain = &links.chains[0];
    assert_eq!((chain.name(), chain.onward, chain.damping.is_some()), ("arm", "tip", true));
    assert_eq!(links.link_of("arm#3"), "arm");
    assert!(links.stands_for("arm", "arm#2") && !links.stands_for("arm#2", "arm"));
    let plan = Plan::new(&file);
    assert!(plan.diagnostics.is_empty(), "{:#?}", plan.diagnostics);
    assert_eq!(plan.output.unwrap().tip, Some(("arm#3".to_owned(), "tip".to_owned())));
}

#[test]
fn a_deck_with_cuts_is_a_chain_of_its_segments() {
    let text = format!(
        "{REST}[output]\ntip = 'arm.wrist'\n[payload]\nat = 'arm.elbow'\nmass = 1.0\n\
         [links.arm]\ndeck = 'arm.bdf'\ninboard = 1\ninterfaces = {{ wrist = 9, elbow = {{ grid = 5, segment = 2 }} }}\n\
         cuts = [3, {{ plane = {{ normal = 'x', through = [6, 0, 0] }} }}]\nresidual = ['gravity.z', 'elbow.x', 'wrist.z']\n"
    );
    let file = read(&text);
    let links = links(&file).output;
    assert_eq!(links.names().collect::<Vec<_>>(), ["arm", "arm#2", "arm#3"]);
    let expected = [
        (&["cut"][..], &["gravity.z"][..]),
        (&["elbow", "cut"], &["gravity.z", "elbow.x"]),
        (&["wrist"], &["gravity.z", "wrist.z"]),
    ];
    for ((k, link), (interfaces, loads)) in links.requests.iter().enumerate().zip(expected) {
        let LinkSource::Deck { deck, segment: Some(segment) } = &link.source else { panic!("{link:?}") };
        assert_eq!(deck.files, [Path::new("folder/arm.bdf")], "resolved beside the file");
        assert_eq!((segment.number, segment.cuts.len()), (k as u32 + 1, 2));
        assert!(segment.cuts.iter().all(|cut| cut.span().is_some()), "cuts keep their locations");
        assert!(matches!(segment.cuts[1].value.grids, Grids::On(_)));
        assert_eq!(link.outboard_names(), interfaces);
        let found: Vec<String> = link.residuals.iter().flatten().map(|load| load.value.to_string()).collect();
        assert_eq!(found, loads);
    }
    let plan = Plan::new(&file);
    assert!(plan.diagnostics.is_empty(), "{:#?}", plan.diagnostics);
    assert_eq!(plan.output.unwrap().tip, Some(("arm#3".to_owned(), "wrist".to_owned())));
}

#[test]
fn a_single_segment_is_a_link_of_its_own() {
    let one = links_of("[links.a]\ndeck = 'a.bdf'\ninboard = 1\ncuts = [3, 6]\nsegment = 2\n");
    assert_eq!((one.requests.len(), one.chains.len()), (1, 0));
    assert_eq!(one.requests[0].outboard_names(), ["cut"]);
    // No cut, no segment.
    let none = links_of("[links.a]\ndeck = 'a.bdf'\ninboard = 1\ncuts = []\n");
    assert!(matches!(none.requests[0].source, LinkSource::Deck { segment: None, .. }));
    assert!(none.requests[0].outboard_names().is_empty());
}

#[test]
fn every_kind_of_source_is_one_variant() {
    let all = links_of(
        "[links.rigid]\nrigid = { mass = 2, interfaces = { tip = [1, 0, 0] } }\n\
         [links.imported]\nimported = { deck = 'k.pch', op4 = 'k.op4' }\ninboard = 1\ninterfaces = { b = 2 }\n\
         [links.box]\nbeam = { path = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], section = { box = { width = 0.1, height = 0.2, t = 0.01 } }, material = 'steel' }\n\
         modes = { accuracy = 1e-3, accurate_to_hz = 80 }\ndamping = { ratio = [0.01, 0.02] }\n",
    );
    let kinds: Vec<_> = all.requests.iter().map(|link| link.source.kind()).collect();
    assert_eq!(kinds, ["rigid", "imported", "beam"]);
    assert!(!all.requests[0].is_flexible() && all.requests[2].source.has_elements());
    let LinkSource::Imported(imported) = &all.requests[1].source else { panic!() };
    assert_eq!(imported.matrices, Matrices::Op4 { file: "folder/k.op4".into(), rows: None });
    assert_eq!(all.requests[2].modes, Some(Modes::Accurate { error: 1e-3, up_to_hz: 80.0 }));
    let ratio = Some(DampingRatio::PerMode(vec![0.01, 0.02]));
    assert_eq!(all.requests[2].damping, Some(Damping { ratio, rayleigh: None }));
}

#[test]
fn what_is_no_load_and_no_check_is_reported_at_its_location() {
    let text = "[links.a]\ndeck = 'a.bdf'\ninboard = 1\ninterfaces = { elbow = 2 }\n\
                residual = ['elbow.q']\naccept = ['frequency', 'mass']\n";
    let found = links(&read(text));
    let line = |offset: u32| text[..offset as usize].matches('\n').count() + 1;
    let problems: Vec<_> =
        found.diagnostics.iter().map(|d| (line(d.span.unwrap().start), d.message.as_str())).collect();
    assert_eq!(
        problems,
        [(6, "`frequency` is not a health check"), (5, "`elbow.q` is not a load direction")]
    );
    assert!(found.diagnostics.iter().any(|d| d.hints.iter().any(|hint| hint.contains("(elbow)"))));
    assert_eq!(found.output.requests[0].accept, ["mass"]);
}
