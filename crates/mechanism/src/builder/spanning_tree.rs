//! The choice of the tree: which joint carries each link, and which close loops.

use super::Problems;
use crate::{Attachment, BodyIndex, ModelBuilder};

/// A link with the joint that carries it, as indices into the lists of the builder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarriedLink {
    pub(crate) link: usize,
    pub(crate) joint: usize,
}

/// The links in the order of the bodies that they become, parents first.
pub(crate) struct Tree(pub(crate) Vec<CarriedLink>);

impl Tree {
    /// The body that a link becomes.
    pub(crate) fn body(&self, link: usize) -> Option<BodyIndex> {
        self.0.iter().position(|carried| carried.link == link).map(BodyIndex)
    }

    /// The body that a joint carries; `None` for a joint that closes a loop.
    pub(crate) fn carried_by(&self, joint: usize) -> Option<BodyIndex> {
        self.0.iter().position(|carried| carried.joint == joint).map(BodyIndex)
    }
}

/// A joint with its ends found: parent link (`None`: the ground) and child link.
struct Ends {
    parent: Option<usize>,
    child: usize,
    /// It may carry its child.
    carries: bool,
}

impl ModelBuilder {
    /// Links with the joints that carry them, parents first. From the ground outwards, the first joint in the
    /// order given that reaches a link carries it; all other joints close loops.
    pub(crate) fn tree(&self, problems: &mut Problems) -> Tree {
        let ends: Vec<Option<Ends>> = (0..self.joints.len()).map(|j| self.ends(j, problems)).collect();
        let mut carrier: Vec<Option<usize>> = vec![None; self.links.len()];
        let mut reached = vec![false; self.links.len()];
        let ready = |e: &Ends, reached: &[bool]| {
            e.carries && !reached[e.child] && e.parent.is_none_or(|p| reached[p])
        };
        while let Some((j, e)) =
            ends.iter().enumerate().find_map(|(j, e)| Some((j, e.as_ref().filter(|e| ready(e, &reached))?)))
        {
            reached[e.child] = true;
            carrier[e.child] = Some(j);
        }
        let parent = |link: usize| carrier[link].and_then(|j| ends[j].as_ref()).and_then(|e| e.parent);
        let mut order = Vec::with_capacity(self.links.len());
        let mut added = vec![false; self.links.len()];
        loop {
            let before = order.len();
            for link in 0..self.links.len() {
                let ready = parent(link).is_none_or(|p| added[p]);
                if let (false, true, Some(joint)) = (added[link], ready, carrier[link]) {
                    added[link] = true;
                    order.push(CarriedLink { link, joint });
                }
            }
            if order.len() == before {
                break;
            }
        }
        self.tell_stray_links(&ends, &reached, problems);
        Tree(order)
    }

    fn ends(&self, j: usize, problems: &mut Problems) -> Option<Ends> {
        let joint = &self.joints[j];
        let key = format!("joints.{}", joint.name);
        let parent = match &joint.parent {
            Attachment::Ground => Some(None),
            at => self.find(at, &format!("{key}.parent"), problems).map(|found| Some(found.link)),
        };
        let Some(child) = self.links.iter().position(|(name, _)| *name == joint.child) else {
            problems.push(format!("{key}.child"), format!("there is no link `{}`", joint.child));
            return None;
        };
        if let Some(interface) = &joint.child_interface {
            self.find(&Attachment::interface(&joint.child, interface), &format!("{key}.child"), problems)?;
        }
        let parent = parent?;
        if parent == Some(child) {
            problems.push(&key, format!("joins link `{}` to itself", joint.child));
            return None;
        }
        Some(Ends { parent, child, carries: joint.child_interface.is_none() && !joint.closes_loop })
    }

    fn tell_stray_links(&self, ends: &[Option<Ends>], reached: &[bool], problems: &mut Problems) {
        for (link, (name, _)) in self.links.iter().enumerate().filter(|(link, _)| !reached[*link]) {
            let named = |is: &dyn Fn(&Ends) -> bool| {
                let mut found = ends.iter().zip(&self.joints);
                found.find_map(|(e, joint)| Some((e.as_ref().filter(|e| is(e))?, joint.name.as_str())))
            };
            let carrier = named(&|e| e.child == link && e.carries);
            let message = if let Some((Ends { parent: Some(parent), .. }, joint)) = carrier {
                let parent = &self.links[*parent].0;
                format!(
                    "joint `{joint}` holds it on link `{parent}`, which no chain of joints connects to the ground"
                )
            } else if named(&|e| e.child == link).is_some() {
                "only joints that close loops hold it: one joint must carry it at its link frame".to_owned()
            } else if let Some((_, joint)) = named(&|e| e.parent == Some(link)) {
                format!(
                    "no joint carries it; joint `{joint}` has it as its parent: exchange parent and child there, or add a joint (`free` for a link that is not held)"
                )
            } else {
                "no joint carries it; use a `free` joint for a link that is not held".to_owned()
            };
            problems.push(format!("links.{name}"), message);
        }
    }
}
