//! OP4 files as seeds: text, and binary in both byte orders and word sizes.

/// A dense and a sparse column as text.
const TEXT: &str = concat!(
    "       3       3       6       2KXX     1P,3E23.16\n",
    "       1       1       2\n",
    " 1.0000000000000000E+00-2.5000000000000000E-01\n",
    "       2       0       5\n",
    "  196610\n",
    " 4.0000000000000000D+00\n",
    "  196611\n",
    " 5.0000000000000000E+00\n",
    "       4       1       1\n",
    " 1.0000000000000000E+00\n",
);

/// A rectangular matrix with rows in words of their own (a negative count of rows).
const BIG: &str = concat!(
    "       2      -4       2       2MXX     1P,3E23.16\n",
    "       1       0       4\n",
    "       3       2\n",
    " 4.0000000000000000E+00\n",
    "       3       1       1\n",
    " 1.0000000000000000E+00\n",
);

/// The first of them as Fortran unformatted records.
fn binary(big_endian: bool, wide: bool) -> Vec<u8> {
    let mark = |n: usize| if big_endian { (n as u32).to_be_bytes() } else { (n as u32).to_le_bytes() };
    let word = |i: i64| match (wide, big_endian) {
        (true, true) => i.to_be_bytes().to_vec(),
        (true, false) => i.to_le_bytes().to_vec(),
        (false, true) => (i as i32).to_be_bytes().to_vec(),
        (false, false) => (i as i32).to_le_bytes().to_vec(),
    };
    let words = |all: &[i64]| all.iter().flat_map(|i| word(*i)).collect::<Vec<u8>>();
    let real = |x: f64| if big_endian { x.to_be_bytes().to_vec() } else { x.to_le_bytes().to_vec() };
    let name: &[u8] = if wide { b"KXX             " } else { b"KXX     " };
    // A number of two 32-bit words, or one of 64 bits, and one for the head of the string.
    let string = |row: i64| words(&[if wide { 2 } else { 3 } * 65_536 + row]);
    let records = [
        [words(&[3, 3, 6, 2]), name.to_vec()].concat(),
        [words(&[1, 1, 4]), real(1.0), real(-0.25)].concat(),
        [words(&[2, 0, 6]), string(2), real(4.0), string(3), real(5.0)].concat(),
        [words(&[4, 1, 2]), real(1.0)].concat(),
    ];
    records
        .iter()
        .flat_map(|r| [mark(r.len()).to_vec(), r.clone(), mark(r.len()).to_vec()].concat())
        .collect()
}

/// All of them.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let text = [TEXT.as_bytes().to_vec(), [TEXT, BIG].concat().into_bytes()];
    let binary = [(false, false), (true, false), (false, true), (true, true)].map(|(b, w)| binary(b, w));
    text.into_iter().chain(binary).collect()
}
