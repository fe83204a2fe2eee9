//! Small vibration: the linear analysis about the nominal motion, natural frequencies and damped modes.

pub(crate) mod analysis;
pub(crate) mod eigen;
pub(crate) mod frequencies;
pub(crate) mod perturbation;
pub(crate) mod structure;
pub(crate) mod system;
