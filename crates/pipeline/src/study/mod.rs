//! `[study]`: many cases of one machine.

mod axis;
mod sample;
mod slurm;

pub use axis::{AxisSpec, RangeTable, ScaleWord};
pub use sample::{DistributionTable, MethodWord, SampleTable};
pub use slurm::SlurmTable;

use std::path::PathBuf;

use crate::limits::SECONDS;
use crate::schema::{Context, Located, Named, OneOrMany};
use crate::{table, words};

words! {
    /// How `grid`, `zip`, `list` and `sample` go together.
    pub enum CombineWord {
        /// Every case of one with every case of the others.
        Product = "product",
        /// The cases of one after those of the other; what a case does not set stays as the file has it.
        Append = "append",
    }
}

words! {
    /// Which cases keep a results file of their own.
    pub enum KeepWord {
        /// None: metrics only.
        None = "none",
        /// Every one.
        All = "all",
    }
}

table! {
    /// Many cases of this machine. A parameter is a key of this file, such as `"payload.mass"`, `"gravity.2"`
    /// or `"links.upper.override.PSHELL.3.T"`, or a name from `parameters`.
    ///
    /// ```toml
    /// [study]
    /// parameters  = { payload = "payload.mass", speed = [] }
    /// grid        = { payload = [0, 5, 10], speed = { from = 0.5, to = 2.0, count = 4 } }
    /// set         = { "joints.elbow.drive.motion.time" = "1 / speed" }
    /// metrics     = { worst = "1e3 * max(abs(tip.error))" }
    /// constraints = { close = "worst < 3" }
    /// ```
    pub struct StudyTable {
        /// Names for parameters, each with the key, or the list of keys, that it sets; none (`[]`) for one
        /// that only `set` uses.
        parameters: Named<Located<OneOrMany<String>>>;
        /// Every combination of these values.
        grid: Named<Located<AxisSpec>>;
        /// The first of each list, then the second, and so on.
        zip: Named<Located<AxisSpec>>;
        /// A CSV file: parameters in its first line, a case in each other line.
        list: Option<Located<PathBuf>>;
        /// Drawn values.
        sample: Option<SampleTable>;
        /// How `grid`, `zip`, `list` and `sample` go together.
        combine: CombineWord = CombineWord::Product, "product";
        /// Keys that are computed, each with an expression of the parameters.
        set: Named<Located<String>>;
        /// Conditions on the parameters that a case must meet to be in the study.
        filter: Option<OneOrMany<Located<String>>>;
        /// Metrics of each case by name: expressions such as `"max(abs(tip.error))"`. Those of a run when
        /// left out.
        metrics: Named<Located<String>>;
        /// Conditions on metrics and parameters, by name; a case passes or fails each.
        constraints: Named<Located<String>>;
        /// Two metrics that are both to be small (large with a minus in front): the cases that no other beats
        /// in both are marked.
        pareto: Option<[Located<String>; 2]>;
        /// Which cases keep a results file of their own.
        keep: KeepWord = KeepWord::None, "none";
        /// Longest time of a case (s); one that takes longer fails.
        time_limit: Option<f64>;
        /// Shortest time between two commits to disk (s). A kill costs no more than what came after the last.
        commit: f64 = 1.0, "1.0";
        /// On a cluster.
        slurm: Option<SlurmTable>;
    } check StudyTable::check
}

impl StudyTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        if self.grid.is_empty() && self.zip.is_empty() && self.list.is_none() && self.sample.is_none() {
            let hint = "give at least one of `grid`, `zip`, `list`, `sample`".to_owned();
            context.error_with_hint(span, "the study has no cases", Some(hint));
        }
        context.positive(&[("time_limit", self.time_limit)]);
        context.not_negative(&[("commit", Some(self.commit))]);
        for (key, time) in [("time_limit", self.time_limit), ("commit", Some(self.commit))] {
            if let Some(time) = time.filter(|time| *time > SECONDS) {
                context.error(
                    context.key(key),
                    format_args!("`{key}` must be at most {SECONDS:e} s, found {time}"),
                );
            }
        }
        for name in ["case", "status", "reason"] {
            let named = self.metrics.entries.iter().chain(&self.constraints.entries).map(|(name, _)| name);
            let named = named.chain(self.parameters.entries.iter().map(|(name, _)| name));
            for taken in named.filter(|given| given.value == name) {
                let hint = Some("choose another name".to_owned());
                let message = format!("`{name}` is the name of a column that every study has");
                context.error_with_hint(taken.span(), message, hint);
            }
        }
    }
}
