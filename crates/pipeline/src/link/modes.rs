//! `basis` and `modes`.

use crate::schema::Context;
use crate::{table, words};

words! {
    /// The reduction basis.
    pub enum BasisWord {
        /// Constraint modes of the outboard interfaces and modes with all interfaces fixed.
        CraigBampton = "craig-bampton",
        /// Modes clamped at the inboard interface and free elsewhere.
        Cantilever = "cantilever",
        /// Modes with all interfaces fixed, without constraint modes: stiffer than the truth.
        ClampedClamped = "clamped-clamped",
        /// Constraint modes only.
        Guyan = "guyan",
        /// Free-free modes, made to vanish at the inboard interface.
        FreeFree = "free-free",
    }
}

table! {
    /// How many modes to keep. Exactly one of the three.
    ///
    /// ```toml
    /// [links.upper]
    /// beam  = { length = 1, section = { rod = 0.03 }, material = "steel" }
    /// modes = { below_hz = 800 }
    ///
    /// [links.fore]
    /// beam  = { length = 1, section = { rod = 0.02 }, material = "steel" }
    /// modes = { accuracy = 1e-3, accurate_to_hz = 300 }
    /// ```
    pub struct ModesTable {
        /// This many.
        count: Option<u32>;
        /// All below this frequency (Hz), and, with `craig-bampton`, those needed besides so that the link's
        /// own free-free frequencies up to half of it are right to 0.1 %. More are kept where the first
        /// free-free frequency needs them, to 1 %.
        below_hz: Option<f64>;
        /// Enough that the link's own free-free elastic frequencies up to `accurate_to_hz` are right to this
        /// relative error.
        accuracy: Option<f64>;
        /// With `accuracy`: the highest frequency that must be right (Hz).
        accurate_to_hz: Option<f64>;
    } check ModesTable::check
}

impl ModesTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("count", self.count.is_some()),
            ("below_hz", self.below_hz.is_some()),
            ("accuracy", self.accuracy.is_some()),
        ]);
        if self.accuracy.is_some() != self.accurate_to_hz.is_some() {
            context.error(context.key("accuracy"), "`accuracy` and `accurate_to_hz` must be given together");
        }
        let numbers = [
            ("below_hz", self.below_hz),
            ("accuracy", self.accuracy),
            ("accurate_to_hz", self.accurate_to_hz),
        ];
        context.positive(&numbers);
    }
}
