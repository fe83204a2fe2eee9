//! MAT1, MAT2, MAT8, MAT9.

use pliant_mesh::MaterialLaw;

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn materials(&mut self) {
        for material in &self.mesh.materials {
            let (id, density) = (material.id.0, material.density);
            let (temperature, damping) = (material.reference_temperature, material.structural_damping);
            let [st, sc, ss] = material.allowables;
            let frame = material.stress_frame.map(|frame| self.frame(frame));
            match &material.law {
                MaterialLaw::Isotropic {
                    youngs_modulus,
                    shear_modulus,
                    poisson_ratio,
                    thermal_expansion,
                } => {
                    let (e, g, nu, a) = (*youngs_modulus, *shear_modulus, *poisson_ratio, *thermal_expansion);
                    let row = fields![id, e, g, nu, density, a, temperature, damping, st, sc, ss, frame];
                    self.text.card("MAT1", &row);
                }
                MaterialLaw::Anisotropic2d { stiffness: g, thermal_expansion: a } => {
                    let row = fields![
                        id,
                        g[(0, 0)],
                        g[(0, 1)],
                        g[(0, 2)],
                        g[(1, 1)],
                        g[(1, 2)],
                        g[(2, 2)],
                        density,
                        a[0],
                        a[1],
                        a[2],
                        temperature,
                        damping,
                        st,
                        sc,
                        ss,
                        frame,
                    ];
                    self.text.card("MAT2", &row);
                }
                MaterialLaw::Orthotropic2d {
                    e1,
                    e2,
                    nu12,
                    g12,
                    g1z,
                    g2z,
                    thermal_expansion: a,
                    strengths: s,
                } => {
                    let row = fields![
                        id,
                        *e1,
                        *e2,
                        *nu12,
                        *g12,
                        *g1z,
                        *g2z,
                        density,
                        a[0],
                        a[1],
                        temperature,
                        s[0],
                        s[1],
                        s[2],
                        s[3],
                        s[4],
                        damping,
                    ];
                    self.text.card("MAT8", &row);
                }
                MaterialLaw::Anisotropic3d { stiffness, thermal_expansion } => {
                    let mut row = fields![id].to_vec();
                    for i in 0..6 {
                        row.extend((i..6).map(|j| Value::Real(stiffness[(i, j)])));
                    }
                    row.push(density.into());
                    row.extend(thermal_expansion.iter().map(|a| Value::Real(*a)));
                    row.extend(fields![temperature, damping]);
                    self.text.card("MAT9", &row);
                }
            }
        }
    }
}
