//! An exact solution of the axially moving cantilever.
//!
//! Outside the grip, x from the grip, a² = EI/ρA, with the compression ρA V̇ (L − x) that accelerates what is
//! further out (docs/theory/sliding.md):
//!
//! ```text
//! w_tt + 2V w_xt + (V² + V̇ (L − x)) w_xx + a² w_xxxx = 0,   w = w_x = 0 at x = 0,   w_xx = 0, EI w_xxx = −P at x = L
//! ```
//!
//! Where L² = L₀² + 2ct every term has the same power of L in w = Lˢ f(ξ), ξ = x/L, whatever s, and with γ =
//! c/a
//!
//! ```text
//! f″″ + γ² (s(s − 2) f + (2(s − 1) − (2s − 3) ξ) f′ − ξ(1 − ξ) f″) = 0,   f(0) = f′(0) = f″(1) = 0,   f‴(1) = −P L³⁻ˢ/EI
//! ```
//!
//! whose power series has no singular point. Without a load s is an eigenvalue, and there s = ½ + iΩ/γ:
//! written for w = √L z(ξ, τ), dτ = dt/L², the action does not depend on τ, so that a free vibration neither
//! grows nor decays in z.

use nalgebra::{Complex, DMatrix, DVector};
use pliant_dynamics::{AnalysisKind, Simulation};
use pliant_link::Rail;
use pliant_mechanism::BodyIndex;

use crate::support::{EI, LENGTH, TO, machine, run_as, slender_boom, sliding};

type C = Complex<f64>;

/// √(EI/ρA) of the boom (m²/s).
const A: f64 = 10.0;

/// Terms of the power series: those left out are below 1e-16 of the sum for all γ and s here.
const TERMS: usize = 64;

/// w = A Re (L/L₀)ˢ f(x/L), f(1) = 1.
struct Similarity {
    gamma: f64,
    s: C,
    f: Vec<C>,
}

/// Power series of the solution that begins with ξ^first.
fn series(gamma: f64, s: C, first: usize) -> Vec<C> {
    let mut a = vec![C::default(); TERMS];
    a[first] = C::from(1.0);
    for n in 0..TERMS - 4 {
        let k = n as f64;
        let r = (s * (s - 2.0) - (s * 2.0 - 3.0) * k + k * (k - 1.0)) * a[n]
            + ((s - 1.0) * 2.0 - k) * (k + 1.0) * a[n + 1];
        a[n + 4] = -r * gamma * gamma / ((k + 1.0) * (k + 2.0) * (k + 3.0) * (k + 4.0)) + a[n + 4];
    }
    a
}

/// The derivative of an order at ξ.
fn at(f: &[C], order: usize, xi: f64) -> C {
    let falling = |n: usize| (0..order).map(|i| (n - i) as f64).product::<f64>();
    (order..f.len()).map(|n| f[n] * falling(n) * xi.powi((n - order) as i32)).sum()
}

impl Similarity {
    /// For any s, with a load on the tip.
    fn forced(gamma: f64, s: C) -> Self {
        let (p, q) = (series(gamma, s, 2), series(gamma, s, 3));
        let ratio = -at(&p, 2, 1.0) / at(&q, 2, 1.0);
        let f: Vec<C> = p.iter().zip(&q).map(|(p, q)| p + q * ratio).collect();
        let tip = at(&f, 0, 1.0);
        Self { gamma, s, f: f.into_iter().map(|f| f / tip).collect() }
    }

    /// The free one next to the cantilever's mode βₖ, by secants of f‴(1).
    fn free(gamma: f64, beta: f64) -> Self {
        let shear = |s: C| at(&Self::forced(gamma, s).f, 3, 1.0);
        let (mut last, mut s) = (C::new(0.6, beta * beta / gamma), C::new(0.5, beta * beta / gamma * 1.0001));
        let mut value = shear(last);
        for _ in 0..50 {
            let now = shear(s);
            if (s - last).norm() < 1e-13 * s.norm() || now == value {
                break;
            }
            let next = s - now * (s - last) / (now - value);
            (last, value, s) = (s, now, next);
        }
        Self::forced(gamma, s)
    }

    /// Deflection and slope where the material point x is, and their material rates, for a unit amplitude at
    /// L₀.
    fn state(&self, (L0, L): (f64, f64), x: f64) -> [f64; 4] {
        let (xi, s, c) = (x / L, self.s, self.gamma * A);
        let scale = C::from(L / L0).powc(s);
        let [f, slope, curvature] = [0, 1, 2].map(|order| at(&self.f, order, xi));
        [
            scale * f,
            scale * slope / L,
            scale * (s * f + slope * (1.0 - xi)) * (c / (L * L)),
            scale * ((s - 1.0) * slope + curvature * (1.0 - xi)) * (c / (L * L * L)),
        ]
        .map(|z| z.re)
    }
}

/// L at time t.
fn length(L0: f64, gamma: f64, t: f64) -> f64 {
    (L0 * L0 + 2.0 * gamma * A * t).sqrt()
}

/// The time at which the boom has a length.
fn time(L0: f64, gamma: f64, L: f64) -> f64 {
    (L * L - L0 * L0) / (2.0 * gamma * A)
}

/// Boom and joint: 1 kg that a force of −c²/L³ takes along L² = L₀² + 2ct.
fn slide(modes: usize, L0: f64, gamma: f64) -> String {
    let c = gamma * A;
    let joint = format!(
        "start = {{ value = {}, rate = {} }}\ndrive = {{ torque = '-({})*({} + t*({}))^(-1.5)' }}",
        L0 - (LENGTH - TO),
        c / L0,
        c * c,
        L0 * L0,
        2.0 * c
    );
    slender_boom(modes) + &sliding(&joint)
}

/// Coordinates whose shapes come nearest, in the norm of the mass, to deflections and slopes at the stations
/// of the rail.
fn projected(rail: &Rail, of_station: impl Fn(f64) -> [f64; 2]) -> DVector<f64> {
    // Hermite's cubics on each element: ∫NNᵀ over its length h, symmetric.
    const N: [[f64; 4]; 4] = [
        [156.0, 22.0, 54.0, -13.0],
        [22.0, 4.0, 13.0, -3.0],
        [54.0, 13.0, 156.0, -22.0],
        [-13.0, -3.0, -22.0, 4.0],
    ];
    let count = rail.stations.len();
    let mut M = DMatrix::<f64>::zeros(2 * count, 2 * count);
    for k in 0..count - 1 {
        let h = rail.stations[k + 1] - rail.stations[k];
        let power = |i: usize| if i % 2 == 1 { h } else { 1.0 };
        for (i, row) in N.iter().enumerate() {
            for (j, n) in row.iter().enumerate() {
                M[(2 * k + i, 2 * k + j)] += n * h / 420.0 * power(i) * power(j);
            }
        }
    }
    let V = DMatrix::from_fn(2 * count, rail.V[0].ncols(), |i, j| {
        rail.V[i / 2][(if i % 2 == 0 { 1 } else { 5 }, j)]
    });
    let u = DVector::from_fn(2 * count, |i, _| of_station(rail.stations[i / 2])[i % 2]);
    let U = M.cholesky().unwrap().l().transpose();
    // Motions along the axis and in the other plane have no part in it.
    DMatrix::svd(&U * V, true, true).solve(&(U * u), 1e-9).unwrap()
}

/// Largest difference of the tip over the largest deflection, started from the exact shape and its rates.
fn free_error(modes: usize, (from, to): (f64, f64), gamma: f64, beta: f64, steps: usize) -> f64 {
    // Small enough for what is of second order to be 1e-7 of it.
    const AMPLITUDE: f64 = 1e-4;
    let exact = Similarity::free(gamma, beta);
    assert!((exact.s.re - 0.5).abs() < 1e-9, "{}", exact.s);
    let step = time(from, gamma, to) / steps as f64;
    let text = format!("{}[analysis]\nend = 1\nstep = {step}\n", slide(modes, from, gamma));
    let (model, settings) = machine(&text);
    let mut run = Simulation::new(&model, &settings).unwrap();
    let body = &model.bodies()[0];
    let rail = body.link.rail.as_ref().unwrap();
    let of = |first: usize| {
        projected(rail, |station| {
            let x = station - (LENGTH - from);
            let all = if x > 0.0 { exact.state((from, from), x) } else { [0.0; 4] };
            [all[first] * AMPLITUDE, all[first + 1] * AMPLITUDE]
        })
    };
    let (mut q, mut v) = (run.state().q.clone(), run.state().v.clone());
    q[body.elastic_positions()].copy_from_slice(of(0).as_slice());
    v[body.elastic_velocities()].copy_from_slice(of(2).as_slice());
    run.set_motion(&q, &v).unwrap();
    let (mut worst, mut largest) = (0.0f64, 0.0f64);
    for k in 1..=steps {
        run.advance(step).unwrap();
        let L = length(from, gamma, k as f64 * step);
        let expected = AMPLITUDE * exact.state((from, L), L)[0];
        worst = worst.max((run.work().X_WT(BodyIndex(0).interface(0)).p.y - expected).abs());
        largest = largest.max(expected.abs());
    }
    worst / largest
}

/// βₖ of the first two modes of a cantilever, where the search for s begins.
const BETA: [f64; 2] = [1.875, 4.694];

#[test]
fn the_solution_satisfies_the_equation() {
    let cases =
        [(0.2, BETA[0]), (-0.8, BETA[0]), (0.4, BETA[1])].map(|(gamma, beta)| Similarity::free(gamma, beta));
    for exact in cases.into_iter().chain([Similarity::forced(0.8, C::new(10.0, 5.0))]) {
        let (L0, c, h) = (0.5, exact.gamma * A, 1e-6);
        // Differences over time at one position and exact derivatives along x: the chain of ξ and L is not
        // used again.
        let w = |order: usize, t: f64, x: f64| {
            let L = length(L0, exact.gamma, t);
            (C::from(L / L0).powc(exact.s) * at(&exact.f, order, x / L)).re / L.powi(order as i32)
        };
        for x in [0.1, 0.3, 0.45] {
            let rate = |order| (w(order, h, x) - w(order, -h, x)) / (2.0 * h);
            let (V, V_rate) = (c / L0, -c * c / L0.powi(3));
            let terms = [
                (w(0, h, x) - 2.0 * w(0, 0.0, x) + w(0, -h, x)) / (h * h),
                2.0 * V * rate(1),
                (V * V + V_rate * (L0 - x)) * w(2, 0.0, x),
                A * A * w(4, 0.0, x),
            ];
            let size = terms.iter().map(|term| term.abs()).fold(0.0, f64::max);
            // Rounding of the second difference: 1e-16/h².
            assert!(terms.iter().sum::<f64>().abs() < 2e-5 * size.max(10.0), "{}: {terms:?}", exact.s);
        }
    }
}

#[test]
fn a_free_vibration_is_the_exact_one() {
    // Three turns of the first mode, most of one, and seven of the second, out and in. The shape at the start
    // is that of the modes and has no kink in the grip: 1e-3 where the boom is short, and more of the second
    // mode.
    let (out, back) = ((0.3, 0.9), (0.9, 0.3));
    let cases = [
        (out, 0.2, BETA[0], 2e-3),
        (back, -0.2, BETA[0], 6e-4),
        (out, 0.8, BETA[0], 2e-3),
        (back, -0.8, BETA[0], 5e-4),
        ((0.4, 0.9), 0.4, BETA[1], 6e-3),
    ];
    for (range, gamma, beta, limit) in cases {
        let error = free_error(28, range, gamma, beta, 2000);
        println!("free, γ = {gamma}, mode near β = {beta}: {error:.2e}");
        assert!(error < limit, "{gamma}: {error:.1e}");
    }
    // 6 and 10 modes in the plane: 1.3e-2 and 3e-3.
    let [coarse, finer] = [12, 20].map(|modes| free_error(modes, out, 0.2, BETA[0], 2000));
    assert!(coarse < 0.02 && finer < 0.3 * coarse, "{coarse:.1e}, {finer:.1e}");
}

/// Largest difference of the tip over the largest deflection, from rest under a load that grows by powers of
/// the length: what the start lacks of the solution has become nothing before the tip has moved visibly.
fn forced_error(kind: AnalysisKind, (from, to): (f64, f64), gamma: f64, s: C, steps: usize) -> f64 {
    const LARGEST: f64 = 1e-3;
    let exact = Similarity::forced(gamma, s);
    let amplitude = LARGEST / C::from(to / from).powc(s).norm();
    // P = Re (L/L₀)ˢ⁻³ P₀; where inertia is nothing, P₀ = 3EI/L₀³.
    let P = -at(&exact.f, 3, 1.0) / from.powi(3) * (EI * amplitude);
    assert!((P.norm() / (3.0 * EI * amplitude / from.powi(3)) - 1.0).abs() > 0.3, "nearly static");
    let square = format!("(1 + t*({}))", 2.0 * gamma * A / (from * from));
    let phase = format!("{}*ln({square})", 0.5 * s.im);
    let force =
        format!("{square}^({})*(({})*cos({phase}) - ({})*sin({phase}))", 0.5 * (s.re - 3.0), P.re, P.im);
    let end = time(from, gamma, to);
    let text = format!(
        "{}[loads.tip]\nat = 'boom.tip'\nforce = [0, '{force}', 0]\n[analysis]\nend = {end}\nstep = {}\n[output]\nevery = {}\n",
        slide(28, from, gamma),
        end / steps as f64,
        end / 100.0
    );
    let mut worst = 0.0f64;
    run_as(&text, kind, |frame| {
        let L = length(from, gamma, frame.state.t);
        let expected = amplitude * exact.state((from, L), L)[0];
        worst = worst.max((frame.work.X_WT(BodyIndex(0).interface(0)).p.y - expected).abs() / LARGEST);
    })
    .unwrap();
    worst
}

#[test]
fn a_vibration_under_a_growing_load_is_the_exact_one() {
    use AnalysisKind::{Linear, Nonlinear};
    let (out, back) = ((0.3, 0.9), (0.9, 0.3));
    // What is left is of the step and, short, of the modes.
    let cases = [
        (Nonlinear, out, 0.2, C::new(12.0, 17.0), 2000, 5e-5),
        (Nonlinear, out, 0.8, C::new(10.0, 5.0), 2000, 1e-4),
        (Nonlinear, back, -0.2, C::new(-12.0, -17.0), 3000, 4e-4),
        (Linear, out, 0.8, C::new(10.0, 5.0), 500, 2e-4),
    ];
    for (kind, range, gamma, s, steps, limit) in cases {
        let error = forced_error(kind, range, gamma, s, steps);
        println!("{kind:?}, γ = {gamma}, s = {s}: {error:.2e}");
        assert!(error < limit, "{kind:?}, {gamma}: {error:.1e}");
    }
}
