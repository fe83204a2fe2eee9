//! Superelements: parts of the deck (BEGIN SUPER=n) that are joined to one link.
//!
//! In Nastran the numbers of a part are its own, and parts meet where SECONCT says so or, unless SEBULK says
//! MANUAL, where their grids coincide. Here all parts share one numbering: a grid given in two parts with one
//! number and one position is one grid, grids with different numbers that meet become one, and anything else
//! with a number taken twice is an error. A part that meets nothing is an error as well: the link would fall
//! apart.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_mesh::{Node, NodeIndex, NodeKind};

use super::Builder;
use super::table::IdTable;
use crate::cards::SUPERELEMENT_TOLERANCE;
use crate::read::CardFile;

/// Two points that SECONCT makes one: part of the deck and number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuperelementPair {
    pub(crate) ends: [(u16, u32); 2],
    pub(crate) tolerance: f64,
    pub(crate) span: Span,
}

/// What the deck says about its superelements.
#[derive(Debug, Default)]
pub(crate) struct Superelements {
    /// Number of each part of the deck; `None` for the main bulk data and parts that are left out.
    pub(crate) ids: Vec<Option<u32>>,
    /// SEBULK by superelement: MANUAL, and the tolerance of the search.
    pub(crate) searches: HashMap<u32, (bool, f64)>,
    /// SECONCT.
    pub(crate) pairs: Vec<SuperelementPair>,
    /// Parts in which each grid number is given, beyond the first.
    pub(super) repeated: Vec<(u32, u16)>,
    /// Part of each node in which it was given first, before nodes were joined.
    parts: Vec<u16>,
    /// Numbers that stand for another node, ascending, and the part they were given in.
    aliases: Vec<(u32, NodeIndex, u16)>,
}

impl Superelements {
    pub(super) fn of(file: &CardFile) -> Self {
        let id = |part: &crate::Part| (part.kind == "SUPER").then_some(part.id);
        Self { ids: file.parts.iter().map(id).collect(), ..Self::default() }
    }

    /// True when the deck has any.
    pub(super) fn any(&self) -> bool {
        self.ids.iter().any(Option::is_some)
    }

    /// The tolerance of a part's search for coincident grids; `None` when SEBULK says MANUAL.
    fn search(&self, part: u16) -> Option<f64> {
        let Some(id) = self.ids.get(usize::from(part)).copied().flatten() else { return Some(f64::INFINITY) };
        match self.searches.get(&id) {
            Some((true, _)) => None,
            Some((false, tolerance)) => Some(*tolerance),
            None => Some(SUPERELEMENT_TOLERANCE),
        }
    }

    /// True when two parts that both give a grid of this number share it.
    pub(super) fn shares(&self, id: u32, parts: [u16; 2]) -> bool {
        let named = |pair: &SuperelementPair| {
            pair.ends.iter().all(|(_, end)| *end == id)
                && pair.ends.iter().any(|(part, _)| parts.contains(part))
        };
        parts.iter().all(|part| self.search(*part).is_some()) || self.pairs.iter().any(named)
    }

    /// Numbers of joined nodes within a range.
    pub(super) fn aliases_within(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, NodeIndex)> {
        let from = self.aliases.partition_point(|(id, ..)| *id < first);
        self.aliases[from..].iter().take_while(move |(id, ..)| *id <= last).map(|(id, node, _)| (*id, *node))
    }
}

impl Builder {
    /// Makes one node of those that SECONCT or a common position joins. `parts` is the part of each node.
    pub(super) fn join_superelements(
        &mut self,
        nodes: &mut Vec<Node>,
        parts: Vec<u16>,
        diagnostics: &mut Diagnostics,
    ) {
        if !self.superelements.any() {
            return;
        }
        let mut sets = DisjointSets::new(nodes.len());
        self.join_named(nodes, &parts, &mut sets, diagnostics);
        self.join_coincident(nodes, &parts, &mut sets, diagnostics);
        let roots: Vec<usize> = (0..nodes.len()).map(|row| sets.root(row)).collect();
        let mut rows = vec![0_u32; nodes.len()];
        for (kept, row) in (0..nodes.len()).filter(|row| roots[*row] == *row).enumerate() {
            rows[row] = kept as u32;
        }
        let joined: Vec<usize> = (0..nodes.len()).filter(|row| roots[*row] != *row).collect();
        for row in &joined {
            let held = nodes[*row].permanent_spc;
            let root = &mut nodes[roots[*row]];
            root.permanent_spc = root.permanent_spc.union(held);
        }
        let ids: Vec<(u32, u32)> =
            nodes.iter().zip(&roots).map(|(node, root)| (node.id.0, rows[*root])).collect();
        self.nodes = IdTable::with_rows(&ids);
        let alias = |row: &usize| (nodes[*row].id.0, NodeIndex(rows[roots[*row]]), parts[*row]);
        self.superelements.aliases = joined.iter().map(alias).collect();
        self.superelements.parts =
            (0..parts.len()).filter(|row| roots[*row] == *row).map(|row| parts[row]).collect();
        let mut row = 0;
        nodes.retain(|_| {
            row += 1;
            roots[row - 1] == row - 1
        });
    }

    fn join_named(
        &self,
        nodes: &[Node],
        parts: &[u16],
        sets: &mut DisjointSets,
        diagnostics: &mut Diagnostics,
    ) {
        // The widest gap that is closed by moving one grid to the other.
        let mut moved: Option<(f64, &SuperelementPair)> = None;
        for pair in &self.superelements.pairs {
            let [a, b] = pair.ends;
            let problem = |message: String| Diagnostic::error(message).at(pair.span).card("SECONCT");
            let is_given = |(part, id): (u16, u32), row: usize| {
                parts[row] == part || self.superelements.repeated.contains(&(id, part))
            };
            let row = |end: (u16, u32)| {
                self.nodes.get(end.1).map(|row| row as usize).filter(|row| is_given(end, *row))
            };
            let (Some(row_a), Some(row_b)) = (row(a), row(b)) else {
                for (part, id) in [a, b].into_iter().filter(|end| row(*end).is_none()) {
                    diagnostics.push(problem(format!("{} has no GRID or SPOINT {id}", self.part_name(part))));
                }
                continue;
            };
            if row_a == row_b {
                continue;
            }
            match self.obstacle(&nodes[row_a], &nodes[row_b], pair.tolerance) {
                None => {
                    let gap = (nodes[row_a].position - nodes[row_b].position).norm();
                    if gap > moved.map_or(SUPERELEMENT_TOLERANCE, |(largest, _)| largest) {
                        moved = Some((gap, pair));
                    }
                    sets.join(row_a, row_b);
                }
                Some(why) => diagnostics.push(problem(format!("{} and {} {why}", a.1, b.1))),
            }
        }
        if let Some((gap, pair)) = moved {
            let [a, b] = pair.ends.map(|(_, id)| id);
            let message = format!(
                "joins grids that are up to {gap:.3e} apart ({a} and {b}) at one of the two positions, which changes the elements on the other"
            );
            diagnostics.push(Diagnostic::warning(message).at(pair.span).card("SECONCT"));
        }
    }

    /// Grids of different parts at one position, unless SEBULK wants it done by hand. Sorted by x, so that
    /// only near ones meet.
    fn join_coincident(
        &self,
        nodes: &[Node],
        parts: &[u16],
        sets: &mut DisjointSets,
        diagnostics: &mut Diagnostics,
    ) {
        let searches: Vec<Option<f64>> =
            (0..self.superelements.ids.len()).map(|part| self.superelements.search(part as u16)).collect();
        let widest = searches.iter().flatten().filter(|t| t.is_finite()).fold(0.0, |a: f64, b| a.max(*b));
        let mut rows: Vec<usize> =
            (0..nodes.len()).filter(|row| nodes[*row].kind == NodeKind::Grid).collect();
        rows.sort_by(|a, b| nodes[*a].position.x.total_cmp(&nodes[*b].position.x));
        for (k, a) in rows.iter().enumerate() {
            let near =
                rows[k + 1..].iter().take_while(|b| nodes[**b].position.x - nodes[*a].position.x <= widest);
            for b in near.filter(|b| parts[**b] != parts[*a]) {
                let [Some(one), Some(two)] = [parts[*a], parts[*b]].map(|part| searches[usize::from(part)])
                else {
                    continue;
                };
                if (nodes[*a].position - nodes[*b].position).norm() > one.min(two) {
                    continue;
                }
                match self.obstacle(&nodes[*a], &nodes[*b], f64::INFINITY) {
                    None => sets.join(*a, *b),
                    Some(why) => diagnostics.push(
                        Diagnostic::error(format!(
                            "meets GRID {} of another part, but they {why}",
                            nodes[*b].id
                        ))
                        .at(nodes[*a].source.0)
                        .card(format!("GRID {}", nodes[*a].id)),
                    ),
                }
            }
        }
    }

    /// Why two points cannot become one.
    fn obstacle(&self, a: &Node, b: &Node, tolerance: f64) -> Option<String> {
        if a.kind != b.kind {
            return Some("are a grid and a scalar point".to_owned());
        }
        let apart = (a.position - b.position).norm();
        if apart > tolerance {
            return Some(format!("lie {apart:.3e} apart; they must coincide to be one"));
        }
        let triad =
            |node: &Node| self.mesh.coordinates[node.displacement_frame.index()].triad_at(node.position);
        let turned = (triad(a) - triad(b)).norm() > 1e-9;
        turned.then(|| "have different displacement frames; give both the same CD".to_owned())
    }

    fn part_name(&self, part: u16) -> String {
        match self.superelements.ids.get(usize::from(part)).copied().flatten() {
            Some(id) => format!("superelement {id}"),
            None => "the main bulk data".to_owned(),
        }
    }

    /// Every part must hang together with the others, through elements, rigid elements or constraint
    /// equations.
    pub(super) fn check_superelements(&self, file: &CardFile, diagnostics: &mut Diagnostics) {
        if !self.superelements.any() {
            return;
        }
        let (mesh, part_count) = (&self.mesh, file.parts.len());
        // Parts first, then nodes: a node joins the parts that give it.
        let mut sets = DisjointSets::new(part_count + mesh.nodes.len());
        let mut used = vec![false; mesh.nodes.len()];
        let mut connect = |nodes: &[NodeIndex]| {
            nodes.iter().for_each(|node| used[node.index()] = true);
            for pair in nodes.windows(2) {
                sets.join(part_count + pair[0].index(), part_count + pair[1].index());
            }
        };
        mesh.elements().for_each(|element| connect(&mesh.element_nodes(element)));
        mesh.rigids.iter().for_each(|rigid| connect(&rigid.kind.nodes()));
        mesh.mpcs.iter().for_each(|mpc| connect(&mpc.terms.iter().map(|term| term.node).collect::<Vec<_>>()));
        let first = self.superelements.parts.iter().enumerate().map(|(row, part)| (row, *part));
        let again = self.superelements.repeated.iter();
        let again = again.filter_map(|(id, part)| Some((self.nodes.get(*id)? as usize, *part)));
        let joined = self.superelements.aliases.iter().map(|(_, node, part)| (node.index(), *part));
        let mut has_elements = vec![false; part_count];
        for (row, part) in first.chain(again).chain(joined) {
            if used[row] {
                has_elements[usize::from(part)] = true;
                sets.join(usize::from(part), part_count + row);
            }
        }
        let Some(base) = has_elements.iter().position(|has| *has).map(|part| sets.root(part)) else { return };
        for (part, given) in file.parts.iter().enumerate().filter(|(part, _)| has_elements[*part]) {
            if sets.root(part) != base {
                let message =
                    format!("{} is connected to no other part of the link", self.part_name(part as u16));
                diagnostics.push(Diagnostic::error(message).at(given.span).hint(
                    "join it with SECONCT, or let its boundary grids coincide with those of another part",
                ));
            }
        }
    }
}

/// Sets that grow together; the smallest member stands for its set.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
