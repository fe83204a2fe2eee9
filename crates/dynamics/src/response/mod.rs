//! The machine in the frequency domain: about a pose the equations of motion are linear, and modes, frequency
//! responses and margins are answers of linear algebra.
//!
//! [`pose_states`] puts the machine where a pose has it, [`LinearMachine::new`] linearises it there in
//! independent coordinates, [`LinearMachine::undamped_modes`], [`LinearMachine::damped_modes`] and
//! [`StateSpace`] answer. Derived in `docs/theory/response.md`.

mod channels;
mod clocks;
mod compliance;
mod evd;
mod fed;
mod frequency;
mod inverse;
mod loads;
mod loops;
mod machine;
mod margins;
mod matrices;
mod modes;
mod oil;
mod physical;
mod pose;
mod single_input;
mod state_space;
mod stroke;
mod tracking;
mod truncation;

pub use channels::{Channel, ChannelError, ElasticRow, Input, LoadPoint, Order, Output, Side};
pub use compliance::Compliance;
pub use frequency::FrequencyResponse;
pub use inverse::{TipGrid, inverse};
pub use loops::{LoopMargins, ServoLoop, servo_loops};
pub use machine::{DriveInertia, LinearMachine, Servos};
pub use margins::{DiskMargin, GainCrossing, Margins, PhaseCrossing, margins};
pub use modes::{DampedMode, DampedModes, EnergyShare, ModeKind, UndampedMode, energy_label};
pub use physical::{PhysicalCoordinate, PhysicalMachine};
pub use pose::{About, FoundPose, Pose, PoseState, pose_states};
pub use state_space::StateSpace;
pub use tracking::{TrackedPose, Tracks, Veering, track};
pub use truncation::{Truncated, Truncation};
