//! Shape functions at quadrature points, worked out once per shape and shared by all elements.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::family::{Family, MidNodes};

/// Most nodes of a solid.
pub(super) const MAX_NODES: usize = 20;
/// Most internal displacement modes (each with three components).
pub(super) const MAX_INTERNAL: usize = 5;
/// Most internal volumetric strains.
pub(super) const MAX_VOLUMETRIC: usize = 3;

/// What is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// K, full.
    Stiffness,
    /// K, reduced (quadratic shapes only).
    Reduced,
    /// M.
    Mass,
}

/// Everything about one quadrature point; entries of absent nodes are zero.
#[derive(Clone, Debug)]
pub(super) struct TablePoint {
    /// Weight.
    pub(super) weight: f64,
    /// N of each node slot.
    pub(super) value: [f64; MAX_NODES],
    /// ∂N/∂ξ, ∂N/∂η, ∂N/∂ζ of each node slot.
    pub(super) gradient: [[f64; MAX_NODES]; 3],
    /// Reference gradients of the internal modes, zero mean over the reference shape.
    pub(super) internal: [[f64; MAX_INTERNAL]; 3],
    /// Internal volumetric strains.
    pub(super) volumetric: [f64; MAX_VOLUMETRIC],
}

/// Shape functions at the points of one rule.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The points.
    pub(super) points: Vec<TablePoint>,
    /// Gradients at the centroid of the reference shape.
    pub(super) centre_gradient: [[f64; MAX_NODES]; 3],
    /// Internal displacement modes.
    pub(super) internal_count: usize,
    /// How many of them, the last ones, act along the normal of the ζ surfaces only.
    pub(super) axial_count: usize,
    /// Part of its strain energy that the last of them takes.
    pub(super) last_mode_relief: f64,
    /// Internal volumetric strains.
    pub(super) volumetric_count: usize,
}

/// The table of a family. Elements with all or none of their mid-side nodes share one; others get their own.
pub(super) fn table(family: &'static Family, mids: MidNodes, purpose: Purpose) -> Cow<'static, Table> {
    static TABLES: [OnceLock<Table>; 24] = [const { OnceLock::new() }; 24];
    let quadratic = !mids.is_empty();
    if quadratic && mids != MidNodes::all(family.edges.len()) {
        return Cow::Owned(make(family, mids, purpose));
    }
    let row = (family.kind as usize * 2 + usize::from(quadratic)) * 3 + purpose as usize;
    Cow::Borrowed(TABLES[row].get_or_init(|| make(family, mids, purpose)))
}

fn make(family: &Family, mids: MidNodes, purpose: Purpose) -> Table {
    let rule = match (mids.is_empty(), purpose) {
        (true, Purpose::Mass) => family.linear_mass_rule,
        (true, _) => family.linear_rule,
        (false, Purpose::Stiffness) => family.quadratic_rule,
        (false, Purpose::Reduced) => family.reduced_rule,
        (false, Purpose::Mass) => family.quadratic_mass_rule,
    }();
    let volume: f64 = rule.iter().map(|p| p.weight).sum();
    let internal: Vec<Vec<[f64; 3]>> = rule.iter().map(|p| (family.internal)(p.position)).collect();
    let internal_count = internal[0].len();
    let mean = |mode: usize, k: usize| -> f64 {
        rule.iter().zip(&internal).map(|(p, modes)| p.weight * modes[mode][k]).sum::<f64>() / volume
    };
    let volumetric_count = (family.volumetric)(rule[0].position).len();
    let points = rule
        .iter()
        .zip(&internal)
        .map(|(point, modes)| {
            let mut made = TablePoint {
                weight: point.weight,
                value: [0.0; MAX_NODES],
                gradient: gradients(family, mids, point.position),
                internal: [[0.0; MAX_INTERNAL]; 3],
                volumetric: [0.0; MAX_VOLUMETRIC],
            };
            for (slot, shape) in family.shape(mids, point.position).iter().enumerate() {
                made.value[slot] = shape.value;
            }
            for (mode, gradient) in modes.iter().enumerate() {
                for (k, derivative) in gradient.iter().enumerate() {
                    made.internal[k][mode] = derivative - mean(mode, k);
                }
            }
            for (slot, strain) in made.volumetric.iter_mut().zip((family.volumetric)(point.position)) {
                *slot = strain;
            }
            made
        })
        .collect();
    Table {
        points,
        centre_gradient: gradients(family, mids, family.centre()),
        internal_count,
        axial_count: family.axial_modes,
        last_mode_relief: family.last_mode_relief,
        volumetric_count,
    }
}

/// ∂N/∂(ξ, η, ζ) of every node slot at a point.
pub(super) fn gradients(family: &Family, mids: MidNodes, point: [f64; 3]) -> [[f64; MAX_NODES]; 3] {
    let mut gradient = [[0.0; MAX_NODES]; 3];
    for (slot, shape) in family.shape(mids, point).iter().enumerate() {
        for (row, derivative) in gradient.iter_mut().zip(shape.gradient) {
            row[slot] = derivative;
        }
    }
    gradient
}
