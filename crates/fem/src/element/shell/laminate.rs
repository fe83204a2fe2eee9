//! PCOMP and PCOMPG: A, B, D, transverse shear and mass summed over the plies.
//!
//! Transverse shear comes from equilibrium: bending about one axis alone gives σ = Q₁₁(z)(z − z̄)M/D̄, its
//! gradient a shear stress τ(z) = V s(z)/D̄ with s(z) = −∫Q₁₁(ζ − z̄)dζ from the bottom, and equal energy
//! the flexibility F = ∫ s² g / D̄² dz with g the compliance of the ply (MSC Nastran Linear Static Analysis
//! User's Guide, composite elements). A homogeneous plate gets 6/(5GT). Both directions and their product
//! give the 2×2 flexibility, S = F⁻¹.
//!
//! Other forms of LAM: SYM mirrors the plies; MEM has only A, BEND only D; SMEAR takes A, D = A·T²/12 and no
//! coupling; SMCORE takes the last ply as a core of thickness t_c without stiffness between equal face sheets
//! that the other plies, smeared over t_f in all, form: D = A·((t_c + t_f/2)² … ) as derived at
//! [`smeared_core`].

use nalgebra::{Matrix2, Matrix3, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::LinkMesh;
use pliant_mesh::property::{LaminateKind, LaminateProperty};

use super::section::{
    Section, Thermal, density, expansion, plane_stiffness, shear_stiffness, strain_rotation,
};
use crate::element::ShellForces;

/// A ply in laminate axes.
struct Layer {
    stiffness: Matrix3<f64>,
    /// Compliance in transverse shear; zero: rigid.
    shear: Matrix2<f64>,
    thickness: f64,
    density: f64,
    /// Qα: stress of one degree when held.
    thermal: Vector3<f64>,
}

/// The section of a laminate in its material axes, about the reference plane.
///
/// # Errors
/// A message when a ply has no thickness or a material that a shell cannot use.
pub(super) fn laminate_section(
    mesh: &LinkMesh,
    laminate: &LaminateProperty,
    extra_nsm: f64,
) -> Result<Section, Box<Diagnostic>> {
    let mut layers = Vec::with_capacity(2 * laminate.plies.len());
    for (number, ply) in laminate.plies.iter().enumerate() {
        if ply.thickness.is_nan() || ply.thickness <= 0.0 {
            return Err(Diagnostic::boxed(format!("ply {} of its laminate has no thickness", number + 1)));
        }
        let angle = ply.angle.to_radians();
        let T = strain_rotation(angle);
        let (sin, cos) = angle.sin_cos();
        let R = Matrix2::new(cos, sin, -sin, cos);
        let compliance =
            shear_stiffness(mesh, ply.material)?.and_then(|G| G.try_inverse()).unwrap_or_default();
        let stiffness = plane_stiffness(mesh, ply.material, false)?;
        layers.push(Layer {
            stiffness: T.transpose() * stiffness * T,
            thermal: T.transpose() * stiffness * expansion(mesh, ply.material),
            shear: R.transpose() * compliance * R,
            thickness: ply.thickness,
            density: density(mesh, ply.material),
        });
    }
    if layers.is_empty() {
        return Err(Diagnostic::boxed("its laminate has no plies"));
    }
    if laminate.kind == LaminateKind::Symmetric {
        for i in (0..layers.len()).rev() {
            let Layer { stiffness, shear, thickness, density, thermal } = layers[i];
            layers.push(Layer { stiffness, shear, thickness, density, thermal });
        }
    }
    let total = laminate.thickness();
    let mut section = sum(&layers, laminate.bottom_height());
    section.mass += laminate.nsm + extra_nsm;
    section.thermal.reference = laminate.reference_temperature;
    section.S = transverse_shear(&layers);
    match laminate.kind {
        LaminateKind::General | LaminateKind::Symmetric => {}
        LaminateKind::Membrane => {
            section.B.fill(0.0);
            section.D.fill(0.0);
            section.S = None;
            section.thermal.M.fill(0.0);
        }
        LaminateKind::Bending => {
            section.A.fill(0.0);
            section.B.fill(0.0);
            section.thermal.N.fill(0.0);
            section.thermal.M.fill(0.0);
        }
        LaminateKind::Smeared => {
            section.B.fill(0.0);
            section.D = section.A * (total * total / 12.0);
            section.thermal.M.fill(0.0);
        }
        LaminateKind::SmearedCore => smeared_core(&mut section, &layers),
    }
    Ok(section)
}

/// A ply at one of its faces, in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyState {
    /// ε1, ε2, γ12.
    pub strain: Vector3<f64>,
    /// σ1, σ2, τ12.
    pub stress: Vector3<f64>,
}

/// The bottom and the top of each ply, from the bottom of the laminate to its top.
///
/// ε_ply = T (ε + zκ) and σ = Q ε_ply with T from the axes of the shell to those of the ply and z above the
/// surface that ε and κ are about. MEM takes the membrane strain alone and BEND the bending strain alone, as
/// their stiffness does. `None` for SMEAR and SMCORE, whose plies have no position, and for a material that a
/// shell cannot use.
pub fn ply_states(
    mesh: &LinkMesh,
    laminate: &LaminateProperty,
    at: &ShellForces,
) -> Option<Vec<[PlyState; 2]>> {
    let (membrane, bending) = match laminate.kind {
        LaminateKind::General | LaminateKind::Symmetric => (1.0, 1.0),
        LaminateKind::Membrane => (1.0, 0.0),
        LaminateKind::Bending => (0.0, 1.0),
        LaminateKind::Smeared | LaminateKind::SmearedCore => return None,
    };
    let mirrored = laminate.plies.iter().rev().filter(|_| laminate.kind == LaminateKind::Symmetric);
    let mut z = at.offset - at.height + laminate.bottom_height();
    let each = laminate.plies.iter().chain(mirrored).map(|ply| {
        let Q = plane_stiffness(mesh, ply.material, false).ok()?;
        let T = strain_rotation(at.material_angle + ply.angle.to_radians());
        let state = |z: f64| {
            let strain = T * (at.strain * membrane + at.curvature * (bending * z));
            PlyState { strain, stress: Q * strain }
        };
        let faces = [state(z), state(z + ply.thickness)];
        z += ply.thickness;
        Some(faces)
    });
    each.collect()
}

/// ∫ over the plies of Q, zQ, z²Q, and of ρ.
fn sum(layers: &[Layer], bottom: f64) -> Section {
    let mut section = Section {
        A: Matrix3::zeros(),
        B: Matrix3::zeros(),
        D: Matrix3::zeros(),
        S: None,
        mass: 0.0,
        mass_height: 0.0,
        rotary_inertia: 0.0,
        thermal: Thermal::default(),
    };
    let (mut z, mut first, mut second) = (bottom, 0.0, 0.0);
    for layer in layers {
        let top = z + layer.thickness;
        section.A += layer.stiffness * (top - z);
        section.B += layer.stiffness * ((top * top - z * z) / 2.0);
        section.D += layer.stiffness * ((top.powi(3) - z.powi(3)) / 3.0);
        section.thermal.N += layer.thermal * (top - z);
        section.thermal.M += layer.thermal * ((top * top - z * z) / 2.0);
        section.mass += layer.density * (top - z);
        first += layer.density * (top * top - z * z) / 2.0;
        second += layer.density * (top.powi(3) - z.powi(3)) / 3.0;
        z = top;
    }
    if section.mass > 0.0 {
        section.mass_height = first / section.mass;
        section.rotary_inertia = second - first * first / section.mass;
    }
    section
}

/// S of the stack by equilibrium, see the head of the file. `None` when no ply is flexible in shear.
fn transverse_shear(layers: &[Layer]) -> Option<Matrix2<f64>> {
    if layers.iter().all(|l| l.shear == Matrix2::zeros()) {
        return None;
    }
    // Neutral height z̄ and D̄ of each direction, z from the bottom.
    let mut height = [0.0; 2];
    let mut bending = [0.0; 2];
    for k in 0..2 {
        let (mut z, mut area, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
        for layer in layers {
            let (q, top) = (layer.stiffness[(k, k)], z + layer.thickness);
            area += q * layer.thickness;
            first += q * (top * top - z * z) / 2.0;
            second += q * (f64::powi(top, 3) - f64::powi(z, 3)) / 3.0;
            z = top;
        }
        height[k] = first / area;
        bending[k] = second - first * first / area;
    }
    // s is a parabola in each ply, so products are quartic: three Gauss points are exact.
    let gauss = [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    let mut F = Matrix2::zeros();
    let (mut z, mut below) = (0.0, [0.0; 2]);
    for layer in layers {
        let stress = |k: usize, x: f64| {
            let [a, b] = [z - height[k], x - height[k]];
            (below[k] - layer.stiffness[(k, k)] * (b * b - a * a) / 2.0) / bending[k]
        };
        for (xi, weight) in gauss {
            let x = z + 0.5 * layer.thickness * (1.0 + xi);
            let s = [stress(0, x), stress(1, x)];
            F +=
                Matrix2::from_fn(|i, j| s[i] * s[j] * layer.shear[(i, j)]) * (0.5 * layer.thickness * weight);
        }
        let top = z + layer.thickness;
        below = [stress(0, top) * bending[0], stress(1, top) * bending[1]];
        z = top;
    }
    F.try_inverse()
}

/// SMCORE: half of the face plies above and half below the core (the last ply), which carries no load in its
/// plane. Two sheets of thickness t_f/2 each at distance (t_c + t_f/2)/2: D = A_f[(t_c + t_f/2)²/4 +
/// (t_f/2)²/12].
fn smeared_core(section: &mut Section, layers: &[Layer]) {
    let (core, faces) = layers.split_last().expect("invariant: a laminate has plies");
    let sheet = faces.iter().map(|l| l.thickness).sum::<f64>() / 2.0;
    let distance = (core.thickness + sheet) / 2.0;
    section.A = faces.iter().map(|l| l.stiffness * l.thickness).sum();
    section.thermal.N = faces.iter().map(|l| l.thermal * l.thickness).sum();
    section.thermal.M.fill(0.0);
    section.B.fill(0.0);
    section.D = section.A * (distance * distance + sheet * sheet / 12.0);
}
