//! Reals in as few columns as they need.

/// A real in at most `width` columns, and whether it reads back as the same number.
///
/// The digits are the shortest that name the number; when they do not fit, as many as do. Written as `12.5`,
/// `.0125` or, where that takes more than eight columns and is longer, with Nastran's exponent: `1.25-7`.
pub(super) fn real(value: f64, width: usize) -> (String, bool) {
    if value == 0.0 {
        return ("0.".to_owned(), true);
    }
    let exact = format!("{value:e}");
    if let Some(text) = fitting(&exact, width) {
        return (text, true);
    }
    for digits in (1..width).rev() {
        let rounded = format!("{value:.*e}", digits - 1);
        if let Some(text) = fitting(&rounded, width) {
            return (text, false);
        }
    }
    // Unreachable for the widths 8 and 16: one digit and an exponent take at most seven columns.
    (exact, false)
}

/// Rust's `d.ddde-n` as Nastran writes it, when it fits.
fn fitting(scientific: &str, width: usize) -> Option<String> {
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let plain = plain(sign, digits, exponent);
    let with_exponent = format!("{sign}{}.{}{exponent:+}", &digits[..1], &digits[1..]);
    // An exponent is harder to read, so it must save something that matters.
    let text = match plain {
        Some(plain) if plain.len() <= with_exponent.len().max(8) => plain,
        _ => with_exponent,
    };
    (text.len() <= width).then_some(text)
}

/// Without exponent, for numbers of a moderate size.
fn plain(sign: &str, digits: &str, exponent: i32) -> Option<String> {
    if !(-8..=15).contains(&exponent) {
        return None;
    }
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return Some(format!("{sign}.{zeros}{digits}"));
    }
    let integer_digits = exponent as usize + 1;
    Some(if digits.len() <= integer_digits {
        format!("{sign}{digits}{}.", "0".repeat(integer_digits - digits.len()))
    } else {
        format!("{sign}{}.{}", &digits[..integer_digits], &digits[integer_digits..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::parse_real;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        for (value, text) in [
            (1.0, "1."),
            (-0.5, "-.5"),
            (210_000.0, "210000."),
            (7.85e-9, "7.85-9"),
            (1e20, "1.+20"),
            (0.001, ".001"),
            (12_345_678.0, "12345678."),
            (-1e-300, "-1.-300"),
        ] {
            assert_eq!(real(value, 16), (text.to_owned(), true));
        }
        assert_eq!(real(1.0 / 3.0, 8), (".3333333".to_owned(), false));
        assert_eq!(real(-1.0 / 3.0e10, 8), ("-3.33-11".to_owned(), false));
    }

    #[test]
    fn what_is_called_exact_is_exact() {
        let mut bits: u64 = 0x9E37_79B9_7F4A_7C15;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits);
            if !value.is_finite() || value.abs() < 1e-300 {
                continue;
            }
            for width in [8, 16] {
                let (text, exact) = real(value, width);
                assert!(text.len() <= width, "{value:e} as {text}");
                let back = parse_real(text.as_bytes()).unwrap();
                // Eight columns keep at least two digits (-1.2-300), sixteen at least nine.
                let kept = if width == 8 { 0.06 } else { 1e-9 };
                assert!(
                    if exact { back == value } else { (back - value).abs() <= kept * value.abs() },
                    "{value:e} {text}"
                );
            }
        }
    }
}
