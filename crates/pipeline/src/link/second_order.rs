//! What a link does beyond linear displacement.

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind};

/// Displacement of second order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondOrderSpec {
    /// None: linear in the frame of the inboard interface.
    Off,
    /// The shortening of the mesh itself, from the geometric stiffness of its elements.
    Full,
    /// That of a turned chord alone: the link is linear in a frame that points from the inboard to the
    /// outboard interfaces.
    Chord,
}

impl FromValue for SecondOrderSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::Boolean(true) => Some(Self::Full),
            ValueKind::Boolean(false) => Some(Self::Off),
            ValueKind::String(word) if word == "chord" => Some(Self::Chord),
            _ => {
                context.error(value.span, "expected true, false or \"chord\"");
                None
            }
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("true, false or `\"chord\"`", json!({ "enum": [true, false, "chord"] }))
    }
}
