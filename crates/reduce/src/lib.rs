//! Component mode synthesis: a mesh with interfaces becomes a reduced link of some tens of coordinates.

pub mod import;
pub mod interface;
