//! `pliant-fuzz [--target NAME] [--executions N] [--seconds S] [--seed K]`: damages seeds of every reader and
//! says what came of it. N executions are shared among the targets. Exit 1 when a defect was found;
//! `PLIANT_FUZZ_DEFECTS` names a folder for its inputs.

use std::process::ExitCode;
use std::time::Duration;

use pliant_fuzz_targets::campaign::{Request, run};
use pliant_fuzz_targets::memory::Counting;
use pliant_fuzz_targets::{TARGETS, Target, clean};

#[global_allocator]
static COUNTING: Counting = Counting;

fn main() -> ExitCode {
    let (mut executions, mut seconds, mut seed, mut only) = (100_000_u64, 1e9, 1, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        let good = match option.as_str() {
            "--executions" => value.parse().map(|n| executions = n).is_ok(),
            "--seconds" => value.parse().map(|s| seconds = s).is_ok(),
            "--seed" => value.parse().map(|k| seed = k).is_ok(),
            "--target" => {
                only = Some(value);
                true
            }
            _ => false,
        };
        if !good {
            eprintln!("usage: pliant-fuzz [--target NAME] [--executions N] [--seconds S] [--seed K]");
            return ExitCode::from(2);
        }
    }
    // The panics are counted; their messages are in the list of defects.
    std::panic::set_hook(Box::new(|_| {}));
    let chosen = |target: &&Target| only.as_ref().is_none_or(|name| name == target.name);
    let (mut defects, mut total) = (0, 0);
    for target in TARGETS.iter().filter(chosen) {
        let share = if only.is_some() { executions } else { executions * target.share as u64 / 1000 };
        let found = run(target, Request { executions: share, time: Duration::from_secs_f64(seconds), seed });
        println!("{}", found.line(target.name));
        for (text, input) in &found.defects {
            println!("            {text}: {}", input.display());
        }
        defects += found.defects.len();
        total += found.executions;
    }
    println!("{total} executions, {defects} defects");
    clean();
    ExitCode::from(u8::from(defects > 0))
}
