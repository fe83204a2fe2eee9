//! What every joint must satisfy.

use nalgebra::{Matrix3, Vector3};
use pliant_spatial::{Transform, Twist, twist};

use super::*;

/// Two that are perpendicular, of no particular length.
fn axes() -> [Vector3<f64>; 2] {
    let axis = Vector3::new(0.3, -0.5, 0.9);
    [axis, axis.cross(&Vector3::x())]
}

fn joints() -> Vec<Box<dyn Joint>> {
    let [axis, across] = axes();
    vec![
        Box::new(Fixed),
        Box::new(Revolute::new(axis).unwrap()),
        Box::new(Prismatic::new(axis).unwrap()),
        Box::new(Cylindrical::new(axis).unwrap()),
        Box::new(Universal::new(axis, across).unwrap()),
        Box::new(Spherical),
        Box::new(Free),
    ]
}

/// Configurations from zero to beyond a full turn.
fn configurations(joint: &dyn Joint) -> Vec<Vec<f64>> {
    let n = joint.velocity_count();
    let mut zero = vec![0.0; joint.position_count()];
    joint.set_zero(&mut zero);
    [0.0, 0.3, 1.6, std::f64::consts::PI, 4.0, 7.5]
        .into_iter()
        .map(|size| {
            let delta: Vec<f64> = (0..n).map(|i| size * (1.0 - 0.35 * i as f64)).collect();
            let mut q = zero.clone();
            joint.advance(&zero, &delta, &mut q);
            q
        })
        .collect()
}

fn velocities(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.8 - 0.5 * i as f64).collect()
}

fn subspace(joint: &dyn Joint, q: &[f64], v: &[f64]) -> (Vec<Twist>, Twist) {
    let mut S = vec![Twist::zeros(); joint.velocity_count()];
    let bias = joint.subspace(q, v, &mut S);
    (S, bias)
}

#[test]
fn zero_configuration_is_the_identity() {
    for joint in joints() {
        let q = &configurations(&*joint)[0];
        assert_eq!(joint.transform(q), Transform::identity(), "{}", joint.kind());
    }
}

#[test]
fn transforms_are_rigid_at_large_angles() {
    for joint in joints() {
        for q in configurations(&*joint) {
            let R = joint.transform(&q).R;
            assert!((R * R.transpose() - Matrix3::identity()).norm() < 1e-14, "{}", joint.kind());
            assert!((R.determinant() - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn coordinates_of_any_size_act_about_and_along_the_stated_axes() {
    // By nalgebra's own rotations, right-handed; angles beyond a full turn.
    let turn = |axis: Vector3<f64>, angle: f64| {
        nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle).into_inner()
    };
    let [axis, across] = axes();
    let (unit, none, long) = (axis.normalize(), Matrix3::identity(), Vector3::new(4.0, -1.5, 2.5));
    let expected: [(&[f64], Matrix3<f64>, Vector3<f64>); 7] = [
        (&[], none, Vector3::zeros()),
        (&[7.5], turn(axis, 7.5), Vector3::zeros()),
        (&[-7.5], none, unit * -7.5),
        (&[-4.0, 2.0], turn(axis, -4.0), unit * 2.0),
        (&[4.0, -7.5], turn(axis, 4.0) * turn(across, -7.5), Vector3::zeros()),
        (long.as_slice(), turn(long, long.norm()), Vector3::zeros()),
        (&[1.0, -2.0, 3.0, 4.0, -1.5, 2.5], turn(long, long.norm()), Vector3::new(1.0, -2.0, 3.0)),
    ];
    for (joint, (delta, R, p)) in joints().iter().zip(expected) {
        let mut zero = vec![0.0; joint.position_count()];
        joint.set_zero(&mut zero);
        let mut q = zero.clone();
        joint.advance(&zero, delta, &mut q);
        let X = joint.transform(&q);
        assert!((X.R - R).norm() < 1e-14 && (X.p - p).norm() < 1e-14, "{}", joint.kind());
    }
}

#[test]
fn subspace_is_the_derivative_of_the_transform() {
    // Central differences, h = 1e-5: truncation 1e-10, rounding 1e-11.
    let h = 1e-5;
    for joint in joints() {
        let n = joint.velocity_count();
        for q in configurations(&*joint) {
            let (S, _) = subspace(&*joint, &q, &velocities(n));
            for i in 0..n {
                let moved = |step: f64| {
                    let mut delta = vec![0.0; n];
                    delta[i] = step;
                    let mut out = q.clone();
                    joint.advance(&q, &delta, &mut out);
                    joint.transform(&out)
                };
                let (X, ahead, behind) = (joint.transform(&q), moved(h), moved(-h));
                let spin = X.R.transpose() * (ahead.R - behind.R) / (2.0 * h);
                let velocity = X.R.transpose() * (ahead.p - behind.p) / (2.0 * h);
                let expected = twist(velocity, Vector3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]));
                assert!((S[i] - expected).norm() < 1e-9, "{} coordinate {i}", joint.kind());
            }
        }
    }
}

#[test]
fn bias_is_the_derivative_of_the_subspace() {
    let h = 1e-5;
    for joint in joints() {
        let n = joint.velocity_count();
        let v = velocities(n);
        for q in configurations(&*joint) {
            let at = |t: f64| {
                let delta: Vec<f64> = v.iter().map(|v| v * t).collect();
                let mut out = q.clone();
                joint.advance(&q, &delta, &mut out);
                let (S, _) = subspace(&*joint, &out, &v);
                S.iter().zip(&v).fold(Twist::zeros(), |sum, (s, v)| sum + s * *v)
            };
            let expected = (at(h) - at(-h)) / (2.0 * h);
            let (_, bias) = subspace(&*joint, &q, &v);
            assert!((bias - expected).norm() < 1e-9, "{}", joint.kind());
        }
    }
}

#[test]
fn subspace_rates_are_its_derivatives_along_a_motion() {
    // Truncation h² of the first and, of second differences, rounding 1e-16/h².
    let h = 1e-4;
    for joint in joints() {
        let n = joint.velocity_count();
        let (v, a) = (velocities(n), (0..n).map(|i| 0.4 * i as f64 - 0.9).collect::<Vec<_>>());
        for q in configurations(&*joint) {
            // A path of these velocities and accelerations: of a rotation vector x, ω = ẋ − ½ x × ẋ + …, so
            // that ω̇ = ẍ at x = 0.
            let at = |t: f64| {
                let delta: Vec<f64> = v.iter().zip(&a).map(|(v, a)| t * (v + 0.5 * t * a)).collect();
                let mut out = q.clone();
                joint.advance(&q, &delta, &mut out);
                subspace(&*joint, &out, &v).0
            };
            let (behind, here, ahead) = (at(-h), at(0.0), at(h));
            let (mut first, mut second) = (vec![Twist::zeros(); n], vec![Twist::zeros(); n]);
            joint.subspace_rates(&q, &v, &a, &mut first, &mut second);
            for i in 0..n {
                let slope = (ahead[i] - behind[i]) / (2.0 * h);
                let bend = (ahead[i] - here[i] * 2.0 + behind[i]) / (h * h);
                assert!((first[i] - slope).norm() < 1e-7, "{} column {i}", joint.kind());
                assert!((second[i] - bend).norm() < 1e-6, "{} column {i}", joint.kind());
                if joint.has_constant_subspace() {
                    assert_eq!((first[i], second[i]), (Twist::zeros(), Twist::zeros()));
                }
            }
        }
    }
}

#[test]
fn no_singularity_in_the_promised_range() {
    for joint in joints() {
        let n = joint.velocity_count();
        for q in configurations(&*joint) {
            let (S, _) = subspace(&*joint, &q, &velocities(n));
            let gram = nalgebra::DMatrix::from_fn(n, n, |i, j| S[i].dot(&S[j]));
            // Unit axes that stay perpendicular: the Gram matrix is the identity everywhere.
            assert!((gram - nalgebra::DMatrix::identity(n, n)).norm() < 1e-12, "{}", joint.kind());
        }
    }
}
