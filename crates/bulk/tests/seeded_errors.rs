//! A deck with a thousand mistakes of all kinds, spread over it, is reported in full and in file order.

use std::fmt::Write;

use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_diag::Severity;

/// A plate of CQUAD4 with a bar on each element's first edge. Every fifth row of cards has one mistake, of
/// ten kinds in turn. Gives the text and the line of each mistake.
fn deck(mistakes: usize) -> (String, Vec<u32>) {
    let columns = 50;
    let rows = mistakes.div_ceil(10) + 1;
    let mut text = String::from(
        "BEGIN BULK\nMAT1,1,2.1+11,,.3,7850.\nPSHELL,1,1,.01,1,,1\nPBAR,2,1,1.-4,1.-8,1.-8,1.-8\nPSOLID,3,1\n",
    );
    for row in 0..=rows {
        for column in 0..=columns {
            let id = 1 + column + row * (columns + 1);
            writeln!(text, "GRID,{id},,{column}.,{row}.,0.").expect("a string takes all");
        }
    }
    let mut line = text.lines().count() as u32;
    let mut lines = Vec::new();
    let mut element = 0;
    for row in 0..rows {
        for column in 0..columns {
            element += 1;
            let g = 1 + column + row * (columns + 1);
            let (g2, g3, g4) = (g + 1, g + columns + 2, g + columns + 1);
            let good = format!("CQUAD4,{element},1,{g},{g2},{g3},{g4}");
            let is_bad = column % 5 == 2 && lines.len() < mistakes;
            let card = if !is_bad {
                good
            } else {
                match lines.len() % 10 {
                    0 => format!("CQUAD4,{element},1,{g},{g2},{g3},{}", 9_000_000 + element),
                    1 => format!("CQUAD4,{element},{},{g},{g2},{g3},{g4}", 100 + element),
                    2 => format!("CQUAD4,{element},2,{g},{g2},{g3},{g4}"),
                    3 => format!("CQUAD4,{element},1,{g}.,{g2},{g3},{g4}"),
                    4 => format!("CQUAD4,{element},1,{g},{g3},{g2},{g4}"),
                    5 => format!("CQUAD4,{element},1,{g},{g2},{g3},{g2}"),
                    6 => format!("CBAR,{element},2,{g},{g2},1.,0.,0."),
                    7 => format!("CBAR,{element},2,{g},{g},0.,0.,1."),
                    8 => format!("CTRIA3,{element},1,{g},{g2}"),
                    _ => format!("CUNHEARD,{element},1,{g},{g2}"),
                }
            };
            line += 1;
            if is_bad {
                lines.push(line);
            }
            writeln!(text, "{card}").expect("a string takes all");
        }
    }
    (text, lines)
}

#[test]
fn a_thousand_errors_are_all_reported_in_file_order() {
    let (text, expected) = deck(1000);
    assert_eq!(expected.len(), 1000);
    let start = std::time::Instant::now();
    let cards =
        read_cards_from("seeded.bdf", text.into_bytes(), &mut |_| Err(std::io::Error::other("no INCLUDE")));
    let deck = deck_from_cards(cards, &Options::default());
    println!("{:?}", start.elapsed());
    let errors = deck.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let lines: Vec<u32> = errors
        .map(|d| deck.output.sources.line_column(d.span.expect("every error has a location")).line)
        .collect();
    assert_eq!(lines, expected);
}
