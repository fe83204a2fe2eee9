//! Cases that are kept: a complete results file for each.

use std::path::PathBuf;

use pliant::run::{Partial, ResultsTarget};
use pliant::{Case, Provenance};
use pliant_store::results::Keep;

use crate::manifest::Study;

/// The results file of a running case.
pub(crate) struct Kept {
    target: ResultsTarget,
    path: PathBuf,
}

impl Kept {
    /// The file has a name that no other process uses until it is complete: the same case may run twice at
    /// once, here and as an orphan of a node that was given up. Deformed shapes are not kept.
    pub(crate) fn new(study: &Study, index: usize, case: &Case) -> Self {
        let path = study.results_path(index);
        let extension = path.extension().map_or_else(String::new, |text| text.to_string_lossy().into_owned());
        let unique = path.with_extension(format!("{}.part.{extension}", std::process::id()));
        let keep = Keep { frames: 0, ..pliant::keep(case.file()) };
        Self { target: ResultsTarget { path: unique, keep, partial: Partial::Remove }, path }
    }

    /// What the run stores.
    pub(crate) fn target(&self) -> ResultsTarget {
        self.target.clone()
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn publish(self) -> std::io::Result<()> {
        std::fs::rename(&self.target.path, &self.path)
    }
}

/// The title and text of the study, with the values of the case in front.
pub(crate) fn provenance(study: &Study, index: usize) -> Provenance {
    let of_study = Provenance::of(&study.file);
    let mut text = format!("# case {index} of study {}\n", study.manifest.hash);
    for (parameter, given) in study.parameters.iter().zip(&study.cases[index]) {
        let value = given.as_ref().map_or("as below".to_owned(), |value| value.kind.to_string());
        text.push_str(&format!("# {} = {value}\n", parameter.name));
    }
    Provenance {
        title: format!("{}, case {index}", study.manifest.title),
        pipeline: text + &of_study.pipeline,
        files: of_study.files,
    }
}
