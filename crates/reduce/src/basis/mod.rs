//! Reduction bases: u_free = V q, one file each.

mod cantilever;
mod craig_bampton;
mod free_free;
mod residual;

pub use cantilever::cantilever;
pub(crate) use craig_bampton::{BoundaryResponses, ModeCounter};
pub use craig_bampton::{FixedInterface, Need, Partitions, fixed_interface};
pub(crate) use free_free::free_free;
pub(crate) use residual::add_residuals;

use std::sync::Arc;

use faer::{ColRef, Mat, MatRef};
use pliant_sparse::{EigenInfo, add_product, complete_clusters, product};

use crate::substructure::Substructure;
use craig_bampton::symmetrise;

/// What a column of V is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    /// Unit displacement of a boundary component: index in the boundary list.
    Boundary(usize),
    /// A mode with this eigenvalue ω² (deck time units).
    Mode(f64),
    /// A static residual vector with this Rayleigh quotient.
    Residual(f64),
}

/// A reduction basis on the free components.
#[derive(Clone, Debug)]
pub struct Basis {
    /// The first columns of V, free components × boundary or × 0: constraint modes, which all bases of a link
    /// share with the solver.
    pub constraint_modes: Arc<Mat<f64>>,
    /// The other columns of V.
    pub others: Mat<f64>,
    /// What each column is.
    pub columns: Vec<Column>,
    /// VᵀKV.
    pub K: Mat<f64>,
    /// How its modes were found.
    pub info: EigenInfo,
}

impl Basis {
    /// A basis of modes alone, V = Φ with VᵀKV = Ω².
    fn of_modes(Phi: Mat<f64>, lambda: &[f64], info: EigenInfo) -> Self {
        let n = lambda.len();
        Self {
            constraint_modes: Arc::new(Mat::zeros(Phi.nrows(), 0)),
            others: Phi,
            columns: lambda.iter().map(|lambda| Column::Mode(*lambda)).collect(),
            K: Mat::from_fn(n, n, |i, j| if i == j { lambda[i] } else { 0.0 }),
            info,
        }
    }

    /// V = [constraint modes, others].
    pub fn blocks(&self) -> [MatRef<'_, f64>; 2] {
        [self.constraint_modes.as_ref().as_ref(), self.others.as_ref()]
    }

    /// A column of V.
    pub fn column(&self, j: usize) -> ColRef<'_, f64> {
        match j.checked_sub(self.constraint_modes.ncols()) {
            None => self.constraint_modes.col(j),
            Some(other) => self.others.col(other),
        }
    }

    /// V q for several q by column.
    pub fn times(&self, q: MatRef<'_, f64>) -> Mat<f64> {
        let (of_constraints, of_others) = q.split_at_row(self.constraint_modes.ncols());
        let mut X = product(self.constraint_modes.as_ref().as_ref(), of_constraints);
        add_product(X.as_mut(), self.others.as_ref(), of_others, 1.0);
        X
    }

    /// VᵀX.
    pub(crate) fn transposed_times(&self, X: MatRef<'_, f64>) -> Mat<f64> {
        let parts = self.blocks().map(|block| product(block.transpose(), X));
        let top = parts[0].nrows();
        Mat::from_fn(self.columns.len(), X.ncols(), |i, k| {
            if i < top { parts[0][(i, k)] } else { parts[1][(i - top, k)] }
        })
    }

    /// VᵀMV.
    pub fn reduced_mass(&self, part: &Substructure) -> Mat<f64> {
        let mut M = Mat::zeros(self.columns.len(), self.columns.len());
        let mut first = 0;
        for block in self.blocks() {
            let part = self.transposed_times(part.mass_product(block).as_ref());
            M.as_mut().subcols_mut(first, block.ncols()).copy_from(&part);
            first += block.ncols();
        }
        symmetrise(&mut M);
        M
    }

    /// ω² of the columns that are modes (deck time units).
    pub fn modes(&self) -> Vec<f64> {
        let of_mode = |column: &Column| match column {
            Column::Mode(lambda) => Some(*lambda),
            _ => None,
        };
        self.columns.iter().filter_map(of_mode).collect()
    }

    /// The basis with its first `modes` modes only, and those that share the frequency of the last. Its modes
    /// are its last columns.
    #[must_use]
    pub(crate) fn truncated(&self, modes: usize) -> Self {
        let lambda = self.modes();
        let n = self.columns.len() - lambda.len() + complete_clusters(&lambda, modes, 0.0);
        Self {
            constraint_modes: self.constraint_modes.clone(),
            others: self.others.subcols(0, n - self.constraint_modes.ncols()).to_owned(),
            columns: self.columns[..n].to_vec(),
            K: self.K.submatrix(0, 0, n, n).to_owned(),
            info: EigenInfo {
                cut: if n == self.columns.len() { self.info.cut } else { 0 },
                ..self.info.clone()
            },
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
