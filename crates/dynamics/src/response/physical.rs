//! The machine at a pose in physical coordinates: motions of its interfaces first, then its joints and
//! elastic coordinates as far as those do not determine them.
//!
//! With the independent coordinates y of [`LinearMachine`], every displacement of an interface in world axes
//! and every coordinate of the machine is a row r·y. The new coordinates z = S y are as many of these rows as
//! are independent, taken in order; in them
//!
//! ```text
//! K_z = S⁻ᵀ K S⁻¹,      M_z = S⁻ᵀ M S⁻¹,      all other rows are r S⁻¹ z
//! ```
//!
//! Independence is measured in the norm r M⁻¹ rᵀ, the mobility of what the row measures: metres, radians and
//! amplitudes of modes count alike.

use nalgebra::{DMatrix, DVector, RowDVector, Vector3};
use pliant_mechanism::{InterfaceIndex, InterfaceRef, Model};

use crate::SimulationError;
use crate::kinematics::poses::forward;
use crate::response::channels::{Channel, Order, Output};
use crate::response::matrices::FrameRows;
use crate::response::{LinearMachine, PoseState, Servos};

/// A row of which less than this part of its norm is new does not become a coordinate: S would lose as many
/// digits.
const NEW: f64 = 1e-3;

/// A coordinate of a [`PhysicalMachine`].
#[derive(Clone, Debug, PartialEq)]
pub enum PhysicalCoordinate {
    /// A component of the motion of a frame, by its index in [`PhysicalMachine::frames`].
    Frame {
        /// Index of the frame.
        frame: usize,
        /// Translation along x, y, z (m), rotation about them (rad).
        component: usize,
    },
    /// A coordinate of the machine, by its name.
    Own(String),
}

/// `M z̈ + C ż + K z = f`, and displacements `δ = P z` of interfaces in world axes.
#[derive(Clone, Debug)]
pub struct PhysicalMachine {
    /// What z consists of.
    pub coordinates: Vec<PhysicalCoordinate>,
    /// Stiffness, its symmetric part.
    pub K: DMatrix<f64>,
    /// Mass.
    pub M: DMatrix<f64>,
    /// The symmetric part of the damping.
    pub C: DMatrix<f64>,
    /// Size of what the damping has beside it, by modes (1/s): gyroscopic terms.
    pub gyroscopic: f64,
    /// Size of what the stiffness has beside it, by modes (1/s²): circulatory terms.
    pub circulatory: f64,
    /// Interfaces of all bodies, body by body.
    pub frames: Vec<PhysicalFrame>,
    /// Where the link frames stand (m), body by body.
    pub origins: Vec<Vector3<f64>>,
}

/// An interface.
#[derive(Clone, Debug)]
pub struct PhysicalFrame {
    /// Which.
    pub at: InterfaceRef,
    /// Where it stands (m).
    pub position: Vector3<f64>,
    /// Translation and rotation by z (6×n).
    pub P: DMatrix<f64>,
}

/// The parts of a square matrix: symmetric, and the size of the rest by the columns of `Phi`.
fn parted(A: &DMatrix<f64>, Phi: &DMatrix<f64>) -> (DMatrix<f64>, f64) {
    let symmetric = (A + A.transpose()) * 0.5;
    let rest = Phi.transpose() * (A - &symmetric) * Phi;
    (symmetric, rest.amax())
}

impl PhysicalMachine {
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
        let singular = || SimulationError::Singular { t: pose.time(), subject: "the mass".to_owned() };

        let N = &machine.N[0];
        let row = |frame: &FrameRows| DMatrix::from_fn(6, N.ncols(), |c, k| frame.P.row(c).dot(&N.column(k).transpose()));
        let rows: Vec<_> = machine.all.frames.iter().map(row).collect();
        let elastic = |j: usize| open.bodies().iter().any(|body| body.elastic_velocities().contains(&j));
        let mut own: Vec<usize> = (0..machine.unknowns().len()).collect();
        own.sort_by_key(|i| elastic(machine.unknowns()[*i]));
        let frames = rows.iter().enumerate().flat_map(|(frame, rows)| {
            let coordinate = move |component| PhysicalCoordinate::Frame { frame, component };
            rows.row_iter().enumerate().map(move |(c, row)| (coordinate(c), row.into_owned()))
        });
        let named = own.iter().map(|i| {
            let name = machine.shape_names()[*i].clone();
            (PhysicalCoordinate::Own(name), N.row(*i).into_owned())
        });
        let (coordinates, S) = independent(&machine.M, frames.chain(named)).ok_or_else(singular)?;
        let T = S.try_inverse().ok_or_else(singular)?;

        let Phi = &machine.real.shapes;
        let (K, circulatory) = parted(&machine.K, Phi);
        let (C, gyroscopic) = parted(&machine.C, Phi);
        let turned = |A: DMatrix<f64>| {
            let A = T.transpose() * A * &T;
            (&A + A.transpose()) * 0.5
        };
        let mut work = pose.work.clone();
        let rest = vec![0.0; open.velocity_count()];
        forward(open, &pose.state.q, &rest, &rest, &mut work);
        let frame = |(at, rows): (&InterfaceRef, &DMatrix<f64>)| PhysicalFrame {
            at: *at,
            position: work.X_WT(*at).p,
            P: rows * &T,
        };
        Ok(Self {
            coordinates,
            K: turned(K),
            M: turned(machine.M.clone()),
            C: turned(C),
            gyroscopic,
            circulatory,
            frames: all.iter().zip(&rows).map(frame).collect(),
            origins: work.bodies.iter().map(|body| body.X_WL.p).collect(),
        })
    }
}

/// Takes rows in their order as long as they are new, by Gram–Schmidt in the norm of M⁻¹, until there are as
/// many as coordinates: their names, and the rows one below the other. `None` when M is not positive definite
/// or the rows do not suffice.
fn independent<T>(
    M: &DMatrix<f64>,
    rows: impl Iterator<Item = (T, RowDVector<f64>)>,
) -> Option<(Vec<T>, DMatrix<f64>)> {
    let n = M.nrows();
    let L = M.clone().cholesky()?.unpack();
    let (mut names, mut S, mut basis): (Vec<T>, DMatrix<f64>, Vec<DVector<f64>>) =
        (Vec::new(), DMatrix::zeros(n, n), Vec::new());
    for (name, row) in rows {
        if names.len() == n {
            break;
        }
        let mut left = L.solve_lower_triangular(&row.transpose())?;
        let size = left.norm();
        // Twice is enough (Kahan and Parlett).
        for _ in 0..2 {
            for known in &basis {
                left.axpy(-known.dot(&left), known, 1.0);
            }
        }
        let new = left.norm();
        if size > 0.0 && new > NEW * size {
            S.set_row(names.len(), &row);
            names.push(name);
            basis.push(left / new);
        }
    }
    (names.len() == n).then_some((names, S))
}
