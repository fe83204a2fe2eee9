//! Stress of links: what is recovered of it while the machine moves.

use std::ops::Range;

use hdf5::{Dataset, Extent, File, Result};
use nalgebra::DVector;
use pliant_reduce::stress::StressModes;

use super::axes::{Axes, create, describe};
use super::schema::{self, Item};

/// What is recovered of a link.
#[derive(Clone, Debug)]
pub struct LinkStress {
    /// Name of the link.
    pub name: String,
    /// Stress for unit coordinates.
    pub modes: StressModes,
    /// Numbers of the elements whose stress is kept over time.
    pub history: Vec<u32>,
    /// Gauges by name, with their strain for unit coordinates.
    pub gauges: Vec<(String, Vec<f64>)>,
}

impl LinkStress {
    /// Calls `found` with the place of each element and its equivalent stress (Pa) at coordinates q; `rows` is scratch.
    pub(super) fn von_mises(&self, q: &[f64], rows: &mut DVector<f64>, mut found: impl FnMut(usize, f64)) {
        let modes = &self.modes;
        rows.resize_vertically_mut(modes.S.nrows(), 0.0);
        rows.fill(0.0);
        // A rigid analysis has no coordinates, whatever the link has.
        for (column, q) in modes.S.column_iter().zip(q) {
            rows.axpy(*q, &column, 1.0);
        }
        for (at, element) in modes.elements.iter().enumerate() {
            let rows = &rows.as_slice()[element.first..element.first + element.kind.rows()];
            found(at, element.kind.von_mises(rows));
        }
    }
}

/// The largest equivalent stress of each element so far.
pub(super) struct Envelope {
    stress: std::sync::Arc<LinkStress>,
    /// Where the link's coordinates stand in a row.
    coordinates: Range<usize>,
    largest: Vec<f64>,
    times: Vec<f64>,
    rows: DVector<f64>,
    datasets: [Dataset; 2],
}

impl Envelope {
    /// Lays out `/links/<link>/stress`.
    pub(super) fn lay_out(
        file: &File,
        axes: &mut Axes<'_>,
        prefix: &str,
        stress: std::sync::Arc<LinkStress>,
        coordinates: Range<usize>,
    ) -> Result<Self> {
        let path = |item: Item| item.path_of(prefix, &[&stress.name]);
        let count = [Extent::fixed(stress.modes.elements.len())];
        let numbers = |item: Item, of: &dyn Fn(usize) -> u32| -> Result<Dataset> {
            let dataset = create::<u32>(file, &path(item), &count)?;
            let values: Vec<u32> = (0..stress.modes.elements.len()).map(of).collect();
            dataset.write_raw(&values)?;
            describe(&dataset, item.units, item.description)?;
            Ok(dataset)
        };
        let scale = path(schema::LINK_STRESS_ELEMENT);
        let element = numbers(schema::LINK_STRESS_ELEMENT, &|k| stress.modes.elements[k].id)?;
        axes.scale(&element, &scale)?;
        numbers(schema::LINK_STRESS_PROPERTY, &|k| stress.modes.elements[k].property)?;
        axes.attach(&path(schema::LINK_STRESS_PROPERTY), std::slice::from_ref(&scale))?;
        let later = |item: Item| -> Result<Dataset> {
            let builder = file.new_dataset::<f64>().fill_value(f64::NAN).create_intermediate_group(true);
            let builder = builder.alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early));
            let dataset = builder.shape(stress.modes.elements.len()).create(path(item).as_str())?;
            describe(&dataset, item.units, item.description)?;
            Ok(dataset)
        };
        let datasets = [later(schema::LINK_STRESS_MAX)?, later(schema::LINK_STRESS_TIME)?];
        for item in [schema::LINK_STRESS_MAX, schema::LINK_STRESS_TIME] {
            axes.attach(&path(item), std::slice::from_ref(&scale))?;
        }
        let zeros = vec![0.0; stress.modes.elements.len()];
        let (largest, times) = (vec![-1.0; zeros.len()], zeros);
        Ok(Self { stress, coordinates, largest, times, rows: DVector::zeros(0), datasets })
    }

    /// Takes rows of `width` numbers in; the first is the time.
    pub(super) fn update(&mut self, data: &[f64], width: usize) {
        for row in data.chunks_exact(width) {
            let (largest, times) = (&mut self.largest, &mut self.times);
            self.stress.von_mises(&row[self.coordinates.clone()], &mut self.rows, |at, stress| {
                if stress > largest[at] {
                    (largest[at], times[at]) = (stress, row[0]);
                }
            });
        }
    }

    /// Writes it, once there is something.
    pub(super) fn write(&self) -> Result<()> {
        if self.largest.iter().all(|stress| *stress >= 0.0) {
            self.datasets[0].write_raw(&self.largest)?;
            self.datasets[1].write_raw(&self.times)?;
        }
        Ok(())
    }
}
