//! The rigid machine as a robot description (URDF).
//!
//! A link of URDF has its frame on the joint that carries it: on the child side, C. Payloads belong to the
//! link that carries them; interfaces without a joint become links without mass at fixed joints.

#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

use std::collections::HashSet;

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mechanism::{Body, Drive, InterfaceRef, JointRef, Model};
use pliant_spatial::{Transform, Twist, skew};

/// Writes a robot description of a model of rigid links. The text is to be used only when no error was
/// reported.
pub fn urdf(name: &str, model: &Model) -> Warned<String> {
    let mut writer = Writer {
        model,
        text: String::new(),
        diagnostics: Diagnostics::new(),
        names: HashSet::new(),
        X_LU: Vec::new(),
    };
    writer.robot(name);
    Warned { output: writer.text, diagnostics: writer.diagnostics }
}

/// The link of URDF that stands on the ground.
const GROUND: &str = "ground";

struct Writer<'m> {
    model: &'m Model,
    text: String,
    diagnostics: Diagnostics,
    names: HashSet<String>,
    /// The frame of URDF of each body in its link frame.
    X_LU: Vec<Transform>,
}

/// Text as an attribute.
fn escaped(name: &str) -> String {
    let safe: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    safe.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    // −0 would stand there as it is.
    let values: Vec<String> = values.into_iter().map(|value| format!("{:?}", value + 0.0)).collect();
    values.join(" ")
}

/// `<origin>`: roll, pitch and yaw about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll).
fn origin(X: &Transform) -> String {
    let R = &X.R;
    let across = R[(0, 0)].hypot(R[(1, 0)]);
    let pitch = (-R[(2, 0)]).atan2(across);
    // At a pitch of 90° yaw and roll turn about the same axis: yaw is 0.
    let (roll, yaw) = if across > 1e-9 {
        (R[(2, 1)].atan2(R[(2, 2)]), R[(1, 0)].atan2(R[(0, 0)]))
    } else {
        ((-R[(1, 2)]).atan2(R[(1, 1)]), 0.0)
    };
    format!("<origin xyz=\"{}\" rpy=\"{}\"/>", numbers(X.p.iter().copied()), numbers([roll, pitch, yaw]))
}

/// A spatial inertia at a frame as seen from another one, X_AB taking B to A.
fn carried(X_AB: &Transform, M_B: &Matrix6<f64>) -> Matrix6<f64> {
    // Twist at B in the axes of B from the twist at A: v_B = Rᵀ(v_A + ω×p).
    let Rt = X_AB.R.transpose();
    let mut T = Matrix6::zeros();
    T.fixed_view_mut::<3, 3>(0, 0).copy_from(&Rt);
    T.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-Rt * skew(&X_AB.p)));
    T.fixed_view_mut::<3, 3>(3, 3).copy_from(&Rt);
    T.transpose() * M_B * T
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn refuse(&mut self, message: String) {
        self.diagnostics.push(
            Diagnostic::error(message).hint("URDF describes trees of rigid links with one axis a joint"),
        );
    }

    fn note(&mut self, message: String) {
        self.diagnostics.push(Diagnostic::note(message));
    }

    /// A name that no other link or joint has.
    fn unique(&mut self, name: &str) -> String {
        let mut found = name.to_owned();
        while !self.names.insert(found.clone()) {
            found.push('_');
        }
        found
    }

    fn robot(&mut self, name: &str) {
        self.names.insert(GROUND.to_owned());
        self.line("<?xml version=\"1.0\"?>");
        self.line("<!-- Written by pliant: the machine with rigid links, SI -->");
        self.line(&format!("<robot name=\"{}\">", escaped(name)));
        self.line(&format!("  <link name=\"{GROUND}\"/>"));
        self.beyond_the_tree();
        let model = self.model;
        let names: Vec<String> = model.bodies().iter().map(|body| self.unique(&body.name)).collect();
        for (b, body) in model.bodies().iter().enumerate() {
            self.X_LU.push(body.hinge.X_CL.inverse());
            self.link(&names[b], body);
            self.joint(&names, b, body);
        }
        for (b, body) in model.bodies().iter().enumerate() {
            for (i, interface) in body.link.interfaces.iter().enumerate() {
                let here = |parent: InterfaceRef| parent.body.0 == b && parent.interface.0 == i;
                if model.bodies().iter().any(|other| other.parent.is_some_and(here)) {
                    continue;
                }
                let frame = self.unique(&interface.name);
                let X_UT = self.X_LU[b].inverse() * interface.X_LT;
                self.line(&format!("  <link name=\"{}\"/>", escaped(&frame)));
                let joint = self.unique(&format!("{}_{}", names[b], interface.name));
                self.line(&format!("  <joint name=\"{}\" type=\"fixed\">", escaped(&joint)));
                self.line(&format!("    {}", origin(&X_UT)));
                self.line(&format!("    <parent link=\"{}\"/>", escaped(&names[b])));
                self.line(&format!("    <child link=\"{}\"/>\n  </joint>", escaped(&frame)));
            }
        }
        self.line("</robot>");
    }

    /// What a tree of joints cannot say.
    fn beyond_the_tree(&mut self) {
        let closures = self.model.closures();
        let named =
            |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let joints = named(closures.joints.iter().map(|joint| joint.name.as_str()).collect());
        let constraints = named(closures.constraints.iter().map(|pair| pair.name.as_str()).collect());
        let forces = named(closures.forces.iter().map(|pair| pair.name.as_str()).collect());
        if !joints.is_empty() {
            self.refuse(format!("URDF has no loops: joint {joints} closes one"));
        }
        if !constraints.is_empty() {
            self.refuse(format!("URDF has no constraints between links: {constraints}"));
        }
        if !forces.is_empty() {
            self.note(format!("force elements are left out: {forces}"));
        }
        if !self.model.loads().is_empty() {
            self.note("loads are left out".to_owned());
        }
    }

    fn link(&mut self, name: &str, body: &Body) {
        let X_UL = body.hinge.X_CL;
        let mut M = carried(&X_UL, &body.link.invariants.M0);
        for (payload, interface) in body.payloads.iter().zip(&body.link.interfaces) {
            M += carried(&(X_UL * interface.X_LT), payload);
        }
        let mass = (M[(0, 0)] + M[(1, 1)] + M[(2, 2)]) / 3.0;
        self.line(&format!("  <link name=\"{}\">", escaped(name)));
        if mass > 0.0 {
            let S: Matrix3<f64> = M.fixed_view::<3, 3>(3, 0).into_owned();
            let c = Vector3::new(S[(2, 1)] - S[(1, 2)], S[(0, 2)] - S[(2, 0)], S[(1, 0)] - S[(0, 1)])
                / (2.0 * mass);
            let I = M.fixed_view::<3, 3>(3, 3) + skew(&c) * skew(&c) * mass;
            self.line("    <inertial>");
            self.line(&format!("      <origin xyz=\"{}\" rpy=\"0 0 0\"/>", numbers(c.iter().copied())));
            self.line(&format!("      <mass value=\"{mass:?}\"/>"));
            let entries =
                [("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)];
            let entries =
                entries.map(|(name, i, j)| format!("{name}=\"{:?}\"", 0.5 * (I[(i, j)] + I[(j, i)])));
            self.line(&format!("      <inertia {}/>\n    </inertial>", entries.join(" ")));
        }
        self.line("  </link>");
    }

    fn joint(&mut self, names: &[String], b: usize, body: &Body) {
        let hinge = &body.hinge;
        let name = &body.joint_name;
        let mut axis = [Twist::zeros()];
        let kind = match hinge.joint.kind() {
            "fixed" => "fixed",
            "free" => "floating",
            kind @ ("revolute" | "prismatic") => {
                hinge.joint.subspace(&[0.0], &[0.0], &mut axis);
                if kind == "revolute" { "continuous" } else { "prismatic" }
            }
            other => {
                self.refuse(format!("joint `{name}` is {other}: it has several axes"));
                return;
            }
        };
        if body.grip.is_some() {
            self.refuse(format!("joint `{name}` slides along its link, which URDF cannot say"));
            return;
        }
        if hinge.bearing.count() > 0 {
            self.note(format!("joint `{name}`: its bearing is rigid here"));
        }
        let (parent, X_UP) = match body.parent {
            None => (GROUND, hinge.X_TP),
            Some(at) => {
                let X_LT = self.model.bodies()[at.body.0].link.interfaces[at.interface.0].X_LT;
                (names[at.body.0].as_str(), self.X_LU[at.body.0].inverse() * X_LT * hinge.X_TP)
            }
        };
        let unique =
            if self.names.contains(name) { self.unique(&format!("{name}_joint")) } else { self.unique(name) };
        self.line(&format!("  <joint name=\"{}\" type=\"{kind}\">", escaped(&unique)));
        self.line(&format!("    {}", origin(&X_UP)));
        self.line(&format!("    <parent link=\"{}\"/>", escaped(parent)));
        self.line(&format!("    <child link=\"{}\"/>", escaped(&names[b])));
        if let ("continuous" | "prismatic", Some(coordinate)) = (kind, body.coordinates.first()) {
            let half = if kind == "prismatic" { 0 } else { 3 };
            let direction = axis[0].fixed_rows::<3>(half);
            self.line(&format!("    <axis xyz=\"{}\"/>", numbers(direction.iter().copied())));
            let friction = &coordinate.friction;
            if friction.viscous != 0.0 || friction.coulomb != 0.0 {
                let (viscous, coulomb) = (friction.viscous, friction.coulomb);
                self.line(&format!("    <dynamics damping=\"{viscous:?}\" friction=\"{coulomb:?}\"/>"));
            }
            if kind == "prismatic" {
                // A prismatic joint must have limits, and a pipeline file has none.
                self.line("    <limit lower=\"-1e9\" upper=\"1e9\" effort=\"1e9\" velocity=\"1e9\"/>");
                self.note(format!(
                    "joint `{name}`: URDF wants limits of a prismatic joint, and it has none: ±1e9"
                ));
            }
            if let (Drive::Servo(servo), "continuous") = (&coordinate.drive, kind)
                && servo.limit.is_finite()
            {
                self.line(&format!("    <limit effort=\"{:?}\" velocity=\"1e9\"/>", servo.limit));
            }
            if coordinate.spring.stiffness != 0.0 {
                self.note(format!("joint `{name}`: its spring is left out"));
            }
            if !matches!(coordinate.drive, Drive::Free) {
                self.note(format!("joint `{name}`: its drive is left out"));
            }
            self.mimic(b);
        }
        self.line("  </joint>");
    }

    /// A coupling of two coordinates: the later body follows the earlier one.
    fn mimic(&mut self, b: usize) {
        let model = self.model;
        let body_of = |joint: JointRef| match joint {
            JointRef::Carrying(body) => Some(body.0),
            JointRef::Closing(_) => None,
        };
        for coupling in &model.closures().couplings {
            let bodies: Option<Vec<usize>> = coupling.terms.iter().map(|(at, _)| body_of(at.joint)).collect();
            let Some(bodies) = bodies else { continue };
            if bodies.iter().max() != Some(&b) {
                continue;
            }
            let [first, second] = coupling.terms.as_slice() else {
                self.refuse(format!(
                    "coupling `{}` has {} terms, URDF has two",
                    coupling.name,
                    coupling.terms.len()
                ));
                continue;
            };
            let (own, other) =
                if bodies[0] == b { (first, (second, bodies[1])) } else { (second, (first, bodies[0])) };
            let joint = escaped(&model.bodies()[other.1].joint_name);
            let (factor, offset) = (-other.0.1 / own.1, coupling.value / own.1);
            self.line(&format!(
                "    <mimic joint=\"{joint}\" multiplier=\"{factor:?}\" offset=\"{offset:?}\"/>"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_spatial::rotation_log;

    #[test]
    fn roll_pitch_and_yaw_are_the_rotation() {
        let turns = [
            [0.3, -0.7, 2.9],
            [-2.0, 1.2, 0.1],
            [0.4, std::f64::consts::FRAC_PI_2, 0.0],
            [1.0, -1.5703, 0.3],
        ];
        for [roll, pitch, yaw] in turns {
            let turn = |axis: usize, angle: f64| Transform::rotation(&Vector3::ith(axis, angle)).R;
            let R = turn(2, yaw) * turn(1, pitch) * turn(0, roll);
            let text = origin(&Transform::new(R, Vector3::zeros()));
            let rpy: Vec<f64> = text
                .split("rpy=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .split(' ')
                .map(|x| x.parse().unwrap())
                .collect();
            let again = turn(2, rpy[2]) * turn(1, rpy[1]) * turn(0, rpy[0]);
            assert!(rotation_log(&(R.transpose() * again)).norm() < 1e-8, "{roll} {pitch} {yaw}: {text}");
        }
    }
}
