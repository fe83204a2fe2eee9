//! Matrices that another program has reduced.

mod op4;
mod op4_binary;
mod op4_text;
mod reduced;

pub use op4::{Op4Error, Op4Matrix, read_op4};
pub use reduced::{ImportedMatrices, MatrixRow, imported_link};
