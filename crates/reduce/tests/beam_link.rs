//! A built-in beam as a link, against closed forms.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;

use nalgebra::DMatrix;
use pliant_link::InertiaTerms;
use pliant_mesh::Units;
use pliant_reduce::{Reduction, reduce_mesh, source};

use support::{beam_of, mesh_of, reduce, request};

fn beam(text: &str) -> Reduction {
    let request = request("beam", text);
    reduce_mesh(&request, source::beam_mesh(beam_of(&request)).unwrap()).unwrap()
}

const ROD: &str = "beam = { length = 2.0, section = { values = { area = 4e-4, i1 = 2e-8, i2 = 5e-8, j = 3e-8 } }, \
                   material = { e = 2e11, nu = 0.3, rho = 7800 }, elements = 16 }\n";

#[test]
fn static_response_to_interface_loads_is_exact() {
    let reduction = beam(&format!("{ROD} modes = {{ count = 6 }}"));
    let link = &reduction.link;
    let (E, L, i1) = (2e11, 2.0_f64, 2e-8);
    let mut load = nalgebra::DVector::zeros(link.coordinate_count());
    load[1] = 10.0; // tip force along y: δ = F L³ / 3 E I₁, slope F L² / 2 E I₁
    let q = link.K.clone().lu().solve(&load).unwrap();
    let d = &link.interfaces[0].V * q;
    assert!((d[1] / (10.0 * L.powi(3) / (3.0 * E * i1)) - 1.0).abs() < 1e-9, "{}", d[1]);
    assert!((d[5] / (10.0 * L.powi(2) / (2.0 * E * i1)) - 1.0).abs() < 1e-9, "{}", d[5]);
}

#[test]
fn health_of_a_beam() {
    let reduction = beam(&format!("{ROD} modes = {{ count = 12 }}"));
    let health = &reduction.health;
    assert!((health.mass - 7800.0 * 4e-4 * 2.0).abs() < 1e-12 * health.mass);
    assert!(health.mass_error < 1e-12, "{:e}", health.mass_error);
    assert!(health.inertia_error < 1e-10, "{:e}", health.inertia_error);
    assert!(health.grounding < 1e-12, "{:e}", health.grounding);
    assert_eq!(health.failed(), []);
    // Free-free Euler beam: cos βL cosh βL = 1, (βL)² = 22.3733 for the first mode, here about y and about z.
    let first = |i: f64| 22.373_285 / 4.0 * (2e11 * i / (7800.0 * 4e-4)).sqrt() / std::f64::consts::TAU;
    let (reduced, full) = health.frequencies_hz[0];
    // Rotary inertia and the mesh lower it by a few 1e-4; reduction by far less.
    assert!((full / first(2e-8) - 1.0).abs() < 1e-3, "{full} {}", first(2e-8));
    assert!((reduced / full - 1.0).abs() < 1e-4, "{reduced} {full}");
    let (reduced, full) = health.frequencies_hz[1];
    assert!(
        (full / first(5e-8) - 1.0).abs() < 1e-3 && (reduced / full - 1.0).abs() < 1e-4,
        "{reduced} {full}"
    );
}

/// Lumped mass puts half of an element at each of its ends: n of them have m L²/12 (1 + 2/n²) about the
/// centre. The link has that inertia, its own check compares with it, and the difference to the beam is
/// reported; Nastran's coupled mass of a CBEAM lacks the rotary inertia ρI alone.
#[test]
fn lumped_and_coupled_mass_pass_the_check_of_the_inertia() {
    let (mass, L, n) = (7800.0 * 4e-4 * 2.0, 2.0_f64, 16);
    let mut deck = String::from("BEGIN BULK\nMAT1,1,2.+11,,.3,7800.\nPBEAM,1,1,4.-4,2.-8,5.-8,,3.-8\n");
    for i in 0..=n {
        writeln!(deck, "GRID,{},,{:.6},0.,0.", i + 1, L * f64::from(i) / f64::from(n)).unwrap();
    }
    for i in 1..=n {
        writeln!(deck, "CBEAM,{i},1,{i},{},0.,1.,0.", i + 1).unwrap();
    }
    deck.push_str("ENDDATA\n");
    let lumped = 1.0 + 2.0 / f64::from(n * n);
    for (word, factor, said) in [("lumped", lumped, "0.77 %"), ("coupled", 1.0, "0.04 %")] {
        let request = request(
            "beam",
            &format!(
                "deck = \"test.bdf\"\ninboard = 1\ninterfaces = {{ tip = 17 }}\nmass = \"{word}\"\nmodes = {{ count = 6 }}\n"
            ),
        );
        let reduction = reduce(&request, mesh_of(&deck)).unwrap();
        assert_eq!(reduction.health.failed(), [], "{word}");
        assert!(reduction.health.inertia_error < 1e-10, "{word}: {:e}", reduction.health.inertia_error);
        let inertia = reduction.link.invariants.M0[(4, 4)];
        let expected = mass * L * L * (factor / 12.0 + 0.25);
        assert!((inertia / expected - 1.0).abs() < 1e-10, "{word}: {inertia} for {expected}");
        let messages: Vec<String> = reduction.diagnostics.iter().map(|d| d.headline()).collect();
        assert!(messages.iter().any(|m| m.contains(word) && m.contains(said)), "{word}: {messages:?}");
    }
}

#[test]
fn kinetic_energy_of_rigid_motion_is_that_of_the_beam() {
    let reduction = beam(&format!("{ROD} modes = {{ count = 6 }}"));
    let link = &reduction.link;
    let mut terms = InertiaTerms::new(&link.invariants);
    let zero = vec![0.0; link.coordinate_count()];
    let spin = nalgebra::Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 3.0);
    terms.evaluate(&link.invariants, &zero, &zero, &spin);
    let energy = terms.kinetic_energy(&link.invariants, &zero, &spin);
    // ½ (ρA L³/3 + ρ I₁ L) ω²
    let inertia = 7800.0 * (4e-4 * 8.0 / 3.0 + 2e-8 * 2.0);
    assert!((energy / (0.5 * inertia * 9.0) - 1.0).abs() < 1e-10, "{energy}");
}

#[test]
fn every_basis_makes_a_link_that_vanishes_inboard() {
    for basis in ["craig-bampton", "cantilever", "clamped-clamped", "guyan", "free-free"] {
        let reduction = beam(&format!("{ROD} basis = '{basis}'\nmodes = {{ count = 8 }}"));
        for column in &reduction.shapes.columns {
            let largest = column.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(column[..6].iter().all(|x| x.abs() < 1e-9 * largest), "{basis}: {:?}", &column[..6]);
        }
        assert_eq!(reduction.health.grounding, reduction.health.grounding.min(1e-12), "{basis}");
    }
}

#[test]
fn units_do_not_change_the_link() {
    let si = beam(&format!("{ROD} modes = {{ count = 6 }}"));
    let mut mesh = si.mesh.clone();
    let mm = Units::MM_T_S;
    for node in &mut mesh.nodes {
        node.position /= mm.length;
    }
    if let pliant_mesh::MaterialLaw::Isotropic { youngs_modulus, shear_modulus, .. } =
        &mut mesh.materials[0].law
    {
        *youngs_modulus /= mm.stress();
        *shear_modulus /= mm.stress();
    }
    mesh.materials[0].density /= mm.density();
    if let pliant_mesh::property::PropertyKind::Bar(_, bar) = &mut mesh.properties[0].kind {
        bar.area /= mm.length.powi(2);
        for i in [&mut bar.i1, &mut bar.i2, &mut bar.torsion_constant] {
            *i /= mm.length.powi(4);
        }
    }
    let request = request(
        "beam",
        "deck = 'x'\nunits = 'mm-t-s'\ninboard = 1\ninterfaces = { tip = 17 }\nmodes = { count = 6 }",
    );
    let other = reduce(&request, mesh).unwrap();
    let close = |a: &nalgebra::DMatrix<f64>, b: &nalgebra::DMatrix<f64>| (a - b).amax() <= 1e-9 * a.amax();
    assert!(close(&si.link.K, &other.link.K));
    // Modes may differ in sign; the boundary block may not.
    let block = |r: &Reduction| r.link.invariants.M_EE.view((0, 0), (6, 6)).into_owned();
    assert!(close(&block(&si), &block(&other)));
    assert!((si.link.invariants.M0 - other.link.invariants.M0).amax() < 1e-9 * si.link.invariants.M0.amax());
}

/// A table of frequencies against ratios: every mode of the link clamped at its inboard end has the ratio of
/// its frequency, φᵀDφ = 2ζω with φᵀMφ = 1.
#[test]
fn damping_by_frequency_table() {
    let table = "damping = { ratio = [[5, 0.01], [105, 0.03]], rayleigh = { beta = 1e-6 } }";
    let link = beam(&format!("{ROD} modes = {{ count = 8 }}\n{table}")).link;
    let (K, M) = (&link.K, &link.invariants.M_EE);
    let inverse = M.clone().cholesky().unwrap().l().try_inverse().unwrap();
    let A = &inverse * K * inverse.transpose();
    let eigen = ((&A + A.transpose()) * 0.5).symmetric_eigen();
    let mut seen = [false; 3];
    for (j, square) in eigen.eigenvalues.iter().enumerate() {
        let (phi, omega) = (inverse.transpose() * eigen.eigenvectors.column(j), square.sqrt());
        let zeta = (phi.transpose() * (&link.D - K * 1e-6) * &phi)[0] / (2.0 * omega);
        let hz = omega / std::f64::consts::TAU;
        let expected = 0.01 + 0.02 * ((hz - 5.0) / 100.0).clamp(0.0, 1.0);
        seen[usize::from(hz > 5.0) + usize::from(hz > 105.0)] = true;
        assert!((zeta - expected).abs() < 1e-9, "{hz} Hz: {zeta} {expected}");
    }
    assert!(seen[1] && seen[2], "modes inside and above the table");
}

/// ω₁L²√(ρA/EI) of a simply supported link of linear elements, from its reduced matrices with every mode
/// kept: the frame turns by θ about z at the inboard end, and the tip stays on the line, θL + q_y = 0.
fn simply_supported(elements: usize, element: &str, slenderness: f64) -> f64 {
    let i = slenderness * slenderness;
    let reduction = beam(&format!(
        "beam = {{ length = 1, section = {{ values = {{ area = 1, i1 = {i}, k = [0.8864, 0.8864] }} }}, \
         material = {{ e = {}, nu = 0.3, rho = 1 }}, elements = {elements}, element = '{element}' }}\n\
         modes = {{ count = {} }}",
        1.0 / i,
        6 * (elements - 1)
    ));
    let link = &reduction.link;
    let n = link.coordinate_count();
    assert_eq!(n, 6 * elements, "every mode is kept");
    // Coordinates: θ, then q without the tip's y.
    let mut T = DMatrix::zeros(1 + n, n);
    (T[(0, 0)], T[(2, 0)]) = (1.0, -1.0);
    for (column, row) in (0..n).filter(|j| *j != 1).enumerate() {
        T[(1 + row, 1 + column)] = 1.0;
    }
    let (mut K, mut M) = (DMatrix::zeros(1 + n, 1 + n), DMatrix::zeros(1 + n, 1 + n));
    K.view_mut((1, 1), (n, n)).copy_from(&link.K);
    M.view_mut((1, 1), (n, n)).copy_from(&link.invariants.M_EE);
    M[(0, 0)] = link.invariants.M0[(5, 5)];
    for j in 0..n {
        (M[(0, 1 + j)], M[(1 + j, 0)]) = (link.invariants.C0[(5, j)], link.invariants.C0[(5, j)]);
    }
    // The other supports of the inboard end hold: only motion in the plane is left by the modes of the plane.
    let (K, M) = (T.transpose() * K * &T, T.transpose() * M * &T);
    let inverse = M.cholesky().unwrap().l().try_inverse().unwrap();
    let A = &inverse * K * inverse.transpose();
    let squares = ((&A + A.transpose()) * 0.5).symmetric_eigen();
    // The plane of the supports is x–y; the lowest mode that turns the frame is its first.
    let turns = |j: &usize| {
        let y = inverse.transpose() * squares.eigenvectors.column(*j);
        y[0].abs() > 1e-6 * y.amax()
    };
    let in_plane = (0..n).filter(turns).map(|j| squares.eigenvalues[j]);
    in_plane.fold(f64::INFINITY, f64::min).sqrt()
}

/// Theory §7, Naganathan's Table I: every entry to the last digit shown, through a beam link.
#[test]
fn timoshenkos_table_through_a_beam_link() {
    let slenderness = [0.02, 0.04, 0.06, 0.08, 0.10];
    let rows = [
        (2, "linear-full", [51.518, 27.055, 19.245, 15.446, 13.164]),
        (5, "linear-full", [19.831, 12.936, 10.957, 9.919, 9.173]),
        (10, "linear-full", [12.913, 10.479, 9.692, 9.131, 8.623]),
        (20, "linear-full", [10.650, 9.810, 9.367, 8.933, 8.486]),
        (2, "linear-reduced", [13.686, 13.218, 12.552, 11.793, 11.017]),
        (5, "linear-reduced", [10.291, 10.052, 9.694, 9.262, 8.796]),
        (10, "linear-reduced", [9.915, 9.695, 9.364, 8.963, 8.527]),
        (20, "linear-reduced", [9.824, 9.608, 9.284, 8.891, 8.462]),
    ];
    let mut wrong = Vec::new();
    for (elements, element, given) in rows {
        let found = slenderness.map(|r| format!("{:.3}", simply_supported(elements, element, r)));
        println!("{elements:>3} {element:<15} {}", found.join("  "));
        if found != given.map(|x| format!("{x:.3}")) {
            wrong.push((elements, element, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_linear_element_needs_shear_factors() {
    let request = request("beam", &ROD.replace("elements = 16", "elements = 16, element = 'linear-full'"));
    let problem = source::beam_mesh(beam_of(&request)).unwrap_err();
    assert!(problem.message.contains("`linear-full` beams shear"), "{}", problem.message);
    assert!(problem.span.is_some(), "the section's location");
}

#[test]
fn bulk_data_says_that_it_has_no_linear_beam() {
    let values = "section = { tube = { od = 0.06, t = 0.003 } }, material = 'steel'";
    let text = |element: &str| {
        let request = request("beam", &format!("beam = {{ length = 0.8, {values}, element = '{element}' }}"));
        pliant_bulk::write(&source::beam_mesh(beam_of(&request)).unwrap().mesh)
    };
    assert!(text("linear-reduced").contains("$ the beams are linear Timoshenko elements"));
    assert!(!text("hermite").contains("linear Timoshenko"));
}

/// A beam that bends alike both ways has its modes in pairs: half of a pair has no direction of its own.
#[test]
fn pairs_of_modes_are_not_cut_in_silence() {
    let round = ROD.replace("i2 = 5e-8", "i2 = 2e-8");
    let warnings = |modes: &str| {
        let reduction = beam(&format!("{round} modes = {modes}"));
        let about = reduction.diagnostics.iter().filter(|d| d.message.contains("same frequency"));
        (about.map(|d| (d.message.clone(), d.hints.join(" "))).collect::<Vec<_>>(), reduction.health.modes_hz)
    };
    let (cut, _) = warnings("{ count = 3 }");
    assert_eq!(cut.len(), 1, "{cut:?}");
    assert!(cut[0].0.starts_with("modes 3 to 4 "), "{cut:?}");
    assert!(cut[0].1.contains("count = 4"), "{cut:?}");
    assert_eq!(warnings("{ count = 4 }").0, []);
    assert_eq!(warnings("{ below_hz = 300 }").0, []);
    // A choice of ours keeps pairs complete by itself: the only single modes are those of torsion, n/2L
    // √(GJ/ρI_p), and stretching, n/2L √(E/ρ).
    let single = |hz: f64| {
        let speeds = [(2e11_f64 / 2.6 * 3e-8 / (7800.0 * 4e-8)).sqrt(), (2e11_f64 / 7800.0).sqrt()];
        // The mesh of 16 elements raises them by up to 1 % for n = 3.
        speeds.iter().any(|c| (1..4).any(|n| (hz / (f64::from(n) * c / 4.0) - 1.0).abs() < 0.02))
    };
    for limit in [50, 100, 150, 200, 300, 400, 600] {
        let (cut, hz) = warnings(&format!("{{ accuracy = 1e-2, accurate_to_hz = {limit} }}"));
        assert_eq!(cut, [], "{limit}: {hz:?}");
        let has_partner = |f: f64| hz.iter().filter(|g| (*g / f - 1.0).abs() < 1e-6).count() == 2;
        assert!(hz.iter().all(|f| has_partner(*f) || single(*f)), "{limit}: {hz:?}");
    }
}

/// A cut-off far below the link's first frequency keeps what that one needs: a link is healthy with any
/// cut-off.
#[test]
fn a_cut_off_keeps_enough_modes_by_itself() {
    for below in [1, 20, 60, 150, 400] {
        let reduction = beam(&format!("{ROD} modes = {{ below_hz = {below} }}"));
        let (reduced, full) = reduction.health.frequencies_hz[0];
        println!("below {below} Hz: {reduced:.3} for {full:.3}, {:?}", reduction.health.modes_hz);
        assert!(reduction.health.failed().is_empty(), "{below}: {:?}", reduction.health.failed());
    }
    let few = beam(&format!("{ROD} basis = 'clamped-clamped'\nmodes = {{ count = 1 }}"));
    assert_eq!(few.health.failed().len(), 1, "{:?}", few.health.failed());
    for check in few.health.failed() {
        let remedy = check.remedy.unwrap_or_default();
        assert!(remedy.contains("below_hz") && remedy.contains("accuracy"), "{remedy}");
    }
}

/// A load on an interface is answered by its constraint modes: what is left of it is rounding, and no
/// coordinate.
#[test]
fn a_load_that_the_basis_answers_adds_no_coordinate() {
    let modes = "modes = { count = 6 }";
    let plain = beam(&format!("{ROD} {modes}"));
    for directions in ["tip.x", "tip.y", "tip.rz"] {
        let asked = beam(&format!("{ROD} {modes}\nresidual = ['{directions}']"));
        assert_eq!(asked.link.coordinate_count(), plain.link.coordinate_count(), "{directions}");
    }
    let gravity = beam(&format!("{ROD} {modes}\nresidual = ['tip.y', 'gravity.y']"));
    assert_eq!(
        gravity.link.coordinate_count(),
        plain.link.coordinate_count() + 1,
        "its weight is another load"
    );
    assert_eq!(gravity.health.failed(), []);
}
