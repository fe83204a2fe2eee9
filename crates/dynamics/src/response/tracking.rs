//! Modes that keep their names from pose to pose.
//!
//! Shapes of neighbouring poses are compared by the modal assurance criterion with the masses of both as its
//! weight, `MAC = (φᵀ M_ψ ψ)(ψᵀ M_φ φ)`, both of unit mass: shapes that differ by a factor, because the mass
//! changes from pose to pose, are the same. Shapes consist of joint and elastic coordinates, which turn with
//! the links, so that a mode that goes on has a criterion near 1. Two modes whose frequencies cross without
//! any coupling keep theirs; two that veer exchange their shapes gradually and are mixed where they are
//! closest.

/// A pose as tracking needs it.
#[derive(Clone, Debug)]
pub struct TrackedPose {
    /// Frequencies (Hz), ascending.
    pub frequencies_hz: Vec<f64>,
    /// Shapes, one for each frequency.
    pub shapes: Vec<Vec<f64>>,
    /// Mass times shape.
    pub momenta: Vec<Vec<f64>>,
}

/// Two modes that mix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Veering {
    /// Pose where their frequencies are closest.
    pub pose: usize,
    /// The tracks.
    pub tracks: [usize; 2],
    /// Distance of their frequencies there (Hz).
    pub gap_hz: f64,
}

/// Modes along poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// For each pose and track the mode in ascending order; `None` where the track has left the modes that
    /// are known.
    pub modes: Vec<Vec<Option<usize>>>,
    /// For each pose and track the criterion against the pose before.
    pub mac: Vec<Vec<f64>>,
    /// Pairs that veer.
    pub veering: Vec<Veering>,
}

/// A mode with a smaller criterion is another one.
const SAME: f64 = 0.3;
/// A second mode with a larger criterion takes part in the shape.
const MIXED: f64 = 0.02;
/// Modes farther apart than this part of their frequency do not veer: the criterion between them is that of a
/// mass which changes from pose to pose.
const NEAR: f64 = 0.1;

/// Follows modes along poses. Tracks are numbered by the modes of the first pose, ascending; later ones that
/// belong to none of them begin tracks of their own.
pub fn track(poses: &[TrackedPose]) -> Tracks {
    let mut tracks = Tracks::default();
    let Some(first) = poses.first() else { return tracks };
    let count = first.frequencies_hz.len();
    tracks.modes.push((0..count).map(Some).collect());
    tracks.mac.push(vec![1.0; count]);
    // The pose at which each track was last seen, and its mode there.
    let mut last: Vec<(usize, usize)> = (0..count).map(|mode| (0, mode)).collect();
    let mut mixed: Vec<(usize, [usize; 2])> = Vec::new();
    for (k, pose) in poses.iter().enumerate().skip(1) {
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (t, (seen, mode)) in last.iter().enumerate() {
            for j in 0..pose.momenta.len() {
                pairs.push((criterion((&poses[*seen], *mode), (pose, j)), t, j));
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut found: Vec<Option<usize>> = vec![None; last.len()];
        let mut mac = vec![0.0; last.len()];
        let mut taken = vec![false; pose.frequencies_hz.len()];
        for (value, t, j) in pairs.iter().copied().filter(|(value, ..)| *value >= SAME) {
            if found[t].is_none() && !taken[j] {
                (found[t], mac[t], taken[j]) = (Some(j), value, true);
            }
        }
        // Whose shape has a part of another track's mode is mixed with it.
        for (value, t, j) in pairs.into_iter().filter(|(value, ..)| *value >= MIXED) {
            let other = found.iter().position(|mode| *mode == Some(j));
            if let (Some(other), Some(_)) = (other.filter(|other| *other != t), found[t])
                && value < 1.0 - MIXED
            {
                let pair = [t.min(other), t.max(other)];
                if !mixed.contains(&(k, pair)) {
                    mixed.push((k, pair));
                }
            }
        }
        for (j, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
            found.push(Some(j));
            mac.push(0.0);
            last.push((k, j));
        }
        for (t, mode) in found.iter().enumerate() {
            if let Some(mode) = mode {
                last[t] = (k, *mode);
            }
        }
        tracks.modes.push(found);
        tracks.mac.push(mac);
    }
    let total = last.len();
    tracks.modes.iter_mut().for_each(|modes| modes.resize(total, None));
    tracks.mac.iter_mut().for_each(|mac| mac.resize(total, 0.0));
    tracks.veering = veering(poses, &tracks.modes, &mixed);
    tracks
}

/// `(φᵀ M_ψ ψ)(ψᵀ M_φ φ)` of two modes of unit mass, each of its pose.
fn criterion((a, i): (&TrackedPose, usize), (b, j): (&TrackedPose, usize)) -> f64 {
    let product =
        |shape: &[f64], momentum: &[f64]| shape.iter().zip(momentum).map(|(a, b)| a * b).sum::<f64>();
    (product(&a.shapes[i], &b.momenta[j]) * product(&b.shapes[j], &a.momenta[i])).max(0.0)
}

/// Mixed pairs whose frequencies come closest at a pose, near which they mix: not at an end of the poses,
/// where it is not known whether they come closer.
fn veering(
    poses: &[TrackedPose],
    modes: &[Vec<Option<usize>>],
    mixed: &[(usize, [usize; 2])],
) -> Vec<Veering> {
    let gap = |k: usize, [a, b]: [usize; 2]| {
        let hz = |t: usize| modes[k][t].map(|mode| poses[k].frequencies_hz[mode]);
        Some((hz(a)? - hz(b)?).abs())
    };
    let mut found: Vec<Veering> = Vec::new();
    for (k, tracks) in mixed {
        // Of the poses around the mixing the closest.
        let around = k.saturating_sub(2)..(k + 3).min(poses.len());
        let closest = around.filter_map(|k| Some((k, gap(k, *tracks)?))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((pose, gap_hz)) = closest else { continue };
        let hz = modes[pose][tracks[0]].map_or(0.0, |mode| poses[pose].frequencies_hz[mode]);
        let wider = |k: usize| gap(k, *tracks).is_none_or(|gap| gap > gap_hz);
        let inside = pose > 0 && pose + 1 < poses.len() && wider(pose - 1) && wider(pose + 1);
        if gap_hz > NEAR * hz || !inside {
            continue;
        }
        match found.iter_mut().find(|v| v.tracks == *tracks && v.pose.abs_diff(pose) <= 4) {
            Some(known) if known.gap_hz > gap_hz => (known.pose, known.gap_hz) = (pose, gap_hz),
            Some(_) => {}
            None => found.push(Veering { pose, tracks: *tracks, gap_hz }),
        }
    }
    found.sort_by_key(|v| (v.pose, v.tracks));
    found
}
