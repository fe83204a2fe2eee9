//! Strain and stress of a solid at its integration points, and the geometric stiffness of that stress.
//!
//! Strains are those of K, internal modes included: they follow the nodes as a = −K_aa⁻¹K_au u. K_g is ∫σ_ab
//! ∂u/∂x_a·∂u/∂x_b with the nodal functions (O. C. Zienkiewicz and R. L. Taylor, *The Finite Element Method*,
//! volume 2, chapter on geometric non-linearity).

use nalgebra::{DMatrix, Vector3, Vector6};
use pliant_simd::{Kernel, with_wide_registers};

use super::elasticity::Elasticity;
use super::gradients::{Centre, PointGradients, point_gradients};
use super::internal::{InternalModes, ModeLayout, internal_modes};
use super::lanes::{Combination, LANES, Lanes, groups_of};
use super::table::{MAX_INTERNAL, MAX_NODES, Table};
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

    fn gradients(&self) -> Gradients {
        let Self { element, table, internal, centre, .. } = self;
        let modes = if internal.is_some() { table.internal_count } else { 0 };
        let functions = element.positions().len() + modes;
        let points = table.points.len();
        let mut all = Gradients {
            functions,
            g: vec![0.0; 3 * points * functions],
            volume: Vec::with_capacity(points),
            scale: Vec::with_capacity(points),
        };
        for (j, point) in table.points.iter().enumerate() {
            let PointGradients { g, volume, scale } =
                point_gradients::<FUNCTIONS>(point, element.positions(), modes, centre);
            for (c, g) in g.iter().enumerate() {
                all.g[(c * points + j) * functions..][..functions].copy_from_slice(&g[..functions]);
            }
            all.volume.push(volume);
            all.scale.push(scale);
        }
        all
    }

    /// ∂u/∂x at all points for each row of `u`, with what internal modes add to it: the motions of all
    /// functions, combined with their gradients.
    fn displacement_gradients(&self, gradients: &Gradients, u: &DMatrix<f64>) -> DisplacementGradients {
        let (states, width) = (u.nrows(), groups_of(u.nrows()));
        let Gradients { functions, g, scale, .. } = gradients;
        let points = scale.len();
        let mut motions = vec![[0.0; LANES]; 3 * functions * width];
        for (slot, row) in self.rows.iter().enumerate().filter(|(_, row)| **row != ABSENT) {
            for a in 0..3 {
                let motion = &mut motions[(3 * slot + a) * width..][..width];
                motion.as_flattened_mut()[..states].copy_from_slice(u.column(row + a).as_slice());
            }
        }
        let (nodal, of_modes) = motions.split_at_mut(3 * self.element.positions().len() * width);
        let internal = self.internal.as_ref().map(|modes| modes.amplitudes(nodal, width));
        if let Some(unknowns) = &internal {
            for (p, motion) in of_modes.chunks_exact_mut((3 * width).max(1)).enumerate() {
                self.layout.motion(p, unknowns, width, motion);
            }
        }
        let mut H = vec![[0.0; LANES]; 9 * points * width];
        let (from, out) = (&motions, &mut H);
        Combination { factors: g, factor_row: *functions, from, out, width: 3 * width }.make();
        let mut all = DisplacementGradients { points, width, H };
        if let Some(unknowns) = &internal {
            let first = self.layout.unknowns(self.table.internal_count).start;
            for (j, (point, scale)) in self.table.points.iter().zip(scale).enumerate() {
                let strains = &point.volumetric[..self.table.volumetric_count];
                for (k, strain) in strains.iter().enumerate() {
                    let amplitudes = &unknowns[(first + k) * width..][..width];
                    (0..3).for_each(|a| all.add(j, a, strain * scale, amplitudes));
                }
            }
        }
        all
    }
}

/// Gradients of all functions at all points.
struct Gradients {
    /// Nodes and internal modes.
    functions: usize,
    /// ∂N/∂x_c at point j in row c·points + j, function by function.
    g: Vec<f64>,
    /// The volume that each point stands for.
    volume: Vec<f64>,
    /// det J₀/det J of each point.
    scale: Vec<f64>,
}

/// ∂u/∂x of several displacements at several points.
struct DisplacementGradients {
    points: usize,
    /// Groups of displacements.
    width: usize,
    /// ∂u_a/∂x_c at point j in row 3(c·points + j) + a, the displacements beside each other.
    H: Vec<Lanes>,
}

impl DisplacementGradients {
    /// Where a row begins.
    #[inline(always)]
    fn row(&self, j: usize, a: usize, c: usize) -> usize {
        (3 * (c * self.points + j) + a) * self.width
    }

    /// Of displacement k at point j.
    fn at(&self, j: usize, k: usize) -> Tensor {
        let entry = |a: usize, c: usize| self.H[self.row(j, a, c) + k / LANES][k % LANES];
        std::array::from_fn(|a| std::array::from_fn(|c| entry(a, c)))
    }

    /// Adds a strain along axis a.
    fn add(&mut self, j: usize, a: usize, factor: f64, amplitudes: &[Lanes]) {
        let first = self.row(j, a, a);
        let row = self.H[first..first + self.width].as_flattened_mut();
        row.iter_mut().zip(amplitudes.as_flattened()).for_each(|(entry, a)| *entry += factor * a);
    }
}

/// εx, εy, εz, γxy, γyz, γzx of ∂u/∂x.
fn strain(H: &Tensor) -> Vector6<f64> {
    Vector6::new(H[0][0], H[1][1], H[2][2], H[0][1] + H[1][0], H[1][2] + H[2][1], H[2][0] + H[0][2])
}

/// σ = D sym(H) of all displacements at all points: its component c at point j in row c·points + j.
struct Stresses<'a> {
    law: &'a Elasticity,
    H: &'a DisplacementGradients,
    out: &'a mut [Lanes],
}

impl<'a> Stresses<'a> {
    fn of(law: &'a Elasticity, H: &'a DisplacementGradients) -> Vec<Lanes> {
        let mut stresses = vec![[0.0; LANES]; 6 * H.points * H.width];
        with_wide_registers(Stresses { law, H, out: &mut stresses });
        stresses
    }
}

impl Kernel for Stresses<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { law, H, out } = self;
        for j in 0..H.points {
            for group in 0..H.width {
                let mut strain = [[0.0; LANES]; 6];
                for (c, (a, b)) in SYMMETRIC.into_iter().enumerate() {
                    let (one, other) = (&H.H[H.row(j, a, b) + group], &H.H[H.row(j, b, a) + group]);
                    for s in 0..LANES {
                        strain[c][s] = if a == b { one[s] } else { one[s] + other[s] };
                    }
                }
                let mut stress = [[0.0; LANES]; 6];
                match law {
                    Elasticity::Isotropic { lambda, mu } => {
                        for s in 0..LANES {
                            let pressure = lambda * (strain[0][s] + strain[1][s] + strain[2][s]);
                            for c in 0..3 {
                                stress[c][s] = 2.0 * mu * strain[c][s] + pressure;
                                stress[3 + c][s] = mu * strain[3 + c][s];
                            }
                        }
                    }
                    Elasticity::General(D) => {
                        for c in 0..6 {
                            for d in 0..6 {
                                for s in 0..LANES {
                                    stress[c][s] += D[(c, d)] * strain[d][s];
                                }
                            }
                        }
                    }
                }
                for (c, stress) in stress.into_iter().enumerate() {
                    out[(c * H.points + j) * H.width + group] = stress;
                }
            }
        }
    }
}

/// Strain and stress at the integration points for each column of `u`.
pub(super) fn stress(element: &SolidElement, u: &DMatrix<f64>) -> Vec<Vec<SolidStress>> {
    let table = element.stiffness_table();
    let points = StressPoints::new(element, &table);
    let gradients = points.gradients();
    let H = points.displacement_gradients(&gradients, &u.transpose());
    let stresses = Stresses::of(&element.material.law, &H);
    let mut all = vec![Vec::with_capacity(table.points.len()); u.ncols()];
    for (j, (point, volume)) in table.points.iter().zip(&gradients.volume).enumerate() {
        let here = element.positions().iter().zip(&point.value).map(|(x, N)| Vector3::from(*x) * *N);
        let position: Vector3<f64> = here.sum();
        for (k, found) in all.iter_mut().enumerate() {
            let strain = strain(&H.at(j, k));
            let stress = |c: usize| stresses[(c * H.points + j) * H.width + k / LANES][k % LANES];
            let stress = Vector6::from_fn(|c, _| stress(c));
            found.push(SolidStress { position, volume: *volume, strain, stress });
        }
    }
    all
}

/// S of K_g = S ⊗ 1₃ for each row of `u`: S_ij = ∫∇N_i·σ∇N_j of each pair of nodes j < i, row by row.
///
/// As one combination over all points and the six components of stress: S = G Σ, with the entries of
/// ½(∇N_i⊗∇N_j + ∇N_j⊗∇N_i) × volume in G.
pub(super) fn nodal_geometric_stiffness(element: &SolidElement, u: &DMatrix<f64>) -> DMatrix<f64> {
    let table = element.stiffness_table();
    let points = StressPoints::new(element, &table);
    let gradients = points.gradients();
    let H = points.displacement_gradients(&gradients, u);
    let width = H.width;
    let stresses = Stresses::of(&element.material.law, &H);
    let G = pair_gradients(&gradients, &points.rows);
    let factor_row = 6 * H.points;
    let mut S = vec![[0.0; LANES]; G.len() / factor_row * width];
    Combination { factors: &G, factor_row, from: &stresses, out: &mut S, width }.make();
    let states = u.nrows();
    let mut by_state = DMatrix::zeros(states, G.len() / factor_row);
    let columns = by_state.as_mut_slice().chunks_exact_mut(states.max(1));
    columns.zip(S.chunks_exact(width.max(1))).for_each(|(to, from)| {
        to.copy_from_slice(&from.as_flattened()[..states]);
    });
    by_state
}

/// ½(∇N_i⊗∇N_j + ∇N_j⊗∇N_i) × volume of each pair of nodes j < i that are present: its six components, shear
/// twice, at all points.
fn pair_gradients(gradients: &Gradients, rows: &[usize; MAX_NODES]) -> Vec<f64> {
    let Gradients { functions, g, volume, .. } = gradients;
    let slots: Vec<usize> = (0..MAX_NODES).filter(|slot| rows[*slot] != ABSENT).collect();
    let mut at_points = Vec::with_capacity(slots.len() * 3 * volume.len());
    for slot in &slots {
        at_points.extend(g.iter().skip(*slot).step_by(*functions));
    }
    let pairs = slots.len() * (slots.len() - 1) / 2;
    let mut G = vec![0.0; pairs * 6 * volume.len()];
    with_wide_registers(PairGradients { g: &at_points, volume, out: &mut G });
    G
}

/// See [`pair_gradients`].
struct PairGradients<'a> {
    /// ∂N_i/∂x_c, node by node and axis by axis at all points.
    g: &'a [f64],
    volume: &'a [f64],
    out: &'a mut [f64],
}

impl Kernel for PairGradients<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { g, volume, out } = self;
        let points = volume.len();
        let at = |i: usize, c: usize| &g[(3 * i + c) * points..][..points];
        let mut rows = out.chunks_exact_mut(points);
        for i in 0..g.len() / (3 * points) {
            for j in 0..i {
                for ((a, b), row) in SYMMETRIC.into_iter().zip(rows.by_ref()) {
                    let (g_a, g_b, h_a, h_b) = (at(i, a), at(i, b), at(j, a), at(j, b));
                    let twice = if a == b { 0.5 } else { 1.0 };
                    for k in 0..points {
                        row[k] = twice * volume[k] * (g_a[k] * h_b[k] + g_b[k] * h_a[k]);
                    }
                }
            }
        }
    }
}

/// Rows and columns of the six components of a symmetric tensor.
const SYMMETRIC: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// K_g for each column of `u`: the same for x, y and z, nothing between them.
pub(super) fn geometric_stiffness(element: &SolidElement, u: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
    let n = element.dofs.len();
    let spread = |S: &DMatrix<f64>, state: usize| {
        let mut K_g = DMatrix::zeros(n, n);
        let pairs = (0..n / 3).flat_map(|i| (0..i).map(move |j| (i, j)));
        for ((i, j), value) in pairs.zip(S.row(state).iter()) {
            // A translation costs nothing: what two nodes do to each other, each does to itself with the
            // other sign.
            for (a, b, value) in [(i, j, *value), (j, i, *value), (i, i, -value), (j, j, -value)] {
                (0..3).for_each(|c| K_g[(3 * a + c, 3 * b + c)] += value);
            }
        }
        K_g
    };
    let S = nodal_geometric_stiffness(element, &u.transpose());
    (0..u.ncols()).map(|state| spread(&S, state)).collect()
}
