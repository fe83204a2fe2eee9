//! The modes of one pose as they are drawn.

use std::sync::Arc;

use pliant_dynamics::response::{PoseState, UndampedMode};
use pliant_mechanism::Model;
use pliant_store::results::PoseShapes;

use crate::links::MachineLink;

/// Draws modes of a pose; `None` where a link has nothing to draw.
pub(super) fn drawn(
    open: &Model,
    links: &[Arc<MachineLink>],
    state: &PoseState,
    unknowns: &[usize],
    modes: &[UndampedMode],
) -> Option<PoseShapes> {
    let shapes: Vec<_> = links.iter().filter_map(|link| link.shape.clone()).collect();
    let displaced = |mode: usize, amplitude: f64| {
        let shape = modes.get(mode).map_or(&[][..], |mode| mode.shape.as_slice());
        let largest = shape.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let factor = if largest > 0.0 { amplitude / largest } else { 0.0 };
        let x: Vec<f64> = shape.iter().map(|x| factor * x).collect();
        state.displaced(open, unknowns, &x)
    };
    PoseShapes::new(open, &shapes, modes.len(), &displaced)
}
