//! Damage: what is done to a seed.

use crate::Random;

/// Texts that mean something to some reader: numbers at the edge of their types, and the marks of the
/// formats.
const NUMBERS: [&[u8]; 20] = [
    b"0",
    b"-1",
    b"1",
    b"2147483647",
    b"-2147483648",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551616",
    b"1e300",
    b"1.7976931348623157e308",
    b"1e-300",
    b"1e999",
    b"-0.0",
    b"nan",
    b"inf",
    b"1000000000",
    b"65536",
    b"99999999",
    b"1.0-3",
    b"3.5e-310",
];

/// A copy of `seed` with one to eight damages. `dictionary` has the words of the format, `other` is a second
/// seed.
pub fn damaged(seed: &[u8], other: &[u8], dictionary: &[&'static [u8]], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(8) {
        one(&mut bytes, other, dictionary, random);
    }
    bytes
}

fn one(bytes: &mut Vec<u8>, other: &[u8], dictionary: &[&'static [u8]], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(12) {
        0 => bytes.truncate(at),
        1 | 2 => splice(bytes, at, 0, random.one_of(dictionary)),
        3 if at < bytes.len() => bytes[at] = random.bits() as u8,
        4 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        5 => {
            let end = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..end);
        }
        6 => {
            let end = (at + random.below(200)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            splice(bytes, to, 0, &copy);
        }
        7 => {
            let from = random.below(other.len() + 1);
            let end = (from + random.below(200)).min(other.len());
            splice(bytes, at, random.below(40), &other[from..end]);
        }
        8 => remove_line(bytes, at),
        9 => {
            // Four or eight bytes as an integer at the edge of its type.
            let value = [0u64, 1, u64::MAX, 1 << 31, 1 << 32, 0x7fff_ffff, 48, 24][random.below(8)];
            let little = random.below(2) == 0;
            let eight = if little { value.to_le_bytes() } else { value.to_be_bytes() };
            let length = [4, 8][random.below(2)];
            splice(bytes, at, length, &eight[..length]);
        }
        _ => number(bytes, at, random),
    }
}

fn splice(bytes: &mut Vec<u8>, at: usize, remove: usize, new: &[u8]) {
    let end = (at + remove).min(bytes.len());
    bytes.splice(at..end, new.iter().copied());
}

/// Another number in place of the one at or behind `at`.
fn number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|k| at + k) else { return };
    let end = bytes[start..].iter().position(|byte| !digit(byte)).map_or(bytes.len(), |k| start + k);
    splice(bytes, start, end - start, random.one_of(&NUMBERS));
}

fn remove_line(bytes: &mut Vec<u8>, at: usize) {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |k| k + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |k| at + k + 1);
    bytes.drain(start..end);
}
