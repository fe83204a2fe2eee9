//! The flexible four-bar of ../shared/exudyn: rigid crank and rocker, a slender coupler as one link or in
//! segments.

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation, SimulationError};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Fixed, Revolute};
use pliant_mechanism::motion::SpinUp;
use pliant_mechanism::{
    Attachment, Bearing, CoordinateSpec, Drive, Joint, JointSpec, Model, ModelBuilder, Placement, Redundancy,
};
use pliant_reduce::request::{Grids, InterfaceRequest, Located};
use pliant_reduce::{LinkSource, reduce_mesh, source};
use pliant_spatial::Transform;

/// Ground, crank, coupler, rocker (m).
const LENGTHS: [f64; 4] = [0.254, 0.108, 0.2794, 0.2705];

/// How the coupler is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coupler {
    /// Links it is cut into, 1 or an even number.
    pub(crate) segments: usize,
    pub(crate) second_order: bool,
}

/// 25.4 × 1.6 mm of aluminium, bending in the plane; a single link has an interface in the middle too.
fn beam(name: &str, coupler: Coupler) -> ReducedLink {
    let elements = if coupler.segments == 1 { 24 } else { 6 };
    let text = format!(
        "beam = {{ length = {}, elements = {elements}, section = {{ values = {{ area = 4.064e-5, i1 = 8.669867e-12, i2 = 2.184942e-9, j = 3.330e-11, k = [0.833333, 0.833333] }} }}, \
         material = {{ e = 7.1e10, nu = 0.33, rho = 2770 }} }}\nmodes = {{ count = {} }}\nsecond_order = {}",
        LENGTHS[2] / coupler.segments as f64,
        if coupler.segments == 1 { 8 } else { 2 },
        coupler.second_order
    );
    let read = pliant_pipeline::from_text(Path::new("four-bar.toml"), format!("[links.{name}]\n{text}"));
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let request = pliant_machine::links(&read.output).output.requests.remove(0);
    let LinkSource::Beam(beam) = &request.source else { panic!("the coupler is a beam") };
    let mut meshed = source::beam_mesh(beam).unwrap();
    if coupler.segments == 1 {
        let middle = meshed.mesh.nodes[meshed.mesh.nodes.len() / 2].id;
        let middle = InterfaceRequest::new(Grids::One(middle.0));
        meshed.interfaces.outboard.push(("middle".to_owned(), Located::at(None, middle)));
    }
    reduce_mesh(&request, meshed).unwrap().link
}

fn rod(name: &str, length: f64, mass: f64) -> ReducedLink {
    let across = mass * length * length / 12.0;
    let I = Matrix3::from_diagonal(&Vector3::new(1e-3 * across, across, across));
    let tip = [("tip".to_owned(), Transform::translation(Vector3::x() * length))];
    ReducedLink::rigid(name, mass, Vector3::x() * (0.5 * length), I, tip)
}

fn joint(name: &str, parent: &str, child: &str, joint: Box<dyn Joint>) -> JointSpec {
    let parent = if parent.is_empty() { Attachment::Ground } else { Attachment::interface(parent, "tip") };
    let coordinates = (0..joint.velocity_count()).map(|_| CoordinateSpec::default()).collect();
    JointSpec {
        name: name.into(),
        parent,
        child: child.into(),
        child_interface: None,
        closes_loop: false,
        joint,
        placement: Placement::Triad,
        coordinates,
        bearing: Bearing::default(),
        grip: None,
    }
}

fn model(rpm: f64, coupler: Coupler) -> Model {
    let [ground, crank, length, rocker] = LENGTHS;
    let pivot = || Box::new(Revolute::new(Vector3::z()).unwrap());
    let name = |k: usize| format!("coupler{k}");
    let per_length = 2770.0 * 4.064e-5;
    let mut links = vec![("crank".to_owned(), Arc::new(rod("crank", crank, per_length * crank)))];
    let segment = Arc::new(beam("coupler", coupler));
    links.extend((0..coupler.segments).map(|k| (name(k), segment.clone())));
    links.push(("rocker".to_owned(), Arc::new(rod("rocker", rocker, per_length * rocker))));
    let mut hub = joint("hub", "", "crank", pivot());
    let rate = rpm * std::f64::consts::TAU / 60.0;
    hub.coordinates[0].drive =
        Drive::Prescribed(Arc::new(SpinUp { from: 0.0, rate, start: 0.0, duration: 0.5 }));
    let mut foot = joint("foot", "", "rocker", pivot());
    let X_TP = Transform::translation(Vector3::x() * ground);
    foot.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    let mut pin = joint("pin", &name(coupler.segments - 1), "rocker", pivot());
    pin.child_interface = Some("tip".into());
    let mut elbow = joint("elbow", "crank", &name(0), pivot());
    // The pin above the ground line: a triangle of coupler, rocker and what is left of the ground.
    let rest = ground - crank;
    let at = |opposite: f64, a: f64, b: f64| ((a * a + b * b - opposite * opposite) / (2.0 * a * b)).acos();
    elbow.coordinates[0].initial = at(rocker, length, rest);
    foot.coordinates[0].initial = std::f64::consts::PI - at(length, rocker, rest);
    let mut joints = vec![hub, elbow];
    joints.extend((1..coupler.segments).map(|k| joint(&name(k), &name(k - 1), &name(k), Box::new(Fixed))));
    joints.extend([foot, pin]);
    ModelBuilder { links, joints, redundancy: Redundancy::LeastNorm, ..ModelBuilder::default() }
        .build()
        .unwrap()
}

/// Time and deflection of the middle of the coupler from its chord (m), positive to the left, until `end`.
pub(crate) fn deflections(
    rpm: f64,
    coupler: Coupler,
    step: f64,
    end: f64,
) -> (Vec<(f64, f64)>, Option<SimulationError>) {
    let model = model(rpm, coupler);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let tip = |k: usize| model.interface(&format!("coupler{k}"), "tip").unwrap();
    let first = tip(0).body;
    let middle = if coupler.segments == 1 {
        model.interface("coupler0", "middle").unwrap()
    } else {
        tip(coupler.segments / 2 - 1)
    };
    let last = tip(coupler.segments - 1);
    let mut rows = Vec::new();
    for k in 1..=(end / step).round() as usize {
        if let Err(error) = simulation.advance(step) {
            return (rows, Some(error));
        }
        let work = simulation.work();
        let start = work.X_WL(first).p;
        let chord = work.X_WT(last).p - start;
        let point = work.X_WT(middle).p - start;
        let deflection = (chord.x * point.y - chord.y * point.x) / chord.norm();
        // Half its length away it is nonsense.
        if deflection.abs() > 0.5 * LENGTHS[2] || !deflection.is_finite() {
            let error =
                SimulationError::NotFinite { t: k as f64 * step, step, subject: "the coupler".to_owned() };
            return (rows, Some(error));
        }
        rows.push((k as f64 * step, deflection));
    }
    (rows, None)
}

/// The value of largest magnitude.
pub(crate) fn peak(rows: &[(f64, f64)]) -> f64 {
    rows.iter().fold(0.0, |worst: f64, r| if r.1.abs() > worst.abs() { r.1 } else { worst })
}
