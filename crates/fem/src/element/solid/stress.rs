//! Strain and stress of a solid at its integration points, and the geometric stiffness of that stress.
//!
//! Strains are those of K, internal modes included: they follow the nodes as a = −K_aa⁻¹K_au u. K_g is ∫σ_ab ∂u/∂x_a·∂u/∂x_b with the
//! nodal functions (O. C. Zienkiewicz and R. L. Taylor, *The Finite Element Method*, volume 2, chapter on geometric non-linearity).

use nalgebra::{DMatrix, Vector3, Vector6};

use super::elasticity::{Elasticity, VOIGT};
use super::gradients::{Centre, PointGradients, point_gradients};
use super::internal::{INTERNAL, InternalModes, ModeLayout, internal_modes};
use super::table::{MAX_INTERNAL, MAX_NODES, Table, TablePoint};
use super::{ABSENT, SolidElement};
use crate::element::SolidStress;

/// Nodes and internal modes together.
const FUNCTIONS: usize = MAX_NODES + MAX_INTERNAL;

type Tensor = [[f64; 3]; 3];

/// What stress needs of an element, whatever the displacement.
struct StressPoints<'a> {
    element: &'a SolidElement,
    table: &'a Table,
    rows: [usize; MAX_NODES],
    layout: ModeLayout,
    internal: Option<InternalModes>,
    centre: Centre,
}

impl<'a> StressPoints<'a> {
    fn new(element: &'a SolidElement, table: &'a Table) -> Self {
        let centre = Centre::new(table, element.positions());
        Self {
            element,
            table,
            rows: element.rows(),
            layout: ModeLayout::new(table, centre.axis()),
            internal: element.has_internal_modes().then(|| internal_modes(element, table)),
            centre,
        }
    }

    fn gradients(&self, point: &TablePoint) -> PointGradients<FUNCTIONS> {
        let count = if self.internal.is_some() { self.table.internal_count } else { 0 };
        point_gradients(point, self.element.positions(), count, &self.centre)
    }

    /// ∂u/∂x at all points for each column of `u`, with what internal modes add to it: one product of the motions of all functions with their gradients.
    fn displacement_gradients(
        &self,
        gradients: &[PointGradients<FUNCTIONS>],
        u: &DMatrix<f64>,
    ) -> DisplacementGradients {
        let states = u.ncols();
        let nodes = self.element.positions().len();
        let modes = if self.internal.is_some() { self.table.internal_count } else { 0 };
        let mut motions = DMatrix::zeros(3 * states, nodes + modes);
        for (i, row) in self.rows.iter().enumerate().filter(|(_, row)| **row != ABSENT) {
            for (k, u) in u.column_iter().enumerate() {
                (0..3).for_each(|a| motions[(states * a + k, i)] = u[row + a]);
            }
        }
        let amplitudes = |modes: &InternalModes| -> Vec<[f64; INTERNAL]> {
            u.column_iter().map(|u| modes.amplitudes(u.as_slice())).collect()
        };
        let internal = self.internal.as_ref().map_or_else(Vec::new, amplitudes);
        for (k, unknowns) in internal.iter().enumerate() {
            for p in 0..modes {
                let motion = self.layout.motion(p, unknowns);
                (0..3).for_each(|a| motions[(states * a + k, nodes + p)] = motion[a]);
            }
        }
        let across =
            DMatrix::from_fn(nodes + modes, 3 * gradients.len(), |i, j| gradients[j / 3].g[j % 3][i]);
        let mut H = motions * across;
        let first = self.layout.unknowns(self.table.internal_count).start;
        for (j, (point, gradients)) in self.table.points.iter().zip(gradients).enumerate() {
            for (k, unknowns) in internal.iter().enumerate() {
                let volumetric =
                    point.volumetric[..self.table.volumetric_count].iter().zip(&unknowns[first..]);
                let strain: f64 = volumetric.map(|(strain, a)| strain * gradients.scale * a).sum();
                (0..3).for_each(|a| H[(states * a + k, 3 * j + a)] += strain);
            }
        }
        DisplacementGradients { states, H }
    }
}

/// ∂u/∂x of several displacements at several points.
struct DisplacementGradients {
    states: usize,
    /// ∂u_a/∂x_c of displacement k at point j in row a·states + k and column 3j + c.
    H: DMatrix<f64>,
}

impl DisplacementGradients {
    /// Of displacement k at point j.
    fn at(&self, j: usize, k: usize) -> Tensor {
        std::array::from_fn(|a| std::array::from_fn(|c| self.H[(self.states * a + k, 3 * j + c)]))
    }
}

/// εx, εy, εz, γxy, γyz, γzx of ∂u/∂x.
fn strain(H: &Tensor) -> Vector6<f64> {
    Vector6::new(H[0][0], H[1][1], H[2][2], H[0][1] + H[1][0], H[1][2] + H[2][1], H[2][0] + H[0][2])
}

/// σ = D sym(H).
fn law_stress(law: &Elasticity, H: &Tensor) -> Tensor {
    match law {
        Elasticity::Isotropic { lambda, mu } => {
            let pressure = lambda * (H[0][0] + H[1][1] + H[2][2]);
            std::array::from_fn(|a| {
                std::array::from_fn(|c| mu * (H[a][c] + H[c][a]) + if a == c { pressure } else { 0.0 })
            })
        }
        Elasticity::General(D) => {
            let s = **D * strain(H);
            std::array::from_fn(|a| std::array::from_fn(|c| s[VOIGT[a][c]]))
        }
    }
}

/// Strain and stress at the integration points for each column of `u`.
pub(super) fn stress(element: &SolidElement, u: &DMatrix<f64>) -> Vec<Vec<SolidStress>> {
    let table = element.stiffness_table();
    let points = StressPoints::new(element, &table);
    let gradients: Vec<_> = table.points.iter().map(|point| points.gradients(point)).collect();
    let H = points.displacement_gradients(&gradients, u);
    let mut all = vec![Vec::with_capacity(table.points.len()); u.ncols()];
    for (j, (point, gradients)) in table.points.iter().zip(&gradients).enumerate() {
        let here = element.positions().iter().zip(&point.value).map(|(x, N)| Vector3::from(*x) * *N);
        let position: Vector3<f64> = here.sum();
        for (k, found) in all.iter_mut().enumerate() {
            let H = H.at(j, k);
            let s = law_stress(&element.material.law, &H);
            let stress = Vector6::new(s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[2][0]);
            found.push(SolidStress { position, volume: gradients.volume, strain: strain(&H), stress });
        }
    }
    all
}

/// S of K_g = S ⊗ 1₃ for each column of `u`: S_ij = ∫∇N_i·σ∇N_j of the nodes but the first, 1 ≤ j ≤ i, row by row.
///
/// As one product over all points and the six components of stress: S = G Σ, with the entries of ½(∇N_i⊗∇N_j + ∇N_j⊗∇N_i) × volume in G.
pub(super) fn nodal_geometric_stiffness(element: &SolidElement, u: &DMatrix<f64>) -> DMatrix<f64> {
    let table = element.stiffness_table();
    let points = StressPoints::new(element, &table);
    let gradients: Vec<_> = table.points.iter().map(|point| points.gradients(point)).collect();
    let H = points.displacement_gradients(&gradients, u);
    let places: Vec<usize> = (0..MAX_NODES).filter(|place| points.rows[*place] != ABSENT).skip(1).collect();
    let components = 6 * gradients.len();
    let pairs = places.len() * (places.len() + 1) / 2;
    let mut G = DMatrix::zeros(pairs, components);
    let mut stresses = DMatrix::zeros(components, u.ncols());
    for (k, point) in gradients.iter().enumerate() {
        let mut g = [[0.0; MAX_NODES]; 3];
        for (to, from) in g.iter_mut().zip(&point.g) {
            to.iter_mut().zip(&places).for_each(|(to, place)| *to = from[*place]);
        }
        for (c, (a, b)) in SYMMETRIC.into_iter().enumerate() {
            let mut entries = &mut G.as_mut_slice()[(6 * k + c) * pairs..];
            for i in 0..places.len() {
                let (g_a, g_b) = (point.volume * g[a][i], point.volume * g[b][i]);
                let (row, rest) = entries.split_at_mut(i + 1);
                for ((entry, g_aj), g_bj) in row.iter_mut().zip(&g[a]).zip(&g[b]) {
                    *entry = if a == b { g_a * g_aj } else { g_a * g_bj + g_b * g_aj };
                }
                entries = rest;
            }
        }
        for (state, mut stress) in stresses.column_iter_mut().enumerate() {
            let s = law_stress(&element.material.law, &H.at(k, state));
            for (entry, (a, b)) in stress.rows_mut(6 * k, 6).iter_mut().zip(SYMMETRIC) {
                *entry = s[a][b];
            }
        }
    }
    G * stresses
}

/// Rows and columns of the six components of a symmetric tensor.
const SYMMETRIC: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// K_g for each column of `u`: the same for x, y and z, nothing between them.
pub(super) fn geometric_stiffness(element: &SolidElement, u: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
    let n = element.dofs.len();
    let spread = |S: &[f64]| {
        let mut K_g = DMatrix::zeros(n, n);
        let mut add = |i: usize, j: usize, value: f64| {
            (0..3).for_each(|c| K_g[(3 * i + c, 3 * j + c)] += value);
        };
        let mut entries = S.iter();
        for i in 1..n / 3 {
            for (j, value) in (1..=i).zip(entries.by_ref()) {
                // A translation costs nothing: what node i and node j do to each other, each does to the first with the other sign.
                let ends = if i == j { &[(i, j)][..] } else { &[(i, j), (j, i)][..] };
                for (a, b) in ends {
                    add(*a, *b, *value);
                    add(*a, 0, -value);
                    add(0, *b, -value);
                    add(0, 0, *value);
                }
            }
        }
        K_g
    };
    nodal_geometric_stiffness(element, u).column_iter().map(|S| spread(S.as_slice())).collect()
}
