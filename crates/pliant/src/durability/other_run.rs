//! Another run of the same links, from its results file: what happens to them besides this run.

use std::path::{Path, PathBuf};

use pliant_store::results::{ResultsFile, has_seal};

/// Times and elastic coordinates of another run.
#[derive(Clone, Debug)]
pub(super) struct OtherRun {
    /// Its file.
    pub(super) path: PathBuf,
    /// Of its outputs (s).
    pub(super) times: Vec<f64>,
    links: Vec<OtherLink>,
}

/// A link of it.
#[derive(Clone, Debug)]
struct OtherLink {
    name: String,
    fingerprint: String,
    /// At all outputs, one after the other.
    coordinates: Vec<f64>,
}

impl OtherRun {
    /// Reads the first analysis of a results file, in which every link keeps its coordinates.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let fails = |error: pliant_store::results::ResultsError| error.to_string();
        if path.is_file() && !has_seal(path) {
            return Err(format!("{} is not a sealed results file of this program", path.display()));
        }
        let file = ResultsFile::open(path).map_err(fails)?;
        let times = file.series("/time").map_err(fails)?.values;
        let mut links = Vec::new();
        for info in file.inputs().map_err(fails)?.links {
            let at = format!("/links/{}/coordinates", info.name);
            if file.has(&at) {
                let coordinates = file.series(&at).map_err(fails)?.values;
                links.push(OtherLink { name: info.name, fingerprint: info.fingerprint, coordinates });
            }
        }
        if times.len() < 2 {
            return Err(format!("{} has no two outputs", path.display()));
        }
        Ok(Self { path: path.to_owned(), times, links })
    }

    /// Its first and last output (s).
    pub(super) fn span(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// The coordinates of a link at all outputs, when its coordinates are those of this run.
    ///
    /// # Errors
    /// Why they are not, in words.
    pub(super) fn coordinates(&self, link: &str, fingerprint: &str) -> Result<&[f64], String> {
        let file = self.path.display();
        let known = self.links.iter().find(|known| known.name == link);
        match known {
            None => Err(format!("{file} has no coordinates of link {link}")),
            Some(known) if known.fingerprint != fingerprint => {
                Err(format!("link {link} of {file} is another one: its deck or its reduction is different"))
            }
            Some(known) => Ok(&known.coordinates),
        }
    }
}
