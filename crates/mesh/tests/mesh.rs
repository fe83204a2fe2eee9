//! Components, units, shapes of elements, parts and pieces: what every stage takes for granted of a mesh.

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_mesh::element::{
    Bar, BarKind, BarOrientation, ElementRef, ScalarConnection, ScalarSpring, ScalarValue,
};
use pliant_mesh::element::{Solid, SolidShape};
use pliant_mesh::{
    Component, Components, CoordIndex, CoordinateKind, CoordinateSystem, ElementId, GridId, LinkMesh, Mpc,
    MpcTerm, Node, NodeIndex, NodeKind, Parameter, ParameterValue, PropertyIndex, Rigid, RigidKind, SetId,
    Spc, Subcase, Units,
};

fn node(id: u32, x: f64) -> Node {
    Node {
        id: GridId(id),
        kind: NodeKind::Grid,
        position: Vector3::new(x, 0.0, 0.0),
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    }
}

fn bar(id: u32, nodes: [u32; 2], orientation: BarOrientation) -> Bar {
    Bar {
        id: ElementId(id),
        kind: BarKind::Bar,
        property: PropertyIndex(0),
        nodes: nodes.map(NodeIndex),
        orientation,
        pins: [Components::NONE; 2],
        offsets: [Vector3::zeros(); 2],
        warping_points: [None; 2],
        source: Origin::default(),
    }
}

/// Grids 10, 20, … 60 in a row, bars from each to the next; the last grid is only an orientation point.
fn row() -> LinkMesh {
    let up = || BarOrientation::Vector(Vector3::y());
    LinkMesh {
        nodes: (0..6).map(|k| node(10 * (k + 1), f64::from(k))).collect(),
        bars: vec![
            bar(1, [0, 1], up()),
            bar(2, [1, 2], BarOrientation::Node(NodeIndex(5))),
            bar(3, [3, 4], up()),
        ],
        ..LinkMesh::default()
    }
}

#[test]
fn components_are_sets_of_digits() {
    let digits =
        |digits: &[u32]| digits.iter().map(|d| Component::from_digit(*d).unwrap()).collect::<Components>();
    assert_eq!(digits(&[6, 1, 3, 1]).to_string(), "136");
    assert_eq!(digits(&[1, 2, 3]), Components::TRANSLATIONS);
    assert_eq!(Components::TRANSLATIONS.union(Components::ROTATIONS), Components::ALL);
    assert!(Components::TRANSLATIONS.intersection(Components::ROTATIONS).is_empty());
    assert_eq!(Components::ALL.without(digits(&[2, 5])).to_string(), "1346");
    assert_eq!((Components::ALL.len(), Components::NONE.len()), (6, 0));
    for row in 0..6 {
        let component = Component::from_row(row);
        assert_eq!((component.row(), component.digit() as usize), (row, row + 1));
        assert!(Components::one(component).contains(component) && Components::one(component).len() == 1);
    }
    assert_eq!([Component::from_digit(0), Component::from_digit(7)], [None, None]);
}

/// Derived factors are products of the three; the gravitational acceleration and the density of steel are
/// known in each system.
#[test]
fn units_are_coherent() {
    for units in [Units::SI, Units::MM_T_S, Units::IN_LBF_S, Units { length: 0.3, mass: 2.0, time: 0.5 }] {
        let Units { length, mass, time } = units;
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-14;
        assert!(near(units.force(), mass * length / time.powi(2)));
        assert!(near(units.stress() * length.powi(2), units.force()));
        assert!(near(units.inertia(), mass * length.powi(2)));
        assert!(near(units.density() * length.powi(3), mass));
    }
    // Steel: 7.85e-9 t/mm³; 7.345e-4 lbf·s²/in⁴ (0.2836 lb/in³ over 386.09 in/s²).
    assert!((Units::MM_T_S.density() * 7.85e-9 / 7850.0 - 1.0).abs() < 1e-12);
    assert!((Units::IN_LBF_S.density() * 7.345e-4 / 7850.0 - 1.0).abs() < 1e-3);
    assert_eq!(Units::named("mm-t-s"), Some(Units::MM_T_S));
    assert_eq!((Units::named("mm"), Units::default()), (None, Units::SI));
}

/// Euler's polyhedron formula V − E + F = 2, each edge in two faces, three or more edges at each corner;
/// mid-side nodes are one an edge.
#[test]
fn solids_are_closed_polyhedra() {
    use SolidShape::*;
    for (linear, quadratic) in [(Tetra4, Tetra10), (Pyramid5, Pyramid13), (Penta6, Penta15), (Hexa8, Hexa20)]
    {
        let (corners, edges, faces) = (linear.corner_count(), linear.edges(), linear.faces());
        assert_eq!(corners + faces.len(), edges.len() + 2, "{linear:?}");
        assert_eq!((linear.node_count(), quadratic.node_count()), (corners, corners + edges.len()));
        assert_eq!((quadratic.corner_count(), quadratic.edges()), (corners, edges));
        let sides = |face: &[usize]| {
            let n = face.len();
            (0..n)
                .map(|k| [face[k].min(face[(k + 1) % n]), face[k].max(face[(k + 1) % n])])
                .collect::<Vec<_>>()
        };
        for edge in edges {
            let sorted = [edge[0].min(edge[1]), edge[0].max(edge[1])];
            let in_faces = faces.iter().filter(|face| sides(face).contains(&sorted)).count();
            assert_eq!(in_faces, 2, "{linear:?} {edge:?}");
        }
        for corner in 0..corners {
            assert!(edges.iter().filter(|edge| edge.contains(&corner)).count() >= 3, "{linear:?} {corner}");
        }
        for [corner, others @ ..] in linear.corner_edges() {
            for other in others {
                let is_edge = edges.iter().any(|edge| edge.contains(corner) && edge.contains(other));
                assert!(is_edge, "{linear:?}: {corner} and {other}");
            }
        }
    }
}

/// At each corner of a good element the edges make a right-handed triad, as the doc comment of `corner_edges`
/// says.
#[test]
fn corners_of_solids_are_right_handed() {
    let points: [(SolidShape, &[[f64; 3]]); 4] = [
        (SolidShape::Tetra4, &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]),
        (SolidShape::Pyramid5, &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]]),
        (
            SolidShape::Penta6,
            &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]],
        ),
        (
            SolidShape::Hexa8,
            &[
                [0., 0., 0.],
                [1., 0., 0.],
                [1., 1., 0.],
                [0., 1., 0.],
                [0., 0., 1.],
                [1., 0., 1.],
                [1., 1., 1.],
                [0., 1., 1.],
            ],
        ),
    ];
    for (shape, points) in points {
        let at = |k: usize| Vector3::from(points[k]);
        for [corner, a, b, c] in shape.corner_edges() {
            let volume = (at(*a) - at(*corner)).cross(&(at(*b) - at(*corner))).dot(&(at(*c) - at(*corner)));
            assert!(volume > 0.0, "{shape:?}, corner {corner}: {volume}");
        }
    }
}

#[test]
fn nodes_are_found_by_their_numbers() {
    let mesh = row();
    for (k, node) in mesh.nodes.iter().enumerate() {
        assert_eq!(mesh.node_by_id(node.id), Some(NodeIndex::from(k)));
    }
    assert_eq!([5, 15, 70].map(|id| mesh.node_by_id(GridId(id))), [None; 3]);
    assert!(!NodeIndex::NONE.is_some() && NodeIndex(0).is_some());
}

/// A part keeps numbers, renumbers rows, turns orientation points that go into vectors, and drops what is
/// only partly there.
#[test]
fn a_part_is_a_mesh_of_its_own() {
    let mut mesh = row();
    let spc = |node| Spc {
        set: SetId(1),
        node,
        components: Components::ALL,
        value: 0.0,
        source: Origin::default(),
    };
    mesh.spcs = vec![spc(NodeIndex(0)), spc(NodeIndex(2))];
    let tie = |independent, dependent| Rigid {
        id: ElementId(100),
        kind: RigidKind::Rbe2 { independent, components: Components::ALL, dependents: vec![dependent] },
        source: Origin::default(),
    };
    mesh.rigids = vec![tie(NodeIndex(1), NodeIndex(2)), tie(NodeIndex(2), NodeIndex(3))];
    let kept = [false, true, true, false, false, false];
    let part = mesh.part(&kept, |element| element == ElementRef::Bar(1));
    assert_eq!(part.nodes.iter().map(|node| node.id.0).collect::<Vec<_>>(), [20, 30]);
    assert_eq!(
        (part.bars.len(), part.bars[0].id, part.bars[0].nodes),
        (1, ElementId(2), [NodeIndex(0), NodeIndex(1)])
    );
    // From grid 20 at x = 1 to grid 60 at x = 5.
    assert_eq!(part.bars[0].orientation, BarOrientation::Vector(Vector3::new(4.0, 0.0, 0.0)));
    assert_eq!(part.spcs.iter().map(|spc| spc.node).collect::<Vec<_>>(), [NodeIndex(1)]);
    assert_eq!(part.rigids.len(), 1, "the tie to a grid that goes is dropped");
    assert_eq!(part.rigids[0].kind.nodes(), [NodeIndex(0), NodeIndex(1)]);
    // All of it is the same mesh, but for the orientation, which is now a vector.
    let mut all = mesh.part(&[true; 6], |_| true);
    all.bars[1].orientation = BarOrientation::Node(NodeIndex(5));
    assert_eq!(all, mesh);
}

#[test]
fn left_out_mid_side_nodes_stay_left_out() {
    let mut mesh =
        LinkMesh { nodes: (0..6).map(|k| node(k + 1, f64::from(k))).collect(), ..LinkMesh::default() };
    let solid = |id, first_node| Solid {
        id: ElementId(id),
        shape: SolidShape::Tetra10,
        property: PropertyIndex(0),
        first_node,
        source: Origin::default(),
    };
    mesh.solids = vec![solid(1, 0), solid(2, 10)];
    let nodes = |corners: [u32; 4], middle: u32| {
        let mut nodes = vec![NodeIndex::NONE; 10];
        corners.iter().enumerate().for_each(|(k, corner)| nodes[k] = NodeIndex(*corner));
        nodes[7] = NodeIndex(middle);
        nodes
    };
    mesh.solid_nodes = [nodes([0, 1, 2, 3], 4), nodes([1, 2, 3, 4], 5)].concat();
    assert_eq!(mesh.element_nodes(ElementRef::Solid(1)).len(), 5);
    let part = mesh.part(&[false, true, true, true, true, true], |element| element == ElementRef::Solid(1));
    assert_eq!(part.nodes_of_solid(&part.solids[0]), nodes([0, 1, 2, 3], 4));
}

#[test]
fn pieces_are_what_hangs_together() {
    let mut mesh = row();
    let sizes = |mesh: &LinkMesh| mesh.pieces().iter().map(|piece| piece.node_count).collect::<Vec<_>>();
    // Grid 60 only orients a bar: it is no piece.
    assert_eq!(sizes(&mesh), [3, 2]);
    let pieces = mesh.pieces();
    assert_eq!((pieces[0].element_count, pieces[1].element_count), (2, 1));
    assert_eq!(pieces[1].first_element, Some(ElementRef::Bar(2)));
    assert!(pieces.iter().all(|piece| !piece.is_held));
    // A spring to ground holds its piece; an SPC only where a subcase selects its set.
    mesh.springs.push(ScalarSpring {
        id: ElementId(9),
        stiffness: ScalarValue::Own(1.0),
        structural_damping: 0.0,
        stress_coefficient: 0.0,
        ends: [ScalarConnection::Dof(NodeIndex(4), Component::from_row(0)), ScalarConnection::Ground],
        source: Origin::default(),
    });
    mesh.spcs.push(Spc {
        set: SetId(1),
        node: NodeIndex(0),
        components: Components::ALL,
        value: 0.0,
        source: Origin::default(),
    });
    assert_eq!(mesh.pieces().iter().map(|piece| piece.is_held).collect::<Vec<_>>(), [false, true]);
    mesh.case_control.subcases.push(Subcase { spc: Some(SetId(1)), ..Subcase::default() });
    assert!(mesh.pieces().iter().all(|piece| piece.is_held));
    // A constraint equation joins the two.
    let term = |node, coefficient| MpcTerm { node, component: Component::from_row(1), coefficient };
    let terms = vec![term(NodeIndex(2), 1.0), term(NodeIndex(3), -1.0)];
    mesh.mpcs.push(Mpc { set: SetId(2), terms, source: Origin::default() });
    assert_eq!(sizes(&mesh), [5]);
}

/// On the axis of a cylindrical or spherical system the azimuth is 0, and triads are rotations everywhere.
#[test]
fn triads_are_rotations_even_on_the_axis() {
    for kind in [CoordinateKind::Rectangular, CoordinateKind::Cylindrical, CoordinateKind::Spherical] {
        let system =
            CoordinateSystem { kind, origin: Vector3::new(1.0, 0.0, 0.0), ..CoordinateSystem::basic() };
        for position in [[1., 0., 0.], [1., 0., 2.], [1., 0., -2.], [1., 3., 0.], [-4., 2., 1.]] {
            let triad = system.triad_at(Vector3::from(position));
            assert!(
                (triad.tr_mul(&triad) - nalgebra::Matrix3::identity()).amax() < 1e-15,
                "{kind:?} {position:?}"
            );
            assert!((triad.determinant() - 1.0).abs() < 1e-15, "{kind:?} {position:?}");
        }
    }
    let cylinder = CoordinateSystem { kind: CoordinateKind::Cylindrical, ..CoordinateSystem::basic() };
    assert_eq!(cylinder.triad_at(Vector3::new(0.0, 0.0, 5.0)), nalgebra::Matrix3::identity());
}

#[test]
fn parameters_are_read_by_their_type() {
    let mut mesh = LinkMesh::default();
    assert_eq!((mesh.wtmass(), mesh.coupled_mass()), (1.0, false));
    let mut set = |name: &str, value| {
        mesh.parameters
            .insert(name.to_owned(), Parameter { name: name.to_owned(), value, source: Origin::default() });
    };
    set("WTMASS", ParameterValue::Real(0.00259));
    set("COUPMASS", ParameterValue::Integer(1));
    assert_eq!((mesh.wtmass(), mesh.coupled_mass()), (0.00259, true));
    assert_eq!((mesh.real_parameter("COUPMASS"), mesh.integer_parameter("WTMASS")), (Some(1.0), None));
}
