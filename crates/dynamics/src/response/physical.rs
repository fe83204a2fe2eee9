//! The machine at a pose in physical coordinates: motions of its interfaces first, then its joints and
//! elastic coordinates as far as those do not determine them.
//!
//! With the independent coordinates y of [`LinearMachine`], every displacement of an interface in world axes
//! and every coordinate of the machine is a row r·y. The new coordinates z = S y are as many of these rows as
//! are independent, those of interfaces first; in them
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

/// A motion of an interface of which less than this part of its norm is new does not become a coordinate: S
/// loses as many digits. Where a link is deformed its modes have such small parts in all its interfaces.
const NEW: f64 = 0.05;

/// The same of the machine's own coordinates, of which those that are most new come first: less is rounding.
const LEAST_NEW: f64 = 1e-9;

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
        let row = |frame: &FrameRows| DMatrix::from_iterator(6, N.ncols(), (&frame.P * N).iter().copied());
        let rows: Vec<_> = machine.all.frames.iter().map(row).collect();
        let frames = rows.iter().enumerate().flat_map(|(frame, rows)| {
            let coordinate = move |component| PhysicalCoordinate::Frame { frame, component };
            rows.row_iter().enumerate().map(move |(c, row)| (coordinate(c), row.into_owned()))
        });
        let own = machine.shape_names().iter().zip(N.row_iter());
        let own = own.map(|(name, row)| (PhysicalCoordinate::Own(name.clone()), row.into_owned()));
        let (coordinates, S) =
            independent(&machine.M, frames.collect(), own.collect()).ok_or_else(singular)?;
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

/// A row that may become a coordinate, and what is new of it.
struct Candidate<T> {
    name: T,
    row: RowDVector<f64>,
    size: f64,
    left: DVector<f64>,
}

/// Takes `first` in their order as long as they are new, then of `others` always what is most new, until
/// there are as many as coordinates, by Gram–Schmidt in the norm of M⁻¹: their names, and the rows one below
/// the other. `None` when M is not positive definite or the rows do not suffice.
fn independent<T>(
    M: &DMatrix<f64>,
    first: Vec<(T, RowDVector<f64>)>,
    others: Vec<(T, RowDVector<f64>)>,
) -> Option<(Vec<T>, DMatrix<f64>)> {
    let n = M.nrows();
    let L = M.clone().cholesky()?.unpack();
    let candidate = |(name, row): (T, RowDVector<f64>)| {
        let left = L.solve_lower_triangular(&row.transpose())?;
        Some(Candidate { name, row, size: left.norm(), left })
    };
    let first: Vec<_> = first.into_iter().map(candidate).collect::<Option<_>>()?;
    let mut others: Vec<_> = others.into_iter().map(candidate).collect::<Option<_>>()?;
    let (mut names, mut S) = (Vec::new(), DMatrix::zeros(n, n));
    let mut basis: Vec<DVector<f64>> = Vec::new();
    // Takes a candidate when enough of it is new; twice is enough (Kahan and Parlett).
    let mut take = |mut one: Candidate<T>, least: f64, basis: &mut Vec<DVector<f64>>| {
        for known in basis.iter().chain(basis.iter()) {
            one.left.axpy(-known.dot(&one.left), known, 1.0);
        }
        let new = one.left.norm();
        let takes = basis.len() < n && one.size > 0.0 && new > least * one.size;
        if takes {
            S.set_row(names.len(), &one.row);
            names.push(one.name);
            basis.push(one.left / new);
        }
        takes
    };
    for one in first {
        take(one, NEW, &mut basis);
    }
    let mut seen = 0;
    while basis.len() < n {
        for known in &basis[seen..] {
            others.iter_mut().for_each(|other| other.left.axpy(-known.dot(&other.left), known, 1.0));
        }
        seen = basis.len();
        let part = |one: &Candidate<T>| if one.size > 0.0 { one.left.norm() / one.size } else { 0.0 };
        let most = (0..others.len()).max_by(|a, b| part(&others[*a]).total_cmp(&part(&others[*b])))?;
        take(others.swap_remove(most), LEAST_NEW, &mut basis);
    }
    Some((names, S))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_that_are_new_are_taken() {
        let M = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 4.0, 1e-4]));
        let row = |x: [f64; 3]| RowDVector::from_row_slice(&x);
        // The second says nothing new, the third next to nothing; of the others the last is more new.
        let first =
            vec![("a", row([1.0, 0.0, 0.0])), ("b", row([2.0, 0.0, 0.0])), ("c", row([1.0, 1e-2, 0.0]))];
        let others =
            vec![("d", row([5.0, 1.0, 1e-4])), ("e", row([0.0, 1.0, 0.0])), ("f", row([0.0, 0.0, 1.0]))];
        let (names, S) = independent(&M, first, others).unwrap();
        assert!(names == ["a", "e", "f"] || names == ["a", "f", "e"], "{names:?}");
        assert!(S.determinant().abs() > 0.9);
        assert!(independent(&M, vec![("a", row([1.0, 0.0, 0.0]))], Vec::new()).is_none());
    }
}
