//! `pliant recover FILE.part`: a results file of what a killed run has left.

use std::io::{self, Write};
use std::path::PathBuf;

use pliant_store::results::{ResultsError, recover};
use pliant_store::{FileKind, Output, may_write};
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::guarded;
use crate::number::{count, real};
use crate::terminal::{complain, output};

/// Arguments of `pliant recover`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The `.part` file of the interrupted run
    #[arg(value_name = "FILE.part")]
    pub(super) part: PathBuf,
    /// The results file; the name without `.part` when left out
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Replace files of other kinds that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

/// Recovers, tells.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let (mut out, _) = output();
    let allowed = arguments.out.iter().try_for_each(|out| {
        let refused = |source| ResultsError::Io { path: out.clone(), source };
        let target = Output { path: out, kind: FileKind::Results, force: arguments.force };
        may_write(target, [arguments.part.as_path()]).map_err(refused)
    });
    let found = |bytes| guarded::allow(&arguments.part, bytes);
    let outcome = match allowed.and_then(|()| recover(&arguments.part, arguments.out.as_deref(), found)) {
        Ok(found) if common.json => {
            let path = found.path.display().to_string();
            let reported = json!({ "results": path, "outputs": found.outputs, "t_end": found.t_end });
            writeln!(out, "{reported:#}")?;
            Outcome::Good
        }
        Ok(found) => {
            if !common.quiet {
                let until = found.t_end.map(|t| format!(" until t = {} s", real(t))).unwrap_or_default();
                writeln!(out, "{}: {} outputs{until}", found.path.display(), count(found.outputs))?;
            }
            Outcome::Good
        }
        Err(error) => {
            if common.json {
                writeln!(out, "{:#}", json!({ "results": null, "error": error.to_string() }))?;
            }
            complain(format_args!("error: {error}"));
            if let ResultsError::Io { source, .. } = &error
                && source.kind() == io::ErrorKind::StorageFull
            {
                complain(
                    "   = hint: recovery works on a copy, so the part is unchanged; --out FILE names another location",
                );
            }
            Outcome::Bad
        }
    };
    out.flush()?;
    Ok(outcome)
}
