//! Shells: CQUAD4, CTRIA3, CQUADR, CTRIAR (flat), CQUAD8, CTRIA6 (curved).

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod bending;
mod curved;
mod curved_bending;
mod curved_membrane;
mod curved_stress;
mod drilling;
mod flat;
mod flat_stress;
mod geometry;
mod hybrid;
mod laminate;
mod membrane;
mod opt;
mod qm6;
mod quadrilateral_shear;
mod section;
mod shape;
mod thermal;
mod tying;

use nalgebra::Vector3;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, Shell, ShellShape};
use pliant_mesh::{Component, LinkMesh, NodeIndex};

pub use self::laminate::{PlyState, ply_states};

use self::curved::CurvedShell;
use self::flat::{Drilling, FlatShell};
use self::geometry::{material_angle, plane_frame};
use self::section::ShellLaw;
use super::{Element, ElementContext, ElementDof, in_element};

/// PARAM,K6ROT when it is not given (MSC Nastran Quick Reference Guide).
const K6ROT: f64 = 100.0;

/// Builds a shell.
///
/// # Errors
/// A diagnostic for a shape without area or with a re-entrant corner, a missing thickness, or an unusable
/// material.
pub(super) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::Shell(row) = which else { unreachable!("invariant: the registry sends shells here") };
    let mesh = context.mesh;
    let shell = &mesh.shells[row as usize];
    let error = |problem| in_element(mesh, which, problem);
    let kind = &mesh.properties[shell.property.index()].kind;
    let law = ShellLaw::new(mesh, kind, context.extra_nsm).map_err(error)?;
    match shell.shape {
        ShellShape::Tria3 | ShellShape::TriaR | ShellShape::Quad4 | ShellShape::QuadR => {
            build_flat(mesh, shell, law).map_err(error).map(|e| Box::new(e) as Box<dyn Element>)
        }
        ShellShape::Tria6 | ShellShape::Quad8 => {
            build_curved(mesh, shell, law).map_err(error).map(|e| Box::new(e) as Box<dyn Element>)
        }
    }
}

/// Six components at each node.
fn dofs(nodes: &[NodeIndex]) -> Vec<ElementDof> {
    nodes
        .iter()
        .flat_map(|n| (0..6).map(|c| ElementDof { node: *n, component: Component::from_row(c) }))
        .collect()
}

/// Thickness at each corner. Corners may be sharp (zero), as Nastran allows, but not all of them.
fn corner_thickness(shell: &Shell, law: &ShellLaw) -> Result<Vec<f64>, Box<Diagnostic>> {
    let corners: Vec<f64> = (0..shell.shape.corner_count())
        .map(|i| {
            let own = shell.corner_thickness[i].filter(|_| law.has_thickness());
            let t = own.or(law.thickness()).ok_or_else(|| {
                Diagnostic::boxed("it has no thickness at a corner, and its property has none")
            })?;
            if law.has_thickness() && (t.is_nan() || t < 0.0) {
                return Err(Diagnostic::boxed(format!("its thickness {t} at corner {} is negative", i + 1)));
            }
            Ok(t)
        })
        .collect::<Result<_, Box<Diagnostic>>>()?;
    if law.has_thickness() && corners.iter().all(|t| *t == 0.0) {
        return Err(Diagnostic::boxed("its thickness is zero"));
    }
    Ok(corners)
}

fn build_flat(mesh: &LinkMesh, shell: &Shell, law: ShellLaw) -> Result<FlatShell, Box<Diagnostic>> {
    let nodes = mesh.nodes_of_shell(shell).to_vec();
    let positions: Vec<Vector3<f64>> = nodes.iter().map(|n| mesh.node(*n).position).collect();
    let frame = plane_frame(&positions).ok_or_else(|| Diagnostic::boxed("it has no area"))?;
    let mean = positions.iter().sum::<Vector3<f64>>() / positions.len() as f64;
    let mut corners: Vec<Vector3<f64>> = positions.iter().map(|p| frame.transpose() * (p - mean)).collect();
    let size = corners.iter().map(|c| c.norm()).fold(0.0, f64::max);
    for corner in &mut corners {
        // Rounding of a flat element is no warp.
        if corner.z.abs() < 1e-12 * size {
            corner.z = 0.0;
        }
    }
    let count = corners.len();
    for i in 0..count {
        let before = (corners[i] - corners[(i + count - 1) % count]).xy();
        let after = (corners[(i + 1) % count] - corners[i]).xy();
        if before.perp(&after) <= 1e-9 * before.norm() * after.norm() {
            return Err(Diagnostic::boxed(format!("its inner angle at G{} is 180 degrees or more", i + 1)));
        }
    }
    let side = (corners[1] - corners[0]).xy();
    let angle = material_angle(mesh, shell.material_direction, &frame, mean, side.y.atan2(side.x))
        .ok_or_else(|| Diagnostic::boxed("the x axis of its material frame (MCID) is normal to it"))?;
    let drilling = match shell.shape {
        ShellShape::TriaR | ShellShape::QuadR => Drilling::Freedom,
        _ => Drilling::Penalty(penalty(mesh)),
    };
    let flat = FlatShell {
        dofs: dofs(&nodes),
        thickness: corner_thickness(shell, &law)?,
        corners,
        origin: mean,
        frame,
        law,
        angle,
        offset: shell.offset.unwrap_or(0.0),
        nodes,
        drilling,
    };
    let A = flat.mean_section().A;
    if shell.shape == ShellShape::QuadR && A.amax() > 0.0 && A.try_inverse().is_none() {
        return Err(Diagnostic::boxed(
            "its membrane material has a singular matrix, which a CQUADR cannot use",
        ));
    }
    Ok(flat)
}

fn build_curved(mesh: &LinkMesh, shell: &Shell, law: ShellLaw) -> Result<CurvedShell, Box<Diagnostic>> {
    let nodes = mesh.nodes_of_shell(shell);
    let present: Vec<NodeIndex> = nodes.iter().copied().filter(|n| n.is_some()).collect();
    let thickness = corner_thickness(shell, &law)?;
    CurvedShell::new(
        mesh,
        nodes,
        dofs(&present),
        law,
        shell.material_direction,
        thickness,
        shell.offset.unwrap_or(0.0),
        penalty(mesh),
    )
}

/// 10⁻⁶·K6ROT.
fn penalty(mesh: &LinkMesh) -> f64 {
    1e-6 * mesh.real_parameter("K6ROT").unwrap_or(K6ROT)
}

#[cfg(test)]
mod tests;
