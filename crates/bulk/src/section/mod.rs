//! The section library of PBARL and PBEAML: dimensions in, section numbers out.
//!
//! Sections stand in a y–z plane with y up and z to the right, as in the figures of the quick reference
//! guide. Area and moments of area are exact integrals over the outline. The torsion constant, the shear
//! factors and the shear centre are the engineering formulas of the original beam library (thin walls; the
//! part of the section that lies along the load carries the shear), as published in the NX Nastran Element
//! Library Reference, chapter "1D elements", for BAR, BOX, I, T, L and CHAN, and applied in the same way to
//! the other shapes. Circular sections: K = 0.9 for ROD (checked against Simcenter Nastran modes) and 0.5 for
//! tubes. Newer MSC versions solve the section by finite elements instead, which moves J, K1 and K2 by some
//! per cent for stocky open shapes.

mod channel;
mod closed;
mod open;
mod outline;
mod round;

pub use outline::{Outline, SectionLoop};

/// What the library works out for one set of dimensions. Lengths in deck units.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionNumbers {
    /// A.
    pub area: f64,
    /// I1 = ∫ y² dA about the centroid: bending in plane 1.
    pub i1: f64,
    /// I2 = ∫ z² dA about the centroid: bending in plane 2.
    pub i2: f64,
    /// I12 = ∫ y z dA about the centroid.
    pub i12: f64,
    /// J.
    pub torsion_constant: f64,
    /// K1: shear area over A in plane 1.
    pub k1: f64,
    /// K2: shear area over A in plane 2.
    pub k2: f64,
    /// (y, z) of the centroid from the shear centre: N1 and N2 of a PBEAM.
    pub neutral_axis: [f64; 2],
    /// Stress points C, D, E, F as (y, z) from the centroid, as a PBAR has them.
    pub stress_points: [[f64; 2]; 4],
    /// False where the shear centre is taken at the centroid although the shape is not symmetric.
    pub shear_centre_known: bool,
}

impl SectionNumbers {
    /// Stress points from the shear centre, as a PBEAM has them.
    pub fn beam_stress_points(&self) -> [[f64; 2]; 4] {
        self.stress_points.map(|[y, z]| [y + self.neutral_axis[0], z + self.neutral_axis[1]])
    }
}

/// A shape before its integrals are taken.
struct Shape {
    outline: Outline,
    torsion_constant: f64,
    /// Areas that carry the shear in planes 1 and 2.
    shear_areas: [f64; 2],
    /// In the axes of the outline; `None`: at the centroid, by symmetry.
    shear_centre: Option<[f64; 2]>,
    /// C, D, E, F in the axes of the outline.
    points: [[f64; 2]; 4],
    /// See [`SectionNumbers::shear_centre_known`].
    shear_centre_known: bool,
}

impl Shape {
    fn symmetric(
        outline: Outline,
        torsion_constant: f64,
        shear_areas: [f64; 2],
        points: [[f64; 2]; 4],
    ) -> Self {
        Self { outline, torsion_constant, shear_areas, shear_centre: None, points, shear_centre_known: true }
    }

    fn with_shear_centre(mut self, y: f64, z: f64) -> Self {
        self.shear_centre = Some([y, z]);
        self
    }

    fn without_shear_centre(mut self) -> Self {
        self.shear_centre_known = false;
        self
    }
}

/// Why the dimensions of a section make no sense, such as `DIM1 must be larger than 2·DIM4`.
type Refusal = &'static str;

/// One shape of the library.
pub struct SectionType {
    /// TYPE.
    pub name: &'static str,
    /// Number of dimensions.
    pub dimension_count: usize,
    /// True when only PBEAML knows it.
    pub beam_only: bool,
    build: fn(&[f64]) -> Result<Shape, Refusal>,
}

const fn section(
    name: &'static str,
    dimension_count: usize,
    build: fn(&[f64]) -> Result<Shape, Refusal>,
) -> SectionType {
    SectionType { name, dimension_count, beam_only: false, build }
}

/// Every shape of the quick reference guide.
pub const SECTIONS: &[SectionType] = &[
    section("ROD", 1, round::rod),
    section("TUBE", 2, round::tube),
    section("TUBE2", 2, round::tube2),
    section("BAR", 2, round::bar),
    section("HEXA", 3, round::hexa),
    section("I", 6, open::i),
    section("I1", 4, open::i1),
    section("H", 4, open::h),
    section("T", 4, open::t),
    section("T1", 4, open::t1),
    section("T2", 4, open::t2),
    section("CROSS", 4, open::cross),
    section("Z", 4, open::z),
    SectionType { name: "L", dimension_count: 4, beam_only: true, build: open::l },
    section("CHAN", 4, channel::chan),
    section("CHAN1", 4, channel::chan1),
    section("CHAN2", 4, channel::chan2),
    section("HAT", 4, channel::hat),
    section("BOX", 4, closed::box_),
    section("BOX1", 6, closed::box1),
    section("HAT1", 5, closed::hat1),
    section("DBOX", 10, closed::dbox),
];

/// The shape with a TYPE, such as `BOX`.
pub(crate) fn section_type(name: &str) -> Option<&'static SectionType> {
    SECTIONS.iter().find(|s| s.name == name)
}

impl SectionType {
    /// The lines around its area, (y, z) from the centroid in deck length units; `None` for dimensions that
    /// make no section.
    pub fn loops(&self, dimensions: &[f64]) -> Option<Vec<SectionLoop>> {
        let shape = (dimensions.len() == self.dimension_count).then(|| (self.build)(dimensions))?.ok()?;
        let integral = shape.outline.integrate();
        (integral.area > 0.0).then(|| shape.outline.loops(integral.centroid))
    }

    /// Works the section out.
    ///
    /// A = ∫dA, I1 = ∫(y−y_c)² dA, I2 = ∫(z−z_c)² dA, I12 = ∫(y−y_c)(z−z_c) dA, exact for the outline; the
    /// rest as the module says. `dimensions` in deck length units, as many as [`Self::dimension_count`].
    ///
    /// # Errors
    /// What is wrong with the dimensions, when they do not make a section.
    ///
    /// # Panics
    /// If the number of dimensions is not [`Self::dimension_count`].
    pub fn numbers(&self, dimensions: &[f64]) -> Result<SectionNumbers, Refusal> {
        assert_eq!(dimensions.len(), self.dimension_count, "invariant: the caller counts the dimensions");
        let shape = (self.build)(dimensions)?;
        let integral = shape.outline.integrate();
        if integral.area.is_nan() || integral.area <= 0.0 {
            return Err("its area is not positive");
        }
        let [y_c, z_c] = integral.centroid;
        let [y_s, z_s] = shape.shear_centre.unwrap_or(integral.centroid);
        Ok(SectionNumbers {
            area: integral.area,
            i1: integral.i1,
            i2: integral.i2,
            i12: if integral.i12.abs() <= 1e-14 * (integral.i1 + integral.i2) { 0.0 } else { integral.i12 },
            torsion_constant: shape.torsion_constant,
            k1: shape.shear_areas[0] / integral.area,
            k2: shape.shear_areas[1] / integral.area,
            neutral_axis: [y_c - y_s, z_c - z_s],
            stress_points: shape.points.map(|[y, z]| [y - y_c, z - z_c]),
            shear_centre_known: shape.shear_centre_known,
        })
    }
}

#[cfg(test)]
mod tests;
