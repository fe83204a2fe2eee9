//! A mesh of every shape, written by us in each format and read back: the reader is checked against Gmsh
//! beside, so that a common mistake of reader and writer does not go unseen.

use std::path::Path;

use pliant_exchange::{Target, write};
use pliant_mesh::LinkMesh;

use super::{assert_same, good, read_text};

/// Card, corners, and the edges with mid-side nodes.
type Body<'a> = (&'a str, &'a [[f64; 3]], &'a [[usize; 2]]);

/// Solids of every shape but pyramids on nodes of their own, with numbers of all digits.
fn solids(pyramids: bool, quadratic: bool) -> String {
    let cube = [
        [0., 0., 0.],
        [1., 0., 0.],
        [1., 1., 0.],
        [0., 1., 0.],
        [0., 0., 1.],
        [1., 0., 1.],
        [1., 1., 1.],
        [0., 1., 1.],
    ];
    let wedge = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]];
    let tetra = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let pyramid = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]];
    let mut shapes: Vec<Body<'_>> = vec![
        ("CHEXA", &cube, pliant_mesh::element::SolidShape::Hexa20.edges()),
        ("CPENTA", &wedge, pliant_mesh::element::SolidShape::Penta15.edges()),
        ("CTETRA", &tetra, pliant_mesh::element::SolidShape::Tetra10.edges()),
    ];
    if pyramids {
        shapes.push(("CPYRAM", &pyramid, pliant_mesh::element::SolidShape::Pyramid13.edges()));
    }
    let mut text = String::from("MAT1,1,2.1e11,,0.3,7850.\n$HMNAME PROP 5\"block\"\nPSOLID,5,1\n");
    let mut next = 1;
    let mut seed = 0.123_456_789_f64;
    for (row, (card, corners, edges)) in shapes.iter().enumerate() {
        let first = next;
        // Deterministic noise, so that no two nodes can be exchanged unseen.
        let mut noise = || {
            seed = (seed * 7919.0).fract();
            0.07 * (seed - 0.5)
        };
        let shift = 3.0 * row as f64;
        let mut nodes: Vec<[f64; 3]> =
            corners.iter().map(|[x, y, z]| [x + shift + noise(), y + noise(), z + noise()]).collect();
        if quadratic {
            for [a, b] in *edges {
                let (a, b) = (nodes[*a], nodes[*b]);
                nodes.push([0, 1, 2].map(|k| 0.5 * (a[k] + b[k]) + 0.3 * noise()));
            }
        }
        for [x, y, z] in &nodes {
            text.push_str(&format!("GRID,{next},,{x:?},{y:?},{z:?}\n"));
            next += 1;
        }
        let list: Vec<String> = (first..next).map(|id| id.to_string()).collect();
        text.push_str(&format!("{card},{},5,{}\n", row + 11, list.join(",")));
    }
    text.push_str("$HMSET 2 1 \"corner\"\nSET1,2,1,3,4\n");
    text
}

fn there_and_back(mesh: &LinkMesh, target: Target, ending: &str) -> LinkMesh {
    let written = write(mesh, target);
    let problems: Vec<_> = written.diagnostics.iter().map(|d| d.headline()).collect();
    assert!(!written.diagnostics.has_errors(), "{target:?}: {problems:?}");
    good(ending, read_text(&format!("a{ending}"), &written.output))
}

const TARGETS: [(Target, &str); 4] =
    [(Target::Gmsh, ".msh"), (Target::Universal, ".unv"), (Target::Abaqus, ".inp"), (Target::Ansys, ".cdb")];

#[test]
fn every_solid_has_the_same_matrices_in_every_format() {
    for quadratic in [false, true] {
        for (target, ending) in TARGETS {
            // A universal file has no pyramids, Abaqus no quadratic ones.
            let pyramids = match target {
                Target::Universal => false,
                Target::Abaqus => !quadratic,
                _ => true,
            };
            let mesh = good("bulk data", read_text("a.bdf", &solids(pyramids, quadratic)));
            assert_eq!(mesh.solids.len(), if pyramids { 4 } else { 3 });
            let back = there_and_back(&mesh, target, ending);
            assert_same(&format!("{ending}, quadratic: {quadratic}"), &mesh, &back);
            let named = back.names.sets.values().any(|name| name.eq_ignore_ascii_case("corner"));
            assert!(named, "{ending}: {:?}", back.names);
            assert!(Target::of(Path::new(&format!("a{ending}"))) == Some(target));
        }
    }
}

/// Shells, bars, a mass and a rigid body.
const STRUCTURE: &str = "MAT1,1,2.1e11,,0.3,7850.\nPSHELL,2,1,.0123456789012345,1,,1\nPBARL,3,1,,BAR,,,,,.02,.035\n\
PROD,4,1,1.5e-4\n\
GRID,1,,0.,0.,0.\nGRID,2,,1.1,0.,0.\nGRID,3,,1.,1.2,0.\nGRID,4,,0.,1.,.1\nGRID,5,,2.1,.3,.2\nGRID,6,,2.2,1.3,.4\n\
GRID,7,,3.1,.3,.2\n\
CQUAD4,1,2,1,2,3,4\nCTRIA3,2,2,2,5,3\nCBAR,3,3,5,6,.1,.2,1.\nCROD,4,4,3,6\nCONM2,9,6,,2.5,,,,,.1,,.2,,,.3\n\
RBE2,20,7,123456,6\n";

#[test]
fn shells_bars_masses_and_rigid_bodies_go_to_abaqus_and_ansys() {
    let mesh = good("bulk data", read_text("a.bdf", STRUCTURE));
    for (target, ending) in [(Target::Abaqus, ".inp"), (Target::Ansys, ".cdb")] {
        let back = there_and_back(&mesh, target, ending);
        let counts = |mesh: &LinkMesh| {
            (mesh.shells.len(), mesh.bars.len(), mesh.rods.len(), mesh.rigids.len(), mesh.point_masses.len())
        };
        assert_eq!(counts(&back).0, 2, "{ending}");
        assert_eq!((counts(&back).1, counts(&back).2, counts(&back).3), (1, 1, 1), "{ending}");
        // Orientation nodes of beams are nodes of Ansys only; they have no matrices.
        let (a, b) = (super::matrices(&mesh), super::matrices(&back));
        let rows: Vec<usize> =
            mesh.nodes.iter().map(|node| back.node_by_id(node.id).expect("the node").index()).collect();
        let mut largest = 0.0_f64;
        for (row, column, value) in a.K.triplet_iter() {
            let moved = |k: usize| 6 * rows[k / 6] + k % 6;
            let found = b.K.get_entry(moved(row), moved(column)).map_or(0.0, |entry| entry.into_value());
            largest =
                largest.max((found - value).abs() / a.K.values().iter().fold(0.0_f64, |m, v| m.max(v.abs())));
        }
        // The direction of a beam in Ansys goes through the position of a node: rounding.
        assert!(largest <= 1e-13, "{ending}: {largest}");
        if target == Target::Abaqus {
            assert_same(ending, &mesh, &back);
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let text = format!("{STRUCTURE}CELAS2,50,100.,1,1,2,1\nPCOMP,8,,,,,,,,1,.1,0.\nCQUAD4,30,8,1,2,3,4\n");
    let mesh = good("bulk data", read_text("a.bdf", &text));
    let refused: Vec<String> =
        write(&mesh, Target::Abaqus).diagnostics.iter().map(|d| d.headline()).collect();
    assert!(refused.contains(&"1 springs cannot be written for Abaqus".to_owned()), "{refused:?}");
    assert!(refused.contains(&"property 8 cannot be written for Abaqus".to_owned()), "{refused:?}");
    // A mesh alone says what it leaves out.
    let noted: Vec<String> = write(&mesh, Target::Vtu).diagnostics.iter().map(|d| d.headline()).collect();
    assert!(noted[0].contains("1 rigid elements"), "{noted:?}");
}
