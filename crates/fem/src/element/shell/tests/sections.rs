//! Sections of laminates, and shells that are refused.

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::element::{MaterialDirection, ShellShape};
use pliant_mesh::property::{LaminateKind, PropertyKind, ShellProperty};
use pliant_mesh::{CoordIndex, CoordinateKind, CoordinateSystem, LinkMesh, MaterialLaw, NodeIndex};

use super::super::geometry::material_angle;
use super::super::section::ShellLaw;
use super::{add_property, add_shell, isotropic, laminate, material, plate};
use crate::element::contract::Placement;
use crate::element::{ElementContext, build};

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
    // Stiff thin faces on a soft core: S → G_core (t_c + t_f)²/t_c (H. G. Allen, Analysis and Design of
    // Structural Sandwich Panels, 1969).
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
    // The theory neglects the shear of the faces, of order G_core/G_face · t_f/t_c, and the core's own
    // bending, 3e-4.
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

/// The material axis of a disc in a cylindrical system is radial in each element, and along x in a
/// rectangular one.
#[test]
fn material_axes_of_a_cylindrical_frame_are_radial() {
    let mut mesh = LinkMesh::default();
    for (kind, wanted) in [(CoordinateKind::Cylindrical, 70.0_f64), (CoordinateKind::Rectangular, 0.0)] {
        mesh.coordinates.push(CoordinateSystem { kind, ..CoordinateSystem::basic() });
        let direction = MaterialDirection::Frame(CoordIndex(mesh.coordinates.len() as u32 - 1));
        let (sin, cos) = 70.0_f64.to_radians().sin_cos();
        let centre = Vector3::new(3.0 * cos, 3.0 * sin, 1.0);
        let angle = material_angle(&mesh, direction, &Matrix3::identity(), centre, 0.3).unwrap();
        assert!((angle.to_degrees() - wanted).abs() < 1e-12, "{kind:?}: {angle}");
    }
    // On the cylinder itself r is normal to the shell: there is no such direction.
    let frame = Matrix3::from_columns(&[Vector3::y(), Vector3::z(), Vector3::x()]);
    mesh.coordinates[0] = CoordinateSystem { kind: CoordinateKind::Cylindrical, ..CoordinateSystem::basic() };
    let direction = MaterialDirection::Frame(CoordIndex(0));
    assert_eq!(material_angle(&mesh, direction, &frame, Vector3::x(), 0.0), None);
}
