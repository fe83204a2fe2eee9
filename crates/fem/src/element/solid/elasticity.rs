//! The elastic law of a solid in the basic frame.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, Material, MaterialLaw};

use crate::element::element_error;

/// σ = D ε with σ = [σx σy σz τxy τyz τzx], ε = [εx εy εz γxy γyz γzx] (the order of MAT9), basic frame.
#[derive(Clone, Debug)]
pub(super) enum Elasticity {
    /// σ = λ tr(ε) 1 + 2μ ε.
    Isotropic {
        /// λ.
        lambda: f64,
        /// μ.
        mu: f64,
    },
    /// Any symmetric positive definite D.
    General(Box<Matrix6<f64>>),
}

/// Row of [xx yy zz xy yz zx] for each pair of axes.
pub(super) const VOIGT: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// A solid's material in the basic frame.
#[derive(Clone, Debug)]
pub(super) struct SolidMaterial {
    /// Elastic law.
    pub(super) law: Elasticity,
    /// Stress of a fully held temperature rise of one degree, D α, as a tensor.
    pub(super) thermal_stress: Matrix3<f64>,
    /// Temperature without thermal strain.
    pub(super) reference_temperature: f64,
    /// ρ.
    pub(super) density: f64,
}

/// The material in the basic frame.
///
/// MAT1: λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)); Nastran's solids use E and ν, never G. MAT9: D is turned from
/// the material frame, whose axes are the columns of `axes`, to the basic frame.
///
/// # Errors
/// A diagnostic when the law is not positive definite (ν ≥ ½ or ≤ −1, E ≤ 0, a bad MAT9), or is one of a
/// shell.
pub(super) fn solid_material(
    mesh: &LinkMesh,
    which: ElementRef,
    material: &Material,
    axes: impl FnOnce() -> Matrix3<f64>,
) -> Result<SolidMaterial, Box<Diagnostic>> {
    let fail = |message: String| Err(element_error(mesh, which, message));
    let (law, thermal_stress) = match &material.law {
        MaterialLaw::Isotropic { youngs_modulus: E, poisson_ratio: nu, thermal_expansion: alpha, .. } => {
            if *E <= 0.0 {
                return fail(format!("MAT1 {}: E must be positive for a solid, found {E}", material.id));
            }
            if *nu <= -1.0 || *nu >= 0.5 {
                return fail(format!("MAT1 {}: ν must lie between −1 and 0.5, found {nu}", material.id));
            }
            let mu = E / (2.0 * (1.0 + nu));
            let lambda = 2.0 * mu * nu / (1.0 - 2.0 * nu);
            (Elasticity::Isotropic { lambda, mu }, Matrix3::identity() * ((3.0 * lambda + 2.0 * mu) * alpha))
        }
        MaterialLaw::Anisotropic3d { stiffness, thermal_expansion } => {
            if stiffness.cholesky().is_none() {
                return fail(format!("MAT9 {}: its 6×6 matrix is not positive definite", material.id));
            }
            let R = axes();
            let stress = **stiffness * thermal_expansion;
            let local = Matrix3::from_fn(|a, c| stress[VOIGT[a][c]]);
            (Elasticity::General(Box::new(turned(stiffness, &R))), R * local * R.transpose())
        }
        MaterialLaw::Anisotropic2d { .. } | MaterialLaw::Orthotropic2d { .. } => {
            let card =
                if matches!(material.law, MaterialLaw::Orthotropic2d { .. }) { "MAT8" } else { "MAT2" };
            return fail(format!(
                "{card} {} is a material of shells; a solid takes MAT1 or MAT9",
                material.id
            ));
        }
    };
    Ok(SolidMaterial {
        law,
        thermal_stress,
        reference_temperature: material.reference_temperature,
        density: material.density,
    })
}

/// D in the basic frame of a D given in the frame whose axes are the columns of R: D' = Tᵀ D T with
/// ε_material = T ε.
fn turned(D: &Matrix6<f64>, R: &Matrix3<f64>) -> Matrix6<f64> {
    let mut T = Matrix6::zeros();
    for (column, (i, j)) in PAIRS.into_iter().enumerate() {
        let mut strain = Matrix3::zeros();
        // An engineering shear strain of 1 is ½ in each of the two entries of the tensor.
        strain[(i, j)] += 0.5;
        strain[(j, i)] += 0.5;
        let local = R.transpose() * strain * R;
        let entries = PAIRS.map(|(a, b)| if a == b { local[(a, a)] } else { 2.0 * local[(a, b)] });
        T.set_column(column, &Vector6::from_column_slice(&entries));
    }
    T.transpose() * D * T
}

/// The rotation nearest to three directions (polar decomposition): how Nastran's element frame follows the R,
/// S, T vectors of a solid. The directions must be independent.
pub(super) fn nearest_rotation(directions: [Vector3<f64>; 3]) -> Matrix3<f64> {
    let unit = directions.map(|d| d / d.norm());
    let svd = Matrix3::from_columns(&unit).svd(true, true);
    let U = svd.u.expect("invariant: U was asked for");
    let V_t = svd.v_t.expect("invariant: V was asked for");
    U * V_t
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An isotropic D is the same in every frame, and a turned strain state keeps its energy.
    #[test]
    fn turning_keeps_isotropy_and_energy() {
        let R = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 2.2).into_inner();
        let (lambda, mu) = (1.3, 0.7);
        let mut D = Matrix6::zeros();
        for i in 0..3 {
            for j in 0..3 {
                D[(i, j)] = lambda;
            }
            D[(i, i)] += 2.0 * mu;
            D[(i + 3, i + 3)] = mu;
        }
        assert!((turned(&D, &R) - D).amax() < 1e-14);
        // Fibres along material x only: ε = n nᵀ with n the turned x axis feels the entire fibre stiffness.
        let mut fibre = Matrix6::zeros();
        fibre[(0, 0)] = 5.0;
        let n = R.column(0);
        let strain = Vector6::from_column_slice(
            &PAIRS.map(|(a, b)| if a == b { n[a] * n[a] } else { 2.0 * n[a] * n[b] }),
        );
        let energy = strain.dot(&(turned(&fibre, &R) * strain));
        assert!((energy - 5.0).abs() < 1e-13, "{energy}");
    }
}
