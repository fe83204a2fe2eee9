//! The mesh of a built-in beam: bars along a straight or kinked path, in SI.

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Origin};
use pliant_mesh::element::{Bar, BarKind, BarOrientation, ShearIntegration};
use pliant_mesh::property::{BarProperty, Property, PropertyKind};
use pliant_mesh::{
    Components, CoordIndex, ElementId, GridId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw,
    Node, NodeIndex, NodeKind, PropertyId, PropertyIndex, Rigid, RigidKind,
};
use pliant_pipeline::link::{BeamElementWord, BeamTable};

use super::section_numbers;

/// The mesh of a beam and the grids of its two ends; the second is the interface `tip`.
///
/// # Errors
/// An orientation along the beam, or a linear element without shear factors.
pub fn beam_mesh(table: &BeamTable) -> Result<(LinkMesh, [GridId; 2]), Box<Diagnostic>> {
    let kind = match table.element {
        BeamElementWord::Hermite => BarKind::Bar,
        BeamElementWord::LinearReduced => BarKind::Linear(ShearIntegration::Reduced),
        BeamElementWord::LinearFull => BarKind::Linear(ShearIntegration::Full),
    };
    if kind != BarKind::Bar && section_numbers(&table.section, table.material.nu).k.is_none() {
        let message =
            format!("`{}` beams shear: the `values` of their section need `k`", table.element.as_str());
        let hint = "k = [0.8864, 0.8864] is a solid round bar's; `hermite` elements do without";
        return Err(Box::new(Diagnostic::error(message).at(table.section.source.0).hint(hint)));
    }
    let path: Vec<Vector3<f64>> = match (&table.path, table.length) {
        (Some(path), _) => path.iter().map(|point| Vector3::from(*point)).collect(),
        (None, length) => vec![Vector3::zeros(), Vector3::x() * length.unwrap_or(1.0)],
    };
    let mut mesh = LinkMesh::default();
    mesh.materials.push(material(table));
    mesh.properties.push(property(table));
    let mut last = add_grid(&mut mesh, path[0]);
    let first = mesh.node(last).id;
    for (from, to) in path.iter().zip(&path[1..]) {
        let vector = orientation(table, to - from)?;
        for k in 1..=table.elements {
            let point = from + (to - from) * (f64::from(k) / f64::from(table.elements));
            let next = add_grid(&mut mesh, point);
            mesh.bars.push(Bar {
                id: ElementId(mesh.bars.len() as u32 + 1),
                kind,
                property: PropertyIndex(0),
                nodes: [last, next],
                orientation: BarOrientation::Vector(vector),
                pins: [Components::NONE; 2],
                offsets: [Vector3::zeros(); 2],
                warping_points: [None; 2],
                source: Origin::default(),
            });
            last = next;
        }
    }
    let offset = Vector3::from(table.tip_offset);
    if offset.norm() > 0.0 {
        let end = mesh.node(last).position;
        let tip = add_grid(&mut mesh, end + offset);
        let kind = RigidKind::Rbe2 { independent: tip, components: Components::ALL, dependents: vec![last] };
        let id = ElementId(mesh.bars.len() as u32 + 1);
        mesh.rigids.push(Rigid { id, kind, source: Origin::default() });
        last = tip;
    }
    let tip = mesh.node(last).id;
    Ok((mesh, [first, tip]))
}

fn add_grid(mesh: &mut LinkMesh, position: Vector3<f64>) -> NodeIndex {
    let index = NodeIndex::from(mesh.nodes.len());
    mesh.nodes.push(Node {
        id: GridId(index.0 + 1),
        kind: NodeKind::Grid,
        position,
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    });
    index
}

/// The section's y direction for a straight piece. A kinked path may turn along the default direction; then the next
/// axis serves.
fn orientation(table: &BeamTable, along: Vector3<f64>) -> Result<Vector3<f64>, Box<Diagnostic>> {
    let asked = Vector3::from(table.orientation);
    let usable = |v: &Vector3<f64>| v.cross(&along).norm() > 1e-6 * v.norm() * along.norm();
    if usable(&asked) {
        return Ok(asked);
    }
    if table.path.is_some() {
        return Ok(Vector3::new(asked.z, asked.x, asked.y));
    }
    let message = "the `orientation` of the beam lies along it; it must point across";
    Err(Box::new(Diagnostic::error(message).at(table.source.0)))
}

fn material(table: &BeamTable) -> Material {
    let values = table.material;
    Material {
        id: MaterialId(1),
        density: values.rho,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: values.e,
            shear_modulus: values.e / (2.0 * (1.0 + values.nu)),
            poisson_ratio: values.nu,
            thermal_expansion: 0.0,
        },
        source: Origin::default(),
    }
}

fn property(table: &BeamTable) -> Property {
    let section = section_numbers(&table.section, table.material.nu);
    let bar = BarProperty {
        area: section.area,
        i1: section.i1,
        i2: section.i2,
        i12: 0.0,
        torsion_constant: section.j,
        nsm: 0.0,
        k1: section.k.map(|k| k[0]),
        k2: section.k.map(|k| k[1]),
        stress_points: section.points,
        section: None,
    };
    Property {
        id: PropertyId(1),
        kind: PropertyKind::Bar(MaterialIndex(0), Box::new(bar)),
        source: Origin::default(),
    }
}
