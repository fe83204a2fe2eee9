//! Meshes in other formats.
