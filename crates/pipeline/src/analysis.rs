//! `[analysis]`: what is computed.

use serde_json::json;

use crate::limits::STEPS;
use crate::schema::{Context, FromValue, OneOrMany, TypeDoc};
use crate::{Value, ValueKind, table, words};

words! {
    /// Which equations are solved.
    pub enum KindWord {
        /// Flexible links, all coupling.
        Nonlinear = "nonlinear",
        /// Small vibration about the nominal rigid motion, with the time-varying matrices of its exact
        /// linearisation.
        Linear = "linear",
        /// Links in balance with gravity, loads and the inertia forces of the nominal motion; no vibration.
        QuasiStatic = "quasi-static",
        /// All links and bearings rigid.
        Rigid = "rigid",
        /// Static equilibrium under gravity, loads and commands at each time, which is the parameter of a
        /// load continuation: all rates zero, each solution starting from the one before.
        Static = "static",
    }
}

words! {
    /// Time integration.
    pub enum IntegratorWord {
        /// Constant average acceleration: no numerical damping.
        Newmark = "newmark",
        /// Hilber, Hughes and Taylor, with `alpha`.
        Hht = "hht",
        /// Chung and Hulbert, with `rho_inf`.
        GeneralizedAlpha = "generalized-alpha",
    }
}

words! {
    /// What is done about constraints that say nothing new.
    pub enum RedundantWord {
        /// The run is refused and they are named.
        Refuse = "refuse",
        /// The smallest of the reactions that do the same are taken.
        LeastNorm = "least-norm",
    }
}

words! {
    /// What the tip is compared with.
    pub enum NominalWord {
        /// The machine with rigid links and bearings, servos and cylinders on their commands.
        Rigid = "rigid",
        /// The commanded `[path]` of the tip.
        Path = "path",
        /// Nothing: there is no tip error.
        None = "none",
    }
}

words! {
    /// Where a run starts.
    pub enum StartWord {
        /// Undeformed.
        Undeformed = "undeformed",
        /// In static equilibrium under gravity and the loads. Joints that nothing holds (no command, spring
        /// or servo, and no loop or force element in the machine) need `start = { hold = true }`.
        Equilibrium = "equilibrium",
        /// In balance with gravity, the loads and the inertia forces of the joint rates at the start: no
        /// vibration of a machine that spins. Joints with a rate keep it; the others are as for
        /// `equilibrium`.
        Steady = "steady",
    }
}

/// How steps are chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum StepSpec {
    /// The same step throughout (s).
    Fixed(f64),
    /// Steps by their error.
    Controlled(StepTable),
}

impl FromValue for StepSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        if matches!(value.kind, ValueKind::Table(_)) {
            return StepTable::from_value(value, context).map(Self::Controlled);
        }
        let step = f64::from_value(value, context)?;
        if step <= 0.0 {
            context.error(value.span, format_args!("the step must be positive, found {}", value.kind));
            return None;
        }
        Some(Self::Fixed(step))
    }

    fn doc() -> TypeDoc {
        let table = StepTable::doc();
        let json = json!({ "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, table.json] });
        TypeDoc { words: format!("number (s), or {}", table.words), json, tables: table.tables }
    }
}

table! {
    /// Steps that keep the local error of the displacements small.
    ///
    /// ```toml
    /// [analysis]
    /// end  = 2.0
    /// step = { tolerance = 1e-5, min = 1e-6, max = 2e-3 }
    /// ```
    pub struct StepTable {
        /// Error of a step over the largest displacement per `max` seen so far.
        tolerance: f64 = 1e-4, "1e-4";
        /// Smallest step (s); a run that needs a smaller one ends with an error.
        min: f64;
        /// Largest step (s).
        max: f64;
    } check StepTable::check
}

table! {
    /// When the equilibrium iteration of a step stops.
    ///
    /// ```toml
    /// [analysis]
    /// end    = 2.0
    /// step   = 5e-4
    /// newton = { max_iterations = 30, force_tolerance = 1e-9 }
    /// ```
    pub struct NewtonTable {
        /// Most iterations before the step is cut. An equilibrium at the start or of `static` takes at most
        /// so many with the stiffness of links alone, then at most so many with the exact one.
        max_iterations: u32 = 16, "16";
        /// Energy of the correction that is left over that of the entire change of the step.
        energy_tolerance: f64 = 1e-10, "1e-10";
        /// Residual over the size of the forces.
        force_tolerance: f64 = 1e-8, "1e-8";
        /// How often a step may be halved.
        max_cuts: u32 = 10, "10";
    } check NewtonTable::check
}

table! {
    /// What is computed, and how.
    ///
    /// ```toml
    /// [analysis]
    /// kind  = ["nonlinear", "quasi-static"]
    /// end   = 2.0
    /// step  = 5e-4
    /// start = "equilibrium"
    /// ```
    pub struct AnalysisTable {
        /// Which equations are solved; several in a list run side by side and are compared.
        kind: OneOrMany<KindWord> = OneOrMany(vec![KindWord::Nonlinear]), "nonlinear";
        /// Time of the end (s).
        end: f64;
        /// Step.
        step: StepSpec;
        /// Time integration.
        integrator: IntegratorWord = IntegratorWord::Newmark, "newmark";
        /// Numerical damping of `hht`, from 0 to 1/3; 0.05 when left out.
        alpha: Option<f64>;
        /// Spectral radius of `generalized-alpha` at infinite frequency, from 0 to 1; 0.9 when left out.
        rho_inf: Option<f64>;
        /// State at the start.
        start: StartWord = StartWord::Undeformed, "undeformed";
        /// What the tip error and the rigid drive torques are measured against. A `nonlinear` run goes on
        /// where the rigid machine cannot move; from there on it has no tip error.
        nominal: NominalWord = NominalWord::Rigid, "rigid";
        /// What is done about redundant constraints of closed loops; the motion does not depend on it. The
        /// `rigid` analysis of a machine with flexible links or bearings takes the least norm by itself and
        /// says so.
        redundant: RedundantWord = RedundantWord::Refuse, "refuse";
        /// When the iteration of a step stops.
        newton: Option<NewtonTable>;
        /// Second-order displacement of the links; `false` leaves it out of all of them, to compare.
        second_order: bool = true, "true";
    } check AnalysisTable::check
}

impl StepTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("tolerance", Some(self.tolerance)), ("min", Some(self.min))]);
        if self.max < self.min {
            let message = format_args!("`max` must not be below `min`, found {} and {}", self.max, self.min);
            context.error(context.key("max"), message);
        }
    }
}

impl NewtonTable {
    fn check(&self, context: &mut Context<'_>) {
        let iterations = self.max_iterations as f64;
        let positive = [
            ("max_iterations", Some(iterations)),
            ("energy_tolerance", Some(self.energy_tolerance)),
            ("force_tolerance", Some(self.force_tolerance)),
        ];
        context.positive(&positive);
        if self.max_cuts > 30 {
            let message = format_args!("`max_cuts` must be at most 30, found {}", self.max_cuts);
            let hint = "a step halved more often is below the rounding of the time".to_owned();
            context.error_with_hint(context.key("max_cuts"), message, Some(hint));
        }
    }
}

impl AnalysisTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        context.positive(&[("end", Some(self.end))]);
        let steps = match &self.step {
            StepSpec::Fixed(step) => self.end / step,
            StepSpec::Controlled(steps) => self.end / steps.max,
        };
        if steps > STEPS {
            let message =
                format_args!("a run has at most {STEPS:e} steps, but `end` and `step` give {steps:e}");
            context.error(span, message);
        }
        if let StepSpec::Controlled(steps) = &self.step
            && steps.min < self.end * f64::EPSILON
        {
            let message = format_args!(
                "`min` is {} s, too small to change the time at its end; expected {:.1e} s or more",
                steps.min,
                self.end * f64::EPSILON
            );
            context.error(steps.source.0, message);
        }
        let kinds = &self.kind.0;
        if kinds.is_empty() {
            context.error(context.key("kind"), "`kind` must not be an empty list");
        }
        for (i, kind) in kinds.iter().enumerate().filter(|(i, kind)| kinds[..*i].contains(kind)) {
            let message =
                format_args!("`kind` lists \"{}\" twice, the second time as entry {}", kind.as_str(), i + 1);
            context.error(context.key("kind"), message);
        }
        let needs_rigid = |kind: &&KindWord| matches!(kind, KindWord::Linear | KindWord::QuasiStatic);
        if let (Some(kind), true) = (kinds.iter().find(needs_rigid), self.nominal != NominalWord::Rigid) {
            let message = format_args!(
                "kind = \"{}\" needs nominal = \"rigid\", found \"{}\": it computes deviations from the rigid motion",
                kind.as_str(),
                self.nominal.as_str()
            );
            context.error(span, message);
        }
        let integrator = self.integrator.as_str();
        if self.alpha.is_some() && self.integrator != IntegratorWord::Hht {
            context.error(
                context.key("alpha"),
                format_args!("`alpha` needs integrator = \"hht\", found \"{integrator}\""),
            );
        }
        if self.rho_inf.is_some() && self.integrator != IntegratorWord::GeneralizedAlpha {
            context.error(
                context.key("rho_inf"),
                format_args!("`rho_inf` needs integrator = \"generalized-alpha\", found \"{integrator}\""),
            );
        }
        if let Some(alpha) = self.alpha.filter(|alpha| !(0.0..=1.0 / 3.0).contains(alpha)) {
            context.error(
                context.key("alpha"),
                format_args!("`alpha` must lie between 0 and 1/3, found {alpha}"),
            );
        }
        if let Some(rho) = self.rho_inf.filter(|rho| !(0.0..=1.0).contains(rho)) {
            context.error(
                context.key("rho_inf"),
                format_args!("`rho_inf` must lie between 0 and 1, found {rho}"),
            );
        }
    }
}
