//! Why no triangle with drilling rotations bends well in all strips.
//!
//! A triangle that passes the patch test in any mesh has forces under constant stress that its sides alone
//! decide, so that neighbours cancel: K ≥ K_b = L A Lᵀ/area with L of some α_b. In pure bending along x (ν =
//! 0) u = κxy, v = −κx²/2 and θ = −κx at the corners, and the strain Lᵀu/area has an error (α_b −
//! 1)(κ/12)ΣΔx³/area across the strip, with Δx of the sides taken round the triangle. The sum is zero where a
//! rectangle is cut in two and not where a parallelogram is; α_b = 1 is wrong in rectangles instead.

use nalgebra::{Matrix3, SVector, Vector2};

use super::super::opt::{LUMPING, mean_strain};

/// Energy of K_b over the exact energy of bending, in a cell of 1 × 0.2 whose upper side is shifted by
/// `lean`, cut along one diagonal or the other.
fn basic_energy(lumping: f64, lean: f64, rising: bool) -> f64 {
    let q = [(0.0, -0.1), (1.0, -0.1), (1.0 + lean, 0.1), (lean, 0.1)].map(|(x, y)| Vector2::new(x, y));
    let cut = if rising { [[0, 1, 2], [0, 2, 3]] } else { [[0, 1, 3], [1, 2, 3]] };
    // E t = 1, ν = 0.
    let A = Matrix3::from_diagonal(&nalgebra::Vector3::new(1.0, 1.0, 0.5));
    let energies = cut.map(|corners| {
        let p = corners.map(|c| q[c]);
        let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
        let u = SVector::<f64, 9>::from_iterator(p.iter().flat_map(|c| [c.x * c.y, -0.5 * c.x * c.x, -c.x]));
        let strain = mean_strain(p, lumping).transpose() * u / area;
        // ∫y² by the middles of the sides.
        let squares = (0..3).map(|i| (0.5 * (p[i].y + p[(i + 1) % 3].y)).powi(2)).sum::<f64>() / 3.0;
        (strain.dot(&(A * strain)) * area, squares * area)
    });
    energies.iter().map(|e| e.0).sum::<f64>() / energies.iter().map(|e| e.1).sum::<f64>()
}

#[test]
fn no_lumping_bends_rectangles_and_parallelograms() {
    println!("α_b: energy of K_b over that of bending in a rectangle, and in parallelograms cut both ways");
    for lumping in (10..=20).map(|k| 0.1 * f64::from(k)) {
        let [upright, long, short] = [(0.0, true), (0.2, true), (0.2, false)]
            .map(|(lean, rising)| basic_energy(lumping, lean, rising));
        println!("{lumping:.1}: {upright:6.2} {long:6.2} {short:6.2}");
        assert!(long.max(short) > 7.0, "{lumping}: {long} {short}");
    }
    // The optimal element leaves a quarter of the energy to its higher-order part in a rectangle.
    let upright = basic_energy(LUMPING, 0.0, true);
    assert!((upright - 0.75).abs() < 1e-9, "{upright}");
}
