//! The scripts that gmsh runs.

use std::fmt::Write;

use crate::gmsh::{MESH, PART};
use crate::part::Part;

/// Unit of length of the coordinates: gmsh converts from that of the STEP file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// Metre.
    Metre,
    /// Millimetre.
    Millimetre,
    /// Inch.
    Inch,
}

impl LengthUnit {
    /// The unit of so many metres.
    pub fn of(metres: f64) -> Option<Self> {
        [(Self::Metre, 1.0), (Self::Millimetre, 1e-3), (Self::Inch, 0.0254)]
            .into_iter()
            .find(|(_, length)| (metres - length).abs() <= 1e-12)
            .map(|(unit, _)| unit)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Metre => "M",
            Self::Millimetre => "MM",
            Self::Inch => "INCH",
        }
    }
}

/// How a part is meshed.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSize {
    /// Length of the edges.
    pub size: f64,
    /// 1 or 2.
    pub order: u32,
    /// Length of edges at features: a name, or `holes` for all holes.
    pub refine: Vec<(String, f64)>,
}

/// The name that stands for all holes.
pub(crate) const HOLES: &str = "holes";
/// How far around a feature its size goes over into that of the part, in sizes of the part.
const TRANSITION: f64 = 2.0;

/// Reads the part. Solids that touch get common faces, so that a mesh joins them.
fn head(unit: LengthUnit) -> String {
    format!(
        "General.NumThreads = 1;\nGeometry.OCCTargetUnit = \"{}\";\nSetFactory(\"OpenCASCADE\");\n\
         Merge \"{PART}\";\nread() = Volume{{:}};\nIf (#read() > 1)\n\
         BooleanFragments{{ Volume{{:}}; Delete; }}{{}}\nEndIf\nv() = Volume{{:}};\n",
        unit.word()
    )
}

const TAIL: &str = "Mesh.MshFileVersion = 2.2;\nMesh.Binary = 0;\nMesh 3;\n";

/// Prints the solids and saves a coarse mesh whose elements carry the numbers of their faces and solids.
pub(crate) fn inspection(unit: LengthUnit) -> String {
    let mut text = head(unit);
    text.push_str(concat!(
        "Printf(\"pliant solids %g %g\", #read(), #v());\nFor k In {0:#v()-1}\n",
        "m() = Mass Volume{ v(k) };\nc() = CenterOfMass Volume{ v(k) };\n",
        "Printf(\"pliant volume %g %.17g %.17g %.17g %.17g\", v(k), m(0), c(0), c(1), c(2));\nEndFor\n",
        "Mesh.MeshSizeFromCurvature = 12;\nMesh.ElementOrder = 1;\nMesh.SaveAll = 1;\n",
    ));
    text + TAIL + &format!("Save \"{MESH}\";\n")
}

/// Meshes the part, each feature a physical group with its name.
pub(crate) fn meshing(unit: LengthUnit, part: &Part, spec: &MeshSize) -> String {
    let mut text = head(unit);
    let mut write = |line: String| writeln!(text, "{line}").expect("invariant: a string takes all");
    let list = |faces: &[u32]| faces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    for (k, solid) in part.solids.iter().enumerate() {
        write(format!("Physical Volume(\"{}\", {}) = {{{}}};", solid.name, k + 1, solid.tag));
    }
    for (k, (name, faces)) in part.faces().enumerate() {
        write(format!("Physical Surface(\"{name}\", {}) = {{{}}};", k + 1, list(faces)));
    }
    let MeshSize { size, order, refine } = spec;
    write(format!("Mesh.MeshSizeMax = {size:?};\nMesh.ElementOrder = {order};"));
    write("Mesh.MeshSizeFromPoints = 0;\nMesh.MeshSizeExtendFromBoundary = 0;".to_owned());
    if *order > 1 {
        write("Mesh.HighOrderOptimize = 1;".to_owned());
    }
    let mut fields = Vec::new();
    for (name, fine) in refine {
        let faces: Vec<u32> = part
            .faces()
            .filter(|(known, _)| {
                known == name || (name == HOLES && part.holes().any(|hole| hole.name == *known))
            })
            .flat_map(|(_, faces)| faces.iter().copied())
            .collect();
        let (a, b) = (2 * fields.len() + 1, 2 * fields.len() + 2);
        write(format!("Field[{a}] = Distance;\nField[{a}].SurfacesList = {{{}}};", list(&faces)));
        write(format!("Field[{a}].Sampling = 40;\nField[{b}] = Threshold;\nField[{b}].InField = {a};"));
        write(format!("Field[{b}].SizeMin = {fine:?};\nField[{b}].SizeMax = {size:?};"));
        write(format!("Field[{b}].DistMin = 0;\nField[{b}].DistMax = {:?};", TRANSITION * size));
        fields.push(b);
    }
    if !fields.is_empty() {
        let last = 2 * fields.len() + 1;
        let list: Vec<String> = fields.iter().map(usize::to_string).collect();
        write(format!("Field[{last}] = Min;\nField[{last}].FieldsList = {{{}}};", list.join(", ")));
        write(format!("Background Field = {last};"));
    }
    text + TAIL + &format!("Save \"{MESH}\";\n")
}
