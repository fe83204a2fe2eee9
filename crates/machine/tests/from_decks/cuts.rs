//! The flexible four-bar of ../shared/exudyn with its coupler from a deck that is cut at sets of grids:
//! second order, and linear in chords.

use std::fmt::Write;

use crate::support::{rows, run, shared};

const ELEMENTS: usize = 24;

/// Ground, crank, coupler, rocker (m).
const LENGTHS: [f64; 4] = [0.254, 0.108, 0.2794, 0.2705];

/// Exudyn's largest deflection of the middle of the coupler, geometrically exact beams (m).
const EXACT: f64 = -0.6583e-3;

/// The coupler, 25.4 × 1.6 mm of aluminium, in bars; SET1 1, 2 … hold the grids of the cuts.
fn deck(cuts: &[usize]) -> String {
    let mut deck = "BEGIN BULK\nMAT1,1,7.1+10,,.33,2770.\n\
        PBAR,1,1,4.064-5,8.669867-12,2.184942-9,3.33-11\n,\n,.833333,.833333\n"
        .to_owned();
    for i in 0..=ELEMENTS {
        writeln!(deck, "GRID,{},,{:.9},0.,0.", i + 1, LENGTHS[2] * i as f64 / ELEMENTS as f64).unwrap();
    }
    for i in 1..=ELEMENTS {
        writeln!(deck, "CBAR,{i},1,{i},{},0.,1.,0.", i + 1).unwrap();
    }
    for (k, cut) in cuts.iter().enumerate() {
        writeln!(deck, "SET1,{},{}", k + 1, cut + 1).unwrap();
    }
    deck + "ENDDATA\n"
}

/// The machine at 170 rpm around a coupler.
fn machine(coupler: &str) -> String {
    let [ground, crank, length, rocker] = LENGTHS;
    let rod = |name: &str, length: f64| {
        let mass = 2770.0 * 4.064e-5 * length;
        let across = mass * length * length / 12.0;
        format!(
            "[links.{name}]\nrigid = {{ mass = {mass}, centre = [{}, 0, 0], inertia = [{}, {across}, {across}], interfaces = {{ pin = [{length}, 0, 0] }} }}\n",
            0.5 * length,
            1e-3 * across
        )
    };
    let at = |opposite: f64, a: f64, b: f64| ((a * a + b * b - opposite * opposite) / (2.0 * a * b)).acos();
    let rest = ground - crank;
    let [elbow, foot] = [at(rocker, length, rest), std::f64::consts::PI - at(length, rocker, rest)];
    format!(
        "{}{}{coupler}[joints.crank]\nparent = 'ground'\nchild = 'crank'\ntype = 'revolute'\n\
         drive = {{ motion = {{ profile = 'spin-up', rate = {}, time = 0.5 }} }}\n\
         [joints.elbow]\nparent = 'crank.pin'\nchild = 'coupler'\ntype = 'revolute'\nstart = {{ value_deg = {} }}\n\
         [joints.rocker]\nparent = 'ground'\nchild = 'rocker'\ntype = 'revolute'\norigin = [{ground}, 0, 0]\nstart = {{ value_deg = {} }}\n\
         [joints.pin]\nparent = 'coupler.tip'\nchild = 'rocker.pin'\ntype = 'revolute'\n\
         [analysis]\nend = 1\nstep = 2.5e-4\n[output]\nevery = 5e-4\n",
        rod("crank", crank),
        rod("rocker", rocker),
        170.0 * std::f64::consts::TAU / 60.0,
        elbow.to_degrees(),
        foot.to_degrees(),
    )
}

/// Deflection of the middle of the coupler from its chord, frame by frame (m).
fn deflections(coupler: &str, cuts: &[usize], middle: (&str, &str), last: &str) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("coupler.bdf"), deck(cuts)).unwrap();
    let mut found = Vec::new();
    run(folder.path(), &machine(coupler), |frame| {
        let position =
            |link: &str, interface: &str| frame.work.X_WT(frame.model.interface(link, interface).unwrap()).p;
        let start = position("crank", "pin");
        let (chord, point) = (position(last, "tip") - start, position(middle.0, middle.1) - start);
        found.push((chord.x * point.y - chord.y * point.x) / chord.norm());
    });
    found
}

fn peak(rows: &[f64]) -> f64 {
    rows.iter().fold(0.0, |worst: f64, x| if x.abs() > worst.abs() { *x } else { worst })
}

/// The coupler in as many pieces, cut at sets 1, 2 …
fn cut(pieces: usize, second_order: &str) -> Vec<f64> {
    let cuts: Vec<usize> = (1..pieces).map(|k| k * ELEMENTS / pieces).collect();
    let sets: Vec<String> = (1..pieces).map(|k| format!("{{ set = {k} }}")).collect();
    let link = "[links.coupler]\ndeck = 'coupler.bdf'\ninboard = 1\naccept = ['frequencies']\n";
    let link = format!("{link}second_order = {second_order}\n");
    if pieces == 1 {
        let interfaces =
            format!("interfaces = {{ tip = {}, middle = {} }}\n", ELEMENTS + 1, ELEMENTS / 2 + 1);
        return deflections(
            &format!("{link}{interfaces}modes = {{ count = 8 }}\n"),
            &[],
            ("coupler", "middle"),
            "coupler",
        );
    }
    let more = format!(
        "interfaces = {{ tip = {} }}\nmodes = {{ count = 2 }}\ncuts = [{}]\n",
        ELEMENTS + 1,
        sets.join(", ")
    );
    let [middle, last] = [pieces / 2, pieces].map(|k| format!("coupler#{k}"));
    deflections(&format!("{link}{more}"), &cuts, (&middle, "cut"), &last)
}

/// As a built-in beam in segments.
fn segments(count: usize, second_order: &str) -> Vec<f64> {
    let link = format!(
        "[links.coupler]\nbeam = {{ length = {}, elements = {ELEMENTS}, section = {{ values = {{ area = 4.064e-5, i1 = 8.669867e-12, i2 = 2.184942e-9, \
         j = 3.33e-11, k = [0.833333, 0.833333] }} }}, material = {{ e = 7.1e10, nu = 0.33, rho = 2770 }} }}\n\
         modes = {{ count = 2 }}\nsegments = {count}\naccept = ['frequencies']\nsecond_order = {second_order}\n",
        LENGTHS[2]
    );
    let [middle, last] = [count / 2, count].map(|k| format!("coupler#{k}"));
    deflections(&link, &[], (&middle, "tip"), &last)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / peak(b).abs()
}

#[test]
fn a_coupler_that_is_cut_closes_its_loop_as_the_uncut_one() {
    let (uncut, four) = (cut(1, "true"), cut(4, "true"));
    println!(
        "uncut {:.4} mm, four pieces {:.4} mm, {:.1e} apart",
        1e3 * peak(&uncut),
        1e3 * peak(&four),
        apart(&four, &uncut)
    );
    assert!((peak(&uncut) / EXACT - 1.0).abs() < 2e-3 && (peak(&four) / EXACT - 1.0).abs() < 2e-3);
    assert!(apart(&four, &uncut) < 5e-4);
    let beam = segments(4, "true");
    assert!(apart(&four, &beam) < 1e-6, "{:.1e}", apart(&four, &beam));
    let Some(folder) = shared("exudyn") else { return };
    let exact: Vec<f64> =
        rows(&folder.join("fourbar-170rpm-nonlinear.csv")).iter().map(|row| row[2]).collect();
    println!("from Exudyn's history: {:.1e}", apart(&four, &exact));
    assert!(apart(&four, &exact) < 2e-3);
}

#[test]
fn pieces_that_are_linear_in_their_chords_come_to_the_uncut_link_with_their_number() {
    let [one, four, eight] = [1, 4, 8].map(|pieces| cut(pieces, "'chord'"));
    let error = |rows: &[f64]| peak(rows) / EXACT - 1.0;
    println!("chord: one piece {:.2e}, four {:.2e}, eight {:.2e}", error(&one), error(&four), error(&eight));
    // The bow within a piece shortens nothing: 1/n² of it is left, and what is beyond that is the distance of
    // the entire from Exudyn (5e-4).
    assert!((0.05..0.06).contains(&error(&one)) && error(&four) < 4e-3 && error(&eight) < 1.5e-3);
    let beam = segments(4, "'chord'");
    assert!(apart(&four, &beam) < 1e-6, "{:.1e}", apart(&four, &beam));
}
