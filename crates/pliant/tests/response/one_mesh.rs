//! A machine of two reduced links at a pose against one finite-element mesh of both.

use std::fmt::Write;

use pliant_fem::ModesOptions;
use pliant_mesh::Units;

use crate::support::respond;

const LENGTH: f64 = 0.6;
const CUT_OFF_HZ: f64 = 3200.0;

/// A strip of plates along x, 0.08 wide, with a rigid spider to the grid `first` at its root and, at its end,
/// to the grid `first + 1`. Grids are turned by `angle` about −y and moved to `origin`.
fn strip(deck: &mut String, first: usize, thickness: f64, origin: [f64; 2], angle: f64, root: usize) {
    let (along, across, width) = (24, 4, 0.08);
    let (c, s) = (angle.cos(), angle.sin());
    let mut grid = |id: usize, x: f64, y: f64| {
        let _ = writeln!(deck, "GRID,{id},,{:.9},{y:.9},{:.9}", origin[0] + c * x, origin[1] + s * x);
    };
    grid(first, 0.0, 0.0);
    grid(first + 1, LENGTH, 0.0);
    let id = |i: usize, j: usize| first + 10 + i * (across + 1) + j;
    for i in 0..=along {
        for j in 0..=across {
            let y = width * (j as f64 / across as f64 - 0.5);
            grid(id(i, j), LENGTH * i as f64 / along as f64, y);
        }
    }
    for i in 0..along {
        for j in 0..across {
            let corners = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)].map(|id| id.to_string());
            let _ = writeln!(deck, "CQUAD4,{},{first},{}", id(i, j), corners.join(","));
        }
    }
    let _ = writeln!(deck, "PSHELL,{first},1,{thickness},1,,1\nMAT1,1,2.1+11,,.3,7850.");
    for (element, centre, i) in [(first, root, 0), (first + 1, first + 1, along)] {
        let ends: Vec<String> = (0..=across).map(|j| id(i, j).to_string()).collect();
        let _ = writeln!(deck, "RBE2,{element},{centre},123456,{}", ends.join(","));
    }
}

/// A deck from the cards that `write` gives; a card that stands twice is one.
fn deck(head: &str, write: impl FnOnce(&mut String)) -> String {
    let mut cards = String::new();
    write(&mut cards);
    let mut seen = Vec::new();
    let lines: Vec<&str> = cards
        .lines()
        .filter(|line| {
            let new = !line.starts_with("MAT1") || !seen.contains(line);
            seen.push(*line);
            new
        })
        .collect();
    format!("{head}BEGIN BULK\nPARAM,COUPMASS,1\n{}\nENDDATA\n", lines.join("\n"))
}

/// Joints held: every frequency up to half the cut-off of the reductions within 0.1 % of that of one
/// mesh of both links, in all six poses of the elbow. (Measured 9e-5. With a cut-off of 1,600 Hz one mode of
/// 15, at 0.45 of it, is 1.07e-3 off, the others at most 7e-4: what lies just above the cut-off decides.)
#[test]
fn a_machine_at_a_pose_is_one_mesh_of_all_links() {
    let upper = deck("", |cards| strip(cards, 1000, 0.008, [0.0; 2], 0.0, 1000));
    let fore = deck("", |cards| strip(cards, 3000, 0.005, [0.0; 2], 0.0, 3000));
    let link = |name: &str, first: usize| {
        format!(
            "[links.{name}]\ndeck = \"{name}.bdf\"\ninboard = {first}\ninterfaces = {{ tip = {} }}\nmass = \"coupled\"\nmodes = {{ below_hz = {CUT_OFF_HZ} }}\n",
            first + 1
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"-y\"\n\
             drive = {{ motion = {{ profile = \"cycloidal\", to_deg = 100, time = 1 }} }}\n"
        )
    };
    let text = [
        link("upper", 1000),
        link("fore", 3000),
        joint("shoulder", "ground", "upper").replace("to_deg = 100", "to_deg = 0"),
        joint("elbow", "upper.tip", "fore"),
        "[analysis]\nend = 1\nstep = 1e-3\n[response]\nmodes = 60\ndamped = false\n".to_owned(),
        "poses = { grid = { elbow = { from_deg = 0, to_deg = 100, count = 6 } } }\n".to_owned(),
    ]
    .concat();
    let result = respond(&text, &[("upper.bdf", &upper), ("fore.bdf", &fore)]);
    assert_eq!(result.poses.len(), 6);
    let folder = tempfile::tempdir().expect("a folder");
    let mut worst = 0.0_f64;
    for pose in &result.poses {
        let angle = pose.joints[1];
        let head = "SOL 103\nCEND\nSPC = 1\nMETHOD = 1\n";
        let both = deck(head, |cards| {
            strip(cards, 1000, 0.008, [0.0; 2], 0.0, 1000);
            // The root of the second strip is rigidly on the end of the first, of which its own root grid is
            // a copy.
            strip(cards, 3000, 0.005, [LENGTH, 0.0], angle, 1001);
            cards.push_str("SPC1,1,123456,1000,3000\nEIGRL,1,,,60\n");
        });
        let path = folder.path().join("both.bdf");
        std::fs::write(&path, both).expect("a deck");
        let mesh = pliant_bulk::read(&path, Units::SI).output.mesh;
        let options = ModesOptions::of_deck(&mesh).expect("its METHOD");
        let modes =
            pliant_fem::modes(&mesh, &options).unwrap_or_else(|problems| panic!("{problems:?}")).output;
        let mut compared = 0;
        for (k, expected) in modes.frequencies_hz.iter().enumerate().filter(|(_, f)| **f < 0.5 * CUT_OFF_HZ) {
            let found = pose.undamped[k].frequency_hz;
            let part = (found / expected - 1.0).abs();
            worst = worst.max(part);
            assert!(part < 1e-3, "elbow at {angle}, mode {}: {found} for {expected}", k + 1);
            compared += 1;
        }
        assert!(compared >= 20, "{compared} modes at {angle}");
    }
    println!("two links against one mesh: within {worst:.1e}");
}
