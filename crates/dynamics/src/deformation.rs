//! Watching that links stay in the range their linear elasticity describes.

use pliant_mechanism::Model;
use pliant_spatial::rotation_log;

use crate::{SimulationError, Warning, Workspace};

/// Limits of the small range of an interface: displacement over the size of the link, and rotation (rad).
const LARGE_DISPLACEMENT: f64 = 0.1;
const LARGE_ROTATION: f64 = 0.2;
/// Displacement over size at which small-deformation equations have lost all meaning.
const MEANINGLESS: f64 = 1.0;

/// Which interfaces have been reported already.
#[derive(Clone, Debug)]
pub(crate) struct DeformationWatch {
    warned: Vec<Vec<bool>>,
}

impl DeformationWatch {
    pub(crate) fn new(model: &Model) -> Self {
        Self { warned: model.bodies().iter().map(|b| vec![false; b.link.interfaces.len()]).collect() }
    }

    /// Watches that grips stay on their rails, and reports interfaces whose deformation has left the small range for the first time.
    ///
    /// # Errors
    /// A link that deforms by more than its own size: what would follow is nonsense; a grip that leaves its rail.
    pub(crate) fn check(
        &mut self,
        model: &Model,
        t: f64,
        work: &Workspace,
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
                if self.warned[i][k] {
                    continue;
                }
                let limit = LARGE_DISPLACEMENT * body.link.size;
                // Cheap first: |R − R₀| = 2√2 sin(θ/2), which is above the limit whenever θ is.
                let turned = (X_LT.R - interface.X_LT.R).norm() > LARGE_ROTATION;
                let rotation =
                    if turned { rotation_log(&(X_LT.R * interface.X_LT.R.transpose())).norm() } else { 0.0 };
                if displacement > limit || rotation > LARGE_ROTATION {
                    self.warned[i][k] = true;
                    let message = format!(
                        "interface `{}` is displaced by {displacement:.4e} m ({:.1} % of the link's size) and turned by {rotation:.3} rad: beyond the small deformations a linear link describes",
                        interface.name,
                        100.0 * displacement / body.link.size
                    );
                    report(&Warning { t, place: body.name.clone(), message });
                }
            }
        }
        Ok(())
    }
}
