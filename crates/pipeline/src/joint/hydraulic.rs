//! `hydraulic`: a servo-hydraulic drive that follows a motion.

use crate::motion::MotionSpec;
use crate::schema::Context;
use crate::table;

table! {
    /// A servo-hydraulic drive: an electronic position and rate loop, a servo valve and an oil column between
    /// valve and piston or motor. Spool x, load pressure p, valve input u, joint θ:
    /// ẍ + 2ζω ẋ + ω² x = gain·ω² u; V/4β·ṗ = flow_gain·x − (pressure_flow + leakage)·p − a·θ̇; torque = a·p.
    /// Its states are integrated with the machine; `pliant response` linearises it, with the share `oil` in
    /// modes, the input `JOINT.valve` and the outputs `JOINT.tachometer` and `JOINT.pressure`. The inertia
    /// of the motor is the joint's `rotor`, a compliant gear its `bearing` about the axis.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12 }
    /// position   = { gain = 4 }
    /// tachometer = { gain = 1.0, time_constant = 1.5e-3 }
    /// ```
    pub struct HydraulicTable {
        /// The commanded motion.
        follow: MotionSpec;
        /// The servo valve.
        valve: ValveTable;
        /// The oil column.
        oil: OilTable;
        /// A piston; or `motor`.
        piston: Option<PistonTable>;
        /// A motor; or `piston`.
        motor: Option<MotorTable>;
        /// The tachometer, on the motor's side of the joint.
        tachometer: Option<TachometerTable>;
        /// Position loop: from the error of position (rad, m) to the requested rate (rad/s, m/s).
        /// None when left out.
        position: Option<CompensatorTable>;
        /// Rate loop: from tachometer gain times the requested rate, less the tachometer's signal, to the
        /// input of the valve.
        rate: CompensatorTable;
        /// Part of the rate of the command that is added to the requested rate.
        feed_forward: f64 = 1.0, "1";
        /// The same for its acceleration (s).
        acceleration_feed_forward: f64 = 0.0, "0";
        /// Largest input of the valve; without limit when left out. Integrals stand still while it is
        /// reached. Not in a linear machine.
        limit: Option<f64>;
        /// Time between samples of the electronics (s): the input of the valve is computed at integer
        /// multiples of it and held in between. Continuous when left out.
        sample: Option<f64>;
        /// Time until an input that was asked for comes into force (s).
        delay: f64 = 0.0, "0";
    } check HydraulicTable::check
}

table! {
    /// A servo valve: a spool of second order, and the flow that it lets through.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, damping = 0.7, flow_gain = 1.4e-3, pressure_flow = 6e-12, deadband = 0.005, stroke = 1.0 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12 }
    /// ```
    pub struct ValveTable {
        /// Spool over input at rest (m per unit of the input, or 1).
        gain: f64 = 1.0, "1";
        /// Natural frequency of the spool (Hz).
        natural_hz: f64;
        /// Its damping ratio.
        damping: f64 = 0.7, "0.7";
        /// Flow per opening at no load (m²/s, or m³/s per unit).
        flow_gain: f64;
        /// Flow per pressure, the pressure-flow coefficient (m³/(s·Pa)).
        pressure_flow: f64 = 0.0, "0";
        /// Travel of the spool to either side of its centre without flow. Not in a linear machine.
        deadband: f64 = 0.0, "0";
        /// Largest opening, at which the flow saturates; without when left out. Not in a linear machine.
        stroke: Option<f64>;
    } check ValveTable::check
}

table! {
    /// The oil between the valve and a piston or motor.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9, leakage = 1e-12 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12 }
    /// ```
    pub struct OilTable {
        /// Volume of both sides together (m³).
        volume: f64;
        /// Bulk modulus, with what air and hoses leave of it (Pa).
        bulk_modulus: f64;
        /// Leakage across the piston or motor (m³/(s·Pa)).
        leakage: f64 = 0.0, "0";
    } check OilTable::check
}

table! {
    /// A symmetric piston.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// piston = { area = 2.8e-3, lever = 0.22 }
    /// rate   = { gain = 0.12 }
    /// ```
    pub struct PistonTable {
        /// Area (m²).
        area: f64;
        /// Lever arm of a piston that turns a joint (m); on a joint that slides its travel over that of the
        /// joint, 1 when left out.
        lever: Option<f64>;
    } check PistonTable::check
}

table! {
    /// A hydraulic motor.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12 }
    /// ```
    pub struct MotorTable {
        /// Volume displaced per radian (m³/rad).
        displacement: f64;
        /// Turns of the motor per turn of the joint, or rad per m.
        ratio: f64 = 1.0, "1";
    } check MotorTable::check
}

table! {
    /// A tachometer: gain/(1 + time_constant·s) times the rate.
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12 }
    /// tachometer = { gain = 1.0, time_constant = 1.5e-3 }
    /// ```
    pub struct TachometerTable {
        /// Signal per rate (per rad/s, per m/s).
        gain: f64 = 1.0, "1";
        /// Time constant (s).
        time_constant: f64 = 0.0, "0";
    } check TachometerTable::check
}

table! {
    /// A compensator (gain + integral_gain/s)·(1 + lead·s)/(1 + lag·s).
    ///
    /// ```toml
    /// [joints.waist]
    /// parent = "ground"
    /// child  = "column"
    /// type   = "revolute"
    ///
    /// [joints.waist.drive.hydraulic]
    /// follow = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// valve  = { natural_hz = 60, flow_gain = 1.4e-3 }
    /// oil    = { volume = 6e-4, bulk_modulus = 1.1e9 }
    /// motor  = { displacement = 8e-6, ratio = 80 }
    /// rate   = { gain = 0.12, integral_gain = 2.4, lead = 0.02, lag = 0.005 }
    /// ```
    pub struct CompensatorTable {
        /// Gain.
        gain: f64;
        /// Integral gain (1/s times that of the gain).
        integral_gain: f64 = 0.0, "0";
        /// Time constant of the lead (s); needs a `lag`.
        lead: f64 = 0.0, "0";
        /// Time constant of the lag (s).
        lag: f64 = 0.0, "0";
    } check CompensatorTable::check
}

impl HydraulicTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("piston", self.piston.is_some()), ("motor", self.motor.is_some())]);
        context.positive(&[("limit", self.limit), ("sample", self.sample)]);
        let feed = [
            ("feed_forward", Some(self.feed_forward)),
            ("acceleration_feed_forward", Some(self.acceleration_feed_forward)),
            ("delay", Some(self.delay)),
        ];
        context.not_negative(&feed);
    }
}

impl ValveTable {
    fn check(&self, context: &mut Context<'_>) {
        let positive = [
            ("gain", Some(self.gain)),
            ("natural_hz", Some(self.natural_hz)),
            ("damping", Some(self.damping)),
            ("flow_gain", Some(self.flow_gain)),
            ("stroke", self.stroke),
        ];
        context.positive(&positive);
        let not_negative = [("pressure_flow", Some(self.pressure_flow)), ("deadband", Some(self.deadband))];
        context.not_negative(&not_negative);
    }
}

impl OilTable {
    fn check(&self, context: &mut Context<'_>) {
        let positive = [("volume", Some(self.volume)), ("bulk_modulus", Some(self.bulk_modulus))];
        context.positive(&positive);
        context.not_negative(&[("leakage", Some(self.leakage))]);
    }
}

impl PistonTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("area", Some(self.area)), ("lever", self.lever)]);
    }
}

impl MotorTable {
    fn check(&self, context: &mut Context<'_>) {
        let positive = [("displacement", Some(self.displacement)), ("ratio", Some(self.ratio))];
        context.positive(&positive);
    }
}

impl TachometerTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("gain", Some(self.gain))]);
        context.not_negative(&[("time_constant", Some(self.time_constant))]);
    }
}

impl CompensatorTable {
    fn check(&self, context: &mut Context<'_>) {
        let numbers = [
            ("gain", Some(self.gain)),
            ("integral_gain", Some(self.integral_gain)),
            ("lead", Some(self.lead)),
            ("lag", Some(self.lag)),
        ];
        context.not_negative(&numbers);
        if self.lead > 0.0 && self.lag <= 0.0 {
            let message =
                format_args!("a `lead` needs a `lag`, found lead {} and lag {}", self.lead, self.lag);
            context.error(context.key("lead"), message);
        }
    }
}
