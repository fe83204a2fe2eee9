//! Interfaces: grids, or regions of the mesh.

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind, table, words};

/// Where an interface is.
#[derive(Clone, Debug, PartialEq)]
pub enum InterfaceSpec {
    /// A GRID: usually the independent grid of an RBE2 or the reference grid of an RBE3.
    Grid(u32),
    /// Several GRIDs that a rigid spider ties to their centre.
    Grids(Vec<u32>),
    /// Anything else.
    Table(Box<InterfaceTable>),
}

impl FromValue for InterfaceSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match value.kind {
            ValueKind::Array(_) => Vec::from_value(value, context).map(Self::Grids),
            ValueKind::Table(_) => {
                InterfaceTable::from_value(value, context).map(|table| Self::Table(Box::new(table)))
            }
            _ => u32::from_value(value, context).map(Self::Grid),
        }
    }

    fn doc() -> TypeDoc {
        let table = InterfaceTable::doc();
        TypeDoc {
            words: format!("GRID number, list of GRID numbers, or {}", table.words),
            json: json!({ "anyOf": [{ "type": "integer" }, { "type": "array", "items": { "type": "integer" } }, table.json] }),
            tables: table.tables,
        }
    }
}

/// A set by its number or its name.
#[derive(Clone, Debug, PartialEq)]
pub enum SetSpec {
    /// Number of a SET1.
    Number(u32),
    /// Name in a comment of the deck, or in the mesh of another preprocessor.
    Name(String),
}

impl FromValue for SetSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(name) => Some(Self::Name(name.clone())),
            _ => u32::from_value(value, context).map(Self::Number),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("set number or name", json!({ "type": ["integer", "string"] }))
    }
}

words! {
    /// How the grids of an interface hang on its centre.
    pub enum SpiderWord {
        /// RBE2: the grids move as one rigid body.
        Rigid = "rigid",
        /// RBE3: the centre moves as the mean of the grids, which stay free.
        Average = "average",
    }
}

table! {
    /// An interface by its grids or by a region of the mesh; exactly one of `grid`, `grids`, `set`,
    /// `hole`, `cylinder`, `plane`, `box` and `sphere`. Lengths in deck units. All grids in the region are
    /// tied to a new grid at its centre.
    ///
    /// ```toml
    /// [links.lever]
    /// deck       = "lever.bdf"
    /// units      = "mm-t-s"
    /// inboard    = { cylinder = { axis = "z", radius = 10 }, spider = "average" }
    /// interfaces = { flange = { set = 7 }, side = { grids = [11, 12, 13, 14] } }
    /// ```
    pub struct InterfaceTable {
        /// A GRID of the deck.
        grid: Option<u32>;
        /// Several GRIDs.
        grids: Option<Vec<u32>>;
        /// A SET1 of the deck with GRID numbers, or the name that the preprocessor gave to a set: a physical
        /// group, a node set, a surface, a component.
        set: Option<SetSpec>;
        /// A hole of a STEP file by the name that `pliant inspect` gives it; its centre lies on its axis. Its
        /// shafts and plane faces are sets: `{ set = "P2" }`.
        hole: Option<String>;
        /// The grids on a cylinder: a bearing hole or a shaft.
        cylinder: Option<CylinderRegion>;
        /// The grids on a plane: a flange.
        plane: Option<PlaneRegion>;
        /// The grids in a box.
        box_: Option<BoxRegion>;
        /// The grids on or in a sphere.
        sphere: Option<SphereRegion>;
        /// How the grids are tied to the centre.
        spider: SpiderWord = SpiderWord::Rigid, "rigid";
        /// Centre; when left out the middle of the region, or the mean of the grids.
        centre: Option<[f64; 3]>;
        /// How far a grid may be from the surface; when left out a thousandth of the size of the region.
        tolerance: Option<f64>;
        /// Axes of the interface triad: x and y directions in deck axes; the basic frame when left out.
        axes: Option<[[f64; 3]; 2]>;
        /// Of an interface of a link with `cuts`: the segment it belongs to, counted from 1 inboard; the last
        /// one when left out.
        segment: Option<u32>;
    } check InterfaceTable::check
}

/// A direction: `"x"`, `"-z"` or three numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction(pub [f64; 3]);

impl FromValue for Direction {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        if let ValueKind::String(word) = &value.kind {
            let (sign, letter) = match word.strip_prefix('-') {
                Some(rest) => (-1.0, rest),
                None => (1.0, word.as_str()),
            };
            let axis = ["x", "y", "z"].iter().position(|axis| *axis == letter);
            let Some(axis) = axis else {
                let message =
                    format!("expected x, y, z, -x, -y, -z or three numbers as a direction, found `{word}`");
                context.error(value.span, message);
                return None;
            };
            let mut direction = [0.0; 3];
            direction[axis] = sign;
            return Some(Self(direction));
        }
        let direction = <[f64; 3]>::from_value(value, context)?;
        if direction == [0.0; 3] {
            context.error(value.span, "a direction must not be [0, 0, 0]");
            return None;
        }
        Some(Self(direction))
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("`x`, `y`, `z`, `-x`, …, or list of 3 numbers", json!({ "type": ["string", "array"] }))
    }
}

table! {
    /// The surface of a cylinder.
    ///
    /// ```toml
    /// [links.lever]
    /// deck    = "lever.bdf"
    /// inboard = { cylinder = { axis = "z", through = [100, 0, 0], radius = 8, along = [0, 10] } }
    /// ```
    pub struct CylinderRegion {
        /// Direction of its axis.
        axis: Direction;
        /// A point on the axis.
        through: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Radius.
        radius: f64;
        /// From where to where along the axis, measured from `through`; all of it when left out.
        along: Option<[f64; 2]>;
    }
}

table! {
    /// A plane.
    ///
    /// ```toml
    /// [links.bracket]
    /// deck    = "bracket.bdf"
    /// inboard = { plane = { normal = "x", through = [0, 0, 0] } }
    /// ```
    pub struct PlaneRegion {
        /// Its normal.
        normal: Direction;
        /// A point on it.
        through: [f64; 3];
        /// Only grids within this distance of `through`; all of them when left out.
        radius: Option<f64>;
    }
}

table! {
    /// A box along the deck's axes.
    ///
    /// ```toml
    /// [links.bracket]
    /// deck    = "bracket.bdf"
    /// inboard = { box = { from = [-1, -20, -20], to = [1, 20, 20] } }
    /// ```
    pub struct BoxRegion {
        /// Lower corner.
        from: [f64; 3];
        /// Upper corner.
        to: [f64; 3];
    }
}

table! {
    /// A sphere.
    ///
    /// ```toml
    /// [links.rod]
    /// deck    = "rod.bdf"
    /// inboard = { sphere = { centre = [0, 0, 0], radius = 12.5, surface = true } }
    /// ```
    pub struct SphereRegion {
        /// Its centre.
        centre: [f64; 3];
        /// Its radius.
        radius: f64;
        /// True: only the surface. False: all grids inside.
        surface: bool = false, "false";
    }
}

impl InterfaceTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("grid", self.grid.is_some()),
            ("grids", self.grids.is_some()),
            ("set", self.set.is_some()),
            ("hole", self.hole.is_some()),
            ("cylinder", self.cylinder.is_some()),
            ("plane", self.plane.is_some()),
            ("box", self.box_.is_some()),
            ("sphere", self.sphere.is_some()),
        ]);
        context.positive(&[("tolerance", self.tolerance)]);
        let radii = [
            ("cylinder", self.cylinder.as_ref().map(|region| region.radius)),
            ("plane", self.plane.as_ref().and_then(|region| region.radius)),
            ("sphere", self.sphere.as_ref().map(|region| region.radius)),
        ];
        for (key, radius) in radii.iter().filter_map(|(key, radius)| Some((key, (*radius)?))) {
            if radius <= 0.0 {
                let message = format_args!("the `radius` of a {key} must be positive, found {radius}");
                context.error(context.key(key), message);
            }
        }
        let corners = self.box_.iter().flat_map(|region| (0..3).map(|k| (region.from[k], region.to[k])));
        for (from, to) in corners.filter(|(from, to)| from >= to) {
            let message =
                format_args!("each number of `from` must be below that of `to`, found {from} and {to}");
            context.error(context.key("box"), message);
        }
    }
}
