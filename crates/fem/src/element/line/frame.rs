//! Axes, ends and offsets of a line element, and what its end displacements are in terms of its grids.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};
use pliant_mesh::{Component, NodeIndex};

use crate::element::ElementDof;

/// 12×12, in the order of two nodes with six components each.
pub(in crate::element) type Matrix12 = SMatrix<f64, 12, 12>;

/// Why a line element has no axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::element) enum FrameError {
    /// Its ends coincide.
    NoLength,
    /// The orientation vector lies along it, or is zero.
    VectorAlongAxis,
}

impl FrameError {
    /// For a diagnostic.
    pub(in crate::element) fn message(self) -> &'static str {
        match self {
            Self::NoLength => "the two ends coincide",
            Self::VectorAlongAxis => "the orientation vector is zero or lies along the element",
        }
    }

    /// For a diagnostic.
    pub(in crate::element) fn hint(self) -> &'static str {
        match self {
            Self::NoLength => "move a grid or an offset, or join the grids with an RBE2 or a CBUSH",
            Self::VectorAlongAxis => {
                "plane 1 is spanned by the element axis and this vector; give one across the axis"
            }
        }
    }
}

/// Frame E of a line element: x from end A to end B, y in plane 1, z = x × y.
#[derive(Clone, Debug)]
pub(in crate::element) struct LineFrame {
    /// Columns are the axes in the basic frame.
    pub(in crate::element) axes: Matrix3<f64>,
    /// From end A to end B.
    pub(in crate::element) length: f64,
    /// From each grid to its end, basic frame.
    pub(in crate::element) offsets: [Vector3<f64>; 2],
}

impl LineFrame {
    /// From grid positions, offsets and a vector of plane 1, all in the basic frame.
    ///
    /// # Errors
    /// When the ends coincide, or the vector does not span a plane with the axis.
    pub(in crate::element) fn new(
        grids: [Vector3<f64>; 2],
        offsets: [Vector3<f64>; 2],
        plane_1: Vector3<f64>,
    ) -> Result<Self, FrameError> {
        let (x, length) = axis(grids[0] + offsets[0], grids[1] + offsets[1])?;
        let z = x.cross(&plane_1);
        // Below an angle of 1e-8 the plane is rounding, not intent.
        if z.norm() <= 1e-8 * plane_1.norm() {
            return Err(FrameError::VectorAlongAxis);
        }
        let z = z.normalize();
        Ok(Self { axes: Matrix3::from_columns(&[x, z.cross(&x), z]), length, offsets })
    }

    /// T of d_E = T d: end displacements in E from grid displacements in the basic frame,
    /// u_E = Qᵀ(u + θ × w), θ_E = Qᵀθ with the axes Q and the offset w.
    pub(in crate::element) fn transform(&self) -> Matrix12 {
        let to_element = self.axes.transpose();
        let mut T = Matrix12::zeros();
        for (node, offset) in self.offsets.iter().enumerate() {
            let first = 6 * node;
            T.fixed_view_mut::<3, 3>(first, first).copy_from(&to_element);
            T.fixed_view_mut::<3, 3>(first + 3, first + 3).copy_from(&to_element);
            T.fixed_view_mut::<3, 3>(first, first + 3).copy_from(&(-to_element * offset.cross_matrix()));
        }
        T
    }
}

/// Unit vector and distance from `a` to `b`.
///
/// # Errors
/// [`FrameError::NoLength`] when they coincide to rounding.
pub(in crate::element) fn axis(a: Vector3<f64>, b: Vector3<f64>) -> Result<(Vector3<f64>, f64), FrameError> {
    let length = (b - a).norm();
    if length <= 1e-13 * (a.norm() + b.norm()) {
        return Err(FrameError::NoLength);
    }
    Ok(((b - a) / length, length))
}

/// Components 1 to `count` of each node.
pub(in crate::element) fn node_dofs(nodes: &[NodeIndex], count: usize) -> Vec<ElementDof> {
    nodes
        .iter()
        .flat_map(|node| {
            (0..count).map(|row| ElementDof { node: *node, component: Component::from_row(row) })
        })
        .collect()
}

/// TᵀAT, symmetric to the last bit.
pub(in crate::element) fn turned(A: &Matrix12, T: &Matrix12) -> DMatrix<f64> {
    let A = T.transpose() * A * T;
    DMatrix::from_fn(12, 12, |i, j| 0.5 * (A[(i, j)] + A[(j, i)]))
}
