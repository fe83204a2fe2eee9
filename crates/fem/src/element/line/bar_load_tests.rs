//! PLOAD1 and temperatures on bars against closed forms.

use nalgebra::{DVector, Matrix3, Vector3};
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::BarProperty;
use pliant_mesh::{BarLoad, BarLoadScale, BarLoadType, NodeIndex};

use super::bar_fixture::{ALPHA, E, G, Options, cantilever, close, pbar};
use crate::element::contract::Placement;

fn pload1(axis: usize, moment: bool, x: [f64; 2], p: [f64; 2]) -> BarLoad {
    BarLoad {
        element: ElementRef::Bar(0),
        load_type: BarLoadType { moment, axis, element_axes: false },
        scale: BarLoadScale::Fraction,
        x1: x[0],
        p1: p[0],
        x2: x[1],
        p2: p[1],
    }
}

#[test]
fn distributed_loads_have_their_fixed_end_forces() {
    let (length, w) = (0.8, 900.0);
    let element = Options::bar(BarProperty { k1: None, ..pbar() }).straight(length);
    let f = element.bar_load(&pload1(1, false, [0.0, 1.0], [w, w])).unwrap();
    close(f[1], w * length / 2.0);
    close(f[5], w * length.powi(2) / 12.0);
    close(f[11], -w * length.powi(2) / 12.0);
    // Triangular, zero at A: 3/20 and 7/20 of wL, wL²/30 and wL²/20.
    let f = element.bar_load(&pload1(1, false, [0.0, 1.0], [0.0, w])).unwrap();
    close(f[1], 3.0 / 20.0 * w * length);
    close(f[7], 7.0 / 20.0 * w * length);
    close(f[5], w * length.powi(2) / 30.0);
    close(f[11], -w * length.powi(2) / 20.0);
    // A couple at midspan: V = 3M/2L, end moments M/4.
    let f = element.bar_load(&pload1(2, true, [0.5, 0.5], [w, w])).unwrap();
    close(f[7], 1.5 * w / length);
    close(f[5], -w / 4.0);
}

#[test]
fn a_loaded_cantilever_is_exact_at_its_tip() {
    // The exact tip deflection of one element proves the fixed-end forces with shear: wL⁴/8EI + wL²/2kGA.
    let (length, w, p) = (0.8, 900.0, pbar());
    let element = Options::bar(p.clone()).straight(length);
    let tip = |f: &DVector<f64>| cantilever(element.as_ref(), f.fixed_rows::<6>(6).into_owned());
    let f = element.bar_load(&pload1(1, false, [0.0, 1.0], [w, w])).unwrap();
    close(tip(&f)[1], w * length.powi(4) / (8.0 * E * p.i1) + w * length.powi(2) / (2.0 * 0.85 * G * p.area));
    // Concentrated at a = 0.3 L: Pa²(3L − a)/6EI + Pa/kGA.
    let (force, a) = (70.0, 0.3 * length);
    let f = element.bar_load(&pload1(2, false, [0.3, 0.3], [force, force])).unwrap();
    close(tip(&f)[2], force * a * a * (3.0 * length - a) / (6.0 * E * p.i2) + force * a / (0.5 * G * p.area));
    // Axial, triangular from 0 at A to w at B: u = wL²/3EA.
    let f = element.bar_load(&pload1(0, false, [0.0, 1.0], [0.0, w])).unwrap();
    close(tip(&f)[0], w * length.powi(2) / (3.0 * E * p.area));
}

#[test]
fn a_pin_changes_the_fixed_end_forces() {
    let (length, w) = (0.8, 900.0);
    let options = Options { pins: ["", "6"], ..Options::bar(BarProperty { k1: None, ..pbar() }) };
    let f = options.straight(length).bar_load(&pload1(1, false, [0.0, 1.0], [w, w])).unwrap();
    close(f[1], 5.0 / 8.0 * w * length);
    close(f[7], 3.0 / 8.0 * w * length);
    close(f[5], w * length.powi(2) / 8.0);
    assert!(f[11].abs() < 1e-12);
}

#[test]
fn projected_and_offset_loads_keep_their_resultant() {
    // A bar from (0,0,0) to (3,4,0): per projected length, FY acts on 3 of its 5.
    let placement = Placement {
        positions: vec![Vector3::zeros(), Vector3::new(3.0, 4.0, 0.0)],
        nodes: vec![NodeIndex(0), NodeIndex(1)],
        rotation: Matrix3::identity(),
    };
    let offset = Vector3::new(0.0, 0.0, 0.2);
    let options = Options { vector: Vector3::z(), offsets: [offset; 2], ..Options::bar(pbar()) };
    let element = options.build(&placement);
    let load =
        BarLoad { scale: BarLoadScale::FractionProjected, ..pload1(1, false, [0.0, 1.0], [10.0, 10.0]) };
    let f = element.bar_load(&load).unwrap();
    close(f[1] + f[7], 30.0);
    // Moment about the basic x axis: −z F_y with z = 0.2 all along.
    close(f[3] + f[9], -0.2 * 30.0);
    let outside = BarLoad { scale: BarLoadScale::Length, x2: 5.1, ..load };
    assert!(element.bar_load(&outside).is_none());
}

#[test]
fn a_heated_bar_expands() {
    let (length, offset) = (0.8, Vector3::new(0.0, 0.1, 0.0));
    let options = Options { offsets: [offset; 2], ..Options::bar(pbar()) };
    let element = options.straight(length);
    let f = element.thermal_load(&|node| if node == NodeIndex(0) { 60.0 } else { 100.0 }).unwrap();
    let d = cantilever(element.as_ref(), f.fixed_rows::<6>(6).into_owned());
    close(d[0], ALPHA * 60.0 * length);
    assert!(d.rows(1, 5).amax() < 1e-9 * d[0]);
}

/// Heated on its +y and +z sides, a bar curls away from them with the curvature αT′; linear gradients add
/// their moment.
#[test]
fn a_bar_with_a_temperature_gradient_bends() {
    let length = 0.8;
    let element = Options::bar(pbar()).straight(length);
    let [y, z] = [[30.0, 90.0], [-20.0, 70.0]];
    let f = element.temperature_gradient_load([[y[0], z[0]], [y[1], z[1]]]).unwrap();
    let d = cantilever(element.as_ref(), f.fixed_rows::<6>(6).into_owned());
    // Curvature κ(x) = a + (b − a)x/L turns the tip by L(a + b)/2 and shifts it by ∫(L − x)κ dx = L²(2a +
    // b)/6.
    let turn = |[a, b]: [f64; 2]| ALPHA * length * (a + b) / 2.0;
    let shift = |[a, b]: [f64; 2]| ALPHA * length * length * (2.0 * a + b) / 6.0;
    close(d[1], -shift(y));
    close(d[2], -shift(z));
    close(d[5], -turn(y));
    close(d[4], turn(z));
    assert!(d[0].abs() + d[3].abs() < 1e-9 * turn(y));
}
