//! What a link is made of: the mesh behind each kind of [`LinkSource`](crate::LinkSource).

mod beam;
mod deck;
mod imported;
mod rigid;
mod section;
mod segment;

pub use beam::beam_mesh;
pub use deck::{deck_mesh, deck_options, override_cards};
pub use imported::imported_matrices;
pub use rigid::rigid_link;
pub use section::{SectionNumbers, section_numbers};
pub use segment::deck_segment;
