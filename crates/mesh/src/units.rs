//! A deck has no units; the link carries the factors that turn its numbers into SI.

/// Factors from deck units to SI. Force and the rest follow: force = mass·length/time².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Metres in one deck length.
    pub length: f64,
    /// Kilograms in one deck mass.
    pub mass: f64,
    /// Seconds in one deck time.
    pub time: f64,
}

impl Units {
    /// Metre, kilogram, second.
    pub const SI: Self = Self { length: 1.0, mass: 1.0, time: 1.0 };
    /// Millimetre, tonne, second (force in newton, stress in MPa).
    pub const MM_T_S: Self = Self { length: 1e-3, mass: 1e3, time: 1.0 };
    /// Inch, pound-force, second: the mass unit is lbf·s²/in = 175.126835… kg
    /// (0.45359237 kg × 9.80665 m/s² / 0.0254 m, exact by definition of the pound, g₀ and the inch).
    pub const IN_LBF_S: Self = Self { length: 0.0254, mass: 0.453_592_37 * 9.806_65 / 0.0254, time: 1.0 };

    /// By name: `si`, `mm-t-s`, `in-lbf-s`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "si" => Some(Self::SI),
            "mm-t-s" => Some(Self::MM_T_S),
            "in-lbf-s" => Some(Self::IN_LBF_S),
            _ => None,
        }
    }

    /// Newtons in one deck force.
    pub fn force(&self) -> f64 {
        self.mass * self.length / (self.time * self.time)
    }

    /// Pascals in one deck stress.
    pub fn stress(&self) -> f64 {
        self.force() / (self.length * self.length)
    }

    /// kg·m² in one deck moment of inertia.
    pub fn inertia(&self) -> f64 {
        self.mass * self.length * self.length
    }

    /// kg/m³ in one deck density.
    pub fn density(&self) -> f64 {
        self.mass / self.length.powi(3)
    }
}

impl Default for Units {
    fn default() -> Self {
        Self::SI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_units_are_the_ones_engineers_know() {
        assert!((Units::MM_T_S.force() - 1.0).abs() < 1e-15, "1 N");
        assert!((Units::MM_T_S.stress() - 1e6).abs() < 1e-6, "1 MPa");
        assert!((Units::IN_LBF_S.force() - 4.448_221_615_260_5).abs() < 1e-12, "1 lbf, NIST SP 811");
        assert!((Units::IN_LBF_S.stress() - 6_894.757_293_168).abs() < 1e-6, "1 psi, NIST SP 811");
    }
}
