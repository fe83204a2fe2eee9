//! What a pipeline file may ask for. A value above its limit is an error at its line, before any memory is
//! allocated for it. The page `docs/guarantees.md` lists these numbers.

/// Largest magnitude of a number: far above any quantity of a machine in SI units, far below where squares
/// overflow.
pub(crate) const MAGNITUDE: f64 = 1e30;
/// Most segments of a link.
pub const SEGMENTS: u32 = 1000;
/// Most elements of a beam, or of one straight piece of its path.
pub const ELEMENTS: u32 = 100_000;
/// Shortest and longest beam (m).
pub(crate) const BEAM_LENGTH: (f64, f64) = (1e-6, 1e6);
/// Farthest point of a path from the origin (m).
pub(crate) const DISTANCE: f64 = 1e9;
/// Most steps of an analysis, and most outputs.
pub const STEPS: f64 = 1e9;
/// Most deformed shapes that are kept.
pub(crate) const FRAMES: u32 = 100_000;
/// Most cases of a study, and most values of one range.
pub const CASES: u32 = 1_000_000;
/// Longest time of the clock (s): about three years.
pub(crate) const SECONDS: f64 = 1e8;
