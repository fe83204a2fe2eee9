//! What a link is made of.

use std::path::PathBuf;

use pliant_diag::{Located, Origin};

use super::InterfaceRequest;

/// What a link is made of: exactly one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkSource {
    /// Nastran bulk data, or one segment of it.
    Deck {
        /// The deck.
        deck: DeckSource,
        /// The segment; the entire deck when `None`.
        segment: Option<DeckSegment>,
    },
    /// A built-in beam in SI.
    Beam(BeamSource),
    /// A rigid body in SI.
    Rigid(RigidSource),
    /// A supplier's reduced matrices.
    Imported(ImportedSource),
}

impl LinkSource {
    /// `deck`, `beam`, `rigid` or `imported`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Deck { .. } => "deck",
            Self::Beam(_) => "beam",
            Self::Rigid(_) => "rigid",
            Self::Imported(_) => "imported",
        }
    }

    /// Whether the link has elements, and so stress and strain.
    pub fn has_elements(&self) -> bool {
        matches!(self, Self::Deck { .. } | Self::Beam(_))
    }

    /// The decks, without what they include, and the file of matrices.
    pub fn files(&self) -> (Vec<PathBuf>, Option<PathBuf>) {
        match self {
            Self::Deck { deck, .. } => (deck.files.clone(), None),
            Self::Imported(imported) => {
                let op4 = match &imported.matrices {
                    Matrices::Dmig | Matrices::Sid => None,
                    Matrices::Op4 { file, .. } => Some(file.clone()),
                };
                (imported.deck.files.clone(), op4)
            }
            Self::Beam(_) | Self::Rigid(_) => (Vec::new(), None),
        }
    }
}

/// Bulk data and what is changed of it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DeckSource {
    /// Files that are read as one.
    pub files: Vec<PathBuf>,
    /// How the part of a STEP file is meshed; `None` for a mesh.
    pub mesh: Option<PartMesh>,
    /// Fields of cards with new values, each as `CARD.id.field`.
    pub overrides: Vec<(Located<String>, OverrideValue)>,
    /// Material for elements whose deck names none.
    pub material: Option<IsotropicMaterial>,
    /// Shell thickness for elements whose deck names none (deck units).
    pub thickness: Option<f64>,
    /// Material and shell thickness (deck units) of properties that the deck leaves out, by name or number.
    pub groups: Vec<(Located<String>, GroupProperty)>,
}

/// How the part of a STEP file is meshed (deck units).
#[derive(Clone, Debug, PartialEq)]
pub struct PartMesh {
    /// Length of the edges.
    pub size: f64,
    /// 1 or 2.
    pub order: u32,
    /// Length of edges at features: a name, or `holes` for all holes.
    pub refine: Vec<(Located<String>, f64)>,
}

/// Stands in for a property that a deck leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupProperty {
    /// Material.
    pub material: IsotropicMaterial,
    /// Shell thickness (deck units).
    pub thickness: Option<f64>,
}

/// A new value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum OverrideValue {
    /// A real number.
    Number(f64),
    /// The text of the field.
    Text(String),
}

/// One segment of a deck that is cut at sets of grids.
#[derive(Clone, Debug, PartialEq)]
pub struct DeckSegment {
    /// The cuts from the inboard end outward.
    pub cuts: Vec<Located<InterfaceRequest>>,
    /// The segment, counted from 1 inboard.
    pub number: u32,
}

impl DeckSegment {
    /// Name of the interface where a deck was cut.
    pub const CUT: &str = "cut";

    /// The interface at the far end, which leads to the next segment; the last segment has none.
    pub fn onward(&self) -> Option<&'static str> {
        (self.number as usize <= self.cuts.len()).then_some(Self::CUT)
    }
}

/// An isotropic material in SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsotropicMaterial {
    /// Young's modulus (Pa).
    pub e: f64,
    /// Poisson's ratio.
    pub nu: f64,
    /// Density (kg/m³).
    pub rho: f64,
}

/// A uniform beam. Its first end carries the link frame, its other end is the interface [`TIP`](Self::TIP).
#[derive(Clone, Debug, PartialEq)]
pub struct BeamSource {
    /// Where it is asked for.
    pub origin: Origin,
    /// Its axis.
    pub path: BeamPath,
    /// Rigid offset from the end of the beam to its interface (m, link frame).
    pub tip_offset: [f64; 3],
    /// Cross-section.
    pub section: Located<Section>,
    /// Direction of the section's y axis (plane 1).
    pub orientation: [f64; 3],
    /// Material.
    pub material: IsotropicMaterial,
    /// Number of elements of each straight piece.
    pub elements: u32,
    /// Kind of element.
    pub element: BeamElement,
}

impl BeamSource {
    /// Name of the outboard interface.
    pub const TIP: &str = "tip";
}

/// The axis of a beam.
#[derive(Clone, Debug, PartialEq)]
pub enum BeamPath {
    /// Along x, of this length (m).
    Straight(f64),
    /// From point to point in the link frame (m); two or more.
    Kinked(Vec<[f64; 3]>),
}

/// Which beam element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BeamElement {
    /// Hermitian Timoshenko element with condensed shear: exact at the nodes for end loads.
    #[default]
    Hermite,
    /// Linear Timoshenko element with reduced integration.
    LinearReduced,
    /// Linear Timoshenko element with full integration: locks when slender.
    LinearFull,
}

impl BeamElement {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hermite => "hermite",
            Self::LinearReduced => "linear-reduced",
            Self::LinearFull => "linear-full",
        }
    }
}

/// A cross-section (m). Heights lie along the section's y, widths along its z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// Round tube.
    Tube {
        /// Outer diameter.
        od: f64,
        /// Wall thickness.
        t: f64,
    },
    /// Solid round bar.
    Rod {
        /// Diameter.
        diameter: f64,
    },
    /// Rectangular tube.
    Box {
        /// Outer width.
        width: f64,
        /// Outer height.
        height: f64,
        /// Wall thickness.
        t: f64,
    },
    /// Solid rectangle.
    Bar {
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
    /// The numbers themselves.
    Values {
        /// Area (m²).
        area: f64,
        /// Second moment for bending in the x–y plane (m⁴).
        i1: f64,
        /// Second moment for bending in the x–z plane (m⁴).
        i2: f64,
        /// Torsion constant (m⁴).
        j: f64,
        /// Shear factors in the two planes; no shear flexibility when `None`.
        k: Option<[f64; 2]>,
    },
}

/// A rigid body in SI, in the frame of its inboard interface.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidSource {
    /// Where it is asked for.
    pub origin: Origin,
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass (m).
    pub centre: [f64; 3],
    /// Ixx, Iyy, Izz about the centre of mass (kg·m²).
    pub inertia: [f64; 3],
    /// Ixy, Iyz, Izx of the inertia tensor about the centre of mass (kg·m²): −∫xy dm and so on.
    pub products: [f64; 3],
    /// Outboard interfaces by name with their positions (m).
    pub interfaces: Vec<(String, [f64; 3])>,
}

/// Reduced matrices without their mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedSource {
    /// Where it is asked for.
    pub origin: Origin,
    /// Bulk data with the interface GRIDs, SPOINTs and the DMIG matrices.
    pub deck: DeckSource,
    /// Name of the stiffness matrix.
    pub stiffness: String,
    /// Name of the mass matrix.
    pub mass: String,
    /// Where the matrices are.
    pub matrices: Matrices,
}

/// Where imported matrices are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matrices {
    /// DMIG cards of the deck.
    Dmig,
    /// An OP4 file, text or binary.
    Op4 {
        /// The file.
        file: PathBuf,
        /// The order of its rows as pairs of grid and component; that of EXTRN in the deck when `None`.
        rows: Option<Vec<[u32; 2]>>,
    },
    /// The deck itself, which is standard input data (SID_FEM): its nodes are the GRIDs.
    Sid,
}
