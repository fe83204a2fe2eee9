//! The tree.

use thiserror::Error;

/// Why an expression cannot be used; `at` is a byte offset into it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {}: {message}", at + 1)]
pub struct ExpressionError {
    /// What is wrong.
    pub message: String,
    /// Byte offset.
    pub at: usize,
}

/// A part of an expression. `at` is a byte offset into the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number; `pi` is one too.
    Number(f64),
    /// A name, dots included, quotes not.
    Name {
        /// The name.
        name: String,
        /// Where.
        at: usize,
    },
    /// A function of its arguments.
    Call {
        /// Name of the function.
        name: String,
        /// Where.
        at: usize,
        /// At least one.
        arguments: Vec<Node>,
    },
    /// −x or `not x`.
    Unary(Unary, Box<Node>),
    /// Two operands.
    Binary(Binary, Box<[Node; 2]>),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// −x.
    Minus,
    /// 1 when x is 0, else 0.
    Not,
}

impl Unary {
    /// The operator as a function.
    pub fn function(self) -> fn(f64) -> f64 {
        match self {
            Self::Minus => |x| -x,
            Self::Not => |x| f64::from(x == 0.0),
        }
    }
}

/// Operators of two operands. Comparisons and logic give 1 or 0; any number but 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the operators are named by their names")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Binary {
    /// The operator as a function.
    pub fn function(self) -> fn(f64, f64) -> f64 {
        match self {
            Self::Add => |a, b| a + b,
            Self::Subtract => |a, b| a - b,
            Self::Multiply => |a, b| a * b,
            Self::Divide => |a, b| a / b,
            Self::Power => f64::powf,
            Self::Less => |a, b| f64::from(a < b),
            Self::LessOrEqual => |a, b| f64::from(a <= b),
            Self::Greater => |a, b| f64::from(a > b),
            Self::GreaterOrEqual => |a, b| f64::from(a >= b),
            Self::Equal => |a, b| f64::from(a == b),
            Self::NotEqual => |a, b| f64::from(a != b),
            Self::And => |a, b| f64::from(a != 0.0 && b != 0.0),
            Self::Or => |a, b| f64::from(a != 0.0 || b != 0.0),
        }
    }
}

impl Node {
    /// Every name with its column, in the order of the text.
    pub fn names(&self) -> Vec<(&str, usize)> {
        let mut names = Vec::new();
        self.visit(&mut |node| {
            if let Self::Name { name, at } = node {
                names.push((name.as_str(), *at));
            }
        });
        names
    }

    fn visit<'n>(&'n self, see: &mut impl FnMut(&'n Self)) {
        see(self);
        match self {
            Self::Number(_) | Self::Name { .. } => {}
            Self::Call { arguments, .. } => arguments.iter().for_each(|a| a.visit(see)),
            Self::Unary(_, operand) => operand.visit(see),
            Self::Binary(_, operands) => operands.iter().for_each(|o| o.visit(see)),
        }
    }
}
