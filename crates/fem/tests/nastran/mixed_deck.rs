//! NX's mixed deck, whose rotations are 2.1 and 2.7 % from ours: a CHEXA, two CPENTA and two CTETRA stand on
//! a box of CQUAD4 and CTRIA3, that on a thicker box and on bars. Which elements the difference comes from,
//! and who is nearer to the refined problem.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_fem::{AssemblyOptions, System, assemble, statics};
use pliant_mesh::element::{MaterialDirection, Shell, ShellShape, Solid, SolidShape};
use pliant_mesh::{
    Component, Components, ElementId, GridId, LinkMesh, Mpc, MpcTerm, Node, NodeIndex, NodeKind,
    PropertyIndex, SetId, Spc,
};

use crate::reference::{mesh, runs};
use crate::statics::reference;

/// Displacements by grid.
type Motion = BTreeMap<u32, [f64; 6]>;

/// The deck with this ending and NX's answer, or `None` with a visible line.
fn deck(ending: &str) -> Option<(LinkMesh, Motion)> {
    let runs = runs()?;
    let run = runs.iter().find(|r| r.name.ends_with(ending)).expect("it is among the runs");
    Some((mesh(&run.deck).unwrap(), reference(run)[&1].clone()))
}

/// Where NX's displacements are not in balance with our elements: K u − f is below 17.5 at every grid but
/// those of the two CPENTA, and there 350 to 370, of a load of 10000. What is left beside them is the CHEXA.
#[test]
fn wedges_take_nx_out_of_balance() {
    let Some((mesh, nx)) = deck("/static_solid_shell_bar.bdf") else { return };
    let System { dofs, K: stiffness, .. } =
        assemble(&mesh, AssemblyOptions::of_deck(&mesh)).expect("the deck assembles");
    let mut u = vec![0.0; dofs.count()];
    for (grid, values) in &nx {
        u[dofs.rows_of(node(&mesh, *grid))].copy_from_slice(values);
    }
    let mut force = vec![0.0; dofs.count()];
    for (i, j, value) in stiffness.triplet_iter() {
        force[i] += value * u[j];
        if i != j {
            force[j] += value * u[i];
        }
    }
    force[dofs.rows_of(node(&mesh, 13)).start + 2] -= 10000.0;
    let out_of_balance = |grids: std::ops::RangeInclusive<u32>| {
        let rows = grids.flat_map(|g| dofs.rows_of(node(&mesh, g)).take(3));
        rows.map(|row| force[row].abs()).fold(0.0, f64::max)
    };
    let (wedges, others) = (out_of_balance(5..=12), out_of_balance(1..=4).max(out_of_balance(13..=21)));
    println!("out of balance: {wedges:.1} at the wedges, {others:.1} elsewhere");
    assert!(others < 17.5 && wedges > 350.0, "{wedges} {others}");
}

/// Grids 1 to 13 of the refined problem by OpenSees 3.7.1, 20-node bricks and ASDShellQ4:
/// `tests/peers/opensees_mixed.py` prints them.
const OPENSEES: [(u32, [f64; 6]); 13] = [
    (1, [-1.105e-03, 9.361e-05, 7.884e-04, -3.079e-05, -4.579e-04, -7.416e-08]),
    (2, [-1.217e-03, 9.342e-05, 1.254e-03, -2.998e-05, -4.726e-04, 8.335e-07]),
    (3, [-1.218e-03, -1.853e-05, 1.232e-03, -1.317e-05, -4.744e-04, 2.842e-07]),
    (4, [-1.106e-03, -1.819e-05, 7.658e-04, -1.461e-05, -4.584e-04, 1.654e-07]),
    (5, [-1.684e-03, 3.121e-06, 1.573e-03, 0.0, 0.0, 0.0]),
    (6, [-1.574e-03, 5.860e-06, 1.117e-03, 0.0, 0.0, 0.0]),
    (7, [-1.570e-03, 1.162e-04, 1.130e-03, 0.0, 0.0, 0.0]),
    (8, [-1.681e-03, 1.135e-04, 1.605e-03, 0.0, 0.0, 0.0]),
    (9, [-2.208e-03, -3.280e-05, 1.767e-03, 0.0, 0.0, 0.0]),
    (10, [-1.950e-03, -6.138e-05, 1.572e-03, 0.0, 0.0, 0.0]),
    (11, [-2.236e-03, 2.249e-04, 2.060e-03, 0.0, 0.0, 0.0]),
    (12, [-1.978e-03, 1.963e-04, 1.323e-03, 0.0, 0.0, 0.0]),
    (13, [-2.559e-03, 1.038e-04, 2.781e-03, 0.0, 0.0, 0.0]),
];

/// The part above grids 14 to 17, which are moved as NX says: below them its answer and ours agree to 0.2 %.
/// Refined, both programs have the same answer, and at each grid our rotation is nearer to it than NX's;
/// about z, where NX and we differ most, three times as near. (In translations NX is up to 3.2 % off and we
/// are up to 2.7 %.)
#[test]
fn refined_rotations_are_nearer_to_ours_than_to_nx() {
    let Some((mut mesh, nx)) = deck("/static_solid_shell_bar.bdf") else { return };
    move_base(&mut mesh, &nx);
    let [ours, block, walls, coarse, fine] =
        [[0, 0], [4, 0], [0, 8], [2, 4], [4, 8]].map(|cells| answer(&refined(&mesh, cells)));
    let peer = Motion::from(OPENSEES);
    let off = |a: &Motion, grid: u32, k: usize| (a[&grid][k] - fine[&grid][k]) / largest(&nx, k / 3);
    println!(
        "\nMixed deck, off from the refined mesh in % of the largest translation or rotation of all grids"
    );
    for (name, motion) in [
        ("NX", &nx),
        ("ours", &ours),
        ("only the block refined", &block),
        ("only the walls refined", &walls),
        ("half as fine", &coarse),
        ("refined", &fine),
        ("OpenSees, refined", &peer),
    ] {
        let about_z = FOOT.map(|grid| format!("{:6.2}", 1e6 * motion[&grid][5]));
        println!("{name}; grids 1 to 4 turn about z by {} millionths", about_z.concat());
        for grid in 1..=13 {
            let line: Vec<_> = (0..6).map(|k| format!("{:8.2}", 100.0 * off(motion, grid, k))).collect();
            println!("{grid:4} {}", line.concat());
        }
    }
    let worst = |motion: &Motion, components: std::ops::Range<usize>| {
        let all = components.flat_map(|k| (1..=13).map(move |grid| (grid, k)));
        all.map(|(grid, k)| off(motion, grid, k).abs()).fold(0.0, f64::max)
    };
    // Rotations have converged, with 4 × 4 CQUAD8 in a wall to 0.03 %. A corner of the upper face is where
    // bricks of a free side meet the stiff tetrahedra: half as many are 1 % off there.
    assert!(worst(&coarse, 3..6) < 4e-4 && worst(&coarse, 0..3) < 0.01);
    // OpenSees' walls have 16 × 16 elements of four nodes, and its G of them is 0.14 % smaller.
    assert!(worst(&peer, 0..6) < 6e-4);
    assert!(worst(&ours, 0..3) < 0.028 && worst(&nx, 0..3) > 0.032);
    for grid in FOOT {
        let about_z = [&nx, &ours].map(|motion| off(motion, grid, 5).abs());
        assert!(about_z[1] < about_z[0] / 1.5, "grid {grid}: NX, ours {about_z:?}");
    }
}

/// Both decks, complete, each in its own axes: wherever a rotation of ours is out of the tolerance of 2 %
/// of the largest, NX's is further from the refined one, and so is its rotation as a vector at every grid.
#[test]
fn rotations_out_of_tolerance_are_nearer_to_refined_ones() {
    for (ending, known) in [("/static_solid_shell_bar.bdf", false), ("/static_solid_shell_bar_xyz.bdf", true)]
    {
        let Some((mesh, nx)) = deck(ending) else { return };
        let [ours, fine] = [[0, 0], [4, 8]].map(|cells| answer(&refined(&mesh, cells)));
        let mut out = 0;
        for grid in FOOT {
            let gap = |a: &Motion, b: &Motion| {
                Vector3::from_fn(|k, _| 100.0 * (a[&grid][3 + k] - b[&grid][3 + k]) / largest(&nx, 1))
            };
            let (between, theirs, own) = (gap(&ours, &nx), gap(&nx, &fine), gap(&ours, &fine));
            assert!(own.norm() < theirs.norm(), "grid {grid}: ours {own}, NX {theirs}");
            for k in (0..3).filter(|k| between[*k].abs() > 2.0) {
                println!(
                    "{ending} grid {grid} component {}: {:.2} % from NX; from the refined {:.2}, NX {:.2}",
                    k + 4,
                    between[k],
                    own[k],
                    theirs[k]
                );
                assert!(own[k].abs() < theirs[k].abs());
                out += 1;
            }
        }
        assert_eq!(out > 0, known, "{ending}: {out} out of tolerance");
    }
}

/// The largest translation (0) or rotation (1).
fn largest(motion: &Motion, kind: usize) -> f64 {
    motion.values().flat_map(|v| &v[3 * kind..3 * kind + 3]).map(|v| v.abs()).fold(0.0, f64::max)
}

/// Grids 14 to 17 move as NX says.
fn move_base(mesh: &mut LinkMesh, nx: &Motion) {
    let set = mesh.spcs[0].set;
    for grid in BASE {
        let node = node(mesh, grid);
        mesh.spcs.extend(nx[&grid].iter().enumerate().map(|(k, value)| Spc {
            set,
            node,
            components: Components::one(Component::from_row(k)),
            value: *value,
            source: Origin::default(),
        }));
    }
}

/// Grids below, in the order of [`bilinear`]: of the block and the thin walls, of the block's upper face and
/// of the walls' lower edges.
const FOOT: [u32; 4] = [1, 2, 3, 4];
const HEAD: [u32; 4] = [12, 11, 9, 10];
const BASE: [u32; 4] = [14, 17, 16, 15];
const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

fn bilinear([x, y]: [f64; 2]) -> [f64; 4] {
    [(1.0 - x) * (1.0 - y), x * (1.0 - y), x * y, (1.0 - x) * y]
}

/// The faces of the two CTETRA, cut from grid 10 to 11.
fn two_triangles([x, y]: [f64; 2]) -> [f64; 4] {
    if x + y <= 1.0 { [1.0 - x - y, x, 0.0, y] } else { [0.0, 1.0 - y, x + y - 1.0, 1.0 - x] }
}

/// The deck with CHEXA and CPENTA as one block of CHEXA 20, and with the thin walls as CQUAD8, so many along
/// a side each; none leaves the deck's elements. What joins them to the rest stays: the block's lower face is
/// that of a CHEXA, its upper one those of the CTETRA, the walls' upper edges are straight between the grids
/// of the CHEXA, their lower ones move linearly between the grids of the thick walls.
fn refined(deck: &LinkMesh, [block, walls]: [usize; 2]) -> LinkMesh {
    let mut lattice = Lattice::new(deck);
    if block > 0 {
        let property = lattice.mesh.solids[0].property;
        lattice.mesh.solids.retain(|s| s.shape == SolidShape::Tetra4);
        for [i, j, k] in cells([block, block, 2 * block]) {
            let first = Vector3::new(i as f64, j as f64, k as f64);
            let corners = [0.0, 1.0].map(|z| SQUARE.map(|[x, y]| first + Vector3::new(x, y, z)));
            lattice.solid(property, &corners.concat().iter().map(|c| c / block as f64).collect::<Vec<_>>());
        }
    }
    if walls > 0 {
        let property = lattice.mesh.shells[0].property;
        lattice.mesh.shells.retain(|s| s.property != property);
        for [wall, i, k] in cells([4, walls, walls]) {
            let [from, to] = [wall, wall + 1].map(|c| SQUARE[c % 4]).map(|[x, y]| Vector3::new(x, y, -1.0));
            let position = |[along, up]: [f64; 2]| {
                ((to - from) * (i as f64 + along) + Vector3::z() * (k as f64 + up)) / walls as f64 + from
            };
            lattice.shell(property, &SQUARE.map(position));
        }
    }
    let mut mesh = lattice.mesh;
    for row in deck.nodes.len()..mesh.nodes.len() {
        let (new, [x, y, z]) = (NodeIndex::from(row), mesh.nodes[row].position.into());
        if z == 0.0 {
            tie(&mut mesh, new, Components::TRANSLATIONS, FOOT, bilinear([x, y]));
        } else if z == 2.0 {
            tie(&mut mesh, new, Components::TRANSLATIONS, HEAD, two_triangles([x, y]));
        } else if z == -1.0 {
            tie(&mut mesh, new, Components::ALL, BASE, bilinear([x, y]));
        }
    }
    mesh
}

fn cells([a, b, c]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])))
}

/// A mesh whose nodes are found by their position, and created where they are missing.
struct Lattice {
    mesh: LinkMesh,
    nodes: BTreeMap<[i64; 3], NodeIndex>,
}

fn key(position: Vector3<f64>) -> [i64; 3] {
    std::array::from_fn(|k| (position[k] * 1e6).round() as i64)
}

impl Lattice {
    /// The deck's own nodes; AUTOSPC holds the rotations of new ones in solids.
    fn new(deck: &LinkMesh) -> Self {
        let mut mesh = deck.clone();
        mesh.parameters.remove("AUTOSPC");
        let nodes = deck.nodes.iter().enumerate().map(|(row, n)| (key(n.position), NodeIndex::from(row)));
        Self { nodes: nodes.collect(), mesh }
    }

    fn node(&mut self, position: Vector3<f64>) -> NodeIndex {
        *self.nodes.entry(key(position)).or_insert_with(|| {
            let row = self.mesh.nodes.len();
            self.mesh.nodes.push(Node {
                id: GridId(1000 + row as u32),
                kind: NodeKind::Grid,
                position,
                displacement_frame: self.mesh.nodes[0].displacement_frame,
                permanent_spc: Components::NONE,
                source: Origin::default(),
            });
            NodeIndex::from(row)
        })
    }

    /// Corners, then the middles of the edges.
    fn quadratic(&mut self, corners: &[Vector3<f64>], edges: &[[usize; 2]]) -> Vec<NodeIndex> {
        let middles = edges.iter().map(|[a, b]| (corners[*a] + corners[*b]) * 0.5);
        corners.iter().copied().chain(middles).map(|position| self.node(position)).collect()
    }

    fn solid(&mut self, property: PropertyIndex, corners: &[Vector3<f64>]) {
        let nodes = self.quadratic(corners, SolidShape::Hexa20.edges());
        self.mesh.solids.push(Solid {
            id: ElementId(1000 + self.mesh.solids.len() as u32),
            shape: SolidShape::Hexa20,
            property,
            first_node: self.mesh.solid_nodes.len() as u32,
            source: Origin::default(),
        });
        self.mesh.solid_nodes.extend(nodes);
    }

    fn shell(&mut self, property: PropertyIndex, corners: &[Vector3<f64>]) {
        let nodes = self.quadratic(corners, &[[0, 1], [1, 2], [2, 3], [3, 0]]);
        self.mesh.shells.push(Shell {
            id: ElementId(100_000 + self.mesh.shells.len() as u32),
            shape: ShellShape::Quad8,
            property,
            first_node: self.mesh.shell_nodes.len() as u32,
            material_direction: MaterialDirection::Angle(0.0),
            offset: None,
            corner_thickness: [None; 4],
            source: Origin::default(),
        });
        self.mesh.shell_nodes.extend(nodes);
    }
}

/// Components of a node are shares of those of four grids.
fn tie(mesh: &mut LinkMesh, dependent: NodeIndex, components: Components, grids: [u32; 4], shares: [f64; 4]) {
    for component in components.iter() {
        let term = |node, coefficient| MpcTerm { node, component, coefficient };
        let masters = grids.iter().zip(shares).filter(|(_, share)| *share != 0.0);
        let masters = masters.map(|(grid, share)| term(node(mesh, *grid), share));
        let terms = std::iter::once(term(dependent, -1.0)).chain(masters).collect();
        mesh.case_control.subcases[0].mpc = Some(SetId(1));
        mesh.mpcs.push(Mpc { set: SetId(1), terms, source: Origin::default() });
    }
}

fn node(mesh: &LinkMesh, grid: u32) -> NodeIndex {
    mesh.node_by_id(GridId(grid)).expect("the deck has the grid")
}

/// Displacements of grids 1 to 13.
fn answer(mesh: &LinkMesh) -> Motion {
    let answer = statics(mesh).expect("the deck runs").output;
    let of = |grid| {
        let rows = answer.dofs.rows_of(node(mesh, grid));
        (grid, std::array::from_fn(|k| answer.subcases[0].u[rows.start + k]))
    };
    (1..=13).map(of).collect()
}
