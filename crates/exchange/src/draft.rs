//! A foreign mesh on its way to bulk data: nodes and elements in any order, named sets, problems.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pliant_diag::{Diagnostic, Diagnostics, Span};

use crate::shape::Shape;
use crate::sheet::{Field, NameOf, Sheet, fields};

/// Beyond this many problems only their number is kept.
const MOST_PROBLEMS: usize = 1000;

/// A node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) id: u32,
    pub(crate) position: [f64; 3],
    pub(crate) at: Span,
}

/// What an element has beside its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Detail {
    None,
    /// From the grids of a shell to its middle surface, along the normal.
    Offset(f64),
    /// v of a bar.
    Towards([f64; 3]),
    /// Without a section in its file; `plane`: of a type that is no structure.
    Bare {
        plane: bool,
    },
    /// A line that only carries axial force and torsion: CROD.
    Rod,
}

/// An element; nodes in the order of bulk data.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) id: u32,
    pub(crate) shape: Shape,
    first: u32,
    pub(crate) property: u32,
    pub(crate) detail: Detail,
    pub(crate) at: Span,
}

/// The mesh so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) nodes: Vec<Node>,
    pub(crate) elements: Vec<Element>,
    element_nodes: Vec<u32>,
    /// Node sets by name, with where each was given first.
    pub(crate) sets: BTreeMap<String, (Span, BTreeSet<u32>)>,
    /// Names of properties.
    pub(crate) property_names: BTreeMap<u32, (Span, String)>,
    /// Cards of materials, properties, constraints, and above them case control.
    pub(crate) sheet: Sheet,
    pub(crate) diagnostics: Diagnostics,
    left_out: usize,
}

impl Draft {
    /// Reports a problem.
    pub(crate) fn report(&mut self, problem: Diagnostic) {
        if self.diagnostics.len() < MOST_PROBLEMS {
            self.diagnostics.push(problem);
        } else {
            self.left_out += 1;
        }
    }

    /// Reports an error at a location.
    pub(crate) fn error(&mut self, at: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(message).at(at));
    }

    /// Takes an element in; `nodes` in the order of bulk data.
    pub(crate) fn element(
        &mut self,
        id: u32,
        shape: Shape,
        nodes: impl IntoIterator<Item = u32>,
        property: u32,
        at: Span,
    ) {
        // More than 2³² slots would need a file of more than 4 GiB, which is refused.
        let first = self.element_nodes.len() as u32;
        self.element_nodes.extend(nodes);
        self.elements.push(Element { id, shape, first, property, detail: Detail::None, at });
    }

    /// The nodes of an element in the order of bulk data.
    pub(crate) fn nodes_of(&self, element: &Element) -> &[u32] {
        let first = element.first as usize;
        &self.element_nodes[first..first + element.shape.node_count()]
    }

    /// Adds nodes to a set.
    pub(crate) fn add_to_set(&mut self, name: &str, at: Span, nodes: impl IntoIterator<Item = u32>) {
        let set = self.sets.entry(name.to_owned()).or_insert_with(|| (at, BTreeSet::new()));
        set.1.extend(nodes);
    }

    /// For each element, whether it lies on an edge or a face of another one of more dimensions: mesh
    /// generators write the mesh of boundaries beside that of the body.
    pub(crate) fn on_others(&self) -> Vec<bool> {
        let highest = self.elements.iter().map(|element| element.shape.dimension()).max().unwrap_or(0);
        let low = |element: &Element| element.shape.dimension() < highest;
        let marked: HashSet<u32> =
            self.elements.iter().filter(|e| low(e)).flat_map(|e| self.nodes_of(e).iter().copied()).collect();
        let mut boundary: HashSet<[u32; 4]> = HashSet::new();
        for element in self.elements.iter().filter(|element| element.shape.dimension() > 1) {
            let nodes = self.nodes_of(element);
            let faces: &[&[usize]] = match element.shape {
                Shape::Solid(solid) => solid.faces(),
                _ => &[],
            };
            let edges = element.shape.edges().iter().map(|edge| &edge[..]);
            for part in edges.chain(faces.iter().copied()) {
                if part.iter().all(|corner| marked.contains(&nodes[*corner])) {
                    boundary.insert(sorted(part.iter().map(|corner| nodes[*corner])));
                }
            }
        }
        let on_other = |element: &Element| {
            let corners = &self.nodes_of(element)[..element.shape.corner_count()];
            element.shape.dimension() == 0 || boundary.contains(&sorted(corners.iter().copied()))
        };
        self.elements.iter().map(|element| low(element) && on_other(element)).collect()
    }

    /// Writes nodes, elements, names and sets, and gives the text away.
    pub(crate) fn finish(mut self, files: Vec<(std::path::PathBuf, Vec<u8>)>) -> crate::Translation {
        if self.left_out > 0 {
            self.diagnostics
                .push(Diagnostic::error(format!("{} more problems are not shown", self.left_out)));
        }
        let mut sheet = std::mem::take(&mut self.sheet);
        for (id, (at, name)) in &self.property_names {
            sheet.name(*at, NameOf::Property, *id, name);
        }
        for (number, (name, (at, members))) in self.sets.iter().enumerate() {
            let members: Vec<u32> = members.iter().copied().collect();
            if !members.is_empty() {
                sheet.set(*at, number as u32 + 1, name, &members);
            }
        }
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.sort_by_key(|node| node.id);
        for node in &nodes {
            let [x, y, z] = node.position;
            sheet.card(node.at, "GRID", &fields![node.id, Field::Blank, x, y, z]);
        }
        // One order of the elements whatever the format: sums of K and M have the same bits.
        let mut elements = std::mem::take(&mut self.elements);
        elements.sort_by_key(|element| element.id);
        let mut row: Vec<Field> = Vec::new();
        for element in &elements {
            row.clear();
            row.extend(fields![element.id, element.property]);
            row.extend(self.nodes_of(element).iter().map(|node| Field::Integer(*node)));
            let card = match (element.shape, element.detail) {
                (Shape::Point, _) => continue,
                (Shape::Line2, Detail::Rod) => "CROD",
                (Shape::Line2, _) => {
                    let towards = match element.detail {
                        Detail::Towards(v) => v,
                        _ => self.across(&nodes, element),
                    };
                    row.extend(towards.map(Field::Real));
                    "CBAR"
                }
                (shape, Detail::Offset(offset)) => {
                    row.resize(offset_slot(shape), Field::Blank);
                    row.push(Field::Real(offset));
                    shape.card()
                }
                (shape, _) => shape.card(),
            };
            sheet.card(element.at, card, &row);
        }
        let Sheet { text, pieces } = sheet;
        crate::Translation { files, text, pieces, diagnostics: self.diagnostics }
    }

    /// v of a bar that gives none: z, or y where the bar lies along z.
    fn across(&self, nodes: &[Node], bar: &Element) -> [f64; 3] {
        let position = |id: u32| {
            nodes.binary_search_by_key(&id, |node| node.id).map_or([0.0; 3], |row| nodes[row].position)
        };
        let ends = self.nodes_of(bar);
        let (a, b) = (position(ends[0]), position(ends[1]));
        let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        // Within a thousandth of z, as Ansys decides it.
        if d[0].hypot(d[1]) <= 1e-3 * d[2].abs() { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] }
    }
}

/// Slot of ZOFFS on the card of a shell.
fn offset_slot(shape: Shape) -> usize {
    match shape {
        Shape::Tria3 => 6,
        Shape::Quad4 => 7,
        Shape::Tria6 => 9,
        _ => 15,
    }
}

fn sorted(ids: impl Iterator<Item = u32>) -> [u32; 4] {
    let mut corners = [0; 4];
    for (corner, id) in corners.iter_mut().zip(ids) {
        *corner = id;
    }
    corners.sort_unstable();
    corners
}
