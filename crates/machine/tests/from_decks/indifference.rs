//! The answer does not depend on axes and units: the same machine, its decks written in other coordinate
//! systems and other units, itself turned in the world.

use std::fmt::Write;

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_mechanism::BodyIndex;
use pliant_mesh::Units;

use crate::support::run;

/// In which axes the grids of a deck are written.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    /// All in basic axes.
    Basic,
    /// Positions in a turned rectangular system, displacements in it too.
    Rectangular,
    /// Positions in a cylindrical system, displacements in a turned rectangular one.
    Cylindrical,
}

/// How a machine is written down.
#[derive(Clone, Copy)]
struct Writing {
    units: (&'static str, Units),
    /// Where the deck's own origin and axes are.
    turn: Vector3<f64>,
    shift: Vector3<f64>,
    axes: Axes,
    /// The entire machine in the world.
    world: Vector3<f64>,
}

const PLAIN: Writing = Writing {
    units: ("si", Units::SI),
    turn: Vector3::new(0.0, 0.0, 0.0),
    shift: Vector3::new(0.0, 0.0, 0.0),
    axes: Axes::Basic,
    world: Vector3::new(0.0, 0.0, 0.0),
};

fn rotation(turn: Vector3<f64>) -> Matrix3<f64> {
    Rotation3::new(turn).into_inner()
}

/// A deck in the making; lengths in metres until they are written.
struct Deck<'w> {
    writing: &'w Writing,
    text: String,
}

impl Deck<'_> {
    fn card(&mut self, name: &str, fields: &[String]) {
        // Continuation lines of free-field cards begin with an empty field.
        for (line, chunk) in fields.chunks(8).enumerate() {
            writeln!(
                self.text,
                "{}{}",
                if line == 0 { format!("{name},") } else { ",".into() },
                chunk.join(",")
            )
            .unwrap();
        }
    }

    fn system(&self) -> (Matrix3<f64>, Vector3<f64>) {
        (rotation(Vector3::new(0.3, -1.1, 0.7)), Vector3::new(-0.4, 0.2, 0.9))
    }

    fn begin(&mut self, e: f64, nu: f64, rho: f64) {
        self.text.push_str("BEGIN BULK\nPARAM,K6ROT,100.\n");
        let units = self.writing.units.1;
        let fields =
            ["1".into(), real(e / units.stress()), String::new(), real(nu), real(rho / units.density())];
        self.card("MAT1", &fields);
        let (R, p) = self.system();
        for (name, id) in [("CORD2R", 7), ("CORD2C", 8)] {
            let mut fields = vec![format!("{id}"), "0".into()];
            // Origin, a point on its z axis, a point in its x–z plane.
            for point in [p, p + R.column(2), p + R.column(0)] {
                fields.extend(point.iter().map(|x| real(x / units.length)));
            }
            self.card(name, &fields);
        }
    }

    fn grid(&mut self, id: usize, position: Vector3<f64>) {
        let writing = self.writing;
        let basic = rotation(writing.turn) * position + writing.shift;
        let (R, p) = self.system();
        let local = R.transpose() * (basic - p);
        let length = writing.units.1.length;
        let (cp, position, cd) = match writing.axes {
            Axes::Basic => ("0", basic / length, "0"),
            Axes::Rectangular => ("7", local / length, "7"),
            Axes::Cylindrical => {
                let degrees = local.y.atan2(local.x).to_degrees();
                ("8", Vector3::new(local.x.hypot(local.y) / length, degrees, local.z / length), "7")
            }
        };
        let mut fields = vec![format!("{id}"), cp.into()];
        fields.extend(position.iter().map(|x| real(*x)));
        fields.push(cd.into());
        self.card("GRID", &fields);
    }

    fn element(&mut self, name: &str, id: usize, grids: &[usize]) {
        let mut fields = vec![format!("{id}"), "1".into()];
        fields.extend(grids.iter().map(|g| format!("{g}")));
        self.card(name, &fields);
    }

    fn spider(&mut self, id: usize, centre: usize, grids: &[usize]) {
        let mut fields = vec![format!("{id}"), format!("{centre}"), "123456".into()];
        fields.extend(grids.iter().map(|g| format!("{g}")));
        self.card("RBE2", &fields);
    }
}

fn real(x: f64) -> String {
    format!("{x:.17e}")
}

/// A box of shells along x, 0.6 m long, 80 mm wide and 50 mm high, tapered, 3 mm thick, with a motor of 2 kg
/// beside its tip.
fn shells(writing: &Writing) -> String {
    let mut deck = Deck { writing, text: String::new() };
    let units = writing.units.1;
    deck.begin(7e10, 0.33, 2700.0);
    deck.card(
        "PSHELL",
        &["1".into(), "1".into(), real(0.003 / units.length), "1".into(), String::new(), "1".into()],
    );
    let corners = [
        (-1.0, -1.0),
        (0.0, -1.0),
        (1.0, -1.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (-1.0, 1.0),
        (-1.0, 0.0),
    ];
    let stations = 8;
    let id = |i: usize, k: usize| 100 + 10 * i + k % 8;
    deck.grid(1, Vector3::zeros());
    deck.grid(2, Vector3::x() * 0.6);
    for i in 0..=stations {
        let x = 0.6 * i as f64 / stations as f64;
        let taper = 1.0 - 0.5 * x;
        for (k, (y, z)) in corners.iter().enumerate() {
            deck.grid(id(i, k), Vector3::new(x, 0.04 * y * taper, 0.025 * z * taper));
        }
    }
    for i in 0..stations {
        for k in 0..8 {
            deck.element(
                "CQUAD4",
                1000 + 10 * i + k,
                &[id(i, k), id(i, k + 1), id(i + 1, k + 1), id(i + 1, k)],
            );
        }
    }
    deck.spider(1, 1, &(0..8).map(|k| id(0, k)).collect::<Vec<_>>());
    deck.spider(2, 2, &(0..8).map(|k| id(stations, k)).collect::<Vec<_>>());
    // Its offset is given in the basic axes of the deck (CID 0).
    let offset = rotation(writing.turn) * Vector3::new(0.02, 0.05, 0.03) / units.length;
    let mut motor = vec!["3".into(), "2".into(), "0".into(), real(2.0 / units.mass)];
    motor.extend(offset.iter().map(|x| real(*x)));
    deck.card("CONM2", &motor);
    deck.text.push_str("ENDDATA\n");
    deck.text
}

/// A bar of hexahedra along x, 0.5 m long, 30 x 20 mm.
fn solids(writing: &Writing) -> String {
    let mut deck = Deck { writing, text: String::new() };
    deck.begin(2.1e11, 0.3, 7850.0);
    deck.card("PSOLID", &["1".into(), "1".into()]);
    let stations = 10;
    let id = |i: usize, j: usize, k: usize| 100 + 9 * i + 3 * j + k;
    deck.grid(1, Vector3::zeros());
    deck.grid(2, Vector3::x() * 0.5);
    for i in 0..=stations {
        for j in 0..3 {
            for k in 0..3 {
                let position =
                    Vector3::new(0.05 * i as f64, 0.015 * j as f64 - 0.015, 0.01 * k as f64 - 0.01);
                deck.grid(id(i, j, k), position);
            }
        }
    }
    for i in 0..stations {
        for j in 0..2 {
            for k in 0..2 {
                let face = |i: usize| [id(i, j, k), id(i, j + 1, k), id(i, j + 1, k + 1), id(i, j, k + 1)];
                let grids = [face(i), face(i + 1)].concat();
                deck.element("CHEXA", 1000 + 4 * i + 2 * j + k, &grids);
            }
        }
    }
    let end = |i: usize| (0..9).map(|n| id(i, n / 3, n % 3)).collect::<Vec<_>>();
    deck.spider(1, 1, &end(0));
    deck.spider(2, 2, &end(stations));
    deck.text.push_str("ENDDATA\n");
    deck.text
}

/// Tip errors (in the machine's own axes) and torques, output by output.
fn answers(writing: &Writing) -> Vec<[f64; 8]> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("upper.bdf"), shells(writing)).unwrap();
    std::fs::write(folder.path().join("fore.bdf"), solids(writing)).unwrap();
    let R = rotation(writing.turn);
    let list = |v: Vector3<f64>| format!("[{:.17e}, {:.17e}, {:.17e}]", v.x, v.y, v.z);
    let axes = format!("axes = [{}, {}]", list(R.column(0).into()), list(R.column(1).into()));
    let link = |name: &str, modes: u32| {
        format!(
            "[links.{name}]\ndeck = '{name}.bdf'\nunits = '{}'\ninboard = {{ grid = 1, {axes} }}\n\
             interfaces = {{ tip = {{ grid = 2, {axes} }} }}\nmodes = {{ count = {modes} }}\naccept = ['frequencies']\n",
            writing.units.0
        )
    };
    let world = rotation(writing.world);
    let gravity = world * Vector3::new(0.0, 0.0, -9.81);
    let (x, y) = (Vector3::from(world.column(0)), Vector3::from(world.column(1)));
    let text = format!(
        "gravity = {}\n{}{}[joints.waist]\nparent = 'ground'\nchild = 'upper'\ntype = 'universal'\naxis = 'z'\nsecond_axis = 'y'\n\
         origin = [0.3, -0.2, 0.5]\naxes = [{}, {}]\n\
         coordinates = {{ angle_1 = {{ drive = {{ motion = {{ profile = 'cycloidal', to_deg = 50, time = 0.15 }} }} }}, \
         angle_2 = {{ drive = {{ motion = {{ profile = 'cycloidal', to_deg = -35, time = 0.15 }} }} }} }}\n\
         [joints.elbow]\nparent = 'upper.tip'\nchild = 'fore'\ntype = 'revolute'\naxis = [0.6, 0.8, 0]\n\
         drive = {{ motion = {{ profile = 'quintic', to_deg = 70, time = 0.15 }} }}\n\
         [payload]\nat = 'fore.tip'\nmass = 1.5\n\
         [analysis]\nend = 0.2\nstep = 1e-3\nstart = 'equilibrium'\nnewton = {{ energy_tolerance = 1e-20, force_tolerance = 1e-12 }}\n\
         [output]\nevery = 2e-3\n",
        list(gravity),
        link("upper", 10),
        link("fore", 6),
        list(x),
        list(y)
    );
    let mut found = Vec::new();
    run(folder.path(), &text, |frame| {
        let (e, turn) = frame.error(BodyIndex(1).interface(0));
        let (e, turn) = (world.transpose() * e, world.transpose() * turn);
        let [a, b, c] =
            [(0, 0), (0, 1), (1, 0)].map(|(body, k)| frame.drive_force(BodyIndex(body).coordinate(k)));
        found.push([e.x, e.y, e.z, turn.norm(), a, b, c, frame.energy.strain]);
    });
    found
}

/// Largest difference in each column over the largest value in it.
fn difference(found: &[[f64; 8]], reference: &[[f64; 8]]) -> [f64; 8] {
    assert_eq!(found.len(), reference.len());
    let largest = |k: usize| reference.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
    let apart = |k: usize| found.iter().zip(reference).map(|(a, b)| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    std::array::from_fn(|k| apart(k) / largest(k))
}

#[test]
fn decks_in_other_axes_and_units_and_a_turned_machine_give_the_same_answers() {
    let reference = answers(&PLAIN);
    let peak = reference.iter().map(|row| row[2].abs()).fold(0.0, f64::max);
    println!("largest tip error along z {:.4} mm", 1e3 * peak);
    assert!(peak > 1e-4);
    let turned = Writing { turn: Vector3::new(0.7, 0.4, -1.2), shift: Vector3::new(0.3, -0.8, 0.5), ..PLAIN };
    let others = [
        ("world turned", Writing { world: Vector3::new(-0.5, 1.3, 0.8), ..PLAIN }),
        ("decks turned", turned),
        ("CP and CD", Writing { axes: Axes::Rectangular, ..turned }),
        ("cylindrical CP", Writing { axes: Axes::Cylindrical, ..turned }),
        ("mm-t-s", Writing { units: ("mm-t-s", Units::MM_T_S), ..PLAIN }),
        (
            "in-lbf-s, CP, CD and world",
            Writing {
                units: ("in-lbf-s", Units::IN_LBF_S),
                axes: Axes::Rectangular,
                world: Vector3::new(-0.5, 1.3, 0.8),
                ..turned
            },
        ),
    ];
    for (name, writing) in others {
        let apart = difference(&answers(&writing), &reference);
        let worst = apart.iter().copied().fold(0.0, f64::max);
        println!("{name:30} {worst:.1e}");
        // The bound, for every answer against its own largest value.
        assert!(worst < 1e-9, "{name}: {apart:?}");
    }
}
