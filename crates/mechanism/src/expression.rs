//! Expressions of time, such as `20*sin(2*pi*3*t) + 5`.

use thiserror::Error;

use crate::TimeFunction;

/// A parsed expression of the one variable `t`. Numbers, `pi`, `+ − * / ^`, parentheses, and the functions
/// sin cos tan asin acos atan sinh cosh tanh exp ln sqrt abs sign, step(x) (1 for x ≥ 0), rad (degrees to
/// radians), min and max.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Reverse Polish: evaluated with a small stack, no allocation.
    program: Vec<Op>,
}

/// Deepest stack an expression may need.
const MAX_DEPTH: usize = 32;

#[derive(Clone, Copy, Debug)]
enum Op {
    Number(f64),
    Time,
    Unary(fn(f64) -> f64),
    Binary(fn(f64, f64) -> f64),
}

/// Why an expression cannot be read; `at` is a byte offset into it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} at column {}", at + 1)]
pub struct ExpressionError {
    /// What is wrong.
    pub message: String,
    /// Byte offset.
    pub at: usize,
}

type Function = fn(f64) -> f64;

const FUNCTIONS: [(&str, Function); 16] = [
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("sign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
    ("step", |x| if x >= 0.0 { 1.0 } else { 0.0 }),
    ("rad", f64::to_radians),
];

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// Says what was expected and where.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text: text.as_bytes(), at: 0, program: Vec::new(), depth: 0, level: 0 };
        parser.sum()?;
        parser.space();
        if parser.at < text.len() {
            return Err(parser.error("expected an operator"));
        }
        Ok(Self { program: parser.program })
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
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    program: Vec<Op>,
    depth: usize,
    level: usize,
}

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ExpressionError {
        ExpressionError { message: message.into(), at: self.at }
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes one of the given characters, if it is next.
    fn take(&mut self, characters: &[u8]) -> Option<u8> {
        self.space();
        let next = *self.text.get(self.at)?;
        characters.contains(&next).then(|| {
            self.at += 1;
            next
        })
    }

    fn push(&mut self, op: Op) -> Result<(), ExpressionError> {
        match op {
            Op::Number(_) | Op::Time => self.depth += 1,
            Op::Binary(_) => self.depth -= 1,
            Op::Unary(_) => {}
        }
        if self.depth > MAX_DEPTH {
            return Err(self.error("expression nested too deeply"));
        }
        self.program.push(op);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.level += 1;
        if self.level > MAX_DEPTH {
            return Err(self.error("expression nested too deeply"));
        }
        self.product()?;
        while let Some(sign) = self.take(b"+-") {
            self.product()?;
            self.push(Op::Binary(if sign == b'+' { |a, b| a + b } else { |a, b| a - b }))?;
        }
        self.level -= 1;
        Ok(())
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.signed()?;
        while let Some(sign) = self.take(b"*/") {
            self.signed()?;
            self.push(Op::Binary(if sign == b'*' { |a, b| a * b } else { |a, b| a / b }))?;
        }
        Ok(())
    }

    /// A sign binds weaker than a power: −2^2 = −4.
    fn signed(&mut self) -> Result<(), ExpressionError> {
        let mut negative = false;
        while let Some(sign) = self.take(b"+-") {
            negative ^= sign == b'-';
        }
        self.power()?;
        if negative { self.push(Op::Unary(|x| -x)) } else { Ok(()) }
    }

    fn power(&mut self) -> Result<(), ExpressionError> {
        self.operand()?;
        if self.take(b"^").is_some() {
            self.level += 1;
            if self.level > MAX_DEPTH {
                return Err(self.error("expression nested too deeply"));
            }
            self.signed()?;
            self.level -= 1;
            self.push(Op::Binary(f64::powf))?;
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<(), ExpressionError> {
        self.space();
        let start = self.at;
        match self.text.get(self.at) {
            Some(b'(') => {
                self.at += 1;
                self.sum()?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || *c == b'.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => {
                while self.text.get(self.at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
                    self.at += 1;
                }
                let word = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                self.word(&word, start)
            }
            _ => Err(self.error("expected a number, `t`, a function or `(`")),
        }
    }

    fn number(&mut self) -> Result<(), ExpressionError> {
        let start = self.at;
        while let Some(c) = self.text.get(self.at) {
            let exponent_sign = (*c == b'+' || *c == b'-') && matches!(self.text[self.at - 1], b'e' | b'E');
            let digit = c.is_ascii_digit() || matches!(c, b'.' | b'e' | b'E');
            if !(digit || exponent_sign && self.at > start) {
                break;
            }
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        match text.parse() {
            Ok(x) => self.push(Op::Number(x)),
            Err(_) => Err(ExpressionError { message: format!("`{text}` is not a number"), at: start }),
        }
    }

    fn word(&mut self, word: &str, start: usize) -> Result<(), ExpressionError> {
        match word {
            "t" => return self.push(Op::Time),
            "pi" => return self.push(Op::Number(std::f64::consts::PI)),
            _ => {}
        }
        let unary = FUNCTIONS.iter().find(|(name, _)| *name == word);
        let binary: Option<fn(f64, f64) -> f64> = match word {
            "min" => Some(f64::min),
            "max" => Some(f64::max),
            _ => None,
        };
        if unary.is_none() && binary.is_none() {
            return Err(ExpressionError { message: format!("`{word}` is not known"), at: start });
        }
        if self.take(b"(").is_none() {
            return Err(self.error(format!("expected `(` after `{word}`")));
        }
        self.sum()?;
        if let Some(f) = binary {
            if self.take(b",").is_none() {
                return Err(self.error(format!("expected `,`: `{word}` takes two arguments")));
            }
            self.sum()?;
            self.push(Op::Binary(f))?;
        } else if let Some((_, f)) = unary {
            self.push(Op::Unary(*f))?;
        }
        self.close()
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        self.take(b")").map(|_| ()).ok_or_else(|| self.error("expected `)`"))
    }
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
        assert!(
            (value("20*sin(2*pi*3*t)+5", 0.25) - (20.0 * (1.5 * std::f64::consts::PI).sin() + 5.0)).abs()
                < 1e-12
        );
    }

    #[test]
    fn mistakes_say_where() {
        let error = |text: &str| Expression::parse(text).unwrap_err();
        assert_eq!(error("3 + ").at, 4);
        assert_eq!(error("sin 3").message, "expected `(` after `sin`");
        assert_eq!(error("2*x").message, "`x` is not known");
        assert_eq!(error("1 2").message, "expected an operator");
        assert_eq!(error("1.2.3").message, "`1.2.3` is not a number");
        assert_eq!(error(&"(".repeat(1000)).message, "expression nested too deeply");
    }
}
