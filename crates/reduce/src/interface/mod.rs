//! Interfaces of a link: the grids where its neighbours sit.
//!
//! An interface is one grid with six components. Where the user names several grids or a region of the mesh
//! (a bearing hole, a flange), a new grid is made at its centre and tied to them, as a preprocessor would do.

mod about;
mod region;
mod spider;

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Span};
use pliant_mesh::{GridId, LinkMesh, Names, NodeIndex, NodeKind, RigidKind};

pub(crate) use about::about_spiders;
pub use region::{Region, RegionShape};

use crate::request::{Grids, InterfaceRequest};

/// An interface in the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshInterface {
    /// Its name; `inboard` for the one that carries the link frame.
    pub name: String,
    /// Its grid.
    pub node: NodeIndex,
    /// Columns are the axes of its triad in the deck's basic frame.
    pub axes: Matrix3<f64>,
    /// The grids a spider made for it ties to it; empty when the deck had the grid.
    pub spider: Vec<NodeIndex>,
}

/// The grids that an interface names or that lie in its region, and their middle.
pub(crate) fn named_grids(
    mesh: &LinkMesh,
    request: &InterfaceRequest,
) -> Result<(Vec<NodeIndex>, Vector3<f64>), Box<Diagnostic>> {
    let of = |ids: &[u32]| {
        let grids = ids.iter().map(|id| grid(mesh, *id)).collect::<Result<Vec<_>, _>>()?;
        Ok((grids.clone(), mean(mesh, &grids)))
    };
    match &request.grids {
        Grids::One(id) => of(&[*id]),
        Grids::Several(ids) => of(ids),
        Grids::Set(id) => {
            let set = mesh
                .sets
                .iter()
                .find(|set| set.id.0 == *id)
                .ok_or_else(|| Diagnostic::boxed(format!("the deck has no SET1 {id}")))?;
            of(&set.members)
        }
        Grids::NamedSet(name) => {
            let number = Names::number_of(&mesh.names.sets, name);
            let set = mesh.sets.iter().find(|set| Some(set.id.0) == number).ok_or_else(|| {
                let known: Vec<&str> = mesh.names.sets.values().map(String::as_str).collect();
                let problem = Diagnostic::error(format!("the deck has no set `{name}`"));
                Box::new(match known.is_empty() {
                    true => problem.hint("it names no sets at all: give grids or a region of the mesh"),
                    false => problem.hint(format!("its sets are {}", known.join(", "))),
                })
            })?;
            of(&set.members)
        }
        Grids::Hole(name) => {
            let problem = Diagnostic::error(format!("there is no hole `{name}`"));
            Err(Box::new(problem.hint("holes have names where `deck` is a STEP file: see `pliant inspect`")))
        }
        Grids::On(region) => {
            let grids = region.grids(mesh);
            if grids.is_empty() {
                return Err(Diagnostic::boxed(region.nearest_hint(mesh)));
            }
            let middle = region.middle(mesh, &grids);
            Ok((grids, middle))
        }
    }
}

/// Finds or makes the grid of an interface. `span` is where it is asked for.
///
/// # Errors
/// A diagnostic that says which grids are missing, or that nothing lies in the region.
pub(crate) fn make_interface(
    mesh: &mut LinkMesh,
    name: &str,
    request: &InterfaceRequest,
    span: Option<Span>,
) -> Result<MeshInterface, Box<Diagnostic>> {
    let error = |mut problem: Box<Diagnostic>| {
        problem.message = format!("interface `{name}`: {}", problem.message);
        Box::new(problem.at(span))
    };
    let make = |node, axes, spider| MeshInterface { name: name.to_owned(), node, axes, spider };
    let axes = axes(request).map_err(error)?;
    if let Grids::One(id) = request.grids {
        let node = grid(mesh, id).map_err(error)?;
        spider::free_reference(mesh, node).map_err(error)?;
        return Ok(make(node, axes, Vec::new()));
    }
    let (grids, middle) = named_grids(mesh, request).map_err(error)?;
    if let Grids::On(Region { shape: RegionShape::Cylinder { .. }, .. }) = &request.grids {
        about::hold(mesh, &grids).map_err(error)?;
    }
    let centre = request.centre.map_or(middle, Vector3::from);
    let node = spider::tie(mesh, centre, &grids, request.spider).map_err(error)?;
    Ok(make(node, axes, grids))
}

/// A complaint about two interfaces at one grid: its components are coordinates of the link, or held, once.
pub(crate) fn same_grid(
    mesh: &LinkMesh,
    found: &[MeshInterface],
    interface: &MeshInterface,
) -> Option<Diagnostic> {
    let other = found.iter().find(|other| other.node == interface.node)?;
    let (a, b, id) = (&other.name, &interface.name, mesh.node(interface.node).id);
    let hint = "one interface serves any number of joints, loads and outputs; that of a cut is `LINK.cut`";
    Some(Diagnostic::error(format!("`{a}` and `{b}` are the same GRID {id}")).hint(hint))
}

fn grid(mesh: &LinkMesh, id: u32) -> Result<NodeIndex, Box<Diagnostic>> {
    match mesh.node_by_id(GridId(id)) {
        Some(node) if mesh.node(node).kind == NodeKind::Grid => Ok(node),
        Some(_) => Err(Diagnostic::boxed(format!("{id} is a scalar point; an interface needs a GRID"))),
        None => Err(Diagnostic::boxed(format!("the deck has no GRID {id}"))),
    }
}

fn mean(mesh: &LinkMesh, grids: &[NodeIndex]) -> Vector3<f64> {
    grids.iter().map(|node| mesh.node(*node).position).sum::<Vector3<f64>>() / grids.len() as f64
}

/// Axes of the triad: x and the part of y across it.
fn axes(request: &InterfaceRequest) -> Result<Matrix3<f64>, Box<Diagnostic>> {
    let Some([x, y]) = request.axes else { return Ok(Matrix3::identity()) };
    let (x, y) = (Vector3::from(x), Vector3::from(y));
    let across = y - x * (x.dot(&y) / x.norm_squared());
    if x.norm() == 0.0 || across.norm() <= 1e-6 * y.norm() {
        return Err(Diagnostic::boxed("`axes` needs two directions that are not parallel"));
    }
    let (x, y) = (x.normalize(), across.normalize());
    Ok(Matrix3::from_columns(&[x, y, x.cross(&y)]))
}

/// True when another rigid element already makes components of this node dependent.
fn is_dependent(mesh: &LinkMesh, node: NodeIndex) -> Option<String> {
    let owner = mesh.rigids.iter().find(|rigid| match &rigid.kind {
        RigidKind::Rbe2 { dependents, .. } => dependents.contains(&node),
        RigidKind::Rbe1 { dependents, .. } => dependents.iter().any(|(n, _)| *n == node),
        RigidKind::Rbe3 { reference, dependents, .. } => {
            if dependents.is_empty() {
                *reference == node
            } else {
                dependents.iter().any(|(n, _)| *n == node)
            }
        }
        RigidKind::Rbar { nodes, dependents, .. } => {
            nodes.iter().zip(dependents).any(|(n, c)| *n == node && !c.is_empty())
        }
        RigidKind::Rrod { nodes, dependents } => {
            nodes.iter().zip(dependents).any(|(n, c)| *n == node && !c.is_empty())
        }
    })?;
    Some(format!("rigid element {}", owner.id))
}
