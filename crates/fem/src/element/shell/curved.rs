//! CQUAD8 and CTRIA6: quadratic shells on curved geometry.
//!
//! With x(ξ, η) the surface, n the director interpolated from the normals at the nodes, u the displacement
//! and d = Σ N_i θ_i × n_i the change of the director, strains linear in z follow from (x + zn) → (x + zn) +
//! (u + zd), in axes e₁, e₂ tangent to the surface:
//!
//! ```text
//! ε_ab = sym(e_a·u,b)     κ_ab = sym(e_a·d,b + n,a·u,b)     γ_a = e_a·d + n·u,a
//! ```
//!
//! They vanish for every rigid motion of any geometry (P. M. Naghdi, "The theory of shells and plates",
//! Handbuch der Physik VIa/2, 1972; in this form the degenerated shell of S. Ahmad, B. M. Irons and O. C.
//! Zienkiewicz, International Journal for Numerical Methods in Engineering 2 (1970) 419–451, linear in z).
//! Transverse shear is tied ([`super::curved_bending`]). The triangle's membrane strain is tied too; the
//! quadrilateral's is integrated at 2×2 points, where it does not lock (O. C. Zienkiewicz, R. L. Taylor and
//! J. M. Too, same journal 3 (1971) 275–290); the one mode that 2×2 points do not see in a CQUAD8 alone, and
//! that no mesh of two can have, gets a small part of the 3×3 stiffness.
//!
//! The rotation about the normal has Nastran's penalty ½·10⁻⁶·K6ROT·A₃₃·(θ·n − ω)² per area. A mid-side node
//! that is left out follows its side: rotation the mean of the ends, displacement the mean plus the (L/8)·(s
//! × Δθ) of a side that bends.

use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, Vector2, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::element::MaterialDirection;
use pliant_mesh::{CoordinateSystem, LinkMesh, NodeIndex};

use super::curved_membrane::MembranePoint;
use super::curved_stress;
use super::geometry::{material_angle, material_axis, surface_frame};
use super::section::{Section, ShellLaw};
use super::shape::{mass_points, quad_8, triangle_6};
use super::thermal;
use crate::element::{Element, ElementDof, ElementStress, FacePressure, GeometricSquares, MassKind};

/// Share of the 3×3 stiffness, times (thickness/size)² so that it cannot lock what 2×2 frees.
const STABILISATION: f64 = 0.01;

/// A curved shell.
pub(super) struct CurvedShell {
    pub(super) dofs: Vec<ElementDof>,
    /// Corners as on the card.
    pub(super) corners: Vec<NodeIndex>,
    /// Index among the present nodes of each node slot of the card; `None`: left out.
    pub(super) present: Vec<Option<usize>>,
    /// All node slots, left-out ones in the middle of their side.
    pub(super) positions: Vec<Vector3<f64>>,
    /// Unit normals there.
    directors: Vec<Vector3<f64>>,
    law: ShellLaw,
    /// Angle of the material axis from the ξ direction at each point, or the frame whose first axis it is.
    material: MaterialAxis,
    pub(super) thickness: Vec<f64>,
    pub(super) offset: f64,
    /// 10⁻⁶·K6ROT.
    pub(super) penalty: f64,
}

enum MaterialAxis {
    Angle(f64),
    Frame(Box<CoordinateSystem>),
}

/// Shape functions with tangent frame at a point.
pub(super) struct SurfacePoint {
    pub(super) N: Vec<f64>,
    /// ∂N/∂x₁, ∂N/∂x₂ along the frame.
    pub(super) gradients: Vec<Vector2<f64>>,
    pub(super) frame: Matrix3<f64>,
    /// Rows ∂(x₁, x₂)/∂ξ and ∂(x₁, x₂)/∂η.
    pub(super) jacobian: Matrix2<f64>,
    /// Area per natural area.
    pub(super) area: f64,
    /// Thickness; zero of a laminate.
    pub(super) thickness: f64,
    /// From the frame's first axis to the material's.
    pub(super) angle: f64,
    pub(super) section: Section,
}

impl CurvedShell {
    /// Builds it from its nodes in the order of the card.
    ///
    /// # Errors
    /// A message for a shape without area or folded over, or a material axis normal to it.
    #[expect(clippy::too_many_arguments, reason = "the fields of one card and what they refer to")]
    pub(super) fn new(
        mesh: &LinkMesh,
        nodes: &[NodeIndex],
        dofs: Vec<ElementDof>,
        law: ShellLaw,
        direction: MaterialDirection,
        thickness: Vec<f64>,
        offset: f64,
        penalty: f64,
    ) -> Result<Self, Box<Diagnostic>> {
        let corner_count = thickness.len();
        let mut positions: Vec<Vector3<f64>> = Vec::with_capacity(nodes.len());
        for (slot, node) in nodes.iter().enumerate() {
            positions.push(if node.is_some() {
                mesh.node(*node).position
            } else {
                let side = slot - corner_count;
                (positions[side] + positions[(side + 1) % corner_count]) * 0.5
            });
        }
        let mut next = 0;
        let present = nodes
            .iter()
            .map(|n| {
                n.is_some().then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let mut shell = Self {
            dofs,
            corners: nodes[..corner_count].to_vec(),
            present,
            positions,
            directors: Vec::new(),
            law,
            material: match direction {
                MaterialDirection::Angle(degrees) => MaterialAxis::Angle(degrees.to_radians()),
                MaterialDirection::Frame(index) => {
                    MaterialAxis::Frame(Box::new(mesh.coordinates[index.index()].clone()))
                }
            },
            thickness,
            offset,
            penalty,
        };
        let mid = shell.tangents(if corner_count == 4 { (0.0, 0.0) } else { (1.0 / 3.0, 1.0 / 3.0) });
        let middle = mid[0].cross(&mid[1]);
        for slot in shell.slot_coordinates() {
            let [a, b] = shell.tangents(slot);
            let normal = a.cross(&b);
            if normal.dot(&middle) <= 1e-6 * middle.norm_squared() {
                return Err(Diagnostic::boxed("it has no area, or a mid-side node folds it over"));
            }
            shell.directors.push(normal.normalize());
        }
        for (xi, eta, _) in mass_points(corner_count) {
            if let MaterialDirection::Frame(_) = direction {
                let point = shell.point(xi, eta);
                let position = shell.positions.iter().zip(&point.N).map(|(x, n)| x * *n).sum();
                material_angle(mesh, direction, &point.frame, position, 0.0).ok_or_else(|| {
                    Diagnostic::boxed("the x axis of its material frame (MCID) is normal to it")
                })?;
            }
        }
        Ok(shell)
    }

    pub(super) fn is_quadrilateral(&self) -> bool {
        self.thickness.len() == 4
    }

    /// Natural coordinates of the node slots of the card.
    fn slot_coordinates(&self) -> Vec<(f64, f64)> {
        if self.is_quadrilateral() {
            vec![(-1., -1.), (1., -1.), (1., 1.), (-1., 1.), (0., -1.), (1., 0.), (0., 1.), (-1., 0.)]
        } else {
            vec![(0., 0.), (1., 0.), (0., 1.), (0.5, 0.), (0.5, 0.5), (0., 0.5)]
        }
    }

    pub(super) fn functions(&self, xi: f64, eta: f64) -> (Vec<f64>, Vec<[f64; 2]>) {
        if self.is_quadrilateral() { quad_8(xi, eta) } else { triangle_6(xi, eta) }
    }

    pub(super) fn tangents(&self, (xi, eta): (f64, f64)) -> [Vector3<f64>; 2] {
        let (_, dN) = self.functions(xi, eta);
        [0, 1].map(|k| self.positions.iter().zip(&dN).map(|(x, d)| x * d[k]).sum())
    }

    pub(super) fn point(&self, xi: f64, eta: f64) -> SurfacePoint {
        let (N, dN) = self.functions(xi, eta);
        let [a, b] = self.tangents((xi, eta));
        let normal = a.cross(&b);
        let frame = surface_frame(a, normal.normalize()).expect("invariant: tangents are not parallel");
        let (e1, e2) = (frame.column(0), frame.column(1));
        let J = Matrix2::new(a.dot(&e1), a.dot(&e2), b.dot(&e1), b.dot(&e2));
        let inverse = J.try_inverse().expect("invariant: tangents are not parallel");
        let corners = self.corner_functions(xi, eta);
        let t = corners.iter().zip(&self.thickness).map(|(n, t)| n * t).sum();
        let angle = match &self.material {
            MaterialAxis::Angle(angle) => *angle,
            MaterialAxis::Frame(system) => {
                let position = self.positions.iter().zip(&N).map(|(x, n)| x * *n).sum();
                let axis = material_axis(system, position);
                axis.dot(&e2).atan2(axis.dot(&e1))
            }
        };
        SurfacePoint {
            gradients: dN.iter().map(|d| inverse * Vector2::from(*d)).collect(),
            N,
            frame,
            jacobian: J,
            area: normal.norm(),
            thickness: t,
            angle,
            section: self.section(t, angle),
        }
    }

    /// The section about the surface of the grids where the thickness is `t` and the material's axis turned
    /// by `angle`.
    pub(super) fn section(&self, t: f64, angle: f64) -> Section {
        self.law.at(t).turned(angle).raised(self.offset)
    }

    /// Linear or bilinear functions of the corners, for thickness and pressure.
    fn corner_functions(&self, xi: f64, eta: f64) -> Vec<f64> {
        if self.is_quadrilateral() {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            corners.iter().map(|(a, b)| 0.25 * (1.0 + a * xi) * (1.0 + b * eta)).collect()
        } else {
            vec![1.0 - xi - eta, xi, eta]
        }
    }

    /// Rows [ε; κ; γ; θ·n − ω] over 6 components of every node slot.
    pub(super) fn strains(&self, point: &SurfacePoint) -> DMatrix<f64> {
        let e = [point.frame.column(0).into_owned(), point.frame.column(1).into_owned()];
        let normal = point.frame.column(2).into_owned();
        let n: Vector3<f64> = point.N.iter().zip(&self.directors).map(|(N, d)| d * *N).sum();
        let slope = [0, 1].map(|b| -> Vector3<f64> {
            point.gradients.iter().zip(&self.directors).map(|(g, d)| d * g[b]).sum()
        });
        let mut B = DMatrix::zeros(9, 6 * point.N.len());
        for (i, g) in point.gradients.iter().enumerate() {
            let N = point.N[i];
            // e·(θ × n_i) = θ·(n_i × e).
            let turn = [self.directors[i].cross(&e[0]), self.directors[i].cross(&e[1])];
            let mut add = |row: usize, u: Vector3<f64>, theta: Vector3<f64>| {
                for k in 0..3 {
                    B[(row, 6 * i + k)] += u[k];
                    B[(row, 6 * i + 3 + k)] += theta[k];
                }
            };
            let zero = Vector3::zeros();
            add(0, e[0] * g.x, zero);
            add(1, e[1] * g.y, zero);
            add(2, e[0] * g.y + e[1] * g.x, zero);
            add(3, slope[0] * g.x, turn[0] * g.x);
            add(4, slope[1] * g.y, turn[1] * g.y);
            add(5, slope[0] * g.y + slope[1] * g.x, turn[0] * g.y + turn[1] * g.x);
            add(6, n * g.x, turn[0] * N);
            add(7, n * g.y, turn[1] * N);
            add(8, (e[0] * g.y - e[1] * g.x) * 0.5, normal * N);
        }
        B
    }

    /// ∫(ε + A⁻¹Bκ)ᵀA(ε + A⁻¹Bκ) over all node slots, with the given points.
    fn membrane(&self, points: &[MembranePoint]) -> DMatrix<f64> {
        let size = 6 * self.positions.len();
        let mut K = DMatrix::zeros(size, size);
        for MembranePoint { point, area, strain, curvature } in points {
            let epsilon = strain + point.section.uncoupled().0 * curvature;
            K += epsilon.transpose() * point.section.A * &epsilon * *area;
        }
        K
    }

    /// All node slots from the present nodes; see the head of the file.
    pub(super) fn followers(&self) -> DMatrix<f64> {
        let corner_count = self.thickness.len();
        let count = self.present.iter().flatten().count();
        let mut T = DMatrix::zeros(6 * self.present.len(), 6 * count);
        for (slot, node) in self.present.iter().enumerate() {
            if let Some(node) = node {
                T.view_mut((6 * slot, 6 * node), (6, 6)).fill_with_identity();
                continue;
            }
            let (i, j) = (slot - corner_count, (slot - corner_count + 1) % corner_count);
            let side = (self.positions[j] - self.positions[i]) / 8.0;
            let n = self.directors[slot];
            // s × Δθ without the part of Δθ about the normal.
            let bump = side.cross_matrix() * (Matrix3::identity() - n * n.transpose());
            for (corner, sign) in [(i, -1.0), (j, 1.0)] {
                for k in 0..6 {
                    T[(6 * slot + k, 6 * corner + k)] = 0.5;
                }
                let mut block = T.fixed_view_mut::<3, 3>(6 * slot, 6 * corner + 3);
                block += bump * sign;
            }
        }
        T
    }

    pub(super) fn has_followers(&self) -> bool {
        self.present.iter().any(Option::is_none)
    }

    pub(super) fn on_present(&self, A: DMatrix<f64>) -> DMatrix<f64> {
        if !self.has_followers() {
            return A;
        }
        let T = self.followers();
        T.transpose() * A * T
    }

    fn mass_matrix(&self, rotary: bool) -> DMatrix<f64> {
        let size = 6 * self.positions.len();
        let mut M = DMatrix::zeros(size, size);
        for (xi, eta, weight) in mass_points(self.thickness.len()) {
            let point = self.point(xi, eta);
            let area = weight * point.area;
            let height = if rotary { point.section.mass_height } else { 0.0 };
            let mut u = DMatrix::zeros(3, size);
            let mut d = DMatrix::zeros(3, size);
            for (i, N) in point.N.iter().enumerate() {
                u.view_mut((0, 6 * i), (3, 3)).fill_diagonal(*N);
                // θ × n = −[n]× θ.
                let turn = self.directors[i].cross_matrix() * -N;
                d.view_mut((0, 6 * i + 3), (3, 3)).copy_from(&turn);
            }
            u += &d * height;
            M += u.transpose() * &u * (point.section.mass * area);
            if rotary {
                M += d.transpose() * &d * (point.section.rotary_inertia * area);
            }
        }
        M
    }
}

impl Element for CurvedShell {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        let mut K = if self.is_quadrilateral() {
            let section = self.point(0.0, 0.0).section;
            let (membrane, bending) = (section.A.amax(), section.uncoupled().1.amax());
            let thinness = if membrane > 0.0 && bending > 0.0 { 12.0 * bending / membrane } else { f64::MAX };
            let share = STABILISATION * (thinness / self.measure()).min(0.1);
            self.membrane(&self.membrane_points()) * (1.0 - share)
                + self.membrane(&self.plain_points(&mass_points(4))) * share
        } else {
            self.membrane(&self.membrane_points())
        };
        K += self.bending().K;
        let K = self.on_present(K);
        Some((&K + K.transpose()) * 0.5)
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        if self.point(0.25, 0.25).section.mass == 0.0 {
            return None;
        }
        let mut M = self.on_present(self.mass_matrix(kind == MassKind::Consistent));
        if kind == MassKind::Consistent {
            return Some(M);
        }
        // Translations only.
        for i in 0..M.nrows() {
            for j in 0..M.ncols() {
                let wrong = i % 6 >= 3 || j % 6 >= 3 || i % 6 != j % 6;
                if wrong || (kind == MassKind::Lumped && i != j) {
                    M[(i, j)] = 0.0;
                }
            }
        }
        if kind == MassKind::Lumped {
            // Row sums would be negative at corners; the diagonal of the consistent mass, scaled to the total
            // mass, is not (E. Hinton, T. Rock and O. C. Zienkiewicz, Earthquake Engineering & Structural
            // Dynamics 4 (1976) 245–249).
            let total: f64 = mass_points(self.thickness.len())
                .iter()
                .map(|(xi, eta, w)| {
                    let point = self.point(*xi, *eta);
                    w * point.area * point.section.mass
                })
                .sum();
            let trace: f64 = (0..M.nrows()).step_by(6).map(|i| M[(i, i)]).sum();
            M *= total / trace;
        }
        Some(M)
    }

    fn pressure_load(&self, pressure: &FacePressure) -> Option<DVector<f64>> {
        let mut values = Vec::with_capacity(self.corners.len());
        for node in &self.corners {
            values.push(pressure.pressures[pressure.corners.iter().position(|c| c == node)?]);
        }
        let mut load = DVector::zeros(6 * self.positions.len());
        for (xi, eta, weight) in mass_points(self.corners.len()) {
            let point = self.point(xi, eta);
            let value: f64 = self.corner_functions(xi, eta).iter().zip(&values).map(|(n, v)| n * v).sum();
            let direction = pressure.direction.map_or(point.frame.column(2).into_owned(), |d| d.normalize());
            let force = direction * (value * weight * point.area);
            for (i, n) in point.N.iter().enumerate() {
                let mut target = load.fixed_rows_mut::<3>(6 * i);
                target += force * *n;
            }
        }
        Some(if self.has_followers() { self.followers().transpose() * load } else { load })
    }

    fn thermal_load(&self, temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        Some(thermal::curved(self, temperature))
    }

    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        Some(curved_stress::stress(self, u).into_iter().map(ElementStress::Shell).collect())
    }

    fn geometric_squares(&self, u: &DMatrix<f64>) -> Option<GeometricSquares> {
        Some(curved_stress::geometric_squares(self, u))
    }

    fn measure(&self) -> f64 {
        mass_points(self.thickness.len()).iter().map(|(xi, eta, w)| w * self.point(*xi, *eta).area).sum()
    }
}
