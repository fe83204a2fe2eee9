//! Where an expression of time jumps or has a corner.
//!
//! `step`, `sign` and comparisons jump, `abs`, `min` and `max` have a corner, where an argument g(t) passes
//! zero. The zeros are enclosed by interval arithmetic, so that none is missed that lies further than a
//! billionth of the run from the next: an interval in which the enclosure of g does not contain zero holds
//! none, any other is halved.

use pliant_expression::{Binary, Node, unary};

use super::enclosure::enclose;
use crate::Event;

/// Narrowest interval looked at, as a part of the span: pulses shorter than this are not found.
const FINEST: f64 = 1e-9;

/// Most enclosures that are evaluated; the ends of what is left then decide.
const MOST_ENCLOSURES: usize = 4_000_000;

/// A function g of time at whose zeros an expression is not smooth.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    g: Node,
    jumps: bool,
}

/// All switches of an expression.
pub(crate) fn switches(node: &Node) -> Vec<Switch> {
    let mut found = Vec::new();
    collect(node, &mut found);
    found
}

fn collect(node: &Node, found: &mut Vec<Switch>) {
    let difference =
        |pair: &[Node]| Node::Binary(Binary::Subtract, Box::new([pair[0].clone(), pair[1].clone()]));
    let switch = match node {
        Node::Call { name, arguments, .. } => match (name.as_str(), arguments.as_slice()) {
            ("step" | "sign", [x]) => Some((x.clone(), true)),
            ("abs", [x]) => Some((x.clone(), false)),
            ("min" | "max", [_, _]) => Some((difference(arguments), false)),
            _ => None,
        },
        Node::Binary(
            Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::Equal
            | Binary::NotEqual,
            operands,
        ) => Some((difference(&operands[..]), true)),
        Node::Binary(..) | Node::Unary(..) | Node::Number(_) | Node::Name { .. } => None,
    };
    // What does not depend on time does not switch.
    found.extend(switch.filter(|(g, _)| !g.names().is_empty()).map(|(g, jumps)| Switch { g, jumps }));
    match node {
        Node::Call { arguments, .. } => arguments.iter().for_each(|a| collect(a, found)),
        Node::Unary(_, operand) => collect(operand, found),
        Node::Binary(_, operands) => operands.iter().for_each(|o| collect(o, found)),
        Node::Number(_) | Node::Name { .. } => {}
    }
}

impl Switch {
    /// Its events from `from` to `to`.
    pub(crate) fn events(&self, from: f64, to: f64) -> Vec<Event> {
        let finest = FINEST * (to - from);
        let (mut waiting, mut events, mut count) = (vec![(from, to)], Vec::new(), 0);
        while let Some((a, b)) = waiting.pop() {
            count += 1;
            let (low, high) = enclose(&self.g, (a, b));
            if low > 0.0 || high < 0.0 || (low == 0.0 && high == 0.0) {
                continue;
            }
            let middle = 0.5 * (a + b);
            if b - a > finest && count < MOST_ENCLOSURES {
                // The earlier half is taken first: events come in their order.
                waiting.extend([(middle, b), (a, middle)]);
                continue;
            }
            // Zero itself belongs to one side or the other, or is a value of its own (sign): both borders
            // count.
            for test in [|g: f64| g >= 0.0, |g: f64| g > 0.0] {
                events.extend(self.border(a, b, test).map(|t| Event { t, jumps: self.jumps }));
            }
        }
        events
    }

    /// Where a test of g changes between two times, to the last digit.
    fn border(&self, mut a: f64, mut b: f64, test: fn(f64) -> bool) -> Option<f64> {
        let at = |t: f64| test(value(&self.g, t));
        let before = at(a);
        if at(b) == before {
            return None;
        }
        loop {
            let middle = 0.5 * (a + b);
            if middle <= a || middle >= b {
                return Some(b);
            }
            if at(middle) == before {
                a = middle;
            } else {
                b = middle;
            }
        }
    }
}

/// The value at a time.
fn value(node: &Node, t: f64) -> f64 {
    match node {
        Node::Number(x) => *x,
        Node::Name { .. } => t,
        Node::Unary(operator, operand) => operator.function()(value(operand, t)),
        Node::Binary(operator, operands) => {
            operator.function()(value(&operands[0], t), value(&operands[1], t))
        }
        Node::Call { name, arguments, .. } => {
            let x = value(&arguments[0], t);
            match (name.as_str(), arguments.get(1)) {
                ("min", Some(y)) => x.min(value(y, t)),
                ("max", Some(y)) => x.max(value(y, t)),
                _ => unary(name).map_or(f64::NAN, |f| f(x)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Event, Expression, TimeFunction};

    fn times(text: &str, to: f64) -> Vec<f64> {
        let events = Expression::parse(text).unwrap().events(0.0, to);
        Event::merged(events, 1e-12).iter().map(|event| event.t).collect()
    }

    #[test]
    fn every_switch_is_found_to_the_last_digit() {
        assert_eq!(times("1000*(t >= 0.0103 and t < 0.0123)", 1000.0), [0.0103, 0.0123]);
        assert_eq!(times("step(3*t - 0.9)", 1.0).len(), 1);
        assert!((times("step(3*t - 0.9)", 1.0)[0] - 0.3).abs() < 1e-16);
        assert_eq!(times("max(t - 1, 0) + abs(2 - t)", 10.0), [1.0, 2.0]);
        assert!(times("20*sin(2*pi*3*t) + 5*t^2", 10.0).is_empty());
        // A value at one instant is left out: forces are those on either side of it.
        assert_eq!(times("3*(t == 0.7) + (t != 0.2)", 1.0), [0.2, 0.7]);
        // A pulse of a microsecond in a run of 100 s.
        assert_eq!(times("step(t-50) - step(t-50.000001)", 100.0), [50.0, 50.000001]);
    }

    #[test]
    fn a_square_wave_has_all_its_edges() {
        // sign(sin(2π 50 t)): an edge at every multiple of 10 ms, the one at 0 not counted as a change
        // inside.
        let found = times("sign(sin(2*pi*50*t))", 1.0);
        let inner: Vec<f64> = found.into_iter().filter(|t| *t > 1e-6 && *t < 1.0 - 1e-6).collect();
        assert_eq!(inner.len(), 99);
        for (k, t) in inner.iter().enumerate() {
            assert!((t - 0.01 * (k + 1) as f64).abs() < 1e-14, "edge {k} at {t}");
        }
    }

    #[test]
    fn a_product_that_interval_arithmetic_cannot_resolve_still_ends() {
        // t·t − t² is zero everywhere and its enclosure never is.
        assert!(times("step(t*t - t^2 - 1)", 1.0).is_empty());
        let _ = times("abs(t*t - t^2)", 1.0);
    }
}
