//! Standard input data: the blocks of a link under the names of the format (see `reduce/import/sid.rs`, which
//! reads them).

use nalgebra::{Matrix3, Vector3};
use pliant_diag::FileId;
use pliant_exchange::{Sid, SidNode, Taylor};
use pliant_link::{Coordinate, Invariants, ReducedLink};
use pliant_reduce::import::sid_invariants;
use pliant_spatial::skew;

use super::{Written, apart, largest};

/// Entry of the tensor of inertia, and of Oe, by axes.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
/// Columns of Oe: xx, yy, zz, xy, yz, xz. Which of the six pairs each is.
const OF_OE: [usize; 6] = [0, 1, 2, 3, 5, 4];

/// The 3×3 block of A that turning exerts as torque.
pub(super) fn torque(own: &Invariants, j: usize) -> Matrix3<f64> {
    Matrix3::from_fn(|a, b| own.A[(6 * b + 3 + a, j)])
}

/// `∫ρ φ_j×φ_k`.
pub(super) fn cross(own: &Invariants, j: usize, k: usize) -> Vector3<f64> {
    // Column j of C holds C_j column by column.
    Vector3::new(own.C[(3 * k, j)], own.C[(3 * k + 1, j)], own.C[(3 * k + 2, j)])
}

fn node(
    link: &ReducedLink,
    id: u32,
    R: &Matrix3<f64>,
    p: Vector3<f64>,
    V: &dyn Fn(usize, usize) -> f64,
) -> SidNode {
    let n = link.coordinate_count();
    let turned = |k: usize| skew(&Vector3::new(V(3, k), V(4, k), V(5, k))) * R;
    let turned: Vec<Matrix3<f64>> = (0..n).map(turned).collect();
    let blocks = vec![
        ("origin".to_owned(), Taylor::new([3, 1], n, |i, _| p[i], Some(&|i, k, _| V(i, k)))),
        ("phi".to_owned(), Taylor::new([3, n], n, V, None)),
        ("psi".to_owned(), Taylor::new([3, n], n, |i, k| V(3 + i, k), None)),
        ("AP".to_owned(), Taylor::new([3, 3], n, |i, j| R[(i, j)], Some(&|i, k, j| turned[k][(i, j)]))),
    ];
    SidNode { id, frame: "    body ref".to_owned(), blocks, source: None }
}

/// The body of a link: its frame is the body reference frame, node 1 the inboard interface, node 2 and so on
/// the outboard ones.
fn body(link: &ReducedLink) -> Sid {
    let (n, own) = (link.coordinate_count(), &link.invariants);
    let J = |k: usize| own.M0[(3 + PAIRS[k].0, 3 + PAIRS[k].1)];
    let J1 = |k: usize, j: usize| {
        let torque = torque(own, j);
        torque[PAIRS[k]] + torque[(PAIRS[k].1, PAIRS[k].0)]
    };
    let S = own.first_moment();
    let oe0 = |i: usize, column: usize| {
        let pair = OF_OE[column];
        if pair < 3 { -0.5 * J1(pair, i) } else { -J1(pair, i) }
    };
    let oe1 = |i: usize, k: usize, column: usize| {
        let pair = OF_OE[column];
        let b = own.B[(6 * i + pair, k)];
        if pair < 3 { -b } else { -2.0 * b }
    };
    let mut blocks = Vec::new();
    let mut put = |name: &str, block: Taylor| blocks.push((name.to_owned(), block));
    put("mdCM", Taylor::new([3, 1], n, |i, _| S[i], Some(&|i, k, _| own.C0[(i, k)])));
    put("J", Taylor::new([6, 1], n, |i, _| J(i), Some(&|i, k, _| J1(i, k))));
    put("Ct", Taylor::new([n, 3], n, |j, i| own.C0[(i, j)], None));
    put("Cr", Taylor::new([n, 3], n, |j, i| own.C0[(3 + i, j)], Some(&|i, k, a| cross(own, k, i)[a])));
    put("Me", Taylor::new([n, n], n, |i, j| own.M_EE[(i, j)], None));
    put("Gr", Taylor::new([3, 3 * n], n, |i, c| 2.0 * torque(own, c / 3)[(i, c % 3)], None));
    put("Ge", Taylor::new([n, 3 * n], n, |i, c| 2.0 * cross(own, c / 3, i)[c % 3], None));
    put("Oe", Taylor::new([n, 6], n, oe0, Some(&oe1)));
    put("ksigma", Taylor { structure: 0, ..Taylor::new([n, 1], n, |_, _| 0.0, None) });
    put("Ke", Taylor::new([n, n], n, |i, j| link.K[(i, j)], None));
    put("De", Taylor::new([n, n], n, |i, j| link.D[(i, j)], None));
    let inboard = node(link, 1, &Matrix3::identity(), Vector3::zeros(), &|_, _| 0.0);
    let outboard = link.interfaces.iter().zip(2..).map(|(interface, id)| {
        node(link, id, &interface.X_LT.R, interface.X_LT.p, &|i, k| interface.V[(i, k)])
    });
    let words = |(j, coordinate): (usize, &Coordinate)| match *coordinate {
        Coordinate::Mode { freq_hz } => format!(" Eigen Mode {:>4} : {freq_hz:>12.3} Hz", j + 1),
        Coordinate::Interface { interface, component } => {
            format!(" Static Mode {:>3} : node {}, component {component}", j + 1, interface + 2)
        }
    };
    let names = link.interfaces.iter().zip(2..).map(|(interface, id)| format!(", {id} {}", interface.name));
    let names: String = names.collect();
    Sid {
        title: format!("No. nodes, No. modes: written by pliant: link {}; nodes 1 inboard{names}", link.name),
        mass: own.mass(),
        modes: link.coordinates.iter().enumerate().map(words).collect(),
        nodes: std::iter::once(inboard).chain(outboard).collect(),
        blocks,
    }
}

pub(super) fn write(link: &ReducedLink) -> Written {
    let bytes = body(link).text().into_bytes();
    let read = Sid::read(&bytes, FileId(0)).map_err(|problem| problem.message);
    let compared = read.and_then(|sid| {
        let (found, K) =
            sid_invariants(&sid).map_err(|why| why.iter().map(|p| p.message.clone()).collect::<String>())?;
        let own = &link.invariants;
        Ok(largest([
            apart(&link.K, &K),
            apart(own.M0.iter(), found.M0.iter()),
            apart(&own.C0, &found.C0),
            apart(&own.A, &found.A),
            apart(&own.B, &found.B),
            apart(&own.C, &found.C),
            apart(&own.M_EE, &found.M_EE),
        ]))
    });
    (vec![("SID_FEM", bytes)], compared)
}
