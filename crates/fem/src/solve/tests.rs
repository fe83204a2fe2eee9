//! Closed forms of a cantilever of bars, and the named errors.

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_mesh::element::{Bar, BarKind, BarOrientation};
use pliant_mesh::property::{BarProperty, Property, PropertyKind};
use pliant_mesh::{
    CaseControl, Component, Components, CoordIndex, EigenMethod, ElementId, GridId, LinkMesh, Load, LoadKind,
    Material, MaterialId, MaterialIndex, MaterialLaw, Node, NodeIndex, NodeKind, Normalisation, PropertyId,
    PropertyIndex, SetId, Spc, Subcase,
};

use crate::{ModesOptions, modes, statics};

const E: f64 = 2.1e11;
const AREA: f64 = 1e-4;
const INERTIA: f64 = 8e-10;
const DENSITY: f64 = 7850.0;
const LENGTH: f64 = 1.0;

/// Bars along x from the origin, the first grid clamped, a force of 10 along y at the tip.
fn cantilever(elements: usize) -> LinkMesh {
    let mut mesh = LinkMesh::default();
    for i in 0..=elements {
        mesh.nodes.push(grid(i as u32 + 1, Vector3::new(LENGTH * i as f64 / elements as f64, 0.0, 0.0)));
    }
    mesh.materials.push(Material {
        id: MaterialId(1),
        density: DENSITY,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: E,
            shear_modulus: 8e10,
            poisson_ratio: 0.3125,
            thermal_expansion: 0.0,
        },
        source: Origin::default(),
    });
    let section = BarProperty {
        area: AREA,
        i1: INERTIA,
        i2: 2.0 * INERTIA,
        i12: 0.0,
        torsion_constant: 2e-9,
        nsm: 0.0,
        k1: None,
        k2: None,
        stress_points: [[0.0; 2]; 4],
        section: None,
    };
    mesh.properties.push(Property {
        id: PropertyId(1),
        kind: PropertyKind::Bar(MaterialIndex(0), Box::new(section)),
        source: Origin::default(),
    });
    for i in 0..elements {
        mesh.bars.push(bar(i as u32 + 1, [i as u32, i as u32 + 1]));
    }
    mesh.spcs.push(spc(0, Components::ALL, 0.0));
    mesh.loads.push(Load {
        set: SetId(2),
        kind: LoadKind::Force { node: NodeIndex(elements as u32), force: Vector3::new(0.0, 10.0, 0.0) },
        source: Origin::default(),
    });
    mesh.eigen_methods.push(EigenMethod {
        set: SetId(3),
        above_hz: None,
        below_hz: None,
        count: Some(4),
        normalisation: Normalisation::Mass,
        method: String::new(),
        source: Origin::default(),
    });
    mesh.case_control = CaseControl {
        solution: Some(101),
        title: String::new(),
        subcases: vec![Subcase {
            id: 1,
            spc: Some(SetId(1)),
            load: Some(SetId(2)),
            method: Some(SetId(3)),
            ..Subcase::default()
        }],
        ..CaseControl::default()
    };
    mesh
}

fn grid(id: u32, position: Vector3<f64>) -> Node {
    Node {
        id: GridId(id),
        kind: NodeKind::Grid,
        position,
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    }
}

fn bar(id: u32, nodes: [u32; 2]) -> Bar {
    Bar {
        id: ElementId(id),
        kind: BarKind::Bar,
        property: PropertyIndex(0),
        nodes: nodes.map(NodeIndex),
        orientation: BarOrientation::Vector(Vector3::y()),
        pins: [Components::NONE; 2],
        offsets: [Vector3::zeros(); 2],
        warping_points: [None; 2],
        source: Origin::default(),
    }
}

fn spc(node: u32, components: Components, value: f64) -> Spc {
    Spc { set: SetId(1), node: NodeIndex(node), components, value, source: Origin::default() }
}

/// Euler–Bernoulli: v = F L³/3EI, θ = F L²/2EI; the clamp takes −F and −F·L. Hermite bars are exact at their
/// nodes.
#[test]
fn a_cantilever_bends_as_the_book_says() {
    let mesh = cantilever(3);
    let answer = statics(&mesh).unwrap();
    let subcase = &answer.output.subcases[0];
    let tip = answer.output.dofs.rows_of(NodeIndex(3)).start;
    let (v, theta) = (10.0 / (3.0 * E * INERTIA), 10.0 / (2.0 * E * INERTIA));
    // 1e-12: a dozen operations on numbers of like size.
    assert!((subcase.u[tip + 1] / v - 1.0).abs() < 1e-12, "{}", subcase.u[tip + 1]);
    assert!((subcase.u[tip + 5] / theta - 1.0).abs() < 1e-12);
    assert!((subcase.spc_forces[1] + 10.0).abs() < 1e-10);
    assert!((subcase.spc_forces[5] + 10.0 * LENGTH).abs() < 1e-10);
    assert!(subcase.equilibrium.force_error < 1e-12 && subcase.equilibrium.moment_error < 1e-12);
    assert!(subcase.epsilon.abs() < 1e-12);
    assert!((subcase.strain_energy - 0.5 * 10.0 * v).abs() < 1e-12 * v);
}

/// The tip enforced by an SPC value or by an SPCD needs the force that gives that deflection.
#[test]
fn enforced_displacements_give_their_force() {
    let mut mesh = cantilever(2);
    let y = Components::one(Component::from_row(1));
    mesh.spcs.push(spc(2, y, 1e-3));
    mesh.loads.clear();
    mesh.case_control.subcases[0].load = None;
    let force = |mesh: &LinkMesh| {
        let answer = statics(mesh).unwrap();
        answer.output.subcases[0].spc_forces[13]
    };
    let expected = 3.0 * E * INERTIA / LENGTH.powi(3) * 1e-3;
    assert!((force(&mesh) / expected - 1.0).abs() < 1e-12);
    mesh.spcs[1].value = 0.0;
    mesh.loads.push(Load {
        set: SetId(2),
        kind: LoadKind::EnforcedDisplacement { node: NodeIndex(2), components: y, value: 2e-3 },
        source: Origin::default(),
    });
    mesh.case_control.subcases[0].load = Some(SetId(2));
    assert!((force(&mesh) / (2.0 * expected) - 1.0).abs() < 1e-12);
    mesh.spcs.pop();
    let problem = statics(&mesh).unwrap_err().iter().next().unwrap().headline();
    assert!(problem.contains("grid 3, component 2, which no SPC"), "{problem}");
}

/// First bending frequencies: β₁L = 1.87510407 and both planes. Lumped mass of n elements converges as n⁻²;
/// 40 are within 0.1 %. The effective mass of the first pair is 4σ²/(β₁L)² = 61.3 % of the moving part, with
/// σ = (sinh βL − sin βL)/(cosh βL + cos βL) = 0.734096 of the mode of a clamped beam.
#[test]
fn a_cantilever_vibrates_as_the_book_says() {
    let mesh = cantilever(40);
    let found = modes(&mesh, &ModesOptions::of_deck(&mesh).unwrap()).unwrap().output;
    let first = 1.875_104_07_f64.powi(2) / std::f64::consts::TAU * (E * INERTIA / (DENSITY * AREA)).sqrt();
    assert_eq!(found.frequencies_hz.len(), 4);
    assert!((found.frequencies_hz[0] / first - 1.0).abs() < 1e-3, "{} {first}", found.frequencies_hz[0]);
    assert!((found.frequencies_hz[1] / (first * 2f64.sqrt()) - 1.0).abs() < 1e-3);
    let share = found.effective_mass.effective[0][1] / (DENSITY * AREA * LENGTH);
    assert!((share - 0.613).abs() < 2e-3, "{share}");
    assert!(found.residuals.iter().all(|r| *r < 1e-9), "{:?}", found.residuals);
    assert_eq!(found.rigid_body_modes, 0);
    // Without supports the turn about its own axis has neither stiffness nor (lumped) mass; held, five rigid
    // modes remain.
    let options = ModesOptions::of_deck(&mesh).unwrap().free();
    let problem = modes(&mesh, &options).unwrap_err().iter().next().unwrap().headline();
    assert!(problem.contains("no mass either") && problem.contains("component 4"), "{problem}");
    let mut held = ModesOptions { count: Some(7), ..options };
    held.constraints.clamped.push((NodeIndex(0), Components::one(Component::from_row(3))));
    let free = modes(&mesh, &held).unwrap().output;
    assert_eq!(free.rigid_body_modes, 5, "{:?}", free.frequencies_hz);
    // Free–free: β₁L = 4.73004074.
    let first = first * (4.730_040_74_f64 / 1.875_104_07).powi(2);
    assert!((free.frequencies_hz[5] / first - 1.0).abs() < 5e-3, "{} {first}", free.frequencies_hz[5]);
}

/// A bar without torsion constant cannot carry a torque: AUTOSPC holds its turn, and that it takes the torque
/// is said.
#[test]
fn a_load_into_autospc_is_said() {
    let mut mesh = cantilever(2);
    if let PropertyKind::Bar(_, section) = &mut mesh.properties[0].kind {
        section.torsion_constant = 0.0;
    }
    let quiet = statics(&mesh).unwrap().diagnostics;
    assert!(quiet.iter().all(|d| d.severity != pliant_diag::Severity::Warning), "{quiet:?}");
    mesh.loads.push(Load {
        set: SetId(2),
        kind: LoadKind::Moment { node: NodeIndex(2), moment: Vector3::new(3.0, 0.0, 0.0) },
        source: Origin::default(),
    });
    let said = statics(&mesh).unwrap().diagnostics;
    let text: Vec<String> = said.iter().map(|d| d.headline()).collect();
    assert!(text.iter().any(|t| t.contains("AUTOSPC") && t.contains("grid 3, component 4")), "{text:?}");
}

#[test]
fn the_named_errors() {
    let say = |mesh: &LinkMesh| statics(mesh).unwrap_err().iter().next().unwrap().headline();

    let mut hinge = cantilever(3);
    hinge.bars[1].pins[0] = [Component::from_row(4), Component::from_row(5)].into_iter().collect();
    let text = say(&hinge);
    assert!(text.contains("mechanism") && text.contains("grid"), "{text}");

    let mut apart = cantilever(3);
    apart.nodes.push(grid(11, Vector3::new(3.0, 0.0, 0.0)));
    apart.nodes.push(grid(12, Vector3::new(4.0, 0.0, 0.0)));
    apart.bars.push(bar(9, [4, 5]));
    let text = say(&apart);
    assert!(text.contains("disconnected part") && text.contains("2 grids (11, 12)"), "{text}");

    let mut loose = cantilever(3);
    loose.case_control.subcases[0].spc = None;
    let text = say(&loose);
    assert!(text.contains("missing SPC"), "{text}");

    let mut two = cantilever(3);
    two.case_control.subcases.push(Subcase {
        id: 2,
        nsm: Some(SetId(9)),
        ..two.case_control.subcases[0].clone()
    });
    assert!(say(&two).contains("different NSM sets"), "{}", say(&two));

    let mut light = cantilever(3);
    light.materials[0].density = 0.0;
    let problems = modes(&light, &ModesOptions::of_deck(&light).unwrap()).unwrap_err();
    let text = problems.iter().next().unwrap().headline();
    assert!(text.contains("zero density (RHO) of material 1"), "{text}");
}
