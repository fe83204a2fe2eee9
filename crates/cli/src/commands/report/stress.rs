//! The recovered stress of a results file as the report shows it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pliant_reduce::stress::StressKind;
use pliant_report::{Field, History, Stressed, Values};
use pliant_store::results::{ResultsError, ResultsFile, Series, ShapeFrame, ShapeMesh};

use super::run::optional;

/// Elements listed.
const LISTED: usize = 12;
/// Elements whose stress over time has plots of its own.
const PLOTTED: usize = 12;
/// Numbers of all frames of a field, at most: above, the page has the largest of the run alone.
const NUMBERS: usize = 16_000_000;

/// A number for each element of a link.
struct Envelope {
    elements: Vec<u32>,
    properties: Vec<u32>,
    largest: Vec<f64>,
    times: Vec<f64>,
}

impl Envelope {
    fn read(file: &ResultsFile, link: &str) -> Result<Option<Self>, ResultsError> {
        let at = |name: &str| optional(file, &format!("/links/{link}/stress/{name}"));
        let (Some(elements), Some(largest)) = (at("element")?, at("von_mises_max")?) else { return Ok(None) };
        let whole = |series: Series| series.values.iter().map(|x| *x as u32).collect::<Vec<_>>();
        let (properties, times) = (at("property")?.map(whole), at("von_mises_max_time")?);
        Ok(Some(Self {
            properties: properties.unwrap_or_default(),
            times: times.map_or(Vec::new(), |series| series.values),
            elements: whole(elements),
            largest: largest.values,
        }))
    }
}

/// The elements of largest stress, the worst first.
pub(super) fn stressed(file: &ResultsFile) -> Result<Vec<Stressed>, ResultsError> {
    let mut all = Vec::new();
    for link in file.names("/links") {
        let Some(found) = Envelope::read(file, &link)? else { continue };
        for (k, (element, von_mises)) in found.elements.iter().zip(&found.largest).enumerate() {
            all.push(Stressed {
                link: link.clone(),
                element: *element,
                property: found.properties.get(k).copied().unwrap_or(0),
                von_mises: *von_mises,
                time: found.times.get(k).copied().unwrap_or(f64::NAN),
            });
        }
    }
    all.sort_by(|a, b| b.von_mises.total_cmp(&a.von_mises));
    all.truncate(LISTED);
    Ok(all)
}

/// A link's cells with stress: where they are in the mesh, and their nodes in the link.
struct LinkCells {
    nodes: usize,
    cells: Vec<(usize, Vec<usize>)>,
    /// Of each node the largest of the run.
    envelope: Vec<f32>,
    frames: Vec<Vec<f32>>,
}

/// Collects the stress of the nodes frame by frame: of a node the largest of the elements around it, so that what the legend ends at
/// is the largest of all elements.
pub(super) struct StressFields {
    links: Vec<Option<LinkCells>>,
    keeps_frames: bool,
}

impl StressFields {
    pub(super) fn new(
        file: &ResultsFile,
        mesh: &ShapeMesh,
        ranges: &[Range<usize>],
        frames: usize,
    ) -> Result<Self, ResultsError> {
        let mut links = Vec::new();
        for (k, (name, points)) in mesh.links.iter().zip(ranges).enumerate() {
            let Some(envelope) = Envelope::read(file, name)? else {
                links.push(None);
                continue;
            };
            let known: HashSet<u32> = envelope.elements.iter().copied().collect();
            let largest: HashMap<u32, f64> = envelope.elements.into_iter().zip(envelope.largest).collect();
            let has_stress = |cell: &usize| {
                // A rigid element may have the number of another one; it has no property.
                mesh.cell_links[*cell] as usize == k + 1
                    && mesh.properties[*cell] != 0
                    && known.contains(&mesh.elements[*cell])
            };
            let nodes_of = |cell: usize| {
                (cell, mesh.cell(cell).iter().map(|point| *point as usize - points.start).collect())
            };
            let cells: Vec<(usize, Vec<usize>)> =
                (0..mesh.cell_links.len()).filter(has_stress).map(nodes_of).collect();
            let of = |cell: usize| largest.get(&mesh.elements[cell]).map_or(f32::NAN, |x| *x as f32);
            let envelope = at_nodes(points.len(), &cells, of);
            links.push(Some(LinkCells { nodes: points.len(), cells, envelope, frames: Vec::new() }));
        }
        Ok(Self { links, keeps_frames: frames.saturating_mul(mesh.grids.len()) <= NUMBERS })
    }

    /// Takes a frame in.
    pub(super) fn frame(&mut self, shape: &ShapeFrame) {
        if !self.keeps_frames || shape.von_mises.is_empty() {
            return;
        }
        for link in self.links.iter_mut().flatten() {
            link.frames.push(at_nodes(link.nodes, &link.cells, |cell| shape.von_mises[cell]));
        }
    }

    /// The fields of each link.
    pub(super) fn finish(self) -> Vec<Vec<Field>> {
        let field = |name: &str, values: Values| Field { name: name.into(), units: "Pa".into(), values };
        let fields = |link: Option<LinkCells>| {
            let Some(link) = link else { return Vec::new() };
            let largest = field("von Mises stress, largest of the run", Values::Steady(link.envelope));
            let now =
                (!link.frames.is_empty()).then(|| field("von Mises stress", Values::Frames(link.frames)));
            now.into_iter().chain([largest]).collect()
        };
        self.links.into_iter().map(fields).collect()
    }
}

/// The largest value of the cells around each node; NaN where there is none.
fn at_nodes(nodes: usize, cells: &[(usize, Vec<usize>)], of: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut values = vec![f32::NAN; nodes];
    for (cell, around) in cells {
        let value = of(*cell);
        // `max` takes the number of a number and NaN.
        around.iter().for_each(|node| values[*node] = values[*node].max(value));
    }
    values
}

/// Stress of chosen elements and strain of gauges over time.
pub(super) fn histories(file: &ResultsFile) -> Result<Vec<History>, ResultsError> {
    let (mut equivalent, mut parts, mut gauges) = (Vec::new(), Vec::new(), Vec::new());
    for link in file.names("/links") {
        let mut elements = file.names(&format!("/links/{link}/elements"));
        elements.sort_by_key(|element| element.parse::<u32>().unwrap_or(u32::MAX));
        for element in elements {
            let series = file.series(&format!("/links/{link}/elements/{element}/stress"))?;
            let Some(kind) = StressKind::of_labels(&series.labels) else { continue };
            let place = format!("{link}, element {element}");
            let rows = series.values.chunks_exact(series.width());
            equivalent.push((place.clone(), rows.map(|row| kind.von_mises(row)).collect()));
            if equivalent.len() <= PLOTTED {
                parts.extend(components(&place, kind, &series));
            }
        }
        for gauge in file.names(&format!("/links/{link}/gauges")) {
            let series = file.series(&format!("/links/{link}/gauges/{gauge}"))?;
            gauges.push((format!("{link}, {gauge}"), series.values));
        }
    }
    let history = |title: &str, quantity: &str, units: &str, lines: Vec<(String, Vec<f64>)>, note: &str| {
        let note = Some(note.to_owned());
        let (title, quantity) = (title.to_owned(), quantity.to_owned());
        (!lines.is_empty()).then(|| History { title, quantity, units: units.to_owned(), lines, note })
    };
    let note = "Von Mises, at the worst point of each element; of a bar the largest axial stress.";
    let all = history("Equivalent stress of chosen elements", "stress", "Pa", equivalent, note);
    let strain = history("Strain gauges", "strain", "1", gauges, "Along the direction of each gauge.");
    Ok(all.into_iter().chain(parts).chain(strain).collect())
}

/// The numbers of one element, those of a kind together.
fn components(place: &str, kind: StressKind, series: &Series) -> Vec<History> {
    let lines = |wanted: &dyn Fn(&str) -> bool| -> Vec<(String, Vec<f64>)> {
        let chosen = series.labels.iter().enumerate().filter(|(_, label)| wanted(label));
        chosen.map(|(k, label)| (label.clone(), series.column(k).collect())).collect()
    };
    let one = |what: &str, quantity: &str, units: &str, lines, note: &str| History {
        title: format!("{place}: {what}"),
        quantity: quantity.to_owned(),
        units: units.to_owned(),
        lines,
        note: Some(note.to_owned()),
    };
    let ends = |label: &str, names: &[&str]| label.rsplit('.').next().is_some_and(|end| names.contains(&end));
    match kind {
        StressKind::Line => vec![
            one("forces", "force", "N", lines(&|l| ends(l, &["N", "V1", "V2"])), "At ends A and B."),
            one("moments", "moment", "N m", lines(&|l| ends(l, &["T", "M1", "M2"])), "At ends A and B."),
            one(
                "axial stress",
                "stress",
                "Pa",
                lines(&|l| ends(l, &["C", "D", "E", "F"])),
                "At the stress points of ends A and B.",
            ),
        ],
        StressKind::Shell => {
            vec![one("stress", "stress", "Pa", lines(&|_| true), "At both faces, in element axes.")]
        }
        StressKind::Laminate { .. } => {
            let note = "Along the fibres of each ply; the file has all components.";
            vec![one("ply stress", "stress", "Pa", lines(&|l| ends(l, &["11"])), note)]
        }
        StressKind::Solid { .. } => {
            let note = "At the centroid, in link axes; the file has the corners too.";
            vec![one("stress", "stress", "Pa", lines(&|l| l.starts_with("centroid")), note)]
        }
    }
}
