//! Decks cut into segments: against the beams that are cut, against the entire deck, and what does not
//! divide.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use nalgebra::{Matrix6, Vector3, Vector6};
use pliant::link::{CachedLink, recover, reduce};
use pliant_machine::Links;
use pliant_mesh::LinkMesh;
use pliant_reduce::LinkSource;
use pliant_reduce::recovery::{Quantity, RecoveryRequest};
use pliant_reduce::source::beam_mesh;

struct Bench {
    _folder: tempfile::TempDir,
    links: Links,
}

impl Bench {
    /// A pipeline file beside a deck `a.bdf`.
    fn new(deck: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.bdf"), deck).unwrap();
        let path = folder.path().join("a.toml");
        fs::write(&path, text).unwrap();
        let file = pliant_pipeline::read(&path);
        assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
        Self { _folder: folder, links: pliant_machine::links(&file.output).output }
    }

    fn link(&self, name: &str) -> Result<CachedLink, String> {
        reduce(self.links.get(name).unwrap(), None).map_err(|failure| {
            let all = failure.request.iter().chain(failure.deck.iter());
            all.map(|problem| format!("{} {:?}", problem.message, problem.hints))
                .collect::<Vec<_>>()
                .join("\n")
        })
    }

    /// The mesh of link `a`, a beam.
    fn beam(&self) -> LinkMesh {
        match &self.links.get("a").unwrap().source {
            LinkSource::Beam(beam) => beam_mesh(beam).unwrap().mesh,
            other => panic!("{other:?}"),
        }
    }

    /// All links of the file.
    fn links(&self) -> Vec<CachedLink> {
        self.links.names().map(|name| self.link(name).unwrap()).collect()
    }
}

/// The same elements at the same positions: the same numbers but for the digits of the deck and the signs of
/// modes.
#[test]
fn a_deck_of_beams_in_segments_is_a_beam_in_segments() {
    for second_order in ["true", "'chord'"] {
        compare_segments(&format!(
            "modes = {{ count = 3 }}\ndamping = {{ ratio = 0.01 }}\nsecond_order = {second_order}\n"
        ));
    }
}

fn compare_segments(more: &str) {
    let beam =
        "beam = { length = 2.0, elements = 12, section = { bar = [0.02, 0.05] }, material = 'steel' }\n";
    let uncut = Bench::new("", &format!("[links.a]\n{beam}{more}"));
    let mesh = uncut.beam();
    let deck = pliant_bulk::write(&mesh);
    let cut = Bench::new(
        &deck,
        &format!(
            "[links.a]\ndeck = 'a.bdf'\ninboard = 1\ninterfaces = {{ tip = 13 }}\ncuts = [4, 7, 10]\n{more}"
        ),
    );
    let ours = cut.links();
    let theirs = Bench::new("", &format!("[links.a]\n{beam}{more}segments = 4\n")).links();
    assert_eq!((ours.len(), theirs.len()), (4, 4));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.link.coordinate_count(), theirs.link.coordinate_count());
        for (a, b) in [(&ours.link.K, &theirs.link.K), (&ours.link.D, &theirs.link.D)] {
            assert!((a.abs() - b.abs()).amax() <= 1e-9 * b.amax(), "{a} {b}");
        }
        let (a, b) = (ours.link.invariants.mass(), theirs.link.invariants.mass());
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        let p = ours.link.interfaces[0].X_LT.p;
        assert!((p - Vector3::x() * 0.5).norm() < 1e-12, "{p}");
        let chords = [ours, theirs].map(|segment| segment.link.invariants.chord.is_some());
        assert_eq!(chords, [more.contains("chord"); 2]);
    }
}

/// A square bar of CHEXAs with a mass on a grid of the first cut, and one between the cuts; both ends are
/// rigid faces.
fn solid_bar() -> String {
    let (along, across, length, side) = (24, 2, 1.2, 0.05);
    let mut deck = "BEGIN BULK\n".to_owned();
    let id = |i: usize, j: usize, k: usize| 1 + k + (across + 1) * (j + (across + 1) * i);
    for i in 0..=along {
        for j in 0..=across {
            for k in 0..=across {
                let [x, y, z] = [
                    length * i as f64 / along as f64,
                    side * (j as f64 / across as f64 - 0.5),
                    side * (k as f64 / across as f64 - 0.5),
                ];
                writeln!(deck, "GRID,{},,{x:?},{y:?},{z:?}", id(i, j, k)).unwrap();
            }
        }
    }
    let mut element = 0;
    for i in 0..along {
        for j in 0..across {
            for k in 0..across {
                element += 1;
                let face = |i: usize| [id(i, j, k), id(i, j + 1, k), id(i, j + 1, k + 1), id(i, j, k + 1)];
                let [p, q, r, s] = face(i);
                let [t, u, v, w] = face(i + 1);
                writeln!(deck, "CHEXA,{element},1,{p},{q},{r},{s},{t},{u}\n,{v},{w}").unwrap();
            }
        }
    }
    writeln!(deck, "CONM2,901,{},,0.25", id(8, 1, 1)).unwrap();
    writeln!(deck, "CONM2,902,{},,0.5", id(11, 0, 0)).unwrap();
    deck + "PSOLID,1,1\nMAT1,1,2.+11,,.3,7850.\nENDDATA\n"
}

const ENDS: &str = "deck = 'a.bdf'\ninboard = { plane = { normal = 'x', through = [0, 0, 0] } }\n\
    interfaces = { tip = { plane = { normal = 'x', through = [1.2, 0, 0] } } }\nmodes = { count = 4 }\n";

/// Displacement of the interface per load on it.
fn flexibility(link: &CachedLink) -> Matrix6<f64> {
    let inverse = link.link.K.clone().try_inverse().unwrap();
    let V = &link.link.interfaces[0].V;
    (V * inverse * V.transpose()).fixed_view::<6, 6>(0, 0).into_owned()
}

#[test]
fn a_solid_bar_in_segments_has_the_mass_and_the_flexibility_of_the_uncut_link() {
    let deck = solid_bar();
    let uncut = Bench::new(&deck, &format!("[links.a]\n{ENDS}"));
    let cuts = "cuts = [{ plane = { normal = 'x', through = [0.4, 0, 0] } }, { plane = { normal = 'x', through = [0.7, 0, 0] } }]\n";
    let cut = Bench::new(&deck, &format!("[links.a]\n{ENDS}{cuts}"));
    let (uncut, parts) = (uncut.link("a").unwrap(), cut.links());
    let mass: f64 = parts.iter().map(|part| part.link.invariants.mass()).sum();
    assert!((mass / uncut.link.invariants.mass() - 1.0).abs() < 1e-12, "{mass}");
    // A mass on a cut belongs to what lies before it.
    let plain = 7850.0 * 0.05 * 0.05;
    for (part, expected) in parts.iter().zip([0.4 * plain + 0.25, 0.3 * plain + 0.5, 0.5 * plain]) {
        assert!((part.link.invariants.mass() / expected - 1.0).abs() < 1e-10, "{expected}");
    }
    // Every element is in one of them.
    let mut seen = BTreeSet::new();
    for name in cut.links.names() {
        let request = RecoveryRequest { wanted: &|quantity, _, _| quantity == Quantity::Stress, gauges: &[] };
        let made = cut.link(name).unwrap();
        let ([stress, _], _) = recover(cut.links.get(name).unwrap(), &made, &request).unwrap();
        for element in &stress.elements {
            assert!(seen.insert(element.id), "{} is in {name} and before", element.id);
        }
    }
    assert_eq!(seen, (1..=24 * 4).collect());
    // One after the other: the load on the tip is a wrench on each cut, and what turns there moves the tip.
    let mut chain = Matrix6::zeros();
    let ends = [0.4, 0.7, 1.2];
    for (part, end) in parts.iter().zip(ends) {
        let arm = Vector3::x() * (1.2 - end);
        let mut T = Matrix6::identity();
        T.fixed_view_mut::<3, 3>(3, 0).copy_from(&arm.cross_matrix());
        chain += T.transpose() * flexibility(part) * T;
    }
    let exact = flexibility(&uncut);
    for load in [Vector6::x(), Vector6::y(), Vector6::z(), Vector6::w(), Vector6::a(), Vector6::b()] {
        let ratio = load.dot(&(chain * load)) / load.dot(&(exact * load));
        println!("cut over uncut: {ratio:.5}");
        // Each side of a cut may not widen nor warp: that stiffens a piece of the bar as long as it is wide
        // by about ν², 4 · 0.09 · 0.05 / 1.2 in all.
        assert!(ratio < 1.0 + 1e-9 && ratio > 1.0 - 0.015, "{load:?}: {ratio}");
    }
}

/// A strip of two rows of CQUAD4, with a bar that can lead past a cut.
fn strip(more: &str) -> String {
    let mut deck = "BEGIN BULK\n".to_owned();
    for i in 0..=8 {
        for j in 0..3 {
            writeln!(deck, "GRID,{},,{:?},{:?},0.", 1 + j + 3 * i, 0.1 * i as f64, 0.05 * j as f64).unwrap();
        }
    }
    for i in 0..8 {
        for j in 0..2 {
            let g = 1 + j + 3 * i;
            writeln!(deck, "CQUAD4,{},1,{g},{},{},{}", 1 + j + 2 * i, g + 3, g + 4, g + 1).unwrap();
        }
    }
    deck + more + "PSHELL,1,1,.005,1,,1\nPBAR,2,1,1.-4,1.-9,1.-9,1.-9\nMAT1,1,2.+11,,.3,7850.\nENDDATA\n"
}

#[test]
fn what_does_not_divide_is_reported_with_its_location() {
    let head = "[links.a]\ndeck = 'a.bdf'\ninboard = [1, 2, 3]\nmodes = { count = 2 }\n";
    let cases = [
        // Past a cut, by a bar or because a grid was forgotten.
        (
            "CBAR,77,2,8,17,0.,0.,1.\n",
            "interfaces = { tip = [25, 26, 27] }\ncuts = [[10, 11, 12]]\n",
            "a",
            "CBAR 77 bypasses cut 1",
        ),
        ("", "interfaces = { tip = [25, 26, 27] }\ncuts = [[10, 11], [19, 20, 21]]\n", "a", "bypasses cut 1"),
        ("", "interfaces = { tip = [25, 26, 27] }\ncuts = [[10, 11]]\n", "a#2", "bypasses cut 1"),
        // In the wrong order.
        (
            "",
            "interfaces = { tip = [25, 26, 27] }\ncuts = [[19, 20, 21], [10, 11, 12]]\n",
            "a",
            "from the inboard end outward",
        ),
        (
            "RBE2,77,5,123456,23\n",
            "interfaces = { tip = [25, 26, 27] }\ncuts = [[10, 11, 12]]\n",
            "a",
            "rigid element 77 bypasses cut 1",
        ),
        (
            "",
            "interfaces = { elbow = [13, 14, 15] }\ncuts = [[10, 11, 12], [19, 20, 21]]\n",
            "a#3",
            "interface `elbow` lies in segment 2, not in 3 [\"write `segment = 2`",
        ),
        (
            "",
            "interfaces = { tip = 26 }\ncuts = [[10, 11, 12], [12, 19, 20, 21]]\n",
            "a",
            "GRID 12 is in two cuts",
        ),
        ("", "interfaces = { tip = 26 }\ncuts = [[10, 11, 112]]\n", "a", "cut 1: the deck has no GRID 112"),
        ("", "interfaces = { tip = 26 }\ncuts = [[1, 2, 3]]\n", "a", "GRID 1 is inboard and on a cut"),
        ("", "interfaces = { tip = 2 }\ncuts = [[25, 26, 27]]\n", "a", "no element lies beyond cut 1"),
    ];
    for (cards, table, link, reported) in cases {
        let failure = Bench::new(&strip(cards), &format!("{head}{table}")).link(link).unwrap_err();
        assert!(failure.contains(reported), "{table}: {failure}");
    }
    // Segments of one row of elements each, and one of them alone.
    let table = "interfaces = { tip = [25, 26, 27] }\ncuts = [[4, 5, 6], [7, 8, 9], { set = 5 }]\n";
    let deck = strip("SET1,5,10,11,12\n");
    assert_eq!(Bench::new(&deck, &format!("{head}{table}")).links().len(), 4);
    let alone = Bench::new(
        &deck,
        &format!("{head}{}segment = 3\n", table.replace("interfaces = { tip = [25, 26, 27] }", "")),
    );
    assert_eq!(alone.link("a").unwrap().link.interfaces[0].name, "cut");
}

/// The components of a grid are coordinates of the link once, whatever is fastened there.
#[test]
fn two_interfaces_at_one_grid_are_reported() {
    let beam =
        "beam = { length = 2.0, elements = 4, section = { bar = [0.02, 0.05] }, material = 'steel' }\n";
    let uncut = Bench::new("", &format!("[links.a]\n{beam}"));
    let deck = pliant_bulk::write(&uncut.beam());
    for (more, reported) in [
        ("interfaces = { tip = 5, again = { grid = 5 } }\n", "`tip` and `again` are the same GRID 5"),
        ("interfaces = { tip = 5, back = 1 }\n", "`inboard` and `back` are the same GRID 1"),
        (
            "interfaces = { tip = 5, middle = { grid = 3, segment = 1 } }\ncuts = [3]\n",
            "`middle` and `cut` are the same GRID 3",
        ),
    ] {
        let text = format!("[links.a]\ndeck = 'a.bdf'\ninboard = 1\n{more}");
        let failure = Bench::new(&deck, &text).link("a").unwrap_err();
        assert!(failure.contains(reported) && failure.contains("one interface serves"), "{failure}");
    }
}
