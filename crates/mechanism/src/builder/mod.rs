//! Building a model from plain values, with every problem reported at once.

mod closures;
mod grips;
mod joint;
mod placement;
mod spanning_tree;
mod specs;

pub use placement::{DhConvention, Placement, rotation_from_axes};
pub use specs::{Attachment, CoordinateSpec, JointSpec, LoadSpec, PayloadSpec};

use std::fmt;
use std::sync::Arc;

use nalgebra::{Matrix6, Vector3};
use pliant_link::ReducedLink;
use pliant_spatial::spatial_inertia;

use crate::{
    Body, ConstraintSpec, CouplingSpec, ForceSpec, Hinge, InterfaceIndex, InterfaceRef, Load, Model,
    Redundancy,
};
use joint::check_joint;
use spanning_tree::{CarriedLink, Tree};

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
        write!(f, "`{}`: {}", self.key, self.message)
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
            problems.push("gravity", format!("must be finite, found {:?}", self.gravity.as_slice()));
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
                problems.push(&key, "two links have this name");
            }
            if let Err(error) = link.validate() {
                problems.push(&key, error.to_string());
            }
        }
        for (i, joint) in self.joints.iter().enumerate() {
            if self.joints[..i].iter().any(|other| other.name == joint.name) {
                problems.push(format!("joints.{}", joint.name), "two joints have this name");
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
            problems
                .push(key, format!("link `{link}` has no interface `{interface}`; its interfaces: {known}"));
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
                let message = "the mass must be finite and not negative, centre and inertia finite";
                problems.push(&key, format!("{message}; found a mass of {} kg", payload.mass));
            } else if (I - I.transpose()).amax() > 1e-9 * size
                || I.symmetric_eigenvalues().min() < -1e-9 * size
            {
                problems.push(&key, "the inertia must be symmetric and have no negative principal moment");
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

#[cfg(test)]
mod tests;
