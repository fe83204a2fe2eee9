//! Gauges and stresses of bars, shells and solids as outputs: Bernoulli's beam at rest and shaken.

use std::fmt::Write;

use nalgebra::Complex;

use crate::support::respond;

const E: f64 = 2.1e11;
const RHO: f64 = 7800.0;
const LENGTH: f64 = 1.0;
const WIDTH: f64 = 0.1;
const THICKNESS: f64 = 0.01;
const CELLS: usize = 64;

/// In the middle of a plate, as its curvature is: on a line between two it reads that of one of them.
const GAUGE: f64 = 15.5 / 64.0;

/// Bending moment EI w″ at x of a cantilever that is shaken across by 1 N at its tip: w = A (cos βx − cosh
/// βx) + B (sin βx − sinh βx), β⁴ = ρA ω²/EI, w″ = 0 and EI w‴ = −1 at the tip.
fn moment(x: f64, omega: f64) -> f64 {
    let (I, area) = (WIDTH * THICKNESS.powi(3) / 12.0, WIDTH * THICKNESS);
    let beta = (RHO * area * omega * omega / (E * I)).powf(0.25);
    let l = beta * LENGTH;
    let (s, c, S, C) = (l.sin(), l.cos(), l.sinh(), l.cosh());
    let below = 2.0 * beta * (1.0 + c * C);
    let (A, B) = (-(s + S) / below, (c + C) / below);
    let z = beta * x;
    -A * (z.cos() + z.cosh()) - B * (z.sin() + z.sinh())
}

/// A strip of plates or of bricks, two elements across, without Poisson's ratio: a beam. All that has its x
/// stands at its root or hangs on its tip.
fn strip(solid: bool) -> String {
    let mut deck = "BEGIN BULK\nMAT1,1,2.1+11,,0.,7800.\nPSHELL,1,1,.01,1,,1\nPSOLID,2,1\n".to_owned();
    let layers: &[f64] = if solid { &[-0.5, 0.0, 0.5] } else { &[0.0] };
    let id = |i: usize, j: usize, k: usize| 1000 + 10 * i + 3 * k + j;
    for i in 0..=CELLS {
        for (k, layer) in layers.iter().enumerate() {
            for j in 0..3 {
                let x = LENGTH * i as f64 / CELLS as f64;
                let y = WIDTH * (0.5 * j as f64 - 0.5);
                writeln!(deck, "GRID,{},,{x:?},{y:?},{:?}", id(i, j, k), THICKNESS * layer).unwrap();
            }
        }
    }
    let mut element = 0;
    for i in 0..CELLS {
        for j in 0..2 {
            if solid {
                for k in 0..2 {
                    element += 1;
                    let face =
                        |k: usize| [id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k)];
                    let [a, b, c, d] = face(k);
                    let [e, f, g, h] = face(k + 1);
                    writeln!(deck, "CHEXA,{element},2,{a},{b},{c},{d},{e},{f}\n,{g},{h}").unwrap();
                }
            } else {
                element += 1;
                let (a, b, c, d) = (id(i, j, 0), id(i + 1, j, 0), id(i + 1, j + 1, 0), id(i, j + 1, 0));
                writeln!(deck, "CQUAD4,{element},1,{a},{b},{c},{d}").unwrap();
            }
        }
    }
    for (grid, x, i, card) in [(1, 0.0, 0, 900), (2, LENGTH, CELLS, 901)] {
        writeln!(deck, "GRID,{grid},,{x:?},0.,0.").unwrap();
        let all: Vec<usize> = (0..layers.len()).flat_map(|k| (0..3).map(move |j| id(i, j, k))).collect();
        write!(deck, "RBE2,{card},{grid},123456").unwrap();
        for (n, grid) in all.iter().enumerate() {
            write!(deck, "{}{grid}", if n == 5 { "\n," } else { "," }).unwrap();
        }
        writeln!(deck).unwrap();
    }
    deck + "ENDDATA\n"
}

fn machine(outputs: &[String], hz: &[f64]) -> String {
    format!(
        r#"
        [links.strip]
        deck = "strip.bdf"
        inboard = 1
        interfaces = {{ tip = 2 }}
        modes = {{ count = 12 }}
        accept = ["frequencies"]
        [joints.root]
        parent = "ground"
        child = "strip"
        type = "fixed"
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "strip.tip"
        stress = {{ links = ["strip"] }}
        [output.gauges]
        near = {{ link = "strip", at = [{GAUGE}, 0.025, {}], direction = [1, 0, 0] }}
        [response]
        inputs = ["tip.force_z"]
        outputs = {outputs:?}
        frequencies = {{ values = {hz:?} }}
        "#,
        0.5 * THICKNESS
    )
}

/// At rest, and shaken below and above the first two modes (8.4 and 53 Hz).
const HZ: [f64; 5] = [1e-3, 4.0, 20.0, 70.0, 110.0];

fn compare(what: &str, found: &[Complex<f64>], expected: impl Fn(f64) -> f64, part: f64) {
    let at = |hz: &f64| expected(std::f64::consts::TAU * hz);
    let largest = HZ.iter().map(at).fold(0.0, |a: f64, b| a.max(b.abs()));
    let at_rest = expected(1e-6).abs();
    for (hz, found) in HZ.iter().zip(found) {
        println!("{what} at {hz} Hz: {:.6e}, beam {:.6e}", found.re, at(hz));
        assert!(found.im.abs() < 1e-9 * largest, "{what}: there is no damping");
        // Near an antiresonance, of what the force does at rest.
        let error = (found.re - at(hz)).abs() / at(hz).abs().max(at_rest);
        assert!(error < part, "{what} at {hz} Hz: {error:.1e}");
    }
}

#[test]
fn plates_and_their_gauges_are_strained_as_a_beam() {
    // The centre of the tenth row of plates, which is that of its element.
    let x = 9.5 / CELLS as f64;
    let element = 2 * 9 + 1;
    let outputs = [
        "near.strain".to_owned(),
        format!("strip.{element}.stress.top.xx"),
        format!("strip.{element}.stress.bottom.xx"),
    ];
    let result = respond(&machine(&outputs, &HZ), &[("strip.bdf", &strip(false))]);
    let found =
        |o: usize| -> Vec<Complex<f64>> { result.poses[0].response.iter().map(|H| H[(o, 0)]).collect() };
    let modulus = WIDTH * THICKNESS * THICKNESS / 6.0;
    // Lifted at its tip the strip is pressed together on top: σ = −M/W. 64 plates are 1e-3 off at the highest
    // frequency, nearer below.
    compare("gauge", &found(0), |omega| -moment(GAUGE, omega) / modulus / E, 3e-3);
    compare("top", &found(1), |omega| -moment(x, omega) / modulus, 3e-3);
    compare("bottom", &found(2), |omega| moment(x, omega) / modulus, 3e-3);
}

#[test]
fn bricks_are_stressed_as_a_beam() {
    let x = 9.5 / CELLS as f64;
    // The upper one of the tenth row: its centre is a quarter of the thickness above the middle.
    let element = 4 * 9 + 2;
    let outputs = [format!("strip.{element}.stress.centroid.xx")];
    let result = respond(
        &machine(&outputs, &HZ).replace("        near = ", "        # near = "),
        &[("strip.bdf", &strip(true))],
    );
    let found: Vec<_> = result.poses[0].response.iter().map(|H| H[(0, 0)]).collect();
    let I = WIDTH * THICKNESS.powi(3) / 12.0;
    compare("brick", &found, |omega| -moment(x, omega) * 0.25 * THICKNESS / I, 3e-3);
}
