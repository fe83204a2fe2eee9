//! Rods, bars, bushings.

use nalgebra::Vector3;
use pliant_mesh::element::{Bar, BarKind, BarOrientation, BushLocation, BushOrientation, RodSection};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{CoordIndex, LinkMesh, NodeIndex};

use super::Output;
use super::card::{Value, fields};

/// What a mesh has that bulk data cannot say.
pub fn inexpressible(mesh: &LinkMesh) -> Option<String> {
    let linear = mesh.bars.iter().filter(|bar| matches!(bar.kind, BarKind::Linear(_))).count();
    let all = linear == mesh.bars.len();
    (linear > 0).then(|| {
        let which = if all { "the beams".to_owned() } else { format!("{linear} of the bars") };
        format!("{which} are linear Timoshenko elements, which Nastran does not have; as CBARs they have condensed shear instead")
    })
}

impl Output<'_> {
    pub(super) fn line_elements(&mut self) {
        for rod in &self.mesh.rods {
            let [a, b] = rod.nodes.map(|node| self.node(node));
            match &rod.section {
                RodSection::Property(property) => {
                    let is_tube =
                        matches!(self.mesh.properties[property.index()].kind, PropertyKind::Tube(..));
                    let card = if is_tube { "CTUBE" } else { "CROD" };
                    self.text.card(card, &fields![rod.id.0, self.property(*property), a, b]);
                }
                RodSection::Own(material, s) => {
                    let mut row = fields![rod.id.0, a, b, self.material(*material)].to_vec();
                    row.extend(fields![s.area, s.torsion_constant, s.stress_coefficient, s.nsm]);
                    self.text.card("CONROD", &row);
                }
            }
        }
        if let Some(what) = inexpressible(self.mesh) {
            self.text.line(&format!("$ {what}"));
        }
        for bar in &self.mesh.bars {
            self.bar(bar);
        }
        self.bushes();
        for rod in &self.mesh.viscous_rods {
            let [a, b] = rod.nodes.map(|node| self.node(node));
            self.text.card("CVISC", &fields![rod.id.0, self.property(rod.property), a, b]);
        }
        for plot in &self.mesh.plot_elements {
            let [a, b] = plot.nodes.map(|node| self.node(node));
            self.text.card("PLOTEL", &fields![plot.id.0, a, b]);
        }
    }

    /// A basic vector in the displacement frame of a node.
    fn in_displacement_frame(&self, node: NodeIndex, v: Vector3<f64>) -> Vector3<f64> {
        let node = &self.mesh.nodes[node.index()];
        if node.displacement_frame == CoordIndex::BASIC {
            return v;
        }
        self.mesh.coordinates[node.displacement_frame.index()].triad_at(node.position).transpose() * v
    }

    fn bar(&mut self, bar: &Bar) {
        let [a, b] = bar.nodes.map(|node| self.node(node));
        let mut row = fields![bar.id.0, self.property(bar.property), a, b].to_vec();
        match &bar.orientation {
            BarOrientation::Vector(v) => {
                let local = self.mesh.nodes[bar.nodes[0].index()].displacement_frame != CoordIndex::BASIC;
                row.extend(fields![v.x, v.y, v.z, if local { "BGG" } else { "" }]);
            }
            BarOrientation::Node(node) => {
                row.extend(fields![self.node(*node), Value::Blank, Value::Blank, Value::Blank]);
            }
        }
        row.extend(bar.pins.map(Value::from));
        for (node, offset) in bar.nodes.into_iter().zip(bar.offsets) {
            let local = self.in_displacement_frame(node, offset);
            row.extend(local.iter().map(|x| if *x == 0.0 { Value::Blank } else { Value::Real(*x) }));
        }
        row.extend(bar.warping_points.map(|point| Value::from(point.map(|p| self.node(p)))));
        self.text.card(bar.kind.card(), &row);
    }

    fn bushes(&mut self) {
        for bush in &self.mesh.bushes {
            let (a, b) = bush.nodes;
            let mut row =
                fields![bush.id.0, self.property(bush.property), self.node(a), b.map(|b| self.node(b))]
                    .to_vec();
            match &bush.orientation {
                BushOrientation::Frame(frame) => {
                    row.extend([Value::Blank, Value::Blank, Value::Blank, Value::from(self.frame(*frame))])
                }
                BushOrientation::Vector(v) => {
                    let v = self.in_displacement_frame(a, *v);
                    row.extend(fields![v.x, v.y, v.z, Value::Blank]);
                }
                BushOrientation::Node(node) => {
                    row.extend(fields![self.node(*node), Value::Blank, Value::Blank, Value::Blank]);
                }
                BushOrientation::Axial => row.resize(8, Value::Blank),
            }
            match &bush.location {
                BushLocation::Fraction(s) => row.push((*s).into()),
                BushLocation::Point(p) => row.extend(fields![Value::Blank, 0u32, p.x, p.y, p.z]),
            }
            self.text.card("CBUSH", &row);
        }
    }
}
