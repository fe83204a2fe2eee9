//! Force elements.

use nalgebra::Matrix6;
use pliant_mechanism::{
    Actuator, Bushing, ConstraintSpec, Distance, ForceElement, ForceSpec, LengthCommand, SpringDamper,
    SpringLaw,
};
use pliant_pipeline::curve::CurveSpec;
use pliant_pipeline::force::{BushingTable, ForceTable};

use crate::closure::end;
use crate::curve::curve;
use crate::function::function;
use crate::joint::frame;
use crate::machine::Machine;
use crate::motion::{MotionOf, motion};
use crate::problems::Problems;

/// What a table of `[forces]` becomes.
pub(crate) enum ForceKind {
    Element(ForceSpec),
    Rigid(ConstraintSpec),
}

pub(crate) fn force(
    name: &str,
    table: &ForceTable,
    machine: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<ForceKind> {
    let span = table.source.0;
    let X_from = frame(Some(table.from_at), table.from_axes, "from_axes", span, problems);
    let X_to = frame(Some(table.to_at), table.to_axes, "to_axes", span, problems);
    let (X_from, X_to) = (X_from?, X_to?);
    let parent = end(&table.from, X_from, machine, problems);
    let child = end(&table.to, X_to, machine, problems);
    let name = name.to_owned();
    let kind: Box<dyn ForceElement> = if let Some(bushing) = &table.bushing {
        Box::new(bushing_of(bushing))
    } else if let Some(push) = &table.push {
        Box::new(Actuator::Force(function(push, problems)?))
    } else if let Some(spec) = &table.length {
        let moves = if table.oil.is_some() { MotionOf::Command } else { MotionOf::Rigid };
        let length = motion(spec, false, moves, problems)?;
        let length = LengthCommand::Motion(length.into());
        match &table.oil {
            Some(oil) => Box::new(Actuator::Oil { length, stiffness: oil.stiffness, damping: oil.damping }),
            None => {
                let kind = Box::new(Distance { length });
                return Some(ForceKind::Rigid(ConstraintSpec { name, parent: parent?, child: child?, kind }));
            }
        }
    } else {
        Box::new(line(table, problems)?)
    };
    Some(ForceKind::Element(ForceSpec { name, parent: parent?, child: child?, kind }))
}

fn line(table: &ForceTable, problems: &mut Problems<'_>) -> Option<SpringDamper> {
    let spring = table.spring.as_ref().map(|s| law(s.stiffness, s.table.as_ref(), problems));
    let damper = table.damper.as_ref().map(|d| law(d.damping, d.table.as_ref(), problems));
    let none = || Some(SpringLaw::Linear(0.0));
    let (spring, damper) = (spring.unwrap_or_else(none), damper.unwrap_or_else(none));
    let free_length = table.spring.as_ref().map_or(0.0, |s| s.free_length);
    Some(SpringDamper { spring: spring?, damper: damper?, free_length })
}

fn law(slope: Option<f64>, table: Option<&CurveSpec>, problems: &mut Problems<'_>) -> Option<SpringLaw> {
    match table {
        Some(CurveSpec(table)) => curve(table, 1.0, problems).map(SpringLaw::Table),
        None => slope.map(SpringLaw::Linear),
    }
}

fn bushing_of(table: &BushingTable) -> Bushing {
    let matrix = |diagonal: &Option<[f64; 6]>, full: &Option<[[f64; 6]; 6]>| match (diagonal, full) {
        (_, Some(full)) => Matrix6::from_fn(|i, j| full[i][j]),
        (Some(diagonal), None) => Matrix6::from_diagonal(&(*diagonal).into()),
        (None, None) => Matrix6::zeros(),
    };
    Bushing {
        stiffness: matrix(&table.stiffness, &table.stiffness_matrix),
        damping: matrix(&table.damping, &table.damping_matrix),
    }
}
