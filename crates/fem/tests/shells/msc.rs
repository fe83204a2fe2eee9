//! CQUAD4 and CTRIA3 against displacements and moments printed by MSC Nastran 2024.2 and frequencies printed
//! by NX (reference decks).

use nalgebra::DMatrix;
use pliant_fem::element::{ElementContext, ElementStress, all_elements, build};
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

/// σx, σy, τ at the centre and at G1 to G4 of chosen elements, as MSC Nastran 2024.2 prints them with
/// STRESS(CORNER), option BILIN (MystranSolver/MYSTRAN_Validation 4238b586, reference_msc/msc_temp, the f06
/// of the name of each deck): squares and triangles of a beam that bends in its plane, and rectangles of a
/// rotated orthotropic membrane whose material axes THETA gives.
const PRINTED: [(&str, u32, &[[f64; 3]]); 9] = [
    (
        "nas_b30_quad4_ltb.DAT",
        1,
        &[
            [-9.749717e4, 2.000448e-1, 9.999712e3],
            [6.001345e-2, 2.249798e3, 9.999712e3],
            [6.001345e-2, -2.249398e3, 9.999712e3],
            [-1.949944e5, -2.249398e3, 9.999712e3],
            [-1.949944e5, 2.249798e3, 9.999712e3],
        ],
    ),
    (
        "nas_b30_quad4_ltb.DAT",
        2,
        &[
            [-1.124968e5, -5.999766e-2, 9.999712e3],
            [-1.799931e-2, 2.249958e3, 9.999712e3],
            [-1.799931e-2, -2.250078e3, 9.999712e3],
            [-2.249935e5, -2.250078e3, 9.999712e3],
            [-2.249935e5, 2.249958e3, 9.999712e3],
        ],
    ),
    (
        "nas_b30_quad4_ltb.DAT",
        3,
        &[
            [8.249767e4, 7.269277e-1, 9.999712e3],
            [1.649951e5, -2.250451e3, 9.999712e3],
            [1.649951e5, 2.251905e3, 9.999712e3],
            [2.180783e-1, 2.251905e3, 9.999712e3],
            [2.180783e-1, -2.250451e3, 9.999712e3],
        ],
    ),
    (
        "nas_s30_shell_orthotropic_rotated_membrane_shear.DAT",
        1,
        &[
            [6.510006e-2, 1.469424e-2, 1.406118e-2],
            [7.570932e-2, 2.776522e-2, 1.406118e-2],
            [7.570932e-2, 1.623254e-3, 1.406118e-2],
            [5.449080e-2, 1.623254e-3, 1.406118e-2],
            [5.449080e-2, 2.776522e-2, 1.406118e-2],
        ],
    ),
    (
        "nas_s30_shell_orthotropic_rotated_membrane_shear.DAT",
        2,
        &[
            [5.093833e-2, 5.925413e-4, 2.755699e-3],
            [4.899667e-2, -1.102817e-3, 2.755699e-3],
            [4.899667e-2, 2.287900e-3, 2.755699e-3],
            [5.287999e-2, 2.287900e-3, 2.755699e-3],
            [5.287999e-2, -1.102817e-3, 2.755699e-3],
        ],
    ),
    (
        "nas_s30_shell_orthotropic_rotated_membrane_shear.DAT",
        4,
        &[
            [1.500021e-2, 4.983423e-2, -8.203462e-3],
            [7.717186e-3, 4.654093e-2, -8.203462e-3],
            [7.717186e-3, 5.312753e-2, -8.203462e-3],
            [2.228324e-2, 5.312753e-2, -8.203462e-3],
            [2.228324e-2, 4.654093e-2, -8.203462e-3],
        ],
    ),
    ("nas_b30_tri3_ltb.DAT", 33, &[[-6.118767e4, -1.453037e5, 7.382179e4]]),
    ("nas_b30_tri3_ltb.DAT", 55, &[[3.292953e5, 5.310665e4, -4.406866e4]]),
    ("nas_b30_tri3_ltb.DAT", 58, &[[8.752313e3, 4.530536e4, -5.384715e4]]),
];

/// Centre and corners within 1e-5 of the largest of the element: seven digits are printed, of stress that is
/// a difference of displacements.
#[test]
fn stresses_are_those_of_msc() {
    let mut worst = 0.0_f64;
    for (deck, id, printed) in PRINTED {
        let Some(path) = shared(&format!("shells/{deck}")) else { return };
        let mesh = read(&path);
        let (motion, _) = solve(&mesh);
        let which =
            all_elements(&mesh).into_iter().find(|which| mesh.element_facts(*which).id.0 == id).unwrap();
        let element = build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, which).unwrap();
        let dofs = element.dofs();
        let u = DMatrix::from_fn(dofs.len(), 1, |i, _| {
            motion[&mesh.node(dofs[i].node).id.0][dofs[i].component.row()]
        });
        let ElementStress::Shell(points) = element.stress(&u).unwrap().remove(0) else { panic!("a shell") };
        assert_eq!(points.len(), printed.len(), "{deck} {id}");
        let largest = printed.iter().flatten().fold(0.0, |a: f64, s| a.max(s.abs()));
        for (point, printed) in points.iter().zip(printed) {
            let t = point.thickness;
            for face in [-1.0, 1.0] {
                let stress = point.membrane / t + point.moment * (face * 6.0 / (t * t));
                for k in 0..3 {
                    worst = worst.max((stress[k] - printed[k]).abs() / largest);
                    assert!(
                        (stress[k] - printed[k]).abs() < 1e-5 * largest,
                        "{deck} {id}: {stress:?} {printed:?}"
                    );
                }
            }
        }
    }
    println!("stress of CQUAD4 at centre and corners and of CTRIA3, 9 elements: {worst:.1e} of MSC's");
}
