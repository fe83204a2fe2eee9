//! A study as array jobs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use pliant_store::Cache;
use pliant_study::scheduler::{ArrayJob, Scheduler, Slurm, Wave, chunks, mark_cancelled, submissions};
use pliant_study::{Study, StudyError};
use serde_json::json;

use super::local::the_cache;
use super::{Outcome, refuse};
use crate::Common;
use crate::number::counted;
use crate::terminal::{self, output};

/// Cases that are timed to size the tasks.
const TIMED: usize = 3;
/// Longest time that is spent on each (s).
const LONGEST: f64 = 60.0;

/// Shows the script of the first array and submits nothing.
pub(super) fn preview(study: &Study, folder: &Path, common: &Common) -> io::Result<Outcome> {
    let cases: Vec<usize> = (0..study.manifest.cases).collect();
    let laid = layout(study, folder, &cases).map(|(job, tasks)| {
        // Without Slurm on this machine its own default serves.
        let size = Slurm.array_size().unwrap_or(1001);
        (Wave::new(&job, tasks.clone(), size, &Slurm), tasks)
    });
    let (wave, tasks) = match laid {
        Ok(laid) => laid,
        Err(error) => return refuse(&error, common),
    };
    let (mut out, _) = output();
    if common.json {
        let scripts: Vec<_> = wave.arrays.iter().chain([&wave.merge]).map(|(_, script)| script).collect();
        terminal::json(&mut out, &json!({ "tasks": tasks.len(), "scripts": scripts }))?;
    } else {
        for (path, script) in wave.arrays.iter().chain([&wave.merge]) {
            writeln!(out, "# {}\n{script}", path.display())?;
        }
        let each = tasks.first().map_or(0, Vec::len);
        writeln!(
            out,
            "# {} of {} each, in {}",
            counted(tasks.len(), "task"),
            counted(each, "case"),
            counted(wave.arrays.len(), "array")
        )?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// Submits the cases.
pub(super) fn run(study: &Study, cases: &[usize], common: &Common) -> io::Result<Outcome> {
    if cases.is_empty() {
        return super::findings::merge_and_print(study, common);
    }
    let submitted = tasks_left(study).and_then(|left| {
        if left > 0 {
            return Err(still_busy(left));
        }
        let size = Slurm.array_size()?;
        let (job, tasks) = layout(study, &study.folder, cases)?;
        Wave::new(&job, tasks, size, &Slurm).submit(&Slurm, &job.folder)
    });
    let submission = match submitted {
        Ok(submission) => submission,
        Err(error) => return refuse(&error, common),
    };
    let (mut out, _) = output();
    if common.json {
        let folder = study.folder.display().to_string();
        terminal::json(&mut out, &json!({ "folder": folder, "submitted": submission }))?;
    } else if !common.quiet {
        let (cases, tasks) = (counted(cases.len(), "case"), counted(submission.tasks, "task"));
        writeln!(out, "submitted {cases} as {tasks}: jobs {}", submission.jobs.join(", "))?;
        writeln!(out, "follow its progress with: pliant status {}", study.folder.display())?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// Tasks of earlier waves that wait or run.
pub(super) fn tasks_left(study: &Study) -> Result<usize, StudyError> {
    let jobs: Vec<_> = submissions(&study.folder).into_iter().flat_map(|s| s.jobs).collect();
    if jobs.is_empty() { Ok(0) } else { Slurm.active(&jobs).map(|tasks| tasks.len()) }
}

/// Why a study with such tasks is not started again.
pub(super) fn still_busy(left: usize) -> StudyError {
    StudyError {
        message: format!("{} of this study are still waiting or running", counted(left, "task")),
        hint: Some("`pliant status` shows them, `pliant cancel` ends them".to_owned()),
    }
}

/// Ends all jobs of a study.
pub(super) fn cancel(study: &Study) -> Result<Vec<String>, StudyError> {
    let all: Vec<String> =
        submissions(&study.folder).into_iter().flat_map(|s| s.jobs.into_iter().chain(s.merge)).collect();
    if all.is_empty() {
        return Err(StudyError {
            message: format!("no jobs were submitted for {}", study.folder.display()),
            hint: Some("Ctrl-C stops a study that runs on this machine".to_owned()),
        });
    }
    mark_cancelled(&study.folder)?;
    let mut active: Vec<String> = Slurm
        .active(&all)?
        .into_iter()
        .filter_map(|task| task.id.split('_').next().map(str::to_owned))
        .collect();
    active.sort();
    active.dedup();
    if !active.is_empty() {
        Slurm.cancel(&active)?;
    }
    Ok(active)
}

/// The job and the cases of its tasks.
fn layout(study: &Study, folder: &Path, cases: &[usize]) -> Result<(ArrayJob, Vec<Vec<usize>>), StudyError> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let program = crate::invocation::program()
        .map_err(|error| StudyError { message: format!("cannot find this program: {error}"), hint: None })?;
    let cache = the_cache();
    // A line end in a path would end its comment in the script, and what follows would be a command.
    let paths = [Some(folder), Some(program.as_path()), cache.as_ref().map(Cache::folder)];
    if let Some(path) =
        paths.into_iter().flatten().find(|path| path.to_string_lossy().contains(char::is_control))
    {
        let message = format!("{path:?} cannot be written into a script: it has a control character");
        return Err(StudyError { message, hint: Some("use a folder with another name".to_owned()) });
    }
    let slurm = study.slurm();
    let size = match slurm.chunk {
        Some(size) => size as usize,
        None => timed_size(study, cases, cache.as_ref(), 60.0 * slurm.target * f64::from(slurm.cpus)),
    };
    let title = if study.manifest.title.is_empty() { "pliant study" } else { &study.manifest.title };
    let job = ArrayJob {
        name: title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        folder: absolute(folder),
        program,
        tasks_file: PathBuf::new(),
        first: 0,
        count: 0,
        limit: slurm.limit,
        cpus: slurm.cpus,
        time: slurm.time,
        notice: slurm.notice,
        requeues: slurm.requeues,
        options: slurm.options.clone().unwrap_or_default(),
        cache: cache.map(|cache| absolute(cache.folder())),
    };
    Ok((job, chunks(cases, size)))
}

/// Cases that take about `target` seconds together, from a few that are run for their time.
fn timed_size(study: &Study, cases: &[usize], cache: Option<&Cache>, target: f64) -> usize {
    let picks: Vec<usize> = (0..TIMED.min(cases.len()))
        .map(|k| cases[k * (cases.len() - 1) / TIMED.max(2).saturating_sub(1)])
        .collect();
    let never = AtomicBool::new(false);
    let times: Vec<f64> =
        picks.iter().map(|case| pliant_study::run::time(study, *case, cache, &never, LONGEST).case).collect();
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    let size = (target / mean.max(1e-4)).clamp(1.0, 1e6) as usize;
    size.min(cases.len().max(1))
}
