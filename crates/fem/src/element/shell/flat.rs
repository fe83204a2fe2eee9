//! CQUAD4, CTRIA3, CQUADR and CTRIAR: a membrane and a Mindlin plate.
//!
//! CQUAD4 and CTRIA3 have no drilling freedom: their membranes are QM6 ([`super::qm6`]) and constant strain
//! ([`super::membrane`]), and the rotation about the normal has the weak stiffness of PARAM,K6ROT
//! ([`super::drilling`]). The membranes of CQUADR and CTRIAR ([`super::hybrid`], [`super::opt`]) use that
//! rotation. All share the bending of [`super::bending`].
//!
//! A warped quadrilateral is computed in its mean plane ([`super::geometry::warp`]). ZOFFS, and an eccentric
//! laminate up to the surface of least coupling, are rigid links from the grids; the coupling that remains
//! acts on the means of strain and curvature.

use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};
use pliant_mesh::NodeIndex;

use super::bending::{Bending, Plate, plate_bending};
use super::geometry::{offset, to_basic, warp};
use super::hybrid::hybrid_quadrilateral;
use super::membrane::{Membrane, constant_strain};
use super::opt::membrane_triangle;
use super::qm6::incompatible_quadrilateral;
use super::section::{Section, ShellLaw};
use super::shape::{ShapePoint, flat, mass_points};
use super::{drilling, flat_stress, thermal};
use crate::element::{Element, ElementDof, ElementStress, FacePressure, GeometricSquares, MassKind};

/// What the rotation about the normal does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drilling {
    /// It is a freedom of the membrane.
    Freedom,
    /// It has only this stiffness, 10⁻⁶·K6ROT.
    Penalty(f64),
}

/// Index among six components per corner of a membrane's row (u v θz).
pub(super) fn membrane_row(i: usize) -> usize {
    6 * (i / 3) + [0, 1, 5][i % 3]
}

/// Index of a plate's row (w θx θy).
pub(super) fn bending_row(i: usize) -> usize {
    6 * (i / 3) + 2 + i % 3
}

/// A flat shell.
pub(super) struct FlatShell {
    pub(super) dofs: Vec<ElementDof>,
    pub(super) nodes: Vec<NodeIndex>,
    /// Corners about their mean, in the element frame; z is the warp.
    pub(super) corners: Vec<Vector3<f64>>,
    /// Their mean in the basic frame.
    pub(super) origin: Vector3<f64>,
    /// Element frame in the basic one: columns x, y, z.
    pub(super) frame: Matrix3<f64>,
    pub(super) law: ShellLaw,
    /// From the element's x axis to the material's, radians.
    pub(super) angle: f64,
    /// At the corners.
    pub(super) thickness: Vec<f64>,
    /// ZOFFS.
    pub(super) offset: f64,
    pub(super) drilling: Drilling,
}

impl FlatShell {
    pub(super) fn flat_corners(&self) -> Vec<Vector2<f64>> {
        self.corners.iter().map(Vector3::xy).collect()
    }

    /// The section where the corner functions have the values N, in element axes.
    pub(super) fn section(&self, N: &[f64]) -> Section {
        let t = N.iter().zip(&self.thickness).map(|(n, t)| n * t).sum();
        self.law.at(t).turned(self.angle)
    }

    pub(super) fn mean_section(&self) -> Section {
        let count = self.corners.len();
        self.section(&vec![1.0 / count as f64; count])
    }

    /// Element of area of the (possibly warped) surface at a point: normal vector × area per natural area.
    fn area_vector(&self, point: &ShapePoint) -> Vector3<f64> {
        let mut along = [Vector3::zeros(); 2];
        for (x, gradient) in self.corners.iter().zip(&point.gradients) {
            let natural = point.jacobian * gradient;
            along[0] += x * natural.x;
            along[1] += x * natural.y;
        }
        along[0].cross(&along[1])
    }

    /// Its membrane, rows u v θz of each corner.
    pub(super) fn membrane(&self) -> Membrane {
        let p = self.flat_corners();
        let A = self.mean_section().A;
        match (self.drilling, p.len()) {
            (Drilling::Freedom, 4) => hybrid_quadrilateral(&p, &A)
                .expect("invariant: a CQUADR whose membrane is singular is refused when it is built"),
            (Drilling::Freedom, _) => membrane_triangle([p[0], p[1], p[2]], &A),
            (Drilling::Penalty(factor), count) => {
                let mut membrane = if count == 4 {
                    incompatible_quadrilateral(&p, &|N: &[f64]| self.section(N).A)
                } else {
                    constant_strain(&p, &A)
                };
                membrane.K += drilling::stiffness(&p, factor * A[(2, 2)]);
                membrane
            }
        }
    }

    /// Its plate about the surface at `height`, rows w θx θy of each corner.
    pub(super) fn bending(&self, height: f64) -> Bending {
        plate_bending(&Plate {
            corners: &self.flat_corners(),
            section: &|N: &[f64]| self.section(N).raised(-height),
        })
    }

    /// From 6 components per grid in the element frame to those of the flat element whose surface of least
    /// coupling is at `height` above the property's own; `None`: they are the same.
    pub(super) fn to_plane(&self, height: f64) -> Option<DMatrix<f64>> {
        let count = self.corners.len();
        let above = self.offset + height;
        let T = (above != 0.0).then(|| offset(count, above));
        if self.corners.iter().all(|c| c.z == 0.0) {
            return T;
        }
        let W = warp(&self.corners);
        Some(T.map_or(W.clone(), |T| W * T))
    }

    /// Area of the flat projection.
    pub(super) fn area(&self) -> f64 {
        let p = self.flat_corners();
        (0..p.len()).map(|i| 0.5 * p[i].perp(&p[(i + 1) % p.len()])).sum()
    }

    /// Height of the surface of least coupling above the property's own.
    pub(super) fn neutral_height(&self) -> f64 {
        let mean = self.mean_section();
        if mean.A.amax() > 0.0 && mean.D.amax() > 0.0 { mean.neutral_height() } else { 0.0 }
    }

    /// Writes the three rows of the displacement over 6 components per corner, or of a derivative of it, into
    /// `u` from row `first` on, where zeros are: from the values (derivatives) of the functions of corners
    /// and sides, which add the quadratic displacement that the difference of rotations at the ends of a side
    /// implies.
    pub(super) fn write_displacement(&self, N: &[f64], P: &[f64], u: &mut DMatrix<f64>, first: usize) {
        let mut u = u.rows_mut(first, 3);
        for (i, n) in N.iter().enumerate() {
            for k in 0..3 {
                u[(k, 6 * i + k)] = *n;
            }
        }
        for (i, P) in P.iter().enumerate() {
            let j = (i + 1) % self.corners.len();
            let side = (self.corners[j] - self.corners[i]).xy();
            // L/8 times the unit vector, times the function of the side.
            let s = side * (P / 8.0);
            for (node, sign) in [(i, -1.0), (j, 1.0)] {
                u[(2, 6 * node + 4)] += sign * s.x;
                u[(2, 6 * node + 3)] -= sign * s.y;
                if self.drilling == Drilling::Freedom {
                    u[(0, 6 * node + 5)] += sign * s.y;
                    u[(1, 6 * node + 5)] -= sign * s.x;
                }
            }
        }
    }

    /// ∫ρ NᵀN with rotary inertia, about the surface of the centres of mass, carried to the grids: RᵀWR with
    /// the rows R of displacement and rotations of the normal βx, βy at all points, and their weights W.
    fn consistent_mass(&self) -> DMatrix<f64> {
        let p = self.flat_corners();
        let points = mass_points(p.len());
        let mut R = DMatrix::zeros(5 * points.len(), 6 * p.len());
        let mut W = Vec::with_capacity(R.nrows());
        for (k, (xi, eta, weight)) in points.into_iter().enumerate() {
            let point = flat(&p, xi, eta);
            let section = self.section(&point.N);
            let area = weight * self.area_vector(&point).norm();
            self.write_displacement(&point.N, &point.P, &mut R, 5 * k);
            for (i, n) in point.N.iter().enumerate() {
                R[(5 * k + 3, 6 * i + 4)] = *n;
                R[(5 * k + 4, 6 * i + 3)] = -n;
            }
            W.extend([section.mass * area; 3]);
            W.extend([section.rotary_inertia * area; 2]);
        }
        let height = self.offset + self.mean_section().mass_height;
        if height != 0.0 {
            R *= offset(p.len(), height);
        }
        let mut WR = R.clone();
        WR.column_iter_mut().for_each(|mut column| column.iter_mut().zip(&W).for_each(|(r, w)| *r *= w));
        R.transpose() * WR
    }

    /// Translations only: ∫ρ N_i on the diagonal, or ∫ρ N_i N_j.
    fn translational_mass(&self, lumped: bool) -> DMatrix<f64> {
        let p = self.flat_corners();
        let count = p.len();
        let mut M = DMatrix::zeros(6 * count, 6 * count);
        for (xi, eta, weight) in mass_points(count) {
            let point = flat(&p, xi, eta);
            let mass = weight * self.area_vector(&point).norm() * self.section(&point.N).mass;
            for i in 0..count {
                for j in 0..count {
                    let column = if lumped { i } else { j };
                    for k in 0..3 {
                        M[(6 * i + k, 6 * column + k)] += mass * point.N[i] * point.N[j];
                    }
                }
            }
        }
        M
    }
}

impl Element for FlatShell {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        let count = self.corners.len();
        let mean = self.mean_section();
        let (has_membrane, has_bending) = (mean.A.amax() > 0.0, mean.D.amax() > 0.0);
        let height = self.neutral_height();
        let mut K = DMatrix::zeros(6 * count, 6 * count);
        let mut add = |part: &DMatrix<f64>, row: &dyn Fn(usize) -> usize, column: &dyn Fn(usize) -> usize| {
            for i in 0..part.nrows() {
                for j in 0..part.ncols() {
                    K[(row(i), column(j))] += part[(i, j)];
                }
            }
        };
        let membrane = has_membrane.then(|| self.membrane());
        let bending = has_bending.then(|| self.bending(height));
        if let Some(part) = &membrane {
            add(&part.K, &membrane_row, &membrane_row);
        }
        if let Some(part) = &bending {
            add(&part.K, &bending_row, &bending_row);
        }
        if let (Some(Membrane { L, .. }), Some(part)) = (&membrane, &bending) {
            let B = mean.raised(-height).B;
            if B.amax() > 0.0 {
                let coupling = L * B * part.L.transpose() / self.area();
                add(&coupling, &membrane_row, &bending_row);
                add(&coupling.transpose(), &bending_row, &membrane_row);
            }
        }
        if let Some(T) = self.to_plane(height) {
            K = T.transpose() * K * T;
        }
        K = (&K + K.transpose()) * 0.5;
        Some(to_basic(&K, &self.frame))
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        if self.mean_section().mass == 0.0 {
            return None;
        }
        let M = match kind {
            MassKind::Lumped => self.translational_mass(true),
            MassKind::Coupled => self.translational_mass(false),
            MassKind::Consistent => self.consistent_mass(),
        };
        Some(to_basic(&M, &self.frame))
    }

    fn pressure_load(&self, pressure: &FacePressure) -> Option<DVector<f64>> {
        let p = self.flat_corners();
        let mut values = Vec::with_capacity(p.len());
        for node in &self.nodes {
            values.push(pressure.pressures[pressure.corners.iter().position(|c| c == node)?]);
        }
        let mut load = DVector::zeros(6 * p.len());
        for (xi, eta, weight) in mass_points(p.len()) {
            let point = flat(&p, xi, eta);
            let area = self.area_vector(&point) * weight;
            let value: f64 = point.N.iter().zip(&values).map(|(n, v)| n * v).sum();
            let force = match pressure.direction {
                None => self.frame * area * value,
                Some(direction) => direction.normalize() * (area.norm() * value),
            };
            for (i, n) in point.N.iter().enumerate() {
                let mut target = load.fixed_rows_mut::<3>(6 * i);
                target += force * *n;
            }
        }
        Some(load)
    }

    fn thermal_load(&self, temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        Some(thermal::flat(self, temperature))
    }

    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        Some(flat_stress::stress(self, u).into_iter().map(ElementStress::Shell).collect())
    }

    fn geometric_squares(&self, u: &DMatrix<f64>) -> Option<GeometricSquares> {
        Some(flat_stress::geometric_squares(self, u))
    }

    fn measure(&self) -> f64 {
        let p = self.flat_corners();
        let points = mass_points(p.len());
        points.iter().map(|(xi, eta, w)| w * self.area_vector(&flat(&p, *xi, *eta)).norm()).sum()
    }
}
