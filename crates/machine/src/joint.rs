//! Joints.

use nalgebra::Vector3;
use pliant_mechanism::joint::{Cylindrical, Fixed, Free, Prismatic, Revolute, Spherical, Universal};
use pliant_mechanism::{
    Attachment, Bearing, DhConvention, GripKind, Joint, JointCoordinate, JointSpec, Placement,
};
use pliant_pipeline::joint::{DhWord, JointTable, JointWord};
use pliant_pipeline::schema::suggestion;
use pliant_reduce::request::{LinkRequest, LinkSource, RailRequest, RailStations};
use pliant_spatial::Transform;

use crate::attachment::{interface, parent};
use crate::coordinate::coordinate;
use crate::machine::Machine;
use crate::problems::Problems;

/// The joint of a table. All of its problems are reported.
pub(crate) fn joint(
    name: &str,
    table: &JointTable,
    machine: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<JointSpec> {
    let parent = parent(&table.parent, machine, problems);
    let (child, child_interface) = match child(table, machine, problems) {
        Some((link, interface)) => (Some(link), interface),
        None => (None, None),
    };
    let kind = kinematics(table, problems);
    let placement = placement(table, problems);
    let grip = grip(table, machine, problems);
    let kind = kind?;
    let mut coordinates = Vec::new();
    let mut all_good = true;
    for (i, name) in kind.coordinates().iter().enumerate() {
        match table.coordinate(name) {
            None => coordinates.push(JointCoordinate::default()),
            Some(given) => match coordinate(&given, kind.is_angle(i), problems) {
                Some(coordinate) => coordinates.push(coordinate),
                None => all_good = false,
            },
        }
    }
    let directions = table.bearing.as_ref().map(|bearing| bearing.directions()).unwrap_or_default();
    let bearing = Bearing { components: directions.map(|d| d.map(|d| (d.stiffness, d.damping))) };
    let (parent, child, placement) = (parent?, child?, placement?);
    all_good.then(|| JointSpec {
        name: name.to_owned(),
        parent,
        child,
        child_interface,
        closes_loop: table.closes_loop,
        joint: kind,
        placement,
        coordinates,
        bearing,
        grip,
    })
}

/// Stations of a rail below which its boom is asked to be wrong: a bar that sticks out by 0.3 of its length
/// is off by 0.8, 2.3, 7.6 and 23 % with 16, 11, 8 and 4 (`tests/sliding/solids.rs`).
const FEW_STATIONS: usize = 16;

/// The rail of a link and how many stations it has.
fn stations(link: &LinkRequest) -> Option<(&RailRequest, usize)> {
    let rail = link.rail.as_ref()?;
    let count = match (&rail.stations, &link.source) {
        (RailStations::Grids(grids), _) => grids.len(),
        (RailStations::Line { count, .. }, _) => *count as usize,
        (RailStations::Beam, LinkSource::Beam(beam)) => beam.elements as usize + 1,
        (RailStations::Beam, _) => return None,
    };
    Some((rail, count))
}

/// How a sliding joint holds the rail of its child, which must have one.
fn grip(table: &JointTable, machine: &Machine<'_>, problems: &mut Problems<'_>) -> Option<GripKind> {
    if table.type_ != JointWord::Sliding {
        return None;
    }
    let name = &table.child.value;
    if let Some((rail, stations)) = machine.links.get(name).and_then(stations)
        && stations < FEW_STATIONS
    {
        let message = format!(
            "the rail of `{name}` has {stations} stations, between which the grip interpolates: with fewer than {FEW_STATIONS}, the deflection of a boom that \
             extends by a third of its length has an error of some per cent"
        );
        problems.warning(rail.origin.0, message);
    }
    if machine.links.get(name).is_some_and(|link| link.rail.is_none()) {
        let message = format!("a sliding joint grips its child, and link `{name}` has no rail");
        let hint = format!(
            "give [links.{name}] a rail: `rail = {{}}` of a beam, `rail = {{ grids = [...] }}` of a deck"
        );
        return problems.error_with_hint(table.child.span(), message, hint);
    }
    Some(table.rollers.map_or(GripKind::Clamp, GripKind::Rollers))
}

/// Link and, for a joint that closes a loop, outboard interface.
fn child(
    table: &JointTable,
    machine: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<(String, Option<String>)> {
    let name = &table.child.value;
    if machine.links.get(name).is_some() {
        return Some((name.clone(), None));
    }
    if name.contains('.') {
        return match interface(&table.child, machine, problems)? {
            Attachment::Interface { link, interface } => Some((link, Some(interface))),
            Attachment::Ground => None,
        };
    }
    if name == "ground" {
        let hint = "make the ground the parent and the link the child";
        return problems.error_with_hint(table.child.span(), "the ground cannot be a child", hint);
    }
    let hint = suggestion(name, machine.links.names(), "links");
    problems.error_with_hint(table.child.span(), format!("there is no link `{name}`"), hint)
}

fn kinematics(table: &JointTable, problems: &mut Problems<'_>) -> Option<Box<dyn Joint>> {
    let axis = table.axis.map_or(Vector3::z(), |axis| axis.0.into());
    let second = table.second_axis.map_or(Vector3::y(), |axis| axis.0.into());
    fn boxed(joint: Option<impl Joint + 'static>) -> Option<Box<dyn Joint>> {
        joint.map(|joint| Box::new(joint) as Box<dyn Joint>)
    }
    let joint = match table.type_ {
        JointWord::Revolute => boxed(Revolute::new(axis)),
        JointWord::Prismatic | JointWord::Sliding => boxed(Prismatic::new(axis)),
        JointWord::Cylindrical => boxed(Cylindrical::new(axis)),
        JointWord::Universal => boxed(Universal::new(axis, second)),
        JointWord::Spherical => boxed(Some(Spherical)),
        JointWord::Fixed => boxed(Some(Fixed)),
        JointWord::Free => boxed(Some(Free)),
    };
    joint.or_else(|| match table.type_ {
        JointWord::Universal => {
            problems.error(table.source.0, "`axis` and `second_axis` must be perpendicular directions")
        }
        _ => problems.error(table.source.0, "the axis must not be zero"),
    })
}

fn placement(table: &JointTable, problems: &mut Problems<'_>) -> Option<Placement> {
    if let Some(dh) = &table.dh {
        let convention = match dh.convention {
            DhWord::Standard => DhConvention::Standard,
            DhWord::Modified => DhConvention::Modified,
        };
        let (alpha, theta) = (dh.alpha_deg.to_radians(), dh.theta_deg.to_radians());
        return Some(Placement::DenavitHartenberg { convention, a: dh.a, alpha, d: dh.d, theta });
    }
    let X_TP = frame(table.origin, table.axes, "axes", table.source.0, problems);
    let X_LC = frame(table.child_origin, table.child_axes, "child_axes", table.source.0, problems);
    let (X_TP, X_LC) = (X_TP?, X_LC?);
    let identity = Transform::identity();
    Some(if X_TP == identity && X_LC == identity {
        Placement::Triad
    } else {
        Placement::Frames { X_TP, X_LC }
    })
}

/// A frame from an origin and the directions of x and y; those of the parent when left out.
pub(crate) fn frame(
    origin: Option<[f64; 3]>,
    axes: Option<[[f64; 3]; 2]>,
    key: &str,
    span: Option<pliant_diag::Span>,
    problems: &mut Problems<'_>,
) -> Option<Transform> {
    let origin = Vector3::from(origin.unwrap_or_default());
    let Some([x, y]) = axes else { return Some(Transform::translation(origin)) };
    match Placement::from_axes(origin, x.into(), y.into()) {
        Some(Placement::Frames { X_TP, .. }) => Some(X_TP),
        _ => problems.error(span, format!("`{key}`: x and y must be two directions that are not parallel")),
    }
}
