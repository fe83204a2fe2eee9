//! What one parameter does to one metric.

use serde::Serialize;

/// Most values of a parameter that each count as a level; of one with more, slices with equally many cases
/// do.
const LEVELS: usize = 16;
const SLICES: usize = 10;

/// What one parameter does to one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The parameter.
    pub parameter: String,
    /// The metric.
    pub metric: String,
    /// Spearman's rank correlation, −1 to 1.
    pub rank_correlation: f64,
    /// Main effect: largest minus smallest mean of the metric over the levels of the parameter.
    pub main_effect: f64,
    /// Share of the variance of the metric that lies between the levels (correlation ratio η²).
    pub variance_share: f64,
    /// Value of each level (mean over a slice), and mean of the metric there.
    pub levels: Vec<(f64, f64)>,
}

impl Effect {
    /// From pairs of parameter and metric; `None` when one of the two does not change.
    pub fn of(parameter: &str, metric: &str, pairs: &[(f64, f64)]) -> Option<Self> {
        let mut sorted = pairs.to_vec();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let n = sorted.len() as f64;
        let mean = sorted.iter().map(|p| p.1).sum::<f64>() / n;
        let total: f64 = sorted.iter().map(|p| (p.1 - mean).powi(2)).sum();
        // Rounding of a metric that does not change is no effect.
        let rounding = (1e-14 * mean.abs()).powi(2) * n;
        let groups = groups(&sorted);
        if groups.len() < 2 || total <= rounding {
            return None;
        }
        let mean_of = |group: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64| {
            group.iter().map(pick).sum::<f64>() / group.len() as f64
        };
        let levels: Vec<_> = groups.iter().map(|g| (mean_of(g, |p| p.0), mean_of(g, |p| p.1))).collect();
        let between: f64 =
            groups.iter().zip(&levels).map(|(g, (_, y))| g.len() as f64 * (y - mean).powi(2)).sum();
        let means = levels.iter().map(|(_, y)| *y);
        let main_effect = means.clone().fold(f64::MIN, f64::max) - means.fold(f64::MAX, f64::min);
        let (x, y): (Vec<_>, Vec<_>) = sorted.iter().copied().unzip();
        Some(Self {
            parameter: parameter.to_owned(),
            metric: metric.to_owned(),
            rank_correlation: correlation(&ranks(&x), &ranks(&y)),
            main_effect,
            variance_share: between / total,
            levels,
        })
    }
}

/// Pairs with the same parameter, or slices of equally many.
fn groups(sorted: &[(f64, f64)]) -> Vec<&[(f64, f64)]> {
    let same: Vec<_> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
    if same.len() <= LEVELS {
        return same;
    }
    let n = sorted.len();
    (0..SLICES).map(|k| &sorted[k * n / SLICES..(k + 1) * n / SLICES]).filter(|g| !g.is_empty()).collect()
}

/// Ranks from 0; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = first as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|i| ranks[*i] = rank);
        first += equal.len();
    }
    ranks
}

/// Pearson's correlation; 0 when one side does not change.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (a0, b0) = (mean(a), mean(b));
    let product = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - a0, b - b0)).sum::<f64>();
    let scale = (product(&|a, _| a * a) * product(&|_, b| b * b)).sqrt();
    if scale > 0.0 { product(&|a, b| a * b) / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_additive_grid_shares_its_variance() {
        // y = 3a + b² over a, b in {0, 1, 2}: effects 6 and 4; variances 3²·2/3 = 6 and var{0, 1, 4} = 26/9.
        let grid: Vec<_> = (0..9).map(|k| (f64::from(k / 3), f64::from(k % 3))).collect();
        let pairs = |pick: fn(&(f64, f64)) -> f64| {
            grid.iter().map(|p| (pick(p), 3.0 * p.0 + p.1 * p.1)).collect::<Vec<_>>()
        };
        let a = Effect::of("a", "y", &pairs(|p| p.0)).unwrap();
        let b = Effect::of("b", "y", &pairs(|p| p.1)).unwrap();
        let total = 6.0 + 26.0 / 9.0;
        assert!((a.main_effect - 6.0).abs() < 1e-14 && (b.main_effect - 4.0).abs() < 1e-14);
        assert!((a.variance_share - 6.0 / total).abs() < 1e-14);
        assert!((a.variance_share + b.variance_share - 1.0).abs() < 1e-14);
        assert_eq!(b.levels.iter().map(|l| l.1).collect::<Vec<_>>(), [3.0, 4.0, 7.0]);
    }

    #[test]
    fn rank_correlation_sees_order_alone() {
        let rising: Vec<_> = (0..40).map(|k| (f64::from(k), f64::from(k).exp())).collect();
        assert!((Effect::of("x", "y", &rising).unwrap().rank_correlation - 1.0).abs() < 1e-14);
        // Spearman's own formula for 1 − 6Σd²/(n(n²−1)): ranks 1 2 3 4 5 against 2 1 4 3 5 give 0.8.
        let mixed = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0), (5.0, 5.0)];
        assert!((Effect::of("x", "y", &mixed).unwrap().rank_correlation - 0.8).abs() < 1e-14);
        assert_eq!(Effect::of("x", "y", &[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(Effect::of("x", "y", &[(1.0, 2.0), (2.0, 2.0)]), None);
    }
}
