//! Maps over a plane of the workspace: inverse kinematics against closed forms of a planar 2R arm and of a
//! delta robot.

use pliant::report;
use pliant::response::{ResponseResult, response, write};
use pliant_store::ResponseResults;

use crate::support::{prepare, respond};

/// Value of a joint at a pose.
fn joint(result: &ResponseResult, pose: usize, name: &str) -> f64 {
    let k = result.joints.iter().position(|joint| joint == name).unwrap_or_else(|| panic!("no joint {name}"));
    result.poses[pose].joints[k]
}

/// Two rigid links on servos in the x-y plane; `plane` goes into the poses.
fn arm(lengths: [f64; 2], plane: &str) -> String {
    let link = |name: &str, length: f64| {
        format!(
            "[links.{name}]\nrigid = {{ mass = 2, centre = [{}, 0, 0], inertia = [1e-3, 0.1, 0.1], interfaces = {{ tip = [{length}, 0, 0] }} }}\n",
            0.5 * length
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"z\"\n\
             drive = {{ servo = {{ follow = {{ profile = \"hold\" }}, position_gain = 2e4, rate_gain = 100 }} }}\n"
        )
    };
    [
        link("upper", lengths[0]),
        link("fore", lengths[1]),
        joint("shoulder", "ground", "upper"),
        joint("elbow", "upper.tip", "fore"),
        "[analysis]\nend = 0.1\nstep = 1e-3\n[output]\ntip = \"fore.tip\"\n".to_owned(),
        format!("[response]\ncompliance = true\nposes = {{ plane = {{ {plane} }} }}\n"),
    ]
    .concat()
}

const PLANE: &str = "origin = [-0.2, -1.1, 0], x = [1.5, 0, 0], y = [0, 2.2, 0], columns = 16, rows = 12, orientation = \"free\"";

/// A rectangle that is larger than the reach of the arm and has the hole about its shoulder within.
#[test]
fn a_planar_arm_is_where_trigonometry_has_it() {
    let [a, b] = [0.6, 0.4];
    for (near, bend) in [(40.0, 1.0), (-40.0, -1.0)] {
        let joints = format!(", joints = {{ shoulder = {{}}, elbow = {{ near_deg = {near} }} }}");
        let result = respond(&arm([a, b], &(PLANE.to_owned() + &joints)), &[]);
        let plane = result.plane.as_ref().unwrap();
        assert_eq!(plane.counts, [16, 12]);
        let mut next = 0;
        for k in 0..plane.count() {
            let [x, y, _] = plane.point(k);
            // Numbers of the first edge change slowest.
            let expected = [-0.2 + 0.1 * (k / 12) as f64, -1.1 + 0.2 * (k % 12) as f64];
            assert!(
                (x - expected[0]).abs() < 1e-12 && (y - expected[1]).abs() < 1e-12,
                "{x} {y}: {expected:?}"
            );
            let cosine = (x * x + y * y - a * a - b * b) / (2.0 * a * b);
            if cosine.abs() > 1.0 {
                continue;
            }
            assert_eq!(plane.points[next], k, "the point ({x}, {y}) is not reached");
            let elbow = bend * cosine.acos();
            let shoulder = y.atan2(x) - (b * elbow.sin()).atan2(a + b * elbow.cos());
            let found = [joint(&result, next, "shoulder"), joint(&result, next, "elbow")];
            for (name, found, expected) in [("shoulder", found[0], shoulder), ("elbow", found[1], elbow)] {
                // Loops close to 1e-13; near the ends of the reach angles are its root.
                let turns = ((found - expected) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
                let difference = (found - expected - turns).abs() * elbow.sin().abs();
                assert!(difference < 1e-9, "{name} at ({x}, {y}): {found} for {expected}");
            }
            // Compliance of the servos alone: JJᵀ/k.
            let (s1, c1) = found[0].sin_cos();
            let (s12, c12) = (found[0] + found[1]).sin_cos();
            let (along_x, along_y) = ([-a * s1 - b * s12, -b * s12], [a * c1 + b * c12, b * c12]);
            for (row, part) in [(along_x, 0), (along_y, 1)] {
                let expected = (row[0] * row[0] + row[1] * row[1]) / 2e4;
                let found = result.poses[next].compliance.unwrap().at_rest[part];
                assert!((found - expected).abs() < 1e-8 * (a + b) * (a + b) / 2e4, "{found} for {expected}");
            }
            next += 1;
        }
        assert_eq!(next, result.poses.len());
        assert!(next > 60 && next < plane.count(), "{next}");
        let notes: Vec<&str> = result.diagnostics.iter().map(|found| found.message.as_str()).collect();
        let missing = plane.count() - next;
        assert!(notes.iter().any(|note| note.contains(&format!("{missing} of the 192 points"))), "{notes:?}");
        // Metrics of studies are the worst of what is reached.
        let worst =
            result.poses.iter().map(|pose| pose.undamped[0].frequency_hz).fold(f64::INFINITY, f64::min);
        let metrics = result.metrics();
        let (_, found) = metrics.iter().find(|(name, _)| name == "mode_1_hz").unwrap();
        assert_eq!(found.value, worst);
    }
}

#[test]
fn joints_stay_within_their_ranges() {
    let joints = ", joints = { shoulder = { min_deg = -30, max_deg = 30 }, elbow = { near_deg = 40 } }";
    let result = respond(&arm([0.6, 0.4], &(PLANE.to_owned() + joints)), &[]);
    for pose in 0..result.poses.len() {
        assert!(joint(&result, pose, "shoulder").abs() <= 30f64.to_radians());
    }
    assert!(result.poses.len() > 5);
}

/// A tip that turns with its arm, and a plane above it.
#[test]
fn what_cannot_be_is_said() {
    let said = |plane: &str, expected: &str| {
        let (_folder, case, links) = prepare(&arm([0.6, 0.4], plane), &[]);
        let Err(problems) = response(&case, &links) else { panic!("{plane} is possible") };
        let shown = format!("{problems:?}");
        assert!(shown.contains(expected), "{expected}: {shown}");
        assert!(problems.iter().all(|problem| problem.span.is_some()), "{shown}");
    };
    let bent = ", joints = { shoulder = {}, elbow = { near_deg = 40 } }";
    said(
        &(PLANE.replace("\"free\"", "\"kept\"") + bent),
        "orientation = \\\"free\\\" guides its point alone",
    );
    said(&(PLANE.replace("1.1, 0]", "1.1, 0.3]") + bent), "the tip reaches none of the 192 points");
}

/// The delta robot of pipelines/: of each leg the arm (0.28 m, from a circle of 0.2 m), two rods (0.75 m) to
/// points 0.06 m from the axis of the platform, whose attitude they keep.
#[test]
fn a_delta_robot_is_where_trigonometry_has_it() {
    let text = include_str!("../../../../pipelines/delta-robot.toml");
    let machine = text.split("[response]").next().unwrap();
    let response = "[response]\nmodes = 3\n[response.poses.plane]\norigin = [-0.6, 0.05, -0.45]\nx = [1.2, 0, 0]\ny = [0, 0, -0.5]\ncolumns = 13\nrows = 6\norientation = \"free\"\n";
    let result = respond(&format!("{machine}{response}"), &[]);
    let (arm, rod) = (0.28, 0.75);
    // Both angles of a leg that bring the platform there, the one with its knee outside first.
    let angles = |leg: usize, [x, y, z]: [f64; 3]| {
        let turn = leg as f64 * 120f64.to_radians();
        let (sine, cosine) = turn.sin_cos();
        let (x, y) = (cosine * x + sine * y + 0.06 - 0.2, cosine * y - sine * x);
        let (along, down) = (-2.0 * arm * x, 2.0 * arm * z);
        let right = rod * rod - arm * arm - x * x - y * y - z * z;
        let size = along.hypot(down);
        (right.abs() <= size).then(|| {
            let (middle, half) = (down.atan2(along), (right / size).acos());
            let mut both = [middle + half, middle - half];
            both.sort_by(|a, b| b.cos().total_cmp(&a.cos()));
            both
        })
    };
    let plane = result.plane.as_ref().unwrap();
    let mut next = 0;
    for k in 0..plane.count() {
        let [x, y, z] = plane.point(k);
        let legs: Vec<_> = (0..3).map(|leg| angles(leg, [x, y, z + 0.04])).collect();
        let Some(legs) = legs.into_iter().collect::<Option<Vec<_>>>() else { continue };
        assert_eq!(plane.points.get(next), Some(&k), "the point ({x}, {y}, {z}) is not reached");
        for (leg, [outside, inside]) in legs.iter().enumerate() {
            let found = joint(&result, next, &format!("motor{leg}"));
            // Nine digits of the directions of the legs in the file.
            let distance = (found - outside).sin().hypot((found - outside).cos() - 1.0);
            assert!(distance < 3e-8, "motor{leg} at ({x}, {y}, {z}): {found} for {outside}, not {inside}");
        }
        let tip = result.poses[next].tip.unwrap();
        // Links are undeformed, and the loops of the elastic machine are the same.
        assert!((tip[0] - x).hypot(tip[1] - y).hypot(tip[2] - z) < 1e-8, "{tip:?} for ({x}, {y}, {z})");
        next += 1;
    }
    assert_eq!(next, result.poses.len());
    assert!(next > 30 && next < plane.count(), "{next} of {}", plane.count());
}

/// The file and the report have the plane, with holes where the tip does not get.
#[test]
fn the_report_maps_the_plane() {
    let joints = ", joints = { shoulder = {}, elbow = { near_deg = 40 } }";
    let (folder, case, links) = prepare(&arm([0.6, 0.4], &(PLANE.to_owned() + joints)), &[]);
    let result = response(&case, &links).unwrap();
    let path = folder.path().join("plane.response.h5");
    write(&result, &case, &path).unwrap();
    let file = ResponseResults::open(&path).unwrap().unwrap();
    assert_eq!(file.numbers("poses/grid_lengths").unwrap().values, [16.0, 12.0]);
    let maps = report::response(&file).unwrap().maps.unwrap();
    let plane = result.plane.as_ref().unwrap();
    assert_eq!((maps.over.as_str(), maps.first.values.len(), maps.second.values.len()), ("plane", 16, 12));
    assert!((maps.first.values[15] - 1.5).abs() < 1e-12 && (maps.second.values[11] - 2.2).abs() < 1e-12);
    for (name, _, values) in &maps.quantities {
        assert_eq!(values.len(), plane.count(), "{name}");
        for (k, value) in values.iter().enumerate() {
            assert_eq!(value.is_finite(), plane.points.contains(&k), "{name} at {:?}", maps.tips[k]);
        }
    }
    let (_, _, hz) = &maps.quantities[0];
    assert_eq!(hz[plane.points[7]], result.poses[7].undamped[0].frequency_hz);
}
