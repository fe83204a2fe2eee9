//! Elements that cannot be computed: inside out, collapsed, a grid twice.

use pliant_diag::Diagnostic;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, NodeIndex};

use super::family::{Family, FamilyKind, MidNodes};
use super::gradients::{determinant, jacobian};
use super::table::{Purpose, gradients, table};
use crate::element::element_error;

/// A Jacobian below this fraction of the cube of the longest edge means that nothing is left of the element
/// in double precision.
const COLLAPSED: f64 = 1e-13;

/// Jacobians up to this are those of a collapsed element, whose longest edge is given.
pub(super) fn limit(longest: f64) -> f64 {
    COLLAPSED * longest.powi(3)
}

/// The first and second index of a node that is used twice.
pub(super) fn repeated(nodes: &[NodeIndex]) -> Option<(usize, usize)> {
    (1..nodes.len()).find_map(|second| {
        let first = nodes[..second].iter().position(|node| *node == nodes[second] && node.is_some())?;
        Some((first, second))
    })
}

/// Checks the Jacobian at every quadrature point of K.
///
/// # Errors
/// A diagnostic that names the element and its worst corner.
pub(super) fn check(
    mesh: &LinkMesh,
    which: ElementRef,
    family: &'static Family,
    mids: MidNodes,
    nodes: &[NodeIndex],
    x: &[[f64; 3]],
) -> Result<(), Box<Diagnostic>> {
    if let Some((first, second)) = repeated(nodes) {
        let grid = mesh.node(nodes[first]).id;
        let message = format!("GRID {grid} is used twice, as G{} and as G{}", first + 1, second + 1);
        let hint = "a hexahedron collapsed to a wedge, pyramid or tetrahedron is written as CPENTA, CPYRAM or CTETRA";
        let mut error = element_error(mesh, which, message);
        error.hints.push(hint.into());
        return Err(error);
    }
    let edge = |[i, j]: &[usize; 2]| (0..3).map(|c| (x[*j][c] - x[*i][c]).powi(2)).sum::<f64>();
    let longest = family.edges.iter().map(edge).fold(0.0, f64::max).sqrt();
    let limit = limit(longest);
    let table = table(family, mids, Purpose::Stiffness);
    let smallest =
        table.points.iter().map(|p| determinant(&jacobian(&p.gradient, x))).fold(f64::INFINITY, f64::min);
    if smallest > limit {
        return Ok(());
    }
    let (corner, at_corner) = worst_corner(family, mids, x);
    let grid = mesh.node(nodes[corner]).id;
    let largest = table.points.iter().map(|p| determinant(&jacobian(&p.gradient, x))).fold(0.0, f64::max);
    let (what, hint) = if smallest.abs() <= limit && largest <= limit {
        ("is collapsed: it has no volume", "move or merge its grids, or remove the element")
    } else if largest <= 0.0 {
        (
            "is inside out: its Jacobian is negative everywhere",
            "number the second face so that it lies on the side that the first one's right-hand rule points to",
        )
    } else {
        (
            "folds over itself: its Jacobian is negative in a part of it",
            "check the order of its grids and the positions of its mid-side grids",
        )
    };
    let message =
        format!("{what}; worst at corner G{} (GRID {grid}), where it is {at_corner:.3e}", corner + 1);
    let mut error = element_error(mesh, which, message);
    error.hints.push(hint.into());
    Err(error)
}

/// The corner with the smallest Jacobian; the apex of a pyramid has none of its own.
fn worst_corner(family: &Family, mids: MidNodes, x: &[[f64; 3]]) -> (usize, f64) {
    let smooth = if family.kind == FamilyKind::Pyramid { 4 } else { family.corners.len() };
    (0..smooth)
        .map(|corner| (corner, determinant(&jacobian(&gradients(family, mids, family.corners[corner]), x))))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .expect("invariant: every family has corners")
}
