//! Gauss–Legendre points on a piece of a line.

/// Points and weights on [−1, 1], one of each symmetric pair. Abramowitz and Stegun, table 25.4.
const FOUR: [(f64, f64); 2] = [
    (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];
const EIGHT: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_361_96),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// How many points on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::element) enum PointCount {
    /// Exact to degree 7.
    Four,
    /// Exact to degree 15.
    Eight,
}

/// Points and weights on [from, to]; the weights add up to its length.
pub(in crate::element) fn gauss(count: PointCount, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    let pairs: &'static [(f64, f64)] = match count {
        PointCount::Four => &FOUR,
        PointCount::Eight => &EIGHT,
    };
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    pairs.iter().flat_map(move |&(x, w)| [(middle - half * x, half * w), (middle + half * x, half * w)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_exact() {
        for (count, degree) in [(PointCount::Four, 7), (PointCount::Eight, 15)] {
            for power in 0..=degree {
                let sum: f64 = gauss(count, 0.5, 2.0).map(|(x, w)| w * x.powi(power)).sum();
                let exact = (2f64.powi(power + 1) - 0.5f64.powi(power + 1)) / f64::from(power + 1);
                assert!((sum / exact - 1.0).abs() < 1e-14, "{count:?}, power {power}: {sum} {exact}");
            }
        }
    }
}
