//! Shapes of modes and of buckling for ParaView.

use nalgebra::{Matrix3, Vector3};
use pliant_fem::DofMap;
use pliant_fem::dof::displacement_triad;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_reduce::NodalShapes;
use pliant_store::Drawing;
use pliant_store::results::{ModeQuantity, ModeShapes};

/// Shapes on every component, in the basic frame and metres, each with its value.
pub fn mode_shapes(
    mesh: &LinkMesh,
    dofs: &DofMap,
    shapes: &[Vec<f64>],
    quantity: ModeQuantity,
    values: &[f64],
) -> ModeShapes {
    let grids = mesh.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Grid);
    let nodes: Vec<NodeIndex> = grids.map(|(row, _)| NodeIndex::from(row)).collect();
    let length = mesh.units.length;
    let positions = nodes.iter().map(|node| mesh.node(*node).position * length).collect();
    let column = |shape: &Vec<f64>| {
        let of_node = |node: &NodeIndex| {
            let triad = displacement_triad(mesh, *node).unwrap_or_else(Matrix3::identity);
            let u = &shape[dofs.rows_of(*node)];
            let translation = triad * Vector3::from_column_slice(&u[..3]) * length;
            let rotation = triad * Vector3::from_column_slice(&u[3..]);
            translation.iter().chain(rotation.iter()).copied().collect::<Vec<f64>>()
        };
        nodes.iter().flat_map(of_node).collect()
    };
    let columns = shapes.iter().map(column).collect();
    let shapes = NodalShapes { positions, columns, nodes };
    let title = format!("{} of {}", quantity.title(), mesh.case_control.title).trim().to_owned();
    ModeShapes {
        title,
        drawing: Drawing::of(mesh, &shapes),
        shapes,
        quantity,
        values: values.to_vec(),
        elements: Vec::new(),
        forces: Vec::new(),
        points: Vec::new(),
    }
}
