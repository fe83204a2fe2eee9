//! `drive`: how a joint coordinate is driven.

use serde_json::json;

use super::{HydraulicTable, ServoTable};
use crate::function::FunctionSpec;
use crate::motion::MotionSpec;
use crate::schema::{Context, FromValue, Located, TypeDoc, closest};
use crate::{Value, ValueKind, table};

/// A drive.
#[derive(Clone, Debug, PartialEq)]
pub enum DriveSpec {
    /// Moves freely.
    Free,
    /// Driven.
    Driven(Box<DriveTable>),
}

impl FromValue for DriveSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(word) if word == "free" => Some(Self::Free),
            ValueKind::String(word) => {
                let hint = match closest(word, ["free"]) {
                    Some(_) => "did you mean `free`?",
                    None => {
                        "a drive is \"free\" or a table with one of `motion`, `torque`, `servo`, `hydraulic`"
                    }
                };
                context.error_with_hint(
                    value.span,
                    format_args!("`{word}` is not a drive"),
                    Some(hint.to_owned()),
                );
                None
            }
            _ => DriveTable::from_value(value, context).map(|table| Self::Driven(Box::new(table))),
        }
    }

    fn doc() -> TypeDoc {
        let table = DriveTable::doc();
        let json = json!({ "anyOf": [{ "const": "free" }, table.json] });
        TypeDoc { words: format!("`\"free\"` or {}", table.words), json, tables: table.tables }
    }
}

table! {
    /// What drives a joint coordinate: exactly one of these.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    /// drive  = { torque = "20*sin(2*pi*t)*step(1-t)" }
    /// ```
    pub struct DriveTable {
        /// A prescribed motion; the torque that it needs is computed.
        motion: Option<MotionSpec>;
        /// A torque or force on the child, its reaction on the parent (N·m, N).
        torque: Option<Located<FunctionSpec>>;
        /// A servo that follows a motion.
        servo: Option<ServoTable>;
        /// A servo-hydraulic drive that follows a motion.
        hydraulic: Option<HydraulicTable>;
    } check DriveTable::check
}

impl DriveTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("motion", self.motion.is_some()),
            ("torque", self.torque.is_some()),
            ("servo", self.servo.is_some()),
            ("hydraulic", self.hydraulic.is_some()),
        ]);
    }
}
