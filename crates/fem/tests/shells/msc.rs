//! CQUAD4 and CTRIA3 against displacements and moments printed by MSC Nastran 2024.2 and frequencies printed
//! by NX (reference decks).

use pliant_fem::{ModesOptions, modes};
use serde_json::Value;

use crate::decks::{read, shared, solve};

/// Rectangles, constant-strain triangles and a rotated orthotropic membrane: every printed component within
/// 1e-5 of the largest of its kind, what the printed digits and the order of summation leave.
#[test]
fn displacements_are_those_of_msc() {
    let Some(reference) = shared("shells/reference.json") else { return };
    let json: Value = serde_json::from_str(&std::fs::read_to_string(reference).unwrap()).unwrap();
    for run in json["runs"].as_array().unwrap() {
        let deck = run["deck"].as_str().unwrap();
        let Some(path) = shared(&format!("shells/{deck}")) else { return };
        let mesh = read(&path);
        let (motion, answer) = solve(&mesh);
        let wanted = run["displacements_key"]["1"].as_object().unwrap();
        let value = |grid: &str, k: usize| wanted[grid][k].as_f64().unwrap();
        for kind in [0, 3] {
            let largest =
                wanted.keys().flat_map(|g| (kind..kind + 3).map(|k| value(g, k).abs())).fold(0.0, f64::max);
            let worst = wanted
                .keys()
                .flat_map(|g| (kind..kind + 3).map(move |k| (g, k)))
                .map(|(g, k)| (motion[&g.parse::<u32>().unwrap()][k] - value(g, k)).abs() / largest)
                .fold(0.0, f64::max);
            println!("{deck:<60} components {}–{}: {worst:.1e}", kind + 1, kind + 3);
            assert!(worst < 1e-5, "{deck}: {worst:e}");
        }
        // Moments about the normal at supports: the stiffness of PARAM,K6ROT.
        for moment in run["spc_moments"]["values"].as_array().into_iter().flatten() {
            let moment = moment.as_f64().unwrap();
            let nearest = mesh.nodes.iter().enumerate().map(|(i, _)| {
                let rows = answer.dofs.rows_of(pliant_mesh::NodeIndex::from(i));
                (answer.subcases[0].spc_forces[rows.start + 5] / moment - 1.0).abs()
            });
            let off = nearest.fold(f64::INFINITY, f64::min);
            println!("{deck:<60} SPC moment {moment:e}: {off:.1e}");
            assert!(off < 1e-5, "{deck}: {moment:e} is off by {off:e}");
        }
    }
}

/// A frame of bars on CTRIA3, which K6ROT alone keeps from turning about their normals: NX's frequencies.
#[test]
fn bars_on_triangles_vibrate_as_in_nx() {
    let Some(path) = shared("defects/decks/bars-on-trias.bdf") else { return };
    let mesh = read(&path);
    let found = modes(&mesh, &ModesOptions::of_deck(&mesh).unwrap()).unwrap().output.frequencies_hz;
    let elastic: Vec<f64> = found.iter().copied().filter(|f| *f > 1.0).collect();
    let nx = [46.014, 47.388, 147.612, 309.849, 441.412];
    println!("bars on CTRIA3: {elastic:.3?} Hz, NX {nx:?}");
    for (f, r) in elastic.iter().zip(nx) {
        assert!((f / r - 1.0).abs() < 0.02, "{f} Hz for {r}");
    }
    assert!(elastic.len() >= nx.len());
}
