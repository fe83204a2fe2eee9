//! What acts on one coordinate of a joint.

use super::DriveSpec;
use crate::schema::Context;
use crate::table;

table! {
    /// What acts on one coordinate of a joint.
    ///
    /// ```toml
    /// [joints.strut]
    /// parent = "ground"
    /// child  = "rod"
    /// type   = "cylindrical"
    ///
    /// [joints.strut.coordinates]
    /// angle        = { friction = { viscous = 0.1 } }
    /// displacement = { stiffness = { k = 2e4 }, start = { value = 0.1 } }
    /// ```
    pub struct CoordinateTable {
        /// How it is driven; free when left out.
        drive: Option<DriveSpec>;
        /// Friction.
        friction: Option<FrictionTable>;
        /// A spring.
        stiffness: Option<StiffnessTable>;
        /// A motor's rotor behind a gear.
        rotor: Option<RotorTable>;
        /// Where it starts.
        start: Option<StartTable>;
    }
}

table! {
    /// Friction of a joint: `−viscous·rate − coulomb·tanh(rate/slip_rate)`.
    ///
    /// ```toml
    /// [joints.swing]
    /// parent   = "ground"
    /// child    = "pendulum"
    /// type     = "revolute"
    /// friction = { viscous = 0.5, coulomb = 2.0 }
    /// ```
    pub struct FrictionTable {
        /// Viscous coefficient (N·m·s/rad, N·s/m).
        viscous: f64 = 0.0, "0";
        /// Coulomb friction (N·m, N).
        coulomb: f64 = 0.0, "0";
        /// Rate at which Coulomb friction has reached 76 % of its size (rad/s, m/s).
        slip_rate: f64 = 1e-3, "0.001";
    } check FrictionTable::check
}

table! {
    /// A spring on a joint coordinate: `−k·(value − neutral)`.
    ///
    /// ```toml
    /// [joints.swing]
    /// parent   = "ground"
    /// child    = "pendulum"
    /// type     = "revolute"
    /// stiffness = { k = 150, neutral_deg = -90 }
    /// ```
    pub struct StiffnessTable {
        /// Stiffness (N·m/rad, N/m).
        k: f64;
        /// Where the spring is slack (rad, m).
        neutral: Option<f64>;
        /// The same in degrees.
        neutral_deg: Option<f64>;
    } check StiffnessTable::check
}

table! {
    /// A motor's rotor behind a gear: adds ratio²·inertia to the joint coordinate.
    ///
    /// ```toml
    /// [joints.swing]
    /// parent   = "ground"
    /// child    = "pendulum"
    /// type     = "revolute"
    /// rotor    = { inertia = 4e-5, ratio = 100 }
    /// ```
    pub struct RotorTable {
        /// Inertia about its own axis (kg·m²).
        inertia: f64;
        /// Turns of the rotor per turn of the joint, or rad per m.
        ratio: f64 = 1.0, "1";
    } check RotorTable::check
}

table! {
    /// Where a coordinate starts; of a servo, relative to its command. A prescribed motion starts where its
    /// profile does.
    ///
    /// ```toml
    /// [joints.swing]
    /// parent   = "ground"
    /// child    = "pendulum"
    /// type     = "revolute"
    /// start    = { value_deg = 30, rate = 0.5 }
    /// ```
    pub struct StartTable {
        /// Value (rad, m).
        value: Option<f64>;
        /// Value in degrees.
        value_deg: Option<f64>;
        /// Rate (rad/s, m/s).
        rate: Option<f64>;
        /// Rate in degrees per second.
        rate_deg: Option<f64>;
        /// True: the assembly of loops may not move the coordinate from this start.
        exact: bool = false, "false";
        /// True: held here while `start = "equilibrium"` or `"steady"` of the analysis is found, and free
        /// from then on.
        hold: bool = false, "false";
    } check StartTable::check
}

/// A value and the same in degrees may not both be given.
pub(crate) fn not_both(pairs: &[(&str, Option<f64>, Option<f64>)], context: &mut Context<'_>) {
    for (key, _, _) in pairs.iter().filter(|(_, plain, degrees)| plain.is_some() && degrees.is_some()) {
        context.error(context.key(key), format_args!("`{key}` and `{key}_deg` exclude each other: give one"));
    }
}

impl FrictionTable {
    fn check(&self, context: &mut Context<'_>) {
        let friction = [("viscous", Some(self.viscous)), ("coulomb", Some(self.coulomb))];
        context.not_negative(&friction);
        context.positive(&[("slip_rate", Some(self.slip_rate))]);
    }
}

impl StiffnessTable {
    fn check(&self, context: &mut Context<'_>) {
        context.not_negative(&[("k", Some(self.k))]);
        not_both(&[("neutral", self.neutral, self.neutral_deg)], context);
    }
}

impl RotorTable {
    fn check(&self, context: &mut Context<'_>) {
        context.not_negative(&[("inertia", Some(self.inertia))]);
    }
}

impl StartTable {
    fn check(&self, context: &mut Context<'_>) {
        let pairs = [("value", self.value, self.value_deg), ("rate", self.rate, self.rate_deg)];
        not_both(&pairs, context);
    }
}
