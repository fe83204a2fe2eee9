//! Rigid and interpolation elements.

use pliant_diag::Origin;

use crate::{Components, ElementId, NodeIndex};

/// An RBE1, RBE2, RBE3, RBAR or RROD. Components are in each node's displacement frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// The user's number.
    pub id: ElementId,
    /// What it ties.
    pub kind: RigidKind,
    /// Where it was given.
    pub source: Origin,
}

/// What a [`Rigid`] ties.
#[derive(Clone, Debug, PartialEq)]
pub enum RigidKind {
    /// RBE2: `components` of every dependent node follow the rigid motion of `independent`.
    Rbe2 {
        /// GN.
        independent: NodeIndex,
        /// CM.
        components: Components,
        /// GM.
        dependents: Vec<NodeIndex>,
    },
    /// RBE1: the independents together hold six components that define a rigid body.
    Rbe1 {
        /// Independent nodes and components, six in all.
        independents: Vec<(NodeIndex, Components)>,
        /// Dependent nodes and components.
        dependents: Vec<(NodeIndex, Components)>,
    },
    /// RBE3: the reference moves as the weighted mean of the others.
    Rbe3 {
        /// REFGRID.
        reference: NodeIndex,
        /// REFC.
        components: Components,
        /// Weighted groups of nodes.
        groups: Vec<WeightGroup>,
        /// UM: the components made dependent instead of the reference's; empty when not given.
        dependents: Vec<(NodeIndex, Components)>,
    },
    /// RBAR.
    Rbar {
        /// GA and GB.
        nodes: [NodeIndex; 2],
        /// CNA and CNB, six in all.
        independents: [Components; 2],
        /// CMA and CMB; both empty means: every component that is not independent.
        dependents: [Components; 2],
    },
    /// RROD: the distance of the two nodes is constant.
    Rrod {
        /// GA and GB.
        nodes: [NodeIndex; 2],
        /// CMA and CMB: exactly one translation is dependent.
        dependents: [Components; 2],
    },
}

/// WTi, Ci and its grids Gi,j of an RBE3.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightGroup {
    /// WTi.
    pub weight: f64,
    /// Ci.
    pub components: Components,
    /// Gi,j.
    pub nodes: Vec<NodeIndex>,
}
