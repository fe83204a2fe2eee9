//! Vibration of a machine's structure at a pose, and damping matrices made of its modes.

use std::f64::consts::TAU;

use nalgebra::DMatrix;
use pliant_mechanism::{BodyIndex, CoupledDamping, Model};

use crate::closures::assembly::assemble;
use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::Workspace;
use crate::linear::eigen::{null_space_of, symmetric_modes};
use crate::{SimulationError, State};

/// A mode with a square of its frequency below this part of the highest one moves without deformation.
pub(crate) const RIGID: f64 = 1e-14;

/// Undamped modes `K φ = ω² M φ` of the undeformed machine at a pose, drives held: prescribed and
/// servo-driven joints stand on their commands and cylinders with oil at their lengths. K is the stiffness of
/// links, compliant bearings, joint springs, grips and force elements; gravity and loads have no part in it.
///
/// Damping is formed on the deformations of links, compliant bearings and joint springs (stiffness K_s, part
/// of K):
///
/// ```text
/// D = Σ 2ζ_i/ω_i³ (K_s φ_i)(K_s φ_i)ᵀ
/// ```
///
/// Where K = K_s this is `Σ 2ζ_iω_i (Mφ_i)(Mφ_i)ᵀ` (Caughey 1960), because
/// `Kφ = ω²Mφ`; but its rows at coordinates without stiffness are exactly zero, so that a free joint is not
/// damped at any pose.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Velocity coordinates of K_s.
    coordinates: Vec<usize>,
    /// Elastic coordinates of each body among them.
    elastic: Vec<std::ops::Range<usize>>,
    /// Angular frequencies of the modes that deform, ascending.
    omega: Vec<f64>,
    /// φ at `coordinates`, mode by mode, with φᵀMφ = 1.
    Phi: DMatrix<f64>,
    /// K_s φ.
    W: DMatrix<f64>,
}

impl Structure {
    /// At the pose that the commands have at time `t`, other joints where they start.
    ///
    /// # Errors
    /// Loops that do not close, or a coordinate without inertia.
    pub fn new(model: &Model, t: f64) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        let mut state = State::initial(model, t);
        assemble(model, &mut state, &mut work)?;
        let commanded: Vec<usize> = hinges(model)
            .flat_map(|(_, coordinates, _, at)| coordinates.iter().zip(at))
            .filter_map(|(c, j)| c.drive.command().map(|_| j))
            .collect();
        let unknowns: Vec<usize> = work.unknowns.iter().copied().filter(|j| !commanded.contains(j)).collect();
        let (M, J) = inertia_and_rows(model, &state, &unknowns, &mut work);
        let K_s = stiffness(model, &unknowns);
        let K = &K_s + force_stiffness(model, &unknowns, &J, &work);
        let held = held_rows(model, &work);
        let G = DMatrix::from_fn(held.len(), unknowns.len(), |i, j| J[(held[i], j)]);
        let N = null_space_of(&G);
        let Some(modes) = symmetric_modes(&(N.transpose() * M * &N), &(N.transpose() * K * &N)) else {
            let subject = "a coordinate of the machine".to_owned();
            return Err(SimulationError::Singular { t, subject });
        };
        let highest = modes.squares.last().copied().unwrap_or(0.0);
        let first = modes.squares.iter().take_while(|square| **square <= RIGID * highest).count();
        let Phi = N * modes.shapes.columns(first, modes.squares.len() - first);
        let W = &K_s * &Phi;
        let stiff: Vec<usize> = (0..unknowns.len()).filter(|j| K_s.column(*j).amax() > 0.0).collect();
        let rows = |A: &DMatrix<f64>| DMatrix::from_fn(stiff.len(), A.ncols(), |i, j| A[(stiff[i], j)]);
        let coordinates: Vec<usize> = stiff.iter().map(|j| unknowns[*j]).collect();
        let elastic = model.bodies().iter().map(|body| {
            let at = body.elastic_velocities();
            let start = coordinates.iter().position(|j| *j >= at.start).unwrap_or(coordinates.len());
            start..start + coordinates[start..].iter().take_while(|j| at.contains(j)).count()
        });
        Ok(Self {
            elastic: elastic.collect(),
            omega: modes.squares[first..].iter().map(|square| square.sqrt()).collect(),
            Phi: rows(&Phi),
            W: rows(&W),
            coordinates,
        })
    }

    /// Frequencies of the modes that deform the structure (Hz), ascending.
    pub fn frequencies_hz(&self) -> impl Iterator<Item = f64> {
        self.omega.iter().map(|omega| omega / TAU)
    }

    /// Damping that gives each mode the ratio `ratio(mode from 0, Hz)`.
    pub fn modal_damping(&self, ratio: impl Fn(usize, f64) -> f64) -> CoupledDamping {
        let mut scaled = self.W.clone();
        for (i, omega) in self.omega.iter().enumerate() {
            let factor = 2.0 * ratio(i, omega / TAU) / omega.powi(3);
            scaled.column_mut(i).scale_mut(factor);
        }
        self.damping(scaled * self.W.transpose())
    }

    /// Viscous damping equivalent to structural damping: link b has the loss factor `loss(b)`, its complex
    /// stiffness `K_b(1 + iη_b)`. Over a cycle at ω the viscous force loses as much where `D = K_η/ω`, with
    /// `K_η = Σ η_b K_b`. One stated frequency gives this matrix; more of them give
    ///
    /// ```text
    /// D = F K_η Fᵀ,   F = K_s Φ Ω⁻² ω̃^(−½) Φᵀ,   ω̃_i = ω_i, but not below the lowest stated frequency nor above the highest
    /// ```
    ///
    /// so that every mode between the lowest and the highest has ζ = η/2, and modes outside the ratio `η
    /// ω_i/(2ω̃_i)` of stiffness-proportional damping.
    pub fn loss_damping(
        &self,
        model: &Model,
        loss: impl Fn(BodyIndex) -> f64,
        at_hz: &[f64],
    ) -> CoupledDamping {
        let n = self.coordinates.len();
        let mut K_loss = DMatrix::zeros(n, n);
        for ((b, body), at) in model.indexed_bodies().zip(&self.elastic) {
            // A coordinate without stiffness of its own is not among them.
            let first = body.elastic_velocities().start;
            for (i, row) in at.clone().map(|i| (i, self.coordinates[i] - first)) {
                for (j, column) in at.clone().map(|j| (j, self.coordinates[j] - first)) {
                    K_loss[(i, j)] = loss(b) * body.link.K[(row, column)];
                }
            }
        }
        let lowest = at_hz.iter().copied().fold(f64::INFINITY, f64::min) * TAU;
        let highest = at_hz.iter().copied().fold(0.0, f64::max) * TAU;
        if lowest == highest {
            return self.damping(K_loss / lowest);
        }
        let mut F = self.W.clone();
        for (i, omega) in self.omega.iter().enumerate() {
            let stated = omega.clamp(lowest, highest);
            F.column_mut(i).scale_mut(1.0 / (omega * omega * stated.sqrt()));
        }
        let F = F * self.Phi.transpose();
        self.damping(&F * K_loss * F.transpose())
    }

    fn damping(&self, D: DMatrix<f64>) -> CoupledDamping {
        CoupledDamping { coordinates: self.coordinates.clone(), D: (&D + D.transpose()) * 0.5 }
    }
}

/// Mass of the unknowns and the rows of closures by their rates, both exact because the residual is linear in
/// accelerations.
pub(crate) fn inertia_and_rows(
    model: &Model,
    state: &State,
    unknowns: &[usize],
    work: &mut Workspace,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let rest = vec![0.0; model.velocity_count()];
    let mut at = |a: &[f64]| -> (Vec<f64>, Vec<f64>) {
        residual(model, state.t, &state.q, &rest, a, work);
        let c = &work.closure;
        let unit = |angular: bool| if angular { c.length } else { 1.0 };
        let rows = c.rows.iter().zip(&c.angular).map(|(row, angular)| row.acceleration * unit(*angular));
        (unknowns.iter().map(|j| work.r[*j]).collect(), rows.collect())
    };
    let zero = at(&rest);
    let mut unit = rest.clone();
    let mut M = DMatrix::zeros(unknowns.len(), unknowns.len());
    let mut J = DMatrix::zeros(zero.1.len(), unknowns.len());
    for (column, j) in unknowns.iter().enumerate() {
        unit[*j] = 1.0;
        let (r, rows) = at(&unit);
        unit[*j] = 0.0;
        M.column_mut(column).iter_mut().zip(r.iter().zip(&zero.0)).for_each(|(m, (r, zero))| *m = r - zero);
        J.column_mut(column)
            .iter_mut()
            .zip(rows.iter().zip(&zero.1))
            .for_each(|(m, (r, zero))| *m = r - zero);
    }
    (M, J)
}

/// Stiffness of links, compliant bearings and joint springs among the unknowns.
fn stiffness(model: &Model, unknowns: &[usize]) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(model.velocity_count(), model.velocity_count());
    for body in model.bodies() {
        let at = body.elastic_velocities();
        all.view_mut((at.start, at.start), (at.len(), at.len())).copy_from(&body.link.K);
    }
    for (hinge, coordinates, _, at) in hinges(model) {
        for (c, j) in coordinates.iter().zip(at.clone()) {
            all[(j, j)] += c.spring.stiffness;
        }
        let first = at.start + hinge.joint.velocity_count();
        for (k, (_, stiffness, _)) in hinge.bearing.compliant().enumerate() {
            all[(first + k, first + k)] += stiffness;
        }
    }
    DMatrix::from_fn(unknowns.len(), unknowns.len(), |i, j| all[(unknowns[i], unknowns[j])])
}

/// Stiffness `Jᵀ k J` of force elements and grips where the rows have been evaluated.
fn force_stiffness(model: &Model, unknowns: &[usize], J: &DMatrix<f64>, work: &Workspace) -> DMatrix<f64> {
    let c = &work.closure;
    let mut K = DMatrix::zeros(unknowns.len(), unknowns.len());
    let mut add = |row: usize, column: usize, stiffness: f64| {
        if stiffness != 0.0 {
            let unit = |row: usize| if c.angular[row] { c.length } else { 1.0 };
            K += J.row(row).transpose() * J.row(column) * (stiffness / (unit(row) * unit(column)));
        }
    };
    let mut first = c.constraints;
    for (element, response) in model.closures().forces.iter().zip(&c.responses) {
        let count = element.kind.row_count();
        for i in 0..count {
            (0..count).for_each(|j| add(first + i, first + j, response.stiffness[i][j]));
        }
        first += count;
    }
    for grip in &c.grips {
        let J = DMatrix::from_fn(grip.state.stiffness.len(), unknowns.len(), |i, j| {
            let column = unknowns[j].checked_sub(grip.velocities.start);
            column.and_then(|k| grip.state.row(i).get(k)).copied().unwrap_or(0.0)
        });
        let k = DMatrix::from_fn(J.nrows(), J.nrows(), |i, j| grip.state.stiffness[i][j]);
        K += J.transpose() * k * J;
    }
    K
}

/// Rows that are held: constraints, and force elements that stand on a command.
fn held_rows(model: &Model, work: &Workspace) -> Vec<usize> {
    let constraints = work.closure.constraints;
    let mut held: Vec<usize> = (0..constraints).collect();
    let mut first = constraints;
    for element in &model.closures().forces {
        let count = element.kind.row_count();
        if element.kind.held().is_some() {
            held.extend(first..first + count);
        }
        first += count;
    }
    held
}
