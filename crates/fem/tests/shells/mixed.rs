//! Plates of CQUAD4 and CTRIA3 side by side, cell by cell as on a chessboard: as good as those of either
//! alone.

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate};

/// All of one kind, or both.
const MESHES: [(&str, [ShellShape; 2]); 3] = [
    ("CQUAD4", [ShellShape::Quad4; 2]),
    ("CTRIA3", [ShellShape::Tria3; 2]),
    ("both", [ShellShape::Quad4, ShellShape::Tria3]),
];

/// Deflection under the centre of a thin square plate of side 2, a quarter of it in `cells` × `cells` cells,
/// over that of MacNeal and Harder's plate (`macneal_harder.rs`), for which D = 1.6e-6, the pressure 1e-4 and
/// the force 4e-4.
fn plate(shapes: [ShellShape; 2], cells: usize, clamped: bool, uniform: bool) -> f64 {
    let thickness = 1e-3;
    let plate = Plate { youngs_modulus: 12.0 * 0.91 * 1e9, poisson_ratio: 0.3, density: 0.0, thickness };
    let position = |xi: f64, eta: f64| Vector3::new(xi, eta, 0.0);
    let mut model = Model::mixed(|i, j| shapes[(i + j) % 2], plate, (cells, cells), position);
    let last = model.last().0;
    model.fix_where("126", |_, _| true);
    model.fix_where(if clamped { "345" } else { "34" }, |i, _| i == 0);
    model.fix_where(if clamped { "345" } else { "35" }, |_, j| j == 0);
    model.fix_where("5", |i, _| i == last);
    model.fix_where("4", |_, j| j == last);
    let centre = model.lattice[&(last, last)];
    if uniform {
        model.pressure(1e-4, None);
    } else {
        model.push(centre, 2, 1e-4);
    }
    let theory = match (clamped, uniform) {
        (false, true) => 4.062,
        (false, false) => 11.60,
        (true, true) => 1.26,
        (true, false) => 5.60,
    };
    model.solve()[centre][2] / (theory * 1.6e-6)
}

/// Both together are off by no more than the worse of the two alone, and half a percent of them for the
/// change of sides.
#[test]
fn plates() {
    for (clamped, uniform) in [(false, true), (false, false), (true, true), (true, false)] {
        let name = format!(
            "{}, {}",
            if clamped { "clamped" } else { "supported" },
            if uniform { "pressure" } else { "point load" }
        );
        let errors = MESHES.map(|(shapes_name, shapes)| {
            let found = [2, 4, 8].map(|cells| plate(shapes, cells, clamped, uniform));
            println!("{name:<22} {shapes_name:<6} {found:.4?}");
            (found[2] - 1.0).abs()
        });
        assert!(errors[2] < errors[0].max(errors[1]) + 0.005, "{name}: {errors:?}");
    }
}

/// A strip of cells of length 1 and width 1, alternately of two triangles: tip under a force across it, over
/// FL³/3EI.
#[test]
fn cantilever() {
    for thickness in [0.001, 0.1] {
        for (name, shapes) in MESHES {
            let plate = Plate { youngs_modulus: 1.0, poisson_ratio: 0.0, density: 0.0, thickness };
            let mut model =
                Model::mixed(|i, _| shapes[i % 2], plate, (6, 1), |xi, eta| Vector3::new(6.0 * xi, eta, 0.0));
            model.fix_where("123456", |i, _| i == 0);
            let last = model.last().0;
            model.push_column(last, 2, 1.0);
            let found = model.solve()[model.lattice[&(last, 0)]][2] * thickness.powi(3) / 864.0;
            println!("cantilever t = {thickness}, {name:<6} {found:.4}");
            // Linear moments in six cells are exact in the plate's beam; half a percent is the twist of cells
            // cut askew.
            assert!((found - 1.0).abs() < 6e-3, "{name}: {found}");
        }
    }
}
