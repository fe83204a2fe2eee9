//! From XML to links and joints, every problem at its line.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::collections::HashMap;
use std::path::Path;

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span, Warned};
use pliant_mesh::inertia_problem;
use roxmltree::{Document, Node};

use crate::{Inertia, Joint, JointKind, Link, Robot};

/// Reads a URDF file that is in memory; `path` is where it is. The robot is complete only when no error was
/// reported.
pub fn read(path: &Path, text: String) -> (Warned<Robot>, SourceMap) {
    let mut sources = SourceMap::new();
    let mut reader = Reader {
        file: FileId(0),
        robot: Robot::default(),
        diagnostics: Diagnostics::new(),
        impossible: Vec::new(),
    };
    match Document::parse(&text) {
        Ok(document) => reader.robot(document.root_element()),
        Err(error) => {
            let at = error.pos();
            let before: usize = text.split_inclusive('\n').take(at.row as usize - 1).map(str::len).sum();
            let start = (before + at.col as usize - 1).min(text.len());
            let problem = Diagnostic::error(format!("this is no XML: {error}"));
            reader.diagnostics.push(problem.at(Span::new(reader.file, start, start + 1)));
        }
    }
    if sources.add(path, text.into_bytes()).is_none() {
        reader.diagnostics = Diagnostics::new();
        reader.diagnostics.push(Diagnostic::error(format!("{} is larger than 4 GiB", path.display())));
    }
    (Warned { output: reader.robot, diagnostics: reader.diagnostics }, sources)
}

struct Reader {
    file: FileId,
    robot: Robot,
    diagnostics: Diagnostics,
    /// Rows of links with an inertia that no body has.
    impossible: Vec<(usize, Diagnostic)>,
}

impl Reader {
    fn span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        // The opening tag is enough.
        Span::new(self.file, range.start, range.end.min(range.start + 120))
    }

    fn error(&mut self, node: Node<'_, '_>, message: impl Into<String>) {
        let at = self.span(node);
        self.diagnostics.push(Diagnostic::error(message).at(at));
    }

    fn robot(&mut self, root: Node<'_, '_>) {
        if !root.has_tag_name("robot") {
            return self.error(root, format!("expected <robot>, found <{}>", root.tag_name().name()));
        }
        self.robot.name = root.attribute("name").unwrap_or("robot").to_owned();
        let mut rows: HashMap<String, usize> = HashMap::new();
        for node in root.children().filter(|node| node.has_tag_name("link")) {
            let Some(name) = self.name(node) else { continue };
            if rows.insert(name.clone(), self.robot.links.len()).is_some() {
                self.error(node, format!("there are two links `{name}`"));
            }
            let inertia = self.inertia(node, &name);
            let at = self.span(node);
            self.robot.links.push(Link { name, inertia, at });
        }
        for node in root.children().filter(|node| node.has_tag_name("joint")) {
            // Transmissions hold elements of the same name with other content, deeper in the tree.
            if let Some(joint) = self.joint(node, &rows) {
                if self.robot.joints.iter().any(|known| known.name == joint.name) {
                    self.error(node, format!("there are two joints `{}`", joint.name));
                }
                self.robot.joints.push(joint);
            }
        }
        for (row, mut problem) in std::mem::take(&mut self.impossible) {
            if self.robot.joints.iter().all(|joint| joint.child != row) {
                // The root stands on the ground: its inertia has no effect.
                problem.severity = Severity::Warning;
            }
            self.diagnostics.push(problem);
        }
        let names: Vec<String> = self.robot.joints.iter().map(|joint| joint.name.clone()).collect();
        for row in 0..self.robot.joints.len() {
            let joint = &self.robot.joints[row];
            if let Some((other, ..)) = &joint.mimic
                && !names.contains(other)
            {
                let message = format!("joint `{}` follows joint `{other}`, which does not exist", joint.name);
                let at = joint.at;
                self.diagnostics.push(Diagnostic::error(message).at(at));
            }
        }
    }

    fn name(&mut self, node: Node<'_, '_>) -> Option<String> {
        let name = node.attribute("name").map(str::trim).filter(|name| !name.is_empty());
        if name.is_none() {
            self.error(node, format!("<{}> has no name", node.tag_name().name()));
        }
        name.map(str::to_owned)
    }

    fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<f64> {
        let text = node.attribute(name)?;
        let value = text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        if value.is_none() {
            self.error(node, format!("`{name}` must be a finite number, found `{text}`"));
        }
        value
    }

    fn three(&mut self, node: Node<'_, '_>, name: &str, default: [f64; 3]) -> Vector3<f64> {
        let Some(text) = node.attribute(name) else { return default.into() };
        let values: Option<Vec<f64>> =
            text.split_whitespace().map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        match values.as_deref() {
            Some([x, y, z]) => Vector3::new(*x, *y, *z),
            _ => {
                self.error(node, format!("`{name}` must be three finite numbers, found `{text}`"));
                default.into()
            }
        }
    }

    /// xyz and rpy: R = R_z(yaw) R_y(pitch) R_x(roll).
    fn origin(&mut self, node: Node<'_, '_>) -> Isometry3<f64> {
        let Some(origin) = node.children().find(|child| child.has_tag_name("origin")) else {
            return Isometry3::identity();
        };
        let (xyz, rpy) = (self.three(origin, "xyz", [0.0; 3]), self.three(origin, "rpy", [0.0; 3]));
        Isometry3::from_parts(Translation3::from(xyz), UnitQuaternion::from_euler_angles(rpy.x, rpy.y, rpy.z))
    }

    fn inertia(&mut self, link: Node<'_, '_>, name: &str) -> Option<Inertia> {
        let node = link.children().find(|child| child.has_tag_name("inertial"))?;
        let origin = self.origin(node);
        let mass = node.children().find(|child| child.has_tag_name("mass"));
        let Some(mass) = mass.and_then(|mass| self.number(mass, "value")) else {
            self.error(node, format!("link `{name}`: <inertial> has no mass"));
            return None;
        };
        let Some(tensor) = node.children().find(|child| child.has_tag_name("inertia")) else {
            self.error(node, format!("link `{name}`: <inertial> has no inertia"));
            return None;
        };
        let mut of = |key: &str| self.number(tensor, key).unwrap_or(0.0);
        let (xx, yy, zz) = (of("ixx"), of("iyy"), of("izz"));
        let (xy, yz, xz) = (of("ixy"), of("iyz"), of("ixz"));
        let local = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        if mass == 0.0 && local == Matrix3::zeros() {
            return None;
        }
        if mass <= 0.0 {
            self.error(node, format!("link `{name}`: the mass must be positive, found {mass}"));
            return None;
        }
        if let Some(problem) = inertia_problem(&local) {
            let at = self.span(tensor);
            let message = format!("link `{name}`: {problem}");
            self.impossible.push((self.robot.links.len(), Diagnostic::error(message).at(at)));
            return None;
        }
        let R: Rotation3<f64> = origin.rotation.to_rotation_matrix();
        Some(Inertia { mass, centre: origin.translation.vector, tensor: R * local * R.transpose() })
    }

    fn joint(&mut self, node: Node<'_, '_>, rows: &HashMap<String, usize>) -> Option<Joint> {
        let name = self.name(node)?;
        let kind = match node.attribute("type").unwrap_or_default() {
            "fixed" => JointKind::Fixed,
            "revolute" | "continuous" => JointKind::Revolute,
            "prismatic" => JointKind::Prismatic,
            "floating" => JointKind::Floating,
            other => {
                self.error(node, format!("joint `{name}`: type `{other}` is not translated"));
                return None;
            }
        };
        let end = |tag: &str| {
            let link = node.children().find(|child| child.has_tag_name(tag))?.attribute("link")?.trim();
            rows.get(link).copied()
        };
        let (Some(parent), Some(child)) = (end("parent"), end("child")) else {
            self.error(node, format!("joint `{name}` needs a parent and a child that are links"));
            return None;
        };
        let frame = self.origin(node);
        let axis = node.children().find(|child| child.has_tag_name("axis"));
        let axis = axis.map_or(Vector3::x(), |axis| self.three(axis, "xyz", [1.0, 0.0, 0.0]));
        if axis.norm() == 0.0 && matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            self.error(node, format!("joint `{name}`: its axis is zero"));
            return None;
        }
        let mut limits = [None; 4];
        if let Some(limit) = node.children().find(|child| child.has_tag_name("limit")) {
            for (slot, key) in limits.iter_mut().zip(["lower", "upper", "effort", "velocity"]) {
                *slot = self.number(limit, key);
            }
        }
        let dynamics = node.children().find(|child| child.has_tag_name("dynamics"));
        let mut of = |key: &str| dynamics.and_then(|dynamics| self.number(dynamics, key)).unwrap_or(0.0);
        let (damping, friction) = (of("damping"), of("friction"));
        let mimic = node.children().find(|child| child.has_tag_name("mimic")).map(|mimic| {
            let factor = self.number(mimic, "multiplier").unwrap_or(1.0);
            let offset = self.number(mimic, "offset").unwrap_or(0.0);
            (mimic.attribute("joint").unwrap_or_default().to_owned(), factor, offset)
        });
        let at = self.span(node);
        Some(Joint { name, kind, parent, child, frame, axis, limits, damping, friction, mimic, at })
    }
}
