//! What gmsh saves: text of version 2.2, which is asked for. Corner nodes and mid-side nodes of triangles and
//! tetrahedra with the number of their face or solid.

use std::collections::{BTreeMap, HashMap};

use nalgebra::Vector3;

/// A triangle or tetrahedron.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell<const CORNERS: usize> {
    /// Number of the face or solid in the part.
    pub(crate) tag: u32,
    pub(crate) corners: [u32; CORNERS],
    /// In the order of gmsh; none of order 1.
    pub(crate) middles: Vec<u32>,
}

/// A mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) nodes: HashMap<u32, Vector3<f64>>,
    pub(crate) triangles: Vec<Cell<3>>,
    pub(crate) tetrahedra: Vec<Cell<4>>,
}

/// Types of elements in gmsh: triangles and tetrahedra of order 1 and 2.
const TRIANGLES: [(u32, usize); 2] = [(2, 0), (9, 3)];
const TETRAHEDRA: [(u32, usize); 2] = [(4, 0), (11, 6)];

fn cell<const CORNERS: usize>(middles: usize, tags: &[u32]) -> Option<Cell<CORNERS>> {
    // Number of tags, the physical group, the face or solid, …, then the nodes.
    let count = *tags.first()? as usize;
    let nodes = tags.get(1 + count..)?;
    let corners = nodes.get(..CORNERS)?.try_into().ok()?;
    Some(Cell { tag: *tags.get(2)?, corners, middles: nodes.get(CORNERS..CORNERS + middles)?.to_vec() })
}

impl Mesh {
    /// Reads a file; `None` for one that is not as asked for.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.lines();
        let mut mesh = Self::default();
        while let Some(line) = lines.next() {
            match line.trim() {
                "$Nodes" => {
                    let count: usize = lines.next()?.trim().parse().ok()?;
                    for line in lines.by_ref().take(count) {
                        let mut words = line.split_whitespace();
                        let id = words.next()?.parse().ok()?;
                        let mut next = || words.next()?.parse::<f64>().ok();
                        mesh.nodes.insert(id, Vector3::new(next()?, next()?, next()?));
                    }
                }
                "$Elements" => {
                    let count: usize = lines.next()?.trim().parse().ok()?;
                    for line in lines.by_ref().take(count) {
                        let words: Option<Vec<u32>> =
                            line.split_whitespace().skip(1).map(|word| word.parse().ok()).collect();
                        let words = words?;
                        let (kind, rest) = words.split_first()?;
                        if let Some((_, middles)) = TRIANGLES.iter().find(|(known, _)| known == kind) {
                            mesh.triangles.push(cell(*middles, rest)?);
                        } else if let Some((_, middles)) = TETRAHEDRA.iter().find(|(known, _)| known == kind)
                        {
                            mesh.tetrahedra.push(cell(*middles, rest)?);
                        }
                    }
                }
                _ => {}
            }
        }
        let nodes = mesh.triangles.iter().flat_map(|t| t.corners.iter().chain(&t.middles));
        let nodes = nodes.chain(mesh.tetrahedra.iter().flat_map(|t| &t.corners));
        let complete = nodes.into_iter().all(|node| mesh.nodes.contains_key(node));
        complete.then_some(mesh)
    }

    pub(crate) fn at(&self, node: u32) -> Vector3<f64> {
        self.nodes[&node]
    }

    /// The tetrahedra at every triangle, by its sorted corners.
    pub(crate) fn sides(&self) -> HashMap<[u32; 3], Vec<usize>> {
        let mut sides: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (index, tetrahedron) in self.tetrahedra.iter().enumerate() {
            for face in faces(&tetrahedron.corners) {
                sides.entry(sorted(face)).or_default().push(index);
            }
        }
        sides
    }

    /// Triangles by face of the part.
    pub(crate) fn by_face(&self) -> BTreeMap<u32, Vec<&Cell<3>>> {
        let mut faces: BTreeMap<u32, Vec<&Cell<3>>> = BTreeMap::new();
        self.triangles.iter().for_each(|triangle| faces.entry(triangle.tag).or_default().push(triangle));
        faces
    }

    /// The normal of a triangle with the length of its area, away from a node.
    pub(crate) fn normal_from(&self, corners: &[u32; 3], inner: u32) -> Vector3<f64> {
        let [a, b, c] = corners.map(|node| self.at(node));
        let normal = (b - a).cross(&(c - a)) * 0.5;
        if normal.dot(&(self.at(inner) - a)) > 0.0 { -normal } else { normal }
    }
}

/// The four faces of a tetrahedron.
pub(crate) fn faces(corners: &[u32; 4]) -> [[u32; 3]; 4] {
    let [a, b, c, d] = *corners;
    [[b, c, d], [a, c, d], [a, b, d], [a, b, c]]
}

pub(crate) fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// The corner of a tetrahedron that a face of it does not have.
pub(crate) fn opposite(corners: &[u32; 4], face: &[u32; 3]) -> u32 {
    let other = corners.iter().find(|corner| !face.contains(corner));
    *other.expect("invariant: a face has three of four corners")
}
