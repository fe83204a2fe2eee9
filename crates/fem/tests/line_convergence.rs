//! Observed order of convergence of rods, tubes, bars and tapered beams, from decks to closed forms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_fem::{ModesOptions, modes, statics};
use pliant_mesh::{GridId, LinkMesh, Units};

const E: f64 = 2e11;
const RHO: f64 = 7800.0;
const LENGTH: f64 = 2.0;

/// A line of `count` elements along x, held at its root; `card` gives each element and its property by number
/// and position.
fn line(count: usize, held: &str, cards: &dyn Fn(usize, f64, f64) -> String, rest: &str) -> LinkMesh {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let mut text = "SOL 101\nCEND\nSPC = 1\nLOAD = 1\nMETHOD = 1\nBEGIN BULK\nEIGRL,1,,,3\n".to_owned();
    let at = |i: usize| LENGTH * i as f64 / count as f64;
    for i in 0..=count {
        text += &format!("GRID,{},,{:.12},0.,0.,,{held}\n", i + 1, at(i));
    }
    for i in 1..=count {
        text += &cards(i, at(i - 1), at(i));
    }
    text += &format!("MAT1,1,{E:.9e},,.3,{RHO:.1}\nSPC1,1,123456,1\n{rest}\nENDDATA\n");
    let name = format!("pliant-line-{}-{}.bdf", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).unwrap();
    let read = pliant_bulk::read(&path, Units::SI);
    std::fs::remove_file(&path).unwrap();
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.output.mesh
}

/// Observed order between two meshes, printed.
fn order(name: &str, counts: [usize; 2], error: impl Fn(usize) -> f64) -> f64 {
    let errors = counts.map(error);
    let ratio = counts[1] as f64 / counts[0] as f64;
    let order = (errors[0] / errors[1]).ln() / ratio.ln();
    println!("{name:<28} errors {:.2e} {:.2e}, order {order:.2}", errors[0], errors[1]);
    order
}

fn first_frequency(mesh: &LinkMesh) -> f64 {
    modes(mesh, &ModesOptions::of_deck(mesh).unwrap()).unwrap().output.frequencies_hz[0]
}

/// The first frequency of a rod held at one end is √(E/ρ)/4L. Lumped mass is of second order; with COUPMASS
/// rods take the mean of lumped and consistent mass, whose errors cancel to fourth order.
#[test]
fn rods_and_tubes_swing_along_their_axis() {
    let exact = (E / RHO).sqrt() / (4.0 * LENGTH);
    for (param, wanted) in [("", 2.0), ("PARAM,COUPMASS,1", 4.0)] {
        for family in ["CROD", "CONROD", "CTUBE"] {
            let cards = |i: usize, _: f64, _: f64| match family {
                "CROD" => format!("CROD,{i},1,{i},{}\n", i + 1),
                "CTUBE" => format!("CTUBE,{i},1,{i},{}\n", i + 1),
                _ => format!("CONROD,{i},{i},{},1,1.-3\n", i + 1),
            };
            let property = match family {
                "CROD" => "PROD,1,1,1.-3",
                "CTUBE" => "PTUBE,1,1,.05,.005",
                _ => "$",
            };
            let p = order(&format!("{family} {param}"), [4, 8], |count| {
                let mesh = line(count, "23456", &cards, &format!("{property}\n{param}"));
                (first_frequency(&mesh) / exact - 1.0).abs()
            });
            assert!((p - wanted).abs() < 0.2, "{family} {param}: order {p}");
        }
    }
}

/// The first frequency of a cantilever is 1.8751²/(2πL²) √(EI/ρA). Lumped mass is of second order, Hermite's
/// of fourth.
#[test]
fn bars_and_beams_swing() {
    let (area, inertia) = (1e-3, 1e-7);
    let exact =
        1.875_104_068_7_f64.powi(2) / (2.0 * PI * LENGTH * LENGTH) * (E * inertia / (RHO * area)).sqrt();
    for (param, wanted) in [("", 2.0), ("PARAM,COUPMASS,1", 4.0)] {
        for family in ["CBAR", "CBEAM"] {
            let cards = |i: usize, _: f64, _: f64| format!("{family},{i},1,{i},{},0.,1.,0.\n", i + 1);
            // K1 = K2 = 0: no transverse shear, as the closed form has none.
            let property = if family == "CBAR" {
                format!("PBAR,1,1,{area},{inertia:.9e},{inertia:.9e},{inertia:.9e}")
            } else {
                format!("PBEAM,1,1,{area},{inertia:.9e},{inertia:.9e},,{inertia:.9e},,\n,,,,,,,,,\n,0.,0.")
            };
            let p = order(&format!("{family} {param}"), [3, 6], |count| {
                let mesh = line(count, "1345", &cards, &format!("{property}\n{param}"));
                (first_frequency(&mesh) / exact - 1.0).abs()
            });
            assert!((p - wanted).abs() < 0.3, "{family} {param}: order {p}");
        }
    }
}

/// A cantilever of constant width whose depth falls by half, I = I₀(1 − x/2L)³, under a force P at its tip:
/// with s = 1 − x/2L the deflection is ∫P(L − x)²/(EI)dx = (8PL³/EI₀)∫(s − ½)²/s³ ds from ½ to 1 =
/// (8PL³/EI₀)(ln 2 − ⅝). PBEAM's I is linear within each element: second order.
#[test]
fn tapered_beams_bend() {
    let inertia = 1e-7;
    let exact = 8.0 * 100.0 * LENGTH.powi(3) / (E * inertia) * (2.0_f64.ln() - 0.625);
    let p = order("CBEAM, tapered", [4, 8], |count| {
        let cards = |i: usize, a: f64, b: f64| {
            let at = |x: f64| inertia * (1.0 - 0.5 * x / LENGTH).powi(3);
            let (ia, ib) = (at(a), at(b));
            format!(
                "CBEAM,{i},{i},{i},{},0.,1.,0.\nPBEAM,{i},1,1.-3,{ia:.9e},{ia:.9e},,{ia:.9e},,\n,,,,,,,,,\n,NO,1.,1.-3,{ib:.9e},{ib:.9e},,{ib:.9e},,\n,,,,,,,,,\n,0.,0.\n",
                i + 1
            )
        };
        let mesh = line(count, "1345", &cards, &format!("FORCE,1,{},,100.,0.,1.,0.", count + 1));
        let answer = statics(&mesh).unwrap().output;
        let tip = mesh.node_by_id(GridId(count as u32 + 1)).unwrap();
        (answer.subcases[0].u[answer.dofs.rows_of(tip).start + 1] / exact - 1.0).abs()
    });
    assert!((p - 2.0).abs() < 0.2, "order {p}");
}
