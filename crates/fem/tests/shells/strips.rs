//! Strips of triangles one cell wide, bent in their plane by couples at their ends: constant curvature M/EI and the stress 12My/h³t, whatever the slant of the
//! cells and the diagonals that cut them (`element/shell/strip.rs`).

use nalgebra::{DMatrix, Vector3};
use pliant_fem::element::ElementStress;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate};

/// What leans of inner edges make of six cells.
#[derive(Clone, Copy, Debug)]
enum Cells {
    Parallelograms,
    Trapezoids,
}

/// A strip of width 1 between upright ends, its inner edges leaning by `lean` to 1.
#[derive(Clone, Copy, Debug)]
struct Strip {
    cells: Cells,
    /// Length of a cell.
    length: f64,
    lean: f64,
    poisson_ratio: f64,
}

/// Turn of the end over ML/EI, and the largest error of the stress over that of the outer fibre.
fn bend(strip: Strip) -> (f64, f64) {
    let count = 6;
    let plate =
        Plate { youngs_modulus: 1.0, poisson_ratio: strip.poisson_ratio, density: 0.0, thickness: 1.0 };
    let mut model = Model::new(ShellShape::Tria3, plate, (count, 1), |xi, eta| {
        let edge = (xi * count as f64).round() as usize;
        let lean = match (strip.cells, edge) {
            (_, 0) => 0.0,
            (_, edge) if edge == count => 0.0,
            (Cells::Trapezoids, edge) if edge % 2 == 1 => -strip.lean,
            _ => strip.lean,
        };
        Vector3::new(strip.length * edge as f64 + lean * (eta - 0.5), eta - 0.5, 0.0)
    });
    model.fix_where("345", |_, _| true);
    let last = model.last().0;
    let [below, above, far_below, far_above] =
        [(0, 0), (0, 2), (last, 0), (last, 2)].map(|place| model.lattice[&place]);
    model.fix(below, "12");
    model.fix(above, "1");
    // A couple of 1: compression above.
    model.push(far_below, 0, 1.0);
    model.push(far_above, 0, -1.0);
    let u = model.solve();
    let turn = (u[far_below][0] - u[far_above][0]) - (u[below][0] - u[above][0]);
    let mut worst = 0.0_f64;
    for element in model.elements() {
        let own = element.dofs().iter().map(|dof| u[dof.node.index()][dof.component.row()]);
        let own = DMatrix::from_iterator(element.dofs().len(), 1, own);
        for point in
            element.stress(&own).expect("a shell has stress").into_iter().flat_map(|stress| match stress {
                ElementStress::Shell(points) => points,
                other => panic!("a shell has {other:?}"),
            })
        {
            let axis = point.axes.transpose() * Vector3::x();
            let wanted =
                Vector3::new(axis.x * axis.x, axis.y * axis.y, axis.x * axis.y) * (-12.0 * point.position.y);
            worst = worst.max((point.membrane - wanted).amax() / 6.0);
        }
    }
    (turn / (12.0 * strip.length * count as f64), worst)
}

fn strips(poisson_ratio: f64) -> impl Iterator<Item = Strip> {
    let shapes = [0.5, 1.0, 2.0, 5.0].into_iter().flat_map(|length| {
        [-1.7, -1.0, -0.4, 0.0, 0.4, 1.0, 1.7].into_iter().map(move |lean| (length, lean))
    });
    shapes.flat_map(move |(length, lean): (f64, f64)| {
        // Edges that lean towards each other must not meet.
        let wide = length > 1.05 * lean.abs();
        let both = [(Cells::Parallelograms, length > 0.55 * lean.abs()), (Cells::Trapezoids, wide)];
        both.into_iter().filter(|(_, fits)| *fits).map(move |(cells, _)| Strip {
            cells,
            length,
            lean,
            poisson_ratio,
        })
    })
}

/// Without contraction exact to rounding, stress included.
#[test]
fn strips_bend_exactly_without_contraction() {
    for strip in strips(0.0) {
        let (turn, stress) = bend(strip);
        assert!((turn - 1.0).abs() < 1e-8 && stress < 1e-8, "{strip:?}: {turn}, stress {stress}");
    }
}

/// With ν = 0.3 the cells cannot contract as they should: 1 to 3 % too soft, by the energy ν²/(2 − 2ν²) = 5 % that is moved.
#[test]
fn strips_bend_with_contraction() {
    for strip in strips(0.3) {
        let (turn, stress) = bend(strip);
        println!(
            "{:<14} length {:.1} lean {:4.1}: turn {turn:.4}, stress {stress:.3}",
            format!("{:?}", strip.cells),
            strip.length,
            strip.lean
        );
        assert!((0.99..1.04).contains(&turn), "{strip:?}: {turn}");
        assert!(stress < 0.2, "{strip:?}: {stress}");
    }
}

/// MacNeal and Harder's beam, 6 × 0.2, in cells that lean by 45° over its depth, several across: tip under a force, over theory.
fn sheet((columns, rows): (usize, usize), trapezoids: bool, lean: f64) -> f64 {
    let plate = Plate { youngs_modulus: 1e7, poisson_ratio: 0.3, density: 0.0, thickness: 0.1 };
    let mut model = Model::new(ShellShape::Tria3, plate, (columns, rows), |xi, eta| {
        let edge = (xi * columns as f64).round() as usize;
        let sign = if trapezoids && edge % 2 == 1 { -lean } else { lean };
        let lean = if edge == 0 || edge == columns { 0.0 } else { sign };
        Vector3::new(6.0 * xi + 0.2 * lean * (eta - 0.5), 0.2 * eta, 0.0)
    });
    model.fix_where("345", |_, _| true);
    model.fix_where("126", |i, _| i == 0);
    let (last, top) = model.last();
    model.push_column(last, 1, 1.0);
    let u = model.solve();
    0.5 * (u[model.lattice[&(last, 0)]][1] + u[model.lattice[&(last, top)]][1]) / 0.1081
}

/// What wider sheets of slanted cells lose, as `docs/theory/elements.md` says; a figure that rises belongs there.
#[test]
fn wider_sheets_of_slanted_cells_are_stiff() {
    for (cells, upright, slanted) in
        [((24, 4), 0.998, [0.908, 0.903, 0.820, 0.721]), ((6, 4), 0.977, [0.628, 0.627, 0.421, 0.388])]
    {
        let found =
            [(true, 1.0), (true, -1.0), (false, 1.0), (false, -1.0)].map(|(t, lean)| sheet(cells, t, lean));
        let straight = sheet(cells, false, 0.0);
        println!("{cells:?} upright {straight:.3}, trapezoids and parallelograms {found:.3?}");
        assert!((straight - upright).abs() < 2e-3, "{straight}");
        assert!(found.iter().zip(slanted).all(|(f, s)| (f - s).abs() < 2e-3), "{found:?}");
    }
}
