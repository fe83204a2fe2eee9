//! N four-bars side by side (A02 of the IFToMM benchmark library; González, Dopico, Pastorino and Cuadrado,
//! Nonlinear Dynamics 85, 2016): whenever the uprights lie flat the machine has N + 1 freedoms for a moment,
//! and the forces in the couplers have no bound on the way there.
//!
//! All uprights turn alike and the couplers stay level, so one equation says where it is: with
//! `J = (N + 1)/3 + N` and `W = ((N + 1)/2 + N) g`, `½J θ̇² + W sin θ` is conserved. That is the solution
//! with which the library compares the pin B0.

use std::f64::consts::FRAC_PI_2;

use pliant_dynamics::{Settings, Simulation};
use pliant_mechanism::BodyIndex;

use crate::four_bar::angles;
use crate::n_four_bar_model::n_four_bar;

/// Largest error of the first upright (rad), of the energy (J) and of the constraints (m) over ten seconds.
fn run(count: usize, h: f64) -> (f64, f64, f64) {
    let n = count as f64;
    let (J, W) = ((n + 1.0) / 3.0 + n, ((n + 1.0) / 2.0 + n) * 9.81);
    let E = 0.5 * J + W;
    let exact = angles(FRAC_PI_2, 10.0, 100, |theta| -(2.0 * (E - W * theta.sin()) / J).sqrt());
    let model = n_four_bar(count);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let inner = (0.1 / h).round() as usize;
    let mut worst = (0.0f64, 0.0f64, 0.0f64);
    for (k, exact) in exact.iter().enumerate() {
        for i in 1..=inner {
            let target = 0.1 * (k as f64 + i as f64 / inner as f64);
            simulation.advance(target - simulation.state().t).unwrap();
            worst.1 = worst.1.max(simulation.energy().balance.abs());
            worst.2 = worst.2.max(simulation.work().constraint_error().0);
        }
        worst.0 = worst.0.max((simulation.state().q[0] - exact).abs());
        // All uprights together: no four-bar has folded over to its other branch.
        for upright in 1..=count {
            let apart = simulation.work().X_WL(BodyIndex(upright)).R - simulation.work().X_WL(BodyIndex(0)).R;
            assert!(apart.amax() < 1e-6, "upright {upright} at {} s", simulation.state().t);
        }
    }
    println!(
        "N = {count}, h = {h}: {:.2e} rad, {:.2e} J of {:.0} J, {:.1e} m; {:?}",
        worst.0,
        worst.1,
        E,
        worst.2,
        simulation.statistics()
    );
    worst
}

#[test]
fn four_bars_pass_their_singular_positions() {
    // The library asks for 1e-1 (low precision) or 1e-3 (high precision) of the position and, as its other
    // measure, an energy that does not drift. Ten seconds are nearly five turns with ten singular positions.
    for count in [1, 2, 10, 40] {
        let (angle, energy, open) = run(count, 1e-3);
        assert!(angle < 1e-3 && energy < 1e-4 * count as f64 && open < 1e-10, "N = {count}");
    }
}

#[test]
fn the_error_falls_with_the_square_of_the_step() {
    let (coarse, fine) = (run(2, 2e-3), run(2, 1e-3));
    let order = (coarse.0 / fine.0).log2();
    assert!((order - 2.0).abs() < 0.1, "{order}");
}
