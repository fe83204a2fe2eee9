//! SPC, SPC1, SPCADD, SPCD, MPC, MPCADD.

use pliant_diag::Severity;
use pliant_mesh::{Components, Load, LoadKind, Mpc, MpcTerm, NodeIndex, SetCombination, SetId, Spc};

use super::{CardType, rest};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    rest("SPC", spc),
    rest("SPC1", spc1),
    rest("SPCD", spcd),
    rest("SPCADD", |r, b| {
        let combination = combination(r, b)?;
        b.mesh.spc_combinations.push(combination);
        Some(())
    }),
    rest("MPC", mpc),
    rest("MPCADD", |r, b| {
        let combination = combination(r, b)?;
        b.mesh.mpc_combinations.push(combination);
        Some(())
    }),
];

/// Grid, components and a value.
type Triple = (NodeIndex, Components, f64);

/// Up to two triples of grid, components and a real behind SID.
fn triples(r: &mut Reader<'_>, b: &Builder) -> Option<(SetId, Vec<Triple>)> {
    let set = r.id(0, "SID");
    let mut triples = Vec::new();
    let mut good = true;
    for (slot, names) in [(1, ["G1", "C1", "D1"]), (4, ["G2", "C2", "D2"])] {
        if slot == 4 && (4..7).all(|slot| r.is_blank(slot)) {
            continue;
        }
        let node = b.node(r, slot, names[0]);
        let components = node.and_then(|node| b.components_of(r, slot + 1, names[1], node));
        let value = r.real_or(slot + 2, names[2], 0.0);
        match (node, components, value) {
            (Some(node), Some(components), Some(value)) => triples.push((node, components, value)),
            _ => good = false,
        }
    }
    let set = SetId(set?);
    good.then_some((set, triples))
}

/// ```text
/// | SPC | SID | G1 | C1 | D1 | G2 | C2 | D2 |
/// ```
fn spc(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let (set, triples) = triples(r, b)?;
    let source = r.span().into();
    let spcs =
        triples.into_iter().map(|(node, components, value)| Spc { set, node, components, value, source });
    b.mesh.spcs.extend(spcs);
    Some(())
}

/// ```text
/// | SPC1 | SID | C | G1 | G2 | … |      | SPC1 | SID | C | G1 | THRU | G2 |
/// ```
/// Grids inside a THRU range need not exist.
fn spc1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let list = r.id_list(2, "G");
    let nodes = b.nodes_of(r, 2, "G", &list?)?;
    let set = SetId(set?);
    let source = r.span().into();
    for node in nodes {
        let components = b.components_of(r, 1, "C", node)?;
        b.mesh.spcs.push(Spc { set, node, components, value: 0.0, source });
    }
    Some(())
}

/// ```text
/// | SPCD | SID | G1 | C1 | D1 | G2 | C2 | D2 |
/// ```
fn spcd(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let (set, triples) = triples(r, b)?;
    let source = r.span().into();
    let loads = triples.into_iter().map(|(node, components, value)| Load {
        set,
        kind: LoadKind::EnforcedDisplacement { node, components, value },
        source,
    });
    b.mesh.loads.extend(loads);
    Some(())
}

/// ```text
/// | MPC | SID | G1 | C1 | A1 | G2 | C2 | A2 |  |
/// |     |     | G3 | C3 | A3 | …              |  |
/// ```
/// The first term is the dependent one; its coefficient must not be 0.
fn mpc(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let mut terms = Vec::new();
    let mut good = true;
    for line in (0..r.len()).step_by(8) {
        for slot in [line + 1, line + 4] {
            if slot >= r.len() || (slot..slot + 3).all(|slot| r.is_blank(slot)) {
                continue;
            }
            let node = b.node(r, slot, "G");
            let component = node.and_then(|node| b.component_of(r, slot + 1, "C", node));
            let coefficient = r.real_or(slot + 2, "A", 0.0);
            match (node, component, coefficient) {
                (Some(node), Some(component), Some(coefficient)) => {
                    if coefficient == 0.0 && terms.is_empty() && good {
                        r.error(slot + 2, "A1", "the coefficient of the dependent component must not be 0");
                        good = false;
                    }
                    terms.push(MpcTerm { node, component, coefficient });
                }
                _ => good = false,
            }
        }
    }
    if good && terms.is_empty() {
        r.report(r.card_problem(Severity::Error, "an MPC needs at least one term"));
        return None;
    }
    let set = SetId(set?);
    if good {
        b.mesh.mpcs.push(Mpc { set, terms, source: r.span().into() });
    }
    good.then_some(())
}

/// ```text
/// | SPCADD | SID | S1 | S2 | … |      MPCADD, NSMADD the same
/// ```
pub(super) fn combination(r: &mut Reader<'_>, b: &Builder) -> Option<SetCombination> {
    let set = r.id(0, "SID");
    let list = r.id_list(1, "S");
    let members = b.expanded(r, 1, "S", &list?)?;
    Some(SetCombination {
        set: SetId(set?),
        members: members.into_iter().map(SetId).collect(),
        source: r.span().into(),
    })
}
