//! The report of a deck: shapes of vibration or buckling, or static load cases with their stress and forces.

mod numbers;

use std::f64::consts::TAU;

use serde::Serialize;

use crate::array::Arrays;
use crate::machine::{Field, Machine, MachineData, Part, Values};
use crate::page::{About, Section, page};
use crate::run::stage;

/// Pictures of one oscillation of a shape.
const PHASES: usize = 16;
/// Numbers of all pictures of all shapes at most: above, the last shapes are not drawn.
const NUMBERS: usize = 60_000_000;

/// Shapes of a deck.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// Where they come from.
    pub about: About,
    /// What they are.
    pub kind: ShapeKind,
    /// Each of them.
    pub shapes: Vec<Shape>,
    /// The mesh at rest: name, nodes, cells. What moves is in the shapes.
    pub mesh: Part,
    /// Elements of largest stress in each shape, the worst first; of buckling under the loads themselves.
    pub hot_spots: Vec<Vec<HotSpot>>,
    /// Forces on grids in static load cases.
    pub forces: Vec<ForceRow>,
    /// Rows of forces in the file.
    pub forces_in_file: usize,
}

/// What shapes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeKind {
    /// Natural frequencies (Hz).
    #[default]
    Vibration,
    /// Load factors.
    Buckling,
    /// Static load cases by number, as they are.
    Static,
}

/// One of them.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Frequency (Hz), load factor or number of the load case.
    pub value: f64,
    /// Three numbers for each node (m).
    pub displacement: Vec<f32>,
    /// What is known at the nodes of it: name, units, a number for each; NaN where there is none.
    pub fields: Vec<(String, String, Vec<f32>)>,
}

/// An element and its stress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HotSpot {
    /// Its number.
    pub element: u32,
    /// Number of its property.
    pub property: u32,
    /// Von Mises stress (Pa).
    pub stress: f64,
}

/// A force on a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceRow {
    /// Number of the load case.
    pub subcase: u32,
    /// Number of the grid.
    pub grid: u32,
    /// What acts.
    pub origin: String,
    /// Force (N) and moment (N m) in the basic frame.
    pub components: [f64; 6],
}

#[derive(Serialize)]
struct ShapesData {
    kind: &'static str,
    what: &'static str,
    modes: Vec<String>,
    phases: usize,
    machine: Option<MachineData>,
}

impl ShapeKind {
    /// What one of them is called.
    fn word(self) -> &'static str {
        match self {
            Self::Vibration | Self::Buckling => "mode",
            Self::Static => "load case",
        }
    }
}

impl Shapes {
    /// The page.
    pub fn into_html(self) -> String {
        let mut arrays = Arrays::default();
        let section = |id, heading, markup| Section { id, heading, markup };
        let mut sections = vec![section("summary", "Summary", numbers::summary(&self))];
        let machine = self.machine();
        if machine.is_some() {
            sections.push(section("machine", self.heading(), self.stage()));
        }
        sections.push(section("shapes", "Values", numbers::values(&self)));
        if self.hot_spots.iter().any(|spots| !spots.is_empty()) {
            sections.push(section("elements", "Elements", numbers::hot_spots(&self)));
        }
        if !self.forces.is_empty() {
            sections.push(section("forces", "Forces on grids", numbers::forces(&self)));
        }
        let drawn = machine.as_ref().map_or(0, |machine| machine.times.len() / PHASES);
        let data = ShapesData {
            kind: "shapes",
            what: self.kind.word(),
            modes: (0..drawn).map(|k| numbers::label(&self, k)).collect(),
            phases: PHASES,
            machine: machine.map(|machine| machine.into_data(&mut arrays)),
        };
        page(&self.about, &sections, &data, arrays)
    }

    fn heading(&self) -> &'static str {
        match self.kind {
            ShapeKind::Vibration | ShapeKind::Buckling => "Mode shapes",
            ShapeKind::Static => "Deformed shapes",
        }
    }

    /// Canvas and controls; static load cases come and go instead of vibrating.
    fn stage(&self) -> String {
        let markup = stage::modes_markup();
        match self.kind {
            ShapeKind::Vibration | ShapeKind::Buckling => markup,
            ShapeKind::Static => markup
                .replace("<label>mode <select", "<label>load case <select")
                .replace("all modes", "all load cases"),
        }
    }

    /// Pictures of one oscillation of each shape after the other; a static one grows to its size and back
    /// twice, with its stress. `None` without shapes.
    fn machine(&self) -> Option<Machine> {
        let points = self.mesh.positions.len();
        let all = self.shapes.len();
        let count = all.min(NUMBERS / (3 * PHASES * points.max(1))).max(1).min(all);
        let is_static = self.kind == ShapeKind::Static;
        let amplitude = |phase: usize| {
            let sine = (TAU * phase as f64 / PHASES as f64).sin() as f32;
            if is_static { sine.abs() } else { sine }
        };
        let frames = || (0..count).flat_map(|k| (0..PHASES).map(move |phase| (k, amplitude(phase))));
        let moved = |(k, by): (usize, f32)| self.shapes[k].displacement.iter().map(|u| by * u).collect();
        let names = self.shapes.first().map(|shape| &shape.fields).into_iter().flatten().enumerate();
        let field = |(at, (name, units, _)): (usize, &(String, String, Vec<f32>))| {
            // Loads that buckle stay as they are while the shape moves.
            let of = |(k, by): (usize, f32)| {
                let by = if is_static { by } else { 1.0 };
                self.shapes[k].fields[at].2.iter().map(|x| by * x).collect()
            };
            Field {
                name: name.clone(),
                units: units.clone(),
                values: Values::Frames(frames().map(of).collect()),
            }
        };
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let part = Part {
            displacements: frames().map(moved).collect(),
            poses: vec![identity; count * PHASES],
            fields: names.map(field).collect(),
            ..self.mesh.clone()
        };
        let times = (0..count * PHASES).map(|k| k as f64).collect();
        Some(Machine { times, parts: vec![part], ..Machine::default() }).filter(Machine::is_drawable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(kind: ShapeKind) -> Shapes {
        let mesh = Part { positions: vec![[0.0; 3], [1.0, 0.0, 0.0]], ..Part::default() };
        let shape = |value: f64| Shape {
            value,
            displacement: vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0],
            fields: vec![("von Mises stress".into(), "Pa".into(), vec![1e6, 3e6])],
        };
        Shapes { kind, mesh, shapes: vec![shape(3.0), shape(5.0)], ..Shapes::default() }
    }

    /// At three quarters of an oscillation a mode is on the other side; a static load case never is, and its
    /// stress grows with it.
    #[test]
    fn modes_vibrate_and_load_cases_come_and_go() {
        for (kind, back, stress) in [
            (ShapeKind::Vibration, -2.0, 3e6),
            (ShapeKind::Buckling, -2.0, 3e6),
            (ShapeKind::Static, 2.0, 0.0),
        ] {
            let machine = shapes(kind).machine().expect("there are shapes");
            assert_eq!(machine.times.len(), 2 * PHASES);
            let part = &machine.parts[0];
            assert!((part.displacements[PHASES + 3 * PHASES / 4][4] - back).abs() < 1e-6);
            let Values::Frames(frames) = &part.fields[0].values else { panic!("fields move") };
            assert_eq!((frames[0][1], frames[PHASES / 4][1]), (stress, 3e6));
        }
        assert!(Shapes { shapes: Vec::new(), ..shapes(ShapeKind::Static) }.machine().is_none());
    }

    #[test]
    fn the_page_has_tables_without_a_script() {
        let mut shapes = shapes(ShapeKind::Static);
        shapes.hot_spots = vec![vec![HotSpot { element: 12, property: 1, stress: 61.5e6 }], Vec::new()];
        let row = |origin: &str, y: f64| ForceRow {
            subcase: 3,
            grid: 7,
            origin: origin.into(),
            components: [0.0, y, 0.0, 0.0, 0.0, 0.0],
        };
        shapes.forces = vec![row("applied", 10.0), row("CBAR 1", -10.0)];
        shapes.forces_in_file = 5;
        let html = shapes.into_html();
        for text in
            ["61.5 MPa", "Forces on grids", "CBAR 1", "3 more rows", "load case 3", "load case <select"]
        {
            assert!(html.contains(text), "{text}");
        }
    }
}
