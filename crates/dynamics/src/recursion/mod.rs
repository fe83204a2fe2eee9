//! The Newton matrix of a tree, factorised by an articulated-body recursion, and its tangent terms.

pub(crate) mod articulated;
pub(crate) mod damped;
pub(crate) mod dense;
pub(crate) mod newton;
pub(crate) mod tangent;
pub(crate) mod tangent_closure;
