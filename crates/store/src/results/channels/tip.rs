//! `/tip`: where the tip should be and where it is.

use pliant_dynamics::NominalKind;
use pliant_mechanism::InterfaceRef;

use super::{QUATERNION, XYZ, quaternion};
use crate::results::channel::Channels;
use crate::results::schema::{self, Item};

pub(super) fn declare(channels: &mut Channels, tip: InterfaceRef, nominal: NominalKind) {
    let prefix = channels.prefix.clone();
    let path = |item: Item| item.path_of(&prefix, &[]);
    channels
        .vector(schema::TIP_ACTUAL, path(schema::TIP_ACTUAL), XYZ, move |frame| frame.poses(tip).0.p.into());
    let item = schema::TIP_ACTUAL_ORIENTATION;
    channels.vector(item, path(item), QUATERNION, move |frame| quaternion(&frame.poses(tip).0.R));
    if nominal == NominalKind::None {
        return;
    }
    channels.vector(schema::TIP_NOMINAL, path(schema::TIP_NOMINAL), XYZ, move |frame| {
        frame.poses(tip).1.p.into()
    });
    channels.vector(schema::TIP_ERROR, path(schema::TIP_ERROR), XYZ, move |frame| frame.error(tip).0.into());
    channels.vector(schema::TIP_ROTATION_ERROR, path(schema::TIP_ROTATION_ERROR), XYZ, move |frame| {
        frame.error(tip).1.into()
    });
    let item = schema::TIP_NOMINAL_ORIENTATION;
    channels.vector(item, path(item), QUATERNION, move |frame| quaternion(&frame.poses(tip).1.R));
}
