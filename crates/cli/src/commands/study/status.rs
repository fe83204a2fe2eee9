//! `pliant status DIR`: files first, then one question to the scheduler.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant_study::scan::Scan;
use pliant_study::scheduler::{Scheduler, Slurm, cancelled, submissions};
use pliant_study::{Study, StudyError};
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::number::{counted, seconds};
use crate::terminal::{self, Style, output};

/// How far a study is.
pub(super) struct Standing {
    folder: String,
    title: String,
    cases: usize,
    done: usize,
    failed: usize,
    missing: usize,
    segments: usize,
    damaged: Vec<String>,
    differing: Vec<usize>,
    /// Of a case on average.
    mean_seconds: f64,
    jobs: Vec<String>,
    cancelled: bool,
    /// Tasks by state, or why the scheduler does not answer.
    tasks: Result<BTreeMap<String, usize>, StudyError>,
}

impl Standing {
    pub(super) fn of(study: &Study) -> Result<Self, StudyError> {
        let scan = Scan::of(study)?;
        let jobs: Vec<String> =
            submissions(&study.folder).into_iter().flat_map(|s| s.jobs.into_iter().chain(s.merge)).collect();
        let tasks = if jobs.is_empty() { Ok(Vec::new()) } else { Slurm.active(&jobs) };
        let tasks = tasks.map(|tasks| {
            let mut states = BTreeMap::new();
            tasks.into_iter().for_each(|task| *states.entry(task.state).or_default() += 1);
            states
        });
        let (failed, done) = (scan.failed().len(), scan.done());
        Ok(Self {
            folder: study.folder.display().to_string(),
            title: study.manifest.title.clone(),
            cases: scan.rows.len(),
            done: done - failed,
            failed,
            missing: scan.rows.len() - done,
            segments: scan.segments,
            damaged: scan.damaged.iter().map(|(path, why)| format!("{}: {why}", path.display())).collect(),
            differing: scan.differing.iter().map(|(case, _)| *case).collect(),
            mean_seconds: scan.seconds() / done.max(1) as f64,
            jobs,
            cancelled: cancelled(&study.folder),
            tasks,
        })
    }

    pub(super) fn print(&self, common: &Common) -> io::Result<Outcome> {
        let (mut out, style) = output();
        if common.json {
            let reported = json!({
                "folder": self.folder,
                "title": self.title,
                "cases": self.cases,
                "done": self.done,
                "failed": self.failed,
                "missing": self.missing,
                "segments": self.segments,
                "damaged": self.damaged,
                "differing": self.differing,
                "mean_seconds": self.mean_seconds,
                "jobs": self.jobs,
                "cancelled": self.cancelled,
                "tasks": self.tasks.as_ref().ok(),
                "scheduler_problem": self.tasks.as_ref().err().map(ToString::to_string),
            });
            terminal::json(&mut out, &reported)?;
        } else {
            self.text(&mut out, style)?;
        }
        out.flush()?;
        let good = self.failed == 0 && self.damaged.is_empty() && self.differing.is_empty();
        Ok(if good { Outcome::Good } else { Outcome::Bad })
    }

    fn text(&self, out: &mut impl Write, style: Style) -> io::Result<()> {
        writeln!(out, "{} {} in {}", style.bold("study"), self.title, self.folder)?;
        writeln!(
            out,
            "{} {}: {} done, {} failed, {} missing, in {}; a case took {} on average",
            style.bold("cases"),
            self.cases,
            self.done,
            self.failed,
            self.missing,
            counted(self.segments, "segment"),
            seconds(self.mean_seconds)
        )?;
        for damaged in &self.damaged {
            writeln!(out, "{} {damaged}: its rows are left out", style.yellow("warning:"))?;
        }
        for case in &self.differing {
            writeln!(out, "{} case {case} has two rows that differ", style.yellow("warning:"))?;
        }
        match &self.tasks {
            _ if self.jobs.is_empty() => {}
            Ok(tasks) if tasks.is_empty() => {
                writeln!(out, "{} none is waiting or running", style.bold("tasks"))?
            }
            Ok(tasks) => {
                let list: Vec<_> =
                    tasks.iter().map(|(state, count)| format!("{count} {}", state.to_lowercase())).collect();
                writeln!(out, "{} {}", style.bold("tasks"), list.join(", "))?;
            }
            Err(problem) => writeln!(out, "{} {problem}", style.yellow("scheduler:"))?,
        }
        let idle = self.tasks.as_ref().map_or(true, BTreeMap::is_empty);
        if self.missing > 0 && idle {
            writeln!(out, "continue with: pliant resume {}", self.folder)?;
        }
        Ok(())
    }
}
