//! Expressions of time, such as `20*sin(2*pi*3*t) + 5`.

mod enclosure;
mod events;

use pliant_expression::{ExpressionError, FUNCTIONS, MAX_LEVELS, Node, parse, unary};

use crate::{Event, TimeFunction};
use enclosure::enclose;
use events::{Switch, switches};

/// A parsed expression of the one variable `t`. Numbers, `pi`, `+ − * / ^`, comparisons and logic (1 or 0),
/// parentheses, and the functions sin cos tan asin acos atan sinh cosh tanh exp ln sqrt abs sign, step(x) (1
/// for x ≥ 0), rad (degrees to radians), min and max.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Reverse Polish: evaluated with a small stack, no allocation.
    program: Vec<Op>,
    /// Where it switches.
    switches: Vec<Switch>,
    tree: Node,
}

/// Deepest stack an expression may need.
const MAX_DEPTH: usize = MAX_LEVELS;

#[derive(Clone, Copy, Debug)]
enum Op {
    Number(f64),
    Time,
    Unary(fn(f64) -> f64),
    Binary(fn(f64, f64) -> f64),
}

impl Expression {
    /// Names of the functions it may use.
    pub fn functions() -> Vec<&'static str> {
        FUNCTIONS.iter().map(|(name, _)| *name).chain(["min", "max"]).collect()
    }

    /// Reads an expression.
    ///
    /// # Errors
    /// Says what was expected and where.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let functions = Self::functions();
        let mut compiler = Compiler { program: Vec::new(), depth: 0 };
        let tree = parse(text, &functions)?;
        compiler.node(&tree)?;
        Ok(Self { program: compiler.program, switches: switches(&tree), tree })
    }
}

impl TimeFunction for Expression {
    fn value(&self, t: f64) -> f64 {
        let mut stack = [0.0; MAX_DEPTH];
        let mut top = 0;
        for op in &self.program {
            match *op {
                Op::Number(x) => {
                    stack[top] = x;
                    top += 1;
                }
                Op::Time => {
                    stack[top] = t;
                    top += 1;
                }
                Op::Unary(f) => stack[top - 1] = f(stack[top - 1]),
                Op::Binary(f) => {
                    top -= 1;
                    stack[top - 1] = f(stack[top - 1], stack[top]);
                }
            }
        }
        stack[0]
    }

    fn range(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        Some(enclose(&self.tree, (from, to)))
    }

    fn events(&self, from: f64, to: f64) -> Vec<Event> {
        self.switches.iter().flat_map(|switch| switch.events(from, to)).collect()
    }
}

struct Compiler {
    program: Vec<Op>,
    depth: usize,
}

impl Compiler {
    fn push(&mut self, op: Op) -> Result<(), ExpressionError> {
        match op {
            Op::Number(_) | Op::Time => self.depth += 1,
            Op::Binary(_) => self.depth -= 1,
            Op::Unary(_) => {}
        }
        if self.depth > MAX_DEPTH {
            let message = format!("the expression is nested more than {MAX_DEPTH} levels deep");
            return Err(ExpressionError { message, at: 0 });
        }
        self.program.push(op);
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Result<(), ExpressionError> {
        match node {
            Node::Number(x) => self.push(Op::Number(*x)),
            Node::Name { name, .. } if name == "t" => self.push(Op::Time),
            Node::Name { name, at } => Err(unknown(name, *at)),
            Node::Unary(operator, operand) => {
                self.node(operand)?;
                self.push(Op::Unary(operator.function()))
            }
            Node::Binary(operator, operands) => {
                self.node(&operands[0])?;
                self.node(&operands[1])?;
                self.push(Op::Binary(operator.function()))
            }
            Node::Call { name, at, arguments } => self.call(name, *at, arguments),
        }
    }

    fn call(&mut self, name: &str, at: usize, arguments: &[Node]) -> Result<(), ExpressionError> {
        let binary: Option<fn(f64, f64) -> f64> = match name {
            "min" => Some(f64::min),
            "max" => Some(f64::max),
            _ => None,
        };
        let wrong = |count| {
            let message = format!("`{name}` takes {count}, found {}", arguments.len());
            Err(ExpressionError { message, at })
        };
        for argument in arguments {
            self.node(argument)?;
        }
        match (binary, unary(name)) {
            (Some(function), _) if arguments.len() == 2 => self.push(Op::Binary(function)),
            (Some(_), _) => wrong("two arguments"),
            (None, Some(function)) if arguments.len() == 1 => self.push(Op::Unary(function)),
            (None, Some(_)) => wrong("one argument"),
            (None, None) => Err(unknown(name, at)),
        }
    }
}

fn unknown(name: &str, at: usize) -> ExpressionError {
    ExpressionError { message: format!("`{name}` is not known"), at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, t: f64) -> f64 {
        Expression::parse(text).unwrap().value(t)
    }

    #[test]
    fn arithmetic_follows_the_usual_precedence() {
        assert_eq!(value("1 + 2*3 - 4/2", 0.0), 5.0);
        assert_eq!(value("-2^2", 0.0), -4.0);
        assert_eq!(value("2^3^2", 0.0), 512.0);
        assert_eq!(value("2^-1", 0.0), 0.5);
        assert_eq!(value("(1+t)*3e-1", 1.0), 0.6);
        assert_eq!(value("max(min(t, 2), -1)", 5.0), 2.0);
        assert_eq!(value("step(t-1)*10", 0.5), 0.0);
        assert_eq!(value("(t < 1)*10", 0.5), 10.0);
        assert!(
            (value("20*sin(2*pi*3*t)+5", 0.25) - (20.0 * (1.5 * std::f64::consts::PI).sin() + 5.0)).abs()
                < 1e-12
        );
    }

    #[test]
    fn mistakes_say_where() {
        let error = |text: &str| Expression::parse(text).unwrap_err();
        assert_eq!(error("3 + ").at, 4);
        assert_eq!(error("sin 3").message, "expected `(` after `sin`, found `3`");
        assert_eq!(error("2*x").message, "`x` is not known");
        assert_eq!(error("max(1)").message, "`max` takes two arguments, found 1");
        assert_eq!(error("1 2").message, "expected an operator, found `2`");
        assert_eq!(error("1.2.3").message, "`1.2.3` is not a number");
        assert_eq!(error(&"(".repeat(1000)).message, "the expression is nested more than 32 levels deep");
    }
}
