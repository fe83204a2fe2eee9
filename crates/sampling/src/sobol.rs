//! Sobol's sequence.
//!
//! Direction numbers of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
//! projections", SIAM J. Sci. Comput. 30 (2008) 2635–2654, the first dimensions of their table
//! `new-joe-kuo-6.21201`.

/// Degree s, coefficients a and initial numbers m of the primitive polynomial of each dimension from the
/// second on.
const DIRECTIONS: [(u32, u32, &[u32]); 39] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, 7, &[1, 1, 3, 13, 7, 35, 63]),
    (7, 8, &[1, 3, 5, 9, 1, 25, 53]),
    (7, 14, &[1, 3, 1, 13, 9, 35, 107]),
    (7, 19, &[1, 3, 1, 5, 27, 61, 31]),
    (7, 21, &[1, 1, 5, 11, 19, 41, 61]),
    (7, 28, &[1, 3, 5, 3, 3, 13, 69]),
    (7, 31, &[1, 1, 7, 13, 1, 19, 1]),
    (7, 32, &[1, 3, 7, 5, 13, 19, 59]),
    (7, 37, &[1, 1, 3, 9, 25, 29, 41]),
    (7, 41, &[1, 3, 5, 13, 23, 1, 55]),
    (7, 42, &[1, 3, 7, 3, 13, 59, 17]),
    (7, 50, &[1, 3, 1, 3, 5, 53, 69]),
    (7, 55, &[1, 1, 5, 5, 23, 33, 13]),
    (7, 56, &[1, 1, 7, 7, 1, 61, 123]),
    (7, 59, &[1, 1, 7, 9, 13, 61, 49]),
    (7, 62, &[1, 3, 3, 5, 3, 55, 33]),
    (8, 14, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (8, 21, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (8, 22, &[1, 3, 1, 11, 11, 11, 77, 249]),
];

/// Most dimensions.
pub const SOBOL_DIMENSIONS: usize = DIRECTIONS.len() + 1;

/// The sequence in one dimension, as 32-bit fractions, in the order of the Gray code (Antonov and Saleev).
pub(super) fn dimension(dimension: usize, count: usize) -> Vec<u32> {
    let directions = directions(dimension);
    let mut x = 0;
    (0..count)
        .map(|i| {
            if i > 0 {
                // The lowest zero bit of i−1 is where the Gray codes of i−1 and i differ.
                x ^= directions[(!(i - 1)).trailing_zeros() as usize];
            }
            x
        })
        .collect()
}

/// vₖ = mₖ 2³²⁻ᵏ, with mₖ from the recurrence of the primitive polynomial.
fn directions(dimension: usize) -> [u32; 32] {
    let mut v = [0_u32; 32];
    let Some((degree, coefficients, initial)) = dimension.checked_sub(1).map(|d| DIRECTIONS[d]) else {
        return std::array::from_fn(|k| 1 << (31 - k));
    };
    let s = degree as usize;
    for k in 0..32 {
        v[k] = if k < s {
            initial[k] << (31 - k)
        } else {
            let mixed = (1..s).filter(|i| (coefficients >> (s - 1 - i)) & 1 == 1);
            mixed.fold(v[k - s] ^ (v[k - s] >> s), |sum, i| sum ^ v[k - i])
        };
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(x: u32) -> f64 {
        f64::from(x) / 2_f64.powi(32)
    }

    #[test]
    fn the_first_points_are_those_of_the_authors() {
        // The first ten points in three dimensions as printed by the authors' program sobol.cc,
        // <https://web.maths.unsw.edu.au/~fkuo/sobol/>.
        let expected = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
            [0.1875, 0.3125, 0.9375],
            [0.6875, 0.8125, 0.4375],
        ];
        for (d, column) in (0..3).map(|d| (d, dimension(d, 10))) {
            let found: Vec<_> = column.into_iter().map(unit).collect();
            let wanted: Vec<_> = expected.iter().map(|point| point[d]).collect();
            assert_eq!(found, wanted, "dimension {}", d + 1);
        }
    }

    /// Each dimension has one of the first 2ᵏ points in each of 2ᵏ slices; a wrong direction number breaks
    /// that or the conditions on mₖ.
    #[test]
    fn every_dimension_is_stratified() {
        for d in 0..SOBOL_DIMENSIONS {
            for k in [1, 4, 9] {
                let mut slices: Vec<_> = dimension(d, 1 << k).into_iter().map(|x| x >> (32 - k)).collect();
                slices.sort_unstable();
                assert_eq!(slices, (0..1 << k).collect::<Vec<u32>>(), "dimension {}", d + 1);
            }
        }
        for (s, a, m) in DIRECTIONS {
            assert_eq!(m.len(), s as usize);
            assert!(a < 1 << (s - 1).max(1) && m.iter().enumerate().all(|(k, m)| m % 2 == 1 && *m < 2 << k));
        }
    }
}
