//! Kinematics of the rigid chain from the ground to the tip.

use std::sync::Arc;

use nalgebra::Matrix6;
use pliant_spatial::{Transform, Twist, cross_motion};

use crate::{
    Bearing, CoordinateRef, Drive, Hinge, InterfaceRef, MAX_HINGE_VELOCITIES, Model, Motion, MotionSample,
};

/// What moves a coordinate of the chain.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The path: the unknown of this number.
    Path(usize),
    /// A motion of its own.
    Motion(Arc<dyn Motion>),
}

/// A hinge of the chain with the triad it sits on.
#[derive(Debug)]
struct Segment {
    X_LT: Transform,
    hinge: Hinge,
    sources: Vec<Source>,
}

/// From the ground to the tip.
#[derive(Debug)]
pub(super) struct Chain {
    segments: Vec<Segment>,
    X_LT: Transform,
    /// A length to weigh angles with: the reach (m).
    pub(super) reach: f64,
}

/// Motion of the tip for given unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct TipMotion {
    pub(super) X: Transform,
    /// Twist at and in the tip's triad, and the derivative of its components.
    pub(super) V: Twist,
    pub(super) A: Twist,
    /// Columns of the unknowns, at and in the triad.
    pub(super) J: Matrix6<f64>,
}

impl Chain {
    /// The chain that carries the `tip`. `source` says what moves a joint coordinate, or what is wrong with
    /// it.
    pub(super) fn new(
        model: &Model,
        tip: InterfaceRef,
        mut source: impl FnMut(CoordinateRef, &Drive) -> Result<Source, String>,
    ) -> Result<Self, String> {
        let bodies = model.bodies();
        let X_LT_of = |at: InterfaceRef| bodies[at.body].link.interfaces[at.interface].X_LT;
        let X_LT = X_LT_of(tip);
        let mut segments = Vec::new();
        let mut reach = X_LT.p.norm();
        let mut next = Some(tip.body);
        while let Some(index) = next {
            let body = &bodies[index];
            let (X_LT, parent) = match body.parent {
                Some(parent) => (X_LT_of(parent), Some(parent.body)),
                None => (Transform::identity(), None),
            };
            if !body.hinge.joint.has_scalar_coordinates() {
                let (name, kind) = (&body.joint_name, body.hinge.joint.kind());
                return Err(format!(
                    "joint `{name}` is {kind}: a path needs joints with coordinates of their own"
                ));
            }
            let sources =
                body.coordinates.iter().enumerate().map(|(i, c)| source(index.coordinate(i), &c.drive));
            let hinge = Hinge {
                joint: body.hinge.joint.clone_box(),
                bearing: Bearing::default(),
                X_TP: body.hinge.X_TP,
                X_CL: body.hinge.X_CL,
            };
            reach += X_LT.p.norm() + hinge.X_TP.p.norm() + hinge.X_CL.p.norm();
            segments.push(Segment { X_LT, hinge, sources: sources.collect::<Result<_, _>>()? });
            next = parent;
        }
        segments.reverse();
        Ok(Self { segments, X_LT, reach: reach.max(1e-3) })
    }

    /// The tip's motion at `t` when the unknowns have these values, rates and accelerations: the recursions
    /// `V_i = Ad V_T + S θ̇` and `V̇_i = Ad V̇_T + S θ̈ + Ṡ θ̇ + V_i × S θ̇`.
    pub(super) fn at(&self, t: f64, unknowns: &[MotionSample; 6]) -> TipMotion {
        let mut X = Transform::identity();
        let (mut V, mut A) = (Twist::zeros(), Twist::zeros());
        let mut J = Matrix6::zeros();
        for segment in &self.segments {
            carry(&segment.X_LT, &mut X, &mut V, &mut A, &mut J);
            let mut samples = [MotionSample::default(); MAX_HINGE_VELOCITIES];
            let mut S = [Twist::zeros(); MAX_HINGE_VELOCITIES];
            let n = segment.sources.len();
            for (sample, source) in samples.iter_mut().zip(&segment.sources) {
                *sample = match source {
                    Source::Path(k) => unknowns[*k],
                    Source::Motion(motion) => motion.at(t),
                };
            }
            let (q, v) = (samples.map(|s| s.value), samples.map(|s| s.rate));
            let X_TL = segment.hinge.transform(&q[..n]);
            let bias = segment.hinge.subspace(&q[..n], &v[..n], &mut S[..n]);
            carry(&X_TL, &mut X, &mut V, &mut A, &mut J);
            let mut U = Twist::zeros();
            A += bias;
            for ((S, sample), source) in S.iter().zip(&samples).zip(&segment.sources) {
                U += S * sample.rate;
                A += S * sample.acceleration;
                if let Source::Path(k) = source {
                    J.set_column(*k, S);
                }
            }
            V += U;
            A += cross_motion(&V, &U);
        }
        carry(&self.X_LT, &mut X, &mut V, &mut A, &mut J);
        TipMotion { X, V, A, J }
    }
}

/// To a frame fixed in the one before.
fn carry(X_AB: &Transform, X: &mut Transform, V: &mut Twist, A: &mut Twist, J: &mut Matrix6<f64>) {
    *X = *X * *X_AB;
    *V = X_AB.carry_twist(V);
    *A = X_AB.carry_twist(A);
    for mut column in J.column_iter_mut() {
        let carried = X_AB.carry_twist(&column.clone_owned());
        column.copy_from(&carried);
    }
}
