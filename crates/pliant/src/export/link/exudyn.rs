//! The archive that Exudyn's `ObjectFFRFreducedOrderInterface.LoadFromFile` reads: the integrals of a body in
//! floating frame, under its names.
//!
//! With x~ the matrix of x×, `mPhitTPsi = ∫ρφ`, `mXRefTildePsi = ∫ρ x~ᵀφ`, `mPsiTildePsi_j = ∫ρ φ_j~ᵀφ`,
//! `mXRefTildePsiTilde_j = ∫ρ x~ᵀφ_j~`, `mPsiTildePsiTilde_jk = ∫ρ φ_j~ᵀφ_k~`. Nodes have no rotations there,
//! so each interface is six points around it that move with it as a rigid body; a marker on all six
//! (`MarkerSuperElementRigid`) has its position and rotation.

use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_link::{Invariants, ReducedLink};
use pliant_spatial::skew;

use super::npz::{Array, archive, numbers};
use super::sid::{cross, torque};
use super::{Written, apart, largest};

/// Distance of the points from their interface, as a part of the size of the link.
const ARM: f64 = 0.01;

fn rows(A: &DMatrix<f64>) -> Array {
    Array::Numbers(vec![A.nrows(), A.ncols()], A.transpose().as_slice().to_vec())
}

/// `∫ρ φ_j~ᵀφ_k~`: its symmetric part is B, the rest −½ of the matrix of ∫ρ φ_j×φ_k.
pub(super) fn double_cross(own: &Invariants, j: usize, k: usize) -> Matrix3<f64> {
    const OF: [[usize; 3]; 3] = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];
    Matrix3::from_fn(|a, b| own.B[(6 * j + OF[a][b], k)]) - skew(&cross(own, j, k)) * 0.5
}

pub(super) fn write(link: &ReducedLink) -> Written {
    let (n, own) = (link.coordinate_count(), &link.invariants);
    let arm = ARM * if link.size > 0.0 { link.size } else { 1.0 };
    let inboard = (Vector3::zeros(), Matrix6xX::zeros(n));
    let outboard = link.interfaces.iter().map(|interface| (interface.X_LT.p, interface.V.clone()));
    let (mut positions, mut basis, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    for (p, V) in std::iter::once(inboard).chain(outboard) {
        origins.extend_from_slice(p.as_slice());
        for k in 0..6 {
            let r = Vector3::ith(k / 2, if k % 2 == 0 { arm } else { -arm });
            positions.extend_from_slice((p + r).as_slice());
            let moved = V.rows(0, 3) - skew(&r) * V.rows(3, 3);
            basis.extend(moved.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()));
        }
    }
    let nodes = positions.len() / 3;
    let m = own.mass();
    let centre = own.first_moment() / m;
    let square = |A: Matrix3<f64>| Array::Numbers(vec![3, 3], A.transpose().as_slice().to_vec());
    let J = own.M0.fixed_view::<3, 3>(3, 3).into_owned();
    let wide = |part: &dyn Fn(usize) -> Matrix3<f64>| {
        let parts: Vec<Matrix3<f64>> = (0..n).map(part).collect();
        rows(&DMatrix::from_fn(3, 3 * n, |i, c| parts[c / 3][(i, c % 3)]))
    };
    let force = |j: usize| skew(&Vector3::new(own.C0[(0, j)], own.C0[(1, j)], own.C0[(2, j)]));
    let both = DMatrix::from_fn(3 * n, 3 * n, |r, c| double_cross(own, r / 3, c / 3)[(r % 3, c % 3)]);
    let names = std::iter::once("inboard").chain(link.interfaces.iter().map(|i| i.name.as_str()));
    // Exudyn's own numbers: modes, nodes, dimensions, Euler parameters, their sum with positions, all.
    let counts = [n, nodes, 3, 4, 7, 7 + n].map(|count| count as i64);
    let arrays = [
        ("written_by_pliant", Array::Text(format!("written by pliant: link {}", link.name))),
        ("fileVersion", Array::Integers(vec![], vec![1])),
        ("type", Array::Text("ObjectFFRFreducedOrderInterface".to_owned())),
        ("modeBasis", Array::Numbers(vec![3 * nodes, n], basis)),
        ("trigList", Array::Numbers(vec![0, 3], Vec::new())),
        ("postProcessingModes", Array::Text(String::new())),
        ("massMatrixReduced", rows(&own.M_EE)),
        ("stiffnessMatrixReduced", rows(&link.K)),
        ("dampingMatrixReduced", rows(&link.D)),
        ("infoList", Array::Integers(vec![counts.len()], counts.to_vec())),
        ("rigidBodyNodeType", Array::Text("NodeType.RotationEulerParameters".to_owned())),
        ("xRef", Array::Numbers(vec![3 * nodes], positions)),
        ("inertiaLocal", square(J)),
        ("Mtt", square(Matrix3::identity() * m)),
        ("totalMass", Array::Numbers(vec![], vec![m])),
        ("chiU", Array::Numbers(vec![3], centre.as_slice().to_vec())),
        ("chiUtilde", square(skew(&centre))),
        ("mPsiTildePsi", rows(&DMatrix::from_fn(3 * n, n, |r, k| -cross(own, r / 3, k)[r % 3]))),
        ("mPsiTildePsiTilde", rows(&both)),
        ("mPhitTPsi", rows(&own.C0.rows(0, 3).into_owned())),
        ("mPhitTPsiTilde", wide(&force)),
        ("mXRefTildePsi", rows(&-own.C0.rows(3, 3).into_owned())),
        ("mXRefTildePsiTilde", wide(&|j| torque(own, j))),
        ("interfaces", Array::Texts(names.map(str::to_owned).collect())),
        ("interfaceOrigins", Array::Numbers(vec![origins.len() / 3, 3], origins)),
    ];
    let file = archive(&arrays);
    let compared = compared(&file, link);
    (vec![("npz", file)], compared)
}

/// The blocks of the link again, from the arrays of the file.
fn compared(file: &[u8], link: &ReducedLink) -> Result<f64, String> {
    let (n, own) = (link.coordinate_count(), &link.invariants);
    let read = |name: &str, rows: usize, columns: usize| {
        let values = numbers(file, name)?;
        if values.len() != rows * columns {
            return Err(format!("{name} has {} numbers, expected {}", values.len(), rows * columns));
        }
        Ok(DMatrix::from_row_slice(rows, columns, &values))
    };
    let (mass, centre, J) = (read("totalMass", 1, 1)?[0], read("chiU", 3, 1)?, read("inertiaLocal", 3, 3)?);
    let S = skew(&(Vector3::new(centre[0], centre[1], centre[2]) * mass));
    let translation = read("mPhitTPsi", 3, n)?;
    let rotation = -read("mXRefTildePsi", 3, n)?;
    let (force, torque) = (read("mPhitTPsiTilde", 3, 3 * n)?, read("mXRefTildePsiTilde", 3, 3 * n)?);
    let A = DMatrix::from_fn(18, n, |row, j| {
        let (b, a) = (row / 6, row % 6);
        if a < 3 { -force[(a, 3 * j + b)] } else { torque[(a - 3, 3 * j + b)] }
    });
    let single = read("mPsiTildePsi", 3 * n, n)?;
    let C = DMatrix::from_fn(3 * n, n, |row, j| -single[(3 * j + row % 3, row / 3)]);
    let double = read("mPsiTildePsiTilde", 3 * n, 3 * n)?;
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let B = DMatrix::from_fn(6 * n, n, |row, k| {
        let (j, (a, b)) = (row / 6, pairs[row % 6]);
        0.5 * (double[(3 * j + a, 3 * k + b)] + double[(3 * j + b, 3 * k + a)])
    });
    let first = own.M0.fixed_view::<3, 3>(3, 0).into_owned();
    Ok(largest([
        apart(&[own.mass()], &[mass]),
        apart(first.iter(), S.iter()),
        apart(own.M0.fixed_view::<3, 3>(3, 3).into_owned().iter(), &J),
        apart(&own.C0.rows(0, 3).into_owned(), &translation),
        apart(&own.C0.rows(3, 3).into_owned(), &rotation),
        apart(&own.A, &A),
        apart(&own.B, &B),
        apart(&own.C, &C),
        apart(&own.M_EE, &read("massMatrixReduced", n, n)?),
        apart(&link.K, &read("stiffnessMatrixReduced", n, n)?),
    ]))
}
