//! `cargo bench -p pliant-bulk`: how fast the reader is on 73 MB of small-field GRID and CHEXA, on one core.
//!
//! Prints the best of several runs per stage. The memory is the peak of a process that does nothing but read
//! the deck from disk into a mesh, text included.

mod generator;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use pliant_bulk::{
    CardFile, FieldBuffer, Options, deck_from_cards, parse_integer, parse_real, read_cards_from,
};
use pliant_diag::Warned;
use pliant_mesh::Units;

const RUNS: usize = 5;

/// First argument of the process whose memory is measured.
const ONCE: &str = "--read-once";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == ONCE) {
        return read_once(Path::new(&arguments[at + 1]));
    }
    let deck = generator::deck();
    let size = deck.len() as f64;
    println!("deck: {:.1} MB, 505,197 GRID, 486,400 CHEXA", size / 1e6);
    report("bytes to cards", size, || deck.clone(), |deck| read(deck).output.cards.len());
    let cards = read(deck.clone()).output;
    report("cards to fields", size, || (), |()| count_fields(&cards));
    report("fields to numbers", size, || (), |()| sum_numbers(&cards) as usize);
    drop(cards);
    report("bytes to LinkMesh", size, || deck.clone(), |deck| mesh_solids(read(deck)));
    measure_memory(&deck);
}

fn read(deck: Vec<u8>) -> Warned<CardFile> {
    let read = read_cards_from("bench.bdf", deck, &mut |_| unreachable!("the deck has no INCLUDE"));
    assert!(read.diagnostics.is_empty(), "the deck of the benchmark has no problems");
    read
}

/// The entire chain: a mesh with every reference checked.
fn mesh_solids(cards: Warned<CardFile>) -> usize {
    let deck = deck_from_cards(cards, &Options::default());
    assert!(deck.diagnostics.is_empty(), "the deck of the benchmark has no problems");
    assert_eq!(deck.output.mesh.nodes.len(), 505_197);
    deck.output.mesh.solids.len()
}

/// Reads a deck from disk in a process of its own.
fn measure_memory(deck: &[u8]) {
    let path = std::env::temp_dir().join(format!("pliant-bench-{}.bdf", std::process::id()));
    let this = std::env::current_exe().expect("the benchmark knows its own path");
    std::fs::write(&path, deck).expect("the deck can be written to the temporary folder");
    let status = Command::new(this).arg(ONCE).arg(&path).status();
    std::fs::remove_file(&path).expect("the deck can be removed again");
    assert!(status.is_ok_and(|status| status.success()), "the deck was read");
}

fn read_once(path: &Path) {
    let size = std::fs::metadata(path).expect("the deck is there").len() as f64;
    let deck = pliant_bulk::read(path, Units::SI);
    let memory = peak_memory();
    assert_eq!(black_box(deck).output.mesh.solids.len(), 486_400);
    println!("peak memory {:.0} MB = {:.2} × the deck", memory, memory * 1e6 / size);
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

/// Best of several runs, in processor time: the machine may be busy with other things.
fn report<T>(what: &str, size: f64, prepare: impl Fn() -> T, run: impl Fn(T) -> usize) {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        let input = prepare();
        let (wall, processor) = (Instant::now(), processor_time());
        black_box(run(input));
        best[0] = best[0].min(processor_time() - processor);
        best[1] = best[1].min(wall.elapsed().as_secs_f64());
    }
    let [processor, wall] = best;
    println!(
        "{what:<20} {processor:7.3} s  {:7.0} MB/s   ({wall:.3} s on the clock)",
        size / processor / 1e6
    );
}

/// Seconds this thread has been on a processor, from the kernel.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.map_or(f64::NAN, |ns| ns * 1e-9)
}

/// Peak resident memory of this process in MB, from the kernel.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kb| kb * 1024.0 / 1e6)
}
