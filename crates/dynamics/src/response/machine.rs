//! The linear machine in independent coordinates.

use nalgebra::{DMatrix, DVector, RowDVector};
use pliant_mechanism::{CoordinateRef, Drive, InterfaceRef, Model, Servo};

use crate::linear::eigen::{SymmetricModes, symmetric_modes};
use crate::response::channels::{Channel, Input, Output, frames, units_of};
use crate::response::fed::{Fed, fed};
use crate::response::loads::{LoadRow, load_rows, reactions_of};
use crate::response::matrices::{Matrices, matrices};
use crate::response::oil::LinearOil;
use crate::response::stroke::Stroke;
use crate::response::{About, PoseState};
use crate::{SimulationError, coordinate_label};

/// Rows of closures that differ from the others by less than this part say nothing new.
const INDEPENDENT: f64 = 1e-7;

/// Weight of a coordinate without mass over the largest of the others.
const WITHOUT_MASS: f64 = 1e3;

/// Ratios of damping below this are rounding.
const UNDAMPED: f64 = 1e-9;

/// The same about a motion: frozen in time the equations of a machine without damping that speeds up have
/// real parts of this size (4e-7 for the four-bar of pipelines/flexible-four-bar.toml).
const UNDAMPED_IN_MOTION: f64 = 1e-6;

/// What servos do in a linear machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Servos {
    /// They act, each below its limit. One that samples counts as continuous: `margins` have its clock.
    #[default]
    Closed,
    /// They do nothing, their joints are free; the valves of hydraulic drives are closed.
    Open,
    /// They hold their joints exactly.
    Held,
}

/// A servo in a linear machine.
#[derive(Clone, Debug)]
pub(crate) struct LinearServo {
    pub(crate) name: String,
    /// Unknown that it turns.
    pub(crate) unknown: usize,
    pub(crate) coordinate: CoordinateRef,
    pub(crate) servo: Servo,
    /// θ = row·y.
    pub(crate) row: RowDVector<f64>,
    /// θ̇ = row·ẏ + rate·y.
    pub(crate) rate: RowDVector<f64>,
}

/// Inertia that a drive sees: of a servo, or of a given torque.
#[derive(Clone, Debug)]
pub struct DriveInertia {
    /// Joint coordinate.
    pub name: String,
    /// `rᵀ M r` (kg·m², kg).
    pub total: f64,
    /// `rᵀ M N` by the independent coordinates.
    row: RowDVector<f64>,
}

impl DriveInertia {
    /// `(rᵀ M φ)²`.
    pub(crate) fn of_mode<S: nalgebra::RawStorage<f64, nalgebra::Dyn>>(
        &self,
        y: nalgebra::Vector<f64, nalgebra::Dyn, S>,
    ) -> f64 {
        self.row.iter().zip(y.iter()).map(|(m, y)| m * y).sum::<f64>().powi(2)
    }
}

/// Of all drives whose coordinate is independent, or held: that of a loop that depends on others moves them
/// with it, and has no motion of its own.
fn drive_inertias(
    model: &Model,
    open: &Model,
    (M_all, all_unknowns): (&DMatrix<f64>, &[usize]),
    all: &Matrices,
    (N, M): (&DMatrix<f64>, &DMatrix<f64>),
) -> Vec<DriveInertia> {
    let driven = open.coordinate_refs().filter(|c| {
        let view = model.joint(c.joint);
        matches!(view.coordinates[c.coordinate].drive, Drive::Servo(_) | Drive::Torque(_))
    });
    let inertia = |coordinate: CoordinateRef| {
        let velocity = open.state_entry(coordinate).velocity;
        let name = model.joint(coordinate.joint).name.to_owned();
        if let Some(i) = all.unknowns.iter().position(|j| *j == velocity) {
            let row = N.row(i);
            let own = row.iter().position(|x| *x == 1.0)?;
            let is_unit = row.iter().enumerate().all(|(k, x)| k == own || *x == 0.0);
            return is_unit.then(|| DriveInertia {
                name,
                total: M[(own, own)],
                row: M.row(own).into_owned(),
            });
        }
        let held = all_unknowns.iter().position(|j| *j == velocity)?;
        let row = RowDVector::from_iterator(
            all.unknowns.len(),
            all.unknowns
                .iter()
                .map(|j| all_unknowns.iter().position(|i| i == j).map_or(0.0, |i| M_all[(held, i)])),
        );
        Some(DriveInertia { name, total: M_all[(held, held)], row: row * N })
    };
    driven.filter_map(inertia).collect()
}

/// A machine about a pose: `M ÿ + C ẏ + K y = Nᵀf + integrals of servos` in independent coordinates y of the
/// unknowns x, `x = N y`, `ẋ = N ẏ + Ṅ y`, `ẍ = N ÿ + 2Ṅ ẏ + N̈ y`.
///
/// Constraints `G x = 0` take as many coordinates as they have independent rows; y are the others, so that
/// each has the name it has in the machine. Which ones depend is decided by elimination with pivots in units
/// of the square root of each coordinate's mass.
#[derive(Clone, Debug)]
pub struct LinearMachine {
    pub(crate) t: f64,
    /// Names of x.
    unknown_names: Vec<String>,
    pub(crate) all: Matrices,
    pub(crate) N: [DMatrix<f64>; 3],
    pub(crate) M: DMatrix<f64>,
    pub(crate) C: DMatrix<f64>,
    pub(crate) K: DMatrix<f64>,
    pub(crate) servos: Vec<LinearServo>,
    pub(crate) oils: Vec<LinearOil>,
    /// Torques of the rigid machine that servos are fed; nothing where they do not follow from commands.
    pub(crate) fed: Option<Vec<Fed>>,
    /// Inputs that are lengths of cylinders without oil.
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) frames: Vec<InterfaceRef>,
    /// Rows of the outputs that are loads.
    pub(crate) loads: Vec<LoadRow>,
    /// δλ of the residual forces on all unknowns; empty where no load is wanted.
    pub(crate) reactions: DMatrix<f64>,
    /// Inertia that each drive sees.
    pub(crate) drives: Vec<DriveInertia>,
    /// Modes without damping of the symmetric part of K.
    pub(crate) real: SymmetricModes,
    /// Squares of frequencies below this are free motion.
    pub(crate) free: f64,
    /// Ratios of damping below this are none.
    pub(crate) undamped: f64,
}

/// A mode with a square of its frequency below this part of the highest one moves without deformation.
const FREE: f64 = crate::linear::structure::RIGID;

/// The same (rad²/s²) where K comes from differences, whose rounding holds a free joint by about this.
const FREE_BY_DIFFERENCES: f64 = 4e-5;

impl LinearMachine {
    /// Linearises the machine at a pose. `model` has the servos, `open` is [`Model::without_servos`] of it.
    ///
    /// # Errors
    /// Constraints that lose their rank at the pose, or a coordinate without inertia.
    pub fn new(
        (model, open): (&Model, &Model),
        pose: &PoseState,
        servos: Servos,
        inputs: &[Channel<Input>],
        outputs: &[Channel<Output>],
    ) -> Result<Self, SimulationError> {
        let frames = frames(inputs, outputs);
        let ground = inputs.iter().any(|input| matches!(input.kind, Input::Ground(_)));
        let mut all = matrices(open, pose, &frames, ground);
        let M_all = all.M.clone();
        let all_unknowns = all.unknowns.clone();
        if servos == Servos::Held {
            let turned = model.servos().map(|(c, _)| c).chain(model.hydraulics().map(|(c, _)| c));
            let held: Vec<usize> = turned.map(|c| model.state_entry(c).velocity).collect();
            all = all.without(&held);
        }
        let t = pose.state.t;
        let constraints = pose.work.closure.constraints;
        let expected = constraints - pose.work.closure.redundant.unwrap_or(0);
        let given: Vec<usize> = inputs.iter().filter_map(|input| stroke_row(&input.kind)).collect();
        let Elimination { N, independent, rank, given } = eliminate(&all, constraints, &given);
        let of_strokes = inputs.iter().enumerate().filter(|(_, input)| stroke_row(&input.kind).is_some());
        let strokes = of_strokes.zip(given).filter_map(|((input, _), X)| Some(Stroke { input, X: X? }));
        let strokes = strokes.collect();
        if servos != Servos::Held && rank < expected {
            let subject = "its loops".to_owned();
            return Err(SimulationError::SingularConfiguration { t, subject });
        }
        if rank > expected {
            return Err(SimulationError::RedundancyLost { t, subject: "a constraint".to_owned() });
        }
        let (M, mut C, mut K) = projected(&all, &N);
        let mut closed = Vec::new();
        for (coordinate, servo) in model.servos().filter(|_| servos == Servos::Closed) {
            let velocity = model.state_entry(coordinate).velocity;
            let Some(i) = all.unknowns.iter().position(|j| *j == velocity) else { continue };
            let (row, rate) = (N[0].row(i).into_owned(), N[1].row(i).into_owned());
            let across = row.transpose();
            K += &across * (&row * servo.position_gain + &rate * servo.rate_gain);
            C += &across * &row * servo.rate_gain;
            let name = model.joint(coordinate.joint).name.to_owned();
            closed.push(LinearServo { name, unknown: i, coordinate, servo: servo.clone(), row, rate });
        }
        let mut oils = Vec::new();
        for (coordinate, drive) in model.hydraulics().filter(|_| servos != Servos::Held) {
            let velocity = model.state_entry(coordinate).velocity;
            let Some(i) = all.unknowns.iter().position(|j| *j == velocity) else { continue };
            let (row, rate) = (N[0].row(i).into_owned(), N[1].row(i).into_owned());
            K += row.transpose() * &row * drive.oil_stiffness();
            let (name, closed) = (model.joint(coordinate.joint).name.to_owned(), servos == Servos::Closed);
            let (units, drive) = (units_of(model, coordinate), drive.clone());
            oils.push(LinearOil { name, unknown: i, coordinate, drive, row, rate, units, closed });
        }
        let seen = (&M_all, all_unknowns.as_slice());
        let drives = drive_inertias(model, open, seen, &all, (&N[0], &M));
        let loads = load_rows(open, pose, &all, inputs, outputs);
        let reactions = if loads.is_empty() { DMatrix::zeros(0, 0) } else { reactions_of(&all, constraints) };
        let label = |i: &usize| coordinate_label(open, all.unknowns[*i]);
        let unknown_names = (0..all.unknowns.len()).map(|i| label(&i)).collect();
        let Some(real) = symmetric_modes(&M, &K) else {
            let weak = (0..M.nrows()).min_by(|a, b| M[(*a, *a)].total_cmp(&M[(*b, *b)])).unwrap_or(0);
            let subject = independent.get(weak).map_or_else(String::new, label);
            return Err(SimulationError::Singular { t, subject });
        };
        let highest = real.squares.last().copied().unwrap_or(0.0);
        let by_differences = if pose.about == About::Equilibrium { FREE_BY_DIFFERENCES } else { 0.0 };
        let free = (FREE * highest).max(by_differences);
        let fed = fed(model, pose, &closed);
        let undamped = if pose.about == About::Motion { UNDAMPED_IN_MOTION } else { UNDAMPED };
        let servos = closed;
        Ok(Self {
            t,
            unknown_names,
            all,
            N,
            M,
            C,
            K,
            servos,
            oils,
            fed,
            strokes,
            frames,
            loads,
            reactions,
            drives,
            real,
            free,
            undamped,
        })
    }

    /// The same with the loops of some servos open, and the valves of some hydraulic drives with an input
    /// from outside alone; `None` when its mass is singular, which it is not.
    pub(crate) fn with_open(&self, servos: &[usize], oils: &[usize]) -> Option<Self> {
        let mut open = self.clone();
        open.servos.clear();
        for (k, servo) in self.servos.iter().enumerate() {
            if !servos.contains(&k) {
                open.servos.push(servo.clone());
                continue;
            }
            let LinearServo { row, rate, servo: Servo { position_gain, rate_gain, .. }, .. } = servo;
            let across = row.transpose();
            open.K -= &across * (row * *position_gain + rate * *rate_gain);
            open.C -= &across * row * *rate_gain;
        }
        oils.iter().for_each(|k| open.oils[*k].closed = false);
        if !servos.is_empty() {
            open.real = symmetric_modes(&open.M, &open.K)?;
        }
        Some(open)
    }

    /// Names of all coordinates that move, of which the shapes of modes consist.
    pub fn shape_names(&self) -> &[String] {
        &self.unknown_names
    }

    /// Mass, damping and stiffness in the independent coordinates, with the gains of closed servos.
    pub fn second_order(&self) -> [&DMatrix<f64>; 3] {
        [&self.M, &self.C, &self.K]
    }

    /// Inertia that each drive sees, in the order of their effective inertias in modes.
    pub fn drives(&self) -> &[DriveInertia] {
        &self.drives
    }

    /// Velocity coordinates of the unknowns.
    pub fn unknowns(&self) -> &[usize] {
        &self.all.unknowns
    }

    /// The unknowns that belong to independent coordinates `y`.
    pub(crate) fn unknowns_of(&self, y: &DVector<f64>) -> DVector<f64> {
        &self.N[0] * y
    }
}

impl Matrices {
    /// The same with some velocity coordinates held.
    fn without(self, held: &[usize]) -> Self {
        let keep: Vec<usize> =
            (0..self.unknowns.len()).filter(|i| !held.contains(&self.unknowns[*i])).collect();
        let columns = |A: &DMatrix<f64>| A.select_columns(&keep);
        let square = |A: &DMatrix<f64>| A.select_columns(&keep).select_rows(&keep);
        let frame = |A: &nalgebra::Matrix6xX<f64>| A.select_columns(&keep);
        Self {
            M: square(&self.M),
            C: square(&self.C),
            K: square(&self.K),
            G: [columns(&self.G[0]), columns(&self.G[1]), columns(&self.G[2])],
            stiffness: (self.stiffness.into_iter())
                .map(|row| super::matrices::RowStiffness { J: columns(&row.J), ..row })
                .collect(),
            frames: (self.frames.iter())
                .map(|rows| super::matrices::FrameRows {
                    P: frame(&rows.P),
                    P_rate: frame(&rows.P_rate),
                    P_acceleration: frame(&rows.P_acceleration),
                })
                .collect(),
            momentum: columns(&self.momentum),
            unknowns: keep.iter().map(|i| self.unknowns[*i]).collect(),
        }
    }
}

fn stroke_row(input: &Input) -> Option<usize> {
    match input {
        Input::Stroke(row) => Some(*row),
        _ => None,
    }
}

/// What [`eliminate`] finds.
struct Elimination {
    /// N, Ṅ, N̈.
    N: [DMatrix<f64>; 3],
    /// The unknowns that are independent.
    independent: Vec<usize>,
    /// Rank of the constraints.
    rank: usize,
    /// X, Ẋ, Ẍ of each constraint that is given a value; nothing where others hold it too.
    given: Vec<Option<[DVector<f64>; 3]>>,
}

/// Eliminates the constraints; `given` are the rows of those whose values are inputs (`stroke.rs`).
///
/// With the dependent coordinates d and the independent ones i, `G_d x_d = −G_i x_i`. The independent ones
/// are always the same, so that the derivatives of N follow from those of the constraints alone:
/// `G Ṅ = −Ġ N`, `G N̈ = −2Ġ Ṅ − G̈ N`, both with zero rows at independent coordinates.
fn eliminate(all: &Matrices, constraints: usize, given: &[usize]) -> Elimination {
    let n = all.unknowns.len();
    if constraints == 0 || n == 0 {
        let zero = DMatrix::zeros(n, n);
        let N = [DMatrix::identity(n, n), zero.clone(), zero];
        return Elimination { N, independent: (0..n).collect(), rank: 0, given: Vec::new() };
    }
    // Coordinates of loop joints have no mass: they must depend, and come first.
    let own = |j: usize| Some(all.M[(j, j)]).filter(|mass| *mass > 0.0).map(|mass| mass.sqrt().recip());
    let largest = (0..n).filter_map(own).fold(1.0, f64::max);
    let unit: Vec<f64> = (0..n).map(|j| own(j).unwrap_or(WITHOUT_MASS * largest)).collect();
    let mut G = all.G[0].rows(0, constraints).into_owned();
    G.column_iter_mut().zip(&unit).for_each(|(mut column, unit)| column *= *unit);
    let sizes: Vec<f64> =
        G.row_iter().map(|row| row.norm()).map(|size| if size > 0.0 { size } else { 1.0 }).collect();
    G.row_iter_mut().zip(&sizes).for_each(|(mut row, size)| row /= *size);
    let qr = nalgebra::ColPivQR::new(G);
    let (Q, R) = (qr.q(), qr.r());
    let mut order = RowDVector::from_fn(n, |_, j| j as f64);
    qr.p().permute_columns(&mut order);
    let order: Vec<usize> = order.iter().map(|j| *j as usize).collect();
    let rank = (0..R.nrows().min(n)).take_while(|k| R[(*k, *k)].abs() > INDEPENDENT).count();
    let (dependent, mut independent) = (order[..rank].to_vec(), order[rank..].to_vec());
    independent.sort_unstable();
    let R_d = R.view((0, 0), (rank, rank)).into_owned();
    // Solves G_d X = right, all columns, and puts the rows of X to the dependent coordinates.
    let solve = |right: DMatrix<f64>| {
        let mut scaled = right;
        scaled.row_iter_mut().zip(&sizes).for_each(|(mut row, size)| row /= *size);
        let top = Q.columns(0, rank).transpose() * scaled;
        let X = R_d.solve_upper_triangular(&top).unwrap_or_else(|| DMatrix::zeros(rank, top.ncols()));
        let mut full = DMatrix::zeros(n, X.ncols());
        for (k, j) in dependent.iter().enumerate() {
            full.row_mut(*j).copy_from(&(X.row(k) * unit[*j]));
        }
        full
    };
    let rows = |k: usize| all.G[k].rows(0, constraints);
    let mut N = solve(-rows(0).select_columns(&independent));
    for (k, j) in independent.iter().enumerate() {
        N[(*j, k)] = 1.0;
    }
    let N_rate = solve(-(rows(1) * &N));
    let N_acceleration = solve(-(rows(1) * &N_rate) * 2.0 - rows(2) * &N);
    let stroke = |row: &usize| {
        let unit = DMatrix::from_fn(constraints, 1, |i, _| f64::from(u8::from(i == *row)));
        let X = solve(unit.clone());
        // In units of the row: rounding, or nothing at all.
        let fits = (rows(0) * &X - unit).amax() < 1e-6;
        let X_rate = solve(-(rows(1) * &X));
        let X_acceleration = solve(-(rows(1) * &X_rate) * 2.0 - rows(2) * &X);
        fits.then(|| [X, X_rate, X_acceleration].map(|X| X.column(0).into_owned()))
    };
    let given = given.iter().map(stroke).collect();
    Elimination { N: [N, N_rate, N_acceleration], independent, rank, given }
}

/// `Nᵀ(M ẍ + C ẋ + K x)` by y and its derivatives.
fn projected(all: &Matrices, N: &[DMatrix<f64>; 3]) -> (DMatrix<f64>, DMatrix<f64>, DMatrix<f64>) {
    let across = N[0].transpose();
    let M = &across * &all.M * &N[0];
    let C = &across * (&all.M * &N[1] * 2.0 + &all.C * &N[0]);
    let K = &across * (&all.M * &N[2] + &all.C * &N[1] + &all.K * &N[0]);
    (M, C, K)
}
