//! A link whose deck is a STEP file: meshed by gmsh when it has to be reduced, known by the bytes of the
//! part, what is asked of its mesh and the version of gmsh when it need not.

use std::path::Path;

use pliant_bulk::{CardFile, read_cards_from};
use pliant_cad::{Gmsh, LengthUnit, MeshSize, Meshed, Part, is_step};
use pliant_diag::{Diagnostic, Diagnostics, LARGEST_INPUT, SourceMap, Warned, read_input};
use pliant_mesh::Units;
use pliant_reduce::LinkRequest;
use pliant_reduce::request::{DeckSource, Grids, InterfaceRequest, Located, PartMesh};

/// A STEP file with the program that meshes it.
pub(super) struct Step<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    gmsh: Result<Gmsh, Box<Diagnostic>>,
}

/// The cards of a part and the request with the features of the part as sets.
pub(super) struct Cards {
    pub(super) cards: Warned<CardFile>,
    pub(super) request: LinkRequest,
    /// About the part and its mesh; no locations.
    pub(super) diagnostics: Diagnostics,
}

impl<'a> Step<'a> {
    /// The STEP file of a deck; `None` for a mesh, or for a file that cannot be read, which is reported when
    /// it is read as a mesh.
    pub(super) fn of(deck: &'a DeckSource) -> Option<Self> {
        let [path] = deck.files.as_slice() else { return None };
        let bytes = read_input(path, LARGEST_INPUT).ok().filter(|bytes| is_step(bytes))?;
        Some(Self { path, bytes, gmsh: Gmsh::find() })
    }

    /// What, beside the request, its link is known by; `None` without gmsh.
    pub(super) fn identity(&self) -> Option<[&[u8]; 2]> {
        self.gmsh.as_ref().ok().map(|gmsh| [&self.bytes[..], gmsh.version.as_bytes()])
    }

    /// The STEP file alone, for a link that was not meshed now.
    pub(super) fn sources(&self) -> SourceMap {
        let mut sources = SourceMap::new();
        // A file of 4 GiB was refused when it was read.
        sources.add(self.path, self.bytes.clone());
        sources
    }

    /// Meshes the part.
    pub(super) fn cards(&self, request: &LinkRequest, deck: &DeckSource) -> Result<Cards, Diagnostics> {
        let at = request.origin.0;
        let one = |problem: Diagnostic| Diagnostics::from_iter([problem.at(at)]);
        let gmsh = self.gmsh.as_ref().map_err(|problem| one((**problem).clone()))?;
        let Some(mesh) = &deck.mesh else {
            let hint = "mesh = { size = 8, order = 2 } meshes it with edges of 8 deck units".to_owned();
            return Err(one(Diagnostic::error("a STEP file needs `mesh`").hint(hint)));
        };
        let unit = unit(request.units).map_err(|problem| one(*problem))?;
        let asked: Vec<Located<String>> = mesh.refine.iter().map(|(name, _)| name.clone()).collect();
        let located = |problems: Diagnostics| -> Diagnostics {
            let at = |problem: Diagnostic| if problem.span.is_none() { problem.at(at) } else { problem };
            problems.into_iter().map(at).collect()
        };
        let Warned { output: Meshed { part, msh }, diagnostics } =
            gmsh.mesh(&self.bytes, unit, &size(mesh), &asked).map_err(located)?;
        let request = with_features(request, &part)?;
        let name = self.path.with_added_extension("msh");
        let mut none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        Ok(Cards { cards: read_cards_from(name, msh, &mut none), request, diagnostics })
    }
}

/// The unit that gmsh converts to.
fn unit(units: Units) -> Result<LengthUnit, Box<Diagnostic>> {
    LengthUnit::of(units.length).ok_or_else(|| {
        let message =
            format!("a STEP file is meshed in m, mm or inch, found a deck unit of {} m", units.length);
        Box::new(Diagnostic::error(message).hint("units = \"mm-t-s\" is usual"))
    })
}

fn size(mesh: &PartMesh) -> MeshSize {
    let refine = mesh.refine.iter().map(|(name, size)| (name.value.clone(), *size)).collect();
    MeshSize { size: mesh.size, order: mesh.order, refine }
}

/// Holes become the sets that the mesh has of them, and every feature has its own centre.
fn with_features(request: &LinkRequest, part: &Part) -> Result<LinkRequest, Diagnostics> {
    let mut request = request.clone();
    let mut problems = Diagnostics::new();
    let interfaces = &mut request.interfaces;
    let inboard = interfaces.inboard.iter_mut().map(|interface| ("inboard", interface));
    let outboard = interfaces.outboard.iter_mut().map(|(name, interface)| (name.as_str(), interface));
    for (name, interface) in inboard.chain(outboard) {
        let span = interface.span();
        problems.extend(feature(&mut interface.value, name, part).map(|problem| problem.at(span)));
    }
    if problems.has_errors() { Err(problems) } else { Ok(request) }
}

fn feature(interface: &mut InterfaceRequest, name: &str, part: &Part) -> Option<Diagnostic> {
    let wanted = match &interface.grids {
        Grids::Hole(hole) => {
            if let Some(found) = part.holes().find(|known| known.name.eq_ignore_ascii_case(hole)) {
                found.name.clone()
            } else {
                let holes: Vec<&str> = part.holes().map(|hole| hole.name.as_str()).collect();
                let message = format!("interface `{name}`: the part has no hole `{hole}`");
                let hint = if holes.is_empty() {
                    "it has no hole that goes all the way round".to_owned()
                } else {
                    format!("its holes are {}; `pliant inspect` shows them", holes.join(", "))
                };
                return Some(Diagnostic::error(message).hint(hint));
            }
        }
        Grids::NamedSet(set) => set.clone(),
        _ => return None,
    };
    if let Some(centre) = part.centre(&wanted) {
        interface.centre.get_or_insert(centre);
    }
    interface.grids = Grids::NamedSet(wanted);
    None
}
