//! Meshes of other preprocessors: the same mesh has the same K and M, whatever the format.

mod formats;
mod gmsh;
mod problems;
mod public;

use std::path::{Path, PathBuf};

use pliant_bulk::{Deck, DefaultProperties, Options, deck_from_cards, read_cards_from, read_with};
use pliant_diag::{Origin, Severity, Warned};
use pliant_fem::assembly::{AssemblyOptions, System, assemble};
use pliant_fem::element::MassKind;
use pliant_mesh::{LinkMesh, Material, MaterialId, MaterialLaw, Units};

fn steel() -> Material {
    Material {
        id: MaterialId(1),
        density: 7850.0,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: 210e9,
            shear_modulus: 210e9 / 2.6,
            poisson_ratio: 0.3,
            thermal_expansion: 0.0,
        },
        source: Origin::default(),
    }
}

fn options() -> Options {
    let default_properties =
        DefaultProperties { material: Some(steel()), thickness: Some(0.002), ..DefaultProperties::default() };
    Options { units: Units::SI, default_properties }
}

/// A file of a folder of the workspace.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/decks/exchange").join(name)
}

fn read_file(path: &Path) -> Warned<Deck> {
    read_with(path, &options())
}

/// A text under a name that says its format.
fn read_text(name: &str, text: &str) -> Warned<Deck> {
    let cards =
        read_cards_from(name, text.as_bytes().to_vec(), &mut |_| Err(std::io::ErrorKind::NotFound.into()));
    deck_from_cards(cards, &options())
}

/// A mesh without errors.
fn good(what: &str, read: Warned<Deck>) -> LinkMesh {
    let sources = &read.output.sources;
    let shown: Vec<String> = read
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{:?}: {}", d.span.map(|span| sources.line_column(span)), d.headline()))
        .collect();
    assert!(shown.is_empty(), "{what}: {shown:#?}");
    read.output.mesh
}

fn matrices(mesh: &LinkMesh) -> System {
    assemble(mesh, AssemblyOptions { mass: MassKind::Consistent, nsm: None })
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// K and M are equal bit for bit.
fn assert_same(what: &str, a: &LinkMesh, b: &LinkMesh) {
    let (a, b) = (matrices(a), matrices(b));
    for (name, a, b) in [("K", &a.K, &b.K), ("M", &a.M, &b.M)] {
        assert_eq!(a.col_offsets(), b.col_offsets(), "{what}: pattern of {name}");
        assert_eq!(a.row_indices(), b.row_indices(), "{what}: pattern of {name}");
        let differ = a.values().iter().zip(b.values()).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        assert_eq!(differ, 0, "{what}: numbers of {name} that differ, of {}", a.values().len());
    }
}
