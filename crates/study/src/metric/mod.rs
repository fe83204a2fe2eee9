//! What is asked of each case.

mod evaluate;
mod name;
mod record;

pub(crate) use evaluate::{Data, Series, number, parse};
pub(crate) use name::{Names, Signal, bare_names};
pub(crate) use record::{Ending, Recorder, look_up};

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_expression::Node;
use pliant_pipeline::PipelineTable;
use pliant_pipeline::schema::{Located, Named};
use pliant_pipeline::study::StudyTable;

/// A number that each case has, or a condition it meets or not.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) node: Node,
}

/// What a study asks.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    pub(crate) metrics: Vec<Metric>,
    /// Conditions, after all metrics.
    pub(crate) constraints: Vec<Metric>,
    /// Two places in `metrics`, each with true when large is good.
    pub(crate) pareto: Option<[(usize, bool); 2]>,
}

impl Questions {
    /// Reads and checks all expressions of a study against the machine it is about.
    ///
    /// # Errors
    /// Everything that is wrong, at its place.
    pub(crate) fn new(
        table: &StudyTable,
        machine: &PipelineTable,
        parameters: &[String],
    ) -> Result<Self, Diagnostics> {
        let usual = usual_metrics(machine);
        let given = if table.metrics.is_empty() { &usual } else { &table.metrics };
        let mut names = Names::new(machine, parameters);
        let mut diagnostics = Diagnostics::new();
        let mut read = |tables: &Named<Located<String>>, keep: bool| {
            let mut metrics = Vec::new();
            for (name, text) in &tables.entries {
                let checked = parse(&text.value)
                    .map_err(|error| (error.to_string(), None))
                    .and_then(|node| names.check(&node).map(|()| node));
                match checked {
                    Ok(node) => {
                        metrics.push(Metric { name: name.value.clone(), text: text.value.clone(), node });
                        if keep {
                            names.metrics.push(name.value.clone());
                        }
                    }
                    Err((message, hint)) => {
                        let told = Diagnostic::error(format!("`{}`: {message}", text.value)).at(text.span());
                        diagnostics.push(match hint {
                            Some(hint) => told.hint(hint),
                            None => told,
                        });
                    }
                }
            }
            metrics
        };
        let metrics = read(given, true);
        let constraints = read(&table.constraints, false);
        let pareto = table.pareto.as_ref().and_then(|pair| {
            let places = pair.each_ref().map(|text| {
                let (name, large) = match text.value.strip_prefix('-') {
                    Some(name) => (name, true),
                    None => (text.value.as_str(), false),
                };
                let place = metrics.iter().position(|metric| metric.name == name);
                if place.is_none() {
                    let message = format!("there is no metric `{name}`");
                    diagnostics.push(Diagnostic::error(message).at(text.span()));
                }
                place.map(|place| (place, large))
            });
            Some([places[0]?, places[1]?])
        });
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(Self { metrics, constraints, pareto }) }
    }

    /// True when an expression has this name.
    pub(crate) fn uses(&self, name: &str) -> bool {
        let all = self.metrics.iter().chain(&self.constraints);
        all.flat_map(|metric| metric.node.names()).any(|(used, _)| used == name)
    }

    /// The signals that the expressions need.
    pub(crate) fn signals(&self) -> Vec<Signal> {
        let mut signals: Vec<Signal> = Vec::new();
        for metric in self.metrics.iter().chain(&self.constraints) {
            for signal in metric.node.names().into_iter().filter_map(|(name, _)| Signal::parse(name)) {
                if !signals.contains(&signal) {
                    signals.push(signal);
                }
            }
        }
        signals
    }
}

/// What everybody wants to know.
fn usual_metrics(machine: &PipelineTable) -> Named<Located<String>> {
    let mut entries = Vec::new();
    let mut add = |name: String, text: String| {
        let located = |value| Located { value, source: pliant_diag::Origin::default() };
        entries.push((located(name), located(text)));
    };
    add("mass".to_owned(), "mass".to_owned());
    let output = machine.output.as_ref();
    if output.is_some_and(|output| output.tip.is_some()) {
        for name in ["peak_error", "rms_error", "residual_error"] {
            add(name.to_owned(), name.to_owned());
        }
        if output.is_some_and(|output| output.settle.is_some()) {
            add("settling".to_owned(), "settling".to_owned());
        }
    }
    for (name, joint) in machine.joints.iter() {
        if joint.type_.coordinates().len() == 1 && joint.drive.is_some() {
            add(format!("peak_drive_{name}"), format!("max(abs(`joints.{name}.force`))"));
        }
    }
    Named { entries }
}
