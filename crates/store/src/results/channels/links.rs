//! `/links/<link>`: where the links are, how they deform, what they carry.

use pliant_dynamics::NominalKind;
use pliant_link::Coordinate;
use pliant_mechanism::{Body, Model};

use super::{COMPONENT, QUATERNION, XYZ, quaternion};
use crate::results::Keep;
use crate::results::channel::{Channels, LabelledAxis, Note, Number, Take};
use crate::results::schema::{self, Item};

pub(super) fn declare(channels: &mut Channels, model: &Model, keep: &Keep, nominal: NominalKind) {
    for (b, body) in model.indexed_bodies() {
        if keep.links {
            let path = schema::LINK_ORIGIN.path_of(&channels.prefix, &[&body.name]);
            channels.vector(schema::LINK_ORIGIN, path, XYZ, move |frame| frame.work.X_WL(b).p.into());
            let path = schema::LINK_ORIENTATION.path_of(&channels.prefix, &[&body.name]);
            channels.vector(schema::LINK_ORIENTATION, path, QUATERNION, move |frame| {
                quaternion(&frame.work.X_WL(b).R)
            });
            if nominal == NominalKind::Rigid {
                let path = schema::LINK_NOMINAL_ORIGIN.path_of(&channels.prefix, &[&body.name]);
                channels.vector(schema::LINK_NOMINAL_ORIGIN, path, XYZ, move |frame| {
                    frame.nominal.work().X_WL(b).p.into()
                });
                let path = schema::LINK_NOMINAL_ORIENTATION.path_of(&channels.prefix, &[&body.name]);
                channels.vector(schema::LINK_NOMINAL_ORIENTATION, path, QUATERNION, move |frame| {
                    quaternion(&frame.nominal.work().X_WL(b).R)
                });
            }
            elastic(channels, body, keep);
        }
        if keep.loads {
            for (i, interface) in body.link.interfaces.iter().enumerate() {
                let item = schema::LINK_INTERFACE_LOAD;
                let path = item.path_of(&channels.prefix, &[&body.name, &interface.name]);
                let at = b.interface(i);
                channels
                    .vector(item, path, COMPONENT, move |frame| (*frame.work.interface_wrench(at)).into());
            }
        }
    }
}

fn elastic(channels: &mut Channels, body: &Body, keep: &Keep) {
    let count = body.link.coordinate_count();
    if count == 0 {
        return;
    }
    let prefix = channels.prefix.clone();
    let path = |item: Item| item.path_of(&prefix, &[&body.name]);
    let (labels, units): (Vec<_>, Vec<_>) =
        body.link.coordinates.iter().enumerate().map(|c| label(body, c)).unzip();
    let scale = path(schema::LINK_COORDINATE);
    channels.axes.push(LabelledAxis { path: scale.clone(), item: schema::LINK_COORDINATE, labels });
    let item = schema::LINK_COORDINATE_UNITS;
    channels.notes.push(Note { path: path(item), item, labels: units, scale: scale.clone() });
    let tail = [(count, scale)];
    let (positions, rates) = (body.elastic_positions(), body.elastic_velocities());
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.q[positions.clone()]));
    let item = schema::LINK_COORDINATES;
    channels.add(item, path(item), item.units, &tail, Number::Real, take);
    if keep.rates {
        let take: Take = Box::new(move |frame, row| row.extend(&frame.state.v[rates.clone()]));
        let item = schema::LINK_RATES;
        channels.add(item, path(item), item.units, &tail, Number::Real, take);
    }
}

/// Name and units of a coordinate.
fn label(body: &Body, (k, coordinate): (usize, &Coordinate)) -> (String, String) {
    match coordinate {
        Coordinate::Interface { interface, component } => {
            let name = body.link.interfaces.get(*interface).map_or("?", |i| i.name.as_str());
            let units = if *component <= 3 { "m" } else { "rad" };
            (format!("{name}.{component}"), units.to_owned())
        }
        Coordinate::Mode { freq_hz } => (format!("{}: {freq_hz:.4} Hz", k + 1), "kg^0.5 m".to_owned()),
    }
}
