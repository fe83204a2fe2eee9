//! Modes against closed-form spectra: multiplicities, rigid bodies, rows without mass, missing modes.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

#[path = "../examples/hex8_cantilever/mesh.rs"]
mod mesh;
mod models;

use models::{
    beside, chain, diagonal, fixed_chain, free_chain, laplacian, laplacian_spectrum, lower, orthonormality,
    worst,
};
use nalgebra_sparse::CscMatrix;
use pliant_sparse::{
    Eigen, EigenError, EigenParams, Factor, FactorError, FactorParams, Kind, Ordering, OrderingMethod,
    SturmCount, Symbolic, Symmetric, inertia, lowest, lowest_borrowing, lowest_with, recover, shifted,
};
use std::sync::Arc;

/// λ is the square of a quantity converged to 1e-8; what remains is rounding, 1e-12 with room for n.
const EXACT: f64 = 1e-12;

fn sound(K: &CscMatrix<f64>, M: &CscMatrix<f64>, answer: &Eigen) {
    assert!(orthonormality(M, answer.Phi.as_ref()) < 1e-10, "ΦᵀMΦ = I");
    // The search stops at 1e-8 relative to λ − σ, which is less than ‖K‖.
    assert!(answer.residuals.iter().all(|&r| r < 1e-8), "KΦ = MΦΛ: {:?}", answer.residuals);
    assert_eq!(answer.Phi.nrows(), K.ncols());
    assert!(answer.lambda.is_sorted());
}

fn unit_mass(n: usize) -> CscMatrix<f64> {
    diagonal(&vec![1.0; n])
}

#[test]
fn fixed_chains_of_all_sizes_around_the_block() {
    for n in [1, 2, 7, 8, 9, 17, 33, 151, 400, 1500] {
        let (K, M) = (chain(n, 2), unit_mass(n));
        for count in [1, 7, 8, 9, 20] {
            let count = count.min(n);
            // The dense branch is kept out, so that small sizes test exhaustion as well.
            let params = EigenParams { dense_rows: 0, ..EigenParams::count(count) };
            let answer = lowest(&K, &M, None, &params).unwrap();
            let expected: Vec<f64> = (1..=count).map(|j| fixed_chain(n, j)).collect();
            // Rounding of K is relative to its largest eigenvalue, 4, not to the lowest ones.
            let error = answer.lambda.iter().zip(&expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(error < 4.0 * 1e-14 && answer.lambda.len() == count, "n = {n}: {error:e}");
            sound(&K, &M, &answer);
        }
    }
}

#[test]
fn multiple_eigenvalues_of_a_cube_are_all_found() {
    // On a cube every eigenvalue with different indices is three- or sixfold.
    let (K, all) = (laplacian(11, 11, 11), laplacian_spectrum(11, 11, 11));
    let M = unit_mass(K.ncols());
    for count in [1, 2, 3, 4, 5, 10, 11, 40, 130] {
        let answer = lowest(&K, &M, None, &EigenParams::count(count)).unwrap();
        assert!(worst(&answer.lambda, &all[..count]) < EXACT, "{count}: {:?}", answer.lambda);
        let sturm = answer.info.sturm.unwrap();
        // The shift lies above a complete cluster: the count is that of the closed form.
        assert_eq!(sturm.count, all.iter().filter(|&&x| x < sturm.shift).count());
        assert!(sturm.count >= count);
        sound(&K, &M, &answer);
    }
}

/// A matrix several times beside itself, times a factor.
fn alike(part: &CscMatrix<f64>, count: usize, factor: f64) -> CscMatrix<f64> {
    let n = part.ncols();
    let of_one =
        |k: usize| part.triplet_iter().map(move |(i, j, value)| (k * n + i, k * n + j, factor * value));
    lower(count * n, &(0..count).flat_map(of_one).collect::<Vec<_>>())
}

#[test]
fn alike_parts_of_a_few_rows_are_exhausted() {
    let parts = 12;
    for n in [1, 2, 3, 7, 12] {
        let K = alike(&chain(n, 2), parts, 1.0);
        let M = unit_mass(K.ncols());
        let expected: Vec<f64> = (1..=n).flat_map(|j| vec![fixed_chain(n, j); parts]).collect();
        for count in [1, 5, 11, 12, 13, 30] {
            let count = count.min(K.ncols());
            let params = EigenParams { dense_rows: 0, prove: false, ..EigenParams::count(count) };
            let answer = lowest(&K, &M, None, &params).unwrap();
            assert!(worst(&answer.lambda, &expected[..count]) < EXACT, "{n}, {count}: {:?}", answer.lambda);
            sound(&K, &M, &answer);
        }
    }
}

/// Ten alike bays of a link between its interfaces have every mode ten times, and twenty times where a bay
/// bends alike both ways: more than a block has vectors. In units in which flexibilities are small numbers.
#[test]
fn alike_parts_have_all_their_modes() {
    let (part, own) = (laplacian(7, 7, 4), laplacian_spectrum(7, 7, 4));
    let bays = 10;
    let K = alike(&part, bays, 2e9);
    let M = unit_mass(K.ncols());
    let expected: Vec<f64> = own.iter().flat_map(|value| vec![2e9 * value; bays]).collect();
    for count in [1, 4, 8, 24, 60, 300] {
        // No Sturm count comes to the aid of the search.
        let params = EigenParams { prove: false, ..EigenParams::count(count) };
        let answer = lowest(&K, &M, None, &params).unwrap();
        assert!(worst(&answer.lambda, &expected[..count]) < EXACT, "{count}: {:?}", answer.lambda);
        sound(&K, &M, &answer);
    }
    let limit = 0.99 * expected[60];
    let below = expected.partition_point(|value| *value < limit);
    let answer = lowest(&K, &M, None, &EigenParams::below(limit)).unwrap();
    assert!(worst(&answer.lambda, &expected[..below]) < EXACT, "{:?}", answer.lambda);
}

#[test]
fn all_modes_below_a_limit() {
    let (K, all) = (laplacian(14, 10, 9), laplacian_spectrum(14, 10, 9));
    let M = unit_mass(K.ncols());
    for limit in [0.1, 0.3, 0.7, 1.5] {
        let expected: Vec<f64> = all.iter().copied().filter(|&x| x < limit).collect();
        let answer = lowest(&K, &M, None, &EigenParams::below(limit)).unwrap();
        assert_eq!(answer.lambda.len(), expected.len(), "below {limit}");
        assert_eq!(answer.info.factorisations, 1);
        if !expected.is_empty() {
            assert!(worst(&answer.lambda, &expected) < EXACT);
            sound(&K, &M, &answer);
        }
    }
}

#[test]
fn a_limit_on_an_eigenvalue_excludes_it() {
    let (K, all) = (laplacian(9, 8, 7), laplacian_spectrum(9, 8, 7));
    let M = unit_mass(K.ncols());
    for k in [1, 6, 20] {
        let answer = lowest(&K, &M, None, &EigenParams::below(all[k])).unwrap();
        let expected: Vec<f64> = all.iter().copied().filter(|&x| x < all[k] * (1.0 - 1e-7)).collect();
        assert!(worst(&answer.lambda, &expected) < EXACT, "{k}: {:?}", answer.info);
    }
}

#[test]
fn free_chains_have_their_rigid_mode() {
    for n in [200, 1000] {
        let (K, M) = (chain(n, 0), unit_mass(n));
        let answer = lowest(&K, &M, None, &EigenParams::count(12)).unwrap();
        let expected: Vec<f64> = (0..12).map(|j| free_chain(n, j)).collect();
        // Rounding of K is relative to its largest eigenvalue, 4, not to the lowest ones.
        let error = answer.lambda.iter().zip(&expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 4.0 * 1e-14, "n = {n}: {error:e}");
        assert_eq!(answer.info.rigid_body_modes, 1);
        sound(&K, &M, &answer);
    }
}

#[test]
fn twelve_unconnected_parts_have_twelve_rigid_modes() {
    let mut K = chain(40, 0);
    for _ in 1..12 {
        K = beside(&K, &chain(40, 0));
    }
    let M = unit_mass(K.ncols());
    let answer = lowest(&K, &M, None, &EigenParams::count(30)).unwrap();
    let mut expected: Vec<f64> = (0..3).flat_map(|j| [free_chain(40, j); 12]).collect();
    expected.truncate(30);
    assert!(worst(&answer.lambda, &expected) < EXACT, "{:?}", answer.lambda);
    assert_eq!(answer.info.rigid_body_modes, 12);
    sound(&K, &M, &answer);
}

#[test]
fn free_solids_have_six_rigid_modes_each_and_pairs_of_bending_modes() {
    let mesh::Cantilever { K, M, grid_of_row } = mesh::cantilever(4, 4, 24, true);
    let one = lowest(&K, &M, Some(&grid_of_row), &EigenParams::count(14)).unwrap();
    assert_eq!(one.info.rigid_body_modes, 6);
    // A square section bends alike in both directions: modes 7 and 8 are a pair.
    assert!((one.lambda[7] / one.lambda[6] - 1.0).abs() < 1e-9);
    // Rounding of K against its elastic modes: eps · λ_max / λ_7, some 1e-16 · 1e5.
    assert!(one.lambda[5].abs() < 1e-9 * one.lambda[6]);
    sound(&K, &M, &one);

    let (K, M) = (beside(&K, &K), beside(&M, &M));
    let two = lowest(&K, &M, None, &EigenParams::count(20)).unwrap();
    assert_eq!(two.info.rigid_body_modes, 12);
    for (pair, &single) in two.lambda[12..].chunks(2).zip(&one.lambda[6..]) {
        assert!(pair.iter().all(|value| (value / single - 1.0).abs() < 1e-9));
    }
    sound(&K, &M, &two);
}

/// A chain in which only every second point has mass: eliminating the others leaves springs of 1/2.
fn half_massless(n: usize) -> (CscMatrix<f64>, CscMatrix<f64>) {
    let mass: Vec<f64> = (0..n).map(|i| if i % 2 == 1 { 1.0 } else { 0.0 }).collect();
    (chain(n, 2), diagonal(&mass))
}

#[test]
fn rows_without_mass_follow_statically() {
    let n = 401;
    let (K, M) = half_massless(n);
    let masses = n / 2;
    for (count, dense_rows) in [(20, 0), (20, 1000), (masses, 0), (masses + 50, 0)] {
        let params = EigenParams { dense_rows, ..EigenParams::count(count) };
        let answer = lowest(&K, &M, None, &params).unwrap();
        let expected: Vec<f64> = (1..=count.min(masses)).map(|j| 0.5 * fixed_chain(masses, j)).collect();
        assert!(worst(&answer.lambda, &expected) < EXACT, "{count} of {masses}");
        sound(&K, &M, &answer);
        // The massless point between two neighbours moves by their mean.
        let mean = 0.5 * (answer.Phi[(1, 0)] + answer.Phi[(3, 0)]);
        assert!((answer.Phi[(2, 0)] - mean).abs() < 1e-12);
    }
}

#[test]
fn mass_of_rank_two_has_two_modes() {
    let n = 300;
    let mut mass = vec![0.0; n];
    mass[99] = 1.0;
    mass[199] = 1.0;
    let (K, M) = (chain(n, 2), diagonal(&mass));
    let answer = lowest(&K, &M, None, &EigenParams::count(10)).unwrap();
    // Springs 1/100, 1/100 and 1/101 in a row around the two masses.
    let (a, b, c): (f64, f64, f64) = (1.0 / 100.0, 1.0 / 100.0, 1.0 / 101.0);
    let (trace, det) = (a + 2.0 * b + c, (a + b) * (b + c) - b * b);
    let root = (trace * trace / 4.0 - det).sqrt();
    assert!(worst(&answer.lambda, &[trace / 2.0 - root, trace / 2.0 + root]) < EXACT, "{:?}", answer.lambda);
    assert!(answer.info.exhausted);
}

#[test]
fn consistent_mass_of_a_bar() {
    // Linear bar elements, unit EA, ρA and length: λ_j = 6n²(1 − cos a)/(2 + cos a), a = jπ/n, fixed ends.
    let n = 600;
    let points = n - 1;
    let (mut stiffness, mut mass) = (Vec::new(), Vec::new());
    let h = 1.0 / n as f64;
    for i in 0..points {
        stiffness.push((i, i, 2.0 / h));
        mass.push((i, i, 4.0 * h / 6.0));
        if i + 1 < points {
            stiffness.push((i + 1, i, -1.0 / h));
            mass.push((i + 1, i, h / 6.0));
        }
    }
    let (K, M) = (lower(points, &stiffness), lower(points, &mass));
    let answer = lowest(&K, &M, None, &EigenParams::count(25)).unwrap();
    let expected: Vec<f64> = (1..=25)
        .map(|j| {
            let s = (f64::from(j) * std::f64::consts::PI / (2.0 * n as f64)).sin().powi(2);
            // 1 − cos a = 2 sin²(a/2), without the cancellation.
            6.0 * (n * n) as f64 * 2.0 * s / (3.0 - 2.0 * s)
        })
        .collect();
    assert!(worst(&answer.lambda, &expected) < EXACT);
    sound(&K, &M, &answer);
}

#[test]
fn a_start_that_misses_modes_is_found_out() {
    // A speck of mass on a spring of its own is hardly in the vectors that a search begins with, which are
    // alike everywhere: the Sturm count must notice its mode and the search go on.
    let (all, speck) = (laplacian_spectrum(15, 15, 2), 1e-24);
    let own = 0.5 * (all[0] + all[1]);
    let K = beside(&laplacian(15, 15, 2), &diagonal(&[own * speck]));
    let M = beside(&unit_mass(450), &diagonal(&[speck]));
    let answer = lowest(&K, &M, None, &EigenParams::count(5)).unwrap();
    assert!(worst(&answer.lambda, &[all[0], own, all[1], all[2], all[3]]) < EXACT, "{:?}", answer.lambda);
    assert!(answer.info.recovered > 0, "this problem is meant to lose a mode at first: {:?}", answer.info);
}

/// The same where the factor is borrowed: the search says what a count must find, the count disagrees, and a
/// second search finds the mode.
#[test]
fn a_mode_that_a_borrowed_factor_missed_is_recovered() {
    let (all, speck) = (laplacian_spectrum(15, 15, 2), 1e-24);
    let own = 0.5 * (all[0] + all[1]);
    let K = beside(&laplacian(15, 15, 2), &diagonal(&[own * speck]));
    let M = beside(&unit_mass(450), &diagonal(&[speck]));
    let params = EigenParams::count(5);
    let ordering = Ordering::new(&K, None, OrderingMethod::Auto);
    let symbolic = Arc::new(Symbolic::new(&K, &ordering));
    let factor = Factor::new(&K, symbolic.clone(), &FactorParams::default()).unwrap();
    let operator = Symmetric::new(&M);
    let found = lowest_borrowing(&operator, &factor, 0.0, 5, &params).unwrap();
    assert!(worst(&found.lambda, &all[..5]) < EXACT, "{:?}", found.lambda);
    let SturmCount { shift, count } = found.info.found.unwrap();
    let counted = inertia(shifted(&K, &M, shift), &symbolic, true).unwrap().negative;
    assert_eq!(counted, count + 1);
    let indefinite = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
    let factor = Factor::new(shifted(&K, &M, shift), symbolic, &indefinite).unwrap();
    let counted = SturmCount { shift, count: counted };
    let answer = recover(&operator, &factor, counted, &found, 5, &params).unwrap();
    assert!(worst(&answer.lambda, &[all[0], own, all[1], all[2], all[3]]) < EXACT, "{:?}", answer.lambda);
    assert_eq!((answer.info.recovered, answer.info.sturm), (1, Some(counted)));
    let fewer = SturmCount { shift, count: 3 };
    let refused = recover(&operator, &factor, fewer, &found, 5, &params).unwrap_err();
    assert!(matches!(refused, EigenError::Inconsistent { counted: 3, .. }), "{refused}");
}

#[test]
fn an_existing_factor_serves() {
    let (K, all) = (laplacian(12, 11, 10), laplacian_spectrum(12, 11, 10));
    let M = unit_mass(K.ncols());
    let A = shifted(&K, &M, 0.0);
    let ordering = Ordering::new(&A, None, OrderingMethod::Auto);
    for params in [EigenParams::count(15), EigenParams::below(0.5 * (all[14] + all[15]))] {
        let factor =
            Factor::new(&A, Arc::new(Symbolic::new(&A, &ordering)), &FactorParams::default()).unwrap();
        let answer = lowest_with(&K, &M, factor, 0.0, &params).unwrap();
        assert!(worst(&answer.lambda, &all[..15]) < EXACT);
        sound(&K, &M, &answer);
    }
}

#[test]
fn same_bits_on_one_two_and_seven_threads() {
    let K = laplacian(20, 13, 9);
    let M = unit_mass(K.ncols());
    let bits = |threads: usize, want: EigenParams| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let answer = pool.install(|| lowest(&K, &M, None, &want)).unwrap();
        let shapes: Vec<u64> = (0..answer.Phi.ncols())
            .flat_map(|j| answer.Phi.col(j).iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .collect();
        (answer.lambda.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), shapes)
    };
    for want in [EigenParams::count(20), EigenParams::below(0.9)] {
        let one = bits(1, want.clone());
        assert_eq!(one, bits(2, want.clone()));
        assert_eq!(one, bits(7, want.clone()));
        let alone = EigenParams { factor: FactorParams { parallel: false, ..want.factor.clone() }, ..want };
        assert_eq!(one, bits(2, alone));
    }
}

#[test]
fn refusals_name_their_reason() {
    let K = chain(300, 2);
    assert!(matches!(
        lowest(&K, &diagonal(&[0.0; 300]), None, &EigenParams::count(3)),
        Err(EigenError::NoMass)
    ));
    let mut mass = vec![1.0; 300];
    mass[17] = -1.0;
    let refused = lowest(&K, &diagonal(&mass), None, &EigenParams::count(3));
    assert!(matches!(refused, Err(EigenError::NegativeMass { row: 17 })));
    // A free chain of which one half has no mass is fine; a lone row with neither is not.
    let loose = beside(&chain(300, 2), &diagonal(&[0.0]));
    let mut mass = vec![1.0; 301];
    mass[300] = 0.0;
    match lowest(&loose, &diagonal(&mass), None, &EigenParams::count(3)) {
        Err(EigenError::Factor(FactorError::Singular { row, .. })) => assert_eq!(row, 300),
        other => panic!("expected a singular row, got {other:?}"),
    }
}
