//! Functions of one number.

/// A function of one number.
pub type Function = fn(f64) -> f64;

/// Name and function.
pub const FUNCTIONS: [(&str, Function); 16] = [
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

/// The function of one number with this name.
pub fn unary(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}
