//! Numbers in messages.

/// Six significant digits, with an exponent only where it is shorter to read.
pub fn real(number: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_shown() {
        assert_eq!(real(0.0), "0");
        assert_eq!(real(-1.5), "-1.5");
        assert_eq!(real(123_456.0), "123456");
        assert_eq!(real(1_234_567.0), "1.23457e6");
        assert_eq!(real(9.706_59e-3), "0.00970659");
        assert_eq!(real(7.85e-9), "7.85e-9");
        assert_eq!(real(f64::INFINITY), "inf");
    }
}
