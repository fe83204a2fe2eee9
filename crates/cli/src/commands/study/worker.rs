//! `pliant worker`: a task of an array job. Not for people.

use std::io;
use std::path::PathBuf;

use pliant_study::run::Options;
use pliant_study::scan::Scan;
use pliant_study::scheduler::{Scheduler, Slurm, Standing, Task, cancelled, cases_of_task};
use pliant_study::{Identity, Study, StudyError};

use super::local::the_cache;
use super::signals::Signals;
use super::{Outcome, refuse};
use crate::Common;
use crate::terminal::complain;

/// Arguments of `pliant worker`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The study's folder
    folder: PathBuf,
    /// The file with the cases of each task
    #[arg(long)]
    tasks: PathBuf,
    /// Task of the file that is task 0 of this array
    #[arg(long)]
    first: usize,
    /// Most restarts
    #[arg(long)]
    requeues: u32,
}

/// Runs what of the task's cases has no row yet; when asked to stop, commits and asks for another turn.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    // Before all else: a signal that comes early must not kill.
    let signals = Signals::listen()?;
    match work(arguments, &signals) {
        Ok(outcome) => Ok(outcome),
        Err(error) => refuse(&error, common),
    }
}

fn work(arguments: &Arguments, signals: &Signals) -> Result<Outcome, StudyError> {
    let reported = |message: &str| StudyError { message: message.to_owned(), hint: None };
    let task = Slurm.task().ok_or_else(|| reported("`pliant worker` must run as a task of an array job"))?;
    let study = Study::open(&arguments.folder)?;
    let mine = cases_of_task(&arguments.tasks, arguments.first + task.index())?;
    let scan = Scan::of(&study)?;
    let todo: Vec<usize> =
        mine.into_iter().filter(|case| scan.rows.get(*case).is_some_and(Option::is_none)).collect();
    drop(scan);
    let cache = the_cache();
    let progress = pliant_study::run::Silent;
    let threads = task.cpus().unwrap_or(1);
    let options = Options {
        threads,
        cache: cache.as_ref(),
        stop: &signals.stop,
        progress: &progress,
        identity: Identity::of_process(),
    };
    let ended = pliant_study::run::run(&study, &todo, options)?;
    complain(format_args!(
        "{} of {} cases, {} failed, {:.1} s",
        ended.finished,
        todo.len(),
        ended.failed,
        ended.seconds
    ));
    if ended.stopped && signals.came() {
        again(&study, task.as_ref(), arguments.requeues)?;
    }
    Ok(Outcome::Good)
}

/// Another turn, unless someone cancelled the job or there were enough.
fn again(study: &Study, task: &dyn Task, most: u32) -> Result<(), StudyError> {
    let standing = if cancelled(&study.folder) { Standing::Cancelled } else { task.standing() };
    match standing {
        Standing::Running => {}
        Standing::Waiting => {
            complain("stopped; the task starts again");
            return Ok(());
        }
        Standing::Cancelled => {
            complain("cancelled: finished cases are committed");
            return Ok(());
        }
    }
    if task.restarts() >= most {
        return Err(StudyError {
            message: format!("the task was started again {most} times and has cases left"),
            hint: Some(format!("continue with: pliant resume {} --on slurm", study.folder.display())),
        });
    }
    complain("requeued: cases are left");
    task.requeue()
}
