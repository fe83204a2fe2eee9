//! Running a case from start to end.

use pliant_mechanism::{Model, Redundancy};

use crate::closures::assembly::{moved_starts, redundant_constraints};
use crate::integration::events::{Events, Stop};
use crate::integration::resolution::{StepWatch, all_finite, rate_jumps, unresolved};
use crate::kinematics::deformation::DeformationWatch;
use crate::kinematics::energy::BalanceWatch;
use crate::linear::analysis::Linear;
use crate::statics::balanced::Balanced;
use crate::{
    Energy, Flow, Frame, Nominal, Observer, Settings, Simulation, SimulationError, SolverStatistics, State,
    Warning, Workspace,
};

/// Which equations are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisKind {
    /// Flexible links, all coupling.
    #[default]
    Nonlinear,
    /// Small vibration about the nominal rigid motion: time-varying matrices of the exact linearisation.
    Linear,
    /// All links and bearings rigid.
    Rigid,
    /// Links in balance with gravity, loads and the inertia forces of the nominal motion; no vibration.
    QuasiStatic,
    /// Static equilibrium at each time, which is the parameter of a load continuation.
    Static,
}

/// Where a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Undeformed.
    #[default]
    Undeformed,
    /// In static equilibrium under gravity and the loads at the start; joints without stiffness held.
    StaticEquilibrium,
    /// In balance with the joint rates of the start: a machine that spins without vibration.
    Steady,
}

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepControl {
    /// The same step throughout (s).
    Fixed {
        /// Step.
        step: f64,
    },
    /// Steps that keep the local error below a part of the largest displacement per `max_step` seen so far.
    ErrorControlled {
        /// That part; 1e-4 is a usual value.
        tolerance: f64,
        /// Smallest step (s); below it the run ends with an error.
        min_step: f64,
        /// Largest step (s).
        max_step: f64,
    },
}

/// Runs a case: sets up the start, integrates to the end, and hands a frame to the observer at the start and
/// at every output time.
///
/// # Errors
/// When the start, a step or an output fails.
pub fn simulate(
    model: &Model,
    kind: AnalysisKind,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<SolverStatistics, SimulationError> {
    check(settings)?;
    let given = model;
    let (events, pulses) = Events::new(given, settings);
    all_finite(given, settings, &events)?;
    // An analysis without steps shows the forces themselves.
    let stepped = !matches!(kind, AnalysisKind::QuasiStatic | AnalysisKind::Static);
    let exact = stepped.then(|| pulses.exact(given)).flatten();
    let model = exact.as_ref().unwrap_or(given);
    let (rigid, redundancy) = (model.rigid(), model.closures().redundancy);
    let followed = model.nominal();
    let mut without_nominal = None;
    let mut nominal = match (Nominal::new(&followed, settings), kind) {
        (Err(error), AnalysisKind::Linear | AnalysisKind::QuasiStatic) => return Err(error),
        (Ok(nominal), _) => nominal,
        (Err(error), _) => {
            without_nominal = Some(error);
            let mut nominal = Nominal::without(&followed, settings);
            nominal.lose();
            nominal
        }
    };
    if kind == AnalysisKind::Static && !nominal.is_prescribed() {
        nominal.lose();
    }
    let model = if kind == AnalysisKind::Rigid { &rigid } else { model };
    let machine = match kind {
        AnalysisKind::Nonlinear | AnalysisKind::Rigid => {
            let simulation = Simulation::new(model, settings)?;
            if redundancy == Redundancy::Refuse {
                tell_of_rigid_loops(model, simulation.work(), settings.t_start, observer);
            }
            Machine::Moving(Box::new(simulation))
        }
        AnalysisKind::Linear => Machine::Perturbed(Box::new(Linear::new(model, settings, &nominal)?)),
        AnalysisKind::QuasiStatic => Machine::Following(Box::new(Balanced::new(model, settings)?)),
        AnalysisKind::Static => Machine::Resting(Box::new(Balanced::at_rest(model, settings)?)),
    };
    if let Some(error) = without_nominal {
        observer.warning(&no_nominal_motion(settings.t_start, &error));
    }
    let mut run = Run {
        given,
        model,
        machine,
        nominal,
        observer,
        watch: DeformationWatch::new(model),
        events,
        balance: BalanceWatch::default(),
    };
    if let Some(stop) = run.events.at_start(settings.t_start) {
        run.cross(&stop)?;
    }
    for warning in unresolved(given, kind, settings, &run.events, run.machine.parts().0) {
        run.observer.warning(&warning);
    }
    run.warn_of_moved_starts(settings);
    let outcome = run.through(kind, settings);
    run.finish(settings);
    outcome?;
    Ok(*run.machine.statistics())
}

/// Says that from here on there is nothing to compare the run with.
fn no_nominal_motion(t: f64, error: &SimulationError) -> Warning {
    let message = format!(
        "the machine with rigid links cannot follow this motion, so that there is no nominal motion and no tip error from here on; the run \
         continues (nominal = \"none\" or \"path\" needs no rigid machine): {error}"
    );
    Warning { t, subject: "nominal motion".to_owned(), message }
}

/// Warns of what a flexible machine's loops lose when its links become rigid: reactions that elasticity tells
/// apart.
fn tell_of_rigid_loops(model: &Model, work: &Workspace, t: f64, observer: &mut dyn Observer) {
    let redundant = redundant_constraints(model, work);
    if redundant.is_empty() {
        return;
    }
    let message = format!(
        "rigid links do not determine these reactions; the smallest possible ones are used (redundant = \"least-norm\"), which \
         does not affect the motion: {}",
        redundant.join("; ")
    );
    observer.warning(&Warning { t, subject: "closed loops of rigid links".to_owned(), message });
}

fn check(settings: &Settings) -> Result<(), SimulationError> {
    let wrong = |setting, message: String| Err(SimulationError::Setting { setting, message });
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !(settings.t_end.is_finite() && settings.t_end > settings.t_start) {
        return wrong(
            "t_end",
            format!("must lie after t_start = {}, found {}", settings.t_start, settings.t_end),
        );
    }
    if !positive(settings.output_interval) {
        return wrong("output_interval", format!("must be positive, found {}", settings.output_interval));
    }
    match settings.step {
        StepControl::Fixed { step } if !positive(step) => {
            wrong("step", format!("must be positive, found {step}"))
        }
        StepControl::ErrorControlled { tolerance, min_step, max_step }
            if !(positive(tolerance)
                && positive(min_step)
                && max_step.is_finite()
                && max_step >= min_step) =>
        {
            let found = format!("found {tolerance}, {min_step} and {max_step}");
            let message = "tolerance and min_step must be positive, max_step not below min_step";
            wrong("step", format!("{message}, {found}"))
        }
        _ => Ok(()),
    }
}

/// What is moved through time.
enum Machine<'a> {
    Moving(Box<Simulation<'a>>),
    /// In equilibrium with the inertia forces of the nominal motion.
    Following(Box<Balanced<'a>>),
    Perturbed(Box<Linear<'a>>),
    /// In static equilibrium.
    Resting(Box<Balanced<'a>>),
}

impl Machine<'_> {
    fn parts(&mut self) -> (&State, &Workspace, Energy, &SolverStatistics) {
        match self {
            Self::Moving(m) => {
                let energy = *m.energy();
                (m.state(), m.work(), energy, m.statistics())
            }
            Self::Perturbed(p) => (p.state(), p.work(), *p.energy(), p.statistics()),
            Self::Following(b) | Self::Resting(b) => b.parts(),
        }
    }

    fn statistics(&self) -> &SolverStatistics {
        match self {
            Self::Moving(m) => m.statistics(),
            Self::Perturbed(p) => p.statistics(),
            Self::Following(b) | Self::Resting(b) => b.statistics(),
        }
    }
}

struct Run<'a> {
    /// The machine as it was given.
    given: &'a Model,
    /// The machine that is integrated.
    model: &'a Model,
    machine: Machine<'a>,
    nominal: Nominal<'a>,
    observer: &'a mut dyn Observer,
    watch: DeformationWatch,
    events: Events,
    balance: BalanceWatch,
}

impl Run<'_> {
    fn output(&mut self, t: f64) -> Result<Flow, SimulationError> {
        if let Machine::Resting(_) = &self.machine {
            self.nominal.evaluate_at_rest(t);
        } else {
            self.nominal.evaluate(t);
        }
        if let Machine::Following(balanced) = &mut self.machine {
            balanced.follow(&self.nominal)?;
            self.watch_deformation()?;
        }
        let (state, work, energy, statistics) = self.machine.parts();
        self.balance.take(t, &energy);
        let frame =
            Frame { model: self.model, state, work, energy: &energy, nominal: &self.nominal, statistics };
        self.observer.frame(&frame).map_err(|error| SimulationError::Output { t, error })
    }

    /// From the start to the end.
    fn through(&mut self, kind: AnalysisKind, settings: &Settings) -> Result<(), SimulationError> {
        if self.output(settings.t_start)? == Flow::Stop {
            return Ok(());
        }
        match (settings.step, kind) {
            (
                StepControl::ErrorControlled { tolerance, min_step, max_step },
                AnalysisKind::Nonlinear | AnalysisKind::Rigid,
            ) => self.controlled(settings, tolerance, min_step, max_step),
            // Nothing to control where nothing is integrated but, perhaps, the nominal motion.
            (
                StepControl::ErrorControlled { max_step, .. },
                AnalysisKind::QuasiStatic | AnalysisKind::Linear | AnalysisKind::Static,
            ) => self.fixed(settings, max_step),
            (StepControl::Fixed { step }, _) => self.fixed(settings, step),
        }
    }

    /// Warns of start values that assembly or equilibrium have moved.
    fn warn_of_moved_starts(&mut self, settings: &Settings) {
        // A static analysis looks for its equilibrium from there.
        if matches!(self.machine, Machine::Resting(_)) {
            return;
        }
        let state = self.machine.parts().0;
        for warning in moved_starts(self.model, state, settings.start) {
            self.observer.warning(&warning);
        }
    }

    /// Says what the run as a complete was worth.
    fn finish(&mut self, settings: &Settings) {
        let observer = &mut *self.observer;
        self.watch.finish(self.model, &mut |warning: &Warning| observer.warning(warning));
        if let Machine::Moving(_) = &self.machine {
            let jumps = rate_jumps(self.model, settings, self.events.margin());
            if let Some(warning) = self.balance.warning(&settings.scheme, &jumps) {
                self.observer.warning(&warning);
            }
        }
    }

    fn watch_deformation(&mut self) -> Result<(), SimulationError> {
        let (state, work) = match &self.machine {
            Machine::Moving(m) => (m.state(), m.work()),
            Machine::Perturbed(p) => (p.state(), p.work()),
            Machine::Following(b) | Machine::Resting(b) => {
                let (state, work, ..) = b.parts();
                (state, work)
            }
        };
        let observer = &mut *self.observer;
        let report = &mut |warning: &Warning| observer.warning(warning);
        self.watch.check(self.model, state.t, work, &state.q, report)
    }

    /// Takes the nominal motion along.
    fn advance_nominal(&mut self, t: f64, h: f64) -> Result<(), SimulationError> {
        let advanced = self.nominal.advance_to(t, h);
        self.keep_nominal(t, advanced)
    }

    /// Analyses that are about the nominal motion need it; others go on without.
    fn keep_nominal(&mut self, t: f64, moved: Result<(), SimulationError>) -> Result<(), SimulationError> {
        let Err(error) = moved else { return Ok(()) };
        if matches!(self.machine, Machine::Perturbed(_) | Machine::Following(_)) {
            return Err(error);
        }
        self.nominal.lose();
        self.observer.warning(&no_nominal_motion(t, &error));
        Ok(())
    }

    fn fixed(&mut self, settings: &Settings, step: f64) -> Result<(), SimulationError> {
        // Complete steps that end exactly at t_end, outputs at complete steps; 1e-9 forgives a length given
        // in decimals.
        let length = settings.t_end - settings.t_start;
        let count = (length / step - 1e-9).ceil().max(1.0) as u64;
        let h = length / count as f64;
        let every = (settings.output_interval / h).round().max(1.0) as u64;
        match &self.machine {
            Machine::Moving(simulation) => simulation.controllers().check_step(h)?,
            Machine::Perturbed(linear) => linear.controllers().check_step(h)?,
            Machine::Following(_) | Machine::Resting(_) => {}
        }
        let mut begin = settings.t_start;
        for n in 1..=count {
            // Times by multiplication, not by summing: no drift over a long run.
            let target = settings.t_start + length * (n as f64 / count as f64);
            let mut divided = false;
            loop {
                let stop = self.events.towards(target, h);
                let arrives = stop.t == target;
                // A step that no event divides is h to the last digit.
                let part = if arrives && !divided { h } else { stop.t - begin };
                self.step(&stop, part)?;
                begin = stop.t;
                if arrives {
                    break;
                }
                divided = true;
            }
            if (n % every == 0 || n == count) && self.output(target)? == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    /// One step of length `h` of machine and nominal motion, and across the event at its end.
    fn step(&mut self, stop: &Stop, h: f64) -> Result<(), SimulationError> {
        if let Machine::Moving(simulation) = &mut self.machine {
            simulation.advance_to(stop.before, h)?;
            self.watch_deformation()?;
        }
        if let Machine::Resting(statics) = &mut self.machine {
            statics.advance_to(stop.before)?;
            self.watch_deformation()?;
        }
        self.advance_nominal(stop.before, h)?;
        if let Machine::Perturbed(linear) = &mut self.machine {
            self.nominal.evaluate(stop.before);
            linear.advance(&self.nominal, h)?;
            self.watch_deformation()?;
        }
        self.events.reached(stop, h);
        self.cross(stop)
    }

    /// Crosses the event of a stop, if it has one.
    fn cross(&mut self, stop: &Stop) -> Result<(), SimulationError> {
        let Some(after) = stop.after else { return Ok(()) };
        if let Machine::Moving(simulation) = &mut self.machine {
            simulation.cross(after, stop.t)?;
        }
        if let Machine::Resting(statics) = &mut self.machine {
            statics.cross(after, stop.t)?;
            self.watch_deformation()?;
        }
        let crossed = self.nominal.cross(after, stop.t);
        self.keep_nominal(stop.t, crossed)?;
        if let Machine::Perturbed(linear) = &mut self.machine {
            self.nominal.evaluate(after);
            linear.cross(&self.nominal, stop.t)?;
        }
        Ok(())
    }

    fn controlled(
        &mut self,
        settings: &Settings,
        tolerance: f64,
        min_step: f64,
        max_step: f64,
    ) -> Result<(), SimulationError> {
        let (mut outputs, mut largest) = (1u64, 0.0);
        let mut watch = StepWatch::new(self.given, &self.events);
        let mut h = (min_step * max_step).sqrt();
        loop {
            let Machine::Moving(simulation) = &mut self.machine else {
                unreachable!("invariant: only a moving machine is controlled");
            };
            let t = simulation.state().t;
            let output = settings.t_start + settings.output_interval * outputs as f64;
            let event = simulation.controllers().next_event();
            let stop = self.events.towards(output.min(event).min(settings.t_end), min_step);
            // Two equal steps rather than one and a sliver.
            let gap = stop.t - t;
            let trial = if h >= gap {
                gap
            } else if 2.0 * h > gap {
                0.5 * gap
            } else {
                h
            };
            let arrives = trial == gap;
            let end = if arrives { stop.before } else { t + trial };
            let ratio = match simulation.try_advance((end, trial), tolerance * max_step, &mut largest) {
                Ok(ratio) => ratio,
                // A step that does not converge counts as one far too large.
                Err(_) if 0.5 * trial > min_step => 64.0,
                Err(error) => return Err(error),
            };
            // Local error grows with h³.
            let factor = (0.9 * ratio.max(1e-6).powf(-1.0 / 3.0)).clamp(0.25, 2.0);
            if ratio > 1.0 {
                if trial * factor < min_step {
                    let (step, subject) = (trial * factor, simulation.worst_of_error());
                    return Err(SimulationError::StepTooSmall { t, step, min_step, subject });
                }
                h = trial * factor;
                continue;
            }
            watch.take(t, end);
            h = (h.max(trial) * factor).clamp(min_step, max_step).min(trial * 2.0).max(min_step);
            self.advance_nominal(end, trial)?;
            self.watch_deformation()?;
            let mut now = end;
            if arrives {
                self.events.reached(&stop, min_step);
                self.cross(&stop)?;
                now = stop.t;
            }
            let near = |goal: f64| (now - goal).abs() <= 1e-12 * (1.0 + goal.abs());
            let last = near(settings.t_end);
            if near(output) || last {
                outputs += 1;
                if self.output(now)? == Flow::Stop {
                    break;
                }
            }
            if last {
                break;
            }
        }
        for warning in watch.warnings(settings, self.machine.statistics().steps) {
            self.observer.warning(&warning);
        }
        Ok(())
    }
}
