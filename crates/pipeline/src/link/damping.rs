//! `damping`.

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind, table};

table! {
    /// Damping of a link's elastic coordinates. `ratio` and `rayleigh` add up where both are given; dampers
    /// of the deck (CDAMP, CVISC, CBUSH) are always included. Of a link in `segments` or `cuts` this is the
    /// damping of the undivided link. For ratios of the machine's own modes see `[damping]`.
    ///
    /// ```toml
    /// [links.upper]
    /// beam    = { length = 1, section = { rod = 0.03 }, material = "steel" }
    /// damping = { ratio = [[10, 0.01], [1000, 0.03]] }
    /// ```
    pub struct DampingTable {
        /// Damping ratio of the modes that the link has alone, clamped at its inboard interface: one for all
        /// modes, a list mode by mode, or a table `[[hz, ratio], …]`. A list counts from the lowest mode;
        /// modes beyond its end have its last ratio, so that `[0.01, 0.02]` gives 0.01 to the first mode and
        /// 0.02 to the second and all above. End it with 0 to leave those undamped. The ratio is viscous:
        /// on a machine, whose modes are lower because of payloads and other links, the same damper gives
        /// less, ζ ≈ ratio·ω/ω_link (0.01 becomes 0.0037 where 5 kg at the tip lower 48 Hz to 18 Hz).
        ratio: Option<RatioSpec>;
        /// D = alpha·M + beta·K.
        rayleigh: Option<RayleighTable>;
    } check DampingTable::check
}

table! {
    /// Rayleigh damping.
    ///
    /// ```toml
    /// [links.upper]
    /// beam    = { length = 1, section = { rod = 0.03 }, material = "steel" }
    /// damping = { rayleigh = { alpha = 0.5, beta = 1e-4 } }
    /// ```
    pub struct RayleighTable {
        /// Factor on the mass (1/s).
        alpha: f64 = 0.0, "0.0";
        /// Factor on the stiffness (s).
        beta: f64 = 0.0, "0.0";
    } check RayleighTable::check
}

/// Modal damping ratio.
#[derive(Clone, Debug, PartialEq)]
pub enum RatioSpec {
    /// The same for all modes.
    Constant(f64),
    /// Mode by mode.
    PerMode(Vec<f64>),
    /// (Hz, ratio), linear in between, constant outside.
    Table(Vec<[f64; 2]>),
}

impl FromValue for RatioSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        let ValueKind::Array(items) = &value.kind else {
            return f64::from_value(value, context).map(Self::Constant);
        };
        if items.is_empty() {
            context.error(value.span, "the list of ratios must not be empty");
            return None;
        }
        if matches!(items[0].kind, ValueKind::Array(_)) {
            Vec::from_value(value, context).map(Self::Table)
        } else {
            Vec::from_value(value, context).map(Self::PerMode)
        }
    }

    fn doc() -> TypeDoc {
        let words = "number, list of numbers, or list of `[hz, ratio]` pairs";
        TypeDoc::plain(words, json!({ "type": ["number", "array"] }))
    }
}

impl RatioSpec {
    /// Reports ratios and frequencies that cannot be.
    pub(crate) fn check(&self, context: &mut Context<'_>) {
        let span = context.key("ratio");
        if let Some(ratio) = self.values().into_iter().find(|ratio| !(0.0..1.0).contains(ratio)) {
            let hint = "a ratio is a fraction of critical: 1 % is 0.01".to_owned();
            let message = format!("`ratio` must lie from 0 to below 1, found {ratio}");
            context.error_with_hint(span, message, Some(hint));
        }
        let Self::Table(pairs) = self else { return };
        if let Some([hz, _]) = pairs.iter().find(|[hz, _]| *hz < 0.0) {
            context.error(span, format!("frequencies of `ratio` must not be negative, found {hz} Hz"));
        }
        if let Some(pair) = pairs.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
            let [[before, _], [after, _]] = [pair[0], pair[1]];
            context.error(
                span,
                format!("frequencies of `ratio` must ascend, found {after} Hz after {before} Hz"),
            );
        }
    }

    fn values(&self) -> Vec<f64> {
        match self {
            Self::Constant(ratio) => vec![*ratio],
            Self::PerMode(ratios) => ratios.clone(),
            Self::Table(pairs) => pairs.iter().map(|[_, ratio]| *ratio).collect(),
        }
    }
}

impl DampingTable {
    fn check(&self, context: &mut Context<'_>) {
        if let Some(ratio) = &self.ratio {
            ratio.check(context);
        }
    }
}

impl RayleighTable {
    fn check(&self, context: &mut Context<'_>) {
        context.not_negative(&[("alpha", Some(self.alpha)), ("beta", Some(self.beta))]);
    }
}
