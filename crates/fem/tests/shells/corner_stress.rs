//! Strain and stress at the corners of shells against fields that are linear in the element. The rule
//! (bilinear through the 2×2 points, incompatible modes included) is that of MSC, whose printed values
//! `msc.rs` has.

use nalgebra::{DMatrix, Vector3};
use pliant_fem::element::{ElementContext, ElementStress, ShellForces, all_elements, build};
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate};

const PLATE: Plate = Plate { youngs_modulus: 2e11, poisson_ratio: 0.3, density: 0.0, thickness: 0.01 };

/// What is in the only element of `model` whose grids move by `u(x)`, rotations θ included.
fn inside(model: &Model, u: impl Fn(Vector3<f64>) -> [f64; 6]) -> Vec<ShellForces> {
    let which = all_elements(&model.mesh)[0];
    let element = build(ElementContext { mesh: &model.mesh, extra_nsm: 0.0 }, which).expect("an element");
    let at = |i: usize| {
        let dof = element.dofs()[i];
        u(model.mesh.node(dof.node).position)[dof.component.row()]
    };
    let u = DMatrix::from_fn(element.dofs().len(), 1, |i, _| at(i));
    match element.stress(&u).expect("stress").remove(0) {
        ElementStress::Shell(points) => points,
        other => panic!("{other:?}"),
    }
}

/// A rectangle of 0.4 × 0.2 about the origin.
fn rectangle(shape: ShellShape, poisson_ratio: f64) -> Model {
    let plate = Plate { poisson_ratio, ..PLATE };
    Model::new(shape, plate, (1, 1), |xi, eta| Vector3::new(0.4 * (xi - 0.5), 0.2 * (eta - 0.5), 0.0))
}

/// Components in basic axes, which the axes of these elements are turned against by a right angle at most.
fn near(found: Vector3<f64>, expected: Vector3<f64>, scale: f64, what: &str) {
    // Rounding.
    assert!((found - expected).amax() < 1e-12 * scale, "{what}: {found:?} {expected:?}");
}

/// Bending in the plane, σx = Eκy: u = κxy, v = −κ(x² + νy²)/2, θz = −κx. QM6 has it exactly in a rectangle
/// (its modes are the missing squares), CQUADR by its stress field, CQUAD8 by its functions.
#[test]
fn bending_in_the_plane_is_exact_at_the_corners() {
    let (modulus, kappa, t) = (2e11, 1e-3, 0.01);
    // The sides of CQUADR stay straight along themselves: exact without Poisson's ratio.
    for (shape, nu) in [(ShellShape::Quad4, 0.3), (ShellShape::QuadR, 0.0), (ShellShape::Quad8, 0.3)] {
        let points = inside(&rectangle(shape, nu), |x| {
            [kappa * x.x * x.y, -0.5 * kappa * (x.x * x.x + nu * x.y * x.y), 0.0, 0.0, 0.0, -kappa * x.x]
        });
        assert_eq!(points.len(), 5, "{shape:?}");
        for (point, (x, y)) in
            points.iter().zip([(0.0, 0.0), (-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])
        {
            assert!(
                (point.position - Vector3::new(x, y, 0.0)).amax() < 1e-15,
                "{shape:?} {:?}",
                point.position
            );
            let expected = Vector3::new(modulus * kappa * y * t, 0.0, 0.0);
            near(point.membrane, expected, modulus * kappa * 0.1 * t, &format!("{shape:?}"));
            near(
                point.strain,
                Vector3::new(kappa * y, -nu * kappa * y, 0.0),
                kappa * 0.1,
                &format!("{shape:?}"),
            );
        }
    }
}

/// Curvature that is linear across the plate, βx = cxy: κx = cy at the corners. QUAD4 has the twist of its
/// centre.
#[test]
fn a_linear_curvature_is_exact_at_the_corners() {
    let c = 1e-2;
    let points = inside(&rectangle(ShellShape::Quad4, 0.3), |x| [0.0, 0.0, 0.0, 0.0, c * x.x * x.y, 0.0]);
    for (point, y) in points.iter().zip([0.0, -0.1, -0.1, 0.1, 0.1]) {
        near(point.curvature, Vector3::new(c * y, 0.0, 0.0), c * 0.1, "CQUAD4");
    }
}

/// A cantilevered strip, w = −x³/6 and βx = x²/2: κx = x at the corners of a thin CQUAD8. Its inner rotation
/// answers to the shear force by (t/L)².
#[test]
fn a_linear_moment_is_exact_at_the_corners_of_a_cquad8() {
    let mut model = rectangle(ShellShape::Quad8, 0.3);
    model.mesh.shells[0].corner_thickness = [Some(1e-5); 4];
    let points = inside(&model, |x| [0.0, 0.0, -x.x.powi(3) / 6.0, 0.0, 0.5 * x.x * x.x, 0.0]);
    for (point, x) in points.iter().zip([0.0, -0.2, 0.2, 0.2, -0.2]) {
        let off = (point.curvature - Vector3::new(x, 0.0, 0.0)).amax();
        assert!(off < 1e-7, "{x}: {:?}", point.curvature);
    }
}

/// Also where a corner is sharp: stress is force over a thickness that vanishes.
#[test]
fn a_sharp_corner_has_the_stress_of_its_strain() {
    for shape in
        [ShellShape::Quad4, ShellShape::QuadR, ShellShape::Quad8, ShellShape::Tria6, ShellShape::Tria3]
    {
        let mut model = Model::new(shape, PLATE, (1, 1), |xi, eta| {
            Vector3::new(0.4 * xi + 0.1 * eta, 0.2 * eta * (1.0 + 0.5 * xi), 0.0)
        });
        model.mesh.shells[0].corner_thickness = [Some(0.0), Some(0.01), Some(0.02), Some(0.01)];
        let points = inside(&model, |x| [1e-4 * x.x, 2e-4 * x.y, 0.0, 0.0, 0.0, 0.0]);
        let varies = shape != ShellShape::Tria3;
        assert_eq!(points.len(), if varies { 1 + shape.corner_count() } else { 1 }, "{shape:?}");
        for point in points {
            // σx + σy = E(εx + εy)/(1 − ν). The strain itself is that of the displacement where the thickness
            // does not excite incompatible modes.
            let trace = (point.membrane.x + point.membrane.y) / point.thickness;
            let strain = point.strain.x + point.strain.y;
            assert!((trace / (2e11 * strain / 0.7) - 1.0).abs() < 1e-9, "{shape:?}: {trace:e}");
            if shape == ShellShape::Quad8 {
                assert!((strain / 3e-4 - 1.0).abs() < 1e-9, "{shape:?}: {strain:e}");
            }
        }
    }
}
