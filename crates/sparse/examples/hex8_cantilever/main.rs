//! Modes of a block of hexahedra: time per phase, size of the factor, peak memory.
//!
//! `cargo run --release -p pliant-sparse --example hex8_cantilever -- [NX NY NZ [MODES [THREADS [free]]]]`
//! (20 20 100, 20 modes, 1 thread: the 132,300-dof cantilever of docs/performance/sparse.md).
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod mesh;

use std::sync::Arc;
use std::time::Instant;

use faer::Mat;
use pliant_sparse::{EigenParams, Factor, FactorParams, Ordering, OrderingMethod, Symbolic, lowest, shifted};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, default: usize| arguments.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (nx, ny, nz) = (number(0, 20), number(1, 20), number(2, 100));
    let (modes, threads) = (number(3, 20), number(4, 1));
    let free = arguments.get(5).is_some_and(|a| a == "free");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
    pool.install(|| measure(nx, ny, nz, modes, free));
}

fn measure(nx: usize, ny: usize, nz: usize, modes: usize, free: bool) {
    let mesh::Cantilever { K, M, grid_of_row } = mesh::cantilever(nx, ny, nz, free);
    println!("{} rows, {} entries in the lower triangle of K", K.ncols(), K.nnz());
    if std::env::var_os("PHASES").is_some() {
        phases(&K, &grid_of_row);
    }
    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let mut params = EigenParams::count(modes);
    params.block = std::env::var("BLOCK").ok().and_then(|b| b.parse().ok());
    params.prove = std::env::var_os("UNPROVEN").is_none();
    let answer = lowest(&K, &M, Some(&grid_of_row), &params).expect("modes");
    report("modes, everything included", clock, cpu);
    println!("{:#?}", answer.info);
    let frequencies: Vec<f64> =
        answer.lambda.iter().map(|l| l.abs().sqrt() / (2.0 * std::f64::consts::PI)).collect();
    println!("frequencies {frequencies:.4?} Hz");
    println!("largest residual {:.1e}", answer.residuals.iter().copied().fold(0.0, f64::max));
    println!("peak memory {:.2} GB", peak_memory());
}

fn phases(K: &nalgebra_sparse::CscMatrix<f64>, grid_of_row: &[usize]) {
    let A = shifted(K, K, 0.0);
    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let ordering = Ordering::new(&A, Some(grid_of_row), OrderingMethod::Auto);
    report("ordering", clock, cpu);
    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let symbolic = Arc::new(Symbolic::new(&A, &ordering));
    report("symbolic analysis", clock, cpu);
    println!("{:?}", symbolic.info());
    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let factor = Factor::new(&A, symbolic, &FactorParams::default()).expect("a definite matrix");
    report("factorisation", clock, cpu);
    for columns in [1, 4, 8, 16, 32, 64] {
        let mut X = Mat::from_fn(A.ncols(), columns, |i, j| ((i * 7 + j * 13) % 17) as f64 - 8.0);
        let (clock, cpu) = (Instant::now(), cpu_seconds());
        factor.solve_in_place(X.as_mut());
        report(&format!("{columns} right-hand sides"), clock, cpu);
    }
}

fn report(name: &str, clock: Instant, cpu: f64) {
    let wall = clock.elapsed().as_secs_f64();
    println!("{name:<26} {wall:8.2} s wall {:8.2} s cpu, peak {:.2} GB", cpu_seconds() - cpu, peak_memory());
}

/// User and system time of this process so far, where the system tells; steadier than wall time on a busy
/// machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |k: usize| fields.get(k).and_then(|t| t.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / 100.0
}

/// Largest resident set so far, in GB, where the system tells.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) * 1024.0 / 1e9
}
