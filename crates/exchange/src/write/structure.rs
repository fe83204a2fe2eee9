//! What Abaqus and Ansys can hold of the structure, in terms that both share; the rest is refused.

use pliant_diag::{Diagnostics, Span};
use pliant_mesh::element::{BarOrientation, PointMassKind};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{Components, LinkMesh, MaterialIndex, MaterialLaw, RigidKind, SetId};

use super::refusal;

/// An isotropic material.
pub(super) struct Material {
    pub(super) id: u32,
    pub(super) e: f64,
    pub(super) nu: f64,
    pub(super) density: f64,
    pub(super) expansion: f64,
}

/// A property.
pub(super) enum Section {
    Solid {
        material: u32,
    },
    Shell {
        material: u32,
        thickness: f64,
    },
    Rod {
        material: u32,
        area: f64,
    },
    /// A section of the library.
    Bar {
        material: u32,
        name: String,
        dimensions: Vec<f64>,
    },
}

/// A mass with inertias about x, y and z.
pub(super) struct Mass {
    pub(super) id: u32,
    pub(super) node: u32,
    pub(super) mass: f64,
    pub(super) inertia: [f64; 3],
}

/// Nodes that follow another one.
pub(super) struct RigidBody {
    pub(super) id: u32,
    pub(super) independent: u32,
    pub(super) components: Components,
    pub(super) dependents: Vec<u32>,
}

pub(super) struct Structure {
    pub(super) materials: Vec<Material>,
    /// By row of the mesh's properties.
    pub(super) sections: Vec<Option<Section>>,
    pub(super) masses: Vec<Mass>,
    pub(super) rigid_bodies: Vec<RigidBody>,
    /// Terms: node, component, coefficient.
    pub(super) equations: Vec<Vec<(u32, u32, f64)>>,
    pub(super) supports: Vec<(u32, Components)>,
}

impl Structure {
    pub(super) fn of(mesh: &LinkMesh, format: &str, diagnostics: &mut Diagnostics) -> Self {
        let mut refuse = |what: String, at: Option<Span>| diagnostics.push(refusal(what, format).at(at));
        for (what, count) in [
            ("shear panels", mesh.shear_panels.len()),
            ("springs", mesh.springs.len()),
            ("bushes", mesh.bushes.len()),
            ("scalar masses", mesh.scalar_masses.len()),
            ("dampers", mesh.dampers.len() + mesh.viscous_rods.len()),
            ("DMIG matrices", mesh.direct_matrices.len()),
            ("non-structural masses", mesh.nonstructural_masses.len()),
        ] {
            if count > 0 {
                refuse(format!("{count} {what}"), None);
            }
        }
        if mesh.wtmass() != 1.0 {
            refuse(format!("PARAM,WTMASS,{}", mesh.wtmass()), None);
        }
        let turned = mesh.nodes.iter().find(|node| node.displacement_frame != pliant_mesh::CoordIndex::BASIC);
        if let Some(node) = turned {
            refuse(format!("GRID {} with a displacement system of its own", node.id), node.source.0);
        }
        let materials = materials(mesh, &mut refuse);
        let sections = sections(mesh, &mut refuse);
        elements(mesh, &mut refuse);
        let (masses, rigid_bodies) = (masses(mesh, &mut refuse), rigid_bodies(mesh, &mut refuse));
        let (equations, supports) = constraints(mesh);
        if !mesh.loads.is_empty() {
            let message = format!("{} loads are not written", mesh.loads.len());
            diagnostics.push(pliant_diag::Diagnostic::note(message));
        }
        Self { materials, sections, masses, rigid_bodies, equations, supports }
    }
}

fn materials(mesh: &LinkMesh, refuse: &mut impl FnMut(String, Option<Span>)) -> Vec<Material> {
    let mut found = Vec::new();
    for material in &mesh.materials {
        let id = material.id.0;
        match material.law {
            MaterialLaw::Isotropic { youngs_modulus: e, shear_modulus: g, poisson_ratio: nu, thermal_expansion: expansion }
                // E = 2G(1+ν) up to the rounding of a division.
                if (e - 2.0 * g * (1.0 + nu)).abs() <= 1e-12 * e.abs() =>
            {
                found.push(Material { id, e, nu, density: material.density, expansion });
            }
            _ => refuse(format!("material {id}, which is not isotropic or has a G of its own,"), material.source.0),
        }
    }
    found
}

fn sections(mesh: &LinkMesh, refuse: &mut impl FnMut(String, Option<Span>)) -> Vec<Option<Section>> {
    let id = |material: MaterialIndex| mesh.materials[material.index()].id.0;
    let mut found = Vec::new();
    for property in &mesh.properties {
        let section = match &property.kind {
            PropertyKind::Solid(material, solid) if solid.integration == Default::default() => {
                Some(Section::Solid { material: id(*material) })
            }
            PropertyKind::Shell(shell) => match (shell.membrane, shell.thickness) {
                (Some(membrane), Some(thickness))
                    if shell.bending == Some(membrane)
                        && shell.shear.is_none_or(|shear| shear == membrane)
                        && shell.bending_ratio == 1.0
                        && shell.nsm == 0.0
                        && !shell.plane_strain =>
                {
                    Some(Section::Shell { material: id(membrane), thickness })
                }
                _ => None,
            },
            PropertyKind::Rod(material, rod) if rod.torsion_constant == 0.0 && rod.nsm == 0.0 => {
                Some(Section::Rod { material: id(*material), area: rod.area })
            }
            PropertyKind::Bar(material, bar) if bar.nsm == 0.0 => {
                bar.section.as_ref().map(|section| Section::Bar {
                    material: id(*material),
                    name: section.name.clone(),
                    dimensions: section.dimensions.clone(),
                })
            }
            _ => None,
        };
        if section.is_none() {
            refuse(format!("property {}", property.id), property.source.0);
        }
        found.push(section);
    }
    found
}

/// What single elements have beside shape and property.
fn elements(mesh: &LinkMesh, refuse: &mut impl FnMut(String, Option<Span>)) {
    for bar in &mesh.bars {
        let bare = bar.pins.iter().all(|pins| pins.is_empty())
            && bar.offsets.iter().all(|offset| offset.norm() == 0.0);
        if !bare {
            refuse(format!("pins or offsets of {} {}", bar.kind.card(), bar.id), bar.source.0);
        }
    }
    for shell in &mesh.shells {
        if shell.offset.is_some_and(|offset| offset != 0.0)
            || shell.corner_thickness.iter().any(Option::is_some)
        {
            refuse(
                format!("offset or corner thicknesses of {} {}", shell.shape.card(), shell.id),
                shell.source.0,
            );
        }
    }
    for rod in &mesh.rods {
        if matches!(rod.section, pliant_mesh::element::RodSection::Own(..)) {
            refuse(format!("CONROD {}", rod.id), rod.source.0);
        }
    }
}

fn masses(mesh: &LinkMesh, refuse: &mut impl FnMut(String, Option<Span>)) -> Vec<Mass> {
    let mut found = Vec::new();
    for mass in &mesh.point_masses {
        let node = mesh.node(mass.node).id.0;
        match &mass.kind {
            PointMassKind::Body { mass: value, offset, inertia }
                if offset.norm() == 0.0
                    && (inertia - nalgebra::Matrix3::from_diagonal(&inertia.diagonal())).norm() == 0.0 =>
            {
                let inertia = [inertia[(0, 0)], inertia[(1, 1)], inertia[(2, 2)]];
                found.push(Mass { id: mass.id.0, node, mass: *value, inertia });
            }
            _ => refuse(format!("mass {} with an offset or products of inertia", mass.id), mass.source.0),
        }
    }
    found
}

fn rigid_bodies(mesh: &LinkMesh, refuse: &mut impl FnMut(String, Option<Span>)) -> Vec<RigidBody> {
    let mut found = Vec::new();
    for rigid in &mesh.rigids {
        match &rigid.kind {
            RigidKind::Rbe2 { independent, components, dependents } => found.push(RigidBody {
                id: rigid.id.0,
                independent: mesh.node(*independent).id.0,
                components: *components,
                dependents: dependents.iter().map(|node| mesh.node(*node).id.0).collect(),
            }),
            _ => refuse(format!("rigid element {}, which is no RBE2,", rigid.id), rigid.source.0),
        }
    }
    found
}

type Equations = Vec<Vec<(u32, u32, f64)>>;

/// Equations and supports of the first subcase; all of them where the deck selects none.
fn constraints(mesh: &LinkMesh) -> (Equations, Vec<(u32, Components)>) {
    let first = mesh.case_control.subcases.first();
    let selects = |selected: Option<SetId>, set: SetId, combined: &[pliant_mesh::SetCombination]| {
        let member = |selected: SetId| combined.iter().any(|c| c.set == selected && c.members.contains(&set));
        selected.is_none_or(|selected| selected == set || member(selected))
    };
    let mpcs =
        mesh.mpcs.iter().filter(|mpc| selects(first.and_then(|c| c.mpc), mpc.set, &mesh.mpc_combinations));
    let term =
        |term: &pliant_mesh::MpcTerm| (mesh.node(term.node).id.0, term.component.digit(), term.coefficient);
    let equations = mpcs.map(|mpc| mpc.terms.iter().map(term).collect()).collect();
    let spcs =
        mesh.spcs.iter().filter(|spc| selects(first.and_then(|c| c.spc), spc.set, &mesh.spc_combinations));
    let mut supports: Vec<_> = spcs.map(|spc| (mesh.node(spc.node).id.0, spc.components)).collect();
    let permanent = mesh.nodes.iter().filter(|node| !node.permanent_spc.is_empty());
    supports.extend(permanent.map(|node| (node.id.0, node.permanent_spc)));
    (equations, supports)
}

/// v of a bar.
pub(super) fn direction(
    mesh: &LinkMesh,
    orientation: &BarOrientation,
    start: pliant_mesh::NodeIndex,
) -> [f64; 3] {
    match orientation {
        BarOrientation::Vector(v) => (*v).into(),
        BarOrientation::Node(node) => (mesh.node(*node).position - mesh.node(start).position).into(),
    }
}
