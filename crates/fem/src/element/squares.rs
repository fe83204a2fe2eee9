//! Geometric stiffness as a sum of squares of motions.

use nalgebra::DMatrix;

/// K_g = Σ_k S_k d_kᵀd_k for each of some states, where the motions d_k do not depend on the state.
#[derive(Clone, Debug, PartialEq)]
pub struct GeometricSquares {
    /// d over the element's degrees of freedom, three rows each, in any axes.
    pub motions: DMatrix<f64>,
    /// S, one row for each state and one column for each d.
    pub factors: DMatrix<f64>,
}

impl GeometricSquares {
    /// The work of forces in a surface through slopes of its displacement, at each of some points
    ///
    /// ```text
    /// Nx s_xᵀs_x + Ny s_yᵀs_y + Nxy (s_xᵀs_y + s_yᵀs_x) = (Nx − Nxy) s_xᵀs_x + (Ny − Nxy) s_yᵀs_y + Nxy (s_x + s_y)ᵀ(s_x + s_y)
    /// ```
    ///
    /// `slopes` are s_x = ∂u/∂x and s_y = ∂u/∂y of each point, three rows each, `forces` Nx, Ny and Nxy times
    /// the area that the point stands for, one row for each state.
    pub(crate) fn of_surface(slopes: &DMatrix<f64>, mut forces: DMatrix<f64>) -> Self {
        let points = slopes.nrows() / 6;
        let mut motions = DMatrix::zeros(9 * points, slopes.ncols());
        for p in 0..points {
            let (s_x, s_y) = (slopes.fixed_rows::<3>(6 * p), slopes.fixed_rows::<3>(6 * p + 3));
            motions.fixed_rows_mut::<3>(9 * p).copy_from(&s_x);
            motions.fixed_rows_mut::<3>(9 * p + 3).copy_from(&s_y);
            motions.fixed_rows_mut::<3>(9 * p + 6).copy_from(&(s_x + s_y));
            let N_xy = forces.column(3 * p + 2).into_owned();
            for k in [3 * p, 3 * p + 1] {
                let mut N = forces.column_mut(k);
                N -= &N_xy;
            }
        }
        Self { motions, factors: forces }
    }

    /// K_g of each state.
    pub fn matrices(&self) -> Vec<DMatrix<f64>> {
        let size = self.motions.ncols();
        let mut all = vec![DMatrix::zeros(size, size); self.factors.nrows()];
        for (k, factors) in self.factors.column_iter().enumerate() {
            let d = self.motions.fixed_rows::<3>(3 * k);
            let square = d.tr_mul(&d);
            all.iter_mut().zip(factors.iter()).for_each(|(K_g, S)| *K_g += &square * *S);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against Σ_ab N_ab s_aᵀs_b as it is written.
    #[test]
    fn squares_are_the_work_of_a_surface() {
        let value = |i: usize, j: usize| (1.7 * (3 * i + 1) as f64 * (j + 2) as f64).sin();
        let (points, states, size) = (2, 3, 5);
        let slopes = DMatrix::from_fn(6 * points, size, value);
        let forces = DMatrix::from_fn(states, 3 * points, |i, j| value(i + 7, j));
        let found = GeometricSquares::of_surface(&slopes, forces.clone()).matrices();
        for (k, found) in found.iter().enumerate() {
            let mut expected = DMatrix::zeros(size, size);
            for p in 0..points {
                let N = |a: usize, b: usize| forces[(k, 3 * p + if a == b { a } else { 2 })];
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let s = |a: usize| slopes.rows(6 * p + 3 * a, 3);
                    expected += s(a).transpose() * s(b) * N(a, b);
                }
            }
            assert!((found - &expected).amax() < 1e-14 * expected.amax().max(1.0), "state {k}");
        }
    }
}
