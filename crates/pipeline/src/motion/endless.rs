//! Motions without an end.

use super::ProfileWord;
use crate::joint::not_both;
use crate::schema::Context;
use crate::table;

table! {
    /// `harmonic`: mean + amplitude·sin(2π·freq_hz·t + phase).
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "harmonic", mean_deg = 20, amplitude_deg = 5, freq_hz = 2 } }
    /// ```
    pub struct HarmonicTable {
        /// `harmonic`.
        profile: ProfileWord;
        /// Mean (rad, m), zero when left out.
        mean: Option<f64>;
        /// Mean in degrees.
        mean_deg: Option<f64>;
        /// Amplitude (rad, m).
        amplitude: Option<f64>;
        /// Amplitude in degrees.
        amplitude_deg: Option<f64>;
        /// Frequency (Hz).
        freq_hz: f64;
        /// Phase (degrees).
        phase_deg: f64 = 0.0, "0";
    } check HarmonicTable::check
}

table! {
    /// `hold`: rests, as a locked joint does.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "hold", value_deg = 30 } }
    /// ```
    pub struct HoldTable {
        /// `hold`.
        profile: ProfileWord;
        /// Where (rad, m), zero when left out.
        value: Option<f64>;
        /// Where, in degrees.
        value_deg: Option<f64>;
    } check HoldTable::check
}

table! {
    /// `spin-up`: the rate rises cycloidally and then stays.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "spin-up", rate = 20, time = 1.0 } }
    /// ```
    pub struct SpinUpTable {
        /// `spin-up`.
        profile: ProfileWord;
        /// First value (rad, m), zero when left out.
        from: Option<f64>;
        /// First value in degrees.
        from_deg: Option<f64>;
        /// Last rate (rad/s, m/s).
        rate: Option<f64>;
        /// Last rate in degrees per second.
        rate_deg: Option<f64>;
        /// When it begins (s).
        start: f64 = 0.0, "0";
        /// How long the rate rises (s).
        time: f64;
    } check SpinUpTable::check
}

impl HarmonicTable {
    fn check(&self, context: &mut Context<'_>) {
        let pairs = [("mean", self.mean, self.mean_deg), ("amplitude", self.amplitude, self.amplitude_deg)];
        not_both(&pairs, context);
        if self.amplitude.is_none() && self.amplitude_deg.is_none() {
            context.error(context.key("amplitude"), "`amplitude` (rad, m) or `amplitude_deg` is missing");
        }
        context.positive(&[("freq_hz", Some(self.freq_hz))]);
    }
}

impl HoldTable {
    fn check(&self, context: &mut Context<'_>) {
        not_both(&[("value", self.value, self.value_deg)], context);
    }
}

impl SpinUpTable {
    fn check(&self, context: &mut Context<'_>) {
        let pairs = [("from", self.from, self.from_deg), ("rate", self.rate, self.rate_deg)];
        not_both(&pairs, context);
        if self.rate.is_none() && self.rate_deg.is_none() {
            context.error(context.key("rate"), "`rate` (rad/s, m/s) or `rate_deg` is missing");
        }
        context.positive(&[("time", Some(self.time))]);
    }
}
