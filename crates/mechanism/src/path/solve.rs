//! Least squares of at most 6×6 on the stack: nothing is allocated in a time step.

use nalgebra::{Matrix6, Vector6};

/// Minimises |Jx − r| over the first `rows` rows and `columns` ≤ rows columns by Householder reflections.
/// Entries of x beyond `columns` are zero. `None` when a column depends on those before it to the last
/// digits.
pub(super) fn least_squares(
    J: &Matrix6<f64>,
    r: &Vector6<f64>,
    rows: usize,
    columns: usize,
) -> Option<Vector6<f64>> {
    let (mut A, mut b) = (*J, *r);
    let size = A.amax();
    let mut x = Vector6::zeros();
    for k in 0..columns {
        let norm = (k..rows).map(|i| A[(i, k)] * A[(i, k)]).sum::<f64>().sqrt();
        if norm <= 1e-14 * size {
            return None;
        }
        let alpha = if A[(k, k)] > 0.0 { -norm } else { norm };
        // v = a − αe, kept below the diagonal of column k; its first entry apart.
        let first = A[(k, k)] - alpha;
        let length = -alpha * first;
        let dot = |A: &Matrix6<f64>, j: usize| {
            first * A[(k, j)] + (k + 1..rows).map(|i| A[(i, k)] * A[(i, j)]).sum::<f64>()
        };
        for j in k + 1..columns {
            let factor = dot(&A, j) / length;
            A[(k, j)] -= factor * first;
            for i in k + 1..rows {
                A[(i, j)] -= factor * A[(i, k)];
            }
        }
        let factor = (first * b[k] + (k + 1..rows).map(|i| A[(i, k)] * b[i]).sum::<f64>()) / length;
        b[k] -= factor * first;
        for i in k + 1..rows {
            b[i] -= factor * A[(i, k)];
        }
        A[(k, k)] = alpha;
    }
    for k in (0..columns).rev() {
        let known: f64 = (k + 1..columns).map(|j| A[(k, j)] * x[j]).sum();
        x[k] = (b[k] - known) / A[(k, k)];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_normal_equations() {
        let J = Matrix6::from_fn(|i, j| ((3 * i + 5 * j * j + i * j) % 7) as f64 - 2.5);
        let r = Vector6::from_fn(|i, _| i as f64 - 1.3);
        let (rows, columns) = (6, 3);
        let x = least_squares(&J, &r, rows, columns).unwrap();
        let A = J.fixed_view::<6, 3>(0, 0);
        let expected = (A.transpose() * A).try_inverse().unwrap() * A.transpose() * r;
        // Entries of order one, a well-conditioned matrix.
        assert!((x.fixed_rows::<3>(0) - expected).norm() < 1e-12);
        assert_eq!(x.fixed_rows::<3>(3).norm(), 0.0);
        let mut singular = J;
        singular.set_column(1, &(J.column(0) * 2.0));
        assert_eq!(least_squares(&singular, &r, 6, 3), None);
    }
}
