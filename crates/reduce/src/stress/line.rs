//! Rows of bars, beams and rods.

use nalgebra::Vector6;
use pliant_fem::element::LineForces;
use pliant_mesh::LinkMesh;
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::property::PropertyKind;

use super::StressKind;

/// What turns forces at one end into stress.
struct End {
    area: f64,
    /// I1, I2, I12.
    inertia: [f64; 3],
    /// (y, z) of the stress points from the neutral axis.
    points: [[f64; 2]; 4],
}

impl End {
    /// σ = N/A − y E κ1 − z E κ2 with M1 = E(I1κ1 + I12κ2), M2 = E(I12κ1 + I2κ2): plane 1 is x–y, plane 2 is x–z.
    fn stress(&self, forces: &Vector6<f64>) -> [f64; 4] {
        let [i1, i2, i12] = self.inertia;
        let (m1, m2) = (forces[4], forces[5]);
        let determinant = i1 * i2 - i12 * i12;
        let (bend1, bend2) = if determinant > 0.0 {
            ((i2 * m1 - i12 * m2) / determinant, (i1 * m2 - i12 * m1) / determinant)
        } else {
            // Bending in one plane, or none.
            let alone = |m: f64, i: f64| if i > 0.0 { m / i } else { 0.0 };
            (alone(m1, i1), alone(m2, i2))
        };
        let axial = if self.area > 0.0 { forces[0] / self.area } else { 0.0 };
        self.points.map(|[y, z]| axial - y * bend1 - z * bend2)
    }
}

/// The ends A and B of a line element.
fn ends(mesh: &LinkMesh, which: ElementRef) -> Option<[End; 2]> {
    let rod = |area: f64| [area, area].map(|area| End { area, inertia: [0.0; 3], points: [[0.0; 2]; 4] });
    match which {
        ElementRef::Rod(row) => match &mesh.rods[row as usize].section {
            RodSection::Own(_, property) => Some(rod(property.area)),
            RodSection::Property(at) => match &mesh.properties[at.index()].kind {
                PropertyKind::Rod(_, property) => Some(rod(property.area)),
                PropertyKind::Tube(_, tube) => Some(tube.outer_diameter.map(|d| {
                    let inner = if tube.thickness > 0.0 { d - 2.0 * tube.thickness } else { 0.0 };
                    let area = 0.25 * std::f64::consts::PI * (d * d - inner * inner);
                    End { area, inertia: [0.0; 3], points: [[0.0; 2]; 4] }
                })),
                _ => None,
            },
        },
        ElementRef::Bar(row) => match &mesh.properties[mesh.bars[row as usize].property.index()].kind {
            PropertyKind::Bar(_, p) => Some([(); 2].map(|()| End {
                area: p.area,
                inertia: [p.i1, p.i2, p.i12],
                points: p.stress_points,
            })),
            PropertyKind::Beam(_, p) => {
                let end = |k: usize| {
                    let station = if k == 0 { p.stations.first() } else { p.stations.last() }?;
                    let [n1, n2] = p.neutral_axis[k];
                    Some(End {
                        area: station.area,
                        inertia: [station.i1, station.i2, station.i12],
                        points: station.stress_points.map(|[y, z]| [y - n1, z - n2]),
                    })
                };
                Some([end(0)?, end(1)?])
            }
            _ => None,
        },
        _ => None,
    }
}

/// Forces at both ends and stress at their points, SI.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    forces: &LineForces,
) -> Option<(StressKind, Vec<f64>)> {
    let ends = ends(mesh, which)?;
    let (a, b) = (&forces.sections.first()?.1, &forces.sections.last()?.1);
    let units = mesh.units;
    let force = units.mass * units.length / (units.time * units.time);
    let (moment, pressure) = (force * units.length, force / (units.length * units.length));
    let scale = [force, force, force, moment, moment, moment];
    let of_forces =
        [a, b].into_iter().flat_map(|f| f.iter().zip(scale).map(|(f, s)| f * s).collect::<Vec<_>>());
    let stress = ends.iter().zip([a, b]).flat_map(|(end, forces)| end.stress(forces)).map(|s| s * pressure);
    Some((StressKind::Line, of_forces.chain(stress).collect()))
}
