//! The engine of the Python package `pliant`: crate `pliant` as classes and functions. It translates and does
//! nothing else; what users see is written in Python around it (python/pliant).
//!
//! What is plain data (numbers of a run, diagnostics) goes over as JSON, the same as that of the command's
//! `--json`; matrices go over as bytes.

#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod case;
mod controller;
mod failure;
mod interrupt;
mod link;
mod study;
mod value;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// The engine.
#[pymodule]
mod _engine {
    use super::*;

    #[pymodule_export]
    use super::case::Case;
    #[pymodule_export]
    use super::controller::Measurement;
    #[pymodule_export]
    use super::link::{Link, reduce};
    #[pymodule_export]
    use super::study::run_study;
    #[pymodule_export]
    use super::value::to_toml;

    /// A link whose reduction was interrupted may still be reduced in a thread when Python ends: libhdf5
    /// leaves it alone then. Whatever is written is closed by whoever wrote it.
    #[pymodule_init]
    fn init() {
        pliant_store::no_writes_at_exit();
    }

    /// Version of the program.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The `pliant` command. Returns its exit code.
    #[pyfunction]
    fn command(py: Python<'_>, program: Option<PathBuf>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| pliant_cli::run(pliant_cli::Invocation { program, arguments }))
    }
}
