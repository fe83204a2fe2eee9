//! Folded sheets of CQUAD4 and CTRIA3 pulled by forces on their grids, and tubes under pressure: constant
//! stress, so that every grid moves as the closed form of the polygon says. A membrane that looks at its
//! neighbours, or at rotations about its normal, fails here.

use std::f64::consts::PI;

use pliant_fem::{AssemblyOptions, assemble};

use crate::decks::{parse, solve};

const E: f64 = 27271.8;
const NU: f64 = 0.328;
const T: f64 = 1.92;
const LENGTH: f64 = 80.0;

/// A prismatic sheet along z with corners at the points of a polygon, closed or open, cut into rows of cells.
struct Sheet {
    polygon: Vec<[f64; 2]>,
    closed: bool,
    rows: usize,
    triangles: bool,
    /// PSHELL or PCOMP with their materials.
    property: String,
}

impl Sheet {
    fn grid(&self, corner: usize, row: usize) -> usize {
        1 + row * self.polygon.len() + corner % self.polygon.len()
    }

    /// Facets as pairs of corners.
    fn facets(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = if self.closed { self.polygon.len() } else { self.polygon.len() - 1 };
        let corners = self.polygon.len();
        (0..count).map(move |i| (i, (i + 1) % corners))
    }

    fn width(&self, (a, b): (usize, usize)) -> f64 {
        let ([x, y], [u, v]) = (self.polygon[a], self.polygon[b]);
        (u - x).hypot(v - y)
    }

    /// The deck up to its loads and supports, and the number of its elements.
    fn cards(&self) -> (String, usize) {
        let mut deck = String::from("SOL 101\nCEND\nSPC=1\nLOAD=1\nBEGIN BULK\n");
        for row in 0..=self.rows {
            let z = LENGTH * row as f64 / self.rows as f64;
            for (i, [x, y]) in self.polygon.iter().enumerate() {
                deck += &format!("GRID*,{},,{x:.12},{y:.12}\n*,{z:.12}\n", self.grid(i, row));
            }
        }
        let mut elements = 0;
        for row in 0..self.rows {
            for (a, b) in self.facets() {
                let q = [self.grid(a, row), self.grid(b, row), self.grid(b, row + 1), self.grid(a, row + 1)];
                let cells: &[&[usize]] =
                    if self.triangles { &[&[0, 1, 2], &[0, 2, 3]] } else { &[&[0, 1, 2, 3]] };
                for cell in cells {
                    elements += 1;
                    let corners: Vec<String> = cell.iter().map(|c| q[*c].to_string()).collect();
                    let name = if self.triangles { "CTRIA3" } else { "CQUAD4" };
                    // The material's x axis runs along z.
                    deck += &format!("{name},{elements},1,{},9\n", corners.join(","));
                }
            }
        }
        deck.push_str("CORD2R,9,,0.,0.,0.,1.,0.,0.\n,0.,0.,1.\n");
        deck.push_str(&self.property);
        (deck, elements)
    }

    /// Pulled at both ends by the forces of one unit of membrane force: u_z of the grids of the far end less
    /// that of the near end, each over `strain` × length.
    fn stretch(&self, strain: f64) -> Vec<f64> {
        let (mut deck, _) = self.cards();
        for facet in self.facets() {
            for corner in [facet.0, facet.1] {
                for (row, sign) in [(0, -1.0), (self.rows, 1.0)] {
                    let force = 0.5 * self.width(facet) * sign;
                    deck += &format!("FORCE,1,{},,{force:.9},0.,0.,1.\n", self.grid(corner, row));
                }
            }
        }
        // Six components that hold a free body and no more.
        let far = self.grid(0, self.rows);
        let other = self.grid(self.polygon.len() / 2, 0);
        deck += &format!("SPC1,1,123,1\nSPC1,1,12,{far}\nSPC1,1,{},{other}\n", self.roll());
        let (u, _) = solve(&parse(&deck));
        (0..self.polygon.len())
            .map(|i| {
                let [near, far] = [0, self.rows].map(|row| u[&(self.grid(i, row) as u32)][2]);
                (far - near) / (strain * LENGTH)
            })
            .collect()
    }

    /// The component at the middle corner that stops rotation about z, which stands at the first corner:
    /// across the line between them.
    fn roll(&self) -> u8 {
        let ([x, y], [u, v]) = (self.polygon[0], self.polygon[self.polygon.len() / 2]);
        if (u - x).abs() > (v - y).abs() { 2 } else { 1 }
    }
}

fn plate() -> String {
    format!("PSHELL,1,1,{T},1,,1\nMAT1,1,{E},,{NU}\n")
}

fn arc(facets: usize, angle: f64, closed: bool) -> Vec<[f64; 2]> {
    let count = if closed { facets } else { facets + 1 };
    (0..count).map(|i| angle * i as f64 / facets as f64).map(|a| [50.0 * a.cos(), 50.0 * a.sin()]).collect()
}

fn off(ratios: &[f64]) -> f64 {
    ratios.iter().map(|r| (r - 1.0).abs()).fold(0.0, f64::max)
}

/// Tension of polygonal tubes: every grid within 1e-6, far inside the 1 % that an engineer would ask for.
#[test]
fn tubes_in_tension_and_under_pressure() {
    for triangles in [false, true] {
        for facets in [8, 12, 16, 24, 36, 72] {
            let side = 100.0 * (PI / facets as f64).sin();
            let rows = ((LENGTH / side).round() as usize).max(4);
            let tube = Sheet {
                polygon: arc(facets, 2.0 * PI, true),
                closed: true,
                rows,
                triangles,
                property: plate(),
            };
            let tension = off(&tube.stretch(1.0 / (E * T)));
            // Hoop force p × apothem; the polygon grows by that strain, every corner radially.
            let pressure = 10.5;
            let (mut deck, elements) = tube.cards();
            deck += &format!("PLOAD4,1,1,{pressure},,,,THRU,{elements}\n");
            for i in 0..facets {
                deck += &format!("SPC1,1,3,{}\n", tube.grid(i, 0));
            }
            deck += &format!("SPC1,1,2,{},{}\nSPC1,1,1,{}\n", 1, 1 + facets / 2, 1 + facets / 4);
            let (u, _) = solve(&parse(&deck));
            let growth = pressure * 50.0 * (PI / facets as f64).cos() / (E * T) * 50.0;
            let radial: Vec<f64> = (0..facets * (rows + 1))
                .map(|n| {
                    let a = 2.0 * PI * (n % facets) as f64 / facets as f64;
                    let d = u[&(n as u32 + 1)];
                    (d[0] * a.cos() + d[1] * a.sin()) / growth
                })
                .collect();
            println!(
                "tube of {facets} facets, triangles {triangles}: tension {tension:.1e}, pressure {:.1e}",
                off(&radial)
            );
            // Pressure on triangles loads the corners in turns with a third and two thirds of a cell: the
            // facets bend a little.
            assert!(
                tension < 1e-6 && off(&radial) < 0.01,
                "{facets} {triangles}: {tension:e}, {:e}",
                off(&radial)
            );
        }
    }
}

/// Open arcs, channels and angles with one cell per flange, and laminates.
#[test]
fn open_profiles_and_laminates_in_tension() {
    let channel = vec![[50.0, -50.0], [0.0, -50.0], [0.0, 50.0], [50.0, 50.0]];
    let angle = vec![[60.0, 0.0], [0.0, 0.0], [0.0, 40.0]];
    let plies = "PCOMP,1,,,,,,,\n,1,0.5,0.,YES,1,0.5,90.,YES\n,1,0.5,90.,YES,1,0.5,0.,YES\n";
    let material = "MAT8,1,1.4+5,1.0+4,0.3,5.0+3,5.0+3,3.0+3\n";
    // [0/90]s: A11 = t(E1 + E2)/2(1 − ν12ν21), A12 = t ν12E2/(1 − ν12ν21), the same along and across.
    let scale = 1.0 - 0.3 * 0.3 * 1.0e4 / 1.4e5;
    let (direct, cross) = ((1.4e5 + 1.0e4) / scale, 2.0 * 0.3 * 1.0e4 / scale);
    let laminate = direct / (direct * direct - cross * cross);
    for (name, polygon, closed) in [
        ("arc of 90°", arc(6, 0.5 * PI, false), false),
        ("arc of 270°", arc(9, 1.5 * PI, false), false),
        ("channel", channel, false),
        ("angle", angle, false),
        ("tube", arc(12, 2.0 * PI, true), true),
    ] {
        for triangles in [false, true] {
            for (kind, property, strain) in
                [("plate", plate(), 1.0 / (E * T)), ("laminate", format!("{plies}{material}"), laminate)]
            {
                let sheet = Sheet { polygon: polygon.clone(), closed, rows: 5, triangles, property };
                let worst = off(&sheet.stretch(strain));
                println!("{name} of {kind}, triangles {triangles}: {worst:.1e}");
                assert!(worst < 1e-6, "{name} {kind} {triangles}: {worst:e}");
            }
        }
    }
}

/// An SPC of a set that the case does not select, and one that it does select, leave K as it is, bit for bit.
#[test]
fn stiffness_does_not_depend_on_constraints() {
    for triangles in [false, true] {
        let sheet = Sheet {
            polygon: vec![[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]],
            closed: false,
            rows: 4,
            triangles,
            property: plate(),
        };
        let (deck, _) = sheet.cards();
        let stiffness = |cards: &str| {
            let mesh = parse(&format!("{deck}SPC1,1,123456,1,2,3\nFORCE,1,15,,1.,1.,0.,0.\n{cards}"));
            assemble(&mesh, AssemblyOptions::of_deck(&mesh)).expect("it assembles").K
        };
        let plain = stiffness("");
        for cards in ["SPC1,99,6,1,THRU,15\n", "SPC1,99,456,1,THRU,15\n", "SPC1,1,6,4,THRU,15\n"] {
            assert_eq!(plain.values(), stiffness(cards).values(), "{cards}");
        }
    }
}
