//! What is seen of a mesh: faces of shells, outer faces of solids, lines.

use std::collections::HashMap;

use crate::profile::{BarSection, Profile};

/// Cells over the nodes of a link, with the cell types and node orders of VTK.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// VTK cell type of each cell.
    pub types: Vec<u8>,
    /// Where the nodes of each cell begin in `connectivity`, and where those of the last end.
    pub offsets: Vec<u32>,
    /// Nodes of the cells, from zero.
    pub connectivity: Vec<u32>,
    /// True for each line that is a rigid element: drawn thin. Empty when none is.
    pub rigid: Vec<bool>,
    /// Sections of bars.
    pub profiles: Vec<Profile>,
    /// Lines that have one of them, by cell.
    pub sections: Vec<BarSection>,
}

/// Triangles and lines to draw. Nodes are numbered anew: only those that are seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// For each node drawn, its number in the mesh.
    pub nodes: Vec<u32>,
    /// Three nodes each.
    pub triangles: Vec<u32>,
    /// Edges of the faces, two nodes each.
    pub edges: Vec<u32>,
    /// Bars, two nodes each.
    pub lines: Vec<u32>,
    /// For each bar its section, from 1 in the list of the cells; 0 where it is not known.
    pub bars: Vec<u32>,
    /// True when the faces are those of solids alone: they enclose something.
    pub closed: bool,
    /// Rigid elements, two nodes each.
    pub thin: Vec<u32>,
}

/// Faces of a solid by its corners, seen from outside counterclockwise; VTK's numbering.
fn solid_faces(kind: u8) -> &'static [&'static [usize]] {
    match kind {
        10 | 24 => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
        12 | 25 | 29 => {
            &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
        }
        13 | 26 => &[&[0, 1, 2], &[3, 5, 4], &[0, 3, 4, 1], &[1, 4, 5, 2], &[2, 5, 3, 0]],
        14 | 27 => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        _ => &[],
    }
}

impl Surface {
    /// The surface of these cells. Curved edges are drawn straight between corners; a cell of a kind not
    /// known here, or with nodes outside the mesh of `node_count` nodes, is not drawn.
    pub fn of(cells: &Cells, node_count: usize) -> Self {
        let mut faces: Vec<Vec<u32>> = Vec::new();
        // Outer faces are those that one solid alone has.
        let mut solid: HashMap<Vec<u32>, Option<usize>> = HashMap::new();
        let mut surface = Self { closed: true, ..Self::default() };
        let mut sections = cells.sections.iter().enumerate().peekable();
        for (k, kind) in cells.types.iter().enumerate() {
            let Some(&[from, to]) = cells.offsets.get(k..k + 2) else { break };
            let Some(nodes) = cells.connectivity.get(from as usize..to as usize) else { continue };
            if nodes.iter().any(|node| *node as usize >= node_count) {
                continue;
            }
            match kind {
                3 | 21 if cells.rigid.get(k).copied().unwrap_or(false) => {
                    surface.thin.extend(nodes.iter().take(2));
                }
                3 | 21 => {
                    surface.lines.extend(nodes.iter().take(2));
                    while sections.next_if(|(_, section)| (section.cell as usize) < k).is_some() {}
                    let own = sections.next_if(|(_, section)| section.cell as usize == k);
                    surface.bars.push(own.map_or(0, |(index, _)| index as u32 + 1));
                }
                5 | 22 => {
                    faces.push(nodes[..3].to_vec());
                    surface.closed = false;
                }
                9 | 23 => {
                    faces.push(nodes[..4].to_vec());
                    surface.closed = false;
                }
                kind => {
                    for corners in solid_faces(*kind) {
                        let face: Vec<u32> = corners.iter().map(|corner| nodes[*corner]).collect();
                        let mut key = face.clone();
                        key.sort_unstable();
                        let index = faces.len();
                        let inner = solid.entry(key).and_modify(|first| {
                            if let Some(first) = first.take() {
                                faces[first].clear();
                            }
                        });
                        if let std::collections::hash_map::Entry::Vacant(new) = inner {
                            new.insert(Some(index));
                            faces.push(face);
                        }
                    }
                }
            }
        }
        surface.take_faces(&faces);
        surface.renumber(node_count);
        surface
    }

    fn take_faces(&mut self, faces: &[Vec<u32>]) {
        for face in faces {
            for k in 1..face.len().saturating_sub(1) {
                self.triangles.extend([face[0], face[k], face[k + 1]]);
            }
            for (k, a) in face.iter().enumerate() {
                let b = face[(k + 1) % face.len()];
                self.edges.extend([(*a).min(b), (*a).max(b)]);
            }
        }
        let mut pairs: Vec<[u32; 2]> = self.edges.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.edges = pairs.concat();
    }

    fn renumber(&mut self, node_count: usize) {
        let mut new = vec![u32::MAX; node_count];
        for list in [&mut self.triangles, &mut self.edges, &mut self.lines, &mut self.thin] {
            for node in list.iter_mut() {
                let at = &mut new[*node as usize];
                if *at == u32::MAX {
                    *at = self.nodes.len() as u32;
                    self.nodes.push(*node);
                }
                *node = *at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of 3 × 2 × 2 hexahedra.
    fn block() -> (Cells, usize) {
        let (nx, ny, nz) = (3, 2, 2);
        let node = |i: u32, j: u32, k: u32| i + (nx + 1) * (j + (ny + 1) * k);
        let mut cells = Cells { offsets: vec![0], ..Cells::default() };
        for (i, j, k) in (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| (i, j, k)))) {
            for dk in 0..2 {
                for (di, dj) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                    cells.connectivity.push(node(i + di, j + dj, k + dk));
                }
            }
            cells.types.push(12);
            cells.offsets.push(cells.connectivity.len() as u32);
        }
        (cells, 4 * 3 * 3)
    }

    #[test]
    fn a_block_shows_its_outside_only() {
        let (cells, nodes) = block();
        let surface = Surface::of(&cells, nodes);
        // 2 (3·2 + 3·2 + 2·2) outer squares, two triangles each; two nodes lie inside.
        assert_eq!(surface.triangles.len() / 3, 64);
        assert!(surface.closed);
        assert_eq!(surface.nodes.len(), 34);
        // Euler: V − E + F = 2 for a closed surface of quadrilaterals.
        assert_eq!(surface.nodes.len() + 32, surface.edges.len() / 2 + 2);
    }

    #[test]
    fn rigid_lines_are_thin_and_foreign_nodes_are_left_out() {
        let cells = Cells {
            types: vec![3, 3, 3],
            offsets: vec![0, 2, 4, 6],
            connectivity: vec![0, 1, 1, 2, 2, 9],
            rigid: vec![false, true, false],
            ..Cells::default()
        };
        let surface = Surface::of(&cells, 3);
        assert_eq!((surface.lines, surface.thin, surface.nodes), (vec![0, 1], vec![1, 2], vec![0, 1, 2]));
    }

    #[test]
    fn bars_keep_their_sections() {
        let section = |cell| BarSection { cell, ..BarSection::default() };
        let cells = Cells {
            types: vec![3, 5, 3, 3],
            offsets: vec![0, 2, 5, 7, 9],
            connectivity: vec![0, 1, 0, 1, 2, 1, 2, 2, 0],
            // The triangle of cell 1 has none, whatever is said of it.
            sections: vec![section(0), section(1), section(3)],
            ..Cells::default()
        };
        let surface = Surface::of(&cells, 3);
        assert_eq!(surface.bars, [1, 0, 3]);
        assert!(!surface.closed);
    }
}
