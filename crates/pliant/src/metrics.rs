//! The catalogue of metrics: every number of a run, with its name, units, meaning and the direction that is
//! better.
//!
//! Terminal, `--json`, `/metrics` of the results file, columns of studies and reports all take their names
//! from here. A name with `<…>` stands for one metric of each drive, force element or mode.

use pliant_store::results::MetricInfo;

use crate::run::{
    DriveSummary, Extreme, LifeSummary, LinkStress, LoadSummary, ModeSummary, SolverSummary, Summary,
    TipSummary,
};

/// Which values a designer prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Smaller ones.
    Smaller,
    /// Larger ones.
    Larger,
    /// Neither.
    Neither,
}

/// What a metric is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The tip: the pipeline file must name one.
    Tip,
    /// The tip and its settling: the pipeline file must say what settled means.
    Settling,
    /// Each driven coordinate of a joint.
    Drive,
    /// Each spring, damper, cylinder, distance and plane.
    Force,
    /// Each link whose stress is recovered.
    Stress,
    /// Each link whose strain is recovered.
    Strain,
    /// Each link whose stress is recovered, where something is known of what is allowed.
    Margin,
    /// Each strain gauge.
    Gauge,
    /// Each joint.
    JointLoad,
    /// Each link whose durability is assessed.
    Durability,
    /// Each of the lowest modes.
    Mode,
    /// Each of the modes of `[response]`: computed where a study asks for it.
    ResponseMode,
    /// Each servo, with `margins` of `[response]`: computed where a study asks for it.
    Loop,
    /// Along each axis of the world, with `compliance` of `[response]`: computed where a study asks for it.
    Compliance,
    /// The undamped machine at its start: computed where a study asks for it.
    Natural,
    /// The machine.
    Machine,
}

/// An entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Name; `<…>` stands for the name of a drive or force element, or the number of a mode.
    pub name: &'static str,
    /// Units; `N m or N` where they depend on the drive.
    pub units: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Which values a designer prefers.
    pub better: Better,
    /// What it is about.
    pub subject: Subject,
    value: Value,
}

/// How the value follows from the numbers of an analysis; none where the run has no such number.
#[derive(Clone, Copy, Debug)]
enum Value {
    Tip(fn(&TipSummary) -> Option<f64>),
    Drive(fn(&DriveSummary) -> Option<f64>),
    /// The worst link of all.
    Worst(fn(&LinkStress) -> Option<f64>, fn(f64, f64) -> f64),
    Link(fn(&LinkStress) -> Option<f64>),
    Gauge(fn(&Extreme) -> f64),
    JointLoad(fn(&LoadSummary) -> f64),
    /// Of the worst of all links.
    WorstLife(fn(&LifeSummary) -> f64),
    Life(fn(&LifeSummary) -> Option<f64>),
    Mode(End, fn(&ModeSummary) -> f64),
    Machine(fn(&Summary) -> f64),
    Natural,
    /// Of `[response]`, by its name.
    Response,
    Solver(fn(&SolverSummary) -> f64),
}

#[derive(Clone, Copy, Debug)]
enum End {
    Start,
    End,
}

const fn entry(
    subject: Subject,
    name: &'static str,
    units: &'static str,
    better: Better,
    description: &'static str,
    value: Value,
) -> Definition {
    Definition { name, units, description, better, subject, value }
}

use Better::{Larger, Neither, Smaller};

/// All metrics, in the order in which they are stored and shown.
#[rustfmt::skip]
pub const CATALOGUE: &[Definition] = &[
    entry(Subject::Tip, "tip_peak_error", "m", Smaller, "largest tip error", Value::Tip(|tip| Some(tip.peak_error))),
    entry(Subject::Tip, "tip_peak_time", "s", Neither, "time of the largest tip error", Value::Tip(|tip| Some(tip.peak_time))),
    entry(Subject::Tip, "tip_rms_error", "m", Smaller, "root mean square of the tip error over the run", Value::Tip(|tip| Some(tip.rms_error))),
    entry(Subject::Tip, "tip_peak_rotation", "rad", Smaller, "largest rotation error of the tip", Value::Tip(|tip| Some(tip.peak_rotation))),
    entry(Subject::Tip, "tip_residual_error", "m", Smaller, "largest tip error after the motion has ended, about what it settles to", Value::Tip(|tip| Some(tip.residual_error))),
    entry(Subject::Tip, "motion_end", "s", Neither, "time at which the last motion ends; infinite when one has no end", Value::Tip(|tip| tip.motion_end)),
    entry(Subject::Settling, "tip_settle_about_mean", "1", Neither, "1 when the tip settles about its mean error after the motion, 0 when about the nominal tip", Value::Tip(|tip| Some(f64::from(u8::from(tip.settle_about_mean))))),
    entry(Subject::Settling, "tip_settle_tolerance", "m", Neither, "the tip has settled when its error stays within this", Value::Tip(|tip| tip.settle_tolerance)),
    entry(Subject::Settling, "tip_settling_time", "s", Smaller, "time from the end of the motion until the tip has settled; infinite when it does not within the run", Value::Tip(|tip| tip.settling_time)),
    entry(Subject::Drive, "drive_peak_<drive>", "N m or N", Smaller, "largest magnitude of the drive's torque or force", Value::Drive(|drive| Some(drive.peak))),
    entry(Subject::Drive, "drive_rms_<drive>", "N m or N", Smaller, "root mean square of the drive's torque or force over the run", Value::Drive(|drive| Some(drive.rms))),
    entry(Subject::Drive, "drive_rigid_peak_<drive>", "N m or N", Smaller, "largest magnitude of the drive's torque or force in the rigid machine", Value::Drive(|drive| drive.rigid_peak)),
    entry(Subject::Force, "force_peak_<force>", "N", Smaller, "largest magnitude of the force along a spring, damper, cylinder, distance or plane", Value::Drive(|drive| Some(drive.peak))),
    entry(Subject::Force, "force_rms_<force>", "N", Smaller, "root mean square of the force along a spring, damper, cylinder, distance or plane over the run", Value::Drive(|drive| Some(drive.rms))),
    entry(Subject::Force, "force_rigid_peak_<force>", "N", Smaller, "largest magnitude of the force along a spring, damper, cylinder, distance or plane in the rigid machine", Value::Drive(|drive| drive.rigid_peak)),
    entry(Subject::Stress, "stress_peak", "Pa", Smaller, "largest equivalent stress (von Mises; of bars the axial stress) of all links", Value::Worst(|link| link.stress.as_ref().map(|peak| peak.value), f64::max)),
    entry(Subject::Stress, "stress_peak_<link>", "Pa", Smaller, "the same of a link", Value::Link(|link| link.stress.as_ref().map(|peak| peak.value))),
    entry(Subject::Stress, "stress_time_<link>", "s", Neither, "time of the largest equivalent stress of a link", Value::Link(|link| link.stress.as_ref().map(|peak| peak.time))),
    entry(Subject::Stress, "stress_element_<link>", "1", Neither, "number of the element with the largest equivalent stress of a link", Value::Link(|link| link.stress.as_ref().map(|peak| f64::from(peak.element)))),
    entry(Subject::Margin, "stress_margin", "1", Larger, "smallest of allowable/stress − 1 over all links: 0 where a limit is reached, negative beyond", Value::Worst(|link| link.margin.as_ref().map(|margin| margin.margin), f64::min)),
    entry(Subject::Margin, "stress_margin_<link>", "1", Larger, "the same of a link", Value::Link(|link| link.margin.as_ref().map(|margin| margin.margin))),
    entry(Subject::Strain, "strain_peak", "1", Smaller, "largest size of a principal strain (of bars the axial strain) of all links", Value::Worst(|link| link.strain.as_ref().map(|peak| peak.value), f64::max)),
    entry(Subject::Strain, "strain_peak_<link>", "1", Smaller, "the same of a link", Value::Link(|link| link.strain.as_ref().map(|peak| peak.value))),
    entry(Subject::Gauge, "gauge_peak_<gauge>", "1", Smaller, "largest size of the strain of a gauge", Value::Gauge(|gauge| gauge.peak)),
    entry(Subject::JointLoad, "joint_force_<joint>", "N", Smaller, "largest size of the force that a joint and its bearing carry", Value::JointLoad(|load| load.force.peak)),
    entry(Subject::JointLoad, "joint_moment_<joint>", "N m", Smaller, "largest size of the moment that a joint and its bearing carry, that of its drive included", Value::JointLoad(|load| load.moment.peak)),
    entry(Subject::Durability, "damage_peak", "1", Smaller, "largest damage of an element of all links, by all repeats", Value::WorstLife(|life| life.damage)),
    entry(Subject::Durability, "damage_peak_<link>", "1", Smaller, "the same of a link", Value::Life(|life| Some(life.damage))),
    entry(Subject::Durability, "damage_element_<link>", "1", Neither, "number of the element of a link with the largest damage", Value::Life(|life| life.element.map(f64::from))),
    entry(Subject::Durability, "life_repeats", "1", Larger, "repeats until the damage of an element of any link is 1; infinite where there is none", Value::WorstLife(|life| life.life)),
    entry(Subject::Durability, "life_repeats_<link>", "1", Larger, "the same of a link", Value::Life(|life| Some(life.life))),
    entry(Subject::Durability, "life_hours", "h", Larger, "running time until the damage of an element of any link is 1; infinite where there is none", Value::WorstLife(|life| life.hours)),
    entry(Subject::Durability, "life_hours_<link>", "h", Larger, "the same of a link", Value::Life(|life| Some(life.hours))),
    entry(Subject::Machine, "energy_worst_balance", "J", Smaller, "largest magnitude of the energy balance: the error of the integration", Value::Machine(|all| all.energy.worst_balance)),
    entry(Subject::Mode, "mode_<k>_start_frequency", "Hz", Larger, "frequency of mode <k> of the machine about its pose at the start", Value::Mode(End::Start, |mode| mode.frequency)),
    entry(Subject::Mode, "mode_<k>_start_ratio", "1", Larger, "damping ratio of mode <k> of the machine about its pose at the start", Value::Mode(End::Start, |mode| mode.ratio)),
    entry(Subject::Mode, "mode_<k>_end_frequency", "Hz", Larger, "frequency of mode <k> of the machine about its pose at the end", Value::Mode(End::End, |mode| mode.frequency)),
    entry(Subject::Mode, "mode_<k>_end_ratio", "1", Larger, "damping ratio of mode <k> of the machine about its pose at the end", Value::Mode(End::End, |mode| mode.ratio)),
    entry(Subject::ResponseMode, "mode_<k>_hz", "Hz", Larger, "frequency of mode <k> without damping, the lowest over the poses of [response]", Value::Response),
    entry(Subject::ResponseMode, "mode_<k>_damping", "1", Larger, "damping ratio of the mode <k> that oscillates, the smallest over the poses of [response]", Value::Response),
    entry(Subject::Loop, "gain_margin_<servo>", "1", Larger, "smallest factor above 1 that makes the loop of the servo unstable, the smallest over the poses of [response]; 0 where it is unstable", Value::Response),
    entry(Subject::Loop, "phase_margin_<servo>", "rad", Larger, "phase margin of the loop of the servo, the smallest over the poses of [response]; 0 where it is unstable", Value::Response),
    entry(Subject::Loop, "disk_margin_<servo>", "1", Larger, "disk margin α of the loop of the servo, the smallest over the poses of [response]; 0 where it is unstable", Value::Response),
    entry(Subject::Compliance, "compliance_<axis>", "m/N", Smaller, "displacement of the tip along x, y or z by a constant force along it, the largest over the poses of [response]", Value::Response),
    entry(Subject::Compliance, "dynamic_compliance_<axis>", "m/N", Smaller, "the same, the largest over the frequencies too", Value::Response),
    entry(Subject::Natural, "natural_frequency_1", "Hz", Larger, "lowest natural frequency of undamped vibration about the start, prescribed joints held; 0 where something is free to move", Value::Natural),
    entry(Subject::Machine, "mass", "kg", Smaller, "mass of all links and payloads", Value::Machine(|all| all.mass)),
    entry(Subject::Machine, "solver_steps", "1", Neither, "steps taken", Value::Solver(|solver| solver.steps as f64)),
    entry(Subject::Machine, "solver_iterations", "1", Neither, "equilibrium iterations", Value::Solver(|solver| solver.iterations as f64)),
    entry(Subject::Machine, "solver_cuts", "1", Neither, "steps that had to be halved", Value::Solver(|solver| solver.cuts as f64)),
    entry(Subject::Machine, "solver_rejected", "1", Neither, "steps refused by the error control", Value::Solver(|solver| solver.rejected as f64)),
    entry(Subject::Machine, "solver_worst_iterations", "1", Neither, "most iterations of one step", Value::Solver(|solver| solver.worst_iterations as f64)),
    entry(Subject::Machine, "solver_outputs", "1", Neither, "outputs", Value::Solver(|solver| solver.outputs as f64)),
    entry(Subject::Machine, "solver_seconds", "s", Neither, "wall time of the solver, storing included", Value::Solver(|solver| solver.seconds)),
];

/// Former names, which expressions and results files of the release before this one use.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("peak_error", "tip_peak_error"),
    ("rms_error", "tip_rms_error"),
    ("residual_error", "tip_residual_error"),
    ("tip_residual_peak", "tip_residual_error"),
    ("peak_rotation", "tip_peak_rotation"),
    ("settling", "tip_settling_time"),
    ("first_mode_hz", "natural_frequency_1"),
    ("steps", "solver_steps"),
    ("iterations", "solver_iterations"),
];

/// A metric of a run with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Name, units and description.
    pub info: MetricInfo,
    /// `None` when the run has no such number, as the settling time of a tip that does not settle.
    pub value: Option<f64>,
}

/// The entry of a name, and what stands for its `<…>`.
pub fn find(name: &str) -> Option<(&'static Definition, Option<&str>)> {
    CATALOGUE.iter().find_map(|definition| {
        let Some((before, rest)) = definition.name.split_once('<') else {
            return (definition.name == name).then_some((definition, None));
        };
        let (_, after) = rest.split_once('>')?;
        let part = name.strip_prefix(before)?.strip_suffix(after)?;
        let is_number = definition.name.contains("<k>");
        let is_axis = definition.subject == Subject::Compliance;
        let fits = !part.is_empty()
            && (!is_number || part.parse::<usize>().is_ok())
            && (!is_axis || matches!(part, "x" | "y" | "z"));
        fits.then_some((definition, Some(part)))
    })
}

/// The present name of a metric that was renamed.
pub fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(former, _)| *former == name).map(|(_, present)| *present)
}

impl Definition {
    fn metric(&self, part: Option<&str>, units: &str, value: Option<f64>) -> Metric {
        let fill = |text: &str| match (part, text.split_once('<')) {
            (Some(part), Some((before, rest))) => {
                let after = rest.split_once('>').map_or("", |(_, after)| after);
                format!("{before}{part}{after}")
            }
            _ => text.to_owned(),
        };
        let info = MetricInfo {
            name: fill(self.name),
            units: units.to_owned(),
            description: fill(self.description),
        };
        Metric { info, value }
    }

    /// Whether a link has the number, or will have it.
    fn is_of(&self, link: &LinkStress) -> bool {
        match self.subject {
            Subject::Margin => link.has.margin,
            Subject::Strain => link.has.strain,
            _ => link.has.stress,
        }
    }

    /// The metrics of this entry. Which they are depends on the machine and its file, not on how the run
    /// went.
    fn metrics(&self, summary: &Summary) -> Vec<Metric> {
        match self.value {
            Value::Tip(_) if !summary.has_tip => Vec::new(),
            Value::Tip(_) if self.subject == Subject::Settling && !summary.settles => Vec::new(),
            Value::Tip(value) => vec![self.metric(None, self.units, summary.tip.as_ref().and_then(value))],
            Value::Drive(value) => {
                let all = if self.subject == Subject::Drive { &summary.drives } else { &summary.forces };
                all.iter().map(|(name, drive)| self.metric(Some(name), drive.units, value(drive))).collect()
            }
            Value::Worst(value, worse) => {
                let all = summary.stress.values().filter(|link| self.is_of(link));
                let values: Vec<_> = all.map(value).collect();
                let worst = values.iter().flatten().copied().reduce(worse);
                if values.is_empty() { Vec::new() } else { vec![self.metric(None, self.units, worst)] }
            }
            Value::Link(value) => {
                let all = summary.stress.iter().filter(|(_, link)| self.is_of(link));
                all.map(|(name, link)| self.metric(Some(name), self.units, value(link))).collect()
            }
            Value::Gauge(value) => {
                let all = summary.gauges.iter();
                all.map(|(name, gauge)| self.metric(Some(name), self.units, Some(value(gauge)))).collect()
            }
            Value::JointLoad(value) => {
                let all = summary.joint_loads.iter();
                all.map(|(name, load)| self.metric(Some(name), self.units, Some(value(load)))).collect()
            }
            Value::WorstLife(value) => {
                let all = summary.durability.values();
                let worst = all.max_by(|a, b| a.damage.total_cmp(&b.damage));
                worst.map(|worst| self.metric(None, self.units, Some(value(worst)))).into_iter().collect()
            }
            Value::Life(value) => {
                let all = summary.durability.iter();
                all.map(|(name, life)| self.metric(Some(name), self.units, value(life))).collect()
            }
            Value::Mode(end, value) => {
                let modes = match end {
                    End::Start => &summary.modes.start,
                    End::End => &summary.modes.end,
                };
                let mode =
                    |k: usize| self.metric(Some(&(k + 1).to_string()), self.units, modes.get(k).map(value));
                (0..summary.modes.start.len()).map(mode).collect()
            }
            Value::Natural => {
                let all = summary.natural_frequency.iter();
                all.map(|hz| self.metric(None, self.units, Some(*hz))).collect()
            }
            Value::Response => {
                let own = |name: &str| {
                    find(name)
                        .filter(|(found, _)| found.name == self.name)
                        .map(|(_, part)| part.map(str::to_owned))
                };
                let all = summary.response.iter();
                let all = all.filter_map(|(name, value)| Some((own(name)?, *value)));
                all.map(|(part, value)| self.metric(part.as_deref(), self.units, Some(value))).collect()
            }
            Value::Machine(value) => vec![self.metric(None, self.units, Some(value(summary)))],
            Value::Solver(value) => vec![self.metric(None, self.units, Some(value(&summary.solver)))],
        }
    }
}

/// All metrics of an analysis, in the order of the catalogue.
pub fn metrics(summary: &Summary) -> Vec<Metric> {
    CATALOGUE.iter().flat_map(|definition| definition.metrics(summary)).collect()
}

/// The reference page of the catalogue, in Markdown.
pub fn metrics_page() -> String {
    let mut page = String::from(INTRODUCTION);
    for definition in CATALOGUE {
        let better = match definition.better {
            Smaller => "smaller",
            Larger => "larger",
            Neither => "",
        };
        let Definition { name, units, description, .. } = definition;
        // Markdown would take `<k>` for a tag.
        let description = description.replace('<', "&lt;");
        page.push_str(&format!("| `{name}` | {units} | {better} | {description} |\n"));
    }
    page.push_str("\nFormer names, still read:\n\n| former | present |\n|---|---|\n");
    for (former, present) in RENAMED {
        page.push_str(&format!("| `{former}` | `{present}` |\n"));
    }
    page
}

const INTRODUCTION: &str = "# Metrics

<!-- Written from crates/pliant/src/metrics.rs by the test `documentation` of crates/pliant. -->

The numbers of a run. They have the same names in the output of `pliant run --json`, in `/metrics` of the results file, in
the expressions and columns of a study and in reports. A number that a run does not have, as the settling time of a tip that
does not settle, is infinite in the results file, null in JSON and an empty cell in a study.

| metric | units | better | meaning |
|---|---|---|---|
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_their_parts() {
        let found = |name| find(name).map(|(definition, part)| (definition.name, part));
        assert_eq!(found("tip_peak_error"), Some(("tip_peak_error", None)));
        assert_eq!(found("drive_peak_elbow"), Some(("drive_peak_<drive>", Some("elbow"))));
        assert_eq!(found("mode_12_end_ratio"), Some(("mode_<k>_end_ratio", Some("12"))));
        assert_eq!(found("mode_x_end_ratio"), None);
        assert_eq!(found("drive_peak_"), None);
        assert_eq!(found("peak_error"), None);
    }

    #[test]
    fn former_names_lead_to_entries_and_are_none_themselves() {
        for (former, present) in RENAMED {
            assert!(find(present).is_some(), "{present}");
            assert!(find(former).is_none(), "{former}");
        }
    }
}
