//! A machine at a pose against the modes of one finite-element mesh of all its links.

use std::fmt::Write as _;

use pliant_fem::{ModesOptions, modes};
use pliant_mesh::Units;

use crate::support::{close, respond};

const BARS: usize = 24;
const LENGTHS: [f64; 2] = [0.9, 0.7];

/// Grids and bars of a link from `origin` along `direction`; the first grid is `first`.
fn link(
    deck: &mut String,
    first: usize,
    origin: [f64; 3],
    direction: [f64; 3],
    length: f64,
    skip_first: bool,
) {
    for k in usize::from(skip_first)..=BARS {
        let s = length * k as f64 / BARS as f64;
        let [x, y, z] = [0, 1, 2].map(|c| origin[c] + s * direction[c]);
        writeln!(deck, "GRID,{},,{x:.9},{y:.9},{z:.9}", first + k).unwrap();
    }
    // Across the bar in the plane of the machine.
    let [vx, vz] = [-direction[2], direction[0]];
    for k in 0..BARS {
        writeln!(deck, "CBAR,{},1,{},{},{vx:.9},0.,{vz:.9}", first + k, first + k, first + k + 1).unwrap();
    }
}

const SECTION: &str = "PARAM,COUPMASS,1\nPBAR,1,1,8.-4,4.-8,9.-8,1.-7\nMAT1,1,2.1+11,,.3,7800.\n";

/// The frequencies of both links as one mesh, the second turned by an angle about −y.
fn of_one_mesh(angle: f64, below_hz: f64) -> Vec<f64> {
    let mut deck = format!(
        "SOL 103\nCEND\nMETHOD=1\nSPC=1\nBEGIN BULK\nEIGRL,1,,{below_hz}\nSPC1,1,123456,1\n{SECTION}"
    );
    link(&mut deck, 1, [0.0; 3], [1.0, 0.0, 0.0], LENGTHS[0], false);
    let tip = [LENGTHS[0], 0.0, 0.0];
    link(&mut deck, 1 + BARS, tip, [angle.cos(), 0.0, angle.sin()], LENGTHS[1], true);
    writeln!(deck, "CONM2,900,{},,4.\nENDDATA", 1 + 2 * BARS).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.bdf");
    std::fs::write(&path, deck).unwrap();
    let read = pliant_bulk::read(path, Units::SI);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    let options = ModesOptions::of_deck(&read.output.mesh).unwrap();
    modes(&read.output.mesh, &options).unwrap().output.frequencies_hz
}

#[test]
fn a_machine_at_a_pose_is_one_mesh_of_all_links() {
    let cut_off = 1600.0;
    let deck = |length: f64| {
        let mut deck = format!("BEGIN BULK\n{SECTION}");
        link(&mut deck, 1, [0.0; 3], [1.0, 0.0, 0.0], length, false);
        deck + "ENDDATA\n"
    };
    for angle_deg in [0.0_f64, 40.0, 115.0] {
        let text = format!(
            r#"
            [links.one]
            deck = "one.bdf"
            inboard = 1
            interfaces = {{ tip = {} }}
            modes = {{ below_hz = {cut_off} }}
            [links.two]
            deck = "two.bdf"
            inboard = 1
            interfaces = {{ tip = {} }}
            modes = {{ below_hz = {cut_off} }}
            [joints.root]
            parent = "ground"
            child = "one"
            type = "fixed"
            [joints.elbow]
            parent = "one.tip"
            child = "two"
            type = "revolute"
            axis = "-y"
            drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = {angle_deg} }}, position_gain = 1e4, rate_gain = 10 }} }}
            [payload]
            at = "two.tip"
            mass = 4
            [analysis]
            end = 1
            step = 1e-3
            [response]
            servos = "held"
            damped = false
            modes = 40
            "#,
            1 + BARS,
            1 + BARS
        );
        let result = respond(&text, &[("one.bdf", &deck(LENGTHS[0])), ("two.bdf", &deck(LENGTHS[1]))]);
        let expected = of_one_mesh(angle_deg.to_radians(), 0.5 * cut_off);
        assert!(expected.len() >= 8, "{expected:?}");
        for (k, (mode, expected)) in result.poses[0].undamped.iter().zip(&expected).enumerate() {
            close(&format!("{angle_deg}°, mode {}", k + 1), mode.frequency_hz, *expected, 1e-3);
        }
    }
}
