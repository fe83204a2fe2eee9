//! A robot as the text of a pipeline file.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::fmt::Write as _;

use nalgebra::Isometry3;
use pliant_diag::{Diagnostic, Diagnostics, Warned};

use crate::body::{Body, bodies};
use crate::{JointKind, Robot};

/// The pipeline file of a robot that stands on the ground with its root: rigid links, joints with friction,
/// mimic joints as couplings, limits as comments. The text is to be used only when no error was reported.
pub fn pipeline(robot: &Robot) -> Warned<String> {
    let mut diagnostics = Diagnostics::new();
    let bodies = bodies(robot, &mut diagnostics);
    if bodies.len() == 1 {
        let message = format!("robot `{}` has no joint that moves", robot.name);
        let problem = Diagnostic::error(message).at(robot.links[bodies[0].link].at);
        diagnostics.push(problem.hint("a robot that flies needs a joint of type `floating` to its root"));
    }
    let mut text = format!(
        "# {}, from its URDF: pliant run machine.toml\n#\n# Its links are rigid. One becomes flexible when `rigid` is replaced by `deck`, with the GRIDs of its interfaces.\n# Joint limits are comments: a drive has to respect them.\ntitle   = {}\ngravity = [0, 0, -9.81]\n",
        robot.name.replace(['\n', '\r'], " "),
        quoted(&robot.name),
    );
    let body_of = |link: usize| bodies.iter().find(|body| body.link == link);
    // The root holds nothing but its joints: it is the ground.
    for body in bodies.iter().skip(1) {
        link(&mut text, robot, body);
    }
    for body in &bodies {
        let Some(root) = bodies.first() else { break };
        for (row, frame) in &body.joints {
            let on_ground = body.link == root.link;
            joint(&mut text, robot, (*row, frame), if on_ground { None } else { Some(body) });
        }
    }
    for joint in &robot.joints {
        if let (Some((other, factor, offset)), JointKind::Revolute | JointKind::Prismatic) =
            (&joint.mimic, joint.kind)
        {
            let (own, other) = (quoted(&plain(&joint.name)), quoted(&plain(other)));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n[couplings.{own}]\nterms = {{ {own} = 1, {other} = {:?} }}", -factor);
            if *offset != 0.0 {
                let _ = writeln!(text, "value = {offset:?}");
            }
        }
    }
    let last = bodies.iter().skip(1).next_back().and_then(|body| body_of(body.link));
    text.push_str("\n[analysis]\nkind = \"rigid\"\nend  = 1.0\nstep = 1e-3\n");
    if let Some(body) = last {
        let tip = format!("{}.{}", plain(&robot.links[body.link].name), interfaces(robot, body)[0].0);
        let _ = writeln!(text, "\n[output]\ntip = {}", quoted(&tip));
    }
    Warned { output: text, diagnostics }
}

/// A name without the dot that separates link and interface.
fn plain(name: &str) -> String {
    name.replace(['.', '#'], "_")
}

fn quoted(name: &str) -> String {
    let safe: String = name.chars().filter(|c| !c.is_control()).collect();
    format!("\"{}\"", safe.replace('\\', "\\\\").replace('"', "\\\""))
}

fn list(values: impl IntoIterator<Item = f64>) -> String {
    // −0 would stand there as it is.
    let values: Vec<String> = values.into_iter().map(|value| format!("{:?}", value + 0.0)).collect();
    format!("[{}]", values.join(", "))
}

/// Interfaces of a body: its joints, its frames, or its own frame when there is neither.
fn interfaces(robot: &Robot, body: &Body) -> Vec<(String, [f64; 3])> {
    let joints = body.joints.iter().map(|(row, frame)| (&robot.joints[*row].name, frame));
    let frames = body.frames.iter().map(|(row, frame)| (&robot.links[*row].name, frame));
    let mut found: Vec<(String, [f64; 3])> = Vec::new();
    for (name, frame) in joints.chain(frames) {
        let name = plain(name);
        if found.iter().all(|(known, _)| *known != name) {
            found.push((name, frame.translation.vector.into()));
        }
    }
    if found.is_empty() {
        found.push(("end".to_owned(), [0.0; 3]));
    }
    found
}

fn link(text: &mut String, robot: &Robot, body: &Body) {
    let Some(inertia) = body.inertia else { return };
    let I = &inertia.tensor;
    let interfaces: Vec<String> = interfaces(robot, body)
        .into_iter()
        .map(|(name, position)| format!("{} = {}", quoted(&name), list(position)))
        .collect();
    let _ = writeln!(
        text,
        "\n[links.{}.rigid]\nmass       = {:?}\ncentre     = {}\ninertia    = {}\nproducts   = {}\ninterfaces = {{ {} }}",
        quoted(&plain(&robot.links[body.link].name)),
        inertia.mass,
        list(inertia.centre.iter().copied()),
        list([I[(0, 0)], I[(1, 1)], I[(2, 2)]]),
        list([I[(0, 1)], I[(1, 2)], I[(2, 0)]]),
        interfaces.join(", "),
    );
}

fn joint(text: &mut String, robot: &Robot, (row, frame): (usize, &Isometry3<f64>), parent: Option<&Body>) {
    let joint = &robot.joints[row];
    let kind = match joint.kind {
        JointKind::Revolute => "revolute",
        JointKind::Prismatic => "prismatic",
        JointKind::Floating => "free",
        JointKind::Fixed => "fixed",
    };
    let name = plain(&joint.name);
    let parent_name = match parent {
        Some(body) => format!("{}.{name}", plain(&robot.links[body.link].name)),
        None => "ground".to_owned(),
    };
    let _ = writeln!(
        text,
        "\n[joints.{}]\nparent = {}\nchild  = {}\ntype   = \"{kind}\"",
        quoted(&name),
        quoted(&parent_name),
        quoted(&plain(&robot.links[joint.child].name)),
    );
    if parent.is_none() {
        let _ = writeln!(text, "origin = {}", list(frame.translation.vector.iter().copied()));
    }
    let R = frame.rotation.to_rotation_matrix();
    let columns: Vec<String> = (0..2).map(|k| list(R.matrix().column(k).iter().copied())).collect();
    let _ = writeln!(text, "axes   = [{}]", columns.join(", "));
    if matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
        let _ = writeln!(text, "axis   = {}", list(joint.axis.normalize().iter().copied()));
    }
    if joint.damping != 0.0 || joint.friction != 0.0 {
        let _ =
            writeln!(text, "friction = {{ viscous = {:?}, coulomb = {:?} }}", joint.damping, joint.friction);
    }
    let (length, effort) = match joint.kind {
        JointKind::Prismatic => ("m", "N"),
        _ => ("rad", "N·m"),
    };
    let [lower, upper, force, rate] = joint.limits;
    let given = [
        lower.zip(upper).map(|(lower, upper)| format!("{lower} to {upper} {length}")),
        force.map(|force| format!("{force} {effort}")),
        rate.map(|rate| format!("{rate} {length}/s")),
    ];
    let given: Vec<String> = given.into_iter().flatten().collect();
    if !given.is_empty() {
        let _ = writeln!(text, "# limits: {}", given.join(", "));
    }
}
