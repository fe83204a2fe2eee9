//! Cases that no other beats.

/// The cases for which no other is at least as small in both numbers and smaller in one, in the order of the
/// first number.
pub fn pareto_front(points: &[(usize, [f64; 2])]) -> Vec<usize> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(a.1[1].total_cmp(&b.1[1])).then(a.0.cmp(&b.0)));
    let mut kept: Vec<(usize, [f64; 2])> = Vec::new();
    for point in sorted {
        // Equal ones do not beat each other.
        if kept.last().is_none_or(|last| point.1[1] < last.1[1] || point.1 == last.1) {
            kept.push(point);
        }
    }
    kept.into_iter().map(|(case, _)| case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_of_a_few_points() {
        let points = [
            (0, [1.0, 5.0]),
            (1, [2.0, 3.0]),
            (2, [3.0, 4.0]),
            (3, [2.0, 3.0]),
            (4, [5.0, 1.0]),
            (5, [1.0, 6.0]),
        ];
        assert_eq!(pareto_front(&points), [0, 1, 3, 4]);
        assert_eq!(pareto_front(&[]), Vec::<usize>::new());
    }
}
