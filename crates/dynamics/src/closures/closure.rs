//! Closures in the equations of motion: their rows, the wrenches of their multipliers, the equations of loop
//! joints.

use std::ops::Range;

use pliant_mechanism::{
    BodyIndex, Closures, ForceResponse, FrameMotion, FrameRef, GRIP_ROWS, GripState, LoopIndex,
    MAX_HINGE_VELOCITIES, Model, Row,
};
use pliant_spatial::{Transform, Twist, Wrench};

use crate::closures::blocks::BlockLu;
use crate::closures::reach::Reach;
use crate::kinematics::residual::actuation;
use crate::kinematics::workspace::{BodyWork, Workspace};

/// A grip in the equations of motion. It acts on the coordinates of its own body alone.
#[derive(Clone, Debug)]
pub(crate) struct GripWork {
    pub(crate) state: GripState,
    /// Its first row.
    pub(crate) start: usize,
    /// Velocities of its body, hinge and elastic ones: the columns of J.
    pub(crate) velocities: Range<usize>,
}

/// A velocity coordinate of a loop joint that is unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopUnknown {
    pub(crate) joint: LoopIndex,
    /// Column of S, bearing included.
    pub(crate) column: usize,
    /// Entry among the velocities of the state.
    pub(crate) velocity: usize,
}

/// Scratch of closures. Rows are those of loop joints (six each), constraints, couplings, force elements,
/// grips.
#[derive(Clone, Debug)]
pub(crate) struct ClosureWork {
    pub(crate) rows: Vec<Row>,
    /// Parent and child of each row.
    pub(crate) frames: Vec<(FrameRef, FrameRef)>,
    /// Multipliers; those of force elements follow from their laws.
    pub(crate) multipliers: Vec<f64>,
    /// True for rows that measure an angle.
    pub(crate) angular: Vec<bool>,
    /// Rows before this one are constraints.
    pub(crate) constraints: usize,
    /// Columns of S of each loop joint.
    pub(crate) S: Vec<[Twist; MAX_HINGE_VELOCITIES]>,
    /// Velocity coordinates of loop joints that are unknown in this solve.
    pub(crate) free: Vec<LoopUnknown>,
    /// Those of the equations of motion.
    pub(crate) unknown: Vec<LoopUnknown>,
    pub(crate) responses: Vec<ForceResponse>,
    pub(crate) grips: Vec<GripWork>,
    /// What the forces of each closure reach.
    pub(crate) reach: Reach,
    /// `c_k ∂f/∂u + c_d ∂f/∂u̇` of force elements, as far as they are coupled: six for each force row.
    pub(crate) kappa: Vec<[f64; 6]>,
    /// Number of rows of the force element or grip that each force row belongs to.
    pub(crate) group: Vec<usize>,
    pub(crate) lu: BlockLu,
    /// Where each row stands among the unknowns of `lu`, each coordinate of the loop joints, and the row or,
    /// after all rows, the coordinate that stands there.
    pub(crate) position: Vec<usize>,
    pub(crate) theta: Vec<[usize; MAX_HINGE_VELOCITIES]>,
    pub(crate) equation: Vec<usize>,
    /// Blocks of loop joints and couplings in `lu`.
    pub(crate) block_of_joint: Vec<usize>,
    pub(crate) block_of_coupling: Vec<usize>,
    /// Where a force element begins in `lu`, its first row among force rows.
    pub(crate) force_at: Vec<Option<usize>>,
    pub(crate) row_scale: Vec<f64>,
    pub(crate) column_scale: Vec<f64>,
    pub(crate) solution: Vec<f64>,
    /// Corrections of positions and velocities in the step under way.
    pub(crate) shift: Vec<f64>,
    pub(crate) shift_rate: Vec<f64>,
    /// What the iteration under way adds to them.
    pub(crate) change: Vec<f64>,
    pub(crate) change_rate: Vec<f64>,
    /// By what the child's frame of each loop joint is moved so that it fits; nothing where it does.
    pub(crate) fit: Vec<Option<Transform>>,
    /// How many constraints are redundant, once it is known.
    pub(crate) redundant: Option<usize>,
    /// Equations that repeated others at the start.
    pub(crate) repeated: Vec<usize>,
    /// The best conditioned step so far: smallest pivot over largest.
    pub(crate) healthy: f64,
    /// A length of the machine (m): makes angles and lengths comparable.
    pub(crate) length: f64,
}

impl ClosureWork {
    pub(crate) fn new(model: &Model) -> Self {
        let closures = model.closures();
        let m = model.row_count();
        let mut frames = Vec::with_capacity(m);
        let mut angular = Vec::with_capacity(m);
        for joint in &closures.joints {
            frames.extend([(joint.parent, joint.child); 6]);
            angular.extend((0..6).map(|i| i >= 3));
        }
        for c in &closures.constraints {
            for _ in 0..c.kind.row_count() {
                frames.push((c.parent, c.child));
                angular.push(false);
            }
        }
        for c in &closures.couplings {
            frames.push((FrameRef::Ground, FrameRef::Ground));
            angular.push(
                c.terms
                    .first()
                    .is_some_and(|(at, _)| model.joint(at.joint).hinge.joint.is_angle(at.coordinate)),
            );
        }
        let mut group = Vec::new();
        for f in &closures.forces {
            let count = f.kind.row_count();
            for i in 0..count {
                frames.push((f.parent, f.child));
                angular.push(i >= 3);
                group.push(count);
            }
        }
        let mut grips = Vec::new();
        for (_, body, _) in model.gripped() {
            let start = frames.len();
            for i in 0..GRIP_ROWS {
                frames.push((FrameRef::Ground, FrameRef::Ground));
                angular.push(i >= 2);
                group.push(GRIP_ROWS);
            }
            let velocities = body.hinge_velocities().start..body.elastic_velocities().end;
            grips.push(GripWork { state: GripState::new(body.link.coordinate_count()), start, velocities });
        }
        let unknown: Vec<_> = closures
            .joints
            .iter()
            .enumerate()
            .flat_map(|(j, joint)| {
                let is_unknown = |k: &usize| joint.coordinates.get(*k).is_none_or(|c| c.motion().is_none());
                let start = joint.velocities().start;
                (0..joint.hinge.velocity_count()).filter(is_unknown).map(move |column| LoopUnknown {
                    joint: LoopIndex(j),
                    column,
                    velocity: start + column,
                })
            })
            .collect();
        let n = m + unknown.len();
        let velocities = model.velocity_count();
        let constraints = closures.constraint_count();
        let mut loop_unknowns = vec![0; closures.joints.len()];
        unknown.iter().for_each(|unknown| loop_unknowns[unknown.joint] += 1);
        let gripped: Vec<BodyIndex> = model.gripped().map(|(body, _, _)| body).collect();
        let grip_rows = grips.iter().zip(gripped).map(|(grip, b)| (grip.start..grip.start + GRIP_ROWS, b));
        let (reach, lu) = Reach::new(model, &frames, &loop_unknowns, &Vec::from_iter(grip_rows));
        let (mut position, mut equation, mut force_at) = (vec![0; m], vec![0; n], vec![None; n]);
        let mut theta = vec![[0; MAX_HINGE_VELOCITIES]; closures.joints.len()];
        let mut block_of_row = vec![0; m];
        for (b, block) in reach.blocks.iter().enumerate() {
            let start = lu.start(b);
            for (i, row) in block.rows.clone().enumerate() {
                (position[row], equation[start + i], block_of_row[row]) = (start + i, row, b);
            }
            if let Some(first) = block.rows.start.checked_sub(constraints) {
                force_at[start] = Some(first);
            }
        }
        let mut next: Vec<usize> = (0..closures.joints.len()).map(|j| position[6 * j + 5] + 1).collect();
        for (i, &LoopUnknown { joint, column, .. }) in unknown.iter().enumerate() {
            (theta[joint][column], equation[next[joint]]) = (next[joint], m + i);
            next[joint] += 1;
        }
        let first = coupling_start(closures);
        Self {
            rows: vec![Row::default(); m],
            frames,
            multipliers: vec![0.0; m],
            angular,
            constraints,
            S: vec![[Twist::zeros(); MAX_HINGE_VELOCITIES]; closures.joints.len()],
            free: unknown.clone(),
            unknown,
            responses: vec![ForceResponse::default(); closures.forces.len()],
            grips,
            block_of_joint: (0..closures.joints.len()).map(|j| block_of_row[6 * j]).collect(),
            block_of_coupling: (0..closures.couplings.len()).map(|i| block_of_row[first + i]).collect(),
            reach,
            position,
            theta,
            equation,
            force_at,
            kappa: vec![[0.0; 6]; m - constraints],
            group,
            lu,
            row_scale: vec![1.0; n],
            column_scale: vec![1.0; n],
            solution: vec![0.0; n],
            shift: vec![0.0; velocities],
            shift_rate: vec![0.0; velocities],
            change: vec![0.0; velocities],
            change_rate: vec![0.0; velocities],
            fit: vec![None; closures.joints.len()],
            redundant: None,
            repeated: Vec::new(),
            healthy: 0.0,
            length: machine_length(model),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Starts a step from the multipliers of the last one, with nothing corrected yet.
    pub(crate) fn begin_step(&mut self, multipliers: &[f64]) {
        self.multipliers.copy_from_slice(multipliers);
        self.shift.fill(0.0);
        self.shift_rate.fill(0.0);
    }
}

/// The largest of link sizes and joint offsets; 1 m when all are zero.
fn machine_length(model: &Model) -> f64 {
    let links = model.bodies().iter().map(|b| b.link.size.max(b.hinge.X_TP.p.norm()));
    let largest = links.fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// Motion of a frame as last evaluated.
pub(crate) fn motion_of(bodies: &[BodyWork], frame: FrameRef) -> FrameMotion {
    match frame {
        FrameRef::Ground => FrameMotion::default(),
        FrameRef::Link(body) => {
            let b = &bodies[body];
            FrameMotion { X: b.X_WL, V: b.V, A: b.A }
        }
        FrameRef::Interface(at) => {
            let T = &bodies[at.body].interfaces[at.interface];
            FrameMotion { X: T.X_WT, V: T.V, A: T.A }
        }
    }
}

/// Evaluates all rows and the forces of force elements at the state whose links have just been evaluated.
pub(crate) fn evaluate(model: &Model, t: f64, (q, v, a): (&[f64], &[f64], &[f64]), work: &mut Workspace) {
    let closures = model.closures();
    let (bodies, c) = (&work.bodies, &mut work.closure);
    let mut at = 0;
    for ((joint, S), fit) in closures.joints.iter().zip(&mut c.S).zip(&c.fit) {
        let (parent, mut child) = (motion_of(bodies, joint.parent), motion_of(bodies, joint.child));
        if let Some(fit) = fit {
            child = child.carried(fit);
        }
        let (positions, velocities) = (joint.positions(), joint.velocities());
        let state = (&q[positions], &v[velocities.clone()], &a[velocities]);
        let rows = &mut c.rows[at..at + 6];
        joint.evaluate(state, &parent, &child, S, rows);
        if let Some(fit) = fit {
            return_rows(rows, &Transform::identity(), fit);
        }
        at += 6;
    }
    for pair in &closures.constraints {
        let parent = motion_of(bodies, pair.parent).carried(&pair.X_parent);
        let child = motion_of(bodies, pair.child).carried(&pair.X_child);
        let rows = &mut c.rows[at..at + pair.kind.row_count()];
        pair.kind.evaluate(t, &parent, &child, rows);
        return_rows(rows, &pair.X_parent, &pair.X_child);
        at += rows.len();
    }
    for coupling in &closures.couplings {
        let mut row = Row { position: -coupling.value, ..Row::default() };
        for (coordinate, factor) in &coupling.terms {
            let at = model.state_entry(*coordinate);
            row.position += factor * q[at.position];
            row.rate += factor * v[at.velocity];
            row.acceleration += factor * a[at.velocity];
        }
        c.rows[at] = row;
        at += 1;
    }
    for (pair, response) in closures.forces.iter().zip(&mut c.responses) {
        let parent = motion_of(bodies, pair.parent).carried(&pair.X_parent);
        let child = motion_of(bodies, pair.child).carried(&pair.X_child);
        let rows = &mut c.rows[at..at + pair.kind.row_count()];
        pair.kind.measure(&parent, &child, rows);
        *response = pair.kind.respond(t, rows);
        return_rows(rows, &pair.X_parent, &pair.X_child);
        let count = rows.len();
        for (multiplier, resistance) in c.multipliers[at..at + count].iter_mut().zip(response.resistance) {
            *multiplier = -resistance;
        }
        at += count;
    }
    for ((_, body, grip), GripWork { state, start, velocities }) in model.gripped().zip(&mut c.grips) {
        grip.evaluate(q[body.hinge_positions().start], &q[body.elastic_positions()], state);
        for i in 0..GRIP_ROWS {
            let rate = state.row(i).iter().zip(&v[velocities.clone()]).map(|(J, v)| J * v).sum();
            c.rows[*start + i] = Row { position: state.g[i], rate, ..Row::default() };
            c.multipliers[*start + i] = -state.load[i];
        }
    }
}

pub(crate) fn return_rows(rows: &mut [Row], X_parent: &Transform, X_child: &Transform) {
    for row in rows {
        row.parent = X_parent.return_wrench(&row.parent);
        row.child = X_child.return_wrench(&row.child);
    }
}

/// Adds the wrenches of the multipliers to what links give to their interfaces, and to the link frames.
pub(crate) fn apply(work: &mut Workspace) {
    let (bodies, c) = (&mut work.bodies, &work.closure);
    for ((row, frames), multiplier) in c.rows.iter().zip(&c.frames).zip(&c.multipliers) {
        for (frame, wrench) in [(frames.0, row.parent), (frames.1, row.child)] {
            let F: Wrench = wrench * *multiplier;
            match frame {
                FrameRef::Ground => {}
                FrameRef::Link(body) => {
                    bodies[body].load += F;
                    bodies[body].closing += F.abs();
                }
                FrameRef::Interface(at) => {
                    let body = &mut bodies[at.body];
                    let T = &mut body.interfaces[at.interface];
                    T.F -= F;
                    body.closing += T.X_LT.return_wrench(&F).abs();
                }
            }
        }
    }
}

/// Residuals of coordinates that are coupled or gripped, and of loop joints: `Sᵀ Λ + rotor + friction +
/// spring − drive`, which at a prescribed coordinate is the drive force.
pub(crate) fn loop_residual(
    model: &Model,
    t: f64,
    (q, v, a): (&[f64], &[f64], &[f64]),
    work: &mut Workspace,
) {
    let closures = model.closures();
    for (j, joint) in closures.joints.iter().enumerate() {
        let c = &work.closure;
        let mut F = Wrench::zeros();
        F.copy_from_slice(&c.multipliers[6 * j..6 * j + 6]);
        let (positions, velocities) = (joint.positions(), joint.velocities());
        for k in 0..velocities.len() {
            let reaction = c.S[j][k].dot(&F);
            let (mut force, mut size) = (reaction, c.S[j][k].norm() * F.norm());
            let at = velocities.start + k;
            if let Some(coordinate) = joint.coordinates.get(k) {
                let scalar = joint.hinge.joint.has_scalar_coordinates();
                let own = actuation(
                    coordinate,
                    scalar,
                    t,
                    (q[positions.start + k], v[at], a[at]),
                    &mut work.memory[at],
                );
                force += own.0;
                size += own.1;
            }
            work.r[at] = force;
            work.reference[at] = size;
        }
        let (first_q, first_v) = (joint.hinge.joint.position_count(), joint.hinge.joint.velocity_count());
        for (k, (_, stiffness, damping)) in joint.hinge.bearing.compliant().enumerate() {
            let at = velocities.start + first_v + k;
            let force = stiffness * q[positions.start + first_q + k] + damping * v[at];
            work.r[at] += force;
            work.reference[at] += force.abs();
        }
    }
    let first = coupling_start(closures);
    for (i, coupling) in closures.couplings.iter().enumerate() {
        let multiplier = work.closure.multipliers[first + i];
        for (coordinate, factor) in &coupling.terms {
            let at = model.state_entry(*coordinate).velocity;
            work.r[at] -= factor * multiplier;
            work.reference[at] += (factor * multiplier).abs();
        }
    }
    for GripWork { state, velocities, .. } in &work.closure.grips {
        for (i, load) in state.load.iter().enumerate() {
            for (at, J) in velocities.clone().zip(state.row(i)) {
                work.r[at] += J * load;
                work.reference[at] += (J * load).abs();
            }
        }
    }
}

/// The row of the first coupling.
pub(crate) fn coupling_start(closures: &Closures) -> usize {
    6 * closures.joints.len() + closures.constraints.iter().map(|c| c.kind.row_count()).sum::<usize>()
}

/// Largest misfit of position (m; angles times the length of the machine) with its row.
pub(crate) fn worst_misfit(c: &ClosureWork) -> (f64, usize) {
    let mut worst = (0.0, 0);
    for (i, row) in c.rows[..c.constraints].iter().enumerate() {
        let size = row.position.abs() * if c.angular[i] { c.length } else { 1.0 };
        if size > worst.0 || size.is_nan() {
            worst = (size, i);
        }
    }
    worst
}

/// True when the `rows` of the constraints hold in position, rate and acceleration at the end of a step of
/// length `h`.
pub(crate) fn is_closed(work: &Workspace, rows: &[Row], h: f64) -> bool {
    let c = &work.closure;
    if c.constraints == 0 {
        return true;
    }
    let (mut speed, mut acceleration) = (0.0f64, 0.0f64);
    for (parent, child) in &c.frames[..c.constraints] {
        for frame in [*parent, *child] {
            let (V, A) = match frame {
                FrameRef::Ground => continue,
                FrameRef::Link(b) => (&work.bodies[b].V, &work.bodies[b].A),
                FrameRef::Interface(at) => (work.V_WT(at), &work.bodies[at.body].interfaces[at.interface].A),
            };
            speed = speed.max(V.amax());
            acceleration = acceleration.max(A.amax());
        }
    }
    // In lengths: a hundredth of what the promise of 1e-10 leaves, of rates what would use it up in a hundred
    // steps.
    let drift = 1e-12 * c.length;
    let limits = [drift, 1e-10 * speed + drift / h, 1e-8 * acceleration + drift / (h * h)];
    rows[..c.constraints].iter().zip(&c.angular).all(|(row, angular)| {
        let scale = if *angular { c.length } else { 1.0 };
        let sizes = [row.position, row.rate, row.acceleration];
        sizes.iter().zip(&limits).all(|(size, limit)| size.abs() * scale <= *limit)
    })
}
