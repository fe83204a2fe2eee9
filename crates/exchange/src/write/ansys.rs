//! Ansys: as CDWRITE writes it, with more digits, so that numbers keep all their bits.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_diag::Diagnostics;
use pliant_mesh::element::SolidShape;
use pliant_mesh::{Components, LinkMesh};

use super::cells::{Cell, Cells, grids, sets};
use super::refusal;
use super::structure::{Section, Structure, direction};
use crate::shape::{Order, Shape};

const FORMAT: &str = "Ansys";
const LABELS: [&str; 6] = ["UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"];

/// A row of EBLOCK.
struct Row {
    material: u32,
    kind: u32,
    real: u32,
    section: u32,
    id: u32,
    nodes: Vec<u32>,
}

pub(super) fn write(mesh: &LinkMesh, cells: &Cells, diagnostics: &mut Diagnostics) -> String {
    let structure = Structure::of(mesh, FORMAT, diagnostics);
    let mut rows: Vec<Row> = Vec::new();
    let mut types: BTreeMap<u32, ()> = BTreeMap::new();
    // Orientation nodes of beams, behind all others.
    let mut extra: Vec<(u32, [f64; 3])> = Vec::new();
    let mut next_node = mesh.nodes.iter().map(|node| node.id.0).max().unwrap_or(0);
    let bars: BTreeMap<u32, usize> = mesh.bars.iter().enumerate().map(|(row, bar)| (bar.id.0, row)).collect();
    for cell in &cells.cells {
        let Some((property, section)) =
            cell.property.and_then(|p| Some((p, structure.sections[p.index()].as_ref()?)))
        else {
            continue;
        };
        let Some((kind, mut nodes)) = element(cell) else {
            diagnostics.push(refusal(format!("{} {}", cell.shape.card(), cell.id), FORMAT).at(cell.source.0));
            continue;
        };
        if kind == 188 {
            // The reader takes y as (K − I) × x, so that K lies at I + x × y.
            let bar = &mesh.bars[bars[&cell.id]];
            let [a, b] = bar.nodes.map(|node| mesh.node(node).position);
            let v = nalgebra::Vector3::from(direction(mesh, &bar.orientation, bar.nodes[0]));
            next_node += 1;
            extra.push((next_node, (a + (b - a).cross(&v)).into()));
            nodes.push(next_node);
        }
        types.insert(kind, ());
        let (Section::Solid { material }
        | Section::Shell { material, .. }
        | Section::Rod { material, .. }
        | Section::Bar { material, .. }) = section;
        let id = mesh.properties[property.index()].id.0;
        let number = if matches!(section, Section::Solid { .. }) { 1 } else { id };
        rows.push(Row { material: *material, kind, real: 1, section: number, id: cell.id, nodes });
    }
    let mut next =
        rows.iter().map(|row| row.id).chain(structure.masses.iter().map(|m| m.id)).max().unwrap_or(0);
    for mass in &structure.masses {
        types.insert(21, ());
        rows.push(Row {
            material: 1,
            kind: 21,
            real: mass.id,
            section: 1,
            id: mass.id,
            nodes: vec![mass.node],
        });
    }
    for body in &structure.rigid_bodies {
        if body.components != Components::ALL {
            diagnostics.push(refusal(format!("RBE2 {} of some components", body.id), FORMAT));
            continue;
        }
        types.insert(184, ());
        for dependent in &body.dependents {
            next += 1;
            let nodes = vec![body.independent, *dependent];
            rows.push(Row { material: 1, kind: 184, real: 1, section: 1, id: next, nodes });
        }
    }
    let mut text = String::from("/COM,ANSYS: WRITTEN BY PLIANT\n/PREP7\n");
    // Writing to a string cannot fail.
    for kind in types.keys() {
        let _ = writeln!(text, "ET,{kind},{kind}");
    }
    if types.contains_key(&184) {
        text.push_str("KEYOPT,184,1,1\n");
    }
    nodes(&mut text, grids(mesh).chain(extra).collect());
    eblock(&mut text, &rows);
    for (_, name, members) in sets(mesh) {
        let _ = writeln!(text, "CMBLOCK,{},NODE,{:8}\n(8i10)", name.replace([' ', ','], "_"), members.len());
        for row in members.chunks(8) {
            row.iter().for_each(|node| {
                let _ = write!(text, "{node:10}");
            });
            text.push('\n');
        }
    }
    for material in &structure.materials {
        for (label, value) in [
            ("EX", material.e),
            ("NUXY", material.nu),
            ("DENS", material.density),
            ("ALPX", material.expansion),
        ] {
            if value != 0.0 || label == "NUXY" {
                let _ = writeln!(text, "MP,{label},{},{value:?}", material.id);
            }
        }
    }
    for (property, section) in mesh.properties.iter().zip(&structure.sections) {
        let id = property.id.0;
        match section {
            Some(Section::Shell { material, thickness }) => {
                let _ = writeln!(text, "SECTYPE,{id},SHELL\nSECOFFSET,MID\nSECDATA,{thickness:?},{material}");
            }
            Some(Section::Rod { area, .. }) => {
                let _ = writeln!(text, "SECTYPE,{id},LINK\nSECDATA,{area:?}");
            }
            Some(Section::Bar { name, dimensions, .. }) => {
                // See the reader: RECT has the width along y first.
                let shape = match (name.as_str(), &dimensions[..]) {
                    ("BAR", [b, h]) => Some(("RECT", vec![*h, *b])),
                    ("ROD", [r]) => Some(("CSOLID", vec![*r])),
                    ("TUBE", [outer, inner]) => Some(("CTUBE", vec![*inner, *outer])),
                    ("BOX", [b, h, t1, t2]) => Some(("HREC", vec![*h, *b, *t1, *t1, *t2, *t2])),
                    _ => None,
                };
                match shape {
                    Some((shape, dimensions)) => {
                        let dimensions: Vec<String> = dimensions.iter().map(|d| format!("{d:?}")).collect();
                        let _ = writeln!(text, "SECTYPE,{id},BEAM,{shape}\nSECDATA,{}", dimensions.join(","));
                    }
                    None => diagnostics.push(
                        refusal(format!("the section {name} of property {id}"), FORMAT).at(property.source.0),
                    ),
                }
            }
            _ => {}
        }
    }
    for mass in &structure.masses {
        let ([x, y, z], m) = (mass.inertia, mass.mass);
        let _ = writeln!(text, "R,{},{m:?},{m:?},{m:?},{x:?},{y:?},{z:?}", mass.id);
    }
    for (number, terms) in structure.equations.iter().enumerate() {
        let _ = writeln!(text, "CE,R5.0,DEFI,{:8},{:8},0.0", terms.len(), number + 1);
        for row in terms.chunks(2) {
            let row: Vec<String> = row
                .iter()
                .map(|(node, c, factor)| format!("{node},{},{factor:?}", LABELS[*c as usize - 1]))
                .collect();
            let _ = writeln!(text, "CE,R5.0,NODE,{}", row.join(","));
        }
    }
    for (node, components) in &structure.supports {
        for component in components.iter() {
            let _ = writeln!(text, "D,{node},{},0.0", LABELS[component.row()]);
        }
    }
    text.push_str("FINISH\n");
    text
}

/// 17 digits name every double.
fn nodes(text: &mut String, nodes: Vec<(u32, [f64; 3])>) {
    let last = nodes.last().map_or(0, |(id, _)| *id);
    let _ = writeln!(text, "NBLOCK,6,SOLID,{last:10},{:10}\n(3i9,6e25.16e3)", nodes.len());
    for (id, position) in nodes {
        let _ = write!(text, "{id:9}{:9}{:9}", 0, 0);
        for x in position {
            let number = format!("{x:.16e}");
            let (mantissa, exponent) = number.split_once('e').unwrap_or((&number, "0"));
            let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
            let _ = write!(text, "{:>25}", format!("{mantissa}E{sign}{digits:0>3}"));
        }
        text.push('\n');
    }
    text.push_str("N,R5.3,LOC,       -1,\n");
}

fn eblock(text: &mut String, rows: &[Row]) {
    let last = rows.iter().map(|row| row.id).max().unwrap_or(0);
    let _ = writeln!(text, "EBLOCK,19,SOLID,{last:10},{:10}\n(19i9)", rows.len());
    for row in rows {
        let head =
            [row.material, row.kind, row.real, row.section, 0, 0, 0, 0, row.nodes.len() as u32, 0, row.id];
        let first = row.nodes.len().min(8);
        head.iter().chain(&row.nodes[..first]).for_each(|n| {
            let _ = write!(text, "{n:9}");
        });
        text.push('\n');
        for more in row.nodes[first..].chunks(19) {
            more.iter().for_each(|n| {
                let _ = write!(text, "{n:9}");
            });
            text.push('\n');
        }
    }
    let _ = writeln!(text, "{:9}", -1);
}

/// Number of the element, and nodes as it lists them; wedges and pyramids are hexahedra with nodes that
/// coincide.
fn element(cell: &Cell) -> Option<(u32, Vec<u32>)> {
    let n = cell.in_order(Order::Rings);
    let pick = |slots: &[usize]| slots.iter().map(|k| n[*k]).collect::<Vec<_>>();
    Some(match cell.shape {
        Shape::Line2 if cell.rod => (180, n),
        Shape::Line2 => (188, n),
        Shape::Tria3 => (181, pick(&[0, 1, 2, 2])),
        Shape::Quad4 => (181, n),
        Shape::Tria6 => (281, pick(&[0, 1, 2, 2, 3, 4, 2, 5])),
        Shape::Quad8 => (281, n),
        Shape::Solid(solid) => match solid {
            SolidShape::Tetra10 => (187, n),
            SolidShape::Hexa8 => (185, n),
            SolidShape::Hexa20 => (186, n),
            SolidShape::Tetra4 => (185, pick(&[0, 1, 2, 2, 3, 3, 3, 3])),
            SolidShape::Pyramid5 => (185, pick(&[0, 1, 2, 3, 4, 4, 4, 4])),
            SolidShape::Penta6 => (185, pick(&[0, 1, 2, 2, 3, 4, 5, 5])),
            SolidShape::Pyramid13 => {
                (186, pick(&[0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 4, 4, 4, 4, 9, 10, 11, 12]))
            }
            SolidShape::Penta15 => {
                (186, pick(&[0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 2, 8, 9, 10, 5, 11, 12, 13, 14, 14]))
            }
        },
        Shape::Point | Shape::Line3 => return None,
    })
}
