//! PBAR, PBARL.

use pliant_diag::Severity;
use pliant_mesh::property::{BarProperty, PropertyKind, Section};

use super::{CardType, property};
use crate::resolve::Builder;
use crate::section::{SECTIONS, SectionNumbers, SectionType, section_type};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[property("PBAR", pbar), property("PBARL", pbarl)];

/// ```text
/// | PBAR | PID | MID | A   | I1 | I2 | J  | NSM |    |
/// |      | C1  | C2  | D1  | D2 | E1 | E2 | F1  | F2 |
/// |      | K1  | K2  | I12 |
/// ```
/// K1 and K2 blank or 0: no shear flexibility. Nastran ignores them when I12 is not 0, and so does the
/// reader.
fn pbar(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let area = r.real_or(2, "A", 0.0);
    let i1 = r.real_or(3, "I1", 0.0);
    let i2 = r.real_or(4, "I2", 0.0);
    let torsion_constant = r.real_or(5, "J", 0.0);
    let nsm = r.real_or(6, "NSM", 0.0);
    let stress_points = stress_points(r, 8);
    let k1 = r.real_or(16, "K1", 0.0);
    let k2 = r.real_or(17, "K2", 0.0);
    let i12 = r.real_or(18, "I12", 0.0);
    let (i1, i2, i12) = (i1?, i2?, i12?);
    let mut shear = [k1?, k2?].map(|k| (k != 0.0).then_some(k));
    if i1 < 0.0 || i2 < 0.0 {
        r.error(3, "I1", format!("moments of inertia must not be negative, found {i1:e} and {i2:e}"));
        return None;
    }
    if i12 != 0.0 {
        if i1 * i2 <= i12 * i12 {
            r.error(
                18,
                "I12",
                format!("I1·I2 must be larger than I12², found I1 = {i1:e}, I2 = {i2:e}, I12 = {i12:e}"),
            );
            return None;
        }
        if shear != [None; 2] {
            r.warning(16, "K1", "K1 and K2 are ignored because I12 is not 0, as in Nastran");
            shear = [None; 2];
        }
    }
    let bar = BarProperty {
        area: area?,
        i1,
        i2,
        i12,
        torsion_constant: torsion_constant?,
        nsm: nsm?,
        k1: shear[0],
        k2: shear[1],
        stress_points: stress_points?,
        section: None,
    };
    b.add_property(r, id?, PropertyKind::Bar(material?, Box::new(bar)));
    Some(())
}

/// C1, C2, D1, … F2 from a slot on.
pub(super) fn stress_points(r: &mut Reader<'_>, first: usize) -> Option<[[f64; 2]; 4]> {
    let mut points = [[0.0; 2]; 4];
    let mut good = true;
    for (k, name) in ["C1", "C2", "D1", "D2", "E1", "E2", "F1", "F2"].iter().enumerate() {
        match r.real_or(first + k, name, 0.0) {
            Some(value) => points[k / 2][k % 2] = value,
            None => good = false,
        }
    }
    good.then_some(points)
}

/// ```text
/// | PBARL | PID  | MID   | GROUP | TYPE |      |      |      |      |
/// |       | DIM1 | DIM2  | DIM3  | DIM4 | DIM5 | DIM6 | DIM7 | DIM8 |
/// |       | DIM9 | …     | NSM   |
/// ```
/// The numbers of a PBAR come from the section library; NSM stands behind the last dimension.
fn pbarl(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let shape = shape(r)?;
    if shape.beam_only {
        r.error(3, "TYPE", format!("section {} is for PBEAML only", shape.name));
        return None;
    }
    let count = shape.dimension_count;
    let dimensions = dimensions(r, 8, shape, &[]);
    let nsm = r.real_or(8 + count, "NSM", 0.0);
    let dimensions = dimensions?;
    let numbers = section_numbers(r, shape, &dimensions)?;
    let bar = BarProperty {
        area: numbers.area,
        i1: numbers.i1,
        i2: numbers.i2,
        i12: numbers.i12,
        torsion_constant: numbers.torsion_constant,
        nsm: nsm?,
        k1: Some(numbers.k1),
        k2: Some(numbers.k2),
        stress_points: numbers.stress_points,
        section: Some(Section { name: shape.name.to_owned(), dimensions }),
    };
    b.add_property(r, id?, PropertyKind::Bar(material?, Box::new(bar)));
    Some(())
}

/// GROUP and TYPE in slots 2 and 3.
pub(super) fn shape(r: &mut Reader<'_>) -> Option<&'static SectionType> {
    let group = r.optional_word(2, "GROUP")?;
    if let Some(group) = group.filter(|group| group != "MSCBML0") {
        let problem = r
            .problem(Severity::Error, 2, "GROUP", format!("section group `{group}` is not known"))
            .hint("only the library MSCBML0 is built in; give the numbers with PBAR or PBEAM");
        r.report(problem);
        return None;
    }
    let name = r.word(3, "TYPE")?;
    let shape = section_type(&name);
    if shape.is_none() {
        let names: Vec<&str> = SECTIONS.iter().map(|s| s.name).collect();
        let problem = r
            .problem(Severity::Error, 3, "TYPE", format!("section `{name}` is not known"))
            .hint(format!("known are {}", names.join(", ")));
        r.report(problem);
    }
    shape
}

/// The dimensions of a section from a slot on; `inherited` stand in for blank ones. DBOX fills its walls up
/// by its own rule.
pub(super) fn dimensions(
    r: &mut Reader<'_>,
    first: usize,
    shape: &SectionType,
    inherited: &[f64],
) -> Option<Vec<f64>> {
    let mut dimensions: Vec<f64> = Vec::with_capacity(shape.dimension_count);
    let mut good = true;
    for k in 0..shape.dimension_count {
        let slot = first + k;
        let name = format!("DIM{}", k + 1);
        if r.is_blank(slot) {
            let default = inherited.get(k).copied().or_else(|| match (shape.name, k) {
                ("DBOX", 4..=7) => dimensions.get(3).copied(),
                ("DBOX", 8..=9) => dimensions.get(5).copied(),
                _ => None,
            });
            if let Some(default) = default {
                dimensions.push(default);
                continue;
            }
        }
        match r.real(slot, &name) {
            // A tube with inner radius 0 is a rod.
            Some(value) if value > 0.0 || (value == 0.0 && shape.name == "TUBE" && k == 1) => {
                dimensions.push(value)
            }
            Some(value) => {
                r.error(slot, &name, format!("dimensions must be positive, found {value}"));
                good = false;
            }
            None => good = false,
        }
    }
    good.then_some(dimensions)
}

/// Area and moments of a section; dimensions that do not make one are reported.
pub(super) fn section_numbers(
    r: &mut Reader<'_>,
    shape: &SectionType,
    dimensions: &[f64],
) -> Option<SectionNumbers> {
    match shape.numbers(dimensions) {
        Ok(numbers) => Some(numbers),
        Err(refusal) => {
            let shown: Vec<_> =
                dimensions.iter().enumerate().map(|(k, size)| format!("DIM{} = {size}", k + 1)).collect();
            let message = format!("not a {} section: {refusal}; found {}", shape.name, shown.join(", "));
            r.error(8, "DIM1", message);
            None
        }
    }
}
