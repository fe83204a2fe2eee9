//! The name and dimensions of a library section; its numbers are worked out by the reader.

/// A PBARL or PBEAML section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// TYPE, such as `BOX`.
    pub name: String,
    /// DIM1…; for PBEAML those of end A.
    pub dimensions: Vec<f64>,
}
