//! Numbers and units as people read them.

/// A factor from SI and the name of the unit it leads to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) factor: f64,
    pub(crate) units: String,
}

impl Scale {
    /// The prefix in which a quantity of this size is read best. Forces, torques and lengths have none above
    /// one.
    pub(crate) fn of(size: f64, units: &str) -> Self {
        // Prefix, its value, and the size from which it reads best: machines err in tenths of a millimetre,
        // and half a second is not 500 ms.
        let prefixes: &[(&str, f64, f64)] = match units {
            "m" => &[("", 1.0, 0.1), ("m", 1e-3, 1e-4), ("µ", 1e-6, 1e-7), ("n", 1e-9, 0.0)],
            "s" => &[("", 1.0, 1e-3), ("m", 1e-3, 1e-6), ("µ", 1e-6, 0.0)],
            "N" | "N m" | "rad" => &[("", 1.0, 1.0), ("m", 1e-3, 1e-3), ("µ", 1e-6, 1e-6), ("n", 1e-9, 0.0)],
            // A prefix without a unit would be read as one: a thousandth is not a metre.
            "" | "1" => &[("", 1.0, 0.0)],
            // A strain is read in millionths.
            "m/m" => &[("µ", 1e-6, 0.0)],
            "Pa" => &[("M", 1e6, 1e4), ("k", 1e3, 1e3), ("", 1.0, 0.0)],
            _ => &[("k", 1e3, 1e3), ("", 1.0, 1.0), ("m", 1e-3, 1e-3), ("µ", 1e-6, 1e-6), ("n", 1e-9, 0.0)],
        };
        // Zero is read in the unit itself.
        let best = prefixes.iter().find(|(_, _, from)| size.abs() >= *from).filter(|_| size != 0.0);
        let (prefix, value, _) = *best.unwrap_or(&("", 1.0, 0.0));
        Self { factor: 1.0 / value, units: format!("{prefix}{units}") }
    }

    /// Degrees.
    pub(crate) fn degrees() -> Self {
        Self { factor: 180.0 / std::f64::consts::PI, units: "°".to_owned() }
    }

    pub(crate) fn apply(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|x| x * self.factor).collect()
    }
}

/// Value and unit of a quantity: (`"1.83"`, `"mm"`).
pub(crate) fn quantity(value: f64, units: &str) -> (String, String) {
    let scale = Scale::of(value, units);
    (significant(value * scale.factor, 4), scale.units)
}

/// The same in one piece.
pub(crate) fn quantity_text(value: f64, units: &str) -> String {
    let (value, units) = quantity(value, units);
    format!("{value} {units}").trim_end().to_owned()
}

/// So many significant digits, without trailing zeros; very large and very small ones with a power of ten.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-3..6).contains(&exponent) {
        return power_of_ten(value, digits);
    }
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    let trimmed = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    trimmed.replace('-', "−")
}

/// A mantissa and a power of ten: `"1.5·10⁻⁹"`.
fn power_of_ten(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa =
        if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(u32::from(digit) - u32::from('0') + u32::from('⁰')).unwrap_or(digit),
    };
    format!("{}·10{}", mantissa.replace('-', "−"), exponent.chars().map(raised).collect::<String>())
}

/// An integer in groups of three.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Largest magnitude; zero of nothing.
pub(crate) fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, x| if x.abs() > largest { x.abs() } else { largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_read_well() {
        assert_eq!(quantity_text(0.001_834_2, "m"), "1.834 mm");
        assert_eq!(quantity_text(-4.2e-7, "J"), "−420 nJ");
        assert_eq!(quantity_text(231.46, "N m"), "231.5 N m");
        assert_eq!(quantity_text(12_300.0, "N m"), "12300 N m");
        assert_eq!(quantity_text(2.1e8, "Pa"), "210 MPa");
        assert_eq!(quantity_text(0.0, "s"), "0 s");
        assert_eq!(
            (quantity_text(7.956e-4, ""), quantity_text(1088.0, "")),
            ("7.956·10⁻⁴".into(), "1088".into())
        );
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(significant(-1.5e-9, 3), "−1.5·10⁻⁹");
        assert_eq!(quantity_text(1e-4, "m"), "0.1 mm");
        assert_eq!(quantity_text(0.58, "s"), "0.58 s");
    }
}
