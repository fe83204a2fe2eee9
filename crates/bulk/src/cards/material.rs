//! MAT1, MAT2, MAT8, MAT9.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use pliant_diag::Severity;
use pliant_mesh::{Material, MaterialId, MaterialLaw};

use super::{CardType, Class, Stage, card};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    card("MAT1", Stage::Materials, Class::Material, mat1),
    card("MAT2", Stage::Materials, Class::Material, mat2),
    card("MAT8", Stage::Materials, Class::Material, mat8),
    card("MAT9", Stage::Materials, Class::Material, mat9),
];

/// ```text
/// | MAT1 | MID | E  | G  | NU    | RHO | A | TREF | GE |
/// |      | ST  | SC | SS | MCSID |
/// ```
/// Of E, G and NU two are enough: E = 2 (1 + NU) G. With E alone, G and NU are 0; with G alone, E and NU are
/// 0.
fn mat1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "MID");
    let e = r.optional_real(1, "E");
    let g = r.optional_real(2, "G");
    let nu = r.optional_real(3, "NU");
    let density = r.real_or(4, "RHO", 0.0);
    let thermal_expansion = r.real_or(5, "A", 0.0);
    let reference_temperature = r.real_or(6, "TREF", 0.0);
    let structural_damping = r.real_or(7, "GE", 0.0);
    let allowables = [r.optional_real(8, "ST"), r.optional_real(9, "SC"), r.optional_real(10, "SS")];
    let stress_frame = if r.is_blank(11) { Some(None) } else { b.frame(r, 11, "MCSID").map(Some) };
    let (youngs_modulus, shear_modulus, poisson_ratio) = complete(r, e?, g?, nu?)?;
    let [st, sc, ss] = allowables;
    b.mesh.materials.push(Material {
        id: MaterialId(id?),
        density: density?,
        reference_temperature: reference_temperature?,
        structural_damping: structural_damping?,
        allowables: [st?, sc?, ss?],
        stress_frame: stress_frame?,
        law: MaterialLaw::Isotropic {
            youngs_modulus,
            shear_modulus,
            poisson_ratio,
            thermal_expansion: thermal_expansion?,
        },
        source: r.span().into(),
    });
    Some(())
}

/// E, G and NU from those that are given.
fn complete(r: &mut Reader<'_>, e: Option<f64>, g: Option<f64>, nu: Option<f64>) -> Option<(f64, f64, f64)> {
    let (e, g, nu) = match (e, g, nu) {
        (Some(e), Some(g), Some(nu)) => {
            let consistent = 2.0 * (1.0 + nu) * g;
            // Nastran says so beyond one per cent.
            if consistent != 0.0 && (1.0 - e / consistent).abs() > 0.01 {
                let wanted = e / (2.0 * (1.0 + nu));
                let problem = r
                    .problem(
                        Severity::Warning,
                        2,
                        "G",
                        format!("E, G and NU are inconsistent: E/(2(1+NU)) is {wanted:.5e}, G is {g:.5e}"),
                    )
                    .hint("leave G blank unless this is intended");
                r.report(problem);
            }
            (e, g, nu)
        }
        (Some(e), Some(g), None) if g != 0.0 => (e, g, e / (2.0 * g) - 1.0),
        (Some(e), Some(g), None) => (e, g, 0.0),
        (Some(e), None, Some(nu)) => (e, e / (2.0 * (1.0 + nu)), nu),
        (None, Some(g), Some(nu)) => (2.0 * (1.0 + nu) * g, g, nu),
        (Some(e), None, None) => {
            r.warning(3, "NU", "neither G nor NU is given; both are taken as 0, as Nastran does");
            (e, 0.0, 0.0)
        }
        (None, Some(g), None) => (0.0, g, 0.0),
        (None, None, _) => {
            r.error(1, "E", "E or G must be given");
            return None;
        }
    };
    if e < 0.0 || g < 0.0 {
        r.error(1, "E", format!("E and G must not be negative, found {e:e} and {g:e}"));
        return None;
    }
    if !(nu > -1.0 && nu <= 0.5) {
        r.warning(3, "NU", format!("NU = {nu:.4} lies outside −1 to 0.5"));
    }
    Some((e, g, nu))
}

/// ```text
/// | MAT2 | MID | G11 | G12 | G13  | G22 | G23 | G33 | RHO |
/// |      | A1  | A2  | A3  | TREF | GE  | ST  | SC  | SS  |
/// |      | MCSID |
/// ```
fn mat2(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "MID");
    let mut g = [None; 6];
    for (k, name) in ["G11", "G12", "G13", "G22", "G23", "G33"].iter().enumerate() {
        g[k] = r.real_or(1 + k, name, 0.0);
    }
    let density = r.real_or(7, "RHO", 0.0);
    let expansion = [r.real_or(8, "A1", 0.0), r.real_or(9, "A2", 0.0), r.real_or(10, "A3", 0.0)];
    let reference_temperature = r.real_or(11, "TREF", 0.0);
    let structural_damping = r.real_or(12, "GE", 0.0);
    let allowables = [r.optional_real(13, "ST"), r.optional_real(14, "SC"), r.optional_real(15, "SS")];
    let stress_frame = if r.is_blank(16) { Some(None) } else { b.frame(r, 16, "MCSID").map(Some) };
    let [g11, g12, g13, g22, g23, g33] = g;
    let (g12, g13, g23) = (g12?, g13?, g23?);
    let stiffness = Matrix3::new(g11?, g12, g13, g12, g22?, g23, g13, g23, g33?);
    let [a1, a2, a3] = expansion;
    let [st, sc, ss] = allowables;
    b.mesh.materials.push(Material {
        id: MaterialId(id?),
        density: density?,
        reference_temperature: reference_temperature?,
        structural_damping: structural_damping?,
        allowables: [st?, sc?, ss?],
        stress_frame: stress_frame?,
        law: MaterialLaw::Anisotropic2d { stiffness, thermal_expansion: Vector3::new(a1?, a2?, a3?) },
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | MAT8 | MID | E1  | E2   | NU12 | G12 | G1Z | G2Z | RHO |
/// |      | A1  | A2  | TREF | XT   | XC  | YT  | YC  | S   |
/// |      | GE  | F12 | STRN |
/// ```
/// G1Z and G2Z blank or 0: rigid in transverse shear. XC and YC blank: as XT and YT.
fn mat8(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "MID");
    let e1 = r.real(1, "E1");
    let e2 = r.real(2, "E2");
    let nu12 = r.real_or(3, "NU12", 0.0);
    let g12 = r.real_or(4, "G12", 0.0);
    let g1z = r.real_or(5, "G1Z", 0.0);
    let g2z = r.real_or(6, "G2Z", 0.0);
    let density = r.real_or(7, "RHO", 0.0);
    let expansion = [r.real_or(8, "A1", 0.0), r.real_or(9, "A2", 0.0)];
    let reference_temperature = r.real_or(10, "TREF", 0.0);
    let mut strengths = [None; 5];
    for (k, name) in ["XT", "XC", "YT", "YC", "S"].iter().enumerate() {
        strengths[k] = r.optional_real(11 + k, name);
    }
    let structural_damping = r.real_or(16, "GE", 0.0);
    let [xt, xc, yt, yc, s] = strengths;
    let (xt, yt) = (xt?, yt?);
    let [a1, a2] = expansion;
    let some_if_not_zero = |g: f64| (g != 0.0).then_some(g);
    b.mesh.materials.push(Material {
        id: MaterialId(id?),
        density: density?,
        reference_temperature: reference_temperature?,
        structural_damping: structural_damping?,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Orthotropic2d {
            e1: e1?,
            e2: e2?,
            nu12: nu12?,
            g12: g12?,
            g1z: some_if_not_zero(g1z?),
            g2z: some_if_not_zero(g2z?),
            thermal_expansion: [a1?, a2?],
            strengths: [xt, xc?.or(xt), yt, yc?.or(yt), s?],
        },
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | MAT9 | MID | G11 | G12 | G13 | G14 | G15  | G16 | G22 |
/// |      | G23 | G24 | G25 | G26 | G33 | G34  | G35 | G36 |
/// |      | G44 | G45 | G46 | G55 | G56 | G66  | RHO | A1  |
/// |      | A2  | A3  | A4  | A5  | A6  | TREF | GE  |
/// ```
/// Order of stresses: x, y, z, xy, yz, zx.
fn mat9(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "MID");
    let mut stiffness = Matrix6::zeros();
    let mut good = true;
    let mut slot = 1;
    for row in 0..6 {
        for column in row..6 {
            match r.real_or(slot, &format!("G{}{}", row + 1, column + 1), 0.0) {
                Some(value) => {
                    stiffness[(row, column)] = value;
                    stiffness[(column, row)] = value;
                }
                None => good = false,
            }
            slot += 1;
        }
    }
    let density = r.real_or(22, "RHO", 0.0);
    let mut expansion = Vector6::zeros();
    for k in 0..6 {
        match r.real_or(23 + k, &format!("A{}", k + 1), 0.0) {
            Some(value) => expansion[k] = value,
            None => good = false,
        }
    }
    let reference_temperature = r.real_or(29, "TREF", 0.0);
    let structural_damping = r.real_or(30, "GE", 0.0);
    if !good {
        return None;
    }
    b.mesh.materials.push(Material {
        id: MaterialId(id?),
        density: density?,
        reference_temperature: reference_temperature?,
        structural_damping: structural_damping?,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Anisotropic3d { stiffness: Box::new(stiffness), thermal_expansion: expansion },
        source: r.span().into(),
    });
    Some(())
}
