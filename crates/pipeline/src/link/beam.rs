//! `beam`: a built-in link that needs no deck.

use crate::limits::{BEAM_LENGTH, ELEMENTS};
use crate::link::MaterialSpec;
use crate::schema::Context;
use crate::{table, words};

words! {
    /// Which beam element.
    pub enum BeamElementWord {
        /// Hermitian Timoshenko element with condensed shear: exact at the nodes for end loads.
        Hermite = "hermite",
        /// Linear Timoshenko element with reduced integration.
        LinearReduced = "linear-reduced",
        /// Linear Timoshenko element with full integration: locks when slender.
        LinearFull = "linear-full",
    }
}

table! {
    /// A uniform beam along the link's x axis, or along a path. Its inboard end carries the link frame, its
    /// other end is the interface `tip`.
    ///
    /// ```toml
    /// [links.boom]
    /// beam = { length = 2.0, section = { box = { width = 0.1, height = 0.15, t = 0.005 } }, material = "steel", elements = 20 }
    /// ```
    pub struct BeamTable {
        /// Length along x (m); or give `path`.
        length: Option<f64>;
        /// Points of a kinked beam in the link frame (m); the first is the inboard end.
        path: Option<Vec<[f64; 3]>>;
        /// Rigid offset from the end of the beam to the interface `tip` (m, link frame).
        tip_offset: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Cross-section.
        section: SectionTable;
        /// Direction of the section's y axis (plane 1); not along the beam.
        orientation: [f64; 3] = [0.0, 1.0, 0.0], "[0, 1, 0]";
        /// Material: a name of the library, or values.
        material: MaterialSpec;
        /// Number of elements (per straight piece of a path).
        elements: u32 = 10, "10";
        /// Kind of element.
        element: BeamElementWord = BeamElementWord::Hermite, "hermite";
    } check BeamTable::check
}

table! {
    /// A cross-section: exactly one of these. Lengths in metres.
    ///
    /// ```toml
    /// [links.a]
    /// beam = { length = 1, section = { rod = 0.02 }, material = "steel" }
    ///
    /// [links.b]
    /// beam = { length = 1, section = { bar = [0.02, 0.03] }, material = "steel" }
    /// ```
    pub struct SectionTable {
        /// Round tube.
        tube: Option<TubeTable>;
        /// Solid round bar of this diameter.
        rod: Option<f64>;
        /// Rectangular tube.
        box_: Option<BoxTable>;
        /// Solid rectangle: width along the section's z, height along its y.
        bar: Option<[f64; 2]>;
        /// The numbers themselves.
        values: Option<SectionValues>;
    } check SectionTable::check
}

table! {
    /// A round tube.
    ///
    /// ```toml
    /// [links.arm]
    /// beam = { length = 0.6, section = { tube = { od = 0.05, t = 0.003 } }, material = "aluminium" }
    /// ```
    pub struct TubeTable {
        /// Outer diameter (m).
        od: f64;
        /// Wall thickness (m).
        t: f64;
    }
}

table! {
    /// A rectangular tube.
    ///
    /// ```toml
    /// [links.arm]
    /// beam = { length = 1.2, section = { box = { width = 0.08, height = 0.12, t = 0.004 } }, material = "steel" }
    /// ```
    pub struct BoxTable {
        /// Outer width along the section's z (m).
        width: f64;
        /// Outer height along the section's y (m).
        height: f64;
        /// Wall thickness (m).
        t: f64;
    }
}

table! {
    /// Section numbers.
    ///
    /// ```toml
    /// [links.arm.beam]
    /// length   = 1.0
    /// material = "steel"
    /// section  = { values = { area = 9.15e-4, i1 = 1.08e-6, i2 = 1.08e-6, j = 2.16e-6, k = [0.53, 0.53] } }
    /// ```
    pub struct SectionValues {
        /// Area (m²).
        area: f64;
        /// Second moment for bending in the x–y plane (m⁴).
        i1: f64;
        /// Second moment for bending in the x–z plane (m⁴); the same as `i1` when left out.
        i2: Option<f64>;
        /// Torsion constant (m⁴); `i1 + i2` when left out.
        j: Option<f64>;
        /// Shear factors in the two planes; no shear flexibility when left out.
        k: Option<[f64; 2]>;
    }
}

impl BeamTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("length", self.length.is_some()), ("path", self.path.is_some())]);
        let (shortest, longest) = BEAM_LENGTH;
        if let Some(length) = self.length.filter(|length| !(shortest..=longest).contains(length)) {
            let message =
                format_args!("`length` must lie between {shortest} and {longest} m, found {length}");
            context.error(context.key("length"), message);
        }
        if let Some(path) = &self.path {
            if path.len() < 2 {
                let message = format_args!("`path` needs at least two points, found {}", path.len());
                context.error(context.key("path"), message);
            }
            if let Some(x) = path.iter().flatten().find(|x| x.abs() > longest) {
                let message =
                    format_args!("the coordinates of `path` must be at most {longest} m, found {x}");
                context.error(context.key("path"), message);
            }
            if let Some(k) = path.windows(2).position(|pair| pair[0] == pair[1]) {
                let message = format_args!("points {} and {} of `path` coincide", k + 1, k + 2);
                context.error(context.key("path"), message);
            }
        }
        if self.elements == 0 {
            context.error(context.key("elements"), "`elements` must be 1 or more, found 0");
        }
        if self.elements > ELEMENTS {
            let message = format_args!("`elements` must be at most {ELEMENTS}, found {}", self.elements);
            context.error(context.key("elements"), message);
        }
    }
}

impl SectionTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("tube", self.tube.is_some()),
            ("rod", self.rod.is_some()),
            ("box", self.box_.is_some()),
            ("bar", self.bar.is_some()),
            ("values", self.values.is_some()),
        ]);
        let mut sizes = Vec::new();
        let mut walls = Vec::new();
        if let Some(TubeTable { od, t, .. }) = self.tube {
            sizes.extend([("od", od), ("t", t)]);
            walls.push(("od", od, t));
        }
        sizes.extend(self.rod.map(|diameter| ("rod", diameter)));
        if let Some(BoxTable { width, height, t, .. }) = self.box_ {
            sizes.extend([("width", width), ("height", height), ("t", t)]);
            walls.extend([("width", width, t), ("height", height, t)]);
        }
        sizes.extend(self.bar.into_iter().flatten().map(|side| ("bar", side)));
        if let Some(values) = &self.values {
            sizes.extend([("area", values.area), ("i1", values.i1)]);
            sizes.extend(values.i2.map(|i2| ("i2", i2)));
            sizes.extend(values.j.map(|j| ("j", j)));
            sizes.extend(values.k.into_iter().flatten().map(|k| ("k", k)));
        }
        for (key, size) in sizes.iter().filter(|(_, size)| *size <= 0.0) {
            context.error(self.source.0, format_args!("`{key}` must be positive, found {size}"));
        }
        for (key, size, t) in walls.iter().filter(|(_, size, t)| *t > 0.0 && 2.0 * t >= *size) {
            let message = format_args!("`t` must be less than half of `{key}`, found {t} and {size}");
            context.error(self.source.0, message);
        }
    }
}
