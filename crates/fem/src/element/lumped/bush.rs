//! CBUSH: six springs and dampers at one point between two grids, or between a grid and the ground.
//!
//! The springs act on the relative displacement of the two grids carried rigidly to the location p, so forces
//! across the line of the grids come with moment arms, whatever gives the axes: Nastran places the element at
//! S (0.5 unless given), also when CID is given, even CID 0 (../shared/nastran/FORMULATION.md).
//!
//! ```text
//! δ = [u_B + θ_B × (p − x_B)] − [u_A + θ_A × (p − x_A)],   φ = θ_B − θ_A,   K = Bᵀ diag(k) B in the element axes
//! ```

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::element::{Bush, BushLocation, BushOrientation, ElementRef};
use pliant_mesh::property::{BushProperty, PropertyKind};
use pliant_mesh::{LinkMesh, NodeIndex};

use crate::element::line::frame::{FrameError, LineFrame, axis, node_dofs};
use crate::element::{Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct BushElement {
    dofs: Vec<ElementDof>,
    /// B: relative displacement and rotation in element axes.
    B: DMatrix<f64>,
    property: BushProperty,
}

/// Builds one.
///
/// # Errors
/// Axes that nothing fixes although the stiffness needs them, or a property of another kind.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::Bush(row) = which else { unreachable!("invariant: the registry sends these here") };
    let mesh = context.mesh;
    let bush = &mesh.bushes[row as usize];
    let PropertyKind::Bush(property) = &mesh.properties[bush.property.index()].kind else {
        return Err(element_error(mesh, which, "its property is of another kind"));
    };
    let a = mesh.node(bush.nodes.0).position;
    let b = bush.nodes.1.map(|n| mesh.node(n).position);
    let location = match bush.location {
        BushLocation::Point(p) => p,
        BushLocation::Fraction(s) => b.map_or(a, |b| a + s * (b - a)),
    };
    let axes = axes(mesh, bush, property, [a, b.unwrap_or(a)], location).map_err(|message| {
        let mut diagnostic = element_error(mesh, which, message);
        diagnostic.hints.push("give CID, or G0 or X1 X2 X3 between grids that are apart".into());
        diagnostic
    })?;
    let nodes: Vec<NodeIndex> = std::iter::once(bush.nodes.0).chain(bush.nodes.1).collect();
    let mut B = DMatrix::zeros(6, 6 * nodes.len());
    let to_element = axes.transpose();
    for (k, node) in nodes.iter().enumerate() {
        let sign = if k == 0 { -1.0 } else { 1.0 };
        let arm = location - mesh.node(*node).position;
        B.view_mut((0, 6 * k), (3, 3)).copy_from(&(sign * to_element));
        B.view_mut((0, 6 * k + 3), (3, 3)).copy_from(&(-sign * to_element * arm.cross_matrix()));
        B.view_mut((3, 6 * k + 3), (3, 3)).copy_from(&(sign * to_element));
    }
    Ok(Box::new(BushElement { dofs: node_dofs(&nodes, 6), B, property: (**property).clone() }))
}

/// Columns are the element axes in the basic frame.
fn axes(
    mesh: &LinkMesh,
    bush: &Bush,
    property: &BushProperty,
    [a, b]: [Vector3<f64>; 2],
    location: Vector3<f64>,
) -> Result<Matrix3<f64>, &'static str> {
    let with_plane = |vector: Vector3<f64>| {
        LineFrame::new([a, b], [Vector3::zeros(); 2], vector).map(|f| f.axes).map_err(FrameError::message)
    };
    match bush.orientation {
        BushOrientation::Frame(frame) => Ok(mesh.coordinates[frame.index()].triad_at(location)),
        BushOrientation::Vector(vector) => with_plane(vector),
        BushOrientation::Node(node) => with_plane(mesh.node(node).position - a),
        BushOrientation::Axial => {
            let (x, _) = axis(a, b).map_err(FrameError::message)?;
            // Any plane will do when the two directions across the axis do not differ.
            let alike = |v: &[f64; 6]| v[1] == v[2] && v[4] == v[5];
            if !(alike(&property.stiffness) && alike(&property.damping)) {
                return Err(
                    "its stiffness or damping differs between the two directions across its axis, but their orientation is not given",
                );
            }
            let across = Vector3::from_fn(|i, _| if i == x.iamin() { 1.0 } else { 0.0 });
            with_plane(across)
        }
    }
}

impl BushElement {
    fn spread(&self, values: &[f64; 6]) -> Option<DMatrix<f64>> {
        if values.iter().all(|v| *v == 0.0) {
            return None;
        }
        let mut scaled = self.B.clone();
        for (row, value) in values.iter().enumerate() {
            scaled.row_mut(row).scale_mut(*value);
        }
        let A = self.B.transpose() * scaled;
        Some((&A + A.transpose()) * 0.5)
    }
}

impl Element for BushElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        self.spread(&self.property.stiffness)
    }

    /// M of the PBUSH, half at each grid, or all at the one that is not ground; the same whichever is asked
    /// for.
    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        if self.property.mass == 0.0 {
            return None;
        }
        let size = self.dofs.len();
        let share = self.property.mass * 6.0 / size as f64;
        Some(DMatrix::from_fn(size, size, |i, j| if i == j && i % 6 < 3 { share } else { 0.0 }))
    }

    fn damping(&self) -> Option<DMatrix<f64>> {
        self.spread(&self.property.damping)
    }
}

#[cfg(test)]
mod tests {
    use pliant_diag::Origin;
    use pliant_mesh::{CoordId, CoordIndex, CoordinateKind, CoordinateSystem, ElementId, PropertyIndex};

    use super::*;
    use crate::element::contract::{self, Contract, Placement};
    use crate::element::line::bar_fixture::property;
    use crate::element::registry;

    const GRIDS: [Vector3<f64>; 2] = [Vector3::new(0.4, -0.2, 0.7), Vector3::new(1.3, 0.5, 1.1)];

    fn pbush() -> BushProperty {
        BushProperty {
            stiffness: [1e6, 2e6, 3e6, 4e5, 5e5, 6e5],
            damping: [10.0, 20.0, 30.0, 4.0, 5.0, 6.0],
            ..BushProperty::default()
        }
    }

    struct Options {
        property: BushProperty,
        orientation: BushOrientation,
        location: BushLocation,
        grounded: bool,
    }

    impl Options {
        fn new() -> Self {
            Self {
                property: pbush(),
                orientation: BushOrientation::Frame(CoordIndex(0)),
                location: BushLocation::Fraction(0.5),
                grounded: false,
            }
        }

        fn build(&self, placement: &Placement) -> Result<Box<dyn Element>, Box<Diagnostic>> {
            let mut mesh = placement.mesh();
            mesh.coordinates.push(CoordinateSystem {
                id: CoordId(1),
                kind: CoordinateKind::Cylindrical,
                origin: placement.turn(Vector3::new(0.1, 0.2, 0.0)),
                axes: placement.rotation,
                source: Origin::default(),
            });
            mesh.properties.push(property(PropertyKind::Bush(Box::new(self.property.clone()))));
            mesh.bushes.push(Bush {
                id: ElementId(3),
                property: PropertyIndex(0),
                nodes: (placement.nodes[0], (!self.grounded).then(|| placement.nodes[1])),
                orientation: match &self.orientation {
                    BushOrientation::Vector(v) => BushOrientation::Vector(placement.turn(*v)),
                    other => other.clone(),
                },
                location: match &self.location {
                    BushLocation::Point(p) => BushLocation::Point(placement.turn(*p)),
                    other => other.clone(),
                },
                source: Origin::default(),
            });
            registry::build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Bush(0))
        }
    }

    fn placement(positions: Vec<Vector3<f64>>) -> Placement {
        let nodes = (0..positions.len()).map(NodeIndex::from).collect();
        Placement { positions, nodes, rotation: Matrix3::identity() }
    }

    #[test]
    fn a_bush_keeps_the_contract() {
        let orientations =
            [BushOrientation::Frame(CoordIndex(1)), BushOrientation::Vector(Vector3::new(0.1, 1.0, -0.3))];
        let locations = [BushLocation::Fraction(0.3), BushLocation::Point(Vector3::new(0.9, 0.1, 0.4))];
        for (orientation, location) in orientations.into_iter().zip(locations) {
            let options = Options { orientation, location, ..Options::new() };
            contract::check(&Contract {
                name: "CBUSH",
                positions: GRIDS.to_vec(),
                build: &|placement| options.build(placement).unwrap(),
                zero_energy_modes: 6,
                mass: None,
            });
        }
    }

    /// A force across the line of the grids acts at S with an arm, also with CID 0: with grid A clamped the
    /// far grid sees 1/k + (1−S)²L²/k_θ.
    #[test]
    fn forces_have_moment_arms() {
        let (length, s) = (2.0, 0.5);
        let element =
            Options::new().build(&placement(vec![Vector3::zeros(), Vector3::x() * length])).unwrap();
        let K_bb = element.stiffness().unwrap().fixed_view::<6, 6>(6, 6).into_owned();
        let flexibility = K_bb.try_inverse().unwrap();
        let arm: f64 = (1.0 - s) * length;
        let exact = 1.0 / 2e6 + arm * arm / 6e5;
        assert!((flexibility[(1, 1)] / exact - 1.0).abs() < 1e-12, "{}", flexibility[(1, 1)]);
        let exact = 1.0 / 3e6 + arm * arm / 5e5;
        assert!((flexibility[(2, 2)] / exact - 1.0).abs() < 1e-12);
        let D = element.damping().unwrap();
        assert_eq!(D[(0, 0)], 10.0);
        assert_eq!(D[(7, 7)], 20.0);
    }

    #[test]
    fn a_grounded_bush_is_a_diagonal() {
        let options =
            Options { grounded: true, property: BushProperty { mass: 0.3, ..pbush() }, ..Options::new() };
        let element = options.build(&placement(vec![GRIDS[0]])).unwrap();
        let K = element.stiffness().unwrap();
        assert_eq!(K, DMatrix::from_diagonal(&nalgebra::DVector::from_row_slice(&pbush().stiffness)));
        let M = element.mass(MassKind::Lumped).unwrap();
        assert_eq!(M.diagonal().as_slice(), &[0.3, 0.3, 0.3, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn axes_that_nothing_fixes_are_refused() {
        let axial = Options { orientation: BushOrientation::Axial, ..Options::new() };
        let message = axial.build(&placement(GRIDS.to_vec())).err().unwrap().headline();
        assert!(message.starts_with("CBUSH 3: its stiffness or damping differs"), "{message}");
        let coincident = Options { orientation: BushOrientation::Vector(Vector3::y()), ..Options::new() };
        let message = coincident.build(&placement(vec![GRIDS[0]; 2])).err().unwrap().headline();
        assert!(message.contains("the two ends coincide"), "{message}");
        let property = BushProperty {
            stiffness: [1e6, 0.0, 0.0, 4e5, 0.0, 0.0],
            damping: [0.0; 6],
            ..BushProperty::default()
        };
        let axial = Options { property, ..axial };
        let K = axial.build(&placement(GRIDS.to_vec())).unwrap().stiffness().unwrap();
        let x = (GRIDS[1] - GRIDS[0]).normalize();
        assert!((K.view((0, 0), (3, 3)) - x * x.transpose() * 1e6).amax() < 1e-6);
    }
}
