//! Write → read → equal, for every card the writer knows. Numbers of up to nine digits come back exactly; any
//! other to the precision of a sixteen-column field.

mod sample;

use pliant_bulk::{Deck, Options, deck_from_cards, read_cards_from, write};
use pliant_diag::Severity;
use pliant_mesh::{LinkMesh, Load, LoadKind, SetId, Units};
use proptest::prelude::*;

use sample::Pool;

fn read(text: &str) -> Deck {
    let cards = read_cards_from("round-trip.bdf", text.as_bytes().to_vec(), &mut |_| {
        Err(std::io::Error::other("nothing is included"))
    });
    let deck = deck_from_cards(cards, &Options { units: Units::MM_T_S, ..Options::default() });
    let errors: Vec<String> =
        deck.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.headline()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    deck.output
}

/// Asserts that two meshes are equal, part by part, so that a failure shows the part and not the mesh.
fn assert_equal(a: &LinkMesh, b: &LinkMesh, text: &str) {
    macro_rules! parts {
        ($($part:ident),* $(,)?) => {
            $(assert_eq!(a.$part, b.$part, "{}\n{text}", stringify!($part));)*
        };
    }
    parts!(
        units,
        case_control,
        parameters,
        coordinates,
        nodes,
        materials,
        properties,
        rods,
        bars,
        shells,
        shell_nodes,
        shear_panels,
        solids,
        solid_nodes,
        springs,
        bushes,
        scalar_masses,
        point_masses,
        dampers,
        viscous_rods,
        plot_elements,
        rigids,
        nonstructural_masses,
        nsm_combinations,
        spcs,
        spc_combinations,
        mpcs,
        mpc_combinations,
        dof_sets,
        loads,
        load_combinations,
        eigen_methods,
        sets,
        direct_matrices,
    );
    assert_eq!(a, b, "a part is not compared");
}

/// A decimal of up to nine digits.
fn nine_digits() -> impl Strategy<Value = f64> {
    (-999_999_999i64..=999_999_999, -30i32..=20)
        .prop_map(|(m, e)| format!("{m}e{e}").parse().expect("a number"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_116),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_card_comes_back(
        reals in proptest::collection::vec(nine_digits(), 40..200),
        bits in proptest::collection::vec(any::<bool>(), 20..60),
        offset in 0u32..9_000_000,
    ) {
        let mesh = sample::mesh(&mut Pool::new(reals, bits), offset);
        let text = write(&mesh);
        prop_assert!(text.lines().all(|line| line.len() <= 80));
        assert_equal(&mesh, &read(&text).mesh, &text);
    }

    #[test]
    fn any_double_comes_back_to_the_precision_of_the_field(x in any::<f64>(), y in any::<f64>(), z in any::<f64>()) {
        prop_assume!([x, y, z].iter().all(|v| v.is_finite() && (*v == 0.0 || v.abs() > 1e-300)));
        let mesh = sample::one_grid([x, y, z]);
        let back = read(&write(&mesh)).mesh;
        for (a, b) in mesh.nodes[0].position.iter().zip(back.nodes[0].position.iter()) {
            // The worst case keeps sign, point, exponent of three digits and ten digits.
            prop_assert!((a - b).abs() <= 1e-9 * a.abs(), "{} {}", a, b);
        }
    }
}

#[test]
fn a_rotation_comes_back() {
    let mut mesh = sample::one_grid([1.0, 2.0, 3.0]);
    let omega = nalgebra::Vector3::new(0.3, -0.7, 11.0);
    let centre = mesh.nodes[0].position;
    let kind = LoadKind::Rotation { centre, omega, alpha: omega * -0.25 };
    mesh.loads.push(Load { set: SetId(4), kind, source: Default::default() });
    let back = read(&write(&mesh)).mesh;
    let [Load { kind: LoadKind::Rotation { centre: c, omega: w, alpha: a }, .. }] = &back.loads[..] else {
        panic!("{:?}", back.loads)
    };
    // The card gives revolutions: a division by 2π in sixteen columns.
    assert_eq!(*c, centre);
    assert!((w - omega).norm() < 1e-9 * omega.norm());
    assert!((a + omega * 0.25).norm() < 1e-9 * omega.norm());
}

#[test]
fn the_sample_holds_every_card() {
    let text = write(&sample::mesh(&mut Pool::new(vec![1.5, -2.25, 3.0], vec![true, false]), 0));
    let written: std::collections::BTreeSet<String> = text
        .lines()
        .skip_while(|line| !line.starts_with("BEGIN"))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| line[..line.len().min(8)].trim_end().trim_end_matches('*').to_owned())
        .collect();
    let expected = "ASET BSET CBAR CBEAM CBUSH CDAMP1 CDAMP2 CDAMP3 CDAMP4 CELAS1 CELAS2 CELAS3 CELAS4 CHEXA CMASS1 CMASS2 \
        CMASS3 CMASS4 CONM1 CONM2 CONROD CORD2C CORD2R CORD2S CPENTA CPYRAM CQUAD4 CQUAD8 CQUADR CROD CSET CSHEAR CTETRA \
        CTRIA3 CTRIA6 CTRIAR CTUBE CVISC DMIG EIGR EIGRL ENDDATA FORCE GRAV GRID LOAD MAT1 MAT2 MAT8 MAT9 MOMENT MPC \
        MPCADD NSM1 NSMADD NSML1 OMIT PARAM PBAR PBARL PBEAM PBEAML PBUSH PCOMP PCOMPG PDAMP PELAS PLOAD PLOAD1 PLOAD4 \
        PLOTEL PMASS PROD PSHEAR PSHELL PSOLID PTUBE PVISC QSET RBAR RBE1 RBE2 RBE3 RROD SET1 SLOAD SPC SPCADD SPCD \
        SPOINT SUPORT TEMP TEMPD TEMPRB";
    let missing: Vec<&str> = expected.split_whitespace().filter(|card| !written.contains(*card)).collect();
    assert!(missing.is_empty(), "not written: {missing:?}");
}
