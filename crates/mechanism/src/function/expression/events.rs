//! Where an expression of time jumps or has a corner.
//!
//! `step`, `sign` and comparisons jump, `abs`, `min` and `max` have a corner, where an argument g(t) passes
//! zero. The zeros are enclosed by interval arithmetic, so that none is missed that lies further than a
//! billionth of the run from the next: an interval in which the enclosure of g does not contain zero holds
//! none, any other is halved.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use pliant_expression::{Binary, Node, Unary, unary};

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

type Interval = (f64, f64);

const EVERYTHING: Interval = (f64::NEG_INFINITY, f64::INFINITY);

/// An interval that contains all values of an expression for times in an interval.
fn enclose(node: &Node, t: Interval) -> Interval {
    let known = |(low, high): Interval| if low <= high { (low, high) } else { EVERYTHING };
    known(match node {
        Node::Number(x) => (*x, *x),
        Node::Name { .. } => t,
        Node::Unary(Unary::Minus, operand) => {
            let (low, high) = enclose(operand, t);
            (-high, -low)
        }
        Node::Unary(Unary::Not, _) => (0.0, 1.0),
        Node::Binary(operator, operands) => {
            binary(*operator, enclose(&operands[0], t), enclose(&operands[1], t), &operands[1])
        }
        Node::Call { name, arguments, .. } => {
            let x = enclose(&arguments[0], t);
            match (name.as_str(), arguments.get(1)) {
                ("min", Some(y)) => {
                    let y = enclose(y, t);
                    (x.0.min(y.0), x.1.min(y.1))
                }
                ("max", Some(y)) => {
                    let y = enclose(y, t);
                    (x.0.max(y.0), x.1.max(y.1))
                }
                _ => call(name, x),
            }
        }
    })
}

fn binary(operator: Binary, a: Interval, b: Interval, exponent: &Node) -> Interval {
    let hull = |products: [f64; 4]| {
        // 0·∞ is NaN: then nothing is known.
        if products.iter().any(|p| p.is_nan()) {
            return EVERYTHING;
        }
        products.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)))
    };
    match operator {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Subtract => (a.0 - b.1, a.1 - b.0),
        Binary::Multiply => hull([a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1]),
        Binary::Divide if b.0 > 0.0 || b.1 < 0.0 => hull([a.0 / b.0, a.0 / b.1, a.1 / b.0, a.1 / b.1]),
        Binary::Power => match exponent {
            Node::Number(n) if a.0 >= 0.0 && *n >= 0.0 => (a.0.powf(*n), a.1.powf(*n)),
            Node::Number(n) if *n > 0.0 && n.fract() == 0.0 => {
                let (low, high) = (a.0.powf(*n), a.1.powf(*n));
                match n % 2.0 == 0.0 {
                    true if a.1 <= 0.0 => (high, low),
                    true => (0.0, low.max(high)),
                    false => (low, high),
                }
            }
            _ => EVERYTHING,
        },
        Binary::Divide => EVERYTHING,
        Binary::Less
        | Binary::LessOrEqual
        | Binary::Greater
        | Binary::GreaterOrEqual
        | Binary::Equal
        | Binary::NotEqual
        | Binary::And
        | Binary::Or => (0.0, 1.0),
    }
}

fn call(name: &str, (low, high): Interval) -> Interval {
    match name {
        "sin" => sine((low, high)),
        "cos" => sine((low + FRAC_PI_2, high + FRAC_PI_2)),
        "asin" | "atan" | "sinh" | "tanh" | "exp" | "sign" | "step" | "rad" => {
            unary(name).map_or(EVERYTHING, |f| (f(low), f(high)))
        }
        "ln" | "sqrt" if low >= 0.0 => unary(name).map_or(EVERYTHING, |f| (f(low), f(high))),
        "acos" => (high.acos(), low.acos()),
        "tan" if high - low < PI && ((low + FRAC_PI_2) / PI).floor() == ((high + FRAC_PI_2) / PI).floor() => {
            (low.tan(), high.tan())
        }
        "abs" if low >= 0.0 => (low, high),
        "abs" if high <= 0.0 => (-high, -low),
        "abs" => (0.0, high.max(-low)),
        "cosh" if low < 0.0 && high > 0.0 => (1.0, low.cosh().max(high.cosh())),
        "cosh" => (low.cosh().min(high.cosh()), low.cosh().max(high.cosh())),
        _ => EVERYTHING,
    }
}

/// Range of the sine over an interval.
fn sine((low, high): Interval) -> Interval {
    if high - low >= TAU || high.is_nan() || low.is_nan() {
        return (-1.0, 1.0);
    }
    // Is there a point x₀ + 2πk in between?
    let holds = |x0: f64| ((low - x0) / TAU).ceil() <= ((high - x0) / TAU).floor();
    let (a, b) = (low.sin(), high.sin());
    let top = if holds(FRAC_PI_2) { 1.0 } else { a.max(b) };
    let bottom = if holds(-FRAC_PI_2) { -1.0 } else { a.min(b) };
    (bottom, top)
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
