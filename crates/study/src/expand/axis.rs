//! `grid` and `zip`.

use pliant_pipeline::schema::{Located, Named};
use pliant_pipeline::study::AxisSpec;
use pliant_pipeline::{Value, ValueKind};

use super::{Block, Reader};

fn values(axis: &Located<AxisSpec>) -> Vec<Value> {
    let span = axis.span();
    match &axis.value {
        AxisSpec::Values(values) => values.clone(),
        AxisSpec::Range(range) => {
            range.values().into_iter().map(|x| Value { kind: ValueKind::Float(x), span }).collect()
        }
    }
}

fn names(axes: &Named<Located<AxisSpec>>) -> Vec<(String, Option<pliant_diag::Span>)> {
    axes.entries.iter().map(|(name, _)| (name.value.clone(), name.span())).collect()
}

impl Reader<'_> {
    /// Every combination; the last parameter changes fastest.
    pub(super) fn grid(&mut self) -> Result<Option<Block>, ()> {
        let grid = &self.table.grid;
        if grid.is_empty() {
            return Ok(None);
        }
        let axes: Vec<_> = grid.iter().map(|(_, axis)| values(axis)).collect();
        let count = axes.iter().try_fold(1_usize, |count, axis| count.checked_mul(axis.len()));
        if count.is_none_or(|count| count > super::MOST) {
            self.error(self.table.source.0, format!("the grid has more than {} cases", super::MOST));
            return Err(());
        }
        let mut rows = vec![Vec::new()];
        for axis in &axes {
            let with = |row: &Vec<Value>| {
                let row = row.clone();
                axis.iter().map(move |value| row.iter().cloned().chain([value.clone()]).collect())
            };
            rows = rows.iter().flat_map(with).collect();
        }
        Ok(Some(Block { parameters: names(grid), rows }))
    }

    /// One after the other.
    pub(super) fn zip(&mut self) -> Result<Option<Block>, ()> {
        let zip = &self.table.zip;
        if zip.is_empty() {
            return Ok(None);
        }
        let axes: Vec<_> = zip.iter().map(|(_, axis)| values(axis)).collect();
        let length = axes[0].len();
        if let Some(odd) = axes.iter().position(|axis| axis.len() != length) {
            let ((first, _), (name, axis)) = (&zip.entries[0], &zip.entries[odd]);
            let message =
                format!("`{}` has {} values, `{}` {length}", name.value, axes[odd].len(), first.value);
            self.hinted(axis.span(), message, "lists in `zip` must have the same length");
            return Err(());
        }
        let rows = (0..length).map(|i| axes.iter().map(|axis| axis[i].clone()).collect()).collect();
        Ok(Some(Block { parameters: names(zip), rows }))
    }
}
