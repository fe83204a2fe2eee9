//! A channel: one dataset along time, and how it is taken from a frame.

use pliant_dynamics::Frame;

use super::schema::Item;

/// Appends the numbers of one output to a row.
pub(super) type Take = Box<dyn Fn(&Frame<'_>, &mut Vec<f64>) + Send>;

/// Numbers as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Real,
    /// A count: kept as an integer.
    Count,
}

/// One dataset along time.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) path: String,
    pub(super) units: String,
    pub(super) description: &'static str,
    /// Lengths of the axes after time.
    pub(super) tail: Vec<usize>,
    /// Paths of the scales of all axes, time first.
    pub(super) scales: Vec<String>,
    pub(super) number: Number,
}

impl Series {
    /// Numbers at one time.
    pub(super) fn width(&self) -> usize {
        self.tail.iter().product()
    }
}

/// A scale with labels.
#[derive(Clone, Debug)]
pub(super) struct LabelledAxis {
    pub(super) path: String,
    pub(super) item: Item,
    pub(super) labels: Vec<String>,
}

/// Labels of an axis that are no scale themselves.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) path: String,
    pub(super) item: Item,
    pub(super) labels: Vec<String>,
    pub(super) scale: String,
}

/// All channels of an analysis. Series and the way to fill them are declared side by side, so that they
/// cannot part.
#[derive(Default)]
pub(super) struct Channels {
    pub(super) prefix: String,
    pub(super) series: Vec<Series>,
    pub(super) takes: Vec<Take>,
    pub(super) axes: Vec<LabelledAxis>,
    pub(super) notes: Vec<Note>,
    /// Texts that describe a series: its path, the name of the attribute, the text.
    pub(super) attributes: Vec<(String, &'static str, String)>,
}

impl Channels {
    /// A series over time alone.
    pub(super) fn scalar(
        &mut self,
        item: Item,
        number: Number,
        take: impl Fn(&Frame<'_>) -> f64 + Send + 'static,
    ) {
        let path = item.path_of(&self.prefix, &[]);
        self.add(item, path, item.units, &[], number, Box::new(move |frame, row| row.push(take(frame))));
    }

    /// A series over time and one more axis for each of `tail`: its length and the path of its scale.
    pub(super) fn add(
        &mut self,
        item: Item,
        path: String,
        units: &str,
        tail: &[(usize, String)],
        number: Number,
        take: Take,
    ) {
        let time = format!("{}/time", self.prefix);
        let scales = std::iter::once(time).chain(tail.iter().map(|(_, scale)| scale.clone()));
        self.series.push(Series {
            path,
            units: units.to_owned(),
            description: item.description,
            tail: tail.iter().map(|(length, _)| *length).collect(),
            scales: scales.collect(),
            number,
        });
        self.takes.push(take);
    }

    /// A series of vectors along one of the root's axes.
    pub(super) fn vector<const N: usize>(
        &mut self,
        item: Item,
        path: String,
        axis: &str,
        take: impl Fn(&Frame<'_>) -> [f64; N] + Send + 'static,
    ) {
        let take: Take = Box::new(move |frame, row| row.extend(take(frame)));
        self.add(item, path, item.units, &[(N, axis.to_owned())], Number::Real, take);
    }

    /// Numbers of one output.
    pub(super) fn width(&self) -> usize {
        self.series.iter().map(Series::width).sum()
    }

    /// Path of the series that holds entry `at` of a row.
    pub(super) fn series_at(series: &[Series], at: usize) -> &str {
        let mut end = 0;
        let found = series.iter().find(|series| {
            end += series.width();
            at < end
        });
        found.map_or("?", |series| &series.path)
    }
}
