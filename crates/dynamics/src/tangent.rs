//! The equations of motion linearised about a motion with undeformed links, exactly.
//!
//! A small change of the machine moves every frame by η (a twist of displacement, at and in the frame). η obeys the recursion of
//! twists, and with its time derivatives
//!
//! ```text
//! δV = η̇ + V × η,     δV̇ = η̈ + V̇ × η + V × η̇
//! ```
//!
//! Wrenches are varied on the way back: `δ(Adᵀ F) = Adᵀ(δF + ε ×* F)` where the frame of F moves by ε against the other. Inertia
//! terms are polynomials of degree two in each of q, q̇ and V, so `½(f(+δ) − f(−δ))` is their derivative without any error of
//! truncation. The frame of a chord is one more frame, on which the inertia of the link and its interfaces hang. Derived in `docs/theory/linear.md`.

use nalgebra::{Vector3, Vector6};
use pliant_link::{InertiaTerms, Interface};
use pliant_mechanism::{Body, GRIP_ROWS, LoadFrame, MAX_HINGE_VELOCITIES, Model};
use pliant_spatial::{Transform, Twist, Wrench, cross_motion, cross_wrench, twist, wrench};

use crate::residual::multiply_add;
use crate::workspace::{BodyWork, Coefficients, Workspace};

/// A displacement of a frame with its first two time derivatives.
#[derive(Clone, Copy, Debug, Default)]
struct Displacement {
    e: Twist,
    rate: Twist,
    acceleration: Twist,
}

impl Displacement {
    /// Seen from a frame at `X` that moves with the twist `U` against this one.
    fn carried(&self, X: &Transform, U: &Twist, U_rate: &Twist) -> Self {
        let (e, rate) = (X.carry_twist(&self.e), X.carry_twist(&self.rate));
        let turned = cross_motion(&e, U);
        Self {
            e,
            rate: rate + turned,
            acceleration: X.carry_twist(&self.acceleration)
                + cross_motion(&rate, U) * 2.0
                + cross_motion(&turned, U)
                + cross_motion(&e, U_rate),
        }
    }

    fn add(&mut self, column: &Twist, (q, v, a): (f64, f64, f64)) {
        self.e += column * q;
        self.rate += column * v;
        self.acceleration += column * a;
    }

    /// Changes of twist and acceleration of a frame that moves with V and A.
    fn motion(&self, V: &Twist, A: &Twist) -> (Twist, Twist) {
        let dV = self.rate + cross_motion(V, &self.e);
        let dA = self.acceleration + cross_motion(A, &self.e) + cross_motion(V, &self.rate);
        (dV, dA)
    }
}

#[derive(Clone, Debug)]
struct BodyTangent {
    L: Displacement,
    /// The frame in which the link is linear: L, or that of the chord.
    C: Displacement,
    interfaces: Vec<Displacement>,
    /// Change of the wrench on all that hangs on each interface.
    dF: Vec<Wrench>,
    plus: InertiaTerms,
    minus: InertiaTerms,
    zero: Vec<f64>,
    trial: Vec<f64>,
    /// Elastic, damping and inertia forces of a change.
    y: Vec<f64>,
}

/// Scratch of [`tangent`].
#[derive(Clone, Debug)]
pub(crate) struct TangentWork {
    bodies: Vec<BodyTangent>,
}

impl TangentWork {
    pub(crate) fn new(model: &Model) -> Self {
        let bodies = model.bodies().iter().map(|body| {
            let (n, count) = (body.link.coordinate_count(), body.link.interfaces.len());
            BodyTangent {
                L: Displacement::default(),
                C: Displacement::default(),
                interfaces: vec![Displacement::default(); count],
                dF: vec![Wrench::zeros(); count],
                plus: InertiaTerms::linear(&body.link.invariants),
                minus: InertiaTerms::linear(&body.link.invariants),
                zero: vec![0.0; n],
                trial: vec![0.0; n],
                y: vec![0.0; n],
            }
        });
        Self { bodies: bodies.collect() }
    }
}

/// Change of the residual, `M δq̈ + C δq̇ + K δq` into `out`, about the state last evaluated into `work`, whose links are
/// undeformed and at rest in their frames. `nominal` is that state (q, v, a), `change` the direction, zero at
/// prescribed coordinates; unknown joint coordinates must have columns of S that do not change.
pub(crate) fn tangent(
    model: &Model,
    t: f64,
    nominal: (&[f64], &[f64], &[f64]),
    change: (&[f64], &[f64], &[f64]),
    (work, scratch): (&Workspace, &mut TangentWork),
    out: &mut [f64],
) {
    outward(model, nominal, change, work, scratch);
    loads(model, t, work, scratch);
    for (i, body) in model.bodies().iter().enumerate().rev() {
        let (before, rest) = scratch.bodies.split_at_mut(i);
        let (d, w) = (&mut rest[0], &work.bodies[i]);
        let mut dF = link(model, body, w, d, change, out);
        for (k, (T, interface)) in w.interfaces.iter().zip(&body.link.interfaces).enumerate() {
            dF += interface_back(body, T, interface, &d.dF[k], change.0, out);
        }
        if body.link.invariants.chord.is_some() {
            dF = chord_back(body, w, dF, change.0, out);
        }
        let dF_T = hinge_back(body, w, nominal, change, dF, out);
        if body.grip.is_some() {
            grip(body, work, change.0, out);
        }
        if let Some((parent, interface)) = body.parent {
            before[parent].dF[interface] += dF_T;
        }
    }
}

/// Displacements of all frames, root to tips.
fn outward(
    model: &Model,
    (q, v, a): (&[f64], &[f64], &[f64]),
    (dq, dv, da): (&[f64], &[f64], &[f64]),
    work: &Workspace,
    scratch: &mut TangentWork,
) {
    for (i, body) in model.bodies().iter().enumerate() {
        let (before, rest) = scratch.bodies.split_at_mut(i);
        let (d, w) = (&mut rest[0], &work.bodies[i]);
        let hinge = &body.hinge;
        let at = body.hinge_velocities();
        let joint = hinge.joint.velocity_count();
        let mut S = [Twist::zeros(); MAX_HINGE_VELOCITIES];
        let bias = hinge.subspace(&q[body.hinge_positions()], &v[at.clone()], &mut S);
        let (mut U, mut U_rate) = (Twist::zeros(), bias);
        for (S, (v, a)) in S[..joint].iter().zip(v[at.clone()].iter().zip(&a[at.clone()])) {
            U += S * *v;
            U_rate += S * *a;
        }
        let mut P = match body.parent {
            Some((parent, interface)) => {
                before[parent].interfaces[interface].carried(&hinge.X_TP, &Twist::zeros(), &Twist::zeros())
            }
            None => Displacement::default(),
        };
        for (k, (component, _, _)) in hinge.bearing.compliant().enumerate() {
            let mut column = Twist::zeros();
            column[component] = 1.0;
            let j = at.start + joint + k;
            P.add(&column, (dq[j], dv[j], da[j]));
        }
        let X_BL = hinge.X_TP.inverse() * w.X_TL;
        d.L = P.carried(&X_BL, &U, &U_rate);
        for (S, j) in S[..joint].iter().zip(at.clone()) {
            d.L.add(S, (dq[j], dv[j], da[j]));
        }
        let elastic = body.elastic_velocities().start;
        d.C = d.L;
        for (j, spin) in body.elastic_velocities().zip(turns(body)) {
            d.C.add(&twist(Vector3::zeros(), spin), (dq[j], dv[j], da[j]));
        }
        for (T, displacement) in w.interfaces.iter().zip(&mut d.interfaces) {
            *displacement = d.L.carried(&T.X_LT, &Twist::zeros(), &Twist::zeros());
            for (k, J) in T.columns.clone().zip(&T.J) {
                let j = elastic + k;
                displacement.add(J, (dq[j], dv[j], da[j]));
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
        let T = &work.bodies[load.body].interfaces[load.interface];
        let d = &mut scratch.bodies[load.body];
        let e = &d.interfaces[load.interface].e;
        let F = load.at(t);
        let turn = |first: usize| turned(&T.X_WT.R.tr_mul(&F.fixed_rows::<3>(first)), e);
        d.dF[load.interface] -= wrench(turn(0), turn(3));
    }
}

/// Changes of a link's own forces: writes the elastic rows of `out`, returns the change of the wrench at the frame in which it is linear.
fn link(
    model: &Model,
    body: &Body,
    w: &BodyWork,
    d: &mut BodyTangent,
    (dq, dv, da): (&[f64], &[f64], &[f64]),
    out: &mut [f64],
) -> Wrench {
    let (link, at) = (&body.link, body.elastic_velocities());
    let inv = &link.invariants;
    let n = at.len();
    let (dV, dA) = d.C.motion(&w.V, &w.A);
    let (q, v, a) = (&dq[at.clone()], &dv[at.clone()], &da[at.clone()]);
    let rows = &mut out[at];
    let g = w.X_WL.R.tr_mul(&model.gravity());
    let dg = turned(&g, &d.C.e);
    let mut dF = inv.M0 * dA;
    rows.fill(0.0);
    // Deformation: mass blocks, velocity terms and first moment.
    let mut moment = Vector3::zeros();
    if n > 0 {
        halves(d, q, Which::Position, inv, &w.V);
        dF += (d.plus.M_RR - d.minus.M_RR) * w.A * 0.5 + (d.plus.h_R - d.minus.h_R) * 0.5;
        moment = (d.plus.first_moment - d.minus.first_moment) * 0.5;
        for (k, row) in rows.iter_mut().enumerate() {
            let column = (d.plus.M_RE.column(k) - d.minus.M_RE.column(k)) * 0.5;
            *row += column.dot(&w.A) + 0.5 * (d.plus.h_E[k] - d.minus.h_E[k]);
            *row -= column.fixed_rows::<3>(0).dot(&g);
        }
        halves(d, v, Which::Rate, inv, &w.V);
        dF += (d.plus.h_R - d.minus.h_R) * 0.5;
        for ((row, plus), minus) in rows.iter_mut().zip(&d.plus.h_E).zip(&d.minus.h_E) {
            *row += 0.5 * (plus - minus);
        }
    }
    // Motion of the frame.
    d.plus.evaluate(inv, &d.zero, &d.zero, &(w.V + dV));
    d.minus.evaluate(inv, &d.zero, &d.zero, &(w.V - dV));
    dF += (d.plus.h_R - d.minus.h_R) * 0.5;
    for (k, row) in rows.iter_mut().enumerate() {
        let column = inv.C0.column(k);
        *row += 0.5 * (d.plus.h_E[k] - d.minus.h_E[k]) + column.dot(&dA);
        *row -= column.fixed_rows::<3>(0).dot(&dg);
        dF += column * a[k];
    }
    let s = inv.first_moment();
    dF -= wrench(dg * inv.mass(), moment.cross(&g) + s.cross(&dg));
    d.y.fill(0.0);
    multiply_add(inv.M_EE.as_slice(), a, &mut d.y);
    multiply_add(link.K.as_slice(), q, &mut d.y);
    multiply_add(link.D.as_slice(), v, &mut d.y);
    for (row, y) in rows.iter_mut().zip(&d.y) {
        *row += y;
    }
    dF
}

enum Which {
    Position,
    Rate,
}

/// Evaluates the inertia terms at plus and minus a change of deformation or of its rate.
fn halves(d: &mut BodyTangent, change: &[f64], which: Which, inv: &pliant_link::Invariants, V: &Twist) {
    for (sign, terms) in [(1.0, &mut d.plus), (-1.0, &mut d.minus)] {
        for (trial, change) in d.trial.iter_mut().zip(change) {
            *trial = sign * change;
        }
        match which {
            Which::Position => terms.evaluate(inv, &d.trial, &d.zero, V),
            Which::Rate => terms.evaluate(inv, &d.zero, &d.trial, V),
        }
    }
}

/// Adds an interface's part to the elastic rows; returns its part of the wrench at the frame in which the link is linear.
fn interface_back(
    body: &Body,
    T: &crate::workspace::InterfaceWork,
    interface: &Interface,
    dF: &Wrench,
    dq: &[f64],
    out: &mut [f64],
) -> Wrench {
    let start = body.elastic_velocities().start;
    let q = &dq[body.elastic_velocities()];
    let mut e = Twist::zeros();
    let mut phi = Vector3::zeros();
    // Columns of J in the frame in which the link is linear; undeformed.
    let R = &interface.X_LT.R;
    let column = |k: usize| {
        let V = interface.V.column(k);
        twist(R.tr_mul(&V.fixed_rows::<3>(0)), R.tr_mul(&V.fixed_rows::<3>(3)))
    };
    for k in T.columns.clone() {
        e += column(k) * q[k];
        phi += interface.V.fixed_view::<3, 1>(3, k) * q[k];
    }
    // F in link axes: the change of J is made of vectors in them.
    let f = R * T.F.fixed_rows::<3>(0);
    let m = R * T.F.fixed_rows::<3>(3);
    let F_L = wrench(f, m);
    for k in T.columns.clone() {
        let u: Vector3<f64> = interface.V.fixed_view::<3, 1>(0, k).into_owned();
        let r: Vector3<f64> = interface.V.fixed_view::<3, 1>(3, k).into_owned();
        out[start + k] += column(k).dot(dF) - phi.cross(&u).dot(&f) - 0.5 * phi.cross(&r).dot(&m);
    }
    if let Some(G) = &interface.G {
        for (c, G) in G.iter().enumerate() {
            for (k, column) in G.as_slice().chunks_exact(q.len()).enumerate() {
                let sum: f64 = column.iter().zip(q).map(|(g, q)| g * q).sum();
                out[start + k] -= F_L[c] * sum;
            }
        }
    }
    T.X_LT.return_wrench(&(dF + cross_wrench(&e, &T.F)))
}

/// Φ of the chord, nothing where the link is linear in L.
fn turns(body: &Body) -> impl Iterator<Item = Vector3<f64>> {
    let columns = body.link.invariants.chord.iter().flat_map(|chord| chord.turns.column_iter());
    columns.map(|turn| turn.into_owned())
}

/// Adds to the elastic rows what the turning of the chord does with all that hangs on its frame, the link's own inertia included; returns the
/// change of the wrench at L.
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

/// Writes the hinge rows; returns the change of the wrench at the parent's triad.
fn hinge_back(
    body: &Body,
    w: &BodyWork,
    (_, v, _): (&[f64], &[f64], &[f64]),
    (dq, dv, da): (&[f64], &[f64], &[f64]),
    dF: Wrench,
    out: &mut [f64],
) -> Wrench {
    let hinge = &body.hinge;
    let at = body.hinge_velocities().start;
    let joint = hinge.joint.velocity_count();
    let mut s = Twist::zeros();
    for (k, coordinate) in body.coordinates.iter().enumerate() {
        let j = at + k;
        s += w.S[k] * dq[j];
        let slope = |m, d, k| crate::residual::slope(coordinate, v[j], Coefficients { m, d, k });
        out[j] = w.S[k].dot(&dF)
            + slope(1.0, 0.0, 0.0) * da[j]
            + slope(0.0, 1.0, 0.0) * dv[j]
            + slope(0.0, 0.0, 1.0) * dq[j];
    }
    let X_BL = hinge.X_TP.inverse() * w.X_TL;
    let F_B = X_BL.return_wrench(&w.F);
    let dF_B = X_BL.return_wrench(&(dF + cross_wrench(&s, &w.F)));
    let mut b = Vector6::zeros();
    for (k, (component, _, _)) in hinge.bearing.compliant().enumerate() {
        b[component] = dq[at + joint + k];
    }
    let phi = b.fixed_rows::<3>(3).into_owned();
    let (f, m) = (F_B.fixed_rows::<3>(0).into_owned(), F_B.fixed_rows::<3>(3).into_owned());
    for (k, (component, stiffness, damping)) in hinge.bearing.compliant().enumerate() {
        let j = at + joint + k;
        let mut axis = Vector3::zeros();
        axis[component % 3] = 1.0;
        // Columns of the bearing turn with it: translations by all of φ, rotations by half of it.
        let turn = if component < 3 { -phi.cross(&axis).dot(&f) } else { -0.5 * phi.cross(&axis).dot(&m) };
        out[j] = dF_B[component] + turn + stiffness * dq[j] + damping * dv[j];
    }
    let moved = twist(b.fixed_rows::<3>(0).into_owned(), phi);
    hinge.X_TP.return_wrench(&(dF_B + cross_wrench(&moved, &F_B)))
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
mod tests;
