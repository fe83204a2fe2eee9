//! A machine made up for the tests: a turning column of lines, a solid arm and a forearm of bars, with a
//! known vibration.

use std::f64::consts::PI;

use pliant_report::{
    About, Analysis, AnalysisDrive, Arrow, ArrowKind, Axis, BarSection, CaseFile, Cells, Column,
    ColumnValues, DrawnLink, DrawnModes, Drive, Effect, Energy, ExtremeElement, Extremes, Field, History,
    Input, JointMotion, LinkHealth, LoadRow, Loop, Machine, MachineMode, Maps, MarginRow, Mark, ModeRow,
    Part, Path, Problem, Profile, Response, Role, Run, Settling, Solver, Study, Symbol, SymbolEnd, Tip,
    TipNumbers, Triad, Values, View, ViewedPart,
};

const END: f64 = 2.0;
const MOTION_END: f64 = 1.0;

/// Cycloidal rise from 0 to 1 in a second.
fn rise(t: f64) -> f64 {
    if t >= MOTION_END { 1.0 } else { t - (2.0 * PI * t).sin() / (2.0 * PI) }
}

/// Bending of the tip (m): 12.5 Hz, dying out.
fn bend(t: f64) -> f64 {
    let driven = if t < MOTION_END { -2e-3 * (2.0 * PI * t).sin() } else { 0.0 };
    driven + 1.1e-3 * (-1.8 * t).exp() * (2.0 * PI * 12.5 * t).sin() - 0.4e-3
}

struct Pose {
    hip: f64,
    shoulder: f64,
    elbow: f64,
}

fn pose(t: f64) -> Pose {
    let s = rise(t);
    Pose { hip: 1.05 * s, shoulder: 0.2 + 0.6 * s, elbow: -1.05 * s }
}

/// Rows of [R | p]: turned about z by `a`, raised by `b`, at `p`.
fn matrix(a: f64, b: f64, p: [f64; 3]) -> [f32; 12] {
    let (sa, ca, sb, cb) = (a.sin(), a.cos(), b.sin(), b.cos());
    let rows = [[ca * cb, -sa, -ca * sb, p[0]], [sa * cb, ca, -sa * sb, p[1]], [sb, 0.0, cb, p[2]]];
    rows.map(|row| row.map(|x| x as f32)).as_flattened().try_into().unwrap()
}

fn along(a: f64, b: f64, from: [f64; 3], length: f64) -> [f64; 3] {
    [from[0] + length * a.cos() * b.cos(), from[1] + length * a.sin() * b.cos(), from[2] + length * b.sin()]
}

/// A bar of nx × 3 × 3 hexahedra along x, 1 m long.
fn solid_arm(nx: u32) -> (Vec<[f32; 3]>, Cells) {
    let n = 3;
    let node = |i: u32, j: u32, k: u32| i + (nx + 1) * (j + (n + 1) * k);
    let mut positions = Vec::new();
    for k in 0..=n {
        for j in 0..=n {
            for i in 0..=nx {
                let taper = 0.1 - 0.04 * i as f32 / nx as f32;
                positions.push([
                    i as f32 / nx as f32,
                    taper * (j as f32 / n as f32 - 0.5),
                    taper * (k as f32 / n as f32 - 0.5),
                ]);
            }
        }
    }
    let mut cells = Cells { offsets: vec![0], ..Cells::default() };
    for (i, j, k) in (0..nx).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k)))) {
        for dk in 0..2 {
            for (di, dj) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                cells.connectivity.push(node(i + di, j + dj, k + dk));
            }
        }
        cells.types.push(12);
        cells.offsets.push(cells.connectivity.len() as u32);
    }
    (positions, cells)
}

fn bars(from: [f32; 3], to: [f32; 3], count: u32) -> (Vec<[f32; 3]>, Cells) {
    let at = |k: u32| [0, 1, 2].map(|c| from[c] + (to[c] - from[c]) * k as f32 / count as f32);
    let cells = Cells {
        types: vec![3; count as usize],
        offsets: (0..=count).map(|k| 2 * k).collect(),
        connectivity: (0..count).flat_map(|k| [k, k + 1]).collect(),
        ..Cells::default()
    };
    ((0..=count).map(at).collect(), cells)
}

/// The machine with so many frames and elements along the arm.
pub(crate) fn machine(frames: usize, elements: u32) -> Machine {
    let times: Vec<f64> = (0..frames).map(|f| END * f as f64 / (frames - 1) as f64).collect();
    let (positions, cells) = bars([0.0; 3], [0.0, 0.0, 0.5], 1);
    let mut hip = Part { name: "hip".into(), interfaces: vec![0, 1], positions, cells, ..Part::default() };
    let (positions, cells) = solid_arm(elements);
    let mut upper = Part { name: "upper".into(), interfaces: vec![], positions, cells, ..Part::default() };
    upper.grids = (0..upper.positions.len() as u32).map(|k| 1001 + k).collect();
    let (positions, cells) = bars([0.0; 3], [0.9, 0.0, 0.0], 20);
    let mut fore = Part { name: "fore".into(), interfaces: vec![0, 20], positions, cells, ..Part::default() };
    let mut stress = Vec::new();
    for t in &times {
        let (p, d) = (pose(*t), bend(*t));
        let shoulder = [0.0, 0.0, 0.5];
        let elbow = along(p.hip, p.shoulder, shoulder, 1.0);
        hip.poses.push(matrix(p.hip, 0.0, [0.0; 3]));
        upper.poses.push(matrix(p.hip, p.shoulder, shoulder));
        fore.poses.push(matrix(p.hip, p.shoulder + p.elbow, elbow));
        hip.displacements.push(vec![0.0; 3 * hip.positions.len()]);
        let shape = |x: f32| (0.4 * d * f64::from(x * x * (3.0 - x) / 2.0)) as f32;
        upper
            .displacements
            .push(upper.positions.iter().flat_map(|p| [0.0, 0.1 * shape(p[0]), shape(p[0])]).collect());
        stress.push(
            upper
                .positions
                .iter()
                .map(|p| (2.4e10 * d.abs()) as f32 * (1.0 - p[0]) * (0.2 + p[2].abs() * 10.0))
                .collect(),
        );
        // What the upper arm's end does, seen from the forearm, and its own bending.
        let (s, c) = p.elbow.sin_cos();
        let carried = f64::from(shape(1.0));
        let moved = |p: &[f32; 3]| {
            let x = f64::from(p[0]);
            let own = 0.6 * d * x * x + carried * c + carried * 1.5 * x;
            [(carried * s) as f32, 0.1 * carried as f32, own as f32]
        };
        fore.displacements.push(fore.positions.iter().flat_map(moved).collect());
    }
    upper.fields =
        vec![Field { name: "von Mises stress".into(), units: "Pa".into(), values: Values::Frames(stress) }];
    // The forearm is a hollow box.
    fore.cells.profiles = vec![Profile::hollow(0.1, 0.06, 0.01)];
    let bar = |cell| BarSection { cell, profile: 0, across: [0.0, 0.0, 1.0] };
    fore.cells.sections = (0..20).map(bar).collect();
    let symbols = symbols(&[&hip, &upper, &fore]);
    let arrow = |kind, name: &str, part: usize, point, size: &dyn Fn(f64) -> f64| Arrow {
        name: name.into(),
        kind,
        part: Some(part),
        point,
        forces: times.iter().map(|t| [0.0, 0.0, size(*t) as f32]).collect(),
        moments: vec![[0.0, 3.0, 0.0]; times.len()],
        ..Arrow::default()
    };
    let arrows = vec![
        arrow(ArrowKind::Load, "push", 2, [0.9, 0.0, 0.0], &|t| -120.0 * (1.0 + t)),
        arrow(ArrowKind::Reaction, "hip", 0, [0.0; 3], &|t| 200.0 - 50.0 * t),
    ];
    Machine { times, parts: vec![hip, upper, fore], symbols, arrows, ..Machine::default() }
}

/// Something of each kind: joints, a cylinder from the ground, a spring between the arms, a payload.
fn symbols(parts: &[&Part; 3]) -> Vec<Symbol> {
    let ground = |point: [f32; 3]| SymbolEnd { point, interface: point, ..SymbolEnd::default() };
    let end = |k: usize, node: usize| {
        let part = parts[k];
        let moved: Vec<[f32; 3]> =
            part.displacements.iter().map(|u| [u[3 * node], u[3 * node + 1], u[3 * node + 2]]).collect();
        let point = part.positions[node];
        let (interface_moved, point_moved) = (moved.clone(), moved);
        SymbolEnd { part: Some(k), interface: point, point, interface_moved, point_moved }
    };
    let symbol = |name: &str, kind: &str, ends: [SymbolEnd; 2]| Symbol {
        name: name.into(),
        kind: kind.into(),
        ends,
        axis: [0.0, 1.0, 0.0],
        radius: 0.05,
        group: 0,
    };
    let last = parts[1].positions.len() - 1;
    vec![
        symbol("hip", "revolute", [ground([0.0; 3]), end(0, 0)]),
        symbol("hip: bearing", "bearing", [ground([0.0; 3]), end(0, 0)]),
        symbol("belt: hip", "gear", [ground([0.0; 3]), end(0, 0)]),
        symbol("guide", "line", [ground([-0.4, 0.4, 0.2]), end(0, 1)]),
        symbol("table", "plane", [ground([0.8, 0.0, 0.0]), end(2, 20)]),
        symbol("elbow", "spherical", [end(1, last), end(2, 0)]),
        symbol("lift", "cylinder", [ground([0.3, 0.3, 0.0]), end(1, last)]),
        symbol("balance", "spring and damper", [end(0, 1), end(2, 10)]),
        symbol("mount", "bushing", [ground([-0.3, 0.0, 0.0]), end(0, 0)]),
        symbol("tool", "payload", [end(2, 20), end(2, 20)]),
    ]
}

/// A response of the same arm: three modes at six poses on a grid of two joints.
pub(crate) fn response() -> Response {
    let (machine, frequencies): (Machine, Vec<f64>) =
        (machine(3, 8), (0..80).map(|k| 1.02f64.powi(k) * 2.0).collect());
    let links = machine.parts.iter().map(|part| DrawnLink {
        name: part.name.clone(),
        positions: part.positions.iter().map(|p| [p[0], p[1], p[2] + 0.2]).collect(),
        grids: part.grids.clone(),
        cells: part.cells.clone(),
        modes: (1..4)
            .map(|k| part.positions.iter().flat_map(|p| [0.0, 0.05 * p[0] * k as f32, 0.1 * p[0]]).collect())
            .collect(),
    });
    let links = links.collect();
    let mut symbols = machine.symbols.clone();
    for end in symbols.iter_mut().flat_map(|symbol| &mut symbol.ends).filter(|end| end.part.is_some()) {
        end.interface_moved = vec![[0.0, 0.01, 0.02]; 3];
        end.point_moved = vec![[0.0, 0.01, 0.02]; 3];
    }
    // One resonance at 5 Hz: 1/(1 − r² + 2jζr).
    let single = |hz: f64, zeta: f64| {
        let r = hz / 5.0;
        let (a, b) = (1.0 - r * r, 2.0 * zeta * r);
        let size = a * a + b * b;
        [a / size, -b / size]
    };
    let zetas = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06];
    let part = |part: usize| -> Vec<f64> {
        let pose = |zeta: &f64| frequencies.iter().map(|f| single(*f, *zeta)[part]).collect::<Vec<_>>();
        zetas.iter().flat_map(pose).collect()
    };
    let grid = |name: &str, count: usize| Axis {
        name: name.into(),
        units: "°".into(),
        values: (0..count).map(|k| 10.0 * k as f64).collect(),
    };
    Response {
        about: About { title: "Sample response".into(), program: "pliant 0.1.0".into(), ..About::default() },
        axis: Axis { name: "pose".into(), units: String::new(), values: (1..=6).map(f64::from).collect() },
        poses: (1..=6).map(|k| format!("pose {k}")).collect(),
        tracks: (1..=3).map(|m| (0..6).map(|k| 5.0 * m as f64 + 0.1 * k as f64).collect()).collect(),
        modes: (1..=3)
            .map(|m| ModeRow {
                frequency: 5.0 * m as f64,
                grows: false,
                damped: Some((5.0 * m as f64, 0.01)),
                label: "link upper 60 %, link forearm 22 %, bearing shoulder 12 %, servo elbow 5 %".into(),
                drives: vec![("hip".into(), 0.5)],
            })
            .collect(),
        inputs: vec![["hip.torque".into(), "N·m".into()]],
        outputs: vec![["tip.position_z".into(), "m".into()]],
        response_poses: (0..6).collect(),
        real: part(0),
        imag: part(1),
        loops: vec![Loop {
            servo: "hip".into(),
            frequencies: zetas.iter().flat_map(|_| frequencies.clone()).collect(),
            real: part(0),
            imag: part(1),
        }],
        loop_poses: (0..6).collect(),
        margins: vec![MarginRow {
            servo: "hip".into(),
            stable: true,
            gain: (f64::INFINITY, 1),
            gain_reduction: (0.25, 2),
            phase: (0.5, 2),
            delay: (1e-3, 2),
            disk: (0.4, 3),
        }],
        maps: Some(Maps {
            over: "joints".into(),
            first: grid("hip", 2),
            second: grid("elbow", 3),
            quantities: vec![
                ("mode_1_hz".into(), "Hz".into(), vec![5.0, 5.1, 5.2, 5.3, 5.4, 5.5]),
                ("compliance_z".into(), "m/N".into(), vec![1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6]),
            ],
            tips: (0..6).map(|k| [f64::from(k), 0.1 * f64::from(k * k), 0.0]).collect(),
        }),
        drawn: Some(DrawnModes { links, symbols, up: [0.0; 3] }),
        frequencies,
        ..Response::default()
    }
}

/// A run with so many outputs.
pub(crate) fn run(outputs: usize, machine: Machine) -> Run {
    let times: Vec<f64> = (0..outputs).map(|k| END * k as f64 / (outputs - 1) as f64).collect();
    let of = |f: &dyn Fn(f64) -> f64| -> Vec<f64> { times.iter().map(|t| f(*t)).collect() };
    let tip_of = |t: f64| {
        let p = pose(t);
        along(p.hip, p.shoulder + p.elbow, along(p.hip, p.shoulder, [0.0, 0.0, 0.5], 1.0), 0.9)
    };
    let error = [of(&|t| 0.3 * bend(t)), of(&|t| 0.5 * bend(t + 0.01)), of(&bend)];
    let norms =
        (0..outputs).map(|k| (error[0][k].powi(2) + error[1][k].powi(2) + error[2][k].powi(2)).sqrt());
    let (peak_at, peak) = norms.clone().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let joint = |name: &str, angle: fn(&Pose) -> f64, size: f64| {
        let rate = |t: f64| (angle(&pose(t + 1e-5)) - angle(&pose(t))) / 1e-5;
        let rigid = move |t: f64| size * (if t < MOTION_END { (2.0 * PI * t).sin() } else { 0.0 } + 0.4);
        JointMotion {
            name: name.into(),
            is_angle: true,
            position: of(&|t| angle(&pose(t))),
            velocity: of(&rate),
            nominal_position: Vec::new(),
            drive: Some(Drive {
                flexible: of(&|t| rigid(t) + 3e4 * size / 100.0 * (bend(t) + 0.4e-3)),
                rigid: of(&rigid),
            }),
        }
    };
    let kinetic =
        of(&|t| 40.0 * (if t < MOTION_END { (PI * t).sin().powi(2) } else { 0.0 }) + 1e5 * bend(t).powi(2));
    let link = |name: &str, dofs: u64, failed: Vec<String>| LinkHealth {
        name: name.into(),
        mass: Some(7.18),
        mesh_dofs: Some(dofs),
        coordinates: Some(14),
        modes_hz: vec![183.2, 184.0, 503.7, 506.1, 988.0],
        mass_error: Some(3e-13),
        inertia_error: Some(8e-12),
        grounding: Some(2e-15),
        first_frequency: Some((240.31, 240.305)),
        failed,
    };
    Run {
        about: About {
            title: "Sample arm <2 kg & \"tool\">".into(),
            source: "sample.vtkhdf".into(),
            program: "pliant 0.1.0".into(),
            created: "2026-11-16 06:40 UTC".into(),
            remarks: vec!["nonlinear".into()],
        },
        motion_end: Some(MOTION_END),
        tip: Some(Tip {
            name: "fore.tip".into(),
            error: error.clone(),
            nominal: [0, 1, 2].map(|c| of(&|t| tip_of(t)[c])),
            settling: Some(Settling { tolerance: 0.1e-3, about_final_mean: true }),
            numbers: TipNumbers {
                peak: Some(peak),
                peak_time: Some(times[peak_at]),
                rms: Some((norms.map(|e| e * e).sum::<f64>() / outputs as f64).sqrt()),
                peak_rotation: Some(2.1e-3),
                residual_peak: Some(0.32e-3),
                settling_time: Some(0.58),
            },
        }),
        joints: vec![
            joint("hip", |p| p.hip, 90.0),
            joint("shoulder", |p| p.shoulder, 230.0),
            joint("elbow", |p| p.elbow, 70.0),
        ],
        energy: Some(Energy {
            strain: of(&|t| 2e5 * bend(t).powi(2)),
            gravity: of(&|t| 120.0 + 60.0 * rise(t)),
            drive_work: kinetic.iter().zip(&times).map(|(k, t)| k + 60.0 * rise(*t)).collect(),
            load_work: vec![0.0; outputs],
            dissipated: of(&|t| 0.3 * t),
            balance: of(&|t| 1e-4 * t * (30.0 * t).sin()),
            kinetic,
        }),
        solver: Some(Solver { steps: 8000, iterations: 16_412, cuts: 2, rejected: 0, seconds: Some(1.84) }),
        modes: vec![
            MachineMode { start: Some((8.21, 0.02)), end: Some((7.95, 0.0204)) },
            MachineMode { start: Some((19.4, 0.021)), end: None },
        ],
        links: vec![
            link("upper", 1920, vec![]),
            link("fore", 126, vec!["mass of the link is off by 2.0e-5".into()]),
        ],
        warnings: vec![
            "t = 0.52 s, fore: deflection is 3.1 % of its length, beyond what the reduction takes as small"
                .into(),
        ],
        inputs: vec![Input {
            path: "pipelines/sample.toml".into(),
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into(),
        }],
        machine: Some(machine),
        histories: vec![History {
            title: "upper, element 12: stress".into(),
            quantity: "stress".into(),
            units: "Pa".into(),
            lines: ["bottom.xx", "top.xx"]
                .iter()
                .map(|name| ((*name).into(), of(&|t| 2.4e10 * bend(t))))
                .collect(),
            note: Some("At both faces, in element axes.".into()),
        }],
        extremes: vec![
            extremes("stress", "von Mises stress", "Pa", 48.2e6),
            extremes("strain", "principal strain", "m/m", 2.3e-4),
        ],
        loads: vec![
            LoadRow {
                name: "hip".into(),
                kind: "revolute, bearing".into(),
                force: (812.5, 0.52),
                moment: Some((94.0, 0.31)),
            },
            LoadRow { name: "lift".into(), kind: "cylinder".into(), force: (420.0, 0.1), moment: None },
        ],
        analyses: ["nonlinear", "quasi-static"]
            .into_iter()
            .map(|kind| analysis(kind, &times, &error))
            .collect(),
        times,
    }
}

fn extremes(quantity: &str, what: &str, units: &str, value: f64) -> Extremes {
    let (link, allowable) = ("upper".into(), Some(1.5 * value));
    let element = ExtremeElement { link, element: 12, property: 3, value, time: 0.52, allowable };
    Extremes { quantity: quantity.into(), what: what.into(), units: units.into(), elements: vec![element] }
}

/// An analysis; the quasi-static one does not vibrate after the motion.
fn analysis(kind: &str, times: &[f64], error: &[Vec<f64>; 3]) -> Analysis {
    let still = |(t, e): (&f64, &f64)| if kind == "nonlinear" || *t < MOTION_END { *e } else { 0.0 };
    Analysis {
        kind: kind.into(),
        times: times.to_vec(),
        error: [0, 1, 2].map(|c| times.iter().zip(&error[c]).map(still).collect()),
        numbers: TipNumbers { peak: Some(1.8e-3), ..TipNumbers::default() },
        drives: vec![AnalysisDrive {
            name: "hip".into(),
            is_angle: true,
            values: times.iter().map(|t| 90.0 * t.sin()).collect(),
        }],
        solver: Some(Solver { steps: 8000, seconds: Some(1.84), ..Solver::default() }),
    }
}

/// Share of the variance of the error between ten slices of the payload, of such a study.
pub(crate) fn share_of_mass(count: u32) -> f64 {
    let study = study(count);
    let numbers = |k: usize| match &study.columns[k].values {
        ColumnValues::Numbers(numbers) => numbers.clone(),
        ColumnValues::Words(_) => unreachable!(),
    };
    let pairs = numbers(0).into_iter().zip(numbers(4)).filter(|(_, y)| y.is_finite());
    let mut pairs: Vec<(f64, f64)> = pairs.collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = pairs.len();
    let mean = |of: &[(f64, f64)]| of.iter().map(|p| p.1).sum::<f64>() / of.len() as f64;
    let all = mean(&pairs);
    let slices = (0..10).map(|k| &pairs[k * n / 10..(k + 1) * n / 10]);
    let between: f64 = slices.map(|slice| slice.len() as f64 * (mean(slice) - all).powi(2)).sum();
    between / pairs.iter().map(|p| (p.1 - all).powi(2)).sum::<f64>()
}

/// A study of so many cases; every 37th fails.
pub(crate) fn study(count: u32) -> Study {
    // Halton's points: even and the same every time.
    let point = |k: u32, base: u32| {
        let (mut k, mut f, mut x) = (k + 1, 1.0, 0.0);
        while k > 0 {
            f /= f64::from(base);
            x += f * f64::from(k % base);
            k /= base;
        }
        x
    };
    let cases: Vec<u32> = (1..=count).collect();
    let mass: Vec<f64> = cases.iter().map(|k| 5.0 * point(*k, 2)).collect();
    let wall: Vec<f64> = cases.iter().map(|k| 2.0 + 4.0 * point(*k, 3)).collect();
    let time: Vec<f64> = cases.iter().map(|k| 0.8 + point(*k, 5)).collect();
    let profiles = ["cycloidal", "trapezoidal", "5th-order"];
    let profile: Vec<String> = cases.iter().map(|k| profiles[*k as usize % 3].to_owned()).collect();
    let failures: Vec<(usize, String)> = (0..cases.len())
        .filter(|k| k % 37 == 36)
        .map(|k| {
            let reason = if k % 2 == 0 {
                "upper: PSHELL 3 is thinner than 2.1 mm"
            } else {
                "t = 0.41 s: no equilibrium after 12 iterations"
            };
            (k, reason.to_owned())
        })
        .collect();
    let metric = |f: &dyn Fn(usize) -> f64| {
        ColumnValues::Numbers((0..cases.len()).map(|k| if k % 37 == 36 { f64::NAN } else { f(k) }).collect())
    };
    let rough = |k: usize| f64::from(cases[k] % 3) * 0.15 + 0.1 * point(cases[k], 7);
    let error = |k: usize| 1e-3 * (1.0 + mass[k]) / wall[k].powi(2) / time[k].powi(2) * (8.0 + rough(k));
    let settle = |k: usize| 0.2 + 0.15 * mass[k].sqrt() + rough(k);
    let torque = |k: usize| 40.0 + 55.0 * mass[k] / time[k].powi(2);
    let column = |name: &str, units: &str, role, values| Column {
        name: name.into(),
        units: units.into(),
        role,
        values,
    };
    let columns = vec![
        column("payload.mass", "", Role::Parameter, ColumnValues::Numbers(mass.clone())),
        column("links.upper.override.PSHELL.3.T", "", Role::Parameter, ColumnValues::Numbers(wall.clone())),
        column("joints.shoulder.drive.motion.time", "", Role::Parameter, ColumnValues::Numbers(time.clone())),
        column("joints.shoulder.drive.motion.profile", "", Role::Parameter, ColumnValues::Words(profile)),
        column("tip_peak_error", "m", Role::Metric, metric(&error)),
        column("settling_time", "s", Role::Metric, metric(&settle)),
        column("peak_torque_shoulder", "N m", Role::Metric, metric(&torque)),
        column("light", "", Role::Constraint, metric(&|k| f64::from(u8::from(torque(k) < 200.0)))),
    ];
    let about = About {
        title: "Sample study".into(),
        source: "study".into(),
        program: "pliant 0.1.0".into(),
        ..About::default()
    };
    let metrics = [("tip_peak_error", -0.68), ("settling_time", -0.02), ("peak_torque_shoulder", 0.01)];
    let effects = metrics.iter().flat_map(|(metric, wall)| {
        let all = [("payload.mass", 0.5, 0.25), ("links.upper.override.PSHELL.3.T", *wall, wall * wall)];
        all.map(|(parameter, rank_correlation, variance_share)| Effect {
            parameter: parameter.into(),
            metric: (*metric).into(),
            rank_correlation,
            variance_share,
        })
    });
    let effects = effects.collect();
    let file = |page: Option<&str>| CaseFile {
        path: "results/case-000007.vtkhdf".into(),
        page: page.map(str::to_owned),
    };
    Study {
        about,
        cases,
        columns,
        effects,
        failures,
        missing: 12,
        files: vec![(6, file(Some("results/case-000007.html"))), (8, file(None))],
        folder: "study".into(),
        front: Some([("tip_peak_error".into(), false), ("peak_torque_shoulder".into(), false)]),
        ..Study::default()
    }
}

/// The same machine in two runs, the second of which stands beside the first in one picture.
pub(crate) fn two_runs() -> Machine {
    let mut both = machine(31, 8);
    let second = machine(31, 8);
    let count = both.parts.len();
    both.parts.extend(second.parts.into_iter().map(|mut part| {
        part.group = 1;
        // Another payload: half of the displacement.
        part.displacements.iter_mut().flatten().for_each(|u| *u *= 0.5);
        part
    }));
    both.symbols.extend(second.symbols.into_iter().map(|mut symbol| {
        symbol.group = 1;
        symbol.ends.iter_mut().for_each(|end| end.part = end.part.map(|part| part + count));
        symbol
    }));
    both.groups = vec!["before".into(), "after".into()];
    both
}

/// A machine as a file describes it, with two problems.
pub(crate) fn view() -> View {
    let mut machine = machine(2, 16);
    machine.times.truncate(1);
    for part in &mut machine.parts {
        part.poses.truncate(1);
        part.displacements.clear();
        part.fields.clear();
    }
    for end in machine.symbols.iter_mut().flat_map(|symbol| &mut symbol.ends) {
        (end.interface_moved, end.point_moved) = (Vec::new(), Vec::new());
    }
    for arrow in &mut machine.arrows {
        arrow.forces.truncate(1);
        arrow.moments.truncate(1);
    }
    let pose = [1.0, 0.0, 0.0, 0.9, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    machine.triads = vec![Triad { name: "fore.tip".into(), part: Some(2), pose }];
    let nominal = vec![[1.0, 0.5, 0.4], [1.2, 0.2, 0.4], [1.3, -0.2, 0.5]];
    machine.path = Path { error: vec![[0.0; 3]; 3], nominal };
    let mark = |label: &str, part, point, is_error| Mark {
        label: label.into(),
        text: "what is wrong".into(),
        is_error,
        part: Some(part),
        point,
    };
    machine.marks = vec![mark("1", 1, [0.5, 0.0, 0.0], true), mark("2", 2, [0.9, 0.0, 0.0], false)];
    let problem = |message: &str, severity, is_marked| Problem {
        message: message.into(),
        severity,
        location: "arm.toml:12:8".into(),
        excerpt: Some((format!("mass = -2 # {}", "a long word about it, ".repeat(8)), 7, 2)),
        is_marked,
        ..Problem::default()
    };
    let part = |name: &str, kind: &str| ViewedPart {
        name: name.into(),
        kind: kind.into(),
        facts: vec!["ground → hip".into()],
    };
    View {
        about: About { title: "An arm".into(), program: "pliant 0.1.0".into(), ..About::default() },
        machine: Some(machine),
        problems: vec![
            problem("the mass must not be negative", pliant_report::Severity::Error, true),
            problem("the tip is heavy", pliant_report::Severity::Warning, true),
            problem("nothing to see", pliant_report::Severity::Note, false),
        ],
        links: vec![part("upper", "deck")],
        joints: vec![part("hip", "revolute")],
        others: Vec::new(),
        live: false,
    }
}
