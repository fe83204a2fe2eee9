//! Which stress and strain a run recovers.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::link::{CachedLink, LinkFailure, recover};
use crate::links::MachineLink;
use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_machine::Links;
use pliant_pipeline::PipelineFile;
use pliant_pipeline::output::{ElementsTable, FaceWord, GaugeTable, OutputTable};
use pliant_pipeline::schema::{Located, suggestion};
use pliant_reduce::LinkRequest;
use pliant_reduce::recovery::{ElementModes, Gauge, Quantity, RecoveryRequest};
use pliant_store::results::{ElementField, LinkElements};

/// Names of links in `[output]` that are no links.
pub(crate) fn unknown_links(file: &PipelineFile, links: &Links) -> Diagnostics {
    let Some(table) = &file.table else { return Diagnostics::new() };
    let Some(output) = &table.output else { return Diagnostics::new() };
    let tables = output.stress.iter().chain(&output.strain);
    let of_elements = tables.flat_map(|table| table.links.iter().flatten());
    let names = of_elements.chain(output.gauges.iter().map(|(_, gauge)| &gauge.link));
    let mut problems = allowables_of_unknown(output, links);
    let unknown = names.filter(|name| links.get(&name.value).is_none());
    let complain = |name: &Located<String>| {
        let hint = suggestion(&name.value, links.names(), "links");
        Diagnostic::error(format!("there is no link `{}`", name.value)).at(name.span()).hint(hint)
    };
    problems.extend(unknown.map(complain).collect::<Diagnostics>());
    problems
}

/// Names in `allowable` that are no links, or no materials of links.
fn allowables_of_unknown(output: &OutputTable, links: &Links) -> Diagnostics {
    let Some(table) = &output.allowable else { return Diagnostics::new() };
    let known = || links.names().collect::<Vec<_>>().join(", ");
    let of_links = table.links.entries.iter().filter(|(name, _)| links.get(&name.value).is_none());
    let no_link = of_links.map(|(name, _)| {
        let hint = suggestion(&name.value, links.names(), "links");
        Diagnostic::error(format!("there is no link `{}`", name.value)).at(name.span()).hint(hint)
    });
    let of_materials = table
        .materials
        .entries
        .iter()
        .filter(|(name, _)| material_name(&name.value).is_none_or(|(link, _)| links.get(link).is_none()));
    let no_material = of_materials.map(|(name, _)| {
        let message = format!("a material must be a link and the number of its card, found `{}`", name.value);
        let hint = format!("such as \"arm.1\" for material 1 of the link arm; the links are {}", known());
        Diagnostic::error(message).at(name.span()).hint(hint)
    });
    no_link.chain(no_material).collect()
}

/// The table of a quantity, when it means this link.
fn asked<'a>(
    output: &'a OutputTable,
    quantity: Quantity,
    link: &LinkRequest,
    all: &Links,
) -> Option<&'a ElementsTable> {
    let asked = match quantity {
        Quantity::Stress => output.stress.as_ref(),
        Quantity::Strain => output.strain.as_ref(),
    }?;
    let meant = match &asked.links {
        Some(links) => links.iter().any(|listed| all.stands_for(&listed.value, &link.name)),
        // Others have no elements, or none that are known.
        None => link.source.has_elements(),
    };
    meant.then_some(asked)
}

/// Whether an element is among those that a table chooses.
fn is_chosen(table: &ElementsTable, id: u32, property: u32) -> bool {
    let all = table.elements.is_none() && table.properties.is_none();
    let among = |list: &Option<Vec<u32>>, number: u32| list.iter().flatten().any(|one| *one == number);
    all || among(&table.elements, id) || among(&table.properties, property) || among(&table.history, id)
}

/// Numbers of elements in `[output]` that no link has, once the elements of all links are known.
pub(crate) fn unknown_elements(file: &PipelineFile, links: &[Arc<MachineLink>]) -> Diagnostics {
    let output = file.table.as_ref().and_then(|table| table.output.as_ref());
    let recovered: Vec<_> = links.iter().filter_map(|link| link.elements.as_ref()).collect();
    let mut problems = Diagnostics::new();
    // Links of a study that keeps no files recover nothing.
    let Some(output) = output.filter(|_| !recovered.is_empty()) else { return problems };
    let tables = [("stress", Quantity::Stress, &output.stress), ("strain", Quantity::Strain, &output.strain)];
    for (key, quantity, table) in tables {
        let Some(table) = table else { continue };
        let fields = recovered.iter().flat_map(|link| &link.fields);
        let of_quantity = fields.filter(|field| field.modes.quantity == quantity);
        let known: BTreeSet<u32> =
            of_quantity.flat_map(|field| &field.modes.elements).map(|element| element.id).collect();
        for (list, numbers) in [("elements", &table.elements), ("history", &table.history)] {
            for number in numbers.iter().flatten().filter(|number| !known.contains(number)) {
                let message = format!("`output.{key}.{list}`: no link has an element {number} with {key}");
                problems.push(Diagnostic::warning(message).at(table.source.0));
            }
        }
    }
    for link in recovered {
        let stress = link.fields.iter().find(|field| field.modes.quantity == Quantity::Stress);
        let of = format!("link `{}`: ", link.name);
        problems.extend(stress.and_then(|field| bars_without_stress_points(&of, &field.modes)));
    }
    problems
}

/// Bars whose bending leaves no stress, of one mesh.
pub(crate) fn bars_without_stress_points(of: &str, modes: &ElementModes) -> Option<Diagnostic> {
    let bars = modes.without_stress_points();
    let (count, first) = (bars.len(), bars.first()?);
    let message = format!(
        "{of}{count} bars have no stress points (C to F of PBAR and PBEAM), the first is {first}: their stress is the axial part alone, without bending"
    );
    Some(Diagnostic::warning(message).hint("PBARL and PBEAML have stress points of their own"))
}

/// What is allowed of each element: by its material, by its link, for all, by the deck.
fn allowables(output: &OutputTable, all: &Links, link: &str, modes: &ElementModes) -> Vec<Option<f64>> {
    let table = output.allowable.as_ref();
    let named = |(listed, value): (&str, &f64)| all.stands_for(listed, link).then_some(*value);
    let of_link = table.and_then(|table| table.links.iter().find_map(named).or(table.all));
    let of_material = |material: u32| {
        let named = |(name, value): (&str, &f64)| {
            let (listed, number) = material_name(name)?;
            (number == material && all.stands_for(listed, link)).then_some(*value)
        };
        table.and_then(|table| table.materials.iter().find_map(named))
    };
    let each = modes.elements.iter().zip(&modes.limits);
    each.map(|(element, limit)| of_material(element.material).or(of_link).or(*limit)).collect()
}

/// A link and the number of a material.
fn material_name(name: &str) -> Option<(&str, u32)> {
    let (link, number) = name.rsplit_once('.')?;
    Some((link, number.parse().ok()?))
}

/// Stress and strain of a link, when the file asks for them.
pub(crate) fn of_link(
    link: &LinkRequest,
    all: &Links,
    file: &PipelineFile,
    made: &CachedLink,
) -> Result<Option<Arc<LinkElements>>, Box<LinkFailure>> {
    let Some(output) = file.table.as_ref().and_then(|table| table.output.as_ref()) else { return Ok(None) };
    let name = link.name.as_str();
    let gauges: Vec<(&str, &GaugeTable)> =
        output.gauges.iter().filter(|(_, gauge)| gauge.link.value == name).collect();
    let tables = |quantity: Quantity| asked(output, quantity, link, all);
    if Quantity::ALL.into_iter().all(|quantity| tables(quantity).is_none()) && gauges.is_empty() {
        return Ok(None);
    }
    let wanted = |quantity: Quantity, id: u32, property: u32| {
        tables(quantity).is_some_and(|table| is_chosen(table, id, property))
    };
    let points: Vec<Gauge> = gauges
        .iter()
        .map(|(_, gauge)| Gauge {
            position: Vector3::from(gauge.at),
            direction: Vector3::from(gauge.direction),
            top: gauge.face == FaceWord::Top,
        })
        .collect();
    let request = RecoveryRequest { wanted: &wanted, gauges: &points };
    let (fields, strains) = recover(link, made, &request)?;
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
    let fields = fields.into_iter().filter_map(|modes| {
        let history = tables(modes.quantity)?.history.clone().unwrap_or_default();
        let allowables = allowables(output, all, name, &modes);
        Some(Arc::new(ElementField::new(modes, history, allowables)))
    });
    Ok(Some(Arc::new(LinkElements { name: name.to_owned(), fields: fields.collect(), gauges: read })))
}
