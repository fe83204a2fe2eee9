//! Values of options that clap cannot check by itself.

use thiserror::Error;

/// A value of an option that cannot be used. clap shows it behind the name of the option and the value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ArgumentError {
    #[error("expected {0}")]
    Expected(String),
    #[error("{0}")]
    Material(String),
}

/// A finite number above zero.
pub(crate) fn positive(text: &str, what: &str) -> Result<f64, ArgumentError> {
    let number = text.parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite());
    number.ok_or_else(|| ArgumentError::Expected(format!("{what} above 0")))
}
