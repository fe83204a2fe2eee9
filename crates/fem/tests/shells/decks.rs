//! Decks as text, and the displacements of their grids.

use std::collections::BTreeMap;
use std::path::Path;

use pliant_fem::solve::Statics;
use pliant_fem::statics;
use pliant_mesh::{LinkMesh, Units};

/// Reads a deck, which must be free of errors.
pub(crate) fn read(path: &Path) -> LinkMesh {
    let read = pliant_bulk::read(path, Units::SI);
    assert!(!read.diagnostics.has_errors(), "{}: {:?}", path.display(), read.diagnostics);
    read.output.mesh
}

/// Reads a deck that stands in a string.
pub(crate) fn parse(text: &str) -> LinkMesh {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("deck.bdf");
    std::fs::write(&path, text).expect("a temporary file");
    read(&path)
}

/// Displacements by grid of the first subcase, and the solution itself.
pub(crate) fn solve(mesh: &LinkMesh) -> (BTreeMap<u32, [f64; 6]>, Statics) {
    let answer = statics(mesh).expect("the deck can be solved").output;
    let u = &answer.subcases[0].u;
    let motion = mesh.nodes.iter().enumerate().map(|(i, node)| {
        let rows = answer.dofs.rows_of(pliant_mesh::NodeIndex::from(i));
        (node.id.0, std::array::from_fn(|k| u[rows.start + k]))
    });
    (motion.collect(), answer)
}

/// A file of the shared reference data, or `None` with a visible line.
pub(crate) fn shared(name: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if !path.exists() {
        println!("SKIPPED: {} is not there", path.display());
        return None;
    }
    Some(path)
}
