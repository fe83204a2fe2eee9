//! The deformed shapes of a results file as the report draws them.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::ops::Range;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use pliant_report::{Cells, Machine, Part};
use pliant_store::results::{ResultsError, ResultsFile, ShapeFrame, ShapeMesh};

use super::elements::ElementFields;
use super::run::optional;
use super::symbols::{Pose, Symbols};

/// Displacements held while the report is made, at most (numbers).
const NUMBERS: usize = 120_000_000;

/// A line in VTK's numbers.
const LINE: u8 = 3;

/// Where a link is at the times of a run: position and rotation.
struct Track {
    origin: Vec<f64>,
    orientation: Vec<f64>,
}

impl Track {
    fn read(file: &ResultsFile, link: &str, what: &str) -> Result<Option<Self>, ResultsError> {
        let at = |name: &str| optional(file, &format!("/links/{link}/{what}{name}"));
        let (origin, orientation) = (at("origin")?, at("orientation")?);
        Ok(origin.zip(orientation).map(|(o, q)| Self { origin: o.values, orientation: q.values }))
    }

    /// R and p at an output.
    fn pose(&self, output: usize) -> Option<Pose> {
        let p = Vector3::from_column_slice(self.origin.get(3 * output..3 * output + 3)?);
        let q = self.orientation.get(4 * output..4 * output + 4)?;
        let q = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        Some((q.to_rotation_matrix(), p))
    }
}

/// The machine; `None` when the file keeps no shapes or does not say where its links are.
pub(crate) fn machine(
    file: &ResultsFile,
    times: &[f64],
    limit: Option<usize>,
) -> Result<Option<Machine>, ResultsError> {
    let Some(mesh) = file.shapes()? else { return Ok(None) };
    let Some(ranges) = ranges(&mesh) else { return Ok(None) };
    let numbers = 3 * mesh.grids.len();
    let limit = limit.unwrap_or(usize::MAX).min(NUMBERS / numbers.max(1)).max(1);
    let stride = mesh.times.len().div_ceil(limit).max(1);
    let chosen: Vec<usize> = (0..mesh.times.len()).step_by(stride).collect();
    // The output at which each frame was taken.
    let outputs: Vec<usize> = chosen.iter().map(|f| nearest(times, mesh.times[*f])).collect();
    let mut parts = Vec::new();
    let mut tracks = Vec::new();
    for (k, (name, points)) in mesh.links.iter().zip(&ranges).enumerate() {
        let Some(actual) = Track::read(file, name, "")? else { return Ok(None) };
        let nominal = Track::read(file, name, "nominal_")?;
        tracks.push((actual, nominal));
        parts.push(part(&mesh, k, points.clone()));
    }
    let mut elements = ElementFields::new(file, &mesh, &ranges, chosen.len())?;
    let mut rest: Option<(Vec<Vec<Vector3<f64>>>, Symbols)> = None;
    for (frame, output) in chosen.iter().zip(&outputs) {
        let shape = file.shape_frame(&mesh, *frame)?;
        elements.frame(&shape);
        let (rest, symbols) = match &mut rest {
            Some(rest) => rest,
            None => {
                let Some(found) = undeformed(&shape, &ranges, &tracks, *output) else { return Ok(None) };
                for (part, positions) in parts.iter_mut().zip(&found) {
                    part.positions = positions.iter().map(|r| [r.x as f32, r.y as f32, r.z as f32]).collect();
                    mark_origin(part);
                }
                let symbols = Symbols::new(file, &found)?;
                rest.insert((found, symbols))
            }
        };
        let pose = |(actual, nominal): &(Track, Option<Track>)| -> Option<(Pose, Pose)> {
            actual.pose(*output).zip(nominal.as_ref().unwrap_or(actual).pose(*output))
        };
        let Some(poses) = tracks.iter().map(pose).collect::<Option<Vec<_>>>() else { return Ok(None) };
        symbols.frame(&shape, &ranges, &poses, *output);
        for (k, points) in ranges.iter().enumerate() {
            let ((R_a, p_a), (R_n, p_n)) = &poses[k];
            // x − x_n = (p_a − p_n) + (R_a − R_n) r + d, in nominal axes; small terms are never lost in large
            // ones.
            let (shift, turn) = (p_a - p_n, R_a.matrix() - R_n.matrix());
            let displacement = |(i, r): (usize, &Vector3<f64>)| {
                let d = vector(&shape.displacement, points.start + i);
                let u = R_n.inverse_transform_vector(&(shift + turn * r + d));
                [u.x as f32, u.y as f32, u.z as f32]
            };
            parts[k].displacements.push(rest[k].iter().enumerate().flat_map(displacement).collect());
            let row = |c: usize| [R_n[(c, 0)], R_n[(c, 1)], R_n[(c, 2)], p_n[c]].map(|x| x as f32);
            let mut pose = [0.0; 12];
            (0..3).for_each(|c| pose[4 * c..4 * c + 4].copy_from_slice(&row(c)));
            parts[k].poses.push(pose);
        }
    }
    for (part, fields) in parts.iter_mut().zip(elements.finish()) {
        part.fields = fields;
    }
    let times = chosen.iter().map(|frame| mesh.times[*frame]).collect();
    let (symbols, arrows, up) = rest.map(|(_, symbols)| symbols.finish()).unwrap_or_default();
    Ok(Some(Machine { times, parts, symbols, up, arrows, ..Machine::default() }))
}

fn nearest(times: &[f64], t: f64) -> usize {
    let next = times.partition_point(|x| *x < t).min(times.len().saturating_sub(1));
    if next > 0 && t - times[next - 1] < times[next] - t { next - 1 } else { next }
}

/// The points of each link. They come link by link, so that a link begins at the first point of its cells.
pub(super) fn ranges(mesh: &ShapeMesh) -> Option<Vec<Range<usize>>> {
    let mut first = vec![usize::MAX; mesh.links.len()];
    for (cell, link) in mesh.cell_links.iter().enumerate() {
        let first = first.get_mut((*link as usize).checked_sub(1)?)?;
        *first = mesh.cell(cell).iter().fold(*first, |first, point| first.min(*point as usize));
    }
    let mut end = mesh.grids.len();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for first in first.into_iter().rev() {
        let start = first.min(end);
        ranges.push(start..end);
        end = start;
    }
    ranges.reverse();
    let inside = |(cell, link): (usize, &u32)| {
        mesh.cell(cell).iter().all(|point| ranges[*link as usize - 1].contains(&(*point as usize)))
    };
    mesh.cell_links.iter().enumerate().all(inside).then_some(ranges)
}

fn vector(of: &[f32], point: usize) -> Vector3<f64> {
    Vector3::new(of[3 * point], of[3 * point + 1], of[3 * point + 2]).cast()
}

/// Positions of the points in their links: r = R_aᵀ (x − d − p_a).
fn undeformed(
    shape: &ShapeFrame,
    ranges: &[Range<usize>],
    tracks: &[(Track, Option<Track>)],
    output: usize,
) -> Option<Vec<Vec<Vector3<f64>>>> {
    let of = |(points, (actual, _)): (&Range<usize>, &(Track, Option<Track>))| {
        let (R, p) = actual.pose(output)?;
        let at = |i: usize| {
            R.inverse_transform_vector(&(vector(&shape.points, i) - vector(&shape.displacement, i) - p))
        };
        Some(points.clone().map(at).collect())
    };
    ranges.iter().zip(tracks).map(of).collect()
}

/// Link number `k` from 0, without its poses.
pub(super) fn part(mesh: &ShapeMesh, k: usize, points: Range<usize>) -> Part {
    let mut cells = Cells { offsets: vec![0], ..Cells::default() };
    for cell in (0..mesh.cell_links.len()).filter(|cell| mesh.cell_links[*cell] as usize == k + 1) {
        let local = mesh.cell(cell).iter().map(|point| (*point as usize - points.start) as u32);
        cells.connectivity.extend(local);
        cells.offsets.push(cells.connectivity.len() as u32);
        cells.types.push(mesh.cell_types[cell]);
        // A line without a property that is an element is a rigid one.
        let rigid = mesh.cell_types[cell] == LINE && mesh.properties[cell] == 0 && mesh.elements[cell] != 0;
        cells.rigid.push(rigid);
    }
    Part { name: mesh.links[k].clone(), grids: mesh.grids[points].to_vec(), cells, ..Part::default() }
}

/// Marks the joint of a link of lines: the node on its frame.
fn mark_origin(part: &mut Part) {
    if part.cells.types.iter().any(|kind| *kind != LINE) {
        return;
    }
    let size = |p: &[f32; 3]| p.iter().map(|x| x * x).sum::<f32>();
    let reach = part.positions.iter().map(size).fold(0.0, f32::max);
    // A thousandth of the link.
    let near = |(k, p): (usize, &[f32; 3])| (size(p) < 1e-6 * reach).then_some(k as u32);
    part.interfaces = part.positions.iter().enumerate().find_map(near).into_iter().collect();
}
