//! PARAM entries.

use pliant_diag::Origin;

/// A value as it stands on the card.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A complex number.
    Complex(f64, f64),
    /// A word, in upper case.
    Text(String),
}

/// PARAM,name,value. The last one of a name counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name in upper case.
    pub name: String,
    /// Value.
    pub value: ParameterValue,
    /// Where it was set.
    pub source: Origin,
}
