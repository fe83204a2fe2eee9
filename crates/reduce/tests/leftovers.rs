//! What a deck holds or carries that a link does not: reported by the reduction, and only where it matters.

mod support;

use pliant_bulk::{Options, deck_from_cards, read_cards_from};

/// A steel bar of three CBARs from grid 1 (inboard) to grid 4 (tip), with more case control and bulk data;
/// the warnings of its reduction.
fn warnings(case: &str, bulk: &str) -> Vec<String> {
    let deck = format!(
        "SOL 103\nCEND\n{case}\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,.3,0.,0.\nGRID,3,,.6,0.,0.\nGRID,4,,.9,0.,0.\n\
         CBAR,1,1,1,2,0.,1.,0.\nCBAR,2,1,2,3,0.,1.,0.\nCBAR,3,1,3,4,0.,1.,0.\nPBAR,1,1,1.-4,1.-9,1.-9,2.-9\n\
         MAT1,1,2.1+11,,.3,7850.\n{bulk}ENDDATA\n"
    );
    let cards = read_cards_from("link.bdf", deck.into_bytes(), &mut |_| unreachable!("no INCLUDE"));
    let deck = deck_from_cards(cards, &Options::default());
    assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
    let request =
        support::request("bar", "deck = \"link.bdf\"\ninboard = 1\ninterfaces.tip = 4\nmodes.count = 2\n");
    let reduction = support::reduce(&request, deck.output.mesh).unwrap_or_else(|error| panic!("{error:?}"));
    let warnings = reduction.diagnostics.iter().filter(|d| d.severity == pliant_diag::Severity::Warning);
    warnings.map(|d| d.headline()).collect()
}

#[test]
fn a_plain_link_has_nothing_to_report() {
    assert_eq!(warnings("", ""), [""; 0]);
    // The inboard grid is held in the link as well; components without stiffness may be held; grid 5 has no
    // mass.
    let bulk = "SPC1,1,123456,1\nGRID,5,,0.,0.,1.,,123456\n";
    assert_eq!(warnings("SPC=1", bulk), [""; 0]);
}

#[test]
fn an_spc_that_the_link_does_not_use_is_reported() {
    let bulk = "SPC1,1,123456,1\nSPC1,2,3,3\nSPCADD,5,1,2\nSPC1,9,3,2\n";
    assert_eq!(
        warnings("SPC=5", bulk),
        ["SPC = 5 of the deck holds grid 3; a link moves, and holds its inboard interface only"]
    );
}

#[test]
fn a_permanent_constraint_in_the_middle_is_reported() {
    let found = warnings("", "GRID,6,,.6,.3,0.,,3\nCBAR,4,1,3,6,0.,0.,1.\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("permanent constraints (PS) hold grid 6 in the middle of the link"),
        "{found:?}"
    );
}

#[test]
fn mass_on_a_grid_that_nothing_connects_is_reported() {
    let found = warnings("", "GRID,7,,.5,.5,0.\nCONM2,9,7,,2.5\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("grid 7 with mass, which no stiffness or rigid element connects"),
        "{found:?}"
    );
}
