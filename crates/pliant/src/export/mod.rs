//! Results as other files, and shapes of modes to be written.

mod bulk;
mod channels;
mod csv;
mod link;
pub(crate) mod mat;
mod shapes;
mod urdf;

pub use bulk::bulk;
pub use channels::channels;
pub use csv::csv;
pub use link::{Exported, LinkKind, link};
pub use mat::mat;
pub use shapes::mode_shapes;
pub use urdf::urdf;
