//! STEP files: what they contain, and a mesh of it.
//!
//! The geometry is read and meshed by the program `gmsh`, started as a process of its own and spoken to in
//! files: a script and a STEP file go in, a mesh comes out ([`Gmsh`]). Features are found on a coarse mesh
//! ([`inspect`](Gmsh::inspect)): the nodes of a face lie on its surface, so that a plane or a cylinder that
//! fits them is that of the part. Their names, `V1`, `H1`, `S1` and `P1`, follow the order of the faces in
//! the file and do not depend on the size of the mesh. A second run meshes the part with a set for each
//! ([`mesh`](Gmsh::mesh)).

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod feature;
mod fit;
mod gmsh;
mod msh;
mod part;
mod script;
mod thin;
mod volume;

pub use feature::{Cylinder, Plane};
pub use gmsh::Gmsh;
pub use part::{Meshed, Part, Solid};
pub use script::{LengthUnit, MeshSize};

/// True for the beginning of a STEP file (ISO 10303-21).
pub fn is_step(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(256)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"ISO-10303-21")
}
