//! Blocks put together.

use pliant_pipeline::Value;
use pliant_pipeline::study::CombineWord;

use super::Block;

/// The rows of all blocks as cases over all parameters; `None` when there are more than `most`. The last
/// block changes fastest.
pub(super) fn combine(blocks: Vec<Block>, how: CombineWord, most: usize) -> Option<Vec<Vec<Option<Value>>>> {
    let widths: Vec<_> = blocks.iter().map(|block| block.parameters.len()).collect();
    let width: usize = widths.iter().sum();
    match how {
        CombineWord::Product => {
            let counts = blocks.iter().map(|block| block.rows.len());
            counts.clone().try_fold(1_usize, usize::checked_mul).filter(|count| *count <= most)?;
            let mut cases = vec![Vec::with_capacity(width)];
            for block in blocks {
                let with = |case: &Vec<Option<Value>>| {
                    let case = case.clone();
                    let rows = block.rows.iter();
                    rows.map(move |row| case.iter().cloned().chain(row.iter().cloned().map(Some)).collect())
                };
                cases = cases.iter().flat_map(with).collect();
            }
            Some(cases)
        }
        CombineWord::Append => {
            let mut cases = Vec::new();
            let mut before = 0;
            for (block, width_here) in blocks.into_iter().zip(widths) {
                let after = width - before - width_here;
                for row in block.rows {
                    let none = |count| std::iter::repeat_n(None, count);
                    cases.push(none(before).chain(row.into_iter().map(Some)).chain(none(after)).collect());
                }
                before += width_here;
            }
            (cases.len() <= most).then_some(cases)
        }
    }
}
