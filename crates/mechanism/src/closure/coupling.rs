//! Gears and other relations among joint coordinates.

use crate::CoordinateRef;

/// `Σ factor·θ = value`: a pair of gears is `θ_b − ratio·θ_a = 0`. Its multiplier is the generalised force
/// that acts on a coordinate of factor one.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Name.
    pub name: String,
    /// Coordinates with their factors.
    pub terms: Vec<(CoordinateRef, f64)>,
    /// What the sum is (rad, m).
    pub value: f64,
}
