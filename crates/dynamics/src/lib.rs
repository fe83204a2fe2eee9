//! Dynamics of trees and loops of flexible links: residual by recursive Newton–Euler on the deformed links,
//! Newton steps by an articulated-body recursion in O(number of links), time integration, energy accounting.
//!
//! A [`Model`](pliant_mechanism::Model) is shared by reference; each run owns its [`State`] and
//! [`Workspace`], and no step allocates. [`simulate`] runs a case and hands [`Frame`]s to an [`Observer`].
//! The recursion is derived in `docs/theory/recursion.md`.
//!
//! | module | what it holds |
//! |---|---|
//! | `kinematics` | state, workspace, poses and residual of the machine, energies |
//! | `recursion` | the Newton matrix of a tree: factor, solve, tangent |
//! | `closures` | loops and force elements: rows, Schur complement, assembly of a start |
//! | `integration` | steps, events, start values, the nominal motion; [`simulate`] |
//! | `statics` | equilibrium, load continuation, quasi-static analysis |
//! | `linear` | modes and linear analysis about the nominal motion |
//! | `metrics` | numbers of the tip and of drives |
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod closures;
mod error;
mod integration;
mod kinematics;
mod labels;
mod linear;
mod metrics;
mod observer;
mod recursion;
mod statics;

pub use error::SimulationError;
pub use integration::analysis::{AnalysisKind, Start, StepControl, simulate};
pub use integration::nominal::{Nominal, NominalKind, nominal_motion};
pub use integration::scheme::Scheme;
pub use integration::simulation::{Settings, Simulation, SolverStatistics};
pub use kinematics::energy::Energy;
pub use kinematics::inverse_dynamics::InverseDynamics;
pub use kinematics::state::State;
pub use kinematics::workspace::Workspace;
pub use labels::coordinate_label;
pub use linear::frequencies::{VibrationMode, natural_frequencies, vibration_modes, vibration_modes_at};
pub use linear::structure::Structure;
pub use metrics::{SettleAbout, TipMetrics, TipMetricsCollector, TorqueMetrics};
pub use observer::{Flow, Frame, Observer, Warning};
pub use recursion::newton::NewtonSettings;
