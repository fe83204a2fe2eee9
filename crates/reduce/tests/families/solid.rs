//! Bars of solid elements: cells cut into hexahedra, wedges, pyramids or tetrahedra.

/// A node by its position in eighths of a cell.
type Eighths = [u32; 3];

const CORNERS: [Eighths; 8] =
    [[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0], [0, 0, 8], [8, 0, 8], [8, 8, 8], [0, 8, 8]];
const CENTRE: Eighths = [4, 4, 4];

/// Corners of the elements of a cell for a card with this number of corners.
fn pieces(corners: usize) -> Vec<Vec<Eighths>> {
    let of = |list: &[usize]| list.iter().map(|i| CORNERS[*i]).collect::<Vec<_>>();
    match corners {
        8 => vec![of(&[0, 1, 2, 3, 4, 5, 6, 7])],
        6 => vec![of(&[0, 1, 2, 4, 5, 6]), of(&[0, 2, 3, 4, 6, 7])],
        5 => [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
            .iter()
            .map(|base| [of(base), vec![CENTRE]].concat())
            .collect(),
        _ => [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]
            .iter()
            .map(|tetra| of(tetra))
            .collect(),
    }
}

/// Edges that carry mid-side nodes, in Nastran's order.
fn edges(corners: usize) -> &'static [[usize; 2]] {
    match corners {
        8 => {
            &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 5], [2, 6], [3, 7], [4, 5], [5, 6], [6, 7], [7, 4]]
        }
        6 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 4], [2, 5], [3, 4], [4, 5], [5, 3]],
        5 => &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]],
        _ => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
    }
}

/// The nodes of each element as indices in `positions` of a bar along x, `size` long, wide and high.
pub(crate) fn solid_bar(
    corners: usize,
    quadratic: bool,
    cells: [u32; 3],
    size: [f64; 3],
) -> (Vec<[f64; 3]>, Vec<Vec<usize>>) {
    let mut known = std::collections::BTreeMap::new();
    let (mut positions, mut elements) = (Vec::new(), Vec::new());
    let mut node = |position_in_eighths: Eighths| {
        *known.entry(position_in_eighths).or_insert_with(|| {
            positions.push(
                [0, 1, 2].map(|k| size[k] * f64::from(position_in_eighths[k]) / f64::from(8 * cells[k])),
            );
            positions.len() - 1
        })
    };
    let all =
        (0..cells[0]).flat_map(|i| (0..cells[1]).flat_map(move |j| (0..cells[2]).map(move |k| [i, j, k])));
    for cell in all {
        for piece in pieces(corners) {
            let piece: Vec<Eighths> =
                piece.iter().map(|corner| [0, 1, 2].map(|k| 8 * cell[k] + corner[k])).collect();
            let mut nodes: Vec<usize> = piece.iter().map(|corner| node(*corner)).collect();
            if quadratic {
                let middle = |[a, b]: &[usize; 2]| [0, 1, 2].map(|k| (piece[*a][k] + piece[*b][k]) / 2);
                nodes.extend(edges(corners).iter().map(|edge| node(middle(edge))));
            }
            elements.push(nodes);
        }
    }
    (positions, elements)
}
