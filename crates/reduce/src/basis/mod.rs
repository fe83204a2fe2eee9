//! Reduction bases: u_free = V q, one file each.

mod cantilever;
mod craig_bampton;
mod free_free;
mod residual;

pub use cantilever::cantilever;
pub use craig_bampton::{FixedInterface, Partitions, fixed_interface};
pub use free_free::free_free;
pub use residual::add_residuals;

use faer::Mat;
use pliant_sparse::EigenInfo;

/// What a column of V is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    /// Unit displacement of a boundary component: place in the boundary list.
    Boundary(usize),
    /// A mode with this eigenvalue ω² (deck time units).
    Mode(f64),
    /// A static residual vector with this Rayleigh quotient.
    Residual(f64),
}

/// A reduction basis on the free components.
#[derive(Clone, Debug)]
pub struct Basis {
    /// Free components × n.
    pub V: Mat<f64>,
    /// What each column is.
    pub columns: Vec<Column>,
    /// VᵀKV.
    pub K: Mat<f64>,
    /// How its modes were found.
    pub info: EigenInfo,
}

impl Basis {
    /// Columns that are modes.
    pub fn mode_count(&self) -> usize {
        self.columns.iter().filter(|column| matches!(column, Column::Mode(_))).count()
    }

    /// The basis with its first `modes` modes only. Its modes are its last columns.
    #[must_use]
    pub fn truncated(&self, modes: usize) -> Self {
        let n = self.columns.len() - self.mode_count() + modes.min(self.mode_count());
        Self {
            V: self.V.subcols(0, n).to_owned(),
            columns: self.columns[..n].to_vec(),
            K: self.K.submatrix(0, 0, n, n).to_owned(),
            info: self.info.clone(),
        }
    }
}

/// How many modes a basis keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModeChoice {
    /// This many.
    Count(usize),
    /// All with ω² below this (deck time units).
    Below(f64),
}
