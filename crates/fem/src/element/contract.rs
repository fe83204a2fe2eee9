//! The contract that every element keeps, as one function to call from each element's tests.
//!
//! ```ignore
//! contract::check(&Contract {
//!     name: "CTETRA 4",
//!     positions: vec![...],
//!     build: &|placement| {
//!         let mut mesh = placement.mesh();
//!         ... push material, property, element with nodes placement.nodes[i] and vectors placement.turn(v) ...
//!         build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0)).unwrap()
//!     },
//!     zero_energy_modes: 6,
//!     mass: Some(MassFacts { mass, centre, inertia_about_centre }),
//! });
//! ```

use nalgebra::{DMatrix, Matrix3, Matrix6, Rotation3, Vector3};
use pliant_diag::Origin;
use pliant_mesh::{Component, Components, CoordIndex, GridId, LinkMesh, Node, NodeIndex, NodeKind};

use super::{DofAxes, Element, MassKind};

/// Where and how the contract wants the element built.
pub(crate) struct Placement {
    /// Position of each node, in the order of the element's card.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// Row in the mesh of each node, in the order of the element's card.
    pub(crate) nodes: Vec<NodeIndex>,
    /// Rotation that the positions have undergone.
    pub(crate) rotation: Matrix3<f64>,
}

impl Placement {
    /// A mesh with these grids in these rows, and nothing else.
    pub(crate) fn mesh(&self) -> LinkMesh {
        let rows = self.nodes.iter().map(|n| n.index() + 1).max().unwrap_or(0);
        let mut mesh = LinkMesh::default();
        for row in 0..rows {
            let position = self
                .nodes
                .iter()
                .position(|n| n.index() == row)
                .map_or(Vector3::repeat(1e3 + row as f64), |index| self.positions[index]);
            mesh.nodes.push(Node {
                id: GridId(row as u32 + 1),
                kind: NodeKind::Grid,
                position,
                displacement_frame: CoordIndex::BASIC,
                permanent_spc: Components::NONE,
                source: Origin::default(),
            });
        }
        mesh
    }

    /// A direction or axis of the unturned problem in the turned one.
    pub(crate) fn turn(&self, v: Vector3<f64>) -> Vector3<f64> {
        self.rotation * v
    }
}

/// What the mass matrices must give back.
pub(crate) struct MassFacts {
    /// Mass, for every [`MassKind`].
    pub(crate) mass: f64,
    /// Centre of mass, for [`MassKind::Consistent`].
    pub(crate) centre: Vector3<f64>,
    /// Inertia about that centre, for [`MassKind::Consistent`]; `None` when the element is known to differ
    /// from the solid body (say which in its file).
    pub(crate) inertia_about_centre: Option<Matrix3<f64>>,
}

/// An element under test.
pub(crate) struct Contract<'a> {
    /// For messages.
    pub(crate) name: &'a str,
    /// Node positions in the order of the card; choose a distorted, off-axis, off-origin shape.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// Builds it.
    pub(crate) build: &'a dyn Fn(&Placement) -> Box<dyn Element>,
    /// Zero eigenvalues of K: 6 for a properly constrained element with full coupling, more when some
    /// components have no stiffness (bending of a rod, drilling of a membrane).
    pub(crate) zero_energy_modes: usize,
    /// What M must give; `None` when it has no mass.
    pub(crate) mass: Option<MassFacts>,
}

/// Rigid-body vectors about the origin: row (node, component), columns three translations and three
/// rotations.
pub(crate) fn rigid_vectors(
    element: &dyn Element,
    position: impl Fn(NodeIndex) -> Vector3<f64>,
) -> DMatrix<f64> {
    assert_eq!(element.axes(), DofAxes::Basic, "rigid vectors are written for basic axes");
    let dofs = element.dofs();
    let mut R = DMatrix::zeros(dofs.len(), 6);
    for (row, dof) in dofs.iter().enumerate() {
        let component = dof.component.row();
        if component < 3 {
            R[(row, component)] = 1.0;
            // u = ω × x, so ∂u/∂ω = −[x]×.
            let cross = -position(dof.node).cross_matrix();
            for k in 0..3 {
                R[(row, 3 + k)] = cross[(component, k)];
            }
        } else {
            R[(row, component)] = 1.0;
        }
    }
    R
}

/// Runs every check. Panics with the name and the numbers of what does not hold.
pub(crate) fn check(contract: &Contract<'_>) {
    let name = contract.name;
    let count = contract.positions.len();
    let plain = Placement {
        positions: contract.positions.clone(),
        nodes: (0..count).map(NodeIndex::from).collect(),
        rotation: Matrix3::identity(),
    };
    let element = (contract.build)(&plain);
    let n = element.dofs().len();
    for (i, a) in element.dofs().iter().enumerate() {
        assert!(a.node.index() < count, "{name}: {a:?} is not one of its nodes");
        assert!(element.dofs()[..i].iter().all(|b| a != b), "{name}: {a:?} twice");
    }
    let R = rigid_vectors(element.as_ref(), |node| contract.positions[node.index()]);

    if let Some(K) = element.stiffness() {
        assert_eq!(K.shape(), (n, n), "{name}: shape of K");
        check_symmetric(name, "K", &K);
        // Rounding only: each entry of K·R is a sum of n products.
        let force = &K * &R;
        let scale = K.abs() * R.abs();
        for column in 0..6 {
            let limit = 1e-10 * scale.column(column).max();
            let worst = force.column(column).amax();
            assert!(worst <= limit, "{name}: rigid-body mode {} gives a force {worst:e}", column + 1);
        }
        let eigenvalues = scaled_eigenvalues(&K);
        let largest = eigenvalues.last().copied().unwrap_or(0.0);
        assert!(
            eigenvalues[0] >= -1e-10 * largest,
            "{name}: K has a negative eigenvalue {:e}",
            eigenvalues[0]
        );
        let zeros = eigenvalues.iter().filter(|e| **e < 1e-9 * largest).count();
        assert_eq!(zeros, contract.zero_energy_modes, "{name}: zero-energy modes, spectrum {eigenvalues:?}");
    }
    check_mass(contract, element.as_ref(), &R);
    check_geometric(contract, element.as_ref(), &R);
    check_rotated(contract, element.as_ref());
    check_renumbered(contract, element.as_ref());
}

fn check_symmetric(name: &str, letter: &str, A: &DMatrix<f64>) {
    let worst = (A - A.transpose()).amax();
    assert!(worst <= 1e-12 * A.amax(), "{name}: {letter} is not symmetric, {worst:e} of {:e}", A.amax());
}

/// Some displacement without any symmetry.
fn displaced(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, 1, |i, _| 1e-3 * ((i * i * 7 + i * 5) as f64 + 0.3).sin())
}

/// K_g is symmetric and feels no translation. Of solids, rods and beams a small rigid rotation ω turns the
/// forces of the stress: K_g R ω is ω × f on translations, and ω × m/2 on rotations because moments work on
/// rotation vectors. (That of shells knows membrane forces only.)
fn check_geometric(contract: &Contract<'_>, element: &dyn Element, R: &DMatrix<f64>) {
    let name = contract.name;
    let dofs = element.dofs();
    let u = displaced(dofs.len());
    let (Some(K_g), Some(K)) = (element.geometric_stiffness(&u), element.stiffness()) else { return };
    let K_g = &K_g[0];
    assert!(K_g.amax() > 0.0, "{name}: K_g is zero");
    check_symmetric(name, "K_g", K_g);
    let turned = K_g * R;
    let limit = 1e-10 * (K_g.abs() * R.abs()).max();
    assert!(turned.columns(0, 3).amax() <= limit, "{name}: a translation gives forces of K_g");
    let only_translations = dofs.iter().all(|d| d.component.row() < 3);
    let beam = dofs.len() == 12 && contract.zero_energy_modes == 6;
    if !(only_translations || beam) {
        return;
    }
    let f = K * u;
    for (first, dof) in dofs.iter().enumerate().step_by(3) {
        let share = if dof.component.row() < 3 { 1.0 } else { 0.5 };
        // ω × f = −[f]× ω.
        let expected = -f.fixed_view::<3, 1>(first, 0).into_owned().cross_matrix() * share;
        let error = (turned.fixed_view::<3, 3>(first, 3) - expected).amax();
        assert!(
            error <= limit,
            "{name}: K_g does not turn the forces at {dof:?}: {error:e}, limit {limit:e}"
        );
    }
}

/// Eigenvalues, ascending, of A scaled to a unit diagonal, so that translations and rotations compare.
fn scaled_eigenvalues(A: &DMatrix<f64>) -> Vec<f64> {
    let scale: Vec<f64> = A.diagonal().iter().map(|d| if *d > 0.0 { 1.0 / d.sqrt() } else { 1.0 }).collect();
    let scaled =
        DMatrix::from_fn(A.nrows(), A.ncols(), |i, j| 0.5 * (A[(i, j)] + A[(j, i)]) * scale[i] * scale[j]);
    let mut values: Vec<f64> = scaled.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

fn check_mass(contract: &Contract<'_>, element: &dyn Element, R: &DMatrix<f64>) {
    let name = contract.name;
    for kind in [MassKind::Lumped, MassKind::Coupled, MassKind::Consistent] {
        let Some(facts) = &contract.mass else {
            assert!(element.mass(kind).is_none_or(|M| M.amax() == 0.0), "{name}: {kind:?} mass unasked for");
            continue;
        };
        let M = element.mass(kind).unwrap_or_else(|| panic!("{name}: no {kind:?} mass"));
        check_symmetric(name, "M", &M);
        let rigid = R.transpose() * &M * R;
        for k in 0..3 {
            let error = (rigid[(k, k)] / facts.mass - 1.0).abs();
            assert!(
                error < 1e-10,
                "{name}: {kind:?} mass in direction {} is {}, not {}",
                k + 1,
                rigid[(k, k)],
                facts.mass
            );
        }
        if kind != MassKind::Consistent {
            continue;
        }
        let eigenvalues = scaled_eigenvalues(&M);
        assert!(eigenvalues[0] >= -1e-10, "{name}: M has a negative eigenvalue {:e}", eigenvalues[0]);
        let expected = rigid_inertia(facts);
        let size = contract.positions.iter().map(|p| p.norm()).fold(1e-300, f64::max);
        for i in 0..6 {
            for j in 0..6 {
                if i >= 3 && j >= 3 && facts.inertia_about_centre.is_none() {
                    continue;
                }
                let scale = facts.mass * size.powi((i >= 3) as i32 + (j >= 3) as i32);
                let error = (rigid[(i, j)] - expected[(i, j)]).abs() / scale;
                assert!(
                    error < 1e-10,
                    "{name}: rigid-body mass ({}, {}) is {:e}, not {:e}",
                    i + 1,
                    j + 1,
                    rigid[(i, j)],
                    expected[(i, j)]
                );
            }
        }
    }
}

/// 6×6 mass of the rigid body about the origin: [m 1, −m[c]×; m[c]×, J_c − m[c]×²].
fn rigid_inertia(facts: &MassFacts) -> Matrix6<f64> {
    let c = facts.centre.cross_matrix();
    let mut M = Matrix6::zeros();
    M.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * facts.mass));
    M.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-facts.mass * c));
    M.fixed_view_mut::<3, 3>(3, 0).copy_from(&(facts.mass * c));
    let inertia = facts.inertia_about_centre.unwrap_or_else(Matrix3::zeros) - facts.mass * c * c;
    M.fixed_view_mut::<3, 3>(3, 3).copy_from(&inertia);
    M
}

type Named = (&'static str, Option<DMatrix<f64>>);

fn matrices(element: &dyn Element) -> [Named; 5] {
    [
        ("K", element.stiffness()),
        ("lumped M", element.mass(MassKind::Lumped)),
        ("coupled M", element.mass(MassKind::Coupled)),
        ("consistent M", element.mass(MassKind::Consistent)),
        ("D", element.damping()),
    ]
}

/// A turned element has turned matrices: A' = Q A Qᵀ.
fn check_rotated(contract: &Contract<'_>, element: &dyn Element) {
    let rotation = Rotation3::from_euler_angles(0.37, -1.21, 2.43).into_inner();
    let placement = Placement {
        positions: contract.positions.iter().map(|p| rotation * p).collect(),
        nodes: (0..contract.positions.len()).map(NodeIndex::from).collect(),
        rotation,
    };
    let turned = (contract.build)(&placement);
    let dofs = element.dofs();
    assert_eq!(turned.dofs(), dofs, "{}: dofs change with rotation", contract.name);
    let triple = |c: Component| c.row() / 3;
    let Q = DMatrix::from_fn(dofs.len(), dofs.len(), |i, j| {
        let (a, b) = (dofs[i], dofs[j]);
        if a.node == b.node && triple(a.component) == triple(b.component) {
            rotation[(a.component.row() % 3, b.component.row() % 3)]
        } else {
            0.0
        }
    });
    for ((what, before), (_, after)) in matrices(element).into_iter().zip(matrices(turned.as_ref())) {
        let (Some(before), Some(after)) = (before, after) else { continue };
        let expected = &Q * before * Q.transpose();
        let error = (&after - &expected).amax();
        assert!(
            error <= 1e-9 * expected.amax(),
            "{}: {what} is not frame indifferent, off by {error:e} of {:e}",
            contract.name,
            expected.amax()
        );
    }
    let u = displaced(dofs.len());
    let states = (element.geometric_stiffness(&u), turned.geometric_stiffness(&(&Q * &u)));
    if let (Some(before), Some(after)) = states {
        let expected = &Q * &before[0] * Q.transpose();
        let error = (&after[0] - &expected).amax();
        assert!(
            error <= 1e-9 * expected.amax(),
            "{}: K_g is not frame indifferent: {error:e}",
            contract.name
        );
    }
}

/// The rows of the mesh that the nodes sit in do not matter.
fn check_renumbered(contract: &Contract<'_>, element: &dyn Element) {
    let count = contract.positions.len();
    // A full-cycle shuffle with a spare row.
    let nodes: Vec<NodeIndex> = (0..count).map(|i| NodeIndex::from((i * 7 + 3) % (7 * count + 1))).collect();
    let placement = Placement {
        positions: contract.positions.clone(),
        nodes: nodes.clone(),
        rotation: Matrix3::identity(),
    };
    let renumbered = (contract.build)(&placement);
    let index = |i: usize| {
        let dof = renumbered.dofs()[i];
        let node = nodes.iter().position(|n| *n == dof.node).expect("a dof of one of its nodes");
        let wanted = NodeIndex::from(node);
        element
            .dofs()
            .iter()
            .position(|d| d.node == wanted && d.component == dof.component)
            .unwrap_or_else(|| panic!("{}: dofs change with numbering", contract.name))
    };
    let map: Vec<usize> = (0..renumbered.dofs().len()).map(index).collect();
    assert_eq!(map.len(), element.dofs().len(), "{}: dofs change with numbering", contract.name);
    for ((what, before), (_, after)) in matrices(element).into_iter().zip(matrices(renumbered.as_ref())) {
        let (Some(before), Some(after)) = (before, after) else { continue };
        let expected = DMatrix::from_fn(map.len(), map.len(), |i, j| before[(map[i], map[j])]);
        let error = (&after - &expected).amax();
        assert!(error <= 1e-12 * expected.amax(), "{}: {what} depends on node numbers", contract.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementDof;

    /// A truss of unit axial stiffness with an optional fault.
    struct Truss {
        dofs: Vec<ElementDof>,
        axis: Vector3<f64>,
        fault: f64,
    }

    impl Element for Truss {
        fn dofs(&self) -> &[ElementDof] {
            &self.dofs
        }
        fn stiffness(&self) -> Option<DMatrix<f64>> {
            let block = self.axis * self.axis.transpose();
            let mut K = DMatrix::zeros(6, 6);
            for (i, j, sign) in [(0, 0, 1.0 + self.fault), (0, 3, -1.0), (3, 0, -1.0), (3, 3, 1.0)] {
                K.view_mut((i, j), (3, 3)).copy_from(&(sign * block));
            }
            Some(K)
        }
        fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
            None
        }
    }

    fn truss(fault: f64) {
        let build = |placement: &Placement| -> Box<dyn Element> {
            let dofs = placement
                .nodes
                .iter()
                .flat_map(|n| (0..3).map(|c| ElementDof { node: *n, component: Component::from_row(c) }))
                .collect();
            let mesh = placement.mesh();
            let [a, b] = [0, 1].map(|i| mesh.node(placement.nodes[i]).position);
            assert_eq!(b, placement.turn(Vector3::new(2.0, 1.7, 0.4)), "positions turn with the placement");
            let axis = (b - a).normalize();
            Box::new(Truss { dofs, axis, fault })
        };
        check(&Contract {
            name: "truss",
            positions: vec![Vector3::new(1.0, 0.5, -0.3), Vector3::new(2.0, 1.7, 0.4)],
            build: &build,
            zero_energy_modes: 5,
            mass: None,
        });
    }

    #[test]
    fn a_truss_keeps_the_contract() {
        truss(0.0);
    }

    #[test]
    #[should_panic(expected = "rigid-body mode")]
    fn a_grounded_truss_does_not() {
        truss(1e-6);
    }
}
