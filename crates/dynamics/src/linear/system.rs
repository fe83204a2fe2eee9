//! The linear equations of a machine about its nominal motion, and their solution.

use pliant_mechanism::{Model, Row};

use crate::closures::assembly::assemble;
use crate::closures::pivoted::RankError;
use crate::closures::saddle::Saddle;
use crate::closures::schur;
use crate::kinematics::residual::residual;
use crate::kinematics::workspace::Coefficients;
use crate::linear::perturbation::Perturbation;
use crate::recursion::tangent::{TangentWork, tangent};
use crate::recursion::{articulated, damped};
use crate::{Nominal, SimulationError, State, Workspace, coordinate_label};

/// `r₀ + M ẍ + C ẋ + K x − Gᵀ λ = 0` with the constraints `g₀ + G x = 0` at a time of the nominal motion.
#[derive(Clone, Debug)]
pub(crate) struct LinearSystem<'m> {
    pub(crate) model: &'m Model,
    /// Nominal joints, undeformed links.
    pub(crate) base: State,
    pub(crate) x: Perturbation,
    pub(crate) work: Workspace,
    pub(crate) scratch: TangentWork,
    pub(crate) saddle: Saddle,
    /// Change of the residual by x, or by a unit of one unknown.
    pub(crate) column: Vec<f64>,
    unit: Perturbation,
    /// Rows of the constraints, nominal and change together.
    pub(crate) rows: Vec<Row>,
    pub(crate) solution: Vec<f64>,
    reuse: Option<Reuse>,
    /// Residual, multipliers and levels of rows of the nominal motion while those of the entire motion stand
    /// in their place.
    nominal: NominalForces,
}

#[derive(Clone, Debug, Default)]
struct NominalForces {
    r: Vec<f64>,
    multipliers: Vec<f64>,
    levels: Vec<[f64; 3]>,
}

/// What the factor of an earlier step has cost and served: as long as a step costs less than the mean since
/// then, it is worth keeping.
#[derive(Clone, Copy, Debug)]
struct Reuse {
    of: Coefficients,
    /// Passes over the machine, those that made the matrix included.
    passes: usize,
    steps: usize,
}

impl<'m> LinearSystem<'m> {
    /// # Errors
    /// When the loops of the flexible machine do not close, or constraints are redundant while that is
    /// refused.
    pub(crate) fn new(model: &'m Model, t: f64) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        // The flexible machine says what is redundant.
        assemble(model, &mut State::initial(model, t), &mut work)?;
        let size = work.unknowns.len() + work.closure.constraints;
        let x = Perturbation::new(model);
        Ok(Self {
            model,
            base: State::initial(model, t),
            unit: x.clone(),
            rows: vec![Row::default(); x.multipliers.len()],
            x,
            work,
            scratch: TangentWork::new(model),
            saddle: Saddle::new(size),
            column: vec![0.0; model.velocity_count()],
            solution: vec![0.0; size],
            reuse: None,
            nominal: NominalForces::default(),
        })
    }

    /// True when the factor at hand is that of an earlier step of these coefficients and still worth its
    /// corrections. Where equations are left over the multipliers hang on the very matrix.
    pub(crate) fn serves(&self, c: Coefficients) -> bool {
        self.reuse.is_some_and(|reuse| reuse.of == c) && self.work.closure.redundant.unwrap_or(0) == 0
    }

    /// Factors the Newton matrix of the nonlinear step at the nominal motion, by recursion and with the
    /// closures' Schur complement: `c_m M + c_d C + c_k K` but for what the nominal motion and its forces add
    /// to C and K. False where that fails.
    pub(crate) fn factor_recursion(&mut self, c: Coefficients) -> bool {
        let (v, work) = (&self.base.v, &mut self.work);
        articulated::factor(self.model, v, c, work).is_ok()
            && schur::factor(self.model, v, c, None, work).is_ok()
    }

    /// Corrects accelerations and multipliers with the factor of [`factor_recursion`](Self::factor_recursion)
    /// after [`evaluate`](Self::evaluate), and adds to `shift` and `shift_rate` what holds positions and
    /// rates on the constraints.
    pub(crate) fn correct_by_recursion(
        &mut self,
        c: Coefficients,
        shift: &mut [f64],
        shift_rate: &mut [f64],
    ) {
        let Self { model, work, nominal, rows, column, x, .. } = self;
        let constraints = rows.len();
        nominal.r.clone_from(&work.r);
        nominal.multipliers.clone_from(&work.closure.multipliers);
        nominal.levels.clear();
        for (own, sum) in work.closure.rows.iter_mut().zip(&*rows) {
            nominal.levels.push([own.position, own.rate, own.acceleration]);
            (own.position, own.rate, own.acceleration) = (sum.position, sum.rate, sum.acceleration);
        }
        work.r.iter_mut().zip(&*column).for_each(|(r, change)| *r += change);
        for (sum, change) in work.closure.multipliers.iter_mut().zip(&x.multipliers) {
            *sum += change;
        }
        work.closure.shift.copy_from_slice(shift);
        work.closure.shift_rate.copy_from_slice(shift_rate);
        schur::correct(model, c, work);
        damped::solve(model, c.d, work);
        shift.copy_from_slice(&work.closure.shift);
        shift_rate.copy_from_slice(&work.closure.shift_rate);
        for &j in &work.unknowns {
            x.a[j] += work.delta[j];
        }
        let sums = work.closure.multipliers.iter().zip(&nominal.multipliers);
        for (change, (sum, nominal)) in x.multipliers.iter_mut().zip(sums.take(constraints)) {
            *change = sum - nominal;
        }
        work.r.copy_from_slice(&nominal.r);
        work.closure.multipliers.copy_from_slice(&nominal.multipliers);
        for (row, level) in work.closure.rows.iter_mut().zip(&nominal.levels) {
            [row.position, row.rate, row.acceleration] = *level;
        }
    }

    /// Size of a vector of the unknowns in the norm of the Newton matrix's diagonal.
    pub(crate) fn size(&self, x: &[f64]) -> f64 {
        let work = &self.work;
        work.unknowns.iter().map(|&j| work.diagonal[j] * x[j] * x[j]).sum::<f64>().sqrt()
    }

    /// Takes note of a step of so many corrections.
    pub(crate) fn count(&mut self, corrections: usize) {
        if let Some(reuse) = &mut self.reuse {
            reuse.passes += corrections;
            reuse.steps += 1;
            if corrections * reuse.steps > reuse.passes {
                self.reuse = None;
            }
        }
    }

    /// Makes room for as many unknowns as there are in `work`.
    pub(crate) fn resize(&mut self) {
        let size = self.work.unknowns.len() + self.rows.len();
        self.saddle = Saddle::new(size);
        self.solution = vec![0.0; size];
        self.reuse = None;
    }

    /// Takes the nominal motion and evaluates the flexible machine, undeformed, in it.
    pub(crate) fn set_base(&mut self, nominal: &Nominal<'_>) {
        nominal.lend_joints(self.model, &mut self.base);
        let constraints = self.rows.len();
        // In the nominal machine cylinders on their commands are constraints too; they stand before the
        // couplings.
        let couplings = self.model.closures().couplings.len();
        let (own, theirs) =
            (constraints - couplings, nominal.model().closures().constraint_count() - couplings);
        let (to, from) = (&mut self.work.closure.multipliers, nominal.work().multipliers());
        to[..own].copy_from_slice(&from[..own]);
        to[own..constraints].copy_from_slice(&from[theirs..theirs + couplings]);
        self.evaluate_base();
    }

    pub(crate) fn evaluate_base(&mut self) {
        let base = &self.base;
        residual(self.model, base.t, &base.q, &base.v, &base.a, &mut self.work);
        self.scratch.prepare(self.model, (&base.q, &base.v, &base.a), &self.work);
    }

    /// Change of residual and rows by x, or by `unit`, into `column` and `scratch`.
    pub(crate) fn nominal_change(&mut self, unit: bool) {
        let base = (self.base.q.as_slice(), self.base.v.as_slice(), self.base.a.as_slice());
        let change = if unit { &self.unit } else { &self.x };
        tangent(self.model, self.base.t, base, change, (&self.work, &mut self.scratch), &mut self.column);
    }

    /// Residual and rows of nominal motion and perturbation together.
    pub(crate) fn evaluate(&mut self) {
        self.nominal_change(false);
        let changes = self.work.closure.rows.iter().zip(&self.scratch.closure.rows);
        for (sum, (row, change)) in self.rows.iter_mut().zip(changes) {
            sum.position = row.position + change.position;
            sum.rate = row.rate + change.rate;
            sum.acceleration = row.acceleration + change.acceleration;
        }
    }

    /// Factors `[c_m M + c_d C + c_k K, −Gᵀ; ∂level, 0]`.
    pub(crate) fn factor(
        &mut self,
        c: Coefficients,
        level: impl Fn(&Row) -> f64,
    ) -> Result<(), SimulationError> {
        let n = self.work.unknowns.len();
        for i in 0..n + self.rows.len() {
            let coordinate = self.work.unknowns.get(i).copied();
            let put = |unit: &mut Perturbation, x: f64| match coordinate {
                Some(j) => (unit.q[j], unit.v[j], unit.a[j]) = (x * c.k, x * c.d, x * c.m),
                None => unit.multipliers[i - n] = x,
            };
            put(&mut self.unit, 1.0);
            self.nominal_change(true);
            put(&mut self.unit, 0.0);
            let column = self.saddle.column(i);
            for (entry, row) in column.iter_mut().zip(&self.work.unknowns) {
                *entry = self.column[*row];
            }
            for (entry, row) in column[n..].iter_mut().zip(&self.scratch.closure.rows) {
                *entry = if i < n { level(row) } else { 0.0 };
            }
        }
        self.reuse = Some(Reuse { of: c, passes: n + self.rows.len(), steps: 0 });
        let redundant = self.work.closure.redundant.unwrap_or(0);
        self.saddle.factor(redundant).map_err(|error| self.singular(error))
    }

    fn singular(&self, error: RankError) -> SimulationError {
        let (t, n) = (self.base.t, self.work.unknowns.len());
        let label = |equation: usize| match self.work.unknowns.get(equation) {
            Some(j) => coordinate_label(self.model, *j),
            None => self.model.row_label(equation - n),
        };
        match error {
            RankError::Lost(k) if k < n => SimulationError::Singular { t, subject: label(k) },
            RankError::Lost(k) => SimulationError::SingularConfiguration { t, subject: label(k) },
            RankError::Awake(k) => SimulationError::RedundancyLost { t, subject: label(k) },
        }
    }

    /// Solves for what takes away the residual and a level of the constraints; returns the size of the
    /// answer.
    pub(crate) fn correct(&mut self, level: impl Fn(&Row) -> f64) -> f64 {
        let n = self.work.unknowns.len();
        for (s, &j) in self.solution.iter_mut().zip(&self.work.unknowns) {
            *s = -(self.work.r[j] + self.column[j]);
        }
        for (s, row) in self.solution[n..].iter_mut().zip(&self.rows) {
            *s = -level(row);
        }
        self.saddle.solve(&mut self.solution)
    }

    /// Solves for the smallest change that takes away a level of the constraints.
    pub(crate) fn project(&mut self, level: impl Fn(&Row) -> f64) {
        let n = self.work.unknowns.len();
        self.solution[..n].fill(0.0);
        for (s, row) in self.solution[n..].iter_mut().zip(&self.rows) {
            *s = -level(row);
        }
        self.saddle.solve(&mut self.solution);
    }

    pub(crate) fn take(&mut self, take: impl Fn(&mut Perturbation, usize, f64)) {
        for (s, &j) in self.solution.iter().zip(&self.work.unknowns) {
            take(&mut self.x, j, *s);
        }
    }

    /// Adds the multipliers of the solution; of redundant ones the smallest, nominal and change together,
    /// remain.
    pub(crate) fn take_multipliers(&mut self) {
        let (n, c) = (self.work.unknowns.len(), &self.work.closure);
        let own = &mut self.x.multipliers;
        for (multiplier, s) in own.iter_mut().zip(&self.solution[n..]) {
            *multiplier += s;
        }
        if c.redundant.unwrap_or(0) > 0 {
            own.iter_mut().zip(&c.multipliers).for_each(|(change, nominal)| *change += nominal);
            let units: Vec<f64> =
                c.angular.iter().map(|angular| if *angular { c.length } else { 1.0 }).collect();
            self.saddle.take_least_norm(&units[..own.len()], own);
            own.iter_mut().zip(&c.multipliers).for_each(|(change, nominal)| *change -= nominal);
        }
    }
}
