//! Mode shapes for ParaView.

use nalgebra::{Matrix3, Vector3};
use pliant_fem::Modes;
use pliant_fem::dof::displacement_triad;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_reduce::NodalShapes;
use pliant_store::Drawing;
use pliant_store::results::ModeShapes;

/// The shapes in the basic frame and metres.
pub(super) fn of(mesh: &LinkMesh, modes: &Modes) -> ModeShapes {
    let grids = mesh.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Grid);
    let nodes: Vec<NodeIndex> = grids.map(|(row, _)| NodeIndex::from(row)).collect();
    let length = mesh.units.length;
    let positions = nodes.iter().map(|node| mesh.node(*node).position * length).collect();
    let column = |shape: &Vec<f64>| {
        let of_node = |node: &NodeIndex| {
            let triad = displacement_triad(mesh, *node).unwrap_or_else(Matrix3::identity);
            let u = &shape[modes.dofs.rows_of(*node)];
            let translation = triad * Vector3::from_column_slice(&u[..3]) * length;
            let rotation = triad * Vector3::from_column_slice(&u[3..]);
            translation.iter().chain(rotation.iter()).copied().collect::<Vec<f64>>()
        };
        nodes.iter().flat_map(of_node).collect()
    };
    let columns = modes.shapes.iter().map(column).collect();
    let shapes = NodalShapes { positions, columns, nodes };
    let title = format!("Modes of {}", mesh.case_control.title);
    let frequencies_hz = modes.frequencies_hz.clone();
    ModeShapes { title: title.trim().to_owned(), drawing: Drawing::of(mesh, &shapes), shapes, frequencies_hz }
}
