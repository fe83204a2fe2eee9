//! Problems of foreign files, each at its line.

use super::{good, read_text};

/// Line and headline of every error.
fn errors(name: &str, text: &str) -> Vec<(u32, String)> {
    let read = read_text(name, text);
    let sources = &read.output.sources;
    let line = |d: &pliant_diag::Diagnostic| d.span.map_or(0, |span| sources.line_column(span).line);
    read.diagnostics
        .iter()
        .filter(|d| d.severity == pliant_diag::Severity::Error)
        .map(|d| (line(d), d.headline()))
        .collect()
}

const TETRA: &str = "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., 1.\n";

#[test]
fn problems_of_abaqus_have_their_lines() {
    let with = |rest: &str| errors("a.inp", &format!("{TETRA}{rest}"));
    let section = "*SOLID SECTION, ELSET=E, MATERIAL=S\n*MATERIAL, NAME=S\n*ELASTIC\n2.1e11, .3\n";
    let missing = with(&format!("*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 9\n{section}"));
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert_eq!(missing[0].0, 7, "{missing:?}");
    assert!(missing[0].1.contains('9'), "{missing:?}");
    let inside_out = with(&format!("*ELEMENT, TYPE=C3D4, ELSET=E\n7, 1, 3, 2, 4\n{section}"));
    assert!(inside_out.is_empty() || inside_out[0].0 == 7, "{inside_out:?}");
    assert_eq!(
        with("*TIE, NAME=T\nA, B\n")[0],
        (6, "*TIE: changes the structure in a way that is not translated".into())
    );
    assert_eq!(with("*ELEMENT, TYPE=CONN3D2\n1, 1, 2\n")[0].0, 6);
    assert_eq!(with("*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, x\n")[0].0, 7);
    let no_material =
        with("*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 4\n*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n");
    assert_eq!(no_material[0], (8, "*SOLID SECTION: there is no material STEEL".to_owned()));
}

#[test]
fn parts_instances_couplings_and_supports() {
    let text = "*HEADING\n*PART, NAME=P\n*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., 1.\n\
*ELEMENT, TYPE=C3D4, ELSET=ALL\n1, 1, 2, 3, 4\n*NSET, NSET=BASE\n1, 2, 3\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n,\n*END PART\n\
*ASSEMBLY, NAME=A\n*INSTANCE, NAME=ONE, PART=P\n*END INSTANCE\n*INSTANCE, NAME=TWO, PART=P\n0., 0., 5.\n\
0., 0., 5., 0., 0., 6., 90.\n*END INSTANCE\n*NODE\n100, 0., 0., 4.\n*NSET, NSET=REF\n100,\n\
*ELSET, ELSET=TOP, INSTANCE=TWO\n1,\n*SURFACE, NAME=FACE, TYPE=ELEMENT\nTOP, S1\n\
*COUPLING, CONSTRAINT NAME=C, REF NODE=REF, SURFACE=FACE\n*KINEMATIC\n1, 6\n*END ASSEMBLY\n\
*MATERIAL, NAME=Steel\n*DENSITY\n7850.,\n*ELASTIC\n2.1e11, 0.3\n*BOUNDARY\nONE.BASE, ENCASTRE\n*STEP\n*STATIC\n*CLOAD\nREF, 3, -5.\n*END STEP\n";
    let mesh = good("assembly", read_text("a.inp", text));
    assert_eq!((mesh.nodes.len(), mesh.solids.len(), mesh.properties.len()), (9, 2, 1));
    // The second instance is moved 5 up, then turned by 90° about the axis through (0, 0, 5): x goes to y.
    let moved: Vec<[f64; 3]> =
        mesh.nodes.iter().filter(|n| n.id.0 > 4 && n.id.0 != 100).map(|n| n.position.into()).collect();
    let expected = [[0., 0., 5.], [0., 1., 5.], [-1., 0., 5.], [0., 0., 6.]];
    for (found, expected) in moved.iter().zip(expected) {
        // A rotation by 90° in floating point.
        assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-15), "{found:?} instead of {expected:?}");
    }
    assert_eq!(mesh.rigids.len(), 1);
    assert_eq!(mesh.spcs.len(), 3);
    assert_eq!(mesh.loads.len(), 1);
    assert!(mesh.names.sets.values().any(|name| name == "ONE.BASE"), "{:?}", mesh.names);
    assert_eq!(mesh.names.properties.values().next().map(String::as_str), Some("ALL"));
}

#[test]
fn problems_of_the_other_formats_have_their_lines() {
    let msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 zero\n$EndNodes\n";
    assert_eq!(errors("a.msh", msh)[0].0, 7);
    assert_eq!(errors("a.msh", "$MeshFormat\n3 0 8\n$EndMeshFormat\n")[0].0, 2);
    assert!(errors("a.msh", "(0 \"GAMBIT to Fluent File\")\n")[0].1.contains("$MeshFormat"));
    let cdb = "/PREP7\nET,1,185\nNBLOCK,6,SOLID,1,1\n(3i9,6e21.13e3)\n       1x        0        0\nN,R5.3,LOC,-1,\n";
    assert_eq!(errors("a.cdb", cdb)[0].0, 5);
    let unv = "    -1\n  2411\n         1         1         1        11\n   0.0 0.0\n    -1\n";
    assert_eq!(errors("a.unv", unv)[0].0, 3);
}

#[test]
fn structures_of_abaqus_and_ansys_are_complete() {
    let assembly = good("structure.inp", super::read_file(&super::file("structure.inp")));
    let counts = |mesh: &pliant_mesh::LinkMesh| {
        [mesh.solids.len(), mesh.shells.len(), mesh.bars.len(), mesh.rods.len(), mesh.point_masses.len()]
    };
    assert_eq!(counts(&assembly), [2, 1, 1, 1, 1]);
    assert_eq!((assembly.rigids.len(), assembly.mpcs.len(), assembly.spcs.len()), (2, 1, 3));
    // SPOS: the grids lie on top, the middle surface half a thickness below.
    assert_eq!(assembly.shells[0].offset, Some(-0.005));
    let ansys = good("structure.cdb", super::read_file(&super::file("structure.cdb")));
    assert_eq!(counts(&ansys), [2, 1, 1, 0, 1]);
    assert_eq!(ansys.solids[1].shape, pliant_mesh::element::SolidShape::Pyramid5);
    assert_eq!((ansys.rigids.len(), ansys.mpcs.len(), ansys.spcs.len(), ansys.loads.len()), (1, 1, 2, 1));
    assert_eq!(ansys.sets[0].members, [1, 2, 3, 4]);
    // The section 0.02 along y and 0.03 along z: I1 = ∫ y² dA, I2 = ∫ z² dA.
    for mesh in [&assembly, &ansys] {
        let pliant_mesh::property::PropertyKind::Bar(_, bar) =
            &mesh.properties[mesh.bars[0].property.index()].kind
        else {
            panic!("a bar property");
        };
        let (i1, i2) = (0.03 * 0.02_f64.powi(3) / 12.0, 0.02 * 0.03_f64.powi(3) / 12.0);
        // Rounding of a few products.
        assert!((bar.i1 / i1 - 1.0).abs() < 1e-12 && (bar.i2 / i2 - 1.0).abs() < 1e-12, "{bar:?}");
    }
}
