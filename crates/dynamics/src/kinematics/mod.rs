//! Poses, velocities, deformation and the residual of the equations of motion in a state.

pub(crate) mod coupled_damping;
pub(crate) mod deformation;
pub(crate) mod energy;
pub(crate) mod inverse_dynamics;
pub(crate) mod poses;
pub(crate) mod residual;
pub(crate) mod state;
pub(crate) mod workspace;
