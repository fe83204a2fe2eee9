//! Building a model from plain values, with every problem reported at once.

use std::fmt;
use std::sync::Arc;

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_link::ReducedLink;
use pliant_spatial::spatial_inertia;

use crate::spanning_tree::{CarriedLink, Tree};
use crate::{
    Bearing, Body, ConstraintSpec, CouplingSpec, Drive, ForceSpec, GripKind, Hinge, InterfaceIndex,
    InterfaceRef, Joint, JointCoordinate, Load, LoadFrame, Model, Placement, Redundancy, TimeFunction,
};

/// Where a joint, payload or load sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// The world.
    Ground,
    /// An outboard interface of a link.
    Interface {
        /// Name of the link.
        link: String,
        /// Name of the interface.
        interface: String,
    },
}

impl Attachment {
    /// `link.interface`.
    pub fn interface(link: impl Into<String>, interface: impl Into<String>) -> Self {
        Self::Interface { link: link.into(), interface: interface.into() }
    }
}

/// What acts on a joint coordinate; the same as [`JointCoordinate`].
pub type CoordinateSpec = JointCoordinate;

/// A joint to be built.
#[derive(Debug)]
pub struct JointSpec {
    /// Name.
    pub name: String,
    /// Parent side.
    pub parent: Attachment,
    /// Name of the link on the child side, held at its inboard interface.
    pub child: String,
    /// Outboard interface of the child that is held instead; such a joint closes a loop.
    pub child_interface: Option<String>,
    /// True: closes a loop even where it could carry its child. False: the program chooses the tree.
    pub closes_loop: bool,
    /// Kind with its axes.
    pub joint: Box<dyn Joint>,
    /// Where the joint is on parent and child.
    pub placement: Placement,
    /// One per velocity coordinate; missing ones are free without friction.
    pub coordinates: Vec<CoordinateSpec>,
    /// Compliance of the bearing.
    pub bearing: Bearing,
    /// A sliding joint: how it grips the rail of its child. It is prismatic and has no bearing beside the
    /// grip.
    pub grip: Option<GripKind>,
}

/// A payload to be built.
#[derive(Clone, Debug)]
pub struct PayloadSpec {
    /// Name, for messages.
    pub name: String,
    /// Interface that carries it.
    pub at: Attachment,
    /// Mass (kg).
    pub mass: f64,
    /// Centre in the triad (m).
    pub centre: Vector3<f64>,
    /// Inertia about the centre, in triad axes (kg·m²).
    pub inertia: Matrix3<f64>,
}

/// A load to be built.
#[derive(Clone, Debug)]
pub struct LoadSpec {
    /// Name, for messages.
    pub name: String,
    /// Interface it acts on.
    pub at: Attachment,
    /// Axes.
    pub frame: LoadFrame,
    /// Force and moment components.
    pub components: [Option<Arc<dyn TimeFunction>>; 6],
}

/// One problem of a model, with the key it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// Key in the manner of the pipeline file, such as `joints.elbow.parent`.
    pub key: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.message)
    }
}

impl std::error::Error for ModelError {}

/// Collects links, joints, payloads and loads; [`build`](Self::build) checks them.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    /// Gravity in the world (m/s²).
    pub gravity: Vector3<f64>,
    /// Links by name; two may share one reduction.
    pub links: Vec<(String, Arc<ReducedLink>)>,
    /// Joints.
    pub joints: Vec<JointSpec>,
    /// Payloads.
    pub payloads: Vec<PayloadSpec>,
    /// Loads.
    pub loads: Vec<LoadSpec>,
    /// Distances and guides.
    pub constraints: Vec<ConstraintSpec>,
    /// Gears and other relations among joint coordinates.
    pub couplings: Vec<CouplingSpec>,
    /// Force elements.
    pub forces: Vec<ForceSpec>,
    /// What is done about redundant constraints.
    pub redundancy: Redundancy,
}

/// An interface of a link in the list of the builder.
pub(crate) struct LinkInterface {
    pub(crate) link: usize,
    pub(crate) interface: InterfaceIndex,
}

/// Problems found so far.
pub(crate) struct Problems(Vec<ModelError>);

impl Problems {
    pub(crate) fn push(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.0.push(ModelError { key: key.into(), message: message.into() });
    }
}

impl ModelBuilder {
    /// Checks everything and assembles the model.
    ///
    /// # Errors
    /// All problems found: names that do not exist or exist twice, links that no joint carries, and values
    /// that are not finite or have the wrong sign.
    pub fn build(self) -> Result<Model, Vec<ModelError>> {
        let mut problems = Problems(Vec::new());
        self.check_links(&mut problems);
        for joint in &self.joints {
            check_joint(joint, &mut problems);
        }
        let tree = self.tree(&mut problems);
        let payloads = self.resolve_payloads(&mut problems);
        let loads = self.resolve_loads(&tree, &mut problems);
        let parts = self.check_closures(&tree, &mut problems);
        let mut sliding = self.sliding(&tree, &mut problems);
        if !self.gravity.iter().all(|g| g.is_finite()) {
            problems.push("gravity", "is not finite");
        }
        if self.links.is_empty() {
            problems.push("links", "a machine needs at least one link");
        }
        if !problems.0.is_empty() {
            return Err(problems.0);
        }
        let mut joints: Vec<Option<JointSpec>> = self.joints.into_iter().map(Some).collect();
        let mut bodies = Vec::with_capacity(tree.0.len());
        for &CarriedLink { link, joint } in &tree.0 {
            let Some(mut spec) = joints[joint].take() else { continue };
            let parent = match &spec.parent {
                Attachment::Ground => None,
                Attachment::Interface { link, interface } => {
                    let parent = self.links.iter().position(|(name, _)| name == link);
                    let parent = parent.expect("invariant: parents were checked");
                    let body = tree.body(parent).expect("invariant: parents are in the tree");
                    let interface = self.links[parent].1.interface(interface);
                    let interface = interface.expect("invariant: interfaces were checked");
                    Some(InterfaceRef { body, interface: InterfaceIndex(interface) })
                }
            };
            let (X_TP, X_CL) = spec.placement.transforms();
            let (hinge, grip) = match sliding[joint].take() {
                Some((hinge, grip)) => (hinge, Some(grip)),
                None => (Hinge { joint: spec.joint, bearing: spec.bearing, X_TP, X_CL }, None),
            };
            spec.coordinates.resize_with(hinge.joint.velocity_count(), CoordinateSpec::default);
            bodies.push(Body {
                name: self.links[link].0.clone(),
                joint_name: spec.name,
                link: Arc::clone(&self.links[link].1),
                parent,
                hinge,
                grip,
                coordinates: spec.coordinates,
                payloads: payloads[link].clone(),
                position_start: 0,
                velocity_start: 0,
            });
        }
        let closing: Vec<JointSpec> = joints.into_iter().flatten().collect();
        let closures = parts.assemble(closing, self.constraints, self.forces, self.redundancy);
        Ok(Model::assemble(bodies, self.gravity, loads, closures))
    }

    fn check_links(&self, problems: &mut Problems) {
        for (i, (name, link)) in self.links.iter().enumerate() {
            let key = format!("links.{name}");
            if self.links[..i].iter().any(|(other, _)| other == name) {
                problems.push(&key, "exists twice");
            }
            if let Err(error) = link.validate() {
                problems.push(&key, error.to_string());
            }
        }
        for (i, joint) in self.joints.iter().enumerate() {
            if self.joints[..i].iter().any(|other| other.name == joint.name) {
                problems.push(format!("joints.{}", joint.name), "exists twice");
            }
        }
    }

    /// Finds link and interface, or says which name is unknown.
    pub(crate) fn find(&self, at: &Attachment, key: &str, problems: &mut Problems) -> Option<LinkInterface> {
        let Attachment::Interface { link, interface } = at else {
            problems.push(key, "must be an interface of a link, not the ground");
            return None;
        };
        let Some(index) = self.links.iter().position(|(name, _)| name == link) else {
            let known: Vec<_> = self.links.iter().map(|(name, _)| name.as_str()).collect();
            problems.push(key, format!("there is no link `{link}`; links: {}", known.join(", ")));
            return None;
        };
        let reduced = &self.links[index].1;
        let found = reduced.interface(interface);
        if found.is_none() {
            let known: Vec<_> = reduced.interfaces.iter().map(|i| i.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            problems.push(key, format!("link `{link}` has no interface `{interface}`; it has: {known}"));
        }
        Some(LinkInterface { link: index, interface: InterfaceIndex(found?) })
    }

    fn resolve_payloads(&self, problems: &mut Problems) -> Vec<Vec<Matrix6<f64>>> {
        let mut payloads: Vec<_> =
            self.links.iter().map(|(_, link)| vec![Matrix6::zeros(); link.interfaces.len()]).collect();
        for payload in &self.payloads {
            let key = format!("payloads.{}", payload.name);
            let finite = payload.centre.iter().chain(payload.inertia.iter()).all(|x| x.is_finite());
            let I = payload.inertia;
            let size = I.amax();
            if !(payload.mass.is_finite() && payload.mass >= 0.0 && finite) {
                problems.push(&key, "mass must be finite and not negative, centre and inertia finite");
            } else if (I - I.transpose()).amax() > 1e-9 * size
                || I.symmetric_eigenvalues().min() < -1e-9 * size
            {
                problems.push(&key, "inertia must be symmetric and not negative");
            }
            if let Some(LinkInterface { link, interface }) =
                self.find(&payload.at, &format!("{key}.at"), problems)
            {
                payloads[link][interface] += spatial_inertia(payload.mass, &payload.centre, &payload.inertia);
            }
        }
        payloads
    }

    fn resolve_loads(&self, tree: &Tree, problems: &mut Problems) -> Vec<Load> {
        let mut loads = Vec::with_capacity(self.loads.len());
        for load in &self.loads {
            let key = format!("loads.{}.at", load.name);
            if let Some(LinkInterface { link, interface }) = self.find(&load.at, &key, problems) {
                // A link that is missing from the order has been reported already.
                let Some(body) = tree.body(link) else { continue };
                let (name, components) = (load.name.clone(), load.components.clone());
                let on = InterfaceRef { body, interface };
                loads.push(Load { name, on, frame: load.frame, components });
            }
        }
        loads
    }
}

/// Values of a joint that do not depend on the rest of the machine.
fn check_joint(joint: &JointSpec, problems: &mut Problems) {
    let key = format!("joints.{}", joint.name);
    let (count, names) = (joint.joint.velocity_count(), joint.joint.coordinates());
    if joint.coordinates.len() > count {
        let kind = joint.joint.kind();
        problems
            .push(&key, format!("a {kind} joint has {count} coordinates, {} given", joint.coordinates.len()));
    }
    let (X_TP, X_CL) = joint.placement.transforms();
    if [X_TP, X_CL].iter().any(|X| X.R.iter().chain(X.p.iter()).any(|x| !x.is_finite())) {
        problems.push(&key, "its position is not finite");
    }
    for (c, name) in joint.coordinates.iter().zip(names) {
        let at = format!("{key}.{name}");
        let not_negative = [
            ("friction.viscous", c.friction.viscous),
            ("friction.coulomb", c.friction.coulomb),
            ("stiffness", c.spring.stiffness),
            ("rotor.inertia", c.rotor.inertia),
        ];
        for (what, value) in not_negative {
            if !(value.is_finite() && value >= 0.0) {
                problems.push(format!("{at}.{what}"), format!("must be finite and not negative, is {value}"));
            }
        }
        if let Drive::Servo(s) = &c.drive {
            let good = |x: f64| x.is_finite() && x >= 0.0;
            let gains = [s.position_gain, s.rate_gain, s.integral_gain, s.feed_forward];
            if !(gains.into_iter().all(good) && s.limit > 0.0) {
                problems
                    .push(format!("{at}.servo"), "gains must be finite and not negative, the limit positive");
            }
            if s.sampling
                .is_some_and(|c| !(c.time > 0.0 && c.time.is_finite() && good(c.delay) && c.rate_limit > 0.0))
            {
                let message = "sample time and rate limit must be positive, the delay not negative";
                problems.push(format!("{at}.servo"), message);
            }
        }
        if let Drive::Hydraulic(drive) = &c.drive {
            for (key, message) in drive.problems() {
                problems.push(format!("{at}.hydraulic.{key}"), message);
            }
        }
        if c.friction.coulomb > 0.0 && !(c.friction.slip_rate.is_finite() && c.friction.slip_rate > 0.0) {
            problems.push(format!("{at}.friction.slip_rate"), "Coulomb friction needs a positive slip rate");
        }
        if ![c.spring.neutral, c.rotor.ratio, c.initial, c.initial_rate].iter().all(|x| x.is_finite()) {
            problems.push(&at, "a value is not finite");
        }
        if !joint.joint.has_scalar_coordinates() {
            let kind = joint.joint.kind();
            if matches!(c.drive, Drive::Prescribed(_)) {
                problems.push(&at, format!("a motion cannot be prescribed on a {kind} joint"));
            }
            if matches!(c.drive, Drive::Servo(_)) {
                problems.push(&at, format!("a {kind} joint takes no servo"));
            }
            if matches!(c.drive, Drive::Hydraulic(_)) {
                problems.push(&at, format!("a {kind} joint takes no hydraulic drive"));
            }
            if c.spring.stiffness > 0.0 {
                problems.push(&at, format!("a {kind} joint takes no spring; use the bearing"));
            }
        }
    }
    for (i, component) in joint.bearing.components.iter().enumerate() {
        if component.is_some_and(|(k, d)| !(k.is_finite() && k > 0.0 && d.is_finite() && d >= 0.0)) {
            let message = "stiffness must be positive and damping not negative, both finite";
            problems.push(format!("{key}.bearing.{}", i + 1), message);
        }
    }
}

#[cfg(test)]
#[path = "builder_tests.rs"]
mod tests;
