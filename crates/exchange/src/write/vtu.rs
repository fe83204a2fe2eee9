//! VTK XML file of an unstructured grid, text.

use std::collections::HashMap;
use std::fmt::Write as _;

use pliant_mesh::LinkMesh;
use pliant_mesh::element::SolidShape;

use super::cells::{Cells, grids, sets};
use crate::shape::{Order, Shape};

pub(super) fn write(mesh: &LinkMesh, cells: &Cells) -> String {
    let rows: HashMap<u32, usize> = grids(mesh).enumerate().map(|(row, (id, _))| (id, row)).collect();
    let row = |id: &u32| rows.get(id).copied().unwrap_or(0);
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!-- Written by pliant -->\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">",
        rows.len(),
        cells.cells.len()
    );
    for (_, [x, y, z]) in grids(mesh) {
        let _ = writeln!(text, "{x:?} {y:?} {z:?}");
    }
    text.push_str("</DataArray>\n</Points>\n<Cells>\n");
    array(
        &mut text,
        "Int64",
        "connectivity",
        cells.cells.iter().map(|cell| {
            let nodes = cell.in_order(Order::Rings);
            nodes.iter().map(|id| row(id).to_string()).collect::<Vec<_>>().join(" ")
        }),
    );
    let mut end = 0;
    array(
        &mut text,
        "Int64",
        "offsets",
        cells.cells.iter().map(|cell| {
            end += cell.nodes.len();
            end.to_string()
        }),
    );
    array(&mut text, "UInt8", "types", cells.cells.iter().map(|cell| number(cell.shape).to_string()));
    text.push_str("</Cells>\n<CellData>\n");
    array(&mut text, "Int64", "element", cells.cells.iter().map(|cell| cell.id.to_string()));
    array(&mut text, "Int64", "property", cells.cells.iter().map(|cell| cell.property_id(mesh).to_string()));
    text.push_str("</CellData>\n<PointData>\n");
    array(&mut text, "Int64", "grid", grids(mesh).map(|(id, _)| id.to_string()));
    for (_, name, members) in sets(mesh) {
        let members: std::collections::HashSet<u32> = members.into_iter().collect();
        let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        array(
            &mut text,
            "UInt8",
            &name,
            grids(mesh).map(|(id, _)| u8::from(members.contains(&id)).to_string()),
        );
    }
    text.push_str("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text
}

fn array(text: &mut String, kind: &str, name: &str, rows: impl Iterator<Item = String>) {
    let _ = writeln!(text, "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">");
    for row in rows {
        text.push_str(&row);
        text.push('\n');
    }
    text.push_str("</DataArray>\n");
}

fn number(shape: Shape) -> u32 {
    match shape {
        Shape::Point => 1,
        Shape::Line2 => 3,
        Shape::Line3 => 21,
        Shape::Tria3 => 5,
        Shape::Tria6 => 22,
        Shape::Quad4 => 9,
        Shape::Quad8 => 23,
        Shape::Solid(solid) => match solid {
            SolidShape::Tetra4 => 10,
            SolidShape::Tetra10 => 24,
            SolidShape::Pyramid5 => 14,
            SolidShape::Pyramid13 => 27,
            SolidShape::Penta6 => 13,
            SolidShape::Penta15 => 26,
            SolidShape::Hexa8 => 12,
            SolidShape::Hexa20 => 25,
        },
    }
}
