//! `/links/<link>/elements` and `/links/<link>/gauges`: stress and strain over time.

use std::sync::Arc;

use nalgebra::DMatrix;
use pliant_mechanism::Model;

use crate::results::LinkStress;
use crate::results::channel::{Channels, LabelledAxis, Number, Take};
use crate::results::schema;

pub(super) fn declare(channels: &mut Channels, model: &Model, stress: &[Arc<LinkStress>]) {
    for stress in stress {
        let Some(body) = model.body(&stress.name) else { continue };
        let coordinates = model.bodies()[body].elastic_positions();
        for id in &stress.history {
            let Some(element) = stress.modes.elements.iter().find(|element| element.id == *id) else {
                continue;
            };
            let names = [stress.name.as_str(), &id.to_string()];
            let scale = schema::ELEMENT_COMPONENT.path_of(&channels.prefix, &names);
            let labels = element.kind.labels();
            let count = labels.len();
            channels.axes.push(LabelledAxis { path: scale.clone(), item: schema::ELEMENT_COMPONENT, labels });
            let S: DMatrix<f64> = stress.modes.S.rows(element.first, count).into_owned();
            let of = coordinates.clone();
            let take: Take = Box::new(move |frame, row| {
                let q = &frame.state.q[of.clone()];
                row.extend(S.row_iter().map(|s| s.iter().zip(q).map(|(s, q)| s * q).sum::<f64>()));
            });
            let item = schema::ELEMENT_STRESS;
            let path = item.path_of(&channels.prefix, &names);
            channels.add(item, path, item.units, &[(count, scale)], Number::Real, take);
        }
        for (name, row) in &stress.gauges {
            let (item, gauge) = (schema::LINK_GAUGE, row.clone());
            let of = coordinates.clone();
            let path = item.path_of(&channels.prefix, &[&stress.name, name]);
            let take: Take = Box::new(move |frame, row| {
                row.push(gauge.iter().zip(&frame.state.q[of.clone()]).map(|(g, q)| g * q).sum());
            });
            channels.add(item, path, item.units, &[], Number::Real, take);
        }
    }
}
