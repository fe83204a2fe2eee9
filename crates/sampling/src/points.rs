//! Points in the unit cube.

use super::random::Random;
use super::sobol;

/// How points are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Independent of each other.
    Random,
    /// One point in each of as many slices as there are points, along every dimension.
    LatinHypercube,
    /// Sobol's sequence, at most [`SOBOL_DIMENSIONS`](crate::SOBOL_DIMENSIONS) dimensions.
    Sobol,
}

/// `count` points in `width` dimensions, each coordinate between 0 and 1, neither included.
pub fn points(method: Method, seed: u32, count: usize, width: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(u64::from(seed));
    let columns: Vec<Vec<f64>> = (0..width)
        .map(|d| match method {
            Method::Random => (0..count).map(|_| random.unit()).collect(),
            Method::LatinHypercube => {
                let slices = random.permutation(count);
                slices.into_iter().map(|slice| (slice as f64 + random.unit()) / count as f64).collect()
            }
            // A random digital shift keeps every stratification of the sequence and moves its first point off
            // the corner.
            Method::Sobol => {
                let shift = (random.bits() >> 32) as u32;
                let unit = |x: u32| (f64::from(x ^ shift) + 0.5) * (-32_f64).exp2();
                sobol::dimension(d, count).into_iter().map(unit).collect()
            }
        })
        .collect();
    (0..count).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

/// Points for Sobol's indices of `width` parameters: for each of `count` base points a row of A, one of B,
/// and for each parameter the row of A with that parameter from B (Saltelli and others, Computer Physics
/// Communications 181 (2010) 259–270).
pub fn saltelli(method: Method, seed: u32, count: usize, width: usize) -> Vec<Vec<f64>> {
    let both = points(method, seed, count, 2 * width);
    let rows = both.iter().flat_map(|point| {
        let (a, b) = point.split_at(width);
        let mixed = (0..width).map(move |i| {
            let mut row = a.to_vec();
            row[i] = b[i];
            row
        });
        [a.to_vec(), b.to_vec()].into_iter().chain(mixed)
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_slice() {
        let points = points(Method::LatinHypercube, 3, 50, 4);
        for d in 0..4 {
            let mut slices: Vec<_> = points.iter().map(|p| (p[d] * 50.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_seed_decides() {
        for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
            assert_eq!(points(method, 5, 20, 3), points(method, 5, 20, 3));
            assert_ne!(points(method, 5, 20, 3), points(method, 6, 20, 3));
            assert!(points(method, 5, 64, 3).iter().flatten().all(|u| *u > 0.0 && *u < 1.0));
        }
    }

    /// ∫ Πᵢ (3uᵢ²) over the unit cube is 1: Sobol's points find it far better than 1/√n.
    #[test]
    fn sobol_points_integrate() {
        let points = points(Method::Sobol, 1, 4096, 5);
        let mean =
            points.iter().map(|p| p.iter().map(|u| 3.0 * u * u).product::<f64>()).sum::<f64>() / 4096.0;
        // Random points have a deviation of √((9/5)⁵ − 1)/64 = 0.066; these are asked to be five times as
        // good.
        assert!((mean - 1.0).abs() < 0.013, "{mean}");
    }
}
