//! Any bytes as a deck: `RUSTC_BOOTSTRAP=1 cargo fuzz run deck fuzz/corpus/deck tests/decks/format -- -rss_limit_mb=1024 -timeout=5`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant_bulk::{FieldBuffer, Options, Reader, deck_from_cards, read_cards_from};
use pliant_diag::Diagnostics;

fuzz_target!(|data: &[u8]| {
    // An INCLUDE brings the same bytes again: cycles and depth are part of the game.
    let read = read_cards_from("deck.bdf", data.to_vec(), &mut |_| Ok(data.to_vec()));
    let mut buffer = FieldBuffer::new();
    for card in &read.output.cards {
        let mut diagnostics = Diagnostics::new();
        let mut reader = Reader::new(read.output.fields(card, &mut buffer), &mut diagnostics);
        for slot in 0..reader.len().min(16) {
            reader.id(slot, "ID");
            reader.real(slot, "X");
        }
        reader.id_list(1, "ID");
    }
    deck_from_cards(read, &Options::default());
});
