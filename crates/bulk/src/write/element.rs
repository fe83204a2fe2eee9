//! Shells, solids, masses and scalar elements.

use pliant_mesh::NodeKind;
use pliant_mesh::element::{
    MaterialDirection, PointMassKind, ScalarConnection, ScalarValue, Shell, ShellShape,
};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn elements(&mut self) {
        for shell in &self.mesh.shells {
            self.shell(shell);
        }
        for panel in &self.mesh.shear_panels {
            let mut row = fields![panel.id.0, self.property(panel.property)].to_vec();
            row.extend(panel.nodes.iter().map(|node| Value::from(self.node(*node))));
            self.text.card("CSHEAR", &row);
        }
        for solid in &self.mesh.solids {
            let mut row = fields![solid.id.0, self.property(solid.property)].to_vec();
            let nodes = self.mesh.nodes_of_solid(solid);
            row.extend(nodes.iter().map(|node| Value::from(self.optional_node(*node))));
            self.text.card(solid.shape.card(), &row);
        }
        for mass in &self.mesh.point_masses {
            let mut row = fields![mass.id.0, self.node(mass.node), 0u32].to_vec();
            match &mass.kind {
                PointMassKind::Body { mass, offset, inertia: i } => {
                    row.extend(fields![*mass, offset.x, offset.y, offset.z, Value::Blank]);
                    row.extend(fields![i[(0, 0)], -i[(1, 0)], i[(1, 1)], -i[(2, 0)], -i[(2, 1)], i[(2, 2)]]);
                    self.text.card("CONM2", &row);
                }
                PointMassKind::Matrix(matrix) => {
                    for i in 0..6 {
                        row.extend((0..=i).map(|j| Value::Real(matrix[(i, j)])));
                    }
                    self.text.card("CONM1", &row);
                }
            }
        }
        self.scalars();
    }

    fn shell(&mut self, shell: &Shell) {
        let mut row = fields![shell.id.0, self.property(shell.property)].to_vec();
        let nodes = self.mesh.nodes_of_shell(shell);
        row.extend(nodes.iter().map(|node| Value::from(self.optional_node(*node))));
        let direction = match shell.material_direction {
            MaterialDirection::Angle(0.0) => Value::Blank,
            MaterialDirection::Angle(angle) => Value::Real(angle),
            MaterialDirection::Frame(frame) => Value::from(self.frame(frame)),
        };
        let thickness = shell.corner_thickness.map(Value::from);
        let corners = thickness[..shell.shape.corner_count()].iter().cloned();
        match shell.shape {
            ShellShape::Quad8 => {
                row.extend(corners);
                row.extend([direction, shell.offset.into()]);
            }
            ShellShape::Tria6 => {
                row.extend([direction, shell.offset.into()]);
                row.extend(corners);
            }
            _ => {
                row.extend([direction, shell.offset.into()]);
                row.resize(10, Value::Blank);
                row.extend(corners);
            }
        }
        self.text.card(shell.shape.card(), &row);
    }

    fn scalars(&mut self) {
        for spring in &self.mesh.springs {
            let extra = [spring.structural_damping, spring.stress_coefficient];
            let cards = ["CELAS1", "CELAS2", "CELAS3", "CELAS4"];
            self.scalar(&cards, spring.id.0, spring.stiffness, spring.ends, extra);
        }
        for mass in &self.mesh.scalar_masses {
            let cards = ["CMASS1", "CMASS2", "CMASS3", "CMASS4"];
            self.scalar(&cards, mass.id.0, mass.mass, mass.ends, [0.0; 2]);
        }
        for damper in &self.mesh.dampers {
            let cards = ["CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4"];
            self.scalar(&cards, damper.id.0, damper.damping, damper.ends, [0.0; 2]);
        }
    }

    /// A scalar element; only the card with own value and components holds anything more.
    fn scalar(
        &mut self,
        cards: &[&'static str; 4],
        id: u32,
        value: ScalarValue,
        ends: [ScalarConnection; 2],
        extra: [f64; 2],
    ) {
        let mut card = self.mesh.scalar_card(cards, value, ends);
        if extra != [0.0; 2] {
            card = cards[1];
        }
        let mut row = fields![id].to_vec();
        row.push(match value {
            ScalarValue::Property(property) => self.property(property).into(),
            ScalarValue::Own(value) => value.into(),
        });
        let with_components = card == cards[0] || card == cards[1];
        for end in ends {
            match end {
                ScalarConnection::Ground => row.push(Value::Blank),
                ScalarConnection::Dof(node, _) => row.push(self.node(node).into()),
            }
            if with_components {
                row.push(match end {
                    ScalarConnection::Dof(node, component)
                        if self.mesh.nodes[node.index()].kind == NodeKind::Grid =>
                    {
                        component.into()
                    }
                    _ => Value::Blank,
                });
            }
        }
        if extra != [0.0; 2] {
            row.extend(extra.map(Value::Real));
        }
        self.text.card(card, &row);
    }
}
