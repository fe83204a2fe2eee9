use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_diag::Origin;
use pliant_mesh::element::{ElementRef, MaterialDirection, Shell, ShellShape};
use pliant_mesh::property::{LaminateKind, LaminateProperty, Ply, Property, PropertyKind, ShellProperty};
use pliant_mesh::{
    Components, ElementId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw, NodeIndex, PropertyId,
    PropertyIndex,
};

use super::section::ShellLaw;
use crate::element::contract::{self, Contract, MassFacts, Placement};
use crate::element::patch::check_patch;
use crate::element::{Element, ElementContext, build};

const E: f64 = 2.1e5;
const NU: f64 = 0.3;
const RHO: f64 = 7.8e-3;

fn material(mesh: &mut LinkMesh, law: MaterialLaw) -> MaterialIndex {
    mesh.materials.push(Material {
        id: MaterialId(mesh.materials.len() as u32 + 1),
        density: RHO,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law,
        source: Origin::default(),
    });
    MaterialIndex::from(mesh.materials.len() - 1)
}

fn isotropic() -> MaterialLaw {
    MaterialLaw::Isotropic {
        youngs_modulus: E,
        shear_modulus: E / (2.0 * (1.0 + NU)),
        poisson_ratio: NU,
        thermal_expansion: 0.0,
    }
}

fn carbon() -> MaterialLaw {
    MaterialLaw::Orthotropic2d {
        e1: 1.4e5,
        e2: 1.0e4,
        nu12: 0.3,
        g12: 5.0e3,
        g1z: Some(5.0e3),
        g2z: Some(3.0e3),
        thermal_expansion: [0.0; 2],
        strengths: [None; 5],
    }
}

fn plate(thickness: f64) -> ShellProperty {
    ShellProperty {
        membrane: Some(MaterialIndex(0)),
        thickness: Some(thickness),
        bending: Some(MaterialIndex(0)),
        plane_strain: false,
        bending_ratio: 1.0,
        shear: Some(MaterialIndex(0)),
        shear_ratio: 5.0 / 6.0,
        nsm: 0.0,
        fibre_distances: [None; 2],
        coupling: None,
    }
}

fn laminate(plies: &[(f64, f64)], kind: LaminateKind, bottom: Option<f64>) -> LaminateProperty {
    LaminateProperty {
        global_plies: false,
        bottom,
        nsm: 0.0,
        shear_allowable: None,
        failure_theory: String::new(),
        reference_temperature: 0.0,
        structural_damping: 0.0,
        kind,
        plies: plies
            .iter()
            .map(|(thickness, angle)| Ply {
                id: None,
                material: MaterialIndex(0),
                thickness: *thickness,
                angle: *angle,
                stress_output: false,
            })
            .collect(),
    }
}

fn add_property(mesh: &mut LinkMesh, kind: PropertyKind) {
    mesh.properties.push(Property { id: PropertyId(1), kind, source: Origin::default() });
}

fn add_shell(mesh: &mut LinkMesh, shape: ShellShape, nodes: &[NodeIndex], offset: Option<f64>) -> ElementRef {
    let first_node = mesh.shell_nodes.len() as u32;
    mesh.shell_nodes.extend(nodes);
    mesh.shells.push(Shell {
        id: ElementId(mesh.shells.len() as u32 + 1),
        shape,
        property: PropertyIndex(0),
        first_node,
        material_direction: MaterialDirection::Angle(20.0),
        offset,
        corner_thickness: [None; 4],
        source: Origin::default(),
    });
    ElementRef::Shell(mesh.shells.len() as u32 - 1)
}

fn element(mesh: &LinkMesh, which: ElementRef) -> Box<dyn Element> {
    build(ElementContext { mesh, extra_nsm: 0.0 }, which).unwrap()
}

/// A frame that is no axis of anything.
fn oblique() -> Rotation3<f64> {
    Rotation3::from_euler_angles(0.7, -0.4, 1.1)
}

/// Corners of a distorted flat quadrilateral or triangle, with slightly bowed mid-side nodes where the shape has them.
fn corners(shape: ShellShape, bow: f64) -> Vec<Vector3<f64>> {
    let mut flat =
        vec![Vector3::new(0.0, 0.0, 0.0), Vector3::new(2.3, 0.2, 0.0), Vector3::new(1.9, 1.7, 0.0)];
    if shape.corner_count() == 4 {
        flat.push(Vector3::new(-0.2, 1.2, 0.0));
    }
    let count = flat.len();
    if shape.node_count() > count {
        for i in 0..count {
            let middle = (flat[i] + flat[(i + 1) % count]) * 0.5;
            flat.push(middle + Vector3::new(0.3 * bow, -0.2 * bow, bow));
        }
    }
    flat
}

const SHAPES: [ShellShape; 6] = [
    ShellShape::Quad4,
    ShellShape::QuadR,
    ShellShape::Quad8,
    ShellShape::Tria3,
    ShellShape::TriaR,
    ShellShape::Tria6,
];

/// Mass, centre and inertia of a flat polygon of thickness t, from its fan of triangles.
fn polygon_mass(corners: &[Vector3<f64>], t: f64) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    for i in 1..corners.len() - 1 {
        let [a, b, c] = [corners[0], corners[i], corners[i + 1]];
        let m = 0.5 * RHO * t * (b - a).cross(&(c - a)).norm();
        mass += m;
        first += (a + b + c) * (m / 3.0);
        // The three mid-side points integrate second moments exactly.
        for p in [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5] {
            second += p * p.transpose() * (m / 3.0);
        }
    }
    let centre = first / mass;
    let mut about = second - centre * centre.transpose() * mass;
    // Spread over the thickness. A shell's normals have no inertia about themselves beyond this.
    about += normal * normal.transpose() * (mass * t * t / 12.0);
    let inertia = Matrix3::identity() * about.trace() - about;
    // βx and βy carry ρt³/12; the trace term above gives the drilling axis none of it, as for the solid body.
    (mass, centre, inertia)
}

#[test]
fn flat_shells_keep_the_contract() {
    let t = 0.13;
    for shape in SHAPES {
        let positions: Vec<_> =
            corners(shape, 0.0).iter().map(|p| oblique() * p + Vector3::new(1.0, -2.0, 0.5)).collect();
        let (mass, centre, inertia) = polygon_mass(&positions[..shape.corner_count()], t);
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(t))));
            let which = add_shell(&mut mesh, shape, &placement.nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: Some(MassFacts { mass, centre, inertia_about_centre: Some(inertia) }),
        });
    }
}

#[test]
fn warped_offset_laminates_keep_the_contract() {
    for shape in SHAPES {
        let mut flat = corners(shape, 0.1);
        flat[2].z += 0.4;
        let positions: Vec<_> = flat.iter().map(|p| oblique() * p).collect();
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, carbon());
            mesh.materials[0].density = 0.0;
            let plies = [(0.02, 0.0), (0.03, 45.0), (0.01, 90.0)];
            let property = laminate(&plies, LaminateKind::General, Some(0.01));
            add_property(&mut mesh, PropertyKind::Laminate(Box::new(property)));
            let which = add_shell(&mut mesh, shape, &placement.nodes, Some(0.2));
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

/// Regular shapes, where terms that a distorted one has may vanish.
#[test]
fn rectangles_move_without_strain_only_when_rigid() {
    for shape in SHAPES {
        let mut flat = vec![Vector3::zeros(), Vector3::new(2.0, 0.0, 0.0), Vector3::new(2.0, 1.0, 0.0)];
        if shape.corner_count() == 4 {
            flat.push(Vector3::new(0.0, 1.0, 0.0));
        }
        let count = flat.len();
        if shape.node_count() > count {
            flat.extend((0..count).map(|i| (flat[i] + flat[(i + 1) % count]) * 0.5).collect::<Vec<_>>());
        }
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            mesh.materials[0].density = 0.0;
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
            let which = add_shell(&mut mesh, shape, &placement.nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions: flat.iter().map(|p| oblique() * p).collect(),
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

#[test]
fn quadratic_shells_without_some_mid_side_nodes_keep_the_contract() {
    for (shape, missing) in [(ShellShape::Quad8, 5), (ShellShape::Quad8, 7), (ShellShape::Tria6, 4)] {
        let mut positions: Vec<_> = corners(shape, 0.05).iter().map(|p| oblique() * p).collect();
        positions.remove(missing);
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            mesh.materials[0].density = 0.0;
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
            let mut nodes = placement.nodes.clone();
            nodes.insert(missing, NodeIndex::NONE);
            let which = add_shell(&mut mesh, shape, &nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

#[test]
fn plates_with_held_drilling_keep_the_contract() {
    for shape in [ShellShape::Quad4, ShellShape::Tria3] {
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            for node in &mut mesh.nodes {
                node.permanent_spc = Components::ROTATIONS;
            }
            material(&mut mesh, isotropic());
            mesh.materials[0].density = 0.0;
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
            let which = add_shell(&mut mesh, shape, &placement.nodes, None);
            element(&mesh, which)
        };
        let positions: Vec<_> = corners(shape, 0.0).iter().map(|p| oblique() * p).collect();
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

/// MacNeal and Harder's patch: 0.24 × 0.12 with four inner nodes. `held`: drilling rotations held by the grids.
fn patch(shape: ShellShape, t: f64, held: bool) -> (LinkMesh, Vec<Box<dyn Element>>, Vec<NodeIndex>) {
    let turn = oblique();
    let points = [
        (0.0, 0.0),
        (0.24, 0.0),
        (0.24, 0.12),
        (0.0, 0.12),
        (0.04, 0.02),
        (0.18, 0.03),
        (0.16, 0.08),
        (0.08, 0.08),
    ];
    let mut positions: Vec<_> = points.iter().map(|(x, y)| Vector3::new(*x, *y, 0.0)).collect();
    let cells = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]];
    let faces: Vec<Vec<usize>> = cells
        .iter()
        .flat_map(|c| {
            if shape.corner_count() == 4 {
                vec![c.to_vec()]
            } else {
                vec![vec![c[0], c[1], c[2]], vec![c[0], c[2], c[3]]]
            }
        })
        .collect();
    let mut interior = vec![4, 5, 6, 7];
    let mut full = Vec::new();
    for face in faces {
        let mut nodes = face.clone();
        if shape.node_count() > shape.corner_count() {
            for i in 0..face.len() {
                let (a, b) = (face[i], face[(i + 1) % face.len()]);
                let middle = (positions[a] + positions[b]) * 0.5;
                let node = positions.iter().position(|p| (p - middle).norm() < 1e-12).unwrap_or_else(|| {
                    positions.push(middle);
                    positions.len() - 1
                });
                let edge =
                    middle.x < 1e-9 || middle.y < 1e-9 || middle.x > 0.24 - 1e-9 || middle.y > 0.12 - 1e-9;
                if !edge && !interior.contains(&node) {
                    interior.push(node);
                }
                nodes.push(node);
            }
        }
        full.push(nodes);
    }
    let placement = Placement {
        positions: positions.iter().map(|p| turn * p).collect(),
        nodes: (0..positions.len()).map(NodeIndex::from).collect(),
        rotation: *turn.matrix(),
    };
    let mut mesh = placement.mesh();
    if held {
        for node in &mut mesh.nodes {
            node.permanent_spc = Components::ROTATIONS;
        }
    }
    material(
        &mut mesh,
        MaterialLaw::Isotropic {
            youngs_modulus: 1e6,
            shear_modulus: 4e5,
            poisson_ratio: 0.25,
            thermal_expansion: 0.0,
        },
    );
    add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(t))));
    let which: Vec<_> = full
        .iter()
        .map(|nodes| {
            let nodes: Vec<_> = nodes.iter().map(|n| NodeIndex::from(*n)).collect();
            add_shell(&mut mesh, shape, &nodes, None)
        })
        .collect();
    let elements = which.iter().map(|w| element(&mesh, *w)).collect();
    (mesh, elements, interior.into_iter().map(NodeIndex::from).collect())
}

/// Field of MacNeal and Harder's patch tests in turned axes: u = 10⁻³(x + y/2), v = 10⁻³(y + x/2), here with a rigid
/// rotation that makes it u = 10⁻³(x + y), v = 10⁻³y, and
/// w = 10⁻³(x² + xy + y²)/2 with its rotations.
fn field(p: Vector3<f64>, membrane: bool) -> [f64; 6] {
    let turn = oblique();
    let x = turn.inverse() * p;
    let (u, r) = if membrane {
        (Vector3::new(x.x + x.y, x.y, 0.0), Vector3::new(0.0, 0.0, -0.5))
    } else {
        let w = 0.5 * (x.x * x.x + x.x * x.y + x.y * x.y);
        // θx = w,y and θy = −w,x.
        (Vector3::new(0.0, 0.0, w), Vector3::new(0.5 * x.x + x.y, -x.x - 0.5 * x.y, 0.0))
    };
    let (u, r) = (turn * u * 1e-3, turn * r * 1e-3);
    [u.x, u.y, u.z, r.x, r.y, r.z]
}

#[test]
fn every_shell_passes_the_patch_tests() {
    let area = 0.24 * 0.12;
    for t in [0.001, 0.05] {
        // εx = εy = γ = 1e-3: ½ ε·Cε, and κ = −1e-3 likewise.
        let density = 0.5e-6 * (1e6 / (1.0 - 0.0625) * 2.0 * 1.25 + 4e5);
        for (shape, held) in SHAPES
            .into_iter()
            .map(|s| (s, false))
            .chain([(ShellShape::Quad4, true), (ShellShape::Tria3, true)])
        {
            let (mesh, elements, interior) = patch(shape, t, held);
            for membrane in [true, false] {
                let thickness = if membrane { t } else { t.powi(3) / 12.0 };
                // A state that has no shear strain: exact to rounding, amplified by the spread of stiffnesses (L/t)².
                check_patch(
                    &format!("{} t = {t} membrane = {membrane} held = {held}", shape.card()),
                    &elements,
                    |n| mesh.node(n).position,
                    &interior,
                    |p| field(p, membrane),
                    density * area * thickness,
                    1e-8,
                );
            }
        }
    }
}

#[test]
fn a_laminate_of_equal_plies_is_the_plate() {
    let mut mesh = LinkMesh::default();
    material(&mut mesh, isotropic());
    let solid = ShellLaw::new(&mesh, &PropertyKind::Shell(Box::new(plate(0.3))), 0.0).unwrap().at(0.3);
    for (plies, kind) in [
        (vec![(0.1, 10.0), (0.15, 70.0), (0.05, -20.0)], LaminateKind::General),
        (vec![(0.1, 0.0), (0.05, 90.0)], LaminateKind::Symmetric),
        (vec![(0.3, 0.0)], LaminateKind::Smeared),
    ] {
        let property = PropertyKind::Laminate(Box::new(laminate(&plies, kind, None)));
        let section = ShellLaw::new(&mesh, &property, 0.0).unwrap().at(0.0);
        // Sums of a few plies: rounding only.
        assert!((section.A - solid.A).amax() < 1e-12 * solid.A.amax(), "{kind:?} A");
        assert!(section.B.amax() < 1e-12 * solid.A.amax(), "{kind:?} B");
        assert!((section.D - solid.D).amax() < 1e-12 * solid.D.amax(), "{kind:?} D");
        let (found, wanted) = (section.S.unwrap(), solid.S.unwrap());
        assert!((found - wanted).amax() < 1e-12 * wanted.amax(), "{kind:?} shear: {found} for {wanted}");
        assert!((section.mass - solid.mass).abs() < 1e-12);
        assert!((section.rotary_inertia - solid.rotary_inertia).abs() < 1e-12);
    }
}

#[test]
fn a_sandwich_gets_its_core_shear() {
    // Stiff thin faces on a soft core: S → G_core (t_c + t_f)²/t_c (H. G. Allen, Analysis and Design of Structural Sandwich Panels, 1969).
    let mut mesh = LinkMesh::default();
    material(&mut mesh, isotropic());
    let core = material(
        &mut mesh,
        MaterialLaw::Isotropic {
            youngs_modulus: 1.0,
            shear_modulus: 40.0,
            poisson_ratio: 0.0,
            thermal_expansion: 0.0,
        },
    );
    let (face, thick) = (0.01, 1.0);
    let mut property = laminate(&[(face, 0.0), (thick, 0.0), (face, 0.0)], LaminateKind::General, None);
    property.plies[1].material = core;
    let section = ShellLaw::new(&mesh, &PropertyKind::Laminate(Box::new(property)), 0.0).unwrap().at(0.0);
    let wanted = 40.0 * (thick + face) * (thick + face) / thick;
    let found = section.S.unwrap()[(0, 0)];
    // The theory neglects the shear of the faces, of order G_core/G_face · t_f/t_c, and the core's own bending, 3e-4.
    assert!((found - wanted).abs() < 1e-3 * wanted, "{found} for {wanted}");
}

#[test]
fn bad_shells_are_named() {
    let bad = |points: &[[f64; 3]], shape, property: ShellProperty| {
        let placement = Placement {
            positions: points.iter().map(|p| Vector3::from(*p)).collect(),
            nodes: (0..points.len()).map(NodeIndex::from).collect(),
            rotation: Matrix3::identity(),
        };
        let mut mesh = placement.mesh();
        material(&mut mesh, isotropic());
        add_property(&mut mesh, PropertyKind::Shell(Box::new(property)));
        let which = add_shell(&mut mesh, shape, &placement.nodes, None);
        build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, which).err().unwrap().message
    };
    let line = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    assert!(bad(&line, ShellShape::Tria3, plate(0.1)).contains("no area"));
    let dart = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.2, 0.0], [0.0, 1.0, 0.0]];
    assert!(bad(&dart, ShellShape::Quad4, plate(0.1)).contains("G3"));
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    assert!(bad(&square, ShellShape::Quad4, plate(-0.1)).contains("thickness"));
    let missing = ShellProperty { thickness: None, ..plate(0.1) };
    assert!(bad(&square, ShellShape::Quad4, missing).contains("thickness"));
}

#[test]
fn folds_and_bars_are_joints_and_smooth_surfaces_are_not() {
    // Two squares that share the edge between grids 1 and 2, the second turned by `degrees` about it.
    let joints = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let points = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0 + cos, 1.0, sin],
            [1.0 + cos, 0.0, sin],
        ];
        let placement = Placement {
            positions: points.iter().map(|p| Vector3::from(*p)).collect(),
            nodes: (0..points.len()).map(NodeIndex::from).collect(),
            rotation: Matrix3::identity(),
        };
        let mut mesh = placement.mesh();
        for corners in [[0, 1, 2, 3], [1, 5, 4, 2]] {
            add_shell(&mut mesh, ShellShape::Quad4, &corners.map(NodeIndex), None);
        }
        let joints = super::ShellJoints::of(&mesh);
        (joints.all(&[NodeIndex(1), NodeIndex(2)]), joints.all(&[NodeIndex(0)]))
    };
    assert_eq!(joints(0.0), (false, false));
    assert_eq!(joints(20.0), (false, false));
    assert_eq!(joints(90.0), (true, false));
}
