//! Eight doubles as one, two or eight registers.

/// Eight doubles side by side. The wide kinds are for code that [`widest!`](crate::widest) calls: elsewhere
/// the processor may not have their instructions.
pub trait Lanes: Copy {
    /// How many sums of them stay in registers beside a second set.
    const SUMS: usize;
    /// The eight numbers of `x`.
    fn load(x: &[f64; 8]) -> Self;
    /// Writes them to `x`.
    fn store(self, x: &mut [f64; 8]);
    /// Eight times `x`.
    fn splat(x: f64) -> Self;
    /// `self · other`.
    fn times(self, other: Self) -> Self;
    /// `self · other + sum`, rounded once.
    fn fused(self, other: Self, sum: Self) -> Self;
    /// The larger of each two.
    fn larger(self, other: Self) -> Self;
    /// Magnitudes.
    fn size(self) -> Self;
    /// Square roots.
    fn root(self) -> Self;
    /// Sum of all: halves, quarters, eighths.
    fn total(self) -> f64;
}

impl Lanes for [f64; 8] {
    const SUMS: usize = 1;
    #[inline(always)]
    fn load(x: &[f64; 8]) -> Self {
        *x
    }
    #[inline(always)]
    fn store(self, x: &mut [f64; 8]) {
        *x = self;
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        [x; 8]
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] * other[i])
    }
    #[inline(always)]
    fn fused(self, other: Self, sum: Self) -> Self {
        std::array::from_fn(|i| self[i].mul_add(other[i], sum[i]))
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        // As the processors do it: the second of two equal ones.
        std::array::from_fn(|i| if self[i] > other[i] { self[i] } else { other[i] })
    }
    #[inline(always)]
    fn size(self) -> Self {
        self.map(f64::abs)
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.map(f64::sqrt)
    }
    #[inline(always)]
    fn total(self) -> f64 {
        let four: [f64; 4] = std::array::from_fn(|i| self[i] + self[i + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256d, __m512d, _mm_add_pd, _mm_add_sd, _mm_cvtsd_f64, _mm_unpackhi_pd, _mm256_add_pd,
        _mm256_andnot_pd, _mm256_castpd256_pd128, _mm256_extractf128_pd, _mm256_fmadd_pd, _mm256_loadu_pd,
        _mm256_max_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_sqrt_pd, _mm256_storeu_pd, _mm512_abs_pd,
        _mm512_castpd512_pd256, _mm512_extractf64x4_pd, _mm512_fmadd_pd, _mm512_loadu_pd, _mm512_max_pd,
        _mm512_mul_pd, _mm512_set1_pd, _mm512_sqrt_pd, _mm512_storeu_pd,
    };

    use super::Lanes;

    /// Sum of four.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn total_of_four(four: __m256d) -> f64 {
        // SAFETY: the caller's.
        unsafe {
            let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
            _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
        }
    }

    // `widest` uses these types only where the processor has AVX-512F and FMA, or AVX2 and FMA: that is meant
    // by "chosen by `widest`".
    impl Lanes for __m512d {
        const SUMS: usize = 4;
        #[inline(always)]
        fn load(x: &[f64; 8]) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_loadu_pd(x.as_ptr()) }
        }
        #[inline(always)]
        fn store(self, x: &mut [f64; 8]) {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_storeu_pd(x.as_mut_ptr(), self) }
        }
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_set1_pd(x) }
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_mul_pd(self, other) }
        }
        #[inline(always)]
        fn fused(self, other: Self, sum: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_fmadd_pd(self, other, sum) }
        }
        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_max_pd(self, other) }
        }
        #[inline(always)]
        fn size(self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_abs_pd(self) }
        }
        #[inline(always)]
        fn root(self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { _mm512_sqrt_pd(self) }
        }
        #[inline(always)]
        fn total(self) -> f64 {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe {
                total_of_four(_mm256_add_pd(_mm512_castpd512_pd256(self), _mm512_extractf64x4_pd::<1>(self)))
            }
        }
    }

    impl Lanes for [__m256d; 2] {
        const SUMS: usize = 2;
        #[inline(always)]
        fn load(x: &[f64; 8]) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { [_mm256_loadu_pd(x.as_ptr()), _mm256_loadu_pd(x[4..].as_ptr())] }
        }
        #[inline(always)]
        fn store(self, x: &mut [f64; 8]) {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe {
                _mm256_storeu_pd(x.as_mut_ptr(), self[0]);
                _mm256_storeu_pd(x[4..].as_mut_ptr(), self[1]);
            }
        }
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { [_mm256_set1_pd(x); 2] }
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { [_mm256_mul_pd(self[0], other[0]), _mm256_mul_pd(self[1], other[1])] }
        }
        #[inline(always)]
        fn fused(self, other: Self, sum: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe {
                [_mm256_fmadd_pd(self[0], other[0], sum[0]), _mm256_fmadd_pd(self[1], other[1], sum[1])]
            }
        }
        #[inline(always)]
        fn larger(self, other: Self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { [_mm256_max_pd(self[0], other[0]), _mm256_max_pd(self[1], other[1])] }
        }
        #[inline(always)]
        fn size(self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe {
                let sign = _mm256_set1_pd(-0.0);
                [_mm256_andnot_pd(sign, self[0]), _mm256_andnot_pd(sign, self[1])]
            }
        }
        #[inline(always)]
        fn root(self) -> Self {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { [_mm256_sqrt_pd(self[0]), _mm256_sqrt_pd(self[1])] }
        }
        #[inline(always)]
        fn total(self) -> f64 {
            // SAFETY: the eight numbers are there, and the instructions are chosen by `widest`.
            unsafe { total_of_four(_mm256_add_pd(self[0], self[1])) }
        }
    }
}

/// `K` times eight doubles.
pub type Eights<const K: usize> = [[f64; 8]; K];

/// Loads all.
#[inline(always)]
pub fn load<const K: usize, L: Lanes>(x: &Eights<K>) -> [L; K] {
    std::array::from_fn(|i| L::load(&x[i]))
}

/// Stores all.
#[inline(always)]
pub fn store<const K: usize, L: Lanes>(lanes: [L; K], x: &mut Eights<K>) {
    for i in 0..K {
        lanes[i].store(&mut x[i]);
    }
}

/// `sum + x · factor`.
#[inline(always)]
pub fn fused<const K: usize, L: Lanes>(x: [L; K], factor: L, sum: [L; K]) -> [L; K] {
    std::array::from_fn(|i| x[i].fused(factor, sum[i]))
}

/// `sum + x · y`, component by component.
#[inline(always)]
pub fn fused_times<const K: usize, L: Lanes>(x: [L; K], y: [L; K], sum: [L; K]) -> [L; K] {
    std::array::from_fn(|i| x[i].fused(y[i], sum[i]))
}

/// Sum of all components.
#[inline(always)]
pub fn total<const K: usize, L: Lanes>(x: [L; K]) -> f64 {
    x[1..].iter().fold(x[0].total(), |sum, x| sum + x.total())
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    /// Everything a kind of lanes can do.
    fn all<L: Lanes>(x: &[f64; 8], y: &[f64; 8]) -> ([f64; 8], f64) {
        let (x, y) = (L::load(x), L::load(y));
        let mut out = [0.0; 8];
        let sum = x.fused(y, L::splat(0.1).times(x)).larger(x.size().root());
        sum.store(&mut out);
        (out, sum.total())
    }

    #[test]
    fn every_kind_of_lanes_has_the_same_bits() {
        let x: [f64; 8] = std::array::from_fn(|i| (i as f64 + 0.3).sin());
        let y: [f64; 8] = std::array::from_fn(|i| (1.7 * i as f64).cos());
        let plain = all::<[f64; 8]>(&x, &y);
        assert_eq!(plain.1, plain.0.total());
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{__m256d, __m512d};
            if std::arch::is_x86_feature_detected!("avx512f") {
                assert_eq!(all::<__m512d>(&x, &y), plain);
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                assert_eq!(all::<[__m256d; 2]>(&x, &y), plain);
            }
        }
    }
}
