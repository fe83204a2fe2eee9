//! Numbers for people.

/// `1234567` as `1,234,567`.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 grid`, `2 grids`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Six significant digits, with an exponent only where it is shorter to read.
pub(crate) fn real(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return if number == 0.0 { "0".to_owned() } else { number.to_string() };
    }
    let exponent = number.abs().log10().floor() as i32;
    if (-3..6).contains(&exponent) {
        let decimals = (5 - exponent).max(0) as usize;
        let text = format!("{number:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        let text = format!("{number:.5e}");
        match text.split_once('e') {
            Some((mantissa, exponent)) => {
                format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
            }
            None => text,
        }
    }
}

/// [`real`], with what is only rounding beside the other numbers of `scale` shown as 0.
pub(crate) fn real_beside(number: f64, scale: f64) -> String {
    real(if number.abs() < 1e-10 * scale { 0.0 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(505_197), "505,197");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(counted(1, "grid"), "1 grid");
        assert_eq!(counted(2, "grid"), "2 grids");
        assert_eq!(real(0.0), "0");
        assert_eq!(real(-1.5), "-1.5");
        assert_eq!(real(123_456.0), "123456");
        assert_eq!(real(1_234_567.0), "1.23457e6");
        assert_eq!(real(9.706_59e-3), "0.00970659");
        assert_eq!(real(7.85e-9), "7.85e-9");
        assert_eq!(real(f64::INFINITY), "inf");
        assert_eq!(real_beside(-4.8e-15, 286.0), "0");
        assert_eq!(real_beside(-4.8e-7, 286.0), "-4.8e-7");
    }
}
