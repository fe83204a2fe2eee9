//! What the second-order displacement `u₂ = Z s(q)` of the mass adds to the inertia of a moving link.
//!
//! The material moves with `w = D(q)V + Vq̇ + Zσ`. Fields of Z stay in Z when they are turned, so with `ω×s`
//! taken for each field, and with the affine momenta λ,
//!
//! ```text
//! σ = ṡ + ω×s = P q̇ + X ω          s = ½ qᵀΓq,   P = Γq,   X_k = −[s_k]×
//! λ = ZᵀMw = H̄V + N q̇ + Sσ         H̄(q) = H + [0  Σ q_j E_j]
//! T = T₁(q, q̇, V) + σ·(H̄V + N q̇) + ½ σ·Sσ
//! ```
//!
//! T₁ is the energy without Z. Lagrange's equations for V, q and s, and then s = s(q), with all accelerations
//! in `σ̇ = s̈ + ω̇×s + ω×ṡ` and `λ̇ = H̄V̇ + N q̈ + E(q̇)ω + Sσ̇`:
//!
//! ```text
//! momentum += H̄ᵀσ + [0; Σ s_k×λ_k]
//! f_R += H̄ᵀσ̇ + [0; E(q̇)ᵀσ + Σ(ṡ_k×λ_k + s_k×λ̇_k)] + V ×* (gain of momentum)
//! f_E += Nᵀσ̇ − (σᵀE_jω)_j + Pᵀ(λ̇ + ω×λ − H_v g)
//! ```
//!
//! This is all an evaluation of the equations of motion needs. The blocks of mass are made when a Newton
//! matrix is:
//!
//! ```text
//! M_RR += H̄ᵀX̂ + X̂ᵀH̄ + X̂ᵀSX̂        M_RE += H̄ᵀP + X̂ᵀ(N + SP)        M_EE += NᵀP + Pᵀ(N + SP)        X̂ = [0  X]
//! ```
//!
//! Derived in `docs/theory/floating-frame.md`.

use nalgebra::{DMatrix, Matrix6, Vector3, Vector6};

use crate::products::add_products_below;
use crate::quadratic::padded;
use crate::{LinkMotion, QuadraticMap, SecondOrderMass};
use pliant_simd::{Eights, Lanes, fused, fused_times, load, store, total, widest};

/// Constants and last evaluation of up to 8 `K` affine coordinates, fields of three one after another; those
/// that are not there are zero.
#[derive(Clone, Debug)]
pub(crate) struct AffineTerms<const K: usize> {
    fields: usize,
    /// s(q); its slopes are P.
    displacement: QuadraticMap<K>,
    H: [Eights<K>; 6],
    constants: Vec<Constants<K>>,
    S: Eights<K>,
    /// `S^−½`.
    scale: Eights<K>,
    /// H̄.
    H_q: [Eights<K>; 6],
    /// `N q̇`.
    along: Eights<K>,
    sigma: Eights<K>,
    /// λ.
    momenta: Eights<K>,
    /// `S^−½ (N + SP)`, one row for each coordinate.
    Q: Vec<Eights<K>>,
}

/// What belongs to one coordinate, on cache lines of its own.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Constants<const K: usize> {
    N: Eights<K>,
    E: [Eights<K>; 3],
}

/// What an evaluation adds to the motion of the frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gains {
    pub(crate) momentum: Vector6<f64>,
    pub(crate) momentum_rate: Vector6<f64>,
    pub(crate) first_moment: Vector3<f64>,
}

/// As many affine coordinates as the link has use for.
#[derive(Clone, Debug)]
pub(crate) enum SecondOrderTerms {
    /// One or two fields.
    Eight(Box<AffineTerms<1>>),
    /// Up to four.
    Sixteen(Box<AffineTerms<2>>),
}

/// Does the same with either.
macro_rules! either {
    ($terms:expr, $name:ident => $body:expr) => {
        match $terms {
            SecondOrderTerms::Eight($name) => $body,
            SecondOrderTerms::Sixteen($name) => $body,
        }
    };
}

impl SecondOrderTerms {
    pub(crate) fn new(mass: &SecondOrderMass) -> Self {
        if mass.count() <= 8 {
            Self::Eight(Box::new(AffineTerms::new(mass)))
        } else {
            Self::Sixteen(Box::new(AffineTerms::new(mass)))
        }
    }

    /// Adds to the elastic inertia forces `f_E`, returns what the frame gains.
    pub(crate) fn forces(&mut self, motion: &LinkMotion<'_>, f_E: &mut [f64]) -> Gains {
        let mut gains = Gains::default();
        either!(self, terms => {
            terms.displacement.evaluate(motion.q, motion.v, motion.a);
            forces(terms, motion, f_E, &mut gains);
        });
        gains
    }

    /// Adds to the blocks of mass of the state last evaluated.
    pub(crate) fn masses(&mut self, M_RR: &mut Matrix6<f64>, M_RE: &mut DMatrix<f64>) {
        either!(self, terms => masses(terms, M_RR, M_RE.as_mut_slice()));
    }

    /// `factor QᵀQ` added to the lower triangle of a matrix stored column by column; with `M_EE − NᵀS⁻¹N` the
    /// complete elastic mass of the state whose masses were made last.
    pub(crate) fn add_square(&self, factor: f64, lower: &mut [f64]) {
        either!(self, terms => add_products_below(&terms.Q, &terms.Q, factor, terms.Q.len(), lower));
    }

    /// Share in `½ q̇·∂T/∂q̇`: `½ (N q̇·σ + ṡ·λ)`.
    pub(crate) fn elastic_energy(&self) -> f64 {
        either!(self, terms => {
            let pairs = [(&terms.along, &terms.sigma), (&terms.displacement.rate, &terms.momenta)];
            let dot = |(x, y): (&Eights<_>, &Eights<_>)| -> f64 {
                x.as_flattened().iter().zip(y.as_flattened()).map(|(x, y)| x * y).sum()
            };
            0.5 * pairs.into_iter().map(dot).sum::<f64>()
        })
    }
}

impl<const K: usize> AffineTerms<K> {
    fn new(mass: &SecondOrderMass) -> Self {
        let (m, n) = (mass.count(), mass.N.ncols());
        let curvature: Vec<_> = (0..m).map(|a| mass.curvature_of(a)).collect();
        let H = std::array::from_fn(|r| padded(m, |a| mass.H[(a, r)]));
        let constants = |j: usize| {
            let E = std::array::from_fn(|b| padded(m, |a| mass.E[(a + m * b, j)]));
            Constants { N: padded(m, |a| mass.N[(a, j)]), E }
        };
        let none = [[0.0; 8]; K];
        Self {
            fields: m / 3,
            displacement: QuadraticMap::new(&DMatrix::zeros(m, n), &curvature),
            H,
            constants: (0..n).map(constants).collect(),
            S: padded(m, |a| mass.S[a]),
            scale: padded(m, |a| mass.S[a].sqrt().recip()),
            H_q: H,
            along: none,
            sigma: none,
            momenta: none,
            Q: vec![none; n],
        }
    }
}

/// Field k.
#[inline(always)]
fn field<const K: usize>(x: &Eights<K>, k: usize) -> Vector3<f64> {
    let x = x.as_flattened();
    Vector3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2])
}

widest! {
    fn forces[K: usize](
        terms: &mut AffineTerms<K>,
        motion: &LinkMotion<'_>,
        f_E: &mut [f64],
        gains: &mut Gains,
    ) = forces_of_motion
}

#[inline(always)]
fn forces_of_motion<const K: usize, L: Lanes>(
    terms: &mut AffineTerms<K>,
    motion: &LinkMotion<'_>,
    f_E: &mut [f64],
    gains: &mut Gains,
) {
    let LinkMotion { q, v, a, V, A, g } = motion;
    let none = [L::splat(0.0); K];
    // Without S σ for now, as λ and λ̇ are: N q̇, N q̈; E(q), E(q̇).
    let (mut along, mut lambda_rate) = (none, none);
    let (mut E, mut E_rate) = ([none; 3], [none; 3]);
    for (constants, ((q, v), a)) in terms.constants.iter().zip(q.iter().zip(*v).zip(*a)) {
        let (N_j, q, v) = (load(&constants.N), L::splat(*q), L::splat(*v));
        along = fused(N_j, v, along);
        lambda_rate = fused(N_j, L::splat(*a), lambda_rate);
        for b in 0..3 {
            let E_jb = load(&constants.E[b]);
            E[b] = fused(E_jb, q, E[b]);
            E_rate[b] = fused(E_jb, v, E_rate[b]);
        }
    }
    let (mut lambda, mut weight) = (along, none);
    let mut H = [none; 6];
    for r in 0..6 {
        H[r] = load(&terms.H[r]);
        if r < 3 {
            weight = fused(H[r], L::splat(-g[r]), weight);
            lambda_rate = fused(E_rate[r], L::splat(V[3 + r]), lambda_rate);
        } else {
            H[r] = fused(E[r - 3], L::splat(1.0), H[r]);
        }
        lambda = fused(H[r], L::splat(V[r]), lambda);
        lambda_rate = fused(H[r], L::splat(A[r]), lambda_rate);
        store(H[r], &mut terms.H_q[r]);
    }
    store(along, &mut terms.along);
    store(lambda, &mut terms.momenta);
    let (mut momenta_rate, mut sigma_rate, mut forces) = ([[0.0; 8]; K], [[0.0; 8]; K], [[0.0; 8]; K]);
    store(lambda_rate, &mut momenta_rate);
    store(weight, &mut forces);

    // Field by field.
    let (w, w_rate) = (Vector3::new(V[3], V[4], V[5]), Vector3::new(A[3], A[4], A[5]));
    let (mut spin, mut spin_rate) = (Vector3::zeros(), Vector3::zeros());
    let map = &terms.displacement;
    for k in 0..terms.fields {
        let (s, s_rate, S) = (field(&map.value, k), field(&map.rate, k), field(&terms.S, k));
        let own = s_rate + w.cross(&s);
        let own_rate = field(&map.acceleration, k) + (w_rate.cross(&s) + w.cross(&s_rate));
        let momentum = field(&terms.momenta, k) + S.component_mul(&own);
        let momentum_rate = field(&momenta_rate, k) + S.component_mul(&own_rate);
        let force = field(&forces, k) + momentum_rate + w.cross(&momentum);
        spin += s.cross(&momentum);
        spin_rate += s_rate.cross(&momentum) + s.cross(&momentum_rate);
        for c in 0..3 {
            let at = 3 * k + c;
            terms.sigma.as_flattened_mut()[at] = own[c];
            terms.momenta.as_flattened_mut()[at] = momentum[c];
            sigma_rate.as_flattened_mut()[at] = own_rate[c];
            forces.as_flattened_mut()[at] = force[c];
        }
    }

    let (s, sigma, sigma_rate, forces) = (
        load::<K, L>(&map.value),
        load::<K, L>(&terms.sigma),
        load::<K, L>(&sigma_rate),
        load::<K, L>(&forces),
    );
    for b in 0..3 {
        gains.momentum[b] = total(fused_times(H[b], sigma, none));
        gains.momentum[3 + b] = total(fused_times(H[3 + b], sigma, none)) + spin[b];
        gains.momentum_rate[b] = total(fused_times(H[b], sigma_rate, none));
        let moved = fused_times(E_rate[b], sigma, none);
        gains.momentum_rate[3 + b] = total(fused_times(H[3 + b], sigma_rate, moved)) + spin_rate[b];
        gains.first_moment[b] = total(fused_times(H[b], s, none));
    }
    let against: [[L; K]; 3] = std::array::from_fn(|b| fused(sigma, L::splat(-w[b]), none));
    let slopes = terms.displacement.slopes.iter().zip(&terms.constants);
    for (f, (P_j, constants)) in f_E.iter_mut().zip(slopes) {
        let mut all = fused_times(load(P_j), forces, none);
        all = fused_times(load(&constants.N), sigma_rate, all);
        for (E_j, against) in constants.E.iter().zip(against) {
            all = fused_times(load(E_j), against, all);
        }
        *f += total(all);
    }
}

widest! {
    fn masses[K: usize](terms: &mut AffineTerms<K>, M_RR: &mut Matrix6<f64>, M_RE: &mut [f64]) = masses_of_state
}

#[inline(always)]
fn masses_of_state<const K: usize, L: Lanes>(
    terms: &mut AffineTerms<K>,
    M_RR: &mut Matrix6<f64>,
    M_RE: &mut [f64],
) {
    // Rows of H̄ + SX̂ and of X̂, six entries each; σ gains X ω = ω×s.
    let (mut total, mut turning) = ([[[0.0; 8]; 8]; K], [[[0.0; 8]; 8]; K]);
    let (s, S) = (terms.displacement.value.as_flattened(), terms.S.as_flattened());
    let rows = total.as_flattened_mut().iter_mut().zip(turning.as_flattened_mut());
    // With U = H̄ + ½SX̂ the frame gains X̂ᵀU + UᵀX̂.
    let mut turned = [L::splat(0.0); 3];
    for (a, (total, turning)) in rows.enumerate().take(3 * terms.fields) {
        let (field, c) = (&s[a / 3 * 3..][..3], a % 3);
        turning[3 + (c + 1) % 3] = field[(c + 2) % 3];
        turning[3 + (c + 2) % 3] = -field[(c + 1) % 3];
        for (r, H) in terms.H_q.iter().enumerate() {
            total[r] = H.as_flattened()[a];
        }
        let (X, half) = (L::load(turning), L::splat(0.5 * S[a]));
        let U = X.fused(half, L::load(total));
        for b in 0..3 {
            turned[b] = U.fused(L::splat(turning[3 + b]), turned[b]);
        }
        X.fused(half, U).store(total);
    }
    for b in 0..3 {
        let mut row = [0.0; 8];
        turned[b].store(&mut row);
        for r in 0..6 {
            M_RR[(3 + b, r)] += row[r];
            M_RR[(r, 3 + b)] += row[r];
        }
    }
    // M_RE gains (H̄ + SX̂)ᵀP + X̂ᵀN.
    let (S, scale): ([L; K], [L; K]) = (load(&terms.S), load(&terms.scale));
    let columns = M_RE.chunks_exact_mut(6).zip(&mut terms.Q);
    for ((column, Q), (P, constants)) in columns.zip(terms.displacement.slopes.iter().zip(&terms.constants)) {
        let (mut by_slope, mut by_constant) = (L::splat(0.0), L::splat(0.0));
        for i in 0..K {
            for c in 0..8 {
                by_slope = L::load(&total[i][c]).fused(L::splat(P[i][c]), by_slope);
                by_constant = L::load(&turning[i][c]).fused(L::splat(constants.N[i][c]), by_constant);
            }
        }
        let mut gain = [0.0; 8];
        by_slope.fused(L::splat(1.0), by_constant).store(&mut gain);
        for (entry, gain) in column.iter_mut().zip(&gain) {
            *entry += gain;
        }
        let momentum = fused_times(S, load(P), load(&constants.N));
        store(std::array::from_fn(|i| momentum[i].times(scale[i])), Q);
    }
}
