//! A rigid link: mass, centre, inertia, and interfaces that do not deform.

use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_spatial::{Transform, spatial_inertia};

use crate::{Interface, Invariants, ReducedLink};

impl ReducedLink {
    /// A rigid link of mass `m` (kg), centre `c` in L (m) and inertia `I_c` about the centre in link axes
    /// (kg·m²), with outboard interfaces at the given triads.
    pub fn rigid(
        name: impl Into<String>,
        m: f64,
        c: Vector3<f64>,
        I_c: Matrix3<f64>,
        interfaces: impl IntoIterator<Item = (String, Transform)>,
    ) -> Self {
        let interfaces: Vec<_> = interfaces
            .into_iter()
            .map(|(name, X_LT)| Interface { name, X_LT, V: Matrix6xX::zeros(0), G: None })
            .collect();
        let size = interfaces.iter().map(|i| i.X_LT.p.norm()).fold(c.norm(), f64::max);
        Self {
            name: name.into(),
            interfaces,
            coordinates: Vec::new(),
            K: DMatrix::zeros(0, 0),
            D: DMatrix::zeros(0, 0),
            invariants: Invariants::rigid(spatial_inertia(m, &c, &I_c)),
            size,
            rail: None,
        }
    }
}
