//! SEBULK, SECONCT.

use pliant_diag::Severity;

use super::{CardType, Class, Stage, card};
use crate::resolve::{Builder, SuperelementPair};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    card("SEBULK", Stage::Defaults, Class::Other, sebulk),
    card("SECONCT", Stage::Defaults, Class::Other, seconct),
];

/// Nastran's default tolerance of coincident boundary grids.
pub(crate) const TOLERANCE: f64 = 1e-5;

/// ```text
/// | SEBULK | SEID | TYPE | RSEID | METHOD | TOL | LOC | UNITNO |
/// ```
/// PRIMARY only: the others are copies, mirror images or come from another run.
fn sebulk(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "SEID")?;
    let kind = r.optional_word(1, "TYPE")?.unwrap_or_default();
    let is_manual = r.is_word(3, "MANUAL");
    let tolerance = r.real_or(4, "TOL", TOLERANCE)?;
    if !matches!(kind.as_str(), "PRIMARY" | "") {
        let message = format!("superelement {id} of type {kind} is not supported: it would be missing");
        let problem = r.problem(Severity::Error, 1, "TYPE", message);
        r.report(
            problem.hint("give it as a part of its own with BEGIN SUPER, its grids at their final positions"),
        );
        return None;
    }
    b.superelements.searches.insert(id, (is_manual, tolerance));
    Some(())
}

/// ```text
/// | SECONCT | SEIDA | SEIDB | TOL   | LOC   |
/// |         | GIDA1 | GIDB1 | GIDA2 | GIDB2 | …                    or
/// |         | GIDA1 | THRU  | GIDA2 | GIDB1 | THRU | GIDB2 |
/// ```
fn seconct(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let parts = [part(r, b, 0, "SEIDA"), part(r, b, 1, "SEIDB")];
    let tolerance = r.real_or(2, "TOL", TOLERANCE);
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    if r.is_word(9, "THRU") {
        let [a1, a2, b1, b2] =
            [(8, "GIDA1"), (10, "GIDA2"), (11, "GIDB1"), (13, "GIDB2")].map(|(s, n)| r.id(s, n));
        let (a1, a2, b1, b2) = (a1?, a2?, b1?, b2?);
        if a2 < a1 || a2 - a1 != b2.wrapping_sub(b1) {
            r.error(13, "GIDB2", format!("{a1} THRU {a2} and {b1} THRU {b2} are not of the same length"));
            return None;
        }
        pairs.extend((0..=a2 - a1).take(1_000_000).map(|k| [a1 + k, b1 + k]));
    } else {
        for slot in (8..r.len()).step_by(2).filter(|slot| !r.is_blank(*slot)).collect::<Vec<_>>() {
            pairs.push([r.id(slot, "GIDA")?, r.id(slot + 1, "GIDB")?]);
        }
    }
    let [part_a, part_b] = parts;
    let (part_a, part_b, tolerance) = (part_a?, part_b?, tolerance?);
    let span = r.span();
    let pair = |[a, b]: [u32; 2]| SuperelementPair { ends: [(part_a, a), (part_b, b)], tolerance, span };
    b.superelements.pairs.extend(pairs.into_iter().map(pair));
    Some(())
}

/// The part of the deck that a superelement is; 0 and blank are the main bulk data.
fn part(r: &mut Reader<'_>, b: &Builder, slot: usize, name: &str) -> Option<u16> {
    if matches!(r.fields().get(slot).text, b"" | b"0") {
        return Some(0);
    }
    let id = r.id(slot, name)?;
    let found = b.superelements.ids.iter().position(|known| *known == Some(id));
    if found.is_none() {
        r.error(slot, name, format!("the deck has no BEGIN SUPER={id}: what it joins would be missing"));
    }
    found.map(|part| part as u16)
}
