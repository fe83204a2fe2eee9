//! A small static solver for the tests: envelope Cholesky on the assembled mesh.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::DMatrix;
use nalgebra_sparse::CscMatrix;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, NodeIndex};

use super::super::build;
use crate::assembly::transformed;
use crate::element::{ElementContext, FacePressure, MassKind};
use crate::{AssemblyOptions, ConstraintOptions, DofMap, assemble, constrain};

/// Displacements of all components under the forces `f`, with the mesh's own permanent SPCs and rigid
/// elements; `enforced` gives the values of fixed components by node and row.
pub(super) fn displacements(
    mesh: &LinkMesh,
    f: &[f64],
    enforced: &dyn Fn(NodeIndex, usize) -> f64,
) -> (DofMap, Vec<f64>) {
    let system = assemble(mesh, AssemblyOptions { mass: MassKind::Lumped, nsm: None }).unwrap();
    let constraints = constrain(mesh, &system.dofs, &system.K, &ConstraintOptions::default()).unwrap().output;
    let u_s: Vec<f64> = constraints
        .fixed
        .iter()
        .map(|row| {
            let (node, component) = system.dofs.node_and_component(*row);
            enforced(node, component.row())
        })
        .collect();
    let known = constraints.expand(&vec![0.0; constraints.free.len()], &u_s);
    let reaction = crate::assembly::symmetric_product(&system.K, &known);
    let right: Vec<f64> = f.iter().zip(reaction).map(|(f, r)| f - r).collect();
    let mut x = constraints.reduce(&right);
    envelope_solve(&transformed(&system.K, &constraints.T), &mut x);
    let u = constraints.expand(&x, &u_s);
    (system.dofs, u)
}

/// Forces of a pressure or traction on faces given by their corner nodes, one of each pair of (element,
/// corners).
pub(super) fn face_load(mesh: &LinkMesh, loads: &[(u32, FacePressure)]) -> Vec<f64> {
    let dofs = DofMap::new(mesh);
    let mut f = vec![0.0; dofs.count()];
    for (row, load) in loads {
        let element = build(ElementContext { mesh, extra_nsm: 0.0 }, ElementRef::Solid(*row)).unwrap();
        let nodal = element.pressure_load(load).expect("the element has this face");
        for (value, row) in nodal.iter().zip(dofs.rows_of_element(element.as_ref())) {
            f[row as usize] += value;
        }
    }
    f
}

/// The faces of all elements whose corner nodes all satisfy `on`.
pub(super) fn faces_where(mesh: &LinkMesh, on: impl Fn(NodeIndex) -> bool) -> Vec<(u32, Vec<NodeIndex>)> {
    let mut found = Vec::new();
    for (row, solid) in mesh.solids.iter().enumerate() {
        let nodes = mesh.nodes_of_solid(solid);
        for face in super::super::solid_faces(solid.shape) {
            let corners: Vec<NodeIndex> = face.iter().map(|c| nodes[*c]).collect();
            if corners.iter().all(|n| on(*n)) {
                found.push((row as u32, corners));
            }
        }
    }
    found
}

/// Natural frequencies in hertz, ascending, by a dense solve.
pub(super) fn frequencies(mesh: &LinkMesh) -> Vec<f64> {
    let system = assemble(mesh, AssemblyOptions { mass: MassKind::Consistent, nsm: None }).unwrap();
    let constraints = constrain(mesh, &system.dofs, &system.K, &ConstraintOptions::default()).unwrap().output;
    let K = dense(&transformed(&system.K, &constraints.T));
    let M = dense(&transformed(&system.M, &constraints.T));
    let L = M.cholesky().expect("the mass is positive definite").unpack();
    let half = L.solve_lower_triangular(&K).unwrap().transpose();
    let A = L.solve_lower_triangular(&half).unwrap();
    let mut values: Vec<f64> =
        A.symmetric_eigenvalues().iter().map(|v| v.max(0.0).sqrt() / std::f64::consts::TAU).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn dense(lower: &CscMatrix<f64>) -> DMatrix<f64> {
    let mut A = DMatrix::zeros(lower.nrows(), lower.ncols());
    for (i, j, value) in lower.triplet_iter() {
        A[(i, j)] = *value;
        A[(j, i)] = *value;
    }
    A
}

/// Solves A x = b in place: A given by its lower triangle, row by row within its envelope.
fn envelope_solve(lower: &CscMatrix<f64>, x: &mut [f64]) {
    let n = lower.nrows();
    let mut first: Vec<usize> = (0..n).collect();
    for (i, j, _) in lower.triplet_iter() {
        first[i] = first[i].min(j);
    }
    let mut rows: Vec<Vec<f64>> = (0..n).map(|i| vec![0.0; i - first[i] + 1]).collect();
    for (i, j, value) in lower.triplet_iter() {
        rows[i][j - first[i]] = *value;
    }
    for i in 0..n {
        let (done, rest) = rows.split_at_mut(i);
        let row = &mut rest[0];
        for j in first[i]..=i {
            let start = first[i].max(first[j]);
            let own = &row[start - first[i]..j - first[i]];
            let sum: f64 = if j < i {
                own.iter().zip(&done[j][start - first[j]..]).map(|(a, b)| a * b).sum()
            } else {
                own.iter().map(|a| a * a).sum()
            };
            let value = row[j - first[i]] - sum;
            row[j - first[i]] = if j < i {
                value / done[j][j - first[j]]
            } else {
                assert!(value > 0.0, "row {i} of the reduced stiffness is singular");
                value.sqrt()
            };
        }
        let sum: f64 = row[..i - first[i]].iter().zip(&x[first[i]..i]).map(|(a, b)| a * b).sum();
        x[i] = (x[i] - sum) / row[i - first[i]];
    }
    for i in (0..n).rev() {
        x[i] /= rows[i][i - first[i]];
        let value = x[i];
        for (k, a) in rows[i][..i - first[i]].iter().enumerate() {
            x[first[i] + k] -= a * value;
        }
    }
}
