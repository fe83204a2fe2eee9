//! The deck of the benchmark: a block of CHEXA in small fields, written as preprocessors do.

use std::io::Write;

/// Grids and elements along each edge of the block: (e₁+1)(e₂+1)(e₃+1) = 505,197 grids, e₁e₂e₃ = 486,400
/// elements.
const EDGES: [usize; 3] = [80, 80, 76];

/// A small-field deck of 505,197 GRID and 486,400 CHEXA, 73 MB, with one property and one material.
pub(crate) fn deck() -> Vec<u8> {
    let mut deck = Vec::with_capacity(100 << 20);
    let [ex, ey, ez] = EDGES;
    let id = |i: usize, j: usize, k: usize| 1 + i + (ex + 1) * (j + (ey + 1) * k);
    let mut line = |text: std::fmt::Arguments<'_>| {
        deck.write_fmt(text).expect("writing to memory cannot fail");
        deck.push(b'\n');
    };
    line(format_args!("SOL 103\nCEND\nBEGIN BULK"));
    line(format_args!("MAT1    1       2.1+11          .3      7850."));
    line(format_args!("PSOLID  1       1"));
    for k in 0..=ez {
        for j in 0..=ey {
            for i in 0..=ex {
                let [x, y, z] = [i, j, k].map(|n| n as f64 * 0.0125);
                line(format_args!("GRID    {:<8}        {x:<8.5}{y:<8.5}{z:<8.5}", id(i, j, k)));
            }
        }
    }
    let mut element = 0;
    for k in 0..ez {
        for j in 0..ey {
            for i in 0..ex {
                element += 1;
                line(format_args!(
                    "CHEXA   {element:<8}1       {:<8}{:<8}{:<8}{:<8}{:<8}{:<8}+\n+       {:<8}{:<8}",
                    id(i, j, k),
                    id(i + 1, j, k),
                    id(i + 1, j + 1, k),
                    id(i, j + 1, k),
                    id(i, j, k + 1),
                    id(i + 1, j, k + 1),
                    id(i + 1, j + 1, k + 1),
                    id(i, j + 1, k + 1),
                ));
            }
        }
    }
    line(format_args!("ENDDATA"));
    deck
}
