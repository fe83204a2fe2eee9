//! The segments of a link joined again, by themselves.

use std::sync::Arc;

use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Fixed, Joint};
use pliant_mechanism::{
    Attachment, Bearing, CoordinateSpec, JointSpec, Model, ModelBuilder, ModelError, Placement,
};

/// The interface that leads from a segment to the next: `cut` of a deck, `tip` of a beam.
fn onward(link: &ReducedLink) -> &'static str {
    if link.interface("cut").is_some() { "cut" } else { "tip" }
}

/// The undivided link as a machine: its segments in a row, each fixed to the one before, the first carried by
/// `root` on the ground.
///
/// # Errors
/// Segments that do not fit together.
pub fn chain(links: Vec<(String, Arc<ReducedLink>)>, root: Box<dyn Joint>) -> Result<Model, Vec<ModelError>> {
    let mut root = Some(root);
    let joint = |k: usize| {
        let (parent, joint): (Attachment, Box<dyn Joint>) = match (k.checked_sub(1), root.take()) {
            (None, Some(root)) => (Attachment::Ground, root),
            (before, _) => {
                let (name, link) = &links[before.unwrap_or(0)];
                (Attachment::interface(name, onward(link)), Box::new(Fixed))
            }
        };
        let coordinates = (0..joint.velocity_count()).map(|_| CoordinateSpec::default()).collect();
        JointSpec {
            name: format!("to {}", links[k].0),
            parent,
            child: links[k].0.clone(),
            child_interface: None,
            closes_loop: false,
            joint,
            placement: Placement::Triad,
            coordinates,
            bearing: Bearing::default(),
            grip: None,
        }
    };
    let joints = (0..links.len()).map(joint).collect();
    ModelBuilder { links, joints, ..ModelBuilder::default() }.build()
}
