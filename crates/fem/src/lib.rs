//! From a [`LinkMesh`](pliant_mesh::LinkMesh) to sparse K and M, with the numbers a Nastran user expects.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

pub mod assembly;
pub mod constraint;
mod density;
pub mod dof;
pub mod element;
pub mod load;
mod mass_properties;
pub mod nsm;
mod plausibility;
pub mod solve;
mod sparse_rows;
mod tetra4;

pub use assembly::{AssemblyOptions, System, assemble, assemble_stiffness};
pub use constraint::{ConstraintOptions, Constraints, constrain};
pub use density::massless_structure;
pub use dof::DofMap;
pub use load::{LoadCase, load_case};
pub use mass_properties::{MassProperties, PropertyMass, mass_properties};
pub use plausibility::{implausible, separate_pieces};
pub use solve::{Buckling, BucklingOptions, buckling};
pub use solve::{Modes, ModesOptions, Statics, modes, statics};
pub use sparse_rows::SparseRows;
