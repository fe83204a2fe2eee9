//! Second-order displacement of a link: the stress of unit loads on the clamped mesh, its geometric
//! stiffness, and G = VᵀK_gV.
//!
//! Loads: the six components at each outboard interface, and the inertia loads of the moving frame, which are
//! the mass times affine fields. All are solved with the factor that made the basis, which is no longer
//! needed when the elements are gone through. Derivation: `docs/theory/stiffening.md`.

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_fem::assembly::{projected_geometric_stiffness, symmetric_product};
use pliant_fem::dof::displacement_triad;
use pliant_link::{AffineField, Chord, ReducedLink, SecondOrderMass};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};

use crate::ReduceError;
use crate::basis::{BoundaryResponses, FixedInterface};
use crate::interface::MeshInterface;
use crate::nodal_mass::with_nodal_mass;
use crate::shapes::{LinkFrame, NodalShapes};
use crate::substructure::Substructure;

/// What the G matrices of a link are made from.
pub(crate) struct SecondOrder<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) outboard: &'a [MeshInterface],
    pub(crate) shapes: &'a NodalShapes,
}

/// What the unit loads do to the clamped mesh.
pub(crate) struct UnitResponses {
    /// On the interfaces.
    interfaces: BoundaryResponses,
    /// Of the inertia loads.
    fields: Vec<AffineField>,
    /// What they do, free components × loads.
    inertia: Mat<f64>,
}

impl UnitResponses {
    /// Free components × loads: those on the interfaces come first, then inertia.
    fn on_free_components(self) -> Mat<f64> {
        let Self { interfaces, inertia, .. } = self;
        let mut X = interfaces.on_free_components();
        let first = X.ncols();
        X.resize_with(inertia.nrows(), first + inertia.ncols(), |i, k| inertia[(i, k - first)]);
        X
    }
}

impl SecondOrder<'_> {
    /// Makes a link linear in the frame of its chord.
    pub(crate) fn carry_to_chord(&self, link: &mut ReducedLink) {
        let Some(chord) = Chord::new(&link.interfaces) else { return };
        link.interfaces.iter_mut().for_each(|interface| chord.carry_interface(interface));
        let Self { mesh, frame, part, shapes, .. } = *self;
        link.invariants = with_nodal_mass(mesh, frame, part, shapes, |mass| chord.invariants(mass));
    }

    /// Solves for the unit loads with the factor that made the basis. Needs the grids alone of `shapes`.
    ///
    /// # Errors
    /// Interfaces that nothing holds.
    pub(crate) fn responses(&self, fixed: &FixedInterface) -> Result<UnitResponses, ReduceError> {
        let Self { mesh, frame, part, shapes, .. } = *self;
        let fields = with_nodal_mass(mesh, frame, part, shapes, AffineField::of_mass);
        let mut F = Mat::zeros(part.free_count(), 3 * fields.len());
        for k in 0..F.ncols() {
            let load = part.constraints.reduce(&self.inertia_load(&fields[k / 3], k % 3));
            F.col_mut(k).iter_mut().zip(load).for_each(|(entry, value)| *entry = value);
        }
        let inertia = fixed.solve(F)?;
        let count = 6 * self.outboard.len();
        let f_b = Mat::from_fn(count, count, |i, k| {
            let same = i / 3 == k / 3;
            if same { self.triad(self.outboard[k / 6].node)[(k % 3, i % 3)] } else { 0.0 }
        });
        Ok(UnitResponses { interfaces: fixed.boundary_responses(&f_b)?, fields, inertia })
    }

    /// Adds G to the interfaces and the inertia of a link with these shapes.
    ///
    /// # Errors
    /// Elements that cannot be built.
    pub(crate) fn add_to(&self, link: &mut ReducedLink, responses: UnitResponses) -> Result<(), ReduceError> {
        let Self { mesh, frame, part, shapes, .. } = *self;
        let fields = responses.fields.clone();
        let u = self.on_every_component(&responses.on_free_components());
        let count = u.nrows();
        let unbalanced = |k: usize| {
            let u: Vec<f64> = u.row(k).iter().copied().collect();
            // Rigid elements ask for it at the grids that follow them alone.
            let mut unbalanced = symmetric_product(&part.K_dependent, &u);
            unbalanced.iter_mut().zip(self.load(&fields, k)).for_each(|(r, f)| *r -= f);
            unbalanced
        };
        let V = self.shapes_on_every_component();
        let all = projected_geometric_stiffness(mesh, &part.dofs, &u, &unbalanced, &V)?;
        drop((u, V));
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

    /// The shapes (by row) on every component, displacement frames, deck lengths.
    fn shapes_on_every_component(&self) -> DMatrix<f64> {
        let dofs = &self.part.dofs;
        let mut all = DMatrix::zeros(self.shapes.columns.len(), dofs.count());
        for (i, node) in self.shapes.nodes.iter().enumerate() {
            let (triad, rows) = (self.triad(*node), dofs.rows_of(*node));
            for (k, shape) in self.shapes.columns.iter().enumerate() {
                let x = &shape[6 * i..6 * i + 6];
                let translation =
                    triad.tr_mul(&Vector3::from_column_slice(&x[..3])) / self.frame.units.length;
                let rotation = triad.tr_mul(&Vector3::from_column_slice(&x[3..]));
                for c in 0..3 {
                    all[(k, rows.start + c)] = translation[c];
                    all[(k, rows.start + 3 + c)] = rotation[c];
                }
            }
        }
        all
    }

    /// A unit load on every component, deck units, displacement frames: those at the interfaces come first,
    /// then inertia.
    fn load(&self, fields: &[AffineField], k: usize) -> Vec<f64> {
        match k.checked_sub(6 * self.outboard.len()) {
            None => self.interface_load(k / 6, k % 6),
            Some(a) => self.inertia_load(&fields[a / 3], a % 3),
        }
    }

    /// A unit force or moment along an axis of the link.
    fn interface_load(&self, interface: usize, axis: usize) -> Vec<f64> {
        let dofs = &self.part.dofs;
        let node = self.outboard[interface].node;
        let direction = self.triad(node).row(axis % 3).transpose();
        let mut load = vec![0.0; dofs.count()];
        let first = dofs.rows_of(node).start + axis / 3 * 3;
        load[first..first + 3].copy_from_slice(direction.as_slice());
        load
    }

    /// M times a field of accelerations along an axis.
    fn inertia_load(&self, field: &AffineField, axis: usize) -> Vec<f64> {
        let dofs = &self.part.dofs;
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
        symmetric_product(&self.part.M, &accelerations)
    }

    /// Columns are the axes of a node's displacement frame in L.
    fn triad(&self, node: NodeIndex) -> Matrix3<f64> {
        let displacement = displacement_triad(self.mesh, node).unwrap_or_else(Matrix3::identity);
        self.frame.axes.tr_mul(&displacement)
    }

    /// Motions of the free components (by column) on every component (by row), displacement frames, deck
    /// lengths.
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
