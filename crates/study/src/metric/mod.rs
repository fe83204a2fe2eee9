//! What is asked of each case.

mod evaluate;
mod name;
mod record;

pub(crate) use evaluate::{Data, EvaluateError, Series, number, parse};
pub(crate) use name::{Names, Signal, bare_names};
pub(crate) use record::{Answers, StopReason};

use pliant::metrics::{Subject, find, renamed};
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

impl Metric {
    /// Units, where the metric is one of the catalogue.
    pub(crate) fn units(&self) -> &'static str {
        match &self.node {
            Node::Name { name, .. } => {
                find(renamed(name).unwrap_or(name)).map_or("", |(found, _)| found.units)
            }
            _ => "",
        }
    }
}

/// What a study asks.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    pub(crate) metrics: Vec<Metric>,
    /// Conditions, after all metrics.
    pub(crate) constraints: Vec<Metric>,
    /// Two indices in `metrics`, each with true when large is good.
    pub(crate) pareto: Option<[(usize, bool); 2]>,
}

impl Questions {
    /// Reads and checks all expressions of a study against the machine it is about.
    ///
    /// # Errors
    /// Everything that is wrong, at its location.
    pub(crate) fn new(
        table: &StudyTable,
        machine: &PipelineTable,
        parameters: &[String],
    ) -> Result<Self, Diagnostics> {
        let usual = usual_metrics(machine);
        let given = if table.metrics.is_empty() { &usual } else { &table.metrics };
        let mut names = Names::new(machine, parameters);
        let mut diagnostics = Diagnostics::new();
        let mut read = |tables: &Named<Located<String>>, what: &str, keep: bool| {
            let mut metrics = Vec::new();
            for (name, text) in &tables.entries {
                let checked = parse(&text.value)
                    .map_err(|error| Diagnostic::boxed(error.to_string()))
                    .and_then(|node| names.check(&node).map(|()| node))
                    .and_then(|node| is_no_other(&name.value, node));
                match checked {
                    Ok(node) => {
                        metrics.push(Metric { name: name.value.clone(), text: text.value.clone(), node });
                        if keep {
                            names.metrics.push(name.value.clone());
                        }
                    }
                    Err(mut problem) => {
                        problem.message = format!("{what} `{}`: {}", name.value, problem.message);
                        diagnostics.push(problem.at(text.span()));
                    }
                }
            }
            metrics
        };
        let metrics = read(given, "metric", true);
        let constraints = read(&table.constraints, "constraint", false);
        let pareto = table.pareto.as_ref().and_then(|pair| {
            let indices = pair.each_ref().map(|text| {
                let (name, large) = match text.value.strip_prefix('-') {
                    Some(name) => (name, true),
                    None => (text.value.as_str(), false),
                };
                let index = metrics.iter().position(|metric| metric.name == name);
                if index.is_none() {
                    let message = format!("there is no metric `{name}`");
                    diagnostics.push(Diagnostic::error(message).at(text.span()));
                }
                index.map(|index| (index, large))
            });
            Some([indices[0]?, indices[1]?])
        });
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(Self { metrics, constraints, pareto }) }
    }

    /// The names of all expressions, in their present form.
    fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.metrics.iter().chain(&self.constraints).flat_map(|metric| metric.node.names());
        all.map(|(name, _)| renamed(name).unwrap_or(name))
    }

    /// True when an expression has this name.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.names().any(|used| used == name)
    }

    /// True when an expression needs the modes of the machine.
    pub(crate) fn uses_modes(&self) -> bool {
        self.names().any(|name| find(name).is_some_and(|(found, _)| found.subject == Subject::Mode))
    }

    /// True when an expression needs stress or strain of elements, or gauges.
    pub(crate) fn uses_elements(&self) -> bool {
        let of_elements = [Subject::Stress, Subject::Strain, Subject::Margin, Subject::Gauge];
        self.names().any(|name| find(name).is_some_and(|(found, _)| of_elements.contains(&found.subject)))
    }

    /// True when an expression needs what `[response]` asks for.
    pub(crate) fn uses_response(&self) -> bool {
        let of_response = [Subject::ResponseMode, Subject::Loop, Subject::Compliance];
        self.names().any(|name| find(name).is_some_and(|(found, _)| of_response.contains(&found.subject)))
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

/// Fails when a metric has the name of another one of the catalogue.
fn is_no_other(name: &str, node: Node) -> Result<Node, Box<Diagnostic>> {
    let same = matches!(&node, Node::Name { name: used, .. } if renamed(used).unwrap_or(used) == name);
    if find(name).is_none() || same {
        return Ok(node);
    }
    let message = format!("`{name}` is the name of a metric that every run has");
    Err(Box::new(Diagnostic::error(message).hint("choose another name; docs/metrics.md lists those in use")))
}

/// What everybody wants to know.
fn usual_metrics(machine: &PipelineTable) -> Named<Located<String>> {
    let mut entries = Vec::new();
    let mut add = |name: String, text: String| {
        let located = |value| Located { value, source: pliant_diag::Origin::default() };
        entries.push((located(name), located(text)));
    };
    let mut known = |name: &str| add(name.to_owned(), name.to_owned());
    known("mass");
    let output = machine.output.as_ref();
    if output.is_some_and(|output| output.tip.is_some()) {
        for name in ["tip_peak_error", "tip_rms_error", "tip_residual_error"] {
            known(name);
        }
        if output.is_some_and(|output| output.settle.is_some()) {
            known("tip_settling_time");
        }
    }
    for (name, joint) in machine.joints.iter() {
        if joint.type_.coordinates().len() == 1 && joint.drive.is_some() {
            add(format!("drive_peak_{name}"), format!("`drive_peak_{name}`"));
        }
    }
    Named { entries }
}
