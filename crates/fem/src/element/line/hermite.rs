//! The Hermitian Timoshenko beam with condensed shear.
//!
//! Deflection and rotation are interpolated together so that the shear strain is constant and carries the
//! shear force in equilibrium with the bending moment: Φ = 12EI/(kGAL²) enters K as [12, 6L, (4+Φ)L²,
//! (2−Φ)L²]·EI/((1+Φ)L³) (Przemieniecki, 1968), and nothing locks however slender the beam. The mass is
//! consistent with that interpolation, rotary inertia included. This is
//! [`flexible_line`](super::flexible_line) for a uniform section, and serves tests as a reference.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Vector3};
use pliant_mesh::NodeIndex;

use super::bar_mass::{self, Spin};
use super::beam_section::{BeamError, BeamSection, beam_frame};
use super::flexible_line::FlexibleLine;
use super::frame::{Matrix12, node_dofs, turned};
use super::section::{LineSection, LineStation};
use crate::element::{Element, ElementDof, MassKind};

/// A uniform two-node beam, exact for forces at its ends.
#[derive(Clone, Debug)]
pub(crate) struct HermiteBeam {
    dofs: Vec<ElementDof>,
    ends_from_grids: Matrix12,
    line: FlexibleLine,
}

impl HermiteBeam {
    /// Between two positions in the basic frame; `orientation` spans plane 1 with the axis.
    ///
    /// # Errors
    /// No length, an orientation along the axis, an impossible section.
    pub(crate) fn new(
        nodes: [NodeIndex; 2],
        positions: [Vector3<f64>; 2],
        orientation: Vector3<f64>,
        section: &BeamSection,
    ) -> Result<Self, BeamError> {
        let frame = beam_frame(positions, orientation)?;
        let station = LineStation {
            xi: 0.0,
            area: section.area,
            i1: section.i1,
            i2: section.i2,
            i12: 0.0,
            torsion_constant: section.torsion_constant,
            nsm: 0.0,
        };
        let moduli = [section.youngs_modulus, section.shear_modulus, section.density];
        let sections = LineSection::uniform(moduli, section.shear_factors, station);
        sections.check().map_err(|e| BeamError::Section(e.0))?;
        Ok(Self {
            dofs: node_dofs(&nodes, 6),
            ends_from_grids: frame.transform(),
            line: FlexibleLine::new(frame.length, sections),
        })
    }
}

impl Element for HermiteBeam {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        Some(turned(&self.line.stiffness(), &self.ends_from_grids))
    }

    /// Lumped and coupled as a CBEAM's.
    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        let M = match kind {
            MassKind::Lumped => bar_mass::lumped(&self.line, Spin::Torsional),
            MassKind::Coupled => bar_mass::coupled(&self.line, Spin::Torsional),
            MassKind::Consistent => bar_mass::consistent(&self.line),
        };
        Some(turned(&M, &self.ends_from_grids))
    }

    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        let T = &self.ends_from_grids;
        let natural: Vec<_> =
            u.column_iter().map(|u| self.line.natural_forces(&(T * u.fixed_rows::<12>(0)))).collect();
        Some(self.line.geometric_stiffness(&natural).iter().map(|K_g| turned(K_g, T)).collect())
    }

    fn measure(&self) -> f64 {
        self.line.length()
    }
}
