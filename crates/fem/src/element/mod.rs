//! Elements, one file each behind one trait.
//!
//! An element is built from the mesh when it is needed and dropped again: assembly visits each once, in
//! parallel, so a mesh of a million elements costs no second copy of itself.

#[cfg(test)]
pub(crate) mod contract;
mod line;
mod lumped;
#[cfg(test)]
pub(crate) mod patch;
mod registry;
mod shear_panel;
mod shell;
mod solid;
mod squares;
mod stress;

pub use line::beam_warnings;
pub(crate) use line::geometric::rigid_arm;
pub use registry::{all_elements, build};
pub(crate) use registry::{card_of, element_error, in_element};
pub use shell::{PlyState, ply_states};
pub use solid::solid_faces;
pub(crate) use solid::{solid_edges, solid_masses, solid_volume};
pub use squares::GeometricSquares;
pub use stress::{ElementStress, LineForces, ShellForces, SolidStress};

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{BarLoad, Component, LinkMesh, NodeIndex};

/// One degree of freedom of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementDof {
    /// The node.
    pub node: NodeIndex,
    /// Its component.
    pub component: Component,
}

/// The axes in which an element's matrices are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DofAxes {
    /// The basic frame. The degrees of freedom of a node then come as complete triples: 123, or 123456.
    Basic,
    /// Each node's own displacement frame (scalar elements).
    Displacement,
}

/// Which mass matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// Nastran's default: diagonal in the translations, as each element's file says.
    Lumped,
    /// Nastran's PARAM,COUPMASS,1, as each element's file says: not always the consistent mass.
    Coupled,
    /// ∫ρ NᵀN with the element's own shape functions, rotary inertia included: what links are reduced with.
    Consistent,
}

/// A pressure on a shell or on a face of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct FacePressure {
    /// Corner nodes of the face in its own order (outward normal by the right-hand rule for a solid, positive
    /// normal for a shell).
    pub corners: Vec<NodeIndex>,
    /// Pressure at each corner.
    pub pressures: Vec<f64>,
    /// Direction of the traction in the basic frame. `None`: positive pressure acts along the positive normal
    /// of a shell, and inward on a solid.
    pub direction: Option<Vector3<f64>>,
}

/// What every element can do. Matrices are square in the order of [`Element::dofs`], deck units, without
/// WTMASS.
pub trait Element: Send + Sync {
    /// The degrees of freedom, in matrix order.
    fn dofs(&self) -> &[ElementDof];

    /// The axes of its matrices.
    fn axes(&self) -> DofAxes {
        DofAxes::Basic
    }

    /// Stiffness K, symmetric positive semi-definite. `None`: it has none.
    fn stiffness(&self) -> Option<DMatrix<f64>>;

    /// Mass M. `None`: it has none.
    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>>;

    /// Viscous damping. `None`: it has none.
    fn damping(&self) -> Option<DMatrix<f64>> {
        None
    }

    /// Consistent nodal loads of a pressure, in the order of [`Element::dofs`]. `None`: it has no such face.
    fn pressure_load(&self, _pressure: &FacePressure) -> Option<DVector<f64>> {
        None
    }

    /// Equivalent nodal loads of a PLOAD1 (minus the fixed-end reactions), in the order and axes of
    /// [`Element::dofs`], offsets and pin flags taken into account. `None`: it is not a bar.
    fn bar_load(&self, _load: &BarLoad) -> Option<DVector<f64>> {
        None
    }

    /// Equivalent nodal loads ∫BᵀC ε₀ of the grid temperatures, in the order and axes of [`Element::dofs`].
    /// `None`: not available, and a subcase that asks for thermal loads is refused.
    fn thermal_load(&self, _temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        None
    }

    /// Equivalent nodal loads of temperature gradients over a bar's sections (TEMPRB), [T′₁, T′₂] along its y
    /// and z at ends A and B, in the order and axes of [`Element::dofs`]. `None`: it has no bending, and
    /// gradients on it are refused.
    fn temperature_gradient_load(&self, _gradients: [[f64; 2]; 2]) -> Option<DVector<f64>> {
        None
    }

    /// Stress of each column of `u`, displacements in the order and axes of [`Element::dofs`]. `None`: it has
    /// no stress that anyone asks for.
    fn stress(&self, _u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        None
    }

    /// Geometric stiffness K_g of the stress of each column of `u`: ½ dᵀK_g d is the work of that stress
    /// through the second-order strain of d. Symmetric. `None`: it has none (springs, masses).
    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        self.geometric_squares(&u.transpose()).map(|squares| squares.matrices())
    }

    /// [`Element::geometric_stiffness`] of an element whose K_g is a sum of squares; the states are by row
    /// here. `None`: its K_g is not of this kind.
    fn geometric_squares(&self, _u: &DMatrix<f64>) -> Option<GeometricSquares> {
        None
    }

    /// [`Element::geometric_stiffness`] of an element whose K_g = S ⊗ 1₃ acts along x, y and z alike with
    /// nothing between them, and not on a translation: Σ_j S_ij = 0, so that the diagonal follows from the
    /// others. One row for each row of `u`, whose states are by row here, holding S_ij of each pair of nodes
    /// j < i, row by row. `None`: its K_g is not of this kind.
    fn nodal_geometric_stiffness(&self, _u: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        None
    }

    /// Length of a line element, area of a surface element: what a non-structural mass given as a total
    /// (NSML) is spread over. 0: it takes none.
    fn measure(&self) -> f64 {
        0.0
    }
}

/// What an element needs besides its own card.
#[derive(Clone, Copy, Debug)]
pub struct ElementContext<'a> {
    /// The mesh.
    pub mesh: &'a LinkMesh,
    /// Mass per length or area that the subcase's NSM set adds to this element.
    pub extra_nsm: f64,
}

/// Builds the element `which`. A bad one (collapsed, inside out, without a usable material) is a diagnostic
/// with the location of its card.
pub type BuildElement = fn(ElementContext<'_>, ElementRef) -> Result<Box<dyn Element>, Box<Diagnostic>>;
