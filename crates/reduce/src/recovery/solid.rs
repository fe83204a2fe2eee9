//! Rows of solids.

use nalgebra::{Matrix3, Matrix4, Vector3, Vector4, Vector6};
use pliant_fem::element::SolidStress;
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;

use super::{Column, Quantity, RowKind};

/// Stress or strain at the centroid (mean by volume) and at the corners (from the linear field that fits the
/// integration points best), in link axes, times `scale`.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    points: &[SolidStress],
    axes: &Matrix3<f64>,
    quantity: Quantity,
    scale: f64,
) -> Option<Column> {
    let ElementRef::Solid(row) = which else { return None };
    let solid = &mesh.solids[row as usize];
    let corners = solid.shape.corner_count();
    let volume: f64 = points.iter().map(|p| p.volume).sum();
    let weighted = |of: &dyn Fn(&SolidStress) -> Vector3<f64>| {
        points.iter().map(|p| of(p) * p.volume).sum::<Vector3<f64>>() / volume
    };
    // The components of the tensor: half of γ.
    let tensor = |p: &SolidStress| match quantity {
        Quantity::Stress => p.stress,
        Quantity::Strain => p.strain.component_mul(&Vector6::new(1.0, 1.0, 1.0, 0.5, 0.5, 0.5)),
    };
    let values: Vec<Vector6<f64>> = points.iter().map(tensor).collect();
    let centre = weighted(&|p| p.position);
    let mean = points.iter().zip(&values).map(|(p, value)| value * p.volume).sum::<Vector6<f64>>() / volume;
    // Least squares in 1, x, y, z about the centre. One point, or points in a plane, give the mean.
    let row = |x: Vector3<f64>| Vector4::new(1.0, x.x, x.y, x.z);
    let normal: Matrix4<f64> =
        points.iter().map(|p| row(p.position - centre) * row(p.position - centre).transpose()).sum();
    let size = points.iter().map(|p| (p.position - centre).norm()).fold(0.0, f64::max);
    let scaled = Matrix4::from_diagonal(&Vector4::new(1.0, size, size, size));
    let inverse = if points.len() >= 4 && size > 0.0 { scale_inverse(&normal, &scaled) } else { None };
    let at = |x: Vector3<f64>| match &inverse {
        Some(inverse) => {
            let weights = inverse * row(x - centre);
            let share = |p: &SolidStress| weights.dot(&row(p.position - centre));
            points.iter().zip(&values).map(|(p, value)| value * share(p)).sum()
        }
        None => mean,
    };
    let nodes = &mesh.nodes_of_solid(solid)[..corners];
    let at_corners = nodes.iter().map(|node| at(mesh.node(*node).position));
    let shear = if quantity == Quantity::Strain { 2.0 * scale } else { scale };
    let scales = [scale, scale, scale, shear, shear, shear];
    let all = std::iter::once(mean).chain(at_corners).map(|s| turned(&s, axes));
    let rows = all.flat_map(|s| std::array::from_fn::<f64, 6, _>(|i| s[i] * scales[i])).collect();
    Some((RowKind::Solid { corners }, rows))
}

/// The inverse of a matrix whose entries have different units, `None` when it is nearly singular.
fn scale_inverse(normal: &Matrix4<f64>, scale: &Matrix4<f64>) -> Option<Matrix4<f64>> {
    let unscale = scale.try_inverse()?;
    let plain = unscale * normal * unscale;
    (plain.determinant().abs() > 1e-9 * plain.amax().powi(4))
        .then(|| plain.try_inverse())?
        .map(|inv| unscale * inv * unscale)
}

/// A tensor in the axes that are the columns of `axes`: AᵀσA.
fn turned(s: &Vector6<f64>, axes: &Matrix3<f64>) -> [f64; 6] {
    let tensor = Matrix3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
    let t = axes.transpose() * tensor * axes;
    [t[(0, 0)], t[(1, 1)], t[(2, 2)], t[(0, 1)], t[(1, 2)], t[(2, 0)]]
}
