//! Commands that read results run in a child process. libhdf5 may crash on a file that was damaged, or built
//! to crash it; then the child dies, and the command still ends with a message and exit code 1.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use pliant_store::results::has_seal;

use crate::interrupt::Interrupt;
use crate::terminal::complain;

/// Set in the child.
const CHILD: &str = "PLIANT_READER";
/// Longest time of a reader of a file without and with a seal, and the slowest it may be with a file of some
/// size. A report of a complete file takes a fraction.
const PATIENCE: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(60)];
const BYTES_A_SECOND: u64 = 1_000_000;
/// Between two looks at the child.
const PAUSE: Duration = Duration::from_millis(4);

/// Whether this process is the child.
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Limits the memory of this process to what a file without a seal may need: libhdf5 allocates what a damaged
/// length asks for. An intact results file takes the program's own 16 MiB and, where its numbers are
/// deflated, some times its size.
#[cfg(target_os = "linux")]
pub(crate) fn limit_memory(file: &Path) {
    /// Of sys/resource.h: private writable memory, since Linux 4.7 mappings included.
    const RLIMIT_DATA: i32 = 2;
    const BASE: u64 = 16 << 20;
    const TIMES: u64 = 64;
    #[repr(C)]
    struct Limits {
        soft: u64,
        hard: u64,
    }
    unsafe extern "C" {
        fn setrlimit(resource: i32, limits: *const Limits) -> i32;
    }
    if has_seal(file) {
        return;
    }
    let size = std::fs::metadata(file).map_or(0, |facts| facts.len());
    let most = BASE + size.saturating_mul(TIMES);
    // SAFETY: the structure is that of 64-bit Linux and outlives the call, which only reads it. What it
    // refuses leaves the limits as they are.
    unsafe { setrlimit(RLIMIT_DATA, &Limits { soft: most, hard: most }) };
}

/// Other systems have their own limits.
#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_memory(_: &Path) {}

/// Runs this command line once more, in a child, for a command that reads `file`.
pub(crate) fn run(file: &Path) -> ExitCode {
    match start().and_then(|child| wait(child, file)) {
        Ok(code) => code,
        Err(error) => {
            complain(format_args!("error: cannot start a reader: {error}"));
            ExitCode::from(2)
        }
    }
}

fn start() -> io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .env(CHILD, "1")
        // libhdf5 loads no filters of others (H5PL, "HDF5_PLUGIN_PRELOAD").
        .env("HDF5_PLUGIN_PRELOAD", "::")
        .spawn()
}

fn wait(mut child: Child, file: &Path) -> io::Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let size = std::fs::metadata(file).map_or(0, |facts| facts.len());
    let limit = PATIENCE[usize::from(has_seal(file))] + Duration::from_secs(size / BYTES_A_SECOND);
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(judge(status, file));
        }
        if interrupt.came() || start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            let why =
                if interrupt.came() { "interrupted" } else { "reading it takes too long; it is damaged" };
            complain(format_args!("error: {}: {why}", file.display()));
            return Ok(ExitCode::from(1));
        }
        std::thread::sleep(PAUSE);
    }
}

fn judge(status: ExitStatus, file: &Path) -> ExitCode {
    match status.code() {
        Some(code @ 0..=2) => ExitCode::from(code as u8),
        _ => {
            complain(format_args!(
                "error: {}: it is damaged, its reader ended with {status}",
                file.display()
            ));
            ExitCode::from(1)
        }
    }
}
