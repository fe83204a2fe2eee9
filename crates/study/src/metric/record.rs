//! The answers of a case: signals that are collected while it runs, and the metrics that follow from them.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use pliant::Machine;
use pliant::metrics::{metrics, renamed};
use pliant::run::{CaseObserver, Summary};
use pliant_dynamics::{AnalysisKind, Flow, Frame};
use pliant_mechanism::{CoordinateRef, InterfaceRef, Model};
use pliant_store::results::MetricInfo;

use super::name::{JointSignal, Signal};
use super::{Data, Series, number};
use crate::case::parameter_number;
use crate::manifest::Study;

/// Why a run was ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The study is to stop.
    Requested,
    /// It took too long.
    TimeLimit,
}

/// Collects the signals that the questions of a study need, and answers them at the end.
pub(crate) struct Answers<'a> {
    study: &'a Study,
    index: usize,
    signals: Vec<(Signal, Source, Vec<f64>)>,
    times: Vec<f64>,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    /// None unless the run was ended early.
    pub(crate) ending: Option<StopReason>,
}

impl<'a> Answers<'a> {
    pub(crate) fn new(
        study: &'a Study,
        index: usize,
        stop: &'a AtomicBool,
        deadline: Option<Instant>,
    ) -> Self {
        Self { study, index, signals: Vec::new(), times: Vec::new(), stop, deadline, ending: None }
    }

    /// Parameters of the study first, which may have the name of a metric, then the metrics of the run.
    fn numbers(&self, summary: &Summary) -> Vec<(String, f64)> {
        let (study, given) = (self.study, &self.study.cases[self.index]);
        let parameter = |(parameter, given): (&crate::parameter::Parameter, &Option<_>)| {
            let x = parameter_number(parameter, Option::as_ref(given), &study.file.document)?;
            Some((parameter.name.clone(), x))
        };
        let parameters = study.parameters.iter().zip(given).filter_map(parameter);
        let of_run = metrics(summary).into_iter();
        parameters.chain(of_run.map(|m| (m.info.name, m.value.unwrap_or(f64::NAN)))).collect()
    }
}

impl CaseObserver for Answers<'_> {
    fn start(&mut self, kind: AnalysisKind, machine: &Machine) -> Result<(), String> {
        let (model, tip) = (machine.model(kind), machine.tip);
        let find = |signal: Signal| Ok((signal.clone(), source(&signal, model, tip)?, Vec::new()));
        self.signals = self.study.questions.signals().into_iter().map(find).collect::<Result<_, String>>()?;
        Ok(())
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, String> {
        if self.stop.load(Ordering::Relaxed) {
            self.ending = Some(StopReason::Requested);
            return Ok(Flow::Stop);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.ending = Some(StopReason::TimeLimit);
            return Ok(Flow::Stop);
        }
        self.times.push(frame.state.t);
        for (_, source, values) in &mut self.signals {
            values.push(source.value(frame));
        }
        Ok(Flow::Continue)
    }

    fn declared(&self) -> Vec<MetricInfo> {
        let questions = &self.study.questions;
        let info = |metric: &super::Metric| MetricInfo {
            name: metric.name.clone(),
            units: metric.units().to_owned(),
            description: metric.text.clone(),
        };
        questions.metrics.iter().chain(&questions.constraints).map(info).collect()
    }

    fn values(&mut self, summary: &Summary) -> Result<Vec<f64>, String> {
        let mut numbers = self.numbers(summary);
        let t: Rc<[f64]> = std::mem::take(&mut self.times).into();
        let series =
            |(signal, _, y): (Signal, Source, Vec<f64>)| (signal, Series { t: t.clone(), y: y.into() });
        let signals: Vec<_> = std::mem::take(&mut self.signals).into_iter().map(series).collect();
        let questions = &self.study.questions;
        let mut values = Vec::new();
        for metric in questions.metrics.iter().chain(&questions.constraints) {
            let x = number(&metric.node, &look_up(&numbers, &signals))
                .map_err(|error| format!("metric `{}`: {error}", metric.name))?;
            values.push(x);
            numbers.insert(0, (metric.name.clone(), x));
        }
        Ok(values)
    }
}

/// A signal with its indices in the model.
enum Source {
    Time,
    TipError(InterfaceRef, Option<usize>),
    TipRotation(InterfaceRef),
    Tip(InterfaceRef, usize),
    TipNominal(InterfaceRef, usize),
    Joint { at: CoordinateRef, what: JointSignal },
    Energy(usize),
}

fn source(signal: &Signal, model: &Model, tip: Option<InterfaceRef>) -> Result<Source, String> {
    let at_tip = || tip.ok_or_else(|| "there is no tip".to_owned());
    Ok(match signal {
        Signal::Time => Source::Time,
        Signal::TipError(component) => Source::TipError(at_tip()?, *component),
        Signal::TipRotation => Source::TipRotation(at_tip()?),
        Signal::Tip(component) => Source::Tip(at_tip()?, *component),
        Signal::TipNominal(component) => Source::TipNominal(at_tip()?, *component),
        Signal::Energy(kind) => Source::Energy(*kind),
        Signal::Joint { joint, coordinate, what } => {
            let found = model.joints().find(|(_, view)| view.name == joint);
            let (found, view) = found.ok_or_else(|| format!("there is no joint `{joint}`"))?;
            let names = view.hinge.joint.coordinates();
            let place = match coordinate {
                None if names.len() == 1 => Some(0),
                None => None,
                Some(name) => names.iter().position(|known| known == name),
            };
            let coordinate = place.ok_or_else(|| {
                format!("name a coordinate of joint `{joint}`, which has: {}", names.join(", "))
            })?;
            Source::Joint { at: CoordinateRef { joint: found, coordinate }, what: *what }
        }
    })
}

impl Source {
    fn value(&self, frame: &Frame<'_>) -> f64 {
        match *self {
            Self::Time => frame.state.t,
            // What is not there is infinite.
            Self::TipError(tip, _) | Self::TipRotation(tip) | Self::TipNominal(tip, _)
                if !frame.has_nominal(tip) =>
            {
                f64::INFINITY
            }
            Self::TipError(tip, None) => frame.error(tip).0.norm(),
            Self::TipError(tip, Some(c)) => frame.error(tip).0[c],
            Self::TipRotation(tip) => frame.error(tip).1.norm(),
            Self::Tip(tip, c) => frame.poses(tip).0.p[c],
            Self::TipNominal(tip, c) => frame.poses(tip).1.p[c],
            Self::Joint { at, what } => match what {
                JointSignal::Force => frame.drive_force(at),
                JointSignal::Position => frame.state.q[frame.model.state_entry(at).position],
                JointSignal::Rate => frame.state.v[frame.model.state_entry(at).velocity],
            },
            Self::Energy(kind) => {
                let e = frame.energy;
                [e.kinetic, e.strain, e.gravity, e.drive_work, e.load_work, e.dissipated, e.balance][kind]
            }
        }
    }
}

/// What the names of an expression stand for in one case.
fn look_up<'d>(
    numbers: &'d [(String, f64)],
    signals: &'d [(Signal, Series)],
) -> impl Fn(&str) -> Option<Data> + 'd {
    move |name| {
        let find = |name: &str| numbers.iter().find(|(known, _)| known == name);
        if let Some((_, x)) = find(name).or_else(|| find(renamed(name)?)) {
            return Some(Data::Number(*x));
        }
        let wanted = Signal::parse(name)?;
        let (_, series) = signals.iter().find(|(signal, _)| *signal == wanted)?;
        Some(Data::Series(series.clone()))
    }
}
