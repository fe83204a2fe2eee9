//! Loads that a case selects: combinations, accelerations, and those that are refused.

use super::{ROD, assert_close, errors, refusal, solved, u};

fn deck(case: &str, bulk: &str) -> String {
    format!("SOL 101\nCEND\nSPC=1\n{case}\nBEGIN BULK\n{ROD}{bulk}ENDDATA\n")
}

const FORCES: &str = "FORCE,10,2,,1.,1.,0.,0.\nFORCE,20,2,,2.,1.,0.,0.\nFORCE,30,2,,50.,1.,0.,0.\n";

#[test]
fn a_combination_sums_the_subcases_before_it() {
    let case = "SUBCASE 1\nLOAD=10\nSUBCASE 2\nLOAD=20\nSUBCOM 3\nSUBSEQ=3.,-1.\nLOAD=30";
    let (mesh, answers) = solved(&deck(case, FORCES));
    let found: Vec<(u32, f64)> = answers.iter().map(|a| (a.id, u(&mesh, a, 2, 1))).collect();
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3]);
    // u = F/k with k = 100.
    assert_close(found[0].1, 0.01);
    assert_close(found[1].1, 0.02);
    assert_close(found[2].1, 3.0 * 0.01 - 0.02);
    let sum = &answers[2];
    // ½ku² of the sum, and the reaction of its load.
    assert_close(sum.strain_energy, 0.5 * 100.0 * 0.01_f64.powi(2));
    assert_close(sum.spc_forces.iter().sum::<f64>(), -1.0);
}

#[test]
fn accel1_on_every_grid_is_grav_and_on_one_its_share() {
    let mass = "CONM2,8,1,,5.\nCONM2,9,2,,4.\n";
    let gravity = solved(&deck("LOAD=1", &format!("{mass}GRAV,1,,9.81,1.,0.,0.\n")));
    let all = solved(&deck("LOAD=1", &format!("{mass}ACCEL1,1,,9.81,1.,0.,0.,,\n,1,THRU,2\n")));
    let (by_gravity, by_all) = (&gravity.1[0], &all.1[0]);
    by_gravity.applied.iter().zip(&by_all.applied).for_each(|(a, b)| assert_close(*b, *a));
    let one = solved(&deck("LOAD=1", &format!("{mass}ACCEL1,1,,2.,3.,0.,0.,,\n,2\n")));
    // f = m a = 4 · 2 · 3.
    assert_close(u(&one.0, &one.1[0], 2, 1), 24.0 / 100.0);
}

#[test]
fn loads_that_are_not_available_are_refused_where_a_case_selects_them() {
    let accel = "ACCEL,1,,1.,0.,0.,X\n,0.,1.,1.,2.\n";
    assert_eq!(refusal(&deck("LOAD=1", accel)), "ACCEL of set 1 is not available, and the case selects it");
    let combined = "LOAD,5,1.,1.,10,1.,1\n";
    assert!(refusal(&deck("LOAD=5", &format!("{accel}{combined}{FORCES}"))).contains("ACCEL of set 1"));
    // Not selected: the deck is solved.
    let (mesh, answers) = solved(&deck("LOAD=10", &format!("{accel}{FORCES}")));
    assert_close(u(&mesh, &answers[0], 2, 1), 0.01);
    let deform = refusal(&deck("LOAD=10\nDEFORM=7", &format!("DEFORM,7,1,.1\n{FORCES}")));
    assert_eq!(deform, "DEFORM = 7 of subcase 1 is not available: its loads would be missing");
    let bolt = refusal(&deck("LOAD=10\nBOLTLD=7", &format!("BOLTFOR,7,5.,1\n{FORCES}")));
    assert_eq!(bolt, "BOLTLD = 7 of subcase 1 is not available: its loads would be missing");
    let plate = refusal(&deck("TEMP(LOAD)=7", "TEMPP1,7,1,20.,.5\n"));
    assert_eq!(plate, "TEMPP1 of set 7 is not available, and TEMPERATURE selects it");
    let initial = refusal(&deck("TEMP(INIT)=6\nTEMP(LOAD)=7", "TEMPD,6,20.,7,30.\n"));
    assert!(initial.contains("TEMPERATURE(INITIAL) = 6"), "{initial}");
}

#[test]
fn a_material_that_depends_on_the_temperature_of_the_case_is_refused() {
    let bulk = "MATT1,1,7\nTABLEM1,7\n,0.,100.,200.,50.,ENDT\nTEMPD,6,200.\nFORCE,10,2,,1.,1.,0.,0.\n";
    let found = errors(&deck("LOAD=10\nTEMP(MATERIAL)=6", bulk));
    assert!(found[0].starts_with("MATT1 1: MATT1 is not supported: the material would depend"), "{found:?}");
    assert_eq!(errors(&deck("LOAD=10\nTEMP=6", bulk)).len(), 1);
    // Without such a command Nastran does not use MATT1 either.
    let (mesh, answers) = solved(&deck("LOAD=10", bulk));
    assert_close(u(&mesh, &answers[0], 2, 1), 0.01);
}

#[test]
fn a_bolt_that_is_cut_is_refused() {
    let bolt = "BOLT,1,100\n,TOP,1\n,BOTTOM,2\n";
    assert!(
        errors(&deck("LOAD=10", &format!("{bolt}{FORCES}")))[0].starts_with("BOLT 1: BOLT is not supported")
    );
}

#[test]
fn supports_inertia_relief_and_stressed_modes_are_refused() {
    let support = refusal(&deck("LOAD=10", &format!("SUPORT,2,1\n{FORCES}")));
    assert!(support.starts_with("SUPORT of GRID 2, components 1, is not supported in statics"), "{support}");
    let relief = refusal(&deck("LOAD=10", &format!("PARAM,INREL,-1\nSUPORT,2,1\n{FORCES}")));
    assert!(relief.starts_with("PARAM: inertia relief (INREL) is not supported"), "{relief}");
    let cload = refusal(&deck("LOAD=10\nCLOAD=3", FORCES));
    assert_eq!(cload, "CLOAD = 3 of subcase 1 is not available: its loads would be missing");
    let text = "SOL 103\nCEND\nSPC=1\nSUBCASE 1\nLOAD=10\nSUBCASE 2\nMETHOD=1\nSTATSUB=1\nBEGIN BULK\nEIGRL,1,,,1\nCONM2,9,2,,4.\n";
    let mesh = super::read(&format!("{text}{ROD}{FORCES}ENDDATA\n"));
    let problems = pliant_fem::ModesOptions::of_deck(&mesh).expect_err("stressed modes");
    assert!(problems.iter().any(|p| p.message.starts_with("STATSUB asks for")), "{problems:?}");
}
