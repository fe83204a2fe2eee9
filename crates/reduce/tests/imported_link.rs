//! A link from a supplier's matrices equals the link from the mesh they were made of.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use nalgebra::DMatrix;
use pliant_reduce::import::reduce_imported;
use pliant_reduce::request::Matrices;
use pliant_reduce::{LinkSource, Reduction, source};

use support::{mesh, reduce, reference, request};

const ENDS: &str = "inboard = 3\ninterfaces = { a = 11, b = 19, c = 27 }\n";

/// What NX Nastran punched and wrote: grids and EXTRN in bulk data, matrices in OP4.
fn imported(folder: &Path) -> Reduction {
    let mut request = request(
        "truss",
        &format!(
            "imported = {{ deck = \"ref_inboard.pch\", op4 = \"ref_inboard.op4\", stiffness = \"KXX\", mass = \"MXX\" }}\n{ENDS}"
        ),
    );
    let mesh = mesh(&folder.join("ref_inboard.pch"));
    let LinkSource::Imported(imported) = &mut request.source else { panic!("{request:?}") };
    let Matrices::Op4 { file, .. } = &mut imported.matrices else { panic!("the matrices are in OP4") };
    *file = folder.join(&file);
    let matrices = source::imported_matrices(&mesh, imported).unwrap();
    reduce_imported(&request, mesh, &matrices).unwrap()
}

/// Mass and centre are those that NX Nastran prints, and the modes beside the 18 interface components are its
/// component modes and residual vectors.
#[test]
fn the_files_of_an_external_superelement_are_enough() {
    let Some(folder) = reference("yeti_inboard_cb") else { return };
    let made = imported(&folder);
    assert_eq!(made.link.coordinate_count(), 26);
    assert_eq!(made.diagnostics.len(), 1, "what is lost is said: {:?}", made.diagnostics);
    assert!(made.health.grounding < 1e-12, "rigid motion costs nothing: {:e}", made.health.grounding);
    // GPWG of NX Nastran: mass 1.755052, centre (1039.998, 150, 150); grid 3 is at (600, 0, 300).
    let mass = made.link.invariants.mass();
    assert!((mass / 1.755_052 - 1.0).abs() < 1e-6, "{mass}");
    let centre = made.link.invariants.first_moment() / mass;
    assert!((centre - nalgebra::Vector3::new(439.998, 150.0, -150.0)).norm() < 2e-3, "{centre}");
    let printed = [6.129345, 6.130134, 23.63188, 70.51064, 70.79153, 104.8085, 281.949, 424.8138];
    for (found, printed) in made.health.modes_hz.iter().zip(printed) {
        // Its seven digits.
        assert!((found / printed - 1.0).abs() < 1e-6, "{:?}", made.health.modes_hz);
    }
    assert_eq!(made.link.validate(), Ok(()));
}

/// Stiffness and mass of the interfaces, and of the rigid link, against those from the mesh.
#[test]
fn it_is_the_link_of_its_mesh() {
    let Some(folder) = reference("yeti_inboard_cb") else { return };
    let made = imported(&folder).link;
    let request = request(
        "truss",
        &format!(
            "deck = \"inboard.dat\"\nmass = \"coupled\"\nmodes = {{ count = 3 }}\nsecond_order = false\n{ENDS}"
        ),
    );
    let own = reduce(&request, mesh(&folder.join("inboard.dat"))).unwrap().link;
    let close = |what: &str, a: &DMatrix<f64>, b: &DMatrix<f64>, size: usize| {
        let (a, b) = (a.view((0, 0), (size, size)), b.view((0, 0), (size, size)));
        let error = (a - b).amax() / b.amax();
        // As NX Nastran's matrices and ours agree.
        assert!(error < 1e-6, "{what}: {error:e}");
    };
    close("K", &made.K, &own.K, 18);
    close("M_EE", &made.invariants.M_EE, &own.invariants.M_EE, 18);
    let rigid = |link: &pliant_link::ReducedLink| DMatrix::from_fn(6, 6, |i, j| link.invariants.M0[(i, j)]);
    close("M0", &rigid(&made), &rigid(&own), 6);
}
