//! EIGR, EIGRL, PARAM, SET1.

use pliant_mesh::{EigenMethod, NamedSet, Normalisation, Parameter, ParameterValue, SetId};

use super::{CardType, Class, Stage, card, rest};
use crate::number::{parse_integer, parse_real};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    rest("EIGRL", eigrl),
    rest("EIGR", eigr),
    card("PARAM", Stage::Defaults, Class::Other, param),
    rest("SET1", set1),
];

/// ```text
/// | EIGRL | SID | V1 | V2 | ND | MSGLVL | MAXSET | SHFSCL | NORM |
/// |       | option = value …                                      |
/// ```
fn eigrl(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let above_hz = r.optional_real(1, "V1");
    let below_hz = r.optional_real(2, "V2");
    let count = r.optional_id(3, "ND");
    let norm = r.optional_word(7, "NORM");
    b.mesh.eigen_methods.push(EigenMethod {
        set: SetId(set?),
        above_hz: above_hz?,
        below_hz: below_hz?,
        count: count?,
        normalisation: normalisation(norm?.as_deref()),
        method: String::new(),
        source: r.span().into(),
    });
    Some(())
}

fn normalisation(word: Option<&str>) -> Normalisation {
    match word {
        Some("MAX" | "POINT") => Normalisation::Max,
        _ => Normalisation::Mass,
    }
}

/// ```text
/// | EIGR | SID  | METHOD | F1 | F2 | NE | ND |
/// |      | NORM | G      | C  |
/// ```
fn eigr(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let method = r.word(1, "METHOD");
    let above_hz = r.optional_real(2, "F1");
    let below_hz = r.optional_real(3, "F2");
    let count = match r.optional_integer(5, "ND") {
        Some(Some(count)) if count > 0 => u32::try_from(count).ok().map(Some),
        Some(_) => Some(None),
        None => None,
    };
    let norm = r.optional_word(8, "NORM");
    b.mesh.eigen_methods.push(EigenMethod {
        set: SetId(set?),
        above_hz: above_hz?,
        below_hz: below_hz?,
        count: count?,
        normalisation: normalisation(norm?.as_deref()),
        method: method?,
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | PARAM | N | V1 | V2 |
/// ```
/// V2 is the imaginary part of a complex value. The last PARAM of a name counts.
fn param(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let name = r.word(0, "N")?;
    let text = r.fields().get(1).text;
    let value = if let Some(integer) = parse_integer(text) {
        ParameterValue::Integer(integer)
    } else if let Some(real) = parse_real(text) {
        match r.optional_real(2, "V2")? {
            Some(imaginary) => ParameterValue::Complex(real, imaginary),
            None => ParameterValue::Real(real),
        }
    } else {
        ParameterValue::Text(String::from_utf8_lossy(text).to_ascii_uppercase())
    };
    let real_wanted = matches!(name.as_str(), "WTMASS" | "K6ROT" | "SNORM");
    if real_wanted && matches!(value, ParameterValue::Text(_)) {
        r.error(1, "V1", format!("{name} needs a number"));
        return None;
    }
    if name == "WTMASS" && !matches!(value, ParameterValue::Real(x) if x > 0.0) {
        r.error(1, "V1", "WTMASS must be a real number above 0");
        return None;
    }
    b.mesh.parameters.insert(name.clone(), Parameter { name, value, source: r.span().into() });
    Some(())
}

/// ```text
/// | SET1 | SID | ID1 | ID2 | … |      with THRU
/// ```
fn set1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "SID");
    let first = if r.is_word(1, "SKIN") { 2 } else { 1 };
    let list = r.id_list(first, "ID");
    let mut members = b.expanded(r, first, "ID", &list?)?;
    members.sort_unstable();
    members.dedup();
    b.mesh.sets.push(NamedSet { id: SetId(id?), members, source: r.span().into() });
    Some(())
}
