//! A link whose coordinates are absolute: all six components of every interface, the inboard one included,
//! then modes. So Nastran, Simscape and others keep a reduction.
//!
//! With `x = [d₀; d_k; η]` and the link's own coordinates `q_k = d_k − D₀(x_k) d₀`, one matrix T gives twist
//! and coordinates `[d₀; q] = T x`, and `M = Tᵀ [M₀ C₀; C₀ᵀ M_EE] T`, `K = Tᵀ diag(0, K) T`.

use nalgebra::{DMatrix, Matrix6, Vector3};
use pliant_link::{Coordinate, ReducedLink};
use pliant_spatial::skew;

/// Matrices over absolute coordinates, in link axes and SI.
pub(super) struct Support<'a> {
    pub(super) link: &'a ReducedLink,
    /// Stiffness, mass and damping.
    pub(super) K: DMatrix<f64>,
    pub(super) M: DMatrix<f64>,
    pub(super) D: DMatrix<f64>,
    /// Origins of the interfaces, the inboard one first (m).
    pub(super) origins: Vec<Vector3<f64>>,
    /// Takes absolute coordinates to twist and coordinates.
    T: DMatrix<f64>,
}

/// Rows of a rigid motion at a point.
fn rigid(x: &Vector3<f64>) -> Matrix6<f64> {
    let mut D0 = Matrix6::identity();
    D0.fixed_view_mut::<3, 3>(0, 3).copy_from(&-skew(x));
    D0
}

impl<'a> Support<'a> {
    /// # Errors
    /// In words, when the components of an interface are not among the coordinates.
    pub(super) fn new(link: &'a ReducedLink) -> Result<Self, String> {
        let n = link.coordinate_count();
        let mut T = DMatrix::zeros(6 + n, 6 + n);
        T.view_mut((0, 0), (6, 6)).fill_with_identity();
        let mut next = 6 * (link.interfaces.len() + 1);
        let mut found = 0;
        for (j, coordinate) in link.coordinates.iter().enumerate() {
            match *coordinate {
                Coordinate::Interface { interface, component } => {
                    let component = usize::from(component) - 1;
                    let rows = rigid(&link.interfaces[interface].X_LT.p);
                    T[(6 + j, 6 * (interface + 1) + component)] = 1.0;
                    (0..6).for_each(|k| T[(6 + j, k)] = -rows[(component, k)]);
                    found += 1;
                }
                Coordinate::Mode { .. } => {
                    if next < 6 + n {
                        T[(6 + j, next)] = 1.0;
                    }
                    next += 1;
                }
            }
        }
        let moves = |j: usize| matches!(link.coordinates[j], Coordinate::Mode { .. });
        let still = link.interfaces.iter().all(|interface| {
            (0..n).filter(|j| moves(*j)).all(|j| interface.V.column(j).amax() <= 1e-9 * interface.V.amax())
        });
        if found != 6 * link.interfaces.len() || !still {
            return Err("the six components of each interface are not coordinates of it".to_owned());
        }
        let mut own = DMatrix::zeros(6 + n, 6 + n);
        own.view_mut((0, 0), (6, 6)).copy_from(&link.invariants.M0);
        own.view_mut((0, 6), (6, n)).copy_from(&link.invariants.C0);
        own.view_mut((6, 0), (n, 6)).copy_from(&link.invariants.C0.transpose());
        own.view_mut((6, 6), (n, n)).copy_from(&link.invariants.M_EE);
        let of_elastic = |A: &DMatrix<f64>| {
            let mut all = DMatrix::zeros(6 + n, 6 + n);
            all.view_mut((6, 6), (n, n)).copy_from(A);
            changed(&all, &T)
        };
        let (K, D, M) = (of_elastic(&link.K), of_elastic(&link.D), changed(&own, &T));
        let outboard = link.interfaces.iter().map(|interface| interface.X_LT.p);
        let origins = std::iter::once(Vector3::zeros()).chain(outboard).collect();
        Ok(Self { link, K, M, D, origins, T })
    }

    /// Number of modal coordinates.
    pub(super) fn modes(&self) -> usize {
        self.K.nrows() - 6 * self.origins.len()
    }

    /// How far matrices that were read back, in absolute coordinates, are from the link.
    pub(super) fn difference(&self, K: &DMatrix<f64>, M: &DMatrix<f64>) -> Result<f64, String> {
        let n = self.link.coordinate_count();
        if K.shape() != (6 + n, 6 + n) || M.shape() != (6 + n, 6 + n) {
            return Err(format!("matrices of {:?} and {:?} instead of {} rows", K.shape(), M.shape(), 6 + n));
        }
        let inverse = self.T.clone().try_inverse().ok_or("the coordinates are not independent")?;
        let (K, M) = (changed(K, &inverse), changed(M, &inverse));
        let own = &self.link.invariants;
        let part = |A: &DMatrix<f64>, row: usize, column: usize, rows: usize, columns: usize| {
            A.view((row, column), (rows, columns)).into_owned()
        };
        Ok(super::largest([
            super::apart(&self.link.K, &part(&K, 6, 6, n, n)),
            super::apart(own.M0.iter(), &part(&M, 0, 0, 6, 6)),
            super::apart(&own.C0, &part(&M, 0, 6, 6, n)),
            super::apart(&own.M_EE, &part(&M, 6, 6, n, n)),
        ]))
    }
}

fn changed(A: &DMatrix<f64>, T: &DMatrix<f64>) -> DMatrix<f64> {
    let A = T.tr_mul(&(A * T));
    (&A + A.transpose()) * 0.5
}
