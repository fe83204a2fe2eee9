//! What a link is made of: the mesh behind each kind of `[links.<name>]` table.

mod beam;
mod rigid;
mod section;

pub use beam::beam_mesh;
pub use rigid::rigid_link;
pub use section::{SectionNumbers, section_numbers};
