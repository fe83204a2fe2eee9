//! The distance of two curves.

use super::CurveDifference;

/// The curve that others are compared with.
pub(super) struct Reference<'a> {
    pub(super) times: &'a [f64],
    pub(super) values: &'a [f64],
}

/// Differences at the times of the reference that the other curve covers; between its own times it is
/// straight. The mean square is that over time, by the trapezoidal rule.
pub(super) fn differences(reference: &Reference<'_>, times: &[f64], values: &[f64]) -> CurveDifference {
    let mut found = CurveDifference::default();
    let (mut sum, mut length) = (0.0, 0.0);
    let mut before: Option<(f64, f64)> = None;
    for (t, expected) in reference.times.iter().zip(reference.values) {
        let Some(value) = at(times, values, *t) else { continue };
        // What neither has is no difference; what one of them has not is one without bound.
        let difference = match (expected.is_finite(), value.is_finite()) {
            (true, true) => (value - expected).abs(),
            (false, false) => 0.0,
            _ => f64::INFINITY,
        };
        if difference > found.largest {
            (found.largest, found.time) = (difference, *t);
        }
        if let Some((t0, d0)) = before {
            sum += 0.5 * (t - t0) * (difference * difference + d0 * d0);
            length += t - t0;
        }
        before = Some((*t, difference));
    }
    found.rms = if length > 0.0 { (sum / length).sqrt() } else { found.largest };
    found
}

/// A curve at a time within its own.
fn at(times: &[f64], values: &[f64], t: f64) -> Option<f64> {
    let next = times.partition_point(|own| *own < t);
    // Times are multiples of a step: those of two runs agree but for rounding.
    let same = |k: usize| times.get(k).is_some_and(|own| (own - t).abs() <= 1e-9 * t.abs().max(1e-9));
    match next {
        k if same(k) => values.get(k).copied(),
        k if k > 0 && same(k - 1) => values.get(k - 1).copied(),
        k if k == 0 || k >= times.len() => None,
        k => {
            let share = (t - times[k - 1]) / (times[k] - times[k - 1]);
            Some(values.get(k - 1)? * (1.0 - share) + values.get(k)? * share)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_on_other_times_are_compared_where_both_are() {
        let times: Vec<f64> = (0..=10).map(f64::from).collect();
        let values: Vec<f64> = times.iter().map(|t| 2.0 * t).collect();
        let reference = Reference { times: &times, values: &values };
        // The same line in other steps, from 2.5 to 7.5 only.
        let other = [2.5, 3.25, 6.1, 7.5];
        let same = differences(&reference, &other, &other.map(|t| 2.0 * t));
        assert!(same.largest < 1e-14 && same.rms < 1e-14, "{same:?}");
        // A constant distance is its own root mean square; a triangle of height 3 has 3/√3.
        let shifted = differences(&reference, &other, &other.map(|t| 2.0 * t + 0.5));
        assert!((shifted.largest - 0.5).abs() < 1e-14 && (shifted.rms - 0.5).abs() < 1e-14, "{shifted:?}");
        let fine: Vec<f64> = (0..=10_000).map(|k| 1e-3 * f64::from(k)).collect();
        let zero = vec![0.0; fine.len()];
        let reference = Reference { times: &fine, values: &zero };
        let triangle = differences(&reference, &[0.0, 4.0, 10.0], &[0.0, 3.0, 0.0]);
        assert!((triangle.largest - 3.0).abs() < 1e-12 && triangle.time == 4.0, "{triangle:?}");
        assert!((triangle.rms - 3f64.sqrt()).abs() < 1e-6, "{triangle:?}");
    }

    #[test]
    fn what_one_curve_does_not_have_is_a_difference() {
        let reference = Reference { times: &[0.0, 1.0], values: &[1.0, f64::NAN] };
        assert_eq!(differences(&reference, &[0.0, 1.0], &[1.0, f64::NAN]).largest, 0.0);
        assert_eq!(differences(&reference, &[0.0, 1.0], &[1.0, 1.0]).largest, f64::INFINITY);
    }
}
