//! The two Timoshenko beams of the literature: theory.md §7.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::f64::consts::PI;

use nalgebra::{DMatrix, Matrix3, Vector3, Vector6};
use pliant_mesh::NodeIndex;
use pliant_mesh::element::ShearIntegration;

use super::beam_section::{BeamError, BeamSection};
use super::hermite::HermiteBeam;
use super::timoshenko::TimoshenkoBeam;
use crate::element::contract::{self, Contract, MassFacts, Placement};
use crate::element::patch::observed_order;
use crate::element::{Element, MassKind};

const SHEAR_FACTOR: f64 = 0.8864;

/// A round section of radius of gyration r/2 = `slenderness` (the length is 1), with EI = ρA = 1.
fn section(slenderness: f64) -> BeamSection {
    let i = slenderness * slenderness;
    BeamSection {
        area: 1.0,
        i1: i,
        i2: i,
        torsion_constant: 2.0 * i,
        shear_factors: [Some(SHEAR_FACTOR); 2],
        youngs_modulus: 1.0 / i,
        shear_modulus: 1.0 / i / 2.6,
        density: 1.0,
    }
}

fn kept(component: usize) -> bool {
    component == 1 || component == 5
}

/// First ω of a simply supported beam of length 1 in plane 1, from `count` equal elements.
fn simply_supported(count: usize, element: impl Fn(f64) -> Box<dyn Element>) -> f64 {
    let h = 1.0 / count as f64;
    let element = element(h);
    let (K_e, M_e) = (element.stiffness().unwrap(), element.mass(MassKind::Consistent).unwrap());
    let size = 2 * (count + 1);
    let (mut K, mut M) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    let row = |e: usize, dof: usize| 2 * (e + dof / 6) + usize::from(dof % 6 == 5);
    for e in 0..count {
        for i in (0..12).filter(|i| kept(i % 6)) {
            for j in (0..12).filter(|j| kept(j % 6)) {
                K[(row(e, i), row(e, j))] += K_e[(i, j)];
                M[(row(e, i), row(e, j))] += M_e[(i, j)];
            }
        }
    }
    let free: Vec<usize> = (0..size).filter(|row| *row != 0 && *row != size - 2).collect();
    let pick = |A: &DMatrix<f64>| DMatrix::from_fn(free.len(), free.len(), |i, j| A[(free[i], free[j])]);
    let inverse = pick(&M).cholesky().unwrap().l().try_inverse().unwrap();
    let standard = &inverse * pick(&K) * inverse.transpose();
    let standard = (&standard + standard.transpose()) * 0.5;
    standard.symmetric_eigenvalues().min().sqrt()
}

fn linear(slenderness: f64, integration: ShearIntegration) -> impl Fn(f64) -> Box<dyn Element> {
    move |h| {
        let beam = TimoshenkoBeam::new(
            [NodeIndex(0), NodeIndex(1)],
            [Vector3::zeros(), Vector3::x() * h],
            Vector3::y(),
            &section(slenderness),
            integration,
        );
        Box::new(beam.unwrap())
    }
}

fn hermite(slenderness: f64) -> impl Fn(f64) -> Box<dyn Element> {
    move |h| {
        let ends = [Vector3::zeros(), Vector3::x() * h];
        let beam = HermiteBeam::new([NodeIndex(0), NodeIndex(1)], ends, Vector3::y(), &section(slenderness));
        Box::new(beam.unwrap())
    }
}

/// Lower root of EIβ⁴ − [ρA + (ρI + ρEI/kG)β²]ω² + (ρ²I/kG)ω⁴ = 0 with β = π: sin πx satisfies the equations
/// of a simply supported Timoshenko beam (Timoshenko, *Vibration Problems in Engineering*).
fn exact(slenderness: f64) -> f64 {
    let s = section(slenderness);
    let i = s.i1;
    let kg = SHEAR_FACTOR * s.shear_modulus;
    let (a, b, c) = (i / kg, -(1.0 + (i + 1.0 / kg) * PI * PI), PI.powi(4));
    // The stable form of the smaller root.
    (2.0 * c / (-b + (b * b - 4.0 * a * c).sqrt())).sqrt()
}

/// Naganathan's Table I as theory.md §7 gives it.
#[test]
fn timoshenkos_table_is_met_to_the_last_digit() {
    let columns = [0.02, 0.04, 0.06, 0.08, 0.10];
    let full = ShearIntegration::Full;
    let reduced = ShearIntegration::Reduced;
    let table = [
        (2, full, [51.518, 27.055, 19.245, 15.446, 13.164]),
        (5, full, [19.831, 12.936, 10.957, 9.919, 9.173]),
        (10, full, [12.913, 10.479, 9.692, 9.131, 8.623]),
        (20, full, [10.650, 9.810, 9.367, 8.933, 8.486]),
        (2, reduced, [13.686, 13.218, 12.552, 11.793, 11.017]),
        (5, reduced, [10.291, 10.052, 9.694, 9.262, 8.796]),
        (10, reduced, [9.915, 9.695, 9.364, 8.963, 8.527]),
        (20, reduced, [9.824, 9.608, 9.284, 8.891, 8.462]),
    ];
    let mut wrong = Vec::new();
    let mut check = |name: String, found: [f64; 5], given: [f64; 5]| {
        println!("{name:>12}: {}", found.map(|x| format!("{x:.3}")).join("  "));
        for (x, y) in found.iter().zip(given) {
            if format!("{x:.3}") != format!("{y:.3}") {
                wrong.push(format!("{name}: {x:.5} for {y:.3}"));
            }
        }
    };
    for (count, integration, row) in table {
        let found = columns.map(|x| simply_supported(count, linear(x, integration)));
        check(format!("{count} {integration:?}"), found, row);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The table's last row. Its 9.793 and 8.866 are 0.0011 and 0.0007 below the frequency equation, which the
/// elements themselves converge to (next to the other three it rounds as shown); so the equation is the
/// reference.
#[test]
fn the_elements_converge_to_the_frequency_equation() {
    for (slenderness, given) in [(0.02, 9.793), (0.04, 9.580), (0.06, 9.258), (0.08, 8.866), (0.10, 8.441)] {
        let wanted = exact(slenderness);
        assert!((wanted - given).abs() < 0.0012, "{slenderness}: {wanted} against {given}");
        // Richardson from an element of order 2, on ω².
        let [coarse, fine] =
            [40, 80].map(|n| simply_supported(n, linear(slenderness, ShearIntegration::Reduced)).powi(2));
        let limit = ((4.0 * fine - coarse) / 3.0).sqrt();
        println!(
            "r/2L = {slenderness}: extrapolated {limit:.6}, frequency equation {wanted:.6}, table {given}"
        );
        assert!((limit - wanted).abs() < 1e-5, "{slenderness}: {limit} against {wanted}");
    }
}

#[test]
fn the_hermitian_beam_never_locks() {
    println!("  r/L      tip, 1 element   ω₁, 8 elements   exact");
    for slenderness in [0.1, 0.03, 0.01, 1e-3, 1e-4] {
        // PL³/3EI + PL/kGA with one element.
        let beam = hermite(slenderness)(1.0);
        let K_bb = beam.stiffness().unwrap().fixed_view::<6, 6>(6, 6).into_owned();
        let tip = K_bb.lu().solve(&Vector6::new(0.0, 1.0, 0.0, 0.0, 0.0, 0.0)).unwrap()[1];
        let s = section(slenderness);
        let wanted = 1.0 / 3.0 + 1.0 / (SHEAR_FACTOR * s.shear_modulus);
        assert!((tip / wanted - 1.0).abs() < 1e-9, "r/L = {slenderness}: {tip} {wanted}");
        let omega = simply_supported(8, hermite(slenderness));
        let wanted_omega = exact(slenderness);
        println!("  {slenderness:<8} {tip:<16.6} {omega:<16.6} {wanted_omega:.6}");
        // 1.3e-3 for the stubbiest, from the shear strain being constant within an element, and less for all
        // others.
        assert!((omega / wanted_omega - 1.0).abs() < 1.5e-3, "r/L = {slenderness}: {omega} {wanted_omega}");
    }
}

#[test]
fn frequencies_converge_at_their_orders() {
    let slenderness = 0.05;
    let order = |name: &str, counts: [usize; 3], element: &dyn Fn(f64) -> Box<dyn Element>| {
        let errors = counts.map(|n| (simply_supported(n, element) / exact(slenderness) - 1.0).abs());
        observed_order(name, &counts.map(|n| 1.0 / n as f64), &errors)
    };
    // The shear strain is constant within an element: second order, with a small constant.
    let p = order("Hermitian", [4, 8, 16], &hermite(slenderness));
    assert!((p - 2.0).abs() < 0.1, "order {p}");
    let p = order("linear, reduced", [8, 16, 32], &linear(slenderness, ShearIntegration::Reduced));
    assert!((p - 2.0).abs() < 0.1, "order {p}");
    let p = order("linear, full", [32, 64, 128], &linear(slenderness, ShearIntegration::Full));
    assert!((p - 2.0).abs() < 0.1, "order {p}");
}

/// Without shear flexibility the Hermitian beam is Rayleigh's, ω² = π⁴/(1 + π²i²), and of fourth order.
#[test]
fn a_beam_rigid_in_shear_converges_at_fourth_order() {
    let slenderness: f64 = 0.05;
    let s = BeamSection { shear_factors: [None; 2], ..section(slenderness) };
    let wanted = (PI.powi(4) / (1.0 + (PI * slenderness).powi(2))).sqrt();
    let counts = [4, 8, 16];
    let errors = counts.map(|n| {
        let omega = simply_supported(n, |h| {
            let ends = [Vector3::zeros(), Vector3::x() * h];
            Box::new(HermiteBeam::new([NodeIndex(0), NodeIndex(1)], ends, Vector3::y(), &s).unwrap())
        });
        (omega / wanted - 1.0).abs()
    });
    let p = observed_order("Rayleigh", &counts.map(|n| 1.0 / n as f64), &errors);
    assert!((p - 4.0).abs() < 0.1, "order {p}");
}

#[test]
fn both_keep_the_contract() {
    let ends: [Vector3<f64>; 2] = [Vector3::new(0.4, -0.2, 0.7), Vector3::new(1.3, 0.5, 1.1)];
    let vector = Vector3::new(0.3, 1.0, -0.4);
    let s = BeamSection { i1: 0.02, i2: 0.01, ..section(0.1) };
    let length = (ends[1] - ends[0]).norm();
    let x: Vector3<f64> = (ends[1] - ends[0]) / length;
    let z = x.cross(&vector).normalize();
    let Q = Matrix3::from_columns(&[x, z.cross(&x), z]);
    let inertia = |across: f64| {
        let diagonal = Vector3::new(0.03, 0.01 + across, 0.02 + across) * length;
        Some(Q * Matrix3::from_diagonal(&diagonal) * Q.transpose())
    };
    let facts = || MassFacts {
        mass: length,
        centre: (ends[0] + ends[1]) / 2.0,
        inertia_about_centre: inertia(length * length / 12.0),
    };
    let positions = |p: &Placement| [p.positions[0], p.positions[1]];
    let nodes = |p: &Placement| [p.nodes[0], p.nodes[1]];
    contract::check(&Contract {
        name: "Hermitian Timoshenko",
        positions: ends.to_vec(),
        build: &|p| Box::new(HermiteBeam::new(nodes(p), positions(p), p.turn(vector), &s).unwrap()),
        zero_energy_modes: 6,
        mass: Some(facts()),
    });
    for integration in [ShearIntegration::Full, ShearIntegration::Reduced] {
        contract::check(&Contract {
            name: "linear Timoshenko",
            positions: ends.to_vec(),
            build: &|p| {
                let beam = TimoshenkoBeam::new(nodes(p), positions(p), p.turn(vector), &s, integration);
                Box::new(beam.unwrap())
            },
            zero_energy_modes: 6,
            mass: Some(facts()),
        });
    }
}

#[test]
fn bad_beams_are_refused() {
    let nodes = [NodeIndex(0), NodeIndex(1)];
    let ends = [Vector3::zeros(), Vector3::x()];
    let along = HermiteBeam::new(nodes, ends, Vector3::x(), &section(0.1)).unwrap_err();
    assert_eq!(along, BeamError::VectorAlongAxis);
    let rigid = BeamSection { shear_factors: [None; 2], ..section(0.1) };
    assert!(HermiteBeam::new(nodes, ends, Vector3::y(), &rigid).is_ok());
    let error =
        TimoshenkoBeam::new(nodes, ends, Vector3::y(), &rigid, ShearIntegration::Reduced).unwrap_err();
    assert!(error.to_string().contains("shear factors"));
    let error = HermiteBeam::new(nodes, [Vector3::x(); 2], Vector3::y(), &rigid).unwrap_err();
    assert_eq!(error, BeamError::NoLength);
}
