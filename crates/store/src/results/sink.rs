//! The open file on the writer's side: takes blocks of rows and puts each series where it belongs.

use hdf5::{Dataset, File, Hyperslab, Result, SliceOrIndex};

use super::append::append;
use super::axes::fixed;
use super::channel::{Number, Series};
use super::create::{SubjectText, WarningText};
use super::damage::{DamageSink, ElementDamage};
use super::largest::{Largest, LargestSink};
use super::shape::{FRAMES_TOGETHER, Posed, Posture};
use super::vtk::ShapeSink;
use crate::image::bytes_of;

/// The datasets of an analysis.
pub(super) struct AnalysisSink {
    series: Vec<(Dataset, Series)>,
    metrics: Vec<Dataset>,
    warnings: WarningSink,
    largest: Vec<LargestSink>,
    damage: Vec<DamageSink>,
    rows: usize,
    width: usize,
    scratch: Vec<f64>,
    counts: Vec<i64>,
}

/// The datasets of warnings.
pub(super) struct WarningSink {
    pub(super) number: Dataset,
    pub(super) time: Dataset,
    pub(super) subject: Dataset,
    pub(super) message: Dataset,
    pub(super) count: usize,
}

/// The open file.
pub(super) struct Sink {
    analyses: Vec<AnalysisSink>,
    shape: Option<ShapeSink>,
    /// Frames that wait to be drawn together.
    postures: Vec<Posture>,
    /// Where they are drawn.
    posed: Posed,
    /// A flush with outputs of the first analysis went well.
    flushed: bool,
    /// Last, so that its datasets are closed before it.
    file: File,
}

impl AnalysisSink {
    pub(super) fn new(
        series: Vec<(Dataset, Series)>,
        metrics: Vec<Dataset>,
        warnings: WarningSink,
        largest: Vec<LargestSink>,
        damage: Vec<DamageSink>,
    ) -> Self {
        let width = series.iter().map(|(_, series)| series.width()).sum();
        let (scratch, counts) = (Vec::new(), Vec::new());
        Self { series, metrics, warnings, largest, damage, rows: 0, width, scratch, counts }
    }

    /// Goes on in another file of the same layout.
    fn reopen(&mut self, file: &File) -> Result<()> {
        let WarningSink { number, time, subject, message, .. } = &mut self.warnings;
        let series = self.series.iter_mut().map(|(dataset, _)| dataset);
        let mut all = series.chain(&mut self.metrics).chain([number, time, subject, message]);
        all.try_for_each(|dataset| reopen(dataset, file))?;
        self.damage.iter_mut().try_for_each(|damage| damage.reopen(file))?;
        self.largest.iter_mut().try_for_each(|largest| largest.reopen(file))
    }

    /// Appends rows that follow each other in `data`.
    fn append(&mut self, data: &[f64]) -> Result<()> {
        let count = data.len() / self.width;
        let mut at = 0;
        for (dataset, series) in &self.series {
            let width = series.width();
            self.scratch.clear();
            data.chunks_exact(self.width)
                .for_each(|row| self.scratch.extend_from_slice(&row[at..at + width]));
            match series.number {
                Number::Real => append(dataset, self.rows, &series.tail, &self.scratch)?,
                Number::Count => {
                    self.counts.clear();
                    self.counts.extend(self.scratch.iter().map(|x| *x as i64));
                    append(dataset, self.rows, &series.tail, &self.counts)?;
                }
            }
            at += width;
        }
        self.rows += count;
        Ok(())
    }
}

impl Sink {
    pub(super) fn new(file: File, analyses: Vec<AnalysisSink>, shape: Option<ShapeSink>) -> Self {
        let (postures, posed) = (Vec::new(), Posed::default());
        Self { analyses, shape, postures, posed, flushed: false, file }
    }

    /// The bytes of a file that is in memory.
    pub(super) fn image(&self) -> Result<Vec<u8>> {
        bytes_of(&self.file)
    }

    /// Goes on in another file of the same layout.
    pub(super) fn reopen(&mut self, file: File) -> Result<()> {
        self.analyses.iter_mut().try_for_each(|analysis| analysis.reopen(&file))?;
        self.shape.iter_mut().try_for_each(|shape| shape.reopen(&file))?;
        self.file = file;
        Ok(())
    }

    /// Outputs can be recovered from the file as it is on the disk.
    pub(super) fn has_flushed(&self) -> bool {
        self.flushed
    }

    /// A frame of the deformed machine.
    pub(super) fn shape(&mut self, posture: Posture) -> Result<()> {
        self.postures.push(posture);
        if self.postures.len() < FRAMES_TOGETHER { Ok(()) } else { self.draw() }
    }

    /// Draws the frames that wait.
    fn draw(&mut self) -> Result<()> {
        let postures = std::mem::take(&mut self.postures);
        let Some(shape) = self.shape.as_mut().filter(|_| !postures.is_empty()) else { return Ok(()) };
        let times: Vec<f64> = postures.iter().map(|posture| posture.t).collect();
        shape.machine.pose(&postures, &mut self.posed);
        shape.append(&times, &self.posed, &postures)
    }

    /// As many frames came as were announced.
    pub(super) fn has_all_frames(&self) -> bool {
        self.shape.as_ref().is_none_or(|shape| shape.frames + self.postures.len() == shape.planned)
    }

    pub(super) fn rows(&mut self, analysis: usize, data: &[f64]) -> Result<()> {
        self.analyses[analysis].append(data)
    }

    /// Numbers of the entire run. Its rows are put in order before: whoever finds metrics finds all that they
    /// are of.
    pub(super) fn metrics(&mut self, analysis: usize, values: &[f64]) -> Result<()> {
        self.flush()?;
        for (dataset, value) in self.analyses[analysis].metrics.iter().zip(values) {
            dataset.write_scalar(value)?;
        }
        Ok(())
    }

    /// The largest of elements.
    pub(super) fn largest(&mut self, analysis: usize, all: &[Largest]) -> Result<()> {
        for sink in &self.analyses[analysis].largest {
            all.iter().try_for_each(|largest| sink.write(largest))?;
        }
        Ok(())
    }

    /// Damage of elements; the cells that are drawn have that of the first analysis.
    pub(super) fn damage(&mut self, analysis: usize, all: &[ElementDamage]) -> Result<()> {
        let sinks = &self.analyses[analysis].damage;
        sinks.iter().try_for_each(|sink| sink.write(all))?;
        let cells = self.shape.as_ref().and_then(|shape| shape.damage.as_ref());
        cells.filter(|_| analysis == 0).map_or(Ok(()), |cells| cells.write(all))
    }

    pub(super) fn warning(&mut self, analysis: usize, t: f64, subject: &str, message: &str) -> Result<()> {
        let warnings = &mut self.analyses[analysis].warnings;
        let at = warnings.count;
        append(&warnings.subject, at, &[], &[fixed::<128>(subject) as SubjectText])?;
        append(&warnings.message, at, &[], &[fixed::<512>(message) as WarningText])?;
        append(&warnings.time, at, &[], &[t])?;
        warnings.count += 1;
        append(&warnings.number, at, &[], &[warnings.count as i64])
    }

    /// Puts all that was written where a reader, or recovery, finds it.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.draw()?;
        self.file.flush()?;
        self.flushed |= self.analyses.first().is_some_and(|analysis| analysis.rows > 0);
        Ok(())
    }

    /// Writes what waits. After this nothing is left that [`Sink::close`] would have to write but the marks
    /// of an open file.
    pub(super) fn complete(&mut self) -> Result<()> {
        self.draw()?;
        self.flush()
    }

    /// Closes the file.
    pub(super) fn close(self) -> Result<()> {
        let Self { analyses, shape, file, .. } = self;
        drop((analyses, shape));
        file.close()
    }
}

/// The dataset of the same path in another file.
pub(super) fn reopen(dataset: &mut Dataset, file: &File) -> Result<()> {
    *dataset = file.dataset(&dataset.name())?;
    Ok(())
}

/// Some rows of a dataset.
pub(super) fn rows_of(start: usize, count: usize, tail: &[usize]) -> Hyperslab {
    let all_of = |n: &usize| SliceOrIndex::SliceCount { start: 0, step: 1, count: *n, block: 1 };
    let rows = SliceOrIndex::SliceCount { start, step: 1, count, block: 1 };
    let selection: Vec<SliceOrIndex> = std::iter::once(rows).chain(tail.iter().map(all_of)).collect();
    Hyperslab::from(selection)
}
