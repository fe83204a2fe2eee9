//! Numbers for people.

pub(crate) use pliant_diag::real;

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

/// `1.2 MB`, in powers of ten.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = usize::from(unit > 0 && value < 9.95);
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// `0.21 s`, `12.3 s`, `3 min 20 s`.
pub(crate) fn seconds(time: f64) -> String {
    if time < 9.995 {
        format!("{time:.2} s")
    } else if time < 99.95 {
        format!("{time:.1} s")
    } else {
        let seconds = time.round() as u64;
        format!("{} min {} s", seconds / 60, seconds % 60)
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
        assert_eq!(real_beside(-4.8e-15, 286.0), "0");
        assert_eq!(real_beside(-4.8e-7, 286.0), "-4.8e-7");
        assert_eq!([0, 999, 1_500, 25_000_000].map(bytes), ["0 B", "999 B", "1.5 kB", "25 MB"]);
        assert_eq!(bytes(999_900), "1.0 MB");
        assert_eq!([0.004, 12.34, 200.4].map(seconds), ["0.00 s", "12.3 s", "3 min 20 s"]);
    }
}
