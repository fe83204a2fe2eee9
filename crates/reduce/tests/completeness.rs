//! No mode is missing, or the report says that it is not known: links with modes that a search alone misses.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;

use pliant_fem::element::MassKind;
use pliant_mesh::{Components, GridId, LinkMesh};
use pliant_reduce::basis::{Partitions, fixed_interface};
use pliant_reduce::substructure::{link_constraints, substructure};
use pliant_reduce::{Completeness, Health};

use support::{mesh_of, reduce, request};

/// A bar of `BARS` CBARs along x with different bending stiffness in its two planes, and what else is given.
const BARS: usize = 60;

fn bar(others: &str) -> LinkMesh {
    let mut deck = String::from("BEGIN BULK\nMAT1,1,2.+11,,.3,7800.\nPBAR,1,1,4.-4,2.-8,5.-8,3.-8\n");
    for i in 0..=BARS {
        writeln!(deck, "GRID,{},,{:.6},0.,0.", i + 1, 2.0 * i as f64 / BARS as f64).unwrap();
    }
    for i in 1..=BARS {
        writeln!(deck, "CBAR,{i},1,{i},{},0.,1.,0.", i + 1).unwrap();
    }
    writeln!(deck, "{others}ENDDATA").unwrap();
    mesh_of(&deck)
}

fn ends() -> String {
    format!("inboard = 1\ninterfaces = {{ tip = {} }}\nsecond_order = false\n", BARS + 1)
}

fn health(mesh: LinkMesh, keys: &str) -> Health {
    let request = request("bar", &format!("deck = \"bar.bdf\"\n{}{keys}", ends()));
    reduce(&request, mesh).unwrap().health
}

/// A speck of mass on a spring of its own, at this frequency.
fn speck(hz: f64) -> String {
    let mass = 1e-30;
    let stiffness = mass * (std::f64::consts::TAU * hz).powi(2);
    // AUTOSPC would take such a spring for rounding.
    format!("PARAM,AUTOSPC,NO\nSPOINT,1000\nCMASS4,1000,{mass:.9e},1000\nCELAS4,1001,{stiffness:.9e},1000\n")
}

/// A speck of mass is hardly in the vectors that a search begins with. Of five modes kept by count the search
/// alone misses it; the Sturm count does not, and the search goes on. Modes below a frequency are counted
/// first.
#[test]
fn a_speck_of_mass_is_not_missed() {
    let without = health(bar(""), "modes = { count = 6 }\n").modes_hz;
    let hz = 0.5 * (without[1] + without[2]);
    let expected = [without[0], without[1], hz, without[2], without[3]];
    let mesh = || bar(&speck(hz));

    let (part, stiffness) = {
        let mesh = mesh();
        let node = |id: usize| mesh.node_by_id(GridId(id as u32)).unwrap();
        let boundary = [(node(BARS + 1), Components::ALL)];
        substructure(&mesh, MassKind::Consistent, &link_constraints(&mesh, Some(node(1))), &boundary).unwrap()
    };
    let fixed = fixed_interface(&part, Partitions::new(&part, &stiffness)).unwrap();
    let alone = fixed.modes(&part, 5).unwrap().unwrap();
    let hertz = |lambda: f64| lambda.sqrt() / std::f64::consts::TAU;
    let misses = alone.lambda.iter().all(|lambda| (hertz(*lambda) / hz - 1.0).abs() > 1e-3);
    assert!(misses, "this link is meant to lose a mode at first: {:?}", alone.lambda);
    let all = fixed.proven(&part, &stiffness, alone).unwrap();
    assert!(all.info.recovered > 0, "{:?}", all.info);

    for keys in
        ["modes = { count = 5 }\n".to_owned(), format!("modes = {{ below_hz = {:.3} }}\n", 1.01 * without[3])]
    {
        let found = health(mesh(), &keys);
        for (ours, wanted) in found.modes_hz.iter().zip(expected) {
            assert!((ours / wanted - 1.0).abs() < 1e-6, "{keys}: {:?} for {expected:?}", found.modes_hz);
        }
        assert_eq!(found.modes_hz.len(), 5, "{keys}");
        let Completeness::Proven { below_hz, modes } = found.completeness else {
            panic!("{keys}: {:?}", found.completeness)
        };
        // Where the search alone would have ended: above the fifth mode without the speck.
        let below = without.iter().filter(|hz| **hz < below_hz).count() + 1;
        assert!(below_hz > without[3] && below_hz < without[5], "{keys}: {below_hz}");
        assert_eq!(modes, below, "{keys}");
    }
}

/// What is kept without a count says why.
#[test]
fn what_is_not_proven_says_why() {
    let said = |keys: &str| health(bar(""), keys).completeness;
    assert_eq!(said("basis = \"guyan\"\n"), Completeness::NoModes);
    assert!(said("basis = \"free-free\"\nmodes = { count = 4 }\n").is_proven());
    assert!(said("basis = \"cantilever\"\nmodes = { count = 4 }\n").is_proven());
    let by_accuracy = said("modes = { accuracy = 0.01, accurate_to_hz = 200 }\n");
    assert!(by_accuracy.to_string().contains("chosen by accuracy"), "{by_accuracy}");
}
