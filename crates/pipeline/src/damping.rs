//! `[damping]`: damping of the assembled machine.

use std::f64::consts::PI;

use crate::link::{MATERIALS, RatioSpec};
use crate::schema::{Context, Named, suggestion};
use crate::table;

table! {
    /// Damping of the assembled machine. Exactly one of `ratio`, `rayleigh` and `loss` says how much; links
    /// then have no `damping` of their own. It is formed on the machine's modes where all commands stand at
    /// `time`: with its payloads, undeformed, prescribed and servo-driven joints held, cylinders with oil at
    /// their lengths. It acts on the deformation of links, compliant bearings and joint springs, so that it
    /// does not resist rigid motion. In other poses the ratios differ a little: a run prints those of its
    /// start and its end. Dampers of decks, bearings, joints and `forces` come on top. See
    /// `docs/theory/damping.md`.
    ///
    /// ```toml
    /// [damping]
    /// ratio = [[5, 0.02], [200, 0.01]]
    /// ```
    pub struct MachineDampingTable {
        /// Ratio of the machine's modes: one for all, a list mode by mode from the lowest, or a table
        /// `[[hz, ratio], …]`, straight in between and constant outside. Modes beyond the end of a list have
        /// its last ratio: `[0.01, 0.02]` gives 0.01 to the first mode that deforms and 0.02 to all others.
        /// End it with 0 to leave those undamped.
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
    ///
    /// ```toml
    /// [damping]
    /// loss = { factor = 0.002, links = { forearm = 0.02 }, at_hz = [5, 500] }
    /// ```
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
        context.exactly_one(&[
            ("ratio", self.ratio.is_some()),
            ("rayleigh", self.rayleigh.is_some()),
            ("loss", self.loss.is_some()),
        ]);
        if let Some(ratio) = &self.ratio {
            ratio.check(context);
        }
        if let Some(pairs) = self.rayleigh {
            let [[f, ratio_f], [g, ratio_g]] = pairs;
            let (alpha, beta) = rayleigh_factors(pairs);
            if !(0.0 < f && f < g) {
                let message = format!(
                    "`rayleigh`: the two frequencies must be positive and ascend, found {f} Hz and {g} Hz"
                );
                context.error(context.key("rayleigh"), message);
            } else if let Some(ratio) = [ratio_f, ratio_g].into_iter().find(|r| !(0.0..1.0).contains(r)) {
                let hint = "a ratio is a fraction of critical: 1 % is 0.01".to_owned();
                let message = format!("`rayleigh`: ratios must lie from 0 to below 1, found {ratio}");
                context.error_with_hint(context.key("rayleigh"), message, Some(hint));
            } else if alpha < 0.0 || beta < 0.0 {
                let hint = format!(
                    "between {f} Hz and {g} Hz ratios may rise or fall by at most {:.4}: a second ratio from {:.4} to {:.4} fits the first",
                    g / f,
                    ratio_f * f / g,
                    ratio_f * g / f
                );
                let message = format_args!(
                    "`rayleigh`: α and β must not be negative, found α = {alpha:.4} 1/s and β = {beta:.3e} s for the ratios {ratio_f} and {ratio_g}; a negative factor would add energy to some modes"
                );
                context.error_with_hint(context.key("rayleigh"), message, Some(hint));
            }
        }
        context.not_negative(&[("time", Some(self.time))]);
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
        let links = self.links.iter().map(|(name, loss)| (format!("links.{name}"), *loss));
        let materials = self.materials.iter().map(|(name, loss)| (format!("materials.{name}"), *loss));
        let all = [("factor".to_owned(), self.factor)].into_iter().chain(links).chain(materials);
        for (name, loss) in all.filter(|(_, loss)| !(0.0..1.0).contains(loss)) {
            context.error(span, format!("`{name}` must lie from 0 to below 1, found {loss}"));
        }
        if self.at_hz.is_empty() {
            let hint = "at_hz = [12] makes the damping right for a mode at 12 Hz".to_owned();
            context.error_with_hint(
                context.key("at_hz"),
                "`at_hz` needs one frequency or more, found none",
                Some(hint),
            );
        }
        for hz in self.at_hz.iter().filter(|hz| **hz <= 0.0) {
            context.error(
                context.key("at_hz"),
                format!("frequencies of `at_hz` must be positive, found {hz} Hz"),
            );
        }
        for (name, _) in &self.materials.entries {
            if !MATERIALS.iter().any(|(known, _)| *known == name.value) {
                let hint = suggestion(&name.value, MATERIALS.iter().map(|(known, _)| *known), "materials");
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
