//! Bearing compliance: small elastic displacements of a joint in up to six directions.

use nalgebra::{Vector3, Vector6};
use pliant_spatial::{Transform, Twist, left_jacobian, left_jacobian_rate, rotation_exp, twist};

/// Stiffness and damping of a joint's bearing in the axes of P. A direction without an entry is rigid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bearing {
    /// For components 1 to 6: stiffness (N/m, N·m/rad) and damping (N·s/m, N·m·s/rad), or `None`: rigid.
    pub components: [Option<(f64, f64)>; 6],
}

impl Bearing {
    /// The compliant components, 0 to 5, in order; one coordinate each.
    pub fn compliant(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        self.components.iter().enumerate().filter_map(|(i, c)| c.map(|(k, d)| (i, k, d)))
    }

    /// Number of coordinates.
    pub fn count(&self) -> usize {
        self.compliant().count()
    }

    fn expand(&self, b: &[f64]) -> Vector6<f64> {
        let mut full = Vector6::zeros();
        for ((i, _, _), b) in self.compliant().zip(b) {
            full[i] = *b;
        }
        full
    }

    /// Pose of the displaced bearing frame in P: translation d, finite rotation exp([φ]×).
    pub(crate) fn transform(&self, b: &[f64]) -> Transform {
        let full = self.expand(b);
        let phi = full.fixed_rows::<3>(3).into_owned();
        Transform::new(rotation_exp(&phi), full.fixed_rows::<3>(0).into_owned())
    }

    /// Columns of the motion subspace in the displaced frame, and the derivative `Ṡ ḃ`.
    pub(crate) fn subspace(&self, b: &[f64], rate: &[f64], S: &mut [Twist]) -> Twist {
        let (full, full_rate) = (self.expand(b), self.expand(rate));
        let phi = full.fixed_rows::<3>(3).into_owned();
        let phi_rate = full_rate.fixed_rows::<3>(3).into_owned();
        let Rt = rotation_exp(&phi).transpose();
        let J_right = left_jacobian(&phi).transpose();
        for ((i, _, _), column) in self.compliant().zip(S.iter_mut()) {
            *column = if i < 3 {
                twist(Rt.column(i).into_owned(), Vector3::zeros())
            } else {
                twist(Vector3::zeros(), J_right.column(i - 3).into_owned())
            };
        }
        let w = J_right * phi_rate;
        let velocity = Rt * full_rate.fixed_rows::<3>(0);
        twist(-w.cross(&velocity), left_jacobian_rate(&-phi, &-phi_rate) * phi_rate)
    }
}
