//! GRID, SPOINT, CORD2R/C/S.

use pliant_mesh::{CoordinateKind, NodeKind};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn points(&mut self) {
        for system in self.mesh.coordinates.iter().skip(1) {
            let name = match system.kind {
                CoordinateKind::Rectangular => "CORD2R",
                CoordinateKind::Cylindrical => "CORD2C",
                CoordinateKind::Spherical => "CORD2S",
            };
            let on_z = system.origin + system.axes.column(2);
            let in_xz = system.origin + system.axes.column(0);
            let mut row = fields![system.id.0, 0u32].to_vec();
            for point in [system.origin, on_z, in_xz] {
                row.extend(point.iter().map(|x| Value::Real(*x)));
            }
            self.text.card(name, &row);
        }
        for node in &self.mesh.nodes {
            if node.kind == NodeKind::Scalar {
                self.text.card("SPOINT", &fields![node.id.0]);
                continue;
            }
            let frame = Some(self.frame(node.displacement_frame)).filter(|frame| *frame != 0);
            let [x, y, z]: [f64; 3] = node.position.into();
            self.text.card("GRID", &fields![node.id.0, Value::Blank, x, y, z, frame, node.permanent_spc]);
        }
    }
}
