//! ASET, BSET, CSET, QSET, OMIT with their 1 forms, SUPORT, SUPORT1, EXTRN.

use pliant_mesh::{Components, DofSets, NodeIndex};

use super::{CardType, rest};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    rest("ASET", |r, b| pairs(r, b, 0, |s| &mut s.a)),
    rest("BSET", |r, b| pairs(r, b, 0, |s| &mut s.b)),
    rest("CSET", |r, b| pairs(r, b, 0, |s| &mut s.c)),
    rest("QSET", |r, b| pairs(r, b, 0, |s| &mut s.q)),
    rest("OMIT", |r, b| pairs(r, b, 0, |s| &mut s.omit)),
    rest("SUPORT", |r, b| pairs(r, b, 0, |s| &mut s.support)),
    rest("SUPORT1", suport1),
    rest("EXTRN", |r, b| pairs(r, b, 0, |s| &mut s.external)),
    rest("ASET1", |r, b| list(r, b, |s| &mut s.a)),
    rest("BSET1", |r, b| list(r, b, |s| &mut s.b)),
    rest("CSET1", |r, b| list(r, b, |s| &mut s.c)),
    rest("QSET1", |r, b| list(r, b, |s| &mut s.q)),
    rest("OMIT1", |r, b| list(r, b, |s| &mut s.omit)),
    rest("BNDFIX", |r, b| pairs(r, b, 0, |s| &mut s.b)),
    rest("BNDFREE", |r, b| pairs(r, b, 0, |s| &mut s.c)),
    rest("BNDFIX1", |r, b| list(r, b, |s| &mut s.b)),
    rest("BNDFREE1", |r, b| list(r, b, |s| &mut s.c)),
];

/// Unlike SUPORT, it counts only where a subcase selects it (SUPORT1 = SID). The other sets are read for their errors.
fn suport1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID")?;
    let before = b.mesh.dof_sets.support.len();
    let read = pairs(r, b, 1, |sets| &mut sets.support);
    if !b.selected_supports.contains(&set) {
        b.mesh.dof_sets.support.truncate(before);
    }
    read
}

type Pick = fn(&mut DofSets) -> &mut Vec<(NodeIndex, Components)>;

/// ```text
/// | ASET | G1 | C1 | G2 | C2 | G3 | C3 | G4 | C4 |      BSET, CSET, QSET, OMIT, SUPORT, BNDFIX, BNDFREE, EXTRN the same
/// | SUPORT1 | SID | G1 | C1 | G2 | C2 | G3 | C3 |
/// ```
fn pairs(r: &mut Reader<'_>, b: &mut Builder, first: usize, pick: Pick) -> Option<()> {
    let mut good = true;
    for slot in (first..r.len().max(first + 1)).step_by(2) {
        if r.is_blank(slot) && slot > first {
            continue;
        }
        let node = b.node(r, slot, "G");
        let components = node.and_then(|node| b.components_of(r, slot + 1, "C", node));
        match (node, components) {
            (Some(node), Some(components)) => pick(&mut b.mesh.dof_sets).push((node, components)),
            _ => good = false,
        }
    }
    good.then_some(())
}

/// ```text
/// | ASET1 | C | G1 | G2 | … |      | ASET1 | C | G1 | THRU | G2 |      and the like
/// ```
fn list(r: &mut Reader<'_>, b: &mut Builder, pick: Pick) -> Option<()> {
    let list = r.id_list(1, "G")?;
    let nodes = b.nodes_of(r, 1, "G", &list)?;
    for node in nodes {
        let components = b.components_of(r, 0, "C", node)?;
        pick(&mut b.mesh.dof_sets).push((node, components));
    }
    Some(())
}
