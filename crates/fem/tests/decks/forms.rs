//! Legal forms of decks that change how the answer is found, against closed forms.

use std::f64::consts::TAU;

use super::{ROD, assert_close, found_modes, read, solved, u};

#[test]
fn scalar_points_without_spoint() {
    // Two masses and two springs in a row: ground – k – m₁ – k – m₂; λ² − λ k(m₁ + 2m₂)/(m₁m₂) + k²/(m₁m₂) =
    // 0.
    let deck = "SOL 103\nCEND\nMETHOD=1\nBEGIN BULK\nEIGRL,1,,,3\nCELAS4,1,100.,1,2\nCELAS4,2,100.,1,0\nCMASS4,3,2.,1,0\n\
                CMASS4,4,1.,2,0\nENDDATA\n";
    let (k, m1, m2): (f64, f64, f64) = (100.0, 2.0, 1.0);
    let half = 0.5 * k * (m1 + 2.0 * m2) / (m1 * m2);
    let root = (half * half - k * k / (m1 * m2)).sqrt();
    let found = found_modes(deck).frequencies_hz;
    assert_eq!(found.len(), 2);
    assert_close(found[0], (half - root).sqrt() / TAU);
    assert_close(found[1], (half + root).sqrt() / TAU);
}

#[test]
fn left_handed_solids_are_as_stiff_as_right_handed_ones() {
    // A unit cube pulled along z: u = F L / (E A), and the same cube with its faces exchanged.
    let deck = |hexa: &str| {
        format!(
            "SOL 101\nCEND\nSPC=1\nLOAD=1\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n\
             GRID,5,,0.,0.,1.\nGRID,6,,1.,0.,1.\nGRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\n{hexa}PSOLID,1,1\nMAT1,1,200.,,0.3\n\
             SPC1,1,3,1,2,3,4\nSPC1,1,12,1\nSPC1,1,2,2\nPLOAD4,1,10,-8.,,,,5,7\nENDDATA\n"
        )
    };
    for hexa in ["CHEXA,10,1,1,2,3,4,5,6,\n,7,8\n", "CHEXA,10,1,5,6,7,8,1,2,\n,3,4\n"] {
        let (mesh, answers) = solved(&deck(hexa));
        for grid in 5..=8 {
            assert!((u(&mesh, &answers[0], grid, 3) - 8.0 / 200.0).abs() < 1e-9, "{hexa}");
        }
    }
}

#[test]
fn a_material_axis_normal_to_an_isotropic_shell_needs_no_direction() {
    let deck = |mcid: &str| {
        format!(
            "SOL 101\nCEND\nSPC=1\nLOAD=1\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,0.,1.,0.\nGRID,3,,0.,1.,1.\nGRID,4,,0.,0.,1.\n\
             CQUAD4,1,1,1,2,3,4,{mcid}\nPSHELL,1,1,.1,1\nMAT1,1,200.,,0.\nSPC1,1,123456,1,2\nFORCE,1,3,,1.,0.,0.,1.\n\
             FORCE,1,4,,1.,0.,0.,1.\nENDDATA\n"
        )
    };
    // E t b = 20 over a length of 1, with a force of 2.
    for mcid in ["0", "0."] {
        let (mesh, answers) = solved(&deck(mcid));
        assert!((u(&mesh, &answers[0], 3, 3) - 2.0 / 20.0).abs() < 1e-9, "{mcid}");
    }
}

#[test]
fn an_mpc_set_without_cards_ties_nothing() {
    let deck =
        format!("SOL 101\nCEND\nSPC=1\nMPC=7\nLOAD=1\nBEGIN BULK\n{ROD}FORCE,1,2,,8.,1.,0.,0.\nENDDATA\n");
    let (mesh, answers) = solved(&deck);
    assert_close(u(&mesh, &answers[0], 2, 1), 0.08);
}

#[test]
fn null_freedoms_do_no_harm_where_autospc_is_off() {
    // The rotations of a rod's end, and all of grid 3, have neither stiffness nor mass.
    let bulk = ROD.replace("SPC1,1,23456,2", "SPC1,1,23,2");
    let deck = |sol: u32, off: &str| {
        format!(
            "SOL {sol}\nCEND\nSPC=1\nLOAD=1\nMETHOD=1\n{off}\nBEGIN BULK\nEIGRL,1,,,3\n{bulk}GRID,3,,5.,0.,0.\n\
             CONM2,9,2,,4.\nFORCE,1,2,,8.,1.,0.,0.\nENDDATA\n"
        )
    };
    let parameter = deck(101, "").replace("EIGRL", "PARAM,AUTOSPC,NO\nEIGRL");
    for deck in [deck(101, "AUTOSPC=NO"), parameter] {
        let (mesh, answers) = solved(&deck);
        assert_close(u(&mesh, &answers[0], 2, 1), 0.08);
    }
    let modes = found_modes(&deck(103, "AUTOSPC=NO"));
    assert_eq!(modes.frequencies_hz.len(), 1);
    assert_close(modes.frequencies_hz[0], (100.0_f64 / 4.0).sqrt() / TAU);
    // A mass without stiffness is a motion at 0 Hz, not a null freedom.
    let heavy = deck(103, "AUTOSPC=NO").replace("CONM2,9,2,,4.", "CONM2,9,2,,4.\nCMASS2,8,2.,3,1");
    assert_eq!(found_modes(&heavy).frequencies_hz.len(), 2);
    assert_eq!(read(&heavy).parameters["AUTOSPC"].name, "AUTOSPC");
}
