//! Factors: solutions, inertia against known spectra, singular rows by name, refusals.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod models;

use std::sync::Arc;

use faer::Mat;
use models::{beside, chain, diagonal, laplacian, laplacian_spectrum, lower};
use nalgebra_sparse::CscMatrix;
use pliant_sparse::{
    Factor, FactorError, FactorParams, Kind, Ordering, OrderingMethod, Symbolic, Symmetric, inertia, shifted,
};

fn factorise(
    A: &CscMatrix<f64>,
    method: OrderingMethod,
    params: &FactorParams,
) -> Result<Factor, FactorError> {
    let ordering = Ordering::new(A, None, method);
    Factor::new(A, Arc::new(Symbolic::new(A, &ordering)), params)
}

#[test]
fn solutions_satisfy_their_equations_with_every_ordering() {
    for A in [
        chain(1, 2),
        chain(2, 2),
        chain(700, 2),
        laplacian(13, 11, 9),
        beside(&laplacian(6, 7, 8), &chain(50, 1)),
    ] {
        for method in
            [OrderingMethod::Metis, OrderingMethod::Amd, OrderingMethod::Natural, OrderingMethod::Auto]
        {
            for columns in [0, 1, 5, 33, 70] {
                let factor = factorise(&A, method, &FactorParams::default()).unwrap();
                let B = Mat::from_fn(A.ncols(), columns, |i, j| ((i * 31 + j * 17) % 23) as f64 - 11.0);
                let mut X = B.clone();
                factor.solve_in_place(X.as_mut());
                let mut R = Mat::zeros(A.ncols(), columns);
                Symmetric::new(&A).multiply(X.as_ref(), R.as_mut());
                // Backward stable: rounding times the size of A and X, here at most 12 · 1e5.
                assert!((&R - &B).norm_max() < 1e-9, "{method:?}");
                assert_eq!(factor.inertia(), 0);
            }
        }
    }
}

#[test]
fn a_solution_does_not_depend_on_its_neighbours() {
    let A = laplacian(13, 11, 9);
    let factor = factorise(&A, OrderingMethod::Metis, &FactorParams::default()).unwrap();
    let of = |columns: usize| {
        let mut X = Mat::from_fn(A.ncols(), columns, |i, j| ((i * 31 + j * 17) % 23) as f64 - 11.0);
        factor.solve_in_place(X.as_mut());
        X
    };
    let all = of(35);
    // Around the numbers of right-hand sides that lie beside each other in memory (4, 8, 16) and are taken at
    // a time (32).
    for columns in [1, 2, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33] {
        assert!(of(columns) == all.as_ref().subcols(0, columns), "bits of {columns} beside those of 35");
    }
}

#[test]
fn fronts_of_several_block_columns() {
    // One supernode around the block width of the storage (128): A = I·n + 1·1ᵀ has the inverse (I −
    // 1·1ᵀ/2n)/n.
    for n in [127, 128, 129, 256, 257, 300] {
        let entries: Vec<_> = (0..n)
            .flat_map(|j| (j..n).map(move |i| (i, j, if i == j { 1.0 + n as f64 } else { 1.0 })))
            .collect();
        let factor =
            factorise(&lower(n, &entries), OrderingMethod::Natural, &FactorParams::default()).unwrap();
        let mut X = Mat::from_fn(n, 3, |i, j| if j == 0 { 1.0 } else { ((i * 7 + j) % 5) as f64 });
        let B = X.clone();
        factor.solve_in_place(X.as_mut());
        for j in 0..3 {
            let sum: f64 = B.col(j).iter().sum();
            for i in 0..n {
                let exact = (B[(i, j)] - sum / (2.0 * n as f64)) / n as f64;
                assert!((X[(i, j)] - exact).abs() < 1e-15 * n as f64, "n = {n}");
            }
        }
    }
}

#[test]
fn updates_of_several_block_columns() {
    // In the natural order a box of 18 × 17 × 6 carries a front of 306 rows along its length.
    let A = laplacian(18, 17, 6);
    let answers: Vec<Mat<f64>> = [OrderingMethod::Natural, OrderingMethod::Metis]
        .into_iter()
        .map(|method| {
            let factor = factorise(&A, method, &FactorParams::default()).unwrap();
            let mut X = Mat::from_fn(A.ncols(), 9, |i, j| ((i * 31 + j * 17) % 23) as f64 - 11.0);
            let B = X.clone();
            factor.solve_in_place(X.as_mut());
            let mut R = Mat::zeros(A.ncols(), 9);
            Symmetric::new(&A).multiply(X.as_ref(), R.as_mut());
            // Backward stable: eps · ‖A‖ · ‖X‖, 1e-16 · 12 · 1e3, with room for the sums.
            assert!((&R - &B).norm_max() < 1e-10);
            X
        })
        .collect();
    assert!((&answers[0] - &answers[1]).norm_max() < 1e-9);
}

#[test]
fn nested_dissection_of_the_grid_graph_has_less_fill_than_the_natural_order() {
    // Three components per point, coupled fully.
    let grid = laplacian(14, 14, 14);
    let mut entries = Vec::new();
    for (i, j, &v) in grid.triplet_iter() {
        for a in 0..3 {
            for b in 0..3 {
                entries.push((3 * i + a, 3 * j + b, if a == b { v } else { 0.1 * v }));
            }
        }
    }
    let A = lower(3 * grid.ncols(), &entries);
    let groups: Vec<usize> = (0..A.ncols()).map(|row| row / 3).collect();
    let fill = |groups: Option<&[usize]>, method| {
        let symbolic = Symbolic::new(&A, &Ordering::new(&A, groups, method));
        (symbolic.info().factor_nonzeros, symbolic.info().vertices)
    };
    let given = fill(Some(&groups), OrderingMethod::Metis);
    let detected = fill(None, OrderingMethod::Metis);
    assert_eq!(given, detected, "rows with the same neighbours are grouped without being reported");
    assert_eq!(given.1, grid.ncols());
    assert!(2 * given.0 < fill(None, OrderingMethod::Natural).0);
}

#[test]
fn inertia_is_the_number_of_eigenvalues_below_the_shift() {
    let (K, all) = (laplacian(9, 8, 7), laplacian_spectrum(9, 8, 7));
    let M = diagonal(&vec![1.0; K.ncols()]);
    let indefinite = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
    let mut factor = factorise(&shifted(&K, &M, 0.0), OrderingMethod::Auto, &indefinite).unwrap();
    for k in [1, 2, 5, 17, 100, 300, 503] {
        // Halfway in the first gap at or after k.
        let k = (k..all.len()).find(|&k| all[k] - all[k - 1] > 1e-6).unwrap();
        let shift = 0.5 * (all[k - 1] + all[k]);
        factor = factor.replace(shifted(&K, &M, shift), &indefinite).unwrap();
        assert_eq!(factor.inertia(), k);
        // Without keeping the factor, on any number of threads.
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let symbolic = factor.symbolic();
            let counted = pool.install(|| inertia(shifted(&K, &M, shift), symbolic, true)).unwrap();
            assert_eq!(counted.negative, k, "{threads} threads");
            assert_eq!(counted.smallest_pivot_ratio, factor.info().smallest_pivot_ratio);
        }
    }
}

#[test]
fn singular_rows_are_named() {
    // A free chain in the middle of sound parts: the pivot that vanishes is in it.
    let A = beside(&beside(&chain(120, 2), &chain(30, 0)), &chain(90, 2));
    match factorise(&A, OrderingMethod::Auto, &FactorParams::default()) {
        Err(FactorError::Singular { row, pivot_ratio, suspects, moving_rows }) => {
            assert!((120..150).contains(&row));
            assert!(pivot_ratio.abs() < 1e-12);
            assert_eq!(suspects.len(), 1);
            assert!(moving_rows.iter().all(|row| (120..150).contains(row)));
        }
        other => panic!("expected a singular matrix, got {other:?}"),
    }
    // Two rows without any entry.
    let mut entries: Vec<_> = chain(50, 2).triplet_iter().map(|(i, j, &v)| (i, j, v)).collect();
    entries.retain(|&(i, j, _)| i != 7 && j != 7 && i != 31 && j != 31);
    match factorise(&lower(50, &entries), OrderingMethod::Auto, &FactorParams::default()) {
        Err(FactorError::Singular { suspects, .. }) => {
            let mut rows: Vec<usize> = suspects.iter().map(|s| s.row).collect();
            rows.sort_unstable();
            assert_eq!(rows, [7, 31]);
        }
        other => panic!("expected a singular matrix, got {other:?}"),
    }
}

#[test]
fn a_slender_structure_is_not_called_singular() {
    // A clamped-free chain of springs that fall by a factor 1e10 along its length: soft, but sound.
    let n = 200;
    let spring = |i: usize| 10.0_f64.powf(-10.0 * i as f64 / n as f64);
    let entries: Vec<_> = (0..n)
        .flat_map(|i| {
            let next = if i + 1 < n { spring(i + 1) } else { 0.0 };
            [(i, i, spring(i) + next), (i + 1, i, -next)]
        })
        .filter(|&(i, _, _)| i < n)
        .collect();
    assert!(factorise(&lower(n, &entries), OrderingMethod::Auto, &FactorParams::default()).is_ok());
}

#[test]
fn a_matrix_without_rows_has_a_factor_on_any_number_of_threads() {
    // What is inside a link of one element between its two interfaces.
    let A = CscMatrix::<f64>::zeros(0, 0);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let factor =
            pool.install(|| factorise(&A, OrderingMethod::Natural, &FactorParams::default())).unwrap();
        factor.solve_in_place(Mat::<f64>::zeros(0, 3).as_mut());
        assert_eq!((factor.rows(), factor.inertia()), (0, 0));
    }
}

#[test]
fn refusals() {
    let A = laplacian(10, 10, 10);
    let small = FactorParams { memory_limit: Some(100_000), ..FactorParams::default() };
    match factorise(&A, OrderingMethod::Auto, &small) {
        Err(FactorError::TooLarge { needed, limit }) => assert!(needed > limit && limit == 100_000),
        other => panic!("expected a refusal, got {other:?}"),
    }
    // The second pivot is exactly zero; what is left of the third is 1e-18 divided by it, negative and huge.
    // The mechanism is the cause, not the sign.
    let mechanism = lower(3, &[(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 1, 1e-9), (2, 2, 1.0)]);
    match factorise(&mechanism, OrderingMethod::Natural, &FactorParams::default()) {
        Err(FactorError::Singular { row, .. }) => assert_eq!(row, 1),
        other => panic!("expected a mechanism, got {other:?}"),
    }
    let negative = beside(&chain(40, 2), &diagonal(&[-3.0]));
    assert!(matches!(
        factorise(&negative, OrderingMethod::Auto, &FactorParams::default()),
        Err(FactorError::NotDefinite { row: 40, .. })
    ));
    let broken = beside(&chain(40, 2), &diagonal(&[f64::NAN]));
    assert!(matches!(
        factorise(&broken, OrderingMethod::Auto, &FactorParams::default()),
        Err(FactorError::NotFinite { row: 40, column: 40 })
    ));
}

#[test]
#[should_panic(expected = "outside the analysed pattern")]
fn an_entry_outside_the_pattern_is_our_bug() {
    let A = chain(200, 2);
    let symbolic = Arc::new(Symbolic::new(&A, &Ordering::new(&A, None, OrderingMethod::Natural)));
    let mut entries: Vec<_> = A.triplet_iter().map(|(i, j, &v)| (i, j, v)).collect();
    entries.push((199, 0, -0.1));
    let alone = FactorParams { parallel: false, ..FactorParams::default() };
    let _ = Factor::new(lower(200, &entries), symbolic, &alone);
}

/// Rows one after the other, [ε 1; 1 1]: the first pivot throws the rest away, and nobody could say so
/// without a solution but the growth of L.
#[test]
fn an_unstable_count_is_refused() {
    let A = lower(2, &[(0, 0, 1e-14), (1, 0, 1.0), (1, 1, 1.0)]);
    let symbolic = Symbolic::new(&A, &Ordering::new(&A, None, OrderingMethod::Natural));
    let refused = inertia(A, &symbolic, false).unwrap_err();
    assert!(matches!(refused, FactorError::Unstable { .. }), "{refused}");
}
