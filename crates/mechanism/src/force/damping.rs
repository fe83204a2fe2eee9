//! Viscous damping that acts between the deformations of several links.

use nalgebra::DMatrix;

/// Damping `f = −D v` on a set of velocity coordinates: elastic coordinates of links, compliant bearings,
/// joint springs. They measure deformation alone, so that D does not resist a rigid motion.
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledDamping {
    /// The velocity coordinates, in the order of the rows of D.
    pub coordinates: Vec<usize>,
    /// Symmetric and positive semidefinite.
    pub D: DMatrix<f64>,
}

impl CoupledDamping {
    /// Writes `D v` into `force`; `v` are the velocities of the machine.
    pub fn force(&self, v: &[f64], force: &mut [f64]) {
        force.fill(0.0);
        let n = self.coordinates.len();
        if n == 0 {
            return;
        }
        for (column, j) in self.D.as_slice().chunks_exact(n).zip(&self.coordinates) {
            let rate = v[*j];
            // A unit of one coordinate reaches one column.
            if rate != 0.0 {
                for (force, d) in force.iter_mut().zip(column) {
                    *force += d * rate;
                }
            }
        }
    }
}
