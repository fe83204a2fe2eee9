//! What is kept of a run for its metrics.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use pliant_dynamics::{Flow, Frame, Observer, SettleAbout, TipMetricsCollector, Warning};
use pliant_machine::Settling;
use pliant_mechanism::Model;

use super::name::{JointSignal, Signal};
use super::{Data, Series};

/// Why a run ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It did not.
    Whole,
    /// The study is to stop.
    Stopped,
    /// It took too long.
    TimeLimit,
}

/// Collects the signals that are asked for.
pub(crate) struct Recorder<'a> {
    signals: Vec<(Signal, Source, Vec<f64>)>,
    times: Vec<f64>,
    tip: Option<TipMetricsCollector>,
    settles: bool,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    pub(crate) ending: Ending,
    /// Keeps the whole run.
    pub(crate) keeper: Option<pliant_store::results::Recorder>,
}

/// A signal with its places in the model.
enum Source {
    Time,
    TipError((usize, usize), Option<usize>),
    TipRotation((usize, usize)),
    Tip((usize, usize), usize),
    TipNominal((usize, usize), usize),
    Joint { body: usize, coordinate: usize, what: JointSignal },
    Energy(usize),
}

impl<'a> Recorder<'a> {
    /// Finds the places of the signals in the model.
    ///
    /// # Errors
    /// A signal that the model does not have.
    pub(crate) fn new(
        signals: &[Signal],
        model: &Model,
        tip: Option<(usize, usize)>,
        settling: Option<Settling>,
        stop: &'a AtomicBool,
        deadline: Option<Instant>,
    ) -> Result<Self, String> {
        let placed = signals.iter().map(|s| Ok((s.clone(), source(s, model, tip)?, Vec::new())));
        let tolerance = settling.map_or(f64::INFINITY, |settling| settling.tolerance);
        let about = settling.map_or(SettleAbout::Nominal, |settling| settling.about);
        Ok(Self {
            signals: placed.collect::<Result<_, String>>()?,
            times: Vec::new(),
            tip: tip.map(|tip| TipMetricsCollector::new(tip, tolerance, about)),
            settles: settling.is_some(),
            stop,
            deadline,
            ending: Ending::Whole,
            keeper: None,
        })
    }

    /// What the names of a run stand for: signals, and numbers of the tip.
    pub(crate) fn found(self) -> Vec<(Signal, Series)> {
        let t: Rc<[f64]> = self.times.into();
        self.signals
            .into_iter()
            .map(|(signal, _, y)| (signal, Series { t: t.clone(), y: y.into() }))
            .collect()
    }

    /// Numbers of the tip by their names.
    ///
    /// # Errors
    /// What a long run has put aside cannot be read again.
    pub(crate) fn tip_numbers(&self) -> std::io::Result<Vec<(&'static str, f64)>> {
        let Some(tip) = &self.tip else { return Ok(Vec::new()) };
        let mut m = tip.tip()?;
        if !tip.is_known() {
            (m.peak, m.rms, m.overshoot, m.peak_rotation) = (f64::NAN, f64::NAN, f64::NAN, f64::NAN);
            m.settling_time = None;
        }
        let settling = m.settling_time.filter(|_| self.settles).unwrap_or(f64::NAN);
        Ok(vec![
            ("peak_error", m.peak),
            ("rms_error", m.rms),
            ("residual_error", m.overshoot),
            ("peak_rotation", m.peak_rotation),
            ("settling", settling),
        ])
    }
}

fn source(signal: &Signal, model: &Model, tip: Option<(usize, usize)>) -> Result<Source, String> {
    let at_tip = || tip.ok_or_else(|| "there is no tip".to_owned());
    Ok(match signal {
        Signal::Time => Source::Time,
        Signal::TipError(component) => Source::TipError(at_tip()?, *component),
        Signal::TipRotation => Source::TipRotation(at_tip()?),
        Signal::Tip(component) => Source::Tip(at_tip()?, *component),
        Signal::TipNominal(component) => Source::TipNominal(at_tip()?, *component),
        Signal::Energy(kind) => Source::Energy(*kind),
        Signal::Joint { joint, coordinate, what } => {
            let body = model.bodies().iter().position(|body| body.joint_name == *joint);
            let body = body.ok_or_else(|| format!("there is no joint `{joint}`"))?;
            let names = model.bodies()[body].hinge.joint.coordinates();
            let place = match coordinate {
                None if names.len() == 1 => Some(0),
                None => None,
                Some(name) => names.iter().position(|known| known == name),
            };
            let coordinate = place.ok_or_else(|| {
                format!("name a coordinate of joint `{joint}`, which has: {}", names.join(", "))
            })?;
            Source::Joint { body, coordinate, what: *what }
        }
    })
}

impl Source {
    fn value(&self, frame: &Frame<'_>) -> f64 {
        match *self {
            Self::Time => frame.state.t,
            // What is not there is infinite.
            Self::TipError((b, i), _) | Self::TipRotation((b, i)) | Self::TipNominal((b, i), _)
                if !frame.has_nominal(b, i) =>
            {
                f64::INFINITY
            }
            Self::TipError((b, i), None) => frame.error(b, i).0.norm(),
            Self::TipError((b, i), Some(c)) => frame.error(b, i).0[c],
            Self::TipRotation((b, i)) => frame.error(b, i).1.norm(),
            Self::Tip((b, i), c) => frame.poses(b, i).0.p[c],
            Self::TipNominal((b, i), c) => frame.poses(b, i).1.p[c],
            Self::Joint { body, coordinate, what } => {
                let b = &frame.model.bodies()[body];
                match what {
                    JointSignal::Force => frame.drive_force(body, coordinate),
                    JointSignal::Position => frame.state.q[b.hinge_positions().start + coordinate],
                    JointSignal::Rate => frame.state.v[b.hinge_velocities().start + coordinate],
                }
            }
            Self::Energy(kind) => {
                let e = frame.energy;
                [e.kinetic, e.strain, e.gravity, e.drive_work, e.load_work, e.dissipated, e.balance][kind]
            }
        }
    }
}

impl Observer for Recorder<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, String> {
        if self.stop.load(Ordering::Relaxed) {
            self.ending = Ending::Stopped;
            return Ok(Flow::Stop);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.ending = Ending::TimeLimit;
            return Ok(Flow::Stop);
        }
        self.times.push(frame.state.t);
        for (_, source, values) in &mut self.signals {
            values.push(source.value(frame));
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.frame(frame)?;
        }
        match &mut self.tip {
            Some(tip) => tip.frame(frame),
            None => Ok(Flow::Continue),
        }
    }

    fn warning(&mut self, warning: &Warning) {
        if let Some(keeper) = &mut self.keeper {
            keeper.warning(warning);
        }
    }
}

/// What the names of an expression stand for in one case.
pub(crate) fn look_up<'d>(
    numbers: &'d [(String, f64)],
    signals: &'d [(Signal, Series)],
) -> impl Fn(&str) -> Option<Data> + 'd {
    move |name| {
        if let Some((_, x)) = numbers.iter().find(|(known, _)| known == name) {
            return Some(Data::Number(*x));
        }
        let wanted = Signal::parse(name)?;
        let (_, series) = signals.iter().find(|(signal, _)| *signal == wanted)?;
        Some(Data::Series(series.clone()))
    }
}
