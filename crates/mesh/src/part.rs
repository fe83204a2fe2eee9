//! A part of a mesh as a mesh of its own.

use crate::element::{BarOrientation, BushOrientation, ElementRef, ScalarConnection};
use crate::{Components, LinkMesh, NodeIndex, RigidKind};

impl LinkMesh {
    /// The nodes an element hangs on. Those that only orient it are not among them.
    pub fn element_nodes(&self, element: ElementRef) -> Vec<NodeIndex> {
        let present = |nodes: &[NodeIndex]| nodes.iter().copied().filter(|node| node.is_some()).collect();
        let of_ends = |ends: &[ScalarConnection; 2]| {
            let node = |end: &ScalarConnection| match end {
                ScalarConnection::Ground => None,
                ScalarConnection::Dof(node, _) => Some(*node),
            };
            ends.iter().filter_map(node).collect()
        };
        match element {
            ElementRef::Rod(row) => self.rods[row as usize].nodes.to_vec(),
            ElementRef::Bar(row) => {
                let bar = &self.bars[row as usize];
                bar.nodes.into_iter().chain(bar.warping_points.into_iter().flatten()).collect()
            }
            ElementRef::Shell(row) => present(self.nodes_of_shell(&self.shells[row as usize])),
            ElementRef::ShearPanel(row) => present(&self.shear_panels[row as usize].nodes),
            ElementRef::Solid(row) => present(self.nodes_of_solid(&self.solids[row as usize])),
            ElementRef::Spring(row) => of_ends(&self.springs[row as usize].ends),
            ElementRef::Bush(row) => {
                let (a, b) = self.bushes[row as usize].nodes;
                std::iter::once(a).chain(b).collect()
            }
            ElementRef::ScalarMass(row) => of_ends(&self.scalar_masses[row as usize].ends),
            ElementRef::PointMass(row) => vec![self.point_masses[row as usize].node],
            ElementRef::Damper(row) => of_ends(&self.dampers[row as usize].ends),
            ElementRef::ViscousRod(row) => self.viscous_rods[row as usize].nodes.to_vec(),
        }
    }

    /// The node that an element only turns towards, where it names one.
    pub fn orientation_node(&self, element: ElementRef) -> Option<NodeIndex> {
        match element {
            ElementRef::Bar(row) => match self.bars[row as usize].orientation {
                BarOrientation::Node(node) => Some(node),
                _ => None,
            },
            ElementRef::Bush(row) => match self.bushes[row as usize].orientation {
                BushOrientation::Node(node) => Some(node),
                _ => None,
            },
            _ => None,
        }
    }

    /// The mesh of some nodes and some of the elements on them; numbers and locations stay as they are.
    ///
    /// Rigid elements, MPCs, SPCs and plot elements are kept where all of their nodes are. Loads are left
    /// out, and so is what an NSML gives to elements that go.
    ///
    /// # Panics
    /// If an element is kept and one of its nodes is not.
    pub fn part(&self, nodes: &[bool], keeps: impl Fn(ElementRef) -> bool) -> Self {
        let mut renumbered = Renumbering { rows: vec![NodeIndex::NONE; self.nodes.len()] };
        let mut part = Self { loads: Vec::new(), load_combinations: Vec::new(), ..self.clone() };
        part.nodes.clear();
        for (row, node) in self.nodes.iter().enumerate().filter(|(row, _)| nodes[*row]) {
            renumbered.rows[row] = NodeIndex::from(part.nodes.len());
            part.nodes.push(node.clone());
        }
        let to = &renumbered;
        let orientation =
            |node: NodeIndex, from: NodeIndex| self.node(node).position - self.node(from).position;
        let mut new_indices = std::collections::HashMap::new();
        let mut kept = |all: usize, family: fn(u32) -> ElementRef| {
            let rows: Vec<usize> = (0..all).filter(|row| keeps(family(*row as u32))).collect();
            new_indices
                .extend(rows.iter().enumerate().map(|(new, old)| (family(*old as u32), family(new as u32))));
            rows
        };
        macro_rules! family {
            ($field:ident, $family:path, |$one:ident| $change:expr) => {
                part.$field = kept(self.$field.len(), $family)
                    .into_iter()
                    .map(|row| {
                        let mut $one = self.$field[row].clone();
                        $change;
                        $one
                    })
                    .collect();
            };
        }
        let (mut shell_nodes, mut solid_nodes) = (Vec::new(), Vec::new());
        family!(rods, ElementRef::Rod, |rod| to.all(&mut rod.nodes));
        family!(bars, ElementRef::Bar, |bar| {
            if let BarOrientation::Node(node) = bar.orientation {
                bar.orientation = BarOrientation::Vector(orientation(node, bar.nodes[0]));
            }
            to.all(&mut bar.nodes);
            bar.warping_points.iter_mut().flatten().for_each(|node| to.one(node));
        });
        family!(shells, ElementRef::Shell, |shell| {
            let first = shell_nodes.len();
            shell_nodes.extend_from_slice(self.nodes_of_shell(&shell));
            to.all(&mut shell_nodes[first..]);
            shell.first_node = first as u32;
        });
        family!(shear_panels, ElementRef::ShearPanel, |panel| to.all(&mut panel.nodes));
        family!(solids, ElementRef::Solid, |solid| {
            let first = solid_nodes.len();
            solid_nodes.extend_from_slice(self.nodes_of_solid(&solid));
            to.all(&mut solid_nodes[first..]);
            solid.first_node = first as u32;
        });
        family!(springs, ElementRef::Spring, |spring| to.ends(&mut spring.ends));
        family!(bushes, ElementRef::Bush, |bush| {
            if let BushOrientation::Node(node) = bush.orientation {
                bush.orientation = BushOrientation::Vector(orientation(node, bush.nodes.0));
            }
            to.one(&mut bush.nodes.0);
            bush.nodes.1.iter_mut().for_each(|node| to.one(node));
        });
        family!(scalar_masses, ElementRef::ScalarMass, |mass| to.ends(&mut mass.ends));
        family!(point_masses, ElementRef::PointMass, |mass| to.one(&mut mass.node));
        family!(dampers, ElementRef::Damper, |damper| to.ends(&mut damper.ends));
        family!(viscous_rods, ElementRef::ViscousRod, |rod| to.all(&mut rod.nodes));
        (part.shell_nodes, part.solid_nodes) = (shell_nodes, solid_nodes);
        part.plot_elements.retain_mut(|plot| to.if_complete(&mut plot.nodes));
        part.rigids.retain_mut(|rigid| {
            let complete = rigid.kind.nodes().iter().all(|node| nodes[node.index()]);
            if complete {
                rigid.kind.for_each_node(|node| to.one(node));
            }
            complete
        });
        part.spcs.retain_mut(|spc| to.if_complete(std::slice::from_mut(&mut spc.node)));
        part.mpcs.retain_mut(|mpc| {
            let complete = mpc.terms.iter().all(|term| nodes[term.node.index()]);
            mpc.terms.iter_mut().filter(|_| complete).for_each(|term| to.one(&mut term.node));
            complete
        });
        let sets = &mut part.dof_sets;
        for set in [
            &mut sets.a,
            &mut sets.b,
            &mut sets.c,
            &mut sets.q,
            &mut sets.omit,
            &mut sets.support,
            &mut sets.external,
        ] {
            set.retain_mut(|(node, _): &mut (NodeIndex, Components)| {
                to.if_complete(std::slice::from_mut(node))
            });
        }
        for mass in &mut part.nonstructural_masses {
            mass.elements =
                mass.elements.iter().filter_map(|element| new_indices.get(element).copied()).collect();
        }
        part
    }
}

/// Rows of the part by rows of the mesh; `NONE` for what goes.
struct Renumbering {
    rows: Vec<NodeIndex>,
}

impl Renumbering {
    fn one(&self, node: &mut NodeIndex) {
        let row = self.rows[node.index()];
        assert!(row.is_some(), "invariant: an element of the part stands on nodes of the part");
        *node = row;
    }

    /// Mid-side nodes that are left out stay so.
    fn all(&self, nodes: &mut [NodeIndex]) {
        nodes.iter_mut().filter(|node| node.is_some()).for_each(|node| self.one(node));
    }

    fn ends(&self, ends: &mut [ScalarConnection; 2]) {
        for end in ends {
            if let ScalarConnection::Dof(node, _) = end {
                self.one(node);
            }
        }
    }

    /// Renumbers nodes when the part has all of them; returns whether it has.
    fn if_complete(&self, nodes: &mut [NodeIndex]) -> bool {
        let complete = nodes.iter().all(|node| self.rows[node.index()].is_some());
        if complete {
            self.all(nodes);
        }
        complete
    }
}

impl RigidKind {
    /// The nodes it ties.
    pub fn nodes(&self) -> Vec<NodeIndex> {
        let mut found = Vec::new();
        self.clone().for_each_node(|node| found.push(*node));
        found
    }

    fn for_each_node(&mut self, mut visit: impl FnMut(&mut NodeIndex)) {
        match self {
            Self::Rbe2 { independent, dependents, .. } => {
                visit(independent);
                dependents.iter_mut().for_each(visit);
            }
            Self::Rbe1 { independents, dependents } => {
                independents.iter_mut().chain(dependents).for_each(|(node, _)| visit(node));
            }
            Self::Rbe3 { reference, groups, dependents, .. } => {
                visit(reference);
                groups.iter_mut().flat_map(|group| &mut group.nodes).for_each(&mut visit);
                dependents.iter_mut().for_each(|(node, _)| visit(node));
            }
            Self::Rbar { nodes, .. } | Self::Rrod { nodes, .. } => nodes.iter_mut().for_each(visit),
        }
    }
}
