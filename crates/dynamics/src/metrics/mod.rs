//! Numbers a designer asks for: settling time, residual error, peaks and means of tip error and torque.
//! Whatever the length of a run, they are collected in bounded memory.

mod tail;
mod tip;

pub use tip::{SettleAbout, TipMetrics, TipMetricsCollector};

/// Metrics of one drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TorqueMetrics {
    /// Largest magnitude (N·m, N).
    pub peak: f64,
    /// Root mean square.
    pub rms: f64,
    /// Largest magnitude of the rigid machine's.
    pub rigid_peak: f64,
}
