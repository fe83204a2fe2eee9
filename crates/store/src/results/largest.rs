//! `/links/<link>/stress` and `strain`: the largest of each element.

use hdf5::{Dataset, Extent, File, Result};
use pliant_reduce::recovery::{ElementModes, Quantity};

use super::axes::{Axes, create, describe};
use super::elements::ElementEnvelope;
use super::schema::{self, Item};
use super::sink::reopen;

/// The largest of the elements of a link, to be written.
pub(super) struct Largest {
    link: String,
    quantity: Quantity,
    /// Values and times of the elements.
    values: [Vec<f64>; 2],
}

/// The datasets of the largest of the elements of a link.
pub(super) struct LargestSink {
    link: String,
    quantity: Quantity,
    datasets: [Dataset; 2],
}

impl Largest {
    /// Of an envelope; none before the first frame.
    pub(super) fn of(envelope: &ElementEnvelope) -> Option<Self> {
        let values = envelope.values()?.map(<[f64]>::to_vec);
        Some(Self { link: envelope.link.clone(), quantity: envelope.quantity(), values })
    }
}

impl LargestSink {
    /// Lays out `/links/<link>/stress` or `strain`.
    pub(super) fn lay_out(
        file: &File,
        axes: &mut Axes<'_>,
        prefix: &str,
        link: &str,
        of: &ElementModes,
    ) -> Result<Self> {
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
        Ok(Self { link: link.to_owned(), quantity: of.quantity, datasets })
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        self.datasets.iter_mut().try_for_each(|dataset| reopen(dataset, file))
    }

    /// Writes the largest when they are those of this link and quantity.
    pub(super) fn write(&self, largest: &Largest) -> Result<()> {
        if largest.link == self.link && largest.quantity == self.quantity {
            for (dataset, values) in self.datasets.iter().zip(&largest.values) {
                dataset.write_raw(values)?;
            }
        }
        Ok(())
    }
}
