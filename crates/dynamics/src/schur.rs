//! Closures in the Newton step: the Schur complement `G S⁻¹ Gᵀ` of the recursion.
//!
//! S is the Newton matrix of the tree. Multipliers Λ of constraints, forces of force elements and the coordinates θ of
//! loop joints are found from one small dense system,
//!
//! ```text
//! A ΔΛ + H Δθ = −(ẅ + G Δa₀)        constraints; ẅ their acceleration, Δa₀ the answer of the tree alone
//! κA Δf + Δf  = −κ G Δa₀            force elements; κ = c_k ∂f/∂u + c_d ∂f/∂u̇
//! −Hᵀ ΔΛ + s Δθ = −r_θ              loop joints; s their own friction, springs and rotors
//! ```
//!
//! and Δa = Δa₀ + S⁻¹Gᵀ ΔΛ. The same factor gives the corrections that hold positions and velocities on the constraints.

use pliant_mechanism::{CoordinateRef, GRIP_ROWS, JointCoordinate, Model, Place, Row};
use pliant_spatial::Wrench;

use crate::closure::{ClosureWork, GripWork, coupling_start};
use crate::pivoted::{Rank, RankError};
use crate::recursion::{clear_bias, sweep};
use crate::residual::{multiply_add, slope};
use crate::state::hinges;
use crate::workspace::{BodyWork, Coefficients, Workspace};

/// The grip that a row belongs to, and which of its rows it is.
fn grip_of(c: &ClosureWork, row: usize) -> Option<(&GripWork, usize)> {
    let start = c.grips.first()?.start;
    let k = row.checked_sub(start)?;
    Some((&c.grips[k / GRIP_ROWS], k % GRIP_ROWS))
}

/// Puts a unit of multiplier `row` on the tree as bias and right-hand side.
fn excite(model: &Model, row: usize, work: &mut Workspace) {
    let c = &work.closure;
    let (parent, child) = c.places[row];
    let bodies = &mut work.bodies;
    for (place, wrench) in [(parent, c.rows[row].parent), (child, c.rows[row].child)] {
        match place {
            Place::Ground => {}
            Place::Frame(body) => bodies[body].p -= wrench,
            Place::Interface(body, interface) => bodies[body].interfaces[interface].p -= wrench,
        }
    }
    let first = coupling_start(model.closures());
    if let Some(coupling) = row.checked_sub(first).and_then(|i| model.closures().couplings.get(i)) {
        for (coordinate, factor) in &coupling.terms {
            if let CoordinateRef::Body(..) = coordinate {
                work.rhs[model.coordinate_places(*coordinate).1] += factor;
            }
        }
    }
    if let Some((grip, i)) = grip_of(c, row) {
        work.rhs[grip.velocities.clone()].copy_from_slice(grip.state.row(i));
    }
}

fn answer_at(bodies: &[BodyWork], place: Place, wrench: &Wrench) -> f64 {
    match place {
        Place::Ground => 0.0,
        Place::Frame(body) => wrench.dot(&bodies[body].dA),
        Place::Interface(body, interface) => wrench.dot(&bodies[body].interfaces[interface].dA),
    }
}

/// How a row of the tree answers to the last sweep.
fn answer(model: &Model, row: usize, work: &Workspace) -> f64 {
    let c = &work.closure;
    let (parent, child) = c.places[row];
    let mut sum = answer_at(&work.bodies, parent, &c.rows[row].parent)
        + answer_at(&work.bodies, child, &c.rows[row].child);
    let first = coupling_start(model.closures());
    if let Some(coupling) = row.checked_sub(first).and_then(|i| model.closures().couplings.get(i)) {
        for (coordinate, factor) in &coupling.terms {
            if let CoordinateRef::Body(..) = coordinate {
                sum += factor * work.delta[model.coordinate_places(*coordinate).1];
            }
        }
    }
    if let Some((grip, i)) = grip_of(c, row) {
        let delta = &work.delta[grip.velocities.clone()];
        sum += grip.state.row(i).iter().zip(delta).map(|(J, d)| J * d).sum::<f64>();
    }
    sum
}

/// Forms and factors the dense system with the tree's factor and rows as last evaluated.
pub(crate) fn factor(
    model: &Model,
    v: &[f64],
    coefficients: Coefficients,
    rank: Option<Rank>,
    work: &mut Workspace,
) -> Result<(), RankError> {
    if work.closure.is_empty() {
        return Ok(());
    }
    let (m, velocities) = (work.closure.rows.len(), model.velocity_count());
    for row in 0..m {
        clear_bias(work);
        work.rhs.fill(0.0);
        excite(model, row, work);
        sweep(model, work);
        work.closure.columns[row * velocities..(row + 1) * velocities].copy_from_slice(&work.delta);
        for i in 0..m {
            work.closure.A[row * m + i] = answer(model, i, work);
        }
    }
    kappa(model, coefficients, &mut work.closure);
    fill(model, v, coefficients, work);
    scale(model, &mut work.closure);
    let c = &mut work.closure;
    let under_way = rank.is_none();
    c.lu.factor(rank.unwrap_or(Rank::Leave(c.redundant.unwrap_or(0))))?;
    if let (true, Some((ratio, _))) = (under_way, c.lu.weakest()) {
        c.healthy = c.healthy.max(ratio);
    }
    Ok(())
}

fn kappa(model: &Model, coefficients: Coefficients, c: &mut ClosureWork) {
    let mut at = 0;
    for (pair, response) in model.closures().forces.iter().zip(&c.responses) {
        for i in 0..pair.kind.row_count() {
            for j in 0..6 {
                c.kappa[at][j] =
                    coefficients.k * response.stiffness[i][j] + coefficients.d * response.damping[i][j];
            }
            at += 1;
        }
    }
    for grip in &c.grips {
        for stiffness in &grip.state.stiffness {
            for (kappa, k) in c.kappa[at].iter_mut().zip(stiffness) {
                *kappa = coefficients.k * k;
            }
            at += 1;
        }
    }
}

/// Writes the unscaled matrix.
fn fill(model: &Model, v: &[f64], coefficients: Coefficients, work: &mut Workspace) {
    let closures = model.closures();
    let c = &mut work.closure;
    let (m, n) = (c.rows.len(), c.rows.len() + c.free.len());
    let size = c.lu.size();
    let K = c.lu.matrix();
    K.fill(0.0);
    for j in 0..m {
        let column = &c.A[j * m..(j + 1) * m];
        K[j * size..j * size + c.constraints].copy_from_slice(&column[..c.constraints]);
        for i in c.constraints..m {
            let (start, count) = c.group[i - c.constraints];
            let kappa = &c.kappa[i - c.constraints];
            K[j * size + i] = (0..count).map(|k| kappa[k] * column[start + k]).sum();
        }
        if j >= c.constraints {
            K[j * size + j] += 1.0;
        }
    }
    let first = coupling_start(closures);
    for (f, &(joint, k, at)) in c.free.iter().enumerate() {
        let column = m + f;
        for i in 0..6 {
            K[column * size + 6 * joint + i] = -c.S[joint][k][i];
            K[(6 * joint + i) * size + column] = c.S[joint][k][i];
        }
        for (i, coupling) in closures.couplings.iter().enumerate() {
            for (_, factor) in coupling.terms.iter().filter(|(t, _)| *t == CoordinateRef::Loop(joint, k)) {
                K[column * size + first + i] = *factor;
                K[(first + i) * size + column] = -factor;
            }
        }
        let own = own_slope(&closures.joints[joint], k, v[at], coefficients);
        K[column * size + column] = own;
        // An inertia by which residuals of this coordinate can be compared: its own, or that of what it moves.
        let compliance: f64 = (0..6)
            .map(|j| {
                (0..6).map(|i| c.S[joint][k][i] * c.A[(6 * joint + j) * m + 6 * joint + i]).sum::<f64>()
                    * c.S[joint][k][j]
            })
            .sum();
        let lengths = c.S[joint][k].norm_squared();
        let seen = if compliance > 0.0 { lengths * lengths / compliance } else { 1.0 };
        work.diagonal[at] = own + seen;
    }
    // Loop coordinates that are held in this solve leave an identity.
    for k in n..size {
        K[k * size + k] = 1.0;
    }
}

fn own_slope(joint: &pliant_mechanism::LoopJoint, k: usize, rate: f64, coefficients: Coefficients) -> f64 {
    if let Some(coordinate) = joint.coordinates.get(k) {
        return slope(coordinate as &JointCoordinate, rate, coefficients);
    }
    let bearing = joint.hinge.bearing.compliant().nth(k - joint.coordinates.len());
    bearing.map_or(0.0, |(_, stiffness, damping)| coefficients.d * damping + coefficients.k * stiffness)
}

/// Makes all entries comparable: angles become lengths, and compliances are divided by the largest.
fn scale(model: &Model, c: &mut ClosureWork) {
    let (m, size) = (c.rows.len(), c.lu.size());
    let mut largest = 0.0f64;
    for i in 0..c.constraints {
        let unit = if c.angular[i] { c.length } else { 1.0 };
        c.row_scale[i] = unit;
        largest = largest.max(unit * unit * c.A[i * m + i]);
    }
    let root = if largest > 0.0 { largest.sqrt() } else { 1.0 };
    for i in 0..m {
        let unit = if c.angular[i] { c.length } else { 1.0 };
        c.row_scale[i] = unit / root;
        c.column_scale[i] = unit / root;
    }
    for (f, &(joint, k, _)) in c.free.iter().enumerate() {
        let hinge = &model.closures().joints[joint].hinge;
        let count = hinge.joint.velocity_count();
        let is_angle = if k < count {
            hinge.joint.is_angle(k)
        } else {
            hinge.bearing.compliant().nth(k - count).is_some_and(|(component, _, _)| component >= 3)
        };
        let unit = if is_angle { 1.0 / c.length } else { 1.0 };
        c.row_scale[m + f] = unit * root;
        c.column_scale[m + f] = unit * root;
    }
    for k in m + c.free.len()..size {
        c.row_scale[k] = 1.0;
        c.column_scale[k] = 1.0;
    }
    let K = c.lu.matrix();
    for i in c.constraints..m {
        let row = (0..size).map(|j| (K[j * size + i] * c.column_scale[j]).abs()).fold(0.0, f64::max);
        c.row_scale[i] = if row > 0.0 { 1.0 / row } else { 1.0 };
    }
    for j in 0..size {
        for i in 0..size {
            K[j * size + i] *= c.row_scale[i] * c.column_scale[j];
        }
    }
}

/// Solves the dense system for `c.solution`, which holds the right-hand side.
fn solve_dense(c: &mut ClosureWork) {
    for (x, s) in c.solution.iter_mut().zip(&c.row_scale) {
        *x *= s;
    }
    let ClosureWork { lu, solution, .. } = c;
    lu.solve(solution);
    for (x, s) in c.solution.iter_mut().zip(&c.column_scale) {
        *x *= s;
    }
}

/// `out += S⁻¹Gᵀ x` on the tree and `out += x` on loop coordinates, x the solution of the dense system.
fn spread(c: &ClosureWork, out: &mut [f64]) {
    let (m, velocities) = (c.rows.len(), out.len());
    for (column, x) in c.columns.chunks_exact(velocities).zip(&c.solution[..m]) {
        for (o, g) in out.iter_mut().zip(column) {
            *o += g * x;
        }
    }
    for (x, &(_, _, at)) in c.solution[m..].iter().zip(&c.free) {
        out[at] += x;
    }
}

/// Completes the tree's own answer in `work.delta` so that the constraints' `level` vanishes and force elements and loop
/// joints are in balance; multipliers of constraints are brought up to date.
pub(crate) fn complete(model: &Model, level: impl Fn(&Row) -> f64, work: &mut Workspace) {
    let m = work.closure.rows.len();
    if m == 0 {
        return;
    }
    for i in 0..m {
        work.closure.solution[i] = -answer(model, i, work);
    }
    let c = &mut work.closure;
    // Force rows need the answers of their whole element; from the last row on they are no longer needed as such.
    for i in c.constraints..m {
        let (start, count) = c.group[i - c.constraints];
        if i == start {
            let mut answers = [0.0; 6];
            answers[..count].copy_from_slice(&c.solution[start..start + count]);
            for k in 0..count {
                let kappa = &c.kappa[start + k - c.constraints];
                c.solution[start + k] = (0..count).map(|j| kappa[j] * answers[j]).sum();
            }
        }
    }
    for i in 0..c.constraints {
        c.solution[i] -= level(&c.rows[i]);
    }
    c.solution[m..].fill(0.0);
    for (x, &(_, _, at)) in c.solution[m..].iter_mut().zip(&c.free) {
        *x = -work.r[at];
    }
    solve_dense(c);
    spread(c, &mut work.delta);
    for (multiplier, x) in c.multipliers[..c.constraints].iter_mut().zip(&c.solution) {
        *multiplier += x;
    }
    // Of redundant constraints the smallest reactions remain, forces and moments over the machine's length counted alike.
    let ClosureWork { lu, null, column_scale, multipliers, constraints, .. } = c;
    lu.take_least_norm(null, 0, |_| 1.0, &column_scale[..*constraints], &mut multipliers[..*constraints]);
}

/// Adds to the corrections of the step what brings positions and velocities back on the constraints once the
/// accelerations have answered, and to the residual what links and bearings say to it.
pub(crate) fn correct(model: &Model, coefficients: Coefficients, work: &mut Workspace) {
    if work.closure.constraints == 0 {
        return;
    }
    let c = &mut work.closure;
    let (mut shift, mut shift_rate) = (std::mem::take(&mut c.change), std::mem::take(&mut c.change_rate));
    shift.fill(0.0);
    shift_rate.fill(0.0);
    level_out(c, |row| row.position - coefficients.k * row.acceleration, &mut shift);
    level_out(c, |row| row.rate - coefficients.d * row.acceleration, &mut shift_rate);
    for (sum, change) in c.shift.iter_mut().zip(&shift).chain(c.shift_rate.iter_mut().zip(&shift_rate)) {
        *sum += change;
    }
    for (body, w) in model.bodies().iter().zip(&work.bodies) {
        let at = body.elastic_velocities();
        multiply_add(body.link.K.as_slice(), &shift[at.clone()], &mut work.r[at.clone()]);
        if w.damped {
            multiply_add(body.link.D.as_slice(), &shift_rate[at.clone()], &mut work.r[at]);
        }
    }
    for (hinge, _, _, at) in hinges(model) {
        let first = at.start + hinge.joint.velocity_count();
        for (k, (_, stiffness, damping)) in hinge.bearing.compliant().enumerate() {
            work.r[first + k] += stiffness * shift[first + k] + damping * shift_rate[first + k];
        }
    }
    (work.closure.change, work.closure.change_rate) = (shift, shift_rate);
}

/// `out −= S⁻¹Gᵀ(G S⁻¹Gᵀ)⁻¹ level`: the smallest change, in the norm of the Newton matrix, that takes `level` away.
pub(crate) fn level_out(c: &mut ClosureWork, level: impl Fn(&Row) -> f64, out: &mut [f64]) {
    c.solution.fill(0.0);
    for i in 0..c.constraints {
        c.solution[i] = -level(&c.rows[i]);
    }
    solve_dense(c);
    spread(c, out);
}
