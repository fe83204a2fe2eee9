//! Sections of the bars of a link.

use std::collections::HashMap;
use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_bulk::section::{SECTIONS, SectionLoop};
use pliant_mesh::element::{BarOrientation, RodSection};
use pliant_mesh::property::{BeamStation, PropertyKind};
use pliant_mesh::{LinkMesh, NodeIndex, PropertyIndex};
use pliant_reduce::LinkFrame;
use pliant_reduce::request::Section;
use pliant_report::{BarSection, Profile, ProfileLoop};

/// Of a built-in beam; `None` for numbers that no rectangle has.
pub(super) fn of_section(section: &Section) -> Option<Profile> {
    match *section {
        Section::Tube { od, t } => Some(Profile::tube(od, od - 2.0 * t)),
        Section::Rod { diameter } => Some(Profile::round(diameter)),
        Section::Box { width, height, t } => Some(Profile::hollow(height, width, t)),
        Section::Bar { width, height } => Some(Profile::rectangle(height, width)),
        Section::Values { area, i1, i2, .. } => Profile::of_moments(area, i1, i2),
    }
}

/// Of the bars and rods of a mesh. Cells come in the order of its drawing: rods, then bars. A tapered beam is
/// drawn with the section of its end A; of numbers alone a rectangle is drawn that has them, of a rod a
/// circle.
pub(super) fn of_mesh(mesh: &LinkMesh, frame: &LinkFrame) -> (Vec<Profile>, Vec<BarSection>) {
    let mut profiles = Profiles { mesh, length: frame.units.length, found: HashMap::new(), all: Vec::new() };
    let mut sections = Vec::new();
    let position = |node: NodeIndex| mesh.node(node).position;
    let direction = |v: Vector3<f64>| frame.axes.tr_mul(&v);
    let mut add = |cell: usize, profile: Option<u32>, nodes: [NodeIndex; 2], v: Vector3<f64>| {
        let along = direction(position(nodes[1]) - position(nodes[0])).try_normalize(0.0);
        let (Some(profile), Some(along)) = (profile, along) else { return };
        let v = direction(v);
        let across = (v - along * along.dot(&v)).try_normalize(0.0);
        // A round section may have any; of others it has been reported.
        let across = across.unwrap_or_else(|| along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize());
        let across = [0, 1, 2].map(|c| across[c] as f32);
        sections.push(BarSection { cell: cell as u32, profile, across });
    };
    for (k, rod) in mesh.rods.iter().enumerate() {
        let profile = match &rod.section {
            RodSection::Property(property) => profiles.of_property(*property),
            RodSection::Own(_, rod) => profiles.keep(profiles.round(rod.area)),
        };
        add(k, profile, rod.nodes, Vector3::zeros());
    }
    for (k, bar) in mesh.bars.iter().enumerate() {
        let v = match &bar.orientation {
            BarOrientation::Vector(v) => *v,
            BarOrientation::Node(node) => position(*node) - position(bar.nodes[0]),
        };
        add(mesh.rods.len() + k, profiles.of_property(bar.property), bar.nodes, v);
    }
    (profiles.all, sections)
}

/// Profiles of properties, each once.
struct Profiles<'a> {
    mesh: &'a LinkMesh,
    /// Metres in the deck's unit of length.
    length: f64,
    found: HashMap<PropertyIndex, Option<u32>>,
    all: Vec<Profile>,
}

impl Profiles<'_> {
    fn keep(&mut self, profile: Option<Profile>) -> Option<u32> {
        self.all.push(profile?);
        Some(self.all.len() as u32 - 1)
    }

    fn of_property(&mut self, property: PropertyIndex) -> Option<u32> {
        if let Some(found) = self.found.get(&property) {
            return *found;
        }
        let mesh = self.mesh;
        let profile = match &mesh.properties[property.index()].kind {
            PropertyKind::Rod(_, rod) => self.round(rod.area),
            PropertyKind::Tube(_, tube) => {
                let outer = tube.outer_diameter[0];
                Some(match tube.thickness > 0.0 && 2.0 * tube.thickness < outer {
                    true => Profile::tube(self.length * outer, self.length * (outer - 2.0 * tube.thickness)),
                    false => Profile::round(self.length * outer),
                })
            }
            PropertyKind::Bar(_, bar) => {
                let section = bar.section.as_ref();
                let drawn = section.and_then(|section| self.shape(&section.name, &section.dimensions));
                drawn.or_else(|| self.rectangle(bar.area, bar.i1, bar.i2))
            }
            PropertyKind::Beam(_, beam) => {
                let section = beam.section.as_ref();
                let drawn = section.and_then(|section| self.shape(&section.name, &section.dimensions));
                let numbers = |at: &BeamStation| self.rectangle(at.area, at.i1, at.i2);
                drawn.or_else(|| beam.stations.first().and_then(numbers))
            }
            _ => None,
        };
        let kept = self.keep(profile);
        self.found.insert(property, kept);
        kept
    }

    fn round(&self, area: f64) -> Option<Profile> {
        (area > 0.0).then(|| Profile::round(self.length * (4.0 * area / PI).sqrt()))
    }

    fn rectangle(&self, area: f64, i1: f64, i2: f64) -> Option<Profile> {
        Profile::of_moments(area * self.length.powi(2), i1 * self.length.powi(4), i2 * self.length.powi(4))
    }

    /// A shape of the section library.
    fn shape(&self, name: &str, dimensions: &[f64]) -> Option<Profile> {
        let section = SECTIONS.iter().find(|section| section.name == name)?;
        let corner = |corner: [f64; 2]| corner.map(|x| (x * self.length) as f32);
        let line = |SectionLoop { corners, is_hole }: SectionLoop| ProfileLoop {
            corners: corners.into_iter().map(corner).collect(),
            hole: is_hole,
        };
        Some(Profile { loops: section.loops(dimensions)?.into_iter().map(line).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hollow_box_has_its_height_along_y() {
        let profile = of_section(&Section::Box { width: 0.2, height: 0.4, t: 0.05 }).unwrap();
        let reach = |line: &ProfileLoop, c: usize| line.corners.iter().map(|p| p[c]).fold(0.0, f32::max);
        assert_eq!((reach(&profile.loops[0], 0), reach(&profile.loops[0], 1)), (0.2, 0.1));
        assert!((reach(&profile.loops[1], 0) - 0.15).abs() < 1e-7 && profile.loops[1].hole);
    }
}
