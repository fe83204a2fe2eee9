//! Numbering of the degrees of freedom: six per grid, one per scalar point, in each node's displacement
//! frame.

use nalgebra::{DMatrix, DVector, Matrix3};
use pliant_mesh::{Component, CoordIndex, GridId, LinkMesh, NodeIndex, NodeKind};

use crate::element::{DofAxes, Element};

/// Rows of the g-set: all components of all nodes, ascending by node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DofMap {
    first: Vec<u32>,
    ids: Vec<GridId>,
}

impl DofMap {
    /// Numbers the components of a mesh.
    pub fn new(mesh: &LinkMesh) -> Self {
        let mut first = Vec::with_capacity(mesh.nodes.len() + 1);
        let mut count = 0_u32;
        for node in &mesh.nodes {
            first.push(count);
            count += node.component_count() as u32;
        }
        first.push(count);
        Self { first, ids: mesh.nodes.iter().map(|n| n.id).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.first.last().map_or(0, |n| *n as usize)
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.ids.len()
    }

    /// Row of a component; `None` for components 2 to 6 of a scalar point.
    pub fn row(&self, node: NodeIndex, component: Component) -> Option<usize> {
        let first = self.first[node.index()] as usize;
        let row = first + component.row();
        (row < self.first[node.index() + 1] as usize).then_some(row)
    }

    /// Rows of a node.
    pub fn rows_of(&self, node: NodeIndex) -> std::ops::Range<usize> {
        self.first[node.index()] as usize..self.first[node.index() + 1] as usize
    }

    /// Node and component of a row.
    pub fn node_and_component(&self, row: usize) -> (NodeIndex, Component) {
        let row = u32::try_from(row).expect("invariant: rows fit 32 bits");
        let node = self.first.partition_point(|first| *first <= row) - 1;
        (NodeIndex::from(node), Component::from_row((row - self.first[node]) as usize))
    }

    /// A row as the user knows it: `grid 12, component 3`, or `scalar point 7`.
    pub fn name(&self, row: usize) -> String {
        let (node, component) = self.node_and_component(row);
        let id = self.ids[node.index()];
        if self.rows_of(node).len() == 1 {
            format!("scalar point {id}")
        } else {
            format!("grid {id}, component {component}")
        }
    }

    /// Rows of an element's degrees of freedom, in its own order.
    ///
    /// # Panics
    /// If the element claims a component that its node does not have: a bug of its file.
    pub(crate) fn rows_of_element(&self, element: &dyn Element) -> Vec<u32> {
        element
            .dofs()
            .iter()
            .map(|dof| {
                let row = self.row(dof.node, dof.component);
                row.expect("invariant: elements use components that exist") as u32
            })
            .collect()
    }
}

/// The axes of a node's displacement frame as columns in the basic frame; `None` when it is the basic frame.
pub fn displacement_triad(mesh: &LinkMesh, node: NodeIndex) -> Option<Matrix3<f64>> {
    let node = mesh.node(node);
    (node.displacement_frame != CoordIndex::BASIC && node.kind == NodeKind::Grid)
        .then(|| mesh.coordinates[node.displacement_frame.index()].triad_at(node.position))
}

/// First indices in the element's order of the triples whose node has a frame of its own, with that frame.
fn turned_triples(mesh: &LinkMesh, element: &dyn Element) -> Vec<(usize, Matrix3<f64>)> {
    if element.axes() == DofAxes::Displacement {
        return Vec::new();
    }
    let dofs = element.dofs();
    assert!(dofs.len().is_multiple_of(3), "invariant: basic axes come in complete triples");
    (0..dofs.len())
        .step_by(3)
        .filter_map(|first| {
            let node = dofs[first].node;
            assert!(
                dofs[first].component.row().is_multiple_of(3) && dofs[first + 2].node == node,
                "invariant: basic axes come in complete triples"
            );
            displacement_triad(mesh, node).map(|triad| (first, triad))
        })
        .collect()
}

/// Turns an element matrix from the element's axes to the displacement frames: A ← TᵀAT, T the block diagonal
/// of the triads, u_basic = T u.
pub(crate) fn matrix_to_displacement_axes(mesh: &LinkMesh, element: &dyn Element, A: &mut DMatrix<f64>) {
    for (first, triad) in turned_triples(mesh, element) {
        let columns = A.columns(first, 3) * triad;
        A.columns_mut(first, 3).copy_from(&columns);
        let rows = triad.transpose() * A.rows(first, 3);
        A.rows_mut(first, 3).copy_from(&rows);
    }
}

/// Turns an element load from the element's axes to the displacement frames: f ← Tᵀf.
pub(crate) fn load_to_displacement_axes(mesh: &LinkMesh, element: &dyn Element, f: &mut DVector<f64>) {
    for (first, triad) in turned_triples(mesh, element) {
        let turned = triad.transpose() * f.fixed_rows::<3>(first);
        f.fixed_rows_mut::<3>(first).copy_from(&turned);
    }
}

/// Turns displacements of an element's nodes, one state in each column, from the displacement frames to the
/// element's axes: u ← T u.
pub(crate) fn displacements_to_element_axes(mesh: &LinkMesh, element: &dyn Element, u: &mut DMatrix<f64>) {
    for (first, triad) in turned_triples(mesh, element) {
        let turned = triad * u.fixed_rows::<3>(first);
        u.fixed_rows_mut::<3>(first).copy_from(&turned);
    }
}

/// As [`displacements_to_element_axes`] with one state in each row: u ← u Tᵀ.
pub(crate) fn rows_to_element_axes(mesh: &LinkMesh, element: &dyn Element, u: &mut DMatrix<f64>) {
    for (first, triad) in turned_triples(mesh, element) {
        let turned = u.fixed_columns::<3>(first) * triad.transpose();
        u.fixed_columns_mut::<3>(first).copy_from(&turned);
    }
}

/// Rigid motion of a component: the row of u = R [t; ω] for a rigid translation t and rotation ω of the basic
/// frame about `about`, in the displacement frame of the node. Zero for scalar points.
pub fn rigid_row(
    mesh: &LinkMesh,
    node: NodeIndex,
    component: Component,
    about: nalgebra::Vector3<f64>,
) -> [f64; 6] {
    if mesh.node(node).kind == NodeKind::Scalar {
        return [0.0; 6];
    }
    let triad = displacement_triad(mesh, node).unwrap_or_else(Matrix3::identity);
    let axis = triad.column(component.row() % 3).into_owned();
    if component.row() >= 3 {
        return [0.0, 0.0, 0.0, axis.x, axis.y, axis.z];
    }
    // axis·(ω × x) = ω·(x × axis)
    let turn = (mesh.node(node).position - about).cross(&axis);
    [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z]
}
