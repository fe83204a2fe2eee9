//! Results as other files, and shapes of modes to be written.

mod bulk;
mod csv;
mod mat;
mod shapes;

pub use bulk::bulk;
pub use csv::csv;
pub use mat::mat;
pub use shapes::mode_shapes;
