//! Watching that links stay in the range their linear elasticity describes.

use nalgebra::Vector3;
use pliant_diag::real;
use pliant_mechanism::{LeftTable, Model};
use pliant_spatial::rotation_log;

use crate::{SimulationError, Warning, Workspace};

/// A link that is one body is linear in its frame, with displacements of second order. What it leaves out of
/// a cantilever's deflection w, against the elastica, is the part 1.15 (w/l)² (Timoshenko and Gere's table:
/// 0.106 at w/l = 0.302), and its shortening is s = 0.6 w²/l: the part left out is 1.9 s/l. Cut into n
/// segments each turns n times less, and it is n² times smaller.
const LEFT_OUT: f64 = 1.9;
const SHORTENING: f64 = 0.6;
/// Part left out that is worth a warning, and the part that the segments named in it leave.
const INACCURATE: f64 = 5e-3;
const ACCURATE: f64 = 3e-3;
/// Displacement over the size of the link below which nothing is worth a warning: the shortening is less than
/// 0.6 times its square.
const SMALL: f64 = 0.02;
/// Displacement over size at which small-deformation equations have lost all meaning.
const MEANINGLESS: f64 = 1.0;

/// The largest deformation of an interface.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    /// Part of the deflection that the link's equations leave out.
    left_out: f64,
    /// When that was first worth a warning.
    since: Option<f64>,
    displacement: f64,
    rotation: f64,
}

/// What is the worst of each interface so far.
#[derive(Clone, Debug)]
pub(crate) struct DeformationWatch {
    worst: Vec<Vec<Worst>>,
    /// Force elements whose table has been left.
    left: Vec<bool>,
}

impl DeformationWatch {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            worst: model.bodies().iter().map(|b| vec![Worst::default(); b.link.interfaces.len()]).collect(),
            left: vec![false; model.closures().forces.len()],
        }
    }

    /// Watches that laws stay within the rows of their tables.
    fn check_tables(
        &mut self,
        model: &Model,
        t: f64,
        work: &Workspace,
        report: &mut dyn FnMut(&Warning),
    ) -> Result<(), SimulationError> {
        let mut row = work.closure.constraints;
        for (force, warned) in model.closures().forces.iter().zip(&mut self.left) {
            let rows = &work.closure.rows[row..row + force.kind.row_count()];
            row += rows.len();
            let Some(LeftTable { at, first, last, defined }) = force.kind.left_table(rows) else { continue };
            if !defined {
                let subject = format!("force `{}`", force.name);
                return Err(SimulationError::LeftTable { t, subject, at, first, last });
            }
            if !std::mem::replace(warned, true) {
                let message = format!(
                    "its law is used at {}, outside the rows of its table ({} to {}), where `outside` applies; give rows that far if the force should \
                     continue",
                    real(at),
                    real(first),
                    real(last)
                );
                report(&Warning { t, subject: format!("force `{}`", force.name), message });
            }
        }
        Ok(())
    }

    /// Watches that grips stay on their rails, and keeps the largest deformation of each interface.
    ///
    /// # Errors
    /// A link that deforms by more than its own size: what would follow is nonsense; a grip that leaves its
    /// rail.
    pub(crate) fn check(
        &mut self,
        model: &Model,
        t: f64,
        work: &Workspace,
        q: &[f64],
        report: &mut dyn FnMut(&Warning),
    ) -> Result<(), SimulationError> {
        for ((_, body, grip), w) in model.gripped().zip(&work.closure.grips) {
            let (least, most) = grip.range();
            let displacement = w.state.displacement;
            // A motion from end to end may be a rounding beyond it.
            let rounding = 1e-9 * (most - least);
            if displacement < least - rounding || displacement > most + rounding {
                let joint = body.joint_name.clone();
                return Err(SimulationError::OffTheRail { t, joint, displacement, least, most });
            }
        }
        self.check_tables(model, t, work, report)?;
        for (i, body) in model.bodies().iter().enumerate() {
            for (k, interface) in body.link.interfaces.iter().enumerate() {
                if body.link.coordinate_count() == 0 {
                    continue;
                }
                let X_LT = &work.bodies[i].interfaces[k].X_LT;
                let displacement = (X_LT.p - interface.X_LT.p).norm();
                if displacement > MEANINGLESS * body.link.size {
                    return Err(SimulationError::Collapsed {
                        t,
                        link: body.name.clone(),
                        interface: interface.name.clone(),
                        displacement,
                        size: body.link.size,
                        first_order: interface.G.is_none() && body.link.invariants.chord.is_none(),
                        in_loop: work.closure.constraints > 0,
                    });
                }
                let size = body.link.size;
                if displacement < SMALL * size {
                    continue;
                }
                let second_order = interface.G.is_some() || body.link.invariants.chord.is_some();
                let shortening = if second_order {
                    let q = &q[body.elastic_positions()];
                    let linear = interface.X_LT.p
                        + Vector3::from_fn(|c, _| (0..q.len()).map(|j| interface.V[(c, j)] * q[j]).sum());
                    (X_LT.p - linear).norm()
                } else {
                    SHORTENING * displacement * displacement / size
                };
                let left_out = LEFT_OUT * shortening / size;
                let worst = &mut self.worst[i][k];
                if left_out > worst.left_out {
                    let rotation = rotation_log(&(X_LT.R * interface.X_LT.R.transpose())).norm();
                    let since = worst.since.or((left_out > INACCURATE).then_some(t));
                    *worst = Worst { left_out, since, displacement, rotation };
                }
            }
        }
        Ok(())
    }

    /// Reports the links that have deformed further than one body represents, with the segments that would.
    pub(crate) fn finish(&self, model: &Model, report: &mut dyn FnMut(&Warning)) {
        for (body, interfaces) in model.bodies().iter().zip(&self.worst) {
            let worst = interfaces.iter().zip(&body.link.interfaces);
            let worst = worst.max_by(|a, b| a.0.left_out.total_cmp(&b.0.left_out));
            let Some((w, interface)) = worst else { continue };
            let Some(t) = w.since else { continue };
            let segments = (w.left_out / ACCURATE).sqrt().ceil();
            let message = format!(
                "interface `{}` deflects by up to {} m ({:.1} % of the link's size) and {} rad, with an error of about {:.1} % of that deflection; with \
                 `segments = {segments:.0}` (`cuts` of a deck) the error would be {:.1} %",
                interface.name,
                real(w.displacement),
                100.0 * w.displacement / body.link.size,
                angle(w.rotation),
                100.0 * w.left_out,
                100.0 * ACCURATE
            );
            report(&Warning { t, subject: body.name.clone(), message });
        }
    }
}

/// An angle with three digits, however small.
fn angle(rad: f64) -> String {
    if rad >= 1e-2 { format!("{rad:.3}") } else { format!("{rad:.2e}") }
}
