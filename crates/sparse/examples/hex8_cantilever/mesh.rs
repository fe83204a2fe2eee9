//! A clamped block of 8-node hexahedra (2×2×2 Gauss points, consistent mass), only to have a
//! matrix of the right shape to measure on; the program's own elements live in `pliant-fem`.

use nalgebra_sparse::{CooMatrix, CscMatrix};

/// Steel, SI.
const YOUNG: f64 = 2.1e11;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 7850.0;

/// Lower triangles of K and M, and the grid of each row.
pub(crate) struct Cantilever {
    pub(crate) K: CscMatrix<f64>,
    pub(crate) M: CscMatrix<f64>,
    pub(crate) grid_of_row: Vec<usize>,
}

const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Stiffness and mass of a cube with edge `h`.
fn cube(h: f64) -> ([[f64; 24]; 24], [[f64; 24]; 24]) {
    let lame = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let (mut K, mut M) = ([[0.0; 24]; 24], [[0.0; 24]; 24]);
    let volume = h * h * h / 8.0;
    for g in CORNERS {
        let p = g.map(|x| x / 3.0_f64.sqrt());
        let mut N = [0.0; 8];
        let mut dN = [[0.0; 3]; 8];
        for (a, c) in CORNERS.iter().enumerate() {
            let f = [1.0 + c[0] * p[0], 1.0 + c[1] * p[1], 1.0 + c[2] * p[2]];
            N[a] = f[0] * f[1] * f[2] / 8.0;
            dN[a] = [
                c[0] * f[1] * f[2] / (4.0 * h),
                c[1] * f[0] * f[2] / (4.0 * h),
                c[2] * f[0] * f[1] / (4.0 * h),
            ];
        }
        for a in 0..8 {
            for b in 0..8 {
                let dot: f64 = (0..3).map(|k| dN[a][k] * dN[b][k]).sum();
                for i in 0..3 {
                    M[3 * a + i][3 * b + i] += DENSITY * N[a] * N[b] * volume;
                    for j in 0..3 {
                        let mut k = lame * dN[a][i] * dN[b][j] + shear * dN[a][j] * dN[b][i];
                        if i == j {
                            k += shear * dot;
                        }
                        K[3 * a + i][3 * b + j] += k * volume;
                    }
                }
            }
        }
    }
    (K, M)
}

/// `nx × ny × nz` cubes of edge 0.05 m; the face z = 0 is clamped, or nothing when `free`.
pub(crate) fn cantilever(nx: usize, ny: usize, nz: usize, free: bool) -> Cantilever {
    let (Ke, Me) = cube(0.05);
    let grid = |i: usize, j: usize, k: usize| (k * (ny + 1) + j) * (nx + 1) + i;
    let clamped = if free { 0 } else { (nx + 1) * (ny + 1) };
    let grids = (nx + 1) * (ny + 1) * (nz + 1);
    let n = 3 * (grids - clamped);
    let (mut K, mut M) = (CooMatrix::new(n, n), CooMatrix::new(n, n));
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let g = [
                    grid(i, j, k),
                    grid(i + 1, j, k),
                    grid(i + 1, j + 1, k),
                    grid(i, j + 1, k),
                    grid(i, j, k + 1),
                    grid(i + 1, j, k + 1),
                    grid(i + 1, j + 1, k + 1),
                    grid(i, j + 1, k + 1),
                ];
                for (r, (Kr, Mr)) in Ke.iter().zip(&Me).enumerate() {
                    for (c, (&kv, &mv)) in Kr.iter().zip(Mr).enumerate() {
                        let (gr, gc) = (g[r / 3], g[c / 3]);
                        if gr < clamped || gc < clamped {
                            continue;
                        }
                        let (row, col) = (3 * (gr - clamped) + r % 3, 3 * (gc - clamped) + c % 3);
                        if row >= col {
                            K.push(row, col, kv);
                            if r % 3 == c % 3 {
                                M.push(row, col, mv);
                            }
                        }
                    }
                }
            }
        }
    }
    Cantilever {
        K: CscMatrix::from(&K),
        M: CscMatrix::from(&M),
        grid_of_row: (0..n).map(|r| r / 3).collect(),
    }
}
