//! Planes and cylinders through points.

use nalgebra::{Matrix3, Matrix5, Vector3, Vector5};

/// A surface is found when no point is farther from it than this part of its size: nodes lie on the surfaces
/// of a part within the tolerance of its modeller, 1e-7 of a length as a rule.
const TOLERANCE: f64 = 1e-5;

/// The plane through points with about this normal: its normal.
pub(crate) fn plane(points: &[Vector3<f64>], normal: Vector3<f64>) -> Option<Vector3<f64>> {
    let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
    let normal = normal.try_normalize(0.0)?;
    let size = points.iter().map(|x| (x - mean).norm()).fold(0.0, f64::max);
    points.iter().all(|x| (x - mean).dot(&normal).abs() <= TOLERANCE * size).then_some(normal)
}

/// A cylinder without ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) point: Vector3<f64>,
    pub(crate) direction: Vector3<f64>,
    pub(crate) radius: f64,
}

impl Axis {
    /// From the axis to a point, across it.
    pub(crate) fn across(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let from = x - self.point;
        from - self.direction * self.direction.dot(&from)
    }
}

/// The cylinder through points, from the normals of facets between them (with the lengths of their areas):
/// the axis lies across all normals, to begin with; then Gauss–Newton on the distances.
pub(crate) fn cylinder(points: &[Vector3<f64>], normals: &[Vector3<f64>]) -> Option<Axis> {
    if points.len() < 6 {
        return None;
    }
    let squares: Matrix3<f64> =
        normals.iter().filter_map(|n| n.try_normalize(0.0).map(|u| u * u.transpose() * n.norm())).sum();
    let eigen = squares.symmetric_eigen();
    let direction = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
    let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
    let mut axis = start(points, mean, direction)?;
    for _ in 0..50 {
        let e1 = direction_across(&axis.direction);
        let e2 = axis.direction.cross(&e1);
        let (mut JJ, mut Jf) = (Matrix5::zeros(), Vector5::zeros());
        for x in points {
            let d = axis.across(x);
            let unit = d.try_normalize(0.0)?;
            let along = axis.direction.dot(&(x - axis.point));
            let (a, b) = (unit.dot(&e1), unit.dot(&e2));
            let J = Vector5::new(-a, -b, -along * a, -along * b, -1.0);
            JJ += J * J.transpose();
            Jf += J * (d.norm() - axis.radius);
        }
        let step = JJ.svd(true, true).solve(&Jf, 1e-12).ok()?;
        axis.point -= e1 * step[0] + e2 * step[1];
        axis.direction = (axis.direction - e1 * step[2] - e2 * step[3]).normalize();
        axis.radius -= step[4];
        if step.norm() <= 1e-13 * axis.radius.abs() {
            break;
        }
    }
    let fits = |x: &Vector3<f64>| (axis.across(x).norm() - axis.radius).abs() <= TOLERANCE * axis.radius;
    // A strip so narrow that any cylinder fits it is none.
    (axis.radius > 0.0 && points.iter().all(fits)).then_some(axis)
}

/// The circle through the points seen along a direction: linear in its centre and in r² − c².
fn start(points: &[Vector3<f64>], mean: Vector3<f64>, direction: Vector3<f64>) -> Option<Axis> {
    let e1 = direction_across(&direction);
    let e2 = direction.cross(&e1);
    let (mut A, mut b) = (Matrix3::zeros(), Vector3::zeros());
    for x in points {
        let (u, v) = ((x - mean).dot(&e1), (x - mean).dot(&e2));
        let row = Vector3::new(2.0 * u, 2.0 * v, 1.0);
        A += row * row.transpose();
        b += row * (u * u + v * v);
    }
    let c = A.svd(true, true).solve(&b, 1e-12).ok()?;
    let radius = (c[2] + c[0] * c[0] + c[1] * c[1]).max(0.0).sqrt();
    (radius.is_finite() && radius > 0.0).then(|| Axis {
        point: mean + e1 * c[0] + e2 * c[1],
        direction,
        radius,
    })
}

/// A unit vector across another.
pub(crate) fn direction_across(direction: &Vector3<f64>) -> Vector3<f64> {
    let axis = Vector3::ith(direction.iamin(), 1.0);
    direction.cross(&axis).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cylinder_is_found_to_the_last_digits_and_a_cone_is_not() {
        let direction = Vector3::new(1.0, 2.0, -0.5).normalize();
        let (e1, centre) = (direction_across(&direction), Vector3::new(30.0, -4.0, 7.0));
        let e2 = direction.cross(&e1);
        let at = |k: usize, z: f64, r: f64| {
            let angle = 0.5 * k as f64;
            centre + direction * z + (e1 * angle.cos() + e2 * angle.sin()) * r
        };
        let points: Vec<_> = (0..13).flat_map(|k| [at(k, 0.1 * k as f64, 8.0), at(k, 20.0, 8.0)]).collect();
        // Facets of a coarse mesh are a few degrees off.
        let normals: Vec<_> = (0..12).map(|k| at(k, 0.4, 1.0) - centre).collect();
        let axis = cylinder(&points, &normals).unwrap();
        assert!((axis.radius - 8.0).abs() < 1e-9 && axis.across(&centre).norm() < 1e-9);
        assert!(axis.direction.cross(&direction).norm() < 1e-10);
        let cone: Vec<_> = (0..13).flat_map(|k| [at(k, 0.0, 8.0), at(k, 20.0, 8.1)]).collect();
        assert_eq!(cylinder(&cone, &normals), None);
        assert!(plane(&points, direction).is_none());
    }
}
