//! From the file of `pliant response` to the report's plain numbers.

use nalgebra::Vector3;
use pliant_report::{
    About, Axis, DrawnLink, DrawnModes, Loop, Maps, MarginRow, ModeRow, Response, Symbol, SymbolEnd,
};
use pliant_store::results::{ResultsError, ShapeMesh};
use pliant_store::{Numbers, ResponseResults};

use super::machine::{part, ranges};
use super::symbols::payload_radius;

/// Numbers of responses that a page carries at most: of more, poses are left out evenly.
const NUMBERS: usize = 4_000_000;

/// The page of a file of responses.
///
/// # Errors
/// The file cannot be read.
pub fn response(file: &ResponseResults) -> Result<Response, ResultsError> {
    let poses = poses(file);
    let all = |path: &str| file.numbers(path).unwrap_or_default();
    let frequencies = all("response/frequency").values;
    let modes_pose = all("drawn_pose").values.first().map_or(0, |pose| *pose as usize - 1);
    let (response_poses, real, imag) = responses(file, poses.len());
    let title = file.attribute("title");
    let mut page = Response {
        about: About {
            title: if title.is_empty() { "Response".to_owned() } else { title },
            source: file.path().display().to_string(),
            program: format!("{} {}", file.attribute("program"), file.attribute("program_version")),
            created: String::new(),
            remarks: Vec::new(),
        },
        axis: axis(file, poses.len()),
        tracks: tracks(file),
        modes: modes(file, modes_pose),
        modes_pose,
        inputs: channels(file, "inputs"),
        outputs: channels(file, "outputs"),
        frequencies,
        response_poses,
        real,
        imag,
        loops: loops(file),
        loop_poses: all("loops/pose").values.iter().map(|pose| *pose as usize - 1).collect(),
        margins: margins(file),
        maps: maps(file),
        drawn: None,
        warnings: Vec::new(),
        poses,
    };
    if let Some(mesh) = file.shapes()? {
        page.drawn = drawn(file, &mesh);
    }
    let growing = all("damped/growing").values;
    if let Some(pose) = growing.iter().position(|count| *count > 0.0) {
        let count = growing.iter().filter(|count| **count > 0.0).count();
        let at = format!("{count} of {} poses, the first is pose {}", growing.len(), pose + 1);
        page.warnings.push(format!("A small motion grows at {at}."));
    }
    if all("damped/free").values.iter().any(|count| *count > 0.0) {
        page.warnings.push("The machine has motions that nothing holds: they count as 0 Hz.".to_owned());
    }
    Ok(page)
}

/// Each pose in a few words.
fn poses(file: &ResponseResults) -> Vec<String> {
    let times = file.numbers("poses/time").unwrap_or_default().values;
    let joints = file.numbers("poses/joints").unwrap_or_default();
    let (names, units) = (file.words("poses/joint_names"), file.words("poses/joint_units"));
    let width = joints.width(1);
    let moving = times.windows(2).any(|pair| pair[0] != pair[1]);
    let pose = |(k, t): (usize, &f64)| {
        let joint = |j: usize| {
            let value = joints.values.get(k * width + j).copied().unwrap_or(f64::NAN);
            match units.get(j).map(String::as_str) {
                Some("rad") => format!("{} {:.1}°", names[j], value.to_degrees()),
                _ => format!("{} {value:.4} m", names[j]),
            }
        };
        let moved = (0..names.len().min(width)).filter(|j| changes(&joints, *j)).take(4);
        let joints: Vec<String> = moved.map(joint).collect();
        let time = if moving { format!("pose {}, t = {t:.3} s", k + 1) } else { format!("pose {}", k + 1) };
        if joints.is_empty() { time } else { format!("{time}, {}", joints.join(", ")) }
    };
    times.iter().enumerate().map(pose).collect()
}

/// Whether a column is not the same at all poses.
fn changes(table: &Numbers, column: usize) -> bool {
    let width = table.width(1).max(1);
    let mut values = table.values.iter().skip(column).step_by(width);
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// Time where it rises, else the number of the pose.
fn axis(file: &ResponseResults, count: usize) -> Axis {
    let times = file.numbers("poses/time").unwrap_or_default().values;
    if times.windows(2).all(|pair| pair[1] > pair[0]) && times.len() > 1 {
        return Axis { name: "time".to_owned(), units: "s".to_owned(), values: times };
    }
    let values = (1..=count).map(|k| k as f64).collect();
    Axis { name: "pose".to_owned(), units: String::new(), values }
}

fn tracks(file: &ResponseResults) -> Vec<Vec<f64>> {
    let (hz, track) = (file.numbers("undamped/frequency"), file.numbers("undamped/track"));
    let (Some(hz), Some(track)) = (hz, track) else { return Vec::new() };
    let (modes, tracks, poses) = (hz.width(1), track.width(1), hz.shape[0]);
    let at = |t: usize, k: usize| match track.values[k * tracks + t] as usize {
        0 => f64::NAN,
        mode => hz.values[k * modes + mode - 1],
    };
    (0..tracks).map(|t| (0..poses).map(|k| at(t, k)).collect()).collect()
}

/// The modes of the pose that is drawn.
fn modes(file: &ResponseResults, pose: usize) -> Vec<ModeRow> {
    let Some(hz) = file.numbers("undamped/frequency") else { return Vec::new() };
    let count = hz.width(1);
    let labels = file.words("undamped/label");
    let row = |path: &str| -> Vec<f64> {
        let Some(table) = file.numbers(path) else { return Vec::new() };
        let width = table.width(1);
        table.values.get(pose * width..(pose + 1) * width).unwrap_or_default().to_vec()
    };
    let effective = row("undamped/effective_inertia");
    let (drives, totals) = (file.words("undamped/drives"), row("undamped/drive_inertia"));
    let (damped, ratios, im) = (row("damped/frequency"), row("damped/damping_ratio"), row("damped/s_imag"));
    // Modes with damping that oscillate, in their order.
    let oscillating: Vec<usize> = (0..damped.len()).filter(|k| im[*k] > 0.0).collect();
    let unstable = row("undamped/unstable");
    let own: Vec<usize> = (0..count).filter(|k| hz.values[pose * count + k].is_finite()).collect();
    let undamped: Vec<f64> = own.iter().map(|k| hz.values[pose * count + k]).collect();
    let partners = partners(&undamped, &oscillating.iter().map(|k| damped[*k]).collect::<Vec<_>>());
    let mode = |(k, partner): (usize, Option<usize>)| {
        let share = |(d, name): (usize, &String)| (name.clone(), effective[k * drives.len() + d] / totals[d]);
        let with = partner.map(|m| oscillating[m]);
        ModeRow {
            frequency: hz.values[pose * count + k],
            grows: unstable.get(k).is_some_and(|unstable| *unstable > 0.0),
            damped: with.map(|m| (damped[m], ratios[m])),
            label: labels.get(pose * count + k).cloned().unwrap_or_default(),
            drives: drives.iter().enumerate().map(share).collect(),
        }
    };
    own.into_iter().zip(partners).map(mode).collect()
}

/// For each mode without damping the one with damping that is nearest in frequency, each at most once, the
/// nearest pairs first; none beyond a third.
fn partners(undamped: &[f64], damped: &[f64]) -> Vec<Option<usize>> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (k, hz) in undamped.iter().enumerate().filter(|(_, hz)| **hz > 0.0) {
        pairs.extend(damped.iter().enumerate().map(|(m, other)| ((other / hz).ln().abs(), k, m)));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = vec![None; undamped.len()];
    for (distance, k, m) in pairs {
        if distance < 0.3 && found[k].is_none() && !found.contains(&Some(m)) {
            found[k] = Some(m);
        }
    }
    found
}

fn channels(file: &ResponseResults, group: &str) -> Vec<[String; 2]> {
    let (names, units) = (file.words(&format!("{group}/name")), file.words(&format!("{group}/units")));
    names.into_iter().zip(units).map(|(name, units)| [name, units]).collect()
}

/// Poses that are shown, and their responses.
fn responses(file: &ResponseResults, poses: usize) -> (Vec<usize>, Vec<f64>, Vec<f64>) {
    let (re, im) = (file.numbers("response/real"), file.numbers("response/imag"));
    let (Some(re), Some(im)) = (re, im) else { return Default::default() };
    let width = re.width(1);
    let kept = (NUMBERS / (2 * width).max(1)).clamp(1, poses.max(1));
    let last = poses.saturating_sub(1);
    let shown: Vec<usize> = (0..kept).map(|k| k * last / kept.saturating_sub(1).max(1)).collect();
    let take = |table: &Numbers| -> Vec<f64> {
        shown.iter().flat_map(|pose| table.values[pose * width..(pose + 1) * width].to_vec()).collect()
    };
    let (real, imag) = (take(&re), take(&im));
    (shown, real, imag)
}

fn loops(file: &ResponseResults) -> Vec<Loop> {
    let of = |name: &str| file.numbers(&format!("loops/{name}"));
    let (Some(hz), Some(re), Some(im)) = (of("frequency"), of("real"), of("imag")) else {
        return Vec::new();
    };
    let row = |table: &Numbers, k: usize| table.values[k * table.width(1)..(k + 1) * table.width(1)].to_vec();
    let servo = |(k, servo): (usize, String)| Loop {
        servo,
        frequencies: row(&hz, k),
        real: row(&re, k),
        imag: row(&im, k),
    };
    file.words("loops/servo").into_iter().enumerate().map(servo).collect()
}

fn margins(file: &ResponseResults) -> Vec<MarginRow> {
    let servos = file.words("margins/servo");
    let least = |name: &str, k: usize| {
        let table = file.numbers(&format!("margins/{name}")).unwrap_or_default();
        let column = table.values.iter().skip(k).step_by(servos.len().max(1)).copied().enumerate();
        let worst = column.min_by(|a, b| a.1.total_cmp(&b.1));
        worst.map_or((f64::NAN, 0), |(pose, value)| (value, pose + 1))
    };
    let most = |name: &str, k: usize| {
        let table = file.numbers(&format!("margins/{name}")).unwrap_or_default();
        let column = table.values.iter().skip(k).step_by(servos.len().max(1)).copied().enumerate();
        column.max_by(|a, b| a.1.total_cmp(&b.1)).map_or((0.0, 0), |(pose, value)| (value, pose + 1))
    };
    let row = |(k, servo): (usize, &String)| MarginRow {
        servo: servo.clone(),
        gain_reduction: most("gain_reduction", k),
        stable: least("stable", k).0 > 0.5,
        gain: least("gain", k),
        phase: least("phase", k),
        delay: least("delay", k),
        disk: least("disk", k),
    };
    servos.iter().enumerate().map(row).collect()
}

/// The grid of a map: its axes, and where each of its points stands in the world.
struct Grid {
    over: &'static str,
    first: Axis,
    second: Axis,
    /// Index of the pose of each point; nothing where the tip does not get.
    poses: Vec<Option<usize>>,
    tips: Vec<[f64; 3]>,
}

/// Three numbers at a time.
fn triples(values: &[f64]) -> Vec<[f64; 3]> {
    values.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect()
}

/// A grid over two joints.
fn joint_grid(file: &ResponseResults, [rows, columns]: [usize; 2]) -> Option<Grid> {
    let names = file.words("poses/grid_joints");
    let joints = file.numbers("poses/joints")?;
    let (all, units) = (file.words("poses/joint_names"), file.words("poses/joint_units"));
    let axis = |name: &String, stride: usize, count: usize| {
        let j = all.iter().position(|known| known == name)?;
        let is_angle = units.get(j).is_some_and(|units| units == "rad");
        let at = |k: usize| {
            let value = joints.values[k * stride * joints.width(1) + j];
            if is_angle { value.to_degrees() } else { value }
        };
        let units = if is_angle { "°" } else { "m" }.to_owned();
        Some(Axis { name: name.clone(), units, values: (0..count).map(at).collect() })
    };
    Some(Grid {
        over: "joints",
        first: axis(names.first()?, columns, rows)?,
        second: axis(names.get(1)?, 1, columns)?,
        poses: (0..rows * columns).map(Some).collect(),
        tips: triples(&file.numbers("poses/tip").unwrap_or_default().values),
    })
}

/// A grid over a plane of the workspace: distances along its edges.
fn plane_grid(file: &ResponseResults, counts: [usize; 2]) -> Option<Grid> {
    let points = file.numbers("poses/grid_point")?.values;
    let (origin, edges) =
        (file.numbers("poses/plane_origin")?.values, file.numbers("poses/plane_edges")?.values);
    let edges = triples(&edges);
    let share = |k: usize, count: usize| k as f64 / (count - 1) as f64;
    let axis = |name: &str, e: usize| {
        let length = Vector3::from(*edges.get(e)?).norm();
        let values = (0..counts[e]).map(|k| share(k, counts[e]) * length).collect();
        Some(Axis { name: name.to_owned(), units: "m".to_owned(), values })
    };
    let mut poses = vec![None; counts[0] * counts[1]];
    for (pose, point) in points.iter().enumerate() {
        *poses.get_mut(*point as usize)? = Some(pose);
    }
    let at = |k: usize| {
        let (u, v) = (share(k / counts[1], counts[0]), share(k % counts[1], counts[1]));
        [0, 1, 2].map(|c| origin[c] + u * edges[0][c] + v * edges[1][c])
    };
    let (first, second) = (axis("along x of the plane", 0)?, axis("along y of the plane", 1)?);
    Some(Grid { over: "plane", first, second, tips: (0..poses.len()).map(at).collect(), poses })
}

/// Quantities over the grid, where the poses are one of two joints or of a plane.
fn maps(file: &ResponseResults) -> Option<Maps> {
    let lengths = file.numbers("poses/grid_lengths")?.values;
    let [rows, columns] = lengths[..] else { return None };
    let counts = [rows as usize, columns as usize];
    if counts[0] < 2 || counts[1] < 2 {
        return None;
    }
    let grid = plane_grid(file, counts).or_else(|| joint_grid(file, counts))?;
    let mut quantities = Vec::new();
    let mut add = |name: String, units: &str, values: Vec<f64>| {
        let value = |pose: &Option<usize>| pose.and_then(|k| values.get(k).copied()).unwrap_or(f64::NAN);
        let values: Vec<f64> = grid.poses.iter().map(value).collect();
        if values.iter().any(|x| x.is_finite()) {
            quantities.push((name, units.to_owned(), values));
        }
    };
    let column = |table: &Numbers, k: usize| -> Vec<f64> {
        table.values.iter().skip(k).step_by(table.width(1).max(1)).copied().collect()
    };
    if let Some(hz) = file.numbers("undamped/frequency") {
        (0..hz.width(1).min(3)).for_each(|k| add(format!("mode_{}_hz", k + 1), "Hz", column(&hz, k)));
    }
    for (path, name) in [("at_rest", "compliance"), ("largest", "dynamic_compliance")] {
        let Some(table) = file.numbers(&format!("compliance/{path}")) else { continue };
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            add(format!("{name}_{axis}"), "m/N", column(&table, k));
        }
    }
    for (name, units) in [("disk", "1"), ("gain", "1"), ("phase", "rad")] {
        let Some(table) = file.numbers(&format!("margins/{name}")) else { continue };
        for (k, servo) in file.words("margins/servo").iter().enumerate() {
            add(format!("{name}_margin_{servo}"), units.trim_matches('1'), column(&table, k));
        }
    }
    let Grid { over, first, second, tips, .. } = grid;
    Some(Maps { over: over.to_owned(), first, second, quantities, tips })
}

/// The machine at the pose with the shapes of its modes.
fn drawn(file: &ResponseResults, mesh: &ShapeMesh) -> Option<DrawnModes> {
    let field = |name: &str| file.numbers(&format!("VTKHDF/{name}")).map(|table| table.values);
    let (points, moved, turned) =
        (field("Points")?, field("PointData/displacement")?, field("PointData/rotation")?);
    let width = 3 * mesh.grids.len();
    let modes = mesh.times.len();
    if width == 0 || moved.len() < modes * width || turned.len() < modes * width {
        return None;
    }
    let ranges = ranges(mesh)?;
    let links = mesh.links.iter().zip(&ranges).enumerate().map(|(k, (name, range))| {
        let whole = part(mesh, k, range.clone());
        let position = |i: usize| [0, 1, 2].map(|c| points[3 * i + c] as f32);
        let shape = |mode: usize| {
            let of = &moved[mode * width + 3 * range.start..mode * width + 3 * range.end];
            of.iter().map(|u| *u as f32).collect()
        };
        DrawnLink {
            name: name.clone(),
            positions: range.clone().map(position).collect(),
            grids: whole.grids,
            cells: whole.cells,
            modes: (0..modes).map(shape).collect(),
        }
    });
    let links = links.collect();
    let (names, kinds) = (file.words("symbols/name"), file.words("symbols/kind"));
    let of = |name: &str| file.numbers(&format!("symbols/{name}")).unwrap_or_default().values;
    let (rows, interfaces, ends) = (of("row"), of("interface"), of("point"));
    let (axes, masses, gravity) = (of("axis"), of("mass"), of("gravity"));
    let three = |of: &[f64], k: usize| Vector3::new(of[3 * k], of[3 * k + 1], of[3 * k + 2]);
    let single = |x: Vector3<f64>| [x.x as f32, x.y as f32, x.z as f32];
    let end = |k: usize| {
        let (interface, point) = (three(&interfaces, k), three(&ends, k));
        let row = usize::try_from(rows[k] as i64).ok();
        let moves = |mode: usize| {
            let Some(row) = row else { return (Vector3::zeros(), Vector3::zeros()) };
            let at = |field: &[f64]| three(&field[mode * width..], row);
            let (d, turn) = (at(&moved), at(&turned));
            (d, d + turn.cross(&(point - interface)))
        };
        let all: Vec<_> = (0..modes).map(moves).collect();
        SymbolEnd {
            part: row.and_then(|row| ranges.iter().position(|range| range.contains(&row))),
            interface: single(interface),
            point: single(point),
            interface_moved: all.iter().map(|(interface, _)| single(*interface)).collect(),
            point_moved: all.iter().map(|(_, point)| single(*point)).collect(),
        }
    };
    let symbol = |(k, (name, kind)): (usize, (String, String))| Symbol {
        name,
        kind,
        ends: [end(2 * k), end(2 * k + 1)],
        axis: single(three(&axes, k)),
        radius: payload_radius(masses[k]),
        group: 0,
    };
    let symbols = names.into_iter().zip(kinds).enumerate().map(symbol).collect();
    let up = gravity.get(..3).map_or([0.0; 3], |g| [-g[0], -g[1], -g[2]]);
    Some(DrawnModes { links, symbols, up })
}
