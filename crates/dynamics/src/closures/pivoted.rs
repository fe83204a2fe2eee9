//! Small dense LU factor with complete pivoting: it tells the rank and which equations say nothing new.

/// `P A Q = L U`, in place, column by column. Room is made once.
#[derive(Clone, Debug)]
pub(crate) struct PivotedLu {
    n: usize,
    rank: usize,
    a: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    scratch: Vec<f64>,
    largest: f64,
    smallest: f64,
}

/// How many equations of a factorisation may be left over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rank {
    /// Pivots below this part of the largest count as zero.
    Find(f64),
    /// This many equations are left over.
    Leave(usize),
}

/// Below this part of the largest pivot an equation that should count does not.
const SINGULAR: f64 = 1e-13;

/// Above this part of the largest pivot an equation that should be left over counts.
const AWAKE: f64 = 1e-3;

/// What is wrong with a matrix; the index is that of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RankError {
    /// It depends on the others.
    Lost(usize),
    /// It was left over and no longer depends on the others.
    Awake(usize),
}

impl RankError {
    /// The same of another index.
    pub(crate) fn map(self, index: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Lost(k) => Self::Lost(index(k)),
            Self::Awake(k) => Self::Awake(index(k)),
        }
    }
}

impl PivotedLu {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            n,
            rank: 0,
            a: vec![0.0; n * n],
            rows: (0..n).collect(),
            columns: (0..n).collect(),
            scratch: vec![0.0; n],
            largest: 0.0,
            smallest: 0.0,
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.n
    }

    /// The storage to fill, column by column.
    pub(crate) fn matrix(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Equations left over.
    pub(crate) fn left_over(&self) -> &[usize] {
        &self.rows[self.rank..]
    }

    /// The smallest pivot taken over the largest, and its equation.
    pub(crate) fn weakest(&self) -> Option<(f64, usize)> {
        let row = self.rank.checked_sub(1).map(|k| self.rows[k])?;
        Some((self.smallest / self.largest, row))
    }

    pub(crate) fn factor(&mut self, rank: Rank) -> Result<(), RankError> {
        self.factor_against(rank, 0.0)
    }

    /// The same for a part of a matrix whose largest entry is given: pivots are compared with it.
    pub(crate) fn factor_against(&mut self, rank: Rank, largest: f64) -> Result<(), RankError> {
        let n = self.n;
        for i in 0..n {
            self.rows[i] = i;
            self.columns[i] = i;
        }
        self.largest = largest;
        self.smallest = f64::INFINITY;
        let goal = match rank {
            Rank::Find(_) => n,
            Rank::Leave(count) => n.saturating_sub(count),
        };
        self.rank = n;
        for k in 0..n {
            let (mut at, mut size) = ((k, k), 0.0);
            for j in k..n {
                for i in k..n {
                    let x = self.a[j * n + i].abs();
                    // NaN must not hide.
                    if x > size || x.is_nan() {
                        (at, size) = ((i, j), x);
                    }
                }
            }
            self.largest = self.largest.max(size);
            if k >= goal {
                self.rank = k;
                if size > AWAKE * self.largest {
                    return Err(RankError::Awake(self.rows[at.0]));
                }
                return Ok(());
            }
            match rank {
                Rank::Find(tolerance) if size <= tolerance * self.largest => {
                    self.rank = k;
                    return Ok(());
                }
                Rank::Leave(_) if size <= SINGULAR * self.largest || !size.is_finite() => {
                    self.rank = k;
                    return Err(RankError::Lost(self.rows[k]));
                }
                _ => {}
            }
            self.smallest = size;
            self.swap(k, at);
            let inverse = 1.0 / self.a[k * n + k];
            for i in k + 1..n {
                self.a[k * n + i] *= inverse;
            }
            let (left, right) = self.a.split_at_mut((k + 1) * n);
            let multipliers = &left[k * n + k + 1..(k + 1) * n];
            for column in right.chunks_exact_mut(n) {
                let top = column[k];
                if top != 0.0 {
                    for (x, l) in column[k + 1..].iter_mut().zip(multipliers) {
                        *x -= l * top;
                    }
                }
            }
        }
        Ok(())
    }

    fn swap(&mut self, k: usize, (row, column): (usize, usize)) {
        let n = self.n;
        if row != k {
            for j in 0..n {
                self.a.swap(j * n + k, j * n + row);
            }
            self.rows.swap(k, row);
        }
        if column != k {
            for i in 0..n {
                self.a.swap(k * n + i, column * n + i);
            }
            self.columns.swap(k, column);
        }
    }

    /// Solves with the unknowns of left-over columns at zero: `x` holds the right-hand side and becomes the
    /// solution.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        for (y, row) in self.scratch.iter_mut().zip(&self.rows) {
            *y = x[*row];
        }
        for k in 0..rank {
            let top = self.scratch[k];
            for (y, l) in self.scratch[k + 1..rank].iter_mut().zip(&self.a[k * n + k + 1..k * n + rank]) {
                *y -= l * top;
            }
        }
        self.back_substitute();
        x.fill(0.0);
        for (y, column) in self.scratch[..rank].iter().zip(&self.columns) {
            x[*column] = *y;
        }
    }

    fn back_substitute(&mut self) {
        let (n, rank) = (self.n, self.rank);
        for k in (0..rank).rev() {
            let value = self.scratch[k] / self.a[k * n + k];
            self.scratch[k] = value;
            for (y, u) in self.scratch[..k].iter_mut().zip(&self.a[k * n..k * n + k]) {
                *y -= u * value;
            }
        }
    }

    /// The vector of the null space in which the left-over unknown `index` is one.
    pub(crate) fn null_vector(&mut self, index: usize, out: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        let column = rank + index;
        for i in 0..rank {
            self.scratch[i] = -self.a[column * n + i];
        }
        self.back_substitute();
        out.fill(0.0);
        for (y, column) in self.scratch[..rank].iter().zip(&self.columns) {
            out[*column] = *y;
        }
        out[self.columns[column]] = 1.0;
    }

    /// Takes from the unknowns `first..first + x.len()` of a solution what the equations leave undetermined,
    /// so that the smallest remain. `x` holds them and is measured in `units`; `to_units` takes an entry of a
    /// null vector to them. `null` has room for the null vectors, which are made orthonormal among these
    /// unknowns.
    pub(crate) fn take_least_norm(
        &mut self,
        null: &mut [f64],
        first: usize,
        to_units: impl Fn(usize) -> f64,
        units: &[f64],
        x: &mut [f64],
    ) {
        let n = self.n;
        let part = first..first + x.len();
        for k in 0..n - self.rank {
            let (done, rest) = null.split_at_mut(k * n);
            self.null_vector(k, &mut rest[..n]);
            let vector = &mut rest[part.clone()];
            for (i, v) in vector.iter_mut().enumerate() {
                *v *= to_units(i);
            }
            for before in done.chunks_exact(n).map(|before| &before[part.clone()]) {
                let dot: f64 = before.iter().zip(&*vector).map(|(a, b)| a * b).sum();
                for (v, b) in vector.iter_mut().zip(before) {
                    *v -= dot * b;
                }
            }
            let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.0 {
                for v in vector.iter_mut() {
                    *v /= norm;
                }
            }
            let size: f64 = vector.iter().zip(&*x).zip(units).map(|((v, x), unit)| v * x / unit).sum();
            for ((x, v), unit) in x.iter_mut().zip(&*vector).zip(units) {
                *x -= size * v * unit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn solves_and_finds_the_rank() {
        let A = DMatrix::from_row_slice(3, 3, &[0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 4.0, 0.3, 0.0]);
        let x = DVector::from_column_slice(&[1.0, -2.0, 3.0]);
        let mut lu = PivotedLu::new(3);
        lu.matrix().copy_from_slice(A.as_slice());
        lu.factor(Rank::Find(1e-9)).unwrap();
        let mut b = (&A * &x).as_slice().to_vec();
        lu.solve(&mut b);
        assert!((DVector::from_vec(b) - x).norm() < 1e-14);
        // Rank one: two equations are left over, and the null vectors are null.
        let u = DVector::from_column_slice(&[1.0, 2.0, -1.0]);
        let A = &u * u.transpose();
        lu.matrix().copy_from_slice(A.as_slice());
        lu.factor(Rank::Find(1e-9)).unwrap();
        assert_eq!(lu.left_over().len(), 2);
        for k in 0..2 {
            let mut null = [0.0; 3];
            lu.null_vector(k, &mut null);
            assert!((&A * DVector::from_column_slice(&null)).norm() < 1e-14);
        }
        lu.matrix().copy_from_slice(A.as_slice());
        assert!(matches!(lu.factor(Rank::Leave(1)), Err(RankError::Lost(_))));
        lu.matrix().copy_from_slice(A.as_slice());
        assert!(matches!(lu.factor(Rank::Leave(3)), Err(RankError::Awake(1))));
    }
}
