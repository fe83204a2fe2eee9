//! Stiffness and mass of a shell per unit area, through the thickness.
//!
//! With ε the membrane strain of the reference surface, κ the curvature (u(z) = u + zβ) and γ the transverse
//! shear strain,
//!
//! ```text
//! N = A ε + B κ,   M = B ε + D κ,   Q = S γ
//! ```
//!
//! PSHELL: A = T·G1, D = T³/12·(12I/T³)·G2, S = T·(TS/T)·G3 and, since Nastran's curvature is −κ, B = −T²·G4
//! (MSC Nastran Quick Reference Guide, PSHELL). A laminate is summed over its plies in [`super::laminate`].

use nalgebra::{Matrix2, Matrix3, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::property::{PropertyKind, ShellProperty};
use pliant_mesh::{LinkMesh, MaterialIndex, MaterialLaw};

use super::laminate::laminate_section;

/// What a shell is made of at a point.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Membrane stiffness, force per length.
    pub(super) A: Matrix3<f64>,
    /// Membrane–bending coupling, force.
    pub(super) B: Matrix3<f64>,
    /// Bending stiffness, force × length. Zero: a membrane.
    pub(super) D: Matrix3<f64>,
    /// Transverse shear stiffness, force per length. `None`: rigid in transverse shear.
    pub(super) S: Option<Matrix2<f64>>,
    /// Mass per area.
    pub(super) mass: f64,
    /// Height of the centre of mass above the reference surface.
    pub(super) mass_height: f64,
    /// ∫ρ(z − height)²dz.
    pub(super) rotary_inertia: f64,
    /// What one degree of temperature would do if the shell were held.
    pub(super) thermal: Thermal,
}

/// Forces and moments of thermal strain, per length and degree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thermal {
    /// ∫Gα dz.
    pub(super) N: Vector3<f64>,
    /// ∫zGα dz.
    pub(super) M: Vector3<f64>,
    /// Temperature without strain.
    pub(super) reference: f64,
}

/// The property of a shell, ready to be evaluated.
pub(super) enum ShellLaw {
    /// PSHELL.
    Plate(Box<PlateLaw>),
    /// PCOMP, PCOMPG: the same everywhere.
    Laminate(Box<Section>),
}

/// A PSHELL with its materials looked up.
pub(super) struct PlateLaw {
    membrane: Option<Matrix3<f64>>,
    bending: Option<Matrix3<f64>>,
    shear: Option<Matrix2<f64>>,
    coupling: Option<Matrix3<f64>>,
    /// α of the membrane's material, and the temperature it counts from.
    expansion: Vector3<f64>,
    reference_temperature: f64,
    property: ShellProperty,
    density: f64,
    nsm: f64,
}

impl ShellLaw {
    /// Looks up the property of a shell.
    ///
    /// # Errors
    /// A message when the property is not one of a shell, or a material cannot be used in it.
    pub(super) fn new(mesh: &LinkMesh, kind: &PropertyKind, extra_nsm: f64) -> Result<Self, Box<Diagnostic>> {
        match kind {
            PropertyKind::Shell(property) => {
                let plane = |index: Option<MaterialIndex>| {
                    index.map(|m| plane_stiffness(mesh, m, property.plane_strain)).transpose()
                };
                let bending = if property.plane_strain { None } else { plane(property.bending)? };
                let shear = match property.shear.filter(|_| bending.is_some()) {
                    Some(m) => shear_stiffness(mesh, m)?,
                    None => None,
                };
                // The density is that of MID1, or of MID2 when there is no membrane.
                let density = property.membrane.or(property.bending).map_or(0.0, |m| density(mesh, m));
                Ok(Self::Plate(Box::new(PlateLaw {
                    membrane: plane(property.membrane)?,
                    bending,
                    shear,
                    coupling: plane(property.coupling)?,
                    expansion: property.membrane.map_or_else(Vector3::zeros, |m| expansion(mesh, m)),
                    reference_temperature: property
                        .membrane
                        .map_or(0.0, |m| mesh.materials[m.index()].reference_temperature),
                    property: (**property).clone(),
                    density,
                    nsm: property.nsm + extra_nsm,
                })))
            }
            PropertyKind::Laminate(laminate) => {
                Ok(Self::Laminate(Box::new(laminate_section(mesh, laminate, extra_nsm)?)))
            }
            _ => Err(Diagnostic::boxed("its property is neither a PSHELL nor a PCOMP")),
        }
    }

    /// The thickness that the property itself gives; a laminate needs none.
    pub(super) fn thickness(&self) -> Option<f64> {
        match self {
            Self::Plate(plate) => plate.property.thickness,
            Self::Laminate(_) => Some(0.0),
        }
    }

    /// True when corner thicknesses have a meaning.
    pub(super) fn has_thickness(&self) -> bool {
        matches!(self, Self::Plate(_))
    }

    /// The section where the thickness is `t`, in material axes.
    pub(super) fn at(&self, t: f64) -> Section {
        let plate = match self {
            Self::Laminate(section) => return (**section).clone(),
            Self::Plate(plate) => plate,
        };
        let inertia = plate.property.bending_ratio * t.powi(3) / 12.0;
        let A = plate.membrane.map_or_else(Matrix3::zeros, |g| g * t);
        let B = plate.coupling.map_or_else(Matrix3::zeros, |g| g * (-t * t));
        Section {
            thermal: Thermal {
                N: A * plate.expansion,
                M: B * plate.expansion,
                reference: plate.reference_temperature,
            },
            A,
            B,
            D: plate.bending.map_or_else(Matrix3::zeros, |g| g * inertia),
            S: plate.shear.map(|g| g * (t * plate.property.shear_ratio)),
            mass: plate.density * t + plate.nsm,
            mass_height: 0.0,
            rotary_inertia: plate.density * t.powi(3) / 12.0,
        }
    }
}

impl Section {
    /// The section in axes from which its own are turned by `angle` (radians, about the normal).
    pub(super) fn turned(&self, angle: f64) -> Self {
        if angle == 0.0 {
            return self.clone();
        }
        let T = strain_rotation(angle);
        let (sin, cos) = angle.sin_cos();
        // γ in the section's axes = R γ in the element's.
        let R = Matrix2::new(cos, sin, -sin, cos);
        Self {
            A: T.transpose() * self.A * T,
            B: T.transpose() * self.B * T,
            D: T.transpose() * self.D * T,
            S: self.S.map(|S| R.transpose() * S * R),
            thermal: Thermal {
                N: T.transpose() * self.thermal.N,
                M: T.transpose() * self.thermal.M,
                ..self.thermal
            },
            ..*self
        }
    }

    /// The section seen from a surface `height` below its own: z → z + height.
    pub(super) fn raised(&self, height: f64) -> Self {
        Self {
            B: self.B + self.A * height,
            D: self.D + (self.B + self.B.transpose()) * height + self.A * (height * height),
            mass_height: self.mass_height + height,
            thermal: Thermal { M: self.thermal.M + self.thermal.N * height, ..self.thermal },
            ..self.clone()
        }
    }

    /// Height of the surface about which membrane and bending couple least: the z that minimises ‖B − zA‖.
    pub(super) fn neutral_height(&self) -> f64 {
        let norm = self.A.norm_squared();
        if norm == 0.0 { 0.0 } else { self.A.dot(&self.B) / norm }
    }

    /// X = A⁻¹B and D − BX: the energy is (ε + Xκ)ᵀA(ε + Xκ) + κᵀ(D − BX)κ, two terms without coupling.
    pub(super) fn uncoupled(&self) -> (Matrix3<f64>, Matrix3<f64>) {
        match self.A.try_inverse() {
            Some(inverse) if self.B.amax() > 0.0 => (inverse * self.B, self.D - self.B * inverse * self.B),
            _ => (Matrix3::zeros(), self.D),
        }
    }

    /// In-plane shear stiffness A₃₃, for the drilling penalty.
    pub(super) fn shear_membrane(&self) -> f64 {
        self.A[(2, 2)]
    }
}

/// T with ε' = T ε for axes turned by `angle`, engineering shear strain.
pub(super) fn strain_rotation(angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    Matrix3::new(c * c, s * s, s * c, s * s, c * c, -s * c, -2.0 * s * c, 2.0 * s * c, c * c - s * s)
}

/// Thermal expansion [αx αy αxy] of a material in its own axes.
pub(super) fn expansion(mesh: &LinkMesh, material: MaterialIndex) -> Vector3<f64> {
    match &mesh.materials[material.index()].law {
        MaterialLaw::Isotropic { thermal_expansion: a, .. } => Vector3::new(*a, *a, 0.0),
        MaterialLaw::Anisotropic2d { thermal_expansion, .. } => *thermal_expansion,
        MaterialLaw::Orthotropic2d { thermal_expansion: [a, b], .. } => Vector3::new(*a, *b, 0.0),
        MaterialLaw::Anisotropic3d { .. } => Vector3::zeros(),
    }
}

/// Density of a material.
pub(super) fn density(mesh: &LinkMesh, material: MaterialIndex) -> f64 {
    mesh.materials[material.index()].density
}

/// [σx σy τxy] = G [εx εy γxy] of a material in its own axes, in plane stress (or plane strain). In its plane
/// an isotropic material shears with E/2(1 + ν) even where its MAT1 has another G, as in Simcenter Nastran.
///
/// # Errors
/// A message when the material has no such law or is not positive definite.
pub(super) fn plane_stiffness(
    mesh: &LinkMesh,
    material: MaterialIndex,
    plane_strain: bool,
) -> Result<Matrix3<f64>, Box<Diagnostic>> {
    let material = &mesh.materials[material.index()];
    let G = match &material.law {
        MaterialLaw::Isotropic { youngs_modulus: E, shear_modulus, poisson_ratio: nu, .. } => {
            let (direct, cross) = if plane_strain {
                let factor = E / ((1.0 + nu) * (1.0 - 2.0 * nu));
                (factor * (1.0 - nu), factor * nu)
            } else {
                (E / (1.0 - nu * nu), nu * E / (1.0 - nu * nu))
            };
            let shear = if *E > 0.0 { E / (2.0 * (1.0 + nu)) } else { *shear_modulus };
            Matrix3::new(direct, cross, 0.0, cross, direct, 0.0, 0.0, 0.0, shear)
        }
        MaterialLaw::Anisotropic2d { stiffness, .. } => *stiffness,
        MaterialLaw::Orthotropic2d { e1, e2, nu12, g12, .. } => {
            let factor = 1.0 - nu12 * nu12 * e2 / e1;
            let cross = nu12 * e2 / factor;
            Matrix3::new(e1 / factor, cross, 0.0, cross, e2 / factor, 0.0, 0.0, 0.0, *g12)
        }
        MaterialLaw::Anisotropic3d { .. } => {
            return Err(Diagnostic::boxed(format!(
                "material {} is a MAT9, which a shell cannot use",
                material.id
            )));
        }
    };
    let largest = G.amax();
    let lowest = G.symmetric_eigenvalues().min();
    if !largest.is_finite() || lowest < -1e-9 * largest {
        return Err(Diagnostic::boxed(format!(
            "material {} is not positive definite in its plane",
            material.id
        )));
    }
    Ok(G)
}

/// [τxz τyz] = G [γxz γyz] of a material in its own axes. `None`: rigid.
///
/// # Errors
/// A message when the material has no such law.
pub(super) fn shear_stiffness(
    mesh: &LinkMesh,
    material: MaterialIndex,
) -> Result<Option<Matrix2<f64>>, Box<Diagnostic>> {
    let material = &mesh.materials[material.index()];
    // One modulus given and the other not: rigid against the one that is.
    const RIGID: f64 = 1e6;
    match &material.law {
        MaterialLaw::Isotropic { shear_modulus, .. } => {
            Ok((*shear_modulus > 0.0).then(|| Matrix2::identity() * *shear_modulus))
        }
        MaterialLaw::Anisotropic2d { stiffness, .. } => {
            let G = stiffness.fixed_view::<2, 2>(0, 0).into_owned();
            if G.determinant() <= 0.0 {
                return Err(Diagnostic::boxed(format!(
                    "material {} is not positive definite in transverse shear",
                    material.id
                )));
            }
            Ok(Some(G))
        }
        MaterialLaw::Orthotropic2d { g1z, g2z, .. } => {
            let given = |g: &Option<f64>| g.filter(|g| *g > 0.0);
            Ok(match (given(g1z), given(g2z)) {
                (None, None) => None,
                (Some(a), Some(b)) => Some(Matrix2::new(a, 0.0, 0.0, b)),
                (Some(a), None) => Some(Matrix2::new(a, 0.0, 0.0, RIGID * a)),
                (None, Some(b)) => Some(Matrix2::new(RIGID * b, 0.0, 0.0, b)),
            })
        }
        MaterialLaw::Anisotropic3d { .. } => {
            Err(Diagnostic::boxed(format!("material {} is a MAT9, which a shell cannot use", material.id)))
        }
    }
}
