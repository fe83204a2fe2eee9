//! A reduced link from a supplier's K and M.
//!
//! The rows of the matrices are components of interface grids and modal coordinates (scalar points). Rigid
//! motion of the link moves the interface grids and no modal coordinate, so with R its rows and E the columns
//! of the elastic coordinates
//!
//! ```text
//! M₀ = RᵀMR    C₀ = RᵀME    M_EE = EᵀME
//! ```
//!
//! are exact. What a mesh would add is lost: the shift of mass inside the modal shapes (the blocks A, B and C
//! of modal coordinates), and so their centrifugal and Coriolis forces. The displacements of the interfaces
//! keep theirs.

use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_fem::dof::displacement_triad;
use pliant_link::{Coordinate, Interface, Invariants, ReducedLink};
use pliant_mesh::{GridId, LinkMesh, NodeIndex, NodeKind};
use pliant_spatial::Transform;

use crate::interface::MeshInterface;
use crate::shapes::LinkFrame;

/// A row of the matrices: a grid and its component from 0, or a scalar point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatrixRow {
    /// Grid or scalar point.
    pub id: GridId,
    /// Component 0 to 5; 0 for a scalar point.
    pub component: usize,
}

/// A supplier's matrices, deck units, each grid in its displacement frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedMatrices {
    /// What the rows are.
    pub rows: Vec<MatrixRow>,
    /// Stiffness.
    pub K: DMatrix<f64>,
    /// Mass.
    pub M: DMatrix<f64>,
}

/// The reduced link of imported matrices, clamped at its inboard interface.
///
/// # Errors
/// Rows of grids that are not interfaces, interfaces without their six rows, rows that the deck does not
/// define.
pub(crate) fn imported_link(
    name: &str,
    mesh: &LinkMesh,
    matrices: &ImportedMatrices,
    inboard: &MeshInterface,
    outboard: &[MeshInterface],
) -> Result<Warned<ReducedLink>, Diagnostics> {
    let frame = LinkFrame::new(mesh, inboard);
    let layout = Layout::new(mesh, matrices, inboard, outboard)?;
    let size = matrices.rows.len();
    // From deck rows to link axes and SI: q_deck = S q.
    let mut S = DMatrix::zeros(size, size);
    let modal = 1.0 / (frame.units.length * frame.units.mass.sqrt());
    for (row, kind) in layout.rows.iter().enumerate() {
        match *kind {
            Row::Modal => S[(row, row)] = modal,
            Row::Grid { node, component, first, .. } => {
                let displacement = displacement_triad(mesh, node).unwrap_or_else(Matrix3::identity);
                let triad = frame.axes.tr_mul(&displacement);
                let scale = if component < 3 { 1.0 / frame.units.length } else { 1.0 };
                for k in 0..3 {
                    S[(row, layout.row_of[first + component / 3 * 3 + k])] =
                        triad[(k, component % 3)] * scale;
                }
            }
        }
    }
    let energy = frame.units.inertia();
    let changed = |A: &DMatrix<f64>, factor: f64| {
        let A = S.tr_mul(&(A * &S)) * factor;
        (&A + A.transpose()) * 0.5
    };
    let K = changed(&matrices.K, energy / frame.units.time.powi(2));
    let M = changed(&matrices.M, energy);
    let elastic: Vec<usize> = layout.elastic();
    let invariants = layout.invariants(mesh, &frame, &M, &elastic);
    let K = DMatrix::from_fn(elastic.len(), elastic.len(), |i, j| K[(elastic[i], elastic[j])]);
    let coordinates = elastic.iter().enumerate().map(|(j, row)| match layout.rows[*row] {
        Row::Grid { interface, component, .. } => {
            Coordinate::Interface { interface: interface - 1, component: component as u8 + 1 }
        }
        Row::Modal => {
            let lambda = K[(j, j)] / invariants.M_EE[(j, j)];
            Coordinate::Mode { freq_hz: lambda.max(0.0).sqrt() / std::f64::consts::TAU }
        }
    });
    let coordinates: Vec<_> = coordinates.collect();
    let interfaces = outboard.iter().enumerate().map(|(which, interface)| {
        let V = Matrix6xX::from_fn(elastic.len(), |i, j| match coordinates[j] {
            Coordinate::Interface { interface, component }
                if interface == which && component as usize == i + 1 =>
            {
                1.0
            }
            _ => 0.0,
        });
        let position = frame.position(mesh.node(interface.node).position);
        let X_LT = Transform::new(frame.axes.tr_mul(&interface.axes), position);
        Interface { name: interface.name.clone(), X_LT, V, G: None }
    });
    let size = outboard.iter().map(|i| frame.position(mesh.node(i.node).position).norm()).fold(0.0, f64::max);
    let D = DMatrix::zeros(elastic.len(), elastic.len());
    let link = ReducedLink {
        name: name.to_owned(),
        interfaces: interfaces.collect(),
        D,
        invariants,
        size,
        rail: None,
        coordinates: coordinates.clone(),
        K,
    };
    let rest = if layout.rows.contains(&Row::Modal) {
        ", there is no stress to recover, and of its modal shapes the mass is known but not the centrifugal and Coriolis forces inside them"
    } else {
        " and there is no stress to recover"
    };
    let lost = format!("it has no mesh: it does not shorten as it bends{rest}");
    Ok(Warned { output: link, diagnostics: [Diagnostic::note(lost)].into_iter().collect() })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    /// `interface` counts from 0 with the inboard one; `first` is the index of its first component in
    /// `row_of`.
    Grid {
        interface: usize,
        node: NodeIndex,
        component: usize,
        first: usize,
    },
    Modal,
}

struct Layout {
    /// What each row is.
    rows: Vec<Row>,
    /// Row of each component of each interface, six each.
    row_of: Vec<usize>,
}

impl Layout {
    fn new(
        mesh: &LinkMesh,
        matrices: &ImportedMatrices,
        inboard: &MeshInterface,
        outboard: &[MeshInterface],
    ) -> Result<Self, Diagnostics> {
        let interfaces: Vec<&MeshInterface> = std::iter::once(inboard).chain(outboard).collect();
        let mut problems = Diagnostics::new();
        let mut row_of = vec![usize::MAX; 6 * interfaces.len()];
        let mut rows = Vec::new();
        for (row, MatrixRow { id, component }) in matrices.rows.iter().enumerate() {
            let Some(node) = mesh.node_by_id(*id) else {
                problems.push(Diagnostic::error(format!(
                    "the matrices name {id}, which is not a GRID or SPOINT of the deck"
                )));
                continue;
            };
            if mesh.node(node).kind == NodeKind::Scalar {
                rows.push(Row::Modal);
                continue;
            }
            let Some(interface) = interfaces.iter().position(|interface| interface.node == node) else {
                let hint = "every GRID of the matrices must be the inboard grid or an interface";
                let message = format!("GRID {id} of the matrices is not an interface of the link");
                problems.push(Diagnostic::error(message).hint(hint));
                continue;
            };
            row_of[6 * interface + component] = row;
            rows.push(Row::Grid { interface, node, component: *component, first: 6 * interface });
        }
        for (k, row) in row_of.iter().enumerate().filter(|(_, row)| **row == usize::MAX) {
            let id = mesh.node(interfaces[k / 6].node).id;
            problems
                .push(Diagnostic::error(format!("the matrices lack component {} of GRID {id}", k % 6 + 1)));
            debug_assert_eq!(*row, usize::MAX);
        }
        if problems.has_errors() { Err(problems) } else { Ok(Self { rows, row_of }) }
    }

    /// Rows of the elastic coordinates: outboard components, then modal ones.
    fn elastic(&self) -> Vec<usize> {
        let modal = (0..self.rows.len()).filter(|row| self.rows[*row] == Row::Modal);
        self.row_of[6..].iter().copied().chain(modal).collect()
    }

    /// The blocks of [`Invariants`] from M in link axes and SI.
    fn invariants(
        &self,
        mesh: &LinkMesh,
        frame: &LinkFrame,
        M: &DMatrix<f64>,
        elastic: &[usize],
    ) -> Invariants {
        let (size, n) = (self.rows.len(), elastic.len());
        let mut R = DMatrix::zeros(size, 6);
        for (row, kind) in self.rows.iter().enumerate() {
            if let Row::Grid { node, component, .. } = *kind {
                R[(row, component)] = 1.0;
                if component < 3 {
                    // (ω × x)_c = Σ_b ω_b (e_b × x)_c
                    let x = frame.position(mesh.node(node).position);
                    for b in 0..3 {
                        R[(row, 3 + b)] = axis(b).cross(&x)[component];
                    }
                }
            }
        }
        let MR = M * &R;
        let M0 = R.tr_mul(&MR);
        let C0 = DMatrix::from_fn(6, n, |i, j| MR[(elastic[j], i)]);
        let M_EE = DMatrix::from_fn(n, n, |i, j| M[(elastic[i], elastic[j])]);
        // W_j e_b: e_b × e_c on the translations of the interface whose component c coordinate j is.
        let W: Vec<DMatrix<f64>> = elastic
            .iter()
            .map(|row| {
                let mut W = DMatrix::zeros(size, 3);
                if let Row::Grid { component, first, .. } = self.rows[*row]
                    && component < 3
                {
                    for b in 0..3 {
                        let turned = axis(b).cross(&axis(component));
                        for c in 0..3 {
                            W[(self.row_of[first + c], b)] = turned[c];
                        }
                    }
                }
                W
            })
            .collect();
        let MW: Vec<DMatrix<f64>> = W.iter().map(|W| M * W).collect();
        let mut A = DMatrix::zeros(18, n);
        let mut C = DMatrix::zeros(3 * n, n);
        let mut B = DMatrix::zeros(6 * n, n);
        for j in 0..n {
            A.column_mut(j).copy_from_slice(R.tr_mul(&MW[j]).as_slice());
            for k in 0..n {
                for a in 0..3 {
                    C[(3 * k + a, j)] = MW[j][(elastic[k], a)];
                }
                let block = W[j].tr_mul(&MW[k]);
                for (i, (a, b)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                    B[(6 * j + i, k)] = 0.5 * (block[(a, b)] + block[(b, a)]);
                }
            }
        }
        let M0 = M0.fixed_view::<6, 6>(0, 0).into_owned();
        Invariants { M0, C0, A, C, B, M_EE, second_order: None, chord: None }
    }
}

fn axis(k: usize) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[k] = 1.0;
    axis
}
