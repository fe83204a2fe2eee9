//! RBE1, RBE2, RBE3, RBAR, RROD.

use pliant_diag::Severity;
use pliant_mesh::{Components, ElementId, NodeIndex, Rigid, RigidKind, WeightGroup};

use super::{CardType, element};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    element("RBE1", rbe1),
    element("RBE2", rbe2),
    element("RBE3", rbe3),
    element("RBAR", rbar),
    element("RROD", rrod),
];

fn add(r: &Reader<'_>, b: &mut Builder, id: u32, kind: RigidKind) -> Option<()> {
    b.mesh.rigids.push(Rigid { id: ElementId(id), kind, source: r.span().into() });
    Some(())
}

/// ALPHA (thermal expansion of the rigid element) has no effect on a link; reported where it is not 0.
fn thermal(r: &mut Reader<'_>, slot: usize) -> Option<()> {
    if r.real_or(slot, "ALPHA", 0.0)? != 0.0 {
        r.warning(slot, "ALPHA", "thermal expansion of rigid elements is not modelled");
    }
    Some(())
}

/// ```text
/// | RBE2 | EID | GN  | CM | GM1 | GM2 | GM3 | GM4 | GM5 |
/// |      | GM6 | …   | ALPHA |
/// ```
fn rbe2(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let independent = b.grid(r, 1, "GN");
    let components = r.components(2, "CM");
    let mut end = r.len();
    // ALPHA is the only real on the card.
    if end > 4 && !r.is_integer(end - 1) && !r.is_word(end - 1, "THRU") {
        thermal(r, end - 1)?;
        end -= 1;
    }
    let list = r.id_list_within(3, end, "GM");
    let dependents = b.nodes_of(r, 3, "GM", &list?);
    let (independent, components, dependents) = (independent?, components?, dependents?);
    if components.is_empty() {
        r.error(2, "CM", "no dependent component is given");
        return None;
    }
    if dependents.is_empty() {
        r.error(3, "GM1", "no dependent grid is given");
        return None;
    }
    if dependents.contains(&independent) {
        r.error(3, "GM", "the independent grid GN is also a dependent one");
        return None;
    }
    add(r, b, id?, RigidKind::Rbe2 { independent, components, dependents })
}

/// ```text
/// | RBE3 | EID  |     | REFGRID | REFC | WT1 | C1   | G1,1 | G1,2 |
/// |      | G1,3 | WT2 | C2      | G2,1 | …                        |
/// |      | UM   | GM1 | CM1     | GM2  | CM2 | GM3  | CM3  |
/// |      |      | GM4 | CM4     | …    |
/// |      | ALPHA | ALPHA |
/// ```
fn rbe3(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let reference = b.grid(r, 2, "REFGRID");
    let components = r.components(3, "REFC");
    let find = |word: &str| (4..r.len()).find(|slot| r.is_word(*slot, word));
    let um = find("UM");
    let alpha = find("ALPHA");
    let groups_end = um.or(alpha).unwrap_or(r.len());
    let groups = weight_groups(r, b, groups_end);
    let dependents = match um {
        Some(um) => pairs(r, b, um + 1, alpha.filter(|a| *a > um).unwrap_or(r.len()), ["GM", "CM"]),
        None => Some(Vec::new()),
    };
    if let Some(alpha) = alpha {
        thermal(r, alpha + 1)?;
    }
    let (reference, components, groups) = (reference?, components?, groups?);
    if components.is_empty() {
        r.error(3, "REFC", "no component of the reference grid is given");
        return None;
    }
    add(r, b, id?, RigidKind::Rbe3 { reference, components, groups, dependents: dependents? })
}

/// WTi, Ci and grids from slot 4 on. A real begins a group.
fn weight_groups(r: &mut Reader<'_>, b: &Builder, end: usize) -> Option<Vec<WeightGroup>> {
    let mut groups = Vec::new();
    let mut good = true;
    let mut slot = 4;
    while slot < end {
        if r.is_blank(slot) {
            slot += 1;
            continue;
        }
        let weight = r.real(slot, "WT");
        let components = r.components(slot + 1, "C");
        let first = slot + 2;
        slot = first;
        while slot < end && (r.is_blank(slot) || r.is_integer(slot) || r.is_word(slot, "THRU")) {
            slot += 1;
        }
        let list = r.id_list_within(first, slot, "G");
        let nodes = list.and_then(|list| b.nodes_of(r, first, "G", &list));
        match (weight, components, nodes) {
            (Some(weight), Some(components), Some(nodes)) => {
                if components.is_empty() || nodes.is_empty() {
                    r.error(first - 1, "C", "a weight needs components and at least one grid");
                    good = false;
                }
                groups.push(WeightGroup { weight, components, nodes });
            }
            _ => good = false,
        }
        // Whatever stops a group is read as the next weight, so that it is reported once.
        if slot == first && slot < end {
            slot = end;
        }
    }
    if groups.is_empty() && good {
        r.error(4, "WT1", "no weighted grid is given");
        return None;
    }
    good.then_some(groups)
}

/// Pairs of grid and components in the slots `first..end`; the first slot of a continuation is blank.
fn pairs(
    r: &mut Reader<'_>,
    b: &Builder,
    first: usize,
    end: usize,
    names: [&str; 2],
) -> Option<Vec<(NodeIndex, Components)>> {
    let mut pairs = Vec::new();
    let mut good = true;
    let mut slot = first;
    while slot < end {
        if r.is_blank(slot) {
            slot += 1;
            continue;
        }
        let node = b.node(r, slot, names[0]);
        match node.and_then(|node| Some((node, b.components_of(r, slot + 1, names[1], node)?))) {
            Some(pair) => pairs.push(pair),
            None => good = false,
        }
        slot += 2;
    }
    good.then_some(pairs)
}

/// ```text
/// | RBE1 | EID | GN1 | CN1 | GN2 | CN2 | GN3 | CN3 |
/// |      |     | GN4 | CN4 | GN5 | CN5 | GN6 | CN6 |
/// |      | UM  | GM1 | CM1 | GM2 | CM2 | GM3 | CM3 |
/// |      |     | GM4 | CM4 | …                     |
/// ```
fn rbe1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let Some(um) = (1..r.len()).find(|slot| r.is_word(*slot, "UM")) else {
        r.report(r.card_problem(Severity::Error, "`UM` with the dependent grids is missing"));
        return None;
    };
    let mut end = r.len();
    // ALPHA is the only real on the card.
    if end > um + 2 && !r.is_integer(end - 1) {
        thermal(r, end - 1)?;
        end -= 1;
    }
    let independents = pairs(r, b, 1, um, ["GN", "CN"]);
    let dependents = pairs(r, b, um + 1, end, ["GM", "CM"]);
    let (independents, dependents) = (independents?, dependents?);
    let count: usize = independents.iter().map(|(_, c)| c.len()).sum();
    if count != 6 {
        r.error(2, "CN1", format!("the independent components must be six, found {count}"));
        return None;
    }
    if dependents.is_empty() {
        r.error(um, "UM", "no dependent component is given");
        return None;
    }
    add(r, b, id?, RigidKind::Rbe1 { independents, dependents })
}

/// ```text
/// | RBAR | EID | GA | GB | CNA | CNB | CMA | CMB | ALPHA |
/// ```
/// CNA blank with CNB blank: 123456 at GA.
fn rbar(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let [ga, gb] = [b.grid(r, 1, "GA"), b.grid(r, 2, "GB")];
    let [cna, cnb] = [r.components(3, "CNA"), r.components(4, "CNB")];
    let [cma, cmb] = [r.components(5, "CMA"), r.components(6, "CMB")];
    thermal(r, 7)?;
    let mut independents = [cna?, cnb?];
    let dependents = [cma?, cmb?];
    if independents.iter().all(|c| c.is_empty()) {
        independents[0] = Components::ALL;
    }
    let count = independents[0].len() + independents[1].len();
    if count != 6 {
        r.error(3, "CNA", format!("CNA and CNB must hold six components together, found {count}"));
        return None;
    }
    if (0..2).any(|end| !independents[end].intersection(dependents[end]).is_empty()) {
        r.error(5, "CMA", "a component is both independent and dependent");
        return None;
    }
    let nodes = [ga?, gb?];
    if nodes[0] == nodes[1] {
        r.error(2, "GB", "both ends are the same grid");
        return None;
    }
    add(r, b, id?, RigidKind::Rbar { nodes, independents, dependents })
}

/// ```text
/// | RROD | EID | GA | GB | CMA | CMB | ALPHA |
/// ```
/// Exactly one of CMA and CMB is a translation, which is dependent.
fn rrod(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let [ga, gb] = [b.grid(r, 1, "GA"), b.grid(r, 2, "GB")];
    let [cma, cmb] = [r.components(3, "CMA"), r.components(4, "CMB")];
    thermal(r, 5)?;
    let nodes = [ga?, gb?];
    let dependents = [cma?, cmb?];
    let both = dependents[0].union(dependents[1]);
    let count = dependents[0].len() + dependents[1].len();
    if count != 1 || !both.without(Components::TRANSLATIONS).is_empty() {
        r.error(3, "CMA", "exactly one translation (1, 2 or 3) in CMA or CMB must be dependent");
        return None;
    }
    if (b.position(nodes[0]) - b.position(nodes[1])).norm() == 0.0 {
        r.error(2, "GB", "the ends coincide: the rod has no direction");
        return None;
    }
    add(r, b, id?, RigidKind::Rrod { nodes, dependents })
}
