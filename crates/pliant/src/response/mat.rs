//! State spaces of all poses as a MAT-file.

use std::io::{self, BufWriter, IntoInnerError};
use std::path::Path;

use nalgebra::DMatrix;
use pliant_store::NewFile;

use crate::export::mat::{begin, lines, numbers};
use crate::response::ResponseResult;

/// Variables `A_1`, `B_1`, `C_1`, `D_1` of pose 1 and so on, `Ar_1` … with fewer states, `error_bound_1`,
/// `hankel_1`; `states`, `columns`, `inputs`, `outputs` are names (those of inputs and outputs with units),
/// `state_units`, `column_units` are units: a row of letters each.
///
/// # Errors
/// What the system refuses.
pub fn state_spaces(path: &Path, result: &ResponseResult) -> io::Result<()> {
    let mut out = BufWriter::new(NewFile::create(path)?);
    begin(&mut out)?;
    let mut put = |name: String, matrix: &DMatrix<f64>| {
        let size = [matrix.nrows(), matrix.ncols()];
        numbers(&mut out, &name, size, matrix.iter().copied())
    };
    for (k, pose) in result.poses.iter().enumerate() {
        let number = k + 1;
        if let Some(system) = &pose.state_space {
            let all = [("A", &system.A), ("B", &system.B), ("C", &system.C), ("D", &system.D)];
            all.into_iter().try_for_each(|(name, matrix)| put(format!("{name}_{number}"), matrix))?;
        }
        if let Some(less) = &pose.truncated {
            let bound = DMatrix::from_element(1, 1, less.bound);
            let hankel = DMatrix::from_column_slice(less.hankel.len(), 1, &less.hankel);
            let all = [("Ar", &less.A), ("Br", &less.B), ("Cr", &less.C), ("Dr", &less.D)];
            let all = all.into_iter().chain([("error_bound", &bound), ("hankel", &hankel)]);
            all.into_iter().try_for_each(|(name, matrix)| put(format!("{name}_{number}"), matrix))?;
        }
    }
    let time: Vec<f64> = result.poses.iter().map(|pose| pose.time).collect();
    numbers(&mut out, "time", [time.len(), 1], time.into_iter())?;
    let with_units = |all: &[[String; 2]]| -> Vec<String> {
        all.iter().map(|[name, units]| format!("{name} ({})", plain(units))).collect()
    };
    let units = |all: &[String]| all.iter().map(|units| plain(units)).collect::<Vec<_>>();
    if let Some(system) = result.poses.iter().find_map(|pose| pose.state_space.as_ref()) {
        lines(&mut out, "states", &system.states)?;
        lines(&mut out, "state_units", &units(&system.state_units))?;
        lines(&mut out, "columns", &system.column_names)?;
        lines(&mut out, "column_units", &units(&system.column_units()))?;
    }
    lines(&mut out, "inputs", &with_units(&result.inputs))?;
    lines(&mut out, "outputs", &with_units(&result.outputs))?;
    out.into_inner().map_err(IntoInnerError::into_error)?.finish()
}

/// Units in letters that all readers of MAT-files take: scipy reads one byte of each.
fn plain(units: &str) -> String {
    units.replace('²', "^2").replace('·', "*")
}
