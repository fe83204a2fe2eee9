//! Decks with one thing wrong, and decks with nothing wrong.

use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_diag::Severity;
use pliant_mesh::Units;

use super::*;

fn mesh(text: &str, units: Units) -> LinkMesh {
    let cards = read_cards_from("t.bdf", text.as_bytes().to_vec(), &mut |_| unreachable!("no INCLUDE"));
    let read = deck_from_cards(cards, &Options { units, ..Options::default() });
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.output.mesh
}

fn messages(text: &str) -> Vec<String> {
    implausible(&mesh(text, Units::SI)).iter().map(|d| d.headline()).collect()
}

/// A steel plate of one element.
const PLATE: &str = "MAT1,1,2.1+11,,.3,7850.\nPSHELL,1,1,.01,1,,1\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\n\
                     GRID,4,,0.,1.,0.\nCQUAD4,1,1,1,2,3,4\n";

#[test]
fn a_good_deck_is_left_alone() {
    assert_eq!(messages(PLATE), [""; 0]);
    let mesh = mesh(PLATE, Units::SI);
    assert!(separate_pieces(&mesh).is_none());
}

#[test]
fn zero_density_is_reported() {
    let found = messages(&PLATE.replace("7850.", ""));
    assert!(found.len() == 1 && found[0].contains("zero density"), "{found:?}");
}

/// Numbers of steel, aluminium and CFRP as engineers write them, and the system each is in. E and ρ from
/// handbooks; the factors are those of `Units` and of standard gravity.
#[test]
fn units_are_named() {
    let named = |e: &str, rho: &str, parameter: &str, units: Units| {
        let text = PLATE.replace("2.1+11,,.3,7850.", &format!("{e},,.3,{rho}")) + parameter;
        super::units::unit_warning(&mesh(&text, units))
    };
    let wtmass = "PARAM,WTMASS,.002588\n";
    let good = [
        ("2.1+11", "7850.", "", Units::SI),
        ("2.1+5", "7.85-9", "", Units::MM_T_S),
        ("3.+7", "7.33-4", "", Units::IN_LBF_S),
        ("3.+7", ".283", wtmass, Units::IN_LBF_S),
        ("210.", "7.85-6", "", Units { length: 1e-3, mass: 1.0, time: 1e-3 }),
        // Rubber, foam, UD carbon, tungsten, balsa.
        ("5.+6", "1100.", "", Units::SI),
        ("2.+7", "50.", "", Units::SI),
        ("3.+11", "1600.", "", Units::SI),
        ("4.+11", "19300.", "", Units::SI),
        ("4.+9", "150.", "", Units::SI),
    ];
    for (e, rho, parameter, units) in good {
        assert!(
            named(e, rho, parameter, units).is_none(),
            "{e} {rho}: {:?}",
            named(e, rho, parameter, units)
        );
    }
    let wrong = [
        ("2.1+5", "7.85-9", "", Units::SI, "`units = \"mm-t-s\"`"),
        ("7.+4", "2.7-9", "", Units::SI, "--units mm-t-s"),
        ("1.5+5", "1.6-9", "", Units::SI, "mm-t-s"),
        ("3.+7", "7.33-4", "", Units::SI, "\"in-lbf-s\""),
        ("1.+7", "2.59-4", "", Units::MM_T_S, "\"in-lbf-s\""),
        ("3.+7", ".283", "", Units::SI, "PARAM,WTMASS,.00259"),
        ("3.+7", ".283", "", Units::IN_LBF_S, "PARAM,WTMASS,.00259"),
        ("3.+7", ".283", wtmass, Units::SI, "\"in-lbf-s\""),
        ("2.1+5", "7.7-5", "", Units::MM_T_S, "PARAM,WTMASS,1.02-4"),
        ("210.", "7.85-6", "", Units::SI, "{ length = 0.001, mass = 1, time = 0.001 }"),
        ("2.1+8", "7.85-6", "", Units::SI, "{ length = 0.001, mass = 1, time = 1 }"),
        ("2.1+5", "7.85-6", "", Units::MM_T_S, "RHO in t/mm³"),
        ("2.1+5", "7850.", "", Units::SI, "E in Pa"),
        ("2.1+12", "7.85", "", Units::SI, "{ length = 0.01, mass = 0.001, time = 1 }"),
        ("4.3+9", "15.2", "", Units::SI, "{ length = 0.3048, mass = 14.593903, time = 1 }"),
        ("2.1+11", "7850.", "", Units::MM_T_S, "\"si\""),
        // kN, m, t: steel and aluminium; then moduli and densities of different systems.
        ("2.1+8", "7.85", "", Units::SI, "{ length = 1, mass = 1000, time = 1 }"),
        ("7.+7", "2.7", "", Units::SI, "{ length = 1, mass = 1000, time = 1 }"),
        ("2.1+11", "7.85", "", Units::SI, "a thousand times"),
        ("2.1+11", "7.85-9", "", Units::SI, "E in MPa for millimetres"),
        ("7.+10", "2.7-3", "", Units::SI, "RHO in kg/m³"),
        ("2.1+6", "7.85-3", "", Units::SI, "E in Pa and RHO in kg/m³"),
    ];
    for (e, rho, parameter, units, hint) in wrong {
        let found =
            named(e, rho, parameter, units).unwrap_or_else(|| panic!("{e} {rho} passes in {units:?}"));
        assert!(found.severity == Severity::Warning && found.hints[0].contains(hint), "{e} {rho}: {found:?}");
    }
    // An example of a textbook that is in no units at all.
    let one = named("1.", "1.", "", Units::SI).expect("a warning");
    assert_eq!((one.severity, one.hints[0].as_str()), (Severity::Warning, "check the units of the deck"));
}

/// Density (g/cm³) and speed of extensional waves along a rod (m/s), √(E/ρ), of the solids in the CRC
/// Handbook of Chemistry and Physics, table "Speed of sound in various media" (as hbcp.chemnetbase.com and
/// rudywinoto.com print it): all can be read, and all but rubber and the like are what structures are made
/// of.
#[test]
fn handbook_materials_are_possible() {
    let table = [
        ("aluminium", 2.7, 5000.0),
        ("beryllium", 1.87, 12870.0),
        ("brass", 8.6, 3480.0),
        ("copper", 8.93, 3750.0),
        ("gold", 19.7, 2030.0),
        ("iron", 7.85, 5200.0),
        ("lead", 11.4, 1190.0),
        ("molybdenum", 10.1, 5400.0),
        ("nickel", 8.9, 4900.0),
        ("platinum", 21.4, 2800.0),
        ("silver", 10.4, 2680.0),
        ("steel", 7.85, 5200.0),
        ("titanium", 4.5, 5080.0),
        ("tungsten", 19.3, 4620.0),
        ("tungsten carbide", 13.8, 6220.0),
        ("zinc", 7.1, 3850.0),
        ("fused silica", 2.2, 5760.0),
        ("glass", 2.32, 5170.0),
        ("acrylic", 1.18, 1840.0),
        ("nylon", 1.11, 1800.0),
        ("polyethylene", 0.9, 920.0),
        ("polystyrene", 1.06, 2240.0),
    ];
    for (name, density, speed) in table {
        let (density, modulus) = (1e3 * density, 1e3 * density * speed * speed);
        let text = PLATE.replace("2.1+11,,.3,7850.", &format!("{modulus:e},,.3,{density:e}"));
        assert!(super::units::unit_warning(&mesh(&text, Units::SI)).is_none(), "{name}");
        // The same numbers with millimetres and tonnes, read as SI.
        let (modulus, density) = (1e-6 * modulus, 1e-12 * density);
        let text = PLATE.replace("2.1+11,,.3,7850.", &format!("{modulus:e},,.3,{density:e}"));
        let found = super::units::unit_warning(&mesh(&text, Units::SI)).unwrap_or_else(|| panic!("{name}"));
        assert!(found.hints[0].contains("mm-t-s"), "{name}: {found:?}");
    }
    // Foam of ASTM D6817, 15 kPa at 1 %.
    let foam = PLATE.replace("2.1+11,,.3,7850.", "1.5+6,,.1,11.2");
    assert!(super::units::unit_warning(&mesh(&foam, Units::SI)).is_none());
}

/// One odd material among good ones is a modelling device, not another system of units.
#[test]
fn one_stiff_and_light_material_is_no_alarm() {
    let text = format!("{PLATE}MAT1,2,2.1+14,,.3,1.-3\nPSHELL,2,2,.01,2\nCTRIA3,2,2,1,2,3\n");
    assert!(super::units::unit_warning(&mesh(&text, Units::SI)).is_none());
}

#[test]
fn bodies_that_cannot_be_are_reported() {
    let conm2 = |inertia: &str| messages(&format!("{PLATE}CONM2,9,1,,2.,,,,\n,{inertia}\n"));
    assert_eq!(conm2("1.,,1.,,,1."), [""; 0]);
    let found = conm2("1.,,1.,,,3.");
    assert!(
        found.len() == 1 && found[0].starts_with("CONM2 9: impossible inertia: the largest"),
        "{found:?}"
    );
    let found = conm2("1.,2.,1.,,,1.");
    assert!(found.len() == 1 && found[0].contains("a principal moment is negative"), "{found:?}");
    let found = messages(&format!("{PLATE}CONM2,9,1,,-2.\n"));
    assert!(found.len() == 1 && found[0].contains("the mass is negative"), "{found:?}");
}

#[test]
fn negative_springs_are_reported_once_for_a_property() {
    let text = format!(
        "{PLATE}PELAS,5,-100.\nCELAS1,11,5,1,1,2,1\nCELAS1,12,5,1,2,2,2\nCELAS2,13,-7.,1,3\nPBUSH,6,K,1.,1.,-4.\nCBUSH,14,6,1,3,,,,0\n"
    );
    let found = messages(&text);
    let expected =
        ["PELAS 5: negative stiffness: -100", "CELAS2 13: negative stiffness: -7", "PBUSH 6: negative"];
    assert_eq!(found.len(), 3, "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn plates_whose_bending_is_odd_are_reported_and_sandwiches_are_not() {
    let plate = |fields: &str| {
        messages(
            &PLATE.replace("PSHELL,1,1,.01,1,,1", &format!("MAT1,2,1.+8,,.3,50.\nPSHELL,1,1,.01,{fields}")),
        )
    };
    assert_eq!(plate("1,1.5,1"), [""; 0]);
    let found = plate("1,8.3-8,1");
    assert!(found.len() == 1 && found[0].starts_with("PSHELL 1, field 6 (12I/T**3)"), "{found:?}");
    assert!(plate("1,400.,1")[0].contains("400"), "no core");
    assert_eq!(plate("1,400.,2"), [""; 0], "a core of its own");
}

#[test]
fn pieces_are_counted() {
    let apart = format!("{PLATE}GRID,5,,0.,0.,5.\nGRID,6,,1.,0.,5.\nCONROD,7,5,6,1,.01\n");
    let found = separate_pieces(&mesh(&apart, Units::SI)).expect("two pieces");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "the mesh is in 2 separate pieces: 4 grids with CQUAD4 1; 2 grids with CONROD 7"
    );
    for joint in ["RBE2,8,4,123456,5\n", "MPC,3,4,1,1.,5,1,-1.\n", "CELAS2,8,1.+5,4,1,6,1\n"] {
        assert!(separate_pieces(&mesh(&(apart.clone() + joint), Units::SI)).is_none(), "{joint}");
    }
    let held = format!("SOL 101\nCEND\nSPC = 4\nBEGIN BULK\n{apart}SPC1,4,123456,1,5\n");
    assert_eq!(separate_pieces(&mesh(&held, Units::SI)).map(|d| d.severity), Some(Severity::Note));
}

#[test]
fn triangles_and_trapezoids_are_reported_by_area() {
    let two = PLATE.replace("CQUAD4,1,1,1,2,3,4", "CTRIA3,1,1,1,2,3\nCTRIA3,2,1,1,3,4");
    let found = messages(&two);
    assert!(
        found.len() == 1 && found[0].starts_with("2 CTRIA3 elements make up 100 % of the shell area"),
        "{found:?}"
    );
    assert_eq!(messages(&two.replace("CTRIA3", "CTRIAR")), [""; 0]);
    // The ends enclose 2 atan(0.35) = 39°, length over depth is 0.65/1.06: τ = 0.21.
    let wide = PLATE
        .replace("GRID,3,,1.,1.,0.", "GRID,3,,.65,1.,0.")
        .replace("GRID,4,,0.,1.,0.", "GRID,4,,.35,1.,0.");
    let found = messages(&wide);
    assert!(found.len() == 1 && found[0].contains("enclose up to 39°"), "{found:?}");
    assert_eq!(messages(&wide.replace("CQUAD4", "CQUADR")), [""; 0]);
    // A parallelogram of 45° is none, and neither is a triangle of a fiftieth of the area.
    let skew =
        PLATE.replace("GRID,3,,1.,1.,0.", "GRID,3,,2.,1.,0.").replace("GRID,4,,0.,1.,0.", "GRID,4,,1.,1.,0.");
    assert_eq!(messages(&skew), [""; 0]);
    let filler = format!("{PLATE}GRID,5,,1.04,.5,0.\nCTRIA3,2,1,2,5,3\n");
    assert_eq!(messages(&filler), [""; 0]);
}

/// Only sides that both have count: not a corner, not CQUAD4.
#[test]
fn drilling_quadrilaterals_beside_drilling_triangles_are_reported() {
    let beside = format!("{PLATE}GRID,5,,2.,.5,0.\nCTRIAR,2,1,2,5,3\n").replace("CQUAD4", "CQUADR");
    let found = messages(&beside);
    assert!(found.len() == 1 && found[0].starts_with("1 sides are shared by CTRIAR and CQUADR"), "{found:?}");
    assert_eq!(messages(&beside.replace("CQUADR", "CQUAD4")), [""; 0]);
    let corner = beside.replace("CTRIAR,2,1,2,5,3", "GRID,6,,2.,1.,0.\nCTRIAR,2,1,3,5,6");
    assert_eq!(messages(&corner), [""; 0]);
}
