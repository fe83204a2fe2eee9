//! Cross-sections of built-in beams.

use std::f64::consts::PI;

use crate::request::Section;

/// The numbers of a section: plane 1 is element x–y, plane 2 element x–z. SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionNumbers {
    /// Area.
    pub area: f64,
    /// Second moment for bending in plane 1.
    pub i1: f64,
    /// Second moment for bending in plane 2.
    pub i2: f64,
    /// Torsion constant.
    pub j: f64,
    /// Shear factors in planes 1 and 2; `None`: no shear flexibility.
    pub k: Option<[f64; 2]>,
    /// Stress points (y, z), as Nastran has them: the ends of the axes of a round section, the corners of a
    /// rectangle. On the axis of a section given by its values, of which no more is known.
    pub points: [[f64; 2]; 4],
}

/// The numbers of a section. Shear factors are Cowper's (*The shear coefficient in Timoshenko's beam theory*,
/// J. Appl. Mech. 33, 1966); the torsion constant of a solid rectangle is Roark's, of a box Bredt's.
pub fn section_numbers(section: &Section, nu: f64) -> SectionNumbers {
    match *section {
        Section::Tube { od, t } => round(od, od - 2.0 * t, nu),
        Section::Rod { diameter } => round(diameter, 0.0, nu),
        Section::Box { width, height, t } => hollow_box(width, height, t, nu),
        Section::Bar { width, height } => rectangle(width, height, nu),
        Section::Values { area, i1, i2, j, k } => {
            SectionNumbers { area, i1, i2, j, k, points: [[0.0; 2]; 4] }
        }
    }
}

fn round(outer: f64, inner: f64, nu: f64) -> SectionNumbers {
    let i = PI / 64.0 * (outer.powi(4) - inner.powi(4));
    let m2 = (inner / outer).powi(2);
    let sum = (1.0 + m2).powi(2);
    let k = 6.0 * (1.0 + nu) * sum / ((7.0 + 6.0 * nu) * sum + (20.0 + 12.0 * nu) * m2);
    SectionNumbers {
        area: PI / 4.0 * (outer.powi(2) - inner.powi(2)),
        i1: i,
        i2: i,
        j: 2.0 * i,
        k: Some([k, k]),
        points: [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(|p| p.map(|x| 0.5 * outer * x)),
    }
}

fn rectangle(width: f64, height: f64, nu: f64) -> SectionNumbers {
    let (long, short) = (width.max(height), width.min(height));
    let ratio = short / long;
    let j = long * short.powi(3) * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio.powi(4) / 12.0));
    let k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    SectionNumbers {
        area: width * height,
        i1: width * height.powi(3) / 12.0,
        i2: height * width.powi(3) / 12.0,
        j,
        k: Some([k, k]),
        points: corners(width, height),
    }
}

fn hollow_box(width: f64, height: f64, t: f64, nu: f64) -> SectionNumbers {
    let (inner_width, inner_height) = (width - 2.0 * t, height - 2.0 * t);
    let (mid_width, mid_height) = (width - t, height - t);
    // Cowper's thin-walled box: webs along the load, m = flange area over web area, n = width over height.
    let shear = |along: f64, across: f64| {
        let (m, n) = (across / along, across / along);
        let numerator = 10.0 * (1.0 + nu) * (1.0 + 3.0 * m).powi(2);
        let stiff = 12.0 + 72.0 * m + 150.0 * m.powi(2) + 90.0 * m.powi(3);
        let poisson = nu * (11.0 + 66.0 * m + 135.0 * m.powi(2) + 90.0 * m.powi(3));
        let flange = 10.0 * n.powi(2) * ((3.0 + nu) * m + 3.0 * m.powi(2));
        numerator / (stiff + poisson + flange)
    };
    SectionNumbers {
        area: width * height - inner_width * inner_height,
        i1: (width * height.powi(3) - inner_width * inner_height.powi(3)) / 12.0,
        i2: (height * width.powi(3) - inner_height * inner_width.powi(3)) / 12.0,
        j: 2.0 * t * (mid_width * mid_height).powi(2) / (mid_width + mid_height),
        k: Some([shear(mid_height, mid_width), shear(mid_width, mid_height)]),
        points: corners(width, height),
    }
}

/// Corners of a rectangle whose height lies along y.
fn corners(width: f64, height: f64) -> [[f64; 2]; 4] {
    [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]].map(|[y, z]| [y * height, z * width])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shear_factors_are_the_published_ones() {
        // Cowper's table at ν = 0.3: circle 0.886, thin round tube 0.531, rectangle 0.850, thin square tube
        // 0.436.
        assert!((round(1.0, 0.0, 0.3).k.unwrap()[0] - 0.8864).abs() < 5e-5);
        assert!((round(1.0, 0.9999, 0.3).k.unwrap()[0] - 0.531).abs() < 5e-4);
        assert!((rectangle(1.0, 2.0, 0.3).k.unwrap()[0] - 0.850).abs() < 5e-4);
        assert!((hollow_box(1.0, 1.0, 1e-6, 0.3).k.unwrap()[0] - 0.436).abs() < 5e-4);
    }

    /// With the second moments they give the section moduli of the handbooks: πd³/32 of a circle, bh²/6 of a
    /// rectangle.
    #[test]
    fn stress_points_are_the_outermost() {
        let circle = round(0.2, 0.0, 0.3);
        assert!((circle.i1 / circle.points[0][0] / (PI * 0.008 / 32.0) - 1.0).abs() < 1e-14);
        for section in [rectangle(0.02, 0.06, 0.3), hollow_box(0.02, 0.06, 0.001, 0.3)] {
            assert_eq!((section.points[0], section.points[2]), ([0.03, 0.01], [-0.03, -0.01]));
        }
        let bar = rectangle(0.02, 0.06, 0.3);
        assert!((bar.i1 / bar.points[0][0] / (0.02 * 0.06 * 0.06 / 6.0) - 1.0).abs() < 1e-14);
        assert!((bar.i2 / bar.points[0][1] / (0.06 * 0.02 * 0.02 / 6.0) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn second_moments_and_torsion_constants() {
        // Roark, table of torsion constants: square 0.1406 a⁴ (2.25 (a/2)⁴), 2:1 rectangle 0.229 a b³.
        assert!((rectangle(1.0, 1.0, 0.3).j - 0.1406).abs() < 3e-4);
        assert!((rectangle(2.0, 1.0, 0.3).j / 2.0 - 0.229).abs() < 5e-4);
        let tube = round(0.1, 0.094, 0.3);
        // The tubes of Naganathan's stiff arm and of the 3R arm: 100/94 mm.
        assert!((tube.area - 914.2e-6).abs() < 1e-7 && (tube.i1 - 1.0763e-6).abs() < 1e-9);
    }
}
