//! Bars to test with.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix3, Vector3, Vector6};
use pliant_diag::Origin;
use pliant_mesh::element::{Bar, BarKind, BarOrientation, ElementRef};
use pliant_mesh::property::{BarProperty, BeamProperty, BeamStation, Property, PropertyKind};
use pliant_mesh::{
    Component, ElementId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw, NodeIndex, PropertyId,
    PropertyIndex,
};

use crate::element::contract::Placement;
use crate::element::{Element, ElementContext, build};

pub(in crate::element) const E: f64 = 70e9;
pub(in crate::element) const G: f64 = 26e9;
pub(in crate::element) const RHO: f64 = 2700.0;
pub(in crate::element) const ALPHA: f64 = 2.3e-5;
pub(in crate::element) const REFERENCE: f64 = 20.0;

pub(in crate::element) fn material() -> Material {
    Material {
        id: MaterialId(1),
        density: RHO,
        reference_temperature: REFERENCE,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: E,
            shear_modulus: G,
            poisson_ratio: 0.33,
            thermal_expansion: ALPHA,
        },
        source: Origin::default(),
    }
}

pub(in crate::element) fn property(kind: PropertyKind) -> Property {
    Property { id: PropertyId(1), kind, source: Origin::default() }
}

pub(in crate::element) fn pbar() -> BarProperty {
    BarProperty {
        area: 3e-3,
        i1: 4e-6,
        i2: 1.5e-6,
        i12: 0.0,
        torsion_constant: 2e-6,
        nsm: 1.3,
        k1: Some(0.85),
        k2: Some(0.5),
        stress_points: [[0.0; 2]; 4],
        section: None,
    }
}

pub(in crate::element) fn station(position: f64, scale: f64) -> BeamStation {
    BeamStation {
        position,
        stress_output: true,
        area: 3e-3 * scale,
        i1: 4e-6 * scale,
        i2: 1.5e-6 * scale,
        i12: 0.0,
        torsion_constant: 2e-6 * scale,
        nsm: 0.0,
        stress_points: [[0.0; 2]; 4],
        dimensions: Vec::new(),
    }
}

pub(in crate::element) fn pbeam(stations: Vec<BeamStation>) -> BeamProperty {
    BeamProperty {
        stations,
        k1: None,
        k2: None,
        shear_relief: [0.0; 2],
        nsi: [0.0; 2],
        warping: [0.0; 2],
        nsm_offset: [[0.0; 2]; 2],
        neutral_axis: [[0.0; 2]; 2],
        section: None,
    }
}

pub(in crate::element) struct Options {
    pub(in crate::element) kind: BarKind,
    pub(in crate::element) property: PropertyKind,
    pub(in crate::element) vector: Vector3<f64>,
    pub(in crate::element) pins: [&'static str; 2],
    pub(in crate::element) offsets: [Vector3<f64>; 2],
}

impl Options {
    pub(in crate::element) fn bar(property: BarProperty) -> Self {
        Self {
            kind: BarKind::Bar,
            property: PropertyKind::Bar(MaterialIndex(0), Box::new(property)),
            vector: Vector3::y(),
            pins: [""; 2],
            offsets: [Vector3::zeros(); 2],
        }
    }

    pub(in crate::element) fn beam(property: BeamProperty) -> Self {
        Self {
            kind: BarKind::Beam,
            property: PropertyKind::Beam(MaterialIndex(0), Box::new(property)),
            ..Self::bar(pbar())
        }
    }

    pub(in crate::element) fn build(&self, placement: &Placement) -> Box<dyn Element> {
        let mesh = self.mesh(placement);
        build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Bar(0)).unwrap()
    }

    pub(in crate::element) fn mesh(&self, placement: &Placement) -> LinkMesh {
        let mut mesh = placement.mesh();
        mesh.materials.push(material());
        mesh.properties.push(property(self.property.clone()));
        let pins = self
            .pins
            .map(|p| p.chars().map(|c| Component::from_digit(c.to_digit(10).unwrap()).unwrap()).collect());
        mesh.bars.push(Bar {
            id: ElementId(7),
            kind: self.kind,
            property: PropertyIndex(0),
            nodes: [placement.nodes[0], placement.nodes[1]],
            orientation: BarOrientation::Vector(placement.turn(self.vector)),
            pins,
            offsets: self.offsets.map(|w| placement.turn(w)),
            warping_points: [None; 2],
            source: Origin::default(),
        });
        mesh
    }

    /// Along x from the origin.
    pub(in crate::element) fn straight(&self, length: f64) -> Box<dyn Element> {
        self.build(&straight_placement(length))
    }
}

pub(in crate::element) fn straight_placement(length: f64) -> Placement {
    Placement {
        positions: vec![Vector3::zeros(), Vector3::x() * length],
        nodes: vec![NodeIndex(0), NodeIndex(1)],
        rotation: Matrix3::identity(),
    }
}

/// Displacements of node B with node A clamped.
pub(in crate::element) fn cantilever(element: &dyn Element, force: Vector6<f64>) -> Vector6<f64> {
    let K = element.stiffness().unwrap();
    let K_bb = K.fixed_view::<6, 6>(6, 6).into_owned();
    K_bb.lu().solve(&force).unwrap()
}

#[track_caller]
pub(in crate::element) fn close(found: f64, exact: f64) {
    // Rounding of a 12×12 solve whose entries span the stiffness of bending and extension.
    assert!((found - exact).abs() <= 1e-9 * exact.abs(), "found {found:e}, exact {exact:e}");
}
