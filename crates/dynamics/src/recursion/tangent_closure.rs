//! Closures in the linearised equations: rows, the turning of their wrenches, loop joints.

use pliant_mechanism::{FrameMotion, FrameRef, HingeMotion, Model, Pair, Row};
use pliant_spatial::{Displacement, Transform, Wrench};

use crate::closures::closure::{coupling_start, motion_of, return_rows};
use crate::kinematics::workspace::Workspace;
use crate::linear::perturbation::Perturbation;
use crate::recursion::tangent::{TangentWork, hinge_rows};

/// Scratch of closures in [`tangent`](crate::recursion::tangent::tangent).
#[derive(Clone, Debug)]
pub(crate) struct ClosureTangent {
    /// Hinges of loop joints in the nominal motion.
    pub(crate) hinges: Vec<HingeMotion>,
    /// Changes of the rows, force elements last.
    pub(crate) rows: Vec<Row>,
    /// Changes of the multipliers.
    pub(crate) multipliers: Vec<f64>,
}

impl ClosureTangent {
    pub(crate) fn new(model: &Model) -> Self {
        let count = model.closures().row_count();
        Self {
            hinges: vec![HingeMotion::default(); model.closures().joints.len()],
            rows: vec![Row::default(); count],
            multipliers: vec![0.0; count],
        }
    }
}

/// Evaluates the changes of rows and multipliers, and adds those of the wrenches, δ(Λb) = δΛ b + Λ δb, to
/// what acts on links.
pub(crate) fn closures(model: &Model, change: &Perturbation, work: &Workspace, scratch: &mut TangentWork) {
    let closures = model.closures();
    if closures.is_empty() {
        return;
    }
    joint_rows(model, change, work, scratch);
    let mut at = 6 * closures.joints.len();
    for pair in &closures.constraints {
        let ([parent, child], [by_parent, by_child]) = ends(pair, work, scratch);
        let rows = &mut scratch.closure.rows[at..at + pair.kind.row_count()];
        pair.kind.change(&parent, &child, [&by_parent, &by_child], rows);
        return_rows(rows, &pair.X_parent, &pair.X_child);
        at += rows.len();
    }
    for coupling in &closures.couplings {
        let mut row = Row::default();
        for (coordinate, factor) in &coupling.terms {
            let j = model.state_entry(*coordinate).velocity;
            row.position += factor * change.q[j];
            row.rate += factor * change.v[j];
            row.acceleration += factor * change.a[j];
        }
        scratch.closure.rows[at] = row;
        at += 1;
    }
    scratch.closure.multipliers[..at].copy_from_slice(&change.multipliers);
    for (pair, response) in closures.forces.iter().zip(&work.closure.responses) {
        let ([parent, child], [by_parent, by_child]) = ends(pair, work, scratch);
        let count = pair.kind.row_count();
        let rows = &mut scratch.closure.rows[at..at + count];
        pair.kind.measure_change(&parent, &child, [&by_parent, &by_child], rows);
        for i in 0..count {
            let slopes = response.stiffness[i].iter().zip(&response.damping[i]);
            let resistance: f64 =
                rows.iter().zip(slopes).map(|(row, (k, d))| k * row.position + d * row.rate).sum();
            scratch.closure.multipliers[at + i] = -resistance;
        }
        return_rows(rows, &pair.X_parent, &pair.X_child);
        at += count;
    }
    apply(work, scratch);
}

/// Rows of loop joints.
fn joint_rows(model: &Model, change: &Perturbation, work: &Workspace, scratch: &mut TangentWork) {
    for (j, joint) in model.closures().joints.iter().enumerate() {
        let parent = motion_of(&work.bodies, joint.parent);
        let mut child = motion_of(&work.bodies, joint.child);
        let (by_parent, mut by_child) =
            (displacement_of(scratch, joint.parent), displacement_of(scratch, joint.child));
        let fit = &work.closure.fit[j];
        if let Some(fit) = fit {
            child = child.carried(fit);
            by_child = by_child.fixed(fit);
        }
        let at = joint.velocities();
        let x = (&change.q[at.clone()], &change.v[at.clone()], &change.a[at]);
        let closure = &mut scratch.closure;
        let rows = &mut closure.rows[6 * j..6 * j + 6];
        joint.change(&closure.hinges[j], (&parent, &child), [&by_parent, &by_child], x, rows);
        if let Some(fit) = fit {
            return_rows(rows, &Transform::identity(), fit);
        }
    }
}

fn displacement_of(scratch: &TangentWork, frame: FrameRef) -> Displacement {
    match frame {
        FrameRef::Ground => Displacement::default(),
        FrameRef::Link(body) => scratch.bodies[body].L,
        FrameRef::Interface(at) => scratch.bodies[at.body].interfaces[at.interface],
    }
}

/// Motions and displacements of the two frames between which a pair acts.
fn ends<K: ?Sized>(
    pair: &Pair<K>,
    work: &Workspace,
    scratch: &TangentWork,
) -> ([FrameMotion; 2], [Displacement; 2]) {
    let ends = [(pair.parent, &pair.X_parent), (pair.child, &pair.X_child)];
    (
        ends.map(|(frame, X)| motion_of(&work.bodies, frame).carried(X)),
        ends.map(|(frame, X)| displacement_of(scratch, frame).fixed(X)),
    )
}

fn apply(work: &Workspace, scratch: &mut TangentWork) {
    let TangentWork { bodies, closure, .. } = scratch;
    let c = &work.closure;
    let changes = closure.rows.iter().zip(&closure.multipliers);
    let nominal = c.rows.iter().zip(&c.frames).zip(&c.multipliers);
    for ((change, d_multiplier), ((row, frames), multiplier)) in changes.zip(nominal) {
        let parts = [(frames.0, row.parent, change.parent), (frames.1, row.child, change.child)];
        for (frame, wrench, d_wrench) in parts {
            let dF: Wrench = wrench * *d_multiplier + d_wrench * *multiplier;
            match frame {
                FrameRef::Ground => {}
                FrameRef::Link(body) => bodies[body].load += dF,
                FrameRef::Interface(at) => bodies[at.body].dF[at.interface] -= dF,
            }
        }
    }
}

/// Writes the rows of loop joints and adds couplings to theirs.
pub(crate) fn loop_residual_change(
    model: &Model,
    nominal: (&[f64], &[f64], &[f64]),
    change: &Perturbation,
    (work, scratch): (&Workspace, &TangentWork),
    out: &mut [f64],
) {
    let closures = model.closures();
    let changes = (change.q.as_slice(), scratch.dv.as_slice(), scratch.da.as_slice());
    let wrench = |all: &[f64], j: usize| Wrench::from_column_slice(&all[6 * j..6 * j + 6]);
    for (j, joint) in closures.joints.iter().enumerate() {
        let (F, dF) = (wrench(&work.closure.multipliers, j), wrench(&scratch.closure.multipliers, j));
        let hinge = (&joint.hinge, joint.coordinates.as_slice(), joint.positions(), joint.velocities());
        hinge_rows(hinge, (&scratch.closure.hinges[j], &work.memory), (&F, &dF), nominal, changes, out);
    }
    let first = coupling_start(closures);
    for (coupling, multiplier) in closures.couplings.iter().zip(&scratch.closure.multipliers[first..]) {
        for (coordinate, factor) in &coupling.terms {
            out[model.state_entry(*coordinate).velocity] -= factor * multiplier;
        }
    }
}
