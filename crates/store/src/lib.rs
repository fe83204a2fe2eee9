//! HDF5 on disk. The only crate that knows libhdf5.
//!
//! [`link_for`] turns a `[links.<name>]` table into a reduced link, from the [`Cache`] where it can; [`results`] is what a run
//! leaves.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod cache;
mod columns;
mod dataset;
mod drawing;
mod image;
mod link_for;
mod new_file;
pub mod results;
mod superblock;
mod target;

pub use cache::{Cache, CacheEntry, Key, Pruned, SCHEMA_VERSION, StoredLink, link_key};
pub use columns::{Column, ColumnData, ColumnFile};
pub use drawing::Drawing;
pub use image::no_writes_at_exit;
pub use link_for::{CachedLink, LinkFailure, deck_files, elements_for, link_for};
pub use new_file::{NewFile, write_file};
pub use target::{FileKind, Output, may_write};
