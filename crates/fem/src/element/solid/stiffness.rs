//! Stiffness of a solid with its internal modes condensed.

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use nalgebra::DMatrix;

use super::SolidElement;
use super::elasticity::{Elasticity, VOIGT};
use super::table::{MAX_INTERNAL, MAX_NODES, MAX_VOLUMETRIC, Table};

/// Most internal unknowns of an element: 9 + 3 of a hexahedron, 12 of a wedge.
const INTERNAL: usize = 12;
/// Most nodal unknowns of an element that has internal ones.
const NODAL: usize = 24;

/// Jacobian of the map from reference to basic coordinates: J[k][c] = ∂x_c/∂ξ_k. Its determinant is positive for a
/// sound element.
pub(super) fn jacobian(gradient: &[[f64; MAX_NODES]; 3], x: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let mut J = [[0.0; 3]; 3];
    for k in 0..3 {
        for (position, derivative) in x.iter().zip(&gradient[k]) {
            for c in 0..3 {
                J[k][c] += derivative * position[c];
            }
        }
    }
    J
}

/// Determinant of a 3×3 matrix.
pub(super) fn determinant(J: &[[f64; 3]; 3]) -> f64 {
    J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0])
        + J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0])
}

/// det(J)·J⁻¹.
fn adjugate(J: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let (r, s) = ((j + 1) % 3, (j + 2) % 3);
        let (p, q) = ((i + 1) % 3, (i + 2) % 3);
        J[r][p] * J[s][q] - J[r][q] * J[s][p]
    };
    std::array::from_fn(|i| std::array::from_fn(|j| cofactor(i, j)))
}

/// Products of gradients integrated over the element. T = nodes + internal displacement modes.
///
/// S_ab[i][j] = ∫ ∂N_i/∂x_a ∂N_j/∂x_b dV for a ≤ b; with a constant D every entry of K is a combination of them, so that
/// the loop over quadrature points does not know the material.
struct Gram<const T: usize> {
    /// S for ab = xx, yy, zz, xy, yz, zx(as xz).
    S: [[[f64; T]; T]; 6],
    /// ∫ φ_k ∂N_j/∂x_c dV.
    v: [[[f64; T]; 3]; MAX_VOLUMETRIC],
    /// ∫ φ_k φ_l dV.
    w: [[f64; MAX_VOLUMETRIC]; MAX_VOLUMETRIC],
}

/// Axes a ≤ b of each S.
const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];

fn gram<const T: usize>(table: &Table, x: &[[f64; 3]], internal: bool) -> Gram<T> {
    let nodes = x.len();
    let internal_count = if internal { table.internal_count } else { 0 };
    let volumetric_count = if internal { table.volumetric_count } else { 0 };
    let J_0 = jacobian(&table.centre_gradient, x);
    let adjugate_0 = adjugate(&J_0);
    let det_0 = determinant(&J_0);
    let mut made =
        Gram { S: [[[0.0; T]; T]; 6], v: [[[0.0; T]; 3]; MAX_VOLUMETRIC], w: [[0.0; MAX_VOLUMETRIC]; 3] };
    for point in &table.points {
        let J = jacobian(&point.gradient, x);
        let det = determinant(&J);
        let inverse = adjugate(&J).map(|row| row.map(|entry| entry / det));
        let weight = point.weight * det;
        let mut g = [[0.0; T]; 3];
        for c in 0..3 {
            for i in 0..nodes {
                g[c][i] = inverse[c][0] * point.gradient[0][i]
                    + inverse[c][1] * point.gradient[1][i]
                    + inverse[c][2] * point.gradient[2][i];
            }
            // (j₀/j) J₀⁻ᵀ ∇P: its integral over the element is j₀ J₀⁻ᵀ ∫∇P = 0 whatever the distortion, which is the
            // patch test (Taylor, Beresford and Wilson, 1976; Simo and Rifai, 1990).
            for p in 0..internal_count {
                let gradient: [f64; MAX_INTERNAL] = std::array::from_fn(|q| {
                    adjugate_0[c][0] * point.internal[0][q]
                        + adjugate_0[c][1] * point.internal[1][q]
                        + adjugate_0[c][2] * point.internal[2][q]
                });
                g[c][nodes + p] = gradient[p] / det;
            }
        }
        for (S, (a, b)) in made.S.iter_mut().zip(PRODUCTS) {
            for i in 0..T {
                let scaled = weight * g[a][i];
                for j in 0..T {
                    S[i][j] += scaled * g[b][j];
                }
            }
        }
        for k in 0..volumetric_count {
            let phi = point.volumetric[k] * det_0 / det;
            for c in 0..3 {
                for j in 0..T {
                    made.v[k][c][j] += weight * phi * g[c][j];
                }
            }
            for l in 0..volumetric_count {
                made.w[k][l] += weight * phi * point.volumetric[l] * det_0 / det;
            }
        }
    }
    made
}

impl<const T: usize> Gram<T> {
    /// ∫ g_i[a] g_j[b].
    fn at(&self, i: usize, j: usize, a: usize, b: usize) -> f64 {
        const PLACE: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
        if a <= b { self.S[PLACE[a][b]][i][j] } else { self.S[PLACE[a][b]][j][i] }
    }

    /// 3×3 block of K between two functions: K[a][b] = Σ_cd C_acbd ∫ g_i[c] g_j[d].
    fn block(&self, law: &Elasticity, i: usize, j: usize) -> [[f64; 3]; 3] {
        match law {
            Elasticity::Isotropic { lambda, mu } => {
                let trace = mu * (self.S[0][i][j] + self.S[1][i][j] + self.S[2][i][j]);
                let mut block: [[f64; 3]; 3] = std::array::from_fn(|a| {
                    std::array::from_fn(|b| lambda * self.at(i, j, a, b) + mu * self.at(i, j, b, a))
                });
                for (a, row) in block.iter_mut().enumerate() {
                    row[a] += trace;
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

/// Stress of a unit volumetric strain ε = φ 1, as a tensor.
fn volumetric_stress(law: &Elasticity) -> [[f64; 3]; 3] {
    std::array::from_fn(|a| {
        std::array::from_fn(|c| match law {
            Elasticity::Isotropic { lambda, mu } if a == c => 3.0 * lambda + 2.0 * mu,
            Elasticity::Isotropic { .. } => 0.0,
            Elasticity::General(D) => (0..3).map(|m| D[(VOIGT[a][c], m)]).sum(),
        })
    })
}

/// K = ∫ BᵀDB dV over the nodes that are present, less what the internal modes take: K_uu − K_ua K_aa⁻¹ K_au.
pub(super) fn stiffness(element: &SolidElement, table: &Table, internal: bool) -> DMatrix<f64> {
    let count = element.positions().len();
    let modes = if internal { table.internal_count } else { 0 };
    match count + modes {
        4 => condensed::<4>(element, table, internal),
        5 => condensed::<5>(element, table, internal),
        6 => condensed::<6>(element, table, internal),
        8 => condensed::<8>(element, table, internal),
        10 => condensed::<10>(element, table, internal),
        11 => condensed::<11>(element, table, internal),
        13 => condensed::<13>(element, table, internal),
        15 => condensed::<15>(element, table, internal),
        20 => condensed::<20>(element, table, internal),
        other => unreachable!("invariant: no solid has {other} functions"),
    }
}

fn condensed<const T: usize>(element: &SolidElement, table: &Table, internal: bool) -> DMatrix<f64> {
    let x = element.positions();
    let law = &element.law;
    let gram = gram::<T>(table, x, internal);
    let rows = element.rows();
    let n = element.dofs.len();
    let mut K = DMatrix::zeros(n, n);
    let entries = K.as_mut_slice();
    for (j, column) in rows.iter().enumerate().filter(|(_, r)| **r != ABSENT) {
        for (i, row) in rows.iter().enumerate().take(j + 1).filter(|(_, r)| **r != ABSENT) {
            let block = gram.block(law, i, j);
            for a in 0..3 {
                for b in 0..3 {
                    entries[(column + b) * n + row + a] = block[a][b];
                    entries[(row + a) * n + column + b] = block[a][b];
                }
            }
        }
    }
    if internal && table.internal_count > 0 {
        condense(&gram, law, x.len(), table, entries);
    }
    K
}

/// Row of a node that is left out.
pub(super) const ABSENT: usize = usize::MAX;

/// Takes K_ua K_aa⁻¹ K_au off K (column-major, all nodes present): with K_aa = L Lᵀ and Y = L⁻¹ K_au it is YᵀY. A mode
/// whose pivot vanishes beside its own diagonal carries no information and is left out.
fn condense<const T: usize>(
    gram: &Gram<T>,
    law: &Elasticity,
    nodes: usize,
    table: &Table,
    entries: &mut [f64],
) {
    let displacement_modes = table.internal_count;
    let first_volumetric = 3 * displacement_modes;
    let mut A = [[0.0; INTERNAL]; INTERNAL];
    for p in 0..displacement_modes {
        for q in 0..displacement_modes {
            let block = gram.block(law, nodes + p, nodes + q);
            for a in 0..3 {
                A[3 * p + a][3 * q..3 * q + 3].copy_from_slice(&block[a]);
            }
        }
    }
    let mut Y = [[0.0; INTERNAL]; NODAL];
    for i in 0..nodes {
        for p in 0..displacement_modes {
            let block = gram.block(law, i, nodes + p);
            for a in 0..3 {
                Y[3 * i + a][3 * p..3 * p + 3].copy_from_slice(&block[a]);
            }
        }
    }
    let h = volumetric_stress(law);
    let coupling = |k: usize, function: usize, a: usize| -> f64 {
        (0..3).map(|c| h[a][c] * gram.v[k][c][function]).sum()
    };
    for k in 0..table.volumetric_count {
        let row = first_volumetric + k;
        for i in 0..nodes {
            for a in 0..3 {
                Y[3 * i + a][row] = coupling(k, i, a);
            }
        }
        for p in 0..displacement_modes {
            for a in 0..3 {
                let value = coupling(k, nodes + p, a);
                A[row][3 * p + a] = value;
                A[3 * p + a][row] = value;
            }
        }
        for l in 0..table.volumetric_count {
            A[row][first_volumetric + l] = (h[0][0] + h[1][1] + h[2][2]) * gram.w[k][l];
        }
    }
    let size = first_volumetric + table.volumetric_count;
    let inverse_pivots = factorise(&mut A, size);
    let n = 3 * nodes;
    for y in Y.iter_mut().take(n) {
        for k in 0..size {
            let mut value = y[k];
            for m in 0..k {
                value -= A[k][m] * y[m];
            }
            y[k] = value * inverse_pivots[k];
        }
    }
    for j in 0..n {
        for i in 0..=j {
            let mut taken = 0.0;
            for k in 0..INTERNAL {
                taken += Y[i][k] * Y[j][k];
            }
            entries[j * n + i] -= taken;
            if i != j {
                entries[i * n + j] -= taken;
            }
        }
    }
}

/// Cholesky factor in the lower half of A; returns 1/L_kk, 0 for a mode that is left out.
fn factorise(A: &mut [[f64; INTERNAL]; INTERNAL], size: usize) -> [f64; INTERNAL] {
    let mut inverse_pivots = [0.0; INTERNAL];
    for k in 0..size {
        let mut pivot = A[k][k];
        for m in 0..k {
            pivot -= A[k][m] * A[k][m];
        }
        if pivot > 1e-14 * A[k][k] {
            inverse_pivots[k] = 1.0 / pivot.sqrt();
        }
        for i in k + 1..size {
            let mut value = A[i][k];
            for m in 0..k {
                value -= A[i][m] * A[k][m];
            }
            A[i][k] = value * inverse_pivots[k];
        }
    }
    inverse_pivots
}
