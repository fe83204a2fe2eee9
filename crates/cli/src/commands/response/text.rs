//! The facts for people.

use std::io::{self, Write};

use nalgebra::Complex;
use pliant::response::{PoseResponse, ResponseResult, Worst};
use pliant_dynamics::response::{LoopMargins, ModeKind, UndampedMode, energy_label};

use super::Report;
use crate::number::{counted, real, seconds};
use crate::terminal::Style;

/// Poses whose modes are listed one by one; of more a table is printed.
const LISTED: usize = 3;
/// Rows of that table, and frequencies in each.
const ROWS: usize = 25;
const COLUMNS: usize = 6;

/// Problems first, then what was found.
pub(super) fn print<W: Write>(
    out: &mut W,
    style: Style,
    report: &Report<Option<ResponseResult>>,
    quiet: bool,
) -> io::Result<()> {
    report.print(out, style, quiet, |out, result| {
        let Some(result) = result else { return Ok(()) };
        found(out, style, result)?;
        writeln!(out, "{} in {}", counted(result.poses.len(), "pose"), seconds(report.seconds))
    })
}

fn found(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    if result.poses.len() <= LISTED {
        for pose in &result.poses {
            modes(out, style, result, pose)?;
        }
    } else {
        along(out, style, result)?;
    }
    inertias(out, style, result)?;
    margins(out, style, result)?;
    compliance(out, style, result)?;
    responses(out, style, result)
}

/// Of each drive the inertia it sees at the first pose, and the modes that have most of it.
fn inertias(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    let Some(first) = result.poses.first().filter(|_| !result.drives.is_empty()) else { return Ok(()) };
    writeln!(
        out,
        "{} that drives see at the first pose, and modes that have a part of it",
        style.bold("inertias")
    )?;
    for (d, (drive, total)) in result.drives.iter().zip(&first.drive_inertia).enumerate() {
        let share = |mode: &UndampedMode| mode.effective[d] / total;
        let mut modes: Vec<(usize, f64)> = first.undamped.iter().map(share).enumerate().collect();
        modes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let large = modes.iter().take(4).filter(|(_, share)| *share >= 0.005);
        let parts: Vec<String> =
            large.map(|(k, share)| format!("mode {} {:.1} %", k + 1, 100.0 * share)).collect();
        let joint = result.joints.iter().position(|joint| joint == drive);
        let is_angle = joint.is_none_or(|k| result.joint_units[k] == "rad");
        let units = if is_angle { "kg m²" } else { "kg" };
        writeln!(out, "  {drive}: {} {units}; {}", real(*total), parts.join(", "))?;
    }
    Ok(())
}

/// The worst compliance of the tip over the poses.
fn compliance(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    if result.poses.iter().all(|pose| pose.compliance.is_none()) {
        return Ok(());
    }
    writeln!(out, "{} of the tip, the largest over the poses", style.bold("compliance"))?;
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        let at_rest = result.most(|pose| Some(pose.compliance?.at_rest[k]));
        let largest = result.most(|pose| Some(pose.compliance?.largest[k]));
        let (Some(at_rest), Some(largest)) = (at_rest, largest) else {
            writeln!(out, "  {axis}: nothing holds the tip")?;
            continue;
        };
        let hz = result.poses[largest.pose].compliance.map_or(0.0, |c| c.largest_hz[k]);
        writeln!(
            out,
            "  {axis}: {} m/N at rest (pose {}), {} m/N at {} Hz (pose {})",
            real(at_rest.value),
            at_rest.pose + 1,
            real(largest.value),
            real(hz),
            largest.pose + 1
        )?;
    }
    Ok(())
}

/// Of each loop the margins, the worst over the poses.
fn margins(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    let Some(first) = result.poses.first().filter(|pose| !pose.margins.is_empty()) else { return Ok(()) };
    let many = result.poses.len() > 1;
    let over = if many { ", the worst over the poses" } else { "" };
    writeln!(out, "{} of servo loops{over}", style.bold("margins"))?;
    for (k, servo) in first.margins.iter().enumerate() {
        let all = || result.poses.iter().map(|pose| &pose.margins[k]);
        if let Some(unstable) = all().position(|m| !m.stable) {
            let where_ =
                if result.poses.len() > 1 { format!(" at pose {}", unstable + 1) } else { String::new() };
            writeln!(out, "  {}: {}", servo.name, style.yellow(&format!("unstable{where_}")))?;
            continue;
        }
        let of = |f: &dyn Fn(&LoopMargins) -> f64| -> Vec<f64> { all().map(f).collect() };
        let at = |worst: Option<Worst>| {
            let found = worst.filter(|worst| many && worst.value.is_finite());
            found.map_or_else(String::new, |worst| format!(" (pose {})", worst.pose + 1))
        };
        let worst = |values: Vec<f64>, largest: bool| {
            let value = |k: usize| if largest { -values[k] } else { values[k] };
            let pose = (0..values.len()).min_by(|a, b| value(*a).total_cmp(&value(*b)));
            pose.map(|pose| Worst { value: values[pose], pose })
        };
        let number = |worst: Option<Worst>, or: f64| worst.map_or(or, |worst| worst.value);
        let clock = if servo.sampled { "sampled" } else { "continuous" };
        let db = |x: f64| real(20.0 * x.log10());
        let lowest = worst(of(&|m| m.margins.gain_margin()), false);
        let phase = worst(of(&|m| m.margins.phase_margin_deg()), false);
        let delay = worst(of(&|m| 1e3 * m.margins.delay_margin()), false);
        let disk = worst(of(&|m| m.margins.disk.alpha), false);
        let sensitivity = worst(of(&|m| m.margins.peak_sensitivity[0]), true);
        let (up, down) =
            (number(lowest, f64::INFINITY), number(worst(of(&|m| m.margins.gain_reduction()), true), 0.0));
        let gain = match (up.is_finite(), down > 0.0) {
            (true, true) => format!("{} and {} dB", db(up), db(down)),
            (true, false) => format!("{} dB", db(up)),
            (false, true) => format!("{} dB", db(down)),
            (false, false) => "none".to_owned(),
        };
        writeln!(
            out,
            "  {} ({clock}): gain {gain}{}, phase {}°{}, delay {} ms{}, disk {}{}, largest sensitivity {}{}",
            servo.name,
            at(lowest),
            real(number(phase, f64::INFINITY)),
            at(phase),
            real(number(delay, f64::INFINITY)),
            at(delay),
            real(number(disk, f64::INFINITY)),
            at(disk),
            real(number(sensitivity, 0.0)),
            at(sensitivity)
        )?;
    }
    Ok(())
}

/// An angle is read in degrees.
fn joint(((name, value), units): ((&String, &f64), &&str)) -> String {
    match *units {
        "rad" => format!("{name} {} deg", real(value.to_degrees())),
        units => format!("{name} {} {units}", real(*value)),
    }
}

/// Joint values of a pose: those that differ from zero, or all when there are few.
fn pose_label(result: &ResponseResult, pose: &PoseResponse) -> String {
    let joints = result.joints.iter().zip(&pose.joints).take(8);
    let joints: Vec<String> = joints.zip(&result.joint_units).map(joint).collect();
    format!("t = {} s, {}", real(pose.time), joints.join(", "))
}

fn modes(out: &mut impl Write, style: Style, result: &ResponseResult, pose: &PoseResponse) -> io::Result<()> {
    writeln!(out, "{} at {}", style.bold("modes"), pose_label(result, pose))?;
    let Some(damped) = &pose.damped else {
        for (k, mode) in pose.undamped.iter().enumerate() {
            let hz = match mode.kind {
                ModeKind::Oscillating | ModeKind::Real => real(mode.frequency_hz),
                ModeKind::Free => "free".to_owned(),
                ModeKind::Unstable => style.yellow("unstable"),
            };
            writeln!(out, "  {:>3}  {hz:>12} Hz  {}", k + 1, energy_label(&mode.shares))?;
        }
        return Ok(());
    };
    writeln!(out, "            Hz      damping   where its energy of deformation is")?;
    for (k, mode) in damped.modes.iter().enumerate() {
        let kind = match mode.kind {
            ModeKind::Oscillating => String::new(),
            ModeKind::Real => "no oscillation; ".to_owned(),
            ModeKind::Free => "free; ".to_owned(),
            ModeKind::Unstable => format!("{}; ", style.yellow("grows")),
        };
        let (hz, ratio) = (real(mode.frequency_hz), real(mode.ratio));
        writeln!(out, "  {:>3}  {hz:>9}  {ratio:>10}   {kind}{}", k + 1, energy_label(&mode.shares))?;
    }
    Ok(())
}

/// Frequencies of many poses.
fn along(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    writeln!(out, "{} without damping (Hz) along the poses", style.bold("frequencies"))?;
    let last = result.poses.len() - 1;
    let rows = result.poses.len().min(ROWS);
    for row in 0..rows {
        let k = row * last / (rows - 1).max(1);
        let pose = &result.poses[k];
        let hz: Vec<String> = pose
            .undamped
            .iter()
            .take(COLUMNS)
            .map(|mode| match mode.kind {
                ModeKind::Free => format!("{:>10}", "free"),
                ModeKind::Unstable => format!("{:>10}", "unstable"),
                ModeKind::Oscillating | ModeKind::Real => format!("{:>10}", real(mode.frequency_hz)),
            })
            .collect();
        let growing = if pose.free_and_growing().1 > 0 { style.yellow("  grows") } else { String::new() };
        writeln!(out, "  pose {:>5}  t {:>9} s {}{growing}", k + 1, real(pose.time), hz.join(" "))?;
    }
    for veering in &result.tracks.veering {
        let [a, b] = veering.tracks.map(|track| track + 1);
        let (pose, gap) = (veering.pose + 1, real(veering.gap_hz));
        writeln!(out, "  modes {a} and {b} veer at pose {pose}: they mix, {gap} Hz apart")?;
    }
    Ok(())
}

/// Of each response the largest magnitude over all poses, and where it is.
fn responses(out: &mut impl Write, style: Style, result: &ResponseResult) -> io::Result<()> {
    if result.frequencies_hz.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}, largest magnitude over frequencies and poses", style.bold("responses"))?;
    for (i, [input, input_units]) in result.inputs.iter().enumerate() {
        for (o, [output, output_units]) in result.outputs.iter().enumerate() {
            let all = result.poses.iter().enumerate().flat_map(|(k, pose)| {
                let values = pose.response.iter().zip(&result.frequencies_hz);
                values.map(move |(matrix, hz)| (matrix[(o, i)], *hz, k))
            });
            let size = |h: &Complex<f64>| if h.norm().is_finite() { h.norm() } else { f64::INFINITY };
            let Some((h, hz, k)) = all.max_by(|a, b| size(&a.0).total_cmp(&size(&b.0))) else { continue };
            let pose = if result.poses.len() > 1 { format!(", pose {}", k + 1) } else { String::new() };
            writeln!(
                out,
                "  {input} → {output}: {} {output_units}/({input_units}) at {} Hz{pose}",
                real(size(&h)),
                real(hz)
            )?;
        }
    }
    Ok(())
}
