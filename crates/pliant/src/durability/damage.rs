//! Damage of the elements of links, once the run has come to its end.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use nalgebra::{DMatrix, DMatrixView};
use pliant_diag::Diagnostic;
use pliant_durability::{Assessment, Block, Points, Search};
use pliant_dynamics::Frame;
use pliant_machine::Links;
use pliant_mechanism::Model;
use pliant_reduce::recovery::{Quantity, RecoveredElement, RowKind};
use pliant_store::results::{ElementDamage, ElementField, LinkElements};
use rayon::prelude::*;

use super::DurabilityPlan;
use crate::links::fingerprint;

/// Damage of the elements of a link.
#[derive(Clone, Debug)]
pub(crate) struct LinkDamage {
    /// Name of the link.
    pub(crate) link: String,
    /// Of each element that is recovered, of all repeats.
    pub(crate) damage: Vec<f64>,
    /// Repeats until the damage is 1; infinite where there is none.
    pub(crate) life: Vec<f64>,
    /// The element that has most of it: number, number of its property, index.
    pub(crate) worst: Option<(u32, u32, usize)>,
    /// Elements that a bound showed to have none, without counting.
    pub(crate) skipped: usize,
    /// How long a repeat is (s).
    pub(crate) duration: f64,
}

impl LinkDamage {
    /// What the results file holds.
    pub(crate) fn stored(&self) -> ElementDamage {
        ElementDamage { link: self.link.clone(), damage: self.damage.clone(), life: self.life.clone() }
    }
}

/// A link that is assessed.
struct Watched {
    link: String,
    field: Arc<ElementField>,
    assessment: Arc<Assessment>,
    /// Stands for the meaning of its coordinates.
    fingerprint: String,
    /// Where its coordinates are in the state.
    positions: Range<usize>,
    /// Its coordinates at all outputs, one after the other.
    coordinates: Vec<f64>,
}

/// Keeps what the elements' damage is computed from: times and the coordinates of links at all outputs.
#[derive(Default)]
pub(crate) struct DamageWatch {
    plan: Option<DurabilityPlan>,
    links: Vec<Watched>,
    /// Links of the table without an element whose stress is recovered.
    missing: Vec<String>,
    times: Vec<f64>,
}

impl DamageWatch {
    /// Of the links whose elements are recovered and assessed.
    pub(crate) fn new(
        plan: Option<&DurabilityPlan>,
        links: &Links,
        model: &Model,
        elements: &[Arc<LinkElements>],
    ) -> Self {
        let watched = |of: &Arc<LinkElements>| {
            let assessment = plan?.of_link(links, &of.name)?;
            let mut stress = of.fields.iter().filter(|field| field.modes.quantity == Quantity::Stress);
            let field = stress.find(|field| !field.modes.elements.is_empty())?;
            let body = &model.bodies()[model.body(&of.name)?];
            Some(Watched {
                fingerprint: fingerprint(&body.link),
                link: of.name.clone(),
                field: Arc::clone(field),
                assessment: Arc::clone(assessment),
                positions: body.elastic_positions(),
                coordinates: Vec::new(),
            })
        };
        let watched: Vec<Watched> = elements.iter().filter_map(watched).collect();
        let is_missing =
            |listed: &&str| !watched.iter().any(|watched| links.stands_for(listed, &watched.link));
        let missing = plan.into_iter().flat_map(DurabilityPlan::listed).filter(is_missing);
        let missing = missing.map(str::to_owned).collect();
        Self { plan: plan.cloned(), links: watched, missing, times: Vec::new() }
    }

    /// The links that are assessed.
    pub(crate) fn links(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(|watched| watched.link.as_str())
    }

    /// Links without stress or of other runs that are not these, and elements to which S–N curves of metals
    /// do not apply.
    pub(crate) fn refused(&self) -> Option<Diagnostic> {
        if let Some(link) = self.missing.first() {
            let message =
                format!("link {link} has no element whose stress is recovered: there is nothing to assess");
            let hint = "its elements must have stress and be among those of [output.stress]";
            return Some(Diagnostic::error(message).hint(hint));
        }
        let others = || self.plan.iter().flat_map(|plan| &plan.others);
        let different = self.links.iter().find_map(|watched| {
            others().find_map(|other| other.coordinates(&watched.link, &watched.fingerprint).err())
        });
        if let Some(message) = different {
            let hint = "all runs whose damage is added need the same links; run the other one again";
            return Some(Diagnostic::error(message).hint(hint));
        }
        self.links.iter().find_map(|watched| {
            let all = watched.field.modes.elements.iter();
            let laminate = all.clone().find(|element| matches!(element.kind, RowKind::Laminate { .. }))?;
            let message = format!(
                "link {}: element {} is a laminate, whose plies have no S–N curve of a metal",
                watched.link, laminate.id
            );
            let hint = "`elements` or `properties` of [output.stress] choose the others";
            Some(Diagnostic::error(message).hint(hint))
        })
    }

    /// An output.
    pub(crate) fn frame(&mut self, frame: &Frame<'_>) {
        if self.links.is_empty() {
            return;
        }
        self.times.push(frame.state.t);
        for watched in &mut self.links {
            watched.coordinates.extend_from_slice(&frame.state.q[watched.positions.clone()]);
        }
    }

    /// The damage of all elements, with the outputs so far.
    pub(crate) fn damage(&self) -> Vec<LinkDamage> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let blocks = plan.blocks(&self.times);
        let search = Search::new();
        self.links.iter().map(|watched| self.of_link(plan, watched, &blocks, &search)).collect()
    }

    fn of_link(
        &self,
        plan: &DurabilityPlan,
        watched: &Watched,
        blocks: &[Block],
        search: &Search,
    ) -> LinkDamage {
        let modes = &watched.field.modes;
        // Other runs come behind this one; that their coordinates are the same ones was tested before it
        // began.
        let others = plan.others.iter();
        let others = others.filter_map(|run| run.coordinates(&watched.link, &watched.fingerprint).ok());
        let mut coordinates = Cow::Borrowed(watched.coordinates.as_slice());
        others.for_each(|other| coordinates.to_mut().extend_from_slice(other));
        let width = watched.positions.len();
        let Q = DMatrixView::from_slice(&coordinates, width, coordinates.len() / width.max(1));
        let history = History { S: &modes.S, Q, range: ranges(Q, blocks), assessment: &watched.assessment };
        let found: Vec<Option<f64>> =
            modes.elements.par_iter().map(|element| history.damage(element, blocks, search)).collect();
        let skipped = found.iter().filter(|damage| damage.is_none()).count();
        let damage: Vec<f64> = found.into_iter().map(|damage| damage.unwrap_or(0.0)).collect();
        let worst = (0..damage.len()).max_by(|a, b| damage[*a].total_cmp(&damage[*b]));
        let worst = worst.filter(|at| damage[*at] > 0.0);
        LinkDamage {
            link: watched.link.clone(),
            life: damage.iter().map(|damage| plan.repeats() / damage).collect(),
            worst: worst.map(|at| (modes.elements[at].id, modes.elements[at].property, at)),
            damage,
            skipped,
            duration: plan.duration(&self.times),
        }
    }
}

/// Middle and half the range of each coordinate over the samples that count.
fn ranges(Q: DMatrixView<'_, f64>, blocks: &[Block]) -> Vec<[f64; 2]> {
    let of_row = |row: usize| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for sample in blocks.iter().flat_map(|block| block.samples.clone()) {
            (low, high) = (low.min(Q[(row, sample)]), high.max(Q[(row, sample)]));
        }
        if low > high { [0.0; 2] } else { [0.5 * (high + low), 0.5 * (high - low)] }
    };
    (0..Q.nrows()).map(of_row).collect()
}

/// The stress of a link's elements over time, σ = S q.
struct History<'a> {
    S: &'a DMatrix<f64>,
    /// One column for each output.
    Q: DMatrixView<'a, f64>,
    range: Vec<[f64; 2]>,
    assessment: &'a Assessment,
}

/// The Frobenius norm of the tensor of a point, which its spectral norm does not exceed.
fn size(s: &[f64]) -> f64 {
    let normal = if s.len() == 3 { 2 } else { 3 };
    let square = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    match s.len() {
        1 => s[0].abs(),
        _ => (square(&s[..normal]) + 2.0 * square(&s[normal..])).sqrt(),
    }
}

impl History<'_> {
    /// Damage of an element: of its worst point; `None` where no point can have any.
    fn damage(&self, element: &RecoveredElement, blocks: &[Block], search: &Search) -> Option<f64> {
        let all = element.first..element.first + element.kind.rows(Quantity::Stress);
        // Of bars the axial stress at their points comes last.
        let (width, first) = match element.kind {
            RowKind::Line => (1, all.end - 8),
            RowKind::Shell { .. } | RowKind::Laminate { .. } => (3, all.start),
            RowKind::Solid { .. } => (6, all.start),
        };
        let mut worst = None;
        for first in (first..all.end).step_by(width) {
            worst = self.at_point(first, width, blocks, search, worst.unwrap_or(0.0)).or(worst);
        }
        worst
    }

    /// Damage at a point whose `width` components begin in row `first` of S, or `least` when it has no more.
    fn at_point(
        &self,
        first: usize,
        width: usize,
        blocks: &[Block],
        search: &Search,
        least: f64,
    ) -> Option<f64> {
        let S = self.S.rows(first, width).columns(0, self.Q.nrows()).into_owned();
        // All stress lies within Σ ‖S_k‖ r_k of that in the middle of the coordinates' ranges.
        let mut middle = vec![0.0; width];
        let mut radius = 0.0;
        for (column, [centre, half]) in S.column_iter().zip(&self.range) {
            middle.iter_mut().zip(&column).for_each(|(sum, s)| *sum += s * centre);
            radius += size(column.as_slice()) * half;
        }
        if self.assessment.is_harmless(radius, size(&middle) + radius) {
            return None;
        }
        let stress = S * self.Q;
        let (mut radius, mut largest) = (0.0f64, 0.0f64);
        for sample in blocks.iter().flat_map(|block| block.samples.clone()) {
            let column = stress.column(sample);
            let apart: [f64; 6] =
                std::array::from_fn(|i| if i < width { column[i] - middle[i] } else { 0.0 });
            radius = radius.max(size(&apart[..width]));
            largest = largest.max(size(column.as_slice()));
        }
        if self.assessment.is_harmless(radius, largest) {
            return None;
        }
        let components = stress.as_slice();
        let points = match width {
            1 => Points::Axial(components),
            3 => Points::Surface(components.as_chunks().0),
            _ => Points::Solid(components.as_chunks().0),
        };
        let worst = self.assessment.worst(points, blocks, search, least);
        Some(worst.map_or(least, |worst| worst.damage))
    }
}
