//! CROD, CONROD and CTUBE: extension and torsion of a straight line.
//!
//! K: EA/L along the axis, GJ/L about it. Lumped mass: half at each end. Coupled mass as MSC and NX: along
//! the axis m[5/12 1/12], across it lumped (../shared/nastran/FORMULATION.md). Consistent mass: linear in all
//! directions, and ρJ about the axis, J standing for the polar moment, which it is for round sections.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, DVector, DVectorView, Matrix2, Matrix3, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_mesh::NodeIndex;
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::property::{PropertyKind, RodProperty};

use super::bar::isotropic;
use super::frame::{axis, node_dofs};
use super::tube::tube_line;
use crate::element::{
    Element, ElementContext, ElementDof, ElementStress, LineForces, MassKind, element_error, in_element,
};

/// What a rod's section amounts to over its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RodLine {
    /// 1 / ∫dx/EA.
    pub(super) axial_stiffness: f64,
    /// 1 / ∫dx/GJ.
    pub(super) torsional_stiffness: f64,
    /// ∫μ NᵀN with N = (1−ξ, ξ).
    pub(super) mass: Matrix2<f64>,
    /// ∫ρJ NᵀN.
    pub(super) polar: Matrix2<f64>,
}

impl RodLine {
    fn uniform([e, g, rho]: [f64; 3], p: &RodProperty, length: f64) -> Self {
        let linear = Matrix2::new(2.0, 1.0, 1.0, 2.0) * (length / 6.0);
        Self {
            axial_stiffness: e * p.area / length,
            torsional_stiffness: g * p.torsion_constant / length,
            mass: linear * (rho * p.area + p.nsm),
            polar: linear * (rho * p.torsion_constant),
        }
    }
}

#[derive(Debug)]
struct RodElement {
    dofs: Vec<ElementDof>,
    axis: Vector3<f64>,
    length: f64,
    line: RodLine,
    /// Thermal expansion coefficient and reference temperature.
    expansion: (f64, f64),
}

/// Builds a CROD, CONROD or CTUBE.
///
/// # Errors
/// Grids that coincide, a material that is not MAT1, a negative area or torsion constant.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::Rod(row) = which else { unreachable!("invariant: the registry sends rods here") };
    let mesh = context.mesh;
    let rod = &mesh.rods[row as usize];
    let error = |message: String| element_error(mesh, which, message);
    let located = |problem| in_element(mesh, which, problem);
    let [a, b] = rod.nodes.map(|n| mesh.node(n).position);
    let (axis, length) = axis(a, b).map_err(|e| error(e.message().into()))?;
    let uniform = |material, p: &RodProperty| {
        let (moduli, expansion) = isotropic(mesh, material).map_err(located)?;
        if !(p.area >= 0.0 && p.torsion_constant >= 0.0) {
            return Err(error(format!(
                "A and J must not be negative, found A = {}, J = {}",
                p.area, p.torsion_constant
            )));
        }
        let p = RodProperty { nsm: p.nsm + context.extra_nsm, ..*p };
        Ok((RodLine::uniform(moduli, &p, length), expansion))
    };
    let (line, expansion) = match &rod.section {
        RodSection::Own(material, p) => uniform(*material, p)?,
        RodSection::Property(index) => {
            let property = &mesh.properties[index.index()];
            match &property.kind {
                PropertyKind::Rod(material, p) => uniform(*material, p)?,
                PropertyKind::Tube(material, p) => {
                    let (moduli, expansion) = isotropic(mesh, *material).map_err(located)?;
                    (tube_line(moduli, p, context.extra_nsm, length).map_err(located)?, expansion)
                }
                _ => {
                    return Err(error(format!(
                        "property {} is of another kind than this element needs",
                        property.id
                    )));
                }
            }
        }
    };
    // Without torsion the rotations are not the rod's business.
    let components = if line.torsional_stiffness > 0.0 { 6 } else { 3 };
    Ok(Box::new(RodElement { dofs: node_dofs(&rod.nodes, components), axis, length, line, expansion }))
}

impl RodElement {
    /// Puts `translation` and `rotation` (2×2 over the ends, times a 3×3 in the basic frame) into the rows
    /// and columns of the grids.
    fn expanded(
        &self,
        translations: &[(Matrix2<f64>, Matrix3<f64>)],
        rotations: &[(Matrix2<f64>, Matrix3<f64>)],
    ) -> DMatrix<f64> {
        let size = self.dofs.len();
        let stride = size / 2;
        let mut A = DMatrix::zeros(size, size);
        for (first, terms) in [(0, translations), (3, rotations)] {
            if first == stride {
                break;
            }
            for (ends, block) in terms {
                for i in 0..2 {
                    for j in 0..2 {
                        let mut view = A.view_mut((first + stride * i, first + stride * j), (3, 3));
                        view += block * ends[(i, j)];
                    }
                }
            }
        }
        A
    }
}

impl RodElement {
    /// Axial force and torque of grid displacements.
    fn forces(&self, u: &DVectorView<'_, f64>) -> [f64; 2] {
        let stride = self.dofs.len() / 2;
        let along = |first: usize| -> f64 {
            self.axis.dot(&(u.fixed_rows::<3>(first + stride) - u.fixed_rows::<3>(first)))
        };
        let torque = if stride == 6 { self.line.torsional_stiffness * along(3) } else { 0.0 };
        [self.line.axial_stiffness * along(0), torque]
    }
}

/// Stretch between the ends.
const DIFFERENCE: Matrix2<f64> = Matrix2::new(1.0, -1.0, -1.0, 1.0);

impl Element for RodElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        let along = self.axis * self.axis.transpose();
        Some(self.expanded(
            &[(DIFFERENCE * self.line.axial_stiffness, along)],
            &[(DIFFERENCE * self.line.torsional_stiffness, along)],
        ))
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        let along = self.axis * self.axis.transpose();
        let across = Matrix3::identity() - along;
        let consistent = self.line.mass;
        let lumped = Matrix2::from_diagonal(&consistent.column_sum());
        Some(match kind {
            MassKind::Lumped => self.expanded(&[(lumped, Matrix3::identity())], &[]),
            MassKind::Coupled => {
                self.expanded(&[((lumped + consistent) * 0.5, along), (lumped, across)], &[])
            }
            MassKind::Consistent => {
                self.expanded(&[(consistent, Matrix3::identity())], &[(self.line.polar, along)])
            }
        })
    }

    fn thermal_load(&self, temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        let (alpha, reference) = self.expansion;
        let stride = self.dofs.len() / 2;
        let mean = 0.5 * (temperature(self.dofs[0].node) + temperature(self.dofs[stride].node));
        let force = self.line.axial_stiffness * self.length * alpha * (mean - reference);
        let mut f = DVector::zeros(self.dofs.len());
        f.rows_mut(0, 3).copy_from(&(-self.axis * force));
        f.rows_mut(stride, 3).copy_from(&(self.axis * force));
        Some(f)
    }

    /// Its axes across are arbitrary: it has forces along x only.
    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        let least = self.axis.iamin();
        let across = self.axis.cross(&Vector3::ith(least, 1.0)).normalize();
        let axes = Matrix3::from_columns(&[self.axis, across, self.axis.cross(&across)]);
        let forces = |u: DVectorView<'_, f64>| {
            let [N, T] = self.forces(&u);
            let section = Vector6::new(N, 0.0, 0.0, T, 0.0, 0.0);
            ElementStress::Line(LineForces { axes, sections: vec![(0.0, section), (1.0, section)] })
        };
        Some(u.column_iter().map(forces).collect())
    }

    /// A string: N/L across the axis. The torque of a rod that cannot bend has no second order here.
    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        let across = Matrix3::identity() - self.axis * self.axis.transpose();
        let string = |u: DVectorView<'_, f64>| {
            let [N, _] = self.forces(&u);
            self.expanded(&[(DIFFERENCE * (N / self.length), across)], &[])
        };
        Some(u.column_iter().map(string).collect())
    }

    fn measure(&self) -> f64 {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use pliant_diag::Origin;
    use pliant_mesh::element::Rod;
    use pliant_mesh::property::TubeProperty;
    use pliant_mesh::{ElementId, MaterialIndex, PropertyIndex};

    use super::super::bar_fixture::{ALPHA, E, G, REFERENCE, RHO, material, property};
    use super::*;
    use crate::element::contract::{self, Contract, MassFacts, Placement};
    use crate::element::registry;

    const ENDS: [Vector3<f64>; 2] = [Vector3::new(0.4, -0.2, 0.7), Vector3::new(1.3, 0.5, 1.1)];
    const SECTION: RodProperty =
        RodProperty { area: 2e-3, torsion_constant: 3e-6, stress_coefficient: 0.0, nsm: 0.7 };

    fn rod(placement: &Placement, kind: &PropertyKind) -> Box<dyn Element> {
        let mut mesh = placement.mesh();
        mesh.materials.push(material());
        mesh.properties.push(property(kind.clone()));
        mesh.rods.push(Rod {
            id: ElementId(1),
            nodes: [placement.nodes[0], placement.nodes[1]],
            section: RodSection::Property(PropertyIndex(0)),
            source: Origin::default(),
        });
        registry::build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Rod(0)).unwrap()
    }

    #[test]
    fn a_rod_keeps_the_contract() {
        let length = (ENDS[1] - ENDS[0]).norm();
        let x = (ENDS[1] - ENDS[0]) / length;
        let mass = (RHO * SECTION.area + SECTION.nsm) * length;
        for torsion_constant in [SECTION.torsion_constant, 0.0] {
            let along = x * x.transpose();
            let inertia = (Matrix3::identity() - along) * (mass * length * length / 12.0)
                + along * (RHO * torsion_constant * length);
            let section = RodProperty { torsion_constant, ..SECTION };
            contract::check(&Contract {
                name: "CROD",
                positions: ENDS.to_vec(),
                build: &|placement| rod(placement, &PropertyKind::Rod(MaterialIndex(0), section)),
                // Of 12 (or 6) only extension and twist (or extension) are resisted.
                zero_energy_modes: if torsion_constant > 0.0 { 10 } else { 5 },
                mass: Some(MassFacts {
                    mass,
                    centre: (ENDS[0] + ENDS[1]) / 2.0,
                    inertia_about_centre: Some(inertia),
                }),
            });
        }
    }

    #[test]
    fn a_tapered_tube_keeps_the_contract() {
        // Solid cone of end diameters d and 2d: m = πρLd²·7/12, its centre at 17/28 of the length.
        let (d, length) = (0.02, (ENDS[1] - ENDS[0]).norm());
        let tube = TubeProperty { outer_diameter: [d, 2.0 * d], thickness: 0.0, nsm: 0.0 };
        contract::check(&Contract {
            name: "CTUBE",
            positions: ENDS.to_vec(),
            build: &|placement| rod(placement, &PropertyKind::Tube(MaterialIndex(0), tube)),
            zero_energy_modes: 10,
            mass: Some(MassFacts {
                mass: std::f64::consts::PI * RHO * length * d * d * 7.0 / 12.0,
                centre: ENDS[0] + (ENDS[1] - ENDS[0]) * (17.0 / 28.0),
                inertia_about_centre: None,
            }),
        });
    }

    #[test]
    fn a_rod_stretches_twists_and_expands() {
        let placement = Placement {
            positions: vec![Vector3::zeros(), Vector3::x() * 2.0],
            nodes: vec![NodeIndex(0), NodeIndex(1)],
            rotation: Matrix3::identity(),
        };
        let element = rod(&placement, &PropertyKind::Rod(MaterialIndex(0), SECTION));
        let K = element.stiffness().unwrap();
        assert_eq!(K[(0, 0)], E * SECTION.area / 2.0);
        assert_eq!(K[(3, 9)], -G * SECTION.torsion_constant / 2.0);
        // 5/12 and 1/12 along, one half across: FORMULATION.md.
        let M = element.mass(MassKind::Coupled).unwrap();
        let m = 2.0 * (RHO * SECTION.area + SECTION.nsm);
        for (row, column, share) in [(0, 0, 5.0 / 12.0), (0, 6, 1.0 / 12.0), (1, 1, 0.5), (1, 7, 0.0)] {
            assert!((M[(row, column)] - share * m).abs() < 1e-14 * m, "({row}, {column})");
        }
        let f = element.thermal_load(&|_| REFERENCE + 50.0).unwrap();
        assert!((f[6] / K[(0, 0)] / (ALPHA * 50.0 * 2.0) - 1.0).abs() < 1e-14);
        assert_eq!(f[0], -f[6]);
    }
}
