//! `cargo bench -p pliant-bulk`: how fast the reader is on 73 MB of small-field GRID and CHEXA, on one core.
//!
//! Prints the best of several runs per stage, and the peak memory of the process (the deck itself included).

mod generator;

use std::hint::black_box;
use std::time::Instant;

use pliant_bulk::{
    CardFile, FieldBuffer, Options, deck_from_cards, parse_integer, parse_real, read_cards_from,
};

const RUNS: usize = 5;

fn main() {
    let deck = generator::deck();
    let size = deck.len() as f64;
    println!("deck: {:.1} MB, 505,197 GRID, 486,400 CHEXA", size / 1e6);
    report("bytes to cards", size, || deck.clone(), |deck| read(deck).cards.len());
    let cards = read(deck.clone());
    report("cards to fields", size, || (), |()| count_fields(&cards));
    report("fields to numbers", size, || (), |()| sum_numbers(&cards) as usize);
    drop(cards);
    report("bytes to mesh", size, || deck.clone(), mesh);
    println!("peak memory {:.0} MB = {:.2} × the deck", peak_memory(), peak_memory() * 1e6 / size);
}

fn read(deck: Vec<u8>) -> CardFile {
    let read = read_cards_from("bench.bdf", deck, &mut |_| unreachable!("the deck has no INCLUDE"));
    assert!(read.diagnostics.is_empty(), "the deck of the benchmark has no problems");
    read.output
}

/// The whole chain: every reference resolved and every element checked.
fn mesh(deck: Vec<u8>) -> usize {
    let cards = read_cards_from("bench.bdf", deck, &mut |_| unreachable!("the deck has no INCLUDE"));
    let deck = deck_from_cards(cards, &Options::default());
    assert!(deck.diagnostics.is_empty(), "the deck of the benchmark has no problems");
    deck.output.mesh.solids.len()
}

fn count_fields(cards: &CardFile) -> usize {
    let mut buffer = FieldBuffer::new();
    cards.cards.iter().map(|card| cards.fields(card, &mut buffer).len()).sum()
}

fn sum_numbers(cards: &CardFile) -> f64 {
    let mut buffer = FieldBuffer::new();
    let mut sum = 0.0;
    for card in &cards.cards {
        for field in cards.fields(card, &mut buffer).iter() {
            match parse_integer(field.text) {
                Some(number) => sum += number as f64,
                None => sum += parse_real(field.text).unwrap_or(0.0),
            }
        }
    }
    sum
}

fn report<T>(what: &str, size: f64, prepare: impl Fn() -> T, run: impl Fn(T) -> usize) {
    let best = (0..RUNS).map(|_| {
        let input = prepare();
        let start = Instant::now();
        black_box(run(input));
        start.elapsed().as_secs_f64()
    });
    let best = best.fold(f64::INFINITY, f64::min);
    println!("{what:<20} {:7.3} s  {:7.0} MB/s", best, size / best / 1e6);
}

/// Peak resident memory of this process in MB, from the kernel.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kb| kb * 1024.0 / 1e6)
}
