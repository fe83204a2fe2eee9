//! `dh`: Denavit–Hartenberg parameters.

use crate::{table, words};

words! {
    /// Which convention of Denavit–Hartenberg parameters.
    pub enum DhWord {
        /// Rot z(θ) · Trans z(d) · Trans x(a) · Rot x(α): the joint turns about z of the previous frame, the
        /// link frame sits at the far end.
        Standard = "standard",
        /// Rot x(α) · Trans x(a) · Rot z(θ) · Trans z(d): the joint turns about z of its own frame (Craig).
        Modified = "modified",
    }
}

table! {
    /// Denavit–Hartenberg parameters at zero of the joint, from the parent's triad to the child's link frame.
    /// What a link itself reaches from its frame to its outboard interface counts besides: where decks go
    /// from joint to joint, `a` and `alpha_deg` are in them already.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// dh     = { convention = "modified", a = 0.4, alpha_deg = 90, theta_deg = -30 }
    /// ```
    pub struct DhTable {
        /// The convention; there is no usual one, so it must be named.
        convention: DhWord;
        /// Link length (m).
        a: f64 = 0.0, "0";
        /// Link twist (degrees).
        alpha_deg: f64 = 0.0, "0";
        /// Link offset (m).
        d: f64 = 0.0, "0";
        /// Joint angle (degrees).
        theta_deg: f64 = 0.0, "0";
    }
}
