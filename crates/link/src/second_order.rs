//! Second-order displacement of the mass: how a bent link's own inertia stiffens or softens it.
//!
//! A link that bends also shortens: its mass moves by `u₂ = −½ qᵀ g(x) q` besides `V q`. The work of a load p through u₂
//! is `−½ qᵀ G q` with `G = VᵀK_g(p)V`, K_g the geometric stiffness of the stress that p causes in the clamped link.
//! For the inertia loads of a moving frame this gives twelve matrices, and from them the second-order parts of the
//! first moment, of the coupling blocks and of the moments of inertia. They enter the kinetic energy, so velocity and
//! acceleration terms, reactions on the frame and gravity follow without further rules. Derived in
//! `docs/theory/floating-frame.md`.

use nalgebra::DMatrix;

use crate::Invariants;

/// `G = VᵀK_g V` for each unit inertia load, n×n and symmetric. Loads are forces per mass at x in link axes.
#[derive(Clone, Debug, PartialEq)]
pub struct InertiaLoadStiffness {
    /// Loads `e_c`: unit acceleration along each axis.
    pub translation: [DMatrix<f64>; 3],
    /// Loads `e_c × x`: unit angular acceleration about each axis.
    pub rotation: [DMatrix<f64>; 3],
    /// Loads of the products ω_xω_x, ω_yω_y, ω_zω_z, ω_xω_y, ω_xω_z, ω_yω_z in `−ω×(ω×x)`: `x − x_a e_a` for a square
    /// and `−(x_b e_a + x_a e_b)` for a mixed product.
    pub spin: [DMatrix<f64>; 6],
}

impl Invariants {
    /// Adds the second-order parts: to B, to C, and the matrices of the first moment.
    ///
    /// # Panics
    /// If a matrix is not n×n, or the parts have been added before.
    pub fn add_second_order(&mut self, loads: &InertiaLoadStiffness) {
        let n = self.coordinates();
        assert!(self.G.is_none(), "invariant: second order is added once");
        let all = loads.translation.iter().chain(&loads.rotation).chain(&loads.spin);
        assert!(all.into_iter().all(|G| G.shape() == (n, n)), "invariant: G is n×n");
        for k in 0..n {
            for j in 0..n {
                // ∫ρ x×u₂ = −½ qᵀG_a q, so its rate is −(G_a q)·q̇.
                for (a, G) in loads.rotation.iter().enumerate() {
                    self.C[(a + 3 * k, j)] -= G[(k, j)];
                }
                // ½ωᵀBω gains Σ ω_aω_b(−½ qᵀG_ab q); mixed products stand twice in ωᵀBω.
                for (i, G) in loads.spin.iter().enumerate() {
                    self.B[(6 * j + i, k)] -= if i < 3 { G[(j, k)] } else { 0.5 * G[(j, k)] };
                }
            }
        }
        self.G = Some(Box::new(loads.translation.clone()));
    }
}
