//! The names that expressions may use.

use pliant::metrics::{CATALOGUE, Subject, find, renamed};
use pliant::run::REPORTED_MODES;
use pliant_diag::Diagnostic;
use pliant_expression::{ExpressionError, Node};
use pliant_pipeline::PipelineTable;
use pliant_pipeline::schema::suggestion;

use super::evaluate::{Data, EvaluateError, Series, evaluate};

const ENERGIES: [&str; 7] =
    ["kinetic", "strain", "gravity", "drive_work", "load_work", "dissipated", "balance"];

/// Something that changes with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// `t`.
    Time,
    /// `tip.error`, or its component 0 to 2 in world axes.
    TipError(Option<usize>),
    /// `tip.rotation`: angle of the rotation error.
    TipRotation,
    /// `tip.x` and so on.
    Tip(usize),
    /// `tip.nominal.x` and so on.
    TipNominal(usize),
    /// `joints.<name>[.<coordinate>].force`, `.position`, `.rate`.
    Joint { joint: String, coordinate: Option<String>, what: JointSignal },
    /// `energy.<kind>`, by its index in the list.
    Energy(usize),
}

/// What of a joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointSignal {
    Force,
    Position,
    Rate,
}

fn component(word: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|axis| *axis == word)
}

impl Signal {
    /// The signal of a name, if it is one; whether the machine has it is another matter.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let parts: Vec<_> = name.split('.').collect();
        match parts.as_slice() {
            ["t"] => Some(Self::Time),
            ["tip", "error"] => Some(Self::TipError(None)),
            ["tip", "rotation"] => Some(Self::TipRotation),
            ["tip", "error", axis] => component(axis).map(|c| Self::TipError(Some(c))),
            ["tip", "nominal", axis] => component(axis).map(Self::TipNominal),
            ["tip", axis] => component(axis).map(Self::Tip),
            ["energy", kind] => ENERGIES.iter().position(|known| known == kind).map(Self::Energy),
            ["joints", joint, rest @ .., what] if rest.len() <= 1 => {
                let what = match *what {
                    "force" | "torque" => JointSignal::Force,
                    "position" | "angle" => JointSignal::Position,
                    "rate" => JointSignal::Rate,
                    _ => return None,
                };
                let coordinate = rest.first().map(|name| (*name).to_owned());
                Some(Self::Joint { joint: (*joint).to_owned(), coordinate, what })
            }
            _ => None,
        }
    }

    fn is_of_tip(&self) -> bool {
        matches!(self, Self::TipError(_) | Self::TipRotation | Self::Tip(_) | Self::TipNominal(_))
    }
}

/// The names of a machine and a study.
pub(crate) struct Names<'a> {
    machine: &'a PipelineTable,
    parameters: &'a [String],
    /// Those defined so far.
    pub(super) metrics: Vec<String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(machine: &'a PipelineTable, parameters: &'a [String]) -> Self {
        Self { machine, parameters, metrics: Vec::new() }
    }

    /// Fails unless all names are known and the expression is a number.
    pub(super) fn check(&self, node: &Node) -> Result<(), Box<Diagnostic>> {
        for (name, at) in node.names() {
            self.known(name).map_err(|mut problem| {
                problem.message = format!("column {}: {}", at + 1, problem.message);
                problem
            })?;
        }
        // What the names stand for does not matter for what kind of thing comes out.
        let times: std::rc::Rc<[f64]> = [0.0, 1.0, 2.0].into();
        let look = |name: &str| match Signal::parse(name) {
            Some(_) if !self.parameters.iter().chain(&self.metrics).any(|n| n == name) => {
                Some(Data::Series(Series { t: times.clone(), y: times.clone() }))
            }
            _ => Some(Data::Number(1.0)),
        };
        match evaluate(node, &look).map_err(|error| Diagnostic::boxed(error.to_string()))? {
            Data::Number(_) => Ok(()),
            Data::Series(_) => {
                let hint =
                    "max(…), min(…), mean(…), rms(…), last(…) or at(…, t) reduces a signal to one number";
                Err(hinted(EvaluateError::NotOneNumber.to_string(), hint))
            }
        }
    }

    fn known(&self, name: &str) -> Result<(), Box<Diagnostic>> {
        if self.parameters.iter().chain(&self.metrics).any(|known| known == name) {
            return Ok(());
        }
        let output = self.machine.output.as_ref();
        let has_tip = output.is_some_and(|output| output.tip.is_some());
        let needs_tip =
            || Err(hinted(format!("`{name}` needs a tip"), "write `tip = \"link.interface\"` in [output]"));
        if let Some((definition, part)) = find(renamed(name).unwrap_or(name)) {
            let settles = output.is_some_and(|output| output.settle.is_some());
            return match definition.subject {
                Subject::Tip | Subject::Settling if !has_tip => needs_tip(),
                Subject::Settling if !settles => {
                    let hint = "write `settle = { tolerance = 1e-3 }` (m) in [output]";
                    Err(hinted(format!("`{name}` needs a settling tolerance"), hint))
                }
                Subject::Drive => self.driven(part.unwrap_or_default()),
                Subject::Force => self.force(part.unwrap_or_default()),
                Subject::Stress | Subject::Margin | Subject::Strain => {
                    self.recovered(name, definition.subject, part)
                }
                Subject::Gauge => self.gauge(part.unwrap_or_default()),
                Subject::JointLoad => self.joint(part.unwrap_or_default()),
                Subject::Durability => self.assessed(name, part),
                Subject::Mode => reported_mode(name, part.unwrap_or_default()),
                Subject::ResponseMode | Subject::Loop | Subject::Compliance => {
                    self.of_response(name, definition.subject, part.unwrap_or_default())
                }
                _ => Ok(()),
            };
        }
        match Signal::parse(name) {
            Some(signal) if signal.is_of_tip() && !has_tip => needs_tip(),
            Some(Signal::Joint { joint, .. }) => self.joint(&joint),
            Some(_) => Ok(()),
            None => Err(hinted(EvaluateError::UnknownName(name.to_owned()).to_string(), self.hint(name))),
        }
    }

    /// What `[response]` must ask for.
    fn of_response(&self, name: &str, subject: Subject, part: &str) -> Result<(), Box<Diagnostic>> {
        let Some(response) = &self.machine.response else {
            let hint = "an empty table [response] means the pose at the start";
            return Err(hinted(format!("`{name}` needs a table [response]"), hint));
        };
        match subject {
            Subject::Loop if !response.margins => {
                Err(hinted(format!("`{name}` needs margins"), "write `margins = true` in [response]"))
            }
            Subject::Compliance if !response.compliance => {
                Err(hinted(format!("`{name}` needs compliances"), "write `compliance = true` in [response]"))
            }
            Subject::Loop => self.joint(part),
            Subject::ResponseMode if !part.parse().is_ok_and(|k: u32| (1..=response.modes).contains(&k)) => {
                let message =
                    format!("modes are numbered from 1 to {}, found {part} in `{name}`", response.modes);
                Err(hinted(message, "`modes` in [response] is the number of modes that are computed"))
            }
            _ => Ok(()),
        }
    }

    /// Stress or strain, which `[output]` must ask for, of all links or of one.
    fn recovered(&self, name: &str, subject: Subject, link: Option<&str>) -> Result<(), Box<Diagnostic>> {
        let output = self.machine.output.as_ref();
        let (table, word) = match subject {
            Subject::Strain => (output.and_then(|output| output.strain.as_ref()), "strain"),
            _ => (output.and_then(|output| output.stress.as_ref()), "stress"),
        };
        let Some(table) = table else {
            let hint = format!("[output] {word} = {{}} recovers it in all elements");
            return Err(hinted(format!("`{name}` needs `{word}`"), hint));
        };
        let Some(link) = link else { return Ok(()) };
        // Segments of a link are links of their own, `arm#2`.
        let undivided = link.split_once('#').map_or(link, |(undivided, _)| undivided);
        let links = || self.machine.links.iter().map(|(name, _)| name);
        if !links().any(|known| known == undivided) {
            return Err(hinted(
                format!("there is no link `{link}`"),
                suggestion(undivided, links(), "links"),
            ));
        }
        if table.links.as_ref().is_some_and(|all| all.iter().all(|l| l.value != link && l.value != undivided))
        {
            let hint = format!("add \"{undivided}\" to `links` of `{word}` in [output]");
            return Err(hinted(format!("the {word} of link `{link}` is not recovered"), hint));
        }
        Ok(())
    }

    fn gauge(&self, gauge: &str) -> Result<(), Box<Diagnostic>> {
        let gauges = || self.machine.output.iter().flat_map(|o| o.gauges.iter()).map(|(name, _)| name);
        if gauges().any(|name| name == gauge) {
            return Ok(());
        }
        Err(hinted(format!("there is no gauge `{gauge}`"), suggestion(gauge, gauges(), "gauges")))
    }

    /// Damage or life, which `[durability]` must ask for, of all links or of one.
    fn assessed(&self, name: &str, link: Option<&str>) -> Result<(), Box<Diagnostic>> {
        let Some(table) = &self.machine.durability else {
            let hint = "[durability.links.NAME] says what a link is made of";
            return Err(hinted(format!("`{name}` needs a table [durability]"), hint));
        };
        let Some(link) = link else { return Ok(()) };
        // Segments of a link are links of their own, `arm#2`.
        let entire = link.split_once('#').map_or(link, |(entire, _)| entire);
        let links = || table.links.iter().map(|(name, _)| name);
        if links().any(|known| known == link || known == entire) {
            return Ok(());
        }
        let message = format!("[durability] does not assess a link `{link}`");
        Err(hinted(message, suggestion(entire, links(), "links")))
    }

    fn joint(&self, joint: &str) -> Result<(), Box<Diagnostic>> {
        if self.machine.joints.get(joint).is_some() {
            return Ok(());
        }
        let hint = suggestion(joint, self.machine.joints.iter().map(|(name, _)| name), "joints");
        Err(hinted(format!("there is no joint `{joint}`"), hint))
    }

    /// A driven joint, or a coordinate of one.
    fn driven(&self, drive: &str) -> Result<(), Box<Diagnostic>> {
        if self.machine.joints.get(drive).is_some() {
            return Ok(());
        }
        self.joint(drive.split_once('.').map_or(drive, |(joint, _)| joint))
    }

    fn force(&self, force: &str) -> Result<(), Box<Diagnostic>> {
        let forces = || {
            let constraints = self.machine.constraints.iter().map(|(name, _)| name);
            self.machine.forces.iter().map(|(name, _)| name).chain(constraints)
        };
        if forces().any(|name| name == force) {
            return Ok(());
        }
        let message = format!("there is no force element or constraint `{force}`");
        Err(hinted(message, suggestion(force, forces(), "force elements and constraints")))
    }

    fn hint(&self, name: &str) -> String {
        let mut all: Vec<String> = CATALOGUE.iter().map(|definition| definition.name.to_owned()).collect();
        all.extend(
            ["t", "tip.error", "tip.error.x", "tip.rotation", "tip.x", "tip.nominal.x"].map(str::to_owned),
        );
        all.extend(ENERGIES.iter().map(|kind| format!("energy.{kind}")));
        for (joint, _) in self.machine.joints.iter() {
            all.extend(["force", "position", "rate"].map(|what| format!("joints.{joint}.{what}")));
        }
        all.extend(self.parameters.iter().chain(&self.metrics).cloned());
        suggestion(name, all.iter().map(String::as_str), "names")
    }
}

fn hinted(message: String, hint: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(message).hint(hint))
}

/// Fails unless a run reports the mode of this number.
fn reported_mode(name: &str, number: &str) -> Result<(), Box<Diagnostic>> {
    if number.parse().is_ok_and(|k: usize| (1..=REPORTED_MODES).contains(&k)) {
        return Ok(());
    }
    let message = format!("modes are numbered from 1 to {REPORTED_MODES}, found {number} in `{name}`");
    let hint = format!(
        "a run reports the {REPORTED_MODES} lowest modes; a case that has fewer leaves the cell empty"
    );
    Err(hinted(message, hint))
}

/// Fails unless an expression of parameters alone uses known ones.
pub(crate) fn bare_names(node: Node, known: &[&str]) -> Result<Node, ExpressionError> {
    for (name, at) in node.names() {
        if !known.contains(&name) {
            let hint = suggestion(name, known.iter().copied(), "parameters");
            let message = format!("`{name}` is not a parameter of the study ({hint})");
            return Err(ExpressionError { message, at });
        }
    }
    Ok(node)
}
