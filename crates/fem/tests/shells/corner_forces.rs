//! Strips and sheets pulled by forces on their corner grids alone, as a deck's FORCE cards do: they stretch by σL/E. A membrane with drilling rotations has moments at the ends of a
//! loaded side too, and must not answer their absence by stretching more (`element/shell/hybrid.rs`, `opt.rs`).

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
    /// Displacement of every second grid, in cells.
    distortion: f64,
}

impl Mesh {
    /// Width and length 0.1 m times cells and aspect, held against everything out of its plane.
    fn model(self, shape: ShellShape, thickness: f64) -> Model {
        let (columns, rows) = self.cells;
        let plate = Plate { youngs_modulus: E, poisson_ratio: 0.3, density: 0.0, thickness };
        let mut model = Model::new(shape, plate, self.cells, |xi, eta| {
            let (i, j) = (xi * columns as f64, eta * rows as f64);
            let moved = (i.round() + 2.0 * j.round()) % 3.0 > 1.5;
            let [dx, dy] = if moved { [self.distortion, 0.5 * self.distortion] } else { [0.0; 2] };
            Vector3::new(0.1 * self.aspect * (i + dx) + 0.1 * self.skew * (j + dy), 0.1 * (j + dy), 0.0)
        });
        model.fix_where("345", |_, _| true);
        model
    }
}

/// The outline as pairs of lattice places, counter-clockwise.
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

/// Stretch over σL/E. Either on statically determinate supports with the forces of a constant stress on the whole outline, where the answer is 1 whatever the mesh,
/// or clamped on the left and pulled on the right, where it is 1 less what the clamp takes off by holding the width.
fn stretch(mesh: Mesh, shape: ShellShape, thickness: f64, clamped: bool) -> f64 {
    let mut model = mesh.model(shape, thickness);
    let (right, top) = model.last();
    for [a, b] in outline(mesh.cells) {
        if clamped && (a.0 != right || b.0 != right) {
            continue;
        }
        let ends = [a, b].map(|place| model.lattice[&place]);
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
        let [a, b] = [(0, 2 * j), (right, 2 * j)].map(|place| model.lattice[&place]);
        (u[b][0] - u[a][0]) / (model.mesh.nodes[b].position.x - model.mesh.nodes[a].position.x)
    });
    strains.sum::<f64>() / (top / 2 + 1) as f64 * E
}

/// Prints a row per mesh and element: on statically determinate supports at aspect 0.2, 0.5, 1, 2, 5, then clamped. Thin and thick alike.
///
/// Quadrilaterals: 1/20 of the stretch is what `hybrid.rs` allows. Triangles: 1/20 across a pair, else what is left at the corners of the outline by `opt.rs`, and at the next grids of a wide sheet.
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
                let triangles = shape.corner_count() == 3;
                // Pulled across long cells, distorted elements and wide sheets of triangles stretch more.
                let first = if form == "distorted" || triangles && cells.1 > 1 { 2 } else { 0 };
                let (free, held) = (&free[first..], &held[2..]);
                assert!(free.iter().all(|r| (0.99..1.055).contains(r)), "{name} {form} {shape:?}: {free:?}");
                assert!(held.iter().all(|r| *r < 1.03), "{name} {form} {shape:?}: {held:?}");
                // The width held at the clamp: 1 − ν² of a cell at most. A sheet that leans bends as well.
                assert!(form != "regular" || held.iter().all(|r| *r > 0.91), "{name} {shape:?}: {held:?}");
                // A strip of triangles is exact: no moments at its ends, none left over inside, no stress on its edges.
                let exact = free.iter().all(|r| (r - 1.0).abs() < 1e-8);
                assert!(
                    !triangles || cells.1 > 1 || cells.0 == 1 || form == "distorted" || exact,
                    "{name} {form}: {free:?}"
                );
            }
        }
    }
}

/// A cantilever of one pair of triangles: its moment, constant in the cell, takes a quarter off the bending of Timoshenko's deflection, 3 % of it is given back (`strip.rs`), and 5 % is shear's.
#[test]
fn a_pair_bends_under_corner_forces() {
    for aspect in [1.5, 2.0, 5.0] {
        let mesh = Mesh { cells: (1, 1), aspect, skew: 0.0, distortion: 0.0 };
        let mut model = mesh.model(ShellShape::Tria3, 0.01);
        model.fix_where("126", |i, _| i == 0);
        model.push_column(2, 1, 1.0);
        let exact = (4.0 * aspect.powi(3) + 1.2 * 2.6 * aspect) / (E * 0.01);
        let found = model.solve()[model.lattice[&(2, 0)]][1] / exact;
        println!("1×1 cantilever, CTRIA3 aspect {aspect}: {found:.3}");
        assert!((0.75..0.8).contains(&found), "{aspect}: {found}");
    }
}

/// Forces across the end of a cantilever, on its two corners: Timoshenko's deflection PL³/3EI + 6PL/5GA.
#[test]
fn strips_bend_under_corner_forces() {
    for shape in [ShellShape::Quad4, ShellShape::QuadR, ShellShape::Tria3, ShellShape::TriaR] {
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
        // Four cells: 1/(4·4²) = 1.6 % of the bending is lost to moments constant in each, 4 % gained where triangles' clamped cells bend more.
        assert!(found.iter().all(|r| (r - 1.0).abs() < 0.05), "{shape:?}: {found:?}");
    }
}

/// Profiles of walls at right angles, two or three cells wide, pulled by the forces of a constant stress on the grids of both ends: they stretch by σL/E, thin or thick, at the worst grid as at the worst of a sheet of as many cells.
#[test]
fn profiles_stretch_as_their_stress_says() {
    for (name, walls) in [("angle", 2), ("channel", 3)] {
        for (cells, along) in [(2, 1), (2, 4), (3, 2)] {
            let found = [(1.0, 0.01), (1.0, 0.001), (2.0, 0.01), (5.0, 0.001)].map(|(aspect, thickness)| {
                let plate = Plate { youngs_modulus: E, poisson_ratio: 0.3, density: 0.0, thickness };
                let (width, length) = (0.1 * cells as f64, 0.1 * aspect * along as f64);
                // Down, across and up again.
                let mut model = Model::new(ShellShape::Quad4, plate, (along, walls * cells), |xi, eta| {
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
                strains.fold(0.0, f64::max)
            });
            println!("{name}, walls of {cells}, {along} along: {found:.3?} of σL/E at most");
            assert!(found.iter().all(|r| (0.99..1.075).contains(r)), "{name} {cells} {along}: {found:?}");
        }
    }
}
