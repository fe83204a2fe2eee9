//! Sparse symmetric linear algebra for `pliant modes`, `pliant static` and component mode synthesis.
//!
//! | module | what it holds |
//! |---|---|
//! | `ordering` | fill-reducing orderings of the grid graph (METIS, AMD) |
//! | `symbolic` | structure and cost of a factor before it is computed |
//! | `factor`   | LDLᵀ: memory limit, named singular rows, inertia, solves |
//! | `eigen`    | lowest modes by shift-invert block Lanczos, proven complete by a Sturm count |
//! | `buckling` | load factors of (K + λK_g)φ = 0, of either sign |
//! | `dense`    | dense symmetric-definite eigenproblems |
//!
//! Matrices are the lower triangles of nalgebra-sparse `CscMatrix<f64>`; blocks of vectors are
//! faer `Mat<f64>`. All answers have the same bits for any number of threads.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod buckling;
mod congruent;
mod dense;
mod eigen;
mod factor;
mod frontal;
mod krylov;
mod lanczos;
mod memory;
mod ordering;
mod pattern;
mod pencil;
mod product;
mod solve;
mod substitution;
mod symbolic;
mod trapezoid;

pub use buckling::{Buckling, BucklingParams, buckling};
pub use congruent::Congruent;
pub use dense::{
    DenseEigen, DenseError, add_product, generalised_eigen, generalised_eigen_semidefinite, product,
    symmetric_eigen,
};
pub use eigen::{
    Eigen, EigenError, EigenInfo, EigenParams, SturmCount, Want, lowest, lowest_borrowing, lowest_with,
    recover,
};
pub use factor::{Factor, FactorError, FactorInfo, FactorParams, Inertia, Kind, Suspect, inertia};
pub use lanczos::complete_clusters;
pub use memory::{available_memory, release_memory, share_one_heap};
pub use ordering::{Ordering, OrderingMethod};
pub use pencil::shifted;
pub use product::{Operator, Symmetric};
pub use symbolic::{Symbolic, SymbolicInfo};
