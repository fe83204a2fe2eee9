//! Mass, centre and inertia of a link from the consistent mass of its elements.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::element::{ElementRef, RodSection, ScalarValue};
use pliant_mesh::{Component, LinkMesh, NodeIndex, NodeKind, PropertyId, PropertyIndex};
use rayon::prelude::*;

use crate::assembly::{NodalTerm, direct_mass_terms};
use crate::dof::rigid_row;
use crate::element::{DofAxes, Element, ElementContext, MassKind, all_elements, build, card_of};
use crate::nsm::extra_nsm;

/// Mass properties in deck units (WTMASS applied) and the deck's basic frame.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MassProperties {
    /// Mass: the largest of the three directions, which differ only when scalar masses act on some components.
    pub mass: f64,
    /// Mass that a translation along x, y, z moves.
    pub mass_by_direction: Vector3<f64>,
    /// Centre of mass; the origin when there is no mass.
    pub centre: Vector3<f64>,
    /// Inertia tensor about the centre, basic axes.
    pub inertia: Matrix3<f64>,
    /// RᵀMR about the origin of the basic frame: translations first, then rotations.
    pub rigid: Matrix6<f64>,
    /// Mass of scalar masses at scalar points, which has no place and is in none of the above.
    pub at_scalar_points: f64,
    /// Mass (x direction) by property; elements without a property come by card name.
    pub by_property: Vec<PropertyMass>,
}

/// Share of the mass.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyMass {
    /// The property; `None` for CONROD, CONM2 and other elements that carry their own.
    pub property: Option<PropertyId>,
    /// Name of the element card, such as `CQUAD4`.
    pub card: String,
    /// How many elements.
    pub count: usize,
    /// Mass, WTMASS applied.
    pub mass: f64,
}

/// RᵀMR of an element, and the mass it puts on scalar points.
type Part = (Matrix6<f64>, f64);

/// Mass properties of a mesh: Σ RₑᵀMₑRₑ with the consistent mass of each element and rigid-body vectors Rₑ, so offsets,
/// products of inertia and rotary inertia count; the first subcase's NSM set and WTMASS are included.
///
/// The diagnostics hold an error for each element that cannot be built (the output then lacks it).
pub fn mass_properties(mesh: &LinkMesh) -> Warned<MassProperties> {
    let mut diagnostics = Diagnostics::new();
    let nsm = match extra_nsm(mesh, mesh.case_control.subcases.first().and_then(|s| s.nsm)) {
        Ok(nsm) => nsm,
        Err(problems) => {
            diagnostics.extend(problems);
            Default::default()
        }
    };
    let elements = all_elements(mesh);
    // Collected in order, so that the sum below has the same bits for any number of threads.
    let parts: Vec<Result<Part, Box<Diagnostic>>> = elements
        .par_iter()
        .map(|which| {
            let extra_nsm = nsm.get(which).copied().unwrap_or(0.0);
            build(ElementContext { mesh, extra_nsm }, *which).map(|e| rigid_mass(mesh, e.as_ref()))
        })
        .collect();
    let wtmass = mesh.wtmass();
    let mut output = MassProperties::default();
    let mut shares: BTreeMap<(Option<PropertyId>, String), (usize, f64)> = BTreeMap::new();
    for (which, part) in elements.iter().zip(parts) {
        match part {
            Ok((rigid, scalar)) => {
                output.rigid += wtmass * rigid;
                output.at_scalar_points += wtmass * scalar;
                let (card, _) = card_of(mesh, *which);
                let name = card.split(' ').next().unwrap_or_default().to_owned();
                let share = shares.entry((property_of(mesh, *which), name)).or_default();
                share.0 += 1;
                share.1 += wtmass * rigid[(0, 0)];
            }
            Err(problem) => diagnostics.push(*problem),
        }
    }
    match direct_mass_terms(mesh) {
        Ok(terms) => add_direct_mass(mesh, &terms, &mut output),
        Err(problems) => diagnostics.extend(problems),
    }
    output.by_property = shares
        .into_iter()
        .filter(|(_, (_, mass))| *mass != 0.0)
        .map(|((property, card), (count, mass))| PropertyMass { property, card, count, mass })
        .collect();
    finish(&mut output, &mut diagnostics);
    Warned { output, diagnostics }
}

/// RᵀMR of the DMIG matrices that M2GG selects.
fn add_direct_mass(mesh: &LinkMesh, terms: &[NodalTerm], output: &mut MassProperties) {
    for ([a, b], value) in terms {
        if [a, b].iter().any(|(node, _)| mesh.node(*node).kind == NodeKind::Scalar) {
            output.at_scalar_points += if a == b { *value } else { 0.0 };
            continue;
        }
        let [a, b] = [a, b].map(|(node, component)| rigid_row(mesh, *node, *component, Vector3::zeros()));
        output.rigid += Matrix6::from_fn(|i, j| a[i] * value * b[j]);
    }
}

/// Centre and inertia from the 6×6 about the origin.
fn finish(output: &mut MassProperties, diagnostics: &mut Diagnostics) {
    let rigid = output.rigid;
    let m = Vector3::new(rigid[(0, 0)], rigid[(1, 1)], rigid[(2, 2)]);
    output.mass_by_direction = m;
    output.mass = m.max();
    if output.mass <= 0.0 {
        return;
    }
    if m.min() < (1.0 - 1e-9) * m.max() {
        diagnostics.push(Diagnostic::warning(format!(
            "the mass differs by direction: {:.6e} along x, {:.6e} along y, {:.6e} along z",
            m.x, m.y, m.z
        )));
    }
    // The coupling block is −m[c]×; each coordinate of the centre appears in two rows of different directions.
    let coupling = rigid.fixed_view::<3, 3>(0, 3);
    let mean = |a: (usize, usize, f64), b: (usize, usize, f64)| {
        let terms = [a, b].map(|(i, j, sign)| (sign * coupling[(i, j)], m[i]));
        let mass: f64 = terms.iter().map(|t| t.1).sum();
        if mass > 0.0 { terms.iter().map(|t| t.0).sum::<f64>() / mass } else { 0.0 }
    };
    output.centre = Vector3::new(
        mean((1, 2, 1.0), (2, 1, -1.0)),
        mean((2, 0, 1.0), (0, 2, -1.0)),
        mean((0, 1, 1.0), (1, 0, -1.0)),
    );
    let c = output.centre.cross_matrix();
    // J_c = J_o − [c]× A − Aᵀ[c]×ᵀ + [c]× m [c]×ᵀ with A the coupling block (translation, rotation), general in m.
    let A = coupling.into_owned();
    let shift = c * A;
    output.inertia = rigid.fixed_view::<3, 3>(3, 3) - shift - shift.transpose()
        + c * Matrix3::from_diagonal(&m) * c.transpose();
    output.inertia = 0.5 * (output.inertia + output.inertia.transpose());
}

fn rigid_mass(mesh: &LinkMesh, element: &dyn Element) -> Part {
    let Some(M) = element.mass(MassKind::Consistent) else { return (Matrix6::zeros(), 0.0) };
    let dofs = element.dofs();
    let mut R = DMatrix::zeros(dofs.len(), 6);
    let mut scalar = 0.0;
    for (i, dof) in dofs.iter().enumerate() {
        let node = mesh.node(dof.node);
        if node.kind == NodeKind::Scalar {
            scalar += M[(i, i)];
            continue;
        }
        let row = match element.axes() {
            DofAxes::Displacement => rigid_row(mesh, dof.node, dof.component, Vector3::zeros()),
            DofAxes::Basic => basic_rigid_row(mesh, dof.node, dof.component),
        };
        for (k, value) in row.into_iter().enumerate() {
            R[(i, k)] = value;
        }
    }
    let rigid = R.transpose() * M * R;
    (Matrix6::from_fn(|i, j| rigid[(i, j)]), scalar)
}

fn basic_rigid_row(mesh: &LinkMesh, node: NodeIndex, component: Component) -> [f64; 6] {
    let mut row = [0.0; 6];
    row[component.row()] = 1.0;
    if component.row() < 3 {
        let cross = mesh.node(node).position.cross_matrix();
        for k in 0..3 {
            row[3 + k] = -cross[(component.row(), k)];
        }
    }
    row
}

/// The property of an element, where it has one.
fn property_of(mesh: &LinkMesh, which: ElementRef) -> Option<PropertyId> {
    let scalar = |value: ScalarValue| match value {
        ScalarValue::Property(p) => Some(p),
        ScalarValue::Own(_) => None,
    };
    let property: Option<PropertyIndex> = match which {
        ElementRef::Rod(i) => match mesh.rods[i as usize].section {
            RodSection::Property(p) => Some(p),
            RodSection::Own(..) => None,
        },
        ElementRef::Bar(i) => Some(mesh.bars[i as usize].property),
        ElementRef::Shell(i) => Some(mesh.shells[i as usize].property),
        ElementRef::ShearPanel(i) => Some(mesh.shear_panels[i as usize].property),
        ElementRef::Solid(i) => Some(mesh.solids[i as usize].property),
        ElementRef::Spring(i) => scalar(mesh.springs[i as usize].stiffness),
        ElementRef::Bush(i) => Some(mesh.bushes[i as usize].property),
        ElementRef::ScalarMass(i) => scalar(mesh.scalar_masses[i as usize].mass),
        ElementRef::PointMass(_) => None,
        ElementRef::Damper(i) => scalar(mesh.dampers[i as usize].damping),
        ElementRef::ViscousRod(i) => Some(mesh.viscous_rods[i as usize].property),
    };
    property.map(|p| mesh.properties[p.index()].id)
}
