//! CSHEAR: a panel that carries shear along its edges, after Garvey (*The quadrilateral shear panel*,
//! Aircraft Engineering 23, 1951), as NASTRAN's shear panel does.
//!
//! A plane quadrilateral is the projective image of the unit square, x = X(s,t)/w(s,t) with X and w linear.
//! On the images of the lines s and t a state of pure shear q = q₀w² is in equilibrium inside and gives each
//! edge a force along itself. Half of each edge's force at its two ends adds up to forces along the
//! diagonals, q₀w₁w₃(x₃−x₁)/2 at corner 1: in equilibrium also when the corners are not in one plane, since
//! each diagonal is its own line of action. The strain energy of the oblique shear, with θ the angle between
//! the two families of lines, gives the flexibility
//!
//! ```text
//! C = 1/(Gt) ∫∫ w⁴ (1 + 2cot²θ/(1+ν)) dA,    K = a aᵀ/C
//! ```
//!
//! with a the corner forces of q₀ = 1. Corners out of plane are projected onto the mean plane for C. F1 and
//! F2 add rods along the edges (MSC quick reference guide, PSHEAR): F·t·A/(L₁₂+L₃₄) each when F ≤ 1.01, else
//! F·t²/2. Mass: lumped by corner triangles, or bilinear when consistent.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Matrix2, SVector, Vector2, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::MaterialLaw;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::PropertyKind;

use super::line::frame::node_dofs;
use super::line::quadrature::{PointCount, gauss};
use super::{Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct ShearPanelElement {
    dofs: Vec<ElementDof>,
    corners: [Vector3<f64>; 4],
    /// In the mean plane.
    flat: [Vector2<f64>; 4],
    area: f64,
    mass_per_area: f64,
    /// a/√C.
    shear: SVector<f64, 12>,
    /// EA/L of the rods on edges 12, 23, 34, 41.
    edge_stiffness: [f64; 4],
}

/// The projective map of the unit square onto a quadrilateral, by its value and weight w at the corners
/// (0,0), (1,0), (1,1), (0,1).
struct Projective {
    flat: [Vector2<f64>; 4],
    w: [f64; 4],
}

impl Projective {
    /// `None` when the quadrilateral is not convex.
    fn new(flat: [Vector2<f64>; 4]) -> Option<Self> {
        // w₃x₃ = w₂x₂ + w₄x₄ − w₁x₁ and w₃ = w₂ + w₄ − w₁ with w₁ = 1.
        let [x1, x2, x3, x4] = flat;
        let A = Matrix2::from_columns(&[x2 - x3, x4 - x3]);
        let w24 = A.try_inverse()? * (x1 - x3);
        let w = [1.0, w24.x, w24.x + w24.y - 1.0, w24.y];
        w.iter().all(|w| *w > 0.0).then_some(Self { flat, w })
    }

    /// w, ∂x/∂s and ∂x/∂t at (s, t).
    fn at(&self, s: f64, t: f64) -> (f64, Vector2<f64>, Vector2<f64>) {
        let X = |k: usize| self.flat[k] * self.w[k];
        let (X_s, X_t) = (X(1) - X(0), X(3) - X(0));
        let (w_s, w_t) = (self.w[1] - self.w[0], self.w[3] - self.w[0]);
        let w = self.w[0] + s * w_s + t * w_t;
        let x = (X(0) + X_s * s + X_t * t) / w;
        (w, (X_s - x * w_s) / w, (X_t - x * w_t) / w)
    }

    /// ∫∫ w⁴ (1 + 2cot²θ/(1+ν)) dA.
    fn shear_integral(&self, poisson_ratio: f64) -> f64 {
        let mut sum = 0.0;
        for (s, weight_s) in gauss(PointCount::Eight, 0.0, 1.0) {
            for (t, weight_t) in gauss(PointCount::Eight, 0.0, 1.0) {
                let (w, x_s, x_t) = self.at(s, t);
                let jacobian = x_s.perp(&x_t);
                let cotangent = x_s.dot(&x_t) / jacobian;
                let oblique = 1.0 + 2.0 * cotangent * cotangent / (1.0 + poisson_ratio);
                sum += w.powi(4) * oblique * jacobian * weight_s * weight_t;
            }
        }
        sum
    }
}

/// Builds one.
///
/// # Errors
/// Corners that do not make a convex quadrilateral, a material that is not MAT1, a property of another kind.
pub(super) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::ShearPanel(row) = which else { unreachable!("invariant: the registry sends these here") };
    let mesh = context.mesh;
    let panel = &mesh.shear_panels[row as usize];
    let error = |message: &str| element_error(mesh, which, message);
    let PropertyKind::Shear(material, property) = mesh.properties[panel.property.index()].kind else {
        return Err(error("its property is of another kind"));
    };
    let material = &mesh.materials[material.index()];
    let MaterialLaw::Isotropic { youngs_modulus, shear_modulus, poisson_ratio, .. } = material.law else {
        return Err(error("its material is not isotropic; a shear panel needs a MAT1"));
    };
    let t = property.thickness;
    if !(t > 0.0 && shear_modulus > 0.0 && property.f1 >= 0.0 && property.f2 >= 0.0) {
        return Err(error(&format!(
            "thickness and shear modulus must be positive, F1 and F2 not negative, found {t}, {shear_modulus}, {} and {}",
            property.f1, property.f2
        )));
    }
    let corners = panel.nodes.map(|n| mesh.node(n).position);
    let diagonals = [corners[2] - corners[0], corners[3] - corners[1]];
    let normal = diagonals[0].cross(&diagonals[1]);
    let area = 0.5 * normal.norm();
    let not_convex = "its corners do not form a convex quadrilateral";
    if area <= 1e-12 * diagonals[0].norm_squared().max(diagonals[1].norm_squared()) {
        return Err(error(not_convex));
    }
    let x = diagonals[0].normalize();
    let y = normal.normalize().cross(&x);
    let flat = corners.map(|c| Vector2::new(x.dot(&(c - corners[0])), y.dot(&(c - corners[0]))));
    let map = Projective::new(flat).ok_or_else(|| error(not_convex))?;

    let flexibility = map.shear_integral(poisson_ratio) / (shear_modulus * t);
    let mut shear = SVector::<f64, 12>::zeros();
    for (corner, opposite, sign) in [(0, 2, 1.0), (1, 3, -1.0), (2, 0, 1.0), (3, 1, -1.0)] {
        let force = (corners[opposite] - corners[corner]) * (0.5 * sign * map.w[corner] * map.w[opposite]);
        shear.fixed_rows_mut::<3>(3 * corner).copy_from(&(force / flexibility.sqrt()));
    }
    let length = [0, 1, 2, 3].map(|k| (corners[(k + 1) % 4] - corners[k]).norm());
    let rod_area = |f: f64, k: usize| {
        if f <= 1.01 { f * t * area / (length[k] + length[(k + 2) % 4]) } else { 0.5 * f * t * t }
    };
    let edge_stiffness =
        [0, 1, 2, 3].map(|k| youngs_modulus * rod_area([property.f1, property.f2][k % 2], k) / length[k]);
    Ok(Box::new(ShearPanelElement {
        dofs: node_dofs(&panel.nodes, 3),
        corners,
        flat,
        area,
        mass_per_area: material.density * t + property.nsm + context.extra_nsm,
        shear,
        edge_stiffness,
    }))
}

impl ShearPanelElement {
    /// 4×4 mass over the corners, the same in three directions.
    fn corner_mass(&self, kind: MassKind) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(4, 4);
        if kind == MassKind::Consistent {
            for (s, weight_s) in gauss(PointCount::Four, 0.0, 1.0) {
                for (t, weight_t) in gauss(PointCount::Four, 0.0, 1.0) {
                    let N = [(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t];
                    let x_s = (self.flat[1] - self.flat[0]) * (1.0 - t) + (self.flat[2] - self.flat[3]) * t;
                    let x_t = (self.flat[3] - self.flat[0]) * (1.0 - s) + (self.flat[2] - self.flat[1]) * s;
                    let da = x_s.perp(&x_t) * weight_s * weight_t * self.mass_per_area;
                    m += DMatrix::from_fn(4, 4, |i, j| N[i] * N[j] * da);
                }
            }
            return m;
        }
        // Each of the four corner triangles shares its mass between its corners; together they cover the
        // panel twice.
        for k in 0..4 {
            let [a, b, c] = [(k + 3) % 4, k, (k + 1) % 4];
            let double_area = (self.flat[c] - self.flat[b]).perp(&(self.flat[a] - self.flat[b]));
            for corner in [a, b, c] {
                m[(corner, corner)] += double_area / 12.0 * self.mass_per_area;
            }
        }
        m
    }
}

impl Element for ShearPanelElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        let mut K = self.shear * self.shear.transpose();
        for (k, stiffness) in self.edge_stiffness.iter().enumerate() {
            let next = (k + 1) % 4;
            let direction = (self.corners[next] - self.corners[k]).normalize();
            let mut stretch = SVector::<f64, 12>::zeros();
            stretch.fixed_rows_mut::<3>(3 * k).copy_from(&-direction);
            stretch.fixed_rows_mut::<3>(3 * next).copy_from(&direction);
            K += stretch * stretch.transpose() * *stiffness;
        }
        Some(DMatrix::from_fn(12, 12, |i, j| K[(i, j)]))
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        let m = self.corner_mass(kind);
        Some(DMatrix::from_fn(12, 12, |i, j| if i % 3 == j % 3 { m[(i / 3, j / 3)] } else { 0.0 }))
    }

    fn measure(&self) -> f64 {
        self.area
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DVector, Matrix3};
    use pliant_diag::Origin;
    use pliant_mesh::element::ShearPanel;
    use pliant_mesh::property::ShearProperty;
    use pliant_mesh::{ElementId, MaterialIndex, NodeIndex, PropertyIndex};

    use super::super::contract::{self, Contract, MassFacts, Placement};
    use super::super::line::bar_fixture::{E, G, RHO, material, property};
    use super::super::registry;
    use super::*;

    const T: f64 = 2e-3;
    const NU: f64 = 0.33;

    fn panel(placement: &Placement, f1: f64, f2: f64) -> Result<Box<dyn Element>, Box<Diagnostic>> {
        let mut mesh = placement.mesh();
        mesh.materials.push(material());
        let shear = ShearProperty { thickness: T, nsm: 0.4, f1, f2 };
        mesh.properties.push(property(PropertyKind::Shear(MaterialIndex(0), shear)));
        mesh.shear_panels.push(ShearPanel {
            id: ElementId(1),
            property: PropertyIndex(0),
            nodes: [0, 1, 2, 3].map(|k| placement.nodes[k]),
            source: Origin::default(),
        });
        registry::build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::ShearPanel(0))
    }

    fn flat(points: [[f64; 2]; 4]) -> Placement {
        Placement {
            positions: points.map(|[x, y]| Vector3::new(x, y, 0.0)).to_vec(),
            nodes: (0..4).map(NodeIndex::from).collect(),
            rotation: Matrix3::identity(),
        }
    }

    fn energy(
        element: &dyn Element,
        positions: &[Vector3<f64>],
        field: impl Fn(Vector3<f64>) -> Vector3<f64>,
    ) -> f64 {
        let u = DVector::from_iterator(12, positions.iter().flat_map(|p| field(*p).data.0[0]));
        0.5 * u.dot(&(element.stiffness().unwrap() * &u))
    }

    /// A parallelogram with its corners lifted and lowered in turn, whose centre stays where it was, and a
    /// plane quadrilateral without symmetry, whose centre is that of its two triangles.
    #[test]
    fn panels_keep_the_contract() {
        let (a, b) = (Vector3::new(1.1, 0.2, -0.1), Vector3::new(0.2, 0.8, 0.3));
        let (origin, lift) = (Vector3::new(0.1, -0.1, 0.3), a.cross(&b) * 0.1);
        let warped = vec![origin + lift, origin + a - lift, origin + a + b + lift, origin + b - lift];
        let plane =
            [[0.0, 0.0], [1.2, 0.1], [1.4, 0.9], [-0.1, 0.7]].map(|[s, t]: [f64; 2]| origin + a * s + b * t);
        let triangle = |k: [usize; 3]| {
            let [p, q, r] = k.map(|k| plane[k]);
            (0.5 * (q - p).cross(&(r - p)).norm(), (p + q + r) / 3.0)
        };
        let (one, two) = (triangle([0, 1, 2]), triangle([0, 2, 3]));
        let area = one.0 + two.0;
        let cases = [
            (warped, a.cross(&b).norm(), origin + (a + b) / 2.0),
            (plane.to_vec(), area, (one.1 * one.0 + two.1 * two.0) / area),
        ];
        for (positions, area, centre) in cases {
            contract::check(&Contract {
                name: "CSHEAR",
                positions,
                build: &|placement| panel(placement, 0.5, 1.5).unwrap(),
                // Twelve, less the shear and four edges.
                zero_energy_modes: 7,
                mass: Some(MassFacts { mass: area * (RHO * T + 0.4), centre, inertia_about_centre: None }),
            });
        }
    }

    /// Rectangle in pure shear γ: energy ½Gγ²tA. Stretched it does nothing, unless F1 = 1: then ½Eε²tA.
    #[test]
    fn a_rectangle_carries_shear() {
        let placement = flat([[0.0, 0.0], [0.5, 0.0], [0.5, 0.3], [0.0, 0.3]]);
        let element = panel(&placement, 0.0, 0.0).unwrap();
        let gamma = 1e-3;
        let volume = 0.15 * T;
        let found = energy(element.as_ref(), &placement.positions, |p| Vector3::new(gamma * p.y, 0.0, 0.0));
        assert!((found / (0.5 * G * gamma * gamma * volume) - 1.0).abs() < 1e-12);
        let stretch = |p: Vector3<f64>| Vector3::new(gamma * p.x, 0.0, 0.0);
        assert!(energy(element.as_ref(), &placement.positions, stretch) < 1e-12 * found);
        let element = panel(&placement, 1.0, 0.0).unwrap();
        let found = energy(element.as_ref(), &placement.positions, stretch);
        assert!((found / (0.5 * E * gamma * gamma * volume) - 1.0).abs() < 1e-12);
    }

    /// Parallelogram: forces q along its edges do the work of the oblique shear state, flexibility
    /// A(1 + 2cot²θ/(1+ν))/Gt.
    #[test]
    fn a_parallelogram_has_garveys_flexibility() {
        let (a, b, cotangent) = (0.5, 0.3, 0.6);
        let placement = flat([[0.0, 0.0], [a, 0.0], [a + cotangent * b, b], [cotangent * b, b]]);
        let K = panel(&placement, 0.0, 0.0).unwrap().stiffness().unwrap();
        let flexibility = a * b * (1.0 + 2.0 * cotangent * cotangent / (1.0 + NU)) / (G * T);
        // Corner force of unit shear flow: half the diagonal.
        let x = 0.5 * (a + cotangent * b);
        assert!((K[(0, 0)] / (x * x / flexibility) - 1.0).abs() < 1e-12);
    }

    /// A trapezoid with 12 ∥ 43 and an apex P where its sides meet. NASTRAN's closed form for it (theoretical
    /// manual, NASA SP-221, shear panels): flexibility ∝ p₁p₂/(p₃p₄)·A·[1 + ⅔/(1+ν)·(σ² + σc + c²)], p the
    /// distances from the line through P parallel to the base, σ and c the slopes of the sides; with corner
    /// force L₁₂·y₄·L₁₃/(2(x₃y₄ − x₄y₃)) along diagonal 1–3.
    #[test]
    fn a_trapezoid_has_nastrans_flexibility() {
        let (x2, y3) = (1.0, 0.6);
        let (x3, x4) = (0.8, 0.25);
        let placement = flat([[0.0, 0.0], [x2, 0.0], [x3, y3], [x4, y3]]);
        let K = panel(&placement, 0.0, 0.0).unwrap().stiffness().unwrap();
        let apex_y = x2 * y3 / (x2 - x3 + x4);
        let apex_x = x4 / y3 * apex_y;
        let (sigma, c) = ((x2 - apex_x) / apex_y, -apex_x / apex_y);
        let p = [apex_y, apex_y, apex_y - y3, apex_y - y3];
        let area = 0.5 * (x2 + x3 - x4) * y3;
        let z = p[0] * p[1] * area / (p[2] * p[3] * G * T)
            * (1.0 + 2.0 / 3.0 / (1.0 + NU) * (sigma * sigma + sigma * c + c * c));
        let force = 0.5 * x2 * y3 / (x3 * y3 - x4 * y3) * x3;
        assert!((K[(0, 0)] / (force * force / z) - 1.0).abs() < 1e-10, "{} {}", K[(0, 0)], force * force / z);
    }

    #[test]
    fn a_bow_tie_is_refused() {
        let placement = flat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.1]]);
        let message = panel(&placement, 0.0, 0.0).err().unwrap().headline();
        assert!(message.contains("convex"), "{message}");
    }
}
