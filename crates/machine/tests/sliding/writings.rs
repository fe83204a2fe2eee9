//! The same boom written in other units and axes gives the same answers.

use std::fmt::Write;

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_mechanism::BodyIndex;
use pliant_mesh::Units;

use crate::support::{run, sliding};

/// How a deck is written down.
struct Writing {
    units: (&'static str, Units),
    /// The deck's own origin and axes in space.
    turn: Vector3<f64>,
    shift: Vector3<f64>,
    /// Grids and their displacements in a CORD2R, turned once more.
    local: bool,
}

const SECTIONS: usize = 24;
const AROUND: [(f64, f64); 8] =
    [(-1.0, -1.0), (0.0, -1.0), (1.0, -1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0)];

fn id(section: usize, k: usize) -> usize {
    1000 + 10 * section + k % 8
}

fn real(x: f64) -> String {
    format!("{x:.17e}")
}

/// Cards of a deck in the making; lengths in metres until they are written.
struct Deck<'w> {
    writing: &'w Writing,
    text: String,
}

impl Deck<'_> {
    fn card(&mut self, name: &str, fields: impl IntoIterator<Item = String>) {
        let fields: Vec<String> = fields.into_iter().collect();
        for (line, chunk) in fields.chunks(8).enumerate() {
            writeln!(self.text, "{},{}", if line == 0 { name } else { "" }, chunk.join(",")).unwrap();
        }
    }

    fn local(&self) -> (Matrix3<f64>, Vector3<f64>) {
        (Rotation3::new(Vector3::new(0.3, -1.1, 0.7)).into_inner(), Vector3::new(-0.4, 0.2, 0.9))
    }

    fn grid(&mut self, id: usize, position: [f64; 3]) {
        let (R, p) = self.local();
        let basic = Rotation3::new(self.writing.turn) * Vector3::from(position) + self.writing.shift;
        let (frame, position) = if self.writing.local { ("7", R.tr_mul(&(basic - p))) } else { ("0", basic) };
        let position = (position / self.writing.units.1.length).map(real);
        let fields = [
            id.to_string(),
            frame.to_owned(),
            position[0].clone(),
            position[1].clone(),
            position[2].clone(),
            frame.to_owned(),
        ];
        self.card("GRID", fields);
    }
}

/// A tube of shells along x, 0.9 m long, its ends in spiders: an RBE2 at the inner one, `tip` at the outer
/// one, whose centre is beside the axis and carries a payload of 1.5 kg further out. `spiders`: an RBE3 in
/// every section, centres 101 and on.
fn tube(writing: &Writing, tip: &str, spiders: bool) -> String {
    let mut deck = Deck { writing, text: "BEGIN BULK\nPARAM,K6ROT,100.\n".to_owned() };
    let units = writing.units.1;
    let material = [7e10 / units.stress(), 0.33, 2700.0 / units.density()].map(real);
    let [e, nu, rho] = material;
    deck.card("MAT1", ["1".into(), e, String::new(), nu, rho]);
    deck.card(
        "PSHELL",
        ["1".into(), "1".into(), real(0.002 / units.length), "1".into(), String::new(), "1".into()],
    );
    let (R, p) = deck.local();
    let points = [p, p + R.column(2), p + R.column(0)].into_iter().flat_map(|x| [x.x, x.y, x.z]);
    let points: Vec<String> = points.map(|x| real(x / units.length)).collect();
    deck.card("CORD2R", ["7".to_owned(), "0".to_owned()].into_iter().chain(points));
    for i in 0..=SECTIONS {
        let x = 0.9 * i as f64 / SECTIONS as f64;
        for (k, (y, z)) in AROUND.iter().enumerate() {
            deck.grid(id(i, k), [x, 0.02 * y, 0.015 * z]);
        }
        for k in (0..8).filter(|_| i < SECTIONS) {
            let grids = [id(i, k), id(i, k + 1), id(i + 1, k + 1), id(i + 1, k)].map(|grid| grid.to_string());
            deck.card("CQUAD4", [(10 * i + k + 1).to_string(), "1".into()].into_iter().chain(grids));
        }
        let (centre, position, kind) = match i {
            0 => (1, [x, 0.0, 0.0], "RBE2"),
            SECTIONS => (2, [x + 0.05, 0.01, 0.02], tip),
            _ => (100 + i, [x, 0.0, 0.0], "RBE3"),
        };
        if centre > 2 && !spiders {
            continue;
        }
        deck.grid(centre, position);
        let grids = (0..8).map(|k| id(i, k).to_string());
        let head = match kind {
            "RBE2" => vec![centre.to_string(), "123456".to_owned()],
            _ => ["", &centre.to_string(), "123456", "1.", "123"].map(str::to_owned).to_vec(),
        };
        deck.card(kind, [(9000 + i).to_string()].into_iter().chain(head).chain(grids));
    }
    // The offset is in basic axes.
    let offset = Rotation3::new(writing.turn) * Vector3::new(0.02, 0.05, 0.03) / units.length;
    let payload = ["9900".into(), "2".into(), "0".into(), real(1.5 / units.mass)];
    deck.card("CONM2", payload.into_iter().chain(offset.iter().map(|x| real(*x))));
    deck.text + "ENDDATA\n"
}

/// Frame by frame: error of the tip, its rotation, drive force, strain energy.
fn answers(writing: &Writing, tip: &str, spiders: bool, grip: &str) -> Vec<[f64; 8]> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tube.bdf");
    std::fs::write(&path, tube(writing, tip, spiders)).unwrap();
    let (R, length) = (Rotation3::new(writing.turn).into_inner(), writing.units.1.length);
    let list = |v: Vector3<f64>| format!("[{:.17e}, {:.17e}, {:.17e}]", v.x, v.y, v.z);
    let axes = format!("axes = [{}, {}]", list(R.column(0).into()), list(R.column(1).into()));
    let rail = if spiders {
        format!("grids = {:?}", (101..100 + SECTIONS).collect::<Vec<_>>())
    } else {
        let ends = [0.0, 0.9].map(|x| list((R * Vector3::new(x, 0.0, 0.0) + writing.shift) / length));
        format!("line = [{}, {}], stations = {}", ends[0], ends[1], SECTIONS + 1)
    };
    let drive = "drive = { motion = { profile = 'cycloidal', from = 0.15, to = 0.6, time = 0.15 } }";
    let text = format!(
        "gravity = [1, -9.81, 3]\n[links.boom]\ndeck = '{}'\nunits = '{}'\ninboard = {{ grid = 1, {axes} }}\n\
         interfaces = {{ tip = {{ grid = 2, {axes} }} }}\nmodes = {{ count = 12 }}\nrail = {{ {rail}, from = 0.1, to = 0.8 }}\n{}\
         [analysis]\nend = 0.2\nstep = 1e-3\nstart = 'equilibrium'\nnewton = {{ energy_tolerance = 1e-20, force_tolerance = 1e-12 }}\n\
         [output]\nevery = 2e-3\n",
        path.display(),
        writing.units.0,
        sliding(&format!("{grip}{drive}"))
    );
    let mut found = Vec::new();
    run(&text, |frame| {
        let (e, turn) = frame.error(BodyIndex(0).interface(0));
        found.push([
            e.x,
            e.y,
            e.z,
            turn.x,
            turn.y,
            turn.z,
            frame.drive_force(BodyIndex(0).coordinate(0)),
            frame.energy.strain,
        ]);
    })
    .unwrap();
    found
}

#[test]
fn a_boom_in_other_units_and_axes_with_spiders_and_a_payload_is_the_same() {
    let plain =
        Writing { units: ("si", Units::SI), turn: Vector3::zeros(), shift: Vector3::zeros(), local: false };
    let (turn, shift) = (Vector3::new(0.7, 0.4, -1.2), Vector3::new(0.3, -0.8, 0.5));
    let other = Writing { units: ("mm-t-s", Units::MM_T_S), turn, shift, local: true };
    for (tip, spiders, grip) in [("RBE2", true, ""), ("RBE3", false, "rollers = 0.12\n")] {
        let reference = answers(&plain, tip, spiders, grip);
        let found = answers(&other, tip, spiders, grip);
        assert_eq!(found.len(), reference.len());
        let mut worst = 0.0f64;
        for columns in [0..3, 3..6, 6..7, 7..8] {
            let largest =
                reference.iter().flat_map(|row| &row[columns.clone()]).fold(0.0f64, |m, x| m.max(x.abs()));
            let pairs = found
                .iter()
                .zip(&reference)
                .flat_map(|(a, b)| a[columns.clone()].iter().zip(&b[columns.clone()]));
            worst = worst.max(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest);
        }
        println!("{tip}, spiders {spiders}, {grip:?}: {worst:.1e}");
        // Rounding of solves on a mesh of a thousand grids.
        assert!(worst < 1e-8, "{tip}, {grip}: {worst:.1e}");
    }
}
