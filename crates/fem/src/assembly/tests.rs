//! The same bits for any number of threads, and the sum that assembly is.

use nalgebra::{DMatrix, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_diag::Origin;
use pliant_mesh::element::{ScalarConnection, ScalarMass, ScalarSpring, ScalarValue};
use pliant_mesh::{
    Component, Components, CoordIndex, ElementId, GridId, LinkMesh, Node, NodeIndex, NodeKind, Parameter,
    ParameterValue,
};

use super::{AssemblyOptions, all_finite, assemble};
use crate::element::MassKind;

/// Springs and masses between pseudo-random components of some grids, more of them than fit one batch.
fn springs(nodes: u32, count: u32) -> LinkMesh {
    let mut mesh = LinkMesh::default();
    for id in 0..nodes {
        mesh.nodes.push(Node {
            id: GridId(id + 1),
            kind: NodeKind::Grid,
            position: Vector3::zeros(),
            displacement_frame: CoordIndex::BASIC,
            permanent_spc: Components::NONE,
            source: Origin::default(),
        });
    }
    let mut state = 1_u64;
    let mut next = |limit: u32| {
        // Knuth's MMIX generator; the high bits are the good ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(limit)) as u32
    };
    for id in 1..=count {
        let mut end = || ScalarConnection::Dof(NodeIndex(next(nodes)), Component::from_row(next(6) as usize));
        let ends = [end(), end()];
        if ends[0] == ends[1] {
            continue;
        }
        let value = ScalarValue::Own(1.0 / f64::from(id));
        mesh.springs.push(ScalarSpring {
            id: ElementId(id),
            stiffness: value,
            structural_damping: 0.0,
            stress_coefficient: 0.0,
            ends,
            source: Origin::default(),
        });
        mesh.scalar_masses.push(ScalarMass {
            id: ElementId(count + id),
            mass: value,
            ends: [ends[0], ScalarConnection::Ground],
            source: Origin::default(),
        });
    }
    let wtmass =
        Parameter { name: "WTMASS".into(), value: ParameterValue::Real(0.5), source: Origin::default() };
    mesh.parameters.insert("WTMASS".into(), wtmass);
    mesh
}

fn options() -> AssemblyOptions {
    AssemblyOptions { mass: MassKind::Lumped, nsm: None }
}

fn bits(A: &CscMatrix<f64>) -> (Vec<usize>, Vec<usize>, Vec<u64>) {
    let (offsets, rows, values) = A.csc_data();
    (offsets.to_vec(), rows.to_vec(), values.iter().map(|v| v.to_bits()).collect())
}

#[test]
fn bits_do_not_depend_on_threads() {
    let mesh = springs(40, 9000);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let system = pool.install(|| assemble(&mesh, options()).unwrap());
        (bits(&system.K), bits(&system.M))
    };
    let one = with(1);
    assert!(one == with(2), "2 threads");
    assert!(one == with(7), "7 threads");
}

/// Against the plain dense sum of k(u₁ − u₂)² and ½·WTMASS·m u₁².
#[test]
fn the_sum_is_right() {
    let mesh = springs(5, 200);
    let system = assemble(&mesh, options()).unwrap();
    let row = |end: ScalarConnection| match end {
        ScalarConnection::Dof(node, c) => 6 * node.index() + c.row(),
        ScalarConnection::Ground => unreachable!(),
    };
    let (mut K, mut M) = (DMatrix::zeros(30, 30), DMatrix::zeros(30, 30));
    for spring in &mesh.springs {
        let ScalarValue::Own(k) = spring.stiffness else { unreachable!() };
        let [a, b] = spring.ends.map(row);
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            K[(i, j)] += sign * k;
        }
        M[(a, a)] += 0.5 * k;
    }
    let lower = |A: &CscMatrix<f64>| DMatrix::from(A);
    // Two hundred terms of at most 1 each.
    assert!((lower(&system.K) - K.lower_triangle()).amax() < 1e-14);
    assert!((lower(&system.M) - M).amax() < 1e-14);
    assert_eq!(system.D.nnz(), system.D.diagonal_as_csc().nnz(), "no dampers: at most zeros on the diagonal");
}

#[test]
fn what_is_not_finite_is_seen() {
    let finite = [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::MIN, -1.0];
    assert!(all_finite(&finite) && all_finite(&[]));
    for bad in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN] {
        for index in 0..finite.len() {
            let mut values = finite;
            values[index] = bad;
            assert!(!all_finite(&values), "{bad} at {index}");
        }
    }
}
