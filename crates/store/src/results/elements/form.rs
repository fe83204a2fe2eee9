//! What the numbers of a point are, and the rows whose squares give the one number that stands for them.

use std::ops::Range;

use nalgebra::DMatrix;
use pliant_reduce::recovery::{ElementModes, Quantity, RecoveredElement, RowKind};

/// Rows of a point of a solid, the most of all points.
pub(in crate::results) const POINT_ROWS: usize = 5;

/// A centre is left out when each number at it is the mean of those at the corners to this much of the
/// largest: a norm is convex, so a corner has at least as much.
const IS_MEAN: f64 = 1e-13;

/// Which numbers a point has and what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Sizes.
    Axial,
    /// Von Mises in a plane.
    Plane,
    /// Von Mises.
    Solid,
    /// Principal strain in a plane.
    PlanePrincipal,
    /// Principal strain.
    SolidPrincipal,
}

impl Form {
    pub(super) fn of(kind: RowKind, quantity: Quantity) -> Self {
        match (kind, quantity) {
            (RowKind::Line, _) => Self::Axial,
            (RowKind::Shell { .. } | RowKind::Laminate { .. }, Quantity::Stress) => Self::Plane,
            (RowKind::Shell { .. } | RowKind::Laminate { .. }, Quantity::Strain) => Self::PlanePrincipal,
            (RowKind::Solid { .. }, Quantity::Stress) => Self::Solid,
            (RowKind::Solid { .. }, Quantity::Strain) => Self::SolidPrincipal,
        }
    }

    /// Rows of a tile.
    pub(super) fn rows(self) -> usize {
        match self {
            Self::Axial => 4,
            Self::Solid => 5,
            Self::Plane | Self::PlanePrincipal | Self::SolidPrincipal => 6,
        }
    }

    /// Numbers of an element that make a tile.
    pub(super) fn numbers(self) -> usize {
        if self == Self::Axial { 4 } else { 6 }
    }

    /// The rows of a tile from the numbers of an element.
    pub(super) fn combine(self, s: &[f64], mut row: impl FnMut(f64)) {
        let root_3 = 3f64.sqrt();
        match self {
            Self::Axial | Self::SolidPrincipal => s.iter().for_each(|s| row(*s)),
            Self::Plane => s.chunks_exact(3).for_each(|s| {
                row(0.5 * root_3 * (s[0] - s[1]));
                row(0.5 * (s[0] + s[1]));
                row(root_3 * s[2]);
            }),
            Self::PlanePrincipal => s.chunks_exact(3).for_each(|s| {
                row(0.5 * (s[0] + s[1]));
                row(0.5 * (s[0] - s[1]));
                row(0.5 * s[2]);
            }),
            Self::Solid => {
                row(0.5 * root_3 * (s[0] - s[1]));
                row(s[2] - 0.5 * (s[0] + s[1]));
                s[3..].iter().for_each(|shear| row(root_3 * shear));
            }
        }
    }
}

/// Rows R of a point whose equivalent stress is |R q|, as many as a solid has; those that a point of another
/// kind does not have are zero. `S` are the rows of the point in the stress modes: one of a line, three of a
/// shell, six of a solid.
pub(super) fn squared_rows(kind: RowKind, S: &DMatrix<f64>) -> DMatrix<f64> {
    let form = Form::of(kind, Quantity::Stress);
    let mut R = DMatrix::zeros(POINT_ROWS, S.ncols());
    for (k, s) in S.column_iter().enumerate() {
        let mut at = 0;
        form.combine(s.as_slice(), |x| {
            R[(at, k)] = x;
            at += 1;
        });
    }
    R
}

/// The numbers of an element that count, as a range of its rows in `S`.
pub(super) fn counted(modes: &ElementModes, element: &RecoveredElement) -> Range<usize> {
    let (first, count) = (element.first, element.kind.rows(modes.quantity));
    let all = first..first + count;
    match element.kind {
        RowKind::Line => all.end - 8..all.end,
        RowKind::Laminate { .. } => all,
        RowKind::Shell { corners } | RowKind::Solid { corners } => {
            let is_mean = corners > 0
                && modes.S.column_iter().all(|s| {
                    let s = &s.as_slice()[all.clone()];
                    let largest = s.iter().fold(0.0, |largest, x| f64::max(largest, x.abs()));
                    let mean = |c: usize| s[6..].iter().skip(c).step_by(6).sum::<f64>() / corners as f64;
                    (0..6).all(|c| (s[c] - mean(c)).abs() <= IS_MEAN * largest)
                });
            if is_mean { all.start + 6..all.end } else { all }
        }
    }
}
