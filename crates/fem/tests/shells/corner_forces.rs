//! Sheets and profiles pulled by forces on their grids alone, as a deck's FORCE cards do: CQUAD4 and CTRIA3
//! stretch by σL/E, exactly. A membrane with drilling freedoms has moments at the ends of a loaded side too
//! and answers their absence by stretching more, most of all a single cell pulled across; the tables show how
//! much, and that it dies out with refinement.

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate};

const E: f64 = 70e9;

/// How a sheet is cut.
#[derive(Clone, Copy)]
struct Mesh {
    cells: (usize, usize),
    /// Length of a cell along the pull over its width.
    aspect: f64,
    /// Lean of the sides across.
    skew: f64,
    /// Displacement of some inner grids, in cells.
    distortion: f64,
}

impl Mesh {
    /// Width and length 0.1 m times cells and aspect, held against everything out of its plane.
    fn model(self, shape: ShellShape, thickness: f64) -> Model {
        let (columns, rows) = self.cells;
        let plate = Plate { youngs_modulus: E, poisson_ratio: 0.3, density: 0.0, thickness };
        let mut model = Model::new(shape, plate, self.cells, |xi, eta| {
            let (i, j) = (xi * columns as f64, eta * rows as f64);
            let inner = xi > 1e-6 && xi < 1.0 - 1e-6 && eta > 1e-6 && eta < 1.0 - 1e-6;
            let moved = inner && (i.round() + 2.0 * j.round()) % 3.0 > 1.5;
            let [dx, dy] = if moved { [self.distortion, 0.5 * self.distortion] } else { [0.0; 2] };
            Vector3::new(0.1 * self.aspect * (i + dx) + 0.1 * self.skew * (j + dy), 0.1 * (j + dy), 0.0)
        });
        model.fix_where("345", |_, _| true);
        model
    }
}

/// The outline as pairs of lattice points, counter-clockwise.
fn outline((columns, rows): (usize, usize)) -> Vec<[(usize, usize); 2]> {
    let (right, top) = (2 * columns, 2 * rows);
    let along = (0..columns).flat_map(|i| {
        let i = 2 * i;
        [[(i, 0), (i + 2, 0)], [(i + 2, top), (i, top)]]
    });
    let across = (0..rows).flat_map(|j| {
        let j = 2 * j;
        [[(right, j), (right, j + 2)], [(0, j + 2), (0, j)]]
    });
    along.chain(across).collect()
}

/// Stretch over σL/E. Either on statically determinate supports with the forces of a constant stress on the
/// entire outline, where the answer is 1 whatever the mesh, or clamped on the left and pulled on the right,
/// where it is 1 less what the clamp takes off by holding the width.
fn stretch(mesh: Mesh, shape: ShellShape, thickness: f64, clamped: bool) -> f64 {
    let mut model = mesh.model(shape, thickness);
    let (right, top) = model.last();
    for [a, b] in outline(mesh.cells) {
        if clamped && (a.0 != right || b.0 != right) {
            continue;
        }
        let ends = [a, b].map(|point| model.lattice[&point]);
        let [from, to] = ends.map(|node| model.mesh.nodes[node].position);
        for node in ends {
            model.push(node, 0, 0.5 * (to.y - from.y) * thickness);
        }
    }
    if clamped {
        model.fix_where("126", |i, _| i == 0);
    } else {
        model.fix(model.lattice[&(0, 0)], "12");
        model.fix(model.lattice[&(right, 0)], "2");
    }
    let u = model.solve();
    let strains = (0..=top / 2).map(|j| {
        let [a, b] = [(0, 2 * j), (right, 2 * j)].map(|point| model.lattice[&point]);
        (u[b][0] - u[a][0]) / (model.mesh.nodes[b].position.x - model.mesh.nodes[a].position.x)
    });
    strains.sum::<f64>() / (top / 2 + 1) as f64 * E
}

/// Prints a row per mesh and element: on statically determinate supports at aspect 0.2, 0.5, 1, 2, 5, then
/// clamped.
#[test]
fn sheets_stretch_as_their_stress_says() {
    for (name, cells) in [("1×1", (1, 1)), ("2×1", (2, 1)), ("4×1", (4, 1)), ("4×4", (4, 4)), ("8×8", (8, 8))]
    {
        for (form, skew, distortion) in [("regular", 0.0, 0.0), ("skew", 0.3, 0.0), ("distorted", 0.0, 0.1)] {
            for shape in [ShellShape::Quad4, ShellShape::QuadR, ShellShape::Tria3, ShellShape::TriaR] {
                let all = [0.2, 0.5, 1.0, 2.0, 5.0].map(|aspect| {
                    let mesh = Mesh { cells, aspect, skew, distortion };
                    [(0.01, false), (0.001, false), (0.01, true)]
                        .map(|(t, held)| stretch(mesh, shape, t, held))
                });
                let free = all.map(|[thick, thin, _]| thick.max(thin));
                let held = all.map(|[_, _, held]| held);
                println!("{name} {form:<9} {:<6} determinate {free:.3?} clamped {held:.3?}", shape.card());
                if matches!(shape, ShellShape::Quad4 | ShellShape::Tria3) {
                    // Constant stress: rounding only, amplified by 10⁴ of K6ROT.
                    assert!(free.iter().all(|r| (r - 1.0).abs() < 1e-9), "{name} {form} {shape:?}: {free:?}");
                    // The width held at the clamp takes off 1 − ν² of a cell at most. A sheet that leans
                    // bends as well.
                    assert!(held.iter().all(|r| *r < 1.001), "{name} {form} {shape:?}: {held:?}");
                    assert!(
                        form != "regular" || held.iter().all(|r| *r > 0.90),
                        "{name} {shape:?}: {held:?}"
                    );
                }
            }
        }
    }
}

/// Forces across the end of a cantilever of four cells, on its two corners, over Timoshenko's deflection
/// PL³/3EI + 6PL/5GA. CTRIA3 shows what a constant-strain membrane gives.
#[test]
fn strips_bend_under_corner_forces() {
    for shape in [ShellShape::Quad4, ShellShape::QuadR, ShellShape::TriaR, ShellShape::Tria3] {
        let found = [1.0, 2.0, 5.0].map(|aspect| {
            let mesh = Mesh { cells: (4, 1), aspect, skew: 0.0, distortion: 0.0 };
            let mut model = mesh.model(shape, 0.01);
            model.fix_where("126", |i, _| i == 0);
            let last = model.last().0;
            model.push_column(last, 1, 1.0);
            let length = 4.0 * aspect;
            let exact = (4.0 * length.powi(3) + 1.2 * 2.6 * length) / (E * 0.01);
            model.solve()[model.lattice[&(last, 0)]][1] / exact
        });
        println!("4×1 cantilever, {:<6} aspect 1, 2, 5: {found:.3?}", shape.card());
        // Four cells: 1/(4·4²) = 1.6 % of the bending is lost to moments constant in each; the clamped cells
        // of CTRIAR bend more.
        let allowed = if shape == ShellShape::TriaR { 0.10 } else { 0.05 };
        let good = found.iter().all(|r| (r - 1.0).abs() < allowed);
        assert!(good || shape == ShellShape::Tria3, "{shape:?}: {found:?}");
    }
}

/// Profiles of walls at right angles, one to three cells wide, pulled by the forces of a constant stress on
/// the grids of both ends: they stretch by σL/E at every grid, thin or thick.
#[test]
fn profiles_stretch_as_their_stress_says() {
    for (name, walls) in [("angle", 2), ("channel", 3)] {
        for (shape, (cells, along)) in [ShellShape::Quad4, ShellShape::Tria3]
            .into_iter()
            .flat_map(|s| [(1, 3), (2, 1), (2, 4), (3, 2)].map(|c| (s, c)))
        {
            let found = [(1.0, 0.01), (1.0, 0.001), (2.0, 0.01), (5.0, 0.001)].map(|(aspect, thickness)| {
                let plate = Plate { youngs_modulus: E, poisson_ratio: 0.3, density: 0.0, thickness };
                let (width, length) = (0.1 * cells as f64, 0.1 * aspect * along as f64);
                // Down, across and up again.
                let mut model = Model::new(shape, plate, (along, walls * cells), |xi, eta| {
                    let s = eta * walls as f64;
                    let (y, z) = (s.clamp(1.0, 2.0) - 1.0, (1.0 - s).max(0.0) + (s - 2.0).max(0.0));
                    Vector3::new(xi * length, y * width, z * width)
                });
                let (right, top) = model.last();
                for j in 0..=top / 2 {
                    let share = if j == 0 || j == top / 2 { 0.05 } else { 0.1 };
                    for (i, sign) in [(0, -1.0), (right, 1.0)] {
                        model.push(model.lattice[&(i, 2 * j)], 0, sign * share * thickness);
                    }
                }
                model.fix(model.lattice[&(0, 0)], "123");
                model.fix(model.lattice[&(right, 0)], "23");
                model.fix(model.lattice[&(0, top)], "3");
                let u = model.solve();
                let strains = (0..=top / 2).map(|j| {
                    let [a, b] = [0, right].map(|i| u[model.lattice[&(i, 2 * j)]][0]);
                    (b - a) / length * E
                });
                strains
                    .fold(1.0, |worst: f64, r| if (r - 1.0).abs() > (worst - 1.0).abs() { r } else { worst })
            });
            println!(
                "{name}, {} walls of {cells}, {along} along: {found:.3?} of σL/E at the worst grid",
                shape.card()
            );
            assert!(found.iter().all(|r| (r - 1.0).abs() < 1e-6), "{name} {cells} {along}: {found:?}");
        }
    }
}
