//! Checks of a joint that do not depend on the rest of the machine.

use super::Problems;
use crate::{Drive, JointSpec};

/// Reports values of a joint that are out of their ranges.
pub(super) fn check_joint(joint: &JointSpec, problems: &mut Problems) {
    let key = format!("joints.{}", joint.name);
    let (count, names) = (joint.joint.velocity_count(), joint.joint.coordinates());
    if joint.coordinates.len() > count {
        let kind = joint.joint.kind();
        problems
            .push(&key, format!("a {kind} joint has {count} coordinates, found {}", joint.coordinates.len()));
    }
    let (X_TP, X_CL) = joint.placement.transforms();
    if [X_TP, X_CL].iter().any(|X| X.R.iter().chain(X.p.iter()).any(|x| !x.is_finite())) {
        problems.push(&key, "its position is not finite");
    }
    for (c, name) in joint.coordinates.iter().zip(names) {
        let at = format!("{key}.{name}");
        let not_negative = [
            ("friction.viscous", c.friction.viscous),
            ("friction.coulomb", c.friction.coulomb),
            ("stiffness", c.spring.stiffness),
            ("rotor.inertia", c.rotor.inertia),
        ];
        for (what, value) in not_negative {
            if !(value.is_finite() && value >= 0.0) {
                problems
                    .push(format!("{at}.{what}"), format!("must be finite and not negative, found {value}"));
            }
        }
        if let Drive::Servo(s) = &c.drive {
            let good = |x: f64| x.is_finite() && x >= 0.0;
            let gains = [s.position_gain, s.rate_gain, s.integral_gain, s.feed_forward];
            if !(gains.into_iter().all(good) && s.limit > 0.0) {
                problems.push(
                    format!("{at}.servo"),
                    "the gains must be finite and not negative, the limit positive",
                );
            }
            if s.sampling
                .is_some_and(|c| !(c.time > 0.0 && c.time.is_finite() && good(c.delay) && c.rate_limit > 0.0))
            {
                let message = "the sample time and the rate limit must be positive, the delay not negative";
                problems.push(format!("{at}.servo"), message);
            }
        }
        if let Drive::Hydraulic(drive) = &c.drive {
            for (key, message) in drive.problems() {
                problems.push(format!("{at}.hydraulic.{key}"), message);
            }
        }
        if c.friction.coulomb > 0.0 && !(c.friction.slip_rate.is_finite() && c.friction.slip_rate > 0.0) {
            let message = format!("must be positive with Coulomb friction, found {}", c.friction.slip_rate);
            problems.push(format!("{at}.friction.slip_rate"), message);
        }
        if ![c.spring.neutral, c.rotor.ratio, c.initial, c.initial_rate].iter().all(|x| x.is_finite()) {
            problems.push(&at, "the neutral value, the gear ratio and the start must be finite");
        }
        if !joint.joint.has_scalar_coordinates() {
            let kind = joint.joint.kind();
            if matches!(c.drive, Drive::Prescribed(_)) {
                problems.push(&at, format!("a motion cannot be prescribed on a {kind} joint"));
            }
            if matches!(c.drive, Drive::Servo(_)) {
                problems.push(&at, format!("a {kind} joint takes no servo"));
            }
            if matches!(c.drive, Drive::Hydraulic(_)) {
                problems.push(&at, format!("a {kind} joint takes no hydraulic drive"));
            }
            if c.spring.stiffness > 0.0 {
                problems.push(&at, format!("a {kind} joint takes no spring; use the bearing"));
            }
        }
    }
    for (i, component) in joint.bearing.components.iter().enumerate() {
        if component.is_some_and(|(k, d)| !(k.is_finite() && k > 0.0 && d.is_finite() && d >= 0.0)) {
            let message = "the stiffness must be positive and the damping not negative, both finite";
            problems.push(format!("{key}.bearing.{}", i + 1), message);
        }
    }
}
