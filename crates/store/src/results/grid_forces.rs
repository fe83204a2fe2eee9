//! `/grid_forces`: the balance of forces at grids of a static answer, a row for each grid and what acts on
//! it.

use hdf5::types::VarLenUnicode;
use hdf5::{File, Group, Result};

use crate::dataset::{meaning, put};
use crate::response::word_table;

/// A force on a grid in a static load case, in the basic frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridForceRow {
    /// Number of the load case.
    pub subcase: u32,
    /// Number of the grid.
    pub grid: u32,
    /// What acts: `applied`, `SPC`, `MPC`, `CBAR 12`.
    pub origin: String,
    /// Force (N).
    pub force: [f64; 3],
    /// Moment (N m).
    pub moment: [f64; 3],
}

const GROUP: &str = "grid_forces";

/// Writes the group, when there are any.
pub(super) fn write(file: &File, rows: &[GridForceRow]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let (group, n) = (file.create_group(GROUP)?, rows.len());
    let numbers = |of: fn(&GridForceRow) -> u32| rows.iter().map(of).collect::<Vec<u32>>();
    let vectors = |of: fn(&GridForceRow) -> [f64; 3]| rows.iter().flat_map(of).collect::<Vec<f64>>();
    let what = meaning("1", "number of the static load case");
    put_numbers(&group, "subcase", &numbers(|row| row.subcase), what)?;
    put_numbers(&group, "grid", &numbers(|row| row.grid), meaning("1", "number of the grid"))?;
    let origins: Vec<String> = rows.iter().map(|row| row.origin.clone()).collect();
    let what = "what acts on the grid: applied loads, SPC, MPC (rigid elements too) or an element";
    word_table(&group, "origin", &[n], &origins, what)?;
    let what = meaning("N", "force on the grid, in the basic frame; those of a grid add up to zero");
    put(&group, "force", &[n, 3], &vectors(|row| row.force), what)?;
    let what = meaning("N m", "moment on the grid, in the basic frame; those of a grid add up to zero");
    put(&group, "moment", &[n, 3], &vectors(|row| row.moment), what)
}

fn put_numbers(group: &Group, name: &str, values: &[u32], what: crate::dataset::Meaning) -> Result<()> {
    put(group, name, &[values.len()], values, what)
}

/// Reads the group; empty where there is none.
pub(super) fn read(file: &File) -> Result<Vec<GridForceRow>> {
    if !file.link_exists(GROUP) {
        return Ok(Vec::new());
    }
    let group = file.group(GROUP)?;
    let subcases: Vec<u32> = group.dataset("subcase")?.read_raw()?;
    let grids: Vec<u32> = group.dataset("grid")?.read_raw()?;
    let origins: Vec<VarLenUnicode> = group.dataset("origin")?.read_raw()?;
    let vectors = |name: &str| -> Result<Vec<[f64; 3]>> {
        Ok(group.dataset(name)?.read_raw::<f64>()?.as_chunks::<3>().0.to_vec())
    };
    let loads = vectors("force")?.into_iter().zip(vectors("moment")?);
    let rows = subcases.into_iter().zip(grids).zip(origins).zip(loads);
    let row = |(((subcase, grid), origin), (force, moment))| {
        let origin: VarLenUnicode = origin;
        GridForceRow { subcase, grid, origin: origin.to_string(), force, moment }
    };
    Ok(rows.map(row).collect())
}
