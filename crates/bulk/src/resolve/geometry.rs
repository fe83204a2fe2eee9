//! Geometry that no element can work with: bars without length, solids and shells that are collapsed or
//! inside out.

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::element::{Bar, BarOrientation, ElementRef, Shell, Solid, SolidShape};
use pliant_mesh::{NodeIndex, RigidKind};

use super::Builder;

/// Below this fraction of what the edges could span, a corner is taken as flat.
const FLAT: f64 = 1e-8;

impl Builder {
    /// Checks all elements.
    pub(super) fn check_geometry(&self, diagnostics: &mut Diagnostics) {
        let mut report = |card: &str, id: u32, source: Origin, problem: Diagnostic| {
            if diagnostics.len() < super::build::MOST_DIAGNOSTICS {
                diagnostics.push(problem.at(source.0).card(format!("{card} {id}")));
            }
        };
        for bar in &self.mesh.bars {
            if let Some(problem) = self.bad_bar(bar) {
                report(bar.kind.card(), bar.id.0, bar.source, problem);
            }
        }
        for (row, rod) in self.mesh.rods.iter().enumerate() {
            if self.distance(rod.nodes) == 0.0 {
                let card = self.mesh.element_facts(ElementRef::Rod(row as u32)).card;
                report(card, rod.id.0, rod.source, no_length(self, rod.nodes));
            }
        }
        for shell in &self.mesh.shells {
            if let Some(problem) = self.bad_shell(shell) {
                report(shell.shape.card(), shell.id.0, shell.source, problem);
            }
        }
        for panel in &self.mesh.shear_panels {
            if let Some(problem) = self.bad_quad(&panel.nodes) {
                report("CSHEAR", panel.id.0, panel.source, problem);
            }
        }
        for solid in &self.mesh.solids {
            if let Some(problem) = self.bad_solid(solid) {
                report(solid.shape.card(), solid.id.0, solid.source, problem);
            }
        }
        for rigid in &self.mesh.rigids {
            if let RigidKind::Rrod { nodes, .. } = &rigid.kind
                && self.distance(*nodes) == 0.0
            {
                report("RROD", rigid.id.0, rigid.source, no_length(self, *nodes));
            }
        }
    }

    fn distance(&self, nodes: [NodeIndex; 2]) -> f64 {
        (self.position(nodes[1]) - self.position(nodes[0])).norm()
    }

    fn bad_bar(&self, bar: &Bar) -> Option<Diagnostic> {
        let start = self.position(bar.nodes[0]);
        let axis = self.position(bar.nodes[1]) + bar.offsets[1] - start - bar.offsets[0];
        let size = start.norm().max(self.position(bar.nodes[1]).norm());
        if axis.norm() <= 1e-12 * size || axis.norm() == 0.0 {
            return Some(no_length(self, bar.nodes));
        }
        let v = match bar.orientation {
            BarOrientation::Vector(v) => v,
            BarOrientation::Node(node) => self.position(node) - start,
        };
        if v.norm() == 0.0 {
            return Some(Diagnostic::error("the orientation vector is zero"));
        }
        // Nastran needs an angle; a thousandth of a degree is surely a mistake.
        (axis.cross(&v).norm() <= 2e-5 * axis.norm() * v.norm()).then(|| {
            Diagnostic::error(
                "the orientation vector lies along the axis, so that the section has no direction",
            )
            .hint("give a vector or G0 off the axis")
        })
    }

    fn bad_shell(&self, shell: &Shell) -> Option<Diagnostic> {
        let nodes = self.mesh.nodes_of_shell(shell);
        if let Some(problem) = self.repeated(nodes) {
            return Some(problem);
        }
        if shell.shape.corner_count() == 4 {
            return self.bad_quad(&[nodes[0], nodes[1], nodes[2], nodes[3]]);
        }
        let [a, b, c] = [0, 1, 2].map(|k| self.position(nodes[k]));
        let area = (b - a).cross(&(c - a)).norm();
        let largest = (b - a).norm_squared().max((c - a).norm_squared()).max((c - b).norm_squared());
        (area <= FLAT * largest)
            .then(|| Diagnostic::error("the corners lie on a line: the triangle has no area"))
    }

    fn bad_quad(&self, nodes: &[NodeIndex; 4]) -> Option<Diagnostic> {
        if let Some(problem) = self.repeated(nodes) {
            return Some(problem);
        }
        let p = nodes.map(|node| self.position(node));
        let normal = (p[2] - p[0]).cross(&(p[3] - p[1]));
        let size = (p[2] - p[0]).norm() * (p[3] - p[1]).norm();
        if normal.norm() <= FLAT * size {
            return Some(
                Diagnostic::error(
                    "the corners enclose no area: the quadrilateral is collapsed or crosses itself",
                )
                .hint("list G1 to G4 in order around the element"),
            );
        }
        let normal = normal.normalize();
        let turns = |k: usize| {
            let (before, after) = (p[k] - p[(k + 3) % 4], p[(k + 1) % 4] - p[k]);
            before.cross(&after).dot(&normal) / (before.norm() * after.norm())
        };
        let inward = (0..4).filter(|k| turns(*k) < -FLAT).count();
        match inward {
            0 => None,
            1 => Some(
                Diagnostic::error("the quadrilateral has a corner of more than 180°")
                    .hint("move the grid or split the element"),
            ),
            _ => Some(
                Diagnostic::error("the edges cross: the corners are not in order around the element")
                    .hint("list G1 to G4 in order around the element"),
            ),
        }
    }

    #[inline]
    fn bad_solid(&self, solid: &Solid) -> Option<Diagnostic> {
        let nodes = self.mesh.nodes_of_solid(solid);
        let mut p = [Vector3::zeros(); 8];
        let corner_count = solid.shape.corner_count();
        for (p, node) in p.iter_mut().zip(&nodes[..corner_count]) {
            *p = self.position(*node);
        }
        // Good elements, nearly all, are done here.
        let mut smallest = f64::INFINITY;
        for [o, a, b, c] in solid.shape.corner_edges() {
            let (u, v, w) = (p[*a] - p[*o], p[*b] - p[*o], p[*c] - p[*o]);
            let volume = u.cross(&v).dot(&w);
            let span2 = u.norm_squared() * v.norm_squared() * w.norm_squared();
            let square = volume * volume.abs();
            smallest = smallest.min(square - FLAT * FLAT * span2);
        }
        if smallest > 0.0 { None } else { self.explain_solid(solid, nodes, &p) }
    }

    #[cold]
    fn explain_solid(&self, solid: &Solid, nodes: &[NodeIndex], p: &[Vector3<f64>; 8]) -> Option<Diagnostic> {
        if let Some(problem) = self.repeated(nodes) {
            return Some(problem);
        }
        let ratios = solid.shape.corner_edges().iter().map(|[o, a, b, c]| {
            let (u, v, w) = (p[*a] - p[*o], p[*b] - p[*o], p[*c] - p[*o]);
            let span = u.norm() * v.norm() * w.norm();
            if span == 0.0 { 0.0 } else { u.cross(&v).dot(&w) / span }
        });
        let ratios: Vec<f64> = ratios.collect();
        if ratios.iter().all(|ratio| *ratio < -FLAT) {
            return Some(
                Diagnostic::error("the element is inside out: its volume is negative")
                    .hint(reorder(solid.shape)),
            );
        }
        let worst = (0..ratios.len()).min_by(|a, b| ratios[*a].total_cmp(&ratios[*b])).unwrap_or(0);
        let grid = self.mesh.nodes[nodes[worst].index()].id;
        Some(if ratios.iter().all(|ratio| ratio.abs() <= FLAT) {
            Diagnostic::error("the element is collapsed: it has no volume")
        } else if ratios[worst] < -FLAT {
            Diagnostic::error(format!(
                "the element folds over itself: the Jacobian is negative at GRID {grid}"
            ))
            .hint("check the order of the grids and the shape of the element")
        } else {
            Diagnostic::error(format!("the element is flat at GRID {grid}: the Jacobian vanishes there"))
        })
    }

    /// A grid that occurs twice in an element.
    fn repeated(&self, nodes: &[NodeIndex]) -> Option<Diagnostic> {
        let twice = (1..nodes.len()).find(|k| nodes[*k].is_some() && nodes[..*k].contains(&nodes[*k]))?;
        let id = self.mesh.nodes[nodes[twice].index()].id;
        Some(
            Diagnostic::error(format!("GRID {id} occurs twice: the element is collapsed"))
                .hint("use an element with fewer corners"),
        )
    }
}

fn no_length(builder: &Builder, nodes: [NodeIndex; 2]) -> Diagnostic {
    let [a, b] = nodes.map(|node| builder.mesh.nodes[node.index()].id);
    Diagnostic::error(format!("no length: GRID {a} and GRID {b} coincide"))
        .hint("a rigid element or a CBUSH can join coincident grids")
}

fn reorder(shape: SolidShape) -> &'static str {
    match shape {
        SolidShape::Tetra4 | SolidShape::Tetra10 => {
            "exchange G1 and G2 (and the mid-side grids that go with them)"
        }
        SolidShape::Pyramid5 | SolidShape::Pyramid13 => "list the base G1 to G4 the other way round",
        SolidShape::Penta6 | SolidShape::Penta15 => "exchange G1–G3 with G4–G6",
        SolidShape::Hexa8 | SolidShape::Hexa20 => "exchange G1–G4 with G5–G8",
    }
}
