//! Damping of a link's elastic coordinates.

/// Damping of a link's elastic coordinates: the two parts add up. Dampers of a deck are always included.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Damping {
    /// Ratio of the modes that the link has alone, clamped at its inboard interface.
    pub ratio: Option<DampingRatio>,
    /// D = αM + βK.
    pub rayleigh: Option<Rayleigh>,
}

/// Rayleigh damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rayleigh {
    /// Factor on the mass (1/s).
    pub alpha: f64,
    /// Factor on the stiffness (s).
    pub beta: f64,
}

/// Modal damping ratio.
#[derive(Clone, Debug, PartialEq)]
pub enum DampingRatio {
    /// The same for all modes.
    Constant(f64),
    /// Mode by mode; the last one goes on. Not empty.
    PerMode(Vec<f64>),
    /// (Hz, ratio) with ascending frequencies, linear in between, constant outside.
    Table(Vec<[f64; 2]>),
}

impl DampingRatio {
    /// The ratio of mode `mode` (from 0) at `freq_hz`.
    pub fn at(&self, mode: usize, freq_hz: f64) -> f64 {
        match self {
            Self::Constant(ratio) => *ratio,
            Self::PerMode(ratios) => ratios.get(mode).or(ratios.last()).copied().unwrap_or(0.0),
            Self::Table(pairs) => {
                let after = pairs.partition_point(|[hz, _]| *hz <= freq_hz);
                match (after.checked_sub(1).map(|i| pairs[i]), pairs.get(after)) {
                    (None, Some([_, ratio])) => *ratio,
                    (Some([_, ratio]), None) => ratio,
                    (Some([hz0, r0]), Some([hz1, r1])) => r0 + (r1 - r0) * (freq_hz - hz0) / (hz1 - hz0),
                    (None, None) => 0.0,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_by_mode_and_by_frequency() {
        let per_mode = DampingRatio::PerMode(vec![0.01, 0.02]);
        assert_eq!([per_mode.at(0, 1.0), per_mode.at(1, 1.0), per_mode.at(7, 1.0)], [0.01, 0.02, 0.02]);
        let table = DampingRatio::Table(vec![[8.0, 0.25], [24.0, 0.75]]);
        assert_eq!([5.0, 8.0, 16.0, 99.0].map(|hz| table.at(0, hz)), [0.25, 0.25, 0.5, 0.75]);
    }
}
