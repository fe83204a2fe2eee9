//! Legal oddities of orientation: left-handed solids, and material axes normal to their shell.

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::element::{MaterialDirection, Shell, Solid, SolidShape};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{CoordIndex, MaterialIndex, MaterialLaw};

use super::Builder;

/// Sine of the angle below which a direction is normal to a shell.
const NORMAL: f64 = 1e-6;

impl Builder {
    /// Nastran takes CHEXA and CPENTA whose second face lies below the first; they are turned over: the faces
    /// are exchanged, and the mid-side grids with them. Shape, volume and loads on faces, which name grids,
    /// stay as they are.
    ///
    /// An element whose material follows its own axes is left as it is, and refused later: the axes would
    /// turn with it.
    pub(super) fn turn_solids(&mut self, diagnostics: &mut Diagnostics) {
        let mut turned: Vec<(String, Origin)> = Vec::new();
        for row in 0..self.mesh.solids.len() {
            let solid = &self.mesh.solids[row];
            let Some(order) = turned_order(solid.shape) else { continue };
            if !self.is_left_handed(solid) || self.follows_element_axes(solid) {
                continue;
            }
            turned.push((format!("{} {}", solid.shape.card(), solid.id), solid.source));
            let (first, count) = (solid.first_node as usize, solid.shape.node_count());
            let nodes = &mut self.mesh.solid_nodes[first..first + count];
            let old = nodes.to_vec();
            for (node, from) in nodes.iter_mut().zip(order) {
                *node = old[*from];
            }
        }
        let Some((card, source)) = turned.first() else { return };
        let message = match turned.len() {
            1 => "is left-handed; its two faces were exchanged, as Nastran does".to_owned(),
            count => format!(
                "and {} more are left-handed; their two faces were exchanged, as Nastran does",
                count - 1
            ),
        };
        diagnostics.push(Diagnostic::note(message).at(source.0).card(card));
    }

    /// True when the edges at every corner make a left-handed triad.
    fn is_left_handed(&self, solid: &Solid) -> bool {
        let nodes = self.mesh.nodes_of_solid(solid);
        let p = |k: usize| self.position(nodes[k]);
        solid.shape.corner_edges().iter().all(|[o, a, b, c]| {
            let [u, v, w] = [*a, *b, *c].map(|k| p(k) - p(*o));
            u.cross(&v).dot(&w) < 0.0
        })
    }

    fn follows_element_axes(&self, solid: &Solid) -> bool {
        match &self.mesh.properties[solid.property.index()].kind {
            PropertyKind::Solid(material, property) => {
                property.material_frame.is_none() && !self.is_isotropic(*material)
            }
            _ => false,
        }
    }

    fn is_isotropic(&self, material: MaterialIndex) -> bool {
        matches!(self.mesh.materials[material.index()].law, MaterialLaw::Isotropic { .. })
    }

    /// MCID projects the x axis (r at the centre, where the system is curved) of a system onto the shell.
    /// Where that axis is normal to it there is no such direction; a shell that is isotropic needs none, and
    /// counts from side G1–G2. Any other is refused when it is built, as NASTRAN does (user fatal message
    /// 2225: "has no projection on to the plane of the element").
    pub(super) fn drop_idle_material_axes(&mut self, diagnostics: &mut Diagnostics) {
        let mut dropped: Vec<usize> = Vec::new();
        for (row, shell) in self.mesh.shells.iter().enumerate() {
            if let MaterialDirection::Frame(frame) = shell.material_direction
                && self.is_normal(shell, frame)
                && self.is_isotropic_shell(shell)
            {
                dropped.push(row);
            }
        }
        for row in &dropped {
            self.mesh.shells[*row].material_direction = MaterialDirection::Angle(0.0);
        }
        let Some(first) = dropped.first().map(|row| &self.mesh.shells[*row]) else { return };
        let others = match dropped.len() {
            1 => String::new(),
            count => format!(" (and of {} more shells)", count - 1),
        };
        let message =
            format!("the x axis of its MCID{others} is normal to it; it is isotropic and needs no direction");
        let card = format!("{} {}", first.shape.card(), first.id);
        diagnostics.push(Diagnostic::note(message).at(first.source.0).card(card));
    }

    fn is_normal(&self, shell: &Shell, frame: CoordIndex) -> bool {
        let nodes = self.mesh.nodes_of_shell(shell);
        let p = |k: usize| self.position(nodes[k]);
        let normal = if shell.shape.corner_count() == 4 {
            (p(2) - p(0)).cross(&(p(3) - p(1)))
        } else {
            (p(1) - p(0)).cross(&(p(2) - p(0)))
        };
        let count = shell.shape.corner_count();
        let centre = (0..count).map(p).sum::<Vector3<f64>>() / count as f64;
        let axis = self.mesh.coordinates[frame.index()].triad_at(centre).column(0).into_owned();
        normal.try_normalize(0.0).is_some_and(|normal| normal.cross(&axis).norm() <= NORMAL)
    }

    fn is_isotropic_shell(&self, shell: &Shell) -> bool {
        match &self.mesh.properties[shell.property.index()].kind {
            PropertyKind::Shell(p) => {
                let mut materials = [p.membrane, p.bending, p.shear, p.coupling].into_iter().flatten();
                materials.all(|material| self.is_isotropic(material))
            }
            PropertyKind::Laminate(laminate) => {
                laminate.plies.iter().all(|ply| self.is_isotropic(ply.material))
            }
            _ => false,
        }
    }
}

/// Old indices in the new order: the second face first, each edge's mid-side grid with its edge.
fn turned_order(shape: SolidShape) -> Option<&'static [usize]> {
    match shape {
        SolidShape::Hexa8 => Some(&[4, 5, 6, 7, 0, 1, 2, 3]),
        SolidShape::Hexa20 => Some(&[4, 5, 6, 7, 0, 1, 2, 3, 16, 17, 18, 19, 12, 13, 14, 15, 8, 9, 10, 11]),
        SolidShape::Penta6 => Some(&[3, 4, 5, 0, 1, 2]),
        SolidShape::Penta15 => Some(&[3, 4, 5, 0, 1, 2, 12, 13, 14, 9, 10, 11, 6, 7, 8]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mid_side_grids_go_with_their_edges() {
        for shape in [SolidShape::Hexa20, SolidShape::Penta15] {
            let order = turned_order(shape).unwrap();
            let corners = shape.corner_count();
            for (k, [a, b]) in shape.edges().iter().enumerate() {
                // The edge at this index joins the old corners order[a] and order[b].
                let mut now = [order[*a], order[*b]];
                let mut old = shape.edges()[order[corners + k] - corners];
                now.sort_unstable();
                old.sort_unstable();
                assert_eq!(now, old, "{shape:?}, edge {k}");
            }
        }
    }
}
