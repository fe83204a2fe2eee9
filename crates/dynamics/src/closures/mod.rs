//! Loops: their assembly, redundancy and the Schur complement of their constraints.

pub(crate) mod assembly;
pub(crate) mod blocks;
pub(crate) mod closure;
pub(crate) mod pivoted;
pub(crate) mod reach;
pub(crate) mod saddle;
pub(crate) mod schur;
