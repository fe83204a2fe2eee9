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

/// Unlike SUPORT, it counts only where a subcase selects it (SUPORT1 = SID). The other sets are read for
/// their errors.
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

#[cfg(test)]
mod tests {
    use crate::{Options, deck_from_cards, read_cards_from};

    /// Grids that SUPORT and SUPORT1 cards support, with a case control.
    fn supported(case: &str) -> Vec<u32> {
        let text = format!(
            "SOL 103\nCEND\n{case}BEGIN BULK\nGRID,1\nGRID,2\nGRID,3\nSUPORT,1,3\nSUPORT1,5,2,3\nSUPORT1,6,3,3\n"
        );
        let cards = read_cards_from("t.bdf", text.into_bytes(), &mut |_| unreachable!());
        let mesh = deck_from_cards(cards, &Options::default()).output.mesh;
        mesh.dof_sets.support.iter().map(|(node, _)| mesh.node(*node).id.0).collect()
    }

    #[test]
    fn suport1_counts_where_it_is_selected() {
        assert_eq!(supported(""), [1]);
        assert_eq!(supported("SUPORT1 = 5\n"), [1, 2]);
        assert_eq!(supported("SUBCASE 1\nSUPORT1 = 6\n"), [1, 3]);
    }
}
