//! The joints: how they move and what drives them.

use super::{Line, PlotData, Time, over_time};
use crate::array::Arrays;
use crate::quantity::{Scale, largest};
use crate::run::{JointMotion, Run};

/// Positions and speeds of the joints.
pub(super) fn motion(run: &Run, time: &Time, arrays: &mut Arrays) -> Vec<PlotData> {
    let mut plots = Vec::new();
    for (is_angle, kind) in [(true, "angles"), (false, "slides")] {
        let of: Vec<&JointMotion> = run.joints.iter().filter(|joint| joint.is_angle == is_angle).collect();
        if of.is_empty() {
            continue;
        }
        let mut positions = Vec::new();
        for (k, joint) in of.iter().enumerate() {
            let colour = Some(k % 8);
            positions.push(Line { colour, ..Line::solid(joint.name.clone(), &joint.position) });
            if !joint.nominal_position.is_empty() {
                let name = format!("{}, rigid", joint.name);
                positions.push(Line { name, dash: "dashed", colour, values: &joint.nominal_position });
            }
        }
        let velocities: Vec<Line<'_>> =
            of.iter().map(|joint| Line::solid(joint.name.clone(), &joint.velocity)).collect();
        let length = |lines: &[Line<'_>]| {
            Scale::of(lines.iter().map(|line| largest(line.values)).fold(0.0, f64::max), "m")
        };
        let (scale, rate) = if is_angle {
            (Scale::degrees(), Scale { units: "°/s".to_owned(), ..Scale::degrees() })
        } else {
            let (scale, rate) = (length(&positions), length(&velocities));
            (scale, Scale { units: format!("{}/s", rate.units), ..rate })
        };
        let id = format!("joint-{kind}");
        plots.extend(over_time(id, format!("Joint {kind}"), "position", positions, &scale, time, arrays));
        let id = format!("joint-rates-{kind}");
        let title = if is_angle { "Joint speeds" } else { "Sliding speeds" };
        plots.extend(over_time(id, title.to_owned(), "speed", velocities, &rate, time, arrays));
    }
    plots
}

/// What a drive gives, with flexible and with rigid links.
pub(super) fn torque(
    joint: &JointMotion,
    index: usize,
    time: &Time,
    arrays: &mut Arrays,
) -> Option<PlotData> {
    let drive = joint.drive.as_ref()?;
    let (title, name, units) =
        if joint.is_angle { ("Torque", "torque", "N m") } else { ("Force", "force", "N") };
    let scale = Scale::of(largest(&drive.flexible).max(largest(&drive.rigid)), units);
    let lines = vec![
        Line::solid("flexible", &drive.flexible),
        Line { name: "rigid".to_owned(), dash: "dashed", colour: Some(1), values: &drive.rigid },
    ];
    over_time(
        format!("torque-{index}"),
        format!("{title}: {}", joint.name),
        name,
        lines,
        &scale,
        time,
        arrays,
    )
}
