//! Why a link cannot be reduced.

use pliant_diag::Diagnostics;
use pliant_sparse::{DenseError, EigenError, FactorError};
use thiserror::Error;

/// Why a link cannot be reduced.
#[derive(Debug, Error)]
pub enum ReduceError {
    /// The deck is bad; each problem has its location in the deck.
    #[error("the deck has errors")]
    Input(Diagnostics),
    /// What the link's table asks for cannot be had from its mesh; each problem has its location in the
    /// pipeline file.
    #[error("the link's table has errors")]
    Request(Diagnostics),
    /// Part of the mesh is not held.
    #[error("the mesh is not held at {component} (pivot ratio {pivot_ratio:.1e}): {cause}")]
    Singular {
        /// Grid and component.
        component: String,
        /// Pivot over diagonal entry.
        pivot_ratio: f64,
        /// What moves without resistance.
        cause: String,
    },
    /// Interfaces move without resistance.
    #[error("the outboard interfaces are not tied to the inboard one by any stiffness")]
    LooseInterface,
    /// An accuracy that no reasonable number of modes gives.
    #[error(
        "with {modes} modes the free-free frequencies up to {limit_hz} Hz are still not within {accuracy:.1e} of the full mesh's"
    )]
    Inaccurate {
        /// Modes that were tried.
        modes: usize,
        /// Frequencies up to here were asked for (Hz).
        limit_hz: f64,
        /// The relative error asked for.
        accuracy: f64,
    },
    /// A factorisation failed for another reason.
    #[error(transparent)]
    Factor(FactorError),
    /// Modes could not be found.
    #[error(transparent)]
    Eigen(#[from] EigenError),
    /// A dense eigenproblem failed.
    #[error(transparent)]
    Dense(#[from] DenseError),
}

impl ReduceError {
    /// A factorisation error with its row named.
    pub(crate) fn factor(error: FactorError, name: impl Fn(usize) -> String) -> Self {
        match error {
            FactorError::Singular { row, pivot_ratio, moving_rows, .. } => {
                let moving: Vec<_> = moving_rows.iter().take(4).map(|row| name(*row)).collect();
                let cause = format!(
                    "a mechanism or an unconnected part; {} move most without resistance",
                    moving.join(", ")
                );
                Self::Singular { component: name(row), pivot_ratio, cause }
            }
            other => Self::Factor(other),
        }
    }
}

impl From<Diagnostics> for ReduceError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Input(diagnostics)
    }
}
