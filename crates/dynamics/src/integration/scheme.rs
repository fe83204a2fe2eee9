//! Time integration schemes.
//!
//! All are written in the one form of Chung and Hulbert's generalised-α method in which the equations of
//! motion hold at t_{n+1} and an algorithmic acceleration ā carries the dissipation (Arnold and Brüls 2007):
//!
//! ```text
//! (1 − α_m) ā_{n+1} + α_m ā_n = (1 − α_f) a_{n+1} + α_f a_n
//! q_{n+1} = q_n ⊕ (h v_n + h²((½ − β) ā_n + β ā_{n+1}))
//! v_{n+1} = v_n + h((1 − γ) ā_n + γ ā_{n+1})
//! ```
//!
//! ⊕ adds coordinates and composes rotations.

/// A scheme of the generalised-α family; all are of second order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scheme {
    /// Newmark's constant-average-acceleration rule, γ = ½, β = ¼: no numerical damping.
    #[default]
    Newmark,
    /// Hilber, Hughes and Taylor: numerical damping by `alpha` from 0 (none) to ⅓.
    Hht {
        /// α in 0..⅓.
        alpha: f64,
    },
    /// Chung and Hulbert: spectral radius at infinite frequency from 0 (annihilates) to 1 (none).
    GeneralizedAlpha {
        /// ρ_∞ in 0..1.
        rho_inf: f64,
    },
}

/// The numbers α_m, α_f, β, γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) alpha_m: f64,
    pub(crate) alpha_f: f64,
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
}

impl Scheme {
    /// True when its parameter lies in the range where it is stable.
    pub(crate) fn is_valid(&self) -> bool {
        match *self {
            Self::Newmark => true,
            Self::Hht { alpha } => (0.0..=1.0 / 3.0).contains(&alpha),
            Self::GeneralizedAlpha { rho_inf } => (0.0..=1.0).contains(&rho_inf),
        }
    }

    pub(crate) fn parameters(&self) -> Parameters {
        let (alpha_m, alpha_f) = match *self {
            Self::Newmark => (0.0, 0.0),
            Self::Hht { alpha } => (0.0, alpha),
            Self::GeneralizedAlpha { rho_inf } => {
                ((2.0 * rho_inf - 1.0) / (rho_inf + 1.0), rho_inf / (rho_inf + 1.0))
            }
        };
        let gamma = 0.5 + alpha_f - alpha_m;
        Parameters { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }
}

impl Parameters {
    /// dā_{n+1}/da_{n+1}.
    pub(crate) fn gain(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// ā_{n+1}.
    pub(crate) fn a_bar(&self, a_n: f64, a_bar_n: f64, a: f64) -> f64 {
        ((1.0 - self.alpha_f) * a + self.alpha_f * a_n - self.alpha_m * a_bar_n) / (1.0 - self.alpha_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_parameters() {
        // Newmark: average acceleration. HHT, α = 0.05: γ = 0.55, β = (1.05)²/4. ρ_∞ = 0.8: α_m = 1/3, α_f =
        // 4/9.
        assert_eq!(Scheme::Newmark.parameters().beta, 0.25);
        let hht = Scheme::Hht { alpha: 0.05 }.parameters();
        assert!((hht.gamma - 0.55).abs() < 1e-15 && (hht.beta - 0.275_625).abs() < 1e-15);
        let chung = Scheme::GeneralizedAlpha { rho_inf: 0.8 }.parameters();
        assert!((chung.alpha_m - 1.0 / 3.0).abs() < 1e-15 && (chung.alpha_f - 4.0 / 9.0).abs() < 1e-15);
        assert!(!Scheme::Hht { alpha: 0.5 }.is_valid() && !Scheme::Hht { alpha: f64::NAN }.is_valid());
    }
}
