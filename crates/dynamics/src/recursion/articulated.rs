//! The Newton matrix `c_m M + c_d D + c_k K` of a tree, factored and solved in O(number of links).
//!
//! Elastic coordinates are condensed link by link, hinge coordinates joint by joint, from the tips to the
//! root. Prescribed coordinates drop out. See `docs/theory/recursion.md`.

use nalgebra::{Matrix3, Matrix6, Vector6};
use pliant_link::{add_products_below, multiply_rows};
use pliant_mechanism::{BodyIndex, Model};
use pliant_spatial::skew;

use crate::kinematics::residual::slope;
use crate::kinematics::workspace::{BodyWork, Coefficients, InterfaceWork, Workspace, work_of};

/// A pivot that is not positive: which velocity coordinate, at which body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Singular {
    pub(crate) body: BodyIndex,
    pub(crate) coordinate: usize,
}

/// Factors at the state last evaluated (`v` are its velocities, for the slope of friction).
pub(crate) fn factor(
    model: &Model,
    v: &[f64],
    c: Coefficients,
    work: &mut Workspace,
) -> Result<(), Singular> {
    if work.coefficients != Some(c) {
        set_base(model, c, work);
    }
    for body in &mut work.bodies {
        for T in &mut body.interfaces {
            T.I = T.payload.as_ref().map_or_else(Matrix6::zeros, |(_, _, I)| I * c.m);
        }
    }
    for (i, body) in model.bodies().iter().enumerate().rev() {
        let (before, rest) = work.bodies.split_at_mut(i);
        let w = &mut rest[0];
        let n = body.link.coordinate_count();
        let singular = |coordinate| Singular { body: BodyIndex(i), coordinate };

        let elastic = w.elastic.matrix();
        elastic.copy_from_slice(&w.base);
        w.inertia.masses();
        w.inertia.add_elastic_mass(c.m, elastic);
        w.I = w.inertia.M_RR * c.m;
        for (Y, column) in w.Y.iter_mut().zip(w.inertia.M_RE.as_slice().chunks_exact(6)) {
            *Y = Vector6::from_column_slice(column) * c.m;
        }
        for T in &w.interfaces {
            let blocks = T.X_LT.turn_inertia(&T.I);
            w.I += T.X_LT.shift_inertia(&blocks);
            if T.columns.is_empty() {
                continue;
            }
            let count = T.columns.len();
            let (on_interface, on_frame) = interface_inertia(&blocks, T);
            multiply_rows(&on_interface, &T.motion.slopes, &mut w.IJ[..count]);
            multiply_rows(&on_frame, &T.motion.slopes, &mut w.IJ_at_L[..count]);
            for (Y, [wrench]) in w.Y[T.columns.clone()].iter_mut().zip(&w.IJ_at_L) {
                for c in 0..6 {
                    Y[c] += wrench[c];
                }
            }
            let first = T.columns.start * (n + 1);
            add_products_below(&w.IJ[..count], &T.motion.slopes, 1.0, n, &mut elastic[first..]);
        }
        let at = body.elastic_velocities().start;
        for k in 0..n {
            work.diagonal[at + k] = elastic[k * n + k];
        }
        w.elastic.factor().map_err(|k| singular(at + k))?;
        w.elastic.forward_six(&mut w.Y);
        for Y in &w.Y {
            w.I -= Y * Y.transpose();
        }

        let hinge = body.hinge_velocities().start;
        let m = w.free.len();
        w.hinge.resize(m);
        let D = w.hinge.matrix();
        for (b, &k) in w.free.iter().enumerate() {
            w.Z[b] = w.I * w.S[k];
            for (a, &l) in w.free.iter().enumerate().skip(b) {
                D[b * m + a] = w.S[l].dot(&w.Z[b]);
            }
            D[b * m + b] += c.d * w.hinge_damping[k];
            if let Some(coordinate) = body.coordinates.get(k) {
                D[b * m + b] += slope(coordinate, v[hinge + k], &work.memory[hinge + k], c);
            }
        }
        let joint = body.hinge.joint.velocity_count();
        for (k, (_, stiffness, damping)) in body.hinge.bearing.compliant().enumerate() {
            if let Some(b) = w.free.iter().position(|f| *f == joint + k) {
                D[b * m + b] += c.d * damping + c.k * stiffness;
            }
        }
        for (b, &k) in w.free.iter().enumerate() {
            work.diagonal[hinge + k] = D[b * m + b];
        }
        w.hinge.factor().map_err(|b| singular(hinge + w.free[b]))?;
        if let Some(parent) = body.parent {
            // I − IS D⁻¹ SᵀI through L⁻¹(IS)ᵀ, so that it stays symmetric.
            w.hinge.forward_six(&mut w.Z[..m]);
            let mut I = w.I;
            for Z in &w.Z[..m] {
                I -= Z * Z.transpose();
            }
            before[parent.body].interfaces[parent.interface].I += w.X_TL.return_inertia(&I);
        }
    }
    Ok(())
}

/// How what hangs on an interface answers to accelerations of the interface's displacement, column by column:
/// forces on the displacement, `BᵀIB` with B the twist of the displacement's rates, and the wrench `AdᵀIB` at
/// L. In link axes B is 1 for translations and the spin map J for rotation vectors.
fn interface_inertia([A, B, C]: &[Matrix3<f64>; 3], T: &InterfaceWork) -> ([[f64; 8]; 6], [[f64; 8]; 6]) {
    let J = &T.spin_map;
    let (BJ, CJ, P) = (B * J, C * J, skew(&T.X_LT.p));
    let mut on_interface = [[0.0; 8]; 6];
    put(&mut on_interface, (0, 0), A);
    put(&mut on_interface, (0, 3), &BJ);
    put(&mut on_interface, (3, 0), &BJ.transpose());
    put(&mut on_interface, (3, 3), &J.tr_mul(&CJ));
    let mut on_frame = on_interface;
    put(&mut on_frame, (3, 0), &(B.transpose() + P * A));
    put(&mut on_frame, (3, 3), &(CJ + P * BJ));
    (on_interface, on_frame)
}

/// Writes a block into columns, its first entry at `(row, column)`.
fn put(columns: &mut [[f64; 8]; 6], (row, column): (usize, usize), block: &Matrix3<f64>) {
    for (to, from) in columns[column..].iter_mut().zip(block.column_iter()) {
        to[row..row + 3].copy_from_slice(from.as_slice());
    }
}

fn set_base(model: &Model, c: Coefficients, work: &mut Workspace) {
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        let link = &body.link;
        let mass = link.invariants.constant_elastic_mass();
        let blocks = mass.iter().zip(link.D.iter()).zip(link.K.iter());
        for (base, ((m, d), k)) in w.base.iter_mut().zip(blocks) {
            *base = c.m * m + c.d * d + c.k * k;
        }
        for (base, d) in w.base.iter_mut().zip(w.own_damping.iter().flat_map(|own| own.iter())) {
            *base += c.d * d;
        }
    }
    work.coefficients = Some(c);
}

/// Solves `(c_m M + c_d D + c_k K) δ = −r` with the last factor, into `work.delta`; zero where prescribed. Of
/// a machine with closures this is the answer of the tree alone.
#[cfg(test)]
pub(crate) fn solve(model: &Model, work: &mut Workspace) {
    inward(model, work);
    outward(model, work);
}

/// The first half of the solution for −r, tips to root: `L⁻¹` of the right-hand side into `y` and `u` of the
/// bodies, where `c_m M + c_d D + c_k K = L Lᵀ` in the order of elimination.
pub(crate) fn inward(model: &Model, work: &mut Workspace) {
    clear_bias(work);
    for (rhs, r) in work.rhs.iter_mut().zip(&work.r) {
        *rhs = -r;
    }
    for body in (0..model.bodies().len()).rev() {
        inward_through(model, BodyIndex(body), work);
    }
}

/// No wrench on any interface or link frame.
pub(crate) fn clear_bias(work: &mut Workspace) {
    work.bodies.iter_mut().for_each(BodyWork::clear_bias);
}

/// One body of [`inward`], for the right-hand side in `work.rhs` and the wrenches `−p` on its interfaces and
/// frame.
pub(crate) fn inward_through(model: &Model, body: BodyIndex, work: &mut Workspace) {
    let (before, rest) = work.bodies.split_at_mut(body.0);
    let body = &model.bodies()[body];
    let w = &mut rest[0];
    let hinge = body.hinge_velocities().start;
    w.y.copy_from_slice(&work.rhs[body.elastic_velocities()]);
    let mut p = w.p;
    for T in &w.interfaces {
        p += T.X_LT.return_wrench(&T.p);
        let forces = T.forces_of(&T.p);
        for (k, [slope]) in T.columns.clone().zip(&T.motion.slopes) {
            w.y[k] -= work_of(&forces, slope);
        }
    }
    w.elastic.forward(&mut w.y);
    for (Y, y) in w.Y.iter().zip(&w.y) {
        p += Y * *y;
    }
    let m = w.free.len();
    for (b, &k) in w.free.iter().enumerate() {
        w.u[b] = work.rhs[hinge + k] - w.S[k].dot(&p);
    }
    w.hinge.forward(&mut w.u[..m]);
    if let Some(parent) = body.parent {
        for (Z, u) in w.Z.iter().zip(&w.u[..m]) {
            p += Z * *u;
        }
        before[parent.body].interfaces[parent.interface].p += w.X_TL.return_wrench(&p);
    }
}

/// The second half, root to tips: `work.delta` from `y` and `u` of the bodies.
pub(crate) fn outward(model: &Model, work: &mut Workspace) {
    // Loop joints are not of the tree.
    let tree = model.bodies().last().map_or(0, |body| body.elastic_velocities().end);
    work.delta[tree..].fill(0.0);
    for (i, body) in model.bodies().iter().enumerate() {
        let (before, rest) = work.bodies.split_at_mut(i);
        let w = &mut rest[0];
        let m = w.free.len();
        let mut x = w.u;
        let mut dA = Vector6::zeros();
        if let Some(parent) = body.parent {
            dA = w.X_TL.carry_twist(&before[parent.body].interfaces[parent.interface].dA);
            for (x, Z) in x[..m].iter_mut().zip(&w.Z) {
                *x -= Z.dot(&dA);
            }
        }
        w.hinge.backward(&mut x[..m]);
        let hinge = body.hinge_velocities();
        work.delta[hinge.clone()].fill(0.0);
        for (x, &k) in x[..m].iter().zip(&w.free) {
            work.delta[hinge.start + k] = *x;
            dA += w.S[k] * *x;
        }
        let delta = &mut work.delta[body.elastic_velocities()];
        for ((d, y), Y) in delta.iter_mut().zip(&w.y).zip(&w.Y) {
            *d = y - Y.dot(&dA);
        }
        w.elastic.backward(delta);
        for T in &mut w.interfaces {
            T.dA = T.X_LT.carry_twist(&dA);
            let mut d = [0.0; 8];
            for (delta, [slope]) in delta[T.columns.clone()].iter().zip(&T.motion.slopes) {
                for c in 0..8 {
                    d[c] += slope[c] * delta;
                }
            }
            T.dA += T.twist_of(&d);
        }
    }
}

#[cfg(test)]
#[path = "articulated_tests.rs"]
pub(crate) mod tests;
