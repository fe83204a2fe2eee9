//! Small decks that ask for the impossible. Damaged decks are read by tests/fuzz, seconds in its test and
//! hours in scripts/soak.

use std::path::Path;

use pliant_bulk::{FieldBuffer, Options, Reader, deck_from_cards, read_cards_from};
use pliant_diag::Diagnostics;

/// Reads everything there is to read, as the typed layer would; returns the number of fields.
fn read_all(deck: Vec<u8>, include: &[u8]) -> usize {
    let read = read_cards_from("deck.bdf", deck, &mut |path: &Path| {
        if path.extension().is_some_and(|e| e == "inc") {
            Ok(include.to_vec())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    });
    let mut buffer = FieldBuffer::new();
    let mut count = 0;
    for card in &read.output.cards {
        let fields = read.output.fields(card, &mut buffer);
        count += fields.len();
        let mut diagnostics = Diagnostics::new();
        let mut reader = Reader::new(fields, &mut diagnostics);
        for slot in 0..reader.len().min(12) {
            reader.id(slot, "ID");
            reader.real_or(slot, "X", 0.0);
            reader.components(slot, "C");
            reader.optional_word(slot, "W");
        }
        reader.id_list(1, "ID");
        let spans = diagnostics.iter().filter_map(|d| d.span);
        spans.for_each(|span| assert!(read.output.sources.line_column(span).line > 0));
    }
    for diagnostic in &read.diagnostics {
        if let Some(span) = diagnostic.span {
            let span = read.output.sources.shown(span);
            let at = read.output.sources.line_column(span);
            read.output.sources.file(span.file).line_text(at.line);
        }
    }
    // The typed layer and the cross-references, on the same cards.
    let deck = deck_from_cards(read, &Options::default());
    for diagnostic in &deck.diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(deck.output.sources.line_column(span).line > 0);
        }
    }
    count
}

#[test]
fn small_decks_that_ask_for_the_impossible_are_refused() {
    // A billion cards by replication.
    assert!(read_all(b"GRID,1\n=,*1,==\n=(1000000000)\n".to_vec(), b"") < 10);
    // Many repetitions just below the bound, again and again.
    let many = [b"GRID,1\n=,*1,==\n".as_slice(), &b"=(99990)\n".repeat(1000)].concat();
    assert!(read_all(many, b"") < 200_000);
    // A wide card repeated.
    let wide = [b"SPC1,1".as_slice(), &b",1".repeat(50_000), b"\n=,==\n=(90000)\n"].concat();
    assert!(read_all(wide, b"") < 3_000_000);
    // Lists that would make a hundred million entries out of a few lines.
    let points = b"SPOINT,1,THRU,90000\nSPOINT,100001,THRU,900000000\n".to_vec();
    let fixed = [points, b"SPC1,1,1,1,THRU,99999999\n".repeat(2000)].concat();
    assert!(read_all(fixed, b"") < 20_000);
    // A range of all numbers there are.
    assert_eq!(read_all(b"SPC1,1,1,THRU,2000000000\n".to_vec(), b""), 4);
    // Files that include each other without end: each path is new.
    let deeper = b"INCLUDE 'x/a.inc'\nINCLUDE 'y/a.inc'\nGRID,1\n";
    assert!(read_all(deeper.to_vec(), deeper) < 100_000);
}
