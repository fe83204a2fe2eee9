//! Booms of solids, whose grids do not turn: sections are gripped.

use pliant_mechanism::BodyIndex;
use std::fmt::Write;

use crate::support::{run, sliding};

/// A square bar of steel in mm, t, s: side 40, length 1000, along x.
pub(crate) const SIDE: f64 = 40.0;
pub(crate) const LAYERS: i32 = 40;

fn id((i, j, k): (i32, i32, i32)) -> i32 {
    10_000 + 100 * i + 10 * j + k
}

/// Grids on a lattice of half an element: 2 × 2 elements in a layer.
fn deck(used: &[(i32, i32, i32)], elements: &str, along: impl Fn((i32, i32, i32)) -> f64) -> String {
    let mut deck = String::from("BEGIN BULK\nMAT1,1,210000.,,0.3,7.85-9\nPSOLID,1,1\n");
    let mut used = used.to_vec();
    used.sort_unstable();
    used.dedup();
    for grid in used {
        let (x, across) = (along(grid), |n: i32| SIDE * (f64::from(n) / 4.0 - 0.5));
        writeln!(deck, "GRID,{},,{x:.4},{:.4},{:.4}", id(grid), across(grid.1), across(grid.2)).unwrap();
    }
    deck + elements + "ENDDATA\n"
}

/// Corners of every element, in the order of CHEXA.
fn cells() -> impl Iterator<Item = [(i32, i32, i32); 8]> {
    let positions =
        (0..LAYERS).flat_map(|i| [(0, 0), (0, 1), (1, 0), (1, 1)].map(move |(j, k)| (2 * i, 2 * j, 2 * k)));
    positions.map(|(i, j, k)| {
        let corner = |a, b, c| (i + 2 * a, j + 2 * b, k + 2 * c);
        [
            corner(0, 0, 0),
            corner(1, 0, 0),
            corner(1, 1, 0),
            corner(0, 1, 0),
            corner(0, 0, 1),
            corner(1, 0, 1),
            corner(1, 1, 1),
            corner(0, 1, 1),
        ]
    })
}

pub(crate) fn hexahedra() -> String {
    let (mut used, mut text) = (Vec::new(), String::new());
    for (n, corners) in cells().enumerate() {
        let ids = corners.map(|grid| id(grid).to_string());
        writeln!(text, "CHEXA,{},1,{}\n,{}", n + 1, ids[..6].join(","), ids[6..].join(",")).unwrap();
        used.extend(corners);
    }
    deck(&used, &text, even)
}

/// In layers.
pub(crate) fn even(grid: (i32, i32, i32)) -> f64 {
    1000.0 / f64::from(2 * LAYERS) * f64::from(grid.0)
}

/// Without layers: corners moved to and fro along the bar by a third of an element at most, ends excepted.
pub(crate) fn scattered((i, j, k): (i32, i32, i32)) -> f64 {
    let corner = |i: i32, j: i32, k: i32| {
        let part = f64::from((i * 7919 + j * 104_729 + k * 1_299_709) % 1009) / 1009.0;
        let moved = if i == 0 || i == 2 * LAYERS { 0.0 } else { 2.0 * part - 1.0 };
        even((i, j, k)) + moved * 1000.0 / f64::from(LAYERS) / 3.0
    };
    // Edges of the tetrahedra of a cell go up in every direction that they go in.
    let (a, b, c) = (i % 2, j % 2, k % 2);
    0.5 * (corner(i - a, j - b, k - c) + corner(i + a, j + b, k + c))
}

/// Six tetrahedra with mid-side grids around a diagonal of every cell.
pub(crate) fn tetrahedra(along: impl Fn((i32, i32, i32)) -> f64) -> String {
    let (mut used, mut text, mut n) = (Vec::new(), String::new(), 0);
    for corners in cells() {
        for [a, b] in [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]] {
            let c = [0, a, b, 6].map(|corner: usize| corners[corner]);
            let middle =
                |p: usize, q: usize| ((c[p].0 + c[q].0) / 2, (c[p].1 + c[q].1) / 2, (c[p].2 + c[q].2) / 2);
            let all = [
                c[0],
                c[1],
                c[2],
                c[3],
                middle(0, 1),
                middle(1, 2),
                middle(2, 0),
                middle(0, 3),
                middle(1, 3),
                middle(2, 3),
            ];
            let ids = all.map(|grid| id(grid).to_string());
            n += 1;
            writeln!(text, "CTETRA,{n},1,{}\n,{}", ids[..6].join(","), ids[6..].join(",")).unwrap();
            used.extend(all);
        }
    }
    deck(&used, &text, along)
}

/// The link with faces as interfaces and a rail.
pub(crate) fn link(path: &std::path::Path, rail: &str) -> String {
    format!(
        "[links.boom]\ndeck = '{}'\nunits = 'mm-t-s'\ninboard = {{ plane = {{ normal = 'x', through = [0, 0, 0] }} }}\n\
         interfaces = {{ tip = {{ plane = {{ normal = 'x', through = [1000, 0, 0] }} }} }}\nmodes = {{ count = 20 }}\n\
         rail = {{ {rail} }}\n",
        path.display()
    )
}

/// `look` at a machine of text and a deck beside it.
pub(crate) fn with(deck: &str, look: impl FnOnce(&std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.bdf");
    std::fs::write(&path, deck).unwrap();
    look(&path);
}

/// Largest relative difference from Timoshenko's cantilever on a slow way out. `beside`: how far the rail is
/// from the axis of the bar (m).
fn difference(deck: &str, rail: &str, beside: f64) -> f64 {
    let (b, E) = (1e-3 * SIDE, 2.1e11);
    let (bending, shear) = (E * b.powi(4) / 12.0, E / 2.6 * b * b * 5.0 / 6.0);
    let mut worst = 0.0f64;
    with(deck, |path| {
        let text = format!(
            "{}{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 100, 0]\n[analysis]\nend = 4\nstep = 2e-2\nstart = 'equilibrium'\n",
            link(path, rail),
            sliding("drive = { motion = { profile = 'cycloidal', from = 0.2, to = 0.75, time = 4 } }")
        );
        run(&text, |frame| {
            let length = 0.1 + frame.state.q[0];
            let expected = 100.0 * (length.powi(3) / (3.0 * bending) + length / shear);
            worst =
                worst.max(((frame.work.X_WT(BodyIndex(0).interface(0)).p.y - beside) / expected - 1.0).abs());
        })
        .unwrap();
    });
    worst
}

pub(crate) fn line_of_grids(j: i32, k: i32) -> String {
    let grids: Vec<i32> = (0..=LAYERS).map(|i| id((2 * i, j, k))).collect();
    format!("grids = {grids:?}, from = 0.1, to = 0.9")
}

pub(crate) fn line(stations: i32) -> String {
    format!("line = [[0, 0, 0], [1000, 0, 0]], stations = {stations}, from = 0.1, to = 0.9")
}

#[test]
fn a_boom_of_solids_is_a_beam_of_its_length() {
    // At 0.3 m, 7.5 times its height, the bar is 0.3 % from Timoshenko's beam where its meshes are the same
    // layer by layer.
    let hexahedra = hexahedra();
    let edge = difference(&hexahedra, &line_of_grids(0, 0), 0.5e-3 * SIDE);
    let centre = difference(&hexahedra, &line_of_grids(2, 2), 0.0);
    let drawn = difference(&hexahedra, &line(LAYERS + 1), 0.0);
    assert!(
        centre < 4e-3 && (centre - drawn).abs() < 1e-6 && (centre - edge).abs() < 1e-5,
        "{centre}, {edge}, {drawn}"
    );
    // Layers that are not next to each other: splines over 50 mm here and there.
    let coarse = difference(&hexahedra, &line(33), 0.0);
    assert!(coarse < 5e-3, "{coarse}");
    // Layers of tetrahedra are not alike on both sides of their diagonals.
    let edge = difference(&tetrahedra(even), &line_of_grids(0, 0), 0.5e-3 * SIDE);
    assert!(edge < 1e-2, "{edge}");
    // An element that is cut cannot bend sharply there, and holds the boom over a part of its length.
    let scattered = difference(&tetrahedra(scattered), &line(LAYERS + 1), 0.0);
    assert!(scattered < 0.03, "{scattered}");
}

/// The same bar as a beam.
pub(crate) fn as_beam() -> String {
    let side = 1e-3 * SIDE;
    format!(
        "[links.boom]\nbeam = {{ length = 1, elements = {LAYERS}, section = {{ bar = [{side}, {side}] }}, \
         material = {{ e = 2.1e11, nu = 0.3, rho = 7850 }} }}\nmodes = {{ count = 20 }}\nrail = {{ from = 0.1, to = 0.9 }}\n"
    )
}

#[test]
fn a_boom_of_solids_slides_as_one_of_beams() {
    // Out at 20 m/s, struck at the tip, 20 rad of its first frequency long.
    let tips = |link: String| {
        let mut found = Vec::new();
        let joint = sliding("start = { value = 0.2, rate = 20 }");
        let text = format!(
            "{link}{joint}[loads.tip]\nat = 'boom.tip'\nforce = [0, '1e3*sin(pi*min(t, 0.002)/0.002)^2', 0]\n\
             [analysis]\nend = 0.025\nstep = 2e-5\n[output]\nevery = 2e-4\n"
        );
        run(&text, |frame| found.push(frame.work.X_WT(BodyIndex(0).interface(0)).p.y)).unwrap();
        found
    };
    let beam = tips(as_beam());
    with(&hexahedra(), |path| {
        let solid = tips(link(path, &line(LAYERS + 1)));
        let largest = beam.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        let worst = beam.iter().zip(&solid).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest;
        // 0.1 % of the frequency.
        println!("solids against beams: {worst:.2e}");
        assert!(worst < 0.03, "{worst:.1e}");
    });
}

/// What the reduction says against a rail.
fn complaint(rail: &str) -> String {
    let mut reported = String::new();
    with(&hexahedra(), |path| {
        let file = path.with_file_name("machine.toml");
        std::fs::write(&file, link(path, rail)).unwrap();
        let read = pliant_pipeline::read(&file);
        reported = format!("{:?}", read.diagnostics);
        if !read.diagnostics.has_errors() {
            let requests = pliant_machine::links(&read.output).output.requests;
            reported = format!("{:?}", pliant::link::reduce(&requests[0], None).err().unwrap().request);
        }
    });
    reported
}

#[test]
fn rails_that_cannot_be_say_why() {
    let mut grids: Vec<i32> = (0..=LAYERS).map(|i| id((2 * i, 0, 0))).collect();
    grids[20] = id((40, 2, 0));
    let curved = complaint(&format!("grids = {grids:?}"));
    assert!(curved.contains(&format!("GRID {} does not lie on the straight line", grids[20])), "{curved}");
    assert!(curved.contains("rails are straight"), "{curved}");
    let beyond = complaint("line = [[0, 0, 0], [1100, 0, 0]], stations = 41");
    assert!(beyond.contains("station 38 of the rail: its section cuts 0 edges"), "{beyond}");
    let thin = complaint(&format!("{}, radius = 1", line(41)));
    assert!(thin.contains("three points that are not on a line are needed"), "{thin}");
    let lone = complaint("line = [[0, 0, 0], [1000, 0, 0]]");
    assert!(lone.contains("`line` and `stations` must be given together"), "{lone}");
    let both = complaint(&format!("grids = [1, 2, 3, 4], {}", line(41)));
    assert!(both.contains("needs `grids` or `line`, found both"), "{both}");
}

#[test]
fn few_stations_are_reported() {
    let hexahedra = hexahedra();
    // With 16 stations it is 0.7 to 1.4 %, by the modes: the last of twenty is one of a pair, and rounding
    // says which way it bends.
    let [enough, few] = [20, 8].map(|stations| difference(&hexahedra, &line(stations), 0.0));
    println!("20 stations {enough:.4}, 8 stations {few:.4}");
    assert!(enough < 0.01 && few > 0.05, "{enough}, {few}");
    with(&hexahedra, |path| {
        let reported = |stations: i32| {
            let file = path.with_file_name("machine.toml");
            std::fs::write(
                &file,
                format!("{}{}", link(path, &line(stations)), sliding("[analysis]\nend = 1\nstep = 1e-3")),
            )
            .unwrap();
            let planned = pliant_machine::Plan::new(&pliant_pipeline::read(&file).output);
            assert!(!planned.diagnostics.has_errors(), "{:?}", planned.diagnostics);
            planned.diagnostics.iter().any(|d| d.message.contains("of `boom` has 8 stations"))
        };
        assert!(reported(8) && !reported(16));
    });
}
