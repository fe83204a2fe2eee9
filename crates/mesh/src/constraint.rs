//! Single- and multi-point constraints and the sets of component mode synthesis.

use pliant_diag::Origin;

use crate::{Component, Components, NodeIndex, SetId};

/// One SPC or SPC1 entry at one node; components in its displacement frame (component 1 for a scalar point).
#[derive(Clone, Debug, PartialEq)]
pub struct Spc {
    /// The set; SPCD entries are loads of theirs.
    pub set: SetId,
    /// The node.
    pub node: NodeIndex,
    /// The fixed components.
    pub components: Components,
    /// Enforced displacement (SPC's D); 0 for SPC1.
    pub value: f64,
    /// Where it was given.
    pub source: Origin,
}

/// Σ coefficientᵢ · uᵢ = 0; the first term is the dependent one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mpc {
    /// The set.
    pub set: SetId,
    /// Terms in order.
    pub terms: Vec<MpcTerm>,
    /// Where it was given.
    pub source: Origin,
}

/// One term of an [`Mpc`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpcTerm {
    /// The node.
    pub node: NodeIndex,
    /// The component, in the node's displacement frame.
    pub component: Component,
    /// The coefficient.
    pub coefficient: f64,
}

/// SPCADD, MPCADD or NSMADD: `set` stands for the union of `members`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetCombination {
    /// The set that stands for the others.
    pub set: SetId,
    /// The others.
    pub members: Vec<SetId>,
    /// Where it was given.
    pub source: Origin,
}

/// Components assigned to Nastran's displacement sets, in order of appearance.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DofSets {
    /// ASET/ASET1: kept in a static condensation, or boundary of a reduction.
    pub a: Vec<(NodeIndex, Components)>,
    /// BSET/BSET1: boundary fixed during the component modes.
    pub b: Vec<(NodeIndex, Components)>,
    /// CSET/CSET1: boundary free during the component modes.
    pub c: Vec<(NodeIndex, Components)>,
    /// QSET/QSET1: generalised coordinates.
    pub q: Vec<(NodeIndex, Components)>,
    /// OMIT/OMIT1.
    pub omit: Vec<(NodeIndex, Components)>,
    /// SUPORT/SUPORT1: reference components of rigid motion.
    pub support: Vec<(NodeIndex, Components)>,
    /// EXTRN: the rows of an external superelement's matrices, in their order.
    pub external: Vec<(NodeIndex, Components)>,
}
