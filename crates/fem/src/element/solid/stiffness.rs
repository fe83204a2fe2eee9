//! Stiffness of a solid with its internal modes condensed.

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use nalgebra::DMatrix;

use super::SolidElement;
use super::elasticity::{Elasticity, VOIGT};
use super::table::{MAX_NODES, MAX_VOLUMETRIC, Table, TablePoint};

/// Most internal unknowns of an element: 9 + 3 of a hexahedron, 12 of a wedge.
pub(super) const INTERNAL: usize = 12;
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

/// Gradients in basic coordinates of the nodal functions and then of the internal modes at a point of the table, and the
/// volume the point stands for.
///
/// Internal modes: (j₀/j) J₀⁻ᵀ ∇P, whose integral over the element is j₀ J₀⁻ᵀ ∫∇P = 0 whatever the distortion, which is the
/// patch test (Taylor, Beresford and Wilson, 1976; Simo and Rifai, 1990).
pub(super) struct PointGradients<const T: usize> {
    /// ∂N/∂x_c of each function.
    pub(super) g: [[f64; T]; 3],
    /// Weight times det J.
    pub(super) volume: f64,
    /// det J₀/det J.
    pub(super) scale: f64,
}

/// The centre's Jacobian that internal modes are mapped with.
pub(super) struct Centre {
    adjugate: [[f64; 3]; 3],
    determinant: f64,
}

impl Centre {
    /// Of an element.
    pub(super) fn new(table: &Table, x: &[[f64; 3]]) -> Self {
        let J = jacobian(&table.centre_gradient, x);
        Self { adjugate: adjugate(&J), determinant: determinant(&J) }
    }
}

/// See [`PointGradients`].
pub(super) fn point_gradients<const T: usize>(
    point: &TablePoint,
    x: &[[f64; 3]],
    internal_count: usize,
    centre: &Centre,
) -> PointGradients<T> {
    let nodes = x.len();
    let J = jacobian(&point.gradient, x);
    let det = determinant(&J);
    let inverse = adjugate(&J).map(|row| row.map(|entry| entry / det));
    let mut g = [[0.0; T]; 3];
    for c in 0..3 {
        for i in 0..nodes {
            g[c][i] = inverse[c][0] * point.gradient[0][i]
                + inverse[c][1] * point.gradient[1][i]
                + inverse[c][2] * point.gradient[2][i];
        }
        for p in 0..internal_count {
            g[c][nodes + p] = (centre.adjugate[c][0] * point.internal[0][p]
                + centre.adjugate[c][1] * point.internal[1][p]
                + centre.adjugate[c][2] * point.internal[2][p])
                / det;
        }
    }
    PointGradients { g, volume: point.weight * det, scale: centre.determinant / det }
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
    let internal_count = if internal { table.internal_count } else { 0 };
    let volumetric_count = if internal { table.volumetric_count } else { 0 };
    let centre = Centre::new(table, x);
    let mut made =
        Gram { S: [[[0.0; T]; T]; 6], v: [[[0.0; T]; 3]; MAX_VOLUMETRIC], w: [[0.0; MAX_VOLUMETRIC]; 3] };
    for point in &table.points {
        let PointGradients { g, volume, scale } = point_gradients::<T>(point, x, internal_count, &centre);
        for (S, (a, b)) in made.S.iter_mut().zip(PRODUCTS) {
            for i in 0..T {
                let scaled = volume * g[a][i];
                for j in 0..T {
                    S[i][j] += scaled * g[b][j];
                }
            }
        }
        for k in 0..volumetric_count {
            let phi = point.volumetric[k] * scale;
            for c in 0..3 {
                for j in 0..T {
                    made.v[k][c][j] += volume * phi * g[c][j];
                }
            }
            for l in 0..volumetric_count {
                made.w[k][l] += volume * phi * point.volumetric[l] * scale;
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
    let law = &element.material.law;
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
        factorised(&gram, law, x.len(), table).condense(n, entries);
    }
    K
}

/// Row of a node that is left out.
pub(super) const ABSENT: usize = usize::MAX;

/// The internal unknowns of an element, factorised: K_aa = L Lᵀ and Y = L⁻¹ K_au.
pub(super) struct InternalModes {
    L: [[f64; INTERNAL]; INTERNAL],
    inverse_pivots: [f64; INTERNAL],
    size: usize,
    /// Row i is the column of L⁻¹ K_au of nodal unknown i.
    Y: [[f64; INTERNAL]; NODAL],
}

impl InternalModes {
    /// L⁻¹ b.
    fn forward(&self, b: &mut [f64; INTERNAL]) {
        for k in 0..self.size {
            let mut value = b[k];
            for m in 0..k {
                value -= self.L[k][m] * b[m];
            }
            b[k] = value * self.inverse_pivots[k];
        }
    }

    /// Takes K_ua K_aa⁻¹ f_a off the nodal loads f.
    pub(super) fn condense_load(&self, mut f_a: [f64; INTERNAL], f: &mut [f64]) {
        self.forward(&mut f_a);
        for (load, y) in f.iter_mut().zip(&self.Y) {
            *load -= y.iter().zip(&f_a).map(|(a, b)| a * b).sum::<f64>();
        }
    }

    /// Takes K_ua K_aa⁻¹ K_au = YᵀY off K (column-major).
    fn condense(&self, n: usize, entries: &mut [f64]) {
        for j in 0..n {
            for i in 0..=j {
                let mut taken = 0.0;
                for k in 0..INTERNAL {
                    taken += self.Y[i][k] * self.Y[j][k];
                }
                entries[j * n + i] -= taken;
                if i != j {
                    entries[i * n + j] -= taken;
                }
            }
        }
    }
}

/// The internal modes of a linear element.
pub(super) fn internal_modes(element: &SolidElement, table: &Table) -> InternalModes {
    let x = element.positions();
    match x.len() + table.internal_count {
        8 => factorised(&gram::<8>(table, x, true), &element.material.law, x.len(), table),
        10 => factorised(&gram::<10>(table, x, true), &element.material.law, x.len(), table),
        11 => factorised(&gram::<11>(table, x, true), &element.material.law, x.len(), table),
        other => unreachable!("invariant: no linear solid has {other} functions"),
    }
}

/// Builds and factorises K_aa, with all nodes present. A mode whose pivot vanishes beside its own diagonal carries no
/// information and is left out.
fn factorised<const T: usize>(
    gram: &Gram<T>,
    law: &Elasticity,
    nodes: usize,
    table: &Table,
) -> InternalModes {
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
    let mut modes = InternalModes { L: A, inverse_pivots, size, Y };
    for i in 0..3 * nodes {
        let mut y = modes.Y[i];
        modes.forward(&mut y);
        modes.Y[i] = y;
    }
    modes
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
