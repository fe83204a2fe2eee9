//! Expressions in pipeline files, such as `20*sin(2*pi*3*t) + 5` or `max(abs(tip.error)) < 2e-3 and mass <
//! 40`: from text to a tree. What the names mean is the user's affair: a load has `t`, a study its parameters
//! and results.

mod function;
mod parser;
mod tree;

pub use function::{FUNCTIONS, Function, unary};
pub use parser::{MAX_LEVELS, parse};
pub use tree::{Binary, ExpressionError, Node, Unary};
