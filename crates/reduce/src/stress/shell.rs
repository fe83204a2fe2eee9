//! Rows of shells.

use nalgebra::Vector3;
use pliant_fem::element::ShellForces;

use super::StressKind;

/// Stress at both faces in the middle of the element, in element axes: the mean of its points.
///
/// σ(∓t/2) = N/t ∓ 6M/t² with the resultants about the middle of the plate. `None` for a laminate, whose plies each have a stress of
/// their own, and for a membrane without thickness.
pub(super) fn rows(points: &[ShellForces], pressure: f64) -> Option<(StressKind, Vec<f64>)> {
    if points.is_empty() || points.iter().any(|point| point.thickness <= 0.0) {
        return None;
    }
    let (mut bottom, mut top) = (Vector3::zeros(), Vector3::zeros());
    for point in points {
        let t = point.thickness;
        // From the surface that M is about to the middle of the plate.
        let middle = point.offset - point.height;
        let moment = point.moment - point.membrane * middle;
        let (membrane, bending) = (point.membrane / t, moment * (6.0 / (t * t)));
        bottom += membrane - bending;
        top += membrane + bending;
    }
    let scale = pressure / points.len() as f64;
    Some((StressKind::Shell, bottom.iter().chain(top.iter()).map(|s| s * scale).collect()))
}
