//! Dynamics of trees and loops of flexible links: residual by recursive Newton–Euler on the deformed links, Newton steps
//! by an articulated-body recursion in O(number of links), time integration, energy accounting.
//!
//! A [`Model`](pliant_mechanism::Model) is shared by reference; each run owns its [`State`] and [`Workspace`],
//! and no step allocates. [`simulate`] runs a case and hands [`Frame`]s to an [`Observer`]. The recursion is
//! derived in `docs/theory/recursion.md`.
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod analysis;
mod assembly;
mod blocks;
mod closure;
mod controller;
mod coupled_damping;
mod deformation;
mod dense;
mod eigen;
mod energy;
mod equilibrium;
mod error;
mod events;
mod frequencies;
mod initial;
mod inverse_dynamics;
mod kinematics;
mod labels;
mod linear;
mod linear_system;
mod metrics;
mod newton;
mod nominal;
mod observer;
mod perturbation;
mod pivoted;
mod pulses;
mod quasi_static;
mod reach;
mod recursion;
mod residual;
mod resolution;
mod saddle;
mod scheme;
mod schur;
mod simulation;
mod state;
mod statics;
mod structure;
mod tangent;
mod tangent_closure;
mod workspace;

pub use analysis::{AnalysisKind, Start, StepControl, simulate};
pub use energy::Energy;
pub use error::SimulationError;
pub use frequencies::{VibrationMode, natural_frequencies, vibration_modes, vibration_modes_at};
pub use inverse_dynamics::InverseDynamics;
pub use labels::coordinate_label;
pub use metrics::{SettleAbout, TipMetrics, TipMetricsCollector, TorqueMetrics};
pub use newton::NewtonSettings;
pub use nominal::{Nominal, NominalKind, nominal_motion};
pub use observer::{Flow, Frame, Observer, Warning};
pub use scheme::Scheme;
pub use simulation::{Settings, Simulation, SolverStatistics};
pub use state::State;
pub use structure::Structure;
pub use workspace::Workspace;
