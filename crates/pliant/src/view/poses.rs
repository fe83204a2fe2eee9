//! Where the links of a machine are when it starts and, where every joint has its motion, on its way.
#![expect(non_snake_case, reason = "transforms keep the letters of the equations")]

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::response::{About, Pose, pose_states};
use pliant_dynamics::{Nominal, NominalKind, Settings, Start, Workspace};
use pliant_mechanism::{InterfaceRef, Model};

/// Pictures of a machine on its way.
const FRAMES: usize = 61;

/// The machine at some times.
pub(super) struct Poses {
    pub(super) times: Vec<f64>,
    /// Rows of [R | p] of each body at each time.
    pub(super) links: Vec<Vec<[f32; 12]>>,
    /// Positions of the interface that was asked for.
    pub(super) tip: Vec<[f32; 3]>,
    /// Rotation of the triads on which loads act, at each time.
    pub(super) loads: Vec<Vec<Matrix3<f64>>>,
}

/// Poses of a machine: with its loops closed where they can be, else as the file says that joints start.
pub(super) fn poses(
    model: &Model,
    settings: &Settings,
    tip: Option<InterfaceRef>,
    problems: &mut Diagnostics,
) -> Poses {
    let settings = Settings { nominal: NominalKind::Rigid, start: Start::Undeformed, ..*settings };
    let nominal = model.nominal();
    let (start, end) = (settings.t_start, settings.t_end);
    let last = model.motion_end().min(end);
    let times: Vec<f64> = match nominal.is_fully_prescribed() && last > start {
        true => (0..FRAMES).map(|k| start + (last - start) * k as f64 / (FRAMES - 1) as f64).collect(),
        false => vec![start],
    };
    let asked: Vec<Pose> = times.iter().map(|t| Pose::Time(*t)).collect();
    let open = model.without_servos();
    let mut poses = Poses { times, links: Vec::new(), tip: Vec::new(), loads: Vec::new() };
    match pose_states(model, &open, &settings, &asked, (About::Undeformed, false)) {
        Ok(states) => {
            for state in &states {
                poses.take(&open, &state.displaced(&open, &[], &[]).1, tip);
            }
        }
        Err((_, error)) => {
            let message = format!("the machine is drawn as its joints are said to start: {error}");
            problems.push(Diagnostic::warning(message));
            let settings = Settings { nominal: NominalKind::None, ..settings };
            poses.times.truncate(1);
            if let Ok(standing) = Nominal::new(&nominal, &settings) {
                poses.take(&nominal, standing.work(), tip);
            }
        }
    }
    poses
}

impl Poses {
    fn take(&mut self, model: &Model, work: &Workspace, tip: Option<InterfaceRef>) {
        let single = |p: Vector3<f64>| [p.x as f32, p.y as f32, p.z as f32];
        let pose = |(b, _)| {
            let X = work.X_WL(b);
            rows(&X.R, &X.p)
        };
        self.links.push(model.indexed_bodies().map(pose).collect());
        self.tip.extend(tip.map(|tip| single(work.X_WT(tip).p)));
        self.loads.push(model.loads().iter().map(|load| work.X_WT(load.on).R).collect());
    }
}

/// Rows of [R | p].
pub(super) fn rows(R: &Matrix3<f64>, p: &Vector3<f64>) -> [f32; 12] {
    let mut rows = [0.0; 12];
    for c in 0..3 {
        (0..3).for_each(|k| rows[4 * c + k] = R[(c, k)] as f32);
        rows[4 * c + 3] = p[c] as f32;
    }
    rows
}
