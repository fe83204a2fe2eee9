//! `/links/<link>/elements` and `/links/<link>/gauges`: stress and strain over time.

use std::sync::Arc;

use nalgebra::DMatrix;
use pliant_mechanism::Model;

use crate::results::LinkElements;
use crate::results::channel::{Channels, LabelledAxis, Number, Take};
use crate::results::schema;

pub(super) fn declare(channels: &mut Channels, model: &Model, links: &[Arc<LinkElements>]) {
    for link in links {
        let Some(body) = model.body(&link.name) else { continue };
        let coordinates = model.bodies()[body].elastic_positions();
        for field in &link.fields {
            let (modes, items) = (&field.modes, schema::elements(field.modes.quantity));
            for id in &field.history {
                let Some(element) = modes.elements.iter().find(|element| element.id == *id) else { continue };
                let names = [link.name.as_str(), &id.to_string()];
                let scale = items.component.path_of(&channels.prefix, &names);
                let labels = element.kind.labels(modes.quantity);
                let count = labels.len();
                channels.axes.push(LabelledAxis { path: scale.clone(), item: items.component, labels });
                let S: DMatrix<f64> = modes.S.rows(element.first, count).into_owned();
                let of = coordinates.clone();
                let take: Take = Box::new(move |frame, row| {
                    let q = &frame.state.q[of.clone()];
                    row.extend(S.row_iter().map(|s| s.iter().zip(q).map(|(s, q)| s * q).sum::<f64>()));
                });
                let item = items.history;
                let path = item.path_of(&channels.prefix, &names);
                channels.add(item, path, item.units, &[(count, scale)], Number::Real, take);
            }
        }
        for (name, row) in &link.gauges {
            let (item, gauge) = (schema::LINK_GAUGE, row.clone());
            let of = coordinates.clone();
            let path = item.path_of(&channels.prefix, &[&link.name, name]);
            let take: Take = Box::new(move |frame, row| {
                row.push(gauge.iter().zip(&frame.state.q[of.clone()]).map(|(g, q)| g * q).sum());
            });
            channels.add(item, path, item.units, &[], Number::Real, take);
        }
    }
}
