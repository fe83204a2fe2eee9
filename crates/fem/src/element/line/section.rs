//! The section of a beam along its length.

use super::quadrature::{PointCount, gauss};

/// A section at one station of a beam. y and z are the element axes of planes 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineStation {
    /// x/L.
    pub(super) xi: f64,
    /// A.
    pub(super) area: f64,
    /// I1 = ∫y² dA about the neutral axis.
    pub(super) i1: f64,
    /// I2 = ∫z² dA about the neutral axis.
    pub(super) i2: f64,
    /// I12 = ∫yz dA about the neutral axis.
    pub(super) i12: f64,
    /// J.
    pub(super) torsion_constant: f64,
    /// Non-structural mass per length.
    pub(super) nsm: f64,
}

/// Material and sections of a beam; between stations every number varies linearly. The reference axis, y = z
/// = 0, is the line of shear centres.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LineSection {
    /// E.
    pub(super) youngs_modulus: f64,
    /// G.
    pub(super) shear_modulus: f64,
    /// ρ.
    pub(super) density: f64,
    /// K1 and K2: shear area over A. `None`: rigid in shear.
    pub(super) shear_factors: [Option<f64>; 2],
    /// At least two, ascending from xi = 0 to xi = 1.
    pub(super) stations: Vec<LineStation>,
    /// (y, z) of the neutral axis at ends A and B.
    pub(super) neutral_axis: [[f64; 2]; 2],
    /// (y, z) of the centre of the non-structural mass at ends A and B.
    pub(super) nsm_centre: [[f64; 2]; 2],
    /// Polar inertia per length of the non-structural mass about its centre, at ends A and B.
    pub(super) nsi: [f64; 2],
}

/// Why a section cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SectionError(pub(super) String);

impl LineSection {
    /// One section all along, with neutral axis, shear centre and non-structural mass on the reference axis.
    pub(super) fn uniform(
        [youngs_modulus, shear_modulus, density]: [f64; 3],
        shear_factors: [Option<f64>; 2],
        station: LineStation,
    ) -> Self {
        Self {
            youngs_modulus,
            shear_modulus,
            density,
            shear_factors,
            stations: vec![LineStation { xi: 0.0, ..station }, LineStation { xi: 1.0, ..station }],
            neutral_axis: [[0.0; 2]; 2],
            nsm_centre: [[0.0; 2]; 2],
            nsi: [0.0; 2],
        }
    }

    /// Says why the numbers do not make a section.
    ///
    /// # Errors
    /// A negative area, inertia or torsion constant, a product of inertia with I1·I2 < I12², a number that is
    /// zero at some stations only, a shear factor below zero, or a material without E or G.
    pub(super) fn check(&self) -> Result<(), SectionError> {
        let fail = |message: String| Err(SectionError(message));
        if !(self.youngs_modulus > 0.0 && self.shear_modulus >= 0.0) {
            return fail(format!(
                "the material needs E > 0 and G ≥ 0, found E = {} and G = {}",
                self.youngs_modulus, self.shear_modulus
            ));
        }
        let named = |s: &LineStation| [("A", s.area), ("I1", s.i1), ("I2", s.i2), ("J", s.torsion_constant)];
        for k in 0..4 {
            let values: Vec<f64> = self.stations.iter().map(|s| named(s)[k].1).collect();
            let name = named(&self.stations[0])[k].0;
            if let Some(bad) = values.iter().find(|v| **v < 0.0 || !v.is_finite()) {
                return fail(format!("{name} must be finite and not negative, found {bad}"));
            }
            let zeros = values.iter().filter(|v| **v == 0.0).count();
            if zeros != 0 && zeros != values.len() {
                return fail(format!("{name} is zero at some stations but not at all of them"));
            }
        }
        for s in &self.stations {
            if s.i12 != 0.0 && s.i1 * s.i2 <= s.i12 * s.i12 {
                return fail(format!(
                    "I1·I2 must exceed I12², but I1 = {}, I2 = {}, I12 = {}",
                    s.i1, s.i2, s.i12
                ));
            }
        }
        if let Some(bad) = self.shear_factors.iter().flatten().find(|k| **k <= 0.0 || k.is_nan()) {
            return fail(format!("the shear factor K must be positive, found {bad}"));
        }
        Ok(())
    }

    /// True when nothing varies, and polynomials of low degree integrate it exactly.
    pub(super) fn is_uniform(&self) -> bool {
        let first = self.stations[0];
        self.stations.iter().all(|s| LineStation { xi: 0.0, ..*s } == LineStation { xi: 0.0, ..first })
    }

    /// The section at xi.
    pub(super) fn at(&self, xi: f64) -> LineStation {
        let upper = self.stations[1..self.stations.len() - 1].partition_point(|s| s.xi < xi) + 1;
        let (a, b) = (self.stations[upper - 1], self.stations[upper]);
        let t = if b.xi > a.xi { (xi - a.xi) / (b.xi - a.xi) } else { 0.0 };
        let mix = |p: f64, q: f64| p + t * (q - p);
        LineStation {
            xi,
            area: mix(a.area, b.area),
            i1: mix(a.i1, b.i1),
            i2: mix(a.i2, b.i2),
            i12: mix(a.i12, b.i12),
            torsion_constant: mix(a.torsion_constant, b.torsion_constant),
            nsm: mix(a.nsm, b.nsm),
        }
    }

    /// (y, z) of the neutral axis at xi.
    pub(super) fn neutral_axis_at(&self, xi: f64) -> [f64; 2] {
        between(self.neutral_axis, xi)
    }

    /// (y, z) of the centre of the non-structural mass at xi.
    pub(super) fn nsm_centre_at(&self, xi: f64) -> [f64; 2] {
        between(self.nsm_centre, xi)
    }

    /// Polar inertia per length of the non-structural mass at xi.
    pub(super) fn nsi_at(&self, xi: f64) -> f64 {
        self.nsi[0] + xi * (self.nsi[1] - self.nsi[0])
    }

    /// Quadrature points and weights on the part [from, to] of the beam, in xi. A uniform section needs
    /// degree 7 (a consistent mass is of degree 6). A tapered one has 1/I(ξ) in its flexibility: it is cut at
    /// its stations, and further until no number varies by more than 2 within a piece; the nearest pole then
    /// lies so far away that eight points leave an error of (3 + 2√2)⁻¹⁶ ≈ 6e-13.
    pub(super) fn points(&self, from: f64, to: f64) -> Vec<(f64, f64)> {
        if self.is_uniform() {
            return gauss(PointCount::Four, from, to).collect();
        }
        let mut points = Vec::new();
        for pair in self.stations.windows(2) {
            let (a, b) = (pair[0].xi.max(from), pair[1].xi.min(to));
            if a < b {
                self.points_between(a, b, &mut points);
            }
        }
        points
    }

    fn points_between(&self, a: f64, b: f64, points: &mut Vec<(f64, f64)>) {
        let (p, q) = (self.at(a), self.at(b));
        let steep = |p: f64, q: f64| p.max(q) > 2.0 * p.min(q);
        let cut = steep(p.area, q.area)
            || steep(p.i1, q.i1)
            || steep(p.i2, q.i2)
            || steep(p.torsion_constant, q.torsion_constant);
        if cut && b - a > 1e-6 {
            let middle = 0.5 * (a + b);
            self.points_between(a, middle, points);
            self.points_between(middle, b, points);
        } else {
            points.extend(gauss(PointCount::Eight, a, b));
        }
    }
}

fn between(ends: [[f64; 2]; 2], xi: f64) -> [f64; 2] {
    [0, 1].map(|k| ends[0][k] + xi * (ends[1][k] - ends[0][k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn station(xi: f64, i1: f64) -> LineStation {
        LineStation { xi, area: 1.0, i1, i2: 1.0, i12: 0.0, torsion_constant: 1.0, nsm: 0.0 }
    }

    fn section(stations: Vec<LineStation>) -> LineSection {
        LineSection { stations, ..LineSection::uniform([1.0; 3], [None; 2], station(0.0, 1.0)) }
    }

    #[test]
    fn flexibility_of_a_steep_taper_is_integrated() {
        // ∫dξ/(1 + 99ξ) = ln 100 / 99.
        let steep = section(vec![station(0.0, 1.0), station(1.0, 100.0)]);
        let sum: f64 = steep.points(0.0, 1.0).iter().map(|(x, w)| w / steep.at(*x).i1).sum();
        assert!((sum * 99.0 / 100f64.ln() - 1.0).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn sections_in_between_are_linear() {
        let s = section(vec![station(0.0, 1.0), station(0.25, 3.0), station(1.0, 6.0)]);
        assert_eq!(s.at(0.125).i1, 2.0);
        assert_eq!(s.at(0.5).i1, 4.0);
        assert_eq!(s.at(1.0).i1, 6.0);
        assert_eq!(s.at(0.0).i1, 1.0);
    }

    #[test]
    fn impossible_sections_are_refused() {
        let mut s = section(vec![station(0.0, 1.0), station(1.0, 0.0)]);
        assert!(s.check().unwrap_err().0.contains("I1 is zero at some"));
        s.stations[1].i1 = 1.0;
        assert_eq!(s.check(), Ok(()));
        s.stations[0].i12 = 1.0;
        assert!(s.check().unwrap_err().0.contains("I12²"));
    }
}
