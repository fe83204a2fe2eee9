//! Free joints of a loop without a `start`: the nonlinear run and the response stand in the same
//! configuration, that in which the servo is on its command.

use std::f64::consts::PI;

use crate::support::{respond, run};

/// A four-bar with a servo on its crank at 60°; joints without a `start` lie along x, where all of it is
/// flat.
fn four_bar(ends: [f64; 2], links: &str, redundant: &str) -> String {
    let [coupler, ground] = ends;
    let link = |name: &str, length: f64| {
        let tube = format!(
            "beam = {{ length = {length}, elements = 4, section = {{ bar = [0.02, 0.02] }}, material = \"steel\" }}\nmodes = {{ count = 4 }}"
        );
        let rigid = format!(
            "rigid = {{ mass = 1, centre = [{}, 0, 0], inertia = [1e-3, 1e-2, 1e-2], interfaces = {{ tip = [{length}, 0, 0] }} }}",
            0.5 * length
        );
        format!("[links.{name}]\n{}\n", if links == "rigid" { rigid } else { tube })
    };
    let joint = |name: &str, parent: &str, child: &str, more: &str| {
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"z\"\n{more}\n"
        )
    };
    [
        link("crank", 0.3),
        link("coupler", coupler),
        link("rocker", 0.3),
        joint(
            "crank",
            "ground",
            "crank",
            "drive = { servo = { follow = { profile = \"quintic\", from_deg = 60, to_deg = 61, time = 0.01 }, position_gain = 5e3, rate_gain = 50 } }",
        ),
        joint("elbow", "crank.tip", "coupler", ""),
        joint("rocker", "ground", "rocker", &format!("origin = [{ground}, 0, 0]")),
        joint("pin", "coupler.tip", "rocker.tip", ""),
        format!("[analysis]\nend = 2e-3\nstep = 1e-4\n{redundant}\n[output]\ntip = \"coupler.tip\"\n[response]\n"),
    ]
    .concat()
}

#[test]
fn run_and_response_assemble_the_same() {
    let made_to_fit = "redundant = \"least-norm\"";
    for (ends, links, redundant) in
        [([0.5, 0.5], "beam", ""), ([0.5, 0.5], "rigid", made_to_fit), ([0.45, 0.4], "rigid", made_to_fit)]
    {
        let text = four_bar(ends, links, redundant);
        let result = respond(&text, &[]);
        let mut first: Option<Vec<f64>> = None;
        run(&text, |frame| {
            let value = |name: &String| {
                let at = frame.model.joint_coordinate(name, 0).unwrap();
                frame.state.q[frame.model.state_entry(at).position]
            };
            first.get_or_insert_with(|| result.joints.iter().map(value).collect());
        });
        for (name, (found, expected)) in
            result.joints.iter().zip(result.poses[0].joints.iter().zip(first.unwrap()))
        {
            let turns = ((found - expected) / (2.0 * PI)).round() * 2.0 * PI;
            assert!(
                (found - expected - turns).abs() < 1e-9,
                "{ends:?} {links}: {name} {found} and {expected}"
            );
        }
        let crank = result.joints.iter().position(|name| name == "crank").unwrap();
        assert!((result.poses[0].joints[crank] - PI / 3.0).abs() < 1e-12, "{:?}", result.poses[0].joints);
    }
}
