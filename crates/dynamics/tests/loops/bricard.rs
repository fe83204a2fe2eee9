//! Bricard's mechanism (A04 of the IFToMM benchmark library): five square rods of 1 m, 1 kg and 0.1 m side
//! along the edges of a cube, six revolutes, gravity along −y. By counting it cannot move; its geometry lets
//! it, with one redundant constraint.
//!
//! With the threefold symmetry of the linkage alternate angles are equal, u and w, and `(1 + sin u)(1 + sin
//! w) = 1` (Chen, You and Tarnai 2005 for the threefold-symmetric linkage). That leaves one equation of
//! motion, integrated here on its own.

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_dynamics::{Settings, Simulation};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::Revolute;
use pliant_mechanism::{Attachment, Model, ModelBuilder, Placement, Redundancy};
use pliant_spatial::Transform;

use crate::support::{named, revolute};

const EDGES: [[f64; 3]; 5] =
    [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const AXES: [usize; 6] = [1, 2, 0, 1, 2, 0];

fn axis(i: usize) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[AXES[i]] = 1.0;
    axis
}

/// Inertia about the centre of the rod along edge `i`.
fn inertia(i: usize) -> Matrix3<f64> {
    let (along, across) = (0.01 / 6.0, (1.0 + 0.01) / 12.0);
    Matrix3::from_diagonal(&Vector3::from(EDGES[i]).map(|e| if e == 0.0 { across } else { along }))
}

fn model() -> Model {
    let links = (0..5).map(|i| {
        let edge = Vector3::from(EDGES[i]);
        let tip = [("tip".to_owned(), Transform::translation(edge))];
        named(ReducedLink::rigid(format!("rod{i}"), 1.0, edge * 0.5, inertia(i), tip))
    });
    let mut joints: Vec<_> = (0..5)
        .map(|i| {
            let parent = if i == 0 { String::new() } else { format!("rod{}", i - 1) };
            revolute(&format!("joint{i}"), &parent, &format!("rod{i}"), axis(i))
        })
        .collect();
    let mut last = revolute("joint5", "", "rod4", axis(5));
    last.parent = Attachment::Ground;
    last.joint = Box::new(Revolute::new(axis(5)).unwrap());
    last.child_interface = Some("tip".into());
    last.placement =
        Placement::Frames { X_TP: Transform::translation(Vector3::z()), X_LC: Transform::identity() };
    joints.push(last);
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: links.collect(),
        joints,
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Inertia and potential energy of the entire at angles (u, w) that change at unit rates (du, dw).
fn reduced(u: f64, w: f64, du: f64, dw: f64) -> (f64, f64) {
    let (mut R, mut p) = (Matrix3::identity(), Vector3::zeros());
    let (mut v, mut omega) = (Vector3::zeros(), Vector3::zeros());
    let (mut J, mut V) = (0.0, 0.0);
    for (i, edge) in EDGES.into_iter().enumerate() {
        let (angle, rate) = if i % 2 == 0 { (u, du) } else { (w, dw) };
        omega += R * axis(i) * rate;
        R *= Rotation3::new(axis(i) * angle).into_inner();
        let edge = R * Vector3::from(edge);
        let centre = v + omega.cross(&edge) * 0.5;
        J += centre.norm_squared() + omega.dot(&(R * inertia(i) * R.transpose() * omega));
        V += 9.81 * (p + edge * 0.5).y;
        v += omega.cross(&edge);
        p += edge;
    }
    (J, V)
}

fn tangent(u: f64, w: f64) -> (f64, f64) {
    let (a, b) = ((1.0 + u.sin()) * w.cos(), (1.0 + w.sin()) * u.cos());
    let norm = a.hypot(b);
    (a / norm, -b / norm)
}

/// Rates of (u, w, ṡ), s the arc length of the curve of configurations.
fn rates([u, w, speed]: [f64; 3]) -> [f64; 3] {
    let (du, dw) = tangent(u, w);
    let at = |h: f64| {
        let (u, w) = (u + h * du, w + h * dw);
        let (du, dw) = tangent(u, w);
        reduced(u, w, du, dw)
    };
    // Central differences, h = 1e-5: truncation and rounding together below 1e-9.
    let h = 1e-5;
    let ((J0, V0), (J1, V1), (J, _)) = (at(-h), at(h), at(0.0));
    let (J_s, V_s) = ((J1 - J0) / (2.0 * h), (V1 - V0) / (2.0 * h));
    [du * speed, dw * speed, -(0.5 * J_s * speed * speed + V_s) / J]
}

/// (u, w) at each of `count` equal times to `end`, by Runge and Kutta's rule with `inner` steps in between.
fn reference(end: f64, count: usize, inner: usize) -> Vec<[f64; 3]> {
    let h = end / (count * inner) as f64;
    let add = |a: [f64; 3], b: [f64; 3], f: f64| [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
    let mut y = [0.0; 3];
    let mut out = vec![y];
    for _ in 0..count {
        for _ in 0..inner {
            let k1 = rates(y);
            let k2 = rates(add(y, k1, 0.5 * h));
            let k3 = rates(add(y, k2, 0.5 * h));
            let k4 = rates(add(y, k3, h));
            for i in 0..3 {
                y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        out.push(y);
    }
    out
}

/// Angles of the first two joints at each of `count` equal times to `end`, with the largest misfit and energy
/// error.
fn run(end: f64, count: usize, inner: usize) -> (Vec<[f64; 2]>, f64, f64) {
    let model = model();
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let mut out = vec![[0.0; 2]];
    let (mut open, mut balance) = (0.0f64, 0.0f64);
    for n in 1..=count * inner {
        let target = end * n as f64 / (count * inner) as f64;
        simulation.advance(target - simulation.state().t).unwrap();
        open = open.max(simulation.work().constraint_error().0);
        if n % inner == 0 {
            out.push([simulation.state().q[0], simulation.state().q[1]]);
            balance = balance.max(simulation.energy().balance.abs());
        }
    }
    (out, open, balance)
}

#[test]
fn the_overconstrained_linkage_moves_as_its_one_equation_says() {
    let (end, count) = (10.0, 100);
    let exact = reference(end, count, 100);
    let ((coarse, _, _), (fine, open, balance)) = (run(end, count, 100), run(end, count, 200));
    let (mut worst, mut extrapolated) = (0.0f64, 0.0f64);
    for ((coarse, fine), exact) in coarse.iter().zip(&fine).zip(&exact) {
        for i in 0..2 {
            worst = worst.max((fine[i] - exact[i]).abs());
            extrapolated = extrapolated.max((fine[i] + (fine[i] - coarse[i]) / 3.0 - exact[i]).abs());
        }
    }
    println!(
        "error {worst:.2e} rad, extrapolated {extrapolated:.2e}, open {open:.2e} m, balance {balance:.2e} J"
    );
    // Ten seconds of swinging; with both steps extrapolated the error is that of the reference.
    assert!(worst < 1e-6 && extrapolated < 1e-7);
    assert!(open < 1e-10 && balance < 1e-5);
}
