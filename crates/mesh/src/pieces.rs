//! Pieces of a mesh that nothing joins.

use crate::element::ElementRef;
use crate::{LinkMesh, NodeIndex, SetId};

/// Nodes and elements that hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// How many nodes.
    pub node_count: usize,
    /// How many elements; rigid and plot elements are not counted.
    pub element_count: usize,
    /// The first of them.
    pub first_element: Option<ElementRef>,
    /// The first of its nodes.
    pub first_node: NodeIndex,
    /// True when one of its nodes is held: by its own card, an SPC of a selected set, or an element to
    /// ground.
    pub is_held: bool,
}

impl LinkMesh {
    /// The pieces that elements, rigid elements, constraint equations and DMIG matrices join, the largest
    /// first. Nodes that none of these uses are no pieces. Constraint equations of every set count, so that
    /// pieces are apart in every subcase.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut nodes = Joined::new(self.nodes.len());
        for solid in &self.solids {
            nodes.join(self.nodes_of_solid(solid));
        }
        for shell in &self.shells {
            nodes.join(self.nodes_of_shell(shell));
        }
        let others = |element: &ElementRef| !matches!(element, ElementRef::Solid(_) | ElementRef::Shell(_));
        for element in self.elements().filter(others) {
            nodes.join(&self.element_nodes(element));
        }
        for rigid in &self.rigids {
            nodes.join(&rigid.kind.nodes());
        }
        for mpc in &self.mpcs {
            nodes.join(&mpc.terms.iter().map(|term| term.node).collect::<Vec<_>>());
        }
        for matrix in &self.direct_matrices {
            let ids = matrix.terms.iter().flat_map(|term| [term.row.0, term.column.0]);
            nodes.join(&ids.filter_map(|id| self.node_by_id(id)).collect::<Vec<_>>());
        }
        self.describe(nodes)
    }

    fn describe(&self, mut nodes: Joined) -> Vec<Piece> {
        let mut piece_of = vec![usize::MAX; nodes.parents.len()];
        let mut pieces: Vec<Piece> = Vec::new();
        for row in (0..nodes.parents.len()).filter(|row| nodes.used[*row]).collect::<Vec<_>>() {
            let root = nodes.root(row as u32) as usize;
            if piece_of[root] == usize::MAX {
                piece_of[root] = pieces.len();
                pieces.push(Piece {
                    node_count: 0,
                    element_count: 0,
                    first_element: None,
                    first_node: NodeIndex::from(row),
                    is_held: false,
                });
            }
            let piece = piece_of[root];
            piece_of[row] = piece;
            pieces[piece].node_count += 1;
            pieces[piece].is_held |= !self.nodes[row].permanent_spc.is_empty();
        }
        if pieces.len() > 1 {
            self.count_elements(&mut pieces, &piece_of);
            pieces.sort_by_key(|piece| std::cmp::Reverse(piece.node_count));
        }
        pieces
    }

    fn count_elements(&self, pieces: &mut [Piece], piece_of: &[usize]) {
        for element in self.elements() {
            // A scalar element between the ground and the ground has no node.
            let Some(first) = self.element_nodes(element).first().copied() else { continue };
            let piece = &mut pieces[piece_of[first.index()]];
            piece.element_count += 1;
            piece.first_element.get_or_insert(element);
            piece.is_held |= self.is_grounded(element);
        }
        let selected: Vec<SetId> = self.case_control.subcases.iter().filter_map(|case| case.spc).collect();
        let members = |set: SetId| {
            let combined = self.spc_combinations.iter().filter(|c| selected.contains(&c.set));
            selected.contains(&set) || combined.flat_map(|c| &c.members).any(|member| *member == set)
        };
        for spc in self.spcs.iter().filter(|spc| members(spc.set)) {
            if let Some(piece) = pieces.get_mut(piece_of[spc.node.index()]) {
                piece.is_held = true;
            }
        }
    }
}

/// Sets of nodes, joined step by step (union–find with path halving).
struct Joined {
    parents: Vec<u32>,
    used: Vec<bool>,
}

impl Joined {
    fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect(), used: vec![false; count] }
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let above = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = above;
            node = above;
        }
        node
    }

    /// Joins nodes; mid-side nodes that are left out are passed over.
    fn join(&mut self, nodes: &[NodeIndex]) {
        let mut all = None;
        for node in nodes.iter().filter(|node| node.is_some()) {
            self.used[node.index()] = true;
            let root = self.root(node.index() as u32);
            match all {
                None => all = Some(root),
                // The smaller number stays on top, so that chains stay short in meshes that are numbered
                // along.
                Some(top) if root != top => {
                    let (low, high) = (root.min(top), root.max(top));
                    self.parents[high as usize] = low;
                    all = Some(low);
                }
                Some(_) => {}
            }
        }
    }
}
