//! A segment of a deck that is cut at sets of grids.
//!
//! Cut k is a set of grids; without them the mesh falls apart. Segment 1 is what hangs together with the
//! inboard interface, segment k + 1 what then still hangs on cut k. The grids of a cut belong to both sides,
//! elements to the side that holds their other nodes; what stands on one cut alone (a mass, a bar along it)
//! belongs to the side before, and what reaches from one cut to the next lies between them. So every element
//! is in one segment and the masses add up to that of the deck.

use std::collections::VecDeque;

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Located, Origin};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{Components, LinkMesh, NodeIndex};

use crate::interface::named_grids;
use crate::request::{DeckSegment, Grids, InterfaceRequest, Interfaces, LinkRequest, Spider};
use crate::{MeshedLink, ReduceError};

/// A cut in the mesh.
struct Cut {
    grids: Vec<NodeIndex>,
    middle: Vector3<f64>,
    /// The interface that both sides make of it.
    interface: Located<InterfaceRequest>,
}

/// The mesh and the interfaces of the segment that is asked for; both as they are when none is.
///
/// # Errors
/// Cuts without grids, cuts that do not divide the mesh, and interfaces in another segment.
pub fn deck_segment(
    mesh: LinkMesh,
    request: &LinkRequest,
    asked: Option<&DeckSegment>,
) -> Result<MeshedLink, ReduceError> {
    let mut interfaces = request.interfaces.clone();
    let Some(asked) = asked else { return Ok(MeshedLink { mesh, interfaces }) };
    let cuts = resolved(&mesh, &asked.cuts).map_err(ReduceError::Request)?;
    let division = Division::new(&mesh, &cuts, &interfaces, request.origin)?;
    let segment = asked.number as usize - 1;
    let nodes = division.nodes(segment);
    check_interfaces(&mesh, &interfaces, &division, segment).map_err(ReduceError::Request)?;
    check_spread_masses(&mesh, &division).map_err(ReduceError::Input)?;
    let mut part =
        mesh.part(&nodes, |element| division.of_nodes(&mesh.element_nodes(element)) == Some(segment));
    for cut in cuts.iter().take(segment + 1).skip(segment.saturating_sub(1)) {
        free(&mesh, &mut part, cut);
    }
    if let Some(before) = segment.checked_sub(1) {
        interfaces.inboard = Some(cuts[before].interface.clone());
    }
    if let (Some(cut), Some(name)) = (cuts.get(segment), asked.onward()) {
        interfaces.outboard.push((name.to_owned(), cut.interface.clone()));
    }
    Ok(MeshedLink { mesh: part, interfaces })
}

/// The grids of a rigid face follow it: what their cards hold, nothing holds any more.
fn free(mesh: &LinkMesh, part: &mut LinkMesh, cut: &Cut) {
    let is_rigid = cut.interface.value.spider == Spider::Rigid;
    for grid in cut.grids.iter().filter(|_| is_rigid) {
        if let Some(here) = part.node_by_id(mesh.node(*grid).id) {
            part.nodes[here.index()].permanent_spc = Components::NONE;
        }
    }
}

/// The grids of the cuts. A region becomes the list of its grids, so that both sides tie the same ones to the
/// same centre.
fn resolved(mesh: &LinkMesh, specs: &[Located<InterfaceRequest>]) -> Result<Vec<Cut>, Diagnostics> {
    let (mut cuts, mut problems) = (Vec::<Cut>::new(), Diagnostics::new());
    for (k, spec) in specs.iter().enumerate() {
        let error = |message: String| Diagnostic::error(format!("cut {}: {message}", k + 1)).at(spec.span());
        match named_grids(mesh, &spec.value) {
            Ok((grids, middle)) => {
                let twice = |grid: &&NodeIndex| cuts.iter().any(|cut| cut.grids.contains(grid));
                if let Some(grid) = grids.iter().find(twice) {
                    problems.push(error(format!("GRID {} is in two cuts", mesh.node(*grid).id)));
                }
                let mut interface = spec.clone();
                if !matches!(interface.value.grids, Grids::One(_)) {
                    interface.value.centre.get_or_insert(middle.into());
                    let numbers = grids.iter().map(|grid| mesh.node(*grid).id.0).collect();
                    interface.value.grids = Grids::Several(numbers);
                }
                cuts.push(Cut { grids, middle, interface });
            }
            Err(mut problem) => {
                problem.message = format!("cut {}: {}", k + 1, problem.message);
                problems.push(problem.at(spec.span()));
            }
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(cuts) }
}

/// What ties nodes to each other.
#[derive(Clone, Copy)]
enum Tie {
    Element(ElementRef),
    Rigid(usize),
    Mpc(usize),
}

/// Which segment each node is in, from 0.
struct Division {
    /// Of nodes on no cut.
    segment: Vec<Option<usize>>,
    /// Of the others: the cut, from 0; it lies between the segments of this number and the next.
    cut: Vec<Option<usize>>,
    count: usize,
}

/// A step of the flood: the tie that was followed, from which node.
#[derive(Clone, Copy)]
struct Step {
    tie: usize,
    node: usize,
}

/// The nodes on their way to segments.
struct Flood<'a> {
    mesh: &'a LinkMesh,
    ties: Vec<(Tie, Vec<usize>)>,
    /// Ties of each node.
    of_node: Vec<Vec<u32>>,
    /// By what each node was reached.
    from: Vec<Option<Step>>,
    /// The nodes as they were reached.
    reached: Vec<usize>,
    division: Division,
}

impl Division {
    fn new(
        mesh: &LinkMesh,
        cuts: &[Cut],
        interfaces: &Interfaces,
        origin: Origin,
    ) -> Result<Self, ReduceError> {
        let mut flood = Flood::new(mesh, cuts);
        let inboard = interfaces.inboard.as_ref().and_then(|spec| named_grids(mesh, &spec.value).ok());
        let start: Vec<usize> =
            inboard.iter().flat_map(|(grids, _)| grids).map(|grid| grid.index()).collect();
        if let Some(node) = start.iter().find(|node| flood.division.cut[**node].is_some()) {
            let message = format!("GRID {} is inboard and on a cut", mesh.nodes[*node].id);
            return Err(request(Diagnostic::error(message).at(origin.0)));
        }
        flood.fill(&start, 0);
        for (k, cut) in cuts.iter().enumerate() {
            let beyond: Vec<usize> = flood.hanging_on(cut).collect();
            flood.fill(&beyond, k + 1);
        }
        // What hangs on nothing is reported with the first segment, as it is of an entire mesh.
        flood.division.segment.iter_mut().for_each(|segment| {
            segment.get_or_insert(0);
        });
        flood.check(cuts)?;
        Ok(flood.division)
    }

    /// The segment of what stands on these nodes; `None` when it reaches over a complete segment, or stands
    /// on nothing.
    fn of(&self, nodes: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        if let Some(node) = nodes.clone().find(|node| self.cut[*node].is_none()) {
            return self.segment[node];
        }
        let cuts = nodes.filter_map(|node| self.cut[node]);
        let (first, last) = (cuts.clone().min()?, cuts.max()?);
        (last - first < 2).then_some(last)
    }

    fn of_nodes(&self, nodes: &[NodeIndex]) -> Option<usize> {
        self.of(nodes.iter().map(|node| node.index()))
    }

    /// Which nodes a segment has.
    fn nodes(&self, segment: usize) -> Vec<bool> {
        let is_here = |(own, cut): (&Option<usize>, &Option<usize>)| match cut {
            Some(cut) => *cut == segment || cut + 1 == segment,
            None => *own == Some(segment),
        };
        self.segment.iter().zip(&self.cut).map(is_here).collect()
    }
}

impl<'a> Flood<'a> {
    fn new(mesh: &'a LinkMesh, cuts: &[Cut]) -> Self {
        let rows = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect::<Vec<_>>();
        let elements =
            mesh.elements().map(|element| (Tie::Element(element), rows(mesh.element_nodes(element))));
        let rigids =
            mesh.rigids.iter().enumerate().map(|(k, rigid)| (Tie::Rigid(k), rows(rigid.kind.nodes())));
        let mpcs = mesh.mpcs.iter().enumerate();
        let mpcs =
            mpcs.map(|(k, mpc)| (Tie::Mpc(k), mpc.terms.iter().map(|term| term.node.index()).collect()));
        let ties: Vec<(Tie, Vec<usize>)> = elements.chain(rigids).chain(mpcs).collect();
        let mut of_node = vec![Vec::new(); mesh.nodes.len()];
        for (k, (_, nodes)) in ties.iter().enumerate() {
            nodes.iter().for_each(|node| of_node[*node].push(k as u32));
        }
        let mut cut = vec![None; mesh.nodes.len()];
        for (k, of) in cuts.iter().enumerate() {
            of.grids.iter().for_each(|grid| cut[grid.index()] = Some(k));
        }
        let division = Division { segment: vec![None; mesh.nodes.len()], cut, count: cuts.len() + 1 };
        Self { mesh, ties, of_node, from: vec![None; mesh.nodes.len()], reached: Vec::new(), division }
    }

    fn is_open(&self, node: usize) -> bool {
        self.division.segment[node].is_none() && self.division.cut[node].is_none()
    }

    /// Nodes that are tied to a cut.
    fn hanging_on(&self, cut: &Cut) -> impl Iterator<Item = usize> {
        let ties = cut.grids.iter().flat_map(|grid| &self.of_node[grid.index()]);
        ties.flat_map(|tie| &self.ties[*tie as usize].1).copied()
    }

    /// The ties by which a node was reached and the two nodes of each, from the node back to the start.
    fn way(&self, node: usize) -> impl Iterator<Item = (usize, [usize; 2])> {
        let mut at = node;
        std::iter::from_fn(move || {
            let Step { tie, node: before } = self.from[at]?;
            let step = (tie, [at, before]);
            at = before;
            Some(step)
        })
    }

    /// Puts all that hangs on the nodes of `start` and is on no cut into a segment.
    fn fill(&mut self, start: &[usize], segment: usize) {
        let mut waiting: VecDeque<usize> = start.iter().copied().filter(|node| self.is_open(*node)).collect();
        waiting.iter().for_each(|node| self.division.segment[*node] = Some(segment));
        while let Some(node) = waiting.pop_front() {
            self.reached.push(node);
            for tie in &self.of_node[node] {
                for next in &self.ties[*tie as usize].1 {
                    if self.division.segment[*next].is_none() && self.division.cut[*next].is_none() {
                        self.division.segment[*next] = Some(segment);
                        self.from[*next] = Some(Step { tie: *tie as usize, node });
                        waiting.push_back(*next);
                    }
                }
            }
        }
    }

    /// Every cut divides: what is tied together lies between two cuts that follow each other, and there is
    /// something between any two.
    fn check(&self, cuts: &[Cut]) -> Result<(), ReduceError> {
        let mut filled = vec![false; self.division.count];
        for (tie, nodes) in self.ties.iter().filter(|(_, nodes)| !nodes.is_empty()) {
            let Some(segment) = self.division.of(nodes.iter().copied()) else {
                return Err(self.bridge(*tie, "reaches over more than one cut"));
            };
            filled[segment] |= matches!(tie, Tie::Element(_));
            let beyond = nodes.iter().filter_map(|node| self.division.cut[*node]).find(|cut| *cut > segment);
            let inside = nodes.iter().find(|node| self.division.cut[**node].is_none());
            if let (Some(_), Some(inside)) = (beyond, inside) {
                return Err(self.way_past(*inside, segment, &cuts[segment]));
            }
        }
        let Some(empty) = filled.iter().position(|filled| !filled) else { return Ok(()) };
        // What goes on beyond what hangs on the cut has found another way.
        if let Some(cut) = empty.checked_sub(1) {
            let here = |node: &usize| {
                self.division.segment[*node] == Some(cut) && self.division.cut[*node].is_none()
            };
            let depth = |node: &usize| self.way(*node).count();
            let on_cut = self.hanging_on(&cuts[cut]).filter(here).map(|node| depth(&node)).min();
            let farthest = self.reached.iter().rev().copied().find(here);
            if let (Some(on_cut), Some(farthest)) = (on_cut, farthest)
                && depth(&farthest) > on_cut + 1
            {
                return Err(self.way_past(farthest, cut, &cuts[cut]));
            }
        }
        let message = match empty {
            0 => "no element lies between the inboard interface and cut 1".to_owned(),
            k if k == cuts.len() => format!("no element lies beyond cut {k}, or a connection bypasses it"),
            k => format!("no element lies between cut {k} and cut {}", k + 1),
        };
        let span = cuts[empty.min(cuts.len() - 1)].interface.span();
        Err(request(Diagnostic::error(message).at(span).hint(HINT)))
    }

    /// What leads from a segment past the cut at its end to a node beyond: of all on the way, what passes
    /// nearest to the cut.
    fn way_past(&self, node: usize, segment: usize, cut: &Cut) -> ReduceError {
        let position = |node: usize| self.mesh.nodes[node].position;
        let way = self
            .way(node)
            .map(|(tie, [a, b])| (tie, ((position(a) + position(b)) * 0.5 - cut.middle).norm()));
        let nearest = way.min_by(|a, b| a.1.total_cmp(&b.1));
        let message = format!("bypasses cut {}", segment + 1);
        match nearest {
            Some((tie, _)) => self.bridge(self.ties[tie].0, &message),
            None => {
                let message = format!("GRID {} {message}", self.mesh.nodes[node].id);
                request(Diagnostic::error(message).at(cut.interface.span()).hint(HINT))
            }
        }
    }

    /// An error at something of the deck.
    fn bridge(&self, tie: Tie, what: &str) -> ReduceError {
        let (name, source) = match tie {
            Tie::Element(element) => {
                let facts = self.mesh.element_facts(element);
                (format!("{} {}", facts.card, facts.id), facts.source)
            }
            Tie::Rigid(row) => {
                let rigid = &self.mesh.rigids[row];
                (format!("rigid element {}", rigid.id), rigid.source)
            }
            Tie::Mpc(row) => ("an MPC".to_owned(), self.mesh.mpcs[row].source),
        };
        let problem = Diagnostic::error(format!("{name} {what}")).at(source.0).hint(HINT);
        ReduceError::Input([problem].into_iter().collect())
    }
}

const HINT: &str = "the grids of a cut alone connect what lies before it with what lies beyond; cuts are given from the inboard end outward";

fn request(problem: Diagnostic) -> ReduceError {
    ReduceError::Request([problem].into_iter().collect())
}

/// Interfaces lie in the segment that the file puts them in.
fn check_interfaces(
    mesh: &LinkMesh,
    interfaces: &Interfaces,
    division: &Division,
    segment: usize,
) -> Result<(), Diagnostics> {
    let mut problems = Diagnostics::new();
    for (name, spec) in &interfaces.outboard {
        // What names no grids is reported when the interface is made.
        let Ok((grids, _)) = named_grids(mesh, &spec.value) else { continue };
        let Some(found) = division.of_nodes(&grids).filter(|found| *found != segment) else { continue };
        let message = format!("interface `{name}` lies in segment {}, not in {}", found + 1, segment + 1);
        let hint = format!("write `segment = {}` in its table", found + 1);
        problems.push(Diagnostic::error(message).at(spec.span()).hint(hint));
    }
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

/// A total mass that is spread over elements of several segments has no share for each.
fn check_spread_masses(mesh: &LinkMesh, division: &Division) -> Result<(), Diagnostics> {
    let totals = mesh.nonstructural_masses.iter().filter(|mass| !mass.distributed);
    let divided = totals.filter(|mass| {
        let mut segments =
            mass.elements.iter().map(|element| division.of_nodes(&mesh.element_nodes(*element)));
        let first = segments.next();
        segments.any(|segment| Some(segment) != first)
    });
    let complain = |mass: &pliant_mesh::NonStructuralMass| {
        let message = format!("NSML of set {} is spread over elements of several segments", mass.set);
        Diagnostic::error(message).at(mass.source.0).hint("NSM gives mass per length or area instead")
    };
    let problems: Diagnostics = divided.map(complain).collect();
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}
