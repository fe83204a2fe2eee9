//! `/VTKHDF`: the deformed shapes as ParaView and VTK's own reader take them (vtkHDFReader, file format
//! version 2.0, temporal unstructured grid;
//! <https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html#vtkhdf-file-format>).
//!
//! Points move from frame to frame and are stored anew for each; cells and numbers of elements are stored
//! once, and all frames point at them. Where each frame begins is known before the first one comes and
//! written then.

use std::collections::HashMap;
use std::sync::Arc;

use hdf5::{Dataset, Extent, File, Group, Result, SimpleExtents};
use pliant_reduce::recovery::Quantity;

use super::append::{append, append_chunks};
use super::axes::{Axes, describe, with_parents};
use super::damage::{CellDamage, later};
use super::elements::{ElementField, LinkElements};
use super::modes::PointField;
use super::recover::cut;
use super::schema;
use super::shape::{LinkShape, MachineShape, Posed, Posture};
use super::sink::reopen;
use crate::dataset::put_text;

/// Version of the format.
const VERSION: [i64; 2] = [2, 0];
const ROOT: &str = "/VTKHDF";

/// Fields of each frame: name in the file, units, what.
const POINTS: (&str, &str, &str) =
    ("Points", "m", "grids of the deformed machine in the world, frame after frame");
const DISPLACEMENT: (&str, &str, &str) =
    ("PointData/displacement", "m", "elastic displacement of the grids, in world axes, frame after frame");
const ROTATION: (&str, &str, &str) =
    ("PointData/rotation", "rad", "elastic rotation of the grids, in world axes, frame after frame");

const DEVIATION: (&str, &str, &str) = (
    "PointData/deviation",
    "m",
    "displacement of the grids from the rigid machine in its nominal motion, in world axes, frame after frame",
);

/// Where each frame begins in the datasets that grow with the frames.
const MOVING: [&str; 3] = ["PointOffsets", "PointDataOffsets/displacement", "PointDataOffsets/rotation"];
/// Those of what all frames share: always zero.
const SHARED: [&str; 5] = [
    "PartOffsets",
    "PointDataOffsets/grid",
    "CellDataOffsets/link",
    "CellDataOffsets/property",
    "CellDataOffsets/element",
];
/// The same with an axis for the kinds of cells, of which an unstructured grid has one.
const SHARED_BY_KIND: [&str; 2] = ["CellOffsets", "ConnectivityIdOffsets"];

/// How many frames there will be, and what their values are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    pub(super) planned: usize,
    pub(super) units: &'static str,
    pub(super) what: &'static str,
    /// There is a rigid machine to compare with.
    pub(super) deviation: bool,
}

/// The datasets that grow.
pub(super) struct ShapeSink {
    pub(super) machine: MachineShape,
    /// Points, displacement, rotation and, where there is one, deviation.
    fields: Vec<Dataset>,
    values: Dataset,
    cells: Vec<CellField>,
    /// Damage and life of the cells, where they are computed.
    pub(super) damage: Option<CellDamage>,
    pub(super) frames: usize,
    pub(super) planned: usize,
}

/// The recovered elements of a link, with the index among them of each of its cells.
type LinkCells = (Arc<ElementField>, Vec<Option<usize>>);

/// The equivalent stress, or the principal strain, of each cell.
struct CellField {
    /// Of each link; `None` for one of which it is not recovered.
    links: Vec<Option<LinkCells>>,
    cells: usize,
    field: Dataset,
}

fn path(name: &str) -> String {
    format!("{ROOT}/{name}")
}

fn axis(name: &str) -> String {
    format!("{ROOT}/axis_{name}")
}

/// Makes the group and writes what all frames share.
pub(super) fn lay_out<'f>(
    file: &'f File,
    axes: &mut Axes<'f>,
    machine: MachineShape,
    frames: Frames,
    elements: &[Arc<LinkElements>],
    damage: &[String],
) -> Result<ShapeSink> {
    let root = file.create_group("VTKHDF")?;
    root.new_attr::<i64>().shape(2).create("Version")?.write_raw(&VERSION)?;
    super::attribute::put_c_text(&root, "Type", "UnstructuredGrid")?;
    let Frames { planned, units, what, deviation } = frames;
    let mut lay = Layout { file, axes, planned };
    shared_parts(&mut lay, &machine)?;
    lay.axes.bare(&axis("row"), "grids of all frames", Extent::resizable(planned * machine.points))?;
    lay.axes.bare(&axis("frame"), "frames", Extent::resizable(planned))?;
    lay.axes.bare(&axis("kind"), "kinds of cells", Extent::fixed(1))?;
    let chunk = [machine.points.max(1), 3];
    let mut field = |(name, units, what): (&str, &str, &str)| {
        lay.growing::<f32>(name, &chunk, ("row", Some("/xyz")), f32::NAN, units, what)
    };
    let mut fields = vec![field(POINTS)?, field(DISPLACEMENT)?, field(ROTATION)?];
    if deviation {
        fields.push(field(DEVIATION)?);
    }
    lay.steps("NumberOfParts", false, "parts of the frame", |_| 1)?;
    for name in MOVING {
        lay.steps(name, false, BEGINS, |frame| frame * machine.points)?;
    }
    if deviation {
        lay.steps("PointDataOffsets/deviation", false, BEGINS, |frame| frame * machine.points)?;
    }
    for name in SHARED {
        lay.steps(name, false, BEGINS, |_| 0)?;
    }
    for name in SHARED_BY_KIND {
        lay.steps(name, true, BEGINS, |_| 0)?;
    }
    let values = lay.growing::<f64>("Steps/Values", &[64], ("frame", None), f64::NAN, units, what)?;
    put_steps(&file.group(&path("Steps"))?, planned)?;
    let cells = cell_fields(&mut lay, &machine, elements)?;
    let damage = cell_damage(&mut lay, &machine, elements, damage)?;
    Ok(ShapeSink { machine, fields, values, cells, damage, frames: 0, planned })
}

/// Writes how many frames there are.
pub(super) fn put_steps(steps: &Group, count: usize) -> Result<()> {
    if steps.attr("NSteps").is_ok() {
        steps.delete_attr("NSteps")?;
    }
    steps.new_attr::<i64>().create("NSteps")?.write_scalar(&(count as i64))
}

const BEGINS: &str = "where the frame begins";

struct Layout<'a, 'f> {
    file: &'f File,
    axes: &'a mut Axes<'f>,
    /// Frames that are announced.
    planned: usize,
}

impl Layout<'_, '_> {
    fn array<T: hdf5::H5Type>(
        &mut self,
        name: &str,
        values: &[T],
        scale: &str,
        what: &str,
    ) -> Result<Dataset> {
        let builder =
            self.file.new_dataset::<T>().shape(SimpleExtents::from_vec(vec![Extent::fixed(values.len())]));
        let builder = with_parents(builder);
        // Numbers of elements and cells repeat so much that they shrink to a tenth.
        let builder = if values.is_empty() {
            builder
        } else {
            builder.chunk(vec![values.len().min(1 << 16)]).shuffle().deflate(4)
        };
        let dataset = builder.create(path(name).as_str())?;
        dataset.write_raw(values)?;
        describe(&dataset, "1", what)?;
        self.axes.attach(&dataset, &path(name), &[axis(scale)])?;
        Ok(dataset)
    }

    /// A number for each frame that is announced; with an axis for the kinds of cells where `by_kind`.
    fn steps(&mut self, name: &str, by_kind: bool, what: &str, of: impl Fn(usize) -> usize) -> Result<()> {
        let chunk: &[usize] = if by_kind { &[64, 1] } else { &[64] };
        let kind = axis("kind");
        let scales = ("frame", by_kind.then_some(kind.as_str()));
        let dataset = self.growing::<i64>(&format!("Steps/{name}"), chunk, scales, -1, "1", what)?;
        let values: Vec<i64> = (0..self.planned).map(|frame| of(frame) as i64).collect();
        append(&dataset, 0, &chunk[1..], &values)
    }

    fn growing<T: hdf5::H5Type>(
        &mut self,
        name: &str,
        chunk: &[usize],
        (first, second): (&str, Option<&str>),
        fill: impl Into<hdf5::types::OwnedDynValue>,
        units: &str,
        what: &str,
    ) -> Result<Dataset> {
        let tail = chunk[1..].iter().map(|n| Extent::fixed(*n));
        let extents = std::iter::once(Extent::resizable(0)).chain(tail).collect();
        let builder = self.file.new_dataset::<T>().fill_value(fill).shape(SimpleExtents::from_vec(extents));
        let dataset = with_parents(builder).chunk(chunk.to_vec()).create(path(name).as_str())?;
        describe(&dataset, units, what)?;
        let scales: Vec<String> = std::iter::once(axis(first)).chain(second.map(str::to_owned)).collect();
        self.axes.attach(&dataset, &path(name), &scales)?;
        Ok(dataset)
    }
}

/// Cells, numbers of links, elements, properties and grids.
fn shared_parts(lay: &mut Layout<'_, '_>, machine: &MachineShape) -> Result<()> {
    let all = |of: fn(&LinkShape) -> &[u32]| -> Vec<u32> {
        machine.links.iter().flat_map(|link| of(link).iter().copied()).collect()
    };
    let (mut connectivity, mut offsets, mut types, mut links) =
        (Vec::new(), vec![0i64], Vec::<u8>::new(), Vec::new());
    let mut first = 0;
    for (number, link) in (1u32..).zip(&machine.links) {
        let drawing = &link.drawing;
        let start = connectivity.len() as i64;
        connectivity.extend(drawing.connectivity.iter().map(|row| i64::from(*row) + first));
        offsets.extend(drawing.offsets.iter().skip(1).map(|offset| i64::from(*offset) + start));
        types.extend(&drawing.cell_types);
        links.extend(std::iter::repeat_n(number, drawing.cell_types.len()));
        first += link.positions.len() as i64;
    }
    let lengths = [
        ("part", "parts of a frame", 1),
        ("point", "grids of the machine", machine.points),
        ("cell", "cells of the machine", types.len()),
        ("offset", "cells of the machine and one more", offsets.len()),
        ("connection", "grids of all cells", connectivity.len()),
    ];
    for (name, what, length) in lengths {
        lay.axes.bare(&axis(name), what, Extent::fixed(length))?;
    }
    lay.array("NumberOfPoints", &[machine.points as i64], "part", "grids of a frame")?;
    lay.array("NumberOfCells", &[types.len() as i64], "part", "cells of a frame")?;
    lay.array(
        "NumberOfConnectivityIds",
        &[connectivity.len() as i64],
        "part",
        "grids of the cells of a frame",
    )?;
    lay.array("Connectivity", &connectivity, "connection", "grids of each cell, in VTK's order")?;
    lay.array(
        "Offsets",
        &offsets,
        "offset",
        "where each cell begins in Connectivity, and where the last one ends",
    )?;
    lay.array("Types", &types, "cell", "VTK's type of each cell")?;
    let dataset =
        lay.array("CellData/link", &links, "cell", "number of the link, from 1; the names stand in `links`")?;
    let names: Vec<&str> = machine.links.iter().map(|link| link.name.as_str()).collect();
    put_text(&dataset, "links", &names.join("\n"))?;
    lay.array(
        "CellData/element",
        &all(|link| &link.drawing.elements),
        "cell",
        "number of the element; 0 for a stick",
    )?;
    lay.array(
        "CellData/property",
        &all(|link| &link.drawing.properties),
        "cell",
        "number of the property; 0 for none",
    )?;
    lay.array("PointData/grid", &all(|link| &link.drawing.grids), "point", "number of the GRID")?;
    Ok(())
}

/// Lays out what is recovered of the cells.
fn cell_fields(
    lay: &mut Layout<'_, '_>,
    machine: &MachineShape,
    elements: &[Arc<LinkElements>],
) -> Result<Vec<CellField>> {
    let mut fields = Vec::new();
    let cells = machine.links.iter().map(|link| link.drawing.cell_types.len()).sum::<usize>();
    for quantity in Quantity::ALL {
        let of_link = |link: &Arc<LinkShape>| {
            let field = elements.iter().find(|of| of.name == link.name)?.field(quantity)?;
            let indices: HashMap<u32, usize> =
                field.modes.elements.iter().enumerate().map(|(at, element)| (element.id, at)).collect();
            let cells = link.drawing.elements.iter().map(|id| indices.get(id).copied()).collect();
            Some((Arc::clone(field), cells))
        };
        let links: Vec<_> = machine.links.iter().map(of_link).collect();
        if links.iter().all(Option::is_none) {
            continue;
        }
        if fields.is_empty() {
            lay.axes.bare(
                &axis("cell_row"),
                "cells of all frames",
                Extent::resizable(lay.planned * cells),
            )?;
        }
        let (name, units, what) = schema::elements(quantity).cell;
        let path = format!("CellData/{name}");
        let field = lay.growing::<f32>(&path, &[cells.max(1)], ("cell_row", None), f32::NAN, units, what)?;
        lay.steps(&format!("CellDataOffsets/{name}"), false, BEGINS, |frame| frame * cells)?;
        fields.push(CellField { links, cells, field });
    }
    Ok(fields)
}

/// Damage and life of the cells: name, what.
const DAMAGE: [(&str, &str); 2] = [
    ("damage", "damage of the element by all repeats; 0 where none is assessed"),
    (
        "life",
        "repeats until the damage of the element is 1; infinite where there is none, or none is assessed",
    ),
];

/// Lays out damage and life of the cells, which all frames share.
fn cell_damage(
    lay: &mut Layout<'_, '_>,
    machine: &MachineShape,
    elements: &[Arc<LinkElements>],
    damage: &[String],
) -> Result<Option<CellDamage>> {
    let of_link = |link: &Arc<LinkShape>| {
        let assessed = elements.iter().find(|of| of.name == link.name && damage.contains(&of.name));
        let field = assessed.and_then(|of| of.field(Quantity::Stress));
        let indices: HashMap<u32, usize> = field.map_or_else(HashMap::new, |field| {
            field.modes.elements.iter().enumerate().map(|(at, element)| (element.id, at)).collect()
        });
        let cells = link.drawing.elements.iter().map(|id| indices.get(id).copied()).collect();
        (link.name.clone(), cells)
    };
    let links: Vec<(String, Vec<Option<usize>>)> = machine.links.iter().map(of_link).collect();
    if links.iter().flat_map(|(_, cells)| cells).all(Option::is_none) {
        return Ok(None);
    }
    let count = links.iter().map(|(_, cells)| cells.len()).sum();
    let mut one = |(name, what): (&str, &str)| -> Result<Dataset> {
        let path = path(&format!("CellData/{name}"));
        let dataset = later::<f32>(lay.file, &path, count, f32::NAN)?;
        describe(&dataset, "1", what)?;
        lay.axes.attach(&dataset, &path, &[axis("cell")])?;
        lay.steps(&format!("CellDataOffsets/{name}"), false, BEGINS, |_| 0)?;
        Ok(dataset)
    };
    let datasets = [one(DAMAGE[0])?, one(DAMAGE[1])?];
    Ok(Some(CellDamage { links, datasets }))
}

impl CellField {
    /// Appends frames after the first `start` ones.
    fn append(&mut self, start: usize, postures: &[Posture], machine: &MachineShape) -> Result<()> {
        let mut values = vec![0.0f32; self.cells * postures.len()];
        for (eighth, postures) in postures.chunks(8).enumerate() {
            let mut first = 8 * eighth * self.cells;
            for (k, (of, link)) in self.links.iter().zip(&machine.links).enumerate() {
                if let Some((field, cells)) = of {
                    let of = field.intensities();
                    let mut p = vec![[0.0; 8]; of.coordinates()];
                    for (lane, posture) in postures.iter().enumerate() {
                        of.turn(&posture.links[k].q, &mut p, lane);
                    }
                    let found = of.frames(&p);
                    for (cell, at) in cells.iter().enumerate() {
                        let Some(at) = at else { continue };
                        for lane in 0..postures.len() {
                            values[first + lane * self.cells + cell] = found[*at][lane] as f32;
                        }
                    }
                }
                first += link.drawing.cell_types.len();
            }
        }
        append_chunks(&self.field, start * self.cells, &[], self.cells, &values)
    }
}

impl ShapeSink {
    /// Writes a vector of the points in all frames that are announced.
    pub(super) fn put_points<'f>(
        &self,
        file: &'f File,
        axes: &mut Axes<'f>,
        field: &PointField,
    ) -> Result<()> {
        let mut lay = Layout { file, axes, planned: self.planned };
        let points = self.machine.points;
        let chunk = [points.max(1), 3];
        let name = format!("PointData/{}", field.name);
        let scales = ("row", Some("/xyz"));
        let dataset = lay.growing::<f32>(&name, &chunk, scales, f32::NAN, field.units, field.what)?;
        append_chunks(&dataset, 0, &[3], points, &field.values)?;
        lay.steps(&format!("PointDataOffsets/{}", field.name), false, BEGINS, |frame| frame * points)
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        let cells = self.cells.iter_mut().map(|cells| &mut cells.field);
        let mut all = self.fields.iter_mut().chain([&mut self.values]).chain(cells);
        all.try_for_each(|dataset| reopen(dataset, file))?;
        self.damage.iter_mut().try_for_each(|damage| damage.reopen(file))
    }

    /// Appends frames; with stress or strain, their postures are needed.
    pub(super) fn append(&mut self, values: &[f64], posed: &Posed, postures: &[Posture]) -> Result<()> {
        let start = self.frames * self.machine.points;
        let all = [&posed.points, &posed.displacement, &posed.rotation, &posed.deviation];
        for (dataset, values) in self.fields.iter().zip(all) {
            append_chunks(dataset, start, &[3], self.machine.points, values)?;
        }
        for field in &mut self.cells {
            field.append(self.frames, postures, &self.machine)?;
        }
        append(&self.values, self.frames, &[], values)?;
        self.frames += values.len();
        Ok(())
    }
}

/// Cuts what a killed run has left to complete frames.
pub(super) fn mend(file: &File) -> Result<()> {
    let Ok(root) = file.group("VTKHDF") else { return Ok(()) };
    let points = root.dataset("NumberOfPoints")?.read_raw::<i64>()?.first().copied().unwrap_or(0);
    let points = usize::try_from(points).unwrap_or(0).max(1);
    let mut fields: Vec<Dataset> = [POINTS.0, DISPLACEMENT.0, ROTATION.0]
        .iter()
        .map(|name| root.dataset(name))
        .collect::<Result<_>>()?;
    fields.extend(root.dataset(DEVIATION.0).ok());
    let steps = root.group("Steps")?;
    for (name, _) in DAMAGE {
        let path = format!("CellData/{name}");
        // What was not reported.
        if root
            .dataset(&path)
            .is_ok_and(|all| all.read_raw::<f32>().is_ok_and(|all| all.iter().any(|x| x.is_nan())))
        {
            root.unlink(&path)?;
            steps.unlink(&format!("CellDataOffsets/{name}"))?;
        }
    }
    let mut along_frames = steps.datasets()?;
    for group in steps.groups()? {
        along_frames.extend(group.datasets()?);
    }
    let cells = root.dataset("NumberOfCells")?.read_raw::<i64>()?.first().copied().unwrap_or(0);
    let cells = usize::try_from(cells).unwrap_or(0).max(1);
    let names = Quantity::ALL.map(|quantity| format!("CellData/{}", schema::elements(quantity).cell.0));
    let recovered: Vec<Dataset> = names.iter().filter_map(|name| root.dataset(name).ok()).collect();
    let recovered_frames = if recovered.is_empty() { usize::MAX } else { cut(&recovered)? / cells };
    // Both ways: frames without all of their points go, and points without a frame.
    let frames = cut(&along_frames)?.min(cut(&fields)? / points).min(recovered_frames);
    for dataset in &along_frames {
        resize_rows(dataset, frames)?;
    }
    for dataset in &fields {
        resize_rows(dataset, frames * points)?;
    }
    for dataset in &recovered {
        resize_rows(dataset, frames * cells)?;
        resize_rows(&file.dataset(&axis("cell_row"))?, frames * cells)?;
    }
    resize_rows(&file.dataset(&axis("frame"))?, frames)?;
    resize_rows(&file.dataset(&axis("row"))?, frames * points)?;
    put_steps(&steps, frames)
}

fn resize_rows(dataset: &Dataset, rows: usize) -> Result<()> {
    let mut shape = dataset.shape();
    shape[0] = rows;
    dataset.resize(shape)
}
