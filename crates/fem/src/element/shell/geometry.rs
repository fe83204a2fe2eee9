//! Frames, material axes, offsets and warp.

use nalgebra::{DMatrix, Matrix3, RowDVector, Vector3};
use pliant_mesh::element::MaterialDirection;
use pliant_mesh::{CoordinateSystem, LinkMesh};

use super::drilling::relative_rotations;
use super::flat::membrane_row;
use super::shape::flat;

/// Plane of a flat triangle or quadrilateral: columns x, y, z. z is normal to the plane of the sides (of the
/// diagonals for a quadrilateral, which runs midway between its corners); x is along side G1–G2 of a triangle
/// and midway between the diagonals G1–G3 and G4–G2 of a quadrilateral, as Nastran has it: with another
/// corner first it is one of the same four directions.
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

/// The first axis of a material frame (MCID) at a point, in the basic frame: x, or e_r of a cylindrical or
/// spherical system. Such systems stand for a rectangular one that depends on the location, its x axis along
/// r (Altair OptiStruct 2021, CORD2C, comment 5).
pub(super) fn material_axis(system: &CoordinateSystem, point: Vector3<f64>) -> Vector3<f64> {
    system.triad_at(point).column(0).into_owned()
}

/// Angle (radians) from the x axis of `frame` to the material x axis of an element with this centre; `side`
/// is that to side G1–G2, from which THETA counts.
///
/// `None` when the axis of the material frame is normal to the element.
pub(super) fn material_angle(
    mesh: &LinkMesh,
    direction: MaterialDirection,
    frame: &Matrix3<f64>,
    centre: Vector3<f64>,
    side: f64,
) -> Option<f64> {
    match direction {
        MaterialDirection::Angle(degrees) => Some(side + degrees.to_radians()),
        MaterialDirection::Frame(index) => {
            let axis = frame.transpose() * material_axis(&mesh.coordinates[index.index()], centre);
            (axis.xy().norm() > 1e-6).then(|| axis.y.atan2(axis.x))
        }
    }
}

/// T with u(flat) = T u(corner), 6 components per corner in the element frame: from the corners of a warped
/// quadrilateral at heights h to the flat one in its mean plane (R. H. MacNeal, "A simple quadrilateral shell
/// element", Computers & Structures 8 (1978) 175–183: forces in the plane act at distance h from the corners,
/// and the moments are carried by couples of normal forces). With the slopes of w at the centre and n_i the
/// normal of the corner's own two sides,
///
/// ```text
/// u_i ← u_i + h_i w,x    v_i ← v_i + h_i w,y    (θx, θy)_i ← (θx, θy)_i − (n_x, n_y)_i/n_zi · (θz_i − Ω_i)
/// ```
///
/// The last keeps a rotation about the corner's normal from bending the plate. Rigid motion stays rigid: in a
/// rotation about x or y the first two cancel u and v, in one about z the bracket is zero.
pub(super) fn warp(corners: &[Vector3<f64>]) -> DMatrix<f64> {
    let p: Vec<_> = corners.iter().map(Vector3::xy).collect();
    let count = p.len();
    let slopes = flat(&p, 0.0, 0.0).gradients;
    let mut T = DMatrix::identity(6 * count, 6 * count);
    for (i, corner) in corners.iter().enumerate() {
        for (j, g) in slopes.iter().enumerate() {
            T[(6 * i, 6 * j + 2)] += corner.z * g.x;
            T[(6 * i + 1, 6 * j + 2)] += corner.z * g.y;
        }
    }
    // Ω_i is that of the displaced flat corners: its rows act on what stands in T already.
    let rows = relative_rotations(&p);
    for i in 0..count {
        let (before, after) = (corners[(i + count - 1) % count], corners[(i + 1) % count]);
        let normal = (after - corners[i]).cross(&(before - corners[i]));
        let mut drilling = RowDVector::zeros(6 * count);
        for (j, value) in rows.row(i).iter().enumerate() {
            drilling += T.row(membrane_row(j)) * *value;
        }
        for k in 0..2 {
            let mut row = T.row_mut(6 * i + 3 + k);
            row -= &drilling * (normal[k] / normal.z);
        }
    }
    T
}

/// T with u(plane) = T u(grid): every node carried by `height` along the local z axis, u → u + θ ×
/// (height·z).
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
