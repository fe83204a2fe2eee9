//! RBE1, RBE2, RBE3, RBAR, RROD.

use pliant_mesh::{Components, NodeIndex, RigidKind};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn rigids(&mut self) {
        for rigid in &self.mesh.rigids {
            let id = rigid.id.0;
            match &rigid.kind {
                RigidKind::Rbe2 { independent, components, dependents } => {
                    let mut row = fields![id, self.node(*independent), *components].to_vec();
                    row.extend(dependents.iter().map(|node| Value::from(self.node(*node))));
                    self.text.card("RBE2", &row);
                }
                RigidKind::Rbe1 { independents, dependents } => {
                    let mut row = fields![id].to_vec();
                    self.pairs(&mut row, independents);
                    row.resize(row.len().next_multiple_of(8), Value::Blank);
                    row.push("UM".into());
                    self.pairs(&mut row, dependents);
                    self.text.card("RBE1", &row);
                }
                RigidKind::Rbe3 { reference, components, groups, dependents } => {
                    let mut row = fields![id, Value::Blank, self.node(*reference), *components].to_vec();
                    for group in groups {
                        row.extend(fields![group.weight, group.components]);
                        row.extend(group.nodes.iter().map(|node| Value::from(self.node(*node))));
                    }
                    if !dependents.is_empty() {
                        row.resize(row.len().next_multiple_of(8), Value::Blank);
                        row.push("UM".into());
                        self.pairs(&mut row, dependents);
                    }
                    self.text.card("RBE3", &row);
                }
                RigidKind::Rbar { nodes: [a, b], independents, dependents } => {
                    let mut row = fields![id, self.node(*a), self.node(*b)].to_vec();
                    row.extend(independents.iter().chain(dependents).map(|c| Value::from(*c)));
                    self.text.card("RBAR", &row);
                }
                RigidKind::Rrod { nodes: [a, b], dependents } => {
                    let mut row = fields![id, self.node(*a), self.node(*b)].to_vec();
                    row.extend(dependents.map(Value::from));
                    self.text.card("RROD", &row);
                }
            }
        }
    }

    /// Pairs of grid and components, three to a line, the first field and the last of each line left blank.
    fn pairs(&self, row: &mut Vec<Value>, pairs: &[(NodeIndex, Components)]) {
        for (node, components) in pairs {
            if row.len() % 8 == 7 {
                row.extend([Value::Blank, Value::Blank]);
            }
            row.extend(fields![self.node(*node), *components]);
        }
    }
}
