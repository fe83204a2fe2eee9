//! Damaged pipeline files and expressions: whatever is done to their text, the reader must not panic, hang or
//! take much memory. The damage is random and always the same; `PLIANT_FUZZ=n` does it n times, fuzz/ without
//! end.

use std::path::Path;
use std::time::{Duration, Instant};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines");
/// The test stops here, whatever machine it runs on, unless a number of rounds is asked for.
const LONGEST: Duration = Duration::from_secs(8);
const ROUNDS: usize = 2000;
/// Longest time of one reading.
const ONE: Duration = Duration::from_secs(2);

/// Pieces that have a meaning somewhere in the format.
const PIECES: [&str; 24] = [
    "\n",
    "=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "#",
    ".",
    ",",
    "1e300",
    "-1",
    "1000000000",
    "nan",
    "inf",
    "[study]\n",
    "segments = 1000000000\n",
    "count = 4000000000",
    "[[[[[[[[",
    "{a={a={a={a={",
    "\u{0}",
    "\u{1b}[2J",
    "\"\"\"",
];

/// Marsaglia's xorshift64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn damage(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(60)).min(bytes.len());
        match random.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
            2 if at < bytes.len() => bytes[at] = 32 + random.below(96) as u8,
            _ => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copy));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_text_is_too_much_for_the_reader() {
    let entries = std::fs::read_dir(FOLDER).expect("the pipelines are there");
    let seeds: Vec<String> =
        entries.flatten().filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).collect();
    let asked = std::env::var("PLIANT_FUZZ").ok().and_then(|count| count.parse().ok());
    let (start, mut random) = (Instant::now(), Random(0x9e37_79b9_7f4a_7c15));
    let mut done = 0;
    while done < asked.unwrap_or(ROUNDS) && (asked.is_some() || start.elapsed() < LONGEST) {
        let text = damage(&seeds[random.below(seeds.len())], &mut random);
        let began = Instant::now();
        let read = pliant_pipeline::from_text(Path::new("machine.toml"), text.clone());
        assert!(began.elapsed() < ONE, "{:?} for\n{text}", began.elapsed());
        drop(read);
        done += 1;
    }
    println!("{done} damaged pipeline files in {:.1} s", start.elapsed().as_secs_f64());
}
