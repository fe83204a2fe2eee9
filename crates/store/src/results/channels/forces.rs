//! `/forces/<force>`: what springs, dampers, cylinders and bushings do, and the reactions of distances,
//! planes and lines.

use nalgebra::Vector3;
use pliant_mechanism::Model;

use super::{COMPONENT, XYZ};
use crate::results::channel::{Channels, Number, Take};
use crate::results::schema;

pub(super) fn declare(channels: &mut Channels, model: &Model) {
    let closures = model.closures();
    let prefix = channels.prefix.clone();
    for (name, row) in closures.pushes() {
        let item = schema::FORCE_PUSH;
        let take: Take = Box::new(move |frame, out| out.push(frame.work.multipliers()[row]));
        channels.add(item, item.path_of(&prefix, &[name]), item.units, &[], Number::Real, take);
    }
    let mut row = 6 * closures.joints.len();
    for constraint in &closures.constraints {
        let directions = constraint.kind.directions().to_vec();
        if directions.len() > 1 {
            let item = schema::FORCE_REACTION;
            let path = item.path_of(&prefix, &[constraint.name.as_str()]);
            channels.vector(item, path, XYZ, move |frame| {
                let forces = directions.iter().zip(&frame.work.multipliers()[row..]);
                forces.map(|(direction, force)| direction * *force).sum::<Vector3<f64>>().into()
            });
        }
        row += constraint.kind.row_count();
    }
    let mut row = closures.constraint_count();
    for element in &closures.forces {
        let count = element.kind.row_count();
        let name = [element.name.as_str()];
        if count == 1 {
            let item = schema::FORCE_LENGTH;
            let take: Take = Box::new(move |frame, out| out.push(frame.work.closure_row(row).0));
            channels.add(item, item.path_of(&prefix, &name), item.units, &[], Number::Real, take);
        } else {
            let item = schema::FORCE_DEFLECTION;
            channels.vector(item, item.path_of(&prefix, &name), COMPONENT, move |frame| {
                std::array::from_fn::<_, 6, _>(|k| frame.work.closure_row(row + k).0)
            });
            let item = schema::FORCE_LOAD;
            channels.vector(item, item.path_of(&prefix, &name), COMPONENT, move |frame| {
                std::array::from_fn::<_, 6, _>(|k| frame.work.multipliers()[row + k])
            });
        }
        row += count;
    }
}
