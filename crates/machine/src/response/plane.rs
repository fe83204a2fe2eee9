//! Poses with the tip on the points of a plane.

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::Settings;
use pliant_dynamics::response::{TipGrid, inverse};
use pliant_mechanism::path::{Follower, Orientation};
use pliant_mechanism::{
    Attachment, BodyIndex, CoordinateRef, InterfaceRef, JointRef, Model, rotation_from_axes,
};
use pliant_pipeline::path::OrientationWord;
use pliant_pipeline::response::{PlaneJointTable, PlaneTable};

use super::poses::{FoundPoses, joint};
use crate::attachment::interface;
use crate::machine::Machine;
use crate::problems::Problems;

/// A plane by names of tip and joints.
#[derive(Clone, Debug)]
pub(super) struct PlannedPlane {
    tip: (String, String),
    joints: Vec<PlannedJoint>,
    orientation: Orientation,
    R: Option<Matrix3<f64>>,
    points: PlanePoints,
    span: Option<Span>,
}

/// A joint that moves.
#[derive(Clone, Debug)]
struct PlannedJoint {
    name: String,
    near: Option<f64>,
    range: (f64, f64),
}

/// The points of a plane that poses have, in rows along its first edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanePoints {
    /// A corner (m).
    pub origin: [f64; 3],
    /// Both edges from there (m).
    pub edges: [[f64; 3]; 2],
    /// Numbers of points along them.
    pub counts: [usize; 2],
    /// For each pose the index of its point; points of the second edge follow each other.
    pub points: Vec<usize>,
}

pub(super) fn planned(
    plane: &PlaneTable,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<PlannedPlane> {
    let span = plane.source.0;
    let Some(tip) = table.output.as_ref().and_then(|output| output.tip.as_ref()) else {
        let hint = "write `tip = \"link.interface\"` in [output]";
        return problems.error_with_hint(span, "`plane` needs a tip, and the file has none", hint);
    };
    let Attachment::Interface { link, interface } = interface(tip, table, problems)? else { return None };
    let mut joints = Vec::new();
    for (name, own) in &plane.joints.entries {
        let is_angle = joint(&name.value, name.span(), table, problems)?;
        joints.push(planned_joint(&name.value, is_angle, own, problems)?);
    }
    let R = match plane.axes {
        Some([x, y]) => match rotation_from_axes(x.into(), y.into()) {
            Some(R) => Some(R),
            None => return problems.error(span, "`axes` needs two directions that are not parallel"),
        },
        None => None,
    };
    let orientation = match plane.orientation {
        OrientationWord::Kept => Orientation::Guided,
        OrientationWord::Free => Orientation::Free,
    };
    Some(PlannedPlane {
        tip: (link, interface),
        joints,
        orientation,
        R,
        points: PlanePoints {
            origin: plane.origin,
            edges: [plane.x, plane.y],
            counts: [plane.columns as usize, plane.rows as usize],
            points: Vec::new(),
        },
        span,
    })
}

fn planned_joint(
    name: &str,
    is_angle: bool,
    own: &PlaneJointTable,
    problems: &mut Problems<'_>,
) -> Option<PlannedJoint> {
    let span = own.source.0;
    if !is_angle && (own.near_deg.is_some() || own.min_deg.is_some() || own.max_deg.is_some()) {
        return problems.error(span, format!("joint `{name}` is a length: give metres, not degrees"));
    }
    let value = |plain: Option<f64>, degrees: Option<f64>| plain.or(degrees.map(f64::to_radians));
    let least = value(own.min, own.min_deg).unwrap_or(f64::NEG_INFINITY);
    let most = value(own.max, own.max_deg).unwrap_or(f64::INFINITY);
    if least >= most {
        let message = format!("`min` must be below `max`, found {least} and {most} (rad, m)");
        return problems.error(span, message);
    }
    Some(PlannedJoint { name: name.to_owned(), near: value(own.near, own.near_deg), range: (least, most) })
}

impl PlanePoints {
    /// Point of an index (m).
    pub fn point(&self, index: usize) -> [f64; 3] {
        let [columns, rows] = self.counts;
        let share = |k: usize, count: usize| k as f64 / (count - 1) as f64;
        let (u, v) = (share(index / rows, columns), share(index % rows, rows));
        let [x, y] = self.edges;
        std::array::from_fn(|c| self.origin[c] + u * x[c] + v * y[c])
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.counts[0] * self.counts[1]
    }
}

impl PlannedPlane {
    pub(super) fn resolve(&self, model: &Model, settings: &Settings) -> Result<FoundPoses, Diagnostics> {
        let fail = |message: String| Diagnostic::error(message).at(self.span);
        let one = |diagnostic: Diagnostic| Diagnostics::from_iter([diagnostic]);
        let (link, interface) = &self.tip;
        let Some(tip) = model.interface(link, interface) else {
            return Err(one(fail(format!("the tip `{link}.{interface}` is not part of the machine"))));
        };
        let joints = self.joints(model, settings.t_start);
        let (moving, rows) = (moving(model, tip, &joints), self.orientation.rows());
        if moving == 0 {
            let hint = "`joints` names those that move; joints with a command do when it is left out";
            return Err(one(fail("no joint with a command moves the tip".to_owned()).hint(hint)));
        }
        if moving > rows {
            let message =
                format!("{moving} joint coordinates move the tip, but its target determines {rows}");
            let hint = "name at most as many with `joints`; the others keep their commands of the start";
            return Err(one(fail(message).hint(hint)));
        }
        let count = self.points.count();
        let grid = TipGrid {
            tip,
            joints,
            orientation: self.orientation,
            R: self.R,
            points: (0..count).map(|k| Vector3::from(self.points.point(k))).collect(),
            columns: self.points.counts[1],
        };
        let found = inverse(model, settings, &grid).map_err(|error| one(fail(error.to_string())))?;
        let points: Vec<usize> = (0..count).filter(|k| found[*k].is_some()).collect();
        let free = match self.orientation {
            Orientation::Guided if moving < rows => "; orientation = \"free\" guides its point alone",
            Orientation::Guided | Orientation::Free => "",
        };
        if points.is_empty() {
            let message = format!("the tip reaches none of the {count} points of the plane");
            let hint = format!(
                "{moving} joint coordinates move it to targets of {rows} components{free}; from a singular start, as that of an arm that is \
                 stretched out, the search does not get away: `joints = {{ elbow = {{ near_deg = 40 }} }}` begins it elsewhere"
            );
            return Err(one(fail(message).hint(hint)));
        }
        let missing = count - points.len();
        let note = (missing > 0).then(|| {
            let message = format!(
                "the tip does not reach {missing} of the {count} points of the plane: the map has holes there"
            );
            Diagnostic::note(message).at(self.span)
        });
        let plane = Some(PlanePoints { points, ..self.points.clone() });
        Ok(FoundPoses { poses: found.into_iter().flatten().collect(), plane, note })
    }

    /// Those that are named, or all with a command.
    fn joints(&self, model: &Model, t: f64) -> Vec<Follower> {
        let start = |at: CoordinateRef| {
            let own = model.coordinate(at);
            own.drive.command().map_or(own.initial, |command| command.at(t).value)
        };
        if self.joints.is_empty() {
            let commanded = |at: &CoordinateRef| model.coordinate(*at).drive.command().is_some();
            let range = (f64::NEG_INFINITY, f64::INFINITY);
            let follower = |at| Follower { at, near: start(at), range };
            return model.coordinate_refs().filter(commanded).map(follower).collect();
        }
        let follower = |joint: &PlannedJoint| {
            let at = model.joint_coordinate(&joint.name, 0)?;
            Some(Follower { at, near: joint.near.unwrap_or_else(|| start(at)), range: joint.range })
        };
        self.joints.iter().filter_map(follower).collect()
    }
}

/// How many of the joints can move the tip: in a tree those between it and the ground, with loops all.
fn moving(model: &Model, tip: InterfaceRef, joints: &[Follower]) -> usize {
    if model.closures().constraint_count() > 0 {
        return joints.len();
    }
    let parent = |body: &BodyIndex| model.bodies()[*body].parent.map(|at| at.body);
    let chain: Vec<_> = std::iter::successors(Some(tip.body), parent).collect();
    let carries = |joint: &&Follower| match joint.at.joint {
        JointRef::Carrying(body) => chain.contains(&body),
        JointRef::Closing(_) => false,
    };
    joints.iter().filter(carries).count()
}
