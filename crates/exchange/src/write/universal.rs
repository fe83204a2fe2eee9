//! Universal file: datasets 2411, 2412 and 2467.

use std::fmt::Write as _;

use pliant_mesh::LinkMesh;
use pliant_mesh::element::SolidShape;

use super::cells::{Cells, grids, sets};
use crate::shape::{Order, Shape};

pub(super) fn write(mesh: &LinkMesh, cells: &Cells) -> String {
    let mut text = String::from("    -1\n   151\nWritten by pliant\n    -1\n    -1\n  2411\n");
    // Writing to a string cannot fail.
    for (id, position) in grids(mesh) {
        let _ = writeln!(text, "{id:10}{:10}{:10}{:10}", 1, 1, 11);
        for x in position {
            text.push_str(&double(x));
        }
        text.push('\n');
    }
    text.push_str("    -1\n    -1\n  2412\n");
    for cell in &cells.cells {
        let Some(number) = number(cell.shape, cell.rod) else { continue };
        let nodes = cell.in_order(Order::Around);
        let property = cell.property_id(mesh);
        let _ =
            writeln!(text, "{:10}{number:10}{property:10}{property:10}{:10}{:10}", cell.id, 7, nodes.len());
        if cell.shape == Shape::Line2 {
            let _ = writeln!(text, "{:10}{:10}{:10}", 0, 0, 0);
        }
        for row in nodes.chunks(8) {
            for node in row {
                let _ = write!(text, "{node:10}");
            }
            text.push('\n');
        }
    }
    text.push_str("    -1\n");
    let sets = sets(mesh);
    if !sets.is_empty() {
        text.push_str("    -1\n  2467\n");
        for (id, name, members) in sets {
            let _ =
                writeln!(text, "{id:10}{:10}{:10}{:10}{:10}{:10}{:10}{:10}", 0, 0, 0, 0, 0, 0, members.len());
            let _ = writeln!(text, "{name}");
            for row in members.chunks(2) {
                for node in row {
                    let _ = write!(text, "{:10}{node:10}{:10}{:10}", 7, 0, 0);
                }
                text.push('\n');
            }
        }
        text.push_str("    -1\n");
    }
    text
}

/// 1PD25.16: 17 digits name every double.
fn double(x: f64) -> String {
    let text = format!("{x:.16e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{:>25}", format!("{mantissa}D{sign}{digits:0>2}"))
}

/// Pyramids have no number.
fn number(shape: Shape, rod: bool) -> Option<u32> {
    Some(match shape {
        Shape::Line2 if rod => 11,
        Shape::Line2 => 21,
        Shape::Tria3 => 91,
        Shape::Tria6 => 92,
        Shape::Quad4 => 94,
        Shape::Quad8 => 95,
        Shape::Solid(solid) => match solid {
            SolidShape::Tetra4 => 111,
            SolidShape::Tetra10 => 118,
            SolidShape::Penta6 => 112,
            SolidShape::Penta15 => 113,
            SolidShape::Hexa8 => 115,
            SolidShape::Hexa20 => 116,
            SolidShape::Pyramid5 | SolidShape::Pyramid13 => return None,
        },
        Shape::Point | Shape::Line3 => return None,
    })
}
