//! Stress and strain of elements: what is recovered of them while the machine moves.

use std::ops::Range;
use std::sync::Arc;

use hdf5::{Dataset, Extent, File, Result};
use nalgebra::DVector;
use pliant_reduce::recovery::{ElementModes, Quantity};

use super::axes::{Axes, create, describe};
use super::schema::{self, Item};
use super::sink::reopen;

/// What is recovered of a link.
#[derive(Clone, Debug)]
pub struct LinkElements {
    /// Name of the link.
    pub name: String,
    /// Stress and strain, whatever is asked for.
    pub fields: Vec<Arc<ElementField>>,
    /// Gauges by name, with their strain for unit coordinates.
    pub gauges: Vec<(String, Vec<f64>)>,
}

/// A quantity of the elements of a link.
#[derive(Clone, Debug)]
pub struct ElementField {
    /// For unit coordinates.
    pub modes: ElementModes,
    /// Numbers of the elements whose components are kept over time.
    pub history: Vec<u32>,
}

impl LinkElements {
    /// The field of a quantity.
    pub(super) fn field(&self, quantity: Quantity) -> Option<&Arc<ElementField>> {
        self.fields.iter().find(|field| field.modes.quantity == quantity)
    }
}

impl ElementField {
    /// Calls `found` with the index of each element and its equivalent stress (Pa) or principal strain at
    /// coordinates q; `rows` is scratch.
    pub(super) fn intensity(&self, q: &[f64], rows: &mut DVector<f64>, mut found: impl FnMut(usize, f64)) {
        let modes = &self.modes;
        rows.resize_vertically_mut(modes.S.nrows(), 0.0);
        rows.fill(0.0);
        // A rigid analysis has no coordinates, whatever the link has.
        for (column, q) in modes.S.column_iter().zip(q) {
            rows.axpy(*q, &column, 1.0);
        }
        for (at, element) in modes.elements.iter().enumerate() {
            let count = element.kind.rows(modes.quantity);
            let rows = &rows.as_slice()[element.first..element.first + count];
            found(at, element.kind.intensity(modes.quantity, rows));
        }
    }
}

/// The largest of each element so far.
pub(super) struct Envelope {
    field: Arc<ElementField>,
    /// Where the link's coordinates stand in a row.
    coordinates: Range<usize>,
    largest: Vec<f64>,
    times: Vec<f64>,
    rows: DVector<f64>,
    datasets: [Dataset; 2],
}

impl Envelope {
    /// Lays out `/links/<link>/stress` or `strain`.
    pub(super) fn lay_out(
        file: &File,
        axes: &mut Axes<'_>,
        prefix: &str,
        link: &str,
        field: Arc<ElementField>,
        coordinates: Range<usize>,
    ) -> Result<Self> {
        let (elements, items) = (&field.modes.elements, schema::elements(field.modes.quantity));
        let path = |item: Item| item.path_of(prefix, &[link]);
        let numbers = |item: Item, values: Vec<u32>| -> Result<Dataset> {
            let dataset = create::<u32>(file, &path(item), &[Extent::fixed(values.len())])?;
            dataset.write_raw(&values)?;
            describe(&dataset, item.units, item.description)?;
            Ok(dataset)
        };
        let scale = path(items.element);
        let element = numbers(items.element, elements.iter().map(|element| element.id).collect())?;
        axes.scale(&element, &scale)?;
        let property = numbers(items.property, elements.iter().map(|element| element.property).collect())?;
        axes.attach(&property, &path(items.property), std::slice::from_ref(&scale))?;
        let mut later = |item: Item| -> Result<Dataset> {
            let builder = file.new_dataset::<f64>().fill_value(f64::NAN).create_intermediate_group(true);
            let builder = builder.alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early));
            let dataset = builder.shape(elements.len()).create(path(item).as_str())?;
            describe(&dataset, item.units, item.description)?;
            axes.attach(&dataset, &path(item), std::slice::from_ref(&scale))?;
            Ok(dataset)
        };
        let datasets = [later(items.largest[0])?, later(items.largest[1])?];
        let (largest, times) = (vec![-1.0; elements.len()], vec![0.0; elements.len()]);
        Ok(Self { field, coordinates, largest, times, rows: DVector::zeros(0), datasets })
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        self.datasets.iter_mut().try_for_each(|dataset| reopen(dataset, file))
    }

    /// Takes rows of `width` numbers in; the first is the time.
    pub(super) fn update(&mut self, data: &[f64], width: usize) {
        for row in data.chunks_exact(width) {
            let (largest, times) = (&mut self.largest, &mut self.times);
            self.field.intensity(&row[self.coordinates.clone()], &mut self.rows, |at, size| {
                if size > largest[at] {
                    (largest[at], times[at]) = (size, row[0]);
                }
            });
        }
    }

    /// Writes it, once there is something.
    pub(super) fn write(&self) -> Result<()> {
        if self.largest.iter().all(|size| *size >= 0.0) {
            self.datasets[0].write_raw(&self.largest)?;
            self.datasets[1].write_raw(&self.times)?;
        }
        Ok(())
    }
}
