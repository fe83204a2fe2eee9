//! Building what a model has beyond its tree.

use pliant_spatial::Transform;

use super::Problems;
use super::spanning_tree::Tree;
use crate::closure::{Coupling, LoopJoint, Pair};
use crate::{
    Attachment, BodyIndex, Closures, Constraint, ConstraintSpec, CoordinateSpec, End, ForceElement,
    ForceSpec, FrameRef, Hinge, InterfaceIndex, InterfaceRef, JointSpec, LoopIndex, ModelBuilder, Redundancy,
};

/// Frames of the parts, found before the specifications are taken apart.
pub(crate) struct ClosureParts {
    joints: Vec<(FrameRef, FrameRef)>,
    constraints: Vec<(FrameRef, FrameRef)>,
    couplings: Vec<Coupling>,
    forces: Vec<(FrameRef, FrameRef)>,
}

impl ModelBuilder {
    /// Finds the frames of loop joints, constraints, couplings and force elements.
    pub(crate) fn check_closures(&self, tree: &Tree, problems: &mut Problems) -> ClosureParts {
        let body = |link: usize| tree.body(link);
        let closing: Vec<usize> = (0..self.joints.len()).filter(|j| tree.carried_by(*j).is_none()).collect();
        let joints = closing.iter().filter_map(|&j| self.loop_frames(&self.joints[j], &body)).collect();
        let mut ends = |family: &str, name: &str, parent: &End, child: &End| {
            let key = format!("{family}.{name}");
            let parent_frame = self.frame(parent, &format!("{key}.from"), &body, problems);
            let child_frame = self.frame(child, &format!("{key}.to"), &body, problems);
            if parent_frame.is_some() && parent_frame == child_frame && parent.offset() == child.offset() {
                problems.push(&key, "`from` and `to` are the same point");
            }
            Some((parent_frame?, child_frame?))
        };
        let constraints = self
            .constraints
            .iter()
            .filter_map(|c| ends("constraints", &c.name, &c.parent, &c.child))
            .collect();
        let forces =
            self.forces.iter().filter_map(|f| ends("forces", &f.name, &f.parent, &f.child)).collect();
        let couplings = self.couplings.iter().filter_map(|c| self.coupling(c, tree, &closing, problems));
        ClosureParts { joints, constraints, couplings: couplings.collect(), forces }
    }

    fn loop_frames(
        &self,
        joint: &JointSpec,
        body: &dyn Fn(usize) -> Option<BodyIndex>,
    ) -> Option<(FrameRef, FrameRef)> {
        // Names that do not exist have been reported with the tree.
        let link = |name: &str| self.links.iter().position(|(n, _)| n == name);
        let interface_of = |index: usize, interface: &str| {
            let interface = InterfaceIndex(self.links[index].1.interface(interface)?);
            Some(FrameRef::Interface(InterfaceRef { body: body(index)?, interface }))
        };
        let parent = match &joint.parent {
            Attachment::Ground => FrameRef::Ground,
            Attachment::Interface { link: name, interface } => {
                let index = link(name)?;
                interface_of(index, interface)?
            }
        };
        let index = link(&joint.child)?;
        let child = match &joint.child_interface {
            None => FrameRef::Link(body(index)?),
            Some(interface) => interface_of(index, interface)?,
        };
        Some((parent, child))
    }

    fn frame(
        &self,
        end: &End,
        key: &str,
        body: &dyn Fn(usize) -> Option<BodyIndex>,
        problems: &mut Problems,
    ) -> Option<FrameRef> {
        let X = end.offset();
        if X.R.iter().chain(X.p.iter()).any(|x| !x.is_finite()) {
            problems.push(key, "its position is not finite");
        }
        match end {
            End::Ground(_) => Some(FrameRef::Ground),
            End::Frame { link, .. } => {
                let Some(index) = self.links.iter().position(|(name, _)| name == link) else {
                    problems.push(key, format!("there is no link `{link}`"));
                    return None;
                };
                body(index).map(FrameRef::Link)
            }
            End::Interface { link, interface, .. } => {
                let found = self.find(&Attachment::interface(link, interface), key, problems)?;
                let interface = found.interface;
                body(found.link).map(|body| FrameRef::Interface(InterfaceRef { body, interface }))
            }
        }
    }

    fn coupling(
        &self,
        spec: &crate::CouplingSpec,
        tree: &Tree,
        closing: &[usize],
        problems: &mut Problems,
    ) -> Option<Coupling> {
        let key = format!("couplings.{}", spec.name);
        let mut terms = Vec::new();
        for (name, k, factor) in &spec.terms {
            let Some(j) = self.joints.iter().position(|joint| joint.name == *name) else {
                problems.push(&key, format!("there is no joint `{name}`"));
                return None;
            };
            let joint = &self.joints[j].joint;
            if !joint.has_scalar_coordinates() || *k >= joint.velocity_count() {
                let kind = joint.kind();
                problems.push(&key, format!("joint `{name}` ({kind}) has no coordinate that can be coupled"));
                return None;
            }
            if !(factor.is_finite() && *factor != 0.0) {
                problems.push(
                    &key,
                    format!("the factor of joint `{name}` must be finite and not zero, found {factor}"),
                );
            }
            let coordinate = match (tree.carried_by(j), closing.iter().position(|c| *c == j)) {
                (Some(body), _) => body.coordinate(*k),
                (None, Some(closing)) => LoopIndex(closing).coordinate(*k),
                (None, None) => return None,
            };
            terms.push((coordinate, *factor));
        }
        if terms.is_empty() || !spec.value.is_finite() {
            problems.push(&key, "a coupling needs at least one coordinate and a finite value");
        }
        Some(Coupling { name: spec.name.clone(), terms, value: spec.value })
    }
}

impl ClosureParts {
    /// Puts the parts together; all frames were found.
    pub(crate) fn assemble(
        self,
        closing: Vec<JointSpec>,
        constraints: Vec<ConstraintSpec>,
        forces: Vec<ForceSpec>,
        redundancy: Redundancy,
    ) -> Closures {
        let joints = closing.into_iter().zip(self.joints).map(|(mut spec, (parent, child))| {
            let (X_TP, X_CL) = spec.placement.transforms();
            spec.coordinates.resize_with(spec.joint.velocity_count(), CoordinateSpec::default);
            LoopJoint {
                name: spec.name,
                parent,
                child,
                hinge: Hinge { joint: spec.joint, bearing: spec.bearing, X_TP, X_CL },
                coordinates: spec.coordinates,
                position_start: 0,
                velocity_start: 0,
            }
        });
        let constraints = constraints.into_iter().zip(self.constraints).map(|(spec, frames)| {
            pair::<dyn Constraint>(spec.name, frames, (&spec.parent, &spec.child), spec.kind)
        });
        let forces = forces.into_iter().zip(self.forces).map(|(spec, frames)| {
            pair::<dyn ForceElement>(spec.name, frames, (&spec.parent, &spec.child), spec.kind)
        });
        Closures {
            joints: joints.collect(),
            constraints: constraints.collect(),
            couplings: self.couplings,
            forces: forces.collect(),
            redundancy,
        }
    }
}

fn pair<K: ?Sized>(
    name: String,
    (parent, child): (FrameRef, FrameRef),
    (from, to): (&End, &End),
    kind: Box<K>,
) -> Pair<K> {
    let (X_parent, X_child): (Transform, Transform) = (*from.offset(), *to.offset());
    Pair { name, parent, X_parent, child, X_child, kind }
}
