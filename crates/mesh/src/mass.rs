//! Non-structural mass attached to elements from outside their property.

use pliant_diag::Origin;

use crate::SetId;

/// One NSM, NSM1, NSML or NSML1 entry, resolved to elements. A subcase selects it by its set
/// (`NSM = sid`); entries of a set add up.
#[derive(Clone, Debug, PartialEq)]
pub struct NonStructuralMass {
    /// The set.
    pub set: SetId,
    /// True: `value` is mass per length or area. False (NSML): `value` is a total, spread over the elements
    /// in proportion to their length or area.
    pub distributed: bool,
    /// Mass per length or area, or total mass.
    pub value: f64,
    /// The elements, as rows of the line and area element families of [`element`](crate::element).
    pub elements: Vec<crate::element::ElementRef>,
    /// Where it was given.
    pub source: Origin,
}
