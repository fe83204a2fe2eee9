//! Numbers as Nastran takes them: `1207`, `1.0`, `1.0-3`, `7.+5`, `1.D6`, `1e7`, `2.0  E+7`.
//!
//! An integer has digits only. A real has a decimal point or an exponent letter; its exponent may be
//! written with `E` or `D`, or as a bare signed number. Blanks may stand around the exponent and behind the
//! leading sign, nowhere else: `1 2` could be one number or two, and is refused.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{one_of, space0};
use nom::combinator::{all_consuming, opt, recognize, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// An integer, `None` when `text` is not one or does not fit.
pub fn parse_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.trim_ascii() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0_i64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

/// A real number; `None` when `text` is not one (an integer is not), or is not finite. Numbers below the
/// smallest normal one (2.2e-308) have fewer digits than the text and are 0.
pub fn parse_real(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    let value = plain_real(text).or_else(|| nastran_real(text))?;
    Some(if value.is_subnormal() { 0.0 } else { value })
}

/// The form other languages share (`-1.5`, `1.5e-3`), read in one pass.
fn plain_real(text: &[u8]) -> Option<f64> {
    let unsigned = match text {
        [b'+' | b'-', rest @ ..] => rest,
        rest => rest,
    };
    // `inf` and `nan` begin with a letter; an integer has neither point nor exponent.
    let first = *unsigned.first()?;
    if !(first.is_ascii_digit() || first == b'.') || unsigned.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value: f64 = fast_float2::parse(text).ok()?;
    value.is_finite().then_some(value)
}

/// What only Nastran takes: exponent without letter or with `D`, blanks around it.
fn nastran_real(text: &[u8]) -> Option<f64> {
    let (_, (sign, mantissa, exponent)) = all_consuming((sign, mantissa, opt(exponent))).parse(text).ok()?;
    let has_point = mantissa.contains(&b'.');
    let (exponent_sign, digits, has_letter) = match exponent {
        Some((letter, exponent_sign, digits)) => (exponent_sign, digits, letter.is_some()),
        None => (None, b"0".as_slice(), false),
    };
    if !has_point && !has_letter {
        return None;
    }
    let mut plain = Vec::with_capacity(text.len() + 2);
    plain.extend(sign.map(|s| s as u8));
    plain.extend_from_slice(mantissa);
    plain.push(b'e');
    plain.extend(exponent_sign.map(|s| s as u8));
    plain.extend_from_slice(digits);
    let value: f64 = fast_float2::parse(&plain).ok()?;
    value.is_finite().then_some(value)
}

fn sign(text: &[u8]) -> IResult<&[u8], Option<char>> {
    let (text, sign) = opt(one_of("+-")).parse(text)?;
    let (text, _) = space0(text)?;
    Ok((text, sign))
}

fn digits0(text: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(|b: u8| b.is_ascii_digit())(text)
}

fn mantissa(text: &[u8]) -> IResult<&[u8], &[u8]> {
    verify(recognize((digits0, opt(nom::character::complete::char('.')), digits0)), |text: &[u8]| {
        text.iter().any(u8::is_ascii_digit)
    })
    .parse(text)
}

/// Letter, sign and digits.
type Exponent<'a> = (Option<char>, Option<char>, &'a [u8]);

/// Without a letter the sign must be there.
fn exponent(text: &[u8]) -> IResult<&[u8], Exponent<'_>> {
    let digits = || take_while1(|b: u8| b.is_ascii_digit());
    let with_letter = (one_of("eEdD"), preceded(space0, opt(one_of("+-"))), preceded(space0, digits()))
        .map(|(letter, sign, digits)| (Some(letter), sign, digits));
    let bare = (one_of("+-"), preceded(space0, digits())).map(|(sign, digits)| (None, Some(sign), digits));
    preceded(space0, alt((with_letter, bare))).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_of_every_spelling() {
        for (text, value) in [
            ("1.0-3", 1e-3),
            ("7.+5", 7e5),
            ("1.D6", 1e6),
            ("2.0  E+7", 2e7),
            ("2.0E  +7", 2e7),
            ("1e7", 1e7),
            ("1E7", 1e7),
            ("1d-7", 1e-7),
            ("-.5", -0.5),
            ("- .5", -0.5),
            ("+5.", 5.0),
            ("27.11325", 27.11325),
            ("+5.-1", 0.5),
            ("0.", 0.0),
            ("-1.234567890123-10", -1.234567890123e-10),
            ("  3.5  ", 3.5),
            ("2.3-308", 2.3e-308),
            ("1.0-320", 0.0),
            ("-4.9e-324", 0.0),
        ] {
            assert_eq!(parse_real(text.as_bytes()), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_real() {
        for text in [
            "", "1", "-12", ".", "+", "E5", "1.5.2", "1. 5", "inf", "nan", "NaN", "1e", "1.0-", "1.0--3",
            "1+7", "1e999", "1.0x", "é",
        ] {
            assert_eq!(parse_real(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn integers() {
        for (text, value) in [("0", Some(0)), ("-12", Some(-12)), ("+7", Some(7)), (" 5 ", Some(5))] {
            assert_eq!(parse_integer(text.as_bytes()), value, "{text}");
        }
        for text in ["", "1.", "1 2", "-", "12345678901234567890", "1e3", "x"] {
            assert_eq!(parse_integer(text.as_bytes()), None, "{text}");
        }
    }
}
