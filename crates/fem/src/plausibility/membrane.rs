//! How much a link relies on shells that are too stiff when they bend in their own plane.
//!
//! CTRIA3 has a constant membrane strain. A four-node membrane without rotations cannot both pass the patch
//! test and bend as a trapezoid: under u = xy, v = −x²/2 the ends x = ±(a + y tan(θ/2)) of a trapezoid of
//! half length a and half depth b, whose opposite sides enclose the angle θ, give it a strain ε_y = −a
//! tan(θ/2) that is not there. Beside the bending strain, whose mean square is b²/3, it has 3 τ² of the
//! energy with τ = (a/b) tan(θ/2). [`TAPER`] rests on that and on what the elements do: a cantilever one
//! element deep (30 to 1; the first column of quadrilaterals is MacNeal and Harder's beam, 1985) deflects by
//! these parts of the exact value (`tests/shells/tapered.rs` computes them):
//!
//! | quadrilaterals | τ = 5 | 2 | 1 | 0.5 | 0.2 | 0.1 |   | triangles, squares cut in two | 1 layer | 2 | 4 | 8 |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | aspect 5 | .05 | .18 | .40 | .70 | .93 | .97 |   | | .23 | .54 | .82 | .95 |

use std::collections::HashSet;

use nalgebra::Vector3;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{Shell, ShellShape};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, NodeIndex, PropertyIndex};

/// A share of the shell area below this part is what meshers leave where quadrilaterals do not fit.
const NEGLIGIBLE: f64 = 0.1;

/// From this τ on a quadrilateral counts as a trapezoid: one element deep it then loses 7 % of its
/// deflection.
const TAPER: f64 = 0.2;

/// Shells of a kind.
#[derive(Default)]
struct Kind<'a> {
    count: usize,
    area: f64,
    first: Option<&'a Shell>,
}

impl<'a> Kind<'a> {
    fn add(&mut self, shell: &'a Shell, area: f64) {
        self.count += 1;
        self.area += area;
        self.first.get_or_insert(shell);
    }
}

/// Warnings where CTRIA3, or CQUAD4 that are trapezoids, make up a part of the shells that can bend in its
/// plane.
pub(super) fn membrane_warnings(mesh: &LinkMesh) -> Vec<Diagnostic> {
    let (mut triangles, mut trapezoids) = (Kind::default(), Kind::default());
    let (mut total, mut widest) = (0.0, 0.0_f64);
    for shell in &mesh.shells {
        let nodes = mesh.nodes_of_shell(shell);
        let corner = |i: usize| mesh.node(nodes[i]).position;
        let area = if shell.shape.corner_count() == 3 {
            0.5 * (corner(1) - corner(0)).cross(&(corner(2) - corner(0))).norm()
        } else {
            0.5 * (corner(2) - corner(0)).cross(&(corner(3) - corner(1))).norm()
        };
        total += area;
        match shell.shape {
            ShellShape::Tria3 if has_membrane(mesh, shell.property) => triangles.add(shell, area),
            ShellShape::Quad4 if has_membrane(mesh, shell.property) => {
                let taper = Taper::of([0, 1, 2, 3].map(corner));
                if taper.tau > TAPER {
                    trapezoids.add(shell, area);
                    widest = widest.max(taper.angle);
                }
            }
            _ => {}
        }
    }
    let weighty = |kind: &Kind<'_>| kind.count > 0 && kind.area >= NEGLIGIBLE * total;
    let warning = |kind: &Kind<'_>, message: String, hint: &str| {
        Diagnostic::warning(message).at(kind.first.and_then(|shell| shell.source.0)).hint(hint)
    };
    let share = |kind: &Kind<'_>| 100.0 * kind.area / total;
    let mut found = Vec::new();
    if weighty(&triangles) {
        let message = format!(
            "{} CTRIA3 elements make up {:.0} % of the shell area; their membrane strain is constant, so plates that bend in their own \
             plane are too stiff: a web of squares cut in two deflects 0.23 of what it should with one layer across, 0.82 with four, \
             0.95 with eight",
            triangles.count,
            share(&triangles)
        );
        found.push(warning(
            &triangles,
            message,
            "use CQUAD4 of nearly rectangular shape, CTRIAR, CTRIA6, or many layers across webs",
        ));
    }
    if weighty(&trapezoids) {
        let message = format!(
            "{} CQUAD4 elements that make up {:.0} % of the shell area are trapezoids (opposite sides enclose up to {:.0}°); one layer \
             of them is too stiff when it bends in its own plane: MacNeal and Harder's beam of trapezoids deflects 0.05 of what it should",
            trapezoids.count,
            share(&trapezoids),
            widest.to_degrees()
        );
        found.push(warning(
            &trapezoids,
            message,
            "use rectangles, CQUADR or CQUAD8, or several layers across webs",
        ));
    }
    found.extend(mixed_rotations(mesh));
    found
}

/// A warning where CTRIAR and CQUADR share sides that carry forces in their plane. A constant stress gives
/// the corners of a side of the length L the moments ±α L² n·σn/12, with α = 3/2 in CTRIAR and 1 in CQUADR
/// (docs/theory/elements.md): they do not cancel.
fn mixed_rotations(mesh: &LinkMesh) -> Option<Diagnostic> {
    let sides_of = |shape: ShellShape| {
        let of_shape = move |shell: &&Shell| shell.shape == shape && has_membrane(mesh, shell.property);
        mesh.shells.iter().filter(of_shape).flat_map(move |shell| {
            let nodes = &mesh.nodes_of_shell(shell)[..shape.corner_count()];
            (0..nodes.len()).map(move |i| {
                let (a, b) = (nodes[i], nodes[(i + 1) % nodes.len()]);
                ([a.min(b), a.max(b)], shell)
            })
        })
    };
    let triangles: HashSet<[NodeIndex; 2]> = sides_of(ShellShape::TriaR).map(|(side, _)| side).collect();
    if triangles.is_empty() {
        return None;
    }
    let shared: Vec<&Shell> = sides_of(ShellShape::QuadR)
        .filter(|(side, _)| triangles.contains(side))
        .map(|(_, shell)| shell)
        .collect();
    let first = shared.first()?;
    let message = format!(
        "{} sides are shared by CTRIAR and CQUADR elements; forces in the plane of the shells do not pass exactly between the two",
        shared.len()
    );
    let hint = "join them where the membrane carries little, or use one of the two, or CTRIA3 and CQUAD4";
    Some(Diagnostic::warning(message).at(first.source.0).hint(hint))
}

fn has_membrane(mesh: &LinkMesh, property: PropertyIndex) -> bool {
    match &mesh.properties[property.index()].kind {
        PropertyKind::Shell(shell) => shell.membrane.is_some(),
        _ => true,
    }
}

/// How far a quadrilateral is from a parallelogram.
#[derive(Clone, Copy, Debug)]
struct Taper {
    /// The larger τ = (length / depth) tan(θ/2) of the two directions it can bend along.
    tau: f64,
    /// The angle θ that goes with it.
    angle: f64,
}

impl Taper {
    fn of([a, b, c, d]: [Vector3<f64>; 4]) -> Self {
        let along = |sides: [Vector3<f64>; 2], ends: [Vector3<f64>; 2]| {
            let length = sides[0].norm() + sides[1].norm();
            let depth = ends[0].norm() + ends[1].norm();
            let angle = ends[0].angle(&ends[1]);
            Self { tau: length / depth * (0.5 * angle).tan(), angle }
        };
        let (sides, ends) = ([b - a, c - d], [c - b, d - a]);
        let [one, other] = [along(sides, ends), along(ends, sides)];
        if one.tau >= other.tau { one } else { other }
    }
}
