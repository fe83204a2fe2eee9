//! Results as other files, and shapes of modes to be written.

mod bulk;
mod channels;
mod csv;
pub(crate) mod mat;
mod shapes;

pub use bulk::bulk;
pub use channels::channels;
pub use csv::csv;
pub use mat::mat;
pub use shapes::mode_shapes;
