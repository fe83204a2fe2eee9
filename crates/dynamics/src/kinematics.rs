//! Forward pass: poses, twists and accelerations of links and deformed interfaces, root to tips.

use nalgebra::{Vector3, Vector6};
use pliant_link::{ChordMotion, Interface, products};
use pliant_mechanism::Model;
use pliant_spatial::{Transform, Twist, cross_motion, rotation_motion, twist};

use crate::workspace::{InterfaceWork, Workspace};

/// Evaluates `X_WL(i) = X_WL(p) · E_p(q_p) · A_i(θ_i)` and the recursions that follow from it by differentiation,
/// `V_i = Ad V_T + S θ̇` and `V̇_i = Ad V̇_T + S θ̈ + Ṡ θ̇ + V_i × S θ̇`, together with each link's inertia terms.
pub(crate) fn forward(model: &Model, q: &[f64], v: &[f64], a: &[f64], work: &mut Workspace) {
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
        if let Some((parent, interface)) = body.parent {
            let T = &before[parent].interfaces[interface];
            w.X_WL = T.X_WT * w.X_TL;
            w.V = w.X_TL.carry_twist(&T.V) + U;
            A += w.X_TL.carry_twist(&T.A);
        } else {
            w.X_WL = w.X_TL;
            w.V = U;
        }
        w.A = A + cross_motion(&w.V, &U);

        let (elastic_q, elastic_v) = (&q[body.elastic_positions()], &v[body.elastic_velocities()]);
        let elastic_a = &a[body.elastic_velocities()];
        w.inertia.evaluate(&body.link.invariants, elastic_q, elastic_v, &w.V);
        // Interfaces hang on the frame in which the link is linear.
        let chord = w.inertia.chord.as_deref();
        let (X, V, A) =
            chord.map_or((w.X_WL, w.V, w.A), |C| (w.X_WL * C.X_LC, C.V, C.acceleration(&w.A, elastic_a)));
        for (interface, T) in body.link.interfaces.iter().zip(&mut w.interfaces) {
            interface_motion(interface, elastic_q, elastic_v, elastic_a, &X, &V, &A, T);
            if let Some(C) = chord {
                from_chord_to_link(C, T);
            }
        }
    }
}

/// Refers pose and J of an interface, which are those against the frame of the chord, to L.
fn from_chord_to_link(C: &ChordMotion, T: &mut InterfaceWork) {
    for (J, spin) in T.J.iter_mut().zip(&C.spins) {
        *J += T.X_LT.carry_twist(&twist(Vector3::zeros(), *spin));
    }
    T.X_LT = C.X_LC * T.X_LT;
}

/// Motion of a deformed triad: translation `d_t(q)`, finite rotation `exp([d_r(q)]×)` of the interface's
/// displacement `d = Vq − ½ qᵀGq` (first order without G), in a frame that moves with `X_WL`, `V_L`, `A_L`: L, or that of the chord.
#[expect(
    clippy::too_many_arguments,
    reason = "state of the link and motion of its frame, all of them inputs"
)]
fn interface_motion(
    interface: &Interface,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    X_WL: &Transform,
    V_L: &Twist,
    A_L: &Twist,
    T: &mut InterfaceWork,
) {
    if T.columns.is_empty() {
        T.X_WT = *X_WL * T.X_LT;
        T.V = T.X_LT.carry_twist(V_L);
        T.A = T.X_LT.carry_twist(A_L);
        return;
    }
    let (mut d, mut rate, mut acceleration) = (Vector6::zeros(), Vector6::zeros(), Vector6::zeros());
    for (k, J) in T.columns.clone().zip(&mut T.J) {
        *J = interface.V.column(k).into_owned();
        d += *J * q[k];
        rate += *J * v[k];
        acceleration += *J * a[k];
    }
    if let Some(G) = &T.G {
        let (G_q, G_v) = T.scratch.split_at_mut(6 * q.len());
        products::<true>(G, q, v, G_q, G_v);
        let slopes = G_q.chunks_exact(6).zip(G_v.chunks_exact(6));
        for (k, ((G_q, G_v), J)) in slopes.zip(&mut T.J).enumerate() {
            for c in 0..6 {
                d[c] -= 0.5 * G_q[c] * q[k];
                rate[c] -= G_q[c] * v[k];
                acceleration[c] -= G_q[c] * a[k] + G_v[c] * v[k];
                J[c] -= G_q[c];
            }
        }
    }
    let phi = d.fixed_rows::<3>(3).into_owned();
    let phi_rate = rate.fixed_rows::<3>(3).into_owned();
    let rotation = rotation_motion(&phi, &phi_rate);
    let R_LT = rotation.R * interface.X_LT.R;
    T.X_LT = Transform::new(R_LT, interface.X_LT.p + d.fixed_rows::<3>(0));
    T.X_WT = *X_WL * T.X_LT;
    let spin_map = R_LT.tr_mul(&rotation.J);
    for J in &mut T.J {
        let linear = R_LT.tr_mul(&J.fixed_rows::<3>(0));
        let angular = spin_map * J.fixed_rows::<3>(3);
        *J = twist(linear, angular);
    }
    let u = R_LT.tr_mul(&rate.fixed_rows::<3>(0));
    let w = spin_map * phi_rate;
    let U = twist(u, w);
    T.V = T.X_LT.carry_twist(V_L) + U;
    // J q̈ and the derivative of J's components: the axes of T turn with w, J_left changes with φ.
    let linear = R_LT.tr_mul(&acceleration.fixed_rows::<3>(0)) - w.cross(&u);
    let angular = spin_map * acceleration.fixed_rows::<3>(3) + R_LT.tr_mul(&rotation.bias);
    T.A = T.X_LT.carry_twist(A_L) + twist(linear, angular) + cross_motion(&T.V, &U);
}
