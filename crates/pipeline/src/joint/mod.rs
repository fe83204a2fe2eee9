//! The `[joints]` of a pipeline file.

mod bearing;
mod coordinate;
mod dh;
mod drive;
mod hydraulic;
mod servo;

pub use bearing::{BearingTable, SpringDamperTable};
pub(crate) use coordinate::not_both;
pub use coordinate::{CoordinateTable, FrictionTable, RotorTable, StartTable, StiffnessTable};
pub use dh::{DhTable, DhWord};
pub use drive::{DriveSpec, DriveTable};
pub use hydraulic::{CompensatorTable, HydraulicTable};
pub use servo::ServoTable;

use crate::link::Direction;
use crate::schema::{Context, Located, Named, suggestion};
use crate::{table, words};

/// Defines the words of `type` with the coordinates of each joint and whether it has an axis.
macro_rules! joint_words {
    ($($(#[doc = $text:literal])+ $name:ident = $word:literal, [$($coordinate:literal),*], axis: $axis:literal;)+) => {
        words! {
            /// Kind of a joint.
            pub enum JointWord {
                $($(#[doc = $text])+ $name = $word,)+
            }
        }

        impl JointWord {
            /// Names of its coordinates.
            pub fn coordinates(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &[$($coordinate),*],)+
                }
            }

            fn has_axis(self) -> bool {
                match self {
                    $(Self::$name => $axis,)+
                }
            }
        }
    };
}

joint_words! {
    /// One angle about `axis`.
    Revolute = "revolute", ["angle"], axis: true;
    /// One displacement along `axis`.
    Prismatic = "prismatic", ["displacement"], axis: true;
    /// One displacement along `axis`, which grips the child's `rail` at a point that moves along it.
    Sliding = "sliding", ["displacement"], axis: true;
    /// Angle about and displacement along `axis`.
    Cylindrical = "cylindrical", ["angle", "displacement"], axis: true;
    /// Angle about `axis`, then about `second_axis`.
    Universal = "universal", ["angle_1", "angle_2"], axis: true;
    /// Any rotation about a point.
    Spherical = "spherical", ["rotation_x", "rotation_y", "rotation_z"], axis: false;
    /// No freedom.
    Fixed = "fixed", [], axis: false;
    /// All six freedoms.
    Free = "free", ["x", "y", "z", "rotation_x", "rotation_y", "rotation_z"], axis: false;
}

table! {
    /// One joint. It sits on the parent's triad unless `origin`, `axes` or `dh` place it elsewhere, and holds
    /// the child at its link frame. What acts on the coordinate of a revolute or prismatic joint stands in
    /// the joint itself; for joints with several coordinates it stands in `coordinates`.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.elbow"
    /// child  = "forearm"
    /// type   = "revolute"
    /// axis   = "-y"
    /// drive  = { motion = { profile = "cycloidal", to_deg = 60, time = 1.2 } }
    ///
    /// [joints.pin]                   # closes a loop: the rocker is carried by another joint
    /// parent = "coupler.tip"
    /// child  = "rocker.pin"
    /// type   = "revolute"
    /// ```
    pub struct JointTable {
        /// `"ground"`, or an outboard interface as `"link.interface"`.
        parent: Located<String>;
        /// The link that it carries, held at its link frame; or an outboard interface of a link as
        /// `"link.interface"`, which closes a loop. From the ground outwards the first joint that reaches a
        /// link carries it; all others close loops.
        child: Located<String>;
        /// True: closes a loop even where it could carry its child.
        closes_loop: bool = false, "false";
        /// Kind of joint.
        type_: JointWord;
        /// Axis in the joint frame; z when left out.
        axis: Option<Direction>;
        /// Second axis of a universal joint, perpendicular to the first; y when left out.
        second_axis: Option<Direction>;
        /// Origin of the joint frame in the parent's triad (m), zero when left out.
        origin: Option<[f64; 3]>;
        /// x and y directions of the joint frame in the parent's triad; those of the triad when left out.
        axes: Option<[[f64; 3]; 2]>;
        /// Origin of the joint frame on the child's side, in the child's frame or triad (m), zero when left
        /// out.
        child_origin: Option<[f64; 3]>;
        /// x and y directions of the joint frame in the child's frame or triad; those of the frame when left
        /// out.
        child_axes: Option<[[f64; 3]; 2]>;
        /// Denavit–Hartenberg parameters instead of `origin`, `axes` and `axis`.
        dh: Option<DhTable>;
        /// How it is driven; free when left out.
        drive: Option<DriveSpec>;
        /// Friction.
        friction: Option<FrictionTable>;
        /// A spring on the coordinate.
        stiffness: Option<StiffnessTable>;
        /// A motor's rotor behind a gear.
        rotor: Option<RotorTable>;
        /// Where a free, torque-driven or servo-driven coordinate starts.
        start: Option<StartTable>;
        /// What acts on each coordinate of a joint with several: `angle`, `displacement` (cylindrical),
        /// `angle_1`, `angle_2` (universal), `rotation_x`, … (spherical), `x`, `y`, `z`, `rotation_x`, …
        /// (free).
        coordinates: Named<CoordinateTable>;
        /// Of a sliding joint: the distance between two rollers that hold the rail (m). When left out a clamp
        /// holds it at one point.
        rollers: Option<f64>;
        /// Compliance of the bearing; rigid when left out.
        bearing: Option<BearingTable>;
    } check JointTable::check
}

impl JointTable {
    /// What acts on a coordinate, wherever it stands.
    pub fn coordinate(&self, name: &str) -> Option<CoordinateTable> {
        if self.type_.coordinates() != [name] {
            return self.coordinates.get(name).cloned();
        }
        Some(CoordinateTable {
            drive: self.drive.clone(),
            friction: self.friction.clone(),
            stiffness: self.stiffness.clone(),
            rotor: self.rotor.clone(),
            start: self.start.clone(),
            source: self.source,
        })
    }

    fn check_sliding(&self, context: &mut Context<'_>) {
        if self.type_ != JointWord::Sliding {
            if self.rollers.is_some() {
                let found = self.type_.as_str();
                let message = format_args!("`rollers` needs type = \"sliding\", found \"{found}\"");
                context.error(context.key("rollers"), message);
            }
            return;
        }
        context.positive(&[("rollers", self.rollers)]);
        let refused = [
            ("child_origin", self.child_origin.is_some(), "the rail defines where the child is held"),
            ("dh", self.dh.is_some(), "use `origin`, `axes` and `axis`"),
            ("bearing", self.bearing.is_some(), "the grip on the rail takes the place of a bearing"),
            ("closes_loop", self.closes_loop, "it has to carry its child"),
        ];
        for (key, _, why) in refused.iter().filter(|(_, given, _)| *given) {
            context.error(context.key(key), format_args!("a sliding joint takes no `{key}`: {why}"));
        }
    }

    fn check(&self, context: &mut Context<'_>) {
        let kind = self.type_.as_str();
        let frame = [
            ("origin", self.origin.is_some()),
            ("axes", self.axes.is_some()),
            ("axis", self.axis.is_some()),
            ("child_origin", self.child_origin.is_some()),
            ("child_axes", self.child_axes.is_some()),
        ];
        for (key, _) in frame.iter().filter(|(_, given)| *given && self.dh.is_some()) {
            let message = format_args!("`dh` and `{key}` exclude each other");
            let hint = "`dh` defines the entire joint frame; the axis of the joint is its z".to_owned();
            context.error_with_hint(context.key(key), message, Some(hint));
        }
        if self.dh.is_some() && !self.type_.has_axis() {
            let message = format_args!("a {kind} joint has no axis for `dh`");
            context.error_with_hint(context.key("dh"), message, Some("use `origin` and `axes`".to_owned()));
        }
        if self.axis.is_some() && !self.type_.has_axis() {
            context.error(context.key("axis"), format_args!("a {kind} joint has no `axis`"));
        }
        if self.second_axis.is_some() && self.type_ != JointWord::Universal {
            context.error(context.key("second_axis"), format_args!("a {kind} joint has no `second_axis`"));
        }
        self.check_sliding(context);
        let names = self.type_.coordinates();
        let direct = [
            ("drive", self.drive.is_some()),
            ("friction", self.friction.is_some()),
            ("stiffness", self.stiffness.is_some()),
            ("rotor", self.rotor.is_some()),
            ("start", self.start.is_some()),
        ];
        for (key, _) in direct.iter().filter(|(_, given)| *given && names.len() != 1) {
            let message =
                format!("`{key}` is for joints with one coordinate, a {kind} joint has {}", names.len());
            let hint = (!names.is_empty())
                .then(|| format!("write coordinates = {{ {} = {{ {key} = … }} }}", names[0]));
            context.error_with_hint(context.key(key), message, hint);
        }
        for (name, _) in &self.coordinates.entries {
            if names.len() == 1 {
                let message = format!(
                    "a {kind} joint has one coordinate: write its keys in the joint itself, without `coordinates`"
                );
                context.error(name.span(), message);
            } else if !names.contains(&name.value.as_str()) {
                let hint = (!names.is_empty())
                    .then(|| suggestion(&name.value, names.iter().copied(), "its coordinates"));
                let message = format!("a {kind} joint has no coordinate `{}`", name.value);
                context.error_with_hint(name.span(), message, hint);
            }
        }
    }
}
