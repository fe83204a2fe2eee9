//! Small vibration of the machine about a pose at rest: natural frequencies and damping ratios.

use std::f64::consts::TAU;

use nalgebra::{DMatrix, Schur};
use pliant_mechanism::Model;

use crate::closures::assembly::assemble;
use crate::closures::schur;
use crate::integration::initial::{Goal, advance, balanced_start, consistent_accelerations};
use crate::kinematics::residual::residual;
use crate::kinematics::workspace::Coefficients;
use crate::linear::eigen::{SymmetricModes, null_space, symmetric_modes};
use crate::linear::structure::{RIGID, inertia_and_rows};
use crate::recursion::articulated::factor;
use crate::statics::stability::noise;
use crate::{Settings, SimulationError, Start, State, Workspace};

/// Natural frequencies (Hz, ascending) of small undamped vibration about the start of a run, with every
/// prescribed coordinate held and all rates zero: `K φ = ω² M φ` with `M = ∂r/∂q̈` and `K = ∂r/∂q` of the
/// residual `r(q, 0, q̈)`, φ in the null space of the constraints.
///
/// `M` is exact, since `r` is linear in the accelerations; `K` comes from central differences and has in it
/// the parts of gravity and of the reactions of constraints: those of the equilibrium, or of the rigid
/// machine at rest where the run starts undeformed. A mode that would grow (a pendulum on its head) counts as
/// 0 Hz, and so does a coordinate that nothing holds.
///
/// # Errors
/// Loops that do not close or are redundant while that is refused, no static equilibrium, or a coordinate
/// without inertia.
pub fn natural_frequencies(model: &Model, settings: &Settings) -> Result<Vec<f64>, SimulationError> {
    let (state, mut work) = at_start(model, settings, Goal::Stable)?;
    let small = Small::new(model, &state, &mut work)?;
    let squares = small.modes.squares.iter().zip(&small.noise);
    let rounded = |(square, noise): (&f64, &f64)| if square > noise { square.sqrt() / TAU } else { 0.0 };
    Ok(squares.map(rounded).collect())
}

/// Ratios below this are rounding of the differences that C comes from.
const UNDAMPED: f64 = 1e-9;

/// A mode of damped vibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VibrationMode {
    /// |λ|/2π of its eigenvalue λ (Hz): the frequency it would have without damping.
    pub frequency_hz: f64,
    /// ζ = −Re λ/|λ|; negative when it grows, −1 when it grows without oscillation (buckling, a pendulum on
    /// its head).
    pub ratio: f64,
}

/// Undamped modes that take part in the damped ones: the lowest, many more than anyone reads.
const PART: usize = 60;

/// Modes of small damped vibration about the start of a run, `(λ²M + λC + K)φ = 0`, by ascending frequency,
/// with every prescribed coordinate held and all rates zero. C is the slope of the residual by the rates:
/// damping of links, bearings and force elements, friction at rest, and the rate gains of servos (a sampled
/// servo holds its torque and has none). Rigid motions and modes that decay without oscillation are left
/// out. An equilibrium need not be stable: the mode that grows says so.
///
/// # Errors
/// As of [`natural_frequencies`].
pub fn vibration_modes(model: &Model, settings: &Settings) -> Result<Vec<VibrationMode>, SimulationError> {
    let (state, mut work) = at_start(model, settings, Goal::Balance)?;
    Ok(Small::new(model, &state, &mut work)?.damped(model, &state, &mut work))
}

/// The same about the pose, deformation and reactions of another state of the run, as if it were at rest.
///
/// # Errors
/// As of [`natural_frequencies`].
pub fn vibration_modes_at(
    model: &Model,
    settings: &Settings,
    state: &State,
) -> Result<Vec<VibrationMode>, SimulationError> {
    let mut work = Workspace::new(model);
    // The start says which constraints are redundant.
    assemble(model, &mut State::initial(model, settings.t_start), &mut work)?;
    work.closure.multipliers.copy_from_slice(&state.multipliers);
    Ok(Small::new(model, state, &mut work)?.damped(model, state, &mut work))
}

/// The start of a run, with the reactions of its constraints.
fn at_start(model: &Model, settings: &Settings, goal: Goal) -> Result<(State, Workspace), SimulationError> {
    let mut work = Workspace::new(model);
    let mut state = State::initial(model, settings.t_start);
    assemble(model, &mut state, &mut work)?;
    if settings.start != Start::Undeformed {
        balanced_start(model, settings, goal, &mut state, &mut work)?;
    } else if work.closure.constraints > 0 {
        let reactions = rigid_reactions(model, settings.t_start)?;
        work.closure.multipliers[..reactions.len()].copy_from_slice(&reactions);
    }
    Ok((state, work))
}

/// Small undamped vibration about a state.
struct Small {
    /// Motions that the constraints allow, column by column, of the unknowns.
    N: DMatrix<f64>,
    modes: SymmetricModes,
    /// Rounding of each mode's ω²: `|φᵀ δK φ|` of a matrix of differences whose rows are off by e is at most
    /// `Σ|φ_i| e_i · Σ|φ_j|`.
    noise: Vec<f64>,
}

impl Small {
    fn new(model: &Model, state: &State, work: &mut Workspace) -> Result<Self, SimulationError> {
        let unknowns = work.unknowns.clone();
        let (M, J) = inertia_and_rows(model, state, &unknowns, work);
        let rest = vec![0.0; model.velocity_count()];
        let units = DMatrix::identity(unknowns.len(), unknowns.len());
        let K = slopes(&unknowns, &units, POSITION_STEP, model.velocity_count(), |change| {
            let mut moved = state.clone();
            advance(model, &mut moved, change);
            residual(model, state.t, &moved.q, &rest, &rest, work);
            unknowns.iter().map(|j| work.r[*j]).collect()
        });
        let constraints = work.closure.constraints;
        let N = null_space(
            &J.rows(0, constraints).into_owned(),
            constraints - work.closure.redundant.unwrap_or(0),
        );
        let Some(modes) = symmetric_modes(&(N.transpose() * M * &N), &(N.transpose() * K * &N)) else {
            let subject = "a coordinate of the machine".to_owned();
            return Err(SimulationError::Singular { t: state.t, subject });
        };
        residual(model, state.t, &state.q, &rest, &rest, work);
        let rows = noise(model, work);
        let X = &N * &modes.shapes;
        let noise = X.column_iter().map(|x| {
            let error: f64 = x.iter().zip(&rows).map(|(x, row)| x.abs() * row).sum();
            error * x.lp_norm(1)
        });
        Ok(Self { noise: noise.collect(), N, modes })
    }

    /// The damped modes: with x = NΦ y of the lowest undamped modes, `ÿ + A ẏ + Λ y = 0` as a system of first
    /// order in (s y, ẏ), s² = |Λ|, whose entries are all of the size of the frequencies.
    fn damped(&self, model: &Model, state: &State, work: &mut Workspace) -> Vec<VibrationMode> {
        let unknowns = work.unknowns.clone();
        let m = self.modes.squares.len().min(PART);
        if m == 0 {
            return Vec::new();
        }
        let X = &self.N * self.modes.shapes.columns(0, m);
        // C is needed along the modes alone.
        let CX = slopes(&unknowns, &X, RATE_STEP, model.velocity_count(), |rates| {
            residual(model, state.t, &state.q, rates, &vec![0.0; rates.len()], work);
            unknowns.iter().map(|j| work.r[*j]).collect()
        });
        let A = X.tr_mul(&CX);
        let highest = self.modes.squares.last().copied().unwrap_or(0.0);
        let mut S = DMatrix::zeros(2 * m, 2 * m);
        let mut rounding = (RIGID * highest).sqrt();
        for (i, square) in self.modes.squares[..m].iter().enumerate() {
            let least = (RIGID * highest).max(self.noise[i]);
            let rigid = square.abs() <= least;
            if rigid {
                rounding = rounding.max(least.sqrt());
            }
            let s = if rigid { 1.0 } else { square.abs().sqrt() };
            S[(i, m + i)] = s;
            S[(m + i, i)] = if rigid { 0.0 } else { -square / s };
        }
        S.view_mut((m, m), (m, m)).copy_from(&(-A));
        let Some(schur) = Schur::try_new(S, f64::EPSILON, 100 * (2 * m + 1)) else { return Vec::new() };
        let mut modes: Vec<VibrationMode> = schur
            .complex_eigenvalues()
            .iter()
            .filter(|value| {
                let (size, oscillates) = (value.norm(), value.im.abs() > 1e-6 * value.norm());
                size > rounding && if oscillates { value.im > 0.0 } else { value.re > 0.0 }
            })
            .map(|value| {
                let ratio = -value.re / value.norm();
                let ratio = if ratio.abs() < UNDAMPED { 0.0 } else { ratio };
                VibrationMode { frequency_hz: value.norm() / TAU, ratio }
            })
            .collect();
        modes.sort_by(|a, b| a.frequency_hz.total_cmp(&b.frequency_hz));
        modes
    }
}

/// Step of positions in differences: large enough for eight digits of a stiffness that stands beside the
/// weight, small enough for geometry of second order.
const POSITION_STEP: f64 = 1e-6;

/// Step of rates in differences: small against the slip rate of friction.
const RATE_STEP: f64 = 1e-5;

/// Central differences of `residual` along each column of `directions`, whose entries are those of the
/// `unknowns`; the largest entry of a column moves by h.
fn slopes(
    unknowns: &[usize],
    directions: &DMatrix<f64>,
    h: f64,
    velocities: usize,
    mut residual: impl FnMut(&[f64]) -> Vec<f64>,
) -> DMatrix<f64> {
    let mut change = vec![0.0; velocities];
    let mut slopes = DMatrix::zeros(unknowns.len(), directions.ncols());
    for (direction, mut slope) in directions.column_iter().zip(slopes.column_iter_mut()) {
        let step = h / direction.amax();
        let mut moved = |step: f64| {
            unknowns.iter().zip(&direction).for_each(|(j, x)| change[*j] = step * x);
            residual(&change)
        };
        let (above, below) = (moved(step), moved(-step));
        for (slope, (above, below)) in slope.iter_mut().zip(above.iter().zip(&below)) {
            *slope = (above - below) / (2.0 * step);
        }
    }
    slopes
}

/// Machines with more coordinates than this are not searched for their lowest frequency.
const MOST_COORDINATES: usize = 300;

/// The lowest of the [`natural_frequencies`] (Hz) that is not free motion; `None` when there is none or the
/// machine is large.
pub(crate) fn lowest_frequency(model: &Model, settings: &Settings) -> Option<f64> {
    if model.velocity_count() > MOST_COORDINATES {
        return None;
    }
    let all = natural_frequencies(model, settings).ok()?;
    let highest = all.last().copied()?;
    // A coordinate that nothing holds has the frequency of rounding.
    all.into_iter().find(|hz| *hz > 1e-6 * highest)
}

/// Inverse iterations of [`vibrates_below`]. Each divides what a mode has in x by its ω² over that of the
/// lowest.
const ITERATIONS: usize = 3;

/// A mode lower than this part of a frequency that is asked about may be rounding.
const FAR_BELOW: f64 = 1e-3;

/// True when the machine has a mode of vibration below `hz` about the start of a run, for a hundredth of the
/// price of [`natural_frequencies`]; false where this is not certain. The quotient `xᵀKx / xᵀMx` of any x is
/// an upper bound of the lowest ω² (Rayleigh), with K and M as they are there. x comes from inverse iteration
/// with the stiffness of the recursion, which is K without the parts of gravity and loads: when it has a
/// factor nothing moves freely, so that the lowest ω² is that of a vibration. Of loops nothing is said.
pub(crate) fn vibrates_below(model: &Model, start: &State, hz: f64) -> bool {
    let mut work = Workspace::new(model);
    if !work.closure.is_empty() || work.unknowns.is_empty() {
        return false;
    }
    let (t, unknowns, rest) = (start.t, work.unknowns.clone(), vec![0.0; model.velocity_count()]);
    residual(model, t, &start.q, &rest, &rest, &mut work);
    let (zero, rows) = (work.r.clone(), noise(model, &work));
    if factor(model, &rest, Coefficients { m: 0.0, d: 0.0, k: 1.0 }, &mut work).is_err() {
        return false;
    }
    let (mut x, mut xMx) = (rest.clone(), 0.0);
    unknowns.iter().for_each(|j| x[*j] = 1.0);
    for iteration in 0..=ITERATIONS {
        residual(model, t, &start.q, &rest, &x, &mut work);
        work.r.iter_mut().zip(&zero).for_each(|(r, zero)| *r -= zero);
        if iteration == ITERATIONS {
            xMx = unknowns.iter().map(|j| x[*j] * work.r[*j]).sum();
            break;
        }
        // −K⁻¹Mx.
        schur::solve(model, |_| 0.0, &mut work);
        let largest = unknowns.iter().fold(0.0f64, |most, j| most.max(work.delta[*j].abs()));
        unknowns.iter().for_each(|j| x[*j] = work.delta[*j] / largest);
    }
    let direction = DMatrix::from_iterator(unknowns.len(), 1, unknowns.iter().map(|j| x[*j]));
    let Kx = slopes(&unknowns, &direction, POSITION_STEP, x.len(), |change| {
        let mut moved = start.clone();
        advance(model, &mut moved, change);
        residual(model, t, &moved.q, &rest, &rest, &mut work);
        unknowns.iter().map(|j| work.r[*j]).collect()
    });
    let error: f64 = direction.iter().zip(&rows).map(|(x, row)| x.abs() * row).sum();
    let (xKx, rounding) = (direction.dot(&Kx), error * direction.lp_norm(1));
    let found = (xKx / xMx).sqrt() / TAU;
    xKx > rounding && (FAR_BELOW * hz..hz).contains(&found)
}

/// Multipliers of the rigid machine's constraints when it starts from rest.
fn rigid_reactions(model: &Model, t: f64) -> Result<Vec<f64>, SimulationError> {
    let rigid = model.nominal();
    let mut work = Workspace::new(&rigid);
    let mut state = State::initial(&rigid, t);
    assemble(&rigid, &mut state, &mut work)?;
    state.v.fill(0.0);
    state.a.fill(0.0);
    consistent_accelerations(&rigid, &mut state, &mut work)?;
    Ok(work.closure.multipliers[..work.closure.constraints].to_vec())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{Matrix3, Vector3};
    use pliant_link::ReducedLink;
    use pliant_mechanism::joint::Prismatic;
    use pliant_mechanism::{Attachment, Bearing, CoordinateSpec, JointSpec, ModelBuilder, Placement};
    use pliant_spatial::Transform;

    use super::*;

    /// Two blocks of 2 kg on springs one after the other, of 800 N/m and of the given stiffness.
    fn blocks(second: f64) -> Model {
        let joint = |name: &str, parent: Attachment, child: &str, stiffness: f64| {
            let mut coordinate = CoordinateSpec::default();
            coordinate.spring.stiffness = stiffness;
            JointSpec {
                name: name.into(),
                parent,
                child: child.into(),
                child_interface: None,
                closes_loop: false,
                joint: Box::new(Prismatic::new(Vector3::x()).unwrap()),
                coordinates: vec![coordinate],
                placement: Placement::Triad,
                bearing: Bearing::default(),
                grip: None,
            }
        };
        let block = |name: &str| {
            let link = ReducedLink::rigid(
                name,
                2.0,
                Vector3::zeros(),
                Matrix3::identity(),
                [("tip".to_owned(), Transform::identity())],
            );
            (name.to_owned(), Arc::new(link))
        };
        ModelBuilder {
            links: vec![block("a"), block("b")],
            joints: vec![
                joint("first", Attachment::Ground, "a", 800.0),
                joint("second", Attachment::interface("a", "tip"), "b", second),
            ],
            ..Default::default()
        }
        .build()
        .unwrap()
    }

    /// Two equal masses and springs in a row: `ω² = (3 ∓ √5)/2 · k/m`.
    #[test]
    fn a_bound_is_between_the_first_frequency_and_what_is_asked() {
        let hz = (0.5 * (3.0 - 5f64.sqrt()) * 400.0).sqrt() / TAU;
        let model = blocks(800.0);
        let start = State::initial(&model, 0.0);
        let found = natural_frequencies(&model, &Settings::default()).unwrap()[0];
        // Differences give eight digits of the stiffness.
        assert!((found / hz - 1.0).abs() < 1e-8, "{found} for {hz}");
        // Three iterations leave at most ((3 − √5)/(3 + √5))³ = 0.003 of the other mode: its square times the
        // ratio 7 of the ω² is 7e-5.
        assert!(vibrates_below(&model, &start, 1.0001 * hz));
        assert!(!vibrates_below(&model, &start, 0.999_999 * hz));
        // A mode so far below may be rounding.
        assert!(!vibrates_below(&model, &start, 1001.0 * hz));
        // What moves freely has frequency zero, which says nothing of the first vibration.
        let free = blocks(0.0);
        assert!(!vibrates_below(&free, &State::initial(&free, 0.0), 1.0001 * hz));
    }
}
