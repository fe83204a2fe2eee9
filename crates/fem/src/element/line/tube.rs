//! PTUBE: a round tube whose outer diameter may vary from end to end at constant wall thickness.
//!
//! Flexibilities and masses are integrated along the length, so that a tapered tube is exact for forces at
//! its ends. (The mean diameter that MSC's guide gives for conduction follows from the same ∫dx/A.)

use std::f64::consts::PI;

use nalgebra::Matrix2;
use pliant_diag::Diagnostic;
use pliant_mesh::property::TubeProperty;

use super::quadrature::{PointCount, gauss};
use super::rod::RodLine;

/// A and J at diameter `d`; no wall thickness means a solid circle.
fn section(d: f64, thickness: f64) -> (f64, f64) {
    let inner = if thickness == 0.0 { 0.0 } else { d - 2.0 * thickness };
    (PI / 4.0 * (d * d - inner * inner), PI / 32.0 * (d.powi(4) - inner.powi(4)))
}

/// The tube over its length.
///
/// # Errors
/// A diameter that is not positive, or a wall thicker than the radius.
pub(super) fn tube_line(
    [e, g, rho]: [f64; 3],
    tube: &TubeProperty,
    extra_nsm: f64,
    length: f64,
) -> Result<RodLine, Box<Diagnostic>> {
    let [a, b] = tube.outer_diameter;
    let thickness = tube.thickness;
    if !(a > 0.0 && b > 0.0 && thickness >= 0.0 && 2.0 * thickness <= a.min(b)) {
        return Err(Diagnostic::boxed(format!(
            "the wall of the tube must be at most half of its outer diameters {a} and {b}, found {thickness}"
        )));
    }
    let nsm = tube.nsm + extra_nsm;
    let mut line = RodLine {
        axial_stiffness: 0.0,
        torsional_stiffness: 0.0,
        mass: Matrix2::zeros(),
        polar: Matrix2::zeros(),
    };
    let (mut axial, mut torsional) = (0.0, 0.0);
    // J varies with the fourth power: pieces within which the diameter varies little keep 1/J close to a
    // polynomial.
    let pieces = ((b / a).ln().abs() / 0.2).ceil().max(1.0);
    for piece in 0..pieces as usize {
        let (from, to) = (piece as f64 / pieces, (piece + 1) as f64 / pieces);
        for (xi, weight) in gauss(PointCount::Eight, from, to) {
            let (area, torsion_constant) = section(a + xi * (b - a), thickness);
            let ds = weight * length;
            axial += ds / (e * area);
            torsional += ds / (g * torsion_constant);
            let linear = Matrix2::new((1.0 - xi).powi(2), xi * (1.0 - xi), xi * (1.0 - xi), xi * xi) * ds;
            line.mass += linear * (rho * area + nsm);
            line.polar += linear * (rho * torsion_constant);
        }
    }
    line.axial_stiffness = 1.0 / axial;
    line.torsional_stiffness = 1.0 / torsional;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_tube_is_that_of_the_handbook() {
        let tube = TubeProperty { outer_diameter: [0.06; 2], thickness: 0.003, nsm: 0.5 };
        let line = tube_line([2e11, 8e10, 7800.0], &tube, 0.0, 2.0).unwrap();
        let area = PI * (0.06 - 0.003) * 0.003;
        let polar = PI / 32.0 * (0.06f64.powi(4) - 0.054f64.powi(4));
        assert!((line.axial_stiffness / (2e11 * area / 2.0) - 1.0).abs() < 1e-13);
        assert!((line.torsional_stiffness / (8e10 * polar / 2.0) - 1.0).abs() < 1e-13);
        assert!((line.mass.sum() / (2.0 * (7800.0 * area + 0.5)) - 1.0).abs() < 1e-13);
    }

    /// ∫dx/A of a cone shell, A = πT(D − T): L ln((D₂−T)/(D₁−T)) / (πT(D₂−D₁)); of a solid cone L / (π/4
    /// D₁D₂).
    #[test]
    fn tapered_tubes_have_closed_forms() {
        let (d1, d2, t, length) = (0.04, 0.10, 0.004, 1.5);
        let shell = TubeProperty { outer_diameter: [d1, d2], thickness: t, nsm: 0.0 };
        let line = tube_line([1.0, 1.0, 1.0], &shell, 0.0, length).unwrap();
        let exact: f64 = length * ((d2 - t) / (d1 - t)).ln() / (PI * t * (d2 - d1));
        assert!((line.axial_stiffness * exact - 1.0).abs() < 1e-12);
        let solid = TubeProperty { outer_diameter: [d1, d2], thickness: 0.0, nsm: 0.0 };
        let line = tube_line([1.0, 1.0, 1.0], &solid, 0.0, length).unwrap();
        assert!((line.axial_stiffness * length / (PI / 4.0 * d1 * d2) - 1.0).abs() < 1e-12);
        // Torsion of a solid cone: ∫dx/J = 32 L (d1² + d1 d2 + d2²) / (3π d1³ d2³).
        let exact = 32.0 * length * (d1 * d1 + d1 * d2 + d2 * d2) / (3.0 * PI * (d1 * d2).powi(3));
        assert!((line.torsional_stiffness * exact - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_wall_thicker_than_the_radius_is_refused() {
        let tube = TubeProperty { outer_diameter: [0.06; 2], thickness: 0.031, nsm: 0.0 };
        assert!(tube_line([1.0; 3], &tube, 0.0, 1.0).is_err());
    }
}
