//! From what a run has left to a complete file.
//!
//! Rows are written dataset by dataset and put in order now and then, so a kill leaves datasets of different
//! lengths, and some may have grown without their numbers. Those read as the fill value (NaN, or −1 in a
//! count), which is never written; all datasets along an axis are cut to what every one of them has.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use hdf5::{Dataset, File, Group, Result as Hdf5Result};
use ndarray::s;
use pliant_reduce::recovery::Quantity;

use super::error::ResultsError;
use super::inspect::inspect;
use super::schema::{self, RESULTS_VERSION};
use super::seal::{self, Seal};
use super::vtk;
use super::writer::hold;
use crate::dataset::{put_text, short};
use crate::new_file::{NewFile, sync_folder};
use crate::superblock::clear_marks;

/// Bytes by which datasets of a killed run may have grown without their numbers.
const GROWN: u64 = 64 << 20;
/// Rows looked at together.
const ROWS: usize = 16_384;

/// What was brought back.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// Where it is.
    pub path: PathBuf,
    /// Outputs of the first analysis.
    pub outputs: usize,
    /// Time of the last of them (s).
    pub t_end: Option<f64>,
}

/// The name of a file that is not complete yet.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Makes a results file of `part`, the `.part` of a run that was killed, and removes it. Without `path` the
/// name is that of the part without `.part`. `found` is called once the part has been inspected, with the
/// bytes of all that it holds.
///
/// # Errors
/// The part is no results file, nothing had been written yet, or the system refuses. The part is then still
/// there.
pub fn recover(part: &Path, path: Option<&Path>, found: impl FnOnce(u64)) -> Result<Recovered, ResultsError> {
    let unknown =
        |message: &str| ResultsError::Unknown { path: part.to_owned(), message: message.to_owned() };
    let stripped = part.to_str().and_then(|name| name.strip_suffix(".part")).map(PathBuf::from);
    let path = match (path, stripped) {
        (Some(path), _) => path.to_owned(),
        (None, Some(path)) => path,
        (None, None) => {
            return Err(unknown(
                "its name does not end in .part; give the name of the recovered file with --out",
            ));
        }
    };
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    fs::metadata(part).map_err(io_error)?;
    let _lock = hold(part)?;
    // Whoever mends and seals it again would make damage look right.
    if seal::verify(part).map_err(io_error)? == Seal::Broken {
        return Err(unknown("its bytes do not match its seal: it was damaged or changed after the run"));
    }
    recover_with(part, &path, "recovered", found)
}

/// The same of a part that this process wrote, with the word for how the run ended.
pub(super) fn recover_as(part: &Path, path: &Path, state: &str) -> Result<Recovered, ResultsError> {
    recover_with(part, path, state, |_| {})
}

fn recover_with(
    part: &Path,
    path: &Path,
    state: &str,
    found: impl FnOnce(u64),
) -> Result<Recovered, ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    // On a copy, so that whatever happens here the part is as it was.
    let of_copy = |source: io::Error| ResultsError::Io { path: path.to_owned(), source };
    let mut copy = NewFile::create(path).map_err(of_copy)?;
    fs::File::open(part).and_then(|mut part| io::copy(&mut part, &mut copy)).map_err(io_error)?;
    let (outputs, t_end) = mend(part, &mut copy, state, found)?;
    seal::append(copy.file()).and_then(|()| copy.measure()).and_then(|()| copy.finish()).map_err(of_copy)?;
    fs::remove_file(part).map_err(io_error)?;
    Ok(Recovered { path: path.to_owned(), outputs, t_end })
}

/// Seals a file that HDF5 has closed and gives it its final name, all of it on the disk.
pub(super) fn finish_part(part: &Path, path: &Path) -> Result<(), ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    let mut file = OpenOptions::new().read(true).write(true).open(part).map_err(io_error)?;
    seal::append(&mut file).and_then(|()| file.sync_all()).map_err(io_error)?;
    fs::rename(part, path).and_then(|()| sync_folder(path)).map_err(io_error)
}

fn mend(
    part: &Path,
    copy: &mut NewFile,
    state: &str,
    found: impl FnOnce(u64),
) -> Result<(usize, Option<f64>), ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    let unknown =
        |message: &str| ResultsError::Unknown { path: part.to_owned(), message: message.to_owned() };
    if !clear_marks(copy.file()).map_err(io_error)? {
        return Err(unknown("not the results of a run, or interrupted before anything was written"));
    }
    let wrong = |source| ResultsError::Hdf5 { path: part.to_owned(), source };
    // A run that was killed while it laid out its file has computed nothing.
    let early = |source: &hdf5::Error| {
        unknown(&format!("interrupted before the first output was written, or damaged ({})", short(source)))
    };
    let file = File::with_options()
        .with_fapl(|fapl| fapl.libver_v110())
        .open_rw(copy.temporary())
        .map_err(|source| early(&source))?;
    let version = file.attr("schema_version").and_then(|attribute| attribute.read_scalar::<u32>());
    let version = version.map_err(|source| early(&source))?;
    if version != RESULTS_VERSION {
        return Err(unknown(&format!(
            "its layout has version {version}, this program reads version {RESULTS_VERSION}"
        )));
    }
    if !file.link_exists("time") {
        return Err(unknown("interrupted before the first output was written"));
    }
    let length = copy.file().metadata().map_err(io_error)?.len();
    found(inspect(&file, length + GROWN).map_err(|source| unknown(&short(&source)))?);
    let outputs = cut_all(&file, state).and_then(|outputs| file.flush().map(|()| outputs)).map_err(wrong)?;
    file.close().map_err(wrong)?;
    if outputs.0 == 0 { Err(unknown("interrupted before the first output was written")) } else { Ok(outputs) }
}

fn cut_all(file: &File, state: &str) -> Hdf5Result<(usize, Option<f64>)> {
    file.delete_attr("state")?;
    put_text(file, "state", state)?;
    let outputs = cut_analysis(file)?;
    if let Ok(others) = file.group("analyses") {
        for group in others.groups()? {
            cut_analysis(&group)?;
        }
    }
    vtk::mend(file)?;
    let time = file.dataset("time")?;
    let last = if outputs == 0 {
        None
    } else {
        time.read_slice_1d::<f64, _>(s![outputs - 1..outputs])?.first().copied()
    };
    Ok((outputs, last))
}

/// Cuts the datasets of an analysis to the times that all of them have, and drops metrics that were not
/// reported.
fn cut_analysis(group: &Group) -> Hdf5Result<usize> {
    let mut along_time = vec![group.dataset("time")?];
    for name in ["joints", "links", "tip", "energy", "solver"] {
        if let Ok(below) = group.group(name) {
            resizable_below(&below, &mut along_time)?;
        }
    }
    let rows = cut(&along_time)?;
    if let Ok(warnings) = group.group("warnings") {
        cut(&warnings.datasets()?)?;
    }
    if let Ok(links) = group.group("links") {
        for link in links.groups()? {
            drop_unknown(&link)?;
        }
    }
    if let Ok(metrics) = group.group("metrics") {
        for metric in metrics.datasets()? {
            if metric.read_scalar::<f64>()?.is_nan() {
                metrics.unlink(metric.name().rsplit('/').next().unwrap_or_default())?;
            }
        }
    }
    Ok(rows)
}

/// Drops the largest stresses and strains, and the damage, of a link when they were not reported.
fn drop_unknown(link: &Group) -> Hdf5Result<()> {
    let largest = Quantity::ALL.into_iter().flat_map(|quantity| schema::elements(quantity).largest);
    for item in largest.chain([schema::LINK_DAMAGE, schema::LINK_LIFE]) {
        let (group, name) = item.group_and_name();
        let Ok(group) = link.group(group) else { continue };
        if !group.link_exists(name) {
            continue;
        }
        if group.dataset(name)?.read_raw::<f64>()?.iter().any(|x| x.is_nan()) {
            group.unlink(name)?;
        }
    }
    Ok(())
}

fn resizable_below(group: &Group, found: &mut Vec<Dataset>) -> Hdf5Result<()> {
    found.extend(group.datasets()?.into_iter().filter(Dataset::is_resizable));
    for below in group.groups()? {
        resizable_below(&below, found)?;
    }
    Ok(())
}

/// Cuts datasets to the rows that all of them have.
pub(super) fn cut(datasets: &[Dataset]) -> Hdf5Result<usize> {
    let mut rows = usize::MAX;
    for dataset in datasets {
        rows = rows.min(complete_rows(dataset, rows)?);
    }
    for dataset in datasets {
        let mut shape = dataset.shape();
        if shape[0] != rows {
            shape[0] = rows;
            dataset.resize(shape)?;
        }
    }
    Ok(rows)
}

/// Rows before the first that was never written, at most `limit`.
fn complete_rows(dataset: &Dataset, limit: usize) -> Hdf5Result<usize> {
    let shape = dataset.shape();
    let (rows, width) = (shape[0].min(limit), shape[1..].iter().product::<usize>());
    let kind = dataset.dtype()?;
    if !kind.is::<f64>() && !kind.is::<f32>() && !kind.is::<i64>() {
        // Texts: their numbers stand beside them.
        return Ok(rows);
    }
    let mut start = 0;
    while start < rows {
        let end = (start + ROWS).min(rows);
        let selection = super::sink::rows_of(start, end - start, &shape[1..]);
        // A count of −1 is as little a number as NaN.
        let block = dataset.read_slice::<f64, _, ndarray::IxDyn>(selection)?;
        let missing = |x: &f64| x.is_nan() || (kind.is::<i64>() && *x < 0.0);
        if let Some(at) = block.iter().position(missing) {
            return Ok(start + at / width.max(1));
        }
        start = end;
    }
    Ok(rows)
}
