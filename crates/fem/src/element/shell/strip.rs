//! Triangles of a strip one cell wide, which bends along its axis t, whatever the slant of the cells and the diagonals that cut them.
//!
//! With x along t and y across it from the triangle's centroid, bending to the stress σ = y t⊗t moves the strip by a quadratic field u_b with rotations θ_b. Along a side d = ct + st⊥ the mean of a quadratic
//! displacement is that of its ends less a twelfth of its second derivative. Of κ(−xy, x²/2), θ = κx, which is u_b without Poisson's contraction, that makes
//!
//! ```text
//! ū = (u_i + u_j)/2 + (θ_j − θ_i) b,   b = (2st − ct⊥)/12 = (n + st)/12
//! ```
//!
//! with n the normal × length: Allman's side ([`super::hybrid`]) and, on sides that slant, as much again along the strip. Only s, c and t enter, so both neighbours of a side agree on b,
//! and a constant stress has the same moments ∓b·σn on either side of it: the patch test holds. At the end of a strip b = 0, so that forces on its corners, without moments, pull it by FL/EA whatever its cells.
//!
//! Inside, the stress is constant plus an amount of σ, as in the quadrilateral, with sides that displace linearly plus a parabola of mean (θ_j − θ_i)b:
//!
//! ```text
//! K = K_b + w ggᵀ/h² + Qᵀ K_h Q,   g·u = ∮ u·σn ds,   h = ∫σ:A⁻¹σ dA,   Q = I − u_b gᵀ/(g·u_b)
//! ```
//!
//! K_b is the basic stiffness of the mean strain, g and K_h vanish in linear fields, Q in bending; K_h, a small share of that of other triangles ([`super::opt`]), keeps what is neither from being a mechanism. Without
//! Poisson's contraction w = h, and constant curvature is exact: the sides are right, hence mean strain and amount of σ, and its loads cancel between neighbours and on the edges. The contraction, y² across
//! the strip, shows in no rotation, and one cell across does not have it: K_b takes an energy e = u_b·K_b u_b for it, which is ν²/(2 − 2ν²) of h, 5 % for ν = 0.3. With w = h − e
//! bending has its energy, and strips are 1 to 3 % too soft, as the cells give way; with w = h they would be as much too stiff.
//!
//! A pair of triangles on its own is such a strip too. Forces on its four corners may also pull it across, where its long sides miss their moments, and as in the quadrilateral ([`super::hybrid`])
//! what rotations would strain beyond bending is resisted, 20 L_θ A L_θᵀ/area over the relative rotations, L_θ their rows of L: it stretches by 1/20 more than the stress says.

use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3};

/// The least w/h and g·u_b/h. Between sides of the strip the second is 1; where others are lumped in another way both can be anything, and such triangles stay as all others.
const SHARE_LEAST: f64 = 0.5;

/// b of a side along `d` in a strip with this axis.
pub(super) fn bump(d: Vector2<f64>, axis: Vector2<f64>) -> Vector2<f64> {
    (Vector2::new(d.y, -d.x) + axis * axis.perp(&d)) / 12.0
}

/// True for a side that runs along the axis rather than across.
pub(super) fn along(d: Vector2<f64>, axis: Vector2<f64>) -> bool {
    axis.dot(&d).abs() > axis.perp(&d).abs()
}

/// A triangle bent along the axis of its strip.
pub(super) struct Bend {
    /// g/h: u ↦ the amount of σ in it.
    pub(super) amount: SVector<f64, 9>,
    /// w.
    pub(super) energy: f64,
    /// Q.
    pub(super) rest: SMatrix<f64, 9, 9>,
    pub(super) axis: Vector2<f64>,
}

impl Bend {
    /// Of the triangle with corners `p` about their mean, membrane stiffness `A`, bumps b of its sides and K_b; `None` where it has to do without.
    pub(super) fn of(
        p: [Vector2<f64>; 3],
        axis: Vector2<f64>,
        bumps: [Vector2<f64>; 3],
        A: &Matrix3<f64>,
        basic: &SMatrix<f64, 9, 9>,
    ) -> Option<Self> {
        let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
        let across = Vector2::new(-axis.y, axis.x);
        let strain = A.try_inverse()? * stress(axis);
        let strain = Matrix2::new(strain.x, 0.5 * strain.z, 0.5 * strain.z, strain.y);
        let (along, contraction, shear) =
            (axis.dot(&(strain * axis)), across.dot(&(strain * across)), 2.0 * axis.dot(&(strain * across)));
        let mut state = SVector::<f64, 9>::zeros();
        let mut load = SVector::<f64, 9>::zeros();
        for (i, corner) in p.iter().enumerate() {
            let (x, y) = (axis.dot(corner), across.dot(corner));
            let u = axis * (along * x * y + 0.5 * shear * y * y)
                + across * (0.5 * (contraction * y * y - along * x * x));
            state.fixed_rows_mut::<3>(3 * i).copy_from(&Vector3::new(u.x, u.y, -along * x - 0.5 * shear * y));
            let j = (i + 1) % 3;
            let next = across.dot(&p[j]);
            // Length × traction per y.
            let traction = axis * axis.perp(&(p[j] - corner));
            for (node, share, sign) in [(i, y / 3.0 + next / 6.0, -1.0), (j, y / 6.0 + next / 3.0, 1.0)] {
                let mut target = load.fixed_rows_mut::<2>(3 * node);
                target += traction * share;
                load[3 * node + 2] += sign * traction.dot(&bumps[i]) * 0.5 * (y + next);
            }
        }
        let second_moment = area / 12.0 * p.iter().map(|c| across.dot(c).powi(2)).sum::<f64>();
        let whole = along * second_moment;
        let (amount, energy) = (load / whole, whole - state.dot(&(basic * state)));
        let share = amount.dot(&state);
        (share > SHARE_LEAST && energy > SHARE_LEAST * whole).then(|| {
            let rest = SMatrix::identity() - state * amount.transpose() / share;
            Self { amount, energy, rest, axis }
        })
    }

    /// The amount of σ times σ at a point, over the rows of the element.
    pub(super) fn forces(&self, at: Vector2<f64>) -> SMatrix<f64, 3, 9> {
        stress(self.axis) * self.amount.transpose() * self.axis.perp(&at)
    }
}

/// t⊗t as [σx σy τ].
fn stress(axis: Vector2<f64>) -> Vector3<f64> {
    Vector3::new(axis.x * axis.x, axis.y * axis.y, axis.x * axis.y)
}
