//! Arms given by Denavit–Hartenberg parameters in a pipeline file, in both conventions, against closed forms
//! of others.

use nalgebra::{Matrix3, Vector3};
use pliant_mechanism::BodyIndex;

use crate::support::run;

/// a₂, a₃, d₃, d₄ of a Puma 560 (m).
const PUMA: [f64; 4] = [0.4318, 0.0191, 0.1254, 0.4318];

/// Joint angles (deg), some of them large.
const ANGLES: [f64; 6] = [17.0, -40.0, 163.0, 229.0, -52.0, 410.0];

/// A chain of rigid links, one row a joint: kind, a, α (deg), d, value of the joint (deg or m).
fn chain(convention: &str, rows: &[(&str, f64, f64, f64, f64)]) -> (Matrix3<f64>, Vector3<f64>) {
    let mut text = String::from("gravity = [0, 0, -9.81]\n[analysis]\nend = 0.01\nstep = 0.01\n");
    for (i, (kind, a, alpha, d, value)) in rows.iter().enumerate() {
        let parent = if i == 0 { "ground".to_owned() } else { format!("link{}.end", i - 1) };
        let unit = if *kind == "revolute" { "value_deg" } else { "value" };
        text += &format!(
            "[links.link{i}]\nrigid = {{ mass = 1, inertia = [1, 1, 1], interfaces = {{ end = [0, 0, 0] }} }}\n\
             [joints.joint{i}]\nparent = '{parent}'\nchild = 'link{i}'\ntype = '{kind}'\n\
             dh = {{ convention = '{convention}', a = {a:?}, alpha_deg = {alpha:?}, d = {d:?} }}\n\
             drive = {{ motion = {{ profile = 'hold', {unit} = {value:?} }} }}\n"
        );
    }
    let temporary = tempfile::tempdir().unwrap();
    let mut end = None;
    run(temporary.path(), &text, |frame| {
        let X = frame.poses(BodyIndex(rows.len() - 1).interface(0)).0;
        end = Some((X.R, X.p));
    });
    end.unwrap()
}

/// Sines and cosines of θ₁, θ₂, θ₂ + θ₃, θ₄, θ₅.
fn circular() -> [(f64, f64); 5] {
    let [t1, t2, t3, t4, t5, _] = ANGLES.map(f64::to_radians);
    [t1, t2, t2 + t3, t4, t5].map(f64::sin_cos)
}

/// The closed form on robotmechanicscontrol.info
/// (FundamentalsOfRobotMechanics/Chapter03/Puma560ForwardKinematics), with the parameters of Paul and Zhang
/// (1986).
#[test]
fn a_puma_in_the_standard_convention() {
    let [a2, a3, d3, d4] = PUMA;
    let [q1, q2, q3, q4, q5, q6] = ANGLES;
    let (R, p) = chain(
        "standard",
        &[
            ("revolute", 0.0, 90.0, 0.0, q1),
            ("revolute", a2, 0.0, 0.0, q2),
            ("revolute", a3, -90.0, d3, q3),
            ("revolute", 0.0, 90.0, d4, q4),
            ("revolute", 0.0, -90.0, 0.0, q5),
            ("revolute", 0.0, 0.0, 0.0, q6),
        ],
    );
    let [(s1, c1), (s2, c2), (s23, c23), (s4, c4), (s5, c5)] = circular();
    let reach = a2 * c2 - d4 * s23 + a3 * c23;
    let expected = Vector3::new(reach * c1 + d3 * s1, reach * s1 - d3 * c1, a2 * s2 + a3 * s23 + d4 * c23);
    let (ahead, aside) = (-s23 * c5 - c23 * c4 * s5, -s4 * s5);
    let approach = Vector3::new(ahead * c1 - aside * s1, ahead * s1 + aside * c1, c23 * c5 - s23 * c4 * s5);
    assert!((p - expected).norm() < 1e-14, "{p} {expected}");
    assert!((R.column(2) - approach).norm() < 1e-14, "{R} {approach}");
}

/// The closed form of J. J. Craig's *Introduction to Robotics* for the PUMA 560.
#[test]
fn a_puma_in_the_modified_convention() {
    let [a2, a3, d3, d4] = PUMA;
    let [q1, q2, q3, q4, q5, q6] = ANGLES;
    let (R, p) = chain(
        "modified",
        &[
            ("revolute", 0.0, 0.0, 0.0, q1),
            ("revolute", 0.0, -90.0, 0.0, q2),
            ("revolute", a2, 0.0, d3, q3),
            ("revolute", a3, -90.0, d4, q4),
            ("revolute", 0.0, 90.0, 0.0, q5),
            ("revolute", 0.0, -90.0, 0.0, q6),
        ],
    );
    let [(s1, c1), (s2, c2), (s23, c23), (s4, c4), (s5, c5)] = circular();
    let reach = a2 * c2 + a3 * c23 - d4 * s23;
    let expected = Vector3::new(c1 * reach - d3 * s1, s1 * reach + d3 * c1, -a3 * s23 - a2 * s2 - d4 * c23);
    let along = c23 * c4 * s5 + s23 * c5;
    let approach =
        Vector3::new(-c1 * along - s1 * s4 * s5, -s1 * along + c1 * s4 * s5, s23 * c4 * s5 - c23 * c5);
    assert!((p - expected).norm() < 1e-14, "{p} {expected}");
    assert!((R.column(2) - approach).norm() < 1e-14, "{R} {approach}");
}

/// One arm in both conventions: the modified rows have the a and α of the row before, and what is left of the
/// last row stands behind. Its third joint slides along z, so that its value adds to d.
#[test]
fn both_conventions_give_the_same_arm() {
    let standard = [
        ("revolute", 0.2, -90.0, 0.4, 30.0),
        ("revolute", 0.1, 90.0, 0.15, 250.0),
        ("prismatic", 0.05, 35.0, 0.3, 0.45),
        ("revolute", 0.0, 0.0, 0.1, -100.0),
    ];
    let mut modified = standard;
    for i in 0..4 {
        (modified[i].1, modified[i].2) =
            if i == 0 { (0.0, 0.0) } else { (standard[i - 1].1, standard[i - 1].2) };
    }
    let ((R, p), (R_other, p_other)) = (chain("standard", &standard), chain("modified", &modified));
    assert!((p - p_other).norm() < 1e-14 && (R - R_other).norm() < 1e-14);
}
