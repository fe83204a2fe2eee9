//! Flap and lag frequencies of a rotating cantilever.

use std::path::Path;

use nalgebra::{DMatrix, Vector3};
use pliant_link::{LinkSlopes, ReducedLink};
use pliant_spatial::Twist;

use crate::machine::{ROOT, links, variant};
use crate::plot::{Curve, Plot};

/// First and second flap frequencies at η = 0, 2, … 12: A. D. Wright et al., Journal of Applied Mechanics 49
/// (1982) 197–202.
const WRIGHT: [(f64, [f64; 2]); 7] = [
    (0.0, [3.5160, 22.0345]),
    (2.0, [4.1373, 22.6149]),
    (4.0, [5.5850, 24.2733]),
    (6.0, [7.3604, 26.8091]),
    (8.0, [9.2568, 29.9954]),
    (10.0, [11.2023, 33.6404]),
    (12.0, [13.1702, 37.6031]),
];

/// Natural frequencies (rad/s) of a link whose frame turns at `rate` about z, and how fast the worst unstable
/// motion grows.
fn frequencies(link: &ReducedLink, rate: f64) -> (Vec<f64>, f64) {
    let n = link.coordinate_count();
    let V = Twist::new(0.0, 0.0, 0.0, 0.0, 0.0, rate);
    let mut slopes = LinkSlopes::new(&link.invariants);
    slopes.evaluate(&link.invariants, &V, &Twist::zeros(), &Vector3::zeros());
    let K = &link.K + DMatrix::from_column_slice(n, n, &slopes.by_q);
    let C = DMatrix::from_column_slice(n, n, &slopes.by_rate);
    let inverse = link.invariants.M_EE.clone().try_inverse().unwrap();
    let mut A = DMatrix::zeros(2 * n, 2 * n);
    A.view_mut((0, n), (n, n)).fill_with_identity();
    A.view_mut((n, 0), (n, n)).copy_from(&(-&inverse * K));
    A.view_mut((n, n), (n, n)).copy_from(&(-&inverse * C));
    let all = A.complex_eigenvalues();
    let mut found: Vec<f64> = all.iter().map(|s| s.im).filter(|w| *w > 1e-6).collect();
    found.sort_by(f64::total_cmp);
    (found, all.iter().map(|s| s.re).fold(0.0, f64::max))
}

/// Table and plot.
pub(crate) fn rotating() {
    let section = "section = { values = { area = 4e-4, i1 = 2e-7, i2 = 2e-7, j = 4e-7 } }";
    let other = "section = { values = { area = 1e-2, i1 = 1.5625e-8, i2 = 1e-8, j = 1e-6 } }";
    let material =
        ("material = { e = 7e10, nu = 0.3, rho = 3000 }", "material = { e = 1e11, nu = 0.3, rho = 1000 }");
    let common = [(section, other), material, ("length = 10.0", "length = 1.0"), ("count = 6", "count = 16")];
    let second = links(&variant("kane.toml", &common))[0].1.clone();
    let mut changes = common.to_vec();
    changes.push(("\n[analysis]\n", "\n[analysis]\nsecond_order = false\n"));
    let first = links(&variant("kane.toml", &changes))[0].1.clone();
    let unit = |i: f64| (1e11 * i / 10.0).sqrt();
    let (lag_unit, flap_unit) = (unit(1.5625e-8), unit(1e-8));
    println!(
        "| η | published flap 1, 2 | second order, error % | lag 1, 2 (flap² − η²) | second order, error % | first order |"
    );
    println!("|---|---|---|---|---|---|");
    let mut published = [const { Vec::new() }; 2];
    let mut ours = [const { Vec::new() }; 2];
    for (eta, flap) in WRIGHT {
        let nearest = |found: &[f64], wanted: f64| {
            found.iter().copied().min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs())).unwrap()
        };
        let (in_flap, _) = frequencies(&second, eta * flap_unit);
        let (in_lag, _) = frequencies(&second, eta * lag_unit);
        let (_, growth) = frequencies(&first, eta * lag_unit);
        let lag = flap.map(|w| (w * w - eta * eta).sqrt());
        let error = |found: &[f64], wanted: f64, unit: f64| {
            100.0 * (nearest(found, wanted * unit) / (wanted * unit) - 1.0)
        };
        let reported = if growth > 1e-6 * lag_unit { "unstable" } else { "stable" };
        println!(
            "| {eta} | {:.4}, {:.4} | {:+.3}, {:+.3} | {:.4}, {:.4} | {:+.3}, {:+.3} | {reported} |",
            flap[0],
            flap[1],
            error(&in_flap, flap[0], flap_unit),
            error(&in_flap, flap[1], flap_unit),
            lag[0],
            lag[1],
            error(&in_lag, lag[0], lag_unit),
            error(&in_lag, lag[1], lag_unit)
        );
        for (k, (flap, lag)) in [(flap[0], lag[0]), (flap[1], lag[1])].into_iter().enumerate() {
            published[0].push((eta, flap));
            published[1].push((eta, lag));
            ours[0].push((eta, nearest(&in_flap, flap * flap_unit) / flap_unit, k));
            ours[1].push((eta, nearest(&in_lag, lag * lag_unit) / lag_unit, k));
        }
    }
    let mut curves = Vec::new();
    for (name, points) in ["flap", "lag"].iter().zip(&ours) {
        for mode in 0..2 {
            let points = points.iter().filter(|p| p.2 == mode).map(|p| (p.0, p.1)).collect();
            curves.push(Curve { name: format!("{name} {}", mode + 1), points, dots: false });
        }
    }
    for (name, points) in ["flap, Wright et al.", "lag from it"].iter().zip(published) {
        curves.push(Curve { name: (*name).to_owned(), points, dots: true });
    }
    let plot = Plot {
        title: "Rotating cantilever: frequency against speed, both times √(ρAL⁴/EI)".to_owned(),
        x: "η".to_owned(),
        y: "frequency".to_owned(),
        curves,
    };
    plot.write(&Path::new(ROOT).join("docs/theory/stiffening/rotating.svg"));
}
