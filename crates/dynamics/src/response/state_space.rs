//! A, B, C, D of a linear machine.

use nalgebra::{Complex, DMatrix, DVector, RowDVector};
use pliant_mechanism::Model;

use crate::response::channels::{Channel, ChannelError, Input, Order, Output, force, measured, oil};
use crate::response::machine::LinearMachine;

/// `ẋ = A x + B u`, `y = C x + D u` with names.
///
/// States are those of the modes without damping: with `y = Φ η`, `ΦᵀMΦ = 1`, `ΦᵀKΦ = Λ` they are `s η`, s²
/// = |Λ|, then `η̇`, then the integrals of servos. All entries of A are then of the size of frequencies, and
/// leaving out the last modes is a modal truncation. In coordinates of the machine A would hold squares of
/// the highest frequencies, beside which the lowest ones are rounding.
#[derive(Clone, Debug)]
pub struct StateSpace {
    /// A.
    pub A: DMatrix<f64>,
    /// B; its columns are those of `columns`.
    pub B: DMatrix<f64>,
    /// C.
    pub C: DMatrix<f64>,
    /// D.
    pub D: DMatrix<f64>,
    /// Names of the states.
    pub states: Vec<String>,
    /// For each column of B the input it belongs to, and the time derivative of it that goes in.
    pub columns: Vec<(usize, u32)>,
    /// Names of the columns of B.
    pub column_names: Vec<String>,
    /// Names and units of the inputs.
    pub inputs: Vec<[String; 2]>,
    /// Names and units of the outputs.
    pub outputs: Vec<[String; 2]>,
    /// Coordinates of the machine (rows, [`LinearMachine::shape_names`]) by the states (columns).
    pub shapes: DMatrix<f64>,
}

impl StateSpace {
    /// # Errors
    /// Channels that mean nothing in the machine.
    pub fn new(
        open: &Model,
        machine: &LinearMachine,
        inputs: &[Channel<Input>],
        outputs: &[Channel<Output>],
    ) -> Result<Self, ChannelError> {
        let n = machine.M.nrows();
        let (A, back) = Self::modal(machine);
        let back = back.map(|x| x.re);
        let (Phi, size) = (&machine.real.shapes, A.nrows());
        let mut columns = Vec::new();
        let mut column_names = Vec::new();
        let mut B: Vec<DVector<f64>> = Vec::new();
        // Forces on all unknowns by the columns of B.
        let mut forces: Vec<DVector<f64>> = Vec::new();
        let unknowns = machine.all.unknowns.len();
        for (k, input) in inputs.iter().enumerate() {
            if let Input::Command(coordinate) = input.kind {
                let Some(at) = machine.servos.iter().position(|s| s.coordinate == coordinate) else {
                    return Err(ChannelError::NoServo(input.name.clone()));
                };
                let servo = &machine.servos[at];
                let across = Phi.transpose() * servo.row.transpose();
                let gains = [servo.servo.position_gain, servo.servo.rate_gain, servo.servo.feed_forward];
                for (power, (gain, suffix)) in
                    gains.into_iter().zip(["", "_rate", "_acceleration"]).enumerate()
                {
                    let mut column = DVector::zeros(size);
                    column.rows_mut(n, n).copy_from(&(&across * gain));
                    if power == 0
                        && let Some(integral) = integral_of(machine, at)
                    {
                        column[2 * n + integral] = 1.0;
                    }
                    columns.push((k, power as u32));
                    column_names.push(format!("{}{suffix}", input.name));
                    B.push(column);
                    let mut on = DVector::zeros(unknowns);
                    on[servo.unknown] = gain;
                    forces.push(on);
                }
                continue;
            }
            let push = force(open, &machine.all, &machine.frames, input)?;
            // The oil of a cylinder pushes by k u + d u̇.
            let gains = match input.kind {
                Input::Length(element) => oil(open, element).unwrap_or_default(),
                _ => [1.0, 0.0],
            };
            let powers = if matches!(input.kind, Input::Length(_)) { 2 } else { 1 };
            for (power, (gain, suffix)) in gains.into_iter().zip(["", "_rate"]).enumerate().take(powers) {
                let on = push.transpose() * gain;
                let mut column = DVector::zeros(size);
                column.rows_mut(n, n).copy_from(&(Phi.transpose() * (machine.N[0].transpose() * &on)));
                columns.push((k, power as u32));
                column_names.push(format!("{}{suffix}", input.name));
                B.push(column);
                forces.push(on);
            }
        }
        let B = if B.is_empty() { DMatrix::zeros(size, 0) } else { DMatrix::from_columns(&B) };
        let mut C = DMatrix::zeros(outputs.len(), size);
        let mut D = DMatrix::zeros(outputs.len(), B.ncols());
        let mut loads = machine.loads.iter();
        for (k, output) in outputs.iter().enumerate() {
            if output.kind.load().is_some()
                && let Some(load) = loads.next()
            {
                let (c, d) = machine.load(load, (&A, &B, &back), (&columns, &forces));
                C.row_mut(k).copy_from(&c);
                D.row_mut(k).copy_from(&d);
                continue;
            }
            let ([p, p_rate, p_acceleration], order) =
                measured(open, &machine.all, &machine.frames, &output.kind);
            let [N, N_rate, N_acceleration] = &machine.N;
            // Parts of y, ẏ and ÿ.
            let zero = || RowDVector::zeros(n);
            let parts = match order {
                Order::Position => [&p * N, zero(), zero()],
                Order::Rate => [&p * N_rate + &p_rate * N, &p * N, zero()],
                Order::Acceleration => [
                    &p * N_acceleration + (&p_rate * N_rate) * 2.0 + &p_acceleration * N,
                    (&p * N_rate + &p_rate * N) * 2.0,
                    &p * N,
                ],
            };
            let mut row = C.row_mut(k);
            row.columns_mut(0, n).copy_from(&(&parts[0] * &back));
            row.columns_mut(n, n).copy_from(&(&parts[1] * Phi));
            let acceleration = &parts[2] * Phi;
            row += &acceleration * A.rows(n, n);
            D.row_mut(k).copy_from(&(&acceleration * B.rows(n, n)));
            for (c, (input, _)) in columns.iter().enumerate() {
                if let (Input::Ground(axis), Output::Interface { component, order: Order::Acceleration, .. }) =
                    (inputs[*input].kind, &output.kind)
                    && axis == *component
                {
                    D[(k, c)] += 1.0;
                }
            }
        }
        let hz = |k: usize| machine.real.squares[k].abs().sqrt() / std::f64::consts::TAU;
        let state =
            |what: &'static str| (0..n).map(move |k| format!("mode {} ({:.4} Hz) {what}", k + 1, hz(k)));
        let integrals = machine.servos.iter().filter(|s| s.servo.integral_gain > 0.0);
        let states = state("displacement")
            .chain(state("rate"))
            .chain(integrals.map(|s| format!("servo {} integral", s.name)))
            .collect();
        let mut shapes = DMatrix::zeros(machine.all.unknowns.len(), size);
        shapes.columns_mut(0, n).copy_from(&(&machine.N[0] * &back));
        Ok(Self {
            A,
            B,
            C,
            D,
            states,
            columns,
            column_names,
            inputs: inputs.iter().map(|i| [i.name.clone(), i.kind.units(open).to_owned()]).collect(),
            outputs: outputs.iter().map(|o| [o.name.clone(), o.kind.units(open).to_owned()]).collect(),
            shapes,
        })
    }

    /// A in modal states, and y by the first n of them.
    pub(crate) fn modal(machine: &LinearMachine) -> (DMatrix<f64>, DMatrix<Complex<f64>>) {
        let n = machine.M.nrows();
        let Phi = &machine.real.shapes;
        let integrals: Vec<_> = machine.servos.iter().filter(|s| s.servo.integral_gain > 0.0).collect();
        let mut A = DMatrix::zeros(2 * n + integrals.len(), 2 * n + integrals.len());
        let scale: Vec<f64> = machine
            .real
            .squares
            .iter()
            .map(|square| if square.abs() <= machine.free { 1.0 } else { square.abs().sqrt() })
            .collect();
        let mut back = Phi.clone();
        back.column_iter_mut().zip(&scale).for_each(|(mut column, s)| column /= *s);
        // The symmetric part of K is diagonal in its own modes; what follower forces and motion add is not.
        let skew = (&machine.K - machine.K.transpose()) * 0.5;
        if skew.amax() > 0.0 {
            A.view_mut((n, 0), (n, n)).copy_from(&(-(Phi.transpose() * skew * &back)));
        }
        for (i, (square, s)) in machine.real.squares.iter().zip(&scale).enumerate() {
            A[(i, n + i)] = *s;
            if square.abs() > machine.free {
                A[(n + i, i)] -= square / s;
            }
        }
        A.view_mut((n, n), (n, n)).copy_from(&(-(Phi.transpose() * &machine.C * Phi)));
        for (k, servo) in integrals.iter().enumerate() {
            let across = Phi.transpose() * servo.row.transpose() * servo.servo.integral_gain;
            A.view_mut((n, 2 * n + k), (n, 1)).copy_from(&across);
            A.view_mut((2 * n + k, 0), (1, n)).copy_from(&(-(&servo.row * &back)));
        }
        (A, back.map(|x| Complex::new(x, 0.0)))
    }
}

/// Which of the integrals is that of a servo.
fn integral_of(machine: &LinearMachine, servo: usize) -> Option<usize> {
    let has = |k: usize| machine.servos[k].servo.integral_gain > 0.0;
    has(servo).then(|| (0..servo).filter(|k| has(*k)).count())
}
