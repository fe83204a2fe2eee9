//! The `pliant` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pliant_cli::run(pliant_cli::Invocation::of_process()))
}
