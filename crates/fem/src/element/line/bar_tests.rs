//! CBAR and CBEAM against closed forms.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, DVector, Matrix3, Vector3, Vector6};
use pliant_mesh::element::{BarKind, ElementRef};
use pliant_mesh::property::{BarProperty, BeamProperty, BeamStation};
use pliant_mesh::{MaterialLaw, NodeIndex};

use super::bar_fixture::{E, G, Options, RHO, cantilever, close, pbar, pbeam, station, straight_placement};
use crate::element::contract::{self, Contract, MassFacts, Placement};
use crate::element::patch::observed_order;
use crate::element::{ElementContext, MassKind, build};

const ENDS: [Vector3<f64>; 2] = [Vector3::new(0.4, -0.2, 0.7), Vector3::new(1.3, 0.5, 1.1)];
const VECTOR: Vector3<f64> = Vector3::new(0.3, 1.0, -0.4);

fn axes(a: Vector3<f64>, b: Vector3<f64>) -> Matrix3<f64> {
    let x = (b - a).normalize();
    let z = x.cross(&VECTOR).normalize();
    Matrix3::from_columns(&[x, z.cross(&x), z])
}

/// A uniform bar between offset ends: rod of mass m and length L with the inertia of its sections.
fn uniform_facts(p: &BarProperty, a: Vector3<f64>, b: Vector3<f64>) -> MassFacts {
    let length = (b - a).norm();
    let mass = (RHO * p.area + p.nsm) * length;
    let across = mass * length * length / 12.0;
    let [i1, i2, i12] = [p.i1, p.i2, p.i12].map(|i| RHO * i * length);
    let inertia = Matrix3::new(i1 + i2, 0.0, 0.0, 0.0, i2 + across, -i12, 0.0, -i12, i1 + across);
    let Q = axes(a, b);
    MassFacts { mass, centre: (a + b) / 2.0, inertia_about_centre: Some(Q * inertia * Q.transpose()) }
}

#[test]
fn cbar_keeps_the_contract() {
    let offsets = [Vector3::new(0.02, -0.05, 0.03), Vector3::new(-0.01, 0.04, 0.06)];
    let [a, b] = [0, 1].map(|i| ENDS[i] + offsets[i]);
    for (name, i12, pins, zero_energy_modes) in
        [("CBAR", 0.0, ["", ""], 6), ("CBAR I12", 1e-6, ["", ""], 6), ("CBAR pinned", 1e-6, ["56", "46"], 10)]
    {
        let p = BarProperty { i12, ..pbar() };
        let options = Options { vector: VECTOR, offsets, pins, ..Options::bar(p.clone()) };
        contract::check(&Contract {
            name,
            positions: ENDS.to_vec(),
            build: &|placement| options.build(placement),
            zero_energy_modes,
            mass: Some(uniform_facts(&p, a, b)),
        });
    }
}

#[test]
fn cbeam_keeps_the_contract() {
    // Tapered, every axis apart; the mass of a linear taper from scale 1 to 3 has its centre at 7/12 of the
    // length.
    let beam = BeamProperty {
        k1: Some(0.7),
        k2: Some(0.6),
        neutral_axis: [[0.02, -0.01], [0.05, 0.03]],
        ..pbeam(vec![station(0.0, 1.0), station(1.0, 3.0)])
    };
    let options = Options { vector: VECTOR, ..Options::beam(beam) };
    let [a, b] = ENDS;
    let length = (b - a).norm();
    let Q = axes(a, b);
    // ∫ξ(1+2ξ)/∫(1+2ξ) = 7/12, and the neutral axis weighted the same way.
    let mass = RHO * 3e-3 * 2.0 * length;
    let n1 = 0.02 + 0.03 * 7.0 / 12.0;
    let n2 = -0.01 + 0.04 * 7.0 / 12.0;
    let centre = a + Q * Vector3::new(7.0 / 12.0 * length, n1, n2);
    contract::check(&Contract {
        name: "CBEAM tapered",
        positions: ENDS.to_vec(),
        build: &|placement| options.build(placement),
        zero_energy_modes: 6,
        mass: Some(MassFacts { mass, centre, inertia_about_centre: None }),
    });
}

/// Structural mass on the reference axis, non-structural mass beside it with its own polar inertia: two
/// bodies.
#[test]
fn cbeam_carries_its_nonstructural_mass_beside_it() {
    let (nsm, nsi, offset) = (5.0, 0.01, Vector3::new(0.0, 0.03, -0.04));
    let uniform = |position| BeamStation { nsm, ..station(position, 1.0) };
    let beam = BeamProperty {
        nsm_offset: [[offset.y, offset.z]; 2],
        nsi: [nsi; 2],
        ..pbeam(vec![uniform(0.0), uniform(1.0)])
    };
    let options = Options { vector: VECTOR, ..Options::beam(beam) };
    let [a, b] = ENDS;
    let length = (b - a).norm();
    let [structural, other] = [RHO * 3e-3, nsm].map(|m| m * length);
    let mass = structural + other;
    let centre = offset * (other / mass);
    let slender =
        |m: f64| Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, 1.0)) * (m * length * length / 12.0);
    let steiner = |m: f64, d: Vector3<f64>| (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * m;
    let sections = Vector3::new(RHO * 5.5e-6 + nsi, RHO * 1.5e-6, RHO * 4e-6) * length;
    let inertia = Matrix3::from_diagonal(&sections)
        + slender(mass)
        + steiner(structural, -centre)
        + steiner(other, offset - centre);
    let Q = axes(a, b);
    contract::check(&Contract {
        name: "CBEAM with NSM",
        positions: ENDS.to_vec(),
        build: &|placement| options.build(placement),
        zero_energy_modes: 6,
        mass: Some(MassFacts {
            mass,
            centre: (a + b) / 2.0 + Q * centre,
            inertia_about_centre: Some(Q * inertia * Q.transpose()),
        }),
    });
}

#[test]
fn a_cantilever_bends_and_shears() {
    let (length, p) = (0.8, pbar());
    let element = Options::bar(p.clone()).straight(length);
    let force = 1000.0;
    let d = cantilever(element.as_ref(), Vector6::new(0.0, force, 0.0, 0.0, 0.0, 0.0));
    close(d[1], force * length.powi(3) / (3.0 * E * p.i1) + force * length / (0.85 * G * p.area));
    close(d[5], force * length.powi(2) / (2.0 * E * p.i1));
    let d = cantilever(element.as_ref(), Vector6::new(0.0, 0.0, force, 0.0, 0.0, 0.0));
    close(d[2], force * length.powi(3) / (3.0 * E * p.i2) + force * length / (0.5 * G * p.area));
    close(d[4], -force * length.powi(2) / (2.0 * E * p.i2));
    let d = cantilever(element.as_ref(), Vector6::new(force, 0.0, 0.0, 30.0, 0.0, 0.0));
    close(d[0], force * length / (E * p.area));
    close(d[3], 30.0 * length / (G * p.torsion_constant));
}

#[test]
fn the_product_of_inertia_bends_askew() {
    let (length, i12) = (0.8, 1.1e-6);
    let p = BarProperty { i12, ..pbar() };
    let element = Options::bar(p.clone()).straight(length);
    let (py, pz) = (300.0, -500.0);
    let d = cantilever(element.as_ref(), Vector6::new(0.0, py, pz, 0.0, 0.0, 0.0));
    let factor = length.powi(3) / (3.0 * E * (p.i1 * p.i2 - i12 * i12));
    close(d[1], factor * (p.i2 * py - i12 * pz));
    close(d[2], factor * (p.i1 * pz - i12 * py));
}

#[test]
fn an_offset_bar_bends_under_an_axial_force() {
    let (length, h, p) = (0.8, 0.12, pbar());
    let offset = Vector3::y() * h;
    let options = Options { offsets: [offset; 2], ..Options::bar(p.clone()) };
    let element = options.straight(length);
    let force = 5000.0;
    let d = cantilever(element.as_ref(), Vector6::new(force, 0.0, 0.0, 0.0, 0.0, 0.0));
    // The force acts h below the axis: moment +F h about z, so κ = F h / EI1, and the grid is h below the
    // axis.
    let kappa = force * h / (E * p.i1);
    close(d[0], force * length / (E * p.area) + kappa * h * length);
    close(d[1], kappa * length * length / 2.0);
    close(d[5], kappa * length);
}

#[test]
fn a_neutral_axis_offset_does_the_same() {
    let (length, n) = (0.8, 0.05);
    let beam =
        BeamProperty { neutral_axis: [[n, 0.0]; 2], ..pbeam(vec![station(0.0, 1.0), station(1.0, 1.0)]) };
    let element = Options::beam(beam).straight(length);
    let force = 5000.0;
    let d = cantilever(element.as_ref(), Vector6::new(force, 0.0, 0.0, 0.0, 0.0, 0.0));
    let kappa = force * n / (E * 4e-6);
    close(d[0], force * length / (E * 3e-3) + kappa * n * length);
    close(d[1], kappa * length * length / 2.0);
    // A force through the shear centre does not twist, whatever the neutral axis.
    let d = cantilever(element.as_ref(), Vector6::new(0.0, 0.0, force, 0.0, 0.0, 0.0));
    assert!(d[3].abs() < 1e-15, "{}", d[3]);
}

#[test]
fn a_tapered_cantilever_has_its_closed_form() {
    // I = I₀(1 + cξ): δ = PL³/(EI₀c³) [a² ln a − 2ac + (a² − 1)/2] with a = 1 + c, and shear PL ln a/(kGA₀c).
    for c in [0.5, 8.0, -0.9] {
        let (length, a): (f64, f64) = (0.8, 1.0 + c);
        let beam = BeamProperty { k1: Some(0.7), ..pbeam(vec![station(0.0, 1.0), station(1.0, a)]) };
        let element = Options::beam(beam).straight(length);
        let force = 100.0;
        let d = cantilever(element.as_ref(), Vector6::new(0.0, force, 0.0, 0.0, 0.0, 0.0));
        let bending = (a * a * a.ln() - 2.0 * a * c + (a * a - 1.0) / 2.0) / c.powi(3);
        close(
            d[1],
            force * length.powi(3) / (E * 4e-6) * bending + force * length * a.ln() / (0.7 * G * 3e-3 * c),
        );
    }
}

#[test]
fn a_pinned_end_passes_no_moment_on() {
    let length = 0.8;
    let p = BarProperty { k1: None, k2: None, ..pbar() };
    let options = Options { pins: ["", "6"], ..Options::bar(p.clone()) };
    let K = options.straight(length).stiffness().unwrap();
    close(K[(7, 7)], 3.0 * E * p.i1 / length.powi(3));
    assert_eq!(K[(11, 11)], 0.0);
    close(K[(8, 8)], 12.0 * E * p.i2 / length.powi(3));
    // Free to slide at A: no axial force anywhere.
    let options = Options { pins: ["1", ""], ..Options::bar(p) };
    let K = options.straight(length).stiffness().unwrap();
    assert!(K.column(6).amax() < 1e-12 * K.amax());
}

#[test]
fn sections_without_inertia_leave_their_forces_out() {
    let p = BarProperty { i1: 0.0, torsion_constant: 0.0, ..pbar() };
    let K = Options::bar(p.clone()).straight(0.8).stiffness().unwrap();
    for row in [1, 3, 5, 7, 9, 11] {
        assert!(K.row(row).iter().all(|k| *k == 0.0), "row {row}");
    }
    close(K[(0, 0)], E * p.area / 0.8);
}

#[test]
fn nastran_masses_are_as_recorded() {
    // The numbers of FORMULATION.md, on one bar without offsets.
    let length = 0.8;
    let p = pbar();
    let m = (RHO * p.area + p.nsm) * length;
    let bar = Options::bar(p.clone()).straight(length);
    let M = bar.mass(MassKind::Lumped).unwrap();
    for row in 0..12 {
        let exact = if row % 6 < 3 { m / 2.0 } else { 0.0 };
        assert!((M[(row, row)] - exact).abs() < 1e-14 * m, "row {row}");
    }
    let M = bar.mass(MassKind::Coupled).unwrap();
    close(M[(0, 0)], m * 5.0 / 12.0);
    close(M[(0, 6)], m / 12.0);
    close(M[(1, 1)], m * 156.0 / 420.0);
    close(M[(1, 5)], m * 22.0 * length / 420.0);
    close(M[(5, 11)], -m * 3.0 * length * length / 420.0);
    close(M[(2, 4)], -m * 22.0 * length / 420.0);
    assert_eq!(M[(3, 3)], 0.0);
    let beam = Options { kind: BarKind::Beam, ..Options::bar(p.clone()) }.straight(length);
    let M = beam.mass(MassKind::Lumped).unwrap();
    close(M[(3, 3)], RHO * (p.i1 + p.i2) * length / 2.0);
    assert_eq!(M[(5, 5)], 0.0);
}

#[test]
fn bad_bars_are_named() {
    let placement = straight_placement(1.0);
    let message = |options: Options, placement: &Placement| {
        let mesh = options.mesh(placement);
        build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Bar(0)).err().unwrap().headline()
    };
    let along = Options { vector: Vector3::x(), ..Options::bar(pbar()) };
    assert!(message(along, &placement).contains("orientation vector"));
    assert!(message(Options::bar(pbar()), &straight_placement(0.0)).contains("the two ends coincide"));
    let section = Options::bar(BarProperty { i12: 3e-6, ..pbar() });
    assert!(message(section, &placement).starts_with("CBAR 7: property 1: I1·I2"));
}

#[test]
fn warping_is_left_out_and_said_so() {
    let beam = BeamProperty { warping: [1e-9, 0.0], ..pbeam(vec![station(0.0, 1.0), station(1.0, 1.0)]) };
    let mut mesh = Options::beam(beam).mesh(&straight_placement(1.0));
    mesh.bars[0].warping_points[1] = Some(NodeIndex(1));
    let found: Vec<String> = crate::element::beam_warnings(&mesh).iter().map(|d| d.headline()).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("CBEAM 7: the warping freedoms at scalar points 2"));
    assert!(found[1].starts_with("PBEAM 1: the warping coefficients"));
    let mesh = Options::bar(BarProperty { i12: 1e-6, ..pbar() }).mesh(&straight_placement(1.0));
    let found: Vec<String> = crate::element::beam_warnings(&mesh).iter().map(|d| d.headline()).collect();
    assert_eq!(found, ["PBAR 1: K1 and K2 are left out of CBARs because I12 is not zero, as in Nastran"]);
}

/// Quarter ring of radius R clamped at one end, force P across its plane at the other (Timoshenko, *Strength
/// of Materials*): δ = PR³ [π/4 /EI + (3π/4 − 2)/GJ]. Straight elements converge with the square of their
/// length.
#[test]
fn a_bow_of_bars_converges_to_the_curved_beam() {
    let (radius, p): (f64, BarProperty) =
        (0.6, BarProperty { k1: None, k2: None, i1: 2e-6, i2: 2e-6, ..pbar() });
    let pi = std::f64::consts::PI;
    let exact = radius.powi(3) * (pi / 4.0 / (E * 2e-6) + (3.0 * pi / 4.0 - 2.0) / (G * p.torsion_constant));
    let counts = [4, 8, 16];
    let errors = counts.map(|count| {
        let point = |i: usize| {
            let (sin, cos) = (i as f64 / count as f64 * pi / 2.0).sin_cos();
            // Tilted out of the basic planes, so that all three directions take part.
            nalgebra::Rotation3::from_euler_angles(0.4, 0.9, -0.3)
                * Vector3::new(radius * cos, radius * sin, 0.0)
        };
        let normal = nalgebra::Rotation3::from_euler_angles(0.4, 0.9, -0.3) * Vector3::z();
        let size = 6 * (count + 1);
        let mut K = DMatrix::zeros(size, size);
        for i in 0..count {
            let placement = Placement {
                positions: vec![point(i), point(i + 1)],
                nodes: vec![NodeIndex(0), NodeIndex(1)],
                rotation: Matrix3::identity(),
            };
            let options = Options { vector: normal, ..Options::bar(p.clone()) };
            let mut view = K.view_mut((6 * i, 6 * i), (12, 12));
            view += options.build(&placement).stiffness().unwrap();
        }
        let mut f = DVector::zeros(size - 6);
        f.rows_mut(size - 12, 3).copy_from(&normal);
        let K_ff = K.view((6, 6), (size - 6, size - 6)).into_owned();
        let d = K_ff.cholesky().unwrap().solve(&f);
        (d.rows(size - 12, 3).dot(&normal) / exact - 1.0).abs()
    });
    let order = observed_order("quarter ring", &counts.map(|n| 1.0 / n as f64), &errors);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    assert!(errors[2] < 4e-3, "error {}", errors[2]);
}

/// Stiffness and lumped mass of one CBAR as MSC Nastran 2019 punched them
/// (../shared/nastran/cofe_svanberg_bar).
#[test]
fn msc_punched_the_same_matrices() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nastran/cofe_svanberg_bar/ref_barmat.pch");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("SKIPPED: {path} is not there");
        return;
    };
    // The deck: E = 1.44e9, ν = 0.33, ρ = 5.37078819, length 1 along x, v along y.
    let p = BarProperty {
        area: 15000.0,
        i1: 2500.0,
        i2: 250.0,
        torsion_constant: 25000.0,
        nsm: 0.0,
        k1: None,
        k2: None,
        ..pbar()
    };
    let mut mesh = Options::bar(p).mesh(&straight_placement(1.0));
    mesh.materials[0].density = 5.37078819;
    mesh.materials[0].law = MaterialLaw::Isotropic {
        youngs_modulus: 1.44e9,
        shear_modulus: 1.44e9 / 2.66,
        poisson_ratio: 0.33,
        thermal_expansion: 0.0,
    };
    let element = build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Bar(0)).unwrap();
    for (name, found) in [("K10", element.stiffness()), ("M10", element.mass(MassKind::Lumped))] {
        let punched = punched_matrix(&text, name);
        assert!(punched.amax() > 0.0, "{name} is not in the file");
        // Ten digits are punched.
        let error = (found.unwrap() - &punched).amax() / punched.amax();
        assert!(error < 1e-9, "{name}: {error:e}");
    }
}

/// A symmetric DMIG in long format over components 1 to 6 of grids 1 and 2.
fn punched_matrix(text: &str, name: &str) -> DMatrix<f64> {
    let mut A = DMatrix::zeros(12, 12);
    let mut column = None;
    let row = |line: &str| -> usize {
        let number = |from: usize| line[from..from + 16].trim().parse::<usize>().unwrap();
        6 * (number(24) - 1) + number(40) - 1
    };
    for line in text.lines() {
        if line.starts_with("DMIG*") {
            column = (line[8..24].trim() == name).then(|| row(line));
        } else if let (Some(j), true) = (column, line.starts_with('*')) {
            // Here grid and component stand one field earlier.
            let i = row(&format!("{:16}{line}", ""));
            let value: f64 = line[40..56].trim().parse().unwrap();
            A[(i, j)] = value;
            A[(j, i)] = value;
        } else {
            column = None;
        }
    }
    A
}
