//! How many elements lie through the thickness of a solid.
//!
//! From the middle of a triangle of the surface a line goes straight into the material, from tetrahedron to
//! tetrahedron, until it comes out on the other side. The number of elements between the two sides is that of
//! the edges of a shortest path from one to the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics};

use crate::msh::{Mesh, faces, opposite, sorted};
use crate::part::Solid;
use crate::script::MeshSize;

/// Triangles that are looked at of each solid.
const SAMPLES: usize = 2000;
/// Tetrahedra that a line may pass, and edges of the longest path that is looked for.
const LONGEST_LINE: usize = 400;
const LONGEST_PATH: usize = 3;
/// Both sides of a wall look in opposite directions, to this cosine.
const OPPOSITE: f64 = -0.7;
/// A solid is thin when this part of its surface has too few elements beneath it.
const THIN_PART: f64 = 0.25;

/// Elements through the thickness that bending needs, by the order of the elements.
fn wanted(order: u32) -> usize {
    if order > 1 { 2 } else { 4 }
}

/// A warning for each solid that is thin.
pub(crate) fn thin_solids(mesh: &Mesh, solids: &[Solid], spec: &MeshSize) -> Diagnostics {
    let walker = Walker::new(mesh);
    let wanted = wanted(spec.order);
    let mut found: BTreeMap<u32, Vec<(f64, f64, usize)>> = BTreeMap::new();
    let step = mesh.triangles.len().div_ceil(SAMPLES * solids.len()).max(1);
    let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
    for triangle in mesh.triangles.iter().step_by(step) {
        let Some([first]) = walker.sides.get(&sorted(triangle.corners)).map(Vec::as_slice) else { continue };
        let tag = mesh.tetrahedra[*first].tag;
        let inner = opposite(&mesh.tetrahedra[*first].corners, &triangle.corners);
        let normal = mesh.normal_from(&triangle.corners, inner);
        let area = normal.norm();
        *areas.entry(tag).or_default() += area;
        let Some((thickness, exit)) = walker.through(*first, triangle.corners, normal) else { continue };
        if let Some(count) = walker.path(&triangle.corners, &exit).filter(|count| *count < wanted) {
            found.entry(tag).or_default().push((thickness, area, count));
        }
    }
    let mut warnings = Diagnostics::new();
    for solid in solids {
        let (Some(walls), Some(all)) = (found.get_mut(&solid.tag), areas.get(&solid.tag)) else { continue };
        let thin: f64 = walls.iter().map(|(_, area, _)| area).sum();
        if thin < THIN_PART * all {
            continue;
        }
        walls.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = walls[walls.len() / 2].0;
        let fewest = walls.iter().map(|(_, _, count)| *count).min().unwrap_or(1);
        let elements =
            if fewest == 1 { "1 element lies".to_owned() } else { format!("{fewest} elements lie") };
        let message = format!(
            "solid {} is thin: {elements} through a thickness of about {middle:.3} on {:.0} % of its surface",
            solid.name,
            100.0 * thin / all
        );
        let size = middle / wanted as f64;
        let hint = format!("size = {size:.2} gives {wanted}; a sheet is better meshed as shells");
        warnings.push(Diagnostic::warning(message).hint(hint));
    }
    warnings
}

struct Walker<'a> {
    mesh: &'a Mesh,
    sides: HashMap<[u32; 3], Vec<usize>>,
    neighbours: HashMap<u32, BTreeSet<u32>>,
}

impl<'a> Walker<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let mut neighbours: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        for tetrahedron in &mesh.tetrahedra {
            for a in tetrahedron.corners {
                let others = tetrahedron.corners.into_iter().filter(|b| *b != a);
                neighbours.entry(a).or_default().extend(others);
            }
        }
        Self { mesh, sides: mesh.sides(), neighbours }
    }

    /// Thickness at a triangle with this outward normal, and the triangle where the line comes out.
    fn through(&self, first: usize, entry: [u32; 3], normal: Vector3<f64>) -> Option<(f64, [u32; 3])> {
        let direction = -normal.try_normalize(0.0)?;
        let start = entry.iter().map(|node| self.mesh.at(*node)).sum::<Vector3<f64>>() / 3.0;
        let (mut tetrahedron, mut behind) = (first, sorted(entry));
        for _ in 0..LONGEST_LINE {
            let corners = self.mesh.tetrahedra[tetrahedron].corners;
            let ahead = faces(&corners).into_iter().filter(|face| sorted(*face) != behind);
            // The line leaves through the plane that it meets first of those it goes out of.
            let meets = ahead.filter_map(|face| {
                let out = self.mesh.normal_from(&face, opposite(&corners, &face));
                let towards = out.dot(&direction);
                (towards > 0.0).then(|| (out.dot(&(self.mesh.at(face[0]) - start)) / towards, face, out))
            });
            let (t, face, out) = meets.min_by(|a, b| a.0.total_cmp(&b.0))?;
            behind = sorted(face);
            let sides = self.sides.get(&behind)?;
            match sides.iter().find(|other| **other != tetrahedron) {
                Some(next) => tetrahedron = *next,
                None => {
                    let facing = out.normalize().dot(&-direction);
                    return (facing < OPPOSITE).then_some((t, face));
                }
            }
        }
        None
    }

    /// Edges between two triangles; `None` when they have a node in common or are far apart.
    fn path(&self, from: &[u32; 3], to: &[u32; 3]) -> Option<usize> {
        let goal: BTreeSet<u32> = to.iter().copied().collect();
        let mut reached: BTreeSet<u32> = from.iter().copied().collect();
        if !reached.is_disjoint(&goal) {
            return None;
        }
        for count in 1..=LONGEST_PATH {
            let next: BTreeSet<u32> =
                reached.iter().filter_map(|node| self.neighbours.get(node)).flatten().copied().collect();
            if !next.is_disjoint(&goal) {
                return Some(count);
            }
            reached.extend(next);
        }
        None
    }
}
