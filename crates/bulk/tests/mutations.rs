//! Damaged decks: whatever is done to the bytes of a deck, the reader must not panic, hang, or need memory
//! out of proportion. The damage is random but always the same; fuzz/ does it without end.

use std::path::Path;
use std::time::{Duration, Instant};

use pliant_bulk::{FieldBuffer, Options, Reader, deck_from_cards, read_cards_from};
use pliant_diag::Diagnostics;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/decks");
/// The test stops here, whatever machine it runs on.
const LONGEST: Duration = Duration::from_secs(8);
const ROUNDS: usize = 300;

/// Pieces that have a meaning somewhere in the format.
const PIECES: [&[u8]; 28] = [
    b"\n",
    b"\r",
    b"\t",
    b",",
    b"$",
    b"*",
    b"+",
    b"=",
    b"==",
    b"=(99999999999)",
    b"=(3)\n",
    b"*(1)",
    b"/",
    b"'",
    b"\0",
    b"\xff",
    b"THRU",
    b"2000000000",
    b"BY",
    b"EXCEPT",
    b"INCLUDE 'a.inc'\n",
    b"BEGIN SUPER=4\n",
    b"ENDDATA\n",
    b"1.0-3",
    b"GRID",
    b"        ",
    b"1.e999",
    b"+ABC    ",
];

/// Marsaglia's xorshift64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

fn damage(deck: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(8) {
        let at = random.below(deck.len() + 1);
        match random.below(5) {
            0 => deck.truncate(at),
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                deck.splice(at..at, piece.iter().copied());
            }
            2 if at < deck.len() => deck[at] = random.next() as u8,
            3 => {
                let end = (at + random.below(40)).min(deck.len());
                deck.drain(at..end);
            }
            _ => {
                let end = (at + random.below(200)).min(deck.len());
                let copy = deck[at..end].to_vec();
                let to = random.below(deck.len() + 1);
                deck.splice(to..to, copy);
            }
        }
    }
}

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
        let places = diagnostics.iter().filter_map(|d| d.span);
        places.for_each(|span| assert!(read.output.sources.line_column(span).line > 0));
    }
    for diagnostic in &read.diagnostics {
        if let Some(span) = diagnostic.span {
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
fn no_damage_makes_the_reader_panic() {
    let mut seeds = Vec::new();
    collect(Path::new(FOLDER), &mut seeds);
    assert!(seeds.len() > 20);
    let start = Instant::now();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut runs = 0;
    'rounds: for _ in 0..ROUNDS {
        for seed in &seeds {
            if start.elapsed() > LONGEST {
                break 'rounds;
            }
            let mut deck = seed.clone();
            damage(&mut deck, &mut random);
            let other = &seeds[random.below(seeds.len())];
            read_all(deck, other);
            runs += 1;
        }
    }
    println!("{runs} damaged decks in {:.1} s", start.elapsed().as_secs_f64());
    assert!(runs > 0);
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

fn collect(folder: &Path, seeds: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the decks are there")
        .map(|e| e.expect("the decks are there").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, seeds);
        } else {
            seeds.push(std::fs::read(&path).expect("the deck can be read"));
        }
    }
}
