//! Margins of a loop from its response: every crossing, refined on the response itself.
//!
//! The closed loop is `1 + L`. At |L| = 1 the phase margin is the angle of −L and the delay margin that angle
//! in [0, 2π) over ω; where L crosses the negative real axis the gain margin is 1/|L|, below 1 a limit
//! downwards. The disk margin is `α = 1/max|S − ½|`, `S = 1/(1 + L)` (P. Seiler, A. Packard, P. Gahinet, "An
//! introduction to disk margins", IEEE Control Systems 40, 2020): gains from (1 − α/2)/(1 + α/2) to its
//! inverse and phases to 2 atan(α/2), at once, keep the loop stable.

use std::f64::consts::{PI, TAU};

use nalgebra::Complex;
use rayon::prelude::*;

/// |L| = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainCrossing {
    /// Hz.
    pub frequency_hz: f64,
    /// Angle of −L (degrees), from −180 to 180.
    pub phase_margin_deg: f64,
    /// Delay that turns L to −1 (s).
    pub delay_margin: f64,
}

/// L on the negative real axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseCrossing {
    /// Hz.
    pub frequency_hz: f64,
    /// 1/|L|.
    pub gain_factor: f64,
}

/// The balanced disk margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskMargin {
    /// α.
    pub alpha: f64,
    /// Where (Hz).
    pub frequency_hz: f64,
}

impl DiskMargin {
    /// Smallest and largest factor on the gain.
    pub fn gains(&self) -> [f64; 2] {
        let half = 0.5 * self.alpha;
        [(1.0 - half) / (1.0 + half), (1.0 + half) / (1.0 - half)]
    }

    /// Largest change of phase (degrees).
    pub fn phase_deg(&self) -> f64 {
        2.0 * (0.5 * self.alpha).atan().to_degrees()
    }
}

/// All margins of a loop. Of an unstable loop the numbers are no margins.
#[derive(Clone, Debug, PartialEq)]
pub struct Margins {
    /// Crossings of |L| = 1, ascending.
    pub gain_crossings: Vec<GainCrossing>,
    /// Crossings of the negative real axis, ascending.
    pub phase_crossings: Vec<PhaseCrossing>,
    /// Disk margin.
    pub disk: DiskMargin,
    /// max|S| and where (Hz).
    pub peak_sensitivity: [f64; 2],
    /// max|T|, T = L/(1 + L), and where (Hz).
    pub peak_complementary: [f64; 2],
}

impl Margins {
    /// Smallest factor above 1 that makes the loop unstable; infinite when none does.
    pub fn gain_margin(&self) -> f64 {
        let above = self.phase_crossings.iter().map(|c| c.gain_factor).filter(|factor| *factor > 1.0);
        above.fold(f64::INFINITY, f64::min)
    }

    /// Largest factor below 1 that does; 0 when none does.
    pub fn gain_reduction(&self) -> f64 {
        let below = self.phase_crossings.iter().map(|c| c.gain_factor).filter(|factor| *factor < 1.0);
        below.fold(0.0, f64::max)
    }

    /// Smallest phase margin in size (degrees); infinite without a crossing.
    pub fn phase_margin_deg(&self) -> f64 {
        self.gain_crossings.iter().map(|c| c.phase_margin_deg.abs()).fold(f64::INFINITY, f64::min)
    }

    /// Smallest delay margin (s); infinite without a crossing.
    pub fn delay_margin(&self) -> f64 {
        self.gain_crossings.iter().map(|c| c.delay_margin).fold(f64::INFINITY, f64::min)
    }
}

/// Points of the first grid, by equal factors.
const GRID: usize = 1500;
/// Neighbours whose responses differ by a larger angle (rad) or factor have one more between them.
const ANGLE: f64 = 0.15;
const FACTOR: f64 = 1.35;
/// Halvings of an interval of the grid: a turn by 180° in a billionth of the frequency is a jump.
const HALVINGS: u32 = 24;
/// At an end L differs from its neighbour by less than this part.
const NEAR_LIMIT: f64 = 0.05;
/// Steps of a refinement by halves.
const BISECTIONS: usize = 200;

/// Margins of the loop `L(ω)` between two angular frequencies; `near` are frequencies where it changes fast,
/// such as those of poles, with the part of the frequency in which it does; `ends` are those at either end
/// where L is real, if it is finite: there it meets its mirror image, and crosses the axis.
pub fn margins(
    L: &(dyn Fn(f64) -> Complex<f64> + Sync),
    range: [f64; 2],
    near: &[(f64, f64)],
    ends: &[f64],
) -> Margins {
    let points = sampled(L, range, near);
    let mut gain_crossings = Vec::new();
    let mut phase_crossings = Vec::new();
    for pair in points.windows(2) {
        let [(a, at_a), (b, at_b)] = [pair[0], pair[1]];
        if (at_a.norm() > 1.0) != (at_b.norm() > 1.0) {
            let omega = bisect(|omega| L(omega).norm().ln(), a, b);
            // The angle of −L is its margin.
            let angle = (-L(omega)).arg();
            gain_crossings.push(GainCrossing {
                frequency_hz: omega / TAU,
                phase_margin_deg: angle.to_degrees(),
                delay_margin: angle.rem_euclid(TAU) / omega,
            });
        }
        if (at_a.im > 0.0) != (at_b.im > 0.0) && at_a.re.min(at_b.re) < 0.0 {
            let omega = bisect(|omega| L(omega).im, a, b);
            let at = L(omega);
            // A jump through infinity is no crossing.
            if at.re < 0.0 && at.im.abs() <= 1e-6 * at.re.abs() {
                phase_crossings
                    .push(PhaseCrossing { frequency_hz: omega / TAU, gain_factor: 1.0 / at.norm() });
            }
        }
    }
    for omega in ends {
        let at = L(*omega);
        let beside = if *omega > range[0] { points.last() } else { points.first() };
        // With a pole there L has no value.
        let is_limit = beside.is_some_and(|(_, beside)| (at / beside - 1.0).norm() < NEAR_LIMIT);
        if at.re.is_finite() && at.re < 0.0 && is_limit {
            let crossing = PhaseCrossing { frequency_hz: omega / TAU, gain_factor: 1.0 / at.norm() };
            let first = phase_crossings.partition_point(|other| other.frequency_hz < crossing.frequency_hz);
            phase_crossings.insert(first, crossing);
        }
    }
    let one = Complex::new(1.0, 0.0);
    let S = |at: Complex<f64>| one / (one + at);
    let disk = peak(L, &points, |at| (S(at) - 0.5).norm());
    Margins {
        gain_crossings,
        phase_crossings,
        disk: DiskMargin { alpha: 1.0 / disk[0], frequency_hz: disk[1] },
        peak_sensitivity: peak(L, &points, |at| S(at).norm()),
        peak_complementary: peak(L, &points, |at| (at * S(at)).norm()),
    }
}

/// The response at frequencies close enough to see every turn, ascending.
fn sampled(
    L: &(dyn Fn(f64) -> Complex<f64> + Sync),
    [from, to]: [f64; 2],
    near: &[(f64, f64)],
) -> Vec<(f64, Complex<f64>)> {
    let grid = (0..=GRID).map(|k| from * (to / from).powf(k as f64 / GRID as f64));
    let mut omegas: Vec<f64> = grid.collect();
    for (omega, width) in near {
        let width = width.clamp(1e-9, 0.3);
        for part in [0.0, 0.3, 1.0, 3.0] {
            omegas.extend([omega * (1.0 + part * width), omega * (1.0 - part * width)]);
        }
    }
    omegas.retain(|omega| (from..=to).contains(omega));
    omegas.sort_by(f64::total_cmp);
    omegas.dedup();
    let values: Vec<Complex<f64>> = omegas.par_iter().map(|omega| L(*omega)).collect();
    let all: Vec<_> = omegas.into_iter().zip(values).collect();
    let pieces: Vec<Vec<(f64, Complex<f64>)>> = all
        .par_windows(2)
        .map(|pair| {
            let mut piece = vec![pair[0]];
            between(L, pair[0], pair[1], HALVINGS, &mut piece);
            piece
        })
        .collect();
    pieces.into_iter().flatten().chain(all.last().copied()).filter(|(_, at)| at.norm().is_finite()).collect()
}

fn between(
    L: &(dyn Fn(f64) -> Complex<f64> + Sync),
    a: (f64, Complex<f64>),
    b: (f64, Complex<f64>),
    left: u32,
    out: &mut Vec<(f64, Complex<f64>)>,
) {
    let ratio = b.1 / a.1;
    let close = ratio.arg().abs() <= ANGLE && ratio.norm() <= FACTOR && ratio.norm() * FACTOR >= 1.0;
    // Far from −1 and from |L| = 1 nothing crosses, however it turns.
    let small = a.1.norm().max(b.1.norm()) < 1e-9;
    if close || small || left == 0 {
        return;
    }
    let omega = (a.0 * b.0).sqrt();
    let middle = (omega, L(omega));
    between(L, a, middle, left - 1, out);
    out.push(middle);
    between(L, middle, b, left - 1, out);
}

/// The zero of f between a and b, where its sign changes.
fn bisect(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let rises = f(b) > 0.0;
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            break;
        }
        if (f(middle) > 0.0) == rises { b = middle } else { a = middle }
    }
    0.5 * (a + b)
}

/// The largest value over the points, refined between its neighbours by the golden section, and where (Hz).
fn peak(
    L: &(dyn Fn(f64) -> Complex<f64> + Sync),
    points: &[(f64, Complex<f64>)],
    size: impl Fn(Complex<f64>) -> f64,
) -> [f64; 2] {
    let best = (0..points.len()).max_by(|a, b| size(points[*a].1).total_cmp(&size(points[*b].1)));
    let Some(best) = best else { return [0.0, 0.0] };
    let (mut a, mut b) = (points[best.saturating_sub(1)].0, points[(best + 1).min(points.len() - 1)].0);
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let value = |omega: f64| size(L(omega));
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut at_c, mut at_d) = (value(c), value(d));
    for _ in 0..80 {
        if at_c > at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - golden * (b - a);
            at_c = value(c);
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + golden * (b - a);
            at_d = value(d);
        }
    }
    let found = [(value(0.5 * (a + b)), 0.5 * (a + b)), (size(points[best].1), points[best].0)];
    let [(x, at), (y, point)] = found;
    if x >= y { [x, at / TAU] } else { [y, point / TAU] }
}

/// The highest frequency of a sampled loop.
pub(crate) fn nyquist(sample: f64) -> f64 {
    PI / sample
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L = k/(s (s + 1)(s + 2)): |L| crosses the negative real axis at ω = √2 with k/6.
    #[test]
    fn of_a_loop_with_a_closed_form() {
        let k = 1.5;
        let L = |omega: f64| {
            let s = Complex::new(0.0, omega);
            Complex::new(k, 0.0) / (s * (s + 1.0) * (s + 2.0))
        };
        let found = margins(&L, [1e-3, 1e3], &[], &[]);
        assert_eq!(found.phase_crossings.len(), 1);
        let crossing = found.phase_crossings[0];
        assert!((crossing.frequency_hz * TAU - 2f64.sqrt()).abs() < 1e-9);
        assert!((crossing.gain_factor - 6.0 / k).abs() < 1e-9 && (found.gain_margin() - 4.0).abs() < 1e-9);
        assert_eq!(found.gain_crossings.len(), 1);
        let gain = found.gain_crossings[0];
        let omega = gain.frequency_hz * TAU;
        // ω⁶ + 5ω⁴ + 4ω² = k².
        let w2 = omega * omega;
        assert!((w2 * w2 * w2 + 5.0 * w2 * w2 + 4.0 * w2 - k * k).abs() < 1e-9);
        let phase = 90.0 - omega.atan().to_degrees() - (0.5 * omega).atan().to_degrees();
        assert!((gain.phase_margin_deg - phase).abs() < 1e-9);
        assert!((gain.delay_margin - phase.to_radians() / omega).abs() < 1e-12);
    }
}
