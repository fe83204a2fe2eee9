//! `/links/<link>/stress` and `strain`: the largest of each element.

use hdf5::{Dataset, Extent, File, Result};
use pliant_reduce::recovery::Quantity;

use super::axes::{Axes, create, describe};
use super::elements::{ElementEnvelope, POINT_ROWS};
use super::schema::{self, Item};
use super::sink::reopen;

/// The largest of the elements of a link, to be written.
pub(super) struct Largest {
    link: String,
    quantity: Quantity,
    /// Values and times of the elements.
    values: [Vec<f64>; 2],
    /// Rows of the worst point, row by row.
    peak: Option<Vec<f64>>,
}

/// The datasets of the largest of the elements of a link.
pub(super) struct LargestSink {
    link: String,
    quantity: Quantity,
    datasets: [Dataset; 2],
    peak: Option<Dataset>,
}

impl Largest {
    /// Of an envelope; none before the first frame.
    pub(super) fn of(envelope: &ElementEnvelope) -> Option<Self> {
        let values = envelope.values()?.map(<[f64]>::to_vec);
        let peak = envelope.peak_rows().map(|rows| rows.transpose().as_slice().to_vec());
        Some(Self { link: envelope.link.clone(), quantity: envelope.quantity(), values, peak })
    }
}

impl LargestSink {
    /// Lays out `/links/<link>/stress` or `strain`.
    pub(super) fn lay_out(
        file: &File,
        axes: &mut Axes<'_>,
        prefix: &str,
        envelope: &ElementEnvelope,
    ) -> Result<Self> {
        let (link, of) = (envelope.link.as_str(), envelope.modes());
        let (elements, items) = (&of.elements, schema::elements(of.quantity));
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
        numbers(items.property, elements.iter().map(|element| element.property).collect())?;
        axes.attach(&path(items.property), std::slice::from_ref(&scale))?;
        let mut later = |item: Item| -> Result<Dataset> {
            let builder = file.new_dataset::<f64>().fill_value(f64::NAN).create_intermediate_group(true);
            let builder = builder.alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early));
            let dataset = builder.shape(elements.len()).create(path(item).as_str())?;
            describe(&dataset, item.units, item.description)?;
            axes.attach(&path(item), std::slice::from_ref(&scale))?;
            Ok(dataset)
        };
        let datasets = [later(items.largest[0])?, later(items.largest[1])?];
        if let Some(allowables) = envelope.allowables() {
            let item = schema::LINK_STRESS_ALLOWABLE;
            let dataset = create::<f64>(file, &path(item), &[Extent::fixed(allowables.len())])?;
            dataset.write_raw(&allowables)?;
            describe(&dataset, item.units, item.description)?;
            axes.attach(&path(item), std::slice::from_ref(&scale))?;
        }
        let coordinates = path(schema::LINK_COORDINATE);
        let has_coordinates = of.quantity == Quantity::Stress && file.link_exists(&coordinates);
        let peak = if has_coordinates {
            let (rows, item) = (path(schema::LINK_STRESS_PEAK_ROW), schema::LINK_STRESS_PEAK_ROWS);
            axes.numbers(&rows, &schema::LINK_STRESS_PEAK_ROW, POINT_ROWS)?;
            // Zero until it is known, which is no stress.
            let builder = file.new_dataset::<f64>().create_intermediate_group(true);
            let builder = builder.alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early));
            let dataset = builder.shape((POINT_ROWS, of.S.ncols())).create(path(item).as_str())?;
            describe(&dataset, item.units, item.description)?;
            axes.attach(&path(item), &[rows, coordinates])?;
            Some(dataset)
        } else {
            None
        };
        Ok(Self { link: link.to_owned(), quantity: of.quantity, datasets, peak })
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        self.datasets.iter_mut().chain(&mut self.peak).try_for_each(|dataset| reopen(dataset, file))
    }

    /// Writes the largest when they are those of this link and quantity.
    pub(super) fn write(&self, largest: &Largest) -> Result<()> {
        if largest.link == self.link && largest.quantity == self.quantity {
            for (dataset, values) in self.datasets.iter().zip(&largest.values) {
                dataset.write_raw(values)?;
            }
            if let (Some(dataset), Some(rows)) = (&self.peak, &largest.peak) {
                dataset.write_raw(rows)?;
            }
        }
        Ok(())
    }
}
