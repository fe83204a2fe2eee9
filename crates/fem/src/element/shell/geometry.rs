//! Frames, material axes, and which grids hold the rotation about the normal.

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_mesh::element::MaterialDirection;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

use super::joint::ShellJoints;

/// Plane of a flat triangle or quadrilateral: columns x, y, z. z is normal to the plane of the sides (of the diagonals for a
/// quadrilateral, which runs midway between its corners); x is along side G1–G2 of a triangle and midway between the diagonals G1–G3 and
/// G4–G2 of a quadrilateral, as Nastran has it: with another corner first it is one of the same four directions.
///
/// `None` when the element has no area.
pub(super) fn plane_frame(positions: &[Vector3<f64>]) -> Option<Matrix3<f64>> {
    let from = |i: usize, j: usize| positions[j] - positions[i];
    let scale = positions.iter().map(|p| (p - positions[0]).norm_squared()).fold(0.0, f64::max);
    let normal =
        if positions.len() == 4 { from(0, 2).cross(&from(1, 3)) } else { from(0, 1).cross(&from(0, 2)) };
    let z = normal.try_normalize(1e-12 * scale)?;
    let x = if positions.len() == 4 { from(0, 2).normalize() + from(3, 1).normalize() } else { from(0, 1) };
    surface_frame(x, z)
}

/// Columns x, y, z with z the unit normal and x along the projection of a direction.
pub(super) fn surface_frame(direction: Vector3<f64>, z: Vector3<f64>) -> Option<Matrix3<f64>> {
    let x = (direction - z * z.dot(&direction)).try_normalize(1e-12 * direction.norm())?;
    Some(Matrix3::from_columns(&[x, z.cross(&x), z]))
}

/// Angle (radians) from the x axis of `frame` to the material x axis; `side` is that to side G1–G2, from which THETA counts.
///
/// `None` when the axis of the material frame is normal to the element.
pub(super) fn material_angle(
    mesh: &LinkMesh,
    direction: MaterialDirection,
    frame: &Matrix3<f64>,
    side: f64,
) -> Option<f64> {
    match direction {
        MaterialDirection::Angle(degrees) => Some(side + degrees.to_radians()),
        MaterialDirection::Frame(index) => {
            let axis = frame.transpose() * mesh.coordinates[index.index()].axes.column(0);
            (axis.xy().norm() > 1e-6).then(|| axis.y.atan2(axis.x))
        }
    }
}

/// True when every one of the nodes has its rotation about `normal` held by its GRID card or by an SPC.
///
/// That is how decks take the drilling rotation of flat plates out; there it must not stiffen the membrane. A clamped
/// or symmetric edge holds it too, but not at all nodes of an element that can deform.
pub(super) fn drilling_held(
    mesh: &LinkMesh,
    joints: &ShellJoints,
    nodes: &[NodeIndex],
    normal: Vector3<f64>,
) -> bool {
    nodes.iter().all(|index| {
        let node = mesh.node(*index);
        let triad = mesh.coordinates[node.displacement_frame.index()].triad_at(node.position);
        let local = triad.transpose() * normal;
        let needed = (0..3)
            .filter(|k| local[*k].abs() > 1e-6)
            .fold(Components::NONE, |set, k| set.with(Component::from_row(3 + k)));
        let held = joints.held(mesh, *index);
        needed.iter().all(|c| held.contains(c))
    })
}

/// P = I − R(GR)⁻¹G: takes rigid-body motion of the nodes at `positions` (about their mean) out of 6 components per
/// node. PᵀKP then is free of strain under rigid motion of a warped element even though K belongs to its flat
/// projection, and its forces are in equilibrium (C. C. Rankin and B. Nour-Omid, "The use of projectors to improve finite element
/// performance", Computers & Structures 30 (1988) 257–267). G fits the rigid motion to the translations.
pub(super) fn projector(positions: &[Vector3<f64>]) -> DMatrix<f64> {
    let count = positions.len();
    let mean = positions.iter().sum::<Vector3<f64>>() / count as f64;
    let mut R = DMatrix::zeros(6 * count, 6);
    let mut G = DMatrix::zeros(6, 6 * count);
    for (i, p) in positions.iter().enumerate() {
        let cross = -(p - mean).cross_matrix();
        R.view_mut((6 * i, 0), (3, 3)).fill_with_identity();
        R.view_mut((6 * i, 3), (3, 3)).copy_from(&cross);
        R.view_mut((6 * i + 3, 3), (3, 3)).fill_with_identity();
        G.view_mut((0, 6 * i), (3, 3)).fill_with_identity();
        G.view_mut((3, 6 * i), (3, 3)).copy_from(&cross.transpose());
    }
    let inverse = (&G * &R).try_inverse().expect("invariant: an element with area fixes its rotation");
    DMatrix::identity(6 * count, 6 * count) - R * inverse * G
}

/// T with u(plane) = T u(grid): every node carried by `height` along the local z axis, u → u + θ × (height·z).
pub(super) fn offset(count: usize, height: f64) -> DMatrix<f64> {
    let mut T = DMatrix::identity(6 * count, 6 * count);
    for i in 0..count {
        T[(6 * i, 6 * i + 4)] = height;
        T[(6 * i + 1, 6 * i + 3)] = -height;
    }
    T
}

/// K from local to basic axes: each triple of rows and columns is turned by `frame`.
pub(super) fn to_basic(K: &DMatrix<f64>, frame: &Matrix3<f64>) -> DMatrix<f64> {
    let triples = K.nrows() / 3;
    let mut turned = DMatrix::zeros(K.nrows(), K.ncols());
    for i in 0..triples {
        for j in 0..triples {
            let block = frame * K.fixed_view::<3, 3>(3 * i, 3 * j) * frame.transpose();
            turned.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
        }
    }
    turned
}

/// Rows over local components as rows over basic ones: each triple of columns is turned by `frame`.
pub(super) fn columns_to_basic(rows: &mut DMatrix<f64>, frame: &Matrix3<f64>) {
    for first in (0..rows.ncols()).step_by(3) {
        let turned = rows.fixed_columns::<3>(first) * frame.transpose();
        rows.fixed_columns_mut::<3>(first).copy_from(&turned);
    }
}
