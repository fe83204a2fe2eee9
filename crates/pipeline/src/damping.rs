//! `[damping]`: damping of the assembled machine.

use std::f64::consts::PI;

use crate::link::{MATERIALS, RatioSpec};
use crate::schema::{Context, Named};
use crate::table;

table! {
    /// Damping of the assembled machine. Exactly one of `ratio`, `rayleigh` and `loss` says how much; links
    /// then have no `damping` of their own. It is formed on the machine's modes where all commands stand at
    /// `time`: with its payloads, undeformed, prescribed and servo-driven joints held, cylinders with oil at
    /// their lengths. It acts on the deformation of links, compliant bearings and joint springs, so that it
    /// does not resist rigid motion. In other poses the ratios differ a little: a run prints those of its
    /// start and its end. Dampers of decks, bearings, joints and `forces` come on top. See
    /// `docs/theory/damping.md`.
    pub struct MachineDampingTable {
        /// Ratio of the machine's modes: one for all, a list mode by mode from the lowest (the last one goes
        /// on), or a table `[[hz, ratio], …]`, straight in between and constant outside.
        ratio: Option<RatioSpec>;
        /// Rayleigh damping through two pairs `[[hz, ratio], [hz, ratio]]`: ζ = α/2ω + βω/2 at each mode. The
        /// part of the mass acts on modes that deform, not on rigid motion.
        rayleigh: Option<[[f64; 2]; 2]>;
        /// Structural damping as an equivalent viscous matrix.
        loss: Option<LossTable>;
        /// The pose is that of the commands at this time (s); joints without one stand where they start.
        time: f64 = 0.0, "0";
    } check MachineDampingTable::check
}

table! {
    /// Structural damping: the stiffness of a link times 1 + iη. A mode whose strain energy is in links of
    /// one η has ζ = η/2. A viscous matrix has it at stated frequencies.
    pub struct LossTable {
        /// η of the links that are not named otherwise.
        factor: f64 = 0.0, "0";
        /// η of links by name, before that of their material.
        links: Named<f64>;
        /// η of materials of the library by name, for links of that `material`.
        materials: Named<f64>;
        /// Frequencies (Hz): with one of them D = ηK/ω, which gives ζ = η/2 there and in proportion to the
        /// frequency elsewhere; with more, every mode from the lowest to the highest of them has it.
        at_hz: Vec<f64>;
    } check LossTable::check
}

impl MachineDampingTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        let given = [self.ratio.is_some(), self.rayleigh.is_some(), self.loss.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            let hint = "ratio = 0.02 gives every mode of the machine 2 % of critical damping".to_owned();
            let message = "`[damping]` needs exactly one of `ratio`, `rayleigh` and `loss`";
            context.error_with_hint(span, message, Some(hint));
        }
        if let Some(ratio) = &self.ratio {
            ratio.check(span, context);
        }
        if let Some(pairs) = self.rayleigh {
            let [[f, _], [g, _]] = pairs;
            let (alpha, beta) = rayleigh_factors(pairs);
            if !(0.0 < f && f < g) {
                let message = format_args!(
                    "`rayleigh`: the frequencies must be positive and ascend, found {f} and {g}"
                );
                context.error(span, message);
            } else if alpha < 0.0 || beta < 0.0 {
                let hint =
                    format!("the second ratio must lie between {} and {} times the first", f / g, g / f);
                let message = format_args!(
                    "`rayleigh`: these pairs give α = {alpha:.4} 1/s and β = {beta:.3e} s; a negative factor would add energy to some modes"
                );
                context.error_with_hint(span, message, Some(hint));
            }
        }
        context.not_negative(span, &[("time", Some(self.time))]);
    }
}

/// α and β of `D = αM + βK` that give two frequencies (Hz) their ratios.
pub fn rayleigh_factors([[f, ratio_f], [g, ratio_g]]: [[f64; 2]; 2]) -> (f64, f64) {
    let (a, b) = (2.0 * PI * f, 2.0 * PI * g);
    let over = 2.0 / (b * b - a * a);
    (over * a * b * (ratio_f * b - ratio_g * a), over * (ratio_g * b - ratio_f * a))
}

impl LossTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        let named = self.links.iter().chain(self.materials.iter()).map(|(_, loss)| *loss);
        if let Some(loss) = named.chain([self.factor]).find(|loss| !(0.0..1.0).contains(loss)) {
            context.error(span, format_args!("a loss factor must be at least 0 and below 1, found {loss}"));
        }
        if self.at_hz.is_empty() || self.at_hz.iter().any(|hz| *hz <= 0.0) {
            context.error(span, "`at_hz` needs at least one frequency, all of them positive");
        }
        for (name, _) in &self.materials.entries {
            if !MATERIALS.iter().any(|(known, _)| *known == name.value) {
                let known: Vec<_> = MATERIALS.iter().map(|(known, _)| *known).collect();
                let hint = format!("the materials are {}", known.join(", "));
                let message = format_args!("`{}` is not a material of the library", name.value);
                context.error_with_hint(name.span(), message, Some(hint));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rayleigh_damping_goes_through_its_two_points() {
        let pairs = [[3.0, 0.01], [40.0, 0.03]];
        let (alpha, beta) = rayleigh_factors(pairs);
        for [hz, ratio] in pairs {
            let omega = 2.0 * PI * hz;
            assert!((alpha / (2.0 * omega) + beta * omega / 2.0 - ratio).abs() < 1e-15);
        }
    }
}
