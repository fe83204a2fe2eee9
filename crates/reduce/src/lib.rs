//! Component mode synthesis: a mesh with interfaces becomes a reduced link of some tens of coordinates.
//!
//! | modules | what they hold |
//! |---|---|
//! | `request`, `source` | what is asked for; the mesh of a deck, a beam, a segment |
//! | `interface`, `substructure`, `partition` | grids that become interfaces; K, M and D with their boundary |
//! | `link`, `choice`, `basis`, `completeness` | how many modes, which basis, the proof that none is missing |
//! | `reduced`, `rigid`, `nodal_mass`, `second_order`, `damping`, `rail`, `shapes` | what a link has of its mesh |
//! | `health`, `frequencies`, `leftovers` | checks: mass, grounding, frequencies, constraints not used |
//! | `recovery` | stress and strain from the coordinates of a link |
//! | `import` | reductions made elsewhere |
//! | `undeformed` | a link in its frame before it is reduced |
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
mod undeformed;

pub use basis::Need;
pub use completeness::Completeness;
pub use error::ReduceError;
pub use health::{CHECKS, FailedCheck, Health};
pub use link::{MeshedLink, Reduction, reduce_mesh, reduce_mesh_announced};
pub use pliant_sparse::share_one_heap;
pub use request::{LinkRequest, LinkSource};
pub use shapes::{LinkFrame, NodalShapes};
pub use undeformed::{UndeformedLink, undeformed};
