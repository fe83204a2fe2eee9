//! From a results file to the report's plain numbers.

use std::collections::BTreeMap;

use crate::metrics::renamed;
use pliant_report::{
    About, Analysis, AnalysisDrive, Drive, Energy, Input, JointMotion, LinkHealth, MachineMode, Run,
    Settling, Solver, Tip, TipNumbers,
};
use pliant_store::results::{LinkInfo, ResultsError, ResultsFile, Series};

/// A run with at most `frames` frames of the machine.
pub fn run(file: &ResultsFile, frames: Option<usize>) -> Result<Run, ResultsError> {
    let metrics = metrics(file, "")?;
    let number = |name: &str| metrics.get(name).copied().filter(|x| x.is_finite());
    let times = file.series("/time")?.values;
    let info = file.inputs()?;
    let state = file.attribute("state");
    let mut remarks = vec![file.attribute("analysis")];
    if state != "complete" {
        remarks.push(format!("{state}: the run did not reach its end"));
    }
    let machine = super::machine::machine(file, &times, frames)?;
    if machine.is_none() {
        remarks.push("the machine is not drawn: its links or their shapes were not kept".to_owned());
    }
    let title = if info.title.is_empty() { "Run".to_owned() } else { info.title };
    let about = About {
        title,
        source: file.path().display().to_string(),
        program: format!("{} {}", file.attribute("program"), file.attribute("program_version")),
        created: file.attribute("created"),
        remarks,
    };
    let warnings = file.warnings("")?.into_iter();
    Ok(Run {
        about,
        motion_end: number("motion_end"),
        tip: tip(file, &number)?,
        joints: joints(file, "")?,
        energy: energy(file)?,
        solver: solver(&number),
        modes: modes(&number),
        histories: [super::elements::histories(file)?, super::loads::histories(file)?].concat(),
        loads: super::loads::loads(file, &times)?,
        extremes: super::elements::extremes(file)?,
        analyses: analyses(file)?,
        links: info.links.into_iter().map(link).collect(),
        warnings: warnings.map(|w| format!("t = {:.6} s, {}: {}", w.t, w.subject, w.message)).collect(),
        inputs: info
            .files
            .into_iter()
            .map(|input| Input { path: input.path, sha256: input.sha256 })
            .collect(),
        machine,
        times,
    })
}

/// Finite metrics by name.
type Number<'a> = dyn Fn(&str) -> Option<f64> + 'a;

fn solver(number: &Number<'_>) -> Option<Solver> {
    let count = |name: &str| number(name).map_or(0, |x| x as u64);
    number("solver_steps").map(|steps| Solver {
        steps: steps as u64,
        iterations: count("solver_iterations"),
        cuts: count("solver_cuts"),
        rejected: count("solver_rejected"),
        seconds: number("solver_seconds"),
    })
}

/// Modes of the machine, as long as the file numbers them.
fn modes(number: &Number<'_>) -> Vec<MachineMode> {
    let mode = |k: usize| {
        let of = |end: &str| {
            let part = |what: &str| number(&format!("mode_{k}_{end}_{what}"));
            part("frequency").zip(part("ratio"))
        };
        MachineMode { start: of("start"), end: of("end") }
    };
    (1..).map(mode).take_while(|mode| mode.start.is_some()).collect()
}

fn tip_numbers(number: &Number<'_>) -> TipNumbers {
    TipNumbers {
        peak: number("tip_peak_error"),
        peak_time: number("tip_peak_time"),
        rms: number("tip_rms_error"),
        peak_rotation: number("tip_peak_rotation"),
        residual_peak: number("tip_residual_error"),
        settling_time: number("tip_settling_time"),
    }
}

/// All analyses of a file that has more than one.
fn analyses(file: &ResultsFile) -> Result<Vec<Analysis>, ResultsError> {
    let all = file.analyses();
    if all.len() < 2 {
        return Ok(Vec::new());
    }
    let one = |(kind, prefix): &(String, String)| {
        let metrics = metrics(file, prefix)?;
        let number = |name: &str| metrics.get(name).copied().filter(|x| x.is_finite());
        let drive = |joint: JointMotion| {
            let (name, is_angle) = (joint.name, joint.is_angle);
            joint.drive.map(|drive| AnalysisDrive { name, is_angle, values: drive.flexible })
        };
        Ok(Analysis {
            kind: kind.clone(),
            times: file.series(&format!("{prefix}/time"))?.values,
            error: vector(file, &format!("{prefix}/tip/error"))?,
            numbers: tip_numbers(&number),
            drives: joints(file, prefix)?.into_iter().filter_map(drive).collect(),
            solver: solver(&number),
        })
    };
    all.iter().map(one).collect()
}

fn metrics(file: &ResultsFile, prefix: &str) -> Result<BTreeMap<String, f64>, ResultsError> {
    let named = |series: Series| {
        let name = series.path.rsplit('/').next().unwrap_or_default();
        series.values.first().map(|value| (renamed(name).unwrap_or(name).to_owned(), *value))
    };
    Ok(file.metrics(prefix)?.into_iter().filter_map(named).collect())
}

/// Numbers at a path; none when they were not kept.
pub(super) fn optional(file: &ResultsFile, path: &str) -> Result<Option<Series>, ResultsError> {
    if file.has(path) { file.series(path).map(Some) } else { Ok(None) }
}

fn vector(file: &ResultsFile, path: &str) -> Result<[Vec<f64>; 3], ResultsError> {
    let Some(series) = optional(file, path)? else { return Ok(Default::default()) };
    Ok([0, 1, 2].map(|c| series.column(c).collect()))
}

fn tip(file: &ResultsFile, number: &Number<'_>) -> Result<Option<Tip>, ResultsError> {
    if !file.has("/tip/error") {
        return Ok(None);
    }
    let settling = number("tip_settle_tolerance").map(|tolerance| Settling {
        tolerance,
        about_final_mean: number("tip_settle_about_mean") == Some(1.0),
    });
    Ok(Some(Tip {
        name: "tip".to_owned(),
        error: vector(file, "/tip/error")?,
        nominal: vector(file, "/tip/nominal")?,
        settling,
        numbers: tip_numbers(number),
    }))
}

/// Joints in the order of the pipeline file.
fn joints(file: &ResultsFile, prefix: &str) -> Result<Vec<JointMotion>, ResultsError> {
    let mut joints = Vec::new();
    for name in file.joints(prefix) {
        let at = |what: &str| optional(file, &format!("{prefix}/joints/{name}/{what}"));
        // The velocity has the coordinates: the position of a spherical joint is a quaternion.
        let Some(velocity) = at("velocity")? else { continue };
        let count = velocity.width();
        let (position, nominal) = (at("position")?, at("nominal_position")?);
        let (torque, rigid) = (at("torque")?, at("rigid_torque")?);
        let units = file.words(&velocity.path, "coordinate_units");
        let drives = file.words(&velocity.path, "drives");
        for k in 0..count {
            let column = |series: &Option<Series>| -> Vec<f64> {
                series.as_ref().filter(|s| s.width() == count).map_or(Vec::new(), |s| s.column(k).collect())
            };
            let label = velocity.labels.get(k).filter(|_| count > 1);
            // Files of the first release do not say it: a drive is what has a torque.
            let driven = drives
                .get(k)
                .map_or_else(|| column(&torque).iter().any(|x| *x != 0.0), |drive| drive != "free");
            let is_angle = units.get(k).map_or(velocity.units.starts_with("rad"), |unit| unit == "rad");
            joints.push(JointMotion {
                name: label.map_or(name.clone(), |label| format!("{name}.{label}")),
                is_angle,
                position: column(&position),
                nominal_position: column(&nominal),
                velocity: velocity.column(k).collect(),
                drive: driven.then(|| Drive { flexible: column(&torque), rigid: column(&rigid) }),
            });
        }
    }
    Ok(joints)
}

fn energy(file: &ResultsFile) -> Result<Option<Energy>, ResultsError> {
    if !file.has("/energy/kinetic") {
        return Ok(None);
    }
    let of = |name: &str| file.series(&format!("/energy/{name}")).map(|series| series.values);
    Ok(Some(Energy {
        kinetic: of("kinetic")?,
        strain: of("strain")?,
        gravity: of("gravity")?,
        drive_work: of("drive_work")?,
        load_work: of("load_work")?,
        dissipated: of("dissipated")?,
        balance: of("balance")?,
    }))
}

fn link(link: LinkInfo) -> LinkHealth {
    let integer = |name: &str| link.number(name).map(|x| x as u64);
    LinkHealth {
        mass: link.number("mass"),
        mesh_dofs: integer("mesh_components"),
        coordinates: integer("coordinates"),
        mass_error: link.number("mass_error"),
        inertia_error: link.number("inertia_error"),
        grounding: link.number("grounding"),
        first_frequency: link.number("first_frequency").zip(link.number("first_frequency_of_mesh")),
        modes_hz: link.modes_hz,
        failed: link.accepted,
        name: link.name,
    }
}
