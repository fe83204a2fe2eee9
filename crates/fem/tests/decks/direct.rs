//! DMIG selected by K2GG, M2GG, B2GG and P2G on a spring of stiffness k = 100 with mass m = 4 at its end.

use std::f64::consts::TAU;

use pliant_fem::{AssemblyOptions, BucklingOptions, assemble, buckling, mass_properties};
use pliant_mesh::{Component, GridId};

use super::{ROD, assert_close, errors, found_modes, read, solved, u};

fn deck(case: &str, bulk: &str) -> String {
    format!(
        "SOL 103\nCEND\nMETHOD=1\nSPC=1\nLOAD=1\n{case}\nBEGIN BULK\nEIGRL,1,,,1\nFORCE,1,2,,8.,1.,0.,0.\nCONM2,9,2,,4.\n\
         {ROD}DMIG,KX,0,6,1,0\nDMIG,KX,2,1,,2,1,300.\nDMIG,KY,0,6,1,0\nDMIG,KY,2,1,,2,1,50.\nDMIG,MX,0,6,1,0\n\
         DMIG,MX,2,1,,2,1,12.\n,2,2,12.\nDMIG,MX,2,3,,2,3,12.\n{bulk}ENDDATA\n"
    )
}

/// f = √(k/m)/2π.
fn hz(k: f64, m: f64) -> f64 {
    (k / m).sqrt() / TAU
}

#[test]
fn a_matrix_that_no_command_selects_has_no_effect() {
    assert_close(found_modes(&deck("", "")).frequencies_hz[0], hz(100.0, 4.0));
}

#[test]
fn selected_stiffness_and_mass_are_part_of_the_structure() {
    assert_close(found_modes(&deck("K2GG=KX", "")).frequencies_hz[0], hz(400.0, 4.0));
    assert_close(found_modes(&deck("K2GG=KX\nM2GG=MX", "")).frequencies_hz[0], hz(400.0, 16.0));
    assert_close(found_modes(&deck("SUBCASE 1\nK2GG=KX", "")).frequencies_hz[0], hz(400.0, 4.0));
}

#[test]
fn factors_names_and_parameters_scale_it() {
    assert_close(found_modes(&deck("K2GG=0.5*KX, 2.0*KY", "")).frequencies_hz[0], hz(350.0, 4.0));
    assert_close(found_modes(&deck("K2GG=KX, KY", "")).frequencies_hz[0], hz(450.0, 4.0));
    assert_close(found_modes(&deck("SET 5=KX,KY\nK2GG=5", "")).frequencies_hz[0], hz(450.0, 4.0));
    assert_close(found_modes(&deck("K2GG=KX", "PARAM,CK2,.5\n")).frequencies_hz[0], hz(250.0, 4.0));
    // WTMASS scales the mass of elements only.
    let scaled = found_modes(&deck("M2GG=MX", "PARAM,WTMASS,.25\nPARAM,CM2,.5\n"));
    assert_close(scaled.frequencies_hz[0], hz(100.0, 1.0 + 6.0));
}

#[test]
fn statics_and_mass_properties_have_it() {
    let (mesh, answers) = solved(&deck("K2GG=KX\nM2GG=MX", ""));
    assert_close(u(&mesh, &answers[0], 2, 1), 8.0 / 400.0);
    let properties = mass_properties(&mesh).output;
    assert_close(properties.mass, 16.0);
    assert_close(properties.centre.x, 1.0);
}

#[test]
fn a_spring_that_couples_two_grids_by_one_given_triangle() {
    // Grid 3 hangs on grid 2 by a DMIG of k = 50 alone, held by nothing else: u₃ = u₂ + F/50.
    let bulk = "GRID,3,,2.,0.,0.\nSPC1,1,23456,3\nDMIG,KC,0,6,1,0\nDMIG,KC,2,1,,2,1,50.\n,3,1,-50.\n\
                DMIG,KC,3,1,,3,1,50.\nFORCE,1,3,,5.,1.,0.,0.\n";
    let (mesh, answers) = solved(&deck("K2GG=KC", bulk));
    assert_close(u(&mesh, &answers[0], 2, 1), 13.0 / 100.0);
    assert_close(u(&mesh, &answers[0], 3, 1), 13.0 / 100.0 + 5.0 / 50.0);
}

#[test]
fn damping_is_in_the_damping_matrix() {
    let mesh = read(&deck("B2GG=3.*MX", ""));
    let system = assemble(&mesh, AssemblyOptions::of_deck(&mesh)).unwrap();
    let row = system.dofs.row(mesh.node_by_id(GridId(2)).unwrap(), Component::from_row(0)).unwrap();
    assert_close(system.D.get_entry(row, row).unwrap().into_value(), 36.0);
}

#[test]
fn each_column_of_p2g_loads_its_subcase() {
    let case = "P2G=2.*PX\nSUBCASE 1\nSUBCASE 2\nLOAD=1";
    let bulk = "DMIG,PX,0,9,1,0,,,2\nDMIG,PX,1,,,2,1,3.\nDMIG,PX,2,,,2,1,-1.\n";
    let (mesh, answers) = solved(&deck(case, bulk).replacen("LOAD=1\n", "", 1));
    assert_close(u(&mesh, &answers[0], 2, 1), 6.0 / 100.0);
    assert_close(u(&mesh, &answers[1], 2, 1), (8.0 - 2.0) / 100.0);
}

#[test]
fn a_rotational_spring_of_dmig_holds_a_column_that_would_fall() {
    // A rigid column of length L on a hinge with a spring c: c θ = P L θ, P = c/L. Its own flexibility c
    // L/(EI) is 1e-8.
    let deck = "SOL 105\nCEND\nSPC=1\nK2GG=KC\nSUBCASE 1\nLOAD=1\nSUBCASE 2\nMETHOD=1\nBEGIN BULK\nEIGRL,1,,,1\n\
                GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nPBAR,1,1,1.,1.,1.,1.\nMAT1,1,1.+9,,.3\n\
                SPC1,1,12345,1\nSPC1,1,345,2\nFORCE,1,2,,1.,-1.,0.,0.\nDMIG,KC,0,6,1,0\nDMIG,KC,1,6,,1,6,10.\nENDDATA\n";
    let mesh = read(deck);
    let found =
        buckling(&mesh, BucklingOptions::default()).unwrap_or_else(|problems| panic!("{problems:?}")).output;
    assert!((found.subcases[0].factors[0] / 10.0 - 1.0).abs() < 1e-6, "{:?}", found.subcases[0].factors);
}

#[test]
fn what_cannot_be_used_is_refused() {
    assert_eq!(errors(&deck("K2GG=KZ", "")), ["K2GG: the deck has no DMIG KZ"]);
    let square = "DMIG,KS,0,1,1,0\nDMIG,KS,2,1,,2,1,1.\n";
    assert_eq!(errors(&deck("K2GG=KS", square)), ["K2GG: DMIG KS must be symmetric (IFO = 6)"]);
    let complex = "DMIG,KI,0,6,3,0\nDMIG,KI,2,1,,2,1,1.,1.\n";
    assert_eq!(errors(&deck("K2GG=KI", complex)), ["K2GG: DMIG KI is complex: the structure is real"]);
    let late = errors(&deck("K2PP=KX", "").replace("SOL 103", "SOL 108"));
    assert!(
        late[0].starts_with("K2PP: K2PP acts in frequency, transient and complex solutions only"),
        "{late:?}"
    );
}
