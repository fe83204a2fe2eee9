//! Scratch of one run: everything a step writes, allocated once.

use std::ops::Range;

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3, Vector6};
use pliant_link::{InertiaTerms, Panel, QuadraticMap};
use pliant_mechanism::{BodyIndex, InterfaceRef, LoopIndex, MAX_HINGE_VELOCITIES, Memory, Model};
use pliant_spatial::{Transform, Twist, Wrench};

use crate::closures::closure::ClosureWork;
use crate::kinematics::coupled_damping;
use crate::recursion::damped::{self, DampedSolve};
use crate::recursion::dense::Cholesky;

/// What happens at an outboard interface; quantities at and in its deformed triad T.
#[derive(Clone, Debug)]
pub(crate) struct InterfaceWork {
    /// Elastic coordinates that move it: outside this range its rows of V are zero.
    pub(crate) columns: Range<usize>,
    /// Payload: is there one, its mass, its first moment, its inertia.
    pub(crate) payload: Option<(f64, Vector3<f64>, Matrix6<f64>)>,
    pub(crate) X_LT: Transform,
    pub(crate) X_WT: Transform,
    pub(crate) V: Twist,
    pub(crate) A: Twist,
    /// Translation and rotation vector of T in link axes by the coordinates in `columns`, `Vq − ½ qᵀGq`
    /// (first order without G).
    pub(crate) motion: QuadraticMap<1>,
    /// Angular velocity of T against L, in link axes, for rates of the rotation vector.
    pub(crate) spin_map: Matrix3<f64>,
    /// Wrench the link gives to all that hangs on the interface.
    pub(crate) F: Wrench,
    /// External load alone, for the work it does.
    pub(crate) load: Wrench,
    /// Articulated inertia of all that hangs on the interface.
    pub(crate) I: Matrix6<f64>,
    /// Bias wrench of the solve, and acceleration increment.
    pub(crate) p: Wrench,
    pub(crate) dA: Twist,
}

impl InterfaceWork {
    /// Twist of T relative to L, at and in T, for rates of its translation and rotation vector in link axes.
    pub(crate) fn twist_of(&self, rate: &[f64; 8]) -> Twist {
        let linear = self.X_LT.R.tr_mul(&Vector3::new(rate[0], rate[1], rate[2]));
        let angular = self.X_LT.R.tr_mul(&(self.spin_map * Vector3::new(rate[3], rate[4], rate[5])));
        Twist::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
    }

    /// Forces on translation and rotation vector that do the work of a wrench at and in T.
    pub(crate) fn forces_of(&self, F: &Wrench) -> [f64; 8] {
        let f = self.X_LT.R * F.fixed_rows::<3>(0);
        let m = self.spin_map.tr_mul(&(self.X_LT.R * F.fixed_rows::<3>(3)));
        [f.x, f.y, f.z, m.x, m.y, m.z, 0.0, 0.0]
    }
}

/// Work of forces through a slope, in two sums, which go side by side.
#[inline(always)]
pub(crate) fn work_of(forces: &[f64; 8], slope: &[f64; 8]) -> f64 {
    let pair = |i: usize| forces[i] * slope[i] + forces[i + 2] * slope[i + 2] + forces[i + 4] * slope[i + 4];
    pair(0) + pair(1)
}

/// What happens on a body; quantities at and in L.
#[derive(Clone, Debug)]
pub(crate) struct BodyWork {
    pub(crate) X_TL: Transform,
    pub(crate) X_WL: Transform,
    pub(crate) V: Twist,
    pub(crate) A: Twist,
    pub(crate) S: [Twist; MAX_HINGE_VELOCITIES],
    pub(crate) inertia: InertiaTerms,
    pub(crate) interfaces: Vec<InterfaceWork>,
    /// Wrench the hinge gives to the link.
    pub(crate) F: Wrench,
    /// Wrench of closures on the link frame.
    pub(crate) load: Wrench,
    /// Sizes of the wrenches of closures on the entire body, at and in L.
    pub(crate) closing: Wrench,
    /// Bias wrench of the solve at the link frame.
    pub(crate) p: Wrench,
    /// Hinge coordinates that are unknown in this solve.
    pub(crate) free: Vec<usize>,
    /// Those of the equations of motion: all but the prescribed ones.
    pub(crate) unknown: Vec<usize>,
    /// The link's stiffness.
    pub(crate) K: Panel,
    /// True when the link has damping.
    pub(crate) damped: bool,
    /// What damping between links has within this one.
    pub(crate) own_damping: Option<DMatrix<f64>>,
    /// The same of each hinge coordinate.
    pub(crate) hinge_damping: Vec<f64>,
    /// `c_m M_EE + c_d D + c_k K`, n×n, with the constant part of the elastic mass.
    pub(crate) base: Vec<f64>,
    /// Factor of the elastic block with what hangs on it.
    pub(crate) elastic: Cholesky,
    /// `L⁻¹ M̂_REᵀ`, one row per coordinate.
    pub(crate) Y: Vec<Vector6<f64>>,
    /// Of accelerations of each coordinate: forces on an interface's displacement, wrench at L.
    pub(crate) IJ: Vec<[[f64; 8]; 1]>,
    pub(crate) IJ_at_L: Vec<[[f64; 8]; 1]>,
    /// Articulated inertia.
    pub(crate) I: Matrix6<f64>,
    /// The factor L of `Sᵀ I S` for the free columns, and `L⁻¹ SᵀI`, one row per column.
    pub(crate) hinge: Cholesky,
    pub(crate) Z: [Vector6<f64>; MAX_HINGE_VELOCITIES],
    /// Solve: `L⁻¹` of the elastic right-hand side, and of that of the hinge.
    pub(crate) y: Vec<f64>,
    pub(crate) u: [f64; MAX_HINGE_VELOCITIES],
}

impl BodyWork {
    /// No wrench on its interfaces and frame.
    pub(crate) fn clear_bias(&mut self) {
        self.p = Wrench::zeros();
        for T in &mut self.interfaces {
            T.p = Wrench::zeros();
        }
    }
}

/// Everything a step writes. One per thread; made once, then no step allocates.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(crate) bodies: Vec<BodyWork>,
    /// Residual of the equations of motion per velocity coordinate; at prescribed ones the drive force.
    pub(crate) r: Vec<f64>,
    /// Sum of the sizes of the terms of each residual.
    pub(crate) reference: Vec<f64>,
    /// Diagonal of the Newton matrix as met in the elimination: it makes residuals comparable.
    pub(crate) diagonal: Vec<f64>,
    /// Solution of the last solve.
    pub(crate) delta: Vec<f64>,
    /// Step of the velocity coordinates, δ = ∫v dt.
    pub(crate) increment: Vec<f64>,
    /// Velocity coordinates that the equations of motion determine: all but the prescribed ones.
    pub(crate) unknowns: Vec<usize>,
    pub(crate) coefficients: Option<Coefficients>,
    /// Right-hand side of a sweep.
    pub(crate) rhs: Vec<f64>,
    pub(crate) closure: ClosureWork,
    /// What the drive of each velocity coordinate remembers.
    pub(crate) memory: Vec<Memory>,
    /// Forces of one damping between links.
    pub(crate) damping: Vec<f64>,
    pub(crate) damped: DampedSolve,
}

/// The Newton matrix `c_m M + c_d D + c_k K`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients {
    pub(crate) m: f64,
    pub(crate) d: f64,
    pub(crate) k: f64,
}

impl Workspace {
    /// Scratch for a model.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies().iter().map(|body| {
            let n = body.link.coordinate_count();
            let interfaces = body.link.interfaces.iter().zip(&body.payloads).map(|(interface, payload)| {
                let moves = |k: &usize| interface.V.column(*k).iter().any(|x| *x != 0.0);
                let columns = if interface.G.is_some() || body.link.invariants.chord.is_some() {
                    0..n
                } else {
                    (0..n).find(moves).unwrap_or(0)..(0..n).rev().find(moves).map_or(0, |k| k + 1)
                };
                let moment = Vector3::new(payload[(5, 1)], payload[(3, 2)], payload[(4, 0)]);
                let V = DMatrix::from_fn(6, columns.len(), |c, k| interface.V[(c, columns.start + k)]);
                let curvature: Vec<DMatrix<f64>> =
                    interface.G.iter().flat_map(|G| G.iter()).map(|G| -G).collect();
                InterfaceWork {
                    motion: QuadraticMap::new(&V, &curvature),
                    spin_map: Matrix3::identity(),
                    columns,
                    payload: (payload.amax() > 0.0).then(|| (payload[(0, 0)], moment, *payload)),
                    X_LT: interface.X_LT,
                    X_WT: Transform::identity(),
                    V: Twist::zeros(),
                    A: Twist::zeros(),
                    F: Wrench::zeros(),
                    load: Wrench::zeros(),
                    I: Matrix6::zeros(),
                    p: Wrench::zeros(),
                    dA: Twist::zeros(),
                }
            });
            let is_unknown = |i: &usize| body.coordinates.get(*i).is_none_or(|c| c.motion().is_none());
            let unknown: Vec<usize> = (0..body.hinge.velocity_count()).filter(is_unknown).collect();
            BodyWork {
                X_TL: Transform::identity(),
                X_WL: Transform::identity(),
                V: Twist::zeros(),
                A: Twist::zeros(),
                S: [Twist::zeros(); MAX_HINGE_VELOCITIES],
                inertia: InertiaTerms::new(&body.link.invariants),
                interfaces: interfaces.collect(),
                F: Wrench::zeros(),
                load: Wrench::zeros(),
                closing: Wrench::zeros(),
                p: Wrench::zeros(),
                hinge: Cholesky::new(unknown.len()),
                free: unknown.clone(),
                unknown,
                K: Panel::new(&body.link.K),
                damped: body.link.D.iter().any(|x| *x != 0.0),
                own_damping: damped::own_block(model, body),
                hinge_damping: damped::own_of_hinge(model, body),
                base: vec![0.0; n * n],
                elastic: Cholesky::new(n),
                Y: vec![Vector6::zeros(); n],
                IJ: vec![[[0.0; 8]]; n],
                IJ_at_L: vec![[[0.0; 8]]; n],
                I: Matrix6::zeros(),
                Z: [Vector6::zeros(); MAX_HINGE_VELOCITIES],
                y: vec![0.0; n],
                u: [0.0; MAX_HINGE_VELOCITIES],
            }
        });
        let n = model.velocity_count();
        let zeros = || vec![0.0; n];
        let bodies: Vec<BodyWork> = bodies.collect();
        let unknowns = model.bodies().iter().zip(&bodies).flat_map(|(body, w)| {
            let start = body.hinge_velocities().start;
            w.unknown.iter().map(move |k| start + k).chain(body.elastic_velocities())
        });
        let closure = ClosureWork::new(model);
        let closing = closure.unknown.iter().map(|unknown| unknown.velocity);
        Self {
            unknowns: unknowns.chain(closing).collect(),
            increment: zeros(),
            bodies,
            r: zeros(),
            reference: zeros(),
            diagonal: vec![1.0; n],
            delta: zeros(),
            coefficients: None,
            rhs: zeros(),
            memory: vec![Memory::default(); n],
            damping: coupled_damping::scratch(model),
            damped: DampedSolve::new(model, closure.multipliers.len()),
            closure,
        }
    }

    /// Pose of a link frame in the world, as last evaluated.
    pub fn X_WL(&self, body: BodyIndex) -> &Transform {
        &self.bodies[body].X_WL
    }

    /// Pose of a deformed outboard triad in the world, as last evaluated.
    pub fn X_WT(&self, at: InterfaceRef) -> &Transform {
        &self.bodies[at.body].interfaces[at.interface].X_WT
    }

    /// Twist of a deformed outboard triad, at and in the triad.
    pub fn V_WT(&self, at: InterfaceRef) -> &Twist {
        &self.bodies[at.body].interfaces[at.interface].V
    }

    /// Wrench that the hinge gives to the link, at and in the link frame.
    pub fn hinge_wrench(&self, body: BodyIndex) -> &Wrench {
        &self.bodies[body].F
    }

    /// Wrench that the link gives to payload and children at an interface, at and in the deformed triad.
    pub fn interface_wrench(&self, at: InterfaceRef) -> &Wrench {
        &self.bodies[at.body].interfaces[at.interface].F
    }

    /// Wrench that a loop joint gives to its child, at and in the child's frame.
    pub fn loop_wrench(&self, joint: LoopIndex) -> Wrench {
        let first = 6 * joint.0;
        Wrench::from_column_slice(&self.closure.multipliers[first..first + 6])
    }

    /// Wrench that the hinge gives to the link, at and in the joint frame on the parent, which sits at `X_TP`
    /// of the triad: of a sliding joint this is the load of the grip.
    pub fn hinge_wrench_on_parent(&self, body: BodyIndex, X_TP: &Transform) -> Wrench {
        let w = &self.bodies[body];
        (X_TP.inverse() * w.X_TL).return_wrench(&w.F)
    }

    /// Residual of a velocity coordinate; at a prescribed one the drive force (N·m, N).
    pub fn drive_residual(&self, velocity: usize) -> f64 {
        self.r[velocity]
    }

    /// Multipliers of all closures in the order of their rows: constraints, then what force elements push (N,
    /// N·m).
    pub fn multipliers(&self) -> &[f64] {
        &self.closure.multipliers
    }

    /// What each row of the closures measures: misfit of constraints, deformation of force elements (m, rad),
    /// and rate.
    pub fn closure_row(&self, row: usize) -> (f64, f64) {
        (self.closure.rows[row].position, self.closure.rows[row].rate)
    }

    /// Largest misfit of position and of velocity over all constraints (m, m/s; angles times the machine's
    /// length).
    pub fn constraint_error(&self) -> (f64, f64) {
        let c = &self.closure;
        let mut worst = (0.0f64, 0.0f64);
        for (row, angular) in c.rows[..c.constraints].iter().zip(&c.angular) {
            let scale = if *angular { c.length } else { 1.0 };
            worst = (worst.0.max(row.position.abs() * scale), worst.1.max(row.rate.abs() * scale));
        }
        worst
    }

    /// Linear and angular momentum of the machine about the world's origin, in world axes, rotors left out.
    pub fn momentum(&self) -> Wrench {
        let mut total = Wrench::zeros();
        for body in &self.bodies {
            total += body.X_WL.return_wrench(&body.inertia.momentum);
            for interface in &body.interfaces {
                if let Some((_, _, I)) = &interface.payload {
                    total += interface.X_WT.return_wrench(&(I * interface.V));
                }
            }
        }
        total
    }
}
