//! Structured meshes of every solid shape, for the tests.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_mesh::element::{Solid, SolidShape};
use pliant_mesh::property::{Property, PropertyKind, SolidIntegration, SolidProperty};
use pliant_mesh::{
    Components, CoordIndex, ElementId, GridId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw,
    Node, NodeIndex, NodeKind, PropertyId, PropertyIndex,
};

use super::super::family_of;

/// All shapes.
pub(super) const SHAPES: [SolidShape; 8] = [
    SolidShape::Tetra4,
    SolidShape::Tetra10,
    SolidShape::Pyramid5,
    SolidShape::Pyramid13,
    SolidShape::Penta6,
    SolidShape::Penta15,
    SolidShape::Hexa8,
    SolidShape::Hexa20,
];

/// An isotropic material.
pub(super) fn isotropic(youngs_modulus: f64, poisson_ratio: f64, density: f64) -> Material {
    Material {
        id: MaterialId(1),
        density,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus,
            shear_modulus: youngs_modulus / (2.0 * (1.0 + poisson_ratio)),
            poisson_ratio,
            thermal_expansion: 0.0,
        },
        source: Origin::default(),
    }
}

/// A PSOLID of the first material.
pub(super) fn psolid(integration: SolidIntegration, material_frame: Option<CoordIndex>) -> Property {
    let property = SolidProperty { material_frame, integration, card_fields: Default::default() };
    Property {
        id: PropertyId(1),
        kind: PropertyKind::Solid(MaterialIndex(0), property),
        source: Origin::default(),
    }
}

/// A grid at a lattice point.
pub(super) fn grid(id: u32, position: Vector3<f64>) -> Node {
    Node {
        id: GridId(id),
        kind: NodeKind::Grid,
        position,
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    }
}

/// Puts a solid of the first property into the mesh.
pub(super) fn push_solid(mesh: &mut LinkMesh, shape: SolidShape, nodes: &[NodeIndex]) {
    let first_node = mesh.solid_nodes.len() as u32;
    let id = ElementId(mesh.solids.len() as u32 + 1);
    mesh.solids.push(Solid { id, shape, property: PropertyIndex(0), first_node, source: Origin::default() });
    mesh.solid_nodes.extend_from_slice(nodes);
}

/// How a block is made.
pub(super) struct Block<'a> {
    /// Element shape.
    pub(super) shape: SolidShape,
    /// Cells along each axis; a cell is 1 hexahedron, 2 wedges, 6 pyramids or 6 tetrahedra.
    pub(super) cells: [usize; 3],
    /// From the unit cube to the body.
    pub(super) map: &'a dyn Fn(Vector3<f64>) -> Vector3<f64>,
    /// Mid-side nodes on the mapped curve, or in the middle between their corners.
    pub(super) curved: bool,
    /// PSOLID's choice.
    pub(super) integration: SolidIntegration,
    /// Material.
    pub(super) material: Material,
}

/// Lattice points per cell edge: cell centres and quarter points of their diagonals are integers.
const STEP: usize = 4;

/// The mesh of a block, with the unit-cube coordinates of every node.
pub(super) fn mesh(block: &Block<'_>) -> (LinkMesh, Vec<Vector3<f64>>) {
    let mut mesh = LinkMesh {
        materials: vec![block.material.clone()],
        properties: vec![psolid(block.integration, Some(CoordIndex::BASIC))],
        ..LinkMesh::default()
    };
    let family = family_of(block.shape);
    let quadratic = block.shape.node_count() > block.shape.corner_count();
    let mut known: BTreeMap<[usize; 3], NodeIndex> = BTreeMap::new();
    let mut parameters = Vec::new();
    let unit = |point: [usize; 3]| Vector3::from_fn(|k, _| point[k] as f64 / (STEP * block.cells[k]) as f64);
    let mut nodes_of = Vec::new();
    for corners in cell_elements(block) {
        let mut nodes: Vec<NodeIndex> = Vec::new();
        let mut node = |point: [usize; 3], position: Vector3<f64>, mesh: &mut LinkMesh| {
            *known.entry(point).or_insert_with(|| {
                let index = NodeIndex::from(mesh.nodes.len());
                mesh.nodes.push(grid(index.0 + 1, position));
                parameters.push(unit(point));
                index
            })
        };
        for point in &corners {
            nodes.push(node(*point, (block.map)(unit(*point)), &mut mesh));
        }
        if quadratic {
            for [i, j] in family.edges {
                let point = std::array::from_fn(|k| (corners[*i][k] + corners[*j][k]) / 2);
                let straight = ((block.map)(unit(corners[*i])) + (block.map)(unit(corners[*j]))) * 0.5;
                let position = if block.curved { (block.map)(unit(point)) } else { straight };
                nodes.push(node(point, position, &mut mesh));
            }
        }
        nodes_of.push(nodes);
    }
    for nodes in nodes_of {
        push_solid(&mut mesh, block.shape, &nodes);
    }
    (mesh, parameters)
}

/// Lattice points of the corners of every element.
fn cell_elements(block: &Block<'_>) -> Vec<Vec<[usize; 3]>> {
    let mut elements = Vec::new();
    for k in 0..block.cells[2] {
        for j in 0..block.cells[1] {
            for i in 0..block.cells[0] {
                let at = |x: usize, y: usize, z: usize| [STEP * (i + x), STEP * (j + y), STEP * (k + z)];
                let corner = [
                    at(0, 0, 0),
                    at(1, 0, 0),
                    at(1, 1, 0),
                    at(0, 1, 0),
                    at(0, 0, 1),
                    at(1, 0, 1),
                    at(1, 1, 1),
                    at(0, 1, 1),
                ];
                let pick = |points: &[usize]| points.iter().map(|p| corner[*p]).collect::<Vec<_>>();
                match block.shape {
                    SolidShape::Hexa8 | SolidShape::Hexa20 => elements.push(corner.to_vec()),
                    SolidShape::Penta6 | SolidShape::Penta15 => {
                        elements.push(pick(&[0, 1, 2, 4, 5, 6]));
                        elements.push(pick(&[0, 2, 3, 4, 6, 7]));
                    }
                    SolidShape::Pyramid5 | SolidShape::Pyramid13 => {
                        let centre = corner[0].map(|point| point + STEP / 2);
                        for face in family_of(SolidShape::Hexa8).faces {
                            // The base turns about the normal that points to the apex, so against the cell's
                            // outward one.
                            let mut points = pick(face);
                            points.reverse();
                            points.push(centre);
                            elements.push(points);
                        }
                    }
                    SolidShape::Tetra4 | SolidShape::Tetra10 => {
                        for tetra in [
                            [0, 1, 2, 6],
                            [0, 2, 3, 6],
                            [0, 3, 7, 6],
                            [0, 7, 4, 6],
                            [0, 4, 5, 6],
                            [0, 5, 1, 6],
                        ] {
                            elements.push(pick(&tetra));
                        }
                    }
                }
            }
        }
    }
    elements
}

/// Moves points away from a lattice point by a fixed, irregular amount of at most `size` along each axis.
pub(super) fn shake(p: Vector3<f64>, size: f64) -> Vector3<f64> {
    let wave = |a: f64, b: f64, c: f64| (a * p.x + b * p.y + c * p.z + 0.7).sin();
    p + size * Vector3::new(wave(9.1, 4.3, 7.7), wave(3.9, 8.3, 5.1), wave(6.7, 5.9, 9.7))
}
