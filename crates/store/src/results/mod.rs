//! The results file: what a run leaves for other tools.
//!
//! [`ResultsWriter`] lays the file out and owns the thread that writes it; a [`Recorder`] watches an analysis
//! and feeds that thread; [`recover`] makes a complete file of what a killed run has left; [`ResultsFile`]
//! reads one. The layout is reported in [`results_page`].

mod append;
mod attribute;
mod axes;
mod channel;
mod channels;
mod create;
mod damage;
mod deck_shapes;
mod elements;
mod error;
mod grid_forces;
mod health;
mod inspect;
mod largest;
mod modes;
mod pose_shapes;
mod read;
mod read_shape;
mod recorder;
mod recover;
mod schema;
pub(crate) mod seal;
mod second_order;
mod shape;
mod shape_values;
mod sink;
mod symbols;
mod vtk;
mod vtk_alone;
mod writer;

use std::sync::Arc;

use pliant_dynamics::NominalKind;
use pliant_mechanism::{InterfaceRef, Model};

pub use channels::{JointLoad, joint_loads};
pub use damage::ElementDamage;
pub use deck_shapes::DeckShapes;
pub use elements::{ElementEnvelope, ElementField, ElementPeak, LinkElements, StressMargin};
pub use error::ResultsError;
pub use grid_forces::GridForceRow;
pub use health::LinkInfo;
pub use modes::{ModeQuantity, ModeShapes, PointField, write_modes};
pub use pose_shapes::PoseShapes;
pub use read::{ResultsFile, Series, WarningRow};
pub use read_shape::{ShapeFrame, ShapeMesh};
pub use recorder::{RecordError, Recorder};
pub use recover::{Recovered, part_of, recover};
pub use schema::{RESULTS_EXTENSION, RESULTS_VERSION, colliding_names, results_page};
pub use seal::has_seal;
pub use shape::LinkShape;
pub use shape_values::ShapeValues;
pub use symbols::{Symbol, SymbolEnd, Symbols, symbols};
pub use writer::{Finished, ResultsWriter};

/// What is kept of each output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Motion and drives of joints.
    pub joints: bool,
    /// Poses and elastic coordinates of links.
    pub links: bool,
    /// Rates of the elastic coordinates.
    pub rates: bool,
    /// Loads in joints and on interfaces.
    pub loads: bool,
    /// The tip.
    pub tip: bool,
    /// Energies.
    pub energy: bool,
    /// Counters of the solver.
    pub solver: bool,
    /// Deformed shapes of the first analysis, evenly over its time.
    pub frames: usize,
    /// Lossless compression: smaller by a sixth to a third, and many times slower to write.
    pub compress: bool,
}

impl Default for Keep {
    fn default() -> Self {
        Self {
            joints: true,
            links: true,
            rates: false,
            loads: true,
            tip: true,
            energy: true,
            solver: true,
            frames: 120,
            compress: false,
        }
    }
}

/// A number of a run, declared before it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricInfo {
    /// Name of its dataset.
    pub name: String,
    /// Units.
    pub units: String,
    /// What it is.
    pub description: String,
}

/// One analysis of a run.
#[derive(Clone, Debug)]
pub struct AnalysisInfo<'a> {
    /// `nonlinear`, `rigid`, …: the word of the pipeline file.
    pub kind: &'a str,
    /// The machine as this analysis has it.
    pub model: &'a Model,
    /// What it is compared with.
    pub nominal: NominalKind,
    /// Body and interface of the tip.
    pub tip: Option<InterfaceRef>,
    /// Outputs to expect; sizes chunks and nothing else.
    pub outputs: usize,
    /// Start and end (s).
    pub span: (f64, f64),
    /// Links whose elements are recovered.
    pub elements: Vec<Arc<LinkElements>>,
    /// Those of them whose damage will be reported at its end.
    pub damage: Vec<String>,
    /// The metrics that will be reported at its end, in this order.
    pub metrics: Vec<MetricInfo>,
}

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// As the run named it.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl InputFile {
    /// Of a file that was read.
    pub fn new(path: &std::path::Path, content: &[u8]) -> Self {
        use sha2::Digest;
        let sha256 = hex::encode(sha2::Sha256::digest(content));
        Self { path: path.display().to_string(), size: content.len() as u64, sha256 }
    }
}

/// What a run was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// Title of the pipeline file.
    pub title: String,
    /// Its text.
    pub pipeline: String,
    /// It and the files of the links.
    pub files: Vec<InputFile>,
    /// The links in the order of the pipeline file, as their reduction has left them.
    pub links: Vec<LinkInfo>,
    /// Names of the joints, in the order of the pipeline file.
    pub joints: Vec<String>,
}
