//! Frames of a field as few shapes times coefficients: a link that moves in a few modes needs a few shapes,
//! however many frames.

/// Shapes and, for each frame, one coefficient for each shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LowRank {
    /// One after the other, each as long as a frame.
    pub(crate) shapes: Vec<f32>,
    /// Frame by frame.
    pub(crate) coefficients: Vec<f32>,
    pub(crate) rank: usize,
}

/// Orthonormal shapes q_r with x_f ≈ Σ_r c_fr q_r, every entry within `tolerance` times the largest entry of
/// all frames.
///
/// Gram–Schmidt with the frame of largest remainder next (a QR factorisation with column pivoting), stopped
/// as soon as no remainder exceeds the tolerance; so the error is known and not estimated. Takes as many
/// shapes as frames at most, since each shape makes the remainder of its own frame vanish.
pub(crate) fn low_rank(mut frames: Vec<Vec<f32>>, tolerance: f32) -> LowRank {
    let size = frames.first().map_or(0, Vec::len);
    let peak = |frame: &Vec<f32>| frame.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let largest = frames.iter().map(peak).fold(0.0, f32::max);
    let mut coefficients: Vec<Vec<f32>> = vec![Vec::new(); frames.len()];
    let mut shapes: Vec<f32> = Vec::new();
    let mut rank = 0;
    while rank < frames.len() {
        let peaks = frames.iter().map(peak).enumerate();
        let Some((pivot, worst)) = peaks.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if worst <= tolerance * largest {
            break;
        }
        let norm = dot(&frames[pivot], &frames[pivot]).sqrt();
        let shape: Vec<f32> = frames[pivot].iter().map(|x| (f64::from(*x) / norm) as f32).collect();
        for (frame, coefficients) in frames.iter_mut().zip(&mut coefficients) {
            let c = dot(frame, &shape) as f32;
            coefficients.push(c);
            frame.iter_mut().zip(&shape).for_each(|(x, q)| *x -= c * q);
        }
        shapes.extend(shape);
        rank += 1;
    }
    debug_assert_eq!(shapes.len(), rank * size);
    LowRank { shapes, coefficients: coefficients.concat(), rank }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_modes_take_three_shapes() {
        let size = 300;
        let frame = |f: usize| -> Vec<f32> {
            let t = f as f32 * 0.1;
            let at = |i: usize| i as f32 / size as f32;
            (0..size)
                .map(|i| {
                    t.sin() * at(i)
                        + 0.3 * (2.7 * t).cos() * at(i).powi(2)
                        + 0.01 * (9.0 * t).sin() * (9.0 * at(i)).sin()
                })
                .collect()
        };
        let frames: Vec<Vec<f32>> = (0..200).map(frame).collect();
        let largest = frames.iter().flatten().fold(0.0_f32, |m, x| m.max(x.abs()));
        let found = low_rank(frames.clone(), 1e-4);
        assert_eq!(found.rank, 3);
        for (f, frame) in frames.iter().enumerate() {
            for (i, x) in frame.iter().enumerate() {
                let sum: f32 =
                    (0..3).map(|r| found.coefficients[3 * f + r] * found.shapes[size * r + i]).sum();
                // The tolerance asked for, and rounding of single precision.
                assert!((sum - x).abs() < 1.1e-4 * largest, "{f} {i}: {sum} {x}");
            }
        }
    }

    #[test]
    fn what_does_not_move_takes_none() {
        assert_eq!(low_rank(vec![vec![0.0; 9]; 5], 1e-4).rank, 0);
        assert_eq!(low_rank(Vec::new(), 1e-4), LowRank::default());
    }
}
