//! The same curve of several files.

use super::PlotData;
use super::analyses::{Curve, plot};
use crate::array::Arrays;
use crate::comparison::{Overlay, percent};

/// A plot with a line for each file.
pub(crate) fn overlaid(
    k: usize,
    overlay: &Overlay,
    names: &[String],
    arrays: &mut Arrays,
) -> Option<PlotData> {
    let each = overlay.lines.iter().zip(names).enumerate();
    let curves = each.map(|(of, ((times, values), name))| Curve { of, name, times, values: values.clone() });
    let curves: Vec<Curve<'_>> = curves.collect();
    let title = overlay.title.clone();
    let plot = plot(&format!("compared-{k}"), title, &overlay.quantity, &overlay.units, curves, arrays)?;
    let note =
        format!("largest difference {} of the largest value of {}", percent(overlay.difference), names[0]);
    Some(PlotData { note: (overlay.difference > 0.0).then_some(note), ..plot })
}
