//! From a [`LinkMesh`](pliant_mesh::LinkMesh) to sparse K and M, with the numbers a Nastran user expects.

pub mod element;
