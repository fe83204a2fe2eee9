//! `/shapes`: the displacements of every grid for unit coordinates.
//!
//! Most grids of a solid mesh have no rotation, so rotations are kept for the grids that have any.

use hdf5::{Group, Result};
use nalgebra::Vector3;
use pliant_mesh::NodeIndex;
use pliant_reduce::NodalShapes;

use crate::dataset::{meaning, put, values};

pub(super) fn write(group: &Group, shapes: &NodalShapes) -> Result<()> {
    let NodalShapes { nodes, positions, columns } = shapes;
    let (rows, count) = (nodes.len(), columns.len());
    let rows_of_nodes: Vec<u32> = nodes.iter().map(|node| node.0).collect();
    put(
        group,
        "nodes",
        &[rows],
        &rows_of_nodes,
        meaning("1", "row of each grid among the nodes of the deck"),
    )?;
    let flat: Vec<f64> = positions.iter().flat_map(|x| [x.x, x.y, x.z]).collect();
    put(group, "positions", &[rows, 3], &flat, meaning("m", "grids in the link frame, undeformed"))?;
    let flat: Vec<f64> =
        columns.iter().flat_map(|c| c.chunks_exact(6)).flat_map(|x| [x[0], x[1], x[2]]).collect();
    let what = meaning("m per coordinate", "translations of the grids in link axes for each unit coordinate");
    put(group, "translations", &[count, rows, 3], &flat, what)?;
    drop(flat);
    let turns = |row: &usize| columns.iter().any(|c| c[6 * row + 3..6 * row + 6].iter().any(|x| *x != 0.0));
    let turning: Vec<usize> = (0..rows).filter(turns).collect();
    let mut flat: Vec<f64> = Vec::with_capacity(3 * count * turning.len());
    for column in columns {
        turning.iter().for_each(|row| flat.extend_from_slice(&column[6 * row + 3..6 * row + 6]));
    }
    let what = meaning("rad per coordinate", "rotations in link axes of the grids of rotation_rows");
    put(group, "rotations", &[count, turning.len(), 3], &flat, what)?;
    let turning: Vec<u64> = turning.into_iter().map(|row| row as u64).collect();
    let what = meaning("1", "rows of the grids that rotate for some coordinate");
    put(group, "rotation_rows", &[turning.len()], &turning, what)
}

pub(super) fn read(group: &Group) -> Result<NodalShapes> {
    let nodes: Vec<u32> = values(group, "nodes")?;
    let rows = nodes.len();
    let positions: Vec<f64> = values(group, "positions")?;
    let translations: Vec<f64> = values(group, "translations")?;
    let rotations: Vec<f64> = values(group, "rotations")?;
    let turning: Vec<u64> = values(group, "rotation_rows")?;
    let count = group.dataset("translations")?.shape()[0];
    let fits = positions.len() == 3 * rows
        && translations.len() == 3 * rows * count
        && rotations.len() == 3 * turning.len() * count
        && turning.iter().all(|row| (*row as usize) < rows);
    if !fits {
        return Err(hdf5::Error::Internal("the sizes of its shapes do not agree".to_owned()));
    }
    let column = |j: usize| {
        let mut column = vec![0.0; 6 * rows];
        let moved = translations[3 * rows * j..3 * rows * (j + 1)].chunks_exact(3);
        for (entry, moved) in column.chunks_exact_mut(6).zip(moved) {
            entry[..3].copy_from_slice(moved);
        }
        let turned = rotations[3 * turning.len() * j..3 * turning.len() * (j + 1)].chunks_exact(3);
        for (row, turned) in turning.iter().zip(turned) {
            column[6 * *row as usize + 3..6 * *row as usize + 6].copy_from_slice(turned);
        }
        column
    };
    Ok(NodalShapes {
        nodes: nodes.into_iter().map(NodeIndex).collect(),
        positions: positions.chunks_exact(3).map(Vector3::from_column_slice).collect(),
        columns: (0..count).map(column).collect(),
    })
}
