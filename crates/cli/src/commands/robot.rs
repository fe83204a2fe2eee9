//! `pliant export MACHINE --urdf FILE`: the machine with rigid links as a robot description.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pliant::Case;
use pliant::export::urdf;
use pliant::facts::LinkFacts;
use pliant::links::MachineLink;
use pliant_diag::{Diagnostic, Diagnostics, SourceMap, Warned};
use pliant_dynamics::AnalysisKind;
use pliant_store::{Output, write_file};

use super::Outcome;
use super::links::{machine_links, print_problems};
use crate::Common;
use crate::terminal::emit;

/// Reduces the links, for their inertia, and writes the file.
pub(super) fn run(file: &Path, target: Output<'_>, common: &Common) -> io::Result<Outcome> {
    let path = target.path;
    let (written, diagnostics, facts, sources) = match pliant::load(file) {
        Err(failure) => (false, failure.diagnostics, Vec::new(), failure.file.sources),
        Ok(Warned { output: case, mut diagnostics }) => {
            let (links, facts) = machine_links(&case, target, false, common, &mut diagnostics);
            let links = links.unwrap_or_default();
            let complete = !diagnostics.has_errors() && links.len() == case.links().requests.len();
            let outcome = if complete { write(file, path, &case, links) } else { Err(Diagnostics::new()) };
            let written = outcome.is_ok();
            diagnostics.extend(outcome.unwrap_or_else(|problems| problems));
            (written, diagnostics, facts, case.into_file().sources)
        }
    };
    print(common, path, written, &diagnostics, (&facts, &sources))?;
    Ok(if written { Outcome::Good } else { Outcome::Bad })
}

fn write(
    file: &Path,
    path: &Path,
    case: &Case,
    links: Vec<Arc<MachineLink>>,
) -> Result<Diagnostics, Diagnostics> {
    let links = links.iter().map(|made| (made.link.name.clone(), Arc::clone(&made.link)));
    let machine = case.machine(links.collect())?;
    let title = &case.provenance().title;
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if title.is_empty() { &stem } else { title };
    let Warned { output: text, diagnostics } = urdf(name, machine.model(AnalysisKind::Rigid));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let failed = |error: io::Error| Diagnostic::error(format!("{}: {error}", path.display()));
    write_file(path, text.as_bytes()).map_err(|error| Diagnostics::from_iter([failed(error)]))?;
    Ok(diagnostics)
}

fn print(
    common: &Common,
    path: &Path,
    written: bool,
    diagnostics: &Diagnostics,
    (facts, sources): (&[LinkFacts], &SourceMap),
) -> io::Result<()> {
    emit(
        common,
        |out| {
            let problems = pliant::facts::diagnostics(diagnostics, sources);
            let file = written.then(|| path.display().to_string());
            crate::terminal::json(out, &serde_json::json!({ "file": file, "diagnostics": problems }))
        },
        |out, style| {
            print_problems(out, style, (diagnostics, facts), sources, common.quiet)?;
            if written && !common.quiet {
                io::Write::write_fmt(
                    out,
                    format_args!("{}: the machine with rigid links\n", path.display()),
                )?;
            }
            Ok(())
        },
    )
}
