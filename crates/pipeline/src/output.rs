//! `[output]`: what is kept.

use crate::limits::FRAMES;
use crate::schema::{Context, Located, Named};
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

words! {
    /// A face of a shell.
    pub enum FaceWord {
        /// On the side of its normal.
        Top = "top",
        /// On the other side.
        Bottom = "bottom",
    }
}

table! {
    /// A strain gauge on the nearest face of a shell or solid.
    pub struct GaugeTable {
        /// The link it is glued to.
        link: Located<String>;
        /// Where, in the coordinates and units of the deck (basic frame).
        at: [f64; 3];
        /// Along which it measures.
        direction: [f64; 3];
        /// Which face of a shell.
        face: FaceWord = FaceWord::Top, "top";
    }
}

table! {
    /// Elements whose stress, or strain, is recovered: the largest over the run, and at each frame for
    /// ParaView.
    pub struct ElementsTable {
        /// Links; all that have elements when left out.
        links: Option<Vec<Located<String>>>;
        /// Numbers of elements; all when neither these nor `properties` are given.
        elements: Option<Vec<u32>>;
        /// Numbers of properties whose elements are recovered.
        properties: Option<Vec<u32>>;
        /// Numbers of elements whose components are kept at every output.
        history: Option<Vec<u32>>;
    }
}

table! {
    /// The equivalent stress that is allowed, such as the yield stress: runs report margins to it. What is
    /// not named has the smallest of ST, SC and √3 SS of its MAT1 or MAT2, where the deck gives them.
    pub struct AllowableTable {
        /// Of all elements that are not named otherwise (Pa).
        all: Option<f64>;
        /// Of the elements of links by name (Pa).
        links: Named<f64>;
        /// Of the elements of a material of a link, as `"link.5"` with the number of the material (Pa).
        materials: Named<f64>;
    } check AllowableTable::check
}

table! {
    /// What is kept of a run.
    pub struct OutputTable {
        /// The tip, as `"link.interface"`; without it there is no tip error.
        tip: Option<Located<String>>;
        /// When the tip counts as settled; without it there is no settling time. It has settled when it has
        /// stayed within the tolerance for two periods of the residual vibration before the run ends.
        settle: Option<SettleTable>;
        /// Time between outputs (s), rounded to complete steps where these are fixed; every step, or a
        /// thousandth of the run, when left out.
        every: Option<f64>;
        /// Groups that the results file keeps; all but `rates` when left out.
        keep: Option<Vec<KeepWord>>;
        /// Deformed shapes kept for ParaView and the report, evenly over the run; 0 for none.
        frames: u32 = 120, "120";
        /// Stress recovered from the motion; none when left out. `{}` takes all elements.
        stress: Option<ElementsTable>;
        /// Strain recovered from the motion, chosen as stress is; none when left out.
        strain: Option<ElementsTable>;
        /// The stress that is allowed, for margins; needs `stress`.
        allowable: Option<AllowableTable>;
        /// Strain gauges by name.
        gauges: Named<GaugeTable>;
        /// Lossless compression of the results: smaller by a sixth to a third, and many times slower to
        /// write.
        compress: bool = false, "false";
    } check OutputTable::check
}

impl SettleTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(self.source.0, &[("tolerance", Some(self.tolerance))]);
    }
}

impl AllowableTable {
    fn check(&self, context: &mut Context<'_>) {
        let named = self.links.iter().chain(self.materials.iter());
        let all: Vec<(&str, Option<f64>)> = named.map(|(name, value)| (name, Some(*value))).collect();
        context.positive(self.source.0, &[("all", self.all)]);
        context.positive(self.source.0, &all);
    }
}

impl OutputTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(self.source.0, &[("every", self.every)]);
        if self.frames > FRAMES {
            let message = format_args!("`frames` must be at most {FRAMES}, found {}", self.frames);
            context.error(self.source.0, message);
        }
        let recovers = self.stress.is_some() || self.strain.is_some() || !self.gauges.is_empty();
        if recovers && self.keep.as_ref().is_some_and(|keep| !keep.contains(&KeepWord::Links)) {
            context.error(self.source.0, "`stress`, `strain` and `gauges` need `links` in `keep`");
        }
        if let (Some(allowable), None) = (&self.allowable, &self.stress) {
            context.error(allowable.source.0, "`allowable` needs `stress`: `stress = {}` takes all elements");
        }
        if self.settle.is_some() && self.tip.is_none() {
            context.error(self.source.0, "`settle` needs a `tip`");
        }
    }
}
