//! The same worker on a cluster.
//!
//! A study becomes waves of array jobs. Each wave has a file with the cases of each task; a task runs `pliant
//! worker`, which runs what of its cases has no row yet, and so does the next attempt after a kill, a time
//! limit or a preemption. Nothing polls: the scheduler starts tasks, the segments show what is done, a last
//! job merges.

mod chunk;
mod slurm;
mod wave;

pub(crate) use chunk::parse_cases;
pub use chunk::{chunks, ranges};
pub use slurm::Slurm;
pub use wave::{Submission, Wave, cancelled, cases_of_task, mark_cancelled, submissions};

use std::path::{Path, PathBuf};

use crate::error::StudyError;

/// What a scheduler must be reported about an array of tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayJob {
    /// For people.
    pub name: String,
    /// The study's folder, absolute.
    pub folder: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// The file with the cases of each task of the wave.
    pub tasks_file: PathBuf,
    /// Task of the wave that is the first of this array.
    pub first: usize,
    /// Tasks of this array.
    pub count: usize,
    /// Most at once.
    pub limit: Option<u32>,
    /// Cores of each.
    pub cpus: u32,
    /// Time limit of each (minutes).
    pub time: Option<f64>,
    /// Warning before the limit (s).
    pub notice: u32,
    /// Most restarts.
    pub requeues: u32,
    /// The user's own options.
    pub options: Vec<String>,
    /// Cache of reduced links.
    pub cache: Option<PathBuf>,
}

/// A task that the scheduler knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskState {
    /// Its number there.
    pub id: String,
    /// `RUNNING`, `PENDING` and so on.
    pub state: String,
}

/// What the scheduler means to do with a task that it has asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing more: the task may ask for another turn.
    Running,
    /// It will start again, as after a preemption.
    Waiting,
    /// Someone cancelled it.
    Cancelled,
}

/// What a task inside a job can do.
pub trait Task {
    /// Which task of its array this is.
    fn index(&self) -> usize;
    /// How often it was started again.
    fn restarts(&self) -> u32;
    /// Cores it was given.
    fn cpus(&self) -> Option<usize>;
    /// What the scheduler means to do with it.
    fn standing(&self) -> Standing;
    /// Asks for another turn. The scheduler may end this process at once.
    ///
    /// # Errors
    /// What the scheduler says.
    fn requeue(&self) -> Result<(), StudyError>;
}

/// A batch system. Slurm is one; others need these few things.
pub trait Scheduler {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Largest number of tasks of one array.
    ///
    /// # Errors
    /// When the scheduler does not answer.
    fn array_size(&self) -> Result<usize, StudyError>;
    /// The script of an array.
    fn array_script(&self, job: &ArrayJob) -> String;
    /// The script of the job that merges.
    fn merge_script(&self, job: &ArrayJob) -> String;
    /// Hands a script over, to start after other jobs have ended in any way; the number it gets.
    ///
    /// # Errors
    /// What the scheduler says.
    fn submit(&self, script: &Path, after: &[String]) -> Result<String, StudyError>;
    /// Tasks of jobs that wait or run: one question.
    ///
    /// # Errors
    /// When the scheduler does not answer.
    fn active(&self, jobs: &[String]) -> Result<Vec<TaskState>, StudyError>;
    /// Ends jobs.
    ///
    /// # Errors
    /// What the scheduler says.
    fn cancel(&self, jobs: &[String]) -> Result<(), StudyError>;
    /// The task that this process is, when it runs inside a job.
    fn task(&self) -> Option<Box<dyn Task>>;
}
