//! Joints that close a loop.

use std::ops::Range;

use pliant_spatial::{
    Displacement, Transform, Twist, cross_motion, cross_wrench, left_jacobian_inverse, rotation_log, twist,
};

use super::{FrameMotion, FrameRef, Row};
use crate::{Hinge, HingeMotion, JointCoordinate, MAX_HINGE_VELOCITIES};

/// Directions of a loop joint's six rows, in the axes of the child's frame.
pub const DIRECTIONS: [&str; 6] = [
    "translation along x",
    "translation along y",
    "translation along z",
    "rotation about x",
    "rotation about y",
    "rotation about z",
];

/// A joint whose child is carried by another joint already. It keeps its own coordinates, so that drives,
/// friction, springs and bearings act on it as on any joint, and it closes the loop with six rows: the frame
/// that its hinge reaches from the parent is the frame of the child.
#[derive(Debug)]
pub struct LoopJoint {
    /// Name.
    pub name: String,
    /// Parent side.
    pub parent: FrameRef,
    /// Child side.
    pub child: FrameRef,
    /// From the parent's frame to the child's.
    pub hinge: Hinge,
    /// One for each velocity coordinate of the joint (the bearing's excluded).
    pub coordinates: Vec<JointCoordinate>,
    pub(crate) position_start: usize,
    pub(crate) velocity_start: usize,
}

impl LoopJoint {
    /// Its positions in the state.
    pub fn positions(&self) -> Range<usize> {
        self.position_start..self.position_start + self.hinge.position_count()
    }

    /// Its velocities in the state.
    pub fn velocities(&self) -> Range<usize> {
        self.velocity_start..self.velocity_start + self.hinge.velocity_count()
    }

    /// Evaluates the six rows and the columns of S. Misfit of pose `E = X_L'⁻¹ X_c` as translation and
    /// rotation vector in the child's axes; of velocity `W = V_c − Ad(E)V_L'`; of acceleration `Ẇ = V̇_c −
    /// Ad(E)V̇_L' − V_c × W`, L' the frame that the hinge reaches.
    pub fn evaluate(
        &self,
        (q, v, a): (&[f64], &[f64], &[f64]),
        parent: &FrameMotion,
        child: &FrameMotion,
        S: &mut [Twist; MAX_HINGE_VELOCITIES],
        rows: &mut [Row],
    ) {
        let X_TL = self.hinge.transform(q);
        let bias = self.hinge.subspace(q, v, S);
        let (mut U, mut A) = (Twist::zeros(), bias);
        for ((S, v), a) in S.iter().zip(v).zip(a) {
            U += S * *v;
            A += S * *a;
        }
        let V = X_TL.carry_twist(&parent.V) + U;
        let A = A + X_TL.carry_twist(&parent.A) + cross_motion(&V, &U);
        let E = (parent.X * X_TL).inverse() * child.X;
        let W = child.V - E.carry_twist(&V);
        let rate = child.A - E.carry_twist(&A) - cross_motion(&child.V, &W);
        let g = misfit(&E);
        let X_child = X_TL * E;
        for (i, row) in rows.iter_mut().enumerate() {
            let mut unit = Twist::zeros();
            unit[i] = 1.0;
            *row = Row {
                parent: -X_child.return_wrench(&unit),
                child: unit,
                position: g[i],
                rate: W[i],
                acceleration: rate[i],
            };
        }
    }

    /// Changes of the six rows when the frames are displaced by `by`, parent first, and the coordinates by x
    /// with its derivatives; `hinge` is the hinge in its motion. Seen from L' the child moves by `ζ = e_c −
    /// Ad(E) e_L'`.
    pub fn change(
        &self,
        hinge: &HingeMotion,
        (parent, child): (&FrameMotion, &FrameMotion),
        by: [&Displacement; 2],
        x: (&[f64], &[f64], &[f64]),
        rows: &mut [Row],
    ) {
        let V = hinge.X_TL.carry_twist(&parent.V) + hinge.U;
        let A = hinge.U_rate + hinge.X_TL.carry_twist(&parent.A) + cross_motion(&V, &hinge.U);
        let reached = hinge.displace(by[0], x);
        let (dV, dA) = reached.motion(&V, &A);
        let (child_dV, child_dA) = by[1].motion(&child.V, &child.A);
        let E = (parent.X * hinge.X_TL).inverse() * child.X;
        let zeta = by[1].e - E.carry_twist(&reached.e);
        let (V_E, A_E) = (E.carry_twist(&V), E.carry_twist(&A));
        let W = child.V - V_E;
        let dW = child_dV - E.carry_twist(&dV) - cross_motion(&V_E, &zeta);
        let d_rate = child_dA
            - E.carry_twist(&dA)
            - cross_motion(&A_E, &zeta)
            - cross_motion(&child_dV, &W)
            - cross_motion(&child.V, &dW);
        let g = misfit(&E);
        let turn = zeta.fixed_rows::<3>(3).into_owned();
        let dg = twist(
            zeta.fixed_rows::<3>(0) - turn.cross(&g.fixed_rows::<3>(0)),
            left_jacobian_inverse(&-g.fixed_rows::<3>(3)) * turn,
        );
        let X_child = hinge.X_TL * E;
        let apart = by[1].e - X_child.carry_twist(&by[0].e);
        for (i, row) in rows.iter_mut().enumerate() {
            let mut unit = Twist::zeros();
            unit[i] = 1.0;
            *row = Row {
                parent: -X_child.return_wrench(&cross_wrench(&apart, &unit)),
                child: Twist::zeros(),
                position: dg[i],
                rate: dW[i],
                acceleration: d_rate[i],
            };
        }
    }

    /// The misfit alone.
    pub fn misfit(&self, q: &[f64], parent: &Transform, child: &Transform) -> Twist {
        misfit(&((*parent * self.hinge.transform(q)).inverse() * *child))
    }
}

fn misfit(E: &Transform) -> Twist {
    twist(E.R.tr_mul(&E.p), rotation_log(&E.R))
}
