//! The file of MBDyn's joint `modal`: nodes, shapes, modal matrices and the invariants of inertia.
//!
//! Record groups as MBDyn's input manual and `modal.cc` have them; 14 to 18 are the invariants
//! `∫ρφ_j`, `∫ρ x×φ_j`, `−∫ρ x~φ_j~`, `∫ρ φ_j×φ_k` and `∫ρ φ_j~φ_k~`, so that no nodal masses are needed.

use std::fmt::Write;

use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_link::ReducedLink;
use pliant_spatial::skew;

use super::exudyn::double_cross;
use super::sid::{cross, torque};
use super::{Written, apart, largest};

fn row(out: &mut String, values: impl IntoIterator<Item = f64>) {
    let values: Vec<String> = values.into_iter().map(|x| format!("{x:.16e}")).collect();
    out.push_str(&values.join(" "));
    out.push('\n');
}

fn group(out: &mut String, number: usize, title: &str) {
    writeln!(out, "**\n** RECORD GROUP {number}, {title}").expect("invariant: a string takes all");
}

fn square(out: &mut String, number: usize, title: &str, A: &DMatrix<f64>) {
    group(out, number, title);
    A.row_iter().for_each(|entries| row(out, entries.iter().copied()));
}

pub(super) fn write(link: &ReducedLink) -> Written {
    let (n, own) = (link.coordinate_count(), &link.invariants);
    let inboard = (Vector3::zeros(), Matrix6xX::zeros(n));
    let outboard = link.interfaces.iter().map(|interface| (interface.X_LT.p, interface.V.clone()));
    let nodes: Vec<_> = std::iter::once(inboard).chain(outboard).collect();
    let mut out = String::from("** Written by pliant: MBDyn MODAL DATA FILE\n");
    let names = std::iter::once("inboard").chain(link.interfaces.iter().map(|i| i.name.as_str()));
    for (name, id) in names.zip(1..) {
        out.push_str(&format!("** node {id}: {name}\n"));
    }
    group(&mut out, 1, "HEADER");
    out.push_str("**   REVISION,  NODE,  NORMAL, ATTACHMENT, CONSTRAINT, REJECTED MODES.\n");
    out.push_str(&format!("REV0 {} {n} 0 0 0\n", nodes.len()));
    group(&mut out, 2, "FINITE ELEMENT NODE LIST");
    let ids: Vec<String> = (1..=nodes.len()).map(|id| id.to_string()).collect();
    out.push_str(&(ids.join(" ") + "\n"));
    for (number, title) in [(3, "INITIAL MODAL DISPLACEMENTS"), (4, "INITIAL MODAL VELOCITIES")] {
        group(&mut out, number, title);
        row(&mut out, std::iter::repeat_n(0.0, n));
    }
    for (k, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
        group(&mut out, 5 + k, &format!("NODAL {letter} COORDINATES"));
        nodes.iter().for_each(|(p, _)| row(&mut out, [p[k]]));
    }
    group(&mut out, 8, "MODE SHAPES");
    for j in 0..n {
        out.push_str(&format!("**    NORMAL MODE SHAPE # {}\n", j + 1));
        nodes.iter().for_each(|(_, V)| row(&mut out, V.column(j).iter().copied()));
    }
    square(&mut out, 9, "MODAL MASS MATRIX", &own.M_EE);
    square(&mut out, 10, "MODAL STIFFNESS MATRIX", &link.K);
    group(&mut out, 12, "RIGID BODY INERTIA MATRIX");
    let m = own.mass();
    let c = own.first_moment() / m;
    row(&mut out, [m]);
    row(&mut out, c.iter().copied());
    let about_centre = own.M0.fixed_view::<3, 3>(3, 3) + skew(&c) * skew(&c) * m;
    about_centre.row_iter().for_each(|entries| row(&mut out, entries.iter().copied()));
    square(&mut out, 13, "MODAL DAMPING MATRIX", &link.D);
    square(&mut out, 14, "INVARIANT 3", &own.C0.rows(0, 3).into_owned());
    square(&mut out, 15, "INVARIANT 4", &own.C0.rows(3, 3).into_owned());
    let parts: Vec<Matrix3<f64>> = (0..n).map(|j| torque(own, j)).collect();
    square(&mut out, 16, "INVARIANT 8", &DMatrix::from_fn(3, 3 * n, |i, c| parts[c / 3][(i, c % 3)]));
    square(&mut out, 17, "INVARIANT 5", &DMatrix::from_fn(3, n * n, |i, c| cross(own, c / n, c % n)[i]));
    let ninth = DMatrix::from_fn(3, 3 * n * n, |i, c| -double_cross(own, c / 3 / n, c / 3 % n)[(i, c % 3)]);
    square(&mut out, 18, "INVARIANT 9", &ninth);
    out.push_str("**\n");
    let compared = compared(&out, link);
    (vec![("fem", out.into_bytes())], compared)
}

/// The numbers of a record group.
fn numbers(text: &str, number: usize) -> Result<Vec<f64>, String> {
    let head = format!("** RECORD GROUP {number},");
    let lines = text.lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    let lines = lines.take_while(|line| !line.starts_with("** RECORD GROUP"));
    let words = lines.filter(|line| !line.starts_with("**")).flat_map(str::split_whitespace);
    words.map(|word| word.parse().map_err(|_| format!("record group {number}: `{word}`"))).collect()
}

fn compared(text: &str, link: &ReducedLink) -> Result<f64, String> {
    let (n, own) = (link.coordinate_count(), &link.invariants);
    let read = |number: usize, rows: usize, columns: usize| {
        let values = numbers(text, number)?;
        if values.len() != rows * columns {
            return Err(format!("record group {number} has {} numbers", values.len()));
        }
        Ok(DMatrix::from_row_slice(rows, columns, &values))
    };
    let rigid = read(12, 13, 1)?;
    let (m, c) = (rigid[0], Vector3::new(rigid[1], rigid[2], rigid[3]));
    let J = Matrix3::from_fn(|i, j| rigid[4 + 3 * i + j]) - skew(&c) * skew(&c) * m;
    let (eighth, fifth, ninth) = (read(16, 3, 3 * n)?, read(17, 3, n * n)?, read(18, 3, 3 * n * n)?);
    let forces = own.C0.rows(0, 3).into_owned();
    let A = DMatrix::from_fn(18, n, |row, j| match (row / 6, row % 6) {
        (b, a) if a < 3 => -skew(&Vector3::new(forces[(0, j)], forces[(1, j)], forces[(2, j)]))[(a, b)],
        (b, a) => eighth[(a - 3, 3 * j + b)],
    });
    let C = DMatrix::from_fn(3 * n, n, |row, j| fifth[(row % 3, n * j + row / 3)]);
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let B = DMatrix::from_fn(6 * n, n, |row, k| {
        let (first, (a, b)) = (3 * (n * (row / 6) + k), pairs[row % 6]);
        -0.5 * (ninth[(a, first + b)] + ninth[(b, first + a)])
    });
    Ok(largest([
        apart(&[own.mass()], &[m]),
        apart(own.M0.fixed_view::<3, 3>(3, 0).into_owned().iter(), skew(&(c * m)).iter()),
        apart(own.M0.fixed_view::<3, 3>(3, 3).into_owned().iter(), J.iter()),
        apart(&forces, &read(14, 3, n)?),
        apart(&own.C0.rows(3, 3).into_owned(), &read(15, 3, n)?),
        apart(&own.A, &A),
        apart(&own.B, &B),
        apart(&own.C, &C),
        apart(&own.M_EE, &read(9, n, n)?),
        apart(&link.K, &read(10, n, n)?),
    ]))
}
