//! Mean stress.

/// How the mean stress of a cycle changes its damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeanStress {
    /// Not at all, as for welded joints as welded.
    None,
    /// S_ar = S_a/(1 − S_m/R_m).
    Goodman {
        /// Tensile strength R_m (Pa).
        ultimate: f64,
    },
    /// S_ar = S_a/(1 − (S_m/R_m)²).
    Gerber {
        /// Tensile strength R_m (Pa).
        ultimate: f64,
    },
    /// S_ar = S_a/(1 − S_m/R_e).
    Soderberg {
        /// Yield stress R_e (Pa).
        yield_stress: f64,
    },
    /// S_ar = S_a/(1 − S_m/σ_f).
    Morrow {
        /// True fracture strength, or the coefficient σ_f′ of the S–N curve (Pa).
        fracture: f64,
    },
    /// S_ar = S_max^(1−γ) S_a^γ.
    Walker {
        /// γ between 0 and 1; the smaller, the more sensitive to mean stress.
        gamma: f64,
    },
    /// Smith, Watson and Topper: S_ar = √(S_max S_a), Walker's law with γ = ½.
    SmithWatsonTopper,
    /// Sensitivity M to mean stress in four fields of R (FKM, Analytical Strength Assessment): constant for
    /// R > 1, M for R ≤ 0, M/3 up to R = ½, constant beyond.
    Fkm {
        /// M, between 0 and 1.
        sensitivity: f64,
    },
}

impl MeanStress {
    /// The amplitude at the stress ratio of a curve that does the damage of an amplitude and a mean stress
    /// (Pa).
    ///
    /// The amplitude S_ar at R = −1 is that of the law; the one at another ratio R is the S with S_ar(S, ρS)
    /// = S_ar, where ρ = (1 + R)/(1 − R) is mean over amplitude there.
    ///
    /// Compression helps in the laws of Walker, of Smith, Watson and Topper (no damage where S_max ≤ 0) and
    /// of FKM; in the others it counts as no mean stress. Infinite where the mean reaches the strength.
    pub fn equivalent(self, amplitude: f64, mean: f64, ratio: f64) -> f64 {
        if amplitude <= 0.0 {
            return 0.0;
        }
        let at_minus_one = self.reversed(amplitude, mean);
        if ratio == -1.0 || self == Self::None || !at_minus_one.is_finite() {
            return at_minus_one;
        }
        let rho = (1.0 + ratio) / (1.0 - ratio);
        match self {
            // S/(1 − ρS/R) = A.
            Self::Goodman { ultimate: strength }
            | Self::Soderberg { yield_stress: strength }
            | Self::Morrow { fracture: strength } => {
                at_minus_one / (1.0 + rho.max(0.0) * at_minus_one / strength)
            }
            // S/(1 − (ρS/R)²) = A: A(ρ/R)² S² + S − A = 0.
            Self::Gerber { ultimate } => {
                let c = at_minus_one * (rho.max(0.0) / ultimate).powi(2);
                2.0 * at_minus_one / (1.0 + (1.0 + 4.0 * c * at_minus_one).sqrt())
            }
            // The other laws are of degree one in both.
            _ => at_minus_one / self.reversed(1.0, rho),
        }
    }

    /// The equivalent amplitude at R = −1.
    fn reversed(self, amplitude: f64, mean: f64) -> f64 {
        let line = |strength: f64| {
            let left = 1.0 - mean.max(0.0) / strength;
            if left > 0.0 { amplitude / left } else { f64::INFINITY }
        };
        let walker = |gamma: f64| {
            let largest = mean + amplitude;
            if largest > 0.0 { largest.powf(1.0 - gamma) * amplitude.powf(gamma) } else { 0.0 }
        };
        match self {
            Self::None => amplitude,
            Self::Goodman { ultimate } => line(ultimate),
            Self::Soderberg { yield_stress } => line(yield_stress),
            Self::Morrow { fracture } => line(fracture),
            Self::Gerber { ultimate } => {
                let left = 1.0 - (mean.max(0.0) / ultimate).powi(2);
                if left > 0.0 { amplitude / left } else { f64::INFINITY }
            }
            Self::Walker { gamma } => walker(gamma),
            Self::SmithWatsonTopper => walker(0.5),
            Self::Fkm { sensitivity: m } => {
                // R > 1 is S_m < −S_a, R = 0 is S_m = S_a, R = ½ is S_m = 3S_a.
                if mean <= amplitude {
                    amplitude + m * mean.max(-amplitude)
                } else {
                    let third = m / 3.0;
                    (1.0 + m) * (amplitude + third * mean.min(3.0 * amplitude)) / (1.0 + third)
                }
            }
        }
    }
}
