//! Studies: a `[study]` table turns a pipeline into a manifest of cases; workers write closed segments; the
//! segments are the truth.
//!
//! [`plan`] expands the table, [`Plan::save`](plan::Plan::save) writes the manifest, [`Study::open`] reads it
//! back. [`run`] works through cases on this machine; [`scan`] says what is done; [`merge`] makes one file of
//! it; [`scheduler`] brings the same worker to a cluster.

mod analysis;
mod case;
mod cells;
mod error;
mod expand;
mod files;
pub mod here;
mod links;
mod manifest;
pub mod merge;
mod metric;
mod parameter;
pub mod plan;
pub mod run;
pub mod scan;
pub mod scheduler;
mod segment;
mod series;
mod worker;

pub use analysis::{Findings, MetricSummary};
pub use cells::ListError;
pub use error::StudyError;
pub use expand::{Rows, list_of};
pub use manifest::{Manifest, STUDY_FORMAT, Study};
pub use pliant_sampling::{Effect, SobolIndex};
pub use segment::{Identity, Row, SegmentError, Status, read as read_segment};
