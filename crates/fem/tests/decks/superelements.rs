//! Parts of a deck (BEGIN SUPER) against the same structure in one part: a cantilever of two bars, cut in the
//! middle.

use super::{assert_close, errors, found_modes, read};

/// The case control and materials of the entire deck.
const HEAD: &str = "SOL 103\nCEND\nSPC=1\nMETHOD=1\nBEGIN BULK\nEIGRL,1,,,4\n";
const PROPERTY: &str = "PBAR,1,1,1.-4,1.-9,2.-9,2.-9\nMAT1,1,2.1+11,,.3,7850.\n";

fn single_part() -> String {
    format!(
        "{HEAD}{PROPERTY}GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\n\
         CBAR,2,1,2,3,0.,1.,0.\nSPC1,1,123456,1\nENDDATA\n"
    )
}

/// The second bar from grid `boundary` at x; `connection` stands in the main bulk data.
fn parts(connection: &str, boundary: u32, x: f64) -> String {
    format!(
        "{HEAD}{PROPERTY}GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nSPC1,1,123456,1\n{connection}\
         BEGIN SUPER=7\nGRID,{boundary},,{x:?},0.,0.\nGRID,30,,2.,0.,0.\nCBAR,2,1,{boundary},30,0.,1.,0.\nENDDATA\n"
    )
}

fn assert_same_modes(deck: &str) {
    let (one, found) = (found_modes(&single_part()), found_modes(deck));
    assert_eq!(found.frequencies_hz.len(), 4);
    one.frequencies_hz.iter().zip(&found.frequencies_hz).for_each(|(one, found)| assert_close(*found, *one));
}

#[test]
fn equal_numbers_at_one_point_are_one_grid() {
    assert_same_modes(&parts("", 2, 1.0));
}

#[test]
fn coincident_grids_of_other_numbers_are_joined() {
    assert_same_modes(&parts("", 20, 1.0));
    // Within the tolerance of SEBULK.
    let near = parts("SEBULK,7,PRIMARY,,AUTO,1.-3\n", 20, 1.0 + 1e-7);
    assert_eq!(found_modes(&near).frequencies_hz.len(), 4);
    assert_eq!(read(&near).nodes.len(), 3);
}

#[test]
fn seconct_joins_by_hand() {
    let by_hand = "SEBULK,7,PRIMARY,,MANUAL\nSECONCT,0,7\n,2,20\n";
    assert_same_modes(&parts(by_hand, 20, 1.0));
    assert_same_modes(&parts("SEBULK,7,PRIMARY,,MANUAL\nSECONCT,7,0\n,20,THRU,20,2,THRU,2\n", 20, 1.0));
    assert_same_modes(&parts("SEBULK,7,PRIMARY,,MANUAL\nSECONCT,7,0\n,2,2\n", 2, 1.0));
    // A set that names a joined grid by its own number, or by a range, reaches it.
    let held = parts(by_hand, 20, 1.0)
        .replace("ENDDATA", "SPC1,1,123456,19,THRU,21\nENDDATA")
        .replace("SPC1,1,123456,1\n", "");
    let clamped_middle = single_part().replace("SPC1,1,123456,1\n", "SPC1,1,123456,2\n");
    let (held, reference) = (found_modes(&held), found_modes(&clamped_middle));
    reference.frequencies_hz.iter().zip(&held.frequencies_hz).for_each(|(a, b)| assert_close(*b, *a));
}

#[test]
fn a_part_that_meets_nothing_is_an_error() {
    let apart = ["superelement 7 is connected to no other part of the link"];
    assert_eq!(errors(&parts("", 20, 1.5)), apart);
    assert_eq!(errors(&parts("SEBULK,7,PRIMARY,,MANUAL\n", 20, 1.0)), apart);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let by_hand = errors(&parts("SEBULK,7,PRIMARY,,MANUAL\n", 2, 1.0));
    assert_eq!(
        by_hand,
        ["GRID 2: given in two superelements that SEBULK joins by hand, and no SECONCT names it"]
    );
    let taken = errors(&parts("", 2, 1.5));
    assert_eq!(taken, ["GRID 2: this number is already taken in another superelement, with other content"]);
    let far = errors(&parts("SECONCT,0,7\n,2,20\n", 20, 1.5));
    assert_eq!(far, ["SECONCT: 2 and 20 lie 5.000e-1 apart; they must coincide to be one"]);
    let missing = errors(&parts("SECONCT,0,8\n,2,20\n", 20, 1.0));
    assert_eq!(
        missing,
        ["SECONCT 0, field 3 (SEIDB): the deck has no BEGIN SUPER=8: what it joins would be missing"]
    );
    let mirror = errors(&parts("SEBULK,9,MIRROR,7\n", 20, 1.0));
    assert_eq!(
        mirror,
        ["SEBULK 9, field 3 (TYPE): superelement 9 of type MIRROR is not supported: it would be missing"]
    );
    let moved = errors(&parts("SELOC,7,20,30,1,1,2,3\n", 20, 1.0));
    assert!(
        moved[0].starts_with("SELOC 7: SELOC is not supported: superelements that are moved"),
        "{moved:?}"
    );
    let twice =
        parts("", 2, 1.0).replace("GRID,30,,2.,0.,0.\nCBAR,2,1,2,30", "GRID,1,,0.,0.,0.\nCBAR,1,1,1,2");
    let twice = errors(&twice);
    assert!(
        twice
            .iter()
            .any(|e| e.contains("given twice; in Nastran the elements of two superelements count both")),
        "{twice:?}"
    );
}
