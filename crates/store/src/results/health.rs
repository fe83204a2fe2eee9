//! `/links/<link>/health`: what the reduction of each link came to.

use hdf5::{Extent, File, Result};

use super::axes::{Axes, create, describe};
use super::{MetricInfo, ResultsFile, schema};
use crate::dataset::put_text;

/// A link as its reduction has left it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkInfo {
    /// Name of the link.
    pub name: String,
    /// Numbers, with what they are.
    pub numbers: Vec<(MetricInfo, f64)>,
    /// Frequencies of the modes kept (Hz).
    pub modes_hz: Vec<f64>,
    /// Checks that failed and were accepted, in words.
    pub accepted: Vec<String>,
    /// Stands for the meaning of its coordinates: two links have the same when a coordinate is the same
    /// displacement in both.
    pub fingerprint: String,
}

impl LinkInfo {
    /// A number by name; `None` when it is not there or not finite.
    pub fn number(&self, name: &str) -> Option<f64> {
        let found = self.numbers.iter().find(|(info, _)| info.name == name);
        found.map(|(_, value)| *value).filter(|value| value.is_finite())
    }
}

impl ResultsFile {
    /// The links in the order of the pipeline file; those without health are left out.
    pub(super) fn read_links(&self) -> Result<Vec<LinkInfo>> {
        let mut links = Vec::new();
        for name in self.links("") {
            let group = format!("/links/{name}/health");
            if !self.has(&group) {
                continue;
            }
            let mut link = LinkInfo { name, ..LinkInfo::default() };
            for number in self.names(&group) {
                let path = format!("{group}/{number}");
                match number.as_str() {
                    "mode" => {}
                    "modes_hz" => {
                        link.modes_hz = self.all(&path)?;
                        let accepted = self.text_of(&path, "accepted")?;
                        link.accepted = accepted.lines().map(str::to_owned).collect();
                        // Files of earlier programs have none.
                        link.fingerprint = self.text_of(&path, "fingerprint").unwrap_or_default();
                    }
                    _ => {
                        let (units, description) =
                            (self.text_of(&path, "units")?, self.text_of(&path, "description")?);
                        let value = self.all::<f64>(&path)?.first().copied().unwrap_or(f64::NAN);
                        link.numbers.push((MetricInfo { name: number, units, description }, value));
                    }
                }
            }
            links.push(link);
        }
        Ok(links)
    }
}

/// Writes the health of all links.
pub(super) fn put(file: &File, axes: &mut Axes<'_>, links: &[LinkInfo]) -> Result<()> {
    for link in links {
        for (info, value) in &link.numbers {
            let path = schema::LINK_HEALTH.path_of("", &[&link.name, &info.name]);
            let dataset = create::<f64>(file, &path, &[])?;
            dataset.write_scalar(value)?;
            describe(&dataset, &info.units, &info.description)?;
        }
        let scale = schema::LINK_MODE.path_of("", &[&link.name]);
        axes.numbers(&scale, &schema::LINK_MODE, link.modes_hz.len())?;
        let path = schema::LINK_MODES_HZ.path_of("", &[&link.name]);
        let dataset = create::<f64>(file, &path, &[Extent::fixed(link.modes_hz.len())])?;
        dataset.write_raw(&link.modes_hz)?;
        describe(&dataset, schema::LINK_MODES_HZ.units, schema::LINK_MODES_HZ.description)?;
        put_text(&dataset, "accepted", &link.accepted.join("\n"))?;
        put_text(&dataset, "fingerprint", &link.fingerprint)?;
        axes.attach(&dataset, &path, &[scale])?;
    }
    Ok(())
}
