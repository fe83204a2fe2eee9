//! The machine at a pose in its modes without damping, with the motion of all its interfaces.

use nalgebra::{DMatrix, Vector3};
use pliant_mechanism::{InterfaceIndex, InterfaceRef, Model};

use crate::SimulationError;
use crate::kinematics::poses::forward;
use crate::response::channels::{Channel, Order, Output};
use crate::response::{LinearMachine, PoseState, Servos};

/// `η̈ + D η̇ + Λ η = Φᵀf`, and displacements `δ = Φ η` of interfaces in world axes.
#[derive(Clone, Debug)]
pub struct ModalMachine {
    /// Λ (1/s²).
    pub squares: Vec<f64>,
    /// The symmetric part of D (1/s).
    pub damping: DMatrix<f64>,
    /// Size of what D has beside it: gyroscopic terms.
    pub gyroscopic: f64,
    /// Interfaces of all bodies, body by body.
    pub frames: Vec<ModalFrame>,
    /// Where the link frames stand (m), body by body.
    pub origins: Vec<Vector3<f64>>,
}

/// An interface.
#[derive(Clone, Debug)]
pub struct ModalFrame {
    /// Which.
    pub at: InterfaceRef,
    /// Where it stands (m).
    pub position: Vector3<f64>,
    /// Translation and rotation by the modes (6×modes).
    pub shape: DMatrix<f64>,
}

impl ModalMachine {
    /// Linearises the machine at a pose. `model` has the servos, `open` is [`Model::without_servos`] of it.
    ///
    /// # Errors
    /// As of [`LinearMachine::new`].
    pub fn new(
        (model, open): (&Model, &Model),
        pose: &PoseState,
        servos: Servos,
    ) -> Result<Self, SimulationError> {
        let all: Vec<InterfaceRef> = (open.indexed_bodies())
            .flat_map(|(body, own)| {
                let count = own.link.interfaces.len();
                (0..count).map(move |k| InterfaceRef { body, interface: InterfaceIndex(k) })
            })
            .collect();
        let channel = |at: &InterfaceRef| {
            let kind = Output::Interface { at: *at, component: 0, order: Order::Position };
            Channel { name: String::new(), kind }
        };
        let outputs: Vec<_> = all.iter().map(channel).collect();
        let machine = LinearMachine::new((model, open), pose, servos, &[], &outputs)?;
        let Phi = &machine.real.shapes;
        let D = Phi.transpose() * &machine.C * Phi;
        let damping = (&D + D.transpose()) * 0.5;
        let x = &machine.N[0] * Phi;
        let mut work = pose.work.clone();
        let rest = vec![0.0; open.velocity_count()];
        forward(open, &pose.state.q, &rest, &rest, &mut work);
        let frame = |(at, rows): (&InterfaceRef, &crate::response::matrices::FrameRows)| ModalFrame {
            at: *at,
            position: work.X_WT(*at).p,
            shape: DMatrix::from_fn(6, x.ncols(), |i, j| rows.P.row(i).dot(&x.column(j).transpose())),
        };
        Ok(Self {
            squares: machine.real.squares.clone(),
            gyroscopic: (D - &damping).amax(),
            damping,
            frames: all.iter().zip(&machine.all.frames).map(frame).collect(),
            origins: work.bodies.iter().map(|body| body.X_WL.p).collect(),
        })
    }
}
