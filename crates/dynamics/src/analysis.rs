//! Running a case from start to end.

use pliant_mechanism::Model;

use crate::{
    Flow, Frame, Nominal, Observer, Settings, Simulation, SimulationError, SolverStatistics, Warning,
};

/// Which equations are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisKind {
    /// Flexible links, all coupling.
    #[default]
    Nonlinear,
    /// All links and bearings rigid.
    Rigid,
}

/// Where a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Undeformed.
    #[default]
    Undeformed,
    /// In static equilibrium under gravity and the loads at the start; joints without stiffness held.
    StaticEquilibrium,
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

/// Runs a case: sets up the start, integrates to the end, and hands a frame to the observer at the start and at
/// every output time.
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
    let rigid = model.rigid();
    let nominal = Nominal::new(&rigid, settings)?;
    let model = if kind == AnalysisKind::Rigid { &rigid } else { model };
    let simulation = Simulation::new(model, settings)?;
    let mut run = Run { model, simulation, nominal, observer };
    if run.output()? == Flow::Continue {
        match settings.step {
            StepControl::Fixed { step } => run.fixed(settings, step)?,
            StepControl::ErrorControlled { tolerance, min_step, max_step } => {
                run.controlled(settings, tolerance, min_step, max_step)?;
            }
        }
    }
    Ok(*run.simulation.statistics())
}

fn check(settings: &Settings) -> Result<(), SimulationError> {
    let wrong = |setting, message: String| Err(SimulationError::Setting { setting, message });
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !(settings.t_end.is_finite() && settings.t_end > settings.t_start) {
        return wrong("t_end", format!("must lie after t_start, is {}", settings.t_end));
    }
    if !positive(settings.output_interval) {
        return wrong("output_interval", format!("must be positive, is {}", settings.output_interval));
    }
    match settings.step {
        StepControl::Fixed { step } if !positive(step) => {
            wrong("step", format!("must be positive, is {step}"))
        }
        StepControl::ErrorControlled { tolerance, min_step, max_step }
            if !(positive(tolerance)
                && positive(min_step)
                && max_step.is_finite()
                && max_step >= min_step) =>
        {
            wrong("step", "tolerance and min_step must be positive, max_step not below min_step".into())
        }
        _ => Ok(()),
    }
}

struct Run<'a> {
    model: &'a Model,
    simulation: Simulation<'a>,
    nominal: Nominal<'a>,
    observer: &'a mut dyn Observer,
}

impl Run<'_> {
    fn output(&mut self) -> Result<Flow, SimulationError> {
        let t = self.simulation.state().t;
        self.nominal.evaluate(t);
        let energy = *self.simulation.energy();
        let frame = Frame {
            model: self.model,
            state: self.simulation.state(),
            work: self.simulation.work(),
            energy: &energy,
            nominal: &self.nominal,
            statistics: self.simulation.statistics(),
        };
        self.observer.frame(&frame).map_err(|message| SimulationError::Output { t, message })
    }

    fn after_step(&mut self) {
        let observer = &mut *self.observer;
        self.simulation.check_deformation(&mut |warning: &Warning| observer.warning(warning));
    }

    fn fixed(&mut self, settings: &Settings, step: f64) -> Result<(), SimulationError> {
        // Whole steps that end exactly at t_end, outputs at whole steps; 1e-9 forgives a length given in decimals.
        let length = settings.t_end - settings.t_start;
        let count = (length / step - 1e-9).ceil().max(1.0) as u64;
        let h = length / count as f64;
        let every = (settings.output_interval / h).round().max(1.0) as u64;
        for n in 1..=count {
            // Times by multiplication, not by summing: no drift over a long run.
            let target = settings.t_start + length * (n as f64 / count as f64);
            let h = target - self.simulation.state().t;
            self.simulation.advance(h)?;
            self.nominal.advance(h)?;
            self.after_step();
            if (n % every == 0 || n == count) && self.output()? == Flow::Stop {
                break;
            }
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
        let mut stops = self.model.kinks();
        stops.retain(|t| *t > settings.t_start && *t < settings.t_end);
        stops.push(settings.t_end);
        let (mut stop, mut outputs, mut largest) = (0, 1u64, 0.0);
        let mut h = (min_step * max_step).sqrt();
        loop {
            let t = self.simulation.state().t;
            let output = settings.t_start + settings.output_interval * outputs as f64;
            let target = stops[stop].min(output).min(settings.t_end);
            // Two equal steps rather than one and a sliver.
            let gap = target - t;
            let trial = if h >= gap {
                gap
            } else if 2.0 * h > gap {
                0.5 * gap
            } else {
                h
            };
            let ratio = match self.simulation.try_advance(trial, tolerance * max_step, &mut largest) {
                Ok(ratio) => ratio,
                // A step that does not converge counts as one far too large.
                Err(_) if 0.5 * trial > min_step => 64.0,
                Err(error) => return Err(error),
            };
            // Local error grows with h³.
            let factor = (0.9 * ratio.max(1e-6).powf(-1.0 / 3.0)).clamp(0.25, 2.0);
            if ratio > 1.0 {
                if trial * factor < min_step {
                    let message = format!(
                        "at t = {t:.6e} s the error needs a step of {:.3e} s, below min_step",
                        trial * factor
                    );
                    return Err(SimulationError::Setting { setting: "step.min_step", message });
                }
                h = trial * factor;
                continue;
            }
            h = (h.max(trial) * factor).clamp(min_step, max_step).min(trial * 2.0).max(min_step);
            self.nominal.advance(trial)?;
            self.after_step();
            let now = self.simulation.state().t;
            let near = |goal: f64| (now - goal).abs() <= 1e-12 * (1.0 + goal.abs());
            let last = near(settings.t_end);
            if near(output) || last {
                outputs += 1;
                if self.output()? == Flow::Stop {
                    return Ok(());
                }
            }
            if last {
                return Ok(());
            }
            while stop + 1 < stops.len() && (near(stops[stop]) || now > stops[stop]) {
                stop += 1;
            }
        }
    }
}
