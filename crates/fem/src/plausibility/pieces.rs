//! Meshes in several pieces.

use pliant_diag::Diagnostic;
use pliant_mesh::{LinkMesh, Piece};

/// Pieces that are listed.
const SHOWN: usize = 4;

/// A message when a mesh consists of pieces that no element, rigid element or constraint equation joins;
/// `None` when it hangs together. A note when every piece is held on its own, as in a deck of several
/// examples; otherwise a warning.
pub fn separate_pieces(mesh: &LinkMesh) -> Option<Diagnostic> {
    let pieces = mesh.pieces();
    let [_, second, ..] = pieces.as_slice() else { return None };
    let describe = |piece: &Piece| {
        let count =
            if piece.node_count == 1 { "1 grid".to_owned() } else { format!("{} grids", piece.node_count) };
        match piece.first_element.map(|element| mesh.element_facts(element)) {
            Some(first) => format!("{count} with {} {}", first.card, first.id),
            None => format!("{count} with GRID {}", mesh.node(piece.first_node).id),
        }
    };
    let mut list: Vec<String> = pieces.iter().take(SHOWN).map(describe).collect();
    if pieces.len() > SHOWN {
        list.push("…".to_owned());
    }
    let message = format!("the mesh is in {} separate pieces: {}", pieces.len(), list.join("; "));
    let span = match second.first_element {
        Some(element) => mesh.element_facts(element).source.0,
        None => mesh.node(second.first_node).source.0,
    };
    Some(if pieces.iter().all(|piece| piece.is_held) {
        Diagnostic::note(message)
            .at(span)
            .hint("each is held on its own; the parts of a link must be connected")
    } else {
        Diagnostic::warning(message)
            .at(span)
            .hint("merge coincident grids, or join the pieces with rigid elements or constraint equations")
    })
}
