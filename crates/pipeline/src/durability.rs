//! `[durability]`: damage and life of elements.

use std::path::PathBuf;

use crate::limits::SECONDS;
use crate::schema::{Context, Located, Named};
use crate::{table, words};

words! {
    /// What becomes of ranges of stress that do not close within the run.
    pub enum ResidueWord {
        /// The run follows itself: all of them close (ASTM E1049-85, 5.4.5).
        Repeated = "repeated",
        /// They count as half cycles (ASTM E1049-85, 5.4.4).
        HalfCycles = "half-cycles",
    }
}

words! {
    /// What is counted on the planes of an element.
    pub enum CriterionWord {
        /// Normal stress.
        Normal = "normal",
        /// Findley: shear stress and `findley_k` times the largest normal stress.
        Findley = "findley",
    }
}

words! {
    /// What an S–N curve does below its last point (Miner's rules).
    pub enum BelowWord {
        /// Smaller amplitudes do no damage: an endurance limit (the original rule).
        Limit = "limit",
        /// The slope goes on (the elementary rule).
        Elementary = "elementary",
        /// The slope k goes on as 2k − 1 (Haibach's rule).
        Haibach = "haibach",
    }
}

words! {
    /// Effect of mean stress.
    pub enum MeanWord {
        /// None.
        None = "none",
        /// Straight line to the tensile strength.
        Goodman = "goodman",
        /// Parabola to the tensile strength.
        Gerber = "gerber",
        /// Straight line to the yield stress.
        Soderberg = "soderberg",
        /// Straight line to the fracture strength.
        Morrow = "morrow",
        /// S_max^(1−γ) S_a^γ.
        Walker = "walker",
        /// Smith, Watson and Topper: √(S_max S_a).
        SmithWatsonTopper = "smith-watson-topper",
        /// Sensitivity M in four fields of the stress ratio (FKM).
        Fkm = "fkm",
    }
}

words! {
    /// Groups of materials of FKM.
    pub enum GroupWord {
        /// Wrought steel.
        Steel = "steel",
        /// Cast steel.
        CastSteel = "cast-steel",
        /// Nodular cast iron.
        NodularIron = "nodular-iron",
        /// Malleable cast iron.
        MalleableIron = "malleable-iron",
        /// Grey cast iron.
        GreyIron = "grey-iron",
        /// Wrought aluminium.
        WroughtAluminium = "wrought-aluminium",
        /// Cast aluminium.
        CastAluminium = "cast-aluminium",
    }
}

words! {
    /// How K_f follows from K_t.
    pub enum NotchWord {
        /// K_f = 1 + (K_t − 1)/(1 + a/r).
        Peterson = "peterson",
        /// K_f = 1 + (K_t − 1)/(1 + √(a/r)).
        Neuber = "neuber",
    }
}

table! {
    /// An S–N curve: lines in log N over log S through its points.
    ///
    /// ```toml
    /// [output]
    /// stress = {}
    ///
    /// [durability.links.arm]
    /// curve = { points = [[2e6, 71e6], [1e8, 33e6]], slope = 3, ranges = true, below = "limit" }
    /// ```
    pub struct SnCurveTable {
        /// Points `[cycles, stress]` (Pa), cycles rising and stress falling; one is enough with `slope`.
        points: Vec<[f64; 2]>;
        /// Slope k of N ∝ S^−k above the first point; that of the first two points when left out.
        slope: Option<f64>;
        /// What comes below the last point.
        below: BelowWord = BelowWord::Limit, "limit";
        /// Slope below the last point, instead of `below`.
        slope_below: Option<f64>;
        /// The stress is a range, as for welds; otherwise an amplitude.
        ranges: bool = false, "false";
        /// Stress ratio R = S_min/S_max of the tests.
        ratio: f64 = -1.0, "-1";
    } check SnCurveTable::check
}

table! {
    /// A notch that the mesh does not have: `kf`, or `kt` with `radius` and `length`.
    ///
    /// ```toml
    /// [output]
    /// stress = {}
    ///
    /// [durability.links.arm]
    /// material = "AISI 4340"
    /// notch    = { kt = 2.4, radius = 2e-3, length = 6e-5, law = "peterson" }
    /// ```
    pub struct NotchTable {
        /// Fatigue notch factor K_f.
        kf: Option<f64>;
        /// Theoretical factor K_t.
        kt: Option<f64>;
        /// Radius r of the notch (m).
        radius: Option<f64>;
        /// Length a of the material (m).
        length: Option<f64>;
        /// How K_f follows from K_t.
        law: NotchWord = NotchWord::Peterson, "peterson";
    } check NotchTable::check
}

table! {
    /// The material and surface of a link: `material` or `curve`.
    ///
    /// ```toml
    /// [output]
    /// stress = {}
    ///
    /// [durability.links.arm]
    /// material  = "AISI 4340"
    /// mean      = "walker"
    /// gamma     = 0.65
    /// surface   = 0.85
    /// ```
    pub struct DurabilityLinkTable {
        /// A material of the library: `SAE 1015`, `Man-Ten`, `RQC-100`, `SAE 4142`, `AISI 4340`, `2024-T4`,
        /// `Ti-6Al-4V`. [More about it](durability.md).
        material: Option<Located<String>>;
        /// Cycles at which the curve of a `material` has its knee; without it the line goes on.
        knee: Option<f64>;
        /// What comes below the knee of a `material`.
        below: BelowWord = BelowWord::Limit, "limit";
        /// An S–N curve.
        curve: Option<SnCurveTable>;
        /// Probability of survival; the curves of the library, and any with `scatter`, are those of a half.
        survival: Option<f64>;
        /// Scatter T_S = S_10/S_90 of the strength at a given life, for `survival`.
        scatter: Option<f64>;
        /// Effect of mean stress.
        mean: MeanWord = MeanWord::None, "none";
        /// Tensile strength (Pa), for `goodman`, `gerber`, `fkm` and `roughness`; that of a `material` when
        /// left out.
        ultimate: Option<f64>;
        /// Yield stress (Pa), for `soderberg`; that of a `material` when left out.
        yield_stress: Option<f64>;
        /// True fracture strength (Pa), for `morrow`; that of a `material` when left out.
        fracture: Option<f64>;
        /// Exponent γ, for `walker`.
        gamma: Option<f64>;
        /// Sensitivity M, for `fkm`; from `group` and `ultimate` when left out.
        sensitivity: Option<f64>;
        /// Group of the material, for `fkm` and `roughness`; that of a `material` when left out.
        group: Option<GroupWord>;
        /// A notch.
        notch: Option<NotchTable>;
        /// Roughness R_z (m): K_R of FKM.
        roughness: Option<f64>;
        /// Surface factor K_R itself.
        surface: Option<f64>;
        /// A further factor on stress, as that of safety.
        factor: f64 = 1.0, "1";
    } check DurabilityLinkTable::check
}

table! {
    /// A part of this run, or of another one of the same links, that happens several times.
    ///
    /// ```toml
    /// [output]
    /// stress = {}
    ///
    /// [durability]
    /// blocks = [{ from = 0, to = 1, repeat = 1000 }, { from = 1, to = 2, repeat = 10 }]
    ///
    /// [durability.links.arm]
    /// material = "AISI 4340"
    /// ```
    pub struct BlockTable {
        /// Results file of another run, relative to this file; its links must be the same. This run when left
        /// out.
        run: Option<Located<PathBuf>>;
        /// Start (s); that of the run when left out.
        from: Option<f64>;
        /// End (s); that of the run when left out.
        to: Option<f64>;
        /// How often it happens.
        repeat: f64;
    } check BlockTable::check
}

table! {
    /// Damage and life of the elements whose stress `[output] stress` recovers. [More about
    /// it](durability.md).
    ///
    /// ```toml
    /// [output]
    /// stress = {}
    ///
    /// [durability]
    /// repeat = 1e6
    ///
    /// [durability.links.arm]
    /// material = "AISI 4340"
    /// mean     = "goodman"
    /// ```
    pub struct DurabilityTable {
        /// The links that are assessed, by name.
        links: Named<DurabilityLinkTable>;
        /// How often the run happens; damage is that of all repeats, life counts in them.
        repeat: Option<f64>;
        /// Parts of this run and of others, each with its repeats, instead of `repeat`; life counts in
        /// sequences of all.
        blocks: Option<Vec<BlockTable>>;
        /// What becomes of ranges that do not close.
        residue: ResidueWord = ResidueWord::Repeated, "repeated";
        /// What is counted on the planes of an element.
        criterion: CriterionWord = CriterionWord::Normal, "normal";
        /// Findley's k.
        findley_k: f64 = 0.3, "0.3";
    } check DurabilityTable::check
}

impl SnCurveTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("slope", self.slope), ("slope_below", self.slope_below)]);
        if self.points.is_empty() {
            context.error(self.source.0, "`points` needs a point `[cycles, stress]`");
        }
    }
}

impl NotchTable {
    fn check(&self, context: &mut Context<'_>) {
        let theoretical = [self.kt, self.radius, self.length];
        let fits = match self.kf {
            Some(_) => theoretical == [None; 3],
            None => theoretical.iter().all(Option::is_some),
        };
        if !fits {
            context.error(self.source.0, "a notch has either `kf`, or `kt`, `radius` and `length`");
        }
    }
}

impl BlockTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("repeat", Some(self.repeat))]);
        let (Some(from), Some(to)) = (self.from, self.to) else { return };
        if from >= to || to > SECONDS {
            context.error(self.source.0, format_args!("`to` must be after `from`, found {from} to {to}"));
        }
    }
}

impl DurabilityLinkTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        if self.material.is_some() == self.curve.is_some() {
            context.error(span, "exactly one of `material` and `curve` must be given");
        }
        if self.material.is_none() && self.knee.is_some() {
            context.error(span, "`knee` belongs to `material`; a `curve` has its knees in `points`");
        }
        if self.survival.is_some() != self.scatter.is_some() {
            context.error(span, "`survival` and `scatter` belong together");
        }
        if self.roughness.is_some() && self.surface.is_some() {
            context.error(span, "`roughness` and `surface` both give the factor of the surface");
        }
        let positive = [
            ("knee", self.knee),
            ("ultimate", self.ultimate),
            ("yield_stress", self.yield_stress),
            ("fracture", self.fracture),
            ("gamma", self.gamma),
            ("roughness", self.roughness),
            ("surface", self.surface),
            ("factor", Some(self.factor)),
        ];
        context.positive(&positive);
    }
}

impl DurabilityTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("repeat", self.repeat)]);
        if self.links.is_empty() {
            context
                .error(self.source.0, "`links` names none: `[durability.links.NAME]` says of what a link is");
        }
        if self.repeat.is_some() && self.blocks.is_some() {
            context.error(self.source.0, "`repeat` and `blocks` both say how often; give one of them");
        }
        if self.blocks.as_ref().is_some_and(Vec::is_empty) {
            context.error(self.source.0, "`blocks` has no block");
        }
    }
}
