//! Thermal loads of shells against closed forms.

use nalgebra::{Rotation3, Vector3};
use pliant_mesh::element::ShellShape;
use pliant_mesh::property::{LaminateKind, LaminateProperty, Ply, PropertyKind};
use pliant_mesh::{MaterialIndex, MaterialLaw, NodeIndex};

use crate::plates::{Model, Plate, SHAPES};

const ALPHA: f64 = 1.2e-5;
const REFERENCE: f64 = 20.0;

/// Gives material `index` this expansion from [`REFERENCE`] on.
fn expand(model: &mut Model, index: usize, alpha: f64) {
    let material = &mut model.mesh.materials[index];
    material.reference_temperature = REFERENCE;
    if let MaterialLaw::Isotropic { thermal_expansion, .. } = &mut material.law {
        *thermal_expansion = alpha;
    }
}

/// Loads all elements with grid temperatures.
fn heat(model: &mut Model, temperature: &dyn Fn(Vector3<f64>) -> f64) {
    let at: Vec<f64> = model.mesh.nodes.iter().map(|node| temperature(node.position)).collect();
    for element in model.elements() {
        let load = element.thermal_load(&|node: NodeIndex| at[node.index()]).expect("shells have it");
        for (dof, force) in element.dofs().iter().zip(load.iter()) {
            model.push(dof.node.index(), dof.component.row(), *force);
        }
    }
}

/// A distorted patch somewhere in space, held at one grid, grows by αΔT in all directions and does not turn.
#[test]
fn a_free_patch_expands_without_stress() {
    let plate = Plate { youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 0.0, thickness: 0.02 };
    let turn = Rotation3::from_euler_angles(0.4, -0.7, 1.1);
    for shape in SHAPES.into_iter().filter(|shape| *shape != ShellShape::Tria6) {
        let mut model = Model::new(shape, plate, (2, 2), |xi, eta| {
            // Straight sides: mid-side grids lie between their corners.
            let (i, j) = ((2.0 * xi).floor().min(1.0), (2.0 * eta).floor().min(1.0));
            let corner = |a: f64, b: f64| {
                let inner = a == 1.0 && b == 1.0;
                Vector3::new(
                    0.5 * a + if inner { 0.11 } else { 0.0 },
                    0.4 * b - if inner { 0.07 } else { 0.0 },
                    0.0,
                )
            };
            let (s, t) = (2.0 * xi - i, 2.0 * eta - j);
            let mix = |a: Vector3<f64>, b: Vector3<f64>, f: f64| a * (1.0 - f) + b * f;
            let low = mix(corner(i, j), corner(i + 1.0, j), s);
            turn * mix(low, mix(corner(i, j + 1.0), corner(i + 1.0, j + 1.0), s), t)
        });
        expand(&mut model, 0, ALPHA);
        for shell in &mut model.mesh.shells {
            shell.offset = Some(0.013);
        }
        let first = model.lattice[&(0, 0)];
        model.fix(first, "123456");
        heat(&mut model, &|_| REFERENCE + 50.0);
        let origin = model.mesh.nodes[first].position;
        for (u, node) in model.solve().iter().zip(&model.mesh.nodes) {
            let wanted = (node.position - origin) * (ALPHA * 50.0);
            let found = Vector3::new(u[0], u[1], u[2]);
            // Rounding of a thin plate: bending is 1e4 times softer than the membrane that carries the load.
            assert!((found - wanted).norm() < 1e-10, "{shape:?}: {found} for {wanted}");
            assert!(u[3..].iter().all(|turn| turn.abs() < 1e-8), "{shape:?}: {u:?}");
        }
    }
}

/// A strip heated along its length, ΔT = 100x: its end moves by α∫ΔT dx = 50αL².
#[test]
fn a_strip_takes_the_mean_of_its_temperatures() {
    let plate = Plate { youngs_modulus: 2e11, poisson_ratio: 0.0, density: 0.0, thickness: 0.01 };
    for shape in [ShellShape::Quad4, ShellShape::Quad8] {
        let mut model = Model::new(shape, plate, (4, 1), |xi, eta| Vector3::new(2.0 * xi, 0.1 * eta, 0.0));
        expand(&mut model, 0, ALPHA);
        model.fix_where("1", |i, _| i == 0);
        model.fix(model.lattice[&(0, 0)], "23456");
        heat(&mut model, &|p| REFERENCE + 100.0 * p.x);
        let (last, _) = model.last();
        let u = model.solve();
        let mean = 0.5 * (u[model.lattice[&(last, 0)]][0] + u[model.lattice[&(last, 2)]][0]);
        // Neighbours of different temperature hold each other's common edge, which in truth is curved.
        assert!((mean / (50.0 * ALPHA * 4.0) - 1.0).abs() < 0.01, "{shape:?}: {mean:e}");
    }
}

/// Timoshenko's bimetal strip (*Analysis of bi-metal thermostats*, J. Opt. Soc. Am. 11, 1925): two equal
/// layers of one modulus bend with κ = 3ΔαΔT/(2h), and the tip of a cantilever rises by κL²/2.
#[test]
fn a_bimetal_strip_curls() {
    let plate = Plate { youngs_modulus: 1.5e11, poisson_ratio: 0.0, density: 0.0, thickness: 0.002 };
    for shape in [ShellShape::Quad4, ShellShape::Tria3, ShellShape::Quad8, ShellShape::Tria6] {
        let mut model = Model::new(shape, plate, (6, 1), |xi, eta| Vector3::new(0.3 * xi, 0.02 * eta, 0.0));
        let mut other = model.mesh.materials[0].clone();
        other.id.0 = 2;
        model.mesh.materials.push(other);
        let ply = |material| Ply {
            id: None,
            material: MaterialIndex(material),
            thickness: 0.001,
            angle: 0.0,
            stress_output: false,
        };
        model.mesh.properties[0].kind = PropertyKind::Laminate(Box::new(LaminateProperty {
            global_plies: false,
            bottom: None,
            nsm: 0.0,
            shear_allowable: None,
            failure_theory: String::new(),
            reference_temperature: REFERENCE,
            structural_damping: 0.0,
            kind: LaminateKind::General,
            plies: vec![ply(0), ply(1)],
        }));
        expand(&mut model, 0, 2e-5);
        expand(&mut model, 1, 1e-5);
        model.fix_where("1456", |i, _| i == 0);
        model.fix_where("3", |i, _| i == 0);
        model.fix(model.lattice[&(0, 0)], "2");
        heat(&mut model, &|_| REFERENCE + 80.0);
        let (last, _) = model.last();
        let tip = model.solve()[model.lattice[&(last, 0)]][2];
        // The layer below grows more: the tip rises.
        let wanted = 1.5 * 1e-5 * 80.0 / 0.002 * 0.3 * 0.3 / 2.0;
        assert!((tip / wanted - 1.0).abs() < 5e-3, "{shape:?}: {tip} for {wanted}");
    }
}
