//! `[output]`: what is kept.

use crate::schema::{Context, Located};
use crate::{table, words};

words! {
    /// What the tip settles about.
    pub enum SettleWord {
        /// The nominal (rigid) tip: a static sag counts as error.
        Nominal = "nominal",
        /// The mean error after the motion has ended: residual vibration alone counts.
        FinalMean = "final-mean",
    }
}

table! {
    /// When the tip counts as settled.
    pub struct SettleTable {
        /// Its error stays within this (m).
        tolerance: f64;
        /// About what.
        about: SettleWord = SettleWord::Nominal, "nominal";
    } check SettleTable::check
}

words! {
    /// Groups of the results file.
    pub enum KeepWord {
        /// Motion and drives of joints.
        Joints = "joints",
        /// Poses and elastic coordinates of links.
        Links = "links",
        /// Rates of the elastic coordinates, with `links`.
        Rates = "rates",
        /// Loads in joints and on interfaces.
        Loads = "loads",
        /// The tip.
        Tip = "tip",
        /// Energies.
        Energy = "energy",
        /// Counters of the solver.
        Solver = "solver",
    }
}

table! {
    /// What is kept of a run.
    pub struct OutputTable {
        /// The tip, as `"link.interface"`; without it there is no tip error.
        tip: Option<Located<String>>;
        /// When the tip counts as settled; without it there is no settling time.
        settle: Option<SettleTable>;
        /// Time between outputs (s), rounded to whole steps where these are fixed; every step, or a thousandth of the run, when left out.
        every: Option<f64>;
        /// Groups that the results file keeps; all but `rates` when left out.
        keep: Option<Vec<KeepWord>>;
        /// Deformed shapes kept for ParaView and the report, evenly over the run; 0 for none.
        frames: u32 = 120, "120";
        /// Lossless compression of the results: smaller by about a sixth, and slower to write.
        compress: bool = false, "false";
    } check OutputTable::check
}

impl SettleTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.tolerance <= 0.0 {
            context.error(self.source.0, "`tolerance` must be positive");
        }
    }
}

impl OutputTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.every.is_some_and(|every| every <= 0.0) {
            context.error(self.source.0, "`every` must be positive");
        }
        if self.settle.is_some() && self.tip.is_none() {
            context.error(self.source.0, "`settle` needs a `tip` that settles");
        }
    }
}
