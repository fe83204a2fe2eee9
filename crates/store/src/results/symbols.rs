//! `/machine/symbol…`: what the machine is drawn with besides the meshes of its links. Each symbol hangs on
//! links at stated points, so that whoever knows where links and their grids are can draw it at any time.
#![expect(non_snake_case, reason = "transforms and inertias keep the letters of the equations")]

use hdf5::{Dataset, Extent, File, Result};
use nalgebra::{Matrix6, Vector3};
use pliant_mechanism::{BodyIndex, FrameRef, Hinge, InterfaceRef, Model, Pair};
use pliant_spatial::{Transform, Twist};

use super::axes::{Axes, create, describe, put_labels};
use super::error::ResultsError;
use super::read::ResultsFile;
use super::schema::{self, Item};

/// Path of the axis of the two ends.
const END: &str = "/machine/end";

/// Joint, rod, spring, cylinder, bushing, guide or payload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbol {
    /// Name in the pipeline file.
    pub name: String,
    /// `revolute`, `rod`, `payload`, …
    pub kind: String,
    /// What it hangs on: parent and child of a joint, the two ends of a force element, twice the same of a
    /// payload.
    pub ends: [SymbolEnd; 2],
    /// Axis of a joint in the frame of the link of its second end; direction of a line and normal of a plane
    /// in that of its first; zero without one.
    pub axis: [f64; 3],
    /// Rows of the rotation from the axes in which its load is given, those of a joint on its child or of the
    /// first end of a force element, to axes of that link.
    pub frame: [[f64; 3]; 3],
    /// Mass of a payload (kg); 0 for the others.
    pub mass: f64,
}

/// The symbols of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbols {
    /// All of them.
    pub all: Vec<Symbol>,
    /// Acceleration of gravity (m/s²).
    pub gravity: [f64; 3],
}

/// A point of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SymbolEnd {
    /// Number of the link in `/VTKHDF`, from 1; 0: the ground.
    pub link: u32,
    /// The interface it is on, in the undeformed link frame (m); the origin where it is on the frame itself.
    pub interface: [f64; 3],
    /// The point, in the undeformed link frame (m).
    pub point: [f64; 3],
}

impl SymbolEnd {
    /// The origin of a frame `X` on `frame`, with what turns axes of X into axes of the link.
    fn new(model: &Model, frame: FrameRef, X: &Transform) -> (Self, Transform) {
        let (link, at) = match frame {
            FrameRef::Ground => (0, Transform::identity()),
            FrameRef::Link(body) => (number(body), Transform::identity()),
            FrameRef::Interface(InterfaceRef { body, interface }) => {
                (number(body), model.bodies()[body].link.interfaces[interface.0].X_LT)
            }
        };
        let X_L = at * *X;
        (Self { link, interface: at.p.into(), point: X_L.p.into() }, X_L)
    }
}

fn number(body: BodyIndex) -> u32 {
    u32::try_from(body.0 + 1).unwrap_or(0)
}

/// All symbols of a machine: joints in their order, then constraints, force elements and payloads.
pub fn symbols(model: &Model) -> Vec<Symbol> {
    let mut all = Vec::new();
    for (b, body) in model.indexed_bodies() {
        let parent = body.parent.map_or(FrameRef::Ground, FrameRef::Interface);
        // A boom moves in the grip of its parent.
        let (kind, child) = match body.grip {
            Some(_) => ("sliding", (parent, body.hinge.X_TP)),
            None => (body.hinge.joint.kind(), (FrameRef::Link(b), body.hinge.X_CL.inverse())),
        };
        all.push(joint(model, &body.joint_name, kind, &body.hinge, parent, child));
    }
    let closures = model.closures();
    for of in &closures.joints {
        let child = (of.child, of.hinge.X_CL.inverse());
        all.push(joint(model, &of.name, of.hinge.joint.kind(), &of.hinge, of.parent, child));
    }
    for pair in &closures.constraints {
        let mut symbol = between(model, pair, pair.kind.kind());
        let (_, X_L) = SymbolEnd::new(model, pair.parent, &pair.X_parent);
        let direction = match pair.kind.directions() {
            [normal] => *normal,
            [first, second] => first.cross(second),
            _ => Vector3::zeros(),
        };
        symbol.axis = (X_L.R * direction).into();
        all.push(symbol);
    }
    all.extend(closures.forces.iter().map(|pair| between(model, pair, pair.kind.kind())));
    all.extend(wheels(model, &all));
    for (b, body) in model.indexed_bodies() {
        for (i, M) in body.payloads.iter().enumerate().filter(|(_, M)| M[(0, 0)] > 0.0) {
            let X = Transform::translation(centre_of(M));
            let (end, _) = SymbolEnd::new(model, FrameRef::Interface(b.interface(i)), &X);
            let name = format!("{}.{}", body.name, body.link.interfaces[i].name);
            let (kind, mass) = ("payload".to_owned(), M[(0, 0)]);
            all.push(Symbol { name, kind, ends: [end; 2], mass, ..Symbol::default() });
        }
    }
    all
}

fn joint(
    model: &Model,
    name: &str,
    kind: &str,
    hinge: &Hinge,
    parent: FrameRef,
    (child, X_child): (FrameRef, Transform),
) -> Symbol {
    let (first, _) = SymbolEnd::new(model, parent, &hinge.X_TP);
    let (second, X_L) = SymbolEnd::new(model, child, &X_child);
    let (name, kind) = (name.to_owned(), kind.to_owned());
    let (axis, frame) = ((X_L.R * axis(hinge)).into(), rows(&X_L));
    Symbol { name, kind, ends: [first, second], axis, frame, mass: 0.0 }
}

fn rows(X: &Transform) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| X.R[(row, column)]))
}

/// A bearing where a joint gives way, and a gear at each joint of a coupling.
fn wheels(model: &Model, joints: &[Symbol]) -> Vec<Symbol> {
    let like = |joint: &str, name: String, kind: &str| {
        let symbol = joints.iter().find(|symbol| symbol.name == joint)?;
        Some(Symbol { name, kind: kind.to_owned(), ..symbol.clone() })
    };
    let soft = model.joints().filter(|(_, joint)| joint.hinge.bearing.count() > 0);
    let bearings =
        soft.filter_map(|(_, joint)| like(joint.name, format!("{}: bearing", joint.name), "bearing"));
    let terms = model.closures().couplings.iter().flat_map(|coupling| {
        coupling.terms.iter().map(|(at, _)| (&coupling.name, model.joint(at.joint).name))
    });
    let gears = terms.filter_map(|(coupling, joint)| like(joint, format!("{coupling}: {joint}"), "gear"));
    bearings.chain(gears).collect()
}

/// Axis of the first coordinate of a joint on its child: about which it turns, or else along which it slides.
fn axis(hinge: &Hinge) -> Vector3<f64> {
    let count = hinge.joint.velocity_count();
    let mut zero = vec![0.0; hinge.joint.position_count()];
    hinge.joint.set_zero(&mut zero);
    let mut S = vec![Twist::zeros(); count];
    hinge.joint.subspace(&zero, &vec![0.0; count], &mut S);
    let Some(S) = S.first() else { return Vector3::zeros() };
    let (along, about): (Vector3<f64>, Vector3<f64>) =
        (S.fixed_rows::<3>(0).into_owned(), S.fixed_rows::<3>(3).into_owned());
    if about.norm() > 0.5 { about } else { along }
}

fn between<K: ?Sized>(model: &Model, pair: &Pair<K>, kind: &str) -> Symbol {
    let (first, X_L) = SymbolEnd::new(model, pair.parent, &pair.X_parent);
    let (second, _) = SymbolEnd::new(model, pair.child, &pair.X_child);
    let (name, kind) = (pair.name.clone(), kind.to_owned());
    Symbol { name, kind, ends: [first, second], frame: rows(&X_L), ..Symbol::default() }
}

/// Centre of mass in `M = [m 1, −m[c]×; m[c]×, …]`.
fn centre_of(M: &Matrix6<f64>) -> Vector3<f64> {
    Vector3::new(M[(1, 5)], M[(2, 3)], M[(0, 4)]) / M[(0, 0)]
}

/// Writes gravity and the symbols of a machine.
pub(super) fn put(file: &File, axes: &mut Axes<'_>, model: &Model) -> Result<()> {
    let all = symbols(model);
    let words = |of: fn(&Symbol) -> &str| all.iter().map(|s| of(s).to_owned()).collect::<Vec<_>>();
    axes.labels(schema::SYMBOL.path, &schema::SYMBOL, &words(|s| &s.name))?;
    axes.labels(END, &schema::SYMBOL_ENDS, &["first", "second"].map(str::to_owned))?;
    let kind = put_labels(file, schema::SYMBOL_KIND.path, &schema::SYMBOL_KIND, &words(|s| &s.kind))?;
    let ends = || all.iter().flat_map(|s| s.ends);
    let numbers = |of: fn(&SymbolEnd) -> [f64; 3]| ends().flat_map(|end| of(&end)).collect::<Vec<_>>();
    let links: Vec<f64> = ends().map(|end| f64::from(end.link)).collect();
    let all_axes: Vec<f64> = all.iter().flat_map(|s| s.axis).collect();
    let masses: Vec<f64> = all.iter().map(|s| s.mass).collect();
    let gravity: [f64; 3] = model.gravity().into();
    let frames: Vec<f64> = all.iter().flat_map(|s| s.frame.concat()).collect();
    let tables: [(Item, &[usize], Vec<f64>); 7] = [
        (schema::GRAVITY, &[3], gravity.to_vec()),
        (schema::SYMBOL_LINK, &[all.len(), 2], links),
        (schema::SYMBOL_INTERFACE, &[all.len(), 2, 3], numbers(|end| end.interface)),
        (schema::SYMBOL_POINT, &[all.len(), 2, 3], numbers(|end| end.point)),
        (schema::SYMBOL_AXIS, &[all.len(), 3], all_axes),
        (schema::SYMBOL_FRAME, &[all.len(), 3, 3], frames),
        (schema::SYMBOL_MASS, &[all.len()], masses),
    ];
    for (item, shape, values) in tables {
        let extents: Vec<Extent> = shape.iter().map(|n| Extent::fixed(*n)).collect();
        let dataset = create::<f64>(file, item.path, &extents)?;
        dataset.write_raw(&values)?;
        describe(&dataset, item.units, item.description)?;
        attach(axes, &dataset, &item)?;
    }
    attach(axes, &kind, &schema::SYMBOL_KIND)
}

fn attach(axes: &mut Axes<'_>, dataset: &Dataset, item: &Item) -> Result<()> {
    let scale = |axis: &&str| match *axis {
        "xyz" => "/xyz".to_owned(),
        axis => format!("/machine/{axis}"),
    };
    axes.attach(dataset, item.path, &item.axes.iter().map(scale).collect::<Vec<_>>())
}

impl ResultsFile {
    /// Symbols of the machine; `None` in files of programs that did not keep them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn symbols(&self) -> std::result::Result<Option<Symbols>, ResultsError> {
        if !self.has(schema::SYMBOL_LINK.path) {
            return Ok(None);
        }
        self.read_symbols().map(Some).map_err(|source| self.wrong(source))
    }

    fn read_symbols(&self) -> Result<Symbols> {
        let (names, kinds) = (self.labels(schema::SYMBOL.path)?, self.labels(schema::SYMBOL_KIND.path)?);
        let of = |item: Item| self.all::<f64>(item.path);
        let (links, masses) = (of(schema::SYMBOL_LINK)?, of(schema::SYMBOL_MASS)?);
        let [interfaces, points, axes, gravity] =
            [schema::SYMBOL_INTERFACE, schema::SYMBOL_POINT, schema::SYMBOL_AXIS, schema::GRAVITY].map(of);
        let (interfaces, points, axes, gravity) = (interfaces?, points?, axes?, gravity?);
        let n = names.len();
        let sound = kinds.len() == n && links.len() == 2 * n && masses.len() == n && axes.len() == 3 * n;
        if !sound || interfaces.len() != 6 * n || points.len() != 6 * n || gravity.len() != 3 {
            return Err(hdf5::Error::Internal(
                "the sizes of the symbols in /machine do not agree".to_owned(),
            ));
        }
        // Files of former programs do not have them.
        let frames = if self.has(schema::SYMBOL_FRAME.path) { of(schema::SYMBOL_FRAME)? } else { Vec::new() };
        let three = |of: &[f64], k: usize| [of[3 * k], of[3 * k + 1], of[3 * k + 2]];
        let frame = |k: usize| match frames.len() == 9 * n {
            true => [0, 1, 2].map(|row| three(&frames, 3 * k + row)),
            false => [[0.0; 3]; 3],
        };
        let end = |k: usize| SymbolEnd {
            link: links[k] as u32,
            interface: three(&interfaces, k),
            point: three(&points, k),
        };
        let symbol = |(k, (name, kind)): (usize, (String, String))| Symbol {
            name,
            kind,
            ends: [end(2 * k), end(2 * k + 1)],
            axis: three(&axes, k),
            frame: frame(k),
            mass: masses[k],
        };
        let all = names.into_iter().zip(kinds).enumerate().map(symbol).collect();
        Ok(Symbols { all, gravity: three(&gravity, 0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;
    use pliant_spatial::spatial_inertia;

    #[test]
    fn the_centre_of_a_payload_is_read_from_its_inertia() {
        let c = Vector3::new(0.1, -0.2, 0.3);
        let found = centre_of(&spatial_inertia(2.5, &c, &Matrix3::identity()));
        assert!((found - c).norm() < 1e-15, "{found}");
    }
}
