//! NSM, NSM1, NSML, NSML1, NSMADD.

use pliant_diag::Severity;
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{NonStructuralMass, PropertyIndex, SetId};

use super::{CardType, rest};
use crate::list::{IdList, IdRange};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    rest("NSM", |r, b| pairs(r, b, true)),
    rest("NSML", |r, b| pairs(r, b, false)),
    rest("NSM1", |r, b| list(r, b, true)),
    rest("NSML1", |r, b| list(r, b, false)),
    rest("NSMADD", nsmadd),
];

/// ```text
/// | NSM  | SID | TYPE | ID1 | VALUE1 | ID2 | VALUE2 | ID3 | VALUE3 |      NSML the same
/// ```
/// TYPE is a property card's name, `CONROD` or `ELEMENT`. NSM: mass per length or area; NSML: a total.
fn pairs(r: &mut Reader<'_>, b: &mut Builder, distributed: bool) -> Option<()> {
    let set = r.id(0, "SID");
    let kind = r.word(1, "TYPE");
    let (set, kind) = (set?, kind?);
    let mut good = true;
    for slot in (2..r.len().max(3)).step_by(2) {
        if slot > 2 && r.is_blank(slot) {
            continue;
        }
        let id = r.id(slot, "ID");
        let value = r.real(slot + 1, "VALUE");
        let (Some(id), Some(value)) = (id, value) else {
            good = false;
            continue;
        };
        let list = IdList { ranges: vec![IdRange::one(id)], ..IdList::default() };
        good &= add(r, b, set, &kind, value, slot, &list, distributed).is_some();
    }
    good.then_some(())
}

/// ```text
/// | NSM1  | SID | TYPE | VALUE | ID1 | ID2 | … |      IDs with THRU and BY, or ALL; NSML1 the same
/// ```
fn list(r: &mut Reader<'_>, b: &mut Builder, distributed: bool) -> Option<()> {
    let set = r.id(0, "SID");
    let kind = r.word(1, "TYPE");
    let value = r.real(2, "VALUE");
    let list = r.id_list(3, "ID");
    add(r, b, set?, &kind?, value?, 3, &list?, distributed)
}

#[expect(clippy::too_many_arguments, reason = "the fields of the card, no more")]
fn add(
    r: &mut Reader<'_>,
    b: &mut Builder,
    set: u32,
    kind: &str,
    value: f64,
    slot: usize,
    list: &IdList,
    distributed: bool,
) -> Option<()> {
    let elements = match kind {
        "ELEMENT" | "CONROD" => b.elements_of(r, slot, "ID", list)?,
        "PROD" | "PTUBE" | "PBAR" | "PBARL" | "PBEAM" | "PBEAML" | "PSHELL" | "PCOMP" | "PCOMPG"
        | "PSHEAR" => elements_with_property(b, kind, list),
        _ => {
            let problem = r
                .problem(
                    Severity::Error,
                    1,
                    "TYPE",
                    format!("`{kind}` cannot carry non-structural mass here"),
                )
                .hint("use ELEMENT, CONROD, or the name of a rod, bar, beam, shell or shear property");
            r.report(problem);
            return None;
        }
    };
    let fitting: Vec<ElementRef> = elements.iter().copied().filter(|e| carries_mass(*e)).collect();
    if fitting.len() < elements.len() {
        r.error(slot, "ID", "only rods, bars, beams, shells and shear panels carry non-structural mass");
        return None;
    }
    if fitting.is_empty() {
        r.warning(slot, "ID", "no element has this non-structural mass");
    }
    b.mesh.nonstructural_masses.push(NonStructuralMass {
        set: SetId(set),
        distributed,
        value,
        elements: fitting,
        source: r.span().into(),
    });
    Some(())
}

fn carries_mass(element: ElementRef) -> bool {
    matches!(
        element,
        ElementRef::Rod(_) | ElementRef::Bar(_) | ElementRef::Shell(_) | ElementRef::ShearPanel(_)
    )
}

/// The elements whose property is of a card and in a list.
fn elements_with_property(b: &Builder, kind: &str, list: &IdList) -> Vec<ElementRef> {
    let fits: Vec<bool> = b
        .mesh
        .properties
        .iter()
        .map(|property| {
            let same_card = match &property.kind {
                PropertyKind::Rod(..) => kind == "PROD",
                PropertyKind::Tube(..) => kind == "PTUBE",
                PropertyKind::Bar(..) => matches!(kind, "PBAR" | "PBARL"),
                PropertyKind::Beam(..) => matches!(kind, "PBEAM" | "PBEAML"),
                PropertyKind::Shell(_) => kind == "PSHELL",
                PropertyKind::Laminate(_) => matches!(kind, "PCOMP" | "PCOMPG"),
                PropertyKind::Shear(..) => kind == "PSHEAR",
                _ => false,
            };
            same_card && list.contains(property.id.0)
        })
        .collect();
    let chosen = |property: PropertyIndex| fits[property.index()];
    let mesh = &b.mesh;
    let rods = mesh.rods.iter().enumerate().filter_map(|(row, rod)| match rod.section {
        RodSection::Property(p) if chosen(p) => Some(ElementRef::Rod(row as u32)),
        _ => None,
    });
    let bars = (0..mesh.bars.len())
        .filter(|row| chosen(mesh.bars[*row].property))
        .map(|row| ElementRef::Bar(row as u32));
    let shells = (0..mesh.shells.len())
        .filter(|row| chosen(mesh.shells[*row].property))
        .map(|row| ElementRef::Shell(row as u32));
    let panels = (0..mesh.shear_panels.len())
        .filter(|row| chosen(mesh.shear_panels[*row].property))
        .map(|row| ElementRef::ShearPanel(row as u32));
    rods.chain(bars).chain(shells).chain(panels).collect()
}

/// ```text
/// | NSMADD | SID | S1 | S2 | S3 | … |
/// ```
fn nsmadd(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let combination = super::constraint::combination(r, b)?;
    b.mesh.nsm_combinations.push(combination);
    Some(())
}
