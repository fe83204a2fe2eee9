//! The beam between two ends, from the flexibility of its sections.
//!
//! Forces along an unloaded beam follow from equilibrium alone, so the strain energy of any variation of the
//! section is integrated exactly and no displacement is assumed (the force method; Przemieniecki, *Theory of
//! Matrix Structural Analysis*, 1968). For a uniform section this is the Timoshenko beam with condensed
//! shear, for a tapered one its exact counterpart. Warping torsion is left out.
//!
//! Displacements and forces at an end are in the element frame E at the reference axis (the line of shear
//! centres), translations before rotations. Six natural forces q = (N, T, M1A, M1B, M2A, M2B) describe the
//! inside: N and T are constant, M1 = E(I1 κ1 + I12 κ2) and M2 = E(I12 κ1 + I2 κ2), about the neutral axis
//! (n1, n2), are linear, with κ1 = θz′ and κ2 = −θy′. Equilibrium gives V1 = −(M1 − n1 N)′ and the end forces
//! C q; with the section flexibility f and s = B(ξ) q for the section forces,
//!
//! ```text
//! F = L ∫ Bᵀ f B dξ,   K = C F⁻¹ Cᵀ.
//! ```
//!
//! Every column of C is in equilibrium, so rigid motions give no force, to rounding, whatever F.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix6, SMatrix, SVector, Vector3, Vector6};

use super::frame::Matrix12;
use super::geometric::{Rows3, SectionState};
use super::section::LineSection;

/// Rows: six displacements or forces of a section. Columns: six at each end.
pub(super) type Matrix6x12 = SMatrix<f64, 6, 12>;

/// Rows of a section's forces and strains.
const N: usize = 0;
const V1: usize = 1;
const V2: usize = 2;
const T: usize = 3;
const M1: usize = 4;
const M2: usize = 5;

/// See the top of this file.
#[derive(Clone, Debug)]
pub(super) struct FlexibleLine {
    length: f64,
    section: LineSection,
    /// C.
    equilibrium: SMatrix<f64, 12, 6>,
    /// F⁻¹, zero for natural forces that the section cannot carry.
    natural_stiffness: Matrix6<f64>,
    /// F⁻¹ Cᵀ with unit stiffness in place of those that are zero: natural forces of end displacements, for
    /// shape functions only.
    shape_forces: SMatrix<f64, 6, 12>,
}

impl FlexibleLine {
    /// A section without area, inertia or torsion constant leaves the corresponding forces out.
    ///
    /// # Panics
    /// If the section fails its own check.
    pub(super) fn new(length: f64, section: LineSection) -> Self {
        let first = section.stations[0];
        let carried = [
            first.area > 0.0,
            first.torsion_constant * section.shear_modulus > 0.0,
            first.i1 > 0.0,
            first.i1 > 0.0,
            first.i2 > 0.0,
            first.i2 > 0.0,
        ];
        let mut line = Self {
            length,
            equilibrium: equilibrium(length, &section),
            section,
            natural_stiffness: Matrix6::zeros(),
            shape_forces: SMatrix::zeros(),
        };
        let mut F = Matrix6::zeros();
        for (xi, weight) in line.section.points(0.0, 1.0) {
            let B = line.section_forces(xi);
            F += B.transpose() * line.section_flexibility(xi) * B * (weight * length);
        }
        let invert = |F: Matrix6<f64>| {
            F.cholesky()
                .expect("invariant: the flexibility of a checked section is positive definite")
                .inverse()
        };
        line.shape_forces = invert(F) * line.equilibrium.transpose();
        for (i, _) in carried.iter().enumerate().filter(|(_, carried)| !**carried) {
            F.row_mut(i).fill(0.0);
            F.column_mut(i).fill(0.0);
            F[(i, i)] = 1.0;
        }
        line.natural_stiffness = invert(F);
        for (i, _) in carried.iter().enumerate().filter(|(_, carried)| !**carried) {
            line.natural_stiffness[(i, i)] = 0.0;
        }
        line
    }

    /// L.
    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// Its sections.
    pub(super) fn section(&self) -> &LineSection {
        &self.section
    }

    /// K = C F⁻¹ Cᵀ, 12×12 in E.
    pub(super) fn stiffness(&self) -> Matrix12 {
        let K = self.equilibrium * self.natural_stiffness * self.equilibrium.transpose();
        0.5 * (K + K.transpose())
    }

    /// End forces that hold the beam at rest against `strain(ξ)`, the axial strain of its neutral axis and
    /// the curvatures κ1 and κ2, with the sign of a load: C F⁻¹ L∫Bᵀe₀ dξ.
    pub(super) fn initial_strain_load(&self, strain: impl Fn(f64) -> [f64; 3]) -> SVector<f64, 12> {
        let mut elongation = Vector6::zeros();
        for (xi, weight) in self.section.points(0.0, 1.0) {
            let B = self.section_forces(xi);
            for (row, value) in [N, M1, M2].into_iter().zip(strain(xi)) {
                elongation += B.row(row).transpose() * (value * weight * self.length);
            }
        }
        self.equilibrium * self.natural_stiffness * elongation
    }

    /// Shape functions: the six displacements of the reference axis at ξ in terms of those at the ends, of an
    /// unloaded beam. By Betti's theorem they also spread a load at ξ onto the ends as its exact equivalent.
    pub(super) fn shape(&self, xi: f64) -> Matrix6x12 {
        let x = xi * self.length;
        let mut shape = self.strain_displacement(xi) * self.shape_forces;
        for i in 0..6 {
            shape[(i, i)] += 1.0;
        }
        shape[(1, 5)] += x;
        shape[(2, 4)] -= x;
        shape
    }

    /// Natural forces of end displacements.
    pub(super) fn natural_forces(&self, ends: &SVector<f64, 12>) -> Vector6<f64> {
        self.natural_stiffness * (self.equilibrium.transpose() * ends)
    }

    /// Forces on ends A and B of natural forces.
    pub(super) fn end_forces(&self, natural: &Vector6<f64>) -> SVector<f64, 12> {
        self.equilibrium * natural
    }

    /// N, V1, V2, T, M1, M2 at ξ of natural forces.
    pub(super) fn forces_at(&self, xi: f64, natural: &Vector6<f64>) -> Vector6<f64> {
        self.section_forces(xi) * natural
    }

    /// K_g of natural forces, 12×12 in E; see [`geometric`](super::geometric).
    pub(super) fn geometric_stiffness(&self, natural: &[Vector6<f64>]) -> Vec<Matrix12> {
        let mut all = vec![Matrix12::zeros(); natural.len()];
        for (xi, weight) in self.section.points(0.0, 1.0) {
            let shape = self.shape(xi);
            let B = self.section_forces(xi);
            let strain = self.section_flexibility(xi) * B * self.shape_forces;
            let [n1, n2] = self.section.neutral_axis_at(xi);
            let s = self.section.at(xi);
            let Theta: Rows3 = shape.fixed_rows::<3>(3).into_owned();
            let mut slope = Rows3::zeros();
            slope.set_row(0, &(strain.row(N) + strain.row(M1) * n1 + strain.row(M2) * n2));
            slope.set_row(1, &(strain.row(V1) + Theta.row(2)));
            slope.set_row(2, &(strain.row(V2) - Theta.row(1)));
            let mut curvature = Rows3::zeros();
            curvature.set_row(0, &strain.row(T));
            curvature.set_row(1, &-strain.row(M2));
            curvature.set_row(2, &strain.row(M1));
            let mut state = SectionState {
                Theta,
                slope,
                curvature,
                force: Vector3::zeros(),
                moment: Vector3::zeros(),
                wagner: 0.0,
            };
            let polar = if s.area > 0.0 { (s.i1 + s.i2) / s.area } else { 0.0 };
            for (K_g, natural) in all.iter_mut().zip(natural) {
                let f = B * natural;
                state.force = Vector3::new(f[N], f[V1], f[V2]);
                state.moment = Vector3::new(f[T], -(f[M2] - n2 * f[N]), f[M1] - n1 * f[N]);
                state.wagner = f[N] * polar;
                *K_g += state.geometric() * (weight * self.length);
            }
        }
        all
    }

    /// Displacements at ξ relative to the rigid motion of end A, per natural force.
    fn strain_displacement(&self, xi: f64) -> Matrix6<f64> {
        let mut G = Matrix6::zeros();
        for (s, weight) in self.section.points(0.0, xi) {
            let strain = self.section_flexibility(s) * self.section_forces(s);
            let [n1, n2] = self.section.neutral_axis_at(s);
            let ds = weight * self.length;
            let arm = (xi - s) * self.length;
            let mut add = |row: usize, strain_row: usize, factor: f64| {
                for k in 0..6 {
                    G[(row, k)] += factor * ds * strain[(strain_row, k)];
                }
            };
            add(0, N, 1.0);
            add(0, M1, n1);
            add(0, M2, n2);
            add(1, V1, 1.0);
            add(1, M1, arm);
            add(2, V2, 1.0);
            add(2, M2, arm);
            add(3, T, 1.0);
            add(4, M2, -1.0);
            add(5, M1, 1.0);
        }
        G
    }

    /// B(ξ): section forces (N, V1, V2, T, M1, M2) of the natural forces.
    fn section_forces(&self, xi: f64) -> Matrix6<f64> {
        let mut B = Matrix6::zeros();
        let slope = self.neutral_axis_slope();
        B[(N, 0)] = 1.0;
        B[(T, 1)] = 1.0;
        for plane in 0..2 {
            let (a, b) = (2 + 2 * plane, 3 + 2 * plane);
            B[(M1 + plane, a)] = 1.0 - xi;
            B[(M1 + plane, b)] = xi;
            B[(V1 + plane, a)] = 1.0 / self.length;
            B[(V1 + plane, b)] = -1.0 / self.length;
            B[(V1 + plane, 0)] = slope[plane];
        }
        B
    }

    /// f(ξ): strains (ε, γ1, γ2, θx′, κ1, κ2) of the section forces, with 1 for a stiffness that is zero.
    fn section_flexibility(&self, xi: f64) -> Matrix6<f64> {
        let s = self.section.at(xi);
        let (E, G) = (self.section.youngs_modulus, self.section.shear_modulus);
        let inverse = |stiffness: f64| if stiffness > 0.0 { 1.0 / stiffness } else { 1.0 };
        let mut f = Matrix6::zeros();
        f[(N, N)] = inverse(E * s.area);
        f[(T, T)] = inverse(G * s.torsion_constant);
        if s.i12 == 0.0 {
            f[(M1, M1)] = inverse(E * s.i1);
            f[(M2, M2)] = inverse(E * s.i2);
        } else {
            let determinant = E * (s.i1 * s.i2 - s.i12 * s.i12);
            f[(M1, M1)] = s.i2 / determinant;
            f[(M2, M2)] = s.i1 / determinant;
            f[(M1, M2)] = -s.i12 / determinant;
            f[(M2, M1)] = f[(M1, M2)];
        }
        for (plane, factor) in self.section.shear_factors.iter().enumerate() {
            let stiffness = factor.map_or(0.0, |k| k * s.area * G);
            // A plane without bending stiffness carries no shear either; its fill has none to soften.
            let bends = if plane == 0 { s.i1 > 0.0 } else { s.i2 > 0.0 };
            if stiffness > 0.0 && bends {
                f[(V1 + plane, V1 + plane)] = 1.0 / stiffness;
            }
        }
        f
    }

    fn neutral_axis_slope(&self) -> [f64; 2] {
        neutral_axis_slope(self.length, &self.section)
    }
}

/// dn1/dx and dn2/dx.
fn neutral_axis_slope(length: f64, section: &LineSection) -> [f64; 2] {
    let [a, b] = section.neutral_axis;
    [0, 1].map(|k| (b[k] - a[k]) / length)
}

/// C: forces on ends A and B of the natural forces.
fn equilibrium(length: f64, section: &LineSection) -> SMatrix<f64, 12, 6> {
    let slope = neutral_axis_slope(length, section);
    let mut C = SMatrix::<f64, 12, 6>::zeros();
    for (end, sign) in [(0, -1.0), (1, 1.0)] {
        let first = 6 * end;
        let [n1, n2] = section.neutral_axis[end];
        C[(first, 0)] = sign;
        C[(first + 3, 1)] = sign;
        for plane in 0..2 {
            let row = first + 1 + plane;
            C[(row, 2 + 2 * plane)] = sign / length;
            C[(row, 3 + 2 * plane)] = -sign / length;
            C[(row, 0)] = sign * slope[plane];
        }
        // The moment about the reference axis is M − n N; about y it works on θy = −(rotation in plane 2).
        C[(first + 5, 2 + end)] = sign;
        C[(first + 5, 0)] = -sign * n1;
        C[(first + 4, 4 + end)] = -sign;
        C[(first + 4, 0)] = sign * n2;
    }
    C
}
