//! Closures in the Newton step: the Schur complement `G S⁻¹ Gᵀ` of the recursion.
//!
//! S is the Newton matrix of the tree. Multipliers Λ of constraints, forces of force elements and the
//! coordinates θ of loop joints are found from one system, sparse by blocks of closures (`blocks.rs`,
//! `reach.rs`),
//!
//! ```text
//! A ΔΛ + H Δθ = −(ẅ + G Δa₀)        constraints; ẅ their acceleration, Δa₀ the answer of the tree alone
//! κA Δf + Δf  = −κ G Δa₀            force elements; κ = c_k ∂f/∂u + c_d ∂f/∂u̇
//! −Hᵀ ΔΛ + s Δθ = −r_θ              loop joints; s their own friction, springs and rotors
//! ```
//!
//! and Δa = Δa₀ + S⁻¹Gᵀ ΔΛ. With S = L Lᵀ and the columns `C = L⁻¹Gᵀ` kept at the bodies that they reach, A =
//! CᵀC, G Δa₀ = Cᵀ(L⁻¹r) and Δa = L⁻ᵀ(L⁻¹r + C ΔΛ): one pass inwards and one outwards for all. The same
//! factor gives the corrections that hold positions and velocities on the constraints.

use pliant_mechanism::{FrameRef, GRIP_ROWS, JointCoordinate, JointRef, Model, Row};

use crate::closures::blocks::Part;
use crate::closures::closure::{ClosureWork, GripWork, LoopUnknown, coupling_start};
use crate::closures::pivoted::RankError;
use crate::closures::reach::ReachedBody;
use crate::kinematics::residual::{multiply_add, slope};
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::{Coefficients, Workspace};
use crate::recursion::articulated::{clear_bias, inward, inward_through, outward};

/// The grip that a row belongs to, and which of its rows it is.
fn grip_of(c: &ClosureWork, row: usize) -> Option<(&GripWork, usize)> {
    let start = c.grips.first()?.start;
    let k = row.checked_sub(start)?;
    Some((&c.grips[k / GRIP_ROWS], k % GRIP_ROWS))
}

/// Puts a unit of multiplier `row` on the tree as bias and right-hand side.
fn excite(model: &Model, row: usize, work: &mut Workspace) {
    let c = &work.closure;
    let (parent, child) = c.frames[row];
    let bodies = &mut work.bodies;
    for (frame, wrench) in [(parent, c.rows[row].parent), (child, c.rows[row].child)] {
        match frame {
            FrameRef::Ground => {}
            FrameRef::Link(body) => bodies[body].p -= wrench,
            FrameRef::Interface(at) => bodies[at.body].interfaces[at.interface].p -= wrench,
        }
    }
    let first = coupling_start(model.closures());
    if let Some(coupling) = row.checked_sub(first).and_then(|i| model.closures().couplings.get(i)) {
        for (coordinate, factor) in &coupling.terms {
            if let JointRef::Carrying(_) = coordinate.joint {
                work.rhs[model.state_entry(*coordinate).velocity] += factor;
            }
        }
    }
    if let Some((grip, i)) = grip_of(c, row) {
        work.rhs[grip.velocities.clone()].copy_from_slice(grip.state.row(i));
    }
}

/// Forms and factors the system with the tree's factor and rows as last evaluated. With `find`, pivots below
/// this part of the largest entry count as zero; without, the equations that were redundant at the start are
/// left over.
pub(crate) fn factor(
    model: &Model,
    v: &[f64],
    coefficients: Coefficients,
    find: Option<f64>,
    work: &mut Workspace,
) -> Result<(), RankError> {
    if work.closure.is_empty() {
        return Ok(());
    }
    columns(model, work);
    let Workspace { bodies, closure, .. } = work;
    closure.reach.write_compliances(bodies, &mut closure.lu);
    kappa(model, coefficients, closure);
    fill(model, v, coefficients, work);
    scale(model, &mut work.closure);
    let c = &mut work.closure;
    c.lu.factor(find).map_err(|e| e.map(|at| c.equation[at]))?;
    if let (None, Some((ratio, _))) = (find, c.lu.weakest()) {
        c.healthy = c.healthy.max(ratio);
    }
    Ok(())
}

/// `L⁻¹Gᵀ`, row by row along the bodies that each reaches.
fn columns(model: &Model, work: &mut Workspace) {
    clear_bias(work);
    work.rhs.fill(0.0);
    for b in 0..work.closure.reach.blocks.len() {
        for (i, row) in work.closure.reach.blocks[b].rows.clone().enumerate() {
            excite(model, row, work);
            for k in 0..work.closure.reach.blocks[b].path.len() {
                let ReachedBody { body, first_column } = work.closure.reach.blocks[b].path[k];
                inward_through(model, body, work);
                work.closure.reach.keep(body, first_column + i, &work.bodies[body]);
                work.bodies[body].clear_bias();
                let own = &model.bodies()[body];
                work.rhs[own.hinge_velocities().start..own.elastic_velocities().end].fill(0.0);
            }
        }
    }
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

/// Completes the matrix, whose compliances are written, without scales.
fn fill(model: &Model, v: &[f64], coefficients: Coefficients, work: &mut Workspace) {
    let closures = model.closures();
    let c = &mut work.closure;
    let ClosureWork { lu, force_at, kappa, .. } = c;
    lu.for_each_part(|Part { entries, row, column, rows: count }| {
        let Some(first) = force_at[row] else { return };
        for (j, entries) in entries.chunks_exact_mut(count).enumerate() {
            let mut answers = [0.0; 6];
            answers[..count].copy_from_slice(entries);
            for (i, (entry, kappa)) in entries.iter_mut().zip(&kappa[first..]).enumerate() {
                *entry = kappa.iter().zip(&answers).map(|(k, a)| k * a).sum();
                if row == column && i == j {
                    *entry += 1.0;
                }
            }
        }
    });
    // Loop coordinates that are held in this solve leave an identity.
    for &LoopUnknown { joint, column: k, .. } in &c.unknown {
        let (b, local) = (c.block_of_joint[joint], c.theta[joint][k] - c.lu.start(c.block_of_joint[joint]));
        let (size, part) = c.lu.part(b, b);
        part[local * size + local] = 1.0;
    }
    for &LoopUnknown { joint, column: k, velocity: at } in &c.free {
        let b = c.block_of_joint[joint];
        let local = c.theta[joint][k] - c.lu.start(b);
        let S = &c.S[joint][k];
        let own = own_slope(&closures.joints[joint], k, v[at], coefficients);
        let (size, part) = c.lu.part(b, b);
        // An inertia by which residuals of this coordinate can be compared: its own, or that of what it
        // moves.
        let compliance: f64 =
            (0..6).map(|j| (0..6).map(|i| S[i] * part[j * size + i]).sum::<f64>() * S[j]).sum();
        for i in 0..6 {
            part[local * size + i] = -S[i];
            part[i * size + local] = S[i];
        }
        part[local * size + local] = own;
        for (i, coupling) in closures.couplings.iter().enumerate() {
            for (_, factor) in coupling.terms.iter().filter(|(t, _)| *t == joint.coordinate(k)) {
                let other = c.block_of_coupling[i];
                let (_, part) = c.lu.part(other, b);
                part[local] = *factor;
                let (size, part) = c.lu.part(b, other);
                debug_assert_eq!(part.len(), size);
                part[local] = -factor;
            }
        }
        let lengths = S.norm_squared();
        let seen = if compliance > 0.0 { lengths * lengths / compliance } else { 1.0 };
        work.diagonal[at] = own + seen;
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
    let unit = |angular: bool| if angular { c.length } else { 1.0 };
    let mut largest = 0.0f64;
    for block in 0..c.reach.blocks.len() {
        let rows = c.reach.blocks[block].rows.clone();
        let (size, part) = c.lu.part(block, block);
        for (i, row) in rows.enumerate().filter(|(_, row)| *row < c.constraints) {
            largest = largest.max(unit(c.angular[row]).powi(2) * part[i * size + i]);
        }
    }
    let root = if largest > 0.0 { largest.sqrt() } else { 1.0 };
    for (&at, &angular) in c.position.iter().zip(&c.angular) {
        c.row_scale[at] = unit(angular) / root;
        c.column_scale[at] = unit(angular) / root;
    }
    for &LoopUnknown { joint, column: k, .. } in &c.unknown {
        let at = c.theta[joint][k];
        (c.row_scale[at], c.column_scale[at]) = (1.0, 1.0);
    }
    for &LoopUnknown { joint, column: k, .. } in &c.free {
        let hinge = &model.closures().joints[joint].hinge;
        let count = hinge.joint.velocity_count();
        let is_angle = if k < count {
            hinge.joint.is_angle(k)
        } else {
            hinge.bearing.compliant().nth(k - count).is_some_and(|(component, _, _)| component >= 3)
        };
        let scale = root / unit(is_angle);
        let at = c.theta[joint][k];
        (c.row_scale[at], c.column_scale[at]) = (scale, scale);
    }
    let ClosureWork { lu, row_scale, column_scale, position, constraints, force_at, .. } = c;
    for &at in &position[*constraints..] {
        row_scale[at] = 0.0;
    }
    lu.for_each_part(|Part { entries, row, column, rows: count }| {
        if force_at[row].is_some() {
            for (entries, scale) in entries.chunks_exact(count).zip(&column_scale[column..]) {
                for (largest, x) in row_scale[row..].iter_mut().zip(entries) {
                    *largest = largest.max((x * scale).abs());
                }
            }
        }
    });
    for &at in &position[*constraints..] {
        row_scale[at] = if row_scale[at] > 0.0 { 1.0 / row_scale[at] } else { 1.0 };
    }
    lu.for_each_part(|Part { entries, row, column, rows: count }| {
        for (entries, by_column) in entries.chunks_exact_mut(count).zip(&column_scale[column..]) {
            for (x, by_row) in entries.iter_mut().zip(&row_scale[row..]) {
                *x *= by_row * by_column;
            }
        }
    });
}

/// Solves the system for `c.solution`, which holds the right-hand side.
fn solve_multipliers(c: &mut ClosureWork) {
    for (x, s) in c.solution.iter_mut().zip(&c.row_scale) {
        *x *= s;
    }
    let ClosureWork { lu, solution, .. } = c;
    lu.solve(solution);
    for (x, s) in c.solution.iter_mut().zip(&c.column_scale) {
        *x *= s;
    }
}

/// Completes the half solve of the tree with the multipliers in the solution: into `work.delta`, loop
/// coordinates included.
fn spread(model: &Model, work: &mut Workspace) {
    let Workspace { bodies, closure: c, .. } = work;
    c.reach.spread(|row| c.solution[c.position[row]], bodies);
    outward(model, work);
    let c = &work.closure;
    for &LoopUnknown { joint, column: k, velocity: at } in &c.free {
        work.delta[at] = c.solution[c.theta[joint][k]];
    }
}

/// Solves `(c_m M + c_d D + c_k K) δ = −r` with the last factor, into `work.delta`, such that the
/// constraints' `level` vanishes and force elements and loop joints are in balance; multipliers of
/// constraints are brought up to date.
pub(crate) fn solve(model: &Model, level: impl Fn(&Row) -> f64, work: &mut Workspace) {
    inward(model, work);
    if work.closure.is_empty() {
        outward(model, work);
        return;
    }
    let Workspace { bodies, closure: c, .. } = work;
    c.solution.fill(0.0);
    c.reach.for_each_answer(bodies, |row, answer| c.solution[c.position[row]] -= answer);
    // Force rows need the answers of all of their element.
    for (at, first) in c.force_at.iter().enumerate().filter_map(|(at, first)| Some((at, (*first)?))) {
        let count = c.group[first];
        let mut answers = [0.0; 6];
        answers[..count].copy_from_slice(&c.solution[at..at + count]);
        for (x, kappa) in c.solution[at..at + count].iter_mut().zip(&c.kappa[first..]) {
            *x = kappa.iter().zip(&answers).map(|(k, a)| k * a).sum();
        }
    }
    for (at, row) in c.position.iter().zip(&c.rows[..c.constraints]) {
        c.solution[*at] -= level(row);
    }
    for &LoopUnknown { joint, column: k, velocity: at } in &c.free {
        c.solution[c.theta[joint][k]] = -work.r[at];
    }
    solve_multipliers(c);
    spread(model, work);
    take_multipliers(&mut work.closure);
}

/// Adds the solution to the multipliers of constraints. Of redundant ones the smallest remain, forces and
/// moments over the machine's length counted alike.
fn take_multipliers(c: &mut ClosureWork) {
    for (multiplier, at) in c.multipliers[..c.constraints].iter_mut().zip(&c.position) {
        *multiplier += c.solution[*at];
    }
    if c.redundant.unwrap_or(0) > 0 {
        c.solution.fill(0.0);
        for (multiplier, at) in c.multipliers[..c.constraints].iter().zip(&c.position) {
            c.solution[*at] = multiplier / c.column_scale[*at];
        }
        c.lu.take_least_norm(&mut c.solution);
        for (multiplier, at) in c.multipliers[..c.constraints].iter_mut().zip(&c.position) {
            *multiplier = c.solution[*at] * c.column_scale[*at];
        }
    }
}

/// Adds to the corrections of the step what brings positions and velocities back on the constraints once the
/// accelerations have answered, and to the residual what links and bearings say to it.
pub(crate) fn correct(model: &Model, coefficients: Coefficients, work: &mut Workspace) {
    if work.closure.constraints == 0 {
        return;
    }
    level_out(model, |row| row.position - coefficients.k * row.acceleration, work);
    work.closure.change.copy_from_slice(&work.delta);
    level_out(model, |row| row.rate - coefficients.d * row.acceleration, work);
    work.closure.change_rate.copy_from_slice(&work.delta);
    let Workspace { bodies, closure, r, damping, .. } = work;
    let ClosureWork { shift, shift_rate, change, change_rate, .. } = closure;
    for (sum, x) in shift.iter_mut().zip(&*change).chain(shift_rate.iter_mut().zip(&*change_rate)) {
        *sum += x;
    }
    for (body, w) in model.bodies().iter().zip(bodies.iter()) {
        let at = body.elastic_velocities();
        multiply_add(body.link.K.as_slice(), &change[at.clone()], &mut r[at.clone()]);
        if w.damped {
            multiply_add(body.link.D.as_slice(), &change_rate[at.clone()], &mut r[at]);
        }
    }
    for (hinge, _, _, at) in hinges(model) {
        let first = at.start + hinge.joint.velocity_count();
        for (k, (_, stiffness, damping)) in hinge.bearing.compliant().enumerate() {
            r[first + k] += stiffness * change[first + k] + damping * change_rate[first + k];
        }
    }
    for coupled in model.damping() {
        let force = &mut damping[..coupled.coordinates.len()];
        coupled.force(change_rate, force);
        for (j, force) in coupled.coordinates.iter().zip(force) {
            r[*j] += *force;
        }
    }
}

/// `δ = −S⁻¹Gᵀ(G S⁻¹Gᵀ)⁻¹ level` into `work.delta`: the smallest change, in the norm of the Newton matrix,
/// that takes `level` away.
pub(crate) fn level_out(model: &Model, level: impl Fn(&Row) -> f64, work: &mut Workspace) {
    let c = &mut work.closure;
    c.solution.fill(0.0);
    for (at, row) in c.position.iter().zip(&c.rows[..c.constraints]) {
        c.solution[*at] = -level(row);
    }
    solve_multipliers(c);
    for w in &mut work.bodies {
        w.y.fill(0.0);
        w.u.fill(0.0);
    }
    spread(model, work);
}
