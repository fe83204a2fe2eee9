//! A link from a supplier's matrices equals the link from the mesh they were made of.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Matrix3};
use pliant_fem::element::MassKind;
use pliant_mesh::{Components, GridId, LinkMesh, Node, NodeKind, Units};
use pliant_reduce::basis::{Partitions, fixed_interface};
use pliant_reduce::import::{ImportedMatrices, MatrixRow, imported_link};
use pliant_reduce::interface::MeshInterface;
use pliant_reduce::substructure::{link_constraints, substructure};

/// NX Nastran's matrices of the inboard truss, its first grid as the inboard interface: rigid motion costs nothing, and mass and
/// centre are those of the mesh.
#[test]
fn nx_nastran_matrices_make_a_link_with_the_mass_of_its_mesh() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/nastran/yeti_inboard_cb");
    if !folder.is_dir() {
        println!("SKIPPED: no {}", folder.display());
        return;
    }
    let mut mesh = pliant_bulk::read(folder.join("inboard.dat"), Units::SI).output.mesh;
    let boundary: Vec<_> = [3, 11, 19, 27].iter().map(|id| mesh.node_by_id(GridId(*id)).unwrap()).collect();
    let part = substructure(
        &mesh,
        MassKind::Coupled,
        &link_constraints(&mesh, None),
        &boundary.iter().map(|node| (*node, Components::ALL)).collect::<Vec<_>>(),
    );
    let part = part.unwrap();
    let fixed = fixed_interface(&part, Partitions::new(&part, false)).unwrap();
    let modes = fixed.modes(&part, 3).unwrap().unwrap();
    let basis = fixed.basis(true, Some(&modes));
    let M = basis.reduced_mass(&part);
    let dense = |A: &faer::Mat<f64>| DMatrix::from_fn(27, 27, |i, j| A[(i, j)]);
    let mut rows: Vec<MatrixRow> = [3, 11, 19, 27]
        .iter()
        .flat_map(|id| (0..6).map(|component| MatrixRow { id: GridId(*id), component }))
        .collect();
    for k in 0..3 {
        let id = GridId(9_000_001 + k);
        let node = Node { id, kind: NodeKind::Scalar, ..mesh.nodes[0].clone() };
        mesh.nodes.push(node);
        rows.push(MatrixRow { id, component: 0 });
    }
    let interface = |mesh: &LinkMesh, k: usize| MeshInterface {
        name: format!("i{k}"),
        node: mesh.node_by_id(GridId([3, 11, 19, 27][k])).unwrap(),
        axes: Matrix3::identity(),
        spider: Vec::new(),
    };
    let matrices = ImportedMatrices { rows, K: dense(&basis.K), M: dense(&M) };
    let outboard: Vec<_> = (1..4).map(|k| interface(&mesh, k)).collect();
    let made = imported_link("truss", &mesh, &matrices, &interface(&mesh, 0), &outboard).unwrap();
    let link = made.output;
    assert_eq!(link.coordinate_count(), 21);
    assert_eq!(made.diagnostics.len(), 1, "what is lost is said");
    // GPWG of NX Nastran: mass 1.755052, centre (1039.998, 150, 150); grid 3 is at (600, 0, 300).
    let mass = link.invariants.mass();
    assert!((mass / 1.755_052 - 1.0).abs() < 1e-6, "{mass}");
    let centre = link.invariants.first_moment() / mass;
    assert!((centre - nalgebra::Vector3::new(439.998, 150.0, -150.0)).norm() < 2e-3, "{centre}");
    assert_eq!(link.validate(), Ok(()));
}
