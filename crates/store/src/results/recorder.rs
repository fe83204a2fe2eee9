//! Takes the frames of an analysis and hands them to the writer's thread in blocks.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use pliant_dynamics::{Flow, Frame, Observer, ObserverError, Warning};
use thiserror::Error;

use super::channel::{Channels, Series, Take};
use super::damage::ElementDamage;
use super::elements::ElementEnvelope;
use super::largest::Largest;
use super::shape::Posture;
use super::writer::Message;

/// Numbers of a block: large enough that its writes, one for each series at some 50,000 instructions, cost
/// little; small enough that a few of them are no memory.
const BLOCK: usize = 262_144;
/// No row waits longer than this for its block to fill while rows come in.
const PATIENCE: Duration = Duration::from_millis(300);

/// Why a frame cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The thread that writes has ended; [`ResultsWriter::finish`](super::ResultsWriter::finish) knows why.
    #[error("the results can no longer be written")]
    WriterStopped,
    /// Results files hold finite numbers.
    #[error("{series} is no longer finite; it is not written")]
    NotFinite {
        /// Path of the series in the results file.
        series: String,
    },
}

/// Keeps what an analysis computes.
pub struct Recorder {
    analysis: usize,
    takes: Vec<Take>,
    series: Vec<Series>,
    width: usize,
    data: Vec<f64>,
    sent: Instant,
    frames: FrameTimes,
    sender: SyncSender<Message>,
}

/// Which outputs are drawn: the first at or after each of some evenly spaced times.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameTimes {
    start: f64,
    spacing: f64,
    next: usize,
    count: usize,
}

impl FrameTimes {
    pub(super) fn new((start, end): (f64, f64), count: usize) -> Self {
        let spacing = if count > 1 { (end - start) / (count - 1) as f64 } else { f64::INFINITY };
        Self { start, spacing, next: 0, count }
    }

    /// Whether this output is drawn.
    fn takes(&mut self, t: f64) -> bool {
        // Output times are rounded; a millionth of the spacing forgives that.
        let reached = (t - self.start) / self.spacing + 1e-6;
        let due = self.next < self.count && reached >= self.next as f64;
        if due {
            // Where outputs are wider apart than frames, times that have passed are not made up for.
            self.next = (reached.floor() as usize).max(self.next) + 1;
        }
        due
    }
}

impl Recorder {
    pub(super) fn new(
        analysis: usize,
        channels: Channels,
        frames: FrameTimes,
        sender: SyncSender<Message>,
    ) -> Self {
        let width = channels.width();
        let Channels { series, takes, .. } = channels;
        let data = Vec::with_capacity(BLOCK + width);
        Self { analysis, takes, series, width, data, sent: Instant::now(), frames, sender }
    }

    /// Hands over what is left and the metrics, in the order they were declared.
    ///
    /// # Errors
    /// The writer has stopped; [`ResultsWriter::finish`](super::ResultsWriter::finish) knows why.
    pub fn finish(mut self, metrics: Vec<f64>) -> Result<(), RecordError> {
        self.send()?;
        self.post(Message::Metrics { analysis: self.analysis, values: metrics })
    }

    /// Hands over the largest of the elements so far: once, when no more outputs come, whether the analysis
    /// reached its end or not.
    ///
    /// # Errors
    /// As for [`Recorder::finish`].
    pub fn largest(&mut self, envelopes: &[ElementEnvelope]) -> Result<(), RecordError> {
        let all: Vec<Largest> = envelopes.iter().filter_map(Largest::of).collect();
        if all.is_empty() { Ok(()) } else { self.post(Message::Largest { analysis: self.analysis, all }) }
    }

    /// Hands over the damage of elements, once the analysis has reached its end.
    ///
    /// # Errors
    /// As for [`Recorder::finish`].
    pub fn damage(&self, all: Vec<ElementDamage>) -> Result<(), RecordError> {
        if all.is_empty() { Ok(()) } else { self.post(Message::Damage { analysis: self.analysis, all }) }
    }

    fn send(&mut self) -> Result<(), RecordError> {
        if self.data.is_empty() {
            return Ok(());
        }
        let data = std::mem::replace(&mut self.data, Vec::with_capacity(BLOCK + self.width));
        self.sent = Instant::now();
        self.post(Message::Rows { analysis: self.analysis, data })
    }

    fn post(&self, message: Message) -> Result<(), RecordError> {
        self.sender.send(message).map_err(|_| RecordError::WriterStopped)
    }
}

impl Observer for Recorder {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        let start = self.data.len();
        for take in &self.takes {
            take(frame, &mut self.data);
        }
        let row = &self.data[start..];
        if let Some(at) = row.iter().position(|x| !x.is_finite()) {
            let path = Channels::series_at(&self.series, at);
            self.data.truncate(start);
            return Err(RecordError::NotFinite { series: path.to_string() }.into());
        }
        if self.frames.takes(frame.state.t) {
            self.post(Message::Shape(Posture::new(frame)))?;
        }
        if self.data.len() >= BLOCK || self.sent.elapsed() >= PATIENCE {
            self.send()?;
        }
        Ok(Flow::Continue)
    }

    fn warning(&mut self, warning: &Warning) {
        let Warning { t, subject, message } = warning.clone();
        // One that cannot be reported is no reason to stop; the next row finds out.
        let _ = self.post(Message::Warning { analysis: self.analysis, t, subject, message });
    }
}

impl Drop for Recorder {
    /// What was computed before a failure is kept.
    fn drop(&mut self) {
        let _ = self.send();
    }
}
