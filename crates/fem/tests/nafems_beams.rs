//! NAFEMS free-vibration cases of beams: FV2 and FV5 (*The Standard NAFEMS Benchmarks*, 1990, and *Selected
//! Benchmarks for Natural Frequency Analysis*, 1987).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use pliant_fem::AssemblyOptions;
use pliant_fem::element::MassKind;
use pliant_fem::solve::{ModesOptions, modes};
use pliant_mesh::Units;

/// Frequencies of a deck of inputs/verification with consistent mass.
fn frequencies(deck: &str) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../inputs/verification").join(deck);
    let deck = pliant_bulk::read(path, Units::SI);
    assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
    let mesh = deck.output.mesh;
    let options = ModesOptions::of_deck(&mesh).unwrap();
    let assembly = AssemblyOptions { mass: MassKind::Consistent, ..options.assembly };
    modes(&mesh, &ModesOptions { assembly, ..options }).unwrap().output.frequencies_hz
}

fn compare(name: &str, found: &[f64], reference: &[f64], tolerance: f64) {
    println!("{name}\n  mode  reference      found    error");
    for (k, (found, reference)) in found.iter().zip(reference).enumerate() {
        let error = found / reference - 1.0;
        println!("  {:4} {reference:10.3} {found:10.3} {:7.3} %", k + 1, 100.0 * error);
    }
    assert_eq!(found.len(), reference.len(), "{name}: {found:?}");
    for (found, reference) in found.iter().zip(reference) {
        assert!((found / reference - 1.0).abs() < tolerance, "{name}: {found} against {reference}");
    }
}

/// Closed form of slender beams: the arms bend as clamped–pinned and pinned–pinned beams. Four elements an
/// arm leave half a per cent in the second bending family; the slender-beam reference leaves out 0.1 % of
/// rotary inertia.
#[test]
fn fv2_pin_ended_double_cross() {
    let mut reference = vec![11.336];
    reference.extend([17.709; 7]);
    reference.push(45.345);
    reference.extend([57.390; 7]);
    compare("FV2 pin-ended double cross", &frequencies("nafems-fv2.bdf"), &reference, 0.008);
}

/// Timoshenko beam, shear factor 0.85: flexural pairs, torsion with J = I_p, extension. The references are
/// printed to five digits and carry a mesh of their own in torsion and extension.
#[test]
fn fv5_deep_simply_supported_beam() {
    let reference = [42.649, 42.649, 77.542, 125.00, 148.31, 148.31, 233.10, 284.55, 284.55];
    compare("FV5 deep simply supported beam", &frequencies("nafems-fv5.bdf"), &reference, 1e-3);
}
