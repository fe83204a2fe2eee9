//! What geometric stiffness does between pairs of nodes, summed over the elements that share them.

use nalgebra::DMatrix;
use pliant_mesh::NodeIndex;

/// Values of S in memory at one time, about.
const ROOM: usize = 1 << 18;
/// No pair, no node.
const NONE: u32 = u32::MAX;

/// −S_ij of K_g = S ⊗ 1₃ for pairs of nodes i ≠ j, summed over elements, for each state.
pub(super) struct NodePairs {
    pub(super) states: usize,
    /// Index in `nodes` of each node of the mesh.
    indices: Vec<u32>,
    /// The nodes, in the order in which elements named them.
    pub(super) nodes: Vec<NodeIndex>,
    /// The last pair of each of them with one that came later.
    last: Vec<u32>,
    pub(super) pairs: Vec<NodePair>,
    /// −S of every pair, states beside each other.
    pub(super) S: Vec<f64>,
}

/// Two of the nodes, the earlier one first.
pub(super) struct NodePair {
    pub(super) ends: [u32; 2],
    /// The pair before it with the same first node.
    before: u32,
}

impl NodePairs {
    /// None yet, of a mesh with this many nodes.
    pub(super) fn new(mesh_nodes: usize, states: usize) -> Self {
        Self {
            states,
            indices: vec![NONE; mesh_nodes],
            nodes: Vec::new(),
            last: Vec::new(),
            pairs: Vec::new(),
            S: Vec::new(),
        }
    }

    /// Adds an element: S of its pairs of nodes by row, a row for each state, see
    /// [`nodal_geometric_stiffness`](crate::element::Element::nodal_geometric_stiffness).
    pub(super) fn add(&mut self, nodes: &[NodeIndex], S: &DMatrix<f64>) {
        nodes.iter().for_each(|node| self.enter(*node));
        let mut columns = S.as_slice().chunks_exact(self.states.max(1));
        for (i, node) in nodes.iter().enumerate() {
            for (other, own) in nodes[..i].iter().zip(columns.by_ref()) {
                let pair = self.pair(self.indices[node.index()], self.indices[other.index()]);
                let sum = &mut self.S[pair * self.states..(pair + 1) * self.states];
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum -= own);
            }
        }
    }

    fn enter(&mut self, node: NodeIndex) {
        let index = &mut self.indices[node.index()];
        if *index == NONE {
            *index = self.nodes.len() as u32;
            self.nodes.push(node);
            self.last.push(NONE);
        }
    }

    /// Where the pair of two indices is; a new one has S = 0.
    fn pair(&mut self, a: u32, b: u32) -> usize {
        let ends = [a.min(b), a.max(b)];
        let last = &mut self.last[ends[0] as usize];
        let mut at = *last;
        while at != NONE {
            let pair = &self.pairs[at as usize];
            if pair.ends[1] == ends[1] {
                return at as usize;
            }
            at = pair.before;
        }
        let new = self.pairs.len();
        self.pairs.push(NodePair { ends, before: *last });
        *last = new as u32;
        self.S.resize(self.S.len() + self.states, 0.0);
        new
    }

    /// True when it is time to use them and begin anew.
    pub(super) fn is_full(&self) -> bool {
        self.S.len() >= ROOM
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.nodes.drain(..).for_each(|node| self.indices[node.index()] = NONE);
        self.last.clear();
        self.pairs.clear();
        self.S.clear();
    }
}
