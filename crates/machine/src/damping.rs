//! Damping that is formed on more than one link: of a link cut into segments, and of the assembled machine.

use std::f64::consts::TAU;
use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::{SimulationError, Structure};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::Fixed;
use pliant_mechanism::{BodyIndex, CoupledDamping, Model};
use pliant_pipeline::damping::{LossTable, MachineDampingTable, rayleigh_factors};
use pliant_pipeline::link::{DampingTable, LinkTable, MATERIALS};
use pliant_pipeline::schema::suggestion;

use crate::chain::chain;
use crate::links::{Chain, damping_ratio};
use crate::machine::Machine;
use crate::problems::Problems;

/// Ratio of a mode under `D = αM + βK`.
fn rayleigh_ratio(alpha: f64, beta: f64, freq_hz: f64) -> f64 {
    let omega = TAU * freq_hz;
    0.5 * (alpha / omega + beta * omega)
}

/// What a file says of damping beyond single links.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedDamping {
    chains: Vec<Chain>,
    machine: Option<MachineDampingTable>,
    /// Loss factor of each link.
    losses: Vec<(String, f64)>,
}

/// Checks what a file says; `None` when something is wrong.
pub(crate) fn planned(table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<PlannedDamping> {
    let chains: Vec<Chain> =
        table.links.chains.iter().filter(|chain| chain.damping.is_some()).cloned().collect();
    let Some(machine) = &table.damping else {
        return Some(PlannedDamping { chains, ..PlannedDamping::default() });
    };
    let own = table.table.links.iter().filter_map(|(name, link)| Some((name, link.damping.as_ref()?)));
    let mut good = true;
    for (name, damping) in own {
        good = false;
        problems.error_with_hint::<()>(
            damping.source.0,
            format!("`links.{name}.damping` and `[damping]` of the machine exclude each other"),
            "leave one of them out: `[damping]` sets the ratios of the assembled machine's modes",
        );
    }
    let losses = machine.loss.as_ref().map(|loss| losses(loss, table, problems));
    good &= losses.as_ref().is_none_or(Option::is_some);
    let losses = losses.flatten().unwrap_or_default();
    good.then(|| PlannedDamping { chains: Vec::new(), machine: Some(machine.clone()), losses })
}

/// Loss factors by link: its own, that of its material, or that of all.
fn losses(loss: &LossTable, table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<Vec<(String, f64)>> {
    let mut good = true;
    for (name, _) in &loss.links.entries {
        if table.table.links.get(&name.value).is_none() {
            let hint = suggestion(&name.value, table.table.links.iter().map(|(name, _)| name), "links");
            problems.error_with_hint::<()>(name.span(), format!("there is no link `{}`", name.value), hint);
            good = false;
        }
    }
    let by_material = |link: &LinkTable| {
        let own = link.beam.as_ref().map(|beam| beam.material).or(link.material)?;
        let (name, _) = MATERIALS.iter().find(|(_, material)| *material == own)?;
        loss.materials.get(name).copied()
    };
    let of = |name: &str| {
        let link = table.links.link_of(name);
        let own = loss.links.get(link).copied();
        let of_material = || table.table.links.get(link).and_then(by_material);
        (name.to_owned(), own.or_else(of_material).unwrap_or(loss.factor))
    };
    good.then(|| table.links.names().map(of).collect())
}

impl PlannedDamping {
    /// Adds the damping to the machine.
    ///
    /// # Errors
    /// Loops that do not close where the damping is formed.
    pub(crate) fn add(
        &self,
        model: &mut Model,
        links: &[(String, Arc<ReducedLink>)],
    ) -> Result<(), Diagnostics> {
        for chain in &self.chains {
            let Some(table) = &chain.damping else { continue };
            let damping = of_undivided(table, chain, model, links)?;
            model.add_damping(damping);
        }
        if let Some(table) = &self.machine {
            let fail = |error: SimulationError| problem(&error, table.source.0);
            let structure = Structure::new(model, table.time).map_err(fail)?;
            let damping = self.of_machine(table, &structure, model);
            model.add_damping(damping);
        }
        Ok(())
    }

    fn of_machine(
        &self,
        table: &MachineDampingTable,
        structure: &Structure,
        model: &Model,
    ) -> CoupledDamping {
        if let Some(loss) = &table.loss {
            let of = |body: BodyIndex| {
                let name = &model.bodies()[body].name;
                self.losses.iter().find(|(link, _)| link == name).map_or(0.0, |(_, loss)| *loss)
            };
            return structure.loss_damping(model, of, &loss.at_hz);
        }
        let rayleigh = table.rayleigh.map(rayleigh_factors);
        let ratio = table.ratio.as_ref().map(damping_ratio);
        structure.modal_damping(|mode, hz| match (&ratio, rayleigh) {
            (Some(ratio), _) => ratio.at(mode, hz),
            (None, Some((alpha, beta))) => rayleigh_ratio(alpha, beta, hz),
            (None, None) => 0.0,
        })
    }
}

fn problem(error: &dyn std::error::Error, span: Option<Span>) -> Diagnostics {
    Diagnostics::from_iter([Diagnostic::error(format!("the damping cannot be computed: {error}")).at(span)])
}

/// Damping of a link that was cut, formed on its segments joined again and clamped at the inboard interface:
/// the undivided link. The modes of that chain are those of the link, so that the ratios mean the same as
/// without cuts.
fn of_undivided(
    table: &DampingTable,
    cut: &Chain,
    model: &Model,
    links: &[(String, Arc<ReducedLink>)],
) -> Result<CoupledDamping, Diagnostics> {
    let segments: Vec<_> = links.iter().filter(|(name, _)| cut.links.contains(name)).cloned().collect();
    let span = table.source.0;
    let joined = chain(segments, Box::new(Fixed))
        .map_err(|errors| errors.iter().flat_map(|error| problem(error, span)).collect::<Diagnostics>())?;
    let structure = Structure::new(&joined, 0.0).map_err(|error| problem(&error, span))?;
    let ratio = table.ratio.as_ref().map(damping_ratio);
    let mut damping = structure.modal_damping(|mode, hz| {
        let ratio = ratio.as_ref().map_or(0.0, |ratio| ratio.at(mode, hz));
        let rayleigh = table.rayleigh.as_ref();
        ratio + rayleigh.map_or(0.0, |rayleigh| rayleigh_ratio(rayleigh.alpha, rayleigh.beta, hz))
    });
    // From the coordinates of the chain to those of the machine.
    for j in &mut damping.coordinates {
        let segment = joined.bodies().iter().find(|body| body.elastic_velocities().contains(j));
        let index = segment.and_then(|segment| {
            let body = &model.bodies()[model.body(&segment.name)?];
            Some(body.elastic_velocities().start + (*j - segment.elastic_velocities().start))
        });
        *j = index.expect("invariant: every segment of a link is a body of the machine");
    }
    Ok(damping)
}
