//! A car suspension of FEDEM's: three links from decks, six ball joints of which three close loops, spring,
//! damper and road force.
//!
//! Its settings (openfedem's CarSuspension: `Setup.fco`) are Hilber, Hughes and Taylor's rule with α = 0.1
//! and a step of 5 ms, which is an eighth of the suspension's period, from an undeformed start without
//! initial accelerations: the load of 3.9 kN that is there from the beginning moves nothing before the first
//! step. Both are taken over here. Its links have lumped masses; ours are consistent, which changes less than
//! 0.001 %.

use std::path::Path;

use nalgebra::Vector3;
use pliant_dynamics::{AnalysisKind, Frame};

use crate::support::{run_kinds, shared};

/// Where the tie rod's end is held along x, and where the spring hangs.
const TIE: [f64; 3] = [0.085_251_02, -0.201_314, 0.185_466_1];
const HANGER: [f64; 3] = [0.0, 0.0, 0.3];
const STIFFNESS: f64 = 7.5e5;
const FREE_LENGTH: f64 = 0.231_643_452_4;
const DAMPING: f64 = 3000.0;

/// The machine of Model.fsi.
fn machine(folder: &Path) -> String {
    let ball = |name: &str, parent: &str, child: &str, origin: &str| {
        format!("[joints.{name}]\nparent = '{parent}'\nchild = '{child}'\ntype = 'spherical'\n{origin}\n")
    };
    let link = |name: &str, file: &str, rest: &str| {
        let deck = folder.join(file);
        format!(
            "[links.{name}]\ndeck = '{}'\nmodes = {{ count = 12 }}\nsecond_order = false\n{rest}\n",
            deck.display()
        )
    };
    [
        "gravity = [0, 0, -9.81]\n".to_owned(),
        link("lca", "lca.bdf", "inboard = 11911\ninterfaces = { rear = 11912, ball = 11910, seat = 11909 }"),
        link("knuckle", "knuckle.nas", "inboard = 3\ninterfaces = { upper = 4, tie = 2, wheel = 1 }"),
        link("uca", "uca.nas", "inboard = 2158\ninterfaces = { rear = 2159, ball = 2160 }"),
        ball("lower_front", "ground", "lca", "origin = [-0.05811678, 0.03882856, 0.07981566]"),
        ball("lower_rear", "ground", "lca.rear", "origin = [0.17168449, 0.03882856, 0.07981566]"),
        ball("lower_ball", "lca.ball", "knuckle", ""),
        ball("upper_front", "ground", "uca", "origin = [-0.08312982, -0.02, 0.3160429]"),
        ball("upper_rear", "ground", "uca.rear", "origin = [0.0842875, -0.02, 0.28652272]"),
        ball("upper_ball", "uca.ball", "knuckle.upper", ""),
        format!("[constraints.tie]\nfrom = 'ground'\nfrom_at = {TIE:?}\nto = 'knuckle.tie'\nplane = 'x'\n"),
        format!(
            "[forces.spring]\nfrom = 'ground'\nfrom_at = {HANGER:?}\nto = 'lca.seat'\n\
             spring = {{ stiffness = {STIFFNESS}, free_length = {FREE_LENGTH} }}\ndamper = {{ damping = {DAMPING} }}\n"
        ),
        "[loads.road]\nat = 'knuckle.wheel'\nforce = [0, 0, 'road.csv']\n".to_owned(),
        "[analysis]\nkind = ['nonlinear', 'linear']\nend = 2.5\nstep = 5e-3\nintegrator = 'hht'\nalpha = 0.1\n[output]\nevery = 5e-3\n".to_owned(),
    ]
    .concat()
}

/// The road's force, downwards, from FEDEM's start on.
fn road(folder: &Path, out: &Path) {
    let text = std::fs::read_to_string(folder.join("FZ.asc")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().map(str::parse::<f64>);
        let (t, f) = (fields.next()?.ok()?, fields.next()?.ok()?);
        Some(format!("{t}, {}", if t == 0.0 { 0.0 } else { -f }))
    });
    std::fs::write(out.join("road.csv"), rows.collect::<Vec<_>>().join("\n")).unwrap();
}

/// Force of the spring, of the damper, angle about x of the upper ball joint, height of the tie rod's end.
fn sensors(frame: &Frame<'_>) -> [f64; 4] {
    let work = frame.work;
    let at = |link: &str, interface: &str| frame.model.interface(link, interface).unwrap();
    let (seat, arm, knuckle, tie) =
        (at("lca", "seat"), at("uca", "ball"), at("knuckle", "upper"), at("knuckle", "tie"));
    let X = work.X_WT(seat);
    let line = X.p - Vector3::from(HANGER);
    let velocity = X.R * work.V_WT(seat).fixed_rows::<3>(0);
    let turn = work.X_WT(knuckle).R.transpose() * work.X_WT(arm).R;
    [
        STIFFNESS * (line.norm() - FREE_LENGTH),
        DAMPING * line.normalize().dot(&velocity),
        // FEDEM's angles are those of turns about z, y and x, one after the other.
        turn[(2, 1)].atan2(turn[(2, 2)]),
        work.X_WT(tie).p.z - TIE[2],
    ]
}

#[test]
fn spring_damper_and_joints_move_as_fedems() {
    let Some(folder) = shared("fedem/suspension") else { return };
    let text = std::fs::read(folder.join("exported_curves.asc")).unwrap();
    let rows: Vec<Vec<f64>> = String::from_utf8_lossy(&text)
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().filter_map(|x| x.parse().ok()).collect())
        .collect();
    let temporary = tempfile::tempdir().unwrap();
    road(&folder, temporary.path());
    let (mut nonlinear, mut linear) = (Vec::new(), Vec::new());
    run_kinds(temporary.path(), &machine(&folder), |kind, frame| match kind {
        AnalysisKind::Linear => linear.push(sensors(frame)),
        _ => nonlinear.push(sensors(frame)),
    });
    // The rigid suspension moves far and turns; its links bend little, and linear vibration about that motion
    // is as good.
    for (kind, ours) in [("nonlinear", nonlinear), ("linear", linear)] {
        println!("{kind}");
        compare(&ours, &rows);
    }
}

fn compare(ours: &[[f64; 4]], rows: &[Vec<f64>]) {
    assert_eq!(ours.len(), rows.len());
    let names = [("spring force", 3), ("damper force", 4), ("ball joint 4, Rx", 9), ("free joint, Tz", 11)];
    for (k, (name, column)) in names.into_iter().enumerate() {
        let peak = rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        let own = ours.iter().map(|o| o[k].abs()).fold(0.0, f64::max);
        let apart = |o: &[f64; 4], row: &Vec<f64>| (o[k] - row[column]).abs();
        let worst = ours.iter().zip(rows).map(|(o, row)| apart(o, row)).fold(0.0, f64::max) / peak;
        let square: f64 = ours.iter().zip(rows).map(|(o, row)| apart(o, row).powi(2)).sum();
        let rms = (square / rows.len() as f64).sqrt() / peak;
        println!(
            "{name}: peak {own:.5} against {peak:.5}; differences rms {:.2} %, at most {:.2} % of the peak",
            100.0 * rms,
            100.0 * worst
        );
        assert!((own / peak - 1.0).abs() < 0.02 && worst < 0.02, "{name}: {own} {peak} {worst}");
    }
}
