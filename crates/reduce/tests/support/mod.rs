//! What several test programs share: requests from TOML, reference decks.
#![allow(
    clippy::allow_attributes,
    dead_code,
    reason = "each test file compiles this module and uses part of it, so an expectation cannot hold for all"
)]

use std::path::{Path, PathBuf};

use pliant_mesh::{GridId, LinkMesh, Units};
use pliant_reduce::request::{BeamSource, Interfaces};
use pliant_reduce::{LinkRequest, LinkSource, MeshedLink, ReduceError, Reduction, reduce_mesh};

/// What a link table in TOML asks for.
pub(crate) fn request(name: &str, text: &str) -> LinkRequest {
    let read = pliant_pipeline::from_text(Path::new("link.toml"), format!("[links.{name}]\n{text}"));
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let mut links = pliant_machine::links(&read.output);
    assert!(links.diagnostics.is_empty(), "{:?}", links.diagnostics);
    links.output.requests.remove(0)
}

/// The beam of a request.
pub(crate) fn beam_of(request: &LinkRequest) -> &BeamSource {
    match &request.source {
        LinkSource::Beam(beam) => beam,
        other => panic!("{other:?} is no beam"),
    }
}

/// A mesh reduced with the interfaces of its request.
pub(crate) fn reduce(request: &LinkRequest, mesh: LinkMesh) -> Result<Reduction, ReduceError> {
    reduce_mesh(request, MeshedLink { mesh, interfaces: request.interfaces.clone() })
}

/// A mesh reduced between two of its grids.
pub(crate) fn between(request: &LinkRequest, mesh: LinkMesh, [inboard, tip]: [u32; 2]) -> Reduction {
    let interfaces = Interfaces::between(GridId(inboard), "tip", GridId(tip), request.origin);
    reduce_mesh(request, MeshedLink { mesh, interfaces }).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The folder of a reference case of Nastran, where the reference data are.
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/nastran").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no {}", folder.display());
    None
}

/// The mesh of a deck without errors.
pub(crate) fn mesh(path: &Path) -> LinkMesh {
    let deck = pliant_bulk::read(path, Units::SI);
    assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
    deck.output.mesh
}

/// The mesh of a deck that is a text, without errors.
pub(crate) fn mesh_of(deck: &str) -> LinkMesh {
    let mut no_includes = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let cards = pliant_bulk::read_cards_from("test.bdf", deck.as_bytes().to_vec(), &mut no_includes);
    let read = pliant_bulk::deck_from_cards(cards, &pliant_bulk::Options::default());
    let problems: Vec<String> = read.diagnostics.iter().map(|d| d.headline()).collect();
    assert!(!read.diagnostics.has_errors(), "{problems:#?}\n{deck}");
    read.output.mesh
}
