//! Names of inputs and outputs.

use pliant_diag::Span;
use pliant_dynamics::response::{ElasticRow, Input, LoadPoint, Order, Output, Side};
use pliant_mechanism::{Attachment, CoordinateRef, InterfaceRef, Model};
use pliant_pipeline::schema::{Located, closest, suggestion};
use pliant_reduce::recovery::Quantity as Recovered;
use thiserror::Error;

use crate::attachment::interface;
use crate::machine::Machine;
use crate::problems::Problems;

/// What a channel belongs to.
#[derive(Clone, Debug)]
enum Object {
    /// Without a coordinate where the joint has none or several.
    Joint {
        joint: String,
        coordinate: Option<usize>,
    },
    Interface {
        link: String,
        interface: String,
    },
    Force(String),
    Ground,
    Gauge(String),
    Element {
        link: String,
        element: u32,
        quantity: Recovered,
        component: String,
    },
}

/// A number of a link that its recovery knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElasticName<'a> {
    /// The strain of a gauge of `[output.gauges]`.
    Gauge(&'a str),
    /// A component of the stress or strain of an element.
    Element {
        /// The link.
        link: &'a str,
        /// Number of the element.
        element: u32,
        /// Which of the two.
        quantity: Recovered,
        /// Its component, as results files name it: `bottom.xx`.
        component: &'a str,
    },
}

/// Why a link does not have such a number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ElasticError {
    /// It is not recovered.
    #[error("the element is not recovered; choose it in `stress` or `strain` of [output]")]
    NotRecovered,
    /// The element has other components.
    #[error("the element has no such component; expected one of {}", .0.join(", "))]
    NoComponent(Vec<String>),
}

/// Finds what such a name stands for.
pub type Elastic<'a> = dyn Fn(ElasticName<'_>) -> Result<ElasticRow, ElasticError> + 'a;

/// A channel with its quantity.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) span: Option<Span>,
    object: Object,
    quantity: Quantity,
}

/// What goes in or comes out of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Torque,
    Command,
    Valve,
    Tachometer,
    Pressure,
    /// Force 0 to 2, moment 3 to 5.
    Load(usize),
    Push,
    CommandedLength,
    Strain,
    Component,
    /// Force 0 to 2, moment 3 to 5 that a joint or interface passes on.
    PassedOn(usize),
    GroundAcceleration(usize),
    Coordinate(Side, Order),
    /// Translation 0 to 2, rotation 3 to 5.
    Motion(usize, Order),
    Length(Order),
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Quantities of an object by their names.
fn quantities(object: &Object, is_input: bool) -> Vec<(String, Quantity)> {
    let with_axes = |word: &str, make: &dyn Fn(usize) -> Quantity| -> Vec<(String, Quantity)> {
        AXES.iter().enumerate().map(|(k, axis)| (format!("{word}_{axis}"), make(k))).collect()
    };
    let orders = [Order::Position, Order::Rate, Order::Acceleration];
    let loads = || {
        let mut all = with_axes("load", &Quantity::PassedOn);
        all.extend(with_axes("load_r", &|k| Quantity::PassedOn(3 + k)));
        all.iter_mut().for_each(|(word, _)| *word = word.replace("_r_", "_r"));
        all
    };
    match (object, is_input) {
        (Object::Joint { coordinate: None, .. }, true) => Vec::new(),
        (Object::Joint { .. }, true) => {
            let words =
                [("torque", Quantity::Torque), ("command", Quantity::Command), ("valve", Quantity::Valve)];
            words.map(|(word, quantity)| (word.to_owned(), quantity)).to_vec()
        }
        (Object::Joint { coordinate: None, .. }, false) => loads(),
        (Object::Joint { .. }, false) => {
            let sides = [("", Side::Joint), ("motor_", Side::Motor)];
            let words = ["position", "rate", "acceleration"];
            let all = sides.iter().flat_map(|(prefix, side)| {
                words
                    .iter()
                    .zip(orders)
                    .map(move |(word, order)| (format!("{prefix}{word}"), Quantity::Coordinate(*side, order)))
            });
            let oil = [("tachometer", Quantity::Tachometer), ("pressure", Quantity::Pressure)];
            let oil = oil.map(|(word, quantity)| (word.to_owned(), quantity));
            all.chain(oil).chain(loads()).collect()
        }
        (Object::Interface { .. }, true) => {
            let mut all = with_axes("force", &Quantity::Load);
            all.extend(with_axes("moment", &|k| Quantity::Load(3 + k)));
            all
        }
        (Object::Interface { .. }, false) => {
            let words = [
                ("position", "rotation"),
                ("velocity", "rotation_rate"),
                ("acceleration", "rotation_acceleration"),
            ];
            let mut all = Vec::new();
            for ((translation, rotation), order) in words.into_iter().zip(orders) {
                all.extend(with_axes(translation, &|k| Quantity::Motion(k, order)));
                all.extend(with_axes(rotation, &|k| Quantity::Motion(3 + k, order)));
            }
            all.extend(loads());
            all
        }
        (Object::Force(_), true) => {
            vec![("push".to_owned(), Quantity::Push), ("command".to_owned(), Quantity::CommandedLength)]
        }
        (Object::Force(_), false) => {
            let words = ["length", "length_rate", "length_acceleration"];
            words
                .into_iter()
                .zip(orders)
                .map(|(word, order)| (word.to_owned(), Quantity::Length(order)))
                .collect()
        }
        (Object::Ground, true) => with_axes("acceleration", &Quantity::GroundAcceleration),
        (Object::Gauge(_), false) => vec![("strain".to_owned(), Quantity::Strain)],
        (Object::Element { component, .. }, false) => vec![(component.clone(), Quantity::Component)],
        (Object::Ground, false) | (Object::Gauge(_) | Object::Element { .. }, true) => Vec::new(),
    }
}

pub(super) fn input(
    text: &Located<String>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Named> {
    named(text, true, table, problems)
}

pub(super) fn output(
    text: &Located<String>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Named> {
    named(text, false, table, problems)
}

fn named(
    text: &Located<String>,
    is_input: bool,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Named> {
    let (name, span) = (text.value.clone(), text.span());
    let what = if is_input { "input" } else { "output" };
    if let Some((element, quantity, component)) = element_of(&name).filter(|_| !is_input) {
        let Some((link, number)) = element.rsplit_once('.') else {
            let message = format!("expected `LINK.ELEMENT.stress.COMPONENT`, found `{name}`");
            return problems.error(span, message);
        };
        let Ok(number) = number.parse() else {
            let message = format!("`{name}`: expected the number of an element, found `{number}`");
            return problems.error(span, message);
        };
        let (link, component) = (link.to_owned(), component.to_owned());
        let object = Object::Element { link, element: number, quantity, component };
        return Some(Named { name, span, object, quantity: Quantity::Component });
    }
    let Some((left, word)) = name.rsplit_once('.') else {
        let hint = if is_input { "`JOINT.torque` or `LINK.INTERFACE.force_x`" } else { "`JOINT.rate`" };
        let message = format!("expected an {what} as `OBJECT.QUANTITY`, found `{name}`");
        return problems.error_with_hint(span, message, format!("such as {hint}"));
    };
    let object = object(left, text, table, problems)?;
    let known = quantities(&object, is_input);
    let Some((_, quantity)) = known.iter().find(|(known, _)| known == word) else {
        if let Object::Joint { joint, coordinate: None } = &object {
            let names = table.joints.get(joint).map(|found| found.type_.coordinates()).unwrap_or_default();
            let message = format!("`{name}`: joint `{joint}` has {} coordinates", names.len());
            let hint = match names.first() {
                None => "a fixed joint has loads only; name an interface for its motion".to_owned(),
                Some(first) => format!("`{joint}.{first}.{word}`; coordinates: {}", names.join(", ")),
            };
            return problems.error_with_hint(span, message, hint);
        }
        let words = known.iter().map(|(word, _)| word.as_str());
        let hint = match closest(word, words.clone()) {
            Some(close) => format!("did you mean `{left}.{close}`?"),
            None if known.is_empty() => format!("the ground has no {what}s of this kind"),
            None => format!("one of: {}", words.collect::<Vec<_>>().join(", ")),
        };
        return problems.error_with_hint(span, format!("`{name}`: there is no {what} `{word}`"), hint);
    };
    let quantity = *quantity;
    Some(Named { name, span, object, quantity })
}

/// `LINK.ELEMENT`, quantity and component of `LINK.ELEMENT.stress.COMPONENT`.
fn element_of(name: &str) -> Option<(&str, Recovered, &str)> {
    let split =
        |word, quantity| name.split_once(word).map(|(element, component)| (element, quantity, component));
    split(".stress.", Recovered::Stress).or_else(|| split(".strain.", Recovered::Strain))
}

/// A joint, `joint.coordinate`, a force element, the ground, the tip, or `link.interface`.
fn object(
    left: &str,
    text: &Located<String>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Object> {
    if let Some(joint) = table.joints.get(left) {
        let names = joint.type_.coordinates();
        let coordinate = (names.len() == 1).then_some(0);
        return Some(Object::Joint { joint: left.to_owned(), coordinate });
    }
    if let Some((joint, word)) = left.rsplit_once('.')
        && let Some(found) = table.joints.get(joint)
        && let Some(coordinate) = found.type_.coordinates().iter().position(|name| *name == word)
    {
        return Some(Object::Joint { joint: joint.to_owned(), coordinate: Some(coordinate) });
    }
    if table.forces.get(left).is_some() {
        return Some(Object::Force(left.to_owned()));
    }
    if left == "ground" {
        return Some(Object::Ground);
    }
    if table.output.as_ref().is_some_and(|output| output.gauges.get(left).is_some()) {
        return Some(Object::Gauge(left.to_owned()));
    }
    let name = match (left, table.output.as_ref().and_then(|output| output.tip.as_ref())) {
        ("tip", Some(tip)) => tip.clone(),
        ("tip", None) if !table.links.names().any(|name| name == "tip") => {
            let hint = "write `tip = \"link.interface\"` in [output]";
            let message = format!("`{}` needs a tip, and the file has none", text.value);
            return problems.error_with_hint(text.span(), message, hint);
        }
        _ => Located { value: left.to_owned(), source: text.source },
    };
    if !left.contains('.') && left != "tip" {
        let joints = table.joints.iter().map(|(name, _)| name);
        let names = joints.chain(table.forces.iter().map(|(name, _)| name)).chain(["ground", "tip"]);
        let names: Vec<&str> = names.collect();
        if table.links.names().all(|name| name != left) {
            let hint = suggestion(left, names, "joints and force elements");
            let message = format!("`{left}` is not a joint, force element or interface");
            return problems.error_with_hint(text.span(), message, hint);
        }
    }
    match interface(&name, table, problems)? {
        Attachment::Interface { link, interface } => Some(Object::Interface { link, interface }),
        Attachment::Ground => None,
    }
}

/// Why the assembled machine does not have a channel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum ChannelError {
    #[error("the machine has no such joint")]
    NoJoint,
    #[error("the machine has no such interface")]
    NoInterface,
    #[error("expected {expected}")]
    Kind { expected: &'static str },
    #[error("a bushing has no length; name an interface instead")]
    Bushing,
    #[error("its length is prescribed and it has no `oil`, so that nothing changes its length")]
    Rigid,
    #[error(transparent)]
    Elastic(#[from] ElasticError),
}

impl Named {
    fn coordinate(&self, model: &Model) -> Result<CoordinateRef, ChannelError> {
        match &self.object {
            Object::Joint { joint, coordinate: Some(coordinate) } => {
                model.joint_coordinate(joint, *coordinate).ok_or(ChannelError::NoJoint)
            }
            _ => Err(ChannelError::Kind { expected: "a joint" }),
        }
    }

    fn at(&self, model: &Model) -> Result<InterfaceRef, ChannelError> {
        match &self.object {
            Object::Interface { link, interface } => {
                model.interface(link, interface).ok_or(ChannelError::NoInterface)
            }
            _ => Err(ChannelError::Kind { expected: "an interface" }),
        }
    }

    /// A force element along a line; cylinders without oil are constraints, which nothing moves.
    fn force(&self, model: &Model) -> Result<usize, ChannelError> {
        let Object::Force(name) = &self.object else {
            return Err(ChannelError::Kind { expected: "a force element" });
        };
        let found = model.closures().forces.iter().position(|force| force.name == *name);
        match found {
            Some(k) if model.closures().forces[k].kind.row_count() == 1 => Ok(k),
            Some(_) => Err(ChannelError::Bushing),
            None => Err(ChannelError::Rigid),
        }
    }

    /// The row of a cylinder without oil, which is a constraint.
    fn stroke(&self, model: &Model) -> Result<usize, ChannelError> {
        let Object::Force(name) = &self.object else { return Err(ChannelError::Rigid) };
        let closures = model.closures();
        let at = closures.constraints.iter().position(|constraint| constraint.name == *name);
        let at = at.ok_or(ChannelError::Rigid)?;
        let before = closures.constraints[..at].iter().map(|c| c.kind.row_count());
        Ok(6 * closures.joints.len() + before.sum::<usize>())
    }

    pub(super) fn input(&self, model: &Model) -> Result<Input, ChannelError> {
        Ok(match self.quantity {
            Quantity::Torque => Input::Torque(self.coordinate(model)?),
            Quantity::Command => Input::Command(self.coordinate(model)?),
            Quantity::Valve => Input::Valve(self.coordinate(model)?),
            Quantity::Load(component) => Input::Force { at: self.at(model)?, component },
            Quantity::Push => Input::Push(self.force(model)?),
            Quantity::CommandedLength => match self.force(model) {
                Err(ChannelError::Rigid) => Input::Stroke(self.stroke(model)?),
                found => Input::Length(found?),
            },
            Quantity::GroundAcceleration(axis) => Input::Ground(axis),
            Quantity::Coordinate(..)
            | Quantity::Motion(..)
            | Quantity::Length(_)
            | Quantity::Tachometer
            | Quantity::Pressure
            | Quantity::Strain
            | Quantity::Component
            | Quantity::PassedOn(_) => {
                return Err(ChannelError::Kind { expected: "an input" });
            }
        })
    }

    /// Where loads are passed on.
    fn load_point(&self, model: &Model) -> Result<LoadPoint, ChannelError> {
        match &self.object {
            Object::Joint { joint, .. } => {
                let found = model.joints().find(|(_, view)| view.name == *joint);
                found.map(|(joint, _)| LoadPoint::Joint(joint)).ok_or(ChannelError::NoJoint)
            }
            _ => self.at(model).map(LoadPoint::Interface),
        }
    }

    /// What recovery calls it.
    fn elastic(&self) -> Option<ElasticName<'_>> {
        match &self.object {
            Object::Gauge(name) => Some(ElasticName::Gauge(name)),
            Object::Element { link, element, quantity, component } => {
                Some(ElasticName::Element { link, element: *element, quantity: *quantity, component })
            }
            _ => None,
        }
    }

    pub(super) fn output(&self, model: &Model, elastic: &Elastic<'_>) -> Result<Output, ChannelError> {
        if let Some(name) = self.elastic() {
            return Ok(Output::Elastic(elastic(name)?));
        }
        Ok(match self.quantity {
            Quantity::PassedOn(component) => Output::Load(self.load_point(model)?, component),
            Quantity::Coordinate(side, order) => Output::Joint(self.coordinate(model)?, side, order),
            Quantity::Motion(component, order) => Output::Interface { at: self.at(model)?, component, order },
            Quantity::Length(order) => Output::Length(self.force(model)?, order),
            Quantity::Tachometer => Output::Tachometer(self.coordinate(model)?),
            Quantity::Pressure => Output::Pressure(self.coordinate(model)?),
            _ => return Err(ChannelError::Kind { expected: "an output" }),
        })
    }
}
