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
        if result.poses.iter().all(|pose| pose.state_space.is_none()) {
            let message = "`--mat` needs the state space, and `[response]` does not ask for it";
            diagnostics.push(Diagnostic::error(message).hint("state_space = true"));
        } else {
            diagnostics.extend(report(path, FileKind::Mat, &|| state_spaces(path, result)));
        }
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
