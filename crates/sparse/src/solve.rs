//! Forward and backward substitution with a block of right-hand sides.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_unit_lower_triangular_in_place, solve_unit_upper_triangular_in_place,
};
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, MatMut, Par};

use crate::symbolic::Symbolic;

/// Right-hand sides taken together. Fixed, so that a column's bits do not depend on threads.
const CHUNK: usize = 32;

/// A number in [−1, 1] that depends on `index` alone and has no pattern: the same start vectors
/// on every run and thread count (splitmix64, Steele, Lea & Flood, OOPSLA 2014).
pub(crate) fn rough(index: usize) -> f64 {
    let mut x = (index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^= x >> 31;
    (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Solves LDLᵀX = B in place, in original row order.
pub(crate) fn solve_in_place(symbolic: &Symbolic, values: &[f64], mut B: MatMut<'_, f64>, parallel: bool) {
    let n = symbolic.order().len();
    assert_eq!(B.nrows(), n, "rows of the right-hand side");
    let mut chunks = Vec::new();
    while B.ncols() > CHUNK {
        let (head, tail) = B.split_at_col_mut(CHUNK);
        chunks.push(head);
        B = tail;
    }
    chunks.push(B);
    if parallel && chunks.len() > 1 {
        rayon::scope(|scope| {
            for chunk in chunks {
                scope.spawn(move |_| solve_chunk(symbolic, values, chunk));
            }
        });
    } else {
        chunks.into_iter().for_each(|chunk| solve_chunk(symbolic, values, chunk));
    }
}

fn solve_chunk(symbolic: &Symbolic, values: &[f64], mut B: MatMut<'_, f64>) {
    let (n, count) = (B.nrows(), B.ncols());
    if count == 0 {
        return;
    }
    let order = symbolic.order();
    let mut X = Mat::zeros(n, count);
    for k in 0..count {
        let source = B.rb().col(k);
        X.col_mut(k).iter_mut().zip(order).for_each(|(x, &row)| *x = source[row]);
    }
    let tallest = symbolic.supernodes().iter().map(|s| s.below).max().unwrap_or(0);
    let mut work = Mat::zeros(tallest, count);

    let mut end = 0;
    for (s, node) in symbolic.supernodes().iter().enumerate() {
        let panel = node.panel();
        let part = &values[end..end + panel.len()];
        end += panel.len();
        let mut update = work.rb_mut().subrows_mut(0, node.below);
        for b in 0..panel.blocks() {
            let (top, bottom) = panel.block(part, b).split_at_row(panel.columns(b));
            let inner = bottom.nrows() - node.below;
            let rows = X.rb_mut().subrows_mut(node.first + panel.first(b), top.ncols() + inner);
            let (mut own, later) = rows.split_at_row_mut(top.ncols());
            solve_unit_lower_triangular_in_place(top, own.rb_mut(), Par::Seq);
            let (inside, outside) = bottom.split_at_row(inner);
            matmul(later, Accum::Add, inside, own.rb(), -1.0, Par::Seq);
            let accumulate = if b == 0 { Accum::Replace } else { Accum::Add };
            matmul(update.rb_mut(), accumulate, outside, own.rb(), 1.0, Par::Seq);
            for k in 0..count {
                own.rb_mut().col_mut(k).iter_mut().enumerate().for_each(|(i, x)| *x /= top[(i, i)]);
            }
        }
        for k in 0..count {
            let mut x = X.col_mut(k);
            for (&row, value) in symbolic.rows(s).iter().zip(update.rb().col(k).iter()) {
                x[row as usize] -= value;
            }
        }
    }
    for (s, node) in symbolic.supernodes().iter().enumerate().rev() {
        let panel = node.panel();
        let part = &values[end - panel.len()..end];
        end -= panel.len();
        let mut above = work.rb_mut().subrows_mut(0, node.below);
        for k in 0..count {
            let x = X.col(k);
            for (&row, value) in symbolic.rows(s).iter().zip(above.rb_mut().col_mut(k).iter_mut()) {
                *value = x[row as usize];
            }
        }
        for b in (0..panel.blocks()).rev() {
            let (top, bottom) = panel.block(part, b).split_at_row(panel.columns(b));
            let inner = bottom.nrows() - node.below;
            let rows = X.rb_mut().subrows_mut(node.first + panel.first(b), top.ncols() + inner);
            let (mut own, later) = rows.split_at_row_mut(top.ncols());
            let (inside, outside) = bottom.split_at_row(inner);
            matmul(own.rb_mut(), Accum::Add, inside.transpose(), later.rb(), -1.0, Par::Seq);
            matmul(own.rb_mut(), Accum::Add, outside.transpose(), above.rb(), -1.0, Par::Seq);
            solve_unit_upper_triangular_in_place(top.transpose(), own, Par::Seq);
        }
    }
    for k in 0..count {
        let mut target = B.rb_mut().col_mut(k);
        X.col(k).iter().zip(order).for_each(|(&x, &row)| target[row] = x);
    }
}
