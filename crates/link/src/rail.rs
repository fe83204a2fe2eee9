//! A line of a link along which a joint can grip it.

use nalgebra::{DMatrix, Matrix6xX, Vector3};

/// A straight line of a link with what a grip anywhere on it needs: the displacement of its stations, `u = V
/// q`, and the part of their flexibility that the elastic coordinates leave out,
///
/// ```text
/// F_ij = (K⁻¹)_ij − V_i K_q⁻¹ V_jᵀ        full mesh with its frame held, less the reduced link
/// ```
///
/// so that a load on the rail finds the static displacement of the full mesh (MacNeal's residual
/// flexibility). In link axes and SI.
#[derive(Clone, Debug, PartialEq)]
pub struct Rail {
    /// The point of the line nearest to the origin of L (m).
    pub foot: Vector3<f64>,
    /// Unit vector along the line, outwards.
    pub direction: Vector3<f64>,
    /// Stations along the line, measured from the foot, ascending (m).
    pub stations: Vec<f64>,
    /// How far a grip may go (m): from and to, within the stations.
    pub range: (f64, f64),
    /// Rows of V at each station, 6×n, translation first.
    pub V: Vec<Matrix6xX<f64>>,
    /// Residual flexibility, six rows and columns for each station.
    pub F: DMatrix<f64>,
}

impl Rail {
    /// Shapes, order and finite numbers, for a link with `n` coordinates.
    pub(crate) fn is_well_formed(&self, n: usize) -> bool {
        let m = self.stations.len();
        let (from, to) = self.range;
        let ordered = self.stations.windows(2).all(|pair| pair[0] < pair[1]);
        let within = m >= 2 && self.stations[0] <= from && from < to && to <= self.stations[m - 1];
        let shaped =
            self.V.len() == m && self.V.iter().all(|V| V.ncols() == n) && self.F.shape() == (6 * m, 6 * m);
        let numbers = self.foot.iter().chain(&self.direction).chain(&self.stations).chain(&self.F);
        let finite = numbers.chain(self.V.iter().flatten()).all(|x| x.is_finite());
        ordered && within && shaped && finite && (self.direction.norm() - 1.0).abs() < 1e-9
    }
}
