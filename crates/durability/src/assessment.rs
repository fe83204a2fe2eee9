//! From a history of stress to its damage.

use crate::curve::SnCurve;
use crate::factors::{Factors, Notch};
use crate::mean::MeanStress;
use crate::plane::{self, Block, PlaneDamage, Points, Scratch, Search};
use crate::rainflow::Residue;

/// What is counted on a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Criterion {
    /// Normal stress, for cracks that open across the largest stress.
    Normal,
    /// W. N. Findley: the shear stress along a direction of the plane, with k times the largest normal
    /// stress between the two reversals of the cycle.
    Findley {
        /// k, between 0 and 1: 0.2 to 0.3 for ductile metals.
        k: f64,
    },
}

/// Numbers with which nothing can be assessed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AssessmentError {
    /// Findley's criterion knows mean stress itself.
    #[error("Findley's criterion has its own effect of mean stress: use no other correction")]
    Twice,
    /// A number outside of its range.
    #[error("{name} must be {expected}, found {value}")]
    Range {
        /// What it is.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its range.
        expected: &'static str,
    },
}

/// How the damage of a history is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// S–N curve.
    pub curve: SnCurve,
    /// Effect of mean stress.
    pub mean: MeanStress,
    /// Notch, surface and other factors.
    pub factors: Factors,
    /// What does not close.
    pub residue: Residue,
    /// What is counted on a plane.
    pub criterion: Criterion,
}

impl Assessment {
    /// Checks the numbers.
    ///
    /// # Errors
    /// Numbers outside of their range, or mean stress that would count twice.
    pub fn check(&self) -> Result<(), AssessmentError> {
        let positive = "positive and finite";
        let mut all: Vec<(&'static str, f64, bool, &'static str)> = Vec::new();
        let mut add = |name, value: f64, fits: bool, expected| all.push((name, value, fits, expected));
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        match self.mean {
            MeanStress::None | MeanStress::SmithWatsonTopper => {}
            MeanStress::Goodman { ultimate: x } | MeanStress::Gerber { ultimate: x } => {
                add("the tensile strength", x, is_positive(x), positive);
            }
            MeanStress::Soderberg { yield_stress: x } => add("the yield stress", x, is_positive(x), positive),
            MeanStress::Morrow { fracture: x } => add("the fracture strength", x, is_positive(x), positive),
            MeanStress::Walker { gamma } => {
                add("Walker's exponent", gamma, gamma > 0.0 && gamma <= 1.0, "above 0 and at most 1");
            }
            MeanStress::Fkm { sensitivity: m } => {
                add("the sensitivity to mean stress", m, (0.0..1.0).contains(&m), "at least 0 and below 1");
            }
        }
        match self.factors.notch {
            Notch::None => {}
            Notch::Given(x) => add("the notch factor K_f", x, x >= 1.0 && x.is_finite(), "at least 1"),
            Notch::Peterson { theoretical, radius, length }
            | Notch::Neuber { theoretical, radius, length } => {
                let fits = theoretical >= 1.0 && theoretical.is_finite();
                add("the notch factor K_t", theoretical, fits, "at least 1");
                add("the radius of the notch", radius, is_positive(radius), positive);
                add("the length of the material", length, length >= 0.0 && length.is_finite(), "at least 0");
            }
        }
        let Factors { surface, stress, .. } = self.factors;
        add("the surface factor", surface, surface > 0.0 && surface <= 1.0, "above 0 and at most 1");
        add("the factor on stress", stress, is_positive(stress), positive);
        if let Criterion::Findley { k } = self.criterion {
            add("Findley's k", k, (0.0..=1.0).contains(&k), "between 0 and 1");
        }
        if let Some((name, value, _, expected)) = all.into_iter().find(|(_, _, fits, _)| !fits) {
            return Err(AssessmentError::Range { name, value, expected });
        }
        let twice = matches!(self.criterion, Criterion::Findley { .. }) && self.mean != MeanStress::None;
        if twice { Err(AssessmentError::Twice) } else { Ok(()) }
    }

    /// The amplitude at the ratio of the curve that a cycle of the counted stress is equivalent to, factors
    /// included (Pa).
    pub(crate) fn equivalent(&self, amplitude: f64, mean: f64) -> f64 {
        self.mean.equivalent(amplitude, mean, self.curve.ratio()) * self.factors.on_amplitude()
    }

    /// The same of a cycle of shear stress with the largest normal stress on its plane.
    ///
    /// f = τ_a + kσ_n,max. An amplitude S along an axis at the ratio R of the curve has on the plane at θ
    /// from it f = S/2 (sin 2θ + κ(1 + cos 2θ)), κ = 2k/(1 − R), at most S/2 (κ + √(1 + κ²)): so the S of an
    /// f is 2f/(κ + √(1 + κ²)).
    pub(crate) fn findley(&self, amplitude: f64, normal: f64) -> f64 {
        let Criterion::Findley { k } = self.criterion else { return 0.0 };
        let kappa = 2.0 * k / (1.0 - self.curve.ratio());
        let f = (amplitude + k * normal).max(0.0);
        2.0 * f / (kappa + kappa.hypot(1.0)) * self.factors.on_amplitude()
    }

    /// What no cycle within a range of stress exceeds: that over the entire range, with all laws; infinite
    /// where a mean stress could reach the strength of the law.
    ///
    /// With the largest stress fixed the laws rise with the amplitude as long as it is below their strength
    /// R (Gerber: 1 + u² − 2uS_max/R ≥ (1 − u)², u = S_m/R), and they rise with the largest stress.
    pub(crate) fn largest_equivalent(&self, low: f64, high: f64) -> f64 {
        let strength = match self.mean {
            MeanStress::Goodman { ultimate: strength }
            | MeanStress::Gerber { ultimate: strength }
            | MeanStress::Soderberg { yield_stress: strength }
            | MeanStress::Morrow { fracture: strength } => strength,
            _ => f64::INFINITY,
        };
        if high >= strength {
            return f64::INFINITY;
        }
        self.equivalent(0.5 * (high - low), 0.5 * (high + low))
    }

    /// The damage of one cycle of an equivalent amplitude.
    pub(crate) fn damage_of(&self, equivalent: f64) -> f64 {
        1.0 / self.curve.cycles(equivalent)
    }

    /// Whether no plane can have damage when stress (Pa, as a tensor in its spectral norm) is within
    /// `radius` of some stress at all times and never larger than `size`.
    ///
    /// Normal stress on a plane has then an amplitude of at most the radius and is at most the size; shear
    /// stress has at most the same amplitude, because |mᵀσn| ≤ ‖σ‖.
    pub fn is_harmless(&self, radius: f64, size: f64) -> bool {
        let factor = self.factors.on_stress();
        let (radius, size) = (factor * radius, factor * size);
        let largest = match self.criterion {
            Criterion::Normal => self.largest_equivalent(size - 2.0 * radius, size),
            Criterion::Findley { .. } => self.findley(radius, size),
        };
        self.damage_of(largest) == 0.0
    }

    /// The plane of the largest damage of a history, when that is more than `least`; `blocks` say which
    /// samples happen how often. Samples are finite.
    pub fn worst(
        &self,
        points: Points<'_>,
        blocks: &[Block],
        search: &Search,
        least: f64,
    ) -> Option<PlaneDamage> {
        plane::worst(self, points, blocks, search, least, &mut Scratch::default())
    }
}
