//! Reading a results file: what `pliant show`, `pliant export` and the report take from it.

use std::path::{Path, PathBuf};

use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, File, Group, ObjectReference, ObjectReference1, ReferencedObject};

use super::axes::Label;
use super::create::{SubjectText, WarningText};
use super::error::ResultsError;
use super::inspect::inspect;
use super::schema::{self, RESULTS_VERSION};
use super::seal::{self, Seal};
use super::{InputFile, RunInfo};
use crate::dataset::{short, text, words};
use crate::image::no_writes_at_exit;
use crate::superblock::stated_length;

/// A results file.
#[derive(Debug)]
pub struct ResultsFile {
    path: PathBuf,
    file: File,
    bytes: u64,
}

/// Numbers of a dataset with what they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its path in the file.
    pub path: String,
    /// Units.
    pub units: String,
    /// What it is.
    pub description: String,
    /// Names of its axes; `time` is the first of a series.
    pub axes: Vec<String>,
    /// Lengths of its axes.
    pub shape: Vec<usize>,
    /// Labels along the axis after time, where it has one.
    pub labels: Vec<String>,
    /// The numbers, row by row.
    pub values: Vec<f64>,
}

/// A warning of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct WarningRow {
    /// When it was first seen (s).
    pub t: f64,
    /// Link or joint.
    pub subject: String,
    /// What.
    pub message: String,
}

impl Series {
    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.shape.get(1..).map_or(1, |tail| tail.iter().product())
    }

    /// One column over time.
    pub fn column(&self, k: usize) -> impl Iterator<Item = f64> {
        self.values.iter().skip(k).step_by(self.width().max(1)).copied()
    }
}

impl ResultsFile {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// It is not there, is no results file, is not complete, or is of another version.
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        let unknown = |message: String| ResultsError::Unknown { path: path.to_owned(), message };
        // The system's own words for what is missing.
        let io_error = |source| ResultsError::Io { path: path.to_owned(), source };
        let facts = std::fs::metadata(path).map_err(io_error)?;
        if !facts.is_file() {
            return Err(unknown("it is not a regular file".to_owned()));
        }
        if seal::verify(path).map_err(io_error)? == Seal::Broken {
            let message = "its bytes do not match its seal: it was damaged or changed after the run";
            return Err(unknown(message.to_owned()));
        }
        if path.to_str().is_none() {
            return Err(unknown("its name is not UTF-8, which libhdf5 needs; rename it".to_owned()));
        }
        no_writes_at_exit();
        let Ok(file) = File::open(path) else {
            let part = path.extension().is_some_and(|extension| extension == "part");
            // Of a run that was killed before anything was written there is nothing to recover.
            let begun = std::fs::File::open(path).and_then(|mut file| stated_length(&mut file, 0));
            let hint = match begun {
                Ok(Some(_)) if part => "; `pliant recover` makes a complete file of what was written",
                _ => "",
            };
            return Err(unknown(format!("it is not an HDF5 file, or not a complete one{hint}")));
        };
        let bytes = inspect(&file, facts.len()).map_err(|error| unknown(short(&error)))?;
        match file.attr("schema_version").and_then(|attribute| attribute.read_scalar::<u32>()) {
            Ok(RESULTS_VERSION) => Ok(Self { path: path.to_owned(), file, bytes }),
            Ok(version) => Err(unknown(format!(
                "its layout has version {version}, this program reads version {RESULTS_VERSION}"
            ))),
            Err(_) => Err(unknown("this is not a results file of Pliant".to_owned())),
        }
    }

    /// Bytes of all that it holds, once inflated.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A text attribute of the root; empty when there is none.
    pub fn attribute(&self, name: &str) -> String {
        text(&self.file, name).unwrap_or_default()
    }

    /// The analyses in it: the word for each and the prefix of its paths; the first one's is empty.
    pub fn analyses(&self) -> Vec<(String, String)> {
        let mut all = vec![(self.attribute("analysis"), String::new())];
        let others = self.file.group("analyses").and_then(|group| group.groups()).unwrap_or_default();
        all.extend(others.iter().map(|group| (text(group, "analysis").unwrap_or_default(), group.name())));
        let order = self.order(schema::MACHINE_ANALYSIS.path);
        all[1..].sort_by_key(|(kind, _)| order.iter().position(|known| known == kind));
        all
    }

    /// Names of the joints of an analysis in the order of the pipeline file.
    pub fn joints(&self, prefix: &str) -> Vec<String> {
        self.ordered(&format!("{prefix}/joints"), schema::MACHINE_JOINT.path)
    }

    /// Names of the links of an analysis in the order of the pipeline file.
    pub fn links(&self, prefix: &str) -> Vec<String> {
        self.ordered(&format!("{prefix}/links"), schema::MACHINE_LINK.path)
    }

    /// Names below a path in a stated order; those that it does not have, as in files of earlier programs,
    /// come last.
    fn ordered(&self, path: &str, order: &str) -> Vec<String> {
        let order = self.order(order);
        let mut names = self.names(path);
        names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
        names
    }

    fn order(&self, path: &str) -> Vec<String> {
        let dataset = if self.has(path) { self.file.dataset(path).ok() } else { None };
        dataset.and_then(|dataset| labels(&dataset).ok()).unwrap_or_default()
    }

    /// Comma-separated words of a dataset's attribute; none when there is no such attribute.
    pub fn words(&self, path: &str, attribute: &str) -> Vec<String> {
        let text = self.text_of(path, attribute).unwrap_or_default();
        text.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// Names of what is below a path, such as the joints below `/joints`, sorted.
    pub fn names(&self, path: &str) -> Vec<String> {
        let members = self.file.group(path).and_then(|group| group.member_names());
        let mut names = members.unwrap_or_default();
        names.sort();
        names
    }

    /// Whether there is something at a path.
    pub fn has(&self, path: &str) -> bool {
        let mut so_far = String::new();
        path.split('/').filter(|part| !part.is_empty()).all(|part| {
            so_far.push('/');
            so_far.push_str(part);
            self.file.link_exists(&so_far)
        })
    }

    /// The numbers at a path.
    ///
    /// # Errors
    /// There are none.
    pub fn series(&self, path: &str) -> Result<Series, ResultsError> {
        self.read(path).map_err(|source| self.wrong(source))
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn wrong(&self, source: hdf5::Error) -> ResultsError {
        ResultsError::Hdf5 { path: self.path.clone(), source }
    }

    fn read(&self, path: &str) -> hdf5::Result<Series> {
        let dataset = self.file.dataset(path)?;
        let scales = self.scales(&dataset)?;
        let axes = scales.iter().map(|scale| scale.name().rsplit('/').next().unwrap_or_default().to_owned());
        let labels = match scales.get(1) {
            Some(scale) if scale.dtype()?.is::<Label>() => labels(scale)?,
            _ => Vec::new(),
        };
        let axes: Vec<String> = if scales.is_empty() && dataset.ndim() == 1 {
            vec![path.rsplit('/').next().unwrap_or_default().to_owned()]
        } else {
            axes.collect()
        };
        Ok(Series {
            path: path.to_owned(),
            units: text(&dataset, "units")?,
            description: text(&dataset, "description")?,
            axes,
            shape: dataset.shape(),
            labels,
            values: dataset.read_raw()?,
        })
    }

    fn scales(&self, dataset: &Dataset) -> hdf5::Result<Vec<Dataset>> {
        let Ok(list) = dataset.attr("DIMENSION_LIST") else { return Ok(Vec::new()) };
        let list = list.read_raw::<hdf5::types::VarLenArray<ObjectReference1>>()?;
        let first = |refs: &hdf5::types::VarLenArray<ObjectReference1>| match refs.first() {
            Some(reference) => match reference.dereference(&self.file)? {
                ReferencedObject::Dataset(scale) => Ok(scale),
                _ => Err(hdf5::Error::Internal("an axis is not a dataset".to_owned())),
            },
            None => Err(hdf5::Error::Internal("an axis without a scale".to_owned())),
        };
        list.iter().map(first).collect()
    }

    /// Paths of all numbers along time below a prefix of [`ResultsFile::analyses`], sorted; `/time` itself is
    /// not among them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn along_time(&self, prefix: &str) -> Result<Vec<String>, ResultsError> {
        let mut paths = Vec::new();
        for name in ["joints", "links", "tip", "energy", "solver"] {
            let path = format!("{prefix}/{name}");
            if self.has(&path) {
                let group = self.file.group(&path).map_err(|source| self.wrong(source))?;
                below(&group, &mut paths).map_err(|source| self.wrong(source))?;
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// The metrics of an analysis, sorted by name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn metrics(&self, prefix: &str) -> Result<Vec<Series>, ResultsError> {
        let path = format!("{prefix}/metrics");
        if !self.has(&path) {
            return Ok(Vec::new());
        }
        self.names(&path).iter().map(|name| self.series(&format!("{path}/{name}"))).collect()
    }

    /// The warnings of an analysis.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn warnings(&self, prefix: &str) -> Result<Vec<WarningRow>, ResultsError> {
        self.read_warnings(prefix).map_err(|source| self.wrong(source))
    }

    fn read_warnings(&self, prefix: &str) -> hdf5::Result<Vec<WarningRow>> {
        let group = self.file.group(&format!("{prefix}/warnings"))?;
        let times: Vec<f64> = group.dataset("time_of_warning")?.read_raw()?;
        let subjects: Vec<SubjectText> = group.dataset("place")?.read_raw()?;
        let messages: Vec<WarningText> = group.dataset("message")?.read_raw()?;
        let each = times.into_iter().zip(subjects).zip(messages);
        let row = |((t, subject), message): ((f64, SubjectText), WarningText)| WarningRow {
            t,
            subject: words(subject.as_bytes()),
            message: words(message.as_bytes()),
        };
        Ok(each.map(row).collect())
    }

    /// What the run was made of.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn inputs(&self) -> Result<RunInfo, ResultsError> {
        self.read_inputs().map_err(|source| self.wrong(source))
    }

    fn read_inputs(&self) -> hdf5::Result<RunInfo> {
        let group = self.file.group("inputs")?;
        let pipeline = group.dataset("pipeline")?.read_scalar::<VarLenUnicode>()?;
        let paths: Vec<Label> = group.dataset("path")?.read_raw()?;
        let hashes: Vec<Label> = group.dataset("sha256")?.read_raw()?;
        let sizes: Vec<u64> = group.dataset("size")?.read_raw()?;
        let each = paths.iter().zip(&hashes).zip(sizes);
        let file = |((path, sha256), size): ((&Label, &Label), u64)| InputFile {
            path: words(path.as_bytes()),
            size,
            sha256: words(sha256.as_bytes()),
        };
        let (title, pipeline) = (self.attribute("title"), words(pipeline.as_bytes()));
        let files = each.map(file).collect();
        Ok(RunInfo { title, pipeline, files, links: self.read_links()?, joints: self.joints("") })
    }

    /// All of a dataset, as numbers of their own kind.
    pub(super) fn all<T: hdf5::H5Type>(&self, path: &str) -> hdf5::Result<Vec<T>> {
        self.file.dataset(path)?.read_raw()
    }

    /// All labels of a dataset.
    pub(super) fn labels(&self, path: &str) -> hdf5::Result<Vec<String>> {
        labels(&self.file.dataset(path)?)
    }

    /// A text attribute of a dataset.
    pub(super) fn text_of(&self, path: &str, name: &str) -> hdf5::Result<String> {
        let dataset = self.file.dataset(path)?;
        text(&dataset, name)
    }
}

fn labels(scale: &Dataset) -> hdf5::Result<Vec<String>> {
    let labels: Vec<Label> = scale.read_raw()?;
    Ok(labels.iter().map(|label| words(label.as_bytes())).collect())
}

/// Datasets along time below a group.
fn below(group: &Group, paths: &mut Vec<String>) -> hdf5::Result<()> {
    paths.extend(group.datasets()?.iter().filter(|d| d.is_resizable()).map(|d| d.name()));
    for group in group.groups()? {
        below(&group, paths)?;
    }
    Ok(())
}
