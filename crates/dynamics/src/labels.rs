//! Names of coordinates, so that a failure can say where.

use pliant_link::Coordinate;
use pliant_mechanism::Model;

/// A velocity coordinate in words: joint and coordinate, bearing and component, or link with interface
/// component or mode.
pub(crate) fn coordinate_label(model: &Model, index: usize) -> String {
    for body in model.bodies() {
        let (hinge, elastic) = (body.hinge_velocities(), body.elastic_velocities());
        if hinge.contains(&index) {
            let k = index - hinge.start;
            let names = body.hinge.joint.coordinates();
            if let Some(name) = names.get(k) {
                return format!("joint `{}`, {name}", body.joint_name);
            }
            let component = body.hinge.bearing.compliant().nth(k - names.len()).map_or(0, |c| c.0 + 1);
            return format!("joint `{}`, bearing component {component}", body.joint_name);
        }
        if elastic.contains(&index) {
            let k = index - elastic.start;
            return match &body.link.coordinates[k] {
                Coordinate::Interface { interface, component } => {
                    let name = body.link.interfaces.get(*interface).map_or("?", |i| i.name.as_str());
                    format!("link `{}`, interface `{name}`, component {component}", body.name)
                }
                Coordinate::Mode { freq_hz } => {
                    format!("link `{}`, coordinate {} (mode of {freq_hz:.4} Hz)", body.name, k + 1)
                }
            };
        }
    }
    for joint in &model.closures().joints {
        let velocities = joint.velocities();
        if velocities.contains(&index) {
            let k = index - velocities.start;
            let name = joint.hinge.joint.coordinates().get(k).copied().unwrap_or("bearing");
            return format!("loop joint `{}`, {name}", joint.name);
        }
    }
    format!("coordinate {index}")
}
