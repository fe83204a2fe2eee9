//! A mesh as bulk data: for export, and for the proof that reading and writing agree.
//!
//! Everything is written in the basic frame, as the mesh has it: positions with CP = 0, vectors and inertias
//! with CID = 0. Only what Nastran wants in displacement frames (bar offsets, bush orientation) is turned
//! back.

mod card;
mod constraint;
mod control;
mod element;
mod line_element;
mod load;
mod material;
mod number;
mod point;
mod property;
mod rigid;

use pliant_mesh::{CoordIndex, LinkMesh, MaterialIndex, NodeIndex, PropertyIndex};

use card::Text;
pub use line_element::inexpressible;

/// Writes a mesh as bulk data: executive and case control where it has any, then the cards. Numbers are exact
/// where sixteen columns hold them, which is so for up to nine significant digits and for most others up to
/// twelve.
pub fn write(mesh: &LinkMesh) -> String {
    let mut out = Output { mesh, text: Text::default() };
    out.control();
    out.names();
    out.points();
    out.materials();
    out.properties();
    out.elements();
    out.line_elements();
    out.rigids();
    out.constraints();
    out.loads();
    out.text.line("ENDDATA");
    out.text.0
}

struct Output<'a> {
    mesh: &'a LinkMesh,
    text: Text,
}

impl Output<'_> {
    /// Names in comments, as HyperMesh writes them.
    fn names(&mut self) {
        let names = &self.mesh.names;
        for (kind, names) in [("PROP", &names.properties), ("MAT", &names.materials)] {
            for (number, name) in names {
                self.text.line(&format!("$HMNAME {kind} {number}\"{name}\""));
            }
        }
        for (number, name) in &names.sets {
            self.text.line(&format!("$HMSET {number} 1 \"{name}\""));
        }
    }

    fn node(&self, node: NodeIndex) -> u32 {
        self.mesh.nodes[node.index()].id.0
    }

    /// Blank for a mid-side node that is left out.
    fn optional_node(&self, node: NodeIndex) -> Option<u32> {
        node.is_some().then(|| self.node(node))
    }

    fn property(&self, property: PropertyIndex) -> u32 {
        self.mesh.properties[property.index()].id.0
    }

    fn material(&self, material: MaterialIndex) -> u32 {
        self.mesh.materials[material.index()].id.0
    }

    fn frame(&self, frame: CoordIndex) -> u32 {
        self.mesh.coordinates[frame.index()].id.0
    }
}
