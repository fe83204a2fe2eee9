//! Commands that read results run in a child process. libhdf5 may crash on a file that was damaged, or built
//! to crash it; then the child dies, and the command still ends with a message and exit code 1.
//!
//! The child limits itself. Before it opens the file it may take what the length of the file lets expect;
//! once all objects have been inspected ([`open`]) it may take what their content needs, which is many times
//! more where numbers are compressed. Time is processor time: a disk or a machine that is busy with other
//! things is no sign of damage.

use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use pliant_store::remove_temporary_files;
use pliant_store::results::{ResultsError, ResultsFile};

use crate::interrupt::Interrupt;
use crate::invocation;
use crate::terminal::complain;

/// Set in the child, to the number of its parent.
const CHILD: &str = "PLIANT_READER";
/// Between two looks at the child.
const PAUSE: Duration = Duration::from_millis(4);

/// Whether this process is the child. The variable alone says nothing: it may have been left in a shell.
pub(crate) fn is_child() -> bool {
    let parent = std::env::var(CHILD).ok().and_then(|id| id.parse::<u32>().ok());
    parent.is_some_and(|parent| parent == parent_id())
}

#[cfg(unix)]
fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent_id() -> u32 {
    // Other systems keep no parents; there the variable decides.
    std::env::var(CHILD).ok().and_then(|id| id.parse().ok()).unwrap_or(0)
}

/// What the child may take.
#[cfg(target_os = "linux")]
mod limits {
    use std::fs;
    use std::path::Path;

    use pliant_store::results::has_seal;

    /// Processor time of a reader of a file without and with a seal (s), and the slowest it may be. Measured:
    /// 7 MB of content a second for `recover` of compressed results, more for all others.
    const SECONDS: [u64; 2] = [5, 60];
    const BYTES_A_SECOND: u64 = 1_000_000;
    /// Memory of a reader of a file without a seal: this beyond what the process has already (its threads),
    /// and as many bytes for each byte of content. `crates/cli/tests/guarantees/limits.rs` reads all that
    /// Pliant writes with half of it.
    const MEMORY: u64 = 12 << 20;
    const TIMES: u64 = 4;

    /// Limits the processor time of this process and, for a file without a seal, its memory: libhdf5
    /// allocates what a damaged length asks for. `content` is what the file is known to hold, at least its
    /// length.
    pub(crate) fn set(file: &Path, content: u64) {
        let sealed = has_seal(file);
        let used = seconds_used();
        let most = SECONDS[usize::from(sealed)] + content / BYTES_A_SECOND;
        limit(libc::RLIMIT_CPU, used + most);
        if !sealed {
            limit(libc::RLIMIT_DATA, data_used() + MEMORY + content.saturating_mul(TIMES));
        }
    }

    /// Lowers or raises a soft limit, never beyond the hard one, which is the user's.
    fn limit(resource: libc::__rlimit_resource_t, most: u64) {
        let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the structure outlives both calls; the first writes it, the second reads it. What they
        // refuse leaves the limits as they are.
        unsafe {
            if libc::getrlimit(resource, &raw mut limits) == 0 {
                limits.rlim_cur = most.min(limits.rlim_max);
                libc::setrlimit(resource, &raw const limits);
            }
        }
    }

    /// Private writable memory of this process, what `RLIMIT_DATA` counts.
    fn data_used() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }

    /// Processor time of this process so far, rounded up.
    fn seconds_used() -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the structure outlives the call, which writes it.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        u64::try_from(time.tv_sec).unwrap_or(0) + 1
    }
}

/// Other systems have their own limits.
#[cfg(not(target_os = "linux"))]
mod limits {
    pub(crate) fn set(_: &std::path::Path, _: u64) {}
}

/// Limits this process, the child, to what a file of its length may need.
pub(crate) fn limit(file: &Path) {
    crate::out_of_memory::abort_instead();
    limits::set(file, std::fs::metadata(file).map_or(0, |facts| facts.len()));
}

/// Limits this process to what the content of a file that has been inspected may need.
pub(crate) fn allow(file: &Path, bytes: u64) {
    let length = std::fs::metadata(file).map_or(0, |facts| facts.len());
    limits::set(file, bytes.max(length));
}

/// Opens a results file and allows what it needs.
///
/// # Errors
/// As [`ResultsFile::open`].
pub(crate) fn open(path: &Path) -> Result<ResultsFile, ResultsError> {
    let file = ResultsFile::open(path)?;
    allow(path, file.bytes());
    Ok(file)
}

/// Runs this command line once more, in a child, for a command that reads `file` and writes into `folders`.
pub(crate) fn run(file: &Path, folders: &[&Path]) -> u8 {
    match start().and_then(|child| wait(child, file, folders)) {
        Ok(code) => code,
        Err(error) => {
            complain(format_args!("error: cannot start the process that reads the file: {error}"));
            2
        }
    }
}

fn start() -> io::Result<Child> {
    invocation::again()?
        .env(CHILD, std::process::id().to_string())
        // libhdf5 loads no filters of others (H5PL, "HDF5_PLUGIN_PRELOAD").
        .env("HDF5_PLUGIN_PRELOAD", "::")
        .spawn()
}

fn wait(mut child: Child, file: &Path, folders: &[&Path]) -> io::Result<u8> {
    let interrupt = Interrupt::listen()?;
    let (code, why) = loop {
        if let Some(status) = child.try_wait()? {
            break judge(status);
        }
        if interrupt.came() {
            child.kill()?;
            child.wait()?;
            break (None, "interrupted".to_owned());
        }
        std::thread::sleep(PAUSE);
    };
    Ok(code.unwrap_or_else(|| {
        // What it had begun to write.
        folders.iter().for_each(|folder| remove_temporary_files(folder, child.id()));
        complain(format_args!("error: {}: {why}", file.display()));
        1
    }))
}

/// The exit code of a child that ended by itself, or why it did not.
fn judge(status: ExitStatus) -> (Option<u8>, String) {
    match status.code() {
        Some(code @ 0..=2) => (Some(code as u8), String::new()),
        _ if is_out_of_time(status) => (None, "reading it takes too long; it is damaged".to_owned()),
        _ => (None, format!("it is damaged, its reader ended with {status}")),
    }
}

#[cfg(target_os = "linux")]
fn is_out_of_time(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(libc::SIGXCPU)
}

#[cfg(not(target_os = "linux"))]
fn is_out_of_time(_: ExitStatus) -> bool {
    false
}
