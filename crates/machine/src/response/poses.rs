//! Poses of `[response]`.

use std::path::Path;

use pliant_diag::{Diagnostic, Diagnostics, Span, real};
use pliant_dynamics::Settings;
use pliant_dynamics::response::Pose;
use pliant_mechanism::Model;
use pliant_pipeline::response::ResponseTable;
use pliant_pipeline::schema::suggestion;

use super::plane::{self, PlanePoints, PlannedPlane};
use crate::machine::Machine;
use crate::problems::Problems;

/// Poses by names of joints.
#[derive(Clone, Debug)]
pub(super) enum PlannedPoses {
    Times(Vec<f64>),
    Joints {
        names: Vec<String>,
        values: Vec<Vec<f64>>,
        /// Numbers of values of a grid, joint by joint; empty for rows of a file.
        counts: Vec<usize>,
    },
    Plane(Box<PlannedPlane>),
}

/// Poses in the assembled machine.
#[derive(Clone, Debug, Default)]
pub struct FoundPoses {
    /// The poses.
    pub poses: Vec<Pose>,
    /// The plane that they are points of, where they are.
    pub plane: Option<PlanePoints>,
    /// What is to be said about them.
    pub note: Option<Diagnostic>,
}

impl PlannedPoses {
    pub(super) fn grid(&self) -> Vec<(String, usize)> {
        match self {
            Self::Times(_) | Self::Plane(_) => Vec::new(),
            Self::Joints { names, counts, .. } => names.iter().cloned().zip(counts.iter().copied()).collect(),
        }
    }

    /// How many there are; of a plane that is found later.
    pub(super) fn count(&self) -> Option<usize> {
        match self {
            Self::Times(times) => Some(times.len()),
            Self::Joints { values, .. } => Some(values.len()),
            Self::Plane(_) => None,
        }
    }

    pub(super) fn resolve(&self, model: &Model, settings: &Settings) -> Result<FoundPoses, Diagnostics> {
        let poses = match self {
            Self::Times(times) => times.iter().map(|t| Pose::Time(*t)).collect(),
            Self::Joints { names, values, .. } => {
                let joints: Vec<_> = names.iter().map(|name| model.joint_coordinate(name, 0)).collect();
                let pose = |row: &Vec<f64>| {
                    let known = joints.iter().zip(row);
                    Pose::Joints(known.filter_map(|(joint, value)| Some(((*joint)?, *value))).collect())
                };
                values.iter().map(pose).collect()
            }
            Self::Plane(plane) => return plane.resolve(model, settings),
        };
        Ok(FoundPoses { poses, ..FoundPoses::default() })
    }
}

pub(super) fn planned(
    response: &ResponseTable,
    table: &Machine<'_>,
    settings: &Settings,
    problems: &mut Problems<'_>,
) -> Option<PlannedPoses> {
    let Some(poses) = &response.poses else { return Some(PlannedPoses::Times(vec![settings.t_start])) };
    let span = poses.source.0;
    if let Some(times) = &poses.times {
        if let Some(late) = times.iter().find(|t| **t > settings.t_end) {
            let message = format!(
                "a pose at t = {} s is after the end of the analysis at {} s",
                real(*late),
                real(settings.t_end)
            );
            return problems.error(span, message);
        }
        return Some(PlannedPoses::Times(times.clone()));
    }
    if let Some(points) = poses.points {
        let last = f64::from(points.max(2) - 1);
        let at = |k: u32| settings.t_start + (settings.t_end - settings.t_start) * f64::from(k) / last;
        return Some(PlannedPoses::Times((0..points).map(at).collect()));
    }
    if let Some(table_of) = &poses.plane {
        let plane = plane::planned(table_of, table, problems)?;
        return Some(PlannedPoses::Plane(Box::new(plane)));
    }
    if let Some(path) = &poses.csv {
        return from_csv(&problems.resolve(&path.value), path.span(), table, problems);
    }
    let mut values: Vec<Vec<f64>> = vec![Vec::new()];
    let mut names = Vec::new();
    for (name, grid) in &poses.grid.entries {
        let is_angle = joint(&name.value, name.span(), table, problems)?;
        let plain = |plain: Option<f64>, degrees: Option<f64>| plain.or(degrees.map(f64::to_radians));
        if !is_angle && (grid.from_deg.is_some() || grid.to_deg.is_some()) {
            return problems.error(
                grid.source.0,
                format!("joint `{}` is a length: give metres, not degrees", name.value),
            );
        }
        let (from, to) = (plain(grid.from, grid.from_deg)?, plain(grid.to, grid.to_deg)?);
        let last = f64::from(grid.count.max(2) - 1);
        let all = (0..grid.count).map(|k| from + (to - from) * f64::from(k) / last);
        let all: Vec<f64> = all.collect();
        let with = |row: &Vec<f64>, x: &f64| row.iter().copied().chain([*x]).collect();
        values = values.iter().flat_map(|row| all.iter().map(move |x| with(row, x))).collect();
        names.push(name.value.clone());
    }
    let counts = poses.grid.entries.iter().map(|(_, grid)| grid.count as usize).collect();
    Some(PlannedPoses::Joints { names, values, counts })
}

/// Whether the one coordinate of a joint is an angle.
pub(super) fn joint(
    name: &str,
    span: Option<Span>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<bool> {
    let Some(joint) = table.joints.get(name) else {
        let hint = suggestion(name, table.joints.iter().map(|(name, _)| name), "joints");
        return problems.error_with_hint(span, format!("there is no joint `{name}`"), hint);
    };
    match joint.type_.coordinates() {
        [one] => Some(*one == "angle"),
        more => {
            let message = format!("poses need joints with one coordinate, joint `{name}` has {}", more.len());
            problems.error(span, message)
        }
    }
}

fn from_csv(
    path: &Path,
    span: Option<Span>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<PlannedPoses> {
    let shown = path.display();
    let text = match pliant_diag::read_text(path, pliant_diag::LARGEST_TABLE) {
        Ok(text) => text,
        Err(error) => return problems.error(span, format!("cannot read {shown}: {error}")),
    };
    // Table programs put a byte order mark in front of UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines =
        text.lines().enumerate().map(|(k, line)| (k + 1, line.split('#').next().unwrap_or("").trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let Some((_, header)) = lines.next() else {
        return problems.error(span, format!("{shown} is empty: its first line must name joints"));
    };
    let cells = |line: &str| line.split([',', ';']).map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut names = Vec::new();
    let mut factors = Vec::new();
    for cell in cells(header) {
        let (name, degrees) = match cell.strip_suffix("_deg") {
            Some(name) if table.joints.get(&cell).is_none() => (name.to_owned(), true),
            _ => (cell, false),
        };
        let is_angle = joint(&name, span, table, problems)?;
        if degrees && !is_angle {
            return problems
                .error(span, format!("{shown}: joint `{name}` is a length: give metres, not degrees"));
        }
        if names.contains(&name) {
            return problems.error(span, format!("{shown}: joint `{name}` has two columns"));
        }
        factors.push(if degrees { 1f64.to_radians() } else { 1.0 });
        names.push(name);
    }
    let mut values = Vec::new();
    for (number, line) in lines {
        let cells = cells(line);
        if cells.len() != names.len() {
            let message =
                format!("{shown}, line {number}: expected {} values, found {}", names.len(), cells.len());
            return problems.error(span, message);
        }
        let mut row = Vec::new();
        for (cell, factor) in cells.iter().zip(&factors) {
            match cell.parse::<f64>() {
                Ok(value) if value.is_finite() => row.push(value * factor),
                _ => {
                    return problems.error(span, format!("{shown}, line {number}: `{cell}` is not a number"));
                }
            }
        }
        values.push(row);
    }
    if values.is_empty() {
        return problems.error(span, format!("{shown} has no row of values below the names of joints"));
    }
    Some(PlannedPoses::Joints { names, values, counts: Vec::new() })
}
