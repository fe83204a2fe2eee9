//! Second-order displacement of a link: the stress of unit loads on the clamped mesh, its geometric stiffness, and G = VᵀK_gV.
//!
//! Loads: the six components at each outboard interface, and the inertia loads of the moving frame, which are the mass times affine
//! fields. All are solved with the factor that made the basis. Derivation:
//! `docs/theory/stiffening.md`.

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, RowDVector, Vector3};
use pliant_fem::assembly::{projected_geometric_stiffness, symmetric_product};
use pliant_fem::dof::displacement_triad;
use pliant_link::{AffineField, Chord, ReducedLink, SecondOrderMass};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_sparse::product;

use crate::ReduceError;
use crate::basis::{Basis, FixedInterface};
use crate::interface::MeshInterface;
use crate::shapes::{LinkFrame, NodalShapes, with_nodal_mass};
use crate::substructure::Substructure;

/// What the G matrices of a link are made from.
pub(crate) struct SecondOrder<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
    pub(crate) outboard: &'a [MeshInterface],
    pub(crate) shapes: &'a NodalShapes,
}

impl SecondOrder<'_> {
    /// Makes a link linear in the frame of its chord.
    pub(crate) fn carry_to_chord(&self, link: &mut ReducedLink) {
        let Some(chord) = Chord::new(&link.interfaces) else { return };
        link.interfaces.iter_mut().for_each(|interface| chord.carry_interface(interface));
        let Self { mesh, frame, part, shapes, .. } = *self;
        link.invariants = with_nodal_mass(mesh, frame, part, shapes, |mass| chord.invariants(mass));
    }

    /// Adds G to the interfaces and the inertia of a link of the basis V S and of what the shapes have beyond it.
    ///
    /// # Errors
    /// Interfaces that nothing holds.
    pub(crate) fn add_to(
        &self,
        link: &mut ReducedLink,
        basis: &Basis,
        S: &DMatrix<f64>,
    ) -> Result<(), ReduceError> {
        let Self { mesh, frame, part, shapes, .. } = *self;
        let fields = with_nodal_mass(mesh, frame, part, shapes, AffineField::of_mass);
        let count = 6 * self.outboard.len() + 3 * fields.len();
        let mut F = Mat::zeros(self.part.free_count(), count);
        for k in 0..count {
            let load = self.part.constraints.reduce(&self.load(&fields, k));
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
            unbalanced.iter_mut().zip(self.load(&fields, k)).for_each(|(r, f)| *r -= f);
            unbalanced
        };
        let S = Mat::from_fn(S.nrows(), S.ncols(), |i, j| S[(i, j)]);
        let mut V = self.on_every_component(&product(basis.V.as_ref(), S.as_ref()));
        let (n, all_shapes) = (V.nrows(), shapes.columns.len());
        if all_shapes > n {
            V = V.resize_vertically(all_shapes, 0.0);
        }
        for (k, shape) in shapes.columns.iter().enumerate().skip(n) {
            V.set_row(k, &RowDVector::from_vec(self.on_components(shape)));
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
        let G: Vec<_> = (first..count).map(|k| scaled(k, units.mass * units.length)).collect();
        let blocks =
            with_nodal_mass(mesh, frame, part, shapes, |mass| SecondOrderMass::new(mass, &fields, &G));
        link.invariants.second_order = Some(Box::new(blocks));
        Ok(())
    }

    /// A nodal shape on every component.
    fn on_components(&self, shape: &[f64]) -> Vec<f64> {
        let dofs = &self.part.system.dofs;
        let mut u = vec![0.0; dofs.count()];
        for (node, x) in self.shapes.nodes.iter().zip(shape.chunks_exact(6)) {
            let (translation, rotation) =
                (Vector3::from_column_slice(&x[..3]), Vector3::from_column_slice(&x[3..]));
            self.frame.write_deck(self.mesh, *node, translation, rotation, &mut u[dofs.rows_of(*node)]);
        }
        u
    }

    /// A unit load on every component, deck units, displacement frames: those at the interfaces come first, then inertia.
    fn load(&self, fields: &[AffineField], k: usize) -> Vec<f64> {
        match k.checked_sub(6 * self.outboard.len()) {
            None => self.interface_load(k / 6, k % 6),
            Some(a) => self.inertia_load(&fields[a / 3], a % 3),
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

    /// M times a field of accelerations along an axis.
    fn inertia_load(&self, field: &AffineField, axis: usize) -> Vec<f64> {
        let dofs = &self.part.system.dofs;
        let mut accelerations = vec![0.0; dofs.count()];
        for (i, node) in self.mesh.nodes.iter().enumerate() {
            if node.kind == NodeKind::Scalar {
                continue;
            }
            let index = NodeIndex::from(i);
            let acceleration = Vector3::ith(axis, field.at(&self.frame.position(node.position)));
            // Rotations are SI like the field: a deck's length is `units.length` of its own to the metre.
            let rotation = field.rotation(axis) * self.frame.units.length;
            let (triad, rows) = (self.triad(index), &mut accelerations[dofs.rows_of(index)]);
            rows[..3].copy_from_slice(triad.tr_mul(&acceleration).as_slice());
            rows[3..6].copy_from_slice(triad.tr_mul(&rotation).as_slice());
        }
        symmetric_product(&self.part.system.M, &accelerations)
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
