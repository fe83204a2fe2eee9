//! From text to the tree.
//!
//! From weak to strong: `or`, `and`, `not`, one comparison, `+ −`, `* /`, signs, `^` (to the right), and at
//! last numbers, names, `f(…)` and parentheses. A name may hold dots; one with other characters stands in
//! backticks.

use crate::{Binary, ExpressionError, Node, Unary};

/// Deepest nesting of parentheses, calls and powers.
pub const MAX_LEVELS: usize = 32;

/// Most operators of an expression: whoever walks its tree goes as deep as a sum has terms.
pub(crate) const MAX_OPERATORS: usize = 1000;

/// Reads an expression. `functions` are the names that must be followed by their arguments.
///
/// # Errors
/// Says what was expected and where.
pub fn parse(text: &str, functions: &[&str]) -> Result<Node, ExpressionError> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, level: 0, operators: 0, functions };
    let node = parser.any()?;
    parser.space();
    if parser.at < text.len() { Err(parser.expected("an operator")) } else { Ok(node) }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    level: usize,
    operators: usize,
    functions: &'a [&'a str],
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'.'
}

impl Parser<'_> {
    fn join(&mut self, operator: Binary, left: Node, right: Node) -> Result<Node, ExpressionError> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(self.error(format!("expected at most {MAX_OPERATORS} operators, found more")));
        }
        Ok(Node::Binary(operator, Box::new([left, right])))
    }

    fn error(&self, message: impl Into<String>) -> ExpressionError {
        ExpressionError { message: message.into(), at: self.at }
    }

    fn expected(&mut self, what: &str) -> ExpressionError {
        self.space();
        let rest = String::from_utf8_lossy(&self.text[self.at..]).into_owned();
        let found = rest.chars().next().map_or("the end".to_owned(), |next| format!("`{next}`"));
        self.error(format!("expected {what}, found {found}"))
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes one of the given texts, if it is next; a word only when no letter follows it.
    fn take<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        self.space();
        for (text, meaning) in choices {
            let end = self.at + text.len();
            let found = self.text.get(self.at..end) == Some(text.as_bytes());
            let word = text.as_bytes()[0].is_ascii_alphabetic();
            if found && !(word && self.text.get(end).is_some_and(|c| is_name(*c))) {
                self.at = end;
                return Some(*meaning);
            }
        }
        None
    }

    fn deeper(
        &mut self,
        read: fn(&mut Self) -> Result<Node, ExpressionError>,
    ) -> Result<Node, ExpressionError> {
        self.level += 1;
        if self.level > MAX_LEVELS {
            return Err(self.error(format!("the expression is nested more than {MAX_LEVELS} levels deep")));
        }
        let node = read(self)?;
        self.level -= 1;
        Ok(node)
    }

    fn any(&mut self) -> Result<Node, ExpressionError> {
        self.deeper(|parser| {
            let mut left = parser.all()?;
            while let Some(or) = parser.take(&[("or", Binary::Or)]) {
                let right = parser.all()?;
                left = parser.join(or, left, right)?;
            }
            Ok(left)
        })
    }

    fn all(&mut self) -> Result<Node, ExpressionError> {
        let mut left = self.negation()?;
        while let Some(and) = self.take(&[("and", Binary::And)]) {
            let right = self.negation()?;
            left = self.join(and, left, right)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Node, ExpressionError> {
        let mut negative = false;
        let mut any = false;
        while self.take(&[("not", ())]).is_some() {
            negative = !negative;
            any = true;
        }
        let node = self.comparison()?;
        let not = |node| Node::Unary(Unary::Not, Box::new(node));
        // An even number of them still makes 0 or 1 of a number.
        Ok(match (any, negative) {
            (false, _) => node,
            (true, true) => not(node),
            (true, false) => not(not(node)),
        })
    }

    fn comparison(&mut self) -> Result<Node, ExpressionError> {
        const OPERATORS: [(&str, Binary); 6] = [
            ("<=", Binary::LessOrEqual),
            (">=", Binary::GreaterOrEqual),
            ("==", Binary::Equal),
            ("!=", Binary::NotEqual),
            ("<", Binary::Less),
            (">", Binary::Greater),
        ];
        let left = self.sum()?;
        let Some(operator) = self.take(&OPERATORS) else { return Ok(left) };
        let right = self.sum()?;
        let chained = self.at;
        if self.take(&OPERATORS).is_some() {
            let message = "comparisons cannot be chained: write `a < b and b < c`".to_owned();
            return Err(ExpressionError { message, at: chained });
        }
        self.join(operator, left, right)
    }

    fn sum(&mut self) -> Result<Node, ExpressionError> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&[("+", Binary::Add), ("-", Binary::Subtract)]) {
            let right = self.product()?;
            left = self.join(operator, left, right)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, ExpressionError> {
        let mut left = self.signed()?;
        while let Some(operator) = self.take(&[("*", Binary::Multiply), ("/", Binary::Divide)]) {
            let right = self.signed()?;
            left = self.join(operator, left, right)?;
        }
        Ok(left)
    }

    /// A sign binds weaker than a power: −2^2 = −4.
    fn signed(&mut self) -> Result<Node, ExpressionError> {
        let mut negative = false;
        while let Some(minus) = self.take(&[("+", false), ("-", true)]) {
            negative ^= minus;
        }
        let node = self.power()?;
        Ok(if negative { Node::Unary(Unary::Minus, Box::new(node)) } else { node })
    }

    fn power(&mut self) -> Result<Node, ExpressionError> {
        let base = self.operand()?;
        if self.take(&[("^", ())]).is_none() {
            return Ok(base);
        }
        let exponent = self.deeper(Self::signed)?;
        self.join(Binary::Power, base, exponent)
    }

    fn operand(&mut self) -> Result<Node, ExpressionError> {
        self.space();
        let start = self.at;
        match self.text.get(self.at) {
            Some(b'(') => {
                self.at += 1;
                let node = self.any()?;
                self.close()?;
                Ok(node)
            }
            Some(b'`') => self.quoted(),
            Some(c) if c.is_ascii_digit() || *c == b'.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() || *c == b'_' => {
                while self.text.get(self.at).is_some_and(|c| is_name(*c)) {
                    self.at += 1;
                }
                let name = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                self.named(name, start)
            }
            _ => Err(self.expected("a number, a name, a function or `(`")),
        }
    }

    fn quoted(&mut self) -> Result<Node, ExpressionError> {
        let at = self.at;
        let rest = &self.text[at + 1..];
        match rest.iter().position(|c| *c == b'`') {
            Some(length) if length > 0 => {
                self.at += length + 2;
                Ok(Node::Name { name: String::from_utf8_lossy(&rest[..length]).into_owned(), at })
            }
            _ => Err(self.error("expected a name and a closing backtick")),
        }
    }

    fn number(&mut self) -> Result<Node, ExpressionError> {
        let start = self.at;
        while let Some(c) = self.text.get(self.at) {
            let exponent_sign =
                self.at > start && matches!(c, b'+' | b'-') && matches!(self.text[self.at - 1], b'e' | b'E');
            if !(c.is_ascii_digit() || matches!(c, b'.' | b'e' | b'E') || exponent_sign) {
                break;
            }
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        match text.parse() {
            Ok(x) => Ok(Node::Number(x)),
            Err(_) => Err(ExpressionError { message: format!("`{text}` is not a number"), at: start }),
        }
    }

    fn named(&mut self, name: String, at: usize) -> Result<Node, ExpressionError> {
        if self.take(&[("(", ())]).is_some() {
            let mut arguments = vec![self.any()?];
            while self.take(&[(",", ())]).is_some() {
                arguments.push(self.any()?);
            }
            self.close()?;
            return Ok(Node::Call { name, at, arguments });
        }
        if self.functions.contains(&name.as_str()) {
            return Err(self.expected(&format!("`(` after `{name}`")));
        }
        if name == "pi" {
            return Ok(Node::Number(std::f64::consts::PI));
        }
        Ok(Node::Name { name, at })
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        self.take(&[(")", ())]).ok_or_else(|| self.expected("`)`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        fn of(node: &Node) -> f64 {
            match node {
                Node::Number(x) => *x,
                Node::Unary(operator, x) => operator.function()(of(x)),
                Node::Binary(operator, x) => operator.function()(of(&x[0]), of(&x[1])),
                Node::Name { .. } | Node::Call { .. } => f64::NAN,
            }
        }
        of(&parse(text, &[]).unwrap())
    }

    #[test]
    fn logic_is_weaker_than_comparison_and_that_than_arithmetic() {
        assert_eq!(value("1 + 1 < 3 and 2*2 == 4"), 1.0);
        assert_eq!(value("1 > 2 or not 3 >= 4"), 1.0);
        assert_eq!(value("1 < 2 and 2 != 2 or 5 <= 5"), 1.0);
        assert_eq!(value("not (1 < 2)"), 0.0);
        assert_eq!(value("not not 7"), 1.0);
        assert_eq!(parse("1 < 2 < 3", &[]).unwrap_err().at, 6);
    }

    #[test]
    fn names_hold_dots_or_stand_in_backticks() {
        let node = parse("max(tip.error.x) + `links.upper-arm.thickness` * order", &["max"]).unwrap();
        let names: Vec<_> = node.names();
        assert_eq!(names, [("tip.error.x", 4), ("links.upper-arm.thickness", 19), ("order", 49)]);
        assert_eq!(parse("`a", &[]).unwrap_err().at, 0);
    }

    #[test]
    fn an_expression_of_too_many_terms_is_refused() {
        let sum = |terms: usize| vec!["1"; terms].join("+");
        assert_eq!(value(&sum(MAX_OPERATORS + 1)), (MAX_OPERATORS + 1) as f64);
        assert!(parse(&sum(45_000), &[]).unwrap_err().message.contains("at most 1000 operators"));
        assert!(parse(&format!("{}1", "-".repeat(100_000)), &[]).is_ok());
    }
}
