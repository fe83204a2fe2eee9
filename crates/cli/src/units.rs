//! `--units`: a name or three factors.

use pliant_mesh::Units;

use crate::argument::ArgumentError;

/// Units with the words to print behind numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedUnits {
    /// As the user gave them.
    pub(crate) name: String,
    /// Factors to SI.
    pub(crate) factors: Units,
    /// Unit of length, mass.
    pub(crate) length: &'static str,
    pub(crate) mass: &'static str,
}

impl NamedUnits {
    /// True when deck units are SI units.
    pub(crate) fn is_si(&self) -> bool {
        self.factors == Units::SI
    }
}

/// `si`, `mm-t-s`, `in-lbf-s`, or metres, kilograms and seconds in one unit of the deck: `0.001,1000,1`.
pub(crate) fn parse(text: &str) -> Result<NamedUnits, ArgumentError> {
    let name = text.to_ascii_lowercase();
    let named = |length, mass| {
        let factors = Units::named(&name)?;
        Some(NamedUnits { name: name.clone(), factors, length, mass })
    };
    let known = match name.as_str() {
        "si" => named("m", "kg"),
        "mm-t-s" => named("mm", "t"),
        "in-lbf-s" => named("in", "lbf·s²/in"),
        _ => None,
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let factors: Option<Vec<f64>> = text.split(',').map(|factor| factor.trim().parse().ok()).collect();
    match factors.as_deref() {
        Some([length, mass, time]) if [length, mass, time].iter().all(|f| f.is_finite() && **f > 0.0) => {
            let factors = Units { length: *length, mass: *mass, time: *time };
            Ok(NamedUnits { name, factors, length: "", mass: "" })
        }
        _ => Err(ArgumentError::Expected(
            "si, mm-t-s, in-lbf-s, or three factors above 0 such as 0.001,1000,1 \
             (metres, kilograms, seconds in one unit of the deck)"
                .to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_factors() {
        assert_eq!(parse("mm-t-s").unwrap().factors, Units::MM_T_S);
        assert_eq!(parse("SI").unwrap().factors, Units::SI);
        assert_eq!(parse("0.001, 1000, 1").unwrap().factors, Units::MM_T_S);
        for bad in ["mm", "1,2", "1,2,-3", "1,2,x", "1,2,3,4", "1,inf,1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
