//! Products of gradients: all of K that depends on the shape of an element.

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use std::ops::Range;

use pliant_simd::{Kernel, with_wide_registers};

use super::elasticity::{Elasticity, VOIGT};
use super::gradients::{Centre, PointGradients, point_gradients};
use super::table::{MAX_VOLUMETRIC, Table};

/// Products of gradients integrated over the element. T: room for nodes and internal displacement modes,
/// zeros beyond them.
///
/// S_ab[i][j] = ∫ ∂N_i/∂x_a ∂N_j/∂x_b dV for a ≤ b; with a constant D every entry of K is a combination of
/// them, so that the loop over quadrature points does not know the material.
pub(super) struct Gram<const T: usize> {
    /// S for ab = xx, yy, zz, xy, yz, zx(as xz).
    S: [[[f64; T]; T]; 6],
    /// ∫ φ_k ∂N_j/∂x_c dV.
    pub(super) v: [[[f64; T]; 3]; MAX_VOLUMETRIC],
    /// Unit normal of the ζ surface through the centre.
    pub(super) axis: [f64; 3],
    /// ∫ φ_k φ_l dV.
    pub(super) w: [[f64; MAX_VOLUMETRIC]; MAX_VOLUMETRIC],
}

/// Axes a ≤ b of each S.
const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];

/// Which functions products are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Functions {
    /// Nodes alone.
    Nodes,
    /// Nodes and internal modes.
    All,
    /// Internal modes, with each other and with the nodes.
    Internal,
}

/// Integrates over the points of the table.
pub(super) fn gram<const T: usize>(table: &Table, x: &[[f64; 3]], functions: Functions) -> Gram<T> {
    let internal = functions != Functions::Nodes;
    let internal_count = if internal { table.internal_count } else { 0 };
    let centre = Centre::new(table, x);
    let mut made = Gram {
        S: [[[0.0; T]; T]; 6],
        v: [[[0.0; T]; 3]; MAX_VOLUMETRIC],
        axis: centre.axis(),
        w: [[0.0; MAX_VOLUMETRIC]; MAX_VOLUMETRIC],
    };
    let points: Vec<PointGradients<T>> =
        table.points.iter().map(|point| point_gradients(point, x, internal_count, &centre)).collect();
    let rows = if functions == Functions::Internal { x.len() } else { 0 }..x.len() + internal_count;
    with_wide_registers(Products { points: &points, rows, S: &mut made.S });
    if internal {
        made.add_volumetric(table, &points);
    }
    made
}

/// The products of some functions with all.
struct Products<'a, const T: usize> {
    points: &'a [PointGradients<T>],
    rows: Range<usize>,
    S: &'a mut [[[f64; T]; T]; 6],
}

impl<const T: usize> Products<'_, T> {
    /// ∫ ∂N_i/∂x_a ∂N_j/∂x_b for all j.
    #[inline(always)]
    fn row(&self, i: usize, a: usize, b: usize) -> [f64; T] {
        let mut row = [0.0; T];
        for PointGradients { g, volume, .. } in self.points {
            let scaled = volume * g[a][i];
            for j in 0..T {
                row[j] += scaled * g[b][j];
            }
        }
        row
    }
}

impl<const T: usize> Kernel for Products<'_, T> {
    #[inline(always)]
    fn run(self) {
        let first = self.rows.start;
        for (k, (a, b)) in PRODUCTS.into_iter().enumerate() {
            for i in self.rows.clone() {
                self.S[k][i] = self.row(i, a, b);
                if first > 0 {
                    let across = self.row(i, b, a);
                    for j in 0..first {
                        self.S[k][j][i] = across[j];
                    }
                }
            }
        }
    }
}

impl<const T: usize> Gram<T> {
    fn add_volumetric(&mut self, table: &Table, points: &[PointGradients<T>]) {
        for (point, PointGradients { g, volume, scale }) in table.points.iter().zip(points) {
            for k in 0..table.volumetric_count {
                let phi = point.volumetric[k] * scale;
                for c in 0..3 {
                    for j in 0..T {
                        self.v[k][c][j] += volume * phi * g[c][j];
                    }
                }
                for l in 0..table.volumetric_count {
                    self.w[k][l] += volume * phi * point.volumetric[l] * scale;
                }
            }
        }
    }

    /// ∫ g_i[a] g_j[b].
    #[inline(always)]
    fn at(&self, i: usize, j: usize, a: usize, b: usize) -> f64 {
        const INDEX: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
        if a <= b { self.S[INDEX[a][b]][i][j] } else { self.S[INDEX[a][b]][j][i] }
    }

    /// 3×3 block of K between two functions: K[a][b] = Σ_cd C_acbd ∫ g_i[c] g_j[d].
    pub(super) fn block(&self, law: &Elasticity, i: usize, j: usize) -> [[f64; 3]; 3] {
        match law {
            Elasticity::Isotropic { lambda, mu } => {
                let trace = mu * (self.S[0][i][j] + self.S[1][i][j] + self.S[2][i][j]);
                let mut block = [[0.0; 3]; 3];
                for a in 0..3 {
                    for b in 0..3 {
                        block[a][b] = lambda * self.at(i, j, a, b) + mu * self.at(i, j, b, a);
                    }
                    block[a][a] += trace;
                }
                block
            }
            Elasticity::General(D) => {
                let mut block = [[0.0; 3]; 3];
                for c in 0..3 {
                    for d in 0..3 {
                        let s = self.at(i, j, c, d);
                        for a in 0..3 {
                            for b in 0..3 {
                                block[a][b] += D[(VOIGT[a][c], VOIGT[b][d])] * s;
                            }
                        }
                    }
                }
                block
            }
        }
    }
}
