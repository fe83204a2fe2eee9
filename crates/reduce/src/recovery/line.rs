//! Rows of bars, beams and rods.

use std::f64::consts::PI;

use nalgebra::Vector6;
use pliant_fem::element::LineForces;
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::property::{PropertyKind, RodProperty};
use pliant_mesh::{LinkMesh, MaterialIndex, MaterialLaw};

use super::{Column, Quantity, RowKind};

/// What turns forces at one end into stress and strain.
struct End {
    area: f64,
    /// I1, I2, I12.
    inertia: [f64; 3],
    torsion_constant: f64,
    /// (y, z) of the stress points from the neutral axis.
    points: [[f64; 2]; 4],
}

/// A section under its forces.
struct Section {
    /// N/A.
    axial: f64,
    /// Eκ1 and Eκ2.
    bending: [f64; 2],
    /// T/J.
    twist: f64,
    /// σ at the stress points.
    stress: [f64; 4],
}

impl End {
    /// σ = N/A − y E κ1 − z E κ2 with M1 = E(I1κ1 + I12κ2), M2 = E(I12κ1 + I2κ2): plane 1 is x–y, plane 2 is
    /// x–z.
    fn section(&self, forces: &Vector6<f64>) -> Section {
        let [i1, i2, i12] = self.inertia;
        let (m1, m2) = (forces[4], forces[5]);
        let over = |force: f64, size: f64| if size > 0.0 { force / size } else { 0.0 };
        let determinant = i1 * i2 - i12 * i12;
        let bending = if determinant > 0.0 {
            [(i2 * m1 - i12 * m2) / determinant, (i1 * m2 - i12 * m1) / determinant]
        } else {
            // Bending in one plane, or none.
            [over(m1, i1), over(m2, i2)]
        };
        let axial = over(forces[0], self.area);
        let stress = self.points.map(|[y, z]| axial - y * bending[0] - z * bending[1]);
        Section { axial, bending, twist: over(forces[3], self.torsion_constant), stress }
    }
}

/// The material and the ends A and B of a line element.
fn ends(mesh: &LinkMesh, which: ElementRef) -> Option<(MaterialIndex, [End; 2])> {
    let rod = |area: f64, torsion_constant: f64| End {
        area,
        inertia: [0.0; 3],
        torsion_constant,
        points: [[0.0; 2]; 4],
    };
    let uniform = |p: &RodProperty| [(); 2].map(|()| rod(p.area, p.torsion_constant));
    match which {
        ElementRef::Rod(row) => match &mesh.rods[row as usize].section {
            RodSection::Own(material, property) => Some((*material, uniform(property))),
            RodSection::Property(at) => match &mesh.properties[at.index()].kind {
                PropertyKind::Rod(material, property) => Some((*material, uniform(property))),
                PropertyKind::Tube(material, tube) => {
                    let end = |d: f64| {
                        let inner = if tube.thickness > 0.0 { d - 2.0 * tube.thickness } else { 0.0 };
                        let area = 0.25 * PI * (d * d - inner * inner);
                        rod(area, PI / 32.0 * (d.powi(4) - inner.powi(4)))
                    };
                    Some((*material, tube.outer_diameter.map(end)))
                }
                _ => None,
            },
        },
        ElementRef::Bar(row) => match &mesh.properties[mesh.bars[row as usize].property.index()].kind {
            PropertyKind::Bar(material, p) => {
                let end = || End {
                    area: p.area,
                    inertia: [p.i1, p.i2, p.i12],
                    torsion_constant: p.torsion_constant,
                    points: p.stress_points,
                };
                Some((*material, [end(), end()]))
            }
            PropertyKind::Beam(material, p) => {
                let end = |k: usize| {
                    let station = if k == 0 { p.stations.first() } else { p.stations.last() }?;
                    let [n1, n2] = p.neutral_axis[k];
                    Some(End {
                        area: station.area,
                        inertia: [station.i1, station.i2, station.i12],
                        torsion_constant: station.torsion_constant,
                        points: station.stress_points.map(|[y, z]| [y - n1, z - n2]),
                    })
                };
                Some((*material, [end(0)?, end(1)?]))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Forces at both ends and stress at their points, or strain of both ends and of their points, SI.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    forces: &LineForces,
    quantity: Quantity,
) -> Option<Column> {
    let (material, ends) = ends(mesh, which)?;
    let forces = [&forces.sections.first()?.1, &forces.sections.last()?.1];
    let sections = [0, 1].map(|end| ends[end].section(forces[end]));
    let units = mesh.units;
    let rows = match quantity {
        Quantity::Stress => {
            let force = units.mass * units.length / (units.time * units.time);
            let (moment, pressure) = (force * units.length, force / (units.length * units.length));
            let scale = [force, force, force, moment, moment, moment];
            let of_forces = forces.iter().flat_map(|f| f.iter().zip(scale).map(|(f, s)| f * s));
            of_forces.chain(sections.iter().flat_map(|at| at.stress).map(|s| s * pressure)).collect()
        }
        Quantity::Strain => {
            let MaterialLaw::Isotropic { youngs_modulus: E, shear_modulus: G, .. } =
                mesh.materials[material.index()].law
            else {
                return None;
            };
            // What carries no torque has no torque to twist it.
            let twist = |at: &Section| if G > 0.0 { at.twist / (G * units.length) } else { 0.0 };
            let of_ends = sections.iter().flat_map(|at| {
                let [k1, k2] = at.bending.map(|bending| bending / (E * units.length));
                [at.axial / E, twist(at), k1, k2]
            });
            of_ends.chain(sections.iter().flat_map(|at| at.stress).map(|s| s / E)).collect()
        }
    };
    Some((RowKind::Line, rows))
}
