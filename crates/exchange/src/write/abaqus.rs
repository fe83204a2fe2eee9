//! Abaqus and CalculiX: one element set and one section for each property, for each direction of its bars.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_diag::Diagnostics;
use pliant_mesh::LinkMesh;
use pliant_mesh::element::SolidShape;

use super::cells::{Cell, Cells, grids, sets};
use super::refusal;
use super::structure::{Section, Structure, direction};
use crate::shape::{Order, Shape};

const FORMAT: &str = "Abaqus";

pub(super) fn write(mesh: &LinkMesh, cells: &Cells, diagnostics: &mut Diagnostics) -> String {
    let structure = Structure::of(mesh, FORMAT, diagnostics);
    let mut text = String::from("*HEADING\nWritten by pliant\n*NODE\n");
    // Writing to a string cannot fail.
    for (id, [x, y, z]) in grids(mesh) {
        let _ = writeln!(text, "{id}, {x:?}, {y:?}, {z:?}");
    }
    elements(&mut text, mesh, cells, &structure, diagnostics);
    for material in &structure.materials {
        let name =
            mesh.names.materials.get(&material.id).cloned().unwrap_or(format!("MATERIAL-{}", material.id));
        let _ = writeln!(text, "*MATERIAL, NAME={name}\n*ELASTIC\n{:?}, {:?}", material.e, material.nu);
        if material.density != 0.0 {
            let _ = writeln!(text, "*DENSITY\n{:?},", material.density);
        }
        if material.expansion != 0.0 {
            let _ = writeln!(text, "*EXPANSION\n{:?},", material.expansion);
        }
    }
    for (_, name, members) in sets(mesh) {
        let _ = writeln!(text, "*NSET, NSET=\"{name}\"");
        list(&mut text, &members);
    }
    let mut next = cells
        .cells
        .iter()
        .map(|cell| cell.id)
        .chain(structure.masses.iter().map(|m| m.id))
        .max()
        .unwrap_or(0);
    for mass in &structure.masses {
        let id = mass.id;
        let _ = writeln!(
            text,
            "*ELEMENT, TYPE=MASS, ELSET=MASS-{id}\n{id}, {}\n*MASS, ELSET=MASS-{id}\n{:?}",
            mass.node, mass.mass
        );
        if mass.inertia != [0.0; 3] {
            next += 1;
            let [x, y, z] = mass.inertia;
            let _ = writeln!(
                text,
                "*ELEMENT, TYPE=ROTARYI, ELSET=INERTIA-{id}\n{next}, {}\n*ROTARY INERTIA, ELSET=INERTIA-{id}\n{x:?}, {y:?}, {z:?}",
                mass.node
            );
        }
    }
    for body in &structure.rigid_bodies {
        let id = body.id;
        let _ = writeln!(text, "*NSET, NSET=RIGID-{id}");
        list(&mut text, &body.dependents);
        let _ = writeln!(
            text,
            "*SURFACE, NAME=RIGID-SURFACE-{id}, TYPE=NODE\nRIGID-{id}, 1.0\n*COUPLING, CONSTRAINT NAME=RIGID-{id}, REF NODE={}, SURFACE=RIGID-SURFACE-{id}\n*KINEMATIC",
            body.independent
        );
        for component in body.components.iter() {
            let _ = writeln!(text, "{component}, {component}");
        }
    }
    for terms in &structure.equations {
        let _ = writeln!(text, "*EQUATION\n{}", terms.len());
        for row in terms.chunks(4) {
            let row: Vec<String> =
                row.iter().map(|(node, c, factor)| format!("{node}, {c}, {factor:?}")).collect();
            let _ = writeln!(text, "{}", row.join(", "));
        }
    }
    if !structure.supports.is_empty() {
        text.push_str("*BOUNDARY\n");
        for (node, components) in &structure.supports {
            for component in components.iter() {
                let _ = writeln!(text, "{node}, {component}, {component}");
            }
        }
    }
    text
}

fn list(text: &mut String, members: &[u32]) {
    for row in members.chunks(16) {
        let row: Vec<String> = row.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "{},", row.join(", "));
    }
}

/// What shares a section: the property, and the direction of bars as bits.
type Key = (usize, Option<[u64; 3]>);

fn elements(
    text: &mut String,
    mesh: &LinkMesh,
    cells: &Cells,
    structure: &Structure,
    diagnostics: &mut Diagnostics,
) {
    let bars: BTreeMap<u32, [f64; 3]> =
        mesh.bars.iter().map(|bar| (bar.id.0, direction(mesh, &bar.orientation, bar.nodes[0]))).collect();
    let mut groups: BTreeMap<Key, Vec<&Cell>> = BTreeMap::new();
    for cell in &cells.cells {
        let Some(property) = cell.property else { continue };
        let v = (cell.shape == Shape::Line2 && !cell.rod).then(|| bars.get(&cell.id)).flatten();
        groups.entry((property.index(), v.map(|v| v.map(f64::to_bits)))).or_default().push(cell);
    }
    for (number, ((property, direction), members)) in groups.iter().enumerate() {
        let id = mesh.properties[*property].id.0;
        let name = match mesh.names.properties.get(&id) {
            Some(name) if direction.is_none() => name.clone(),
            _ if direction.is_none() => format!("PROPERTY-{id}"),
            _ => format!("PROPERTY-{id}-{number}"),
        };
        for shape in cells.shapes() {
            let of_shape: Vec<_> = members.iter().filter(|cell| cell.shape == shape).collect();
            let Some(first) = of_shape.first() else { continue };
            let Some(kind) = type_name(shape, first.rod) else {
                let what = format!("{} {}", shape.card(), first.id);
                diagnostics.push(refusal(what, FORMAT).at(first.source.0));
                continue;
            };
            let _ = writeln!(text, "*ELEMENT, TYPE={kind}, ELSET=\"{name}\"");
            for cell in of_shape {
                let row: Vec<String> = std::iter::once(cell.id)
                    .chain(cell.in_order(Order::Rings))
                    .map(|n| n.to_string())
                    .collect();
                // At most 16 numbers on a line; one that ends with a comma goes on.
                let lines: Vec<String> = row.chunks(16).map(|line| line.join(", ")).collect();
                let _ = writeln!(text, "{}", lines.join(",\n"));
            }
        }
        let Some(section) = &structure.sections[*property] else { continue };
        let material = |id: &u32| mesh.names.materials.get(id).cloned().unwrap_or(format!("MATERIAL-{id}"));
        let _ = match section {
            Section::Solid { material: m } => {
                writeln!(text, "*SOLID SECTION, ELSET=\"{name}\", MATERIAL={}", material(m))
            }
            Section::Rod { material: m, area } => {
                writeln!(text, "*SOLID SECTION, ELSET=\"{name}\", MATERIAL={}\n{area:?},", material(m))
            }
            Section::Shell { material: m, thickness } => {
                writeln!(text, "*SHELL SECTION, ELSET=\"{name}\", MATERIAL={}\n{thickness:?},", material(m))
            }
            Section::Bar { material: m, name: kind, dimensions } => {
                // See the reader: BAR has the width along z first, RECT the one along y.
                let shape = match (kind.as_str(), &dimensions[..]) {
                    ("BAR", [b, h]) => Some(("RECT", vec![*h, *b])),
                    ("ROD", [r]) => Some(("CIRC", vec![*r])),
                    ("BOX", [b, h, t1, t2]) => Some(("BOX", vec![*h, *b, *t1, *t2, *t1, *t2])),
                    _ => None,
                };
                let Some((shape, dimensions)) = shape else {
                    let what = format!("the section {kind} of property {id}");
                    diagnostics.push(refusal(what, FORMAT).at(mesh.properties[*property].source.0));
                    continue;
                };
                let dimensions: Vec<String> = dimensions.iter().map(|d| format!("{d:?}")).collect();
                let [x, y, z] = direction.map_or([0.0, 0.0, -1.0], |v| v.map(f64::from_bits));
                writeln!(
                    text,
                    "*BEAM SECTION, ELSET=\"{name}\", MATERIAL={}, SECTION={shape}\n{}\n{x:?}, {y:?}, {z:?}",
                    material(m),
                    dimensions.join(", ")
                )
            }
        };
    }
}

fn type_name(shape: Shape, rod: bool) -> Option<&'static str> {
    Some(match shape {
        Shape::Line2 if rod => "T3D2",
        Shape::Line2 => "B31",
        Shape::Tria3 => "S3",
        Shape::Quad4 => "S4",
        Shape::Tria6 => "STRI65",
        Shape::Quad8 => "S8R",
        Shape::Solid(solid) => match solid {
            SolidShape::Tetra4 => "C3D4",
            SolidShape::Tetra10 => "C3D10",
            SolidShape::Pyramid5 => "C3D5",
            SolidShape::Penta6 => "C3D6",
            SolidShape::Penta15 => "C3D15",
            SolidShape::Hexa8 => "C3D8",
            SolidShape::Hexa20 => "C3D20",
            SolidShape::Pyramid13 => return None,
        },
        Shape::Point | Shape::Line3 => return None,
    })
}
