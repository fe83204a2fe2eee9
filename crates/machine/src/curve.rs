//! Tables from CSV files.

use pliant_diag::{Diagnostic, Span};
use pliant_mechanism::{Interpolation, Outside, Table};
use pliant_pipeline::curve::{CurveTable, InterpolationWord, OutsideWord};

use crate::csv;
use crate::problems::Problems;

/// The table of a file; `scale` multiplies its values.
pub(crate) fn curve(table: &CurveTable, scale: f64, problems: &mut Problems<'_>) -> Option<Table> {
    let (span, path) = (table.file.span(), problems.resolve(&table.file.value));
    let interpolation = match table.interpolation {
        InterpolationWord::Linear => Interpolation::Linear,
        InterpolationWord::Cubic => Interpolation::Cubic,
        InterpolationWord::Monotone => Interpolation::Monotone,
        InterpolationWord::Step => Interpolation::Step,
    };
    let outside = match table.outside {
        OutsideWord::Hold => Outside::Hold,
        OutsideWord::Zero => Outside::Zero,
        OutsideWord::Error => Outside::Error,
    };
    let read = csv::columns(&path, table.column as usize).and_then(|(x, mut y)| {
        y.iter_mut().for_each(|y| *y *= scale);
        Table::new(x, y, interpolation, outside)
            .map_err(|error| Diagnostic::boxed(format!("{}: {error}", path.display())))
    });
    let made = match read {
        Ok(made) => made,
        Err(problem) => return problems.add(problem.at(span)),
    };
    if let Some((x, value, passed)) = made.overshoot() {
        let message = format!(
            "{}: the cubic spline leaves the range of the rows beside it: {value:.4e} at {x:.4e}, where the row has {passed:.4e}",
            path.display()
        );
        let hint = "interpolation = \"monotone\" or \"linear\" stays between the rows, more rows at the corner help too";
        problems.warning_with_hint(span, message, hint);
    }
    Some(made)
}

/// The same for a table over time: one that is not defined everywhere must cover the run.
pub(crate) fn curve_of_time(table: &CurveTable, scale: f64, problems: &mut Problems<'_>) -> Option<Table> {
    let made = curve(table, scale, problems)?;
    covers_run(&made, table.file.span(), problems)?;
    Some(made)
}

fn covers_run(table: &Table, span: Option<Span>, problems: &mut Problems<'_>) -> Option<()> {
    let Some(end) = problems.end() else { return Some(()) };
    if table.covers(0.0) && table.covers(end) {
        return Some(());
    }
    let (first, last) = table.range();
    let message = format!("the table has rows from {first} to {last} s, but the run goes from 0 to {end} s");
    problems.error_with_hint(span, message, "outside = \"hold\" or \"zero\" goes on beyond the rows")
}
