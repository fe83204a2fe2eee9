//! Matrices that another program has reduced.

mod op4;
mod op4_binary;
mod op4_text;
mod reduced;
mod reduction;
mod sid;

pub use op4::{Op4Error, Op4Matrix, read_op4};
pub(crate) use reduced::imported_link;
pub use reduced::{ImportedMatrices, MatrixRow};
pub use reduction::{reduce_imported, reduce_sid};
pub use sid::{is_sid, sid_invariants};
