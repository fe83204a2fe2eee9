//! Time per element of the stiffness and mass of the solids: `cargo run --release -p pliant-fem --example solid_speed`.

use std::hint::black_box;
use std::time::Instant;

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_fem::element::{ElementContext, MassKind, build};
use pliant_mesh::element::{ElementRef, Solid, SolidShape};
use pliant_mesh::property::{Property, PropertyKind, SolidIntegration, SolidProperty};
use pliant_mesh::{
    Components, CoordIndex, ElementId, GridId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw,
    Node, NodeIndex, NodeKind, PropertyId, PropertyIndex,
};

const TETRA: [[f64; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
const PYRAMID: [[f64; 3]; 5] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]];
const WEDGE: [[f64; 3]; 6] =
    [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.1]];
const CUBE: [[f64; 3]; 8] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 1., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 0., 1.],
    [1., 1., 1.1],
    [0., 1., 1.],
];
const TETRA_EDGES: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
const CUBE_EDGES: &[[usize; 2]] =
    &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 5], [2, 6], [3, 7], [4, 5], [5, 6], [6, 7], [7, 4]];
const WEDGE_EDGES: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 4], [2, 5], [3, 4], [4, 5], [5, 3]];

/// Shape, corners, and the edges that have a mid-side node.
type Case = (SolidShape, &'static [[f64; 3]], &'static [[usize; 2]]);

fn mesh_of(shape: SolidShape, corners: &[[f64; 3]], edges: &[[usize; 2]]) -> LinkMesh {
    let mut places: Vec<Vector3<f64>> = corners.iter().map(|c| Vector3::from(*c)).collect();
    for [i, j] in edges {
        places.push((places[*i] + places[*j]) * 0.5);
    }
    let node = |(i, position): (usize, &Vector3<f64>)| Node {
        id: GridId(i as u32 + 1),
        kind: NodeKind::Grid,
        position: *position,
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    };
    let property = SolidProperty {
        material_frame: Some(CoordIndex::BASIC),
        integration: SolidIntegration::Default,
        card_fields: Default::default(),
    };
    LinkMesh {
        nodes: places.iter().enumerate().map(node).collect(),
        materials: vec![Material {
            id: MaterialId(1),
            density: 7850.0,
            reference_temperature: 0.0,
            structural_damping: 0.0,
            allowables: [None; 3],
            stress_frame: None,
            law: MaterialLaw::Isotropic {
                youngs_modulus: 2.1e11,
                shear_modulus: 8.1e10,
                poisson_ratio: 0.3,
                thermal_expansion: 0.0,
            },
            source: Origin::default(),
        }],
        properties: vec![Property {
            id: PropertyId(1),
            kind: PropertyKind::Solid(MaterialIndex(0), property),
            source: Origin::default(),
        }],
        solids: vec![Solid {
            id: ElementId(1),
            shape,
            property: PropertyIndex(0),
            first_node: 0,
            source: Origin::default(),
        }],
        solid_nodes: (0..places.len()).map(NodeIndex::from).collect(),
        ..LinkMesh::default()
    }
}

/// Microseconds per call, the best of five rounds.
fn time(mut work: impl FnMut()) -> f64 {
    let rounds = 2000;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..rounds {
            work();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(rounds));
    }
    best
}

fn main() {
    println!("{:10} {:>9} {:>9} {:>9} {:>9}   µs per element", "shape", "build", "K", "M", "M lumped");
    let cases: [Case; 7] = [
        (SolidShape::Tetra4, &TETRA, &[]),
        (SolidShape::Tetra10, &TETRA, TETRA_EDGES),
        (SolidShape::Pyramid5, &PYRAMID, &[]),
        (SolidShape::Penta6, &WEDGE, &[]),
        (SolidShape::Penta15, &WEDGE, WEDGE_EDGES),
        (SolidShape::Hexa8, &CUBE, &[]),
        (SolidShape::Hexa20, &CUBE, CUBE_EDGES),
    ];
    for (shape, corners, edges) in cases {
        let mesh = mesh_of(shape, corners, edges);
        let make = || {
            build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0))
                .unwrap_or_else(|problem| panic!("{}", problem.headline()))
        };
        let element = make();
        println!(
            "{:10} {:9.2} {:9.2} {:9.2} {:9.2}",
            format!("{shape:?}"),
            time(|| {
                black_box(make());
            }),
            time(|| {
                black_box(element.stiffness());
            }),
            time(|| {
                black_box(element.mass(MassKind::Consistent));
            }),
            time(|| {
                black_box(element.mass(MassKind::Lumped));
            }),
        );
    }
}
