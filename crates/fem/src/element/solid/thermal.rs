//! Thermal loads of a solid.

use nalgebra::DVector;
use pliant_mesh::NodeIndex;

use super::gradients::{Centre, PointGradients, point_gradients};
use super::internal::{INTERNAL, ModeLayout, internal_modes};
use super::table::{MAX_INTERNAL, MAX_NODES};
use super::{ABSENT, SolidElement};

/// Nodes and internal modes together.
const FUNCTIONS: usize = MAX_NODES + MAX_INTERNAL;

/// f = ∫ Bᵀ D α (T − T_ref) dV with T interpolated by the nodal functions; what the internal modes take of it
/// is condensed as in K, so that a linear temperature in a regular mesh gives no stress.
pub(super) fn thermal_load(element: &SolidElement, temperature: &dyn Fn(NodeIndex) -> f64) -> DVector<f64> {
    let x = element.positions();
    let table = element.stiffness_table();
    let internal = element.has_internal_modes();
    let internal_count = if internal { table.internal_count } else { 0 };
    let centre = Centre::new(&table, x);
    let layout = ModeLayout::new(&table, centre.axis());
    let rise = element.nodes.map(|node| {
        if node.is_some() { temperature(node) - element.material.reference_temperature } else { 0.0 }
    });
    let stress = &element.material.thermal_stress;
    let rows = element.rows();
    let mut f = DVector::zeros(element.dofs.len());
    let mut f_a = [0.0; INTERNAL];
    for point in &table.points {
        let PointGradients { g, volume, scale } =
            point_gradients::<FUNCTIONS>(point, x, internal_count, &centre);
        let here: f64 = rise.iter().zip(&point.value).map(|(t, n)| t * n).sum();
        let force = |function: usize, a: usize| -> f64 {
            here * volume * (0..3).map(|c| stress[(a, c)] * g[c][function]).sum::<f64>()
        };
        for (slot, row) in rows.iter().enumerate().filter(|(_, row)| **row != ABSENT) {
            for a in 0..3 {
                f[row + a] += force(slot, a);
            }
        }
        for p in 0..internal_count {
            let values = layout.components(p, [0, 1, 2].map(|a| force(x.len() + p, a)));
            for (row, value) in layout.unknowns(p).zip(values) {
                f_a[row] += value;
            }
        }
        if internal {
            for k in 0..table.volumetric_count {
                f_a[layout.unknowns(internal_count).start + k] +=
                    here * volume * point.volumetric[k] * scale * stress.trace();
            }
        }
    }
    if internal {
        internal_modes(element, &table).condense_load(f_a, f.as_mut_slice());
    }
    f
}
