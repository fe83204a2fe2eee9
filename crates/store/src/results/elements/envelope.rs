//! The largest stress or strain of each element over an analysis, while it runs.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::DMatrix;
use pliant_dynamics::Frame;
use pliant_mechanism::Model;
use pliant_reduce::recovery::{ElementModes, Quantity, RecoveredElement, RowKind};

use super::form::squared_rows;
use super::search::{BLOCK, Block, search};
use super::{ElementField, Intensities, LinkElements};

/// The largest von Mises stress, or principal strain, of each element of a link.
///
/// Frames wait until there are as many as are searched together, always the same number of them: the result
/// does not depend on how they come.
#[derive(Clone, Debug)]
pub struct ElementEnvelope {
    /// Name of the link.
    pub link: String,
    field: Arc<ElementField>,
    /// Where the link's coordinates are in the state.
    coordinates: Range<usize>,
    largest: Vec<f64>,
    times: Vec<f64>,
    waiting: (Vec<f64>, Vec<f64>),
    /// What stands for each element, in coordinates that suit the first frames.
    intensities: Option<Arc<Intensities>>,
    /// The element with the largest of all, and the coordinates then.
    worst: Option<(usize, Vec<f64>)>,
}

/// The largest of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementPeak {
    /// Number of the element.
    pub element: u32,
    /// Number of its property; 0 for none.
    pub property: u32,
    /// Von Mises stress (Pa) or principal strain; of a bar the size of the axial one.
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// The largest component at the point of the element that has it, as `corner 2.xx`.
    pub component: String,
    /// Its value.
    pub component_value: f64,
}

/// How far the stress of a link stays below what is allowed: allowed/largest − 1, the smallest of all
/// elements.
#[derive(Clone, Debug, PartialEq)]
pub struct StressMargin {
    /// Number of the element.
    pub element: u32,
    /// What is allowed of it (Pa).
    pub allowable: f64,
    /// Its largest stress (Pa).
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// The margin; 0 where the limit is reached, infinite without stress.
    pub margin: f64,
}

impl ElementEnvelope {
    /// Of all that is recovered of the elements of a machine.
    pub fn all(links: &[Arc<LinkElements>], model: &Model) -> Vec<Self> {
        let of_link = |link: &Arc<LinkElements>| {
            let coordinates = model.bodies()[model.body(&link.name)?].elastic_positions();
            // Without coordinates there is nothing to recover.
            let fields = link.fields.iter().filter(|field| !field.modes.elements.is_empty());
            let fields = fields.filter(|_| !coordinates.is_empty());
            let envelope = |field: &Arc<ElementField>| Self::new(&link.name, field, coordinates.clone());
            Some(fields.map(envelope).collect::<Vec<_>>())
        };
        links.iter().filter_map(of_link).flatten().collect()
    }

    fn new(link: &str, field: &Arc<ElementField>, coordinates: Range<usize>) -> Self {
        let count = field.modes.elements.len();
        Self {
            link: link.to_owned(),
            field: Arc::clone(field),
            coordinates,
            // Below what any frame has.
            largest: vec![-1.0; count],
            times: vec![0.0; count],
            waiting: (Vec::new(), Vec::new()),
            intensities: None,
            worst: None,
        }
    }

    /// The elements.
    pub(in crate::results) fn modes(&self) -> &ElementModes {
        &self.field.modes
    }

    /// Stress or strain.
    pub fn quantity(&self) -> Quantity {
        self.field.modes.quantity
    }

    /// Takes an output in.
    pub fn frame(&mut self, frame: &Frame<'_>) {
        self.take(frame.state.t, &frame.state.q[self.coordinates.clone()]);
    }

    fn take(&mut self, t: f64, q: &[f64]) {
        self.waiting.0.push(t);
        self.waiting.1.extend_from_slice(q);
        if self.waiting.0.len() == BLOCK {
            self.finish();
        }
    }

    /// Searches the frames that wait; to be called after the last one.
    pub fn finish(&mut self) {
        let (times, q) = &self.waiting;
        if times.is_empty() {
            return;
        }
        let (modes, width) = (&self.field.modes, self.coordinates.len());
        let of = self.intensities.get_or_insert_with(|| Arc::new(Intensities::turned(modes, q)));
        search(of, &Block::new(of, times, q, width), &mut self.largest, &mut self.times);
        let worst = (0..self.largest.len()).max_by(|a, b| self.largest[*a].total_cmp(&self.largest[*b]));
        if let Some(worst) = worst
            && let Some(frame) = times.iter().position(|t| *t == self.times[worst])
        {
            self.worst = Some((worst, q[frame * width..(frame + 1) * width].to_vec()));
        }
        self.waiting.0.clear();
        self.waiting.1.clear();
    }

    /// The largest of each element, and when, once there was a frame.
    pub(in crate::results) fn values(&self) -> Option<[&[f64]; 2]> {
        self.worst.as_ref().map(|_| [&self.largest[..], &self.times[..]])
    }

    /// The largest of the link; none without a frame.
    pub fn peak(&self) -> Option<ElementPeak> {
        let (worst, q) = self.worst.as_ref()?;
        Some(self.field.peak_of(*worst, q, self.largest[*worst], self.times[*worst]))
    }

    /// Rows R of the point with the largest stress, column by column: its equivalent stress is |R q|. None of
    /// strain and without a frame.
    pub(in crate::results) fn peak_rows(&self) -> Option<DMatrix<f64>> {
        let (worst, q) = self.worst.as_ref().filter(|_| self.quantity() == Quantity::Stress)?;
        let modes = &self.field.modes;
        let RecoveredElement { kind, first, .. } = modes.elements[*worst];
        let S = modes.S.rows(first, kind.rows(modes.quantity));
        let rows: Vec<f64> = S.row_iter().map(|row| row.iter().zip(q).map(|(s, q)| s * q).sum()).collect();
        let (point, width) = worst_point(kind, modes.quantity, &rows);
        Some(squared_rows(kind, &S.rows(point, width).into_owned()))
    }

    /// What is allowed of each element (Pa), infinite where nothing is known; none where it is of no element.
    pub(in crate::results) fn allowables(&self) -> Option<Vec<f64>> {
        let all = self.field.allowables.iter().map(|allowable| allowable.unwrap_or(f64::INFINITY));
        self.has_limits().then(|| all.collect())
    }

    /// The smallest margin; none without stress, or where nothing is known of what is allowed.
    pub fn margin(&self) -> Option<StressMargin> {
        self.worst.as_ref().filter(|_| self.quantity() == Quantity::Stress)?;
        let margin = |(k, allowable): (usize, &Option<f64>)| {
            let (allowable, value) = ((*allowable)?, self.largest[k]);
            let margin = if value > 0.0 { allowable / value - 1.0 } else { f64::INFINITY };
            let element = self.field.modes.elements[k].id;
            Some(StressMargin { element, allowable, value, time: self.times[k], margin })
        };
        let all = self.field.allowables.iter().enumerate().filter_map(margin);
        all.min_by(|a, b| a.margin.total_cmp(&b.margin))
    }

    /// Some element of the link has a limit.
    pub fn has_limits(&self) -> bool {
        self.quantity() == Quantity::Stress && self.field.allowables.iter().any(Option::is_some)
    }
}

impl ElementField {
    /// The largest at some coordinates; none without elements.
    pub fn peak(&self, q: &[f64]) -> Option<ElementPeak> {
        let values = self.values(q);
        let worst = (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]))?;
        Some(self.peak_of(worst, q, values[worst], 0.0))
    }

    /// Element number `at` from 0, where its intensity at some coordinates is known.
    fn peak_of(&self, at: usize, q: &[f64], value: f64, time: f64) -> ElementPeak {
        let modes = &self.modes;
        let RecoveredElement { id, property, kind, first, .. } = modes.elements[at];
        let rows = modes.S.rows(first, kind.rows(modes.quantity));
        let rows: Vec<f64> = rows.row_iter().map(|row| row.iter().zip(q).map(|(s, q)| s * q).sum()).collect();
        let worst = worst_component(kind, modes.quantity, &rows);
        ElementPeak {
            element: id,
            property,
            value,
            time,
            component: kind.labels(modes.quantity).swap_remove(worst),
            component_value: rows[worst],
        }
    }
}

/// First row of the point that has the intensity of the element, and how many it has.
fn worst_point(kind: RowKind, quantity: Quantity, rows: &[f64]) -> (usize, usize) {
    let (start, width) = match kind {
        RowKind::Line => (rows.len() - 8, 1),
        RowKind::Shell { .. } | RowKind::Laminate { .. } => (0, 3),
        RowKind::Solid { .. } => (0, 6),
    };
    let size = |point: &usize| match kind {
        RowKind::Line => rows[*point].abs(),
        _ => kind.intensity(quantity, &rows[*point..*point + width]),
    };
    let points = (start..rows.len()).step_by(width);
    (points.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(start), width)
}

/// The largest in size among the numbers of that point.
fn worst_component(kind: RowKind, quantity: Quantity, rows: &[f64]) -> usize {
    let (point, width) = worst_point(kind, quantity, rows);
    let all = point..point + width;
    all.max_by(|a, b| rows[*a].abs().total_cmp(&rows[*b].abs())).unwrap_or(point)
}

#[cfg(test)]
mod tests;
