//! Promise 3 of docs/guarantees.md: every reader with damaged seeds, some seconds each; `scripts/soak` runs
//! hours.

use std::sync::Mutex;
use std::time::Duration;

use pliant_fuzz_targets::campaign::{Request, run};
use pliant_fuzz_targets::memory::{Counting, peak_of};
use pliant_fuzz_targets::{TARGETS, clean};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The count of memory is one for the process: one test after the other.
static ALONE: Mutex<()> = Mutex::new(());
/// Time of each target.
const TIME: Duration = Duration::from_secs(5);

#[test]
fn no_damage_is_too_much_for_a_reader() {
    let _alone = ALONE.lock();
    // One after the other: time and memory are those of one reader.
    for target in &TARGETS {
        let found = run(target, Request { executions: u64::MAX, time: TIME, seed: 1 });
        println!("{}", found.line(target.name));
        assert!(found.executions > 50, "{}: too slow to say anything", target.name);
        assert!(found.defects.is_empty(), "{}: {:#?}", target.name, found.defects);
    }
    clean();
}

#[test]
fn the_driver_sees_panics_and_memory() {
    let _alone = ALONE.lock();
    let panics =
        pliant_fuzz_targets::Target { read: |bytes| assert!(bytes.len() < 2, "too long"), ..TARGETS[0] };
    let request = Request { executions: 100, time: TIME, seed: 1 };
    // A seed that panics is no seed: only damaged ones may.
    let short = pliant_fuzz_targets::Target { seeds: || vec![b"x".to_vec()], written_out: None, ..panics };
    assert!(!run(&short, request).defects.is_empty());
    let hungry = pliant_fuzz_targets::Target {
        read: |bytes| drop(std::hint::black_box(vec![1u8; if bytes == b"x" { 1 } else { 20 << 20 }])),
        ..short
    };
    assert!(run(&hungry, request).defects.iter().all(|(text, _)| text.contains("bytes, intact")));
    assert!(!run(&hungry, request).defects.is_empty());
    // An input that stands for a longer one may take what that one takes.
    let short_form =
        pliant_fuzz_targets::Target { written_out: Some(|_| b"the longer one".to_vec()), ..hungry };
    assert!(run(&short_form, request).defects.is_empty());
}

/// The largest decks that replication makes of a few lines, compared with the same decks written out.
#[test]
fn a_short_deck_takes_no_more_than_twice_what_it_stands_for() {
    let _alone = ALONE.lock();
    let deck = TARGETS.iter().find(|target| target.name == "deck").expect("decks are read");
    let write_out = deck.written_out.expect("decks can be written out");
    let cards = [
        "GRID,1,,0.,0.,0.",
        "CBAR,1,1,1,2,0.,0.,1.",
        "PSHELL,1,1,.01,1,,1",
        "FORCE,1,1,,1.,0.,0.,1.",
        "XYZ,1",
    ];
    for card in cards {
        let short = format!("BEGIN BULK\n{card}\n=,*1,==\n=(99990)\nENDDATA\n").into_bytes();
        let long = write_out(&short);
        assert!(long.len() > 100_000 * 5, "{card} is not repeated");
        let memory = |bytes: &[u8]| {
            let mut peak = usize::MAX;
            // The first call of some readers builds tables that stay.
            (0..2).for_each(|_| peak = peak_of(|| (deck.read)(bytes)));
            peak
        };
        let (short, long) = (memory(&short), memory(&long));
        println!("{card}: {short} bytes, written out {long}");
        assert!(short <= 2 * long, "{card}: {short} bytes, written out {long}");
    }
}
