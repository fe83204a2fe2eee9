//! Pin flags: components that an end does not pass on to its grid.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use super::frame::Matrix12;

/// Releases the components `released` (rows 0 to 11 in element axes) of K by static condensation, one at a
/// time: d_r = −K_rr⁻¹ K_r· d. K comes out with empty rows there. Gives T of d_end = T d_grid: what the ends
/// do when the grids move. A component without stiffness of its own (released at both ends, say) stays with
/// its grid in T, so that mass and loads on it are not lost.
pub(super) fn release(K: &mut Matrix12, released: &[usize]) -> Matrix12 {
    let original = K.diagonal();
    let mut all = Matrix12::identity();
    for &r in released {
        let pivot = K[(r, r)];
        // What is left after other components went is rounding of the original value.
        if pivot > 1e-12 * original[r] {
            let mut step = Matrix12::identity();
            for k in 0..12 {
                step[(r, k)] = -K[(r, k)] / pivot;
            }
            step[(r, r)] = 0.0;
            let condensed = step.transpose() * *K * step;
            *K = 0.5 * (condensed + condensed.transpose());
            all *= step;
        }
        K.row_mut(r).fill(0.0);
        K.column_mut(r).fill(0.0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A torsion spring between rows 3 and 9, released at both: nothing is left, and nothing is divided by
    /// zero.
    #[test]
    fn a_chain_of_releases_ends_at_zero() {
        let mut K = Matrix12::zeros();
        for (i, j, k) in [(3, 3, 7.0), (3, 9, -7.0), (9, 3, -7.0), (9, 9, 7.0)] {
            K[(i, j)] = k;
        }
        let all = release(&mut K, &[3, 9]);
        assert_eq!(K, Matrix12::zeros());
        assert_eq!(all[(3, 9)], 1.0);
        assert_eq!(all[(9, 9)], 1.0);
    }
}
