//! The linear Timoshenko beam: deflection and rotation interpolated linearly and independently.
//!
//! ```text
//! U = ½∫ [EA u′² + GJ θx′² + EI1 θz′² + EI2 θy′² + k1GA (v′ − θz)² + k2GA (w′ + θy)²] dx
//! ```
//!
//! With the shear energy integrated in full (two points) it locks as the beam becomes slender; with one point
//! it does not. The mass ∫ρ(A, I)NᵀN is integrated in full either way. Theory: Hughes, Taylor and
//! Kanoknukulchai, *A simple and efficient finite element for plate bending*, IJNME 11 (1977).

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, SVector, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_mesh::NodeIndex;
use pliant_mesh::element::{Bar, BarOrientation, ElementRef, ShearIntegration};
use pliant_mesh::property::PropertyKind;

use super::bar::isotropic;
use super::beam_section::{BeamError, BeamSection, beam_frame};
use super::frame::{Matrix12, node_dofs, turned};
use super::geometric::{Rows3, SectionState};
use crate::element::{
    Element, ElementContext, ElementDof, ElementStress, LineForces, MassKind, element_error, in_element,
};

/// A uniform two-node beam with linear shape functions.
#[derive(Clone, Debug)]
pub(crate) struct TimoshenkoBeam {
    dofs: Vec<ElementDof>,
    ends_from_grids: Matrix12,
    length: f64,
    section: BeamSection,
    shear_factors: [f64; 2],
    integration: ShearIntegration,
}

/// Builds the linear beam of a mesh.
///
/// # Errors
/// As [`TimoshenkoBeam::new`], and what a linear beam does not have: offsets, pins, a product of inertia,
/// non-structural mass.
pub(super) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
    bar: &Bar,
    integration: ShearIntegration,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let mesh = context.mesh;
    let error = |message: String| element_error(mesh, which, message);
    let property = &mesh.properties[bar.property.index()];
    let PropertyKind::Bar(material, p) = &property.kind else {
        return Err(error(format!("property {} is not one of a linear beam", property.id)));
    };
    let plain = bar.offsets == [Vector3::zeros(); 2] && bar.pins.iter().all(|pins| pins.is_empty());
    if !plain || p.i12 != 0.0 || p.nsm + context.extra_nsm != 0.0 {
        let what = "a linear beam has no offsets, pins, product of inertia or non-structural mass";
        return Err(error(what.into()));
    }
    let ([youngs_modulus, shear_modulus, density], _) =
        isotropic(mesh, *material).map_err(|problem| in_element(mesh, which, problem))?;
    let section = BeamSection {
        area: p.area,
        i1: p.i1,
        i2: p.i2,
        torsion_constant: p.torsion_constant,
        shear_factors: [p.k1, p.k2],
        youngs_modulus,
        shear_modulus,
        density,
    };
    let positions = bar.nodes.map(|node| mesh.node(node).position);
    let orientation = match bar.orientation {
        BarOrientation::Vector(v) => v,
        BarOrientation::Node(node) => mesh.node(node).position - positions[0],
    };
    let beam = TimoshenkoBeam::new(bar.nodes, positions, orientation, &section, integration);
    Ok(Box::new(beam.map_err(|problem| error(problem.to_string()))?))
}

impl TimoshenkoBeam {
    /// Between two positions in the basic frame; `orientation` spans plane 1 with the axis.
    ///
    /// # Errors
    /// No length, an orientation along the axis, a section without shear factors or with a number below zero.
    pub(crate) fn new(
        nodes: [NodeIndex; 2],
        positions: [Vector3<f64>; 2],
        orientation: Vector3<f64>,
        section: &BeamSection,
        integration: ShearIntegration,
    ) -> Result<Self, BeamError> {
        let frame = beam_frame(positions, orientation)?;
        let [Some(k1), Some(k2)] = section.shear_factors else {
            return Err(BeamError::Section("the linear Timoshenko beam needs both shear factors".into()));
        };
        let numbers = [
            section.area,
            section.i1,
            section.i2,
            section.torsion_constant,
            section.youngs_modulus,
            section.shear_modulus,
            section.density,
            k1,
            k2,
        ];
        if let Some(bad) = numbers.into_iter().find(|n| *n < 0.0 || !n.is_finite()) {
            return Err(BeamError::Section(format!(
                "the numbers of the section must be finite and not negative, found {bad}"
            )));
        }
        Ok(Self {
            dofs: node_dofs(&nodes, 6),
            ends_from_grids: frame.transform(),
            length: frame.length,
            section: *section,
            shear_factors: [k1, k2],
            integration,
        })
    }

    fn K_E(&self) -> Matrix12 {
        let s = &self.section;
        let L = self.length;
        let (E, G) = (s.youngs_modulus, s.shear_modulus);
        let mut K = Matrix12::zeros();
        for (row, stiffness) in [(0, E * s.area), (3, G * s.torsion_constant), (4, E * s.i2), (5, E * s.i1)] {
            let mut stretch = SVector::<f64, 12>::zeros();
            stretch[row] = -1.0;
            stretch[row + 6] = 1.0;
            K += stretch * stretch.transpose() * (stiffness / L);
        }
        // Plane 1: γ = v′ − θz. Plane 2: γ = w′ + θy.
        for (translation, rotation, sign, k) in
            [(1, 5, -1.0, self.shear_factors[0]), (2, 4, 1.0, self.shear_factors[1])]
        {
            for (xi, weight) in self.points() {
                let mut strain = SVector::<f64, 12>::zeros();
                strain[translation] = -1.0 / L;
                strain[translation + 6] = 1.0 / L;
                strain[rotation] = sign * (1.0 - xi);
                strain[rotation + 6] = sign * xi;
                K += strain * strain.transpose() * (k * G * s.area * weight * L);
            }
        }
        K
    }

    /// Points of the shear energy, which are also those of K_g.
    fn points(&self) -> &'static [(f64, f64)] {
        // ½ ∓ 1/(2√3).
        const NEAR: f64 = 0.211_324_865_405_187_1;
        match self.integration {
            ShearIntegration::Full => &[(NEAR, 0.5), (1.0 - NEAR, 0.5)],
            ShearIntegration::Reduced => &[(0.5, 1.0)],
        }
    }

    /// K_g in E of end displacements in E; see [`geometric`](super::geometric).
    fn K_gE(&self, ends: &SVector<f64, 12>) -> Matrix12 {
        let points = self.points().iter();
        points.fold(Matrix12::zeros(), |K_g, (xi, weight)| {
            K_g + self.section_state(*xi, ends).geometric() * (weight * self.length)
        })
    }

    /// Motion and forces of the section at ξ under end displacements in E.
    fn section_state(&self, xi: f64, ends: &SVector<f64, 12>) -> SectionState {
        let s = &self.section;
        let L = self.length;
        let (mut Theta, mut slope, mut curvature) = (Rows3::zeros(), Rows3::zeros(), Rows3::zeros());
        for k in 0..3 {
            slope[(k, k)] = -1.0 / L;
            slope[(k, k + 6)] = 1.0 / L;
            curvature[(k, k + 3)] = -1.0 / L;
            curvature[(k, k + 9)] = 1.0 / L;
            Theta[(k, k + 3)] = 1.0 - xi;
            Theta[(k, k + 9)] = xi;
        }
        let (u, theta, kappa) = (slope * ends, Theta * ends, curvature * ends);
        let shear = [u.y - theta.z, u.z + theta.y];
        let G_A = s.shear_modulus * s.area;
        let force = Vector3::new(
            s.youngs_modulus * s.area * u.x,
            self.shear_factors[0] * G_A * shear[0],
            self.shear_factors[1] * G_A * shear[1],
        );
        let moment = Vector3::new(
            s.shear_modulus * s.torsion_constant * kappa.x,
            s.youngs_modulus * s.i2 * kappa.y,
            s.youngs_modulus * s.i1 * kappa.z,
        );
        let wagner = if s.area > 0.0 { force.x * (s.i1 + s.i2) / s.area } else { 0.0 };
        SectionState { Theta, slope, curvature, force, moment, wagner }
    }

    /// Mass per length of each component.
    fn section_mass(&self) -> [f64; 6] {
        let s = &self.section;
        let [m, i1, i2] = [s.area, s.i1, s.i2].map(|x| s.density * x);
        [m, m, m, i1 + i2, i2, i1]
    }
}

impl Element for TimoshenkoBeam {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        Some(turned(&self.K_E(), &self.ends_from_grids))
    }

    /// Lumped: half of mass and rotary inertia at each end. Coupled and consistent are the same.
    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        let [same, other] = match kind {
            MassKind::Lumped => [0.5, 0.0],
            MassKind::Coupled | MassKind::Consistent => [1.0 / 3.0, 1.0 / 6.0],
        };
        let mut M = Matrix12::zeros();
        for (row, m) in self.section_mass().into_iter().enumerate() {
            for (i, j, share) in [(0, 0, same), (0, 6, other), (6, 0, other), (6, 6, same)] {
                M[(row + i, row + j)] = m * self.length * share;
            }
        }
        Some(turned(&M, &self.ends_from_grids))
    }

    /// Shear and moment are constant along the element.
    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        let T = &self.ends_from_grids;
        let axes = T.fixed_view::<3, 3>(0, 0).transpose();
        let forces = |u: nalgebra::DVectorView<'_, f64>| {
            let SectionState { force, moment, .. } = self.section_state(0.5, &(T * u.fixed_rows::<12>(0)));
            let section = Vector6::new(force.x, force.y, force.z, moment.x, moment.z, -moment.y);
            ElementStress::Line(LineForces { axes, sections: vec![(0.0, section), (1.0, section)] })
        };
        Some(u.column_iter().map(forces).collect())
    }

    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        let T = &self.ends_from_grids;
        let each = |u: nalgebra::DVectorView<'_, f64>| turned(&self.K_gE(&(T * u.fixed_rows::<12>(0))), T);
        Some(u.column_iter().map(each).collect())
    }

    fn measure(&self) -> f64 {
        self.length
    }
}
