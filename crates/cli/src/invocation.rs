//! How the command was started, and how it starts itself again: readers of results and jobs of a cluster are
//! processes of their own.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

static INVOCATION: OnceLock<Invocation> = OnceLock::new();

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The file that starts this command; none where there is no such file.
    pub program: Option<PathBuf>,
    /// Its arguments, without its name.
    pub arguments: Vec<OsString>,
}

impl Invocation {
    /// Of a process that is the command.
    pub fn of_process() -> Self {
        Self { program: std::env::current_exe().ok(), arguments: std::env::args_os().skip(1).collect() }
    }
}

/// Keeps the invocation of this process. Returns its command line, the name of the program first.
pub(crate) fn take(invocation: Invocation) -> impl Iterator<Item = OsString> {
    let kept = INVOCATION.get_or_init(|| invocation);
    std::iter::once(OsString::from("pliant")).chain(kept.arguments.iter().cloned())
}

/// The file that starts this command.
///
/// # Errors
/// There is none.
pub(crate) fn program() -> io::Result<PathBuf> {
    let program = INVOCATION.get().and_then(|invocation| invocation.program.clone());
    program.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the program `pliant` is not installed"))
}

/// This command once more, with the same arguments.
///
/// # Errors
/// There is no file that starts it.
pub(crate) fn again() -> io::Result<Command> {
    let mut command = Command::new(program()?);
    command.args(INVOCATION.get().into_iter().flat_map(|invocation| &invocation.arguments));
    Ok(command)
}
