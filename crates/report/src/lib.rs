//! One HTML file that shows a run or a study: headline numbers, the machine in 3D, plots, health of the
//! links, cases.
//!
//! Takes plain numbers ([`Run`], [`Study`], [`Response`], [`Shapes`]) and gives text; it reads no files and
//! needs no network, and neither does the page. What the page does in a browser is in `assets/`, by hand and
//! small.

mod annotation;
mod array;
mod comparison;
mod low_rank;
mod machine;
mod page;
mod profile;
mod quantity;
mod response;
mod run;
mod shapes;
mod spectrum;
mod study;
mod surface;
mod symbol;
mod thin;
mod view;

pub use annotation::{Arrow, ArrowKind, Mark, Path, Triad};
pub use comparison::{ComparedMetric, Comparison, Overlay};
pub use machine::{Field, Machine, Part, Values};
pub use page::About;
pub use profile::{BarSection, Profile, ProfileLoop};
pub use response::{Axis, DrawnLink, DrawnModes, Loop, Maps, MarginRow, ModeRow, Response};
pub use run::{
    Analysis, AnalysisDrive, Drive, Energy, ExtremeElement, Extremes, History, Input, JointMotion,
    LinkHealth, LoadRow, MachineMode, Run, Settling, Solver, Tip, TipNumbers,
};
pub use shapes::{ForceRow, HotSpot, Shape, ShapeKind, Shapes};
pub use spectrum::{Spectrum, spectrum};
pub use study::{CaseFile, Column, ColumnValues, Effect, Role, Study};
pub use surface::{Cells, Surface};
pub use symbol::{Symbol, SymbolEnd};
pub use view::{Problem, Severity, View, ViewedPart};
