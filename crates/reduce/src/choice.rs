//! How many modes a link keeps.

use pliant_diag::Diagnostic;

use crate::ReduceError;
use crate::basis::{Basis, ModeChoice};
use crate::health::FIRST_ERROR;
use crate::link::{Made, Reducer};
use crate::request::{BasisKind, Modes};

/// Modes kept when a request does not say.
pub(crate) const DEFAULT_MODES: usize = 12;

/// A cut-off promises the link's free-free frequencies up to this part of it …
const PROMISED_RANGE: f64 = 0.5;
/// … to this relative error.
const PROMISED_ERROR: f64 = 1e-3;

/// A link with more modes than this is of no use in a machine: an accuracy that takes them is refused.
const MOST_MODES: usize = 1024;

/// What the truncated modes add to quasi-static motion is kept up to these multiples of the cut-off, the
/// least that does.
const RESIDUAL_RANGES: [f64; 3] = [2.0, 4.0, f64::INFINITY];

impl Reducer<'_> {
    /// The modes that are asked for.
    ///
    /// Craig and Bampton's modes below a cut-off leave errors of 0.2 to 2 % in free-free frequencies near
    /// half of it. Where they exceed the promise, the quasi-static response of the truncated modes to the
    /// accelerations of the interfaces is kept too, as Ritz vectors.
    pub(crate) fn choose_modes(&self) -> Result<Made, ReduceError> {
        let square = |hz: f64| (std::f64::consts::TAU * hz * self.frame.units.time).powi(2);
        let hz = match self.request.modes.unwrap_or(Modes::Count(DEFAULT_MODES)) {
            Modes::Count(count) => return self.make(self.basis(ModeChoice::Count(count))?, 0.0),
            Modes::Accurate { error, up_to_hz } => return self.accurate_modes(error, up_to_hz),
            Modes::Below(hz) => hz,
        };
        let (basis, limit) = (self.basis(ModeChoice::Below(square(hz)))?, PROMISED_RANGE * hz);
        let mut made = self.make(basis.clone(), limit)?;
        if self.request.basis == BasisKind::CraigBampton {
            for range in RESIDUAL_RANGES {
                if is_accurate(&made, PROMISED_ERROR, limit) && has_first(&made) {
                    break;
                }
                let enriched = self.with_inertia_responses(&basis, square(range * hz))?;
                made = self.make(enriched, limit)?;
            }
            // A cut-off below the link's first frequency may keep too little even for that one: then it does
            // not decide.
            let (mut count, most) = (basis.modes().len().max(2), MOST_MODES.min(self.part.free_count()));
            while !has_first(&made) && count < most {
                count *= 2;
                made = self.make(self.basis(ModeChoice::Count(count))?, limit)?;
            }
        }
        Ok(made)
    }

    /// As few modes as make the free-free frequencies up to `limit` (Hz) right to `accuracy`: twice as many
    /// until they do, then fewer of them, to a sixteenth.
    ///
    /// # Errors
    /// An accuracy that [`MOST_MODES`] do not give.
    fn accurate_modes(&self, accuracy: f64, limit: f64) -> Result<Made, ReduceError> {
        let mut count = 4;
        let (basis, mut best) = loop {
            let basis = self.basis(ModeChoice::Count(count))?;
            let made = self.make(basis.clone(), limit)?;
            if is_accurate(&made, accuracy, limit) || count >= self.part.free_count() {
                break (basis, made);
            }
            if count >= MOST_MODES {
                return Err(ReduceError::Inaccurate { modes: count, limit_hz: limit, accuracy });
            }
            count *= 2;
        };
        // Residual vectors are made for the modes they stand beside, and stay as they are.
        if self.request.residuals.is_some() || self.request.basis == BasisKind::Guyan {
            return Ok(best);
        }
        let (mut bad, mut good) = (count / 2, count.min(basis.modes().len()));
        while good.saturating_sub(bad) > (good / 16).max(1) {
            let middle = (bad + good) / 2;
            let made = self.make(basis.truncated(middle), limit)?;
            if is_accurate(&made, accuracy, limit) {
                (good, best) = (middle, made);
            } else {
                bad = middle;
            }
        }
        Ok(best)
    }
}

/// A warning when modes beyond the last one share its frequency.
pub(crate) fn cut_cluster(basis: &Basis, modes_hz: &[f64]) -> Option<Diagnostic> {
    let (kept, last_hz) = (modes_hz.len(), modes_hz.last()?);
    let all = kept + basis.info.cut;
    (all > kept).then(|| {
        let message = format!(
            "modes {kept} to {all} have the same frequency, {last_hz:.2} Hz, and only the first of them is kept: its direction is determined by rounding"
        );
        Diagnostic::warning(message).hint(format!("`modes = {{ count = {all} }}` keeps them all"))
    })
}

/// True when the first free-free frequency is as good as a healthy link's.
fn has_first(made: &Made) -> bool {
    made.1.first().is_none_or(|(reduced, full)| (reduced - full).abs() <= FIRST_ERROR * full)
}

/// True when the full mesh's free-free frequencies up to `limit` (Hz) are all there to a relative error.
fn is_accurate(made: &Made, error: f64, limit: f64) -> bool {
    let good = |(reduced, full): &(f64, f64)| *full > limit || (reduced - full).abs() <= error * full;
    let all_seen = made.1.last().is_none_or(|(_, full)| *full > limit);
    all_seen && made.1.iter().all(good)
}
