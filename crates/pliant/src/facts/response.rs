//! The machine in the frequency domain for programs.

use std::collections::BTreeMap;

use pliant_dynamics::response::{EnergyShare, LoopMargins, ModeKind};
use serde::Serialize;

use crate::response::{PoseResponse, ResponseResult};

#[derive(Debug, Serialize)]
struct Mode<'a> {
    kind: &'static str,
    /// Hz.
    frequency: f64,
    /// Of a mode with damping.
    #[serde(skip_serializing_if = "Option::is_none")]
    damping_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<[f64; 2]>,
    energy: BTreeMap<&'a str, f64>,
    /// Of a mode without damping, by drive.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    effective_inertia: BTreeMap<&'a str, f64>,
}

#[derive(Debug, Serialize)]
struct Pose<'a> {
    time: f64,
    joints: BTreeMap<&'a str, f64>,
    undamped: Vec<Mode<'a>>,
    damped: Vec<Mode<'a>>,
    free: usize,
    growing: usize,
    margins: Vec<Loop<'a>>,
    /// Position of the tip (m).
    tip: Option<[f64; 3]>,
    compliance: Option<CompliancePart>,
    /// By drive.
    drive_inertia: BTreeMap<&'a str, f64>,
    /// By frequency, output and input: real and imaginary part; null where a pole is on the frequency.
    response: Vec<Vec<Vec<Option<[f64; 2]>>>>,
}

/// m/N, and Hz; null where nothing holds the machine.
#[derive(Debug, Serialize)]
struct CompliancePart {
    at_rest: [f64; 3],
    largest: [f64; 3],
    largest_frequency: [f64; 3],
}

#[derive(Debug, Serialize)]
struct MetricPart {
    value: f64,
    /// Number of the pose, from 1.
    pose: usize,
}

#[derive(Debug, Serialize)]
struct Loop<'a> {
    servo: &'a str,
    /// With hold, sample time and delay.
    sampled: bool,
    stable: bool,
    gain_crossings: Vec<GainCrossing>,
    phase_crossings: Vec<PhaseCrossing>,
    disk: Disk,
    peak_sensitivity: f64,
    peak_complementary: f64,
}

#[derive(Debug, Serialize)]
struct GainCrossing {
    frequency: f64,
    phase_margin_deg: f64,
    delay_margin: f64,
}

#[derive(Debug, Serialize)]
struct PhaseCrossing {
    frequency: f64,
    gain_factor: f64,
}

#[derive(Debug, Serialize)]
struct Disk {
    alpha: f64,
    frequency: f64,
    gains: [f64; 2],
    phase_deg: f64,
}

fn servo_loop(found: &LoopMargins) -> Loop<'_> {
    let m = &found.margins;
    let gain = m.gain_crossings.iter().map(|c| GainCrossing {
        frequency: c.frequency_hz,
        phase_margin_deg: c.phase_margin_deg,
        delay_margin: c.delay_margin,
    });
    let phase = m.phase_crossings.iter();
    let phase = phase.map(|c| PhaseCrossing { frequency: c.frequency_hz, gain_factor: c.gain_factor });
    Loop {
        servo: &found.name,
        sampled: found.sampled,
        stable: found.stable,
        gain_crossings: gain.collect(),
        phase_crossings: phase.collect(),
        disk: Disk {
            alpha: m.disk.alpha,
            frequency: m.disk.frequency_hz,
            gains: m.disk.gains(),
            phase_deg: m.disk.phase_deg(),
        },
        peak_sensitivity: m.peak_sensitivity[0],
        peak_complementary: m.peak_complementary[0],
    }
}

#[derive(Debug, Serialize)]
struct Veering {
    pose: usize,
    tracks: [usize; 2],
    /// Hz.
    gap: f64,
}

#[derive(Debug, Serialize)]
struct Channel<'a> {
    name: &'a str,
    units: &'a str,
}

/// What a response found; empty where there is none.
#[derive(Debug, Default, Serialize)]
pub struct ResponseFacts<'a> {
    inputs: Vec<Channel<'a>>,
    outputs: Vec<Channel<'a>>,
    frequencies: &'a [f64],
    poses: Vec<Pose<'a>>,
    /// For each pose and track of a mode without damping its number in the pose, from 1; null where it is not
    /// among the modes that are kept.
    tracks: Vec<Vec<Option<usize>>>,
    veering: Vec<Veering>,
    /// The worst over the poses, by the names of the catalogue of metrics.
    metrics: BTreeMap<String, MetricPart>,
}

impl<'a> ResponseFacts<'a> {
    /// Of an outcome.
    pub fn new(result: &'a ResponseResult) -> Self {
        let channel = |[name, units]: &'a [String; 2]| Channel { name, units };
        let tracks = &result.tracks;
        let in_poses =
            |modes: &Vec<Option<usize>>| modes.iter().map(|mode| mode.map(|mode| mode + 1)).collect();
        let veering = tracks.veering.iter();
        Self {
            inputs: result.inputs.iter().map(channel).collect(),
            outputs: result.outputs.iter().map(channel).collect(),
            frequencies: &result.frequencies_hz,
            poses: result.poses.iter().map(|p| pose(result, p)).collect(),
            tracks: tracks.modes.iter().map(in_poses).collect(),
            veering: veering
                .map(|v| Veering { pose: v.pose + 1, tracks: v.tracks.map(|t| t + 1), gap: v.gap_hz })
                .collect(),
            metrics: result
                .metrics()
                .into_iter()
                .map(|(name, worst)| (name, MetricPart { value: worst.value, pose: worst.pose + 1 }))
                .collect(),
        }
    }
}

fn kind(kind: ModeKind) -> &'static str {
    match kind {
        ModeKind::Oscillating => "oscillating",
        ModeKind::Real => "real",
        ModeKind::Free => "free",
        ModeKind::Unstable => "unstable",
    }
}

fn energy(shares: &[EnergyShare]) -> BTreeMap<&str, f64> {
    shares.iter().map(|share| (share.part.as_str(), share.share)).collect()
}

fn pose<'a>(result: &'a ResponseResult, pose: &'a PoseResponse) -> Pose<'a> {
    let drives = || result.drives.iter().map(String::as_str);
    let undamped = pose.undamped.iter().map(|mode| Mode {
        kind: kind(mode.kind),
        frequency: mode.frequency_hz,
        damping_ratio: None,
        s: None,
        energy: energy(&mode.shares),
        effective_inertia: drives().zip(mode.effective.iter().copied()).collect(),
    });
    let damped = pose.damped.iter().flat_map(|damped| &damped.modes).map(|mode| Mode {
        kind: kind(mode.kind),
        frequency: mode.frequency_hz,
        damping_ratio: Some(mode.ratio),
        s: Some(mode.s),
        energy: energy(&mode.shares),
        effective_inertia: BTreeMap::new(),
    });
    let (free, growing) = pose.free_and_growing();
    let response = pose.response.iter().map(|matrix| {
        let row = |o: usize| {
            let entry = |i: usize| {
                let h = matrix[(o, i)];
                (h.re.is_finite() && h.im.is_finite()).then_some([h.re, h.im])
            };
            (0..matrix.ncols()).map(entry).collect()
        };
        (0..matrix.nrows()).map(row).collect()
    });
    Pose {
        time: pose.time,
        joints: result.joints.iter().map(String::as_str).zip(pose.joints.iter().copied()).collect(),
        undamped: undamped.collect(),
        damped: damped.collect(),
        free,
        growing,
        margins: pose.margins.iter().map(servo_loop).collect(),
        tip: pose.tip,
        compliance: pose.compliance.map(|c| CompliancePart {
            at_rest: c.at_rest,
            largest: c.largest,
            largest_frequency: c.largest_hz,
        }),
        drive_inertia: drives().zip(pose.drive_inertia.iter().copied()).collect(),
        response: response.collect(),
    }
}
