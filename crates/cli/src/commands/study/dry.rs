//! `pliant run --dry-run`: what a study would be.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use pliant_study::plan::Plan;
use serde_json::json;

use super::Outcome;
use super::local::the_cache;
use crate::Common;
use crate::number::{bytes, counted, seconds};
use crate::terminal::{self, output};

/// Cases shown at each end of the list.
const SHOWN: usize = 8;
/// Longest time that is spent on a case for its time (s).
const LONGEST: f64 = 10.0;

/// Shows cases, reductions and an estimate from one case that is run for its time.
pub(super) fn run(plan: Plan, no_cache: bool, common: &Common) -> io::Result<Outcome> {
    let names: Vec<String> = plan.parameters().iter().map(|name| (*name).to_owned()).collect();
    let count = plan.cases();
    let shown: Vec<usize> = if count <= 2 * SHOWN {
        (0..count).collect()
    } else {
        (0..SHOWN).chain(count - SHOWN..count).collect()
    };
    let rows: Vec<_> = shown.iter().map(|case| (*case, plan.values(*case))).collect();
    let (reductions, bad) = (plan.reductions, plan.bad_cases.clone());
    let study = plan.unsaved();
    let cache = if no_cache { None } else { the_cache() };
    let case = (0..count).find(|case| bad.iter().all(|(b, _)| b != case)).unwrap_or(0);
    let timed = pliant_study::run::time(&study, case, cache.as_ref(), &AtomicBool::new(false), LONGEST);
    let threads = rayon::current_num_threads() as f64;
    let links = study.manifest.reductions as f64 * timed.links / reductions_of_case(&study, case).max(1.0);
    let total = (count as f64 * timed.case + links) / threads;
    // A row: some 90 characters and 20 for each number, in a segment and in the two merged files.
    let columns = study.manifest.metrics.len() + study.manifest.constraints.len();
    let disk = (count * (200 + 48 * (columns + names.len()))) as u64;
    let (mut out, style) = output();
    if common.json {
        let reported = json!({
            "cases": count,
            "parameters": names,
            "reductions": reductions,
            "bad_cases": bad.iter().map(|(case, reason)| json!({ "case": case, "reason": reason })).collect::<Vec<_>>(),
            "seconds_of_a_case": timed.case,
            "timed_case_is_complete": timed.complete,
            "estimated_seconds": total,
            "estimated_bytes": disk,
        });
        terminal::json(&mut out, &reported)?;
    } else {
        writeln!(out, "{:>8}  {}", "case", names.join("  "))?;
        let mut before = None;
        for (case, values) in rows {
            if before.is_some_and(|before| case > before + 1) {
                writeln!(out, "{:>8}", "…")?;
            }
            before = Some(case);
            writeln!(out, "{case:>8}  {}", values.join("  "))?;
        }
        for (case, reason) in bad.iter().take(SHOWN) {
            writeln!(out, "{} case {case} will fail: {reason}", style.yellow("warning:"))?;
        }
        let sure =
            if timed.complete { "" } else { " (the timed case did not end; the study may take far longer)" };
        writeln!(
            out,
            "{} {}, {}; about {}{sure} on {} threads and {} of disk",
            style.bold("study"),
            counted(count, "case"),
            counted(reductions, "distinct reduction"),
            seconds(total),
            threads,
            bytes(disk)
        )?;
    }
    out.flush()?;
    Ok(if bad.is_empty() { Outcome::Good } else { Outcome::Bad })
}

fn reductions_of_case(study: &pliant_study::Study, case: usize) -> f64 {
    study.distinct_links(case) as f64
}
