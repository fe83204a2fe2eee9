//! The thread that writes the file. Whoever computes hands it blocks of rows through a channel of limited
//! length, so that memory stays bounded and the computation waits only for a disk that cannot keep up.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::channels::channels;
use super::create::{CHUNK_CACHE, lay_out};
use super::damage::ElementDamage;
use super::error::ResultsError;
use super::largest::Largest;
use super::recorder::FrameTimes;
use super::recover::{Recovered, finish_part, part_of, recover_as};
use super::shape::{LinkShape, MachineShape, Posture};
use super::sink::Sink;
use super::{AnalysisInfo, Keep, Recorder, RunInfo};
use crate::image::open_swmr;
use crate::new_file::NewFile;

/// Blocks that may wait.
const WAITING: usize = 3;
/// What was written is put in order this often: about what a kill may cost.
const FLUSH: Duration = Duration::from_millis(500);

/// What the thread is reported.
pub(super) enum Message {
    /// Rows of an analysis, one after the other.
    Rows {
        analysis: usize,
        data: Vec<f64>,
    },
    Shape(Posture),
    Warning {
        analysis: usize,
        t: f64,
        subject: String,
        message: String,
    },
    Metrics {
        analysis: usize,
        values: Vec<f64>,
    },
    Largest {
        analysis: usize,
        all: Vec<Largest>,
    },
    Damage {
        analysis: usize,
        all: Vec<ElementDamage>,
    },
    Close,
}

/// A results file being written.
pub struct ResultsWriter {
    path: PathBuf,
    part: PathBuf,
    sender: SyncSender<Message>,
    thread: JoinHandle<Result<Written, Failure>>,
    kept_aside: Option<PathBuf>,
    /// Held against other runs.
    lock: fs::File,
}

/// A results file that was written.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Time the writer's thread was busy.
    pub busy: Duration,
}

impl ResultsWriter {
    /// Lays out `path` with `.part` behind its name and starts the writer's thread. The recorders are those
    /// of the analyses, in their order; each must be dropped or [finished](Recorder::finish) before the file
    /// is.
    ///
    /// # Errors
    /// The folder cannot be made, the file not be created.
    pub fn create(
        path: &Path,
        run: &RunInfo,
        analyses: &[AnalysisInfo<'_>],
        keep: &Keep,
        shapes: &[Arc<LinkShape>],
    ) -> Result<(Self, Vec<Recorder>), ResultsError> {
        let part = part_of(path);
        let io_error = |source: io::Error| ResultsError::Io { path: part.clone(), source };
        let wrong = |source: hdf5::Error| ResultsError::Hdf5 { path: part.clone(), source };
        if let Some(folder) = part.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(io_error)?;
        }
        let declared: Vec<_> = analyses
            .iter()
            .enumerate()
            .map(|(i, info)| {
                let prefix = if i == 0 { String::new() } else { format!("/analyses/{}", info.kind) };
                (info, channels(info, &prefix, keep))
            })
            .collect();
        let layout: Vec<_> = declared.iter().map(|(info, channels)| (*info, channels)).collect();
        let machine = analyses.first().and_then(|info| MachineShape::new(info.model, shapes));
        let planned = analyses.first().map_or(0, |info| keep.frames.min(info.outputs));
        let shape = machine.filter(|_| planned > 0).map(|machine| (machine, planned));
        let drawn = shape.is_some();
        let sink = lay_out(run, &layout, keep, shape).map_err(wrong)?;
        let mut file = NewFile::create(&part).map_err(io_error)?;
        file.write_all(&sink.image().map_err(wrong)?).and_then(|()| file.sync()).map_err(io_error)?;
        // libhdf5 locks the file while it opens it and gives the lock up, so that others can read along.
        let opened = open_swmr(file.temporary(), CHUNK_CACHE).map_err(wrong)?;
        let lock = hold(file.temporary())?;
        let kept_aside = set_aside(&part)?;
        file.take_name().map_err(io_error)?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::Builder::new()
            .name("results".to_owned())
            .spawn(move || write(sink, opened, &receiver))
            .map_err(|source| ResultsError::Io { path: part.clone(), source })?;
        let recorders = declared.into_iter().enumerate();
        let recorders = recorders.map(|(i, (info, channels))| {
            let frames = if i == 0 && drawn { keep.frames } else { 0 };
            Recorder::new(i, channels, FrameTimes::new(info.span, frames), sender.clone())
        });
        let recorders = recorders.collect();
        let path = path.to_owned();
        Ok((Self { path, part, kept_aside, sender, thread, lock }, recorders))
    }

    /// Writes what is left, completes the file and gives it its name.
    ///
    /// # Errors
    /// Something could not be written. What had been flushed until then stays in the `.part`.
    pub fn finish(self) -> Result<Finished, ResultsError> {
        let (path, part, written, _lock) = self.close()?;
        if written.all_frames {
            finish_part(&part, &path)?;
        } else {
            // The file announces frames that did not come.
            recover_as(&part, &path, "complete")?;
        }
        let busy = written.busy;
        let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        Ok(Finished { path, size, busy })
    }

    /// The same for a run that did not come to its end: what was computed is kept, and the file says so.
    ///
    /// # Errors
    /// As for [`ResultsWriter::finish`].
    pub fn finish_early(self) -> Result<Recovered, ResultsError> {
        let (path, part, _, _lock) = self.close()?;
        recover_as(&part, &path, "interrupted")
    }

    /// Where the results of an earlier run went that was killed and can be recovered.
    pub fn kept_aside(&self) -> Option<&Path> {
        self.kept_aside.as_deref()
    }

    /// Where what was written lies until the file is complete.
    pub fn part(&self) -> &Path {
        &self.part
    }

    fn close(self) -> Result<(PathBuf, PathBuf, Written, fs::File), ResultsError> {
        let Self { path, part, sender, thread, lock, .. } = self;
        // A thread that has failed no longer listens; its reason comes with the join.
        let _ = sender.send(Message::Close);
        drop(sender);
        match thread.join() {
            Ok(Ok(written)) => Ok((path, part, written, lock)),
            Ok(Err(Failure { source, recoverable })) => {
                if !recoverable {
                    let _ = fs::remove_file(&part);
                }
                Err(ResultsError::Hdf5 { path: part, source })
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Opens a part and holds it against other runs.
///
/// # Errors
/// The system refuses, or another run is at it.
pub(super) fn hold(part: &Path) -> Result<fs::File, ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    let file = fs::OpenOptions::new().read(true).write(true).open(part).map_err(io_error)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            let message = "a run is still writing it".to_owned();
            Err(ResultsError::Unknown { path: part.to_owned(), message })
        }
        // A file system without locks cannot report it.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}

/// Gives the part of an earlier run, which was killed, another name: `arm.vtkhdf.part` becomes
/// `arm.1.vtkhdf.part`. One without a byte is removed.
fn set_aside(part: &Path) -> Result<Option<PathBuf>, ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    let length = match fs::symlink_metadata(part) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        facts => facts.map_err(io_error)?.len(),
    };
    let _lock = hold(part)?;
    if length == 0 {
        fs::remove_file(part).map_err(io_error)?;
        return Ok(None);
    }
    let path = part.with_extension("");
    let (stem, ending) = (path.with_extension(""), path.extension().unwrap_or_default());
    let numbered = |number: usize| {
        let mut name = stem.as_os_str().to_owned();
        name.push(format!(".{number}."));
        name.push(ending);
        name.push(".part");
        PathBuf::from(name)
    };
    let free = (1..).map(numbered).find(|free| fs::symlink_metadata(free).is_err());
    let free = free.expect("invariant: there are more numbers than files");
    fs::rename(part, &free).map_err(io_error)?;
    Ok(Some(free))
}

/// Why the thread stopped.
struct Failure {
    source: hdf5::Error,
    /// What was flushed before can be recovered.
    recoverable: bool,
}

/// What the thread has done.
struct Written {
    busy: Duration,
    all_frames: bool,
}

/// Goes on in the file that was opened from what is laid out in memory. Writes until asked to close, and
/// flushes now and then. After an error nothing more is written: what was flushed is complete.
fn write(mut sink: Sink, opened: hdf5::File, receiver: &Receiver<Message>) -> Result<Written, Failure> {
    let start = Instant::now();
    if let Err(source) = sink.reopen(opened) {
        return Err(abandon(sink, source));
    }
    let (mut busy, mut flushed) = (start.elapsed(), Instant::now());
    loop {
        let wait = FLUSH.saturating_sub(flushed.elapsed());
        let message = match receiver.recv_timeout(wait) {
            Ok(Message::Close) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
        };
        let start = Instant::now();
        let mut done = match message {
            Some(Message::Rows { analysis, data }) => sink.rows(analysis, &data),
            Some(Message::Shape(posture)) => sink.shape(posture),
            Some(Message::Warning { analysis, t, subject, message }) => {
                sink.warning(analysis, t, &subject, &message)
            }
            Some(Message::Metrics { analysis, values }) => sink.metrics(analysis, &values),
            Some(Message::Largest { analysis, all }) => sink.largest(analysis, &all),
            Some(Message::Damage { analysis, all }) => sink.damage(analysis, &all),
            Some(Message::Close) | None => Ok(()),
        };
        if flushed.elapsed() >= FLUSH {
            done = done.and_then(|()| sink.flush());
            flushed = Instant::now();
        }
        if let Err(source) = done {
            return Err(abandon(sink, source));
        }
        busy += start.elapsed();
    }
    let start = Instant::now();
    let all_frames = sink.has_all_frames();
    if let Err(source) = sink.complete() {
        return Err(abandon(sink, source));
    }
    let recoverable = sink.has_flushed();
    sink.close().map_err(|source| Failure { source, recoverable })?;
    Ok(Written { busy: busy + start.elapsed(), all_frames })
}

/// Leaves the file open for good: closing it would write, and what was flushed last is complete as it is.
/// Nothing is written when the process ends either, see [`crate::no_writes_at_exit`].
fn abandon(sink: Sink, source: hdf5::Error) -> Failure {
    let recoverable = sink.has_flushed();
    std::mem::forget(sink);
    Failure { source, recoverable }
}
