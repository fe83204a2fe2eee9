//! Interval arithmetic: bounds of an expression over an interval of time.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use pliant_expression::{Binary, Node, Unary, unary};

type Interval = (f64, f64);

const EVERYTHING: Interval = (f64::NEG_INFINITY, f64::INFINITY);

/// An interval that contains all values of an expression for times in an interval.
pub(super) fn enclose(node: &Node, t: Interval) -> Interval {
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
    use crate::{Expression, TimeFunction};

    #[test]
    fn all_values_lie_within_the_bounds() {
        let texts = [
            "1000*exp(-((t - 0.4)/0.01)^2/2)",
            "20*sin(2*pi*3*t) + 5*t^2 - cos(40*t)",
            "500*sqrt(max(0, 1 - ((t - 0.5)/0.1)^2))",
            "(t > 0.3)*100/(1 + t)*exp(-t/0.1)",
            "100/cosh((t - 0.5)/0.01)^2",
            "tan(t)*abs(t - 0.5)",
        ];
        for text in texts {
            let function = Expression::parse(text).unwrap();
            for cells in [1, 7, 64] {
                for k in 0..cells {
                    let (a, b) = (f64::from(k) / f64::from(cells), f64::from(k + 1) / f64::from(cells));
                    let (low, high) = function.range(a, b).unwrap();
                    for i in 0..=100 {
                        let f = function.value(a + (b - a) * f64::from(i) / 100.0);
                        let slack = 1e-13 * f.abs();
                        assert!(low - slack <= f && f <= high + slack, "{text} from {a} to {b}: {f}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_pulse_does_not_hide_between_samples() {
        let pulse = Expression::parse("1000*exp(-((t - 0.40031)/1e-6)^2/2)").unwrap();
        assert!(pulse.range(0.25, 0.5).unwrap().1 > 999.0);
        assert_eq!(pulse.range(0.5, 1.0).unwrap().1, 0.0);
    }
}
