//! The thread that writes the file. Whoever computes hands it blocks of rows through a channel of limited length, so that
//! memory stays bounded and the computation waits only for a disk that cannot keep up.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::channels::channels;
use super::create::lay_out;
use super::error::ResultsError;
use super::recorder::FrameTimes;
use super::recover::{Recovered, finish_part, part_of, recover_as};
use super::shape::{LinkShape, MachineShape, Posture};
use super::sink::Sink;
use super::{AnalysisInfo, Keep, Recorder, RunInfo};

/// Blocks that may wait.
const WAITING: usize = 3;
/// What was written is put in order this often: about what a kill may cost.
const FLUSH: Duration = Duration::from_millis(500);

/// What the thread is told.
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
        place: String,
        message: String,
    },
    Metrics {
        analysis: usize,
        values: Vec<f64>,
    },
    Close,
}

/// A results file being written.
pub struct ResultsWriter {
    path: PathBuf,
    part: PathBuf,
    sender: SyncSender<Message>,
    thread: JoinHandle<Result<Written, hdf5::Error>>,
    /// Says that a run is at it.
    _lock: fs::File,
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
    /// Lays out `path` with `.part` behind its name and starts the writer's thread. The recorders are those of the analyses, in
    /// their order; each must be dropped or [finished](Recorder::finish) before the file is.
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
        if let Some(folder) = part.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(io_error)?;
        }
        // The system's own words for what stands in the way; libhdf5's are many.
        drop(claim(&part)?);
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
        let sink = lay_out(&part, run, &layout, keep, shape).map_err(|source| {
            // Nothing of the run is in it yet.
            let _ = fs::remove_file(&part);
            ResultsError::Hdf5 { path: part.clone(), source }
        })?;
        // libhdf5 gives its lock up so that others can read along; ours keeps other writers away.
        let lock = claim(&part)?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::Builder::new()
            .name("results".to_owned())
            .spawn(move || write(sink, &receiver))
            .map_err(|source| ResultsError::Io { path: part.clone(), source })?;
        let recorders = declared.into_iter().enumerate();
        let recorders = recorders.map(|(i, (info, channels))| {
            let frames = if i == 0 && drawn { keep.frames } else { 0 };
            Recorder::new(i, channels, FrameTimes::new(info.span, frames), sender.clone())
        });
        let recorders = recorders.collect();
        Ok((Self { path: path.to_owned(), part, sender, thread, _lock: lock }, recorders))
    }

    /// Writes what is left, makes the file whole and gives it its name.
    ///
    /// # Errors
    /// Something could not be written. What had been flushed until then stays in the `.part`.
    pub fn finish(self) -> Result<Finished, ResultsError> {
        let (path, part, written) = self.close()?;
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
        let (path, part, _) = self.close()?;
        recover_as(&part, &path, "interrupted")
    }

    /// Where what was written lies until the file is whole.
    pub fn part(&self) -> &Path {
        &self.part
    }

    fn close(self) -> Result<(PathBuf, PathBuf, Written), ResultsError> {
        let Self { path, part, sender, thread, _lock } = self;
        // A thread that has failed no longer listens; its reason comes with the join.
        let _ = sender.send(Message::Close);
        drop(sender);
        match thread.join() {
            Ok(Ok(written)) => Ok((path, part, written)),
            Ok(Err(source)) => Err(ResultsError::Hdf5 { path: part, source }),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Opens a part, makes it where there is none, and holds it against other runs.
///
/// # Errors
/// The system refuses, or another run is at it.
pub(super) fn claim(part: &Path) -> Result<fs::File, ResultsError> {
    let io_error = |source: io::Error| ResultsError::Io { path: part.to_owned(), source };
    let file =
        fs::OpenOptions::new().write(true).create(true).truncate(false).open(part).map_err(io_error)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            let message = "a run is still writing it".to_owned();
            Err(ResultsError::Unknown { path: part.to_owned(), message })
        }
        // A file system without locks cannot tell.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}

/// What the thread has done.
struct Written {
    busy: Duration,
    all_frames: bool,
}

/// Writes until told to close, and flushes now and then. After an error nothing more is written: what was flushed is whole.
fn write(mut sink: Sink, receiver: &Receiver<Message>) -> Result<Written, hdf5::Error> {
    let (mut busy, mut flushed) = (Duration::ZERO, Instant::now());
    loop {
        let wait = FLUSH.saturating_sub(flushed.elapsed());
        let message = match receiver.recv_timeout(wait) {
            Ok(Message::Close) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
        };
        let start = Instant::now();
        let done = match message {
            Some(Message::Rows { analysis, data }) => sink.rows(analysis, &data),
            Some(Message::Shape(posture)) => sink.shape(posture),
            Some(Message::Warning { analysis, t, place, message }) => {
                sink.warning(analysis, t, &place, &message)
            }
            Some(Message::Metrics { analysis, values }) => sink.metrics(analysis, &values),
            Some(Message::Close) | None => Ok(()),
        };
        if let Err(error) = done {
            return Err(abandon(sink, error));
        }
        if flushed.elapsed() >= FLUSH {
            if let Err(error) = sink.flush() {
                return Err(abandon(sink, error));
            }
            flushed = Instant::now();
        }
        busy += start.elapsed();
    }
    let start = Instant::now();
    let all_frames = sink.has_all_frames();
    sink.close()?;
    Ok(Written { busy: busy + start.elapsed(), all_frames })
}

/// Leaves the file open for good: closing it would write, and what was flushed last is whole as it is.
fn abandon(sink: Sink, error: hdf5::Error) -> hdf5::Error {
    std::mem::forget(sink);
    error
}
