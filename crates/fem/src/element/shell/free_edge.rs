//! Where a plate ends, its twisting moment does not: it dies out in a layer about as wide as the plate is thick.
//!
//! At the edge the rotation along it lags behind by a shear strain γ that decays inward as e^(−λy), λ² = S/D_t, with D_t the stiffness against the twist of edge
//! and normal; a layer of width b costs ½√(S D_t) coth(λb) γ² per length (E. Reissner, "The effect of transverse shear deformation on the bending of elastic plates",
//! Journal of Applied Mechanics 12 (1945) A69–A77). In a strip of width w both layers together take 2/(λw) = 0.63 t/w off the torsion constant, as Saint-Venant's
//! solution does. A triangle that has a free side of length L and area A spreads the layer over its own mean width b = A/L, which costs ½D_t γ²/b in its curvature
//! already, so what remains is
//!
//! ```text
//! ½k q²,   k = (√(S D_t) coth(λb) − D_t/b) √(1 + φ) / L,   q = Lγ
//! ```
//!
//! The gap g − q bends and shears the side, and q is what costs least: it is eliminated in the element, and no neighbour sees it. √(1 + φ) is for sides shorter than the
//! thickness, where the shear along the side that the element has anyway does part of the layer's work. Torsion constants of strips of square cells, 1 to 8 across: within
//! 4 % of Saint-Venant's for widths of 2 to 10 thicknesses and within 1 % on the finest meshes; without √(1 + φ) up to 10 % too soft, without layers up to 36 % too
//! stiff.

use nalgebra::DMatrix;

use super::bending::{Bending, Plate, shear_ratio};

/// The layer of a free side.
pub(super) struct Layer {
    /// From corner `side` to the next.
    pub(super) side: usize,
    /// k.
    pub(super) stiffness: f64,
}

/// The layers of a triangle, one for each free side; none where transverse shear is rigid.
pub(super) fn layers(plate: &Plate<'_>) -> Vec<Layer> {
    let p = plate.corners;
    if p.len() != 3 || plate.free_sides == [false; 3] {
        return Vec::new();
    }
    let section = (plate.section)(&[1.0 / 3.0; 3]);
    let Some((S, flexibility)) = section.S.and_then(|S| S.try_inverse().map(|inverse| (S, inverse))) else {
        return Vec::new();
    };
    let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
    (0..3)
        .filter(|side| plate.free_sides[*side])
        .map(|side| {
            let along = p[(side + 1) % 3] - p[side];
            let length = along.norm();
            let s = along / length;
            let twist = nalgebra::Vector3::new(s.x * s.y, -s.x * s.y, s.y * s.y - s.x * s.x);
            let twisting = twist.dot(&(section.D * twist));
            let shear = s.dot(&(S * s));
            let width = area / length;
            let layer = (shear * twisting).sqrt() / ((shear / twisting).sqrt() * width).tanh();
            let phi = shear_ratio(&section, &flexibility, s, length);
            Layer { side, stiffness: (layer - twisting / width) * (1.0 + phi).sqrt() / length }
        })
        .collect()
}

/// The matrices over the first `kept` rows, with the others where the energy is least.
pub(super) fn condensed(whole: &Bending, kept: usize) -> Bending {
    let inner = whole.K.nrows() - kept;
    let K_qu = whole.K.view((kept, 0), (inner, kept));
    let K_qq = whole.K.view((kept, kept), (inner, inner)).into_owned();
    // q = X u.
    let X: DMatrix<f64> = -K_qq.try_inverse().expect("invariant: a layer has stiffness of its own") * K_qu;
    Bending {
        K: whole.K.view((0, 0), (kept, kept)) + K_qu.transpose() * &X,
        L: whole.L.rows(0, kept) + X.transpose() * whole.L.rows(kept, inner),
        curvatures: whole
            .curvatures
            .iter()
            .map(|B| B.columns(0, kept) + B.columns(kept, inner) * &X)
            .collect(),
    }
}
