//! Second-order displacement of a link: the stress of unit loads on the clamped mesh, its geometric stiffness, and G = VᵀK_gV.
//!
//! Loads: the six components at each outboard interface, and the inertia loads of the moving frame (acceleration along the link, six
//! products of angular velocities). All are solved with the factor that made the basis. Derivation:
//! `docs/theory/stiffening.md`.

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, RowDVector, Vector3};
use pliant_fem::assembly::{projected_geometric_stiffness, symmetric_product};
use pliant_fem::dof::displacement_triad;
use pliant_link::{InertiaLoadStiffness, ReducedLink};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_sparse::product;

use crate::ReduceError;
use crate::basis::{Basis, FixedInterface};
use crate::interface::MeshInterface;
use crate::shapes::{LinkFrame, NodalShapes};
use crate::substructure::Substructure;

/// Inertia loads: 3 accelerations, 6 products of angular velocities.
const INERTIA_LOADS: usize = 9;

/// Pairs of axes of the products ω_aω_b, in the order of [`InertiaLoadStiffness::spin`].
const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// What the G matrices of a link are made from.
pub(crate) struct SecondOrder<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
    pub(crate) outboard: &'a [MeshInterface],
}

impl SecondOrder<'_> {
    /// Adds G to the interfaces and the inertia of a link of the basis V S and of what `shapes` has beyond it.
    ///
    /// # Errors
    /// Interfaces that nothing holds.
    pub(crate) fn add_to(
        &self,
        link: &mut ReducedLink,
        basis: &Basis,
        S: &DMatrix<f64>,
        shapes: &NodalShapes,
    ) -> Result<(), ReduceError> {
        let count = 6 * self.outboard.len() + INERTIA_LOADS;
        let mut F = Mat::zeros(self.part.free_count(), count);
        for k in 0..count {
            let load = self.part.constraints.reduce(&self.load(k));
            F.col_mut(k).iter_mut().zip(load).for_each(|(entry, value)| *entry = value);
        }
        let X = self.fixed.solve(&F)?;
        drop(F);
        let u = self.on_every_component(&X);
        drop(X);
        let unbalanced = |k: usize| {
            let u: Vec<f64> = u.row(k).iter().copied().collect();
            // Rigid elements ask for it at the grids that follow them alone.
            let mut unbalanced = symmetric_product(&self.part.K_dependent, &u);
            unbalanced.iter_mut().zip(self.load(k)).for_each(|(r, f)| *r -= f);
            unbalanced
        };
        let S = Mat::from_fn(S.nrows(), S.ncols(), |i, j| S[(i, j)]);
        let mut V = self.on_every_component(&product(basis.V.as_ref(), S.as_ref()));
        let (n, all_shapes) = (V.nrows(), shapes.columns.len());
        if all_shapes > n {
            V = V.resize_vertically(all_shapes, 0.0);
        }
        for (k, shape) in shapes.columns.iter().enumerate().skip(n) {
            V.set_row(k, &RowDVector::from_vec(self.on_components(shapes, shape)));
        }
        let all = projected_geometric_stiffness(self.mesh, &self.part.system.dofs, &u, &unbalanced, &V)?;
        let units = &self.frame.units;
        let scaled = |k: usize, factor: f64| &all[k] * factor;
        for (i, interface) in link.interfaces.iter_mut().enumerate() {
            // The work of a unit force is a displacement, that of a unit moment a rotation.
            let of = |c: usize| scaled(6 * i + c, if c < 3 { units.length } else { 1.0 });
            interface.G = Some(Box::new(std::array::from_fn(of)));
        }
        let first = 6 * link.interfaces.len();
        let (moment, inertia) = (units.mass * units.length, units.mass * units.length * units.length);
        let along = self.direction();
        let n = link.coordinate_count();
        let axial = (0..3).fold(DMatrix::zeros(n, n), |sum, c| sum + scaled(first + c, moment * along[c]));
        link.invariants.add_second_order(&InertiaLoadStiffness {
            translation: std::array::from_fn(|c| &axial * along[c]),
            rotation: std::array::from_fn(|_| DMatrix::zeros(n, n)),
            spin: std::array::from_fn(|c| scaled(first + 3 + c, inertia)),
        });
        Ok(())
    }

    /// A nodal shape on every component.
    fn on_components(&self, shapes: &NodalShapes, shape: &[f64]) -> Vec<f64> {
        let dofs = &self.part.system.dofs;
        let mut u = vec![0.0; dofs.count()];
        for (node, x) in shapes.nodes.iter().zip(shape.chunks_exact(6)) {
            let (translation, rotation) =
                (Vector3::from_column_slice(&x[..3]), Vector3::from_column_slice(&x[3..]));
            self.frame.write_deck(self.mesh, *node, translation, rotation, &mut u[dofs.rows_of(*node)]);
        }
        u
    }

    /// Unit vector from the link frame to the mean of the outboard interfaces, in link axes: the direction in which shortening is held back by stiff material.
    ///
    /// Across it the second-order displacement is that of a soft motion (bending times twist). Its product with accelerations would need its own
    /// kinetic energy, of fourth order, beside it: without that the mass matrix of a chain of links loses its sign as soon as the deflection exceeds the radius of gyration.
    fn direction(&self) -> Vector3<f64> {
        let sum: Vector3<f64> =
            self.outboard.iter().map(|i| self.frame.position(self.mesh.node(i.node).position)).sum();
        sum.try_normalize(0.0).unwrap_or_else(Vector3::zeros)
    }

    /// A unit load on every component, deck units, displacement frames: those at the interfaces come first, then inertia.
    fn load(&self, k: usize) -> Vec<f64> {
        match k.checked_sub(6 * self.outboard.len()) {
            None => self.interface_load(k / 6, k % 6),
            Some(inertia) => self.inertia_load(inertia),
        }
    }

    /// A unit force or moment along an axis of the link.
    fn interface_load(&self, interface: usize, axis: usize) -> Vec<f64> {
        let dofs = &self.part.system.dofs;
        let node = self.outboard[interface].node;
        let direction = self.triad(node).row(axis % 3).transpose();
        let mut load = vec![0.0; dofs.count()];
        let first = dofs.rows_of(node).start + axis / 3 * 3;
        load[first..first + 3].copy_from_slice(direction.as_slice());
        load
    }

    /// M times a field of accelerations, which have no rotation at the nodes.
    fn inertia_load(&self, k: usize) -> Vec<f64> {
        let dofs = &self.part.system.dofs;
        let mut field = vec![0.0; dofs.count()];
        for (i, node) in self.mesh.nodes.iter().enumerate() {
            if node.kind == NodeKind::Scalar {
                continue;
            }
            let index = NodeIndex::from(i);
            let x = self.frame.axes.tr_mul(&(node.position - self.frame.origin));
            let unit = |axis: usize| Vector3::ith(axis, 1.0);
            let acceleration = if k < 3 {
                unit(k)
            } else {
                let (a, b) = PRODUCTS[k - 3];
                if a == b { x - unit(a) * x[a] } else { -(unit(a) * x[b] + unit(b) * x[a]) }
            };
            let triad = self.triad(index);
            let rows = &mut field[dofs.rows_of(index)];
            rows[..3].copy_from_slice(triad.tr_mul(&acceleration).as_slice());
        }
        symmetric_product(&self.part.system.M, &field)
    }

    /// Columns are the axes of a node's displacement frame in L.
    fn triad(&self, node: NodeIndex) -> Matrix3<f64> {
        let displacement = displacement_triad(self.mesh, node).unwrap_or_else(Matrix3::identity);
        self.frame.axes.tr_mul(&displacement)
    }

    /// Motions of the free components (by column) on every component (by row), displacement frames, deck lengths.
    fn on_every_component(&self, X: &Mat<f64>) -> DMatrix<f64> {
        let T = &self.part.constraints.T;
        let mut all = DMatrix::zeros(X.ncols(), T.nrows());
        for (row, entries) in T.row_iter().enumerate() {
            let mut here = all.column_mut(row);
            for (column, factor) in entries.col_indices().iter().zip(entries.values()) {
                here.iter_mut().enumerate().for_each(|(k, value)| *value += factor * X[(*column, k)]);
            }
        }
        all
    }
}
