//! Loads that are not available. They are kept by their set, so that a case which selects one is refused and
//! a link, which has no loads of its own deck, is not.

use pliant_mesh::LoadKind;

use super::load::add;
use super::{CardType, unavailable};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    unavailable("ACCEL", |r, b| load(r, b, "ACCEL")),
    unavailable("RFORCE1", |r, b| load(r, b, "RFORCE1")),
    unavailable("PLOADX1", |r, b| load(r, b, "PLOADX1")),
    unavailable("PLOADX", |r, b| load(r, b, "PLOADX")),
    unavailable("PLOADB3", |r, b| load(r, b, "PLOADB3")),
    unavailable("PLOADE1", |r, b| load(r, b, "PLOADE1")),
    unavailable("PLOAD5", |r, b| load(r, b, "PLOAD5")),
    unavailable("PRESAX", |r, b| load(r, b, "PRESAX")),
    unavailable("FORCEAX", |r, b| load(r, b, "FORCEAX")),
    unavailable("MOMAX", |r, b| load(r, b, "MOMAX")),
    unavailable("LOADCYH", |r, b| load(r, b, "LOADCYH")),
    unavailable("LOADCYN", |r, b| load(r, b, "LOADCYN")),
    unavailable("DEFORM", |r, b| load(r, b, "DEFORM")),
    unavailable("TEMPP1", |r, b| load(r, b, "TEMPP1")),
    unavailable("TEMPP2", |r, b| load(r, b, "TEMPP2")),
    unavailable("TEMPP3", |r, b| load(r, b, "TEMPP3")),
    unavailable("TEMPB3", |r, b| load(r, b, "TEMPB3")),
    unavailable("TEMPF", |r, b| load(r, b, "TEMPF")),
    unavailable("TEMPAX", |r, b| load(r, b, "TEMPAX")),
    unavailable("TEMPN1", |r, b| load(r, b, "TEMPN1")),
    unavailable("FORCDST", |r, b| load(r, b, "FORCDST")),
];

/// Any card with its set in the first field.
fn load(r: &mut Reader<'_>, b: &mut Builder, card: &'static str) -> Option<()> {
    let set = r.id(0, "SID")?;
    add(r, b, set, LoadKind::Unavailable { card })
}
