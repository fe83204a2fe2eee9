//! `[study.slurm]`: the study on a cluster.

use crate::limits::SECONDS;
use crate::schema::{Context, FromValue};
use crate::{Value, ValueKind, table};

table! {
    /// How the study runs under Slurm.
    ///
    /// ```toml
    /// [study]
    /// grid  = { "payload.mass" = [0, 2, 4, 6, 8, 10] }
    /// slurm = { options = ["--partition=long"], cpus = 8, time = 120 }
    /// ```
    pub struct SlurmTable {
        /// Further options of `sbatch`, such as `"--partition=long"`.
        options: Option<Vec<String>>;
        /// Cores of a task; each runs one case at a time.
        cpus: u32 = 1, "1";
        /// Most tasks that run at once.
        limit: Option<u32>;
        /// Time limit of a task (minutes); the partition's when left out.
        time: Option<f64>;
        /// What a task should take (minutes): how many cases it gets follows from timed ones.
        target: f64 = 20.0, "20";
        /// Cases of a task, instead of `target`.
        chunk: Option<u32>;
        /// Time before the limit at which a task saves what it has and is requeued (s).
        notice: u32 = 60, "60";
        /// Largest number of times that a task is requeued.
        requeues: u32 = 10, "10";
    } check SlurmTable::check
}

impl SlurmTable {
    /// What an empty table means.
    pub fn usual() -> Self {
        let empty = Value { kind: ValueKind::Table(Vec::new()), span: None };
        let mut nothing = pliant_diag::Diagnostics::new();
        Self::from_value(&empty, &mut Context::new(&mut nothing)).expect("invariant: every key has a default")
    }

    fn check(&self, context: &mut Context<'_>) {
        for option in self.options.iter().flatten() {
            // Each stands in a line of the script that the shell reads: a second line would be a command.
            if option.chars().any(char::is_control) || !option.starts_with('-') {
                let message =
                    format!("expected an option of sbatch such as \"--partition=long\", found {option:?}");
                context.error(context.key("options"), message);
            }
        }
        if let Some(minutes) = self.time.filter(|minutes| 60.0 * minutes > SECONDS) {
            context.error(
                context.key("time"),
                format_args!("`time` must be at most {:e} minutes, found {minutes}", SECONDS / 60.0),
            );
        }
        context.positive(&[
            ("cpus", Some(f64::from(self.cpus))),
            ("limit", self.limit.map(f64::from)),
            ("chunk", self.chunk.map(f64::from)),
            ("time", self.time),
            ("target", Some(self.target)),
        ]);
    }
}
