//! HDF5 on disk. The only crate that knows libhdf5.
//!
//! [`Cache`] keeps reduced links; [`results`] is what a run leaves.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod cache;
mod columns;
mod dataset;
mod drawing;
mod image;
mod new_file;
mod response;
mod response_read;
pub mod results;
mod superblock;
mod target;

pub use cache::{Cache, CacheEntry, CacheError, Key, Lock, Pruned, SCHEMA_VERSION, StoredLink};
pub use columns::{Column, ColumnData, ColumnFile};
pub use drawing::Drawing;
pub use image::{hdf5_version, no_writes_at_exit};
pub use new_file::{NewFile, remove_temporary_files, write_file};
pub use response::{LoopRecord, PlaneRecord, PoseRecord, ResponseFile};
pub use response_read::{Numbers, ResponseResults};
pub use target::{FileKind, Output, may_write};
