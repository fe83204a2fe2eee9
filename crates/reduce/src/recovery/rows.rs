//! What the numbers of an element are: their names, and the one number that stands for all of them.

/// What is recovered of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Stress, and the section forces of bars.
    Stress,
    /// Strain of the displacements, shear as γ = 2ε.
    Strain,
}

impl Quantity {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Stress, Self::Strain];
}

/// What the rows of an element are, of stress and of strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Stress: N, V1, V2, T, M1, M2 at end A and at end B (N, N·m), then the axial stress at points C, D, E,
    /// F of A and of B (Pa). Strain: of the axis, twist per length, curvatures κ1 and κ2 at A and at B (1,
    /// rad/m, 1/m), then the axial strain at the same points.
    Line,
    /// x, y and xy at the bottom (−z, or Z1 of the property), then at the top, in element axes: at the centre
    /// of the element, then at each corner.
    Shell {
        /// Number of corners: 0 where stress does not vary in the element (CTRIA3, CTRIAR).
        corners: usize,
    },
    /// At the centre: 11, 22 and 12 at the bottom and then at the top of each ply, from the bottom of a
    /// laminate to its top, in the axes of the ply.
    Laminate {
        /// Number of plies.
        plies: usize,
    },
    /// xx, yy, zz, xy, yz, zx at the centroid and then at each corner, in link axes.
    Solid {
        /// Number of corners.
        corners: usize,
    },
}

impl RowKind {
    /// Rows of an element.
    pub fn rows(self, quantity: Quantity) -> usize {
        match self {
            Self::Line => 2 * Self::at_end(quantity).len() + 8,
            Self::Shell { corners } => 6 + 6 * corners,
            Self::Laminate { plies } => 6 * plies,
            Self::Solid { corners } => 6 + 6 * corners,
        }
    }

    /// Numbers of a section at each end of a bar.
    fn at_end(quantity: Quantity) -> &'static [&'static str] {
        match quantity {
            Quantity::Stress => &["N", "V1", "V2", "T", "M1", "M2"],
            Quantity::Strain => &["axial", "twist", "curvature1", "curvature2"],
        }
    }

    /// Names of the rows.
    pub fn labels(self, quantity: Quantity) -> Vec<String> {
        let voigt = ["xx", "yy", "zz", "xy", "yz", "zx"];
        let named =
            |point: &str, all: &[&str]| all.iter().map(|n| format!("{point}.{n}")).collect::<Vec<_>>();
        match self {
            Self::Line => {
                let (section, points) = (Self::at_end(quantity), ["C", "D", "E", "F"]);
                [named("A", section), named("B", section), named("A", &points), named("B", &points)].concat()
            }
            Self::Shell { corners } => {
                let points = (1..=corners).map(|corner| format!("corner {corner} "));
                let faces = std::iter::once(String::new())
                    .chain(points)
                    .flat_map(|point| ["bottom", "top"].map(|face| format!("{point}{face}")));
                faces.flat_map(|face| named(&face, &["xx", "yy", "xy"])).collect()
            }
            Self::Laminate { plies } => (1..=plies)
                .flat_map(|ply| ["bottom", "top"].map(|face| format!("ply {ply} {face}")))
                .flat_map(|point| named(&point, &["11", "22", "12"]))
                .collect(),
            Self::Solid { corners } => {
                let corners = (1..=corners).flat_map(|corner| named(&format!("corner {corner}"), &voigt));
                named("centroid", &voigt).into_iter().chain(corners).collect()
            }
        }
    }

    /// Units of a row by its name.
    pub fn units(self, quantity: Quantity, label: &str) -> &'static str {
        let end = label.rsplit('.').next().unwrap_or_default();
        match (self, quantity, end) {
            (Self::Line, Quantity::Stress, "N" | "V1" | "V2") => "N",
            (Self::Line, Quantity::Stress, "T" | "M1" | "M2") => "N·m",
            (Self::Line, Quantity::Strain, "twist") => "rad/m",
            (Self::Line, Quantity::Strain, "curvature1" | "curvature2") => "1/m",
            (_, Quantity::Stress, _) => "Pa",
            (_, Quantity::Strain, _) => "m/m",
        }
    }

    /// The kind whose rows have these names.
    pub fn of_labels(labels: &[String], quantity: Quantity) -> Option<Self> {
        let count = labels.len();
        let all = [
            Self::Line,
            Self::Shell { corners: (count / 6).saturating_sub(1) },
            Self::Laminate { plies: count / 6 },
            Self::Solid { corners: (count / 6).saturating_sub(1) },
        ];
        all.into_iter().find(|kind| kind.rows(quantity) == count && kind.labels(quantity) == labels)
    }

    /// The largest among the points of an element of: the equivalent stress of von Mises (Pa), or the size of
    /// the principal strain that is largest in size. Of a line element the size of the axial stress or strain
    /// at its stress points.
    pub fn intensity(self, quantity: Quantity, rows: &[f64]) -> f64 {
        let plane = match quantity {
            Quantity::Stress => plane_von_mises,
            Quantity::Strain => plane_principal,
        };
        let solid = match quantity {
            Quantity::Stress => solid_von_mises,
            Quantity::Strain => solid_principal,
        };
        match self {
            Self::Line => rows[rows.len() - 8..].iter().fold(0.0, |worst, s| f64::max(worst, s.abs())),
            Self::Shell { .. } | Self::Laminate { .. } => rows.chunks_exact(3).map(plane).fold(0.0, f64::max),
            Self::Solid { .. } => rows.chunks_exact(6).map(solid).fold(0.0, f64::max),
        }
    }
}

/// √(σx² − σxσy + σy² + 3τ²).
fn plane_von_mises(s: &[f64]) -> f64 {
    (s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3.0 * s[2] * s[2]).max(0.0).sqrt()
}

/// √(½[(σx−σy)² + (σy−σz)² + (σz−σx)²] + 3(τxy² + τyz² + τzx²)).
fn solid_von_mises(s: &[f64]) -> f64 {
    let normal = (s[0] - s[1]).powi(2) + (s[1] - s[2]).powi(2) + (s[2] - s[0]).powi(2);
    (0.5 * normal + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])).sqrt()
}

/// Mohr's circle: |εx + εy|/2 + ½√((εx − εy)² + γ²).
fn plane_principal(e: &[f64]) -> f64 {
    0.5 * ((e[0] + e[1]).abs() + (e[0] - e[1]).hypot(e[2]))
}

/// The eigenvalue largest in size of the tensor: m ± 2p cos φ at the ends, with m its mean, 6p² the square of
/// its deviator and cos 3φ the deviator's determinant over 2p³ (O. K. Smith, "Eigenvalues of a symmetric 3 ×
/// 3 matrix", Communications of the ACM 4 (1961) 168).
fn solid_principal(e: &[f64]) -> f64 {
    let mean = (e[0] + e[1] + e[2]) / 3.0;
    let [x, y, z] = [e[0] - mean, e[1] - mean, e[2] - mean];
    let [xy, yz, zx] = [0.5 * e[3], 0.5 * e[4], 0.5 * e[5]];
    let p = ((x * x + y * y + z * z + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0).sqrt();
    if p == 0.0 {
        return mean.abs();
    }
    let determinant = x * (y * z - yz * yz) - xy * (xy * z - yz * zx) + zx * (xy * yz - y * zx);
    let phi = (0.5 * determinant / (p * p * p)).clamp(-1.0, 1.0).acos() / 3.0;
    let ends = [phi, phi + std::f64::consts::TAU / 3.0].map(|phi| mean + 2.0 * p * phi.cos());
    ends[0].abs().max(ends[1].abs())
}

#[cfg(test)]
mod tests {
    use nalgebra::Matrix3;

    use super::{Quantity, RowKind, plane_principal, solid_principal};

    #[test]
    fn rows_are_found_by_their_names() {
        let all = [RowKind::Line, RowKind::Shell { corners: 4 }, RowKind::Solid { corners: 8 }];
        for kind in all.into_iter().chain([1, 2, 5].map(|plies| RowKind::Laminate { plies })) {
            for quantity in Quantity::ALL {
                let labels = kind.labels(quantity);
                assert_eq!(
                    (labels.len(), RowKind::of_labels(&labels, quantity)),
                    (kind.rows(quantity), Some(kind))
                );
            }
        }
    }

    /// Against the eigenvalues of the tensor by iteration; repeated ones and none at all among them.
    #[test]
    fn principal_strains_are_eigenvalues() {
        let all = [
            [1.0, -3.0, 0.5, 0.7, -1.1, 2.3],
            [2.0, 2.0, -1.0, 0.0, 0.0, 0.0],
            [-2.0, -2.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [4.0, 4.0, 4.0, 0.0, 0.0, 0.0],
            [0.0; 6],
        ];
        for e in all {
            let [xy, yz, zx] = [0.5 * e[3], 0.5 * e[4], 0.5 * e[5]];
            let tensor = Matrix3::new(e[0], xy, zx, xy, e[1], yz, zx, yz, e[2]);
            assert!(
                (solid_principal(&e) - tensor.symmetric_eigenvalues().amax()).abs() < 1e-14 * 4.0,
                "{e:?}"
            );
            if e[2] == 0.0 && e[4] == 0.0 && e[5] == 0.0 {
                assert!((plane_principal(&[e[0], e[1], e[3]]) - solid_principal(&e)).abs() < 1e-14);
            }
        }
    }
}
