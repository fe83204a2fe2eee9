//! Long series for a page: the least and the greatest sample of each stretch.

/// Samples of a series in a page at most.
pub(crate) const LIMIT: usize = 40_000;

/// Pairs of samples (least and greatest, in their order) for each stretch of a series; all series of a run
/// share their times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thinning {
    stretch: usize,
}

impl Thinning {
    /// For series of so many samples.
    pub(crate) fn of(samples: usize, limit: usize) -> Self {
        Self { stretch: if samples <= limit { 1 } else { (2 * samples).div_ceil(limit) } }
    }

    /// True when something is left out.
    pub(crate) fn is_thinned(self) -> bool {
        self.stretch > 1
    }

    /// Times: first and last of each stretch.
    pub(crate) fn times(self, times: &[f64]) -> Vec<f64> {
        if !self.is_thinned() {
            return times.to_vec();
        }
        times.chunks(self.stretch).flat_map(|t| [t[0], t[t.len() - 1]]).collect()
    }

    /// Values that belong to [`times`](Self::times).
    pub(crate) fn values(self, values: &[f64]) -> Vec<f64> {
        if !self.is_thinned() {
            return values.to_vec();
        }
        values.chunks(self.stretch).flat_map(extremes).collect()
    }
}

fn extremes(values: &[f64]) -> [f64; 2] {
    let (mut least, mut greatest) = (0, 0);
    for (k, value) in values.iter().enumerate() {
        if *value < values[least] {
            least = k;
        }
        if *value > values[greatest] {
            greatest = k;
        }
    }
    if least < greatest { [values[least], values[greatest]] } else { [values[greatest], values[least]] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_spike_survives() {
        let mut values = vec![0.0; 100_000];
        values[54_321] = 7.0;
        values[54_399] = -3.0;
        let thinning = Thinning::of(values.len(), 1000);
        let thin = thinning.values(&values);
        assert_eq!(thin.len(), thinning.times(&values).len());
        assert!(thin.len() <= 1000);
        let at = |wanted: f64| thin.iter().position(|x| *x == wanted).unwrap();
        assert!(at(7.0) < at(-3.0), "in their order");
    }
}
