//! The mesh of a built-in beam: bars along a straight or kinked path, in SI.

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Origin};
use pliant_mesh::element::{Bar, BarKind, BarOrientation, ShearIntegration};
use pliant_mesh::property::{BarProperty, Property, PropertyKind};
use pliant_mesh::{
    Components, CoordIndex, ElementId, GridId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw,
    Node, NodeIndex, NodeKind, PropertyId, PropertyIndex, Rigid, RigidKind,
};

use super::section_numbers;
use crate::MeshedLink;
use crate::request::{BeamElement, BeamPath, BeamSource, Interfaces};

/// The mesh of a beam with its two ends as interfaces.
///
/// # Errors
/// An orientation along the beam, or a linear element without shear factors.
pub fn beam_mesh(beam: &BeamSource) -> Result<MeshedLink, Box<Diagnostic>> {
    let kind = match beam.element {
        BeamElement::Hermite => BarKind::Bar,
        BeamElement::LinearReduced => BarKind::Linear(ShearIntegration::Reduced),
        BeamElement::LinearFull => BarKind::Linear(ShearIntegration::Full),
    };
    if kind != BarKind::Bar && section_numbers(&beam.section.value, beam.material.nu).k.is_none() {
        let message =
            format!("`{}` beams shear: the `values` of their section need `k`", beam.element.name());
        let hint = "k = [0.8864, 0.8864] is a solid round bar's; `hermite` elements do without";
        return Err(Box::new(Diagnostic::error(message).at(beam.section.span()).hint(hint)));
    }
    let path: Vec<Vector3<f64>> = match &beam.path {
        BeamPath::Kinked(points) => points.iter().map(|point| Vector3::from(*point)).collect(),
        BeamPath::Straight(length) => vec![Vector3::zeros(), Vector3::x() * *length],
    };
    let mut mesh = LinkMesh::default();
    mesh.materials.push(material(beam));
    mesh.properties.push(property(beam));
    let mut last = add_grid(&mut mesh, path[0]);
    let first = mesh.node(last).id;
    for (from, to) in path.iter().zip(&path[1..]) {
        let vector = orientation(beam, to - from)?;
        for k in 1..=beam.elements {
            let point = from + (to - from) * (f64::from(k) / f64::from(beam.elements));
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
    let offset = Vector3::from(beam.tip_offset);
    if offset.norm() > 0.0 {
        let end = mesh.node(last).position;
        let tip = add_grid(&mut mesh, end + offset);
        let kind = RigidKind::Rbe2 { independent: tip, components: Components::ALL, dependents: vec![last] };
        let id = ElementId(mesh.bars.len() as u32 + 1);
        mesh.rigids.push(Rigid { id, kind, source: Origin::default() });
        last = tip;
    }
    let tip = mesh.node(last).id;
    let interfaces = Interfaces::between(first, BeamSource::TIP, tip, beam.origin);
    Ok(MeshedLink { mesh, interfaces })
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

/// The section's y direction for a straight piece. A kinked path may turn along the default direction; then
/// the next axis serves.
fn orientation(beam: &BeamSource, along: Vector3<f64>) -> Result<Vector3<f64>, Box<Diagnostic>> {
    let asked = Vector3::from(beam.orientation);
    let usable = |v: &Vector3<f64>| v.cross(&along).norm() > 1e-6 * v.norm() * along.norm();
    if usable(&asked) {
        return Ok(asked);
    }
    if matches!(beam.path, BeamPath::Kinked(_)) {
        return Ok(Vector3::new(asked.z, asked.x, asked.y));
    }
    let message = "the `orientation` of the beam lies along it; it must point across";
    Err(Box::new(Diagnostic::error(message).at(beam.origin.0)))
}

fn material(beam: &BeamSource) -> Material {
    let values = beam.material;
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

fn property(beam: &BeamSource) -> Property {
    let section = section_numbers(&beam.section.value, beam.material.nu);
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
