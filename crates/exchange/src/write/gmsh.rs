//! Gmsh, version 2.2, text: properties are physical groups of bodies, sets those of points.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_mesh::LinkMesh;
use pliant_mesh::element::SolidShape;

use super::cells::{Cells, grids, property_name, sets};
use crate::shape::{Order, Shape};

pub(super) fn write(mesh: &LinkMesh, cells: &Cells) -> String {
    let mut text =
        String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nWritten by pliant\n$EndComments\n");
    let mut names: BTreeMap<(usize, u32), String> = BTreeMap::new();
    for cell in &cells.cells {
        if let Some(property) = cell.property {
            names
                .entry((cell.shape.dimension(), cell.property_id(mesh)))
                .or_insert_with(|| property_name(mesh, property));
        }
    }
    let sets = sets(mesh);
    names.extend(sets.iter().map(|(id, name, _)| ((0, *id), name.clone())));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "$PhysicalNames\n{}", names.len());
    for ((dimension, tag), name) in &names {
        let _ = writeln!(text, "{dimension} {tag} \"{}\"", name.replace('"', " "));
    }
    let _ = writeln!(text, "$EndPhysicalNames\n$Nodes\n{}", grids(mesh).count());
    for (id, [x, y, z]) in grids(mesh) {
        let _ = writeln!(text, "{id} {x:?} {y:?} {z:?}");
    }
    let points: usize = sets.iter().map(|(.., members)| members.len()).sum();
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", cells.cells.len() + points);
    for cell in &cells.cells {
        let property = cell.property_id(mesh);
        let _ = write!(text, "{} {} 2 {property} {property}", cell.id, number(cell.shape));
        for node in cell.in_order(Order::Gmsh) {
            let _ = write!(text, " {node}");
        }
        text.push('\n');
    }
    let mut next = cells.cells.iter().map(|cell| cell.id).max().unwrap_or(0);
    for (id, _, members) in &sets {
        for node in members {
            next = next.saturating_add(1);
            let _ = writeln!(text, "{next} 15 2 {id} {id} {node}");
        }
    }
    text.push_str("$EndElements\n");
    text
}

fn number(shape: Shape) -> u32 {
    match shape {
        Shape::Point => 15,
        Shape::Line2 => 1,
        Shape::Line3 => 8,
        Shape::Tria3 => 2,
        Shape::Tria6 => 9,
        Shape::Quad4 => 3,
        Shape::Quad8 => 16,
        Shape::Solid(solid) => match solid {
            SolidShape::Tetra4 => 4,
            SolidShape::Tetra10 => 11,
            SolidShape::Pyramid5 => 7,
            SolidShape::Pyramid13 => 19,
            SolidShape::Penta6 => 6,
            SolidShape::Penta15 => 18,
            SolidShape::Hexa8 => 5,
            SolidShape::Hexa20 => 17,
        },
    }
}
