//! A wave: the array jobs of one submission.

use std::fs;
use std::path::{Path, PathBuf};

use pliant_store::write_file;
use serde::{Deserialize, Serialize};

use super::{ArrayJob, Scheduler, parse_cases, ranges};
use crate::error::StudyError;

/// What was handed over, in `jobs/<wave>/submitted.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The scheduler.
    pub scheduler: String,
    /// Numbers of the array jobs.
    pub jobs: Vec<String>,
    /// Number of the job that merges.
    pub merge: Option<String>,
    /// Tasks of all arrays.
    pub tasks: usize,
}

/// A wave that is being made.
pub struct Wave {
    folder: PathBuf,
    /// Scripts of the arrays in order, and their jobs.
    pub arrays: Vec<(PathBuf, String)>,
    /// Script that merges.
    pub merge: (PathBuf, String),
    tasks: Vec<Vec<usize>>,
}

impl Wave {
    /// Lays out tasks as arrays that the scheduler takes. Nothing is written yet.
    pub fn new(job: &ArrayJob, tasks: Vec<Vec<usize>>, array_size: usize, scheduler: &dyn Scheduler) -> Self {
        let jobs = job.folder.join("jobs");
        let number = (1..).find(|n| !jobs.join(format!("{n}")).exists());
        let folder = jobs.join(number.unwrap_or(1).to_string());
        let template = ArrayJob { tasks_file: folder.join("tasks.txt"), ..job.clone() };
        let firsts = (0..tasks.len()).step_by(array_size.max(1));
        let arrays = firsts.enumerate().map(|(k, first)| {
            let count = (tasks.len() - first).min(array_size);
            let script = scheduler.array_script(&ArrayJob { first, count, ..template.clone() });
            (folder.join(format!("array-{}.sh", k + 1)), script)
        });
        let arrays = arrays.collect();
        let merge = (folder.join("merge.sh"), scheduler.merge_script(&template));
        Self { folder, arrays, merge, tasks }
    }

    /// Writes the scripts and hands them over.
    ///
    /// # Errors
    /// A folder that cannot be written, or what the scheduler says.
    pub fn submit(&self, scheduler: &dyn Scheduler, study: &Path) -> Result<Submission, StudyError> {
        let io = |path: &Path, result: std::io::Result<()>| {
            result.map_err(|error| StudyError::io("write", path, &error))
        };
        // Slurm drops the output of a job whose log folder is missing.
        let logs = study.join("logs");
        io(&logs, fs::create_dir_all(&logs))?;
        io(&self.folder, fs::create_dir_all(&self.folder))?;
        let lines: Vec<_> = self.tasks.iter().map(|cases| ranges(cases)).collect();
        let tasks = self.folder.join("tasks.txt");
        io(&tasks, write_file(&tasks, (lines.join("\n") + "\n").as_bytes()))?;
        for (path, script) in self.arrays.iter().chain([&self.merge]) {
            io(path, write_file(path, script.as_bytes()))?;
        }
        // A cancelled study that is submitted again is not cancelled any more.
        let _ = fs::remove_file(study.join("jobs").join("cancelled"));
        let mut submission = Submission {
            scheduler: scheduler.name().to_owned(),
            jobs: Vec::new(),
            merge: None,
            tasks: self.tasks.len(),
        };
        let record = self.folder.join("submitted.json");
        let save = |submission: &Submission| {
            let text = serde_json::to_string_pretty(submission).expect("invariant: it is plain data");
            io(&record, write_file(&record, text.as_bytes()))
        };
        for (path, _) in &self.arrays {
            submission.jobs.push(scheduler.submit(path, &[])?);
            // Written after each, so that `cancel` finds those that were handed over before one was refused.
            save(&submission)?;
        }
        submission.merge = Some(scheduler.submit(&self.merge.0, &submission.jobs)?);
        save(&submission)?;
        Ok(submission)
    }
}

/// All that was handed over for a study.
pub fn submissions(study: &Path) -> Vec<Submission> {
    let Ok(entries) = fs::read_dir(study.join("jobs")) else { return Vec::new() };
    let mut waves: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    waves.sort();
    let read = |path: &PathBuf| serde_json::from_slice(&fs::read(path.join("submitted.json")).ok()?).ok();
    waves.iter().filter_map(read).collect()
}

/// Notes that the user wants no more of it: workers do not ask for another turn.
///
/// # Errors
/// A folder that cannot be written.
pub fn mark_cancelled(study: &Path) -> Result<(), StudyError> {
    let path = study.join("jobs").join("cancelled");
    write_file(&path, b"").map_err(|error| StudyError::io("write", &path, &error))
}

/// True after [`mark_cancelled`].
pub fn cancelled(study: &Path) -> bool {
    study.join("jobs").join("cancelled").exists()
}

/// The cases of a task of a wave.
///
/// # Errors
/// A file that is not there or not ours.
pub fn cases_of_task(tasks: &Path, task: usize) -> Result<Vec<usize>, StudyError> {
    let text = fs::read_to_string(tasks).map_err(|error| StudyError::io("read", tasks, &error))?;
    let line = text.lines().nth(task).and_then(parse_cases);
    line.ok_or_else(|| StudyError::new(format!("{} has no task {task}", tasks.display())))
}
