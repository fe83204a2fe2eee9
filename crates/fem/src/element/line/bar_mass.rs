//! Mass matrices of CBAR and CBEAM, 12×12 in the element frame at the ends of the reference axis.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix6, SMatrix};

use super::flexible_line::{FlexibleLine, Matrix6x12};
use super::frame::Matrix12;

/// What turns with a section in the mass that Nastran would form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spin {
    /// CBAR: no torsional inertia.
    None,
    /// CBEAM: ρ(I1 + I2) per length, and that of the non-structural mass.
    Torsional,
}

/// Which rotary terms a section's mass has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rotary {
    None,
    Torsional,
    Full,
}

/// Half of the mass at each end (more generally ∫(1−ξ)μ and ∫ξμ), without rotary inertia except what `spin`
/// says. Structural mass sits on the neutral axis, non-structural mass at its own centre. As MSC and NX
/// Nastran do: ../shared/nastran/FORMULATION.md, checked there on their frequencies to 3e-7.
pub(super) fn lumped(line: &FlexibleLine, spin: Spin) -> Matrix12 {
    let section = line.section();
    let rotary = match spin {
        Spin::None => Rotary::None,
        Spin::Torsional => Rotary::Torsional,
    };
    let mut M = Matrix12::zeros();
    for (xi, weight) in section.points(0.0, 1.0) {
        for (end, share) in [(0, 1.0 - xi), (1, xi)] {
            // Each end carries its share of the mass at the offsets of the end itself.
            let block = section_mass(line, xi, [section.neutral_axis[end], section.nsm_centre[end]], rotary);
            let mut view = M.fixed_view_mut::<6, 6>(6 * end, 6 * end);
            view += block * (share * weight * line.length());
        }
    }
    M
}

/// Nastran's coupled mass: cubic bending without rotary inertia, and along the axis the mean of lumped and
/// consistent mass, m[5/12 1/12]. CBAR has no torsional inertia, CBEAM ρ(I1 + I2)L[1/3 1/6].
/// ../shared/nastran/FORMULATION.md, checked there for CBAR on a mass matrix of NX 9 to 4e-8; for CBEAM the
/// same rules are taken to hold.
pub(super) fn coupled(line: &FlexibleLine, spin: Spin) -> Matrix12 {
    let section = line.section();
    let rotary = match spin {
        Spin::None => Rotary::None,
        Spin::Torsional => Rotary::Torsional,
    };
    let mut M = Matrix12::zeros();
    for (xi, weight) in section.points(0.0, 1.0) {
        let offsets = [section.neutral_axis_at(xi), section.nsm_centre_at(xi)];
        let m = section_mass(line, xi, offsets, rotary);
        let H = cubic_shape(line.length(), xi);
        let ds = weight * line.length();
        M += H.transpose() * m * H * ds;
        let shift = 0.5 * m[(0, 0)] * xi * (1.0 - xi) * ds;
        M[(0, 0)] += shift;
        M[(6, 6)] += shift;
        M[(0, 6)] -= shift;
        M[(6, 0)] -= shift;
    }
    M
}

/// ∫ NᵀmN with the shape functions of the beam itself and all of m: rotary inertia ρI1, ρI2, ρI12 and polar
/// inertia ρ(I1 + I2).
pub(super) fn consistent(line: &FlexibleLine) -> Matrix12 {
    let section = line.section();
    let mut M = Matrix12::zeros();
    for (xi, weight) in section.points(0.0, 1.0) {
        let offsets = [section.neutral_axis_at(xi), section.nsm_centre_at(xi)];
        let m = section_mass(line, xi, offsets, Rotary::Full);
        let shape = line.shape(xi);
        M += shape.transpose() * m * shape * (weight * line.length());
    }
    0.5 * (M + M.transpose())
}

/// Mass per length of a section, 6×6 on the displacements of the reference axis; `offsets` are those of the
/// structural and of the non-structural mass.
fn section_mass(line: &FlexibleLine, xi: f64, offsets: [[f64; 2]; 2], rotary: Rotary) -> Matrix6<f64> {
    let section = line.section();
    let s = section.at(xi);
    let rho = section.density;
    let mut m = Matrix6::zeros();
    for (mass, [y, z]) in [(rho * s.area, offsets[0]), (s.nsm, offsets[1])] {
        let mut P = SMatrix::<f64, 3, 6>::identity();
        P[(0, 4)] = z;
        P[(0, 5)] = -y;
        P[(1, 3)] = -z;
        P[(2, 3)] = y;
        m += P.transpose() * P * mass;
    }
    if rotary != Rotary::None {
        m[(3, 3)] += rho * (s.i1 + s.i2) + section.nsi_at(xi);
    }
    if rotary == Rotary::Full {
        m[(4, 4)] += rho * s.i2;
        m[(5, 5)] += rho * s.i1;
        m[(4, 5)] -= rho * s.i12;
        m[(5, 4)] -= rho * s.i12;
    }
    m
}

/// Linear extension and twist, cubic bending without shear.
fn cubic_shape(length: f64, xi: f64) -> Matrix6x12 {
    let mut H = Matrix6x12::zeros();
    for row in [0, 3] {
        H[(row, row)] = 1.0 - xi;
        H[(row, row + 6)] = xi;
    }
    let squared = xi * xi;
    let values = [
        1.0 - squared * (3.0 - 2.0 * xi),
        length * xi * (1.0 - xi) * (1.0 - xi),
        squared * (3.0 - 2.0 * xi),
        length * squared * (xi - 1.0),
    ];
    let slopes = [
        6.0 * xi * (xi - 1.0) / length,
        1.0 - xi * (4.0 - 3.0 * xi),
        6.0 * xi * (1.0 - xi) / length,
        xi * (3.0 * xi - 2.0),
    ];
    for (k, (translation, rotation)) in [(0, 1), (2, 3)].into_iter().enumerate() {
        let first = 6 * k;
        H[(1, first + 1)] = values[translation];
        H[(1, first + 5)] = values[rotation];
        H[(5, first + 1)] = slopes[translation];
        H[(5, first + 5)] = slopes[rotation];
        H[(2, first + 2)] = values[translation];
        H[(2, first + 4)] = -values[rotation];
        H[(4, first + 2)] = -slopes[translation];
        H[(4, first + 4)] = slopes[rotation];
    }
    H
}
