//! What `pliant response` writes besides its results: state spaces of all poses as a MAT-file, the machine at
//! a pose as a deck.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pliant::Case;
use pliant::links::MachineLink;
use pliant::response::{ResponseResult, deck, state_spaces};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_store::{FileKind, Output, may_write, write_file};

use super::Arguments;

/// What cannot be written, before anything is computed.
pub(super) fn impossible(case: &Case, arguments: &Arguments) -> Option<Diagnostic> {
    let plan = case.response()?;
    if arguments.mat.is_some() && !plan.state_space {
        let message = "`--mat` needs the state space, and `[response]` does not ask for it";
        return Some(Diagnostic::error(message).at(plan.span).hint("state_space = true"));
    }
    let count = plan.pose_count().filter(|count| !(1..=*count).contains(&arguments.pose));
    let count = count.filter(|_| arguments.deck.is_some())?;
    let message = format!("`--pose` must be 1 to {count}, the poses of the file; found {}", arguments.pose);
    Some(Diagnostic::error(message).at(plan.poses_span))
}

/// Writes what is asked for; what fails is a problem.
pub(super) fn write(
    case: &Case,
    links: &[Arc<MachineLink>],
    result: &ResponseResult,
    arguments: &Arguments,
    diagnostics: &mut Diagnostics,
) {
    let report = |path: &Path, kind: FileKind, write: &dyn Fn() -> io::Result<()>| {
        let target = Output { path, kind, force: arguments.options.force };
        let written = may_write(target, [arguments.pipeline.as_path()]).and_then(|()| write());
        written.err().map(|error| Diagnostic::error(format!("{} cannot be written: {error}", path.display())))
    };
    if let Some(path) = &arguments.mat {
        diagnostics.extend(report(path, FileKind::Mat, &|| state_spaces(path, result)));
    }
    if let Some(path) = &arguments.deck {
        match deck(case, links, arguments.pose) {
            Ok(text) => {
                let write = || write_file(path, text.as_bytes());
                diagnostics.extend(report(path, FileKind::Bulk, &write));
            }
            Err(problems) => diagnostics.extend(problems),
        }
    }
}
