//! Loads for which a static residual vector is kept.

use std::fmt;

use pliant_diag::Diagnostic;
use pliant_mesh::SetId;

/// A load on the link, in its own axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResidualLoad {
    /// A unit force (axes 0 to 2) or moment (3 to 5) on an outboard interface.
    Interface {
        /// Its name.
        interface: String,
        /// Which component, from 0.
        axis: usize,
    },
    /// A unit acceleration of the entire link along an axis, from 0.
    Gravity(usize),
    /// A set of loads of the deck.
    Deck(SetId),
}

const AXES: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

impl ResidualLoad {
    /// From `interface.axis`, `gravity.axis` or `load.N`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(set) = text.strip_prefix("load.").and_then(|set| set.parse().ok()) {
            return Some(Self::Deck(SetId(set)));
        }
        let (target, axis) = text.split_once('.')?;
        let axis = AXES.iter().position(|word| *word == axis)?;
        if target == "gravity" {
            return (axis < 3).then_some(Self::Gravity(axis));
        }
        Some(Self::Interface { interface: target.to_owned(), axis })
    }
}

impl fmt::Display for ResidualLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interface { interface, axis } => write!(f, "{interface}.{}", AXES[*axis]),
            Self::Gravity(axis) => write!(f, "gravity.{}", AXES[*axis]),
            Self::Deck(set) => write!(f, "load.{}", set.0),
        }
    }
}

/// The message about a text that is no load of a link with these outboard interfaces.
pub fn unknown_load(text: &str, interfaces: &[&str]) -> Diagnostic {
    let message = format!("`{text}` is not a load direction");
    let hint = format!(
        "write interface.axis with an interface ({}) or `gravity`, and an axis x, y, z, rx, ry, rz; or load.N with a set of loads",
        interfaces.join(", ")
    );
    Diagnostic::error(message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_written_as_they_are_read() {
        for text in ["elbow.z", "elbow.rx", "gravity.x", "load.7"] {
            assert_eq!(ResidualLoad::parse(text).map(|load| load.to_string()).as_deref(), Some(text));
        }
        for text in ["elbow", "elbow.w", "gravity.rx", "", "load.x1"] {
            assert_eq!(ResidualLoad::parse(text), None, "{text}");
        }
        // An interface may be called `load`.
        assert!(matches!(ResidualLoad::parse("load.x"), Some(ResidualLoad::Interface { .. })));
    }
}
