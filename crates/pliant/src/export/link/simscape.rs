//! Variables for Simscape's block Reduced Order Flexible Solid: `P`, the origins of its interface frames, the
//! inboard one first; `K`, `M` and `C` over their six components each and the modal coordinates.

use std::io;

use nalgebra::DMatrix;

use super::{Support, Written, apart, largest};
use crate::export::mat::{begin, lines, matrix_of, numbers};

fn file(support: &Support<'_>) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    begin(&mut out)?;
    for (name, A) in [("K", &support.K), ("M", &support.M), ("C", &support.D)] {
        numbers(&mut out, name, [A.nrows(), A.ncols()], A.iter().copied())?;
    }
    let origins = &support.origins;
    let by_columns = (0..3).flat_map(|k| origins.iter().map(move |p| p[k]));
    numbers(&mut out, "P", [origins.len(), 3], by_columns)?;
    // Axes of the interface frames in the frame of the block, one below another.
    let turn = |k: usize| support.link.interfaces.get(k.wrapping_sub(1)).map(|interface| interface.X_LT.R);
    let axes = |row: usize, column: usize| {
        let unit = f64::from(u8::from(row % 3 == column));
        turn(row / 3).map_or(unit, |R| R[(row % 3, column)])
    };
    let rows = 3 * origins.len();
    let by_columns = (0..3).flat_map(|column| (0..rows).map(move |row| axes(row, column)));
    numbers(&mut out, "R", [rows, 3], by_columns)?;
    let names = std::iter::once("inboard").chain(support.link.interfaces.iter().map(|i| i.name.as_str()));
    lines(&mut out, "interfaces", &names.map(str::to_owned).collect::<Vec<_>>())?;
    Ok(out)
}

pub(super) fn write(support: &Support<'_>) -> Written {
    let bytes = match file(support) {
        Ok(bytes) => bytes,
        Err(error) => return (Vec::new(), Err(error.to_string())),
    };
    let read = |name: &str| {
        let (rows, columns, values) =
            matrix_of(&bytes, name).ok_or_else(|| format!("variable {name} is missing"))?;
        Ok::<_, String>(DMatrix::from_column_slice(rows, columns, &values))
    };
    let compared = || -> Result<f64, String> {
        let P = DMatrix::from_fn(support.origins.len(), 3, |i, k| support.origins[i][k]);
        let matrices = support.difference(&read("K")?, &read("M")?)?;
        Ok(largest([matrices, apart(&P, &read("P")?), apart(&support.D, &read("C")?)]))
    };
    let compared = compared();
    (vec![("mat", bytes)], compared)
}
