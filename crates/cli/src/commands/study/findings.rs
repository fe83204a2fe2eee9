//! What a study found, for people and machines.

use std::io::{self, Write};

use pliant_study::merge::{Merged, merge};
use pliant_study::run::Ended;
use pliant_study::{Findings, Study};
use serde_json::json;

use super::{Outcome, refuse};
use crate::Common;
use crate::number::{counted, real, seconds};
use crate::terminal::{self, Style, output};

/// Failures, differing cases and members of a front that are listed.
const SHOWN: usize = 10;

/// Merges what is done and prints it.
pub(super) fn merge_and_print(study: &Study, common: &Common) -> io::Result<Outcome> {
    match merge(study) {
        Ok(merged) => print(study, &merged, None, common),
        Err(error) => refuse(&error, common),
    }
}

/// Prints what was merged; with `ended` after a run on this machine.
pub(super) fn print(
    study: &Study,
    merged: &Merged,
    ended: Option<Ended>,
    common: &Common,
) -> io::Result<Outcome> {
    let missing = merged.scan.missing().len();
    let failed = merged.scan.failed();
    let (mut out, style) = output();
    if common.json {
        let reason = |case: &usize| merged.scan.rows[*case].as_ref().and_then(|row| row.reason.clone());
        let reported = json!({
            "study": {
                "folder": study.folder.display().to_string(),
                "hash": study.manifest.hash,
                "cases": merged.scan.rows.len(),
                "done": merged.scan.done() - failed.len(),
                "failed": failed.len(),
                "missing": missing,
                "duplicates": merged.scan.duplicates,
                "differing": merged.scan.differing.iter().map(|(case, _)| case).collect::<Vec<_>>(),
                "damaged": merged.scan.damaged.len(),
                "stopped": ended.is_some_and(|ended| ended.stopped),
                "ran": ended.map_or(0, |ended| ended.finished),
                "seconds": ended.map(|ended| ended.seconds),
                "file": merged.file.display().to_string(),
                "table": merged.table.display().to_string(),
            },
            "failures": failed.iter().map(|case| json!({ "case": case, "reason": reason(case) })).collect::<Vec<_>>(),
            "findings": merged.findings,
            "diagnostics": [],
        });
        terminal::json(&mut out, &reported)?;
    } else {
        text(&mut out, style, study, merged, ended, common.quiet)?;
    }
    out.flush()?;
    let good = missing == 0 && failed.is_empty() && merged.scan.differing.is_empty();
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

fn text(
    out: &mut impl Write,
    style: Style,
    study: &Study,
    merged: &Merged,
    ended: Option<Ended>,
    quiet: bool,
) -> io::Result<()> {
    let scan = &merged.scan;
    let (failed, missing) = (scan.failed(), scan.missing().len());
    for case in failed.iter().take(SHOWN) {
        let reason = scan.rows[*case].as_ref().and_then(|row| row.reason.as_deref()).unwrap_or_default();
        writeln!(out, "{} case {case}: {reason}", style.red("failed"))?;
    }
    if failed.len() > SHOWN {
        writeln!(out, "  and {} more; all reasons are in {}", failed.len() - SHOWN, merged.table.display())?;
    }
    for (path, why) in &scan.damaged {
        writeln!(out, "{} {}: {why}; its rows are left out", style.yellow("warning:"), path.display())?;
    }
    for (case, path) in scan.differing.iter().take(SHOWN) {
        let warning = style.yellow("warning:");
        writeln!(
            out,
            "{warning} case {case} has a different result in {}: the first is kept",
            path.display()
        )?;
    }
    if !quiet {
        found(out, style, &merged.findings)?;
        let took = ended.map_or(String::new(), |ended| format!(" in {}", seconds(ended.seconds)));
        writeln!(
            out,
            "{} {}: {} done, {} failed, {missing} missing{took}; {} dropped",
            style.bold("study"),
            counted(scan.rows.len(), "case"),
            scan.done() - failed.len(),
            failed.len(),
            counted(scan.duplicates, "duplicate"),
        )?;
        writeln!(out, "{} {}, {}", style.bold("files"), merged.file.display(), merged.table.display())?;
    }
    if missing > 0 {
        if ended.is_some_and(|ended| ended.stopped) {
            writeln!(out, "stopped; finished cases are kept")?;
        }
        writeln!(out, "continue with: pliant resume {}", study.folder.display())?;
    }
    Ok(())
}

fn found(out: &mut impl Write, style: Style, findings: &Findings) -> io::Result<()> {
    let names = findings.metrics.iter().map(|m| m.name.chars().count());
    let width = names.max().unwrap_or(0).max(10);
    let head = format!(
        "{:width$} {:>7} {:>22} {:>13} {:>22}",
        "metric", "cases", "min (case)", "mean", "max (case)"
    );
    writeln!(out, "{}", style.bold(&head))?;
    let end =
        |end: Option<(f64, usize)>| end.map_or("-".to_owned(), |(x, case)| format!("{} (#{case})", real(x)));
    for m in &findings.metrics {
        let mean = m.mean.map_or("-".to_owned(), real);
        writeln!(out, "{:width$} {:>7} {:>22} {mean:>13} {:>22}", m.name, m.count, end(m.min), end(m.max))?;
    }
    for (name, passed) in &findings.constraints {
        writeln!(out, "{} {name}: met by {}", style.bold("constraint"), counted(*passed, "case"))?;
    }
    if !findings.effects.is_empty() {
        let width = findings.effects.iter().map(|e| e.parameter.chars().count()).max().unwrap_or(0).max(10);
        let metric_width =
            findings.effects.iter().map(|e| e.metric.chars().count()).max().unwrap_or(0).max(6);
        let head = format!(
            "{:width$} {:metric_width$} {:>8} {:>9} {:>13} {:>8} {:>8}",
            "parameter", "metric", "rank cor", "variance", "main effect", "S first", "S total"
        );
        writeln!(out, "{}", style.bold(&head))?;
        for e in &findings.effects {
            let index = findings.sobol.iter().find(|s| s.parameter == e.parameter && s.metric == e.metric);
            let shown = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.3}"));
            writeln!(
                out,
                "{:width$} {:metric_width$} {:>8.3} {:>7.1} % {:>13} {:>8} {:>8}",
                e.parameter,
                e.metric,
                e.rank_correlation,
                100.0 * e.variance_share,
                real(e.main_effect),
                shown(index.map(|s| s.first)),
                shown(index.map(|s| s.total))
            )?;
        }
    }
    if let Some((names, front)) = &findings.pareto {
        let list: Vec<_> = front.iter().take(SHOWN).map(|case| format!("#{case}")).collect();
        let list = if list.is_empty() { "no case passes all constraints".to_owned() } else { list.join(" ") };
        let more =
            if front.len() > SHOWN { format!(" and {} more", front.len() - SHOWN) } else { String::new() };
        writeln!(out, "{} {} against {}: {list}{more}", style.bold("front"), names[0], names[1])?;
    }
    Ok(())
}
