//! Backward pass: the equations of motion by recursive Newton–Euler, tips to root.

use pliant_mechanism::{JointCoordinate, LoadFrame, Memory, Model};
use pliant_spatial::{Transform, Wrench, cross_wrench, wrench};

use crate::closures::closure;
use crate::kinematics::coupled_damping;
use crate::kinematics::poses::forward;
use crate::kinematics::workspace::{Coefficients, Workspace, work_of};
use nalgebra::Vector3;

/// Gravity wrench on a body of mass `m` and first moment `s`, at and in its frame.
fn weight(m: f64, s: &Vector3<f64>, g: &Vector3<f64>, X_W: &Transform) -> Wrench {
    let g = X_W.R.tr_mul(g);
    wrench(g * m, s.cross(&g))
}

/// Residual `r = M(q) q̈ + h(q, q̇) + D q̇ + K q − f` of all equations at time `t`, into `work.r`. At a
/// prescribed coordinate `r` is the drive force that the motion takes. Leaves poses, twists and wrenches in
/// `work`.
pub(crate) fn residual(model: &Model, t: f64, q: &[f64], v: &[f64], a: &[f64], work: &mut Workspace) {
    forward(model, q, v, a, work);
    closure::evaluate(model, t, (q, v, a), work);
    let gravity = model.gravity();
    for body in &mut work.bodies {
        body.load = Wrench::zeros();
        body.closing = Wrench::zeros();
        for T in &mut body.interfaces {
            T.load = Wrench::zeros();
        }
    }
    for load in model.loads() {
        let T = &mut work.bodies[load.on.body].interfaces[load.on.interface];
        let mut F = load.at(t);
        if load.frame == LoadFrame::World {
            F = wrench(T.X_WT.R.tr_mul(&F.fixed_rows::<3>(0)), T.X_WT.R.tr_mul(&F.fixed_rows::<3>(3)));
        }
        T.load += F;
    }
    for body in &mut work.bodies {
        for T in &mut body.interfaces {
            T.F = -T.load;
            if let Some((m, s, I)) = &T.payload {
                T.F += I * T.A + cross_wrench(&T.V, &(I * T.V)) - weight(*m, s, &gravity, &T.X_WT);
            }
        }
    }
    closure::apply(work);
    for (i, body) in model.bodies().iter().enumerate().rev() {
        let (before, rest) = work.bodies.split_at_mut(i);
        let w = &mut rest[0];
        let link = &body.link;
        let n = link.coordinate_count();
        let (at, elastic_q) = (body.elastic_velocities(), &q[body.elastic_positions()]);
        let elastic_v = &v[at.clone()];
        let (r, reference) = (&mut work.r[at.clone()], &mut work.reference[at]);

        // Inertia of the link.
        let inertia = w.inertia.accelerating;
        r.copy_from_slice(&w.inertia.h_E);
        let weight_L = weight(link.invariants.mass(), &w.inertia.first_moment, &gravity, &w.X_WL);
        let g_L = w.X_WL.R.tr_mul(&gravity);
        let mut rest_of_F = w.inertia.h_R - weight_L - w.load;
        for (r, reference) in r.iter().zip(reference.iter_mut()) {
            *reference = r.abs();
        }
        // Elastic forces; y is free here and holds their sum, so that its size can be reported.
        w.K.times(elastic_q, &mut w.y);
        if w.damped {
            multiply_add(link.D.as_slice(), elastic_v, &mut w.y);
        }
        let (C0, chord) = (link.invariants.C0.as_slice(), w.inertia.chord.as_deref());
        for k in 0..n {
            // Upper rows of C₀ are the derivative of the first moment.
            let S = chord.map_or(&C0[6 * k..6 * k + 3], |chord| chord.moment_slopes[k].as_slice());
            let weight = S[0] * g_L.x + S[1] * g_L.y + S[2] * g_L.z;
            r[k] += w.y[k] - weight;
            reference[k] += w.y[k].abs() + weight.abs();
        }
        for T in &w.interfaces {
            rest_of_F += T.X_LT.return_wrench(&T.F);
            let forces = T.forces_of(&T.F);
            for (k, [slope]) in T.columns.clone().zip(&T.motion.slopes) {
                let force = work_of(&forces, slope);
                r[k] += force;
                reference[k] += force.abs();
            }
        }
        w.F = inertia + rest_of_F;

        let hinge = body.hinge_velocities();
        let (hinge_q, hinge_v) = (&q[body.hinge_positions()], &v[hinge.clone()]);
        let hinge_a = &a[hinge.clone()];
        for k in 0..hinge.len() {
            let at = hinge.start + k;
            let mut force = w.S[k].dot(&w.F);
            let mut size =
                w.S[k].dot(&inertia).abs() + w.S[k].dot(&rest_of_F).abs() + w.S[k].abs().dot(&w.closing);
            if let Some(c) = body.coordinates.get(k) {
                let scalar = body.hinge.joint.has_scalar_coordinates();
                let own = actuation(c, scalar, t, (hinge_q[k], hinge_v[k], hinge_a[k]), &mut work.memory[at]);
                force += own.0;
                size += own.1;
            }
            work.r[at] = force;
            work.reference[at] = size;
        }
        let (joint_q, joint_v) = (body.hinge.joint.position_count(), body.hinge.joint.velocity_count());
        for (k, (_, stiffness, damping)) in body.hinge.bearing.compliant().enumerate() {
            let force = stiffness * hinge_q[joint_q + k] + damping * hinge_v[joint_v + k];
            let at = hinge.start + joint_v + k;
            work.r[at] += force;
            work.reference[at] += force.abs();
        }
        if let Some(parent) = body.parent {
            before[parent.body].interfaces[parent.interface].F += w.X_TL.return_wrench(&w.F);
        }
    }
    closure::loop_residual(model, t, (q, v, a), work);
    coupled_damping::resist(model, v, work);
}

/// What acts on a joint coordinate by itself, rotor + friction + spring − drive, and the sum of the sizes of
/// these. Joints with quaternions (not `scalar`) take nothing that depends on the position; `memory` is what
/// its drive remembers.
pub(crate) fn actuation(
    c: &JointCoordinate,
    scalar: bool,
    t: f64,
    (q, v, a): (f64, f64, f64),
    memory: &mut Memory,
) -> (f64, f64) {
    let rotor = c.rotor.reflected() * a;
    let friction = c.friction.resistance(v).0;
    let spring = if c.spring.stiffness > 0.0 { c.spring.stiffness * (q - c.spring.neutral) } else { 0.0 };
    let torque = c.drive.act(t, if scalar { q } else { 0.0 }, v, memory).unwrap_or(0.0);
    (rotor + friction + spring - torque, rotor.abs() + friction.abs() + spring.abs() + torque.abs())
}

/// Its derivative in the Newton matrix.
pub(crate) fn slope(c: &JointCoordinate, rate: f64, memory: &Memory, coefficients: Coefficients) -> f64 {
    let (stiffness, damping) = c.drive.gains_there(memory);
    coefficients.m * c.rotor.reflected()
        + coefficients.d * (c.friction.resistance(rate).1 + damping)
        + coefficients.k * (c.spring.stiffness + stiffness)
}

/// `y += A x` for a square matrix stored column by column.
pub(crate) fn multiply_add(A: &[f64], x: &[f64], y: &mut [f64]) {
    if x.is_empty() {
        return;
    }
    let n = x.len();
    // Four columns at a time: y is read and written a quarter as often.
    let fours = x.chunks_exact(4);
    let (rest, first) = (fours.remainder(), n - fours.remainder().len());
    // Directions of one coordinate are zero elsewhere.
    for (columns, x) in A.chunks_exact(4 * n).zip(fours).filter(|(_, x)| x.iter().any(|x| *x != 0.0)) {
        let ((a, b), (c, d)) = (columns[..2 * n].split_at(n), columns[2 * n..].split_at(n));
        for ((((y, a), b), c), d) in y.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *y += (a * x[0] + b * x[1]) + (c * x[2] + d * x[3]);
        }
    }
    for (column, x) in A[first * n..].chunks_exact(n).zip(rest) {
        for (y, a) in y.iter_mut().zip(column) {
            *y += a * x;
        }
    }
}
