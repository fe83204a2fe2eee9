//! Which stress a run recovers.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_pipeline::PipelineFile;
use pliant_pipeline::link::LinkTable;
use pliant_pipeline::output::{FaceWord, GaugeTable, OutputTable};
use pliant_pipeline::schema::Located;
use pliant_reduce::stress::{Gauge, StressRequest};
use pliant_store::results::LinkStress;
use pliant_store::{CachedLink, LinkFailure, stress_for};

/// Names of links in `[output]` that are no links.
pub(super) fn unknown_links(file: &PipelineFile) -> Diagnostics {
    let Some(table) = &file.table else { return Diagnostics::new() };
    let Some(output) = &table.output else { return Diagnostics::new() };
    let of_stress = output.stress.iter().flat_map(|stress| stress.links.iter().flatten());
    let names = of_stress.chain(output.gauges.iter().map(|(_, gauge)| &gauge.link));
    let unknown = names.filter(|name| table.links.get(&name.value).is_none());
    let complain = |name: &Located<String>| {
        let known: Vec<&str> = table.links.iter().map(|(name, _)| name).collect();
        let hint = format!("the links are {}", known.join(", "));
        Diagnostic::error(format!("there is no link `{}`", name.value)).at(name.span()).hint(hint)
    };
    unknown.map(complain).collect()
}

/// The stress of a link, when the file asks for it.
pub(super) fn of_link(
    name: &str,
    table: &LinkTable,
    file: &PipelineFile,
    made: &CachedLink,
) -> Result<Option<Arc<LinkStress>>, Box<LinkFailure>> {
    let Some(output) = file.table.as_ref().and_then(|table| table.output.as_ref()) else { return Ok(None) };
    let gauges: Vec<(&str, &GaugeTable)> =
        output.gauges.iter().filter(|(_, gauge)| gauge.link.value == name).collect();
    let asked = is_asked(output, name, table);
    if !asked && gauges.is_empty() {
        return Ok(None);
    }
    let stress = output.stress.as_ref().filter(|_| asked);
    let history: Vec<u32> = stress.and_then(|stress| stress.history.clone()).unwrap_or_default();
    let wanted = |id: u32, property: u32| {
        let Some(stress) = stress else { return false };
        let all = stress.elements.is_none() && stress.properties.is_none();
        let among =
            |list: &Option<Vec<u32>>, number: u32| list.as_ref().is_some_and(|list| list.contains(&number));
        all || among(&stress.elements, id) || among(&stress.properties, property) || history.contains(&id)
    };
    let places: Vec<Gauge> = gauges
        .iter()
        .map(|(_, gauge)| Gauge {
            position: Vector3::from(gauge.at),
            direction: Vector3::from(gauge.direction),
            top: gauge.face == FaceWord::Top,
        })
        .collect();
    let request = StressRequest { wanted: &wanted, gauges: &places };
    let (modes, strains) = stress_for(table, file, made, &request)?;
    let mut problems = Diagnostics::new();
    let mut read = Vec::new();
    for ((name, gauge), strain) in gauges.iter().zip(strains) {
        match strain {
            Ok(row) => read.push(((*name).to_owned(), row)),
            Err(error) => {
                problems.push(Diagnostic::error(format!("gauge `{name}`: {error}")).at(gauge.source.0))
            }
        }
    }
    if problems.has_errors() {
        return Err(Box::new(LinkFailure { request: problems, ..LinkFailure::default() }));
    }
    Ok(Some(Arc::new(LinkStress { name: name.to_owned(), modes, history, gauges: read })))
}

/// Whether `[output] stress` means this link.
fn is_asked(output: &OutputTable, name: &str, table: &LinkTable) -> bool {
    let Some(stress) = &output.stress else { return false };
    match &stress.links {
        Some(links) => links.iter().any(|link| link.value == name),
        // Others have no elements, or none that are known.
        None => table.deck.is_some() || table.beam.is_some(),
    }
}
