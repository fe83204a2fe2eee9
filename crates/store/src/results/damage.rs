//! `/links/<link>/stress/damage` and `life`, and the same of the cells of `/VTKHDF`.

use hdf5::{Dataset, File, H5Type, Result};

use super::axes::{Axes, describe};
use super::schema::{self, Item};
use super::sink::reopen;

/// Damage and life of the elements of a link whose stress is recovered, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementDamage {
    /// Name of the link.
    pub link: String,
    /// Damage of all repeats.
    pub damage: Vec<f64>,
    /// Repeats until the damage is 1; infinite where there is none.
    pub life: Vec<f64>,
}

/// The datasets of a link.
pub(super) struct DamageSink {
    link: String,
    datasets: [Dataset; 2],
}

/// The datasets of the cells.
pub(super) struct CellDamage {
    /// Of each link its name and of each of its cells the index of the element, where it has one.
    pub(super) links: Vec<(String, Vec<Option<usize>>)>,
    /// Damage and life.
    pub(super) datasets: [Dataset; 2],
}

/// A dataset that is written at the end: contiguous and allocated now, so that writing it changes nothing but
/// its own bytes.
pub(super) fn later<T: H5Type>(
    file: &File,
    path: &str,
    count: usize,
    fill: impl Into<hdf5::types::OwnedDynValue>,
) -> Result<Dataset> {
    let builder = file.new_dataset::<T>().fill_value(fill).create_intermediate_group(true);
    let builder = builder.alloc_time(Some(hdf5::plist::dataset_create::AllocTime::Early));
    builder.shape(count).create(path)
}

impl DamageSink {
    /// Lays out the datasets beside those of the stress.
    pub(super) fn lay_out(
        file: &File,
        axes: &mut Axes<'_>,
        prefix: &str,
        link: &str,
        elements: usize,
    ) -> Result<Self> {
        let scale = schema::LINK_STRESS_ELEMENT.path_of(prefix, &[link]);
        let mut one = |item: Item| -> Result<Dataset> {
            let path = item.path_of(prefix, &[link]);
            let dataset = later::<f64>(file, &path, elements, f64::NAN)?;
            describe(&dataset, item.units, item.description)?;
            axes.attach(&dataset, &path, std::slice::from_ref(&scale))?;
            Ok(dataset)
        };
        let datasets = [one(schema::LINK_DAMAGE)?, one(schema::LINK_LIFE)?];
        Ok(Self { link: link.to_owned(), datasets })
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        self.datasets.iter_mut().try_for_each(|dataset| reopen(dataset, file))
    }

    /// Writes what is of this link.
    pub(super) fn write(&self, all: &[ElementDamage]) -> Result<()> {
        let Some(found) = all.iter().find(|one| one.link == self.link) else { return Ok(()) };
        self.datasets[0].write_raw(&found.damage)?;
        self.datasets[1].write_raw(&found.life)
    }
}

impl CellDamage {
    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: &File) -> Result<()> {
        self.datasets.iter_mut().try_for_each(|dataset| reopen(dataset, file))
    }

    /// Writes damage and life of all cells; those without an element have none.
    pub(super) fn write(&self, all: &[ElementDamage]) -> Result<()> {
        let (mut damage, mut life) = (Vec::new(), Vec::new());
        for (name, cells) in &self.links {
            let found = all.iter().find(|one| one.link == *name);
            let of = |at: &Option<usize>| {
                let found = found.zip(*at).map(|(found, at)| (found.damage[at], found.life[at]));
                found.unwrap_or((0.0, f64::INFINITY))
            };
            damage.extend(cells.iter().map(|at| of(at).0 as f32));
            life.extend(cells.iter().map(|at| of(at).1 as f32));
        }
        self.datasets[0].write_raw(&damage)?;
        self.datasets[1].write_raw(&life)
    }
}
