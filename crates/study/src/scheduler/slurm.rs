//! Slurm. Works without accounting: `sacct` is never asked.

use std::path::Path;
use std::process::Command;

use super::{ArrayJob, Scheduler, Standing, Task, TaskState};
use crate::error::StudyError;

/// Slurm, through its commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slurm;

/// Runs a command and gives what it printed.
fn ask(program: &str, arguments: &[&str]) -> Result<String, StudyError> {
    let output = Command::new(program).args(arguments).output().map_err(|error| {
        let reported = StudyError::new(format!("cannot run `{program}`: {error}"));
        if error.kind() == std::io::ErrorKind::NotFound {
            reported.hint("Slurm's commands must be on the PATH of this machine")
        } else {
            reported
        }
    })?;
    if !output.status.success() {
        let reported = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(StudyError::new(format!("`{program} {}` failed: {reported}", arguments.join(" "))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A path or word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Minutes as Slurm writes a time limit, rounded up to full seconds.
fn time_limit(minutes: f64) -> String {
    let seconds = (minutes * 60.0).ceil() as u64;
    format!("{}-{:02}:{:02}:{:02}", seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
}

fn head(job: &ArrayJob, name: &str, log: &str) -> String {
    // In a file name `%` begins one of Slurm's own words.
    let logs = job.folder.join("logs").display().to_string().replace('%', "%%");
    let mut text = format!(
        "#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --output={}\n#SBATCH --open-mode=append\n",
        quoted(name),
        quoted(&format!("{logs}/{log}"))
    );
    for option in &job.options {
        text.push_str(&format!("#SBATCH {option}\n"));
    }
    text
}

fn body(job: &ArrayJob, command: &str) -> String {
    let cache = job.cache.as_ref().map_or(String::new(), |cache| {
        format!("export PLIANT_CACHE={}\n", quoted(&cache.display().to_string()))
    });
    // The worker replaces the shell, so that signals for the batch script reach it.
    format!("{cache}exec {} {command}\n", quoted(&job.program.display().to_string()))
}

impl Scheduler for Slurm {
    fn name(&self) -> &'static str {
        "slurm"
    }

    fn array_size(&self) -> Result<usize, StudyError> {
        let config = ask("scontrol", &["show", "config"])?;
        let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"));
        let size = line.and_then(|rest| rest.split('=').nth(1)?.trim().parse::<usize>().ok());
        // The largest index is one below; 1001 is Slurm's own default.
        Ok(size.unwrap_or(1001).max(1))
    }

    fn array_script(&self, job: &ArrayJob) -> String {
        let limit = job.limit.map_or(String::new(), |limit| format!("%{limit}"));
        let mut text = head(job, &job.name, "%A_%a.log");
        text.push_str(&format!("#SBATCH --array=0-{}{limit}\n", job.count - 1));
        text.push_str(&format!("#SBATCH --cpus-per-task={}\n", job.cpus));
        if let Some(minutes) = job.time {
            text.push_str(&format!("#SBATCH --time={}\n", time_limit(minutes)));
        }
        text.push_str(&format!("#SBATCH --requeue\n#SBATCH --signal=B:USR1@{}\n", job.notice));
        let command = format!(
            "worker {} --tasks {} --first {} --requeues {}",
            quoted(&job.folder.display().to_string()),
            quoted(&job.tasks_file.display().to_string()),
            job.first,
            job.requeues
        );
        text + &body(job, &command)
    }

    fn merge_script(&self, job: &ArrayJob) -> String {
        let text = head(job, &format!("{} merge", job.name), "merge-%j.log");
        text + &body(job, &format!("merge {}", quoted(&job.folder.display().to_string())))
    }

    fn submit(&self, script: &Path, after: &[String]) -> Result<String, StudyError> {
        let script = script.display().to_string();
        let after = (!after.is_empty()).then(|| format!("--dependency=afterany:{}", after.join(":")));
        let mut arguments = vec!["--parsable"];
        arguments.extend(after.as_deref());
        arguments.push(&script);
        let printed = ask("sbatch", &arguments)?;
        // `job` or `job;cluster`.
        let job = printed.trim().lines().last().and_then(|line| line.split(';').next()).unwrap_or_default();
        if job.is_empty() {
            return Err(StudyError::new(format!("sbatch gave no job number: {printed}")));
        }
        Ok(job.to_owned())
    }

    fn active(&self, jobs: &[String]) -> Result<Vec<TaskState>, StudyError> {
        // A job that Slurm has forgotten is an error for `--jobs`, so all of the user's are listed.
        let listed = ask("squeue", &["--noheader", "--array", "--me", "--format=%i %T"])?;
        let tasks = listed.lines().filter_map(|line| {
            let (id, state) = line.trim().split_once(' ')?;
            let job = id.split('_').next()?;
            jobs.iter()
                .any(|known| known == job)
                .then(|| TaskState { id: id.to_owned(), state: state.to_owned() })
        });
        Ok(tasks.collect())
    }

    fn cancel(&self, jobs: &[String]) -> Result<(), StudyError> {
        let mut arguments = vec!["--quiet"];
        arguments.extend(jobs.iter().map(String::as_str));
        ask("scancel", &arguments).map(|_| ())
    }

    fn task(&self) -> Option<Box<dyn Task>> {
        let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
        let job = std::env::var("SLURM_JOB_ID").ok()?;
        let array = std::env::var("SLURM_ARRAY_JOB_ID").ok();
        let index = number("SLURM_ARRAY_TASK_ID")?;
        let name = array.map_or_else(|| job.clone(), |array| format!("{array}_{index}"));
        Some(Box::new(SlurmTask {
            name,
            index,
            restarts: number("SLURM_RESTART_COUNT").unwrap_or(0) as u32,
            cpus: number("SLURM_CPUS_PER_TASK").or_else(|| number("SLURM_CPUS_ON_NODE")),
        }))
    }
}

struct SlurmTask {
    /// `job_task`, which keeps its meaning when the task is requeued.
    name: String,
    index: usize,
    restarts: u32,
    cpus: Option<usize>,
}

impl Task for SlurmTask {
    fn index(&self) -> usize {
        self.index
    }

    fn restarts(&self) -> u32 {
        self.restarts
    }

    fn cpus(&self) -> Option<usize> {
        self.cpus
    }

    fn standing(&self) -> Standing {
        let reported = ask("scontrol", &["show", "job", "--oneliner", &self.name]).unwrap_or_default();
        let state = reported.split("JobState=").nth(1).and_then(|rest| rest.split_whitespace().next());
        match state {
            Some("CANCELLED") => Standing::Cancelled,
            Some("PENDING" | "REQUEUED" | "REQUEUE_HOLD") => Standing::Waiting,
            _ => Standing::Running,
        }
    }

    fn requeue(&self) -> Result<(), StudyError> {
        ask("scontrol", &["requeue", &self.name]).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> ArrayJob {
        ArrayJob {
            name: "arm's study".to_owned(),
            folder: "/a b/study".into(),
            program: "/bin/pliant".into(),
            tasks_file: "/a b/study/jobs/1/tasks.txt".into(),
            first: 11,
            count: 5,
            limit: Some(3),
            cpus: 2,
            time: Some(90.5),
            notice: 30,
            requeues: 4,
            options: vec!["--partition=long".to_owned()],
            cache: Some("/c".into()),
        }
    }

    #[test]
    fn the_script_says_all_and_ends_in_the_worker() {
        let script = Slurm.array_script(&job());
        for line in [
            "#SBATCH --job-name='arm'\\''s study'",
            "#SBATCH --output='/a b/study/logs/%A_%a.log'",
            "#SBATCH --partition=long",
            "#SBATCH --array=0-4%3",
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --time=0-01:30:30",
            "#SBATCH --requeue",
            "#SBATCH --signal=B:USR1@30",
            "export PLIANT_CACHE='/c'",
        ] {
            assert!(script.lines().any(|l| l == line), "{line} is missing in\n{script}");
        }
        let last = "exec '/bin/pliant' worker '/a b/study' --tasks '/a b/study/jobs/1/tasks.txt' --first 11 --requeues 4";
        assert_eq!(script.lines().last(), Some(last));
        assert!(Slurm.merge_script(&job()).ends_with("exec '/bin/pliant' merge '/a b/study'\n"));
    }

    #[test]
    fn arrays_are_cut_where_slurm_wants() {
        let tasks: Vec<_> = (0..25).map(|k| vec![k]).collect();
        let wave = super::super::Wave::new(&job(), tasks, 11, &Slurm);
        let lines: Vec<_> = wave
            .arrays
            .iter()
            .map(|(_, s)| s.lines().find(|l| l.contains("--array")).unwrap().to_owned())
            .collect();
        assert_eq!(lines, ["#SBATCH --array=0-10%3", "#SBATCH --array=0-10%3", "#SBATCH --array=0-2%3"]);
        assert!(wave.arrays[2].1.contains("--first 22"));
    }
}
