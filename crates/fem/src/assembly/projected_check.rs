//! Geometric stiffness projected onto shapes against the assembled matrix, for the tests of elements.

use nalgebra::{DMatrix, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_diag::Origin;
use pliant_mesh::{CoordId, CoordIndex, CoordinateKind, CoordinateSystem, LinkMesh};

use super::{State, geometric_stiffness, projected_geometric_stiffness};
use crate::dof::DofMap;

/// VᵀK_gV of both ways in so many states and shapes that registers are not filled, with every third node in a
/// cylindrical frame, and the same bits on three threads.
pub(crate) fn check_projected(name: &str, mut mesh: LinkMesh) {
    let axes = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 2.2).into_inner();
    let frame = CoordIndex::from(mesh.coordinates.len());
    mesh.coordinates.push(CoordinateSystem {
        id: CoordId(frame.0 + 1),
        kind: CoordinateKind::Cylindrical,
        origin: Vector3::new(-0.3, 0.2, -0.7),
        axes,
        source: Origin::default(),
    });
    mesh.nodes.iter_mut().step_by(3).for_each(|node| node.displacement_frame = frame);
    let dofs = DofMap::new(&mesh);
    let value = |i: usize, j: usize| (1.3 * (i + 1) as f64 * (j + 7) as f64).sin();
    let (u, V) =
        (DMatrix::from_fn(5, dofs.count(), value), DMatrix::from_fn(6, dofs.count(), |i, j| value(i + 9, j)));
    let unbalanced = vec![0.0; dofs.count()];
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let none = |_| unbalanced.clone();
        pool.install(|| projected_geometric_stiffness(&mesh, &dofs, &u, &none, &V).unwrap())
    };
    let found = with(1);
    assert_eq!(found, with(3), "{name}: the same bits on three threads");
    for (k, found) in found.iter().enumerate() {
        let u: Vec<f64> = u.row(k).iter().copied().collect();
        let K_g = geometric_stiffness(&mesh, &dofs, State { u: &u, unbalanced: &unbalanced }).unwrap();
        let expected = &V * full(&K_g) * V.transpose();
        // Rounding of some thousand terms.
        let error = (found - &expected).amax() / expected.amax();
        assert!(error < 1e-13, "{name}, state {k}: off by {error:e}");
    }
}

fn full(lower: &CscMatrix<f64>) -> DMatrix<f64> {
    let A = DMatrix::from(lower);
    &A + A.transpose() - DMatrix::from_diagonal(&A.diagonal())
}
