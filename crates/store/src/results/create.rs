//! Laying out the file: every group, dataset and attribute, before the first number is written.

use hdf5::types::{FixedUnicode, VarLenUnicode};
use hdf5::{Dataset, Extent, File, Result, SimpleExtents};
use pliant_dynamics::NominalKind;
use pliant_reduce::recovery::Quantity;

use super::axes::{Axes, create, describe, put_labels, with_parents};
use super::channel::{Channels, Number, Series};
use super::damage::DamageSink;
use super::elements::ElementEnvelope;
use super::largest::LargestSink;
use super::schema::{self, Item, RESULTS_VERSION};
use super::shape::MachineShape;
use super::sink::{AnalysisSink, Sink, WarningSink};
use super::vtk::Frames;
use super::{AnalysisInfo, Keep, RunInfo, health, symbols, vtk};
use crate::dataset::{put_text, write_texts};
use crate::image::in_memory;

/// Longest text of a warning.
pub(super) type WarningText = FixedUnicode<512>;
/// Longest subject of a warning.
pub(super) type SubjectText = FixedUnicode<128>;

/// Most and fewest numbers in a chunk along time: reading one series of a long run touches few chunks, and a
/// short run's file is not made of empty ones.
const CHUNK_NUMBERS: usize = 8192;
const CHUNK_ROWS: usize = 4096;
/// Bytes of chunks that libhdf5 may hold for each dataset, two of ours: rows are only ever appended, and with
/// the usual megabyte a hundred series would hold a hundred. Set on the file, since datasets forget their
/// own when it is opened for readers.
pub(super) const CHUNK_CACHE: usize = 2 * 8 * CHUNK_NUMBERS;

/// Builds the file with all that will be in it, in memory.
pub(super) fn lay_out(
    run: &RunInfo,
    analyses: &[(&AnalysisInfo<'_>, &Channels)],
    keep: &Keep,
    shape: Option<(MachineShape, usize)>,
) -> Result<Sink> {
    let file = in_memory()?;
    file.new_attr::<u32>().create("schema_version")?.write_scalar(&RESULTS_VERSION)?;
    put_text(&file, "program", "pliant")?;
    put_text(&file, "program_version", env!("CARGO_PKG_VERSION"))?;
    put_text(&file, "title", &run.title)?;
    put_text(&file, "created", &jiff::Timestamp::now().strftime("%FT%TZ").to_string())?;
    put_text(&file, "state", "complete")?;
    let mut axes = Axes::new(&file);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    vector_axis(&mut axes)?;
    axes.labels("/component", &schema::COMPONENT, &words(&["x", "y", "z", "rx", "ry", "rz"]))?;
    axes.labels("/quaternion", &schema::QUATERNION, &words(&["w", "x", "y", "z"]))?;
    order(&mut axes, run, analyses.iter().map(|(info, _)| info.kind))?;
    inputs(&file, &mut axes, run)?;
    health::put(&file, &mut axes, &run.links)?;
    let mut sinks = Vec::new();
    for (info, channels) in analyses {
        sinks.push(analysis(&file, &mut axes, info, channels, keep)?);
    }
    let elements = analyses.first().map_or(&[][..], |(info, _)| &info.elements);
    let damage = analyses.first().map_or(&[][..], |(info, _)| &info.damage);
    let shape = match shape {
        Some((machine, planned)) => {
            if let Some((info, _)) = analyses.first() {
                symbols::put(&file, &mut axes, info.model)?;
            }
            let deviation = analyses.first().is_some_and(|(info, _)| info.nominal == NominalKind::Rigid);
            let frames = Frames { planned, units: "s", what: "time of each frame", deviation };
            Some(vtk::lay_out(&file, &mut axes, machine, frames, elements, damage)?)
        }
        None => None,
    };
    axes.close()?;
    Ok(Sink::new(file, sinks, shape))
}

/// The axis of vectors.
pub(super) fn vector_axis(axes: &mut Axes<'_>) -> Result<()> {
    axes.labels("/xyz", &schema::XYZ, &["x", "y", "z"].map(str::to_owned))
}

fn analysis(
    file: &File,
    axes: &mut Axes<'_>,
    info: &AnalysisInfo<'_>,
    channels: &Channels,
    keep: &Keep,
) -> Result<AnalysisSink> {
    let prefix = &channels.prefix;
    if prefix.is_empty() {
        put_text(file, "analysis", info.kind)?;
    } else {
        let group = file.create_group_builder().create_intermediate_group(true).create(prefix.as_str())?;
        put_text(&group, "analysis", info.kind)?;
    }
    for axis in &channels.axes {
        axes.labels(&axis.path, &axis.item, &axis.labels)?;
    }
    for note in &channels.notes {
        let dataset = put_labels(file, &note.path, &note.item, &note.labels)?;
        axes.attach(&dataset, &note.path, std::slice::from_ref(&note.scale))?;
    }
    let mut series = Vec::new();
    let mut largest = Vec::new();
    for envelope in ElementEnvelope::all(&info.elements, info.model) {
        largest.push(LargestSink::lay_out(file, axes, prefix, &envelope)?);
    }
    let mut damage = Vec::new();
    for link in info.elements.iter().filter(|link| info.damage.contains(&link.name)) {
        let elements = link.field(Quantity::Stress).map_or(0, |stress| stress.modes.elements.len());
        if elements > 0 {
            damage.push(DamageSink::lay_out(file, axes, prefix, &link.name, elements)?);
        }
    }
    for (i, declared) in channels.series.iter().enumerate() {
        let dataset = along_time(file, declared, info.outputs, keep.compress)?;
        if i == 0 {
            axes.scale(&dataset, &declared.path)?;
        }
        axes.attach(&dataset, &declared.path, &declared.scales)?;
        series.push((dataset, declared.clone()));
    }
    for (path, name, text) in &channels.attributes {
        let dataset = file.dataset(path)?;
        put_text(&dataset, name, text)?;
    }
    let mut metrics = Vec::new();
    for metric in &info.metrics {
        let path = schema::METRIC.path_of(prefix, &[&metric.name]);
        let builder = file.new_dataset::<f64>().fill_value(f64::NAN).create_intermediate_group(true);
        // Contiguous and allocated now: writing it later changes nothing but its own bytes.
        let dataset = builder
            .alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early))
            .shape(())
            .create(path.as_str())?;
        describe(&dataset, &metric.units, &metric.description)?;
        metrics.push(dataset);
    }
    let warnings = warnings(file, axes, prefix)?;
    Ok(AnalysisSink::new(series, metrics, warnings, largest, damage))
}

/// A dataset along time. Rows that were never written read as NaN, or as −1 in a count: that is how recovery
/// tells them.
fn along_time(file: &File, series: &Series, outputs: usize, compress: bool) -> Result<Dataset> {
    let extents = std::iter::once(Extent::resizable(0)).chain(series.tail.iter().map(|n| Extent::fixed(*n)));
    // As few chunks as hold all outputs, and of these the smallest: what stays empty is written, too.
    let (outputs, most) = (outputs.max(1), (CHUNK_NUMBERS / series.width().max(1)).clamp(1, CHUNK_ROWS));
    let rows = outputs.div_ceil(outputs.div_ceil(most));
    let chunk: Vec<usize> = std::iter::once(rows).chain(series.tail.iter().copied()).collect();
    let shape = SimpleExtents::from_vec(extents.collect());
    let builder = match series.number {
        Number::Real => file.new_dataset::<f64>().fill_value(f64::NAN).shape(shape),
        Number::Count => file.new_dataset::<i64>().fill_value(-1i64).shape(shape),
    };
    let mut builder = with_parents(builder).chunk(chunk);
    if compress {
        builder = builder.shuffle().deflate(4);
    }
    let dataset = builder.create(series.path.as_str())?;
    describe(&dataset, &series.units, series.description)?;
    Ok(dataset)
}

fn warnings(file: &File, axes: &mut Axes<'_>, prefix: &str) -> Result<WarningSink> {
    let path = |item: Item| item.path_of(prefix, &[]);
    let scale = path(schema::WARNING);
    let shape = || SimpleExtents::from_vec(vec![Extent::resizable(0)]);
    let chunk = vec![16];
    let builder =
        with_parents(file.new_dataset::<i64>().fill_value(-1i64).shape(shape())).chunk(chunk.clone());
    let number = builder.create(scale.as_str())?;
    axes.scale(&number, &scale)?;
    let builder = file.new_dataset::<f64>().fill_value(f64::NAN).shape(shape()).chunk(chunk.clone());
    let time = builder.create(path(schema::WARNING_TIME).as_str())?;
    let builder = file.new_dataset::<SubjectText>().shape(shape()).chunk(chunk.clone());
    let subject = builder.create(path(schema::WARNING_SUBJECT).as_str())?;
    let builder = file.new_dataset::<WarningText>().shape(shape()).chunk(chunk);
    let message = builder.create(path(schema::WARNING_MESSAGE).as_str())?;
    let items = [schema::WARNING, schema::WARNING_TIME, schema::WARNING_SUBJECT, schema::WARNING_MESSAGE];
    for (dataset, item) in [&number, &time, &subject, &message].into_iter().zip(items) {
        describe(dataset, item.units, item.description)?;
        axes.attach(dataset, &path(item), std::slice::from_ref(&scale))?;
    }
    Ok(WarningSink { number, time, subject, message, count: 0 })
}

/// The order of analyses, links and joints, which names of groups do not have.
fn order<'k>(axes: &mut Axes<'_>, run: &RunInfo, kinds: impl Iterator<Item = &'k str>) -> Result<()> {
    let kinds: Vec<String> = kinds.map(str::to_owned).collect();
    let links: Vec<String> = run.links.iter().map(|link| schema::group_name(&link.name)).collect();
    let joints: Vec<String> = run.joints.iter().map(|joint| schema::group_name(joint)).collect();
    for (item, labels) in
        [(schema::MACHINE_ANALYSIS, kinds), (schema::MACHINE_LINK, links), (schema::MACHINE_JOINT, joints)]
    {
        axes.labels(item.path, &item, &labels)?;
    }
    Ok(())
}

fn inputs(file: &File, axes: &mut Axes<'_>, run: &RunInfo) -> Result<()> {
    let item = schema::INPUT_PIPELINE;
    let text: VarLenUnicode = run.pipeline.replace('\0', " ").parse().unwrap_or_default();
    let dataset = create::<VarLenUnicode>(file, item.path, &[])?;
    write_texts(&dataset, &[text])?;
    describe(&dataset, item.units, item.description)?;
    axes.numbers(schema::INPUT_FILE.path, &schema::INPUT_FILE, run.files.len())?;
    let paths: Vec<String> = run.files.iter().map(|file| file.path.clone()).collect();
    let path = put_labels(file, schema::INPUT_PATH.path, &schema::INPUT_PATH, &paths)?;
    let hashes: Vec<String> = run.files.iter().map(|file| file.sha256.clone()).collect();
    let sha256 = put_labels(file, schema::INPUT_SHA256.path, &schema::INPUT_SHA256, &hashes)?;
    let sizes: Vec<u64> = run.files.iter().map(|file| file.size).collect();
    let size = create::<u64>(file, schema::INPUT_SIZE.path, &[Extent::fixed(sizes.len())])?;
    size.write_raw(&sizes)?;
    describe(&size, schema::INPUT_SIZE.units, schema::INPUT_SIZE.description)?;
    let items = [schema::INPUT_PATH, schema::INPUT_SHA256, schema::INPUT_SIZE];
    for (dataset, item) in [path, sha256, size].iter().zip(items) {
        axes.attach(dataset, item.path, &[schema::INPUT_FILE.path.to_owned()])?;
    }
    Ok(())
}
