//! Expressions of numbers and of what changes with time.

use std::rc::Rc;

use pliant_expression::{ExpressionError, FUNCTIONS, Node, unary};
use thiserror::Error;

/// Values at times (s).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) t: Rc<[f64]>,
    pub(crate) y: Rc<[f64]>,
}

/// What a name or an expression stands for. A number that a case does not have, such as the settling time of
/// one that does not settle, is NaN, and so is all that follows from it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Number(f64),
    Series(Series),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum EvaluateError {
    #[error("`{0}` is not known")]
    UnknownName(String),
    #[error("there is no function `{0}`")]
    UnknownFunction(String),
    #[error("`{function}` takes {expected}")]
    Arguments { function: String, expected: &'static str },
    #[error("the two signals have different times")]
    DifferentTimes,
    #[error("expected one number, found a signal over time")]
    NotOneNumber,
    #[error("`{0}` is not a number")]
    NotANumber(String),
    #[error("the result is {0}, not a finite number")]
    NotFinite(f64),
}

/// What functions of a series and a time take.
const SERIES_AND_TIME: &str = "a signal and a time";

/// Functions that make one number of a series.
const SUMS: [&str; 9] = ["mean", "rms", "std", "first", "last", "range", "integral", "max", "min"];
/// Functions of a series and a time.
const PARTS: [&str; 3] = ["after", "before", "at"];

/// Reads an expression.
pub(crate) fn parse(text: &str) -> Result<Node, ExpressionError> {
    let functions: Vec<_> = FUNCTIONS.iter().map(|(name, _)| *name).chain(SUMS).chain(PARTS).collect();
    pliant_expression::parse(text, &functions)
}

/// The value of an expression; `look` knows the names.
///
/// # Errors
/// A name that is not known, a function with the wrong arguments.
pub(crate) fn evaluate(node: &Node, look: &dyn Fn(&str) -> Option<Data>) -> Result<Data, EvaluateError> {
    match node {
        Node::Number(x) => Ok(Data::Number(*x)),
        Node::Name { name, .. } => look(name).ok_or_else(|| EvaluateError::UnknownName(name.clone())),
        Node::Unary(operator, operand) => Ok(each(evaluate(operand, look)?, operator.function())),
        Node::Binary(operator, operands) => {
            let [left, right] = &**operands;
            both(evaluate(left, look)?, evaluate(right, look)?, operator.function())
        }
        Node::Call { name, arguments, .. } => {
            let arguments = arguments.iter().map(|a| evaluate(a, look)).collect::<Result<Vec<_>, _>>()?;
            call(name, arguments)
        }
    }
}

/// The value of an expression that must be one number.
pub(crate) fn number(node: &Node, look: &dyn Fn(&str) -> Option<Data>) -> Result<f64, EvaluateError> {
    match evaluate(node, look)? {
        Data::Number(x) => Ok(x),
        Data::Series(_) => Err(EvaluateError::NotOneNumber),
    }
}

fn each(data: Data, f: impl Fn(f64) -> f64) -> Data {
    match data {
        Data::Number(x) => Data::Number(f(x)),
        Data::Series(s) => Data::Series(Series { y: s.y.iter().map(|y| f(*y)).collect(), t: s.t }),
    }
}

fn both(left: Data, right: Data, f: impl Fn(f64, f64) -> f64) -> Result<Data, EvaluateError> {
    match (left, right) {
        (left, Data::Number(b)) => Ok(each(left, |a| f(a, b))),
        (Data::Number(a), right) => Ok(each(right, |b| f(a, b))),
        (Data::Series(a), Data::Series(b)) if a.t == b.t => {
            let y = a.y.iter().zip(b.y.iter()).map(|(a, b)| f(*a, *b)).collect();
            Ok(Data::Series(Series { t: a.t, y }))
        }
        _ => Err(EvaluateError::DifferentTimes),
    }
}

/// The larger of two; NaN when one of them is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn smaller(a: f64, b: f64) -> f64 {
    -larger(-a, -b)
}

fn call(name: &str, mut arguments: Vec<Data>) -> Result<Data, EvaluateError> {
    let count = arguments.len();
    let second = if count == 2 { arguments.pop() } else { None };
    let first = arguments.remove(0);
    match (second, unary(name)) {
        (None, Some(function)) if count == 1 => Ok(each(first, function)),
        (Some(second), None) if name == "max" => both(first, second, larger),
        (Some(second), None) if name == "min" => both(first, second, smaller),
        (Some(Data::Number(time)), None) if PARTS.contains(&name) => match first {
            Data::Series(series) => part(name, &series, time),
            Data::Number(_) => Err(wrong_arguments(name, SERIES_AND_TIME)),
        },
        (None, None) if count == 1 && SUMS.contains(&name) => Ok(Data::Number(match first {
            Data::Number(x) => x,
            Data::Series(series) => sum(name, &series),
        })),
        (_, function) if function.is_some() || SUMS.contains(&name) || PARTS.contains(&name) => {
            let expected = if PARTS.contains(&name) { SERIES_AND_TIME } else { "one argument" };
            Err(wrong_arguments(name, expected))
        }
        _ => Err(EvaluateError::UnknownFunction(name.to_owned())),
    }
}

fn wrong_arguments(function: &str, expected: &'static str) -> EvaluateError {
    EvaluateError::Arguments { function: function.to_owned(), expected }
}

fn part(name: &str, series: &Series, time: f64) -> Result<Data, EvaluateError> {
    let Series { t, y } = series;
    let split = t.partition_point(|t| *t < time);
    let cut = |range: std::ops::Range<usize>| {
        Data::Series(Series { t: t[range.clone()].into(), y: y[range].into() })
    };
    Ok(match name {
        "after" => cut(split..t.len()),
        "before" => cut(0..t.partition_point(|t| *t <= time)),
        // Linear between outputs; NaN outside.
        _ if t.get(split) == Some(&time) => Data::Number(y[split]),
        _ if split == 0 || split == t.len() => Data::Number(f64::NAN),
        _ => {
            let share = (time - t[split - 1]) / (t[split] - t[split - 1]);
            Data::Number(y[split - 1] + share * (y[split] - y[split - 1]))
        }
    })
}

/// One number of a series; NaN of none. Means weigh outputs equally: they are equally spaced.
fn sum(name: &str, series: &Series) -> f64 {
    let (t, y) = (&series.t, &series.y);
    let (Some(first), Some(last)) = (y.first(), y.last()) else { return f64::NAN };
    let n = y.len() as f64;
    let mean = || y.iter().sum::<f64>() / n;
    let extreme = |better: fn(f64, f64) -> f64| y.iter().copied().fold(*first, better);
    match name {
        "max" => extreme(larger),
        "min" => extreme(smaller),
        "range" => extreme(larger) - extreme(smaller),
        "first" => *first,
        "last" => *last,
        "mean" => mean(),
        "rms" => (y.iter().map(|y| y * y).sum::<f64>() / n).sqrt(),
        "std" => {
            let mean = mean();
            (y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / n).sqrt()
        }
        _ => t.windows(2).zip(y.windows(2)).map(|(t, y)| 0.5 * (t[1] - t[0]) * (y[0] + y[1])).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, EvaluateError> {
        let t: Rc<[f64]> = [0.0, 1.0, 2.0, 3.0].into();
        let look = |name: &str| match name {
            "t" => Some(Data::Series(Series { t: t.clone(), y: t.clone() })),
            "s" => Some(Data::Series(Series { t: t.clone(), y: [0.0, -3.0, 1.0, 2.0].into() })),
            "none" => Some(Data::Number(f64::NAN)),
            "a" => Some(Data::Number(2.0)),
            _ => None,
        };
        number(&parse(text).map_err(|e| EvaluateError::UnknownName(e.to_string()))?, &look)
    }

    #[test]
    fn series_become_numbers() {
        let known = [
            ("max(abs(s))", 3.0),
            ("max(s)", 2.0),
            ("min(s)", -3.0),
            ("range(s)", 5.0),
            ("mean(s)", 0.0),
            ("rms(s)", 3.5_f64.sqrt()),
            ("std(s)", 3.5_f64.sqrt()),
            ("last(s) - first(s)", 2.0),
            ("integral(t)", 4.5),
            ("integral(t*t)", 9.5),
            ("max(after(s, 1.5))", 2.0),
            ("min(before(s, 1))", -3.0),
            ("at(s, 1.5)", -1.0),
            ("at(s, 3)", 2.0),
            ("max(a, 3) + min(a, 3)", 5.0),
            ("max(max(s, 0) * a)", 4.0),
            ("mean(s > 0) == 0.5 and a == 2", 1.0),
        ];
        for (text, expected) in known {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_a_case_does_not_have_stays_missing() {
        for text in ["none + 1", "max(none, 5)", "min(5, none)", "at(s, 9)", "max(after(s, 9))"] {
            assert!(value(text).unwrap().is_nan(), "{text}");
        }
        assert_eq!(value("none < 1"), Ok(0.0), "a constraint on it fails");
    }

    #[test]
    fn mistakes_are_reported() {
        for text in ["s", "after(s, 1) + s", "max(s, 1, 2)", "sin(1, 2)", "at(a, 1)", "foo(s)", "max s", "b"]
        {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
