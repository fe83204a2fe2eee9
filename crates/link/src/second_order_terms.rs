//! What the second-order displacement `u₂ = Z s(q)` of the mass adds to the inertia of a moving link.
//!
//! The material moves with `w = D(q)V + Vq̇ + Zσ`. Fields of Z stay in Z when they are turned, so with `ω×s` taken
//! for each field, and with the affine momenta λ,
//!
//! ```text
//! σ = ṡ + ω×s = P q̇ + X ω          s = ½ qᵀΓq,   P = Γq,   X_k = −[s_k]×
//! λ = ZᵀMw = H̄V + N q̇ + Sσ         H̄(q) = H + [0  Σ q_j E_j]
//! T = T₁(q, q̇, V) + σ·(H̄V + N q̇) + ½ σ·Sσ
//! ```
//!
//! T₁ is the energy without Z. Lagrange's equations for V, q and s, and then s = s(q):
//!
//! ```text
//! M_RR += H̄ᵀX̂ + X̂ᵀH̄ + X̂ᵀSX̂        M_RE += H̄ᵀP + X̂ᵀ(N + SP)        M_EE += NᵀP + Pᵀ(N + SP)        X̂ = [0  X]
//! momentum += H̄ᵀσ + [0; Σ s_k×λ_k]
//! h_E += Nᵀσ̇₀ − (σᵀE_jω)_j + Pᵀ(λ̇₀ + ω×λ)        σ̇₀ = q̇ᵀΓq̇ + ω×ṡ,   λ̇₀ = E(q̇)ω + Sσ̇₀
//! ```
//!
//! and h_R gains the derivative of the momentum without accelerations. Derived in `docs/theory/floating-frame.md`.

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3, Vector6};
use pliant_spatial::{Twist, skew};

use crate::SecondOrderMass;
use crate::products::{dot, products};

/// Scratch and result of one evaluation, fields of three one after another.
#[derive(Clone, Debug)]
pub(crate) struct SecondOrderTerms {
    /// `∂s/∂q`, m×n column by column.
    P: Vec<f64>,
    /// `S^−½ (N + SP)`.
    Q: Vec<f64>,
    /// `S^−½`.
    scale: Vec<f64>,
    P_rate: Vec<f64>,
    /// E(q), m×3 column by column, and E(q̇).
    E: Vec<f64>,
    E_rate: Vec<f64>,
    s: Vec<f64>,
    s_rate: Vec<f64>,
    /// σ̇₀, first without ω×ṡ.
    sigma_rate: Vec<f64>,
    sigma: Vec<f64>,
    momenta: Vec<f64>,
    /// λ̇₀.
    momenta_rate: Vec<f64>,
    /// H̄ and then H̄ + SX̂, m×6 column by column.
    H: Vec<f64>,
    /// λ̇₀ + ω×λ.
    forces: Vec<f64>,
    /// `[Nᵀ  −E_jᵀ]`, n×4m: forces of σ̇₀ and of σ times ω, which follow each other in `acting`.
    constant: DMatrix<f64>,
    acting: Vec<f64>,
    acted: Vec<f64>,
}

/// What is added to.
pub(crate) struct Sums<'a> {
    pub(crate) M_RR: &'a mut Matrix6<f64>,
    pub(crate) M_RE: &'a mut DMatrix<f64>,
    pub(crate) h_E: &'a mut [f64],
    pub(crate) first_moment: &'a mut Vector3<f64>,
    pub(crate) momentum: &'a mut Vector6<f64>,
    /// Derivative of the momentum without accelerations.
    pub(crate) momentum_rate: &'a mut Vector6<f64>,
}

/// Field k.
fn field(x: &[f64], k: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&x[3 * k..3 * k + 3])
}

/// Calls a method for m affine coordinates with m known to the compiler, for the loops over them are short.
macro_rules! with_count {
    ($m:expr, $terms:ident.$method:ident($($argument:expr),*)) => {
        match $m {
            6 => $terms.$method(6, $($argument),*),
            9 => $terms.$method(9, $($argument),*),
            m => $terms.$method(m, $($argument),*),
        }
    };
}

impl SecondOrderTerms {
    pub(crate) fn new(mass: &SecondOrderMass) -> Self {
        let (m, n) = (mass.count(), mass.N.ncols());
        let zeros = |count: usize| vec![0.0; count];
        Self {
            P: zeros(m * n),
            Q: zeros(m * n),
            scale: mass.S.iter().map(|s| s.sqrt().recip()).collect(),
            P_rate: zeros(m * n),
            E: zeros(3 * m),
            E_rate: zeros(3 * m),
            s: zeros(m),
            s_rate: zeros(m),
            sigma_rate: zeros(m),
            sigma: zeros(m),
            momenta: zeros(m),
            momenta_rate: zeros(m),
            H: zeros(6 * m),
            forces: zeros(m),
            constant: DMatrix::from_fn(
                n,
                4 * m,
                |j, a| if a < m { mass.N[(a, j)] } else { -mass.E[(a - m, j)] },
            ),
            acting: zeros(4 * m),
            acted: zeros(n),
        }
    }

    /// Adds everything at `q`, `v`, `V`. When `linear`, s itself is left out and its derivative P stays: exact to first order about
    /// the undeformed link.
    pub(crate) fn add(
        &mut self,
        mass: &SecondOrderMass,
        (q, v, V): (&[f64], &[f64], &Twist),
        linear: bool,
        sums: Sums<'_>,
    ) {
        with_count!(mass.count(), self.add_counted(mass, (q, v, V), linear, sums));
    }

    #[inline(always)]
    fn add_counted(
        &mut self,
        m: usize,
        mass: &SecondOrderMass,
        (q, v, V): (&[f64], &[f64], &Twist),
        linear: bool,
        sums: Sums<'_>,
    ) {
        let S = mass.S.as_slice();
        let w = V.fixed_rows::<3>(3).into_owned();
        products::<true>(&mass.curvature, q, v, &mut self.P, &mut self.P_rate);
        products::<true>(&mass.E, q, v, &mut self.E, &mut self.E_rate);
        for x in [&mut self.s, &mut self.s_rate, &mut self.sigma_rate] {
            x.fill(0.0);
        }
        self.momenta.fill(0.0);
        let columns = self.P.chunks_exact(m).zip(self.P_rate.chunks_exact(m));
        let constant = mass.N.as_slice().chunks_exact(m).zip(self.Q.chunks_exact_mut(m));
        for (((P, P_rate), (N, Q)), (&q, &v)) in columns.zip(constant).zip(q.iter().zip(v)) {
            for a in 0..m {
                Q[a] = (N[a] + S[a] * P[a]) * self.scale[a];
                self.momenta[a] += N[a] * v;
                self.s[a] += 0.5 * P[a] * q;
                self.s_rate[a] += P[a] * v;
                self.sigma_rate[a] += P_rate[a] * v;
            }
        }
        if linear {
            for x in [&mut self.s, &mut self.s_rate, &mut self.sigma_rate] {
                x.fill(0.0);
            }
        }
        self.H.copy_from_slice(mass.H.as_slice());
        for (H, E) in self.H[3 * m..].iter_mut().zip(&self.E) {
            *H += E;
        }
        for (column, V) in self.H.chunks_exact(m).zip(V.iter()) {
            for (momentum, H) in self.momenta.iter_mut().zip(column) {
                *momentum += H * V;
            }
        }
        for a in 0..m {
            self.momenta_rate[a] =
                self.E_rate[a] * w.x + self.E_rate[m + a] * w.y + self.E_rate[2 * m + a] * w.z;
        }
        let (mut spin, mut spin_rate) = (Vector3::zeros(), Vector3::zeros());
        for k in 0..m / 3 {
            let (s, s_rate) = (field(&self.s, k), field(&self.s_rate, k));
            let sigma = s_rate + w.cross(&s);
            let sigma_rate = field(&self.sigma_rate, k) + w.cross(&s_rate);
            let S = field(S, k);
            let momenta = field(&self.momenta, k) + S.component_mul(&sigma);
            let momenta_rate = field(&self.momenta_rate, k) + S.component_mul(&sigma_rate);
            let forces = momenta_rate + w.cross(&momenta);
            spin += s.cross(&momenta);
            spin_rate += s_rate.cross(&momenta) + s.cross(&momenta_rate);
            for (at, value) in [
                (&mut self.sigma, sigma),
                (&mut self.sigma_rate, sigma_rate),
                (&mut self.momenta, momenta),
                (&mut self.forces, forces),
            ] {
                at[3 * k..3 * k + 3].copy_from_slice(value.as_slice());
            }
        }
        for (r, H) in self.H.chunks_exact(m).enumerate() {
            sums.momentum[r] += dot(H, &self.sigma);
            sums.momentum_rate[r] += dot(H, &self.sigma_rate);
        }
        for b in 0..3 {
            sums.momentum[3 + b] += spin[b];
            sums.momentum_rate[3 + b] += spin_rate[b] + dot(&self.E_rate[m * b..m * (b + 1)], &self.sigma);
            sums.first_moment[b] += dot(&mass.H.as_slice()[m * b..m * (b + 1)], &self.s);
        }
        self.add_masses(m, mass, sums.M_RR, sums.M_RE);
        self.acting[..m].copy_from_slice(&self.sigma_rate);
        for (acting, w) in self.acting[m..].chunks_exact_mut(m).zip(w.iter()) {
            for (acting, sigma) in acting.iter_mut().zip(&self.sigma) {
                *acting = sigma * w;
            }
        }
        products::<false>(&self.constant, &self.acting, &self.acting, &mut self.acted, &mut []);
        let forces = self.acted.iter().zip(self.P.chunks_exact(m));
        for (h, (acted, P)) in sums.h_E.iter_mut().zip(forces) {
            *h += acted + dot(P, &self.forces);
        }
    }

    /// The blocks of mass; makes H̄ + SX̂ of H̄.
    #[inline(always)]
    fn add_masses(
        &mut self,
        m: usize,
        mass: &SecondOrderMass,
        M_RR: &mut Matrix6<f64>,
        M_RE: &mut DMatrix<f64>,
    ) {
        // X̂ᵀH̄ and its transpose, then X̂ᵀSX̂ with X_k = −[s_k]×, X_kᵀ = [s_k]×.
        for k in 0..m / 3 {
            let turn = skew(&field(&self.s, k));
            let weighted = Matrix3::from_diagonal(&field(mass.S.as_slice(), k)) * turn;
            let mut turned = nalgebra::Matrix3x6::<f64>::zeros();
            for c in 0..6 {
                let H = field(&self.H[m * c..m * (c + 1)], k);
                turned.set_column(c, &(turn * H));
            }
            let mut lower = M_RR.fixed_view_mut::<3, 6>(3, 0);
            lower += turned;
            let mut right = M_RR.fixed_view_mut::<6, 3>(0, 3);
            right += turned.transpose();
            let mut corner = M_RR.fixed_view_mut::<3, 3>(3, 3);
            corner -= turn * weighted;
            for b in 0..3 {
                for c in 0..3 {
                    self.H[m * (3 + b) + 3 * k + c] -= weighted[(c, b)];
                }
            }
        }
        let columns = M_RE.as_mut_slice().chunks_exact_mut(6).zip(self.P.chunks_exact(m));
        for ((column, P), N) in columns.zip(mass.N.as_slice().chunks_exact(m)) {
            for (M, H) in column.iter_mut().zip(self.H.chunks_exact(m)) {
                *M += dot(H, P);
            }
            for k in 0..m / 3 {
                let turned = field(&self.s, k).cross(&field(N, k));
                for b in 0..3 {
                    column[3 + b] += turned[b];
                }
            }
        }
    }

    /// `out += (NᵀP + Pᵀ(N + SP)) x`: what the elastic mass gains.
    pub(crate) fn multiply_mass(&self, mass: &SecondOrderMass, x: &[f64], out: &mut [f64]) {
        with_count!(mass.count(), self.multiply_counted(mass, x, out));
    }

    #[inline(always)]
    fn multiply_counted(&self, m: usize, mass: &SecondOrderMass, x: &[f64], out: &mut [f64]) {
        const MOST: usize = 12;
        let (mut P_x, mut Q_x) = ([0.0; MOST], [0.0; MOST]);
        for ((P, N), x) in self.P.chunks_exact(m).zip(mass.N.as_slice().chunks_exact(m)).zip(x) {
            for a in 0..m {
                P_x[a] += P[a] * x;
                Q_x[a] += N[a] * x;
            }
        }
        for ((Q_x, P_x), S) in Q_x.iter_mut().zip(&P_x).zip(mass.S.iter()) {
            *Q_x += S * P_x;
        }
        let columns = self.P.chunks_exact(m).zip(mass.N.as_slice().chunks_exact(m));
        for (out, (P, N)) in out.iter_mut().zip(columns) {
            *out += dot(N, &P_x[..m]) + dot(P, &Q_x[..m]);
        }
    }

    /// `factor QᵀQ` added to the lower triangle of a matrix stored column by column; with `M_EE − NᵀS⁻¹N` the whole elastic mass.
    pub(crate) fn add_square(&self, m: usize, factor: f64, lower: &mut [f64]) {
        with_count!(m, self.add_square_counted(factor, lower));
    }

    #[inline(always)]
    fn add_square_counted(&self, m: usize, factor: f64, lower: &mut [f64]) {
        let n = self.Q.len() / m;
        for (j, column) in lower.chunks_exact_mut(n).enumerate() {
            let Q_j = &self.Q[m * j..m * (j + 1)];
            for (entry, Q_k) in column[j..].iter_mut().zip(self.Q[m * j..].chunks_exact(m)) {
                *entry += factor * dot(Q_j, Q_k);
            }
        }
    }

    /// `σ`'s share of `½ q̇ᵀM_EE q̇`: `(Nq̇)·ṡ + ½ ṡ·Sṡ`.
    pub(crate) fn elastic_energy(&self, mass: &SecondOrderMass, v: &[f64]) -> f64 {
        let m = mass.count();
        let squares = self.s_rate.iter().zip(mass.S.iter()).map(|(s, S)| S * s * s);
        let mut energy = 0.5 * squares.sum::<f64>();
        for (N, v) in mass.N.as_slice().chunks_exact(m).zip(v) {
            energy += dot(N, &self.s_rate) * v;
        }
        energy
    }
}
