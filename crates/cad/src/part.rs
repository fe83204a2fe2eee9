//! A part: its solids and features, and its mesh.

use std::collections::BTreeSet;

use pliant_diag::{Diagnostic, Diagnostics, Located, Warned, suggestion};

use crate::feature::{Cylinder, Plane, features};
use crate::gmsh::Gmsh;
use crate::msh::Mesh;
use crate::script::{HOLES, LengthUnit, MeshSize, inspection, meshing};
use crate::thin::thin_solids;
use crate::volume::volume;

/// A solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// `V1` and so on.
    pub name: String,
    /// Its number in the part.
    pub tag: u32,
    /// Volume of the geometry, not of a mesh.
    pub volume: f64,
    /// Centre of the volume.
    pub centre: [f64; 3],
}

/// What a STEP file contains, in one unit of length.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Part {
    /// Its solids. Those that touch have common faces.
    pub solids: Vec<Solid>,
    /// Holes and shafts.
    pub cylinders: Vec<Cylinder>,
    /// Plane faces.
    pub planes: Vec<Plane>,
    /// Corners of triangles of its surface, for drawing.
    pub surface: Vec<[[f64; 3]; 3]>,
}

/// A mesh of a part, with a set for each of its features.
#[derive(Clone, Debug)]
pub struct Meshed {
    /// The part.
    pub part: Part,
    /// The mesh as gmsh writes it, version 2.2.
    pub msh: Vec<u8>,
}

/// A mesh whose volume is off by more is reported.
const VOLUME_TOLERANCE: f64 = 1e-3;

impl Part {
    /// Its holes.
    pub fn holes(&self) -> impl Iterator<Item = &Cylinder> {
        self.cylinders.iter().filter(|cylinder| cylinder.is_hole)
    }

    /// Volume of all solids.
    pub fn volume(&self) -> f64 {
        self.solids.iter().map(|solid| solid.volume).sum()
    }

    /// Names and faces of all features.
    pub(crate) fn faces(&self) -> impl Iterator<Item = (&str, &[u32])> {
        let cylinders = self.cylinders.iter().map(|c| (c.name.as_str(), c.faces.as_slice()));
        cylinders.chain(self.planes.iter().map(|p| (p.name.as_str(), p.faces.as_slice())))
    }

    /// The centre of a feature.
    pub fn centre(&self, name: &str) -> Option<[f64; 3]> {
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        let cylinder = self.cylinders.iter().find(|c| same(&c.name)).map(|c| c.centre);
        cylinder.or_else(|| self.planes.iter().find(|p| same(&p.name)).map(|p| p.centre))
    }
}

fn one(problem: Diagnostic) -> Diagnostics {
    [problem].into_iter().collect()
}

impl Gmsh {
    /// Finds out what a STEP file contains.
    ///
    /// # Errors
    /// A file that gmsh cannot read or mesh, without a solid, or with solids that do not hold together.
    pub fn inspect(&self, step: &[u8], unit: LengthUnit) -> Result<Warned<Part>, Diagnostics> {
        let ran = self.run(step, &inspection(unit)).map_err(|problem| one(*problem))?;
        let facts = ran.log.iter().filter_map(|line| line.split("pliant ").nth(1));
        let facts: Vec<Vec<&str>> = facts.map(|line| line.split_whitespace().collect()).collect();
        let number = |word: &str| word.parse::<f64>().unwrap_or(f64::NAN);
        let volumes = facts.iter().filter(|words| words.first() == Some(&"volume") && words.len() == 6);
        let solids: Vec<Solid> = volumes
            .zip(1..)
            .map(|(words, k)| Solid {
                name: format!("V{k}"),
                tag: number(words[1]) as u32,
                volume: number(words[2]),
                centre: [number(words[3]), number(words[4]), number(words[5])],
            })
            .collect();
        let read = facts.iter().find(|words| words.first() == Some(&"solids")).map_or(0.0, |w| number(w[1]));
        if solids.is_empty() {
            let hint = "surfaces alone have no thickness: export the part as a solid";
            return Err(one(Diagnostic::error("the STEP file has no solid").hint(hint)));
        }
        let Some(mesh) = Mesh::read(&ran.mesh) else {
            return Err(one(Diagnostic::error(format!(
                "gmsh {} wrote a mesh that cannot be read",
                self.version
            ))));
        };
        let diagnostics = bonded(&mesh, &solids, read as usize)?;
        let (cylinders, planes) = features(&mesh);
        let sides = mesh.sides();
        let outer = mesh
            .triangles
            .iter()
            .filter(|t| sides.get(&crate::msh::sorted(t.corners)).is_some_and(|s| s.len() == 1));
        let surface = outer.map(|t| t.corners.map(|node| mesh.at(node).into())).collect();
        Ok(Warned { output: Part { solids, cylinders, planes, surface }, diagnostics })
    }

    /// Meshes a STEP file. `asked` has the locations of the names in `refine`.
    ///
    /// # Errors
    /// As [`Gmsh::inspect`]; names of features that the part does not have.
    pub fn mesh(
        &self,
        step: &[u8],
        unit: LengthUnit,
        spec: &MeshSize,
        asked: &[Located<String>],
    ) -> Result<Warned<Meshed>, Diagnostics> {
        let Warned { output: part, mut diagnostics } = self.inspect(step, unit)?;
        let known: Vec<&str> = part.faces().map(|(name, _)| name).chain([HOLES]).collect();
        let unknown = spec.refine.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let unknown: Diagnostics = unknown
            .map(|(name, _)| {
                let at = asked.iter().find(|asked| asked.value == *name).and_then(Located::span);
                let hint = suggestion(name, known.iter().copied(), "features");
                Diagnostic::error(format!("the part has no feature `{name}`")).at(at).hint(hint)
            })
            .collect();
        if unknown.has_errors() {
            return Err(unknown);
        }
        let ran = self.run(step, &meshing(unit, &part, spec)).map_err(|problem| one(*problem))?;
        let Some(mesh) = Mesh::read(&ran.mesh) else {
            return Err(one(Diagnostic::error(format!(
                "gmsh {} wrote a mesh that cannot be read",
                self.version
            ))));
        };
        let off = volume(&mesh) / part.volume() - 1.0;
        if off.abs() > VOLUME_TOLERANCE {
            let message =
                format!("the volume of the mesh differs by {:+.2} % from that of the part", 100.0 * off);
            let hint = "order = 2, a smaller `size` or `refine` follow curved faces better";
            diagnostics.push(Diagnostic::warning(message).hint(hint));
        }
        diagnostics.extend(thin_solids(&mesh, &part.solids, spec));
        Ok(Warned { output: Meshed { part, msh: ran.mesh }, diagnostics })
    }
}

/// Several solids are one link when they hold together at common faces.
fn bonded(mesh: &Mesh, solids: &[Solid], read: usize) -> Result<Diagnostics, Diagnostics> {
    if solids.len() > read {
        let message =
            format!("the solids of the STEP file overlap: {read} solids make {} pieces", solids.len());
        let hint = "parts that are pressed into each other share their volume: unite them in the CAD program";
        return Err(one(Diagnostic::error(message).hint(hint)));
    }
    let mut group: Vec<usize> = (0..solids.len()).collect();
    let index = |tag: u32| solids.iter().position(|solid| solid.tag == tag);
    for pair in mesh.sides().values().filter(|side| side.len() == 2) {
        let [a, b] = [pair[0], pair[1]].map(|t| index(mesh.tetrahedra[t].tag).map(|k| group[k]));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
        }
    }
    let groups: BTreeSet<usize> = group.iter().copied().collect();
    let list = |wanted: usize| {
        let names = solids.iter().zip(&group).filter(|(_, g)| **g == wanted).map(|(s, _)| s.name.as_str());
        names.collect::<Vec<_>>().join(" + ")
    };
    if groups.len() > 1 {
        let parts: Vec<String> = groups.iter().map(|g| list(*g)).collect();
        let message = format!("the solids of the STEP file do not touch: {}", parts.join(" and "));
        let hint = "solids are bonded at common faces; give parts that do not touch as links of their own";
        return Err(one(Diagnostic::error(message).hint(hint)));
    }
    if solids.len() == 1 {
        return Ok(Diagnostics::new());
    }
    let message = format!("{} solids are bonded at their common faces: {}", solids.len(), list(group[0]));
    Ok(one(Diagnostic::note(message)))
}
