//! Meshes that Gmsh wrote in every format it knows (tests/decks/exchange/make.py).

use pliant_mesh::{LinkMesh, NodeIndex};

use super::{assert_same, file, good, matrices, read_file};

/// Nodes of each solid by number, in the order of bulk data.
fn connectivity(mesh: &LinkMesh) -> Vec<(u32, Vec<u32>)> {
    let ids = |nodes: &[NodeIndex]| nodes.iter().map(|node| mesh.node(*node).id.0).collect();
    let mut found: Vec<(u32, Vec<u32>)> =
        mesh.solids.iter().map(|solid| (0, ids(mesh.nodes_of_solid(solid)))).collect();
    found.sort();
    found
}

/// The mesh with its solids in the order of their nodes.
fn by_nodes(mesh: &LinkMesh) -> LinkMesh {
    let mut sorted = mesh.clone();
    sorted.solids.sort_by_key(|solid| mesh.nodes_of_solid(solid).to_vec());
    sorted
}

/// Every mid-side node lies in the middle of its edge: the bodies have straight edges.
fn assert_middles(what: &str, mesh: &LinkMesh, tolerance: f64) {
    for solid in &mesh.solids {
        let nodes = mesh.nodes_of_solid(solid);
        let position = |k: usize| mesh.node(nodes[k]).position;
        let corners = solid.shape.corner_count();
        for (k, [a, b]) in solid.shape.edges().iter().enumerate().filter(|(k, _)| corners + k < nodes.len()) {
            let middle = 0.5 * (position(*a) + position(*b));
            let gap = (position(corners + k) - middle).norm();
            assert!(gap < tolerance, "{what}: mid-side node {k} of element {} is {gap} off", solid.id);
        }
    }
}

#[test]
fn one_body_is_the_same_in_every_format_of_gmsh() {
    for body in ["tetra1", "tetra2", "penta1", "penta2", "hexa1", "hexa2"] {
        let bulk = good(body, read_file(&file(&format!("{body}.bdf"))));
        let first = good(body, read_file(&file(&format!("{body}-2.msh"))));
        assert_eq!(connectivity(&first), connectivity(&bulk), "{body}: .msh and Gmsh's own bulk data");
        // Fields of eight columns, and sixteen digits.
        assert_middles(body, &bulk, 2e-6);
        assert_middles(body, &first, 1e-15);
        let exact = good(body, read_file(&file(&format!("{body}-2b.msh"))));
        // Gmsh writes 16 digits as text, except in universal files: those have all bits, as binary files do.
        let same = [("-40.msh", &first), ("-4.msh", &first), ("-4b.msh", &exact), (".unv", &exact)];
        for (other, first) in same {
            let name = format!("{body}{other}");
            let mesh = good(&name, read_file(&file(&name)));
            assert_eq!(connectivity(&mesh), connectivity(&bulk), "{name}");
            // Gmsh numbers the elements of its files differently, and sums of K are in the order of elements.
            assert_same(&name, &by_nodes(first), &by_nodes(&mesh));
        }
        // Fourteen digits.
        let name = format!("{body}.inp");
        let rounded = good(&name, read_file(&file(&name)));
        assert_eq!(connectivity(&rounded), connectivity(&bulk), "{name}");
        for (a, b) in rounded.nodes.iter().zip(&exact.nodes) {
            assert!(a.id == b.id && (a.position - b.position).norm() < 1e-13, "{name}: node {}", a.id);
        }
        // M · (rigid translation along x) · (the same) is the mass: 0.1 · 0.03 · 0.02 m³ of 7850 kg/m³.
        let system = matrices(&first);
        let along = |row: usize| system.dofs.node_and_component(row).1.row() == 0;
        let mass: f64 = system
            .M
            .triplet_iter()
            .filter(|(row, column, _)| along(*row) && along(*column))
            .map(|(row, column, value)| if row == column { *value } else { 2.0 * value })
            .sum();
        // Rounding of some thousand terms.
        assert!((mass / (0.1 * 0.03 * 0.02 * 7850.0) - 1.0).abs() < 1e-12, "{body}: {mass} kg");
    }
}

#[test]
fn physical_groups_are_names_of_properties_and_sets() {
    for other in ["-2.msh", "-2b.msh", "-40.msh", "-4.msh", "-4b.msh", ".unv", ".inp"] {
        let name = format!("hexa2{other}");
        let mesh = good(&name, read_file(&file(&name)));
        let set =
            mesh.names.sets.iter().find(|(_, set)| set.replace('_', " ").eq_ignore_ascii_case("root face"));
        let (number, _) = set.unwrap_or_else(|| panic!("{name}: {:?}", mesh.names));
        let members =
            &mesh.sets.iter().find(|set| set.id.0 == *number).expect("a set with its members").members;
        let on_face = |node: &pliant_mesh::Node| {
            // The face that the askew extrusion made of the side x = 0 of the rectangle.
            (node.position.x - 0.1 * node.position.z).abs() < 1e-9
        };
        let mut expected: Vec<u32> =
            mesh.nodes.iter().filter(|node| on_face(node)).map(|node| node.id.0).collect();
        expected.sort_unstable();
        assert_eq!(members, &expected, "{name}");
        if other.ends_with(".msh") {
            assert_eq!(mesh.names.properties.get(&7).map(String::as_str), Some("body"), "{name}");
        }
    }
}
