//! Parameters and the keys they set.

use pliant_expression::Node;
use pliant_pipeline::KeyPath;

/// A parameter: a name and the keys it sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) targets: Vec<KeyPath>,
}

/// A key that is computed from the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub(crate) target: KeyPath,
    pub(crate) text: String,
    pub(crate) expression: Node,
}
