//! Bodies: links that fixed joints hold together.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Isometry3, Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics};

use crate::{Inertia, JointKind, Robot};

/// A body with all that hangs on it, in the frame of its first link.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Row of the link that gives it its name and its frame.
    pub(crate) link: usize,
    /// The joint that carries it; none for the root.
    pub(crate) joint: Option<usize>,
    pub(crate) inertia: Option<Inertia>,
    /// Movable joints on it, with their frames.
    pub(crate) joints: Vec<(usize, Isometry3<f64>)>,
    /// Frames without mass at its ends, by link.
    pub(crate) frames: Vec<(usize, Isometry3<f64>)>,
}

/// Two inertias of one frame as one: masses add, tensors are moved to the common centre (Steiner).
fn sum(a: Inertia, b: Inertia) -> Inertia {
    let mass = a.mass + b.mass;
    let centre = (a.centre * a.mass + b.centre * b.mass) / mass;
    let moved = |part: Inertia| {
        let r: Vector3<f64> = part.centre - centre;
        part.tensor + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * part.mass
    };
    Inertia { mass, centre, tensor: moved(a) + moved(b) }
}

/// An inertia in another frame.
fn seen(inertia: Inertia, frame: &Isometry3<f64>) -> Inertia {
    let R = frame.rotation.to_rotation_matrix();
    Inertia {
        mass: inertia.mass,
        centre: frame.transform_point(&inertia.centre.into()).coords,
        tensor: R * inertia.tensor * R.transpose(),
    }
}

/// The bodies, the root first, each after the one that carries it.
pub(crate) fn bodies(robot: &Robot, diagnostics: &mut Diagnostics) -> Vec<Body> {
    let mut carried = vec![None; robot.links.len()];
    for (row, joint) in robot.joints.iter().enumerate() {
        if carried[joint.child].replace(row).is_some() {
            let message = format!("link `{}` is the child of two joints", robot.links[joint.child].name);
            diagnostics.push(Diagnostic::error(message).at(joint.at));
        }
    }
    if diagnostics.has_errors() {
        // Two parents may close a loop, in which the search below would not end.
        return Vec::new();
    }
    let roots: Vec<usize> = (0..robot.links.len()).filter(|row| carried[*row].is_none()).collect();
    let [root] = roots[..] else {
        let names: Vec<&str> = roots.iter().map(|row| robot.links[*row].name.as_str()).collect();
        let message = match names.is_empty() {
            true => "there is no link without parent: the joints form a loop".to_owned(),
            false => format!("expected one link without parent, found {}", names.join(", ")),
        };
        let at = roots.get(1).map(|row| robot.links[*row].at);
        diagnostics.push(Diagnostic::error(message).at(at));
        return Vec::new();
    };
    let mut bodies = Vec::new();
    let mut found = vec![false; robot.links.len()];
    let mut waiting = std::collections::VecDeque::from([(root, None)]);
    while let Some((link, joint)) = waiting.pop_front() {
        let mut body = Body { link, joint, inertia: None, joints: Vec::new(), frames: Vec::new() };
        let mut parts = vec![(link, Isometry3::identity())];
        while let Some((part, frame)) = parts.pop() {
            found[part] = true;
            if let Some(inertia) = robot.links[part].inertia {
                let inertia = seen(inertia, &frame);
                body.inertia = Some(body.inertia.map_or(inertia, |sum_so_far| sum(sum_so_far, inertia)));
            }
            let mut is_end = true;
            for (row, joint) in robot.joints.iter().enumerate().filter(|(_, joint)| joint.parent == part) {
                is_end = false;
                let placed = frame * joint.frame;
                if joint.kind == JointKind::Fixed {
                    parts.push((joint.child, placed));
                } else {
                    body.joints.push((row, placed));
                    waiting.push_back((joint.child, Some(row)));
                }
            }
            if is_end && part != link && robot.links[part].inertia.is_none() {
                body.frames.push((part, frame));
            }
        }
        if body.joint.is_some() && body.inertia.is_none() {
            let link = &robot.links[body.link];
            let message = format!("link `{}` moves and has no inertia", link.name);
            let hint = "give it an <inertial> with its mass, centre and inertia";
            diagnostics.push(Diagnostic::error(message).at(link.at).hint(hint));
        }
        bodies.push(body);
    }
    if let Some(lost) = found.iter().position(|found| !found) {
        let link = &robot.links[lost];
        let message = format!("link `{}` hangs on itself: the joints around it form a loop", link.name);
        diagnostics.push(Diagnostic::error(message).at(link.at));
    }
    bodies
}
