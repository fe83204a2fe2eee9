//! The numbers of a run by name: what `/metrics` of the results file holds.

use pliant_store::results::MetricInfo;

use super::report::Report;

/// A number of a run.
pub(super) struct Metric {
    pub(super) info: MetricInfo,
    /// `None` when there is none, as the settling time of a tip that does not settle.
    pub(super) value: Option<f64>,
}

/// All numbers of a report. Which they are depends on the machine and the file, not on how the run went.
pub(super) fn metrics(report: &Report) -> Vec<Metric> {
    let mut all = Vec::new();
    let mut add = |name: String, value: Option<f64>, units: &str, description: &str| {
        let (units, description) = (units.to_owned(), description.to_owned());
        all.push(Metric { info: MetricInfo { name, units, description }, value });
    };
    let known = report.tip.is_some();
    if let Some(tip) = report.tip.as_ref().or(report.lost_tip.as_ref()) {
        let named = |name: &str| format!("tip_{name}");
        add(named("peak_error"), Some(tip.peak_error).filter(|_| known), "m", "largest tip error");
        add(named("peak_time"), Some(tip.peak_time).filter(|_| known), "s", "time of the largest tip error");
        add(
            named("rms_error"),
            Some(tip.rms_error).filter(|_| known),
            "m",
            "root mean square of the tip error over the run",
        );
        add(
            named("peak_rotation"),
            Some(tip.peak_rotation).filter(|_| known),
            "rad",
            "largest rotation error of the tip",
        );
        let about = "largest tip error after the motion has ended, about what it settles to";
        add(named("residual_peak"), Some(tip.residual_peak).filter(|_| known), "m", about);
        add(
            "motion_end".to_owned(),
            tip.motion_end,
            "s",
            "when the last motion ends; infinite when one has no end",
        );
        if let Some(tolerance) = tip.settle_tolerance {
            let about =
                "1 when the tip settles about its mean error after the motion, 0 when about the rigid tip";
            add(named("settle_about_mean"), Some(f64::from(u8::from(tip.settle_about_mean))), "1", about);
            add(
                named("settle_tolerance"),
                Some(tolerance),
                "m",
                "the tip has settled when its error stays within this",
            );
            let about = "time from the end of the motion until the tip has settled; infinite when it does not within the run";
            add(named("settling_time"), tip.settling_time.filter(|_| known), "s", about);
        }
    }
    let kinds = [
        ("drive", "the drive's torque or force", &report.drives),
        ("force", "what a spring, damper, cylinder, distance or plane pushes with", &report.forces),
    ];
    for (kind, what, all) in kinds {
        for (name, drive) in all {
            let about = format!("largest magnitude of {what}");
            add(format!("{kind}_peak_{name}"), Some(drive.peak), drive.units, &about);
            let about = format!("root mean square of {what} over the run");
            add(format!("{kind}_rms_{name}"), Some(drive.rms), drive.units, &about);
            let about = format!("largest magnitude of {what} in the rigid machine");
            add(format!("{kind}_rigid_peak_{name}"), drive.rigid_peak, drive.units, &about);
        }
    }
    let balance = report.energy.worst_balance;
    add("energy_worst_balance".to_owned(), Some(balance), "J", "largest magnitude of the energy balance");
    for k in 0..report.modes.start.len() {
        for (end, modes) in report.modes.ends() {
            let mode = modes.get(k);
            let (name, about) = (
                format!("mode_{}_{end}", k + 1),
                format!("mode {} of the machine at the {end} of the run", k + 1),
            );
            add(
                format!("{name}_frequency"),
                mode.map(|mode| mode.frequency),
                "Hz",
                &format!("frequency of {about}"),
            );
            add(
                format!("{name}_ratio"),
                mode.map(|mode| mode.ratio),
                "1",
                &format!("damping ratio of {about}"),
            );
        }
    }
    let solver = &report.solver;
    let counts = [
        ("steps", solver.steps, "steps taken"),
        ("iterations", solver.iterations, "equilibrium iterations"),
        ("cuts", solver.cuts, "steps that had to be halved"),
        ("rejected", solver.rejected, "steps refused by the error control"),
        ("worst_iterations", solver.worst_iterations, "most iterations of one step"),
        ("outputs", solver.outputs, "outputs"),
    ];
    for (name, value, description) in counts {
        add(format!("solver_{name}"), Some(value as f64), "1", description);
    }
    add("solver_seconds".to_owned(), Some(solver.seconds), "s", "wall time of the solver, storing included");
    all
}

/// As the file has them: what is not there is infinite, because no NaN reaches a file.
pub(super) fn values(report: &Report) -> Vec<f64> {
    metrics(report).iter().map(|metric| metric.value.unwrap_or(f64::INFINITY)).collect()
}
