//! A, B, C, D of a linear machine.

use nalgebra::{Complex, DMatrix, DVector, RowDVector};
use pliant_mechanism::{CoordinateRef, Model};

use crate::response::channels::{
    Channel, ChannelError, Input, Order, Output, force, measured, oil, units_of,
};
use crate::response::machine::{LinearMachine, LinearServo};
use crate::response::oil::{LinearOil, OilMatrices, ROOT_OF_ENERGY, over_time};

/// `ẋ = A x + B u`, `y = C x + D u` with names.
///
/// States are those of the modes without damping: with `y = Φ η`, `ΦᵀMΦ = 1`, `ΦᵀKΦ = Λ` they are `s η`, s²
/// = |Λ|, then `η̇`, then the integrals of servos, then the states of hydraulic drives. All entries of A are
/// then of the size of frequencies, and leaving out the last modes is a modal truncation. In coordinates of
/// the machine A would hold squares of the highest frequencies, beside which the lowest ones are rounding.
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
    /// Their units: half the square of a modal state is an energy.
    pub state_units: Vec<String>,
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
        let oils = placed(machine);
        let mut columns = Vec::new();
        let mut column_names = Vec::new();
        let mut B: Vec<DVector<f64>> = Vec::new();
        // Forces on all unknowns by the columns of B.
        let mut forces: Vec<DVector<f64>> = Vec::new();
        let unknowns = machine.all.unknowns.len();
        for (k, input) in inputs.iter().enumerate() {
            if let Input::Command(coordinate) | Input::Valve(coordinate) = input.kind
                && let Some(oil) = oils.iter().find(|oil| oil.coordinate == coordinate)
            {
                let valve = DMatrix::from_columns(std::slice::from_ref(&oil.matrices.b));
                let (columns_of, suffixes) = match input.kind {
                    Input::Valve(_) => (&valve, &[""][..]),
                    _ if !oil.closed => return Err(ChannelError::NoServo(input.name.clone())),
                    _ => (&oil.matrices.E, &["", "_rate", "_acceleration"][..]),
                };
                for (power, suffix) in suffixes.iter().enumerate() {
                    let mut column = DVector::zeros(size);
                    let own = columns_of.column(power);
                    column.rows_mut(oil.start, own.len()).copy_from(&own);
                    forces.push(DVector::zeros(unknowns));
                    columns.push((k, power as u32));
                    column_names.push(format!("{}{suffix}", input.name));
                    B.push(column);
                }
                continue;
            }
            if let Input::Command(coordinate) = input.kind {
                let Some(at) = machine.servos.iter().position(|s| s.coordinate == coordinate) else {
                    return Err(ChannelError::NoServo(input.name.clone()));
                };
                let servo = &machine.servos[at];
                let Some(fed) = &machine.fed else {
                    return Err(ChannelError::Fed(input.name.clone()));
                };
                let gains = [servo.servo.position_gain, servo.servo.rate_gain, servo.servo.feed_forward];
                for (power, (gain, suffix)) in
                    gains.into_iter().zip(["", "_rate", "_acceleration"]).enumerate()
                {
                    let mut on = DVector::zeros(unknowns);
                    on[servo.unknown] = gain;
                    for fed in fed.iter().filter(|fed| fed.by == coordinate) {
                        on[machine.servos[fed.servo].unknown] += fed.gains[power];
                    }
                    let mut column = DVector::zeros(size);
                    column.rows_mut(n, n).copy_from(&(Phi.transpose() * (machine.N[0].transpose() * &on)));
                    if power == 0
                        && let Some(integral) = integral_of(machine, at)
                    {
                        column[2 * n + integral] = 1.0;
                    }
                    columns.push((k, power as u32));
                    column_names.push(format!("{}{suffix}", input.name));
                    B.push(column);
                    forces.push(on);
                }
                continue;
            }
            if let Input::Stroke(_) = input.kind {
                let Some(stroke) = machine.stroke(k) else {
                    return Err(ChannelError::Redundant(input.name.clone()));
                };
                let suffixes = ["", "_rate", "_acceleration"];
                for (power, (on, suffix)) in machine.stroke_forces(stroke).iter().zip(suffixes).enumerate() {
                    let mut column = DVector::zeros(size);
                    column.rows_mut(n, n).copy_from(&(Phi.transpose() * (machine.N[0].transpose() * on)));
                    for (at, servo) in machine.servos.iter().enumerate() {
                        if let Some(integral) = integral_of(machine, at).filter(|_| power == 0) {
                            column[2 * n + integral] = -stroke.X[0][servo.unknown];
                        }
                    }
                    for oil in &oils {
                        let (own, unknown) = (&oil.matrices, machine.oils[oil.index].unknown);
                        let [x, x_rate] = [0, 1].map(|order| stroke.X[order][unknown]);
                        let (position, speed) = (own.P.column(0), own.P.column(1));
                        let moved = match power {
                            0 => position * x + speed * x_rate,
                            1 => speed * x,
                            _ => continue,
                        };
                        column.rows_mut(oil.start, moved.len()).copy_from(&moved);
                    }
                    columns.push((k, power as u32));
                    column_names.push(format!("{}{suffix}", input.name));
                    B.push(column);
                    // Loads have them from what the length moves.
                    forces.push(DVector::zeros(unknowns));
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
            if let Output::Tachometer(coordinate) | Output::Pressure(coordinate) = output.kind {
                let Some(oil) = oils.iter().find(|oil| oil.coordinate == coordinate) else {
                    return Err(ChannelError::NoHydraulic(output.name.clone()));
                };
                C.row_mut(k).copy_from(&oil.measured(machine, &output.kind, (Phi, &back), size));
                let (_, [position, speed]) = oil.gains(machine, &output.kind);
                for (c, (input, power)) in columns.iter().enumerate() {
                    if let Some(stroke) = machine.stroke(*input) {
                        let none = RowDVector::zeros(unknowns);
                        let at = |gain: f64| {
                            let mut row = none.clone();
                            row[machine.oils[oil.index].unknown] = gain;
                            row
                        };
                        D[(k, c)] += stroke.of([&at(position), &at(speed), &none])[*power as usize];
                    }
                }
                continue;
            }
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
            let none = || RowDVector::zeros(unknowns);
            let by = match order {
                Order::Position => [p.clone(), none(), none()],
                Order::Rate => [p_rate.clone(), p.clone(), none()],
                Order::Acceleration => [p_acceleration.clone(), &p_rate * 2.0, p.clone()],
            };
            for (c, (input, power)) in columns.iter().enumerate() {
                if let Some(stroke) = machine.stroke(*input) {
                    D[(k, c)] += stroke.of([&by[0], &by[1], &by[2]])[*power as usize];
                }
            }
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
        let integrals = || machine.servos.iter().filter(|s| s.servo.integral_gain > 0.0);
        let states = state("displacement")
            .chain(state("rate"))
            .chain(integrals().map(|s| format!("servo {} integral", s.name)))
            .chain(oils.iter().flat_map(|oil| oil.matrices.states.iter().cloned()))
            .collect();
        let of_integral = |s: &LinearServo| over_time(units_of(open, s.coordinate));
        let state_units = std::iter::repeat_n(ROOT_OF_ENERGY.to_owned(), 2 * n)
            .chain(integrals().map(of_integral))
            .chain(oils.iter().flat_map(|oil| oil.matrices.units.iter().cloned()))
            .collect();
        let mut shapes = DMatrix::zeros(machine.all.unknowns.len(), size);
        shapes.columns_mut(0, n).copy_from(&(&machine.N[0] * &back));
        Ok(Self {
            A,
            B,
            C,
            D,
            states,
            state_units,
            columns,
            column_names,
            inputs: inputs.iter().map(|i| [i.name.clone(), i.kind.units(open).to_owned()]).collect(),
            outputs: outputs.iter().map(|o| [o.name.clone(), o.kind.units(open).to_owned()]).collect(),
            shapes,
        })
    }

    /// Units of the columns of B and D.
    pub fn column_units(&self) -> Vec<String> {
        let units = |(input, power): &(usize, u32)| {
            let units = &self.inputs[*input][1];
            match power {
                0 => units.clone(),
                1 => format!("{units}/s"),
                _ => format!("{units}/s²"),
            }
        };
        self.columns.iter().map(units).collect()
    }

    /// A in modal states, and y by the first n of them.
    pub(crate) fn modal(machine: &LinearMachine) -> (DMatrix<f64>, DMatrix<Complex<f64>>) {
        let n = machine.M.nrows();
        let Phi = &machine.real.shapes;
        let integrals: Vec<_> = machine.servos.iter().filter(|s| s.servo.integral_gain > 0.0).collect();
        let oils = placed(machine);
        let size = 2 * n + integrals.len() + oils.iter().map(|oil| oil.matrices.b.len()).sum::<usize>();
        let mut A = DMatrix::zeros(size, size);
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
        for oil in &oils {
            let (LinearOil { row, rate, drive, .. }, own) = (&machine.oils[oil.index], &oil.matrices);
            let (start, count) = (oil.start, own.b.len());
            let across = Phi.transpose() * row.transpose() * drive.oil_stiffness().sqrt();
            A.view_mut((n, start), (n, 1)).copy_from(&across);
            A.view_mut((start, start), (count, count)).copy_from(&own.A);
            let (position, speed) = (own.P.column(0), own.P.column(1));
            A.view_mut((start, 0), (count, n)).copy_from(&((position * row + speed * rate) * &back));
            A.view_mut((start, n), (count, n)).copy_from(&(speed * row * Phi));
        }
        (A, back.map(|x| Complex::new(x, 0.0)))
    }
}

/// A hydraulic drive among the states.
pub(crate) struct PlacedOil {
    /// Its index among those of the machine.
    pub(crate) index: usize,
    pub(crate) coordinate: CoordinateRef,
    closed: bool,
    matrices: OilMatrices,
    /// Its first state.
    pub(crate) start: usize,
}

/// The states of hydraulic drives stand last.
pub(crate) fn placed(machine: &LinearMachine) -> Vec<PlacedOil> {
    let integrals = machine.servos.iter().filter(|s| s.servo.integral_gain > 0.0).count();
    let mut start = 2 * machine.M.nrows() + integrals;
    let place = |(index, oil): (usize, &LinearOil)| {
        let matrices = oil.matrices();
        let (coordinate, closed) = (oil.coordinate, oil.closed);
        let placed = PlacedOil { index, coordinate, closed, matrices, start };
        start += placed.matrices.b.len();
        placed
    };
    machine.oils.iter().enumerate().map(place).collect()
}

impl PlacedOil {
    /// Tachometer or pressure by the own states, by the joint and by its rate.
    fn gains(&self, machine: &LinearMachine, output: &Output) -> (RowDVector<f64>, [f64; 2]) {
        match output {
            Output::Tachometer(_) => self.matrices.tachometer.clone(),
            _ => {
                let drive = &machine.oils[self.index].drive;
                let root = drive.compliance().sqrt();
                let mut own = RowDVector::zeros(self.matrices.b.len());
                own[0] = 1.0 / root;
                (own, [-drive.oil_stiffness().sqrt() / root, 0.0])
            }
        }
    }

    /// Tachometer or pressure by the states.
    fn measured(
        &self,
        machine: &LinearMachine,
        output: &Output,
        (Phi, back): (&DMatrix<f64>, &DMatrix<f64>),
        size: usize,
    ) -> RowDVector<f64> {
        let (LinearOil { row, rate, .. }, n) = (&machine.oils[self.index], machine.M.nrows());
        let (own, [position, speed]) = self.gains(machine, output);
        let mut measured = RowDVector::zeros(size);
        measured.columns_mut(0, n).copy_from(&((row * position + rate * speed) * back));
        measured.columns_mut(n, n).copy_from(&(row * speed * Phi));
        measured.columns_mut(self.start, own.len()).copy_from(&own);
        measured
    }
}

/// Which of the integrals is that of a servo.
fn integral_of(machine: &LinearMachine, servo: usize) -> Option<usize> {
    let has = |k: usize| machine.servos[k].servo.integral_gain > 0.0;
    has(servo).then(|| (0..servo).filter(|k| has(*k)).count())
}
