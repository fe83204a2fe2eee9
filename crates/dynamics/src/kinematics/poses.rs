//! Forward pass: poses, twists and accelerations of links and deformed interfaces, root to tips.

use nalgebra::{Matrix3, Vector3};
use pliant_link::{ChordMotion, Interface, LinkMotion};
use pliant_mechanism::Model;
use pliant_spatial::{Transform, Twist, cross_motion, rotation_motion, twist};

use crate::kinematics::workspace::{InterfaceWork, Workspace};

/// Evaluates `X_WL(i) = X_WL(p) · E_p(q_p) · A_i(θ_i)` and the recursions that follow from it by
/// differentiation, `V_i = Ad V_T + S θ̇` and `V̇_i = Ad V̇_T + S θ̈ + Ṡ θ̇ + V_i × S θ̇`, together with each
/// link's inertia forces.
pub(crate) fn forward(model: &Model, q: &[f64], v: &[f64], a: &[f64], work: &mut Workspace) {
    let gravity = model.gravity();
    for (i, body) in model.bodies().iter().enumerate() {
        let (before, rest) = work.bodies.split_at_mut(i);
        let w = &mut rest[0];
        let (positions, velocities) = (body.hinge_positions(), body.hinge_velocities());
        let (hinge_v, hinge_a) = (&v[velocities.clone()], &a[velocities]);
        w.X_TL = body.hinge.transform(&q[positions.clone()]);
        let bias = body.hinge.subspace(&q[positions], hinge_v, &mut w.S);
        let (mut U, mut A) = (Twist::zeros(), bias);
        for ((S, v), a) in w.S.iter().zip(hinge_v).zip(hinge_a) {
            U += S * *v;
            A += S * *a;
        }
        if let Some(parent) = body.parent {
            let T = &before[parent.body].interfaces[parent.interface];
            w.X_WL = T.X_WT * w.X_TL;
            w.V = w.X_TL.carry_twist(&T.V) + U;
            A += w.X_TL.carry_twist(&T.A);
        } else {
            w.X_WL = w.X_TL;
            w.V = U;
        }
        w.A = A + cross_motion(&w.V, &U);

        let at = body.elastic_velocities();
        let (q, v, a) = (&q[body.elastic_positions()], &v[at.clone()], &a[at]);
        let motion = LinkMotion { q, v, a, V: w.V, A: w.A, g: w.X_WL.R.tr_mul(&gravity) };
        w.inertia.forces(&body.link.invariants, &motion);
        // Interfaces hang on the frame in which the link is linear.
        let chord = w.inertia.chord.as_deref();
        let (X, motion) = chord.map_or((w.X_WL, motion), |C| (w.X_WL * C.X_LC, C.motion(&motion)));
        for (interface, T) in body.link.interfaces.iter().zip(&mut w.interfaces) {
            interface_motion(interface, &motion, &X, T);
            if let Some(C) = chord {
                from_chord_to_link(C, T);
            }
        }
    }
}

/// Refers pose and slopes of an interface, which are those against the frame of the chord, to L.
fn from_chord_to_link(C: &ChordMotion, T: &mut InterfaceWork) {
    let (p, R_LC) = (T.X_LT.p, C.X_LC.R);
    for ([slope], spin) in T.motion.slopes.iter_mut().zip(&C.spins) {
        let linear = R_LC * (Vector3::new(slope[0], slope[1], slope[2]) + spin.cross(&p));
        let angular = R_LC * (T.spin_map * Vector3::new(slope[3], slope[4], slope[5]) + spin);
        slope[..6].copy_from_slice(twist(linear, angular).as_slice());
    }
    T.spin_map = Matrix3::identity();
    T.X_LT = C.X_LC * T.X_LT;
}

/// Motion of a deformed triad: translation `d_t(q)`, finite rotation `exp([d_r(q)]×)` of the interface's
/// displacement `d = Vq − ½ qᵀGq` (first order without G), in a frame at `X_WL` that moves with the twist of
/// `link`: L, or that of the chord.
fn interface_motion(interface: &Interface, link: &LinkMotion<'_>, X_WL: &Transform, T: &mut InterfaceWork) {
    if T.columns.is_empty() {
        T.X_WT = *X_WL * T.X_LT;
        T.V = T.X_LT.carry_twist(&link.V);
        T.A = T.X_LT.carry_twist(&link.A);
        return;
    }
    let at = T.columns.clone();
    T.motion.evaluate(&link.q[at.clone()], &link.v[at.clone()], &link.a[at]);
    let [d, d_rate, d_acceleration] = [T.motion.value[0], T.motion.rate[0], T.motion.acceleration[0]]
        .map(|x| (Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5])));
    let rotation = rotation_motion(&d.1, &d_rate.1);
    let R_LT = rotation.R * interface.X_LT.R;
    T.X_LT = Transform::new(R_LT, interface.X_LT.p + d.0);
    T.X_WT = *X_WL * T.X_LT;
    T.spin_map = rotation.J;
    let u = R_LT.tr_mul(&d_rate.0);
    let w = R_LT.tr_mul(&(rotation.J * d_rate.1));
    let U = twist(u, w);
    T.V = T.X_LT.carry_twist(&link.V) + U;
    // J q̈ and the derivative of J's components: the axes of T turn with w, J_left changes with φ.
    let linear = R_LT.tr_mul(&d_acceleration.0) - w.cross(&u);
    let angular = R_LT.tr_mul(&(rotation.J * d_acceleration.1 + rotation.bias));
    T.A = T.X_LT.carry_twist(&link.A) + twist(linear, angular) + cross_motion(&T.V, &U);
}
