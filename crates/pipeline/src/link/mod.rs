//! The `[links]` of a pipeline file.

mod beam;
mod damping;
mod imported;
mod interface;
mod material;
mod modes;
mod part;
mod rail;
mod rigid;
mod second_order;
mod units;

pub use beam::{BeamElementWord, BeamTable, BoxTable, SectionTable, SectionValues, TubeTable};
pub use damping::{DampingTable, RatioSpec, RayleighTable};
pub use imported::ImportedTable;
pub use interface::{
    BoxRegion, CylinderRegion, Direction, InterfaceSpec, InterfaceTable, PlaneRegion, SetSpec, SphereRegion,
    SpiderWord,
};
pub use material::{GroupTable, MATERIALS, MaterialSpec, MaterialTable};
pub use modes::{BasisWord, ModesTable};
pub use part::PartMeshTable;
pub use rail::RailTable;
pub use rigid::RigidTable;
pub use second_order::SecondOrderSpec;
pub use units::{UnitsSpec, UnitsTable};

use std::path::PathBuf;

use crate::limits::{BEAM_LENGTH, SEGMENTS};
use crate::schema::{Context, Located, Named, NumberOrWord, OneOrMany};
use crate::table;

table! {
    /// One link. Exactly one of `deck`, `beam`, `rigid`, `imported` and `sid` says what it is made of.
    ///
    /// ```toml
    /// [links.upper]
    /// deck       = "upper.bdf"
    /// units      = "mm-t-s"
    /// inboard    = 1
    /// interfaces = { elbow = 2 }
    /// modes      = { below_hz = 500 }
    /// damping    = { ratio = 0.01 }
    /// ```
    pub struct LinkTable {
        /// Nastran bulk data, or a mesh of Gmsh (`.msh`), Abaqus or CalculiX (`.inp`), Ansys (`.cdb`) or a
        /// universal file (`.unv`): one file, or several that are read as one. A STEP file is meshed as
        /// `mesh` says.
        deck: Option<OneOrMany<PathBuf>>;
        /// How a STEP file is meshed.
        mesh: Option<PartMeshTable>;
        /// A built-in beam that needs no deck.
        beam: Option<BeamTable>;
        /// A rigid body.
        rigid: Option<RigidTable>;
        /// A supplier's reduced matrices.
        imported: Option<ImportedTable>;
        /// Standard input data of a flexible body (SID_FEM), in SI; its interfaces are nodes by number. A
        /// `deck` whose content is such a file is read as one.
        sid: Option<PathBuf>;
        /// Units of the deck: `"si"`, `"mm-t-s"`, `"in-lbf-s"`, or three factors.
        units: UnitsSpec = UnitsSpec::default(), "si";
        /// Where the link frame sits: a GRID number, a list of them, or a region of the mesh.
        inboard: Option<Located<InterfaceSpec>>;
        /// The outboard interfaces by name, each a GRID number, a list of them, or a region of the mesh.
        interfaces: Named<Located<InterfaceSpec>>;
        /// A line along which a `sliding` joint can grip the link.
        rail: Option<RailTable>;
        /// The reduction basis.
        basis: BasisWord = BasisWord::CraigBampton, "craig-bampton";
        /// How many modes to keep.
        modes: Option<ModesTable>;
        /// Load directions for which a static residual vector is kept, as `interface.component` (such as
        /// `elbow.z`), `gravity.x`, or `load.7` for a set of loads of the deck.
        residual: Option<Vec<Located<String>>>;
        /// Damping of the elastic coordinates; none when left out.
        damping: Option<DampingTable>;
        /// The mass matrix the link is reduced with.
        mass: MassWord = MassWord::Consistent, "consistent";
        /// A straight `beam` is cut into this many substructures, each with its own frame, joined rigidly;
        /// for deflections that are not small.
        segments: u32 = 1, "1";
        /// A deck is cut at these grids, from the inboard end outward, into substructures, each with its own
        /// frame, joined rigidly; for deflections that are not small. Each is a GRID number, a list of them,
        /// or a region of the mesh, whose grids alone connect what lies before it with what lies beyond.
        /// Several grids move as one rigid face (or, with `spider = "average"`, their mean does).
        cuts: Option<Vec<Located<InterfaceSpec>>>;
        /// This segment of the deck alone, counted from 1 inboard, with the interface `cut` at its far end;
        /// when left out, all of them, as links `name`, `name#2`, … with fixed joints of the latter names.
        segment: Option<u32>;
        /// Second-order displacement: a link shortens as it bends and is stiffened by what pulls it. `false`
        /// leaves it out, to compare; `"chord"` keeps what the turning of the chord shortens, as codes do
        /// whose links are linear in a frame from end to end.
        second_order: SecondOrderSpec = SecondOrderSpec::Full, "true";
        /// New values for fields of cards, such as `"PSHELL.3.T" = 4.0`.
        override_: Named<NumberOrWord>;
        /// Material for elements whose deck names none: a name of the library, or values.
        material: Option<MaterialSpec>;
        /// Shell thickness for elements whose deck names none, in deck units.
        thickness: Option<f64>;
        /// Material and thickness of properties that the deck leaves out, by the name or number of the
        /// property: the physical groups of a mesh of Gmsh. Those that are not listed take `material` and
        /// `thickness`.
        groups: Named<GroupTable>;
        /// Health checks that may fail for this link, by name.
        accept: Option<Vec<Located<String>>>;
    } check LinkTable::check
}

crate::words! {
    /// Which mass matrix a link is reduced with.
    pub enum MassWord {
        /// ∫ρ NᵀN, rotary inertia included.
        Consistent = "consistent",
        /// As Nastran's PARAM,COUPMASS,1.
        Coupled = "coupled",
        /// As Nastran's default.
        Lumped = "lumped",
    }
}

/// Name of the interface where a deck is cut.
const CUT: &str = "cut";

impl LinkTable {
    /// Cuts are of a deck, and whatever else is said of segments fits them.
    fn check_cuts(&self, context: &mut Context<'_>) {
        let Some(cuts) = &self.cuts else {
            if self.segment.is_some() {
                context.error(context.key("segment"), "`segment` needs `cuts`, and this link has none");
            }
            return;
        };
        if self.deck.is_none() {
            let hint = "`segments` divides a beam".to_owned();
            context.error_with_hint(context.key("cuts"), "`cuts` needs a `deck`", Some(hint));
        }
        let count = cuts.len() + 1;
        if let Some(segment) = self.segment.filter(|segment| !(1..=count).contains(&(*segment as usize))) {
            let message = format!("`segment` must lie between 1 and {count}, found {segment}");
            context.error(context.key("segment"), message);
        }
        if let Some((name, _)) = self.interfaces.entries.iter().find(|(name, _)| name.value == CUT) {
            context.error(name.span(), "`cut` is the name of the interface at a cut: choose another name");
        }
        let loads = self.residual.iter().flatten().find(|name| name.value.starts_with("load."));
        if let Some(load) = loads {
            let message = format_args!("`{}`: a deck with `cuts` cannot use its loads", load.value);
            context.error(load.span(), message);
        }
    }

    /// Only straight beams are cut into equal segments, and not into too many.
    fn check_segments(&self, context: &mut Context<'_>) {
        if self.segments == 0 {
            context.error(context.key("segments"), "`segments` must be 1 or more, found 0");
        }
        if self.segments <= 1 {
            return;
        }
        let Some(beam) = &self.beam else {
            let hint = "a deck is divided at grids: `cuts = [12, 24]`".to_owned();
            context.error_with_hint(context.key("segments"), "`segments` needs a `beam`", Some(hint));
            return;
        };
        if self.segments > SEGMENTS {
            context.error(
                context.key("segments"),
                format_args!("`segments` must be at most {SEGMENTS}, found {}", self.segments),
            );
        }
        if beam.path.is_some() {
            let hint = "give its `length` instead of a `path`, or write the pieces as links of their own";
            context.error_with_hint(
                context.key("segments"),
                "`segments` needs a straight beam, found a `path`",
                Some(hint.to_owned()),
            );
        }
        let (shortest, _) = BEAM_LENGTH;
        let length = beam.length.map(|length| length / f64::from(self.segments));
        if let Some(length) = length.filter(|length| *length < shortest) {
            let message = format_args!("a segment must be {shortest} m or longer, found {length} m");
            context.error(context.key("segments"), message);
        }
    }

    /// Exactly one source is given, and a deck has an inboard interface.
    fn check(&self, context: &mut Context<'_>) {
        let sources = [
            ("deck", self.deck.is_some()),
            ("beam", self.beam.is_some()),
            ("rigid", self.rigid.is_some()),
            ("imported", self.imported.is_some()),
            ("sid", self.sid.is_some()),
        ];
        let given: Vec<_> = sources.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
        let span = self.source.0;
        self.check_segments(context);
        self.check_cuts(context);
        if self.mesh.is_some() && self.deck.as_ref().is_none_or(|deck| deck.0.len() != 1) {
            context.error(context.key("mesh"), "`mesh` needs a `deck` that is one STEP file");
        }
        if let Some(rail) = &self.rail {
            match given.as_slice() {
                ["deck"] if rail.grids.is_some() == rail.line.is_some() => {
                    let found = if rail.grids.is_some() { "both" } else { "neither" };
                    let message = format!("the rail of a deck needs `grids` or `line`, found {found}");
                    context.error(rail.source.0, message);
                }
                ["beam"] if rail.grids.is_some() || rail.line.is_some() || rail.radius.is_some() => {
                    let message =
                        "the rail of a beam is the beam itself: it takes no `grids`, `line` or `radius`";
                    context.error(rail.source.0, message);
                }
                ["deck" | "beam"] => {}
                _ => {
                    context.error(rail.source.0, "`rail` needs a `deck` or a `beam`");
                }
            }
            if self.segments > 1 || self.cuts.is_some() {
                context.error(rail.source.0, "a link with a `rail` takes neither `segments` nor `cuts`");
            }
            if self.second_order == SecondOrderSpec::Chord {
                let message = "second_order = \"chord\" is not available for a link with a rail: nothing holds its link frame";
                let hint = "`second_order` must be true or false".to_owned();
                context.error_with_hint(rail.source.0, message, Some(hint));
            }
        }
        match given.as_slice() {
            ["deck"] => {
                if self.inboard.is_none() {
                    let hint = "inboard = 1001 puts the link frame on GRID 1001".to_owned();
                    context.error_with_hint(span, "a link from a `deck` needs `inboard`", Some(hint));
                }
            }
            _ => context.exactly_one(&sources),
        }
    }
}
