//! Constraints, couplings and the ends of force elements.

use nalgebra::Vector3;
use pliant_mechanism::{
    Attachment, ConstraintSpec, CouplingSpec, Distance, End, ForceSpec, Guide, LengthCommand, Redundancy,
};
use pliant_pipeline::analysis::RedundantWord;
use pliant_pipeline::constraint::{ConstraintTable, CouplingTable};
use pliant_pipeline::schema::{Located, suggestion};
use pliant_spatial::Transform;

use crate::attachment::interface;
use crate::force::{ForceKind, force};
use crate::machine::Machine;
use crate::motion::scalar;
use crate::problems::Problems;

/// What a machine has beyond its tree.
#[derive(Debug)]
pub(crate) struct Closing {
    pub(crate) constraints: Vec<ConstraintSpec>,
    pub(crate) couplings: Vec<CouplingSpec>,
    pub(crate) forces: Vec<ForceSpec>,
    pub(crate) redundancy: Redundancy,
}

/// All constraints, couplings and force elements. All of their problems are reported.
pub(crate) fn closing(table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<Closing> {
    let constraints: Vec<_> =
        table.constraints.iter().map(|(name, c)| constraint(name, c, table, problems)).collect();
    let couplings: Vec<_> =
        table.couplings.iter().map(|(name, c)| coupling(name, c, table, problems)).collect();
    let forces: Vec<_> = table.forces.iter().map(|(name, f)| force(name, f, table, problems)).collect();
    let mut constraints: Vec<ConstraintSpec> = constraints.into_iter().collect::<Option<_>>()?;
    let couplings = couplings.into_iter().collect::<Option<_>>()?;
    let mut elements = Vec::new();
    for kind in forces.into_iter().collect::<Option<Vec<_>>>()? {
        match kind {
            ForceKind::Element(spec) => elements.push(spec),
            // A rigid cylinder of given length is a distance.
            ForceKind::Rigid(spec) => constraints.push(spec),
        }
    }
    let least = table.analysis.as_ref().is_some_and(|a| a.redundant == RedundantWord::LeastNorm);
    let redundancy = if least { Redundancy::LeastNorm } else { Redundancy::Refuse };
    Some(Closing { constraints, couplings, forces: elements, redundancy })
}

/// `"ground"`, `"link"` or `"link.interface"`, with a frame on it.
pub(crate) fn end(
    text: &Located<String>,
    X: Transform,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<End> {
    let name = text.value.as_str();
    if name == "ground" {
        return Some(End::Ground(X));
    }
    if table.links.get(name).is_some() {
        return Some(End::Frame { link: name.to_owned(), X });
    }
    match interface(text, table, problems)? {
        Attachment::Interface { link, interface } => Some(End::Interface { link, interface, X }),
        Attachment::Ground => None,
    }
}

fn constraint(
    name: &str,
    table: &ConstraintTable,
    machine: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<ConstraintSpec> {
    let at = |p: [f64; 3]| Transform::translation(p.into());
    let parent = end(&table.from, at(table.from_at), machine, problems);
    let child = end(&table.to, at(table.to_at), machine, problems);
    let kind: Box<dyn pliant_mechanism::Constraint> = match (table.distance, table.line, table.plane) {
        (Some(distance), ..) => Box::new(Distance { length: LengthCommand::Constant(distance) }),
        (None, Some(line), _) => Box::new(Guide::on_line(Vector3::from(line.0))?),
        (None, None, Some(normal)) => Box::new(Guide::in_plane(Vector3::from(normal.0))?),
        (None, None, None) => return None,
    };
    Some(ConstraintSpec { name: name.to_owned(), parent: parent?, child: child?, kind })
}

fn coupling(
    name: &str,
    table: &CouplingTable,
    machine: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<CouplingSpec> {
    let mut terms = Vec::new();
    let mut all_good = true;
    for (key, factor) in &table.terms.entries {
        match coordinate(&key.value, machine) {
            Some((joint, k)) => terms.push((joint, k, *factor)),
            None => {
                all_good = false;
                let names = machine.joints.iter().map(|(name, _)| name);
                let joint = key.value.split('.').next().unwrap_or_default();
                let hint = match machine.joints.get(joint) {
                    Some(table) => {
                        format!("coordinates of `{joint}`: {}", table.type_.coordinates().join(", "))
                    }
                    None => suggestion(&key.value, names, "joints"),
                };
                let message = format!("`{}` is not a coordinate of a joint", key.value);
                problems.error_with_hint::<()>(key.span(), message, hint);
            }
        }
    }
    let is_angle = table.value_deg.is_some();
    let value = scalar(table.value, table.value_deg, is_angle, table.source.0, problems)?;
    all_good.then(|| CouplingSpec { name: name.to_owned(), terms, value })
}

/// Joint and coordinate of `joint` or `joint.coordinate`.
fn coordinate(text: &str, machine: &Machine<'_>) -> Option<(String, usize)> {
    if let Some(joint) = machine.joints.get(text) {
        return (joint.type_.coordinates().len() == 1).then(|| (text.to_owned(), 0));
    }
    let (joint, name) = text.rsplit_once('.')?;
    let k = machine.joints.get(joint)?.type_.coordinates().iter().position(|c| *c == name)?;
    Some((joint.to_owned(), k))
}
