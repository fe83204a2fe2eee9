use super::*;

fn table(x: &[f64], y: &[f64], interpolation: Interpolation, outside: Outside) -> Table {
    Table::new(x.to_vec(), y.to_vec(), interpolation, outside).unwrap()
}

const RAMP: ([f64; 3], [f64; 3]) = ([0.0, 0.1, 1.0], [0.0, 10.0, 10.0]);

#[test]
fn ramp_and_hold_is_what_it_says() {
    let linear = table(&RAMP.0, &RAMP.1, Interpolation::Linear, Outside::Hold);
    for (t, force) in [(-1.0, 0.0), (0.05, 5.0), (0.1, 10.0), (0.55, 10.0), (1.0, 10.0), (2.0, 10.0)] {
        assert!((linear.at(t).value - force).abs() < 1e-14, "{t}");
    }
    // Impulse of the triangle and the rest: 0.5 + 19.
    assert!((linear.integral(0.0, 2.0) - 19.5).abs() < 1e-14);
    assert!((linear.integral(-3.0, 0.05) - 0.125).abs() < 1e-15);
    assert_eq!(linear.overshoot(), None);
    assert_eq!(linear.events(), [Event::corner(0.0), Event::corner(0.1)]);
    let zero = table(&RAMP.0, &RAMP.1, Interpolation::Linear, Outside::Zero);
    assert!((zero.integral(0.0, 2.0) - 9.5).abs() < 1e-14);
    assert_eq!(zero.events().last(), Some(&Event::jump(1.0)));
    let error = table(&RAMP.0, &RAMP.1, Interpolation::Linear, Outside::Error);
    assert!(error.covers(1.0) && !error.covers(1.1) && linear.covers(1.1));
}

#[test]
fn a_spline_that_overshoots_says_so() {
    // The parabola through the three points: 30.25 at t = 0.55, as the program once ran it.
    let cubic = table(&RAMP.0, &RAMP.1, Interpolation::Cubic, Outside::Hold);
    let (t, value, passed) = cubic.overshoot().unwrap();
    assert!((t - 0.55).abs() < 1e-12 && (value - 30.25).abs() < 1e-12 && passed == 10.0, "{t} {value}");
    let x: Vec<f64> = (0..=24).map(|i| f64::from(i) / 12.0 + 0.01).collect();
    let sine: Vec<f64> = x.iter().map(|x| (std::f64::consts::TAU * x).sin()).collect();
    assert_eq!(table(&x, &sine, Interpolation::Cubic, Outside::Hold).overshoot(), None);
}

#[test]
fn monotone_pieces_are_those_of_pchip() {
    // Slopes of the published formula by hand. Row 2: secants 1 and 7 over equal lengths, 6/(3/1 + 3/7) =
    // 1.75.
    let (x, y) = ([0.0, 1.0, 2.0, 4.0, 5.0], [0.0, 1.0, 8.0, 9.0, 9.0]);
    let table = table(&x, &y, Interpolation::Monotone, Outside::Hold);
    let slopes: Vec<f64> = x.iter().map(|x| table.at(*x).rate).collect();
    // Row 3: secants 7 and 0.5 over 1 and 2: (w1 + w2)/(w1/7 + w2/0.5) with w1 = 2·2 + 1 = 5, w2 = 2 + 2·1 =
    // 4.
    let expected = [0.0, 1.75, 9.0 / (5.0 / 7.0 + 4.0 / 0.5), 0.0, 0.0];
    for (slope, expected) in slopes.iter().zip(expected) {
        assert!((slope - expected).abs() < 1e-14, "{slopes:?}");
    }
    for i in 0..500 {
        let t = 0.01 * f64::from(i);
        assert!(table.at(t + 0.01).value >= table.at(t).value - 1e-14, "falls at {t}");
    }
    assert_eq!(table.overshoot(), None);
}

#[test]
fn steps_and_double_rows_jump() {
    let step = table(&[0.0, 1.0, 2.0], &[3.0, 5.0, 5.0], Interpolation::Step, Outside::Zero);
    assert_eq!([-0.1, 0.0, 0.999, 1.0, 2.0, 2.001].map(|t| step.at(t).value), [0.0, 3.0, 3.0, 5.0, 5.0, 0.0]);
    assert_eq!(step.events(), [0.0, 1.0, 2.0].map(Event::jump));
    // A pulse of 2 ms of 1000 N in four rows.
    let pulse = table(
        &[0.0, 0.1, 0.1, 0.102, 0.102],
        &[0.0, 0.0, 1e3, 1e3, 0.0],
        Interpolation::Linear,
        Outside::Hold,
    );
    assert!((pulse.integral(0.0, 1.0) - 2.0).abs() < 1e-13);
    assert_eq!(pulse.events(), [0.1, 0.102].map(Event::jump));
    assert_eq!([0.05, 0.1, 0.101, 0.102, 0.2].map(|t| pulse.at(t).value), [0.0, 1e3, 1e3, 0.0, 0.0]);
}

#[test]
fn a_cubic_is_integrated_exactly() {
    let f = |x: f64| 1.0 + x * (2.0 + x * (-3.0 + x * 0.5));
    let x = [0.0, 0.3, 0.7, 1.5, 2.0];
    let cubic = table(&x, &x.map(f), Interpolation::Cubic, Outside::Hold);
    let closed = |x: f64| x + x * x - x * x * x + 0.125 * x * x * x * x;
    assert!((cubic.integral(0.1, 1.9) - (closed(1.9) - closed(0.1))).abs() < 1e-13);
    assert!(cubic.events().iter().all(|event| event.t == 0.0 || event.t == 2.0));
}

#[test]
fn bad_tables_are_refused_and_jumps_found() {
    let make = |x: &[f64], y: &[f64], kind| Table::new(x.to_vec(), y.to_vec(), kind, Outside::Hold);
    assert_eq!(make(&[0.0], &[1.0], Interpolation::Linear), Err(SplineError::TooShort));
    assert_eq!(make(&[0.0, 0.0], &[1.0, 2.0], Interpolation::Linear), Err(SplineError::TooShort));
    let back = |kind| make(&[0.0, 1.0, 1.0], &[0.0; 3], kind);
    assert_eq!(back(Interpolation::Cubic), Err(SplineError::NotAscending { row: 3, time: 1.0 }));
    assert!(back(Interpolation::Linear).is_ok());
    let three = make(&[0.0, 1.0, 1.0, 1.0], &[0.0; 4], Interpolation::Linear);
    assert_eq!(three, Err(SplineError::NotAscending { row: 4, time: 1.0 }));
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let step: Vec<f64> = x.iter().map(|x| if *x < 9.5 { 0.01 * x } else { 1.0 }).collect();
    let jumps = make(&x, &step, Interpolation::Cubic).unwrap().jumps();
    assert_eq!(jumps.iter().map(|j| (j.0, j.1)).collect::<Vec<_>>(), [(9.0, 10.0)]);
    // A ramp between two holds is no jump.
    let ramp = make(&[0.0, 0.2, 0.3, 1.0], &[0.0, 0.0, 0.1, 0.1], Interpolation::Cubic).unwrap();
    assert_eq!(ramp.jumps(), []);
    let smooth: Vec<f64> = x.iter().map(|x| (0.3 * x).sin()).collect();
    assert!(make(&x, &smooth, Interpolation::Cubic).unwrap().jumps().is_empty());
}

#[test]
fn a_jump_in_the_first_row_holds_the_value_before_it() {
    let table = |outside| table(&[0.2, 0.2, 0.3], &[0.0, 10.0, 10.0], Interpolation::Linear, outside);
    let held = table(Outside::Hold);
    assert_eq!([held.at(0.1).value, held.at(0.2).value, held.at(0.4).value], [0.0, 10.0, 10.0]);
    assert_eq!(held.events(), [crate::Event::jump(0.2)]);
    assert!((held.integral(0.0, 0.4) - 2.0).abs() < 1e-15);
    assert_eq!(table(Outside::Zero).at(0.1).value, 0.0);
}
