//! The equations of motion linearised about a motion with undeformed links, exactly.
//!
//! A small change of the machine moves every frame by η (a twist of displacement, at and in the frame). η
//! obeys the recursion of twists, and with its time derivatives
//!
//! ```text
//! δV = η̇ + V × η,     δV̇ = η̈ + V̇ × η + V × η̇
//! ```
//!
//! Wrenches are varied on the way back: `δ(Adᵀ F) = Adᵀ(δF + ε ×* F)` where the frame of F moves by ε against
//! the other. The slopes of a link's own forces (`pliant_link::LinkSlopes`) are the same for all directions:
//! with its stiffness, its damping and the geometric stiffness of the wrenches on its interfaces they are two
//! matrices n×n of a state. The frame of a chord is one more frame, on which the inertia of the link and its
//! interfaces hang. Closures are in `tangent_closure.rs`. Derived in `docs/theory/linear.md`.

use std::ops::Range;

use nalgebra::{Vector3, Vector6};
use pliant_link::{Interface, LinkSlopes};
use pliant_mechanism::{
    Body, GRIP_ROWS, Hinge, HingeMotion, JointCoordinate, LoadFrame, MAX_HINGE_VELOCITIES, Memory, Model,
};
use pliant_spatial::{Displacement, Twist, Wrench, cross_wrench, twist, wrench};

use crate::kinematics::coupled_damping;
use crate::kinematics::residual::{multiply_add, slope};
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::{BodyWork, Coefficients, Workspace};
use crate::linear::perturbation::Perturbation;
use crate::recursion::tangent_closure::{ClosureTangent, closures, loop_residual_change};

#[derive(Clone, Debug)]
pub(crate) struct BodyTangent {
    hinge: HingeMotion,
    pub(crate) L: Displacement,
    /// The frame in which the link is linear: L, or that of the chord.
    C: Displacement,
    pub(crate) interfaces: Vec<Displacement>,
    /// Change of the wrench on all that hangs on each interface.
    pub(crate) dF: Vec<Wrench>,
    /// Change of the wrench of closures on the link frame.
    pub(crate) load: Wrench,
    /// Of the link's own forces: inertia, weight, stiffness, damping, and the wrenches on its interfaces
    /// through their displacements of second order.
    slopes: LinkSlopes,
}

/// Scratch of [`tangent`].
#[derive(Clone, Debug)]
pub(crate) struct TangentWork {
    pub(crate) bodies: Vec<BodyTangent>,
    pub(crate) closure: ClosureTangent,
    /// Changes of velocities and accelerations.
    pub(crate) dv: Vec<f64>,
    pub(crate) da: Vec<f64>,
    /// Forces of one damping between links.
    damping: Vec<f64>,
}

impl TangentWork {
    pub(crate) fn new(model: &Model) -> Self {
        let bodies = model.bodies().iter().map(|body| {
            let count = body.link.interfaces.len();
            BodyTangent {
                hinge: HingeMotion::default(),
                L: Displacement::default(),
                C: Displacement::default(),
                interfaces: vec![Displacement::default(); count],
                dF: vec![Wrench::zeros(); count],
                load: Wrench::zeros(),
                slopes: LinkSlopes::new(&body.link.invariants),
            }
        });
        let zeros = || vec![0.0; model.velocity_count()];
        Self {
            bodies: bodies.collect(),
            closure: ClosureTangent::new(model),
            dv: zeros(),
            da: zeros(),
            damping: coupled_damping::scratch(model),
        }
    }

    /// Evaluates what does not depend on the direction, at the nominal motion (q, v, a) last evaluated into
    /// `work`.
    pub(crate) fn prepare(&mut self, model: &Model, (q, v, a): (&[f64], &[f64], &[f64]), work: &Workspace) {
        for ((body, d), w) in model.bodies().iter().zip(&mut self.bodies).zip(&work.bodies) {
            let (link, slopes) = (&body.link, &mut d.slopes);
            slopes.evaluate(&link.invariants, &w.V, &w.A, &w.X_WL.R.tr_mul(&model.gravity()));
            add(&mut slopes.by_q, 1.0, link.K.as_slice());
            add(&mut slopes.by_rate, 1.0, link.D.as_slice());
            for (T, interface) in w.interfaces.iter().zip(&link.interfaces) {
                for (F, G) in
                    in_link_axes(interface, &T.F).iter().zip(interface.G.iter().flat_map(|G| G.iter()))
                {
                    add(&mut slopes.by_q, -F, G.as_slice());
                }
            }
        }
        let tree = self.bodies.iter_mut().map(|b| &mut b.hinge);
        let motions = tree.chain(&mut self.closure.hinges);
        for ((hinge, _, at_q, at_v), motion) in hinges(model).zip(motions) {
            motion.evaluate(hinge, (&q[at_q], &v[at_v.clone()], &a[at_v]));
        }
    }
}

/// Change of the residual, `M ẍ + C ẋ + K x − Gᵀ δΛ` into `out`, and of the rows of closures into `scratch`,
/// about the state last evaluated into `work` and prepared in `scratch`, whose links are undeformed and at
/// rest in their frames. `nominal` is that state (q, v, a).
pub(crate) fn tangent(
    model: &Model,
    t: f64,
    nominal: (&[f64], &[f64], &[f64]),
    change: &Perturbation,
    (work, scratch): (&Workspace, &mut TangentWork),
    out: &mut [f64],
) {
    change.rates(model, (nominal.1, nominal.2), (&mut scratch.dv, &mut scratch.da));
    outward(model, change, work, scratch);
    loads(model, t, work, scratch);
    closures(model, change, work, scratch);
    for (i, body) in model.bodies().iter().enumerate().rev() {
        let (before, rest) = scratch.bodies.split_at_mut(i);
        let (d, w) = (&mut rest[0], &work.bodies[i]);
        let mut dF = link(model, body, w, d, change, out);
        for (k, (T, interface)) in w.interfaces.iter().zip(&body.link.interfaces).enumerate() {
            dF += interface_back(body, T, interface, &d.dF[k], &change.q, out);
        }
        if body.link.invariants.chord.is_some() {
            dF = chord_back(body, w, dF, &change.q, out);
        }
        dF -= d.load;
        let at = body.hinge_velocities();
        let hinge = (&body.hinge, body.coordinates.as_slice(), body.hinge_positions(), at.clone());
        let changes = (change.q.as_slice(), scratch.dv.as_slice(), scratch.da.as_slice());
        hinge_rows(hinge, (&d.hinge, &work.memory), (&w.F, &dF), nominal, changes, out);
        let moved = d.hinge.along(&change.q[at]);
        let dF_T = w.X_TL.return_wrench(&(dF + cross_wrench(&moved, &w.F)));
        if body.grip.is_some() {
            grip(body, work, &change.q, out);
        }
        if let Some(parent) = body.parent {
            before[parent.body].dF[parent.interface] += dF_T;
        }
    }
    loop_residual_change(model, nominal, change, (work, scratch), out);
    for damping in model.damping() {
        let force = &mut scratch.damping[..damping.coordinates.len()];
        damping.force(&scratch.dv, force);
        damping.coordinates.iter().zip(force).for_each(|(j, force)| out[*j] += *force);
    }
}

/// Displacements of all frames, root to tips.
fn outward(model: &Model, change: &Perturbation, work: &Workspace, scratch: &mut TangentWork) {
    for (i, body) in model.bodies().iter().enumerate() {
        let (before, rest) = scratch.bodies.split_at_mut(i);
        let (d, w) = (&mut rest[0], &work.bodies[i]);
        let T = body.parent.map_or_else(Displacement::default, |p| before[p.body].interfaces[p.interface]);
        let at = body.hinge_velocities();
        d.L = d.hinge.displace(&T, (&change.q[at.clone()], &change.v[at.clone()], &change.a[at]));
        let elastic = body.elastic_velocities().start;
        d.C = d.L;
        for (j, spin) in body.elastic_velocities().zip(turns(body)) {
            d.C.add(&twist(Vector3::zeros(), spin), (change.q[j], change.v[j], change.a[j]));
        }
        for (T, displacement) in w.interfaces.iter().zip(&mut d.interfaces) {
            *displacement = d.L.fixed(&T.X_LT);
            for (k, [slope]) in T.columns.clone().zip(&T.motion.slopes) {
                let j = elastic + k;
                displacement.add(&T.twist_of(slope), (change.q[j], change.v[j], change.a[j]));
            }
        }
    }
}

/// Change of a vector that is fixed in the world, in the axes of a frame displaced by `e`.
fn turned(x: &Vector3<f64>, e: &Twist) -> Vector3<f64> {
    x.cross(&e.fixed_rows::<3>(3))
}

/// Payloads and loads.
fn loads(model: &Model, t: f64, work: &Workspace, scratch: &mut TangentWork) {
    let gravity = model.gravity();
    for (w, d) in work.bodies.iter().zip(&mut scratch.bodies) {
        d.load = Wrench::zeros();
        for ((T, displacement), dF) in w.interfaces.iter().zip(&d.interfaces).zip(&mut d.dF) {
            *dF = Wrench::zeros();
            if let Some((m, s, I)) = &T.payload {
                let (dV, dA) = displacement.motion(&T.V, &T.A);
                let dg = turned(&T.X_WT.R.tr_mul(&gravity), &displacement.e);
                *dF += I * dA + cross_wrench(&dV, &(I * T.V)) + cross_wrench(&T.V, &(I * dV))
                    - wrench(dg * *m, s.cross(&dg));
            }
        }
    }
    for load in model.loads().iter().filter(|load| load.frame == LoadFrame::World) {
        let T = &work.bodies[load.on.body].interfaces[load.on.interface];
        let d = &mut scratch.bodies[load.on.body];
        let e = &d.interfaces[load.on.interface].e;
        let F = load.at(t);
        let turn = |first: usize| turned(&T.X_WT.R.tr_mul(&F.fixed_rows::<3>(first)), e);
        d.dF[load.on.interface] -= wrench(turn(0), turn(3));
    }
}

/// Changes of a link's own forces: writes the elastic rows of `out`, returns the change of the wrench at the
/// frame in which it is linear.
fn link(
    model: &Model,
    body: &Body,
    w: &BodyWork,
    d: &mut BodyTangent,
    change: &Perturbation,
    out: &mut [f64],
) -> Wrench {
    let (inv, at) = (&body.link.invariants, body.elastic_velocities());
    let (q, v, a) = (&change.q[at.clone()], &change.v[at.clone()], &change.a[at.clone()]);
    let rows = &mut out[at];
    rows.fill(0.0);
    let mut dF = Wrench::zeros();
    let slopes = &d.slopes;
    for (x, by_x, wrench_by_x) in [
        (q, slopes.by_q.as_slice(), slopes.wrench_by_q.as_slice()),
        (v, &slopes.by_rate, &slopes.wrench_by_rate),
    ] {
        if changes(x) {
            multiply_add(by_x, x, rows);
            wrench_by_x.iter().zip(x).for_each(|(F, x)| dF += F * *x);
        }
    }
    if changes(a) {
        multiply_add(inv.M_EE.as_slice(), a, rows);
        inv.C0.column_iter().zip(a).for_each(|(F, a)| dF += F * *a);
    }
    // Most directions leave most frames where they are.
    if d.C != Displacement::default() {
        let (dV, dA) = d.C.motion(&w.V, &w.A);
        let dg = turned(&w.X_WL.R.tr_mul(&model.gravity()), &d.C.e);
        dF += inv.M0 * dA + slopes.wrench_by_twist * dV;
        dF -= wrench(dg * inv.mass(), inv.first_moment().cross(&dg));
        let push = dA - twist(dg, Vector3::zeros());
        for ((row, by_twist), C0) in rows.iter_mut().zip(&slopes.by_twist).zip(inv.C0.column_iter()) {
            *row += by_twist.dot(&dV) + C0.dot(&push);
        }
    }
    dF
}

/// `y += factor x`.
fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    if factor != 0.0 {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
    }
}

/// A wrench on an interface, about it, in the axes of its link.
fn in_link_axes(interface: &Interface, F: &Wrench) -> Wrench {
    let R = &interface.X_LT.R;
    wrench(R * F.fixed_rows::<3>(0), R * F.fixed_rows::<3>(3))
}

fn changes(x: &[f64]) -> bool {
    x.iter().any(|x| *x != 0.0)
}

/// Adds an interface's part to the elastic rows; returns its part of the wrench at the frame in which the
/// link is linear.
fn interface_back(
    body: &Body,
    T: &crate::kinematics::workspace::InterfaceWork,
    interface: &Interface,
    dF: &Wrench,
    dq: &[f64],
    out: &mut [f64],
) -> Wrench {
    let start = body.elastic_velocities().start;
    let q = &dq[body.elastic_velocities()];
    let bent = changes(q);
    if !bent && !changes(dF.as_slice()) {
        return Wrench::zeros();
    }
    // Undeformed, J is made of the columns of V turned into T. In link axes: displacement, F and its change.
    let R = &interface.X_LT.R;
    let parts = |x: &Vector6<f64>| (x.fixed_rows::<3>(0).into_owned(), x.fixed_rows::<3>(3).into_owned());
    let mut d = Vector6::zeros();
    if bent {
        for k in T.columns.clone() {
            d += interface.V.column(k) * q[k];
        }
    }
    let (u, phi) = parts(&d);
    let e = twist(R.tr_mul(&u), R.tr_mul(&phi));
    let ((f, m), (df, dm)) = (parts(&in_link_axes(interface, &T.F)), parts(dF));
    // Columns turn with the interface: translations by all of φ, rotations by half of it.
    let along = wrench(R * df - f.cross(&phi), R * dm - m.cross(&phi) * 0.5);
    for k in T.columns.clone() {
        out[start + k] += interface.V.column(k).dot(&along);
    }
    T.X_LT.return_wrench(&(dF + cross_wrench(&e, &T.F)))
}

/// Φ of the chord, nothing where the link is linear in L.
fn turns(body: &Body) -> impl Iterator<Item = Vector3<f64>> {
    let columns = body.link.invariants.chord.iter().flat_map(|chord| chord.turns.column_iter());
    columns.map(|turn| turn.into_owned())
}

/// Adds to the elastic rows what the turning of the chord does with all that hangs on its frame, the link's
/// own inertia included; returns the change of the wrench at L.
fn chord_back(body: &Body, w: &BodyWork, dF: Wrench, dq: &[f64], out: &mut [f64]) -> Wrench {
    let at = body.elastic_velocities();
    let phi: Vector3<f64> = turns(body).zip(&dq[at.clone()]).map(|(turn, q)| turn * *q).sum();
    let (torque, F) = (dF.fixed_rows::<3>(3), w.F + w.load);
    let m = F.fixed_rows::<3>(3).into_owned();
    for (row, turn) in out[at].iter_mut().zip(turns(body)) {
        // The columns of B turn by half of φ.
        *row += turn.dot(&torque) - 0.5 * phi.cross(&turn).dot(&m);
    }
    dF + cross_wrench(&twist(Vector3::zeros(), phi), &F)
}

/// Writes the rows of a hinge, `δ(SᵀF + rotor + friction + spring − drive)`, where the wrench F through it
/// changes by dF.
pub(crate) fn hinge_rows(
    (hinge, coordinates, at_q, at): (&Hinge, &[JointCoordinate], Range<usize>, Range<usize>),
    (motion, memory): (&HingeMotion, &[Memory]),
    (F, dF): (&Wrench, &Wrench),
    (q, v, _): (&[f64], &[f64], &[f64]),
    (dq, dv, da): (&[f64], &[f64], &[f64]),
    out: &mut [f64],
) {
    let mut dS = [Twist::zeros(); MAX_HINGE_VELOCITIES];
    motion.subspace_change(hinge, &q[at_q], &dq[at.clone()], &mut dS);
    for (k, j) in at.clone().enumerate() {
        out[j] = motion.S[k].dot(dF) + dS[k].dot(F);
        if let Some(coordinate) = coordinates.get(k) {
            out[j] += slope(coordinate, v[j], &memory[j], Coefficients { m: da[j], d: dv[j], k: dq[j] });
        }
    }
    let first = at.start + hinge.joint.velocity_count();
    for (k, (_, stiffness, damping)) in hinge.bearing.compliant().enumerate() {
        out[first + k] += stiffness * dq[first + k] + damping * dv[first + k];
    }
}

/// Adds the stiffness of a grip, JᵀC⁻¹J; without deformation it has no load.
fn grip(body: &Body, work: &Workspace, dq: &[f64], out: &mut [f64]) {
    let start = body.hinge_velocities().start;
    let Some(grip) = work.closure.grips.iter().find(|grip| grip.velocities.start == start) else { return };
    let (state, dq) = (&grip.state, &dq[grip.velocities.clone()]);
    let change = |i: usize| state.row(i).iter().zip(dq).map(|(J, dq)| J * dq).sum::<f64>();
    let dg: [f64; GRIP_ROWS] = std::array::from_fn(change);
    for (i, stiffness) in state.stiffness.iter().enumerate() {
        let load: f64 = stiffness.iter().zip(&dg).map(|(k, g)| k * g).sum();
        for (out, J) in out[grip.velocities.clone()].iter_mut().zip(state.row(i)) {
            *out += J * load;
        }
    }
}

#[cfg(test)]
#[path = "tangent_tests.rs"]
pub(crate) mod tests;
