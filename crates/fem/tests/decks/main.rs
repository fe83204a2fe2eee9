//! Decks with everything that a case can select, against closed forms: DMIG matrices, combinations,
//! accelerations, and what is refused because it would be missing.

mod direct;
mod forms;
mod selected;
mod superelements;

use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_diag::Severity;
use pliant_fem::solve::{Modes, ModesOptions, StaticSubcase, modes, statics};
use pliant_mesh::{Component, GridId, LinkMesh};

/// The mesh of a deck without errors.
fn read(deck: &str) -> LinkMesh {
    let cards = read_cards_from("deck.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!("no INCLUDE"));
    let deck = deck_from_cards(cards, &Options::default());
    assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
    deck.output.mesh
}

/// Headlines of the errors of a deck.
fn errors(deck: &str) -> Vec<String> {
    let cards = read_cards_from("deck.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!("no INCLUDE"));
    let deck = deck_from_cards(cards, &Options::default());
    deck.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.headline()).collect()
}

fn solved(deck: &str) -> (LinkMesh, Vec<StaticSubcase>) {
    let mesh = read(deck);
    let answers = statics(&mesh).unwrap_or_else(|problems| panic!("{problems:?}")).output.subcases;
    (mesh, answers)
}

/// Why a deck is not solved.
fn refusal(deck: &str) -> String {
    let problems = statics(&read(deck)).expect_err("must be refused");
    problems.iter().map(|d| d.headline()).collect::<Vec<_>>().join("\n")
}

fn found_modes(deck: &str) -> Modes {
    let mesh = read(deck);
    let options = ModesOptions::of_deck(&mesh).expect("METHOD selects a card");
    modes(&mesh, &options).unwrap_or_else(|problems| panic!("{problems:?}")).output
}

/// Displacement of a grid along 1 to 6.
fn u(mesh: &LinkMesh, answer: &StaticSubcase, grid: u32, component: usize) -> f64 {
    let dofs = pliant_fem::dof::DofMap::new(mesh);
    let node = mesh.node_by_id(GridId(grid)).expect("the deck has the grid");
    answer.u[dofs.row(node, Component::from_row(component - 1)).expect("a component of it")]
}

fn assert_close(found: f64, expected: f64) {
    // Decks of a few elements: rounding only.
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-12), "{found} instead of {expected}");
}

/// A rod of stiffness EA/L = 100 from grid 1 (held) to grid 2, free along x; no density.
const ROD: &str = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.\nMAT1,1,100.,,.3\n\
                   SPC1,1,123456,1\nSPC1,1,23456,2\n";
