//! Closed forms of small constraint systems.

use nalgebra::Vector3;
use nalgebra_sparse::{CooMatrix, CscMatrix};
use pliant_mesh::{
    ElementId, GridId, Mpc, MpcTerm, Node, NodeKind, Parameter, Rigid, RigidKind, Spc, WeightGroup,
};

use super::*;
use pliant_mesh::{Component, CoordIndex};

fn mesh(positions: &[[f64; 3]]) -> LinkMesh {
    let mut mesh = LinkMesh::default();
    for (i, p) in positions.iter().enumerate() {
        mesh.nodes.push(Node {
            id: GridId(i as u32 + 1),
            kind: NodeKind::Grid,
            position: Vector3::from(*p),
            displacement_frame: CoordIndex::BASIC,
            permanent_spc: Components::NONE,
            source: Origin::default(),
        });
    }
    let off = Parameter {
        name: "AUTOSPC".into(),
        value: ParameterValue::Text("NO".into()),
        source: Origin::default(),
    };
    mesh.parameters.insert("AUTOSPC".into(), off);
    mesh
}

fn rigid(id: u32, kind: RigidKind) -> Rigid {
    Rigid { id: ElementId(id), kind, source: Origin::default() }
}

fn rbe2(id: u32, independent: u32, dependents: &[u32]) -> Rigid {
    let dependents = dependents.iter().map(|n| NodeIndex(*n)).collect();
    rigid(
        id,
        RigidKind::Rbe2 { independent: NodeIndex(independent), components: Components::ALL, dependents },
    )
}

fn run(mesh: &LinkMesh, options: &ConstraintOptions) -> Result<Constraints, Vec<String>> {
    let dofs = DofMap::new(mesh);
    let K = CscMatrix::from(&CooMatrix::new(dofs.count(), dofs.count()));
    // Nothing is stiff here: mass keeps components from being held as those that nothing acts on.
    let options = ConstraintOptions { heavy: vec![true; dofs.count()], ..options.clone() };
    constrain(mesh, &dofs, &K, &options)
        .map(|w| w.output)
        .map_err(|d| d.iter().map(|d| d.headline()).collect())
}

/// A rotation by ω about z of the independent grid moves a grid at lever arm x by ω·x along y; the second
/// RBE2 of the chain hangs on the first.
#[test]
fn a_chain_of_rbe2_moves_as_one_body() {
    let mut mesh = mesh(&[[0., 0., 0.], [2., 0., 0.], [2., 3., 0.]]);
    mesh.rigids = vec![rbe2(10, 1, &[2]), rbe2(11, 0, &[1])];
    let c = run(&mesh, &ConstraintOptions::default()).unwrap();
    assert_eq!(c.free, (0..6).collect::<Vec<_>>());
    let u = c.expand(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.01], &[]);
    // u = t + ω × x, exact in floating point for these numbers up to rounding.
    let expected = [[0.1, 0.02, 0.0], [0.1 - 0.03, 0.02, 0.0]];
    for (node, e) in expected.iter().enumerate() {
        for k in 0..3 {
            assert!((u[6 * (node + 1) + k] - e[k]).abs() < 1e-15, "{u:?}");
        }
        assert!((u[6 * (node + 1) + 5] - 0.01).abs() < 1e-15);
    }
}

/// Three equal weights on a triangle: the reference at its centroid moves by the mean, and a force at the
/// reference is shared equally. Opposite motions of two grids turn it by the angle of the line between them.
#[test]
fn rbe3_is_the_weighted_mean() {
    let mut mesh = mesh(&[[0., 0., 0.], [1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.]]);
    let groups = vec![WeightGroup {
        weight: 2.0,
        components: Components::TRANSLATIONS,
        nodes: (1..5).map(NodeIndex).collect(),
    }];
    mesh.rigids = vec![rigid(
        7,
        RigidKind::Rbe3 {
            reference: NodeIndex(0),
            components: Components::ALL,
            groups: groups.clone(),
            dependents: vec![],
        },
    )];
    let c = run(&mesh, &ConstraintOptions::default()).unwrap();
    let mut f = vec![0.0; 30];
    f[1] = 1.0;
    let shared = c.reduce(&f);
    for node in 0..4 {
        assert!((shared[6 * node + 1] - 0.25).abs() < 1e-15, "{shared:?}");
    }
    let mut u_f = vec![0.0; 24];
    (u_f[2], u_f[8]) = (0.3, -0.3);
    // Grids at x = ±1 up and down by 0.3: the plane tilts about −y; z of the other pair stays 0.
    assert!((c.expand(&u_f, &[])[4] + 0.3).abs() < 1e-15);

    // The same line of grids does not determine the rotation about itself.
    let line = WeightGroup { nodes: vec![NodeIndex(1), NodeIndex(2)], ..groups[0].clone() };
    mesh.rigids[0].kind = RigidKind::Rbe3 {
        reference: NodeIndex(0),
        components: Components::ALL,
        groups: vec![line],
        dependents: vec![],
    };
    let problems = run(&mesh, &ConstraintOptions::default()).unwrap_err();
    assert!(problems[0].contains("RBE3 7") && problems[0].contains("component 4"), "{problems:?}");
}

#[test]
fn rrod_and_rbar_keep_lengths() {
    let mut mesh = mesh(&[[0., 0., 0.], [3., 4., 0.]]);
    let one = Components::one(Component::from_row(0));
    mesh.rigids = vec![rigid(
        1,
        RigidKind::Rrod { nodes: [NodeIndex(0), NodeIndex(1)], dependents: [Components::NONE, one] },
    )];
    let c = run(&mesh, &ConstraintOptions::default()).unwrap();
    // Grid 2 moves 0.3 along y: 0.6 u_x + 0.8 · 0.3 = 0, so u_x = −0.4.
    let mut u_f = vec![0.0; 11];
    u_f[6] = 0.3;
    assert!((c.expand(&u_f, &[])[6] + 0.4).abs() < 1e-15);

    // 1234 of A and 23 of B define the body; 123 of both leave its turn about the line of the grids open.
    let of = |digits: &str| -> Components {
        digits.chars().filter_map(|d| Component::from_digit(d.to_digit(10)?)).collect()
    };
    mesh.nodes[1].position = Vector3::new(2., 0., 0.);
    let rbar = |a: &str, b: &str| RigidKind::Rbar {
        nodes: [NodeIndex(0), NodeIndex(1)],
        independents: [of(a), of(b)],
        dependents: [Components::NONE; 2],
    };
    mesh.rigids = vec![rigid(2, rbar("1234", "23"))];
    let c = run(&mesh, &ConstraintOptions::default()).unwrap();
    let mut u_f = vec![0.0; 6];
    u_f[4] = 0.1;
    // B up by 0.1 at x = 2: rotation about z by 0.05.
    assert!((c.expand(&u_f, &[])[5] - 0.05).abs() < 1e-15);
    mesh.rigids = vec![rigid(2, rbar("123", "123"))];
    assert!(run(&mesh, &ConstraintOptions::default()).unwrap_err()[0].contains("rigid body"));
}

#[test]
fn conflicts_name_both_cards() {
    let mut mesh = mesh(&[[0., 0., 0.], [1., 0., 0.], [2., 0., 0.]]);
    mesh.rigids = vec![rbe2(10, 0, &[1]), rbe2(11, 2, &[1])];
    let problems = run(&mesh, &ConstraintOptions::default()).unwrap_err();
    assert_eq!(problems.len(), 6);
    assert_eq!(problems[0], "RBE2 11: grid 2, component 1 is already dependent by RBE2 10");

    mesh.rigids = vec![rbe2(10, 0, &[1])];
    mesh.spcs = vec![Spc {
        set: SetId(5),
        node: NodeIndex(1),
        components: Components::one(Component::from_row(2)),
        value: 0.0,
        source: Origin::default(),
    }];
    let options = ConstraintOptions { spc: Some(SetId(5)), ..Default::default() };
    let problems = run(&mesh, &options).unwrap_err();
    assert_eq!(
        problems,
        ["RBE2 10: grid 2, component 3 is dependent by this card and fixed by SPC of set 5"]
    );

    mesh.rigids = vec![rbe2(10, 0, &[1]), rbe2(11, 1, &[0])];
    let problems = run(&mesh, &ConstraintOptions::default()).unwrap_err();
    assert!(problems[0].contains("cycle") && problems[0].contains("RBE2 11"), "{problems:?}");
}

/// Two spiders from one centre that share a grid say the same thing twice; a shared grid of two centres does
/// not.
#[test]
fn what_two_spiders_say_alike_is_counted_once() {
    let mut mesh = mesh(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]);
    mesh.rigids = vec![rbe2(10, 0, &[1, 2]), rbe2(11, 0, &[2, 3])];
    let dofs = DofMap::new(&mesh);
    let mut diagnostics = Diagnostics::new();
    let equations = dependencies(&mesh, &dofs, &ConstraintOptions::default(), &mut diagnostics);
    assert_eq!(equations.len(), 18, "three grids follow");
    let reported: Vec<String> = diagnostics.iter().map(|d| d.headline()).collect();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("RBE2 10 moves grids 3 in the same way"), "{reported:?}");
    assert!(!diagnostics.has_errors());
}

/// u₂ = 2 u₁ with u₁ enforced to 0.5 makes u₂ = 1; the force of the constraint on u₁ includes what u₂ passes
/// on.
#[test]
fn enforced_values_pass_through_mpc() {
    let mut mesh = mesh(&[[0., 0., 0.], [1., 0., 0.]]);
    let term = |node: u32, coefficient: f64| MpcTerm {
        node: NodeIndex(node),
        component: Component::from_row(0),
        coefficient,
    };
    mesh.mpcs =
        vec![Mpc { set: SetId(3), terms: vec![term(1, 1.0), term(0, -2.0)], source: Origin::default() }];
    mesh.spcs = vec![Spc {
        set: SetId(5),
        node: NodeIndex(0),
        components: Components::one(Component::from_row(0)),
        value: 0.5,
        source: Origin::default(),
    }];
    let options =
        ConstraintOptions { spc: Some(SetId(5)), mpc: Some(SetId(3)), ..ConstraintOptions::default() };
    let c = run(&mesh, &options).unwrap();
    assert_eq!(c.enforced, [0.5]);
    let u = c.expand(&vec![0.0; c.free.len()], &c.enforced);
    assert_eq!((u[0], u[6]), (0.5, 1.0));
    let mut f = vec![0.0; 12];
    f[6] = 1.0;
    assert_eq!(c.reduce_to_fixed(&f), [2.0]);
    let missing = ConstraintOptions { mpc: Some(SetId(99)), ..ConstraintOptions::default() };
    // Nastran takes a set without cards: it ties nothing.
    assert_eq!(
        run(&mesh, &missing).unwrap().free.len(),
        run(&mesh, &ConstraintOptions::default()).unwrap().free.len()
    );
}

/// A diagonal stiffness with gaps: AUTOSPC fixes exactly the gaps, also an oblique one.
#[test]
fn autospc_fixes_what_has_no_stiffness() {
    let mut mesh = mesh(&[[0., 0., 0.], [1., 0., 0.]]);
    mesh.parameters.clear();
    let dofs = DofMap::new(&mesh);
    let mut K = CooMatrix::new(12, 12);
    for (row, value) in [(0, 10.0), (1, 1e-3), (2, 5.0), (3, 2.0), (5, 1.0)] {
        K.push(row, row, value);
    }
    // Grid 2: a rod along (3, 4, 0)/5; nothing else.
    for (i, j, v) in [(0, 0, 9.0), (1, 0, 12.0), (1, 1, 16.0)] {
        K.push(6 + i, 6 + j, v);
    }
    let found = constrain(&mesh, &dofs, &CscMatrix::from(&K), &ConstraintOptions::default()).unwrap();
    let list: Vec<String> = found.output.autospc.iter().map(|(_, c)| c.to_string()).collect();
    assert_eq!(list, ["5", "13456"]);
    assert_eq!(found.output.free, [0, 1, 2, 3, 5, 7]);
    assert_eq!(found.diagnostics.len(), 1, "it is listed");
    // Nothing moves across the rod: u_x = ¾ u_y, u_z = 0.
    let moved = found.output.expand(&[0.0, 0.0, 0.0, 0.0, 0.0, 4.0], &[0.0; 6]);
    assert!((moved[6] - 3.0).abs() < 1e-12 && moved[7] == 4.0 && moved[8] == 0.0, "{moved:?}");
}
