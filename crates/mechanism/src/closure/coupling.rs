//! Gears and other relations among joint coordinates.

/// A joint coordinate: of the joint that carries a body, or of a loop joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateRef {
    /// Body and coordinate of its joint.
    Body(usize, usize),
    /// Loop joint and its coordinate.
    Loop(usize, usize),
}

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
