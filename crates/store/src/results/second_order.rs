//! Displacements of second order of the points of a link that is drawn.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::shape::LinkShape;

/// VTK's type of a line between two points.
const LINE: u8 = 3;
/// VTK's type of a point.
const VERTEX: u8 = 1;

/// The displacement of second order at a point of the link, both in link axes (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    pub(super) at: Vector3<f64>,
    pub(super) u: Vector3<f64>,
}

/// The lines of a link that has no other cells, each as (inboard point, outboard point), from the point at
/// its frame outward. `None` where other cells, closed rings or points that no line reaches are drawn, and
/// for sticks, which are no bars.
pub(super) fn line_tree(link: &LinkShape) -> Option<Vec<[usize; 2]>> {
    let drawing = &link.drawing;
    let mut neighbours: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut lines = 0;
    for (cell, (kind, element)) in drawing.cell_types.iter().zip(&drawing.elements).enumerate() {
        let range = *drawing.offsets.get(cell)? as usize..*drawing.offsets.get(cell + 1)? as usize;
        match (*kind, drawing.connectivity.get(range)?) {
            (LINE, [a, b]) if *element != 0 => {
                neighbours.entry(*a as usize).or_default().push(*b as usize);
                neighbours.entry(*b as usize).or_default().push(*a as usize);
                lines += 1;
            }
            (VERTEX, _) => {}
            _ => return None,
        }
    }
    let root = (0..link.positions.len())
        .min_by(|a, b| link.positions[*a].norm().total_cmp(&link.positions[*b].norm()))?;
    let (mut tree, mut seen) = (Vec::with_capacity(lines), vec![false; link.positions.len()]);
    let mut next = vec![root];
    seen[root] = true;
    while let Some(inboard) = next.pop() {
        for &outboard in neighbours.get(&inboard).into_iter().flatten() {
            if !std::mem::replace(&mut seen[outboard], true) {
                tree.push([inboard, outboard]);
                next.push(outboard);
            }
        }
    }
    (tree.len() == lines && seen.iter().all(|seen| *seen)).then_some(tree)
}

/// u₂ of points on bars that turn by θ and keep their length: `u₂′ = ½ θ×(θ×e)` with θ linear along each line
/// e. `u` holds six numbers of linear displacement for each point.
pub(super) fn second_order_of_lines(
    positions: &[Vector3<f64>],
    u: &[f32],
    tree: &[[usize; 2]],
) -> Vec<Vector3<f64>> {
    let mut second = vec![Vector3::zeros(); positions.len()];
    let turn = |k: usize| Vector3::from_fn(|c, _| f64::from(u[6 * k + 3 + c]));
    for &[a, b] in tree {
        let (e, p, q) = (positions[b] - positions[a], turn(a), turn(b));
        // ∫ of products of two linear functions: ⅓ of each square, ⅙ of each mixed product.
        let squares = p.cross(&p.cross(&e)) + q.cross(&q.cross(&e));
        let mixed = p.cross(&q.cross(&e)) + q.cross(&p.cross(&e));
        second[b] = second[a] + squares / 6.0 + mixed / 12.0;
    }
    second
}

/// Adds to the displacements what makes them those of `offsets` at their points: the rest there, weighted
/// with the inverse squares of the distances from these points and from the link frame, where there is none.
pub(super) fn spread(positions: &[Vector3<f64>], offsets: &[Offset], second: &mut [Vector3<f64>]) {
    let nearest = |at: &Vector3<f64>| {
        (0..positions.len()).min_by(|a, b| {
            (positions[*a] - at).norm_squared().total_cmp(&(positions[*b] - at).norm_squared())
        })
    };
    let rest = |offset: &Offset| nearest(&offset.at).map_or(offset.u, |k| offset.u - second[k]);
    let rests: Vec<_> = offsets.iter().map(rest).collect();
    for (r, u) in positions.iter().zip(second) {
        // Weights times the product of all squared distances, so that none is divided by zero.
        let mut squares: Vec<f64> = offsets.iter().map(|offset| (r - offset.at).norm_squared()).collect();
        squares.push(r.norm_squared());
        let weight = |k: usize| -> f64 {
            squares.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, square)| square).product()
        };
        let sum: f64 = (0..squares.len()).map(weight).sum();
        if sum > 0.0 {
            *u += rests.iter().enumerate().map(|(k, rest)| rest * weight(k)).sum::<Vector3<f64>>() / sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar bent to a circle by 0.2 rad: x = sin(0.2 s)/0.2, second order −(0.2 s)²s/6.
    #[test]
    fn a_bent_bar_keeps_its_length() {
        let n = 20;
        let positions: Vec<_> = (0..=n).map(|i| Vector3::x() * f64::from(i) / f64::from(n)).collect();
        let turn = 0.2;
        let u: Vec<f32> = (0..=n)
            .flat_map(|i| {
                let s = f64::from(i) / f64::from(n);
                [0.0, 0.5 * turn * s * s, 0.0, 0.0, 0.0, turn * s].map(|x| x as f32)
            })
            .collect();
        let tree: Vec<_> = (0..n as usize).map(|i| [i, i + 1]).collect();
        let second = second_order_of_lines(&positions, &u, &tree);
        for (r, u) in positions.iter().zip(&second) {
            let exact = -(turn * r.x).powi(2) * r.x / 6.0;
            assert!((u.x - exact).abs() < 1e-8, "{u:?} {exact}");
        }
    }

    #[test]
    fn what_is_spread_is_exact_where_it_is_known() {
        let positions: Vec<_> = (0..5).map(|i| Vector3::x() * f64::from(i)).collect();
        let offset = |x: f64, u: f64| Offset { at: Vector3::x() * x, u: Vector3::y() * u };
        let mut second = vec![Vector3::y() * 0.1; 5];
        second[0] = Vector3::zeros();
        spread(&positions, &[offset(4.0, 1.0), offset(2.0, -1.0)], &mut second);
        assert_eq!((second[0].y, second[2].y, second[4].y), (0.0, -1.0, 1.0));
        assert!(second[3].y.abs() < 1.0 && second[1].y < 0.0);
    }
}
