//! Maps of second order, `d(q) = L q + ½ qᵀC q` of a few components at once, with what a time step asks of
//! them:
//!
//! ```text
//! slopes  J = ∂d/∂q = L + C q        d = ½ (L + J) q        ḋ = J q̇        d̈ = J q̈ + q̇ᵀC q̇
//! ```
//!
//! Components of one slope lie side by side, so that a register takes several.

use nalgebra::DMatrix;

use crate::products::Panel;
use pliant_simd::{Eights, Lanes, fused, fused_times, load, store, widest};

/// A map of up to 8 `K` components and its last evaluation; components that are not there are zero. Made once
/// per link, reused every time.
#[derive(Clone, Debug)]
pub struct QuadraticMap<const K: usize> {
    linear: Vec<Eights<K>>,
    /// Rows mj..mj+m of column k are entry (j, k) of the m components. Empty: a linear map.
    curvature: Panel,
    /// 1 for components that are there.
    there: Eights<K>,
    C_q: Vec<f64>,
    C_v: Vec<f64>,
    /// `∂d/∂q_j` for each j.
    pub slopes: Vec<[[f64; 8]; K]>,
    /// d.
    pub value: [[f64; 8]; K],
    /// ḋ.
    pub rate: [[f64; 8]; K],
    /// d̈.
    pub acceleration: [[f64; 8]; K],
}

/// What `of` gives for the components that are there, in eights.
pub(crate) fn padded<const K: usize>(components: usize, of: impl Fn(usize) -> f64) -> Eights<K> {
    std::array::from_fn(|i| std::array::from_fn(|c| if 8 * i + c < components { of(8 * i + c) } else { 0.0 }))
}

impl<const K: usize> QuadraticMap<K> {
    /// From L, components × coordinates, and the symmetric matrices C of the components, none for a linear
    /// map.
    ///
    /// # Panics
    /// If there are more than 8 `K` components.
    pub fn new(linear: &DMatrix<f64>, curvature: &[DMatrix<f64>]) -> Self {
        let (m, n) = linear.shape();
        assert!(m <= 8 * K && (curvature.is_empty() || curvature.len() == m), "invariant: m components fit");
        let linear: Vec<Eights<K>> = (0..n).map(|j| padded(m, |c| linear[(c, j)])).collect();
        let rows = m * n * usize::from(!curvature.is_empty());
        // The last components are read in eights too.
        let scratch = vec![0.0; (rows + 8 * K).next_multiple_of(8)];
        let none = [[0.0; 8]; K];
        Self {
            slopes: linear.clone(),
            linear,
            curvature: Panel::new(&DMatrix::from_fn(rows, n, |row, k| curvature[row % m][(row / m, k)])),
            there: padded(m, |_| 1.0),
            C_q: scratch.clone(),
            C_v: scratch,
            value: none,
            rate: none,
            acceleration: none,
        }
    }

    /// Evaluates at coordinates `q`, their rates `v` and accelerations `a`.
    pub fn evaluate(&mut self, q: &[f64], v: &[f64], a: &[f64]) {
        self.curvature.times_both(q, v, &mut self.C_q, &mut self.C_v);
        sums(self, q, v, a);
    }
}

widest! {
    fn sums[K: usize](map: &mut QuadraticMap<K>, q: &[f64], v: &[f64], a: &[f64]) = sums_over_coordinates
}

#[inline(always)]
fn sums_over_coordinates<const K: usize, L: Lanes>(
    map: &mut QuadraticMap<K>,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) {
    let m = map.curvature.rows() / map.linear.len().max(1);
    let none = [L::splat(0.0); K];
    let (mut linear, mut sum, mut rate, mut acceleration, mut bias) = (none, none, none, none, none);
    let there: [L; K] = load(&map.there);
    let coordinates = q.iter().zip(v).zip(a);
    for (j, ((l, slope), ((q, v), a))) in map.linear.iter().zip(&mut map.slopes).zip(coordinates).enumerate()
    {
        let (q, v, a) = (L::splat(*q), L::splat(*v), L::splat(*a));
        let l: [L; K] = load(l);
        let mut J = l;
        if m > 0 {
            // Beyond the components are those of the next coordinate, which do not belong there.
            let read = |x: &[f64]| -> [L; K] {
                let eights = x[m * j..][..8 * K].as_chunks::<8>().0;
                std::array::from_fn(|i| L::load(&eights[i]))
            };
            J = fused_times(read(&map.C_q), there, J);
            bias = fused(read(&map.C_v), v, bias);
        }
        store(J, slope);
        linear = fused(l, q, linear);
        sum = fused(J, q, sum);
        rate = fused(J, v, rate);
        acceleration = fused(J, a, acceleration);
    }
    let half = L::splat(0.5);
    let value = fused(linear, half, sum.map(|x| x.times(half)));
    store(value, &mut map.value);
    store(rate, &mut map.rate);
    store(fused_times(bias, there, acceleration), &mut map.acceleration);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of coordinates around every block of columns.
    #[test]
    fn a_map_is_its_definition_with_the_same_bits_for_every_width() {
        for n in [0, 1, 2, 3, 4, 5, 7, 14, 23] {
            let L = DMatrix::from_fn(6, n, |c, j| ((7 * c + 3 * j) as f64).sin());
            let C: Vec<DMatrix<f64>> = (0..6)
                .map(|c| DMatrix::from_fn(n, n, |j, k| ((j + k + c) as f64 + (j * k) as f64).cos()))
                .collect();
            let x = |shift: f64| -> Vec<f64> { (0..n).map(|j| (1.7 * j as f64 + shift).sin()).collect() };
            let (q, v, a) = (x(0.1), x(0.5), x(0.9));
            let mut map = QuadraticMap::<1>::new(&L, &C);
            map.evaluate(&q, &v, &a);
            for (c, C) in C.iter().enumerate() {
                let form = |x: &[f64], y: &[f64]| -> f64 {
                    (0..n).map(|j| (0..n).map(|k| x[j] * C[(j, k)] * y[k]).sum::<f64>()).sum()
                };
                let along = |x: &[f64]| -> f64 { (0..n).map(|j| L[(c, j)] * x[j]).sum() };
                // Sums of n² products of size one.
                let close =
                    |ours: f64, exact: f64| assert!((ours - exact).abs() < 1e-15 * (n * n + 1) as f64);
                close(map.value[0][c], along(&q) + 0.5 * form(&q, &q));
                close(map.rate[0][c], along(&v) + form(&q, &v));
                close(map.acceleration[0][c], along(&a) + form(&q, &a) + form(&v, &v));
            }
            assert!(map.slopes.iter().all(|slope| slope[0][6..] == [0.0; 2]));
            let mut narrow = map.clone();
            sums_over_coordinates::<1, [f64; 8]>(&mut narrow, &q, &v, &a);
            assert_eq!(narrow.slopes, map.slopes);
            assert_eq!(narrow.acceleration, map.acceleration);
        }
    }

    #[test]
    fn a_linear_map_has_constant_slopes() {
        let mut map = QuadraticMap::<1>::new(&DMatrix::from_element(6, 2, 0.5), &[]);
        map.evaluate(&[1.0, 3.0], &[0.0, 1.0], &[2.0, 2.0]);
        assert_eq!((map.value[0][5], map.rate[0][5], map.acceleration[0][5]), (2.0, 0.5, 2.0));
        assert_eq!(map.value[0][6], 0.0);
    }
}
