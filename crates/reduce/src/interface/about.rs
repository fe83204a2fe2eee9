//! What the spiders of a link take of its mesh, so that a wrong axis or radius is seen.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, real};
use pliant_mesh::{LinkMesh, NodeIndex};

use super::{MeshInterface, Region, RegionShape};
use crate::request::{Grids, Interfaces};

/// A hole whose grids leave more of its circumference free than this is probably another one.
const OPEN: f64 = TAU / 3.0;

/// Fewest grids that look like the mesh of a hole.
const FEW: usize = 6;

/// What regions and lists of grids came to, in one note for the link, and warnings of cylinders that catch a
/// few grids by chance.
pub(crate) fn about_spiders(mesh: &LinkMesh, requested: &Interfaces, made: &[MeshInterface]) -> Diagnostics {
    let mut found = Diagnostics::new();
    let mut facts = Vec::new();
    let all = requested.inboard.iter().chain(requested.outboard.iter().map(|(_, request)| request));
    for (interface, request) in made.iter().zip(all).filter(|(interface, _)| !interface.spider.is_empty()) {
        let (name, count) = (&interface.name, interface.spider.len());
        let centre = mesh.node(interface.node).position;
        let at = format!("({}, {}, {})", real(centre.x), real(centre.y), real(centre.z));
        let mean = if matches!(request.value.grids, Grids::On(_)) || request.value.centre.is_some() {
            ""
        } else {
            ", the mean of the grids"
        };
        let arc = match &request.value.grids {
            Grids::On(region) => region.arc(mesh, &interface.spider),
            _ => None,
        };
        let around =
            arc.map_or_else(String::new, |arc| format!(" around {:.0}° of the cylinder", arc.to_degrees()));
        facts.push(format!("`{name}` {count} grids{around}, centre {at}{mean}"));
        if let Some(arc) = arc.filter(|arc| *arc < TAU - OPEN || count < FEW) {
            let message = format!(
                "interface `{name}` has {count} grids, around {:.0}° of the cylinder: grids that lie there by chance would look like this",
                arc.to_degrees()
            );
            let hint = "compare `axis`, `through`, `radius` and `along` with the hole; `pliant view` draws what was taken";
            found.push(Diagnostic::warning(message).hint(hint));
        }
    }
    if !facts.is_empty() {
        found.push(Diagnostic::note(format!("interfaces, in deck units: {}", facts.join("; "))));
    }
    found
}

/// Refuses grids of a hole that are in one line, which a spider cannot hold against turning about it.
pub(super) fn hold(mesh: &LinkMesh, grids: &[NodeIndex]) -> Result<(), Box<Diagnostic>> {
    let position = |node: &NodeIndex| mesh.node(*node).position;
    let Some(first) = grids.first().map(position) else { return Ok(()) };
    let arms = || grids.iter().map(|node| position(node) - first);
    let longest = arms().max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared())).unwrap_or_default();
    let aside = arms().map(|arm| arm.cross(&longest).norm()).fold(0.0, f64::max);
    if aside > 1e-6 * longest.norm_squared() {
        return Ok(());
    }
    let message = match grids.len() {
        1 => "one grid lies on the cylinder: nothing holds it against turning".to_owned(),
        count => format!(
            "the {count} grids on the cylinder lie in one line: nothing holds them against turning about it"
        ),
    };
    Err(Box::new(
        Diagnostic::error(message).hint("compare `axis`, `through`, `radius` and `along` with the hole"),
    ))
}

impl Region {
    /// How much of the circumference of a cylinder the grids go around: all but the largest gap (rad).
    fn arc(&self, mesh: &LinkMesh, grids: &[NodeIndex]) -> Option<f64> {
        let RegionShape::Cylinder { axis, through, .. } = &self.shape else { return None };
        let across = if axis.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let u = axis.cross(&across).normalize();
        let v = axis.cross(&u);
        let angle = |node: &NodeIndex| {
            let from = mesh.node(*node).position - through;
            from.dot(&v).atan2(from.dot(&u))
        };
        let mut angles: Vec<f64> = grids.iter().map(angle).collect();
        angles.sort_by(f64::total_cmp);
        let last = angles.last()? - TAU;
        let begins = std::iter::once(last).chain(angles.iter().copied());
        let gap = begins.zip(&angles).map(|(a, b)| b - a).fold(0.0, f64::max);
        // Grids all around leave a gap of one element.
        Some(if angles.len() >= FEW && gap < OPEN { TAU } else { TAU - gap })
    }
}
