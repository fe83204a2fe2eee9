//! Twists and wrenches: translation first.

use nalgebra::{Vector3, Vector6};

/// Velocity `[v; ω]` of a frame at its own origin in its own axes (m/s, rad/s).
pub type Twist = Vector6<f64>;

/// Force and moment `[f; m]` at a frame's origin in its axes (N, N·m).
pub type Wrench = Vector6<f64>;

/// `[v; ω]`.
pub fn twist(v: Vector3<f64>, w: Vector3<f64>) -> Twist {
    Twist::new(v.x, v.y, v.z, w.x, w.y, w.z)
}

/// `[f; m]`.
pub fn wrench(f: Vector3<f64>, m: Vector3<f64>) -> Wrench {
    twist(f, m)
}

/// Rate of change of the twist components `U` (fixed in a frame that moves with `V`):
/// `V × U = [ω×u + v×υ; ω×υ]` for `U = [u; υ]`.
pub fn cross_motion(V: &Twist, U: &Twist) -> Twist {
    let (v, w) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
    let (u, r) = (U.fixed_rows::<3>(0).into_owned(), U.fixed_rows::<3>(3).into_owned());
    twist(w.cross(&u) + v.cross(&r), w.cross(&r))
}

/// Rate of change of a momentum (or wrench) `P = [p; l]` fixed in a frame that moves with `V`:
/// `V ×* P = [ω×p; ω×l + v×p]`. Dual of [`cross_motion`]: `U·(V×*P) = −(V×U)·P`.
pub fn cross_wrench(V: &Twist, P: &Wrench) -> Wrench {
    let (v, w) = (V.fixed_rows::<3>(0).into_owned(), V.fixed_rows::<3>(3).into_owned());
    let (p, l) = (P.fixed_rows::<3>(0).into_owned(), P.fixed_rows::<3>(3).into_owned());
    wrench(w.cross(&p), w.cross(&l) + v.cross(&p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_cross_products_are_dual() {
        let V = twist(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, 0.7, -1.1));
        let U = twist(Vector3::new(0.2, 0.9, 1.5), Vector3::new(-1.3, 0.4, 0.6));
        let P = wrench(Vector3::new(3.0, 1.0, -0.7), Vector3::new(0.1, 2.2, 0.8));
        assert!((U.dot(&cross_wrench(&V, &P)) + cross_motion(&V, &U).dot(&P)).abs() < 1e-14);
    }

    #[test]
    fn centripetal_acceleration_of_a_spinning_point() {
        // Constant v in a frame spinning at ω: d/dt = ω × v.
        let V = twist(Vector3::zeros(), Vector3::z() * 2.0);
        let U = twist(Vector3::y() * 2.0, Vector3::zeros());
        assert_eq!(cross_motion(&V, &U), twist(Vector3::x() * -4.0, Vector3::zeros()));
    }
}
