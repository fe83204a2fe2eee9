//! The library against sums over a fine grid of points, textbook values and symmetry.

use super::*;

/// Dimensions of a sensible section of each type.
const EXAMPLES: &[(&str, &[f64])] = &[
    ("ROD", &[1.3]),
    ("TUBE", &[1.3, 0.9]),
    ("TUBE2", &[1.3, 0.4]),
    ("BAR", &[0.7, 2.1]),
    ("HEXA", &[0.4, 2.0, 1.5]),
    ("I", &[3.0, 2.0, 1.4, 0.2, 0.3, 0.25]),
    ("I1", &[1.6, 0.2, 2.4, 3.0]),
    ("H", &[1.5, 0.5, 2.0, 0.3]),
    ("T", &[2.0, 2.5, 0.3, 0.25]),
    ("T1", &[2.0, 1.8, 0.3, 0.25]),
    ("T2", &[2.0, 2.5, 0.3, 0.25]),
    ("CROSS", &[1.6, 0.3, 2.2, 0.35]),
    ("Z", &[0.9, 0.2, 1.6, 2.1]),
    ("L", &[1.5, 2.2, 0.2, 0.25]),
    ("CHAN", &[1.2, 2.4, 0.2, 0.3]),
    ("CHAN1", &[1.0, 0.2, 1.9, 2.4]),
    ("CHAN2", &[0.2, 0.25, 1.3, 2.0]),
    ("HAT", &[1.2, 0.15, 1.4, 0.5]),
    ("BOX", &[2.0, 1.5, 0.2, 0.3]),
    ("BOX1", &[2.0, 1.5, 0.2, 0.25, 0.3, 0.35]),
    ("HAT1", &[2.4, 1.3, 1.2, 0.15, 0.2]),
    ("DBOX", &[3.0, 1.5, 1.3, 0.2, 0.25, 0.3, 0.15, 0.2, 0.25, 0.3]),
];

fn numbers(name: &str, dimensions: &[f64]) -> SectionNumbers {
    section_type(name).unwrap().numbers(dimensions).unwrap()
}

#[test]
fn every_section_has_an_example() {
    for section in SECTIONS {
        let example = EXAMPLES.iter().find(|(name, _)| *name == section.name);
        assert_eq!(example.map(|(_, d)| d.len()), Some(section.dimension_count), "{}", section.name);
    }
}

/// A, I1, I2 and I12 by the midpoint rule on 1,500 × 1,500 cells, which does not know how the outline is made
/// up. The thinnest wall is 35 cells and each of its edges is off by up to half a cell: 3 %.
#[test]
fn integrals_agree_with_sampling() {
    for (name, dimensions) in EXAMPLES {
        let section = numbers(name, dimensions);
        let shape = (section_type(name).unwrap().build)(dimensions).unwrap();
        let (cells, reach) = (1500, 3.2);
        let step = 2.0 * reach / f64::from(cells);
        let at = |k: i32| -reach + (f64::from(k) + 0.5) * step;
        let mut sum = [0.0; 6];
        for a in 0..cells {
            for b in 0..cells {
                let (y, z) = (at(a), at(b));
                if shape.outline.contains(y, z) {
                    for (s, m) in sum.iter_mut().zip([1.0, y, z, y * y, z * z, y * z]) {
                        *s += m * step * step;
                    }
                }
            }
        }
        let [area, y, z, yy, zz, yz] = sum;
        let (y, z) = (y / area, z / area);
        let scale = section.i1 + section.i2;
        let near = |a: f64, b: f64, scale: f64| (a - b).abs() < 0.03 * scale;
        assert!(near(section.area, area, area), "{name} A {} {area}", section.area);
        assert!(near(section.i1, yy - area * y * y, scale), "{name} I1");
        assert!(near(section.i2, zz - area * z * z, scale), "{name} I2");
        assert!(
            near(section.i12, yz - area * y * z, scale),
            "{name} I12 {} {}",
            section.i12,
            yz - area * y * z
        );
    }
}

/// Areas as published for the same library in the pyNastran documentation, from formulas in DIMi.
#[test]
fn areas_are_the_published_ones() {
    let area = |name: &str| {
        let d = EXAMPLES.iter().find(|(n, _)| *n == name).unwrap().1;
        (numbers(name, d).area, d.to_vec())
    };
    let check = |name: &str, formula: fn(&[f64]) -> f64| {
        let (a, d) = area(name);
        assert!((a - formula(&d)).abs() < 1e-12 * a, "{name}: {a} {}", formula(&d));
    };
    check("I1", |d| d[1] * d[2] + (d[3] - d[2]) * (d[0] + d[1]));
    check("CHAN", |d| 2.0 * d[0] * d[3] + (d[1] - 2.0 * d[3]) * d[2]);
    check("CHAN2", |d| 2.0 * d[0] * d[2] + (d[3] - 2.0 * d[0]) * d[1]);
    check("CROSS", |d| d[1] * d[2] + d[0] * d[3]);
    check("H", |d| d[1] * d[2] + d[0] * d[3]);
    check("Z", |d| d[1] * d[2] + (d[3] - d[2]) * (d[0] + d[1]));
    check("HEXA", |d| (d[1] - 2.0 * d[0]) * d[2] + d[2] * d[0]);
    check("HAT", |d| d[1] * d[2] + 2.0 * (d[0] - d[1]) * d[1] + 2.0 * d[1] * d[3]);
    check("HAT1", |d| d[0] * d[4] + d[2] * d[3] + (d[0] - d[2]) * d[3] + 2.0 * (d[1] - d[4] - d[3]) * d[3]);
    check("DBOX", |d| {
        (d[1] * d[2] - (d[1] - d[6] - d[7]) * (d[2] - 0.5 * d[4] - d[3]))
            + ((d[0] - d[2]) * d[1] - (d[1] - d[8] - d[9]) * (d[0] - d[2] - 0.5 * d[4] - d[5]))
    });
}

#[test]
fn torsion_constants_are_the_textbook_ones() {
    // Square of side a: 0.1406 a⁴ (Timoshenko, Theory of Elasticity, table of torsion of rectangular bars).
    assert!((numbers("BAR", &[1.0, 1.0]).torsion_constant - 0.1406).abs() < 3e-4);
    // 1 × 10: 0.312·10 (same table).
    assert!((numbers("BAR", &[1.0, 10.0]).torsion_constant - 3.12).abs() < 0.02);
    // Thin square tube, Bredt: t·a³ with the middle line's side a.
    let thin = numbers("BOX", &[10.01, 10.01, 0.01, 0.01]).torsion_constant;
    assert!((thin / (0.01 * 1000.0) - 1.0).abs() < 1e-3, "{thin}");
    // A wall through the middle of a symmetric tube carries no shear flow.
    let two = numbers("DBOX", &[2.0, 1.0, 1.0, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01]).torsion_constant;
    let one = numbers("BOX", &[2.0, 1.0, 0.01, 0.01]).torsion_constant;
    assert!((two / one - 1.0).abs() < 0.01, "{two} {one}");
    assert!((numbers("ROD", &[2.0]).torsion_constant - 8.0 * std::f64::consts::PI).abs() < 1e-12);
}

#[test]
fn shear_centres_lie_where_they_belong() {
    // A channel's lies outside, beyond the web; a brimless hat is a channel on its back.
    let channel = numbers("CHAN", &[1.0, 2.0, 0.01, 0.01]);
    let offset = 3.0 * 1.0 / (6.0 + 2.0);
    assert!((channel.neutral_axis[1] - (offset + 1.0 / 4.0)).abs() < 0.02, "{:?}", channel.neutral_axis);
    let hat = numbers("HAT", &[1.0, 0.01, 2.0, 1e-6]);
    assert!((hat.neutral_axis[0] + offset + 1.0 / 4.0).abs() < 0.02, "{:?}", hat.neutral_axis);
    let equal = numbers("I", &[3.0, 2.0, 2.0, 0.2, 0.3, 0.3]);
    assert!(equal.neutral_axis[0].abs() < 1e-12, "doubly symmetric");
    for name in ["BOX", "H", "CROSS", "Z", "I1"] {
        let d = EXAMPLES.iter().find(|(n, _)| *n == name).unwrap().1;
        let n = numbers(name, d).neutral_axis;
        assert!(n[0].abs() + n[1].abs() < 1e-12, "{name}");
    }
}

#[test]
fn impossible_dimensions_are_refused() {
    for (name, dimensions) in [
        ("TUBE", &[1.0, 1.0][..]),
        ("TUBE2", &[1.0, 1.5]),
        ("BOX", &[1.0, 1.0, 0.5, 0.1]),
        ("I", &[1.0, 1.0, 1.0, 0.1, 0.5, 0.5]),
        ("HAT", &[1.0, 0.5, 1.0, 0.2]),
        ("DBOX", &[3.0, 1.5, 0.2, 0.2, 0.25, 0.3, 0.15, 0.2, 0.25, 0.3]),
    ] {
        assert!(section_type(name).unwrap().numbers(dimensions).is_err(), "{name}");
    }
}

/// The lines of every shape enclose its area.
#[test]
fn lines_enclose_the_area() {
    for (name, dimensions) in EXAMPLES {
        let shape = SECTIONS.iter().find(|shape| shape.name == *name).unwrap();
        let green = |corners: &[[f64; 2]]| {
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            0.5 * pairs.map(|([y, z], [yy, zz])| y * zz - yy * z).sum::<f64>().abs()
        };
        let loops = shape.loops(dimensions).unwrap();
        let sign = |is_hole: bool| if is_hole { -1.0 } else { 1.0 };
        let area: f64 = loops.iter().map(|line| sign(line.is_hole) * green(&line.corners)).sum();
        // A polygon of 24 corners has 0.989 of the area of its circle.
        assert!((area / numbers(name, dimensions).area - 1.0).abs() < 0.02, "{name}: {area}");
    }
}
