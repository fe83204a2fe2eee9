//! Dimension scales: datasets that are the axes of others, as the specification of H5DS has them.

use std::collections::BTreeMap;

use hdf5::types::{FixedUnicode, VarLenArray, VarLenUnicode};
use hdf5::{Dataset, Extent, File, Group, ObjectReference, ObjectReference1, Result, SimpleExtents};

use super::attribute::put_c_text;
use super::schema::Item;
use crate::dataset::{put_text, write_texts};

/// A label of an axis: text of any length, which readers of netCDF take for strings rather than bytes.
pub(super) type Label = VarLenUnicode;

/// An entry of REFERENCE_LIST: a dataset and which of its axes the scale is.
#[derive(Clone, Copy, hdf5::H5Type)]
#[repr(C)]
struct Use {
    dataset: ObjectReference1,
    dimension: i32,
}

/// Makes scales and attaches datasets to them. [`Axes::close`] must come last: a scale lists who uses it.
pub(super) struct Axes<'f> {
    file: &'f File,
    users: BTreeMap<String, Vec<Use>>,
    /// References to scales that were attached to.
    references: BTreeMap<String, ObjectReference1>,
}

impl<'f> Axes<'f> {
    pub(super) fn new(file: &'f File) -> Self {
        Self { file, users: BTreeMap::new(), references: BTreeMap::new() }
    }

    /// Marks a dataset as a scale and attaches it to itself, as xarray likes it.
    pub(super) fn scale(&mut self, dataset: &Dataset, path: &str) -> Result<()> {
        put_c_text(dataset, "CLASS", "DIMENSION_SCALE")?;
        put_c_text(dataset, "NAME", path.rsplit('/').next().unwrap_or(path))?;
        self.users.entry(path.to_owned()).or_default();
        Ok(())
    }

    /// A scale of labels.
    pub(super) fn labels(&mut self, path: &str, item: &Item, labels: &[String]) -> Result<()> {
        let dataset = put_labels(self.file, path, item, labels)?;
        self.scale(&dataset, path)
    }

    /// A scale of the numbers from 1.
    pub(super) fn numbers(&mut self, path: &str, item: &Item, count: usize) -> Result<()> {
        let numbers: Vec<u32> = (1..).take(count).collect();
        let dataset = create::<u32>(self.file, path, &[Extent::fixed(count)])?;
        dataset.write_raw(&numbers)?;
        describe(&dataset, item.units, item.description)?;
        self.scale(&dataset, path)
    }

    /// A scale without values that takes no room: an axis that has a length and nothing else, as netCDF has
    /// them.
    pub(super) fn bare(&mut self, path: &str, description: &str, extent: Extent) -> Result<Dataset> {
        let builder = self.file.new_dataset::<i8>().shape(SimpleExtents::from_vec(vec![extent]));
        // Chunks that are never written take no room; a growing axis may be shorter than its chunk.
        let chunk = if extent.is_resizable() { 1 << 20 } else { extent.dim.min(1 << 20) };
        let builder = with_parents(builder);
        let dataset = if chunk > 0 { builder.chunk(vec![chunk]) } else { builder }.create(path)?;
        describe(&dataset, "1", description)?;
        put_c_text(&dataset, "CLASS", "DIMENSION_SCALE")?;
        let name = format!("This is a netCDF dimension but not a netCDF variable.{:10}", extent.dim);
        put_c_text(&dataset, "NAME", &name)?;
        self.users.entry(path.to_owned()).or_default();
        Ok(dataset)
    }

    /// Attaches the dataset of this path to the scales at these paths, one for each of its axes.
    pub(super) fn attach(&mut self, dataset: &Dataset, path: &str, scales: &[String]) -> Result<()> {
        if scales.is_empty() || scales == [path] {
            return Ok(());
        }
        let user = ObjectReference1::create(dataset, ".")?;
        let mut list = Vec::new();
        for (dimension, scale) in (0..).zip(scales) {
            list.push(VarLenArray::from_slice(&[self.reference(scale)?]));
            self.users.entry(scale.clone()).or_default().push(Use { dataset: user, dimension });
        }
        let attribute = dataset
            .new_attr::<VarLenArray<ObjectReference1>>()
            .shape(scales.len())
            .create("DIMENSION_LIST")?;
        attribute.write_raw(&list)
    }

    /// A reference to the scale at this path, which is looked for once.
    fn reference(&mut self, scale: &str) -> Result<ObjectReference1> {
        if let Some(found) = self.references.get(scale) {
            return Ok(*found);
        }
        let found = ObjectReference1::create(self.file, scale)?;
        self.references.insert(scale.to_owned(), found);
        Ok(found)
    }

    /// Writes who uses each scale.
    pub(super) fn close(self) -> Result<()> {
        for (path, users) in self.users.into_iter().filter(|(_, users)| !users.is_empty()) {
            let dataset = self.file.dataset(&path)?;
            let attribute = dataset.new_attr::<Use>().shape(users.len()).create("REFERENCE_LIST")?;
            attribute.write_raw(&users)?;
        }
        Ok(())
    }
}

/// Every dataset says what it is.
pub(super) fn describe(dataset: &Dataset, units: &str, description: &str) -> Result<()> {
    put_text(dataset, "units", units)?;
    put_text(dataset, "description", description)
}

/// Labels along one axis.
pub(super) fn put_labels(file: &Group, path: &str, item: &Item, labels: &[String]) -> Result<Dataset> {
    let dataset = create::<Label>(file, path, &[Extent::fixed(labels.len())])?;
    let labels: Vec<Label> =
        labels.iter().map(|label| label.replace('\0', " ").parse().unwrap_or_default()).collect();
    write_texts(&dataset, &labels)?;
    describe(&dataset, item.units, item.description)?;
    Ok(dataset)
}

/// Text of limited length; what is too long is cut at a letter.
pub(super) fn fixed<const N: usize>(text: &str) -> FixedUnicode<N> {
    let clean = text.replace('\0', " ");
    let cut = &clean[..clean.floor_char_boundary(N)];
    cut.parse().unwrap_or_default()
}

/// A dataset with the groups above it.
pub(super) fn create<T: hdf5::H5Type>(file: &Group, path: &str, extents: &[Extent]) -> Result<Dataset> {
    let builder = file.new_dataset::<T>().shape(SimpleExtents::from_vec(extents.to_vec()));
    with_parents(builder).create(path)
}

/// Groups above the dataset are made with it.
pub(super) fn with_parents(builder: hdf5::DatasetBuilderEmptyShape) -> hdf5::DatasetBuilderEmptyShape {
    builder.create_intermediate_group(true)
}
