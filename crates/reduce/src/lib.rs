//! Component mode synthesis: a mesh with interfaces becomes a reduced link of some tens of coordinates.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

pub mod basis;
mod choice;
mod completeness;
mod damping;
mod error;
mod frequencies;
pub mod health;
pub mod import;
pub mod interface;
mod leftovers;
mod link;
mod nodal_mass;
mod partition;
mod rail;
pub mod recovery;
mod reduced;
pub mod request;
mod rigid;
mod second_order;
mod shapes;
pub mod source;
pub mod substructure;

pub use basis::Need;
pub use completeness::Completeness;
pub use error::ReduceError;
pub use health::{CHECKS, FailedCheck, Health};
pub use link::{MeshedLink, Reduction, reduce_mesh, reduce_mesh_announced};
pub use pliant_sparse::share_one_heap;
pub use request::{LinkRequest, LinkSource};
pub use shapes::{LinkFrame, NodalShapes};
