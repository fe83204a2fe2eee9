//! Patch tests and observed orders of convergence, for the tests of elements.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_mesh::NodeIndex;

use super::Element;

/// Dense sum of the stiffness of a few elements over the dofs they touch, in ascending (node, component)
/// order.
pub(crate) fn dense_stiffness(
    elements: &[Box<dyn Element>],
) -> (BTreeMap<(NodeIndex, usize), usize>, DMatrix<f64>) {
    let mut rows: BTreeMap<(NodeIndex, usize), usize> = BTreeMap::new();
    for dof in elements.iter().flat_map(|e| e.dofs()) {
        rows.insert((dof.node, dof.component.row()), 0);
    }
    for (row, index) in rows.values_mut().enumerate() {
        *index = row;
    }
    let mut K = DMatrix::zeros(rows.len(), rows.len());
    for element in elements {
        let map: Vec<usize> = element.dofs().iter().map(|d| rows[&(d.node, d.component.row())]).collect();
        let Some(K_e) = element.stiffness() else { continue };
        for (i, row) in map.iter().enumerate() {
            for (j, column) in map.iter().enumerate() {
                K[(*row, *column)] += K_e[(i, j)];
            }
        }
    }
    (rows, K)
}

/// A patch test: `field` (six components at a basic position, a constant-strain or constant-curvature state)
/// is imposed on every node that is not in `interior`; the interior nodes must follow it and the strain
/// energy ½uᵀKu must be `energy`, both to `tolerance` (relative). Components without any stiffness (drilling)
/// are left out.
pub(crate) fn check_patch(
    name: &str,
    elements: &[Box<dyn Element>],
    position: impl Fn(NodeIndex) -> Vector3<f64>,
    interior: &[NodeIndex],
    field: impl Fn(Vector3<f64>) -> [f64; 6],
    energy: f64,
    tolerance: f64,
) {
    let (rows, K) = dense_stiffness(elements);
    let wanted = DVector::from_iterator(rows.len(), rows.keys().map(|(node, c)| field(position(*node))[*c]));
    let largest = K.diagonal().amax();
    let free: Vec<usize> = rows
        .iter()
        .filter(|((node, _), row)| interior.contains(node) && K[(**row, **row)] > 1e-12 * largest)
        .map(|(_, row)| *row)
        .collect();
    let mut u = wanted.clone();
    for row in &free {
        u[*row] = 0.0;
    }
    let force = -(&K * &u);
    let K_ff = DMatrix::from_fn(free.len(), free.len(), |i, j| K[(free[i], free[j])]);
    let f = DVector::from_iterator(free.len(), free.iter().map(|i| force[*i]));
    let solved = K_ff.cholesky().unwrap_or_else(|| panic!("{name}: the patch has a mechanism")).solve(&f);
    for (i, row) in free.iter().enumerate() {
        u[*row] = solved[i];
    }
    for ((node, c), row) in &rows {
        let error = (u[*row] - wanted[*row]).abs();
        // Translations and rotations of the field have different units; compare with the largest of its kind.
        let scale = rows
            .iter()
            .filter(|((_, k), _)| k / 3 == c / 3)
            .map(|(_, r)| wanted[*r].abs())
            .fold(1e-300, f64::max);
        let negligible = 1e-14 * wanted.amax();
        assert!(
            error <= (tolerance * scale).max(negligible) || !free.contains(row),
            "{name}: interior node row {} component {} moves {:e}, the field {:e}",
            node.0,
            c + 1,
            u[*row],
            wanted[*row]
        );
    }
    let found = 0.5 * u.dot(&(&K * &u));
    assert!(
        (found - energy).abs() <= tolerance * energy.abs(),
        "{name}: strain energy {found:e}, exact {energy:e}"
    );
}

/// The order p of errors ~ C hᵖ by least squares over the last three meshes, printed as a table.
pub(crate) fn observed_order(name: &str, sizes: &[f64], errors: &[f64]) -> f64 {
    assert_eq!(sizes.len(), errors.len());
    assert!(sizes.len() >= 2, "an order needs two meshes");
    println!("{name}: convergence");
    for (i, (h, e)) in sizes.iter().zip(errors).enumerate() {
        let local = if i == 0 { f64::NAN } else { (e / errors[i - 1]).ln() / (h / sizes[i - 1]).ln() };
        println!("  h = {h:<10.4e} error = {e:<10.3e} order = {local:.2}");
    }
    let from = sizes.len().saturating_sub(3);
    let x: Vec<f64> = sizes[from..].iter().map(|h| h.ln()).collect();
    let y: Vec<f64> = errors[from..].iter().map(|e| e.abs().ln()).collect();
    let count = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let covariance: f64 = x.iter().zip(&y).map(|(a, b)| (a - mean_x) * (b - mean_y)).sum();
    covariance / x.iter().map(|a| (a - mean_x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{ElementDof, MassKind};
    use pliant_mesh::Component;

    /// A line spring of stiffness 1/length in all three directions.
    struct Spring([ElementDof; 6], f64);

    impl Element for Spring {
        fn dofs(&self) -> &[ElementDof] {
            &self.0
        }
        fn stiffness(&self) -> Option<DMatrix<f64>> {
            let sign = |i: usize, j: usize| if i == j { 1.0 } else { -1.0 };
            Some(DMatrix::from_fn(
                6,
                6,
                |i, j| {
                    if i % 3 == j % 3 { sign(i / 3, j / 3) / self.1 } else { 0.0 }
                },
            ))
        }
        fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
            None
        }
    }

    /// Springs of length 1 and 2 on a line under u = (x, 2x, 0): energy ½ · 5 · 3. A wrong length must fail.
    fn line(second_length: f64) {
        let spring = |a: usize, b: usize, length: f64| -> Box<dyn Element> {
            let dof = |i: usize| ElementDof {
                node: NodeIndex::from(if i < 3 { a } else { b }),
                component: Component::from_row(i % 3),
            };
            Box::new(Spring(std::array::from_fn(dof), length))
        };
        let x = [0.0, 1.0, 3.0];
        check_patch(
            "line",
            &[spring(0, 1, 1.0), spring(1, 2, second_length)],
            |node| Vector3::new(x[node.index()], 0.0, 0.0),
            &[NodeIndex(1)],
            |p| [p.x, 2.0 * p.x, 0.0, 0.0, 0.0, 0.0],
            7.5,
            1e-12,
        );
    }

    #[test]
    fn a_line_of_springs_passes() {
        line(2.0);
    }

    #[test]
    #[should_panic(expected = "interior node")]
    fn a_wrong_spring_does_not() {
        line(2.001);
    }

    #[test]
    fn the_order_of_a_cubic_error_is_three() {
        let sizes = [1.0, 0.5, 0.25];
        let errors = sizes.map(|h: f64| 0.3 * h.powi(3));
        assert!((observed_order("cubic", &sizes, &errors) - 3.0).abs() < 1e-12);
    }
}
