//! Craig–Bampton reductions of MSC, NX Nastran and MYSTRAN.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use faer::Mat;
use nalgebra_sparse::CscMatrix;
use pliant_fem::ConstraintOptions;
use pliant_fem::element::MassKind;
use pliant_mesh::{Component, Components, GridId, LinkMesh, NodeIndex, SetId};
use pliant_reduce::basis::{Basis, FixedInterface, Partitions, fixed_interface};
use pliant_reduce::import::read_op4;
use pliant_reduce::substructure::{Substructure, substructure};
use pliant_sparse::generalised_eigen_semidefinite;

use support::{mesh, reference};

fn node(mesh: &LinkMesh, id: u32) -> NodeIndex {
    mesh.node_by_id(GridId(id)).unwrap()
}

fn digits(text: &str) -> Components {
    text.chars().map(|c| Component::from_digit(c.to_digit(10).unwrap()).unwrap()).collect()
}

fn factored(
    mesh: &LinkMesh,
    mass: MassKind,
    spc: Option<u32>,
    boundary: &[(NodeIndex, Components)],
) -> (Substructure, CscMatrix<f64>, FixedInterface) {
    let options =
        ConstraintOptions { spc: spc.map(SetId), kept: boundary.to_vec(), ..ConstraintOptions::default() };
    let (part, K) = substructure(mesh, mass, &options, boundary).unwrap();
    let fixed = fixed_interface(&part, Partitions::new(&part, &K)).unwrap();
    (part, K, fixed)
}

fn hertz(lambda: &[f64]) -> Vec<f64> {
    lambda.iter().map(|lambda| lambda.sqrt() / std::f64::consts::TAU).collect()
}

/// Prints ours beside theirs and asserts `tolerance`: 1e-5 is what the references print, with one digit of
/// room for the last one.
fn compare(what: &str, ours: &[f64], theirs: &[f64], tolerance: f64) {
    assert!(ours.len() >= theirs.len(), "{what}: {ours:?}");
    let worst = ours.iter().zip(theirs).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
    println!("{what:48} {:2} frequencies, worst {worst:.1e}", theirs.len());
    assert!(worst < tolerance, "{what}: {ours:?} against {theirs:?}");
}

/// NX Nastran 9.1: K_bb, M_bb, M_bq of 24 boundary components and 3 modes, COUPMASS = 1.
#[test]
fn nx_nastran_external_superelement() {
    let Some(folder) = reference("yeti_inboard_cb") else { return };
    let mesh = mesh(&folder.join("inboard.dat"));
    let boundary: Vec<_> = [3, 11, 19, 27].iter().map(|id| (node(&mesh, *id), Components::ALL)).collect();
    let (part, K, fixed) = factored(&mesh, MassKind::Coupled, None, &boundary);
    let limit = (std::f64::consts::TAU * 50.0).powi(2);
    let modes = fixed.modes_below(&part, &K, limit).unwrap().unwrap();
    assert_eq!(
        modes.info.sturm.map(|counted| counted.count),
        Some(3),
        "counted before they were searched for"
    );
    compare("fixed-interface modes", &hertz(&modes.lambda), &[6.129345, 6.130134, 23.63188], 1e-6);
    let basis = fixed.basis(true, Some(&modes));
    let M = basis.reduced_mass(&part);
    let matrices = read_op4(&std::fs::read(folder.join("ref_inboard.op4")).unwrap()).unwrap();
    let reference = |name: &str| matrices.iter().find(|m| m.name == name).unwrap().values();
    let (K_nx, M_nx) = (reference("KXX"), reference("MXX"));
    let (K_scale, M_scale) = (K_nx.amax(), M_nx.view((0, 0), (24, 24)).amax());
    let (mut K_worst, mut M_worst, mut Mq_worst) = (0.0_f64, 0.0_f64, 0.0_f64);
    for i in 0..24 {
        for j in 0..24 {
            K_worst = K_worst.max((basis.K[(i, j)] - K_nx[(i, j)]).abs() / K_scale);
            M_worst = M_worst.max((M[(i, j)] - M_nx[(i, j)]).abs() / M_scale);
        }
    }
    // The two 6.13 Hz bending modes are 1e-4 apart: each is compared up to its sign.
    for q in 24..27 {
        let scale = (0..24).map(|i| M_nx[(i, q)].abs()).fold(0.0, f64::max);
        let sign = (0..24).map(|i| M[(i, q)] * M_nx[(i, q)]).sum::<f64>().signum();
        let worst = (0..24).map(|i| (sign * M[(i, q)] - M_nx[(i, q)]).abs()).fold(0.0, f64::max);
        Mq_worst = Mq_worst.max(worst / scale);
    }
    println!("NX Nastran: K_bb {K_worst:.1e}, M_bb {M_worst:.1e}, M_bq {Mq_worst:.1e} of the largest entry");
    assert!(K_worst < 1e-6 && M_worst < 1e-6 && Mq_worst < 1e-6);
}

/// Adds a reduced part to a system whose first rows are the shared boundary.
fn add(K: &mut Mat<f64>, M: &mut Mat<f64>, part: &Substructure, basis: &Basis, first_mode: usize) {
    let b = part.boundary.len();
    let index = |i: usize| if i < b { i } else { first_mode + i - b };
    let mass = basis.reduced_mass(part);
    for i in 0..basis.columns.len() {
        for j in 0..basis.columns.len() {
            K[(index(i), index(j))] += basis.K[(i, j)];
            M[(index(i), index(j))] += mass[(i, j)];
        }
    }
}

/// MSC Nastran 2018/2019: a cantilever of ten bars as two superelements that share grid 6, lumped mass.
#[test]
fn msc_nastran_component_mode_synthesis() {
    let Some(folder) = reference("cofe_cantbar_cms") else { return };
    let part = |file: &str, spc: Option<u32>| {
        let mesh = mesh(&folder.join(file));
        let boundary = [(node(&mesh, 6), digits("26"))];
        factored(&mesh, MassKind::Lumped, spc, &boundary)
    };
    let parts = [part("cantileverBar1.dat", None), part("cantileverBar2.dat", Some(1))];
    let components = [[1380.011, 8287.086, 22364.1], [8933.322, 24361.77, 45213.12]];
    for (k, (part, _, fixed)) in parts.iter().enumerate() {
        let modes = fixed.modes(part, 3).unwrap().unwrap();
        compare(&format!("superelement {}", k + 1), &hertz(&modes.lambda), &components[k], 1e-5);
    }
    let systems: [&[f64]; 4] = [
        &[359.0738, 2934.1],
        &[349.7555, 2182.49, 6733.634, 18222.0],
        &[349.7299, 2168.126, 6011.365, 11851.45, 21809.58, 48160.41],
        &[349.7289, 2167.436, 6008.068, 11670.88, 19073.61, 28653.9, 43490.38, 104304.1],
    ];
    for (count, expected) in systems.iter().enumerate() {
        let size = 2 + 2 * count;
        let (mut K, mut M) = (Mat::zeros(size, size), Mat::zeros(size, size));
        for (k, (part, _, fixed)) in parts.iter().enumerate() {
            let modes = fixed.modes(part, count).unwrap();
            add(&mut K, &mut M, part, &fixed.basis(true, modes.as_ref()), 2 + k * count);
        }
        let system = generalised_eigen_semidefinite(K.as_ref(), M.as_ref()).unwrap();
        compare(&format!("system with {count} modes each"), &hertz(&system.lambda), expected, 1e-5);
    }
}

/// The same cantilever in one piece: ASET on grid 6 with 0 and 3 generalised coordinates.
#[test]
fn msc_nastran_dynamic_reduction() {
    let Some(folder) = reference("cofe_cantbar_cms") else { return };
    let mesh = mesh(&folder.join("no_super/dynamicReduction.dat"));
    let (part, _, fixed) = factored(&mesh, MassKind::Lumped, Some(1), &[(node(&mesh, 6), digits("26"))]);
    let modes = fixed.modes(&part, 9).unwrap().unwrap();
    let component = [1380.011, 8287.086, 8933.322, 22364.1, 24361.77, 41742.4, 45213.12, 61160.29, 63075.13];
    compare("component modes", &hertz(&modes.lambda), &component, 1e-5);
    let modes = fixed.modes(&part, 3).unwrap().unwrap();
    let basis = fixed.basis(true, Some(&modes));
    let M = basis.reduced_mass(&part);
    let system = generalised_eigen_semidefinite(basis.K.as_ref(), M.as_ref()).unwrap();
    let expected = [349.7303, 2168.717, 6015.472, 11974.12, 29336.18];
    compare("dynamic reduction", &hertz(&system.lambda), &expected, 1e-5);
}

/// MYSTRAN SOL 31: the boundary is the SUPORT set; WTMASS, pin flags, CONM2 offsets, an RBE2.
#[test]
fn mystran_craig_bampton() {
    let Some(folder) = reference("mys_cb_example12") else { return };
    let mesh = mesh(&folder.join("CB-EXAMPLE-12.dat"));
    let (part, _, fixed) = factored(&mesh, MassKind::Lumped, Some(1), &mesh.dof_sets.support.clone());
    let modes = fixed.modes(&part, 3).unwrap().unwrap();
    compare("MYSTRAN fixed-interface modes", &hertz(&modes.lambda), &[9.933119, 13.32647, 14.70232], 1e-5);
}
