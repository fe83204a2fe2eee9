//! `sample`: points between 0 and 1, and from them values.

use pliant_pipeline::study::{MethodWord, SampleTable};

use super::random::Random;
use super::{Block, Reader, distribution, sobol};

/// `count` points in `width` dimensions, each coordinate between 0 and 1, neither included.
pub(crate) fn points(method: MethodWord, seed: u32, count: usize, width: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(u64::from(seed));
    let columns: Vec<Vec<f64>> = (0..width)
        .map(|d| match method {
            MethodWord::Random => (0..count).map(|_| random.unit()).collect(),
            MethodWord::LatinHypercube => {
                let slices = random.permutation(count);
                slices.into_iter().map(|slice| (slice as f64 + random.unit()) / count as f64).collect()
            }
            // A random digital shift keeps every stratification of the sequence and moves its first point off
            // the corner.
            MethodWord::Sobol => {
                let shift = (random.bits() >> 32) as u32;
                let unit = |x: u32| (f64::from(x ^ shift) + 0.5) * (-32_f64).exp2();
                sobol::dimension(d, count).into_iter().map(unit).collect()
            }
        })
        .collect();
    (0..count).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

/// The points of a sample. With indices: for each base point a row of A, one of B, and for each parameter the
/// row of A with that parameter from B (Saltelli and others, Computer Physics Communications 181 (2010)
/// 259–270).
fn design(table: &SampleTable, width: usize) -> Vec<Vec<f64>> {
    let count = table.count as usize;
    if !table.indices {
        return points(table.method, table.seed, count, width);
    }
    let both = points(table.method, table.seed, count, 2 * width);
    let rows = both.iter().flat_map(|point| {
        let (a, b) = point.split_at(width);
        let mixed = (0..width).map(move |i| {
            let mut row = a.to_vec();
            row[i] = b[i];
            row
        });
        [a.to_vec(), b.to_vec()].into_iter().chain(mixed)
    });
    rows.collect()
}

impl Reader<'_> {
    pub(super) fn sample(&mut self) -> Result<Option<Block>, ()> {
        let Some(table) = &self.table.sample else { return Ok(None) };
        let width = table.over.entries.len();
        let dimensions = if table.indices { 2 * width } else { width };
        if table.method == MethodWord::Sobol && dimensions > sobol::DIMENSIONS {
            let message = format!(
                "Sobol's sequence has {} dimensions here, and {dimensions} are wanted",
                sobol::DIMENSIONS
            );
            self.hinted(table.source.0, message, "\"latin-hypercube\" has no such limit");
            return Err(());
        }
        let rows = if table.indices { table.count as usize * (width + 2) } else { table.count as usize };
        if rows > super::MOST {
            self.error(table.source.0, format!("the sample has more than {} cases", super::MOST));
            return Err(());
        }
        let parameters =
            table.over.entries.iter().map(|(name, _)| (name.value.clone(), name.span())).collect();
        let draw = |point: Vec<f64>| {
            let distributions = table.over.iter().map(|(_, table)| &table.value);
            distributions.zip(point).map(|(table, u)| distribution::value(table, u)).collect()
        };
        Ok(Some(Block { parameters, rows: design(table, width).into_iter().map(draw).collect() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_slice() {
        let points = points(MethodWord::LatinHypercube, 3, 50, 4);
        for d in 0..4 {
            let mut slices: Vec<_> = points.iter().map(|p| (p[d] * 50.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_seed_decides() {
        for method in [MethodWord::Random, MethodWord::LatinHypercube, MethodWord::Sobol] {
            assert_eq!(points(method, 5, 20, 3), points(method, 5, 20, 3));
            assert_ne!(points(method, 5, 20, 3), points(method, 6, 20, 3));
            assert!(points(method, 5, 64, 3).iter().flatten().all(|u| *u > 0.0 && *u < 1.0));
        }
    }

    /// ∫ Πᵢ (3uᵢ²) over the unit cube is 1: Sobol's points find it far better than 1/√n.
    #[test]
    fn sobol_points_integrate() {
        let points = points(MethodWord::Sobol, 1, 4096, 5);
        let mean =
            points.iter().map(|p| p.iter().map(|u| 3.0 * u * u).product::<f64>()).sum::<f64>() / 4096.0;
        // Random points have a deviation of √((9/5)⁵ − 1)/64 = 0.066; these are asked to be five times as
        // good.
        assert!((mean - 1.0).abs() < 0.013, "{mean}");
    }
}
