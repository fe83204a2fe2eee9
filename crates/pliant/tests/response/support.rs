//! Machines from text, and tables of reference answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::Complex;
use pliant::Case;
use pliant::links::MachineLink;
use pliant::response::{ResponseResult, response};
use pliant_dynamics::{AnalysisKind, Frame, simulate};
use tempfile::TempDir;

/// A file of ../shared/response, or `None` with a visible note.
pub(crate) fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/response").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) => {
            println!("SKIPPED: no {}", path.display());
            None
        }
    }
}

/// Rows of a table by the names of its columns.
pub(crate) struct Table {
    names: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        Self { names: lines.next().unwrap(), rows: lines.collect() }
    }

    pub(crate) fn text<'t>(&'t self, row: &'t [String], name: &str) -> &'t str {
        &row[self.names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no column {name}"))]
    }

    pub(crate) fn number(&self, row: &[String], name: &str) -> f64 {
        self.text(row, name).parse().unwrap()
    }
}

/// What `[response]` of a file asks for. `extra` are files beside it.
pub(crate) fn respond(text: &str, extra: &[(&str, &str)]) -> ResponseResult {
    let (_folder, case, links) = prepare(text, extra);
    response(&case, &links).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// A case and its links; the folder lives as long as they do.
pub(crate) fn prepare(text: &str, extra: &[(&str, &str)]) -> (TempDir, Case, Vec<Arc<MachineLink>>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in extra {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path: PathBuf = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let case = pliant::load(&path).unwrap_or_else(|failure| panic!("{:#?}", failure.diagnostics)).output;
    let links = case
        .links()
        .requests
        .iter()
        .map(|request| {
            let made = pliant::link::reduce(request, None).unwrap_or_else(|failure| panic!("{failure:?}"));
            let link = MachineLink::complete(request, &case, &made);
            Arc::new(link.unwrap_or_else(|failure| panic!("{failure:?}")))
        })
        .collect();
    (folder, case, links)
}

/// Runs the nonlinear analysis of a file.
pub(crate) fn run(text: &str, each: impl FnMut(&Frame<'_>)) {
    run_as(AnalysisKind::Nonlinear, text, each);
}

/// Runs an analysis of a file.
pub(crate) fn run_as(kind: AnalysisKind, text: &str, mut each: impl FnMut(&Frame<'_>)) {
    let (_folder, case, links) = prepare(text, &[]);
    let by_name = links.iter().map(|link| (link.info.name.clone(), Arc::clone(&link.link))).collect();
    let machine = case.machine(by_name).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let mut observer = |frame: &Frame<'_>| each(frame);
    simulate(machine.model(kind), kind, case.settings(), &mut observer).unwrap();
}

/// Asserts that a value has its reference to a part of it.
pub(crate) fn close(what: &str, found: f64, expected: f64, part: f64) {
    let difference = (found - expected).abs() / expected.abs();
    assert!(difference <= part, "{what}: {found} for {expected}, {difference:.2e} of {part:.0e}");
}

/// Asserts that a response is its reference: 0.1 dB and 1° away from antiresonances, 1 dB at them, as the
/// reference's own tolerances are. An antiresonance is where the magnitude is within 30 % of the least of its
/// neighbourhood of seven frequencies and larger on both sides of that.
pub(crate) fn close_response(name: &str, hz: &[&str], found: &[Complex<f64>], expected: &[Complex<f64>]) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, here)) in found.iter().zip(expected).enumerate() {
        let ratio = found / here;
        let (db, degrees) = (20.0 * ratio.norm().log10(), ratio.arg().to_degrees());
        let window = i.saturating_sub(3)..(i + 4).min(expected.len());
        let sizes: Vec<f64> = window.map(|j| expected[j].norm()).collect();
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let ends = sizes[0].min(sizes[sizes.len() - 1]);
        let dip = here.norm() <= 1.3 * least && ends > least;
        let (most_db, most_degrees) = if dip { (1.0, 10.0) } else { (0.1, 1.0) };
        let message = format!("{name} at {} Hz: {db} dB, {degrees}°", hz[i]);
        assert!(db.abs() < most_db && degrees.abs() < most_degrees, "{message}");
    }
}

/// A column of complex numbers, `NAME_re` and `NAME_im`.
pub(crate) fn complex(table: &Table, name: &str) -> Vec<Complex<f64>> {
    let part = |row: &[String], end: &str| table.number(row, &format!("{name}_{end}"));
    table.rows.iter().map(|row| Complex::new(part(row, "re"), part(row, "im"))).collect()
}

/// A load on a revolute joint `name` whose motor is a rotor behind a compliant gear, the bearing of the joint
/// about its axis: inertias of load and motor (kg·m²), viscous friction (N·m·s/rad), stiffness (N·m/rad) and
/// damping (N·m·s/rad) of the gear. The drive of the joint follows.
pub(crate) fn geared(name: &str, inertias: [f64; 2], viscous: f64, gear: [f64; 2]) -> String {
    let ([load, motor], [stiffness, damping]) = (inertias, gear);
    format!(
        r#"
        [links.load]
        rigid = {{ mass = 1, inertia = [{load}, {load}, {load}] }}
        [joints.{name}]
        parent = "ground"
        child = "load"
        type = "revolute"
        axis = "z"
        rotor = {{ inertia = {motor}, ratio = 1 }}
        friction = {{ viscous = {viscous} }}
        bearing = {{ rz = {{ stiffness = {stiffness}, damping = {damping} }} }}"#
    )
}
