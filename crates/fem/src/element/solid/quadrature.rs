//! Quadrature rules on the reference shapes.
//!
//! Cube [−1, 1]³; triangle and tetrahedron with corners at the origin and the unit points; wedge = triangle ×
//! [−1, 1]; pyramid with base [−1, 1]² at ζ = 0 and apex at ζ = 1, by conical product.
//! Sources: Gauss–Legendre; Dunavant (1985) for triangles of degree 2 and 5; Walkington (2000) for the
//! tetrahedron of degree 5; Gauss–Jacobi with weight (1 − ζ)² for the pyramid. The tests integrate every
//! monomial they claim.

/// A quadrature point.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuadraturePoint {
    /// Position in the reference shape.
    pub(super) position: [f64; 3],
    /// Weight; the weights sum to the volume of the reference shape.
    pub(super) weight: f64,
}

/// A rule.
pub(super) type Rule = Vec<QuadraturePoint>;

/// Gauss–Legendre on [−1, 1] with 1, 2 or 3 points.
pub(super) fn line(count: usize) -> Vec<(f64, f64)> {
    match count {
        1 => vec![(0.0, 2.0)],
        2 => {
            let x = 1.0 / 3.0_f64.sqrt();
            vec![(-x, 1.0), (x, 1.0)]
        }
        3 => {
            let x = 0.6_f64.sqrt();
            vec![(-x, 5.0 / 9.0), (0.0, 8.0 / 9.0), (x, 5.0 / 9.0)]
        }
        _ => unreachable!("invariant: rules of one to three points are asked for"),
    }
}

/// Triangle of area ½: 3 points (degree 2) or 7 points (degree 5), as (ξ, η, weight).
pub(super) fn triangle(count: usize) -> Vec<(f64, f64, f64)> {
    let orbit = |a: f64, weight: f64| {
        let b = 1.0 - 2.0 * a;
        [(a, a, 0.5 * weight), (b, a, 0.5 * weight), (a, b, 0.5 * weight)]
    };
    match count {
        3 => orbit(1.0 / 6.0, 1.0 / 3.0).to_vec(),
        7 => {
            let root = 15.0_f64.sqrt();
            let mut points = vec![(1.0 / 3.0, 1.0 / 3.0, 0.5 * 9.0 / 40.0)];
            points.extend(orbit((6.0 - root) / 21.0, (155.0 - root) / 1200.0));
            points.extend(orbit((6.0 + root) / 21.0, (155.0 + root) / 1200.0));
            points
        }
        _ => unreachable!("invariant: rules of three or seven points are asked for"),
    }
}

/// Cube, `count`³ points.
pub(super) fn cube(count: usize) -> Rule {
    let line = line(count);
    let mut rule = Vec::with_capacity(count * count * count);
    for (z, wz) in &line {
        for (y, wy) in &line {
            for (x, wx) in &line {
                rule.push(QuadraturePoint { position: [*x, *y, *z], weight: wx * wy * wz });
            }
        }
    }
    rule
}

/// Wedge, product of a triangle and a line rule.
pub(super) fn wedge(triangle_count: usize, line_count: usize) -> Rule {
    let triangle = triangle(triangle_count);
    line(line_count)
        .iter()
        .flat_map(|(z, wz)| {
            triangle.iter().map(move |(x, y, w)| QuadraturePoint { position: [*x, *y, *z], weight: w * wz })
        })
        .collect()
}

/// Tetrahedron of volume 1/6: 1 point (degree 1), 4 points (degree 2) or 14 points (degree 5).
pub(super) fn tetrahedron(count: usize) -> Rule {
    let centre = QuadraturePoint { position: [0.25; 3], weight: 1.0 / 6.0 };
    // Points (a, a, a, 1 − 3a) in barycentric coordinates.
    let corners = |a: f64, weight: f64| {
        let b = 1.0 - 3.0 * a;
        [[a, a, a], [b, a, a], [a, b, a], [a, a, b]].map(|position| QuadraturePoint { position, weight })
    };
    match count {
        1 => vec![centre],
        4 => corners((5.0 - 5.0_f64.sqrt()) / 20.0, 1.0 / 24.0).to_vec(),
        14 => {
            let mut rule = Vec::new();
            rule.extend(corners(0.310_885_919_263_300_6, 0.112_687_925_718_015_85 / 6.0));
            rule.extend(corners(0.092_735_250_310_891_23, 0.073_493_043_116_361_95 / 6.0));
            // Points (a, a, b, b) with a + b = ½.
            let a = 0.454_496_295_874_350_36;
            let b = 0.5 - a;
            let weight = 0.042_546_020_777_081_466 / 6.0;
            for position in [[a, a, b], [a, b, a], [b, a, a], [b, b, a], [b, a, b], [a, b, b]] {
                rule.push(QuadraturePoint { position, weight });
            }
            rule
        }
        _ => unreachable!("invariant: rules of 1, 4 or 14 points are asked for"),
    }
}

/// Pyramid of volume 4/3, `count`³ points: with a = ξ/(1−ζ), b = η/(1−ζ),
/// ∫ f dV = ∫ (1−ζ)² ∫∫ f da db dζ, Gauss–Legendre in a and b, Gauss–Jacobi in ζ.
pub(super) fn pyramid(count: usize) -> Rule {
    let line = line(count);
    let mut rule = Vec::with_capacity(count * count * count);
    for (z, wz) in jacobi(count) {
        let s = 1.0 - z;
        for (b, wb) in &line {
            for (a, wa) in &line {
                rule.push(QuadraturePoint { position: [a * s, b * s, z], weight: wa * wb * wz });
            }
        }
    }
    rule
}

/// Gauss–Jacobi on [0, 1] with weight (1 − ζ)²: nodes are the roots of the orthogonal polynomial, found by
/// Newton from bracketed starts; weights solve the moment equations.
fn jacobi(count: usize) -> Vec<(f64, f64)> {
    // In s = 1 − ζ, weight s²: monic orthogonal polynomials by their three-term recurrence with exact moments
    // ∫ s^(k+2) ds = 1/(k+3).
    let moment = |k: usize| 1.0 / (k as f64 + 3.0);
    match count {
        1 => vec![(1.0 - moment(1) / moment(0), moment(0))],
        2 | 3 => {
            let coefficients = orthogonal_polynomial(count, &moment);
            let roots = roots_in_unit_interval(&coefficients);
            weights(&roots, &moment).into_iter().zip(roots).map(|(w, s)| (1.0 - s, w)).collect()
        }
        _ => unreachable!("invariant: rules of one to three points are asked for"),
    }
}

/// Coefficients c of the monic p(s) = sⁿ + Σ c_k s^k that is orthogonal to all lower powers.
fn orthogonal_polynomial(count: usize, moment: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let hankel = nalgebra::DMatrix::from_fn(count, count, |i, j| moment(i + j));
    let right = nalgebra::DVector::from_fn(count, |i, _| -moment(i + count));
    let solved = hankel.lu().solve(&right).expect("invariant: a moment matrix is regular");
    solved.iter().copied().chain([1.0]).collect()
}

fn roots_in_unit_interval(coefficients: &[f64]) -> Vec<f64> {
    let p = |s: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * s + c);
    let samples = 400;
    let mut roots = Vec::new();
    for i in 0..samples {
        let (mut low, mut high) = (f64::from(i) / 400.0, f64::from(i + 1) / 400.0);
        if p(low) * p(high) > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if p(low) * p(middle) <= 0.0 { high = middle } else { low = middle }
        }
        roots.push(0.5 * (low + high));
    }
    roots
}

fn weights(roots: &[f64], moment: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let n = roots.len();
    let vandermonde = nalgebra::DMatrix::from_fn(n, n, |k, i| roots[i].powi(k as i32));
    let right = nalgebra::DVector::from_fn(n, |k, _| moment(k));
    vandermonde.lu().solve(&right).expect("invariant: the roots differ").iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    /// ∫ of a monomial over [−1, 1].
    fn on_line(k: i32) -> f64 {
        if k % 2 == 1 { 0.0 } else { 2.0 / f64::from(k + 1) }
    }

    fn check(name: &str, rule: &Rule, degree: i32, exact: impl Fn(i32, i32, i32) -> f64) {
        for i in 0..=degree {
            for j in 0..=degree - i {
                for k in 0..=degree - i - j {
                    let found: f64 = rule
                        .iter()
                        .map(|p| {
                            let [x, y, z] = p.position;
                            p.weight * x.powi(i) * y.powi(j) * z.powi(k)
                        })
                        .sum();
                    let wanted = exact(i, j, k);
                    assert!(
                        (found - wanted).abs() < 1e-14,
                        "{name}: x^{i} y^{j} z^{k}: {found} for {wanted}"
                    );
                }
            }
        }
    }

    #[test]
    fn rules_integrate_what_they_claim() {
        let in_cube = |i, j, k| on_line(i) * on_line(j) * on_line(k);
        for count in 1..=3 {
            check("cube", &cube(count), 2 * count as i32 - 1, in_cube);
        }
        let in_tetrahedron = |i, j, k| factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
        for (count, degree) in [(1, 1), (4, 2), (14, 5)] {
            check("tetrahedron", &tetrahedron(count), degree, in_tetrahedron);
        }
        let in_wedge = |i, j, k| factorial(i) * factorial(j) / factorial(i + j + 2) * on_line(k);
        check("wedge 3×2", &wedge(3, 2), 2, in_wedge);
        check("wedge 7×3", &wedge(7, 3), 5, in_wedge);
        // ∫ ζ^k (1−ζ)^(i+j+2) dζ is a beta function.
        let in_pyramid = |i, j, k| {
            let m = i + j + 2;
            on_line(i) * on_line(j) * factorial(k) * factorial(m) / factorial(k + m + 1)
        };
        for count in 1..=3 {
            check("pyramid", &pyramid(count), 2 * count as i32 - 1, in_pyramid);
        }
    }
}
