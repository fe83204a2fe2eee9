//! A controller from outside on a joint of a case.

use std::sync::Arc;

use pliant_diag::Diagnostic;
use pliant_mechanism::{ControlLaw, Model};
use pliant_pipeline::{Document, Key, KeyPath, PipelineTable, Value, ValueKind};

/// A controller from outside, and where it is.
#[derive(Clone, Debug)]
pub struct JointController {
    /// Joint; of one with several coordinates `joint.coordinate`.
    pub joint: String,
    /// Time between samples (s).
    pub sample: f64,
    /// Time from a sample until its torque comes into force (s).
    pub delay: f64,
    /// What it computes.
    pub law: Arc<dyn ControlLaw>,
}

impl JointController {
    /// The joint of the file and the index of its coordinate.
    fn coordinate<'t>(&self, table: &'t PipelineTable) -> Option<(&'t str, usize)> {
        table.joints.iter().find_map(|(name, joint)| {
            let names = joint.type_.coordinates();
            match self.joint.strip_prefix(name)?.strip_prefix('.') {
                None => (self.joint == name && names.len() == 1).then_some((name, 0)),
                Some(rest) => names.iter().position(|own| *own == rest).map(|k| (name, k)),
            }
        })
    }

    /// The key of the drive, in parts.
    fn drive_path(&self, table: &PipelineTable) -> Option<KeyPath> {
        let (name, k) = self.coordinate(table)?;
        let names = table.joints.get(name)?.type_.coordinates();
        let parts = match names {
            [_] => vec!["joints", name, "drive"],
            _ => vec!["joints", name, "coordinates", names[k], "drive"],
        };
        Some(KeyPath { parts: parts.into_iter().map(str::to_owned).collect() })
    }

    /// The same as text.
    pub(crate) fn drive_key(&self, table: &PipelineTable) -> String {
        let parts = self.drive_path(table).map(|path| path.parts).unwrap_or_default();
        parts.iter().map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join(".")
    }

    /// The drive that the joint has with this controller: a sampled servo without gains.
    pub(crate) fn drive(&self, table: &PipelineTable, document: &Document) -> Result<Value, Box<Diagnostic>> {
        let joint = &self.joint;
        let Some(path) = self.drive_path(table) else {
            let known: Vec<_> = table.joints.iter().map(|(name, _)| name).collect();
            let hint =
                format!("the joints are {}; a coordinate of several is `joint.coordinate`", known.join(", "));
            return Err(Box::new(
                Diagnostic::error(format!("there is no joint `{joint}` to control")).hint(hint),
            ));
        };
        let parts: Vec<_> = path.parts.iter().map(String::as_str).collect();
        let drive = document.root.get(&parts);
        let servo = drive.and_then(|drive| drive.get(&["servo"]));
        let follow = servo.and_then(|servo| servo.get(&["follow"])).or_else(|| drive?.get(&["motion"]));
        let Some(follow) = follow else {
            let hint = "give its drive a `motion`, or a `servo` with `follow`: the command of the controller";
            let message = format!("joint `{joint}` has no motion that a controller could follow");
            return Err(Box::new(
                Diagnostic::error(message).at(drive.and_then(|drive| drive.span)).hint(hint),
            ));
        };
        let number = |x: f64| Value { kind: ValueKind::Float(x), span: None };
        let given = [
            ("position_gain", number(0.0)),
            ("rate_gain", number(0.0)),
            ("sample", number(self.sample)),
            ("delay", number(self.delay)),
        ];
        let kept =
            ["limit", "rate_limit"].into_iter().filter_map(|key| Some((key, servo?.get(&[key])?.clone())));
        let entries = std::iter::once(("follow", follow.clone())).chain(given).chain(kept);
        Ok(table_of([("servo", table_of(entries))]))
    }

    /// Puts it into the model of the case.
    pub(crate) fn put_into(&self, table: &PipelineTable, model: &mut Model) -> Result<(), Box<Diagnostic>> {
        let found = self.coordinate(table).and_then(|(name, k)| model.joint_coordinate(name, k));
        match found.and_then(|coordinate| model.servo_mut(coordinate)) {
            Some(servo) => servo.law = Some(Arc::clone(&self.law)),
            None => {
                let message = format!("the controller of joint `{}` finds no servo there", self.joint);
                let hint = "its drive was changed after the controller was given";
                return Err(Box::new(Diagnostic::error(message).hint(hint)));
            }
        }
        Ok(())
    }
}

fn table_of<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    let entry = |(name, value): (&str, Value)| (Key { name: name.to_owned(), span: None }, value);
    Value { kind: ValueKind::Table(entries.into_iter().map(entry).collect()), span: None }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pliant_mechanism::{Controller, Measurement};

    use super::*;
    use crate::Case;

    #[derive(Debug)]
    struct Nothing;

    impl ControlLaw for Nothing {
        fn start(&self, _: &[String]) -> Box<dyn Controller> {
            Box::new(Self)
        }
    }

    impl Controller for Nothing {
        fn torque(&mut self, _: &Measurement<'_>) -> Result<f64, pliant_mechanism::ControlError> {
            Ok(0.0)
        }
    }

    const MACHINE: &str = r#"
        [links.a]
        rigid = { mass = 1, inertia = [1, 1, 1], interfaces = { tip = [1, 0, 0] } }
        [links.b]
        rigid = { mass = 1, inertia = [1, 1, 1], interfaces = { tip = [1, 0, 0] } }
        [joints."a.b"]
        parent = "ground"
        child = "a"
        type = "universal"
        axis = "x"
        second_axis = "y"
        coordinates.angle_1.drive = { motion = { profile = "hold", value = 0.1 } }
        [joints.plain]
        parent = "a.tip"
        child = "b"
        type = "revolute"
        axis = "z"
        drive = { servo = { follow = { profile = "hold", value = 0.2 }, f0_hz = 1, inertia = 1, limit = 7 } }
        [analysis]
        end = 0.1
        step = 0.01
    "#;

    fn case() -> Case {
        let read = pliant_pipeline::from_text(Path::new("machine.toml"), MACHINE.to_owned());
        Case::new(read).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).output
    }

    fn controlled(joint: &str) -> Result<Case, String> {
        let controller =
            JointController { joint: joint.to_owned(), sample: 0.02, delay: 0.01, law: Arc::new(Nothing) };
        let made = case().with_controller(&controller);
        made.map(|made| made.output).map_err(|failure| format!("{:?}", failure.diagnostics))
    }

    #[test]
    fn a_drive_becomes_a_sampled_servo_that_follows_what_it_followed() {
        let text = |case: &Case| case.file().document.to_toml();
        let servo = "position_gain = 0.0, rate_gain = 0.0, sample = 0.02, delay = 0.01";
        let plain = text(&controlled("plain").unwrap());
        let expected = format!(
            "drive = {{ servo = {{ follow = {{ profile = \"hold\", value = 0.2 }}, {servo}, limit = 7 }} }}"
        );
        assert!(plain.contains(&expected), "{plain}");
        // A name may hold dots, and a joint of several coordinates names the one.
        let first = text(&controlled("a.b.angle_1").unwrap());
        let expected = format!("{{ servo = {{ follow = {{ profile = \"hold\", value = 0.1 }}, {servo} }} }}");
        assert!(first.contains(&expected), "{first}");
        assert!(
            controlled("plain").unwrap().provenance().pipeline.starts_with("# joint plain: the torque comes")
        );
    }

    #[test]
    fn what_cannot_be_controlled_is_refused() {
        for (joint, reported) in [
            ("a.b", "there is no joint `a.b` to control"),
            ("a.b.angle_2", "joint `a.b.angle_2` has no motion"),
            ("other", "the joints are a.b, plain"),
        ] {
            let found = controlled(joint).unwrap_err();
            assert!(found.contains(reported), "{joint}: {found}");
        }
    }
}
